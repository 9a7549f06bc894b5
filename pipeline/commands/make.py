"""The commands that make the list: one short command a stage."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.commands import Data, app, at_work, iso_date, say
from pipeline.commands.fetch import Delay, live

if TYPE_CHECKING:
    from pipeline.store import Workspace


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
        counts = stages.run(workspace, stages.STAGES[0], track, rebuild=rebuild)
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
    date: Annotated[str, typer.Option(callback=iso_date, help="Print the diffs of this day only.")] = "",
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
        counts = stages.run(workspace, stages.STAGES[-1], track, force=force)
    _say_counts(counts)


@app.command()
def run(
    fetch: Annotated[bool, typer.Option("--fetch", help="Ask the sources for the missing days first.")] = False,
    delay: Delay = 2.0,
    data: Data = None,
) -> None:
    """Do all stages, only what is stale, and end with a table. Without --fetch the network is not touched."""
    from pipeline import backfill, stages, store

    code = 0
    if fetch:
        workspace = store.find_workspace(data)
        with store.locked(workspace):
            code = live(workspace, backfill.Wish(), delay)
        if code:
            say("Going on with what is on disk.")
    rows = []
    with at_work(data) as (workspace, track):
        for stage in track(stages.STAGES, "stages"):
            started = time.perf_counter()
            fresh = not stages.stale(workspace, stage)
            counts = stages.counts(workspace, stage) if fresh else stages.run(workspace, stage, track)
            rows.append((stage.name, "fresh" if fresh else f"{time.perf_counter() - started:.1f} s", _counted(counts)))
    for name, took, counted in rows:
        typer.echo(f"{name:8} {took:>7}  {counted}")
    if code:
        raise typer.Exit(code)


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
