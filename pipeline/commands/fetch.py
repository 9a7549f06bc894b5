"""The command that brings official answers in: the missing days from live sources, or what you have."""

from __future__ import annotations

import contextlib
import datetime
import os
import re
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.commands import Data, app, at_work, iso_date, say

if TYPE_CHECKING:
    from pipeline.backfill import Ask, Wish
    from pipeline.store import Workspace

SAY_EVERY = 100
"""Days between two lines of progress when no terminal shows a bar."""

Delay = Annotated[
    float,
    typer.Option(min=0, envvar="BEE_DELAY", help="Seconds between requests to a host; robots.txt may ask more."),
]


@app.command()
def fetch(
    path: Annotated[
        str, typer.Option("--from", help="Import a file, a folder of files, or a URL, in any format that is known.")
    ] = "",
    source: Annotated[
        str, typer.Option(help="Ask only these sources, in order, with commas; with --from, the name to file under.")
    ] = "",
    since: Annotated[str, typer.Option(callback=iso_date, help="First day; default where the evidence ends.")] = "",
    until: Annotated[
        str, typer.Option(callback=iso_date, help="Last day; default the puzzle that is played now.")
    ] = "",
    cross_check: Annotated[bool, typer.Option("--cross-check", help="Ask a second source for every day.")] = False,
    check: Annotated[bool, typer.Option("--check", help="Fetch nothing; audit what is on disk.")] = False,
    delay: Delay = 2.0,
    data: Data = None,
) -> None:
    """Bring official answers into the workspace: the missing days, or with --from whatever you have."""
    from pipeline import backfill, store

    if check:
        _audit(data)
    elif path:
        _import(path, source, delay, data)
    else:
        names = tuple(name for name in source.split(",") if name)
        workspace = store.find_workspace(data)
        with store.locked(workspace):
            code = live(workspace, backfill.Wish(names, since, until, cross_check), delay)
        if code:
            raise typer.Exit(code)


def _import(path: str, source: str, delay: float, data: str | None) -> None:
    from pipeline import fetch as fetching
    from pipeline import web

    with at_work(data) as (workspace, track):
        if re.match("https?://", path):
            with web.session(delay) as session:
                got = web.get(session, path)
            name = re.sub("[^A-Za-z0-9._-]", "_", got.url.rpartition("/")[2]).strip(".") or "page"
            done = fetching.take(workspace, [(name[:100], got.url, got.body)], source or None, str(got.status))
        else:
            done = fetching.fetch_from(workspace, Path(path), source or None, track)
    for fault in done.faults:
        say(str(fault))
    say(f"{done.days} days in {done.files} files, {done.new} captures new, {len(done.faults)} faults.")
    if done.faults or not done.days:
        raise typer.Exit(1)


def _audit(data: str | None) -> None:
    from pipeline import audit, frames

    with at_work(data) as (workspace, track):
        found = audit.audit(workspace, track)
    for row in frames.rows(found):
        typer.echo(f"{row['severity']:8} {row['rule']:20} {row['subject']}: {row['detail']}")
    say(f"{len(found):,} findings.")
    if len(found):
        raise typer.Exit(1)


def live(workspace: Workspace, wish: Wish, delay: float) -> int:
    """Ask the live sources for what is missing, tell how it goes, and return the exit code."""
    from pipeline import backfill, web

    def now() -> datetime.datetime:
        return datetime.datetime.now(datetime.UTC)

    work = backfill.prepare(workspace, wish, os.environ, now())
    if not work.dates:
        say("No day is missing.")
        return 0
    asks: list[Ask] = []
    say(f"Asking for {len(work.dates):,} days, {work.dates[0]} back to {work.dates[-1]}.")
    try:
        with web.session(delay) as session, _watched(work.dates, asks) as dates:
            for ask in backfill.backfill(work, session, dates, now):
                asks.append(ask)
                if ask.failed:
                    say(f"{ask.date} {ask.source}: {ask.outcome}: {ask.detail}")
    except KeyboardInterrupt:
        say("Stopped. What came is kept, and the next fetch goes on from there.")
        raise
    finally:
        for line in backfill.summary(work, asks):
            say(line)
    return backfill.exit_code(work, asks)


@contextlib.contextmanager
def _watched(days: list[str], asks: list[Ask]) -> Iterator[Iterable[str]]:
    """Walk the days behind a bar with count, rate, time left and failures; without a terminal, a line now and then."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, RenderableColumn, TimeRemainingColumn
    from rich.text import Text

    started, note, terminal = time.monotonic(), Text(), sys.stderr.isatty()

    def walk(bar: Progress) -> Iterator[str]:
        for done, day in enumerate(bar.track(days), 1):
            yield day
            rate = done / max(time.monotonic() - started, 0.001)
            note.plain = f"{rate:.1f} days a second, {sum(ask.failed for ask in asks)} failures"
            if not terminal and done % SAY_EVERY == 0:
                say(f"{done:,} of {len(days):,} days, {note.plain}")

    columns = (BarColumn(), MofNCompleteColumn(), RenderableColumn(note), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=not terminal) as bar:
        yield walk(bar)
