"""`bee puzzles`: the possible puzzles, filtered, sorted, and described for authors of games."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import typer

from pipeline import reader, solver, store
from pipeline.commands import (
    PLAY,
    Data,
    Json,
    command,
    given,
    iso_date,
    refuse_together,
    release_folder,
    say,
    say_release,
    tell,
)
from pipeline.errors import BeeError
from pipeline.play import daily as picking
from pipeline.play import difficulty as weighing
from pipeline.publishing import sheets
from pipeline.words import SAFE, Puzzle, count, perfect_pangram, puzzle

if TYPE_CHECKING:
    import pandas as pd

List = Annotated[Path | None, typer.Option("--list", help="Any word list; default the list of the workspace.")]
Least = Annotated[int | None, typer.Option(min=0, help="Minimum number.")]
Most = Annotated[int | None, typer.Option(min=0, help="Maximum number.")]

Best = Literal["words", "points", "pangrams", "perfect", "difficulty"]
Level = Literal["easy", "medium", "hard"]
"""The names of levels are those in `play.difficulty`."""

OUTPUT = {"--csv", "--json", "--print", "--data", "--wait", "--quiet"}
"""The options that a puzzle of the day can have."""
COLUMNS = "center outer words points pangrams perfect bingo difficulty level".split()
"""The columns of a table of puzzles."""
PAGE = Path(sheets.__file__).parent / "page"


class _Known(NamedTuple):
    """A word list with the hardness of its words, and what the release in a folder knows of words, by word."""

    listed: list[str]
    hard: dict[str, int]
    rows: dict[str, dict[str, str]]
    folder: str
    released: bool


@command(
    PLAY,
    "bee puzzles --contains qu --max-words 50 --best points",
    "bee puzzles --daily today",
    "bee puzzles --own --random --print 10 > sheets.html",
)
def puzzles(
    context: typer.Context,
    contains: Annotated[str, typer.Option(help="Only puzzles with all these letters.")] = "",
    without: Annotated[str, typer.Option(help="Only puzzles with none of these letters.")] = "",
    center: Annotated[str, typer.Option(help="Only puzzles with one of these center letters.")] = "",
    min_words: Least = None,
    max_words: Most = None,
    min_points: Least = None,
    max_points: Most = None,
    min_pangrams: Least = None,
    max_pangrams: Most = None,
    bingo: Annotated[
        bool, typer.Option("--bingo", help="Only puzzles in which every letter starts an answer.")
    ] = False,
    difficulty: Annotated[
        Level | None, typer.Option(help="Only puzzles of this level, by how common the answers are.")
    ] = None,
    own: Annotated[bool, typer.Option("--own", help="Only good puzzles that were never official.")] = False,
    safe: Annotated[
        bool, typer.Option("--safe", help=f"Only puzzles without an answer flagged {', '.join(SAFE)}.")
    ] = False,
    max_similar: Annotated[
        int | None, typer.Option(min=0, help="Maximum number of answers that only add -s, -es or -ing to another.")
    ] = None,
    daily: Annotated[
        str, typer.Option(callback=iso_date, help="Our own puzzle of this date; today's is new at 03:00 in New York.")
    ] = "",
    best: Annotated[Best | None, typer.Option(help="What to sort by, highest first; default words.")] = None,
    at_random: Annotated[bool, typer.Option("--random", help="Print puzzles in random order.")] = False,
    seed: Annotated[
        int | None, typer.Option(min=0, help="With --random: a number; the same number gives the same order again.")
    ] = None,
    limit: Annotated[int, typer.Option(min=0, help="Number of puzzles to print; 0 for all.")] = 20,
    words: List = None,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV.")] = False,
    as_json: Json = False,
    printed: Annotated[
        int | None,
        typer.Option("--print", min=1, max=500, help="Good puzzles to print, as HTML; with --daily, one a day."),
    ] = None,
    data: Data = None,
) -> None:
    """Count and print the puzzles that the list makes possible, those with the most words first.

    With --json each puzzle is described in full: answers by tier, points, ranks, difficulty. Difficulty is estimated
    from how common the answers are; it was not checked against people. Exit code 1 if no puzzle fits.
    """
    _refuse_wrong_pairs(given(context))
    folder = release_folder(data)
    if daily:
        _print_daily(daily, printed, _known(None, folder), as_csv, as_json)
        return
    from pipeline.play import puzzles as counting
    from pipeline.tables import frames

    for asked in (contains, without, center):
        if wrong := [letter for letter in asked.lower() if not "a" <= letter <= "z"]:
            raise typer.BadParameter(f'"{wrong[0]}" is not a letter from a to z.')
    known, most = _known(words, folder), printed or limit
    every = _counted(known, own or bool(printed and known.released))
    chosen = every[every["level"] == difficulty] if difficulty and len(every) else every
    bounds = {"words": (min_words, max_words), "points": (min_points, max_points)}
    bounds |= {"pangrams": (min_pangrams, max_pangrams), "bingo": (int(bingo), None)}
    kept = counting.choose(chosen, contains.lower(), without.lower(), center.lower(), **bounds)
    kept = _ordered(kept, best or "words", random.randrange(10**6) if at_random and seed is None else seed)
    say(f"{len(kept):,} of {count(len(every), 'possible puzzle')} from {count(len(known.listed), 'word')}.")
    if known.released:
        say_release(folder)
    if safe or max_similar is not None:
        kept = _fitting(kept, known, safe, max_similar, most)
    kept = kept.head(most) if most else kept
    if as_json or (printed and len(kept)):
        _describe(_solved(kept, known.listed), known, printed)
    elif as_csv:
        typer.echo(frames.csv_bytes(kept).decode(), nl=False)
    elif len(kept):
        typer.echo(kept.to_string(index=False))
    if kept.empty:
        say("No possible puzzle fits.")
        raise typer.Exit(1)


def _refuse_wrong_pairs(options: set[str]) -> None:
    """Raise BadParameter for options that do not apply together."""
    refuse_together(
        options,
        ("--daily", options - OUTPUT, "--daily is one puzzle, the same for everyone; it cannot be used with {}."),
        ("--best", {"--random"}, "Puzzles are either sorted by --best or shuffled by {}."),
        ("--csv", {"--json", "--print"}, "Print either --csv or {}."),
        ("--print", {"--json", "--limit"}, "--print has a number of its own and writes HTML; leave out {}."),
    )
    if "--seed" in options and "--random" not in options:
        raise typer.BadParameter("--seed is for a random order: add --random.")


def _known(named: Path | None, folder: str) -> _Known:
    """Load a word list, or that of the release in a folder, and what the release knows."""
    rows = {row["word"]: row for row in reader.word_rows(reader.read(folder, "words.csv").files["words.csv"])}
    listed = solver.load_words(named) if named else solver.load_release(folder)
    hard = weighing.load(listed, {word: int(row["accepted"]) for word, row in rows.items()})
    return _Known(listed, hard, rows, folder, named is None)


def _ordered(kept: pd.DataFrame, best: Best, seed: int | None) -> pd.DataFrame:
    """Sort puzzles, highest first, or shuffle them with a seed and print it."""
    kept = kept.sort_values([best, "points", "outer", "center"], ascending=[False, False, True, True])
    if seed is None:
        return kept
    say(f"--random --seed {seed} gives this order again.")
    return kept.iloc[random.Random(seed).sample(range(len(kept)), len(kept))]


def _print_daily(date: str, printed: int | None, known: _Known, as_csv: bool, as_json: bool) -> None:
    """Print our own puzzle of a date, or sheets from that date on: those published, else some of all good ones."""
    days, dates = picking.published(reader.read(known.folder)), picking.dates(date, printed or 1)
    if date < (first := min(days, default=date)):
        raise BeeError(f"The first puzzle of the day is that of {first}: `bee puzzles --daily {first}`.")
    later = [day for day in dates if day not in days]
    levels = picking.pool(known.listed, known.hard, known.rows) if later else {}
    if later and not levels:
        raise BeeError("This list is too small for a puzzle of the day.")
    asked = [puzzle(picking.daily(levels, day, days)) for day in dates]
    solved = [(letters, solver.scan(known.listed, letters)) for letters in asked]
    if as_json or printed:
        _describe(solved, known, printed, dates)
    else:
        made = picking.described(*solved[0], {}, known.hard)
        made |= {"pangrams": len(made["pangrams"]), "perfect": sum(map(perfect_pangram, solved[0][1]))}
        rows = [(name, str(made[name])) for name in COLUMNS]
        table = [",".join(cells) for cells in zip(*rows, strict=True)]
        typer.echo("\n".join(table if as_csv else [f"{name:10} {cell}" for name, cell in rows]))
    more = f" Not published yet, so a later release may choose another: {', '.join(later)}." if later else ""
    say(f"Our own puzzle{'s' * (len(dates) > 1)} of {' to '.join(dict.fromkeys((date, dates[-1])))}.{more}")
    say_release(known.folder)


def _solved(kept: pd.DataFrame, listed: Sequence[str]) -> Iterator[tuple[Puzzle, list[str]]]:
    """Yield each puzzle with its answers."""
    index = solver.build_index(listed)
    for center, outer in zip(kept["center"], kept["outer"], strict=True):
        letters = puzzle(outer, center)
        yield letters, solver.solve(index, letters)


def _fitting(kept: pd.DataFrame, known: _Known, safe: bool, most_similar: int | None, limit: int) -> pd.DataFrame:
    """Keep the first `limit` puzzles (0 for all) with, if `safe`, no offensive answer, and few similar answers."""
    rude = picking.flagged(known.rows, SAFE) if safe else set()
    solved = enumerate(_solved(kept, known.listed))
    fitting = (at for at, (_, answers) in solved if picking.fits(answers, rude, most_similar))
    places = list(itertools.islice(fitting, limit or None))
    looked = places[-1] + 1 if limit and len(places) == limit else len(kept)
    say(f"{len(places):,} of the first {looked:,} of them fit.")
    return kept.iloc[places]


def _describe(
    solved: Iterable[tuple[Puzzle, list[str]]], known: _Known, printed: int | None, dates: Sequence[str] = ()
) -> None:
    """Print puzzles with their answers as JSON, or as sheets; answers have tiers if the list is that of the release."""
    tiers = {word: row["tier"] for word, row in known.rows.items()} if known.released else {}
    made = [picking.described(letters, answers, tiers, known.hard) for letters, answers in solved]
    version = reader.read(known.folder, reader.PACKAGE).version if known.released else None
    if printed:
        templates = {name: store.read_bytes(PAGE / name, "pip install") for name in sheets.TEMPLATES}
        typer.echo(sheets.sheets(made, dates, version or "", templates), nl=False)
        return
    tell({"version": version, "affiliation": "Not affiliated with The New York Times.", "puzzles": made}, None)


def _counted(known: _Known, own: bool) -> pd.DataFrame:
    """Count the possible puzzles of a list, with difficulty and level."""
    from pipeline.play import puzzles as counting

    every = counting.possible(known.listed, known.hard)
    if own:
        good = picking.pool(known.listed, known.hard, known.rows)
        every = every[(every["center"] + every["outer"]).isin(good)].reset_index(drop=True)
    return every.assign(level=[weighing.level(figure) for figure in every["difficulty"]])
