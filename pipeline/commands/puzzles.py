"""`bee puzzles` and `bee daily`: possible puzzles, and our own puzzle of the day."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipeline import reader, solver, word_list
from pipeline.commands import PLAY, command
from pipeline.commands.options import Json, iso_date, refuse_together
from pipeline.commands.settings import Settings
from pipeline.errors import BeeError
from pipeline.play import daily, difficulty, hints
from pipeline.words import Puzzle, count, perfect_pangram, puzzle

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = "center outer words points pangrams perfect bingo difficulty level".split()
"""The columns of a table of puzzles."""
COLUMNS_OF_WORDS = "word tier p accepted flags".split()
"""The columns of `words.csv` that decide which puzzles are like official ones."""
AFFILIATION = "Not affiliated with The New York Times."


@dataclass(frozen=True, slots=True)
class ListOfWords:
    """A word list, the hardness of its words, and what the release in a folder knows about words.

    `is_released` says whether it is the list of the release. Only then do its words have tiers.
    """

    words: list[str]
    hardness: dict[str, int]
    tiers: dict[str, str]
    rows: dict[str, dict[str, str]]
    folder: str
    is_released: bool

    @classmethod
    def load(cls, path: Path | None, folder: str) -> ListOfWords:
        """Load the list in a file or, without a path, the list of the release in a folder."""
        table = reader.read(folder, "words.csv").files["words.csv"]
        rows = {row["word"]: row for row in reader.word_rows(table, columns=COLUMNS_OF_WORDS)}
        accepted = {word: int(row["accepted"]) for word, row in rows.items()}
        words = word_list.read(path).words if path else solver.load_release(folder)
        return cls(
            words=words,
            hardness=difficulty.load_hardness(words, accepted),
            tiers={} if path else {word: row["tier"] for word, row in rows.items()},
            rows=rows,
            folder=folder,
            is_released=path is None,
        )

    def describe(self, letters: Puzzle, answers: list[str]) -> dict[str, Any]:
        """Describe a puzzle as JSON."""
        return daily.describe(letters, answers, self.tiers, self.hardness)

    def print_json(self, puzzles: list[dict[str, Any]]) -> None:
        """Print puzzles as JSON, with the version of the release if the list is that of the release."""
        version = reader.read(self.folder, reader.PACKAGE).version if self.is_released else None
        value = {"version": version, "affiliation": AFFILIATION, "puzzles": puzzles}
        typer.echo(json.dumps(value, indent=2, ensure_ascii=False))


@command(PLAY, "bee puzzles --own --limit 3", "bee puzzles --limit 0 > puzzles.csv", name="puzzles")
def print_puzzles(
    settings: Settings,
    own: Annotated[
        bool, typer.Option("--own", help="Only puzzles that are like official ones but were never official.")
    ] = False,
    limit: Annotated[int, typer.Option(min=0, help="Number of puzzles to print; 0 for all.")] = 20,
    list_path: Annotated[
        Path | None, typer.Option("--list", help="The word list to use. Default: the list of the workspace.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Count and print the puzzles that the list makes possible.

    The puzzles with the most words come first. Prints columns on a terminal and CSV otherwise. With --json, each puzzle
    is described in full: answers by tier, points, ranks and difficulty. Difficulty is estimated from how common the
    answers are; it has not been tested with players. Exits with code 1 if there are none.
    """
    from pipeline.tables import frames

    known = ListOfWords.load(list_path, settings.release_folder())
    possible = _possible_puzzles(known, own)
    kind = "own" if own else "possible"
    settings.say(f"{count(len(possible), f'{kind} puzzle')} from {count(len(known.words), 'word')}.")
    if known.is_released:
        settings.say_release(known.folder)
    table = possible.head(limit) if limit else possible
    if as_json:
        index = solver.build_index(known.words)
        puzzles = [puzzle(outer, center) for center, outer in zip(table["center"], table["outer"], strict=True)]
        known.print_json([known.describe(letters, solver.solve(index, letters)) for letters in puzzles])
    elif len(table) and sys.stdout.isatty():
        typer.echo(table.to_string(index=False))
    elif len(table):
        typer.echo(frames.csv_bytes(table).decode(), nl=False)
    if table.empty:
        raise typer.Exit(1)


def _possible_puzzles(known: ListOfWords, own: bool) -> pd.DataFrame:
    """Return the table of the possible puzzles of a list, or only of our own ones, with difficulty and level.

    The puzzles with the most words come first, and of these, those with the most points.
    """
    from pipeline.play import puzzles

    possible = puzzles.possible(known.words, known.hardness)
    if own:
        pool = daily.pool(known.words, known.hardness, known.rows)
        possible = possible[(possible["center"] + possible["outer"]).isin(pool)]
    possible = possible.assign(level=possible["difficulty"].map(difficulty.level))
    return possible.sort_values(["words", "points", "outer", "center"], ascending=[False, False, True, True])


@command(PLAY, "bee daily --hints", "bee daily 2026-12-24", "bee daily today --days 7 --json", name="daily")
def print_daily(
    settings: Settings,
    date: Annotated[
        str, typer.Argument(callback=iso_date, help="The date. A new puzzle starts at 03:00 in New York.")
    ] = "today",
    days: Annotated[int, typer.Option(min=1, max=500, help="Number of days, starting with DATE.")] = 1,
    show_hints: Annotated[bool, typer.Option("--hints", help="Also print a grid and a two-letter list.")] = False,
    as_json: Json = False,
) -> None:
    """Print our own puzzle of the day, with its number of answers.

    The puzzle is the same for everyone. With --json, it is described in full, with its answers.
    """
    refuse_together(settings, "--json", {"--hints"}, "--json has all answers, so it cannot be combined with {}.")
    known = ListOfWords.load(None, settings.release_folder())
    published = daily.published(reader.read(known.folder))
    first = min(published, default=date)
    if date < first:
        raise BeeError(f"The first puzzle of the day is for {first}: `bee daily {first}`")
    dates = daily.dates(date, days)
    unpublished = [day for day in dates if day not in published]
    pool = daily.pool(known.words, known.hardness, known.rows) if unpublished else {}
    if unpublished and not pool:
        raise BeeError("This word list is too small to make a puzzle of the day.")
    descriptions = []
    for day in dates:
        letters = puzzle(daily.letters_of_day(pool, day, published))
        descriptions.append({"date": day, **known.describe(letters, solver.scan(known.words, letters))})
    if as_json:
        known.print_json(descriptions)
    else:
        typer.echo("\n\n".join(_daily_text(description, show_hints) for description in descriptions))
    if unpublished:
        settings.say(f"Puzzles that are not published yet may change in a later release: {', '.join(unpublished)}.")
    settings.say_release(known.folder)


def _daily_text(description: Mapping[str, Any], show_hints: bool) -> str:
    """Return the facts about a puzzle of the day that do not give away an answer, one per line, and the hints."""
    answers = [word for words in description["answers"].values() for word in words]
    facts = {
        **description,
        "pangrams": len(description["pangrams"]),
        "perfect": sum(perfect_pangram(word) for word in answers),
    }
    text = "\n".join(f"{name:10} {facts[name]}" for name in ("date", *COLUMNS))
    if not show_hints:
        return text
    return f"{text}\n\n{hints.grid_text(hints.grid(answers))}\n\n{hints.two_letters_text(hints.two_letters(answers))}"
