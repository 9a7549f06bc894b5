"""`bee status`: what is on disk and what a person needs to do, on one screen."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import typer

from pipeline import reader
from pipeline.commands import RUN, Data, Json, at_work, command, tell
from pipeline.sources import day
from pipeline.words import BeeError, puzzle_day

if TYPE_CHECKING:
    from pipeline.store import Workspace


class Line(NamedTuple):
    """One line of the status: its topic, the state, and what a person should do about it, if anything."""

    about: str
    says: str
    todo: str = ""


@command(RUN, "bee status", "bee status --json")
def status(
    as_json: Json = False,
    data: Data = None,
) -> None:
    """Show what is on disk, which days the record covers, and what is missing or stale.

    Exit code 1 if a person needs to do something. Writes nothing and does not use the network.
    """
    with at_work(data, writes=False) as (workspace, _):
        lines = [Line("workspace", str(workspace.root.resolve())), *_lines(workspace)]
    if as_json:
        tell({line.about: {"says": line.says, "todo": line.todo} for line in lines})
    else:
        for line in lines:
            typer.echo(f"{line.about:10} {line.says}" + (f"\n{'':10} -> {line.todo}" if line.todo else ""))
    if any(line.todo for line in lines):
        raise typer.Exit(1)


def _lines(workspace: Workspace) -> Iterator[Line]:
    """Yield the lines; a line whose data cannot be read says so, and the others are still printed."""
    for about, look in (
        ("release", _release),
        ("record", _record),
        ("exact", _exact),
        ("captures", _captures),
        ("stages", _stages),
        ("checks", _checks),
    ):
        try:
            yield look(workspace)
        except BeeError as error:
            yield Line(about, "cannot be read", str(error))


def _release(workspace: Workspace) -> Line:
    if not (workspace.custom / reader.SUMS).exists():
        return Line("release", "none yet", "bee run makes one.")
    found = reader.read(workspace.custom)
    words = found.files["wordlist.txt"].count(b"\n")
    return Line("release", f"{found.version}, {words:,} words")


def _record(workspace: Workspace) -> Line:
    from pipeline.facts.seal import EvidenceError
    from pipeline.fetching import wanted
    from pipeline.run import registry

    try:
        covered = registry.load(workspace, "evidence").covered
    except EvidenceError:
        raise BeeError("build/evidence.csv is damaged; bee run makes it again.") from None
    if not covered:
        return Line("record", "no day yet", "bee run --fetch, or bee import FILE and bee run.")
    says = f"{len(covered):,} days, {min(covered)} to {max(covered)}"
    settled = puzzle_day(datetime.datetime.now(datetime.UTC) - wanted.GROWS)
    missing = sorted(set(day.days_between(min(covered), max(settled, max(covered)))) - set(covered))
    if not missing:
        return Line("record", f"{says}, none missing")
    span = missing[0] if len(missing) == 1 else f"{missing[0]} to {missing[-1]}"
    todo = f"{len(missing):,} settled days are missing ({span}); bee run --fetch asks for them."
    return Line("record", says, todo)


def _exact(workspace: Workspace) -> Line:
    from pipeline.measure.score import SPANS, live
    from pipeline.run import registry

    rows = live(registry.load(workspace, "track")).head(len(SPANS)).itertuples()
    spans = [f"{row.days} days {row.exact:.0%} (95%: {row.low:.0%} to {row.high:.0%})" for row in rows]
    return Line("exact", ", ".join(spans) or "no day has been scored yet")


def _captures(workspace: Workspace) -> Line:
    from pipeline.fetching import receipts

    counts: dict[str, int] = {}
    for path, _ in receipts.all_receipts(workspace):
        counts[path.parent.name] = counts.get(path.parent.name, 0) + 1
    return Line("captures", ", ".join(f"{name} {count:,}" for name, count in sorted(counts.items())) or "none")


def _stages(workspace: Workspace) -> Line:
    from pipeline.run import runner
    from pipeline.run.stages import STAGES

    stale = [stage.name for stage in STAGES if runner.stale(workspace, stage)]
    if stale:
        todo = next(_damage(workspace), "bee run brings them up to date.")
        return Line("stages", f"stale: {', '.join(stale)}", todo)
    return Line("stages", "all up to date")


READ = {
    "settled": "",
    "track": " `bee restore` brings it back.",
    "forecasts": "",
    "requests": " Or delete it; it only records which requests were made when.",
    "own_lists": "",
    **dict.fromkeys(("corrections", "verdicts", "offensive", "admitted"), " Correct it, then `bee run`."),
    "release": "",
}
"""The files that `bee run` reads but cannot make, apart from captures and lexicon, each with the repair if the error
message does not give it."""


def _damage(workspace: Workspace) -> Iterator[str]:
    """Yield each fault in the files that `bee run` cannot make again, with its repair."""
    from pipeline.facts import lists
    from pipeline.run import registry

    try:
        for name, wrong in lists.changed(registry.load(workspace, "lexicon_files")):
            yield f"raw/lexicon/{name}: {wrong}; restore it from the repository, or bee lexicon makes it again."
    except BeeError as error:
        yield str(error)
    for name, mended in READ.items():
        try:
            registry.load(workspace, name)
        except BeeError as error:
            yield f"{error}{mended}"


def _checks(workspace: Workspace) -> Line:
    from pipeline.run import registry

    if not registry.ENTRIES["violations"].files(workspace):
        return Line("checks", "not run yet")
    found = registry.load(workspace, "violations")
    severities, held = found["severity"].tolist(), found["rule"].tolist().count("day-held")
    errors, warnings = severities.count("error"), severities.count("warning")
    todo = f"{held} days are held; bee check --only day-held names them." if held else ""
    if errors:
        todo = f"bee check names the errors; nothing is published until they are gone. {todo}".strip()
    return Line("checks", f"{errors:,} errors, {warnings:,} warnings, {held} days held", todo)
