"""`bee status`: the release, and what needs a person."""

from __future__ import annotations

import typer

from pipeline import clock, custom, inputs, run
from pipeline.facts import by_hand
from pipeline.fetching import captures, schedule
from pipeline.publishing import check
from pipeline.reader import Release
from pipeline.run import DaysOnDisk
from pipeline.store import Workspace
from pipeline.tables import frames
from pipeline.words import count, date_ranges, puzzle_day


def status(ctx: typer.Context) -> None:
    """Show the release, the days that are missing or wait, errors, and what failed at the last fetch.

    Exits with code 1 if a day is missing or needs a person, and for errors and damaged files. Writes nothing and does
    not use the network.

    \b
    Examples:
      bee status
    """
    workspace: Workspace = ctx.obj
    custom.require_folder(workspace)
    release = custom.read_release(workspace)
    files = custom.read_made_with(workspace)
    inputs.weights(files)
    for table in by_hand.TABLE_OF_KIND.values():
        inputs.table_by_people(table, files)
    days = run.days_on_disk(workspace)
    missing = _missing(workspace, days)
    failures = [request for request in captures.last_outcomes(workspace) if request.failed]
    covered = sorted(days.coverage.dates)
    lines = {
        "workspace": [str(workspace.root.resolve())],
        "release": [_release(release)],
        "record": [f"{count(len(covered), 'day')}{f', {covered[0]} to {covered[-1]}' if covered else ''}"],
        "missing": [f"{date_ranges(missing)}: `bee run --fetch` asks for these days"] if missing else [],
        "waits": [f"{row['date']}: {row['because']}" for row in frames.rows(days.waits)],
        "errors": _errors(release),
        "failures": [f"{each.source} failed on {each.requested_at[:10]}: {each.detail}" for each in failures],
    }
    for topic, texts in lines.items():
        for text in texts or ["none"]:
            typer.echo(f"{topic:10} {text}")
    if release is None or missing or days.waits["person"].any() or lines["errors"]:
        raise typer.Exit(1)


def _release(release: Release | None) -> str:
    if release is None:
        return "none yet: `bee run` makes one"
    return f"{release.version}, {count(len(release.files['wordlist.txt'].split()), 'word')}"


def _missing(workspace: Workspace, days: DaysOnDisk) -> list[str]:
    """Return the settled days that the record lacks."""
    last_settled = max(puzzle_day(clock.now() - schedule.SETTLING), max(days.coverage.dates, default=""))
    settled = days.day_lists[days.day_lists["settled"]]
    return check.missing_dates(
        days.coverage, settled, inputs.read_table_by_people(workspace, "named_days"), until=last_settled
    )


def _errors(release: Release | None) -> list[str]:
    """Return the errors that the checks of the release found."""
    if release is None:
        return []
    violations = frames.read_csv(release.files["violations.csv"], "violations.csv")
    errors = frames.from_text(violations, "violations").query("severity == 'error'")
    return [f"{row['rule']} {row['subject']}: {row['detail']}" for row in frames.rows(errors)]
