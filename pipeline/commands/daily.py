"""`bee daily`: our own puzzle of the day."""

from __future__ import annotations

from typing import Annotated

import typer

from pipeline import reader, solver, store
from pipeline.commands.messages import say, say_release
from pipeline.commands.options import iso_date
from pipeline.errors import BeeError
from pipeline.play import daily, difficulty, hints
from pipeline.words import Puzzle, bingo, pangram, perfect_pangram, puzzle, score


def print_daily(
    ctx: typer.Context,
    date: Annotated[
        str, typer.Argument(callback=iso_date, help="The date. A new puzzle starts at 03:00 in New York.")
    ] = "today",
    days: Annotated[int, typer.Option(min=1, max=500, help="Number of days, starting with DATE.")] = 1,
    show_hints: Annotated[bool, typer.Option("--hints", help="Also print a grid and a two-letter list.")] = False,
) -> None:
    """Print our own puzzle of the day, with its number of answers.

    The puzzle is the same for everyone.

    \b
    Examples:
      bee daily --hints
      bee daily 2026-12-24
      bee daily today --days 7
    """
    folder = store.find_release(ctx.obj)
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
        pool = daily.pool(words, _hardness(release, set(words)), rows)
        if not pool:
            raise BeeError("This word list is too small to make a puzzle of the day.")
    puzzles = {day: puzzle(daily.letters_of_day(pool, day, published)) for day in dates}
    answers_of_day = {day: solver.scan(words, letters) for day, letters in puzzles.items()}
    hardness = _hardness(release, {word for answers in answers_of_day.values() for word in answers})
    texts = [_text(day, puzzles[day], answers, hardness, show_hints) for day, answers in answers_of_day.items()]
    typer.echo("\n\n".join(texts))
    if unpublished:
        say(f"Puzzles that are not published yet may change in a later release: {', '.join(unpublished)}.")
    say_release(folder)


def _hardness(release: reader.Release, words: set[str]) -> dict[str, int]:
    """Return how hard some words are."""
    rows = reader.rows(release.files["words.csv"], "words.csv", reader.any_of(words))
    return difficulty.load_hardness(words, {row["word"]: int(row["accepted"]) for row in rows})


def _text(date: str, letters: Puzzle, answers: list[str], hardness: dict[str, int], show_hints: bool) -> str:
    """Return the facts about a puzzle that do not give away an answer, one per line, and the hints."""
    difficulty_of_puzzle = difficulty.difficulty(answers, hardness)
    facts = {
        "date": date,
        "center": letters.center,
        "outer": letters.outer,
        "words": len(answers),
        "points": sum(map(score, answers)),
        "pangrams": sum(map(pangram, answers)),
        "perfect": sum(map(perfect_pangram, answers)),
        "bingo": bingo(letters, answers),
        "difficulty": difficulty_of_puzzle,
        "level": difficulty.level(difficulty_of_puzzle),
    }
    text = "\n".join(f"{name:10} {fact}" for name, fact in facts.items())
    if not show_hints:
        return text
    return f"{text}\n\n{hints.grid_text(hints.grid(answers))}\n\n{hints.two_letters_text(hints.two_letters(answers))}"
