"""`bee puzzles`, `bee daily` and `bee sheets`: possible puzzles, our own puzzle of the day, and printable sheets."""

from __future__ import annotations

import itertools
import json
import random
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from pipeline import reader, solver
from pipeline.commands import PLAY, command
from pipeline.commands.options import Json, iso_date, refuse_together
from pipeline.commands.settings import Settings
from pipeline.errors import BeeError
from pipeline.play import daily, difficulty, hints
from pipeline.words import Puzzle, count, perfect_pangram, puzzle

if TYPE_CHECKING:
    import pandas as pd

Best = Literal["words", "points", "pangrams", "perfect", "difficulty"]
Level = Literal["easy", "medium", "hard"]
"""The names of levels are those in `play.difficulty`."""
COLUMNS = "center outer words points pangrams perfect bingo difficulty level".split()
"""The columns of a table of puzzles."""
COLUMNS_OF_WORDS = "word tier p accepted flags".split()
"""The columns of `words.csv` that decide which puzzles are like official ones."""
AFFILIATION = "Not affiliated with The New York Times."
MOST_SHEETS = 500


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
        words = solver.load_words(path) if path else solver.load_release(folder)
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


@command(
    PLAY,
    "bee puzzles --contains qu --max-words 50 --best points",
    "bee puzzles --own --random --limit 3",
    name="puzzles",
)
def print_puzzles(
    settings: Settings,
    contains: Annotated[str, typer.Option(help="Only puzzles with all these letters.")] = "",
    max_words: Annotated[int | None, typer.Option(min=0, help="Maximum number of answers.")] = None,
    level: Annotated[
        Level | None, typer.Option("--difficulty", help="Only puzzles of this level, by how common the answers are.")
    ] = None,
    own: Annotated[
        bool, typer.Option("--own", help="Only puzzles that are like official ones but were never official.")
    ] = False,
    max_similar: Annotated[
        int | None,
        typer.Option(min=0, help="Maximum number of answers that only add -s, -es or -ing to another answer."),
    ] = None,
    best: Annotated[Best, typer.Option(help="The column to sort by, highest first.")] = "words",
    at_random: Annotated[bool, typer.Option("--random", help="Print puzzles in random order.")] = False,
    limit: Annotated[int, typer.Option(min=0, help="Number of puzzles to print; 0 for all.")] = 20,
    list_path: Annotated[
        Path | None, typer.Option("--list", help="The word list to use. Default: the list of the workspace.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Count and print the puzzles that the list makes possible.

    The puzzles with the most words come first. Prints columns on a terminal and CSV otherwise. With --json, each puzzle
    is described in full: answers by tier, points, ranks and difficulty. Difficulty is estimated from how common the
    answers are; it has not been tested with players. Exits with code 1 if no puzzle matches.
    """
    from pipeline.tables import frames

    refuse_together(
        settings, "--best", {"--random"}, "Use either --best or {}, not both: puzzles are sorted or shuffled."
    )
    for letter in contains.lower():
        if not "a" <= letter <= "z":
            raise typer.BadParameter(f'"{letter}" is not a letter from a to z.')
    known = ListOfWords.load(list_path, settings.release_folder())
    possible = _possible_puzzles(known, own)
    fitting = possible
    for letter in contains.lower():
        fitting = fitting[(fitting["center"] + fitting["outer"]).str.contains(letter, regex=False)]
    if max_words is not None:
        fitting = fitting[fitting["words"] <= max_words]
    if level:
        fitting = fitting[fitting["level"] == level]
    fitting = fitting.sort_values([best, "points", "outer", "center"], ascending=[False, False, True, True])
    if at_random:
        fitting = fitting.iloc[random.sample(range(len(fitting)), len(fitting))]
    settings.say(
        f"{len(fitting):,} of {count(len(possible), 'possible puzzle')} match, from {count(len(known.words), 'word')}."
    )
    if known.is_released:
        settings.say_release(known.folder)
    if max_similar is not None:
        fitting = _with_few_similar_answers(settings, fitting, known, max_similar, limit)
    if limit:
        fitting = fitting.head(limit)
    if as_json:
        known.print_json([known.describe(letters, answers) for letters, answers in _solved(fitting, known)])
    elif len(fitting) and sys.stdout.isatty():
        typer.echo(fitting.to_string(index=False))
    elif len(fitting):
        typer.echo(frames.csv_bytes(fitting).decode(), nl=False)
    if fitting.empty:
        settings.say("No possible puzzle matches these options.")
        raise typer.Exit(1)


def _possible_puzzles(known: ListOfWords, own: bool) -> pd.DataFrame:
    """Return the table of the possible puzzles of a list, or only of our own ones, with difficulty and level."""
    from pipeline.play import puzzles

    possible = puzzles.possible(known.words, known.hardness)
    if own:
        pool = daily.pool(known.words, known.hardness, known.rows)
        possible = possible[(possible["center"] + possible["outer"]).isin(pool)].reset_index(drop=True)
    return possible.assign(level=possible["difficulty"].map(difficulty.level))


def _solved(table: pd.DataFrame, known: ListOfWords) -> Iterator[tuple[Puzzle, list[str]]]:
    """Yield each puzzle of a table with its answers."""
    index = solver.build_index(known.words)
    for center, outer in zip(table["center"], table["outer"], strict=True):
        letters = puzzle(outer, center)
        yield letters, solver.solve(index, letters)


def _with_few_similar_answers(
    settings: Settings, table: pd.DataFrame, known: ListOfWords, max_similar: int, limit: int
) -> pd.DataFrame:
    """Return the first puzzles of a table, at most `limit` (0 for all), that have few similar answers."""
    solved = enumerate(_solved(table, known))
    fitting = (position for position, (_, answers) in solved if daily.count_similar(answers) <= max_similar)
    positions = list(itertools.islice(fitting, limit or None))
    limit_is_reached = limit and len(positions) == limit
    examined = positions[-1] + 1 if limit_is_reached else len(table)
    settings.say(f"{len(positions):,} of the first {examined:,} of these puzzles have few similar answers.")
    return table.iloc[positions]


@command(PLAY, "bee daily --hints", "bee daily 2026-12-24", "bee daily today --days 7 --json", name="daily")
def print_daily(
    settings: Settings,
    date: Annotated[
        str, typer.Argument(callback=iso_date, help="The date. A new puzzle starts at 03:00 in New York.")
    ] = "today",
    days: Annotated[int, typer.Option(min=1, max=MOST_SHEETS, help="Number of days, starting with DATE.")] = 1,
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


@command(
    PLAY,
    "bee daily today --days 7 --json | bee sheets > sheets.html",
    "bee sheets puzzles.json > sheets.html",
    name="sheets",
)
def print_sheets(
    settings: Settings,
    path: Annotated[
        Path | None,
        typer.Argument(metavar="FILE", help="The JSON of bee puzzles or bee daily. Default: stdin."),
    ] = None,
) -> None:
    """Write puzzles as HTML, to print on paper.

    Each puzzle gets its own page. Pages with the answers are at the end.
    """
    from pipeline import store
    from pipeline.publishing import sheets

    if path is None and (sys.stdin is None or sys.stdin.isatty()):
        raise typer.BadParameter("Name a FILE, or pipe the JSON of bee puzzles or bee daily into bee sheets.")
    text = store.read_text(path) if path else sys.stdin.read()
    try:
        described = json.loads(text)
        descriptions = described["puzzles"]
        dates = [str(description.get("date", "")) for description in descriptions]
        folder = Path(sheets.__file__).parent / "page"
        templates = {name: store.read_bytes(folder / name, store.PROGRAM) for name in sheets.TEMPLATES}
        html = sheets.sheets(descriptions, dates, described["version"] or "", templates)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        commands = "`bee puzzles --json` or `bee daily --json`"
        raise BeeError(f"{path or 'stdin'} is not the JSON of {commands}.") from None
    if not descriptions or len(descriptions) > MOST_SHEETS:
        number = count(len(descriptions), "puzzle")
        raise BeeError(f"{path or 'stdin'} has {number}, but bee sheets takes 1 to {MOST_SHEETS}.")
    typer.echo(html, nl=False)
    settings.say(f"{count(len(descriptions), 'puzzle')} on {count(2 * len(descriptions), 'page')}.")
