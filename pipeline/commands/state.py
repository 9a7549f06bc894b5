"""The state of a workspace: the lines of `bee status`, each with the command that a person should run, if any."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pandas as pd

from pipeline import clock, reader
from pipeline.commands.settings import described
from pipeline.errors import BeeError
from pipeline.facts import by_hand, lists
from pipeline.fetching import captures, schedule
from pipeline.measure.score import SPANS, summarize_track
from pipeline.publishing import changes, check, datapackage, publish, release
from pipeline.run import registry, runner
from pipeline.run.stages import STAGES
from pipeline.store import Workspace
from pipeline.words import count, date_ranges, puzzle_day


@dataclass(frozen=True, slots=True)
class State:
    """The text of `bee status` about a topic, and what a person should do about it, if anything."""

    text: str
    todo: str = ""


class Opened:
    """A workspace, with the lists on disk, read once."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace

    @property
    def lists(self) -> pd.DataFrame:
        """The lists of `captures.load`; raises the same error each time if they cannot be read."""
        if isinstance(self._lists, BeeError):
            raise self._lists
        return self._lists

    @functools.cached_property
    def _lists(self) -> pd.DataFrame | BeeError:
        try:
            found: pd.DataFrame = registry.load(self.workspace, "captures")
        except BeeError as error:
            return error
        return found


def states(workspace: Workspace) -> Iterator[tuple[str, State]]:
    """Yield the topics with their states. If the data of a topic cannot be read, its state says so."""
    opened = Opened(workspace)
    told: dict[str, str] = {}
    for topic, (needed, describe) in TOPICS.items():
        state = State("not made yet")
        try:
            if all(registry.has_files(workspace, name) for name in needed):
                state = describe(opened)
        except BeeError as error:
            above = told.setdefault(str(error), topic)
            state = State(f"cannot be read; see {above}")
            if above == topic:
                state = State("cannot be read", described(error, opened.workspace.custom))
        yield topic, state


def _release(opened: Opened) -> State:
    if not registry.has_files(opened.workspace, "release"):
        can_run = registry.has_files(opened.workspace, "lexicon_files")
        return State("none yet", "`bee run` makes one." if can_run else "")
    found = reader.read(opened.workspace.custom)
    return State(f"{found.version}, {count(len(found.files['wordlist.txt'].split()), 'word')}")


def _budget(opened: Opened) -> State:
    """Return how many words changed since the approved release, and how many may (`publish.require_publishable`)."""
    approved = datapackage.approved_list(registry.load(opened.workspace, "release"))
    new = release.wordlist(registry.load(opened.workspace, "decisions"))
    moved = len(changes.differing_words(approved, new))
    most = int(publish.MAX_CHANGED * len(approved))
    text = f"{moved:,} of {count(most, 'word')} that may change before a person has to approve"
    if 2 * moved <= most:
        return State(text)
    file = opened.workspace.custom / reader.PACKAGE
    return State(
        text,
        f"Review the words under since_approved in {file}; `bee run --no-publish` prints those that are not "
        "published yet; then `bee publish --approve` approves the changes.",
    )


def _record(opened: Opened) -> State:
    workspace = opened.workspace
    covered = registry.load(workspace, "coverage").dates
    if not covered:
        return State(
            "no day yet", "`bee run --fetch` asks for all days, and `bee import --help` shows how to add files."
        )
    text = f"{count(len(covered), 'day')}, {min(covered)} to {max(covered)}"
    if runner.is_rebuilding(workspace):
        text += ", a rebuild: merges count all days on disk again until a release is made"
    last_settled = max(puzzle_day(clock.now() - schedule.SETTLING), max(covered))
    tables = registry.load_all(workspace, "coverage", "days", "day_decisions")
    settled = tables["days"]["settled"]
    missing_days = check.missing_dates(**tables | {"days": tables["days"][settled]}, until=last_settled)
    if not missing_days:
        return State(f"{text}, none missing")
    lacks = f"The record lacks {count(len(missing_days), 'settled day')} ({date_ranges(missing_days)})"
    return State(text, f"{lacks}; `bee run --fetch` asks for them.")


def _waits(opened: Opened) -> State:
    waits = registry.load(opened.workspace, "waits")
    if waits.empty:
        return State("no day")
    todo = "`bee check --only day-waits` shows why, and what ends it." if waits["person"].any() else ""
    return State(f"{count(len(waits), 'day')}: {date_ranges(waits['date'])}", todo)


def _exact(opened: Opened) -> State:
    rows = summarize_track(registry.load_track(opened.workspace)).head(len(SPANS)).to_dict("records")
    spans = [
        f"{count(row['days'], 'day')} {row['exact']:.0%} (95%: {row['low']:.0%} to {row['high']:.0%})" for row in rows
    ]
    return State(", ".join(spans) or "no day has been scored yet")


def _captures(opened: Opened) -> State:
    """Return how many captures and days each source has."""
    days_of = Counter(opened.lists["source"])
    captures_of = captures.numbers(opened.workspace)
    texts = []
    for source in sorted({*captures_of, *days_of}):
        number = f" in {count(captures_of[source], 'capture')}" if source in captures_of else ""
        texts.append(f"{source} {count(days_of[source], 'day')}{number}")
    return State(", ".join(texts) or "none")


def _sources(opened: Opened) -> State:
    """Return the sources whose last request failed. The next fetch asks them again, so no person is needed."""
    failures = [request for request in captures.last_outcomes(opened.workspace) if request.failed]
    texts = [f"{each.source} failed on {each.requested_at[:10]}: {each.detail}" for each in failures]
    return State("; ".join(texts) or "none failed")


def _stages(opened: Opened) -> State:
    stale = [stage.name for stage in STAGES if runner.stale(opened.workspace, stage)]
    if not stale:
        return State("all up to date")
    run = "`bee run` brings them up to date."
    return State(f"out of date: {', '.join(stale)}", next(_damage(opened.workspace), run))


INPUTS = ("captures", "model_so_far", "own_lists", *by_hand.PATHS, "release", "published_record", "published_coverage")
"""The files that `bee run` reads but cannot make, except the lexicon."""


def _damage(workspace: Workspace) -> Iterator[str]:
    """Yield a message for each damaged file that `bee run` cannot make again, with the way to repair it."""
    try:
        runner.require_complete(workspace)
        for name, problem in lists.changed_files(registry.load(workspace, "lexicon_files")):
            yield f"raw/lexicon/{name}: {problem}"
    except BeeError as error:
        yield described(error, workspace.custom)
    for name in INPUTS:
        try:
            registry.load(workspace, name)
        except BeeError as error:
            yield described(error, workspace.custom)


def _checks(opened: Opened) -> State:
    severities = registry.load(opened.workspace, "violations")["severity"].tolist()
    errors = severities.count("error")
    text = f"{count(errors, 'error')}, {count(severities.count('warning'), 'warning')}"
    if not errors:
        return State(text)
    return State(text, "`bee check` lists the errors; nothing is published until they are gone.")


TOPICS: dict[str, tuple[tuple[str, ...], Callable[[Opened], State]]] = {
    "release": ((), _release),
    "budget": (("release", "decisions"), _budget),
    "record": (("coverage", "days"), _record),
    "waits": (("waits",), _waits),
    "exact": ((), _exact),
    "captures": ((), _captures),
    "sources": ((), _sources),
    "stages": ((), _stages),
    "checks": (("violations",), _checks),
}
"""The topics of the status, each with the tables that it needs. Without these tables, the state is "not made yet" and
has no advice, because the topic of the stages says how to make them."""
