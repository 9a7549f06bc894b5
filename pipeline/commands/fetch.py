"""The commands that bring official answers in, from live sources or from files."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline import clock
from pipeline.commands import RUN, command
from pipeline.commands.options import iso_date, seconds_up_to
from pipeline.commands.settings import Settings
from pipeline.errors import Message
from pipeline.words import count, puzzle_day

if TYPE_CHECKING:
    from pipeline.fetching.backfill import FetchOptions, FetchPlan, RequestResult
    from pipeline.fetching.captures import ImportResult
    from pipeline.fetching.schedule import SecondWitness
    from pipeline.fetching.web import Session
    from pipeline.sources.day import Fault
    from pipeline.store import Workspace

DAYS_PER_LINE = 100
"""The number of days per line of progress."""
MAX_GAPS = 10
"""The maximum number of gaps that are listed."""
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


@command(RUN, "bee fetch", "bee fetch --source nytbee --since 2025-01-01 --until 2025-12-31")
def fetch(
    settings: Settings,
    source: Annotated[str, typer.Option(help="Use only these sources, comma-separated, in this order.")] = "",
    since: Annotated[
        str, typer.Option(callback=iso_date, help="The first day. Default: all days that the record lacks.")
    ] = "",
    until: Annotated[
        str, typer.Option(callback=iso_date, help="The last day. Default: the day of the current puzzle.")
    ] = "",
    single: Annotated[bool, typer.Option("--single", help="Use one source per day, not two.")] = False,
    cross_check: Annotated[
        bool, typer.Option("--cross-check", help="Also ask a second source for days that an archive has.")
    ] = False,
    delay: Delay = 2.0,
) -> None:
    """Fetch the official answers of the missing days from live sources."""
    from pipeline.fetching.backfill import FetchOptions
    from pipeline.sources import LIVE_SITES

    if single and cross_check:
        raise typer.BadParameter("--single uses one source per day, and --cross-check uses two; use only one of them.")
    names = tuple(name for name in source.split(",") if name)
    for name in names:
        if name not in LIVE_SITES:
            raise typer.BadParameter(
                f'"{name}" is not a source that can be asked for days; the sources are {", ".join(LIVE_SITES)}.'
            )
    second_witness: SecondWitness = "live"
    if single:
        second_witness = "never"
    elif cross_check:
        second_witness = "always"
    workspace = settings.find_workspace()
    with settings.lock(workspace):
        code = fetch_days(settings, workspace, FetchOptions(names, since, until, second_witness), delay)
    if code:
        raise typer.Exit(code)


@command(RUN, "bee import days.csv", "bee import days.csv --as nyt", name="import")
def import_(
    settings: Settings,
    paths: Annotated[list[str], typer.Argument(metavar="PATH…", help="Files, folders of files, or URLs.")],
    source: Annotated[
        str,
        typer.Option("--as", "--source", metavar="SOURCE", help="The source of the answers. Default: the file's name."),
    ] = "",
    delay: Delay = 2.0,
) -> None:
    """Import official answers into the workspace from files in any known format.

    How much a source is trusted depends on its name. From most to least trusted: TRUSTED_SOURCES. Sources with other
    names count only for days that none of these has. Exits with code 1 if a file has faults or
    contains no days; its valid days are imported.
    """
    from pipeline.fetching import captures, web

    if "--delay" in settings.options and not any(_is_url(path) for path in paths):
        raise typer.BadParameter("--delay works only with URLs, and you gave none.")
    code = 0
    with settings.open_workspace() as (workspace, progress), web.session(delay) as session:
        repair_captures(settings, workspace)
        for path in paths:
            if _is_url(path):
                result = _import_url(workspace, session, path, source)
            else:
                result = captures.import_path(workspace, Path(path), source, progress)
            for text in _texts_of_faults(result.faults):
                settings.say(Message.parse(text))
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
    from pipeline.fetching import captures, receipts, web

    response = web.get(session, url)
    name = re.sub("[^A-Za-z0-9._-]", "_", response.url.rpartition("/")[2]).strip(".") or "page"
    host = re.split("[/:]+", response.url)[1]
    now = captures.stamp(clock.now())
    file = receipts.Capture(name[:100], response.url, response.body, now, str(response.status))
    return captures.import_files(workspace, [file], source or captures.source_name(host), source_is_named=bool(source))


def repair_captures(settings: Settings, workspace: Workspace) -> None:
    """Repair captures and receipts, set lost captures aside, and print what was done. The caller must hold the lock."""
    from pipeline.fetching import captures

    for message in captures.repair(workspace):
        settings.say(message)


def fetch_days(settings: Settings, workspace: Workspace, options: FetchOptions, delay: float) -> int:
    """Fetch the missing days from the live sources, report progress, and return the exit code."""
    from pipeline.fetching import backfill, web

    repair_captures(settings, workspace)
    plan = _plan(workspace, options)
    if not plan.dates:
        return _say_missing(settings, plan, [])
    results: list[RequestResult] = []
    settings.say(f"Requesting {count(len(plan.dates), 'day')}, from {plan.dates[0]} back to {plan.dates[-1]}.")
    try:
        with web.session(delay) as session, settings.progress_bar() as progress:
            dates = _with_reports(settings, progress(plan.dates, "fetching"), results)
            for result in backfill.backfill(plan, session, dates, clock.now):
                results.append(result)
                if result.failed:
                    settings.say(f"{result.date} {result.source}: {result.outcome}: {result.detail}")
    except KeyboardInterrupt:
        settings.say("Stopped. The days fetched so far are kept, and the next fetch continues from there.")
        raise
    finally:
        for line in backfill.summary(plan, results):
            settings.say(line)
    return _say_missing(settings, plan, results)


def _plan(workspace: Workspace, options: FetchOptions) -> FetchPlan:
    """Return the plan of a fetch, given the record and decisions; raises BadParameter if it has no days."""
    from pipeline.fetching import backfill
    from pipeline.run import registry

    covered = registry.load(workspace, "published_coverage").dates
    day_decisions = registry.load(workspace, "day_decisions")
    plan = backfill.prepare(workspace, options, os.environ, clock.now(), covered, day_decisions)
    if not plan.days_to_check:
        raise typer.BadParameter(backfill.why_no_days(options, puzzle_day(plan.started_at)))
    return plan


def _say_missing(settings: Settings, plan: FetchPlan, results: list[RequestResult]) -> int:
    """Print the days that no source has, and return the exit code."""
    from pipeline.fetching import backfill

    lines = backfill.missing(plan)
    for line in lines[:MAX_GAPS]:
        settings.say(line)
    if len(lines) > MAX_GAPS:
        settings.say(f"… and {count(len(lines) - MAX_GAPS, 'more gap')}")
    if not (lines or plan.dates):
        settings.say("No day is missing.")
    return backfill.exit_code(plan, results)


def _with_reports(settings: Settings, days: Iterable[str], results: list[RequestResult]) -> Iterator[str]:
    """Yield the days; after every `DAYS_PER_LINE` of them, print how many are done and how many requests failed."""
    for done, day in enumerate(days, 1):
        yield day
        if done % DAYS_PER_LINE == 0:
            failures = sum(result.failed for result in results)
            settings.say(f"{count(done, 'day')} done, {count(failures, 'failure')}")
