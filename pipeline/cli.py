"""The commands. Each reads its options, calls one function, and says in a line what came of it.

Data goes to stdout, talk to stderr. Exit codes: 0 well, 1 findings or a refusal, 2 usage, 3 a source is in trouble.
`bee solve` must start at once, so what needs pandas is imported inside the commands that need it.
"""

from __future__ import annotations

import contextlib
import enum
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from pipeline import solver
from pipeline.words import BeeError, LettersError, pangram, puzzle, score

if TYPE_CHECKING:
    from pipeline.fetch import Track
    from pipeline.store import Workspace

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="A curated word list for the Spelling Bee: make it, check it, and solve with it.",
)

Data = Annotated[Optional[str], typer.Option("--data", envvar="BEE_DATA", help="The workspace; default ./data.")]  # noqa: UP045


class Order(enum.StrEnum):
    """How answers are sorted."""

    rank = "rank"
    alpha = "alpha"


def say(text: str) -> None:
    """Talk to the user, not to the pipe."""
    typer.echo(text, err=True)


@app.command()
def solve(
    letters: Annotated[Optional[list[str]], typer.Argument(help="Seven letters, center first.")] = None,  # noqa: UP045
    named: Annotated[str, typer.Option("--letters", help="The same, as an option.")] = "",
    center: Annotated[str, typer.Option("-c", "--center", help="The center letter.")] = "",
    outer: Annotated[str, typer.Option("-o", "--outer", help="The six outer letters.")] = "",
    sort: Annotated[Order, typer.Option(help="rank: pangrams, then the longest; alpha: A to Z.")] = Order.rank,
    min_length: Annotated[int, typer.Option(min=1, help="Leave shorter words out.")] = 4,
    words: Annotated[Optional[Path], typer.Option("--list", help="Any word list, one word a line.")] = None,  # noqa: UP045
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Print the answers of a puzzle."""
    given = "".join(letters or []) + named
    if outer and given:
        raise LettersError("Give the letters once: either all seven, or --center and --outer.")
    if not (given or outer or center):
        typer.echo("Enter letters: ", nl=False, err=True)
        given = sys.stdin.readline().strip()
    asked = puzzle(outer or given, center or None)
    found = solver.ranked(solver.scan(solver.load_words(words), asked))
    found = [word for word in found if len(word) >= min_length]
    if sort is Order.alpha:
        found.sort()
    points, pangrams = sum(map(score, found)), sum(map(pangram, found))
    if as_json:
        listed = [{"word": word, "points": score(word), "pangram": pangram(word)} for word in found]
        head = {"center": asked.center, "outer": asked.outer, "count": len(found), "points": points}
        typer.echo(json.dumps({**head, "pangrams": pangrams, "words": listed}))
    elif sys.stdout.isatty():
        plural = "" if pangrams == 1 else "s"
        typer.echo(f"{asked.letters.upper()}: {len(found)} words, {points} points, {pangrams} pangram{plural}")
        typer.echo("\n".join(map(solver.starred, found)))
    elif found:
        typer.echo("\n".join(found))


@app.command()
def fetch(
    path: Annotated[Path, typer.Option("--from", help="A file, or a folder of files, in any format that is known.")],
    source: Annotated[str, typer.Option(help="Name the source, when its format does not say it.")] = "",
    data: Data = None,
) -> None:
    """Bring official answers into the workspace: captures with receipts."""
    from pipeline import fetch as fetching

    with at_work(data) as (workspace, track):
        done = fetching.fetch_from(workspace, path, source or None, track)
    for fault in done.faults:
        say(str(fault))
    say(f"{done.days} days in {done.files} files, {done.new} captures new, {len(done.faults)} faults.")
    if done.faults or not done.days:
        raise typer.Exit(1)


@app.command()
def lexicon(
    root: Annotated[Path, typer.Option(help="Where the Debian packages are unpacked.")] = Path("/"),
    npm: Annotated[Path, typer.Option(help="Where the npm packages are installed.")] = Path("node_modules"),
    data: Data = None,
) -> None:
    """Build data/raw/lexicon/ from scowl, wordnet-base, cuss and naughty-words. Few ever need to."""
    from pipeline import lexicon_files

    with at_work(data) as (workspace, _):
        counts = lexicon_files.build_lexicon(workspace, root, npm)
    typer.echo(counts.to_string(index=False))


@app.command()
def merge(
    rebuild: Annotated[bool, typer.Option(help="Count the evidence anew from raw/, not from the last state.")] = False,
    data: Data = None,
) -> None:
    """Make puzzles, answers, conflicts, candidates, trials and evidence."""
    from pipeline import stages

    with at_work(data) as (workspace, track):
        counts = stages.merge_stage(workspace, track, rebuild)
        stages.settle(workspace, stages.STAGES[0], counts)
    _say_counts(counts)


@app.command()
def flag(
    rules: Annotated[bool, typer.Option("--list", help="Print the catalogue of flags and do nothing.")] = False,
    data: Data = None,
) -> None:
    """Raise the flags, estimate the words that were never tried, and decide every word's tier."""
    from pipeline import flag as flagging

    if rules:
        for rule in flagging.RULES:
            typer.echo(f"{rule.id:14} {rule.severity:7} {rule.sentence}")
    else:
        _one_stage("flag", data)


@app.command()
def diff(
    date: Annotated[str, typer.Option(help="Print the diffs of this day only.")] = "",
    data: Data = None,
) -> None:
    """Compare the list with the official answers, word by word."""
    from pipeline import frames, store

    workspace = _one_stage("diff", data)
    found = store.read_table(workspace, "diffs", "bee diff")
    for row in frames.rows(found[found["date"] == date] if date else found):
        typer.echo(f"{row['date']} {row['side']:8} {row['word']:16} {row['because']}")


@app.command()
def check(
    rules: Annotated[bool, typer.Option("--list", help="Print the catalogue of violations and do nothing.")] = False,
    data: Data = None,
) -> None:
    """Look for violations. Exit code 1 when there are errors; warnings are for a person to read."""
    from pipeline import check as checking
    from pipeline import frames, store

    if rules:
        for rule in checking.CATALOGUE:
            typer.echo(f"{rule.id:20} {rule.severity:8} {rule.sentence}")
        return
    workspace = _one_stage("check", data)
    found = store.read_table(workspace, "violations", "bee check")
    for row in frames.rows(found):
        typer.echo(f"{row['severity']:8} {row['rule']:20} {row['subject']}: {row['detail']}")
    if (found["severity"] == "error").any():
        raise typer.Exit(1)


@app.command()
def publish(
    force: Annotated[bool, typer.Option(help="Go ahead in spite of errors or a list that moved much.")] = False,
    data: Data = None,
) -> None:
    """Write the release to data/custom/, or refuse."""
    from pipeline import stages

    with at_work(data) as (workspace, track):
        counts = stages.publish_stage(workspace, track, force)
        stages.settle(workspace, stages.STAGES[-1], counts)
    _say_counts(counts)


@app.command()
def run(data: Data = None) -> None:
    """Do all stages, only what is stale, and end with a table."""
    from pipeline import stages

    rows = []
    with at_work(data) as (workspace, track):
        for stage in track(stages.STAGES, "stages"):
            started = time.perf_counter()
            fresh = not stages.stale(workspace, stage)
            counts = stages.counts(workspace, stage) if fresh else stages.run(workspace, stage, track)
            rows.append((stage.name, "fresh" if fresh else f"{time.perf_counter() - started:.1f} s", _counted(counts)))
    for name, took, counted in rows:
        typer.echo(f"{name:8} {took:>7}  {counted}")


def _counted(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in counts.items())


def _say_counts(counts: dict[str, int]) -> None:
    say(_counted(counts))


def _one_stage(name: str, data: str | None) -> Workspace:
    from pipeline import stages

    stage = next(stage for stage in stages.STAGES if stage.name == name)
    with at_work(data) as (workspace, track):
        _say_counts(stages.run(workspace, stage, track))
    return workspace


@contextlib.contextmanager
def at_work(named: str | None) -> Iterator[tuple[Workspace, Track]]:
    """Hold the named workspace for the length of a command, and show progress on a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from pipeline import store

    workspace = store.find_workspace(named)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    hidden = not sys.stderr.isatty()
    with (
        store.locked(workspace),
        Progress(*columns, console=Console(stderr=True), transient=True, disable=hidden) as bar,
    ):
        yield workspace, lambda items, label: bar.track(items, description=label)


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; a mistake that a user can mend is one line on stderr."""
    from pipeline import cli_curate  # noqa: F401  - adds its commands

    try:
        app(arguments)
    except BeeError as error:
        say(f"bee: {error}")
        sys.exit(2 if isinstance(error, LettersError) else 1)
    except KeyboardInterrupt:
        say("bee: stopped; nothing is half-written.")
        sys.exit(130)


if __name__ == "__main__":
    main()
