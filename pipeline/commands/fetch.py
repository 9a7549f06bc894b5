"""The commands that bring official answers in, from live sources or from files."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import pandas as pd
import typer

from pipeline import clock, custom, inputs, store
from pipeline.commands.messages import progress_bar, say
from pipeline.commands.options import Delay, iso_date
from pipeline.errors import BeeError
from pipeline.facts.by_hand import NO_SOURCE
from pipeline.fetching import backfill, captures, imports, schedule, web
from pipeline.fetching.backfill import FetchOptions, FetchPlan
from pipeline.fetching.captures import Request
from pipeline.fetching.imports import ImportResult
from pipeline.fetching.web import Session
from pipeline.run import Facts
from pipeline.sources import LIVE_SITES
from pipeline.sources.day import Fault
from pipeline.store import Workspace
from pipeline.tables import frames
from pipeline.words import count, date_ranges, puzzle_day, spans_of

FETCH_LOCK = ".fetch.lock"
"""The lock of a fetch, in the workspace. Other commands can work while a fetch takes hours."""


def fetch(
    ctx: typer.Context,
    source: Annotated[str, typer.Option(help="Use only these sources, comma-separated, in this order.")] = "",
    since: Annotated[
        str, typer.Option(callback=iso_date, help="The first day. Default: all days that the record lacks.")
    ] = "",
    until: Annotated[
        str, typer.Option(callback=iso_date, help="The last day. Default: the day of the current puzzle.")
    ] = "",
    delay: Delay = 2.0,
) -> None:
    """Fetch the official answers of the missing days from live sources, each from two sites.

    Exits with code 1 if a download failed.

    \b
    Examples:
      bee fetch
      bee fetch --source nytbee --since 2025-01-01 --until 2025-12-31
    """
    names = tuple(name.strip() for name in source.split(",")) if source else ()
    for name in names:
        if name not in LIVE_SITES:
            raise typer.BadParameter(
                f'"{name}" is not a source that can be asked for days; the sources are {", ".join(LIVE_SITES)}.'
            )
    plan = fetch_days(ctx.obj, FetchOptions(names, since, until), delay)
    if plan.has_failures:
        raise typer.Exit(1)


def import_(
    ctx: typer.Context,
    paths: Annotated[
        list[str] | None, typer.Argument(metavar="PATH…", help="Files, folders of files, or URLs.")
    ] = None,
    source: Annotated[
        str,
        typer.Option(
            "--as",
            "--source",
            metavar="SOURCE",
            help="The source of the answers. Default: the site whose format a file has, or else the file's name.",
        ),
    ] = "",
    forget: Annotated[
        str, typer.Option(metavar="NAME", help="Take back what was imported: a source, or the name of a file.")
    ] = "",
    again: Annotated[
        bool, typer.Option("--again", help="Parse all captures again, as after a change of a parser.")
    ] = False,
    delay: Delay = 2.0,
) -> None:
    """Import official answers into the workspace from files in any known format.

    A file in the format of a site is trusted like the site: see docs/FETCHING.md. Exits with code 1 if a file has
    faults or contains no days, or if a download failed; valid days are imported.

    \b
    Examples:
      bee import days.csv
      bee import days.csv --as nyt
      bee import --forget days-csv
      bee import --again
    """
    has_paths = bool(paths) and all(paths or [])
    if has_paths + bool(forget) + again != 1:
        raise typer.BadParameter("Name files to import, or what to --forget, or use --again.")
    paths = paths or []
    if forget:
        _forget(ctx.obj, forget)
        return
    if again:
        _read_again(ctx.obj)
        return
    code = 0
    workspace = ctx.obj
    with store.locked(workspace), progress_bar() as progress, web.session(delay) as session:
        for path in paths:
            if _is_url(path):
                result = _import_url(workspace, session, path, source)
            else:
                result = imports.import_path(workspace, Path(path), source, progress)
            for text in _texts_of_faults(result.faults):
                say(text)
            if result.faults or not result.days:
                code = 1
            counts = f"{count(result.new, 'new capture')}, {count(len(result.faults), 'fault')}"
            of_sources = f" of {', '.join(sorted(result.sources))}" if result.sources else ""
            say(f"{path}: {count(result.days, 'day')}{of_sources} in {count(result.files, 'file')}, {counts}.")
    if code:
        raise typer.Exit(code)


def _texts_of_faults(faults: Sequence[Fault]) -> Iterator[str]:
    """Yield each fault as a line; faults that differ only in their place are one line with their number.

    >>> from pipeline.sources.day import Fault
    >>> list(_texts_of_faults([Fault("cut-short", "a.json:4", "It ends."), Fault("cut-short", "b.json:1", "It ends.")]))
    ['a.json:4 and 1 other place: cut-short: It ends.']
    """
    faults_of: dict[tuple[str, str], list[Fault]] = {}
    for fault in faults:
        faults_of.setdefault((fault.rule, fault.detail), []).append(fault)
    for (rule, detail), equal_faults in faults_of.items():
        others = len(equal_faults) - 1
        more = f" and {count(others, 'other place')}" if others else ""
        yield f"{equal_faults[0].location}{more}: {rule}: {detail}"


def _is_url(path: str) -> bool:
    return path.startswith(("http://", "https://"))


def _import_url(workspace: Workspace, session: Session, url: str, source: str) -> ImportResult:
    """Import a file from the web as a capture of a source; without one, the source is named after the host."""
    response = web.get(session, url)
    host = imports.source_name(re.split("[/:]+", response.url)[1])
    name = response.url.rpartition("/")[2] or "page"
    file = captures.Capture(host, name, response.url, response.body, captures.stamp(clock.now()))
    return imports.import_files(workspace, source, [file])


def _forget(workspace: Workspace, name: str) -> None:
    """Take back what was imported under a name; raises BeeError if there is nothing."""
    with store.locked(workspace):
        forgotten = captures.forget(workspace, name)
        if not forgotten:
            names = ", ".join(captures.numbers(workspace)) or "none"
            raise BeeError(f'There is no source or file "{name}" among the captures; the sources are: {names}.')
    of_sources = ", ".join(f"{count(number, 'capture')} of {source}" for source, number in forgotten.items())
    say(
        f"Forgotten: {of_sources}. The record keeps the days that a release counted; `bee run --rebuild` counts "
        "those that are still on disk.",
    )  # fmt: skip


def _read_again(workspace: Workspace) -> None:
    with store.locked(workspace), progress_bar() as progress:
        faults = captures.read_again(workspace, progress)
    for text in _texts_of_faults(faults):
        say(text)
    say(f"All captures were parsed again, with {count(len(faults), 'fault')}.")
    if faults:
        raise typer.Exit(1)


def fetch_days(workspace: Workspace, options: FetchOptions, delay: float) -> FetchPlan:
    """Fetch the missing days from the live sources, report progress, and return the plan with what is known now. Only
    one fetch of a workspace can run at a time."""
    with store.locked(workspace, FETCH_LOCK):
        plan = _plan(workspace, options)
        _request_days(workspace, plan, delay)
    return plan


def _request_days(workspace: Workspace, plan: FetchPlan, delay: float) -> None:
    if not plan.dates:
        say("There is nothing to fetch now.")
        return
    requests: list[Request] = []
    say(f"Requesting {count(len(plan.dates), 'day')}, from {plan.dates[0]} back to {plan.dates[-1]}.")
    path = workspace.root / captures.PATH
    try:
        with (
            web.session(delay) as session,
            captures.opened(path, create=True) as database,
            progress_bar() as progress,
        ):
            for request in backfill.backfill(plan, session, database, progress(plan.dates, "fetching"), clock.now):
                requests.append(request)
                if request.failed:
                    say(f"{request.date} {request.source} failed: {request.detail}")
    except KeyboardInterrupt:
        say("Stopped. The days fetched so far are kept, and the next fetch continues from there.")
        raise
    finally:
        for line in backfill.summary(plan, requests):
            say(line)


def _plan(workspace: Workspace, options: FetchOptions) -> FetchPlan:
    """Return the plan of a fetch, given the record and decisions; raises BadParameter if it has no days."""
    named_days = inputs.read_table_by_people(workspace, "named_days")
    without_source = named_days["date"][named_days["source"] == NO_SOURCE]
    seen = schedule.sightings(captures.load(workspace), without_source)
    release = custom.read_release(workspace)
    track = inputs.read_track(release) if release else frames.empty("track")
    alone = frozenset(track["date"][track["witnesses"] == 1])
    covered = custom.read_coverage(workspace).dates
    plan = backfill.prepare(options, os.environ, clock.now(), seen, covered, alone)
    if not plan.days_to_check:
        raise typer.BadParameter(backfill.why_no_days(options, puzzle_day(plan.started_at)))
    return plan


SILENT = 7
"""After this many days running with one witness, a site is dead."""


def exit_if_a_person_is_needed(plan: FetchPlan, facts: Facts) -> None:
    """Print why a person is needed after a fetch and a run, and exit with code 3; do nothing if no one is."""
    uncovered = [date for date in plan.days_to_check if date not in facts.coverage.dates]
    without_source = schedule.days_without_source(plan.seen, uncovered, plan.started_at)
    sentences = needs_person(facts.waits, without_source, facts.track)
    for sentence in sentences:
        say(sentence)
    if sentences:
        raise typer.Exit(3)


def needs_person(waits: pd.DataFrame, without_source: Sequence[str], track: pd.DataFrame) -> list[str]:
    """Return a sentence for each reason why a person is needed, with what to do: days that wait for a person (table
    `waits`), settled days that no source has, and a week of the track record with one witness a day."""
    sentences = []
    waiting = waits["date"][waits["person"]].tolist()
    if waiting:
        sentences.append(
            f"{count(len(waiting), 'day')} for a person to decide ({date_ranges(waiting)}): `bee check --only "
            "day-waits` shows why, and what ends it."
        )
    if without_source:
        first = min(without_source)
        sentences.append(
            f"No list of {date_ranges(without_source)} has come from any source. `bee import --help` shows how to add "
            f"a file that has them. If no source has {first}, `bee day {first} --source {NO_SOURCE} --reason "
            '"no source has it"` ends the requests for it.'
        )
    last = track.tail(SILENT)
    is_running = len(spans_of(last["date"])) == 1
    if len(last) == SILENT and is_running and (last["witnesses"] == 1).all():
        since = last["date"].iloc[0]
        sentences.append(
            f"Every day since {since} had one witness, so a site is dead or refuses requests; `bee status` shows what "
            "failed."
        )
    return sentences
