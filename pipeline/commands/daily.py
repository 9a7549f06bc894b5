"""`bee daily`: our own puzzle of the day."""

from __future__ import annotations

from typing import Annotated

import typer

from pipeline import reader, solver
from pipeline.commands import command
from pipeline.commands.options import iso_date
from pipeline.commands.settings import Settings
from pipeline.errors import BeeError
from pipeline.play import daily, difficulty, hints
from pipeline.words import Puzzle, bingo, pangram, perfect_pangram, puzzle, score


@command("bee daily --hints", "bee daily 2026-12-24", "bee daily today --days 7")
def print_daily(
    settings: Settings,
    date: Annotated[
        str, typer.Argument(callback=iso_date, help="The date. A new puzzle starts at 03:00 in New York.")
    ] = "today",
    days: Annotated[int, typer.Option(min=1, max=500, help="Number of days, starting with DATE.")] = 1,
    show_hints: Annotated[bool, typer.Option("--hints", help="Also print a grid and a two-letter list.")] = False,
) -> None:
    """Print our own puzzle of the day, with its number of answers.

    The puzzle is the same for everyone.
    """
    folder = settings.release_folder()
    release = reader.read(folder)
    words = release.files["wordlist.txt"].decode().split()
    published = daily.published(release)
    first = min(published, default=date)
    if date < first:
        raise BeeError(f"The first puzzle of the day is for {first}: `bee daily {first}`")
    dates = daily.dates(date, days)
    unpublished = [day for day in dates if day not in published]
    pool = {}
    if unpublished:
        rows = {row["word"]: row for row in reader.rows(release.files["words.csv"], "words.csv")}
        accepted = {word: int(row["accepted"]) for word, row in rows.items()}
        pool = daily.pool(words, difficulty.load_hardness(words, accepted), rows)
        if not pool:
            raise BeeError("This word list is too small to make a puzzle of the day.")
    texts = []
    for day in dates:
        letters = puzzle(daily.letters_of_day(pool, day, published))
        answers = solver.scan(words, letters)
        hardness = difficulty.load_hardness(answers, difficulty.load_accepted(folder, answers))
        texts.append(_text(day, letters, answers, difficulty.difficulty(answers, hardness), show_hints))
    typer.echo("\n\n".join(texts))
    if unpublished:
        settings.say(f"Puzzles that are not published yet may change in a later release: {', '.join(unpublished)}.")
    settings.say_release(folder)


def _text(date: str, letters: Puzzle, answers: list[str], hardness: float, show_hints: bool) -> str:
    """Return the facts about a puzzle that do not give away an answer, one per line, and the hints."""
    facts = {
        "date": date,
        "center": letters.center,
        "outer": letters.outer,
        "words": len(answers),
        "points": sum(map(score, answers)),
        "pangrams": sum(map(pangram, answers)),
        "perfect": sum(map(perfect_pangram, answers)),
        "bingo": bingo(letters, answers),
        "difficulty": hardness,
        "level": difficulty.level(hardness),
    }
    text = "\n".join(f"{name:10} {fact}" for name, fact in facts.items())
    if not show_hints:
        return text
    return f"{text}\n\n{hints.grid_text(hints.grid(answers))}\n\n{hints.two_letters_text(hints.two_letters(answers))}"
