"""`bee fetch`: add official answers to the workspace, for the missing days from live sources or from files."""

from __future__ import annotations

import contextlib
import datetime
import os
import re
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.commands import RUN, Data, at_work, command, held, iso_date, say

if TYPE_CHECKING:
    from pipeline.fetching.backfill import Ask, Wish, Work
    from pipeline.fetching.wanted import Second
    from pipeline.store import Workspace

SAY_EVERY = 100
"""The number of days per line of progress if there is no terminal for a bar."""

LONGEST_DELAY = 3600.0
"""The longest pause, in seconds."""


def _delay(seconds: float) -> float:
    """Check the option `--delay` or the variable BEE_DELAY."""
    if not 0 <= seconds <= LONGEST_DELAY:
        raise typer.BadParameter(f"{seconds} is not a number of seconds from 0 to {LONGEST_DELAY:.0f}.")
    return seconds


Delay = Annotated[
    float,
    typer.Option(
        callback=_delay, envvar="BEE_DELAY", help="Seconds between requests to a host; robots.txt may require more."
    ),
]


@command(RUN, "bee fetch", "bee fetch --from days.csv", "bee fetch --words words.txt --name mine --license MIT")
def fetch(
    path: Annotated[
        str, typer.Option("--from", help="Import a file, a folder of files, or a URL, in any known format.")
    ] = "",
    source: Annotated[
        str, typer.Option(help="Use only these sources, comma-separated, in order; with --from, the source's name.")
    ] = "",
    since: Annotated[
        str, typer.Option(callback=iso_date, help="First day; default all days that the record lacks.")
    ] = "",
    until: Annotated[
        str, typer.Option(callback=iso_date, help="Last day; default the day of the current puzzle.")
    ] = "",
    single: Annotated[bool, typer.Option("--single", help="Use one source per day, not two.")] = False,
    cross_check: Annotated[
        bool, typer.Option("--cross-check", help="Use a second source for the days of archives as well.")
    ] = False,
    check: Annotated[bool, typer.Option("--check", help="Fetch nothing; check the captures on disk.")] = False,
    words: Annotated[
        Path | None, typer.Option("--words", metavar="FILE", help="Add a word list, in any format of bee convert.")
    ] = None,
    name: Annotated[str, typer.Option(help="With --words: the name of the list; default the file's name.")] = "",
    license: Annotated[str, typer.Option(help="With --words: the license of the list.")] = "",
    column: Annotated[str, typer.Option(help="With --words: the column of a table that contains the words.")] = "",
    remove: Annotated[str, typer.Option(metavar="NAME", help="Remove a list that --words added.")] = "",
    delay: Delay = 2.0,
    data: Data = None,
) -> None:
    """Add official answers to the workspace: the missing days from live sources, or with --from those in a file.

    With --words: add a word list of your own. Its words become candidates.
    """
    from pipeline import store
    from pipeline.fetching import backfill

    days: dict[str, object] = {"--from": path, "--source": source, "--since": since, "--until": until}
    days |= {"--single": single, "--cross-check": cross_check, "--check": check}
    about = {"--name": name, "--license": license, "--column": column}
    if not words and (given := _given(about)):
        raise typer.BadParameter(f"{given} describes a list; name its file, too: --words FILE.")
    if (words or remove) and (given := _given(days)):
        raise typer.BadParameter(f"{given} is about puzzles, --words and --remove about a list; run bee fetch twice.")
    if words or remove:
        _own_list(words, name, license, column, remove, data)
    elif check:
        _inspect(data)
    elif path:
        _import(path, source, delay, data)
    else:
        names = tuple(name for name in source.split(",") if name)
        workspace = store.find_workspace(data)
        with held(workspace):
            second: Second = "never" if single else "always" if cross_check else "live"
            code = live(workspace, backfill.Wish(names, since, until, second), delay)
        if code:
            raise typer.Exit(code)


def _given(options: Mapping[str, object]) -> str:
    """Return the first of some options that was used, or ""."""
    return next((option for option, value in options.items() if value), "")


def _import(path: str, source: str, delay: float, data: str | None) -> None:
    from pipeline.fetching import captures as fetching
    from pipeline.fetching import receipts, web

    with at_work(data) as (workspace, track):
        for line in receipts.heal(workspace):
            say(line)
        if re.match("https?://", path):
            with web.session(delay) as session:
                got = web.get(session, path)
            name = re.sub("[^A-Za-z0-9._-]", "_", got.url.rpartition("/")[2]).strip(".") or "page"
            done = fetching.take(workspace, [(name[:100], got.url, got.body)], source or None, str(got.status))
        else:
            done = fetching.fetch_from(workspace, Path(path), source or None, track)
    for fault in done.faults:
        say(str(fault))
    say(f"{done.days} days in {done.files} files, {done.new} new captures, {len(done.faults)} faults.")
    if done.faults or not done.days:
        raise typer.Exit(1)


