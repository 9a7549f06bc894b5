"""`bee puzzles`: the possible puzzles, filtered, sorted, and described for authors of games."""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from pipeline import reader, solver
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
from pipeline.words import SAFE, Puzzle, bingo, count, pangram, perfect_pangram, puzzle, score

if TYPE_CHECKING:
    import pandas as pd

List = Annotated[Path | None, typer.Option("--list", help="Any word list; default the list of the workspace.")]
Least = Annotated[int | None, typer.Option(min=0, help="Minimum number.")]
Most = Annotated[int | None, typer.Option(min=0, help="Maximum number.")]


Best = Literal["words", "points", "pangrams", "perfect", "difficulty"]
Level = Literal["easy", "medium", "hard"]
"""The names of levels are those in `play.difficulty`."""


OUTPUT = {"--csv", "--json", "--data", "--wait", "--quiet"}
"""The options that change neither which puzzles are printed nor their order."""


@command(
    PLAY,
    "bee puzzles --contains qu --max-words 50 --best points",
    "bee puzzles --daily today",
    "bee puzzles --own --random --limit 1",
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
        str, typer.Option(callback=iso_date, help="Our own puzzle of this date, without other filters.")
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
    data: Data = None,
) -> None:
    """Count and print the puzzles that the list makes possible, those with the most words first.

    With --json each puzzle is described in full: answers by tier, points, ranks, difficulty. Difficulty is estimated
    from how common the answers are; it was not checked against people. Exit code 1 if no puzzle fits.
    """
    if daily:
        _refuse_wrong_pairs(given(context))
        _print_daily(daily, release_folder(data), as_csv, as_json)
        return
    from pipeline.play import daily as picking
    from pipeline.play import puzzles as counting
    from pipeline.tables import frames

    for asked in (contains, without, center):
        if wrong := [letter for letter in asked.lower() if not "a" <= letter <= "z"]:
            raise typer.BadParameter(f'"{wrong[0]}" is not a letter from a to z.')
    _refuse_wrong_pairs(given(context))
    folder = release_folder(data)
    listed = solver.load_words(words) if words else solver.load_release(folder)
    every, took = _counted(listed, own, folder)
    chosen = every[every["level"] == difficulty] if difficulty and len(every) else every
    bounds = {"words": (min_words, max_words), "points": (min_points, max_points)}
    bounds |= {"pangrams": (min_pangrams, max_pangrams), "bingo": (int(bingo), None)}
    kept = counting.choose(chosen, contains.lower(), without.lower(), center.lower(), **bounds)
    kept = _ordered(kept, best or "words", random.randrange(10**6) if at_random and seed is None else seed)
    possible = count(len(every), "possible puzzle")
    say(f"{len(kept):,} of {possible} from {count(len(listed), 'word')}; counted in {took:.2f} s.")
    if words is None:
        say_release(folder)
    if safe or max_similar is not None:
        kept = _fitting(kept, listed, picking.flagged(_rows(folder), SAFE) if safe else set(), max_similar, limit)
    kept = kept.head(limit) if limit else kept
    if as_json:
        _describe(kept, listed, folder, words is None)
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
        ("--csv", {"--json"}, "Print either --csv or {}."),
    )
    if "--seed" in options and "--random" not in options:
        raise typer.BadParameter("--seed is for a random order: add --random.")


def _ordered(kept: pd.DataFrame, best: Best, seed: int | None) -> pd.DataFrame:
    """Sort puzzles, highest first, or shuffle them with a seed and print it."""
    kept = kept.sort_values([best, "points", "outer", "center"], ascending=[False, False, True, True])
    if seed is None:
        return kept
    say(f"--random --seed {seed} gives this order again.")
    return kept.iloc[random.Random(seed).sample(range(len(kept)), len(kept))]


