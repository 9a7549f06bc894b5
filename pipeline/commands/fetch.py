"""The commands that bring official answers in, from live sources or from files."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from pipeline import clock
from pipeline.commands import command
from pipeline.commands.options import iso_date, seconds_up_to
from pipeline.commands.settings import Settings
from pipeline.commands.workspace import open_workspace, progress_bar
from pipeline.errors import BeeError
from pipeline.fetching import backfill, captures, imports, schedule, web
from pipeline.fetching.backfill import FetchOptions, FetchPlan
from pipeline.fetching.captures import Request
from pipeline.fetching.imports import ImportResult
from pipeline.fetching.web import Session
from pipeline.review import waiting
from pipeline.run import registry
from pipeline.sources import LIVE_SITES
from pipeline.sources.day import Fault
from pipeline.store import Workspace
from pipeline.tables import frames
from pipeline.words import count, puzzle_day

MAX_DELAY = 3600.0
"""The longest pause between two requests, in seconds."""


Delay = Annotated[
    float,
    typer.Option(
        callback=seconds_up_to(MAX_DELAY),
        envvar="BEE_DELAY",
        help="Seconds between two requests to the same host; robots.txt may require more.",
    ),
]


@command("bee fetch", "bee fetch --source nytbee --since 2025-01-01 --until 2025-12-31")
def fetch(
    settings: Settings,
    source: Annotated[str, typer.Option(help="Use only these sources, comma-separated, in this order.")] = "",
    since: Annotated[
        str, typer.Option(callback=iso_date, help="The first day. Default: all days that the record lacks.")
    ] = "",
    until: Annotated[
        str, typer.Option(callback=iso_date, help="The last day. Default: the day of the current puzzle.")
    ] = "",
    delay: Delay = 2.0,
) -> None:
    """Fetch the official answers of the missing days from live sources, each from two.

    Exits with code 3 if a person is needed: for a day that waits for one, for a day that no source has, or because a
    source has been silent for a week.
    """
    names = tuple(name.strip() for name in source.split(",")) if source else ()
    for name in names:
        if name not in LIVE_SITES:
            raise typer.BadParameter(
                f'"{name}" is not a source that can be asked for days; the sources are {", ".join(LIVE_SITES)}.'
            )
    workspace = settings.find_workspace()
    with settings.lock(workspace):
        plan = fetch_days(settings, workspace, FetchOptions(names, since, until), delay)
        exit_if_a_person_is_needed(settings, workspace, plan)


@command("bee import days.csv", "bee import days.csv --as nyt", "bee import --forget days-csv")
def import_(
    settings: Settings,
    paths: Annotated[
        list[str] | None, typer.Argument(metavar="PATH…", help="Files, folders of files, or URLs.")
    ] = None,
    source: Annotated[
        str,
        typer.Option("--as", "--source", metavar="SOURCE", help="The source of the answers. Default: the file's name."),
    ] = "",
    forget: Annotated[
        str, typer.Option(metavar="NAME", help="Take back what was imported: a source, or the name of a file.")
    ] = "",
    delay: Delay = 2.0,
) -> None:
    """Import official answers into the workspace from files in any known format.

    How much a source is trusted depends on its name: see docs/FETCHING.md. Exits with code 1 if a file has faults or
    contains no days; its valid days are imported.
    """
    if bool(paths) == bool(forget):
        raise typer.BadParameter("Name files to import, or what to --forget.")
    if forget:
        _forget(settings, forget)
        return
    paths = paths or []
    if "--delay" in settings.options and not any(_is_url(path) for path in paths):
        raise typer.BadParameter("--delay works only with URLs, and you gave none.")
    code = 0
    with open_workspace(settings) as (workspace, progress), web.session(delay) as session:
        for path in paths:
            if _is_url(path):
                result = _import_url(workspace, session, path, source)
            else:
                result = imports.import_path(workspace, Path(path), source, progress)
            for text in _texts_of_faults(result.faults):
                settings.say(text)
            if result.faults or not result.days:
                code = 1
            counts = f"{count(result.new, 'new capture')}, {count(len(result.faults), 'fault')}"
            settings.say(f"{path}: {count(result.days, 'day')} in {count(result.files, 'file')}, {counts}.")
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
    source = source or imports.source_name(re.split("[/:]+", response.url)[1])
    name = response.url.rpartition("/")[2] or "page"
    file = captures.Capture(source, name, response.url, response.body, captures.stamp(clock.now()))
    return imports.import_files(workspace, source, [file])


def _forget(settings: Settings, name: str) -> None:
    """Take back what was imported under a name; raises BeeError if there is nothing."""
    with open_workspace(settings) as (workspace, _):
        forgotten = captures.forget(workspace, name)
        if not forgotten:
            names = ", ".join(captures.numbers(workspace)) or "none"
            raise BeeError(f'There is no source or file "{name}" among the captures; the sources are: {names}.')
    of_sources = ", ".join(f"{count(number, 'capture')} of {source}" for source, number in forgotten.items())
    settings.say(
        f"Forgotten: {of_sources}. The record keeps the days that a release counted; `bee merge --rebuild` counts "
        "those that are still on disk.",
    )  # fmt: skip


def fetch_days(settings: Settings, workspace: Workspace, options: FetchOptions, delay: float) -> FetchPlan:
    """Fetch the missing days from the live sources, report progress, and return the plan with what is known now."""
    plan = _plan(settings, workspace, options)
    if not plan.dates:
        settings.say("There is nothing to fetch now.")
        return plan
    requests: list[Request] = []
    settings.say(f"Requesting {count(len(plan.dates), 'day')}, from {plan.dates[0]} back to {plan.dates[-1]}.")
    path = workspace.root / captures.PATH
    try:
        with (
            web.session(delay) as session,
            captures.opened(path, workspace.wait, create=True) as database,
            progress_bar(settings) as progress,
        ):
            for request in backfill.backfill(plan, session, database, progress(plan.dates, "fetching"), clock.now):
                requests.append(request)
                if request.failed:
                    settings.say(f"{request.date} {request.source}: {request.outcome}: {request.detail}")
    except KeyboardInterrupt:
        settings.say("Stopped. The days fetched so far are kept, and the next fetch continues from there.")
        raise
    finally:
        for line in backfill.summary(plan, requests):
            settings.say(line)
    return plan


def _plan(settings: Settings, workspace: Workspace, options: FetchOptions) -> FetchPlan:
    """Return the plan of a fetch, given the record and decisions; raises BadParameter if it has no days."""
    with progress_bar(settings) as progress:
        captures.parse_new(workspace, progress)
    on_disk = registry.load(workspace, "captures")
    history = schedule.history(on_disk, captures.last_requests(workspace), registry.load(workspace, "day_decisions"))
    covered = registry.load(workspace, "published_coverage").dates
    track = registry.load(workspace, "published_track")
    alone = frozenset(track["date"][track["witnesses"] < schedule.ENOUGH_SOURCES])
    plan = backfill.prepare(options, os.environ, clock.now(), history, covered, alone)
    if not plan.days_to_check:
        raise typer.BadParameter(backfill.why_no_days(options, puzzle_day(plan.started_at)))
    return plan


def exit_if_a_person_is_needed(settings: Settings, workspace: Workspace, plan: FetchPlan) -> None:
    """Print why a person is needed after a fetch, and exit with code 3; do nothing if no one is."""
    covered = registry.load(workspace, "published_coverage").dates
    uncovered = [date for date in plan.days_to_check if date not in covered]
    waits = registry.load(workspace, "waits") if registry.has_files(workspace, "waits") else frames.empty("waits")
    sentences = waiting.needs_person(
        waits,
        schedule.days_without_source(plan.history, uncovered, plan.started_at),
        registry.load(workspace, "published_track"),
    )
    for sentence in sentences:
        settings.say(sentence)
    if sentences:
        raise typer.Exit(3)