def _own_list(words: Path | None, name: str, license: str, column: str, remove: str, data: str | None) -> None:
    """Add or remove a list of the user."""
    from pipeline.fetching import captures, word_lists

    with at_work(data) as (workspace, _):
        if remove:
            word_lists.take_back(workspace, remove)
            say(f"{remove}: removed; bee run makes the list without it.")
        if words:
            named = name or re.sub("[^a-z0-9_-]+", "-", words.name.partition(".")[0].lower()).strip("-")
            now = captures.stamp(datetime.datetime.now(datetime.UTC))
            brought = word_lists.bring(workspace, words, named, license, column, now)
            for rule, count in brought.rejected.most_common():
                say(f"{count:10,} left out: {rule}")
            say(f"{len(brought.words):10,} words kept as the list {named}; bee run makes them candidates.")


def _inspect(data: str | None) -> None:
    from pipeline.fetching.captures import inspect
    from pipeline.fetching.wanted import settled_days
    from pipeline.run import registry
    from pipeline.tables import frames

    with at_work(data) as (workspace, track):
        captures = registry.load(workspace, "captures", track)
        settled = settled_days(captures, registry.load(workspace, "requests"))
        covered = registry.load(workspace, "settled").covered
        found = inspect(captures, registry.load(workspace, "corrections"), covered, settled)
    for row in frames.rows(found):
        typer.echo(f"{row['severity']:8} {row['rule']:20} {row['subject']}: {row['detail']}")
    say(f"{len(found):,} findings.")
    if len(found):
        raise typer.Exit(1)


def live(workspace: Workspace, wish: Wish, delay: float) -> int:
    """Fetch the missing days from the live sources, report progress, and return the exit code."""
    from pipeline.facts.corrections import rejected
    from pipeline.fetching import backfill, receipts, web
    from pipeline.run import registry

    for line in receipts.heal(workspace):
        say(line)

    def now() -> datetime.datetime:
        return datetime.datetime.now(datetime.UTC)

    wrong = rejected(registry.load(workspace, "corrections"))
    work = backfill.prepare(workspace, wish, os.environ, now(), registry.load(workspace, "settled").covered, wrong)
    if not work.dates:
        return _say_missing(work, [])
    asks: list[Ask] = []
    say(f"Asking for {len(work.dates):,} days, {work.dates[0]} back to {work.dates[-1]}.")
    try:
        with web.session(delay) as session, _watched(work.dates, asks) as dates:
            for ask in backfill.backfill(work, session, dates, now):
                asks.append(ask)
                if ask.failed:
                    say(f"{ask.date} {ask.source}: {ask.outcome}: {ask.detail}")
    except KeyboardInterrupt:
        say("Stopped. The days fetched so far are kept, and the next fetch continues from there.")
        raise
    finally:
        for line in backfill.summary(work, asks):
            say(line)
    return _say_missing(work, asks)


def _say_missing(work: Work, asks: list[Ask]) -> int:
    """Print the days that no source has, and return the exit code."""
    from pipeline.fetching import backfill

    lines = backfill.missing(work)
    for line in lines[:10]:
        say(line)
    if len(lines) > 10:
        say(f"… and {len(lines) - 10} more gaps")
    if not (lines or work.dates):
        say("No day is missing.")
    return backfill.exit_code(work, asks)


@contextlib.contextmanager
def _watched(days: list[str], asks: list[Ask]) -> Iterator[Iterable[str]]:
    """Show a bar with count, rate, time left and failures for each day; without a terminal, an occasional line."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, RenderableColumn, TimeRemainingColumn
    from rich.text import Text

    started, note, terminal = time.monotonic(), Text(), sys.stderr.isatty()

    def walk(bar: Progress) -> Iterator[str]:
        for done, day in enumerate(bar.track(days), 1):
            yield day
            rate = done / max(time.monotonic() - started, 0.001)
            note.plain = f"{rate:.1f} days per second, {sum(ask.failed for ask in asks)} failures"
            if not terminal and done % SAY_EVERY == 0:
                say(f"{done:,} of {len(days):,} days, {note.plain}")

    columns = (BarColumn(), MofNCompleteColumn(), RenderableColumn(note), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=not terminal) as bar:
        yield walk(bar)