def _print_daily(date: str, folder: str, as_csv: bool, as_json: bool) -> None:
    """Print our own puzzle of a date: the one that the release published, else one chosen from all good ones."""
    from pipeline.play import daily as picking
    from pipeline.play import difficulty as weighing

    days = picking.published(reader.read(folder))
    listed, rows = solver.load_release(folder), _rows(folder)
    hard = weighing.load(listed, weighing.accepted(folder))
    levels = {own.center + own.outer: own.level for own in picking.pool(listed, hard, rows)} if date not in days else {}
    if not (levels or date in days):
        say("No possible puzzle fits.")
        raise typer.Exit(1)
    seven = puzzle(picking.daily(levels, date, days))
    answers = solver.scan(listed, seven)
    if as_json:
        _tell_puzzles([(seven, answers)], {word: row["tier"] for word, row in rows.items()}, hard, folder)
        return
    figure = weighing.difficulty(answers, hard)
    sums = (sum(map(score, answers)), sum(map(pangram, answers)), sum(map(perfect_pangram, answers)))
    cells = (seven.center, seven.outer, len(answers), *sums, bingo(seven, answers), figure, weighing.level(figure))
    named = dict(zip(COLUMNS, map(str, cells), strict=True))
    if as_csv:
        typer.echo(f"{','.join(named)}\n{','.join(named.values())}")
    else:
        typer.echo("\n".join(f"{name:10} {cell}" for name, cell in named.items()))
    later = "" if date in days else " It is not published yet, so a later release may choose another."
    say(f"Our own puzzle of {date}.{later}")
    say_release(folder)


COLUMNS = "center outer words points pangrams perfect bingo difficulty level".split()
"""The columns of a table of puzzles."""


def _solved(kept: pd.DataFrame, listed: Sequence[str]) -> Iterator[tuple[Any, list[str]]]:
    """Yield each puzzle with its answers."""
    index = solver.index(listed)
    for center, outer in zip(kept["center"], kept["outer"], strict=True):
        letters = puzzle(outer, center)
        yield letters, solver.solve(index, letters)


def _fitting(
    kept: pd.DataFrame, listed: Sequence[str], rude: set[str], most_similar: int | None, limit: int
) -> pd.DataFrame:
    """Keep the first `limit` puzzles (0 for all) with no offensive answer and few similar answers."""
    from pipeline.play import daily as picking

    places: list[int] = []
    looked = 0
    for looked, (_, answers) in enumerate(_solved(kept, listed), 1):
        if picking.fits(answers, rude, most_similar):
            places.append(looked - 1)
            if len(places) == limit:
                break
    say(f"{len(places):,} of the first {looked:,} of them fit.")
    return kept.iloc[places]


def _describe(kept: pd.DataFrame, listed: Sequence[str], folder: str, released: bool) -> None:
    """Print full descriptions of puzzles as JSON; answers have tiers if the list is that of the release."""
    from pipeline.play import difficulty

    tiers = {word: row["tier"] for word, row in _rows(folder).items()} if released else {}
    hard = difficulty.load(listed, difficulty.accepted(folder))
    _tell_puzzles(_solved(kept, listed), tiers, hard, folder if released else "")


def _tell_puzzles(
    solved: Iterable[tuple[Puzzle, list[str]]], tiers: Mapping[str, str], hard: Mapping[str, int], folder: str
) -> None:
    """Print puzzles with their answers as JSON, with the version of a release if they are of one."""
    from pipeline.play import daily as picking

    described = [picking.described(letters, answers, tiers, hard) for letters, answers in solved]
    version = reader.read(folder, reader.PACKAGE).version if folder else None
    tell({"version": version, "affiliation": "Not affiliated with The New York Times.", "puzzles": described}, None)


def _counted(listed: list[str], own: bool, folder: str) -> tuple[pd.DataFrame, float]:
    """Count the possible puzzles of a list, with difficulty and level; returns them and the seconds it took."""
    from pipeline.play import daily as picking
    from pipeline.play import difficulty
    from pipeline.play import puzzles as counting

    accepted = difficulty.accepted(folder)
    hard = difficulty.load(listed, accepted)
    started = time.perf_counter()
    every = counting.possible(listed, hard)
    took = time.perf_counter() - started
    if own:
        good = {own.center + own.outer for own in picking.pool(listed, hard, _rows(folder))}
        every = every[(every["center"] + every["outer"]).isin(good)].reset_index(drop=True)
    return every.assign(level=[difficulty.level(figure) for figure in every["difficulty"]]), took


def _rows(folder: str) -> dict[str, dict[str, str]]:
    """Return the rows of the release's table by word."""
    table = reader.read(folder, "words.csv").files["words.csv"]
    return {row["word"]: row for row in reader.word_rows(table)}
