"""The state of a workspace: the lines of `bee status`, each with the command that a person should run, if any."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from pipeline import clock, inputs, reader, run
from pipeline.errors import BeeError
from pipeline.facts import by_hand, lists
from pipeline.fetching import captures, schedule
from pipeline.measure.score import SPANS, summarize_track
from pipeline.publishing import check, datapackage, publish
from pipeline.reader import Release
from pipeline.run import Days
from pipeline.store import Workspace
from pipeline.tables import frames
from pipeline.words import count, date_ranges, puzzle_day


@dataclass(frozen=True, slots=True)
class State:
    """The text of `bee status` about a topic, and what a person should do about it, if anything."""

    text: str
    todo: str = ""


class Opened:
    """A workspace, with its release and its days, each read once. Both raise BeeError if they cannot be read."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace

    @functools.cached_property
    def release(self) -> Release | None:
        """The last release."""
        return inputs.read_release(self.workspace)

    @functools.cached_property
    def days(self) -> Days:
        """The days on disk."""
        return run.days(self.workspace)


def states(workspace: Workspace) -> Iterator[tuple[str, State]]:
    """Yield the topics with their states. If the data of a topic cannot be read, its state says so."""
    opened = Opened(workspace)
    told: dict[str, str] = {}
    for topic, describe in TOPICS.items():
        try:
            state = describe(opened)
        except BeeError as error:
            above = told.setdefault(str(error), topic)
            state = State(f"cannot be read; see {above}")
            if above == topic:
                state = State("cannot be read", str(error))
        yield topic, state


def _release(opened: Opened) -> State:
    inputs.require_folder(opened.workspace)
    release = opened.release
    if release is None:
        return State("none yet", "`bee run` makes one.")
    return State(f"{release.version}, {count(len(release.files['wordlist.txt'].split()), 'word')}")


def _budget(opened: Opened) -> State:
    """Return how many words changed since the approved release, and how many may (`publish.require_publishable`)."""
    if opened.release is None:
        return State("no release yet")
    approved = datapackage.approved_list(opened.release)
    listed = opened.release.files["wordlist.txt"].decode().split()
    moved, most = len({*approved} ^ {*listed}), int(publish.MAX_CHANGED * len(approved))
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
    days = opened.days
    covered = days.coverage.dates
    if not covered:
        return State(
            "no day yet", "`bee run --fetch` asks for all days, and `bee import --help` shows how to add files."
        )
    text = f"{count(len(covered), 'day')}, {min(covered)} to {max(covered)}"
    last_settled = max(puzzle_day(clock.now() - schedule.SETTLING), max(covered))
    settled = days.lists[days.lists["settled"]]
    day_decisions = inputs.read_decisions(opened.workspace, "day_decisions")
    missing_days = check.missing_dates(days.coverage, settled, day_decisions, until=last_settled)
    if not missing_days:
        return State(f"{text}, none missing")
    lacks = f"The record lacks {count(len(missing_days), 'settled day')} ({date_ranges(missing_days)})"
    return State(text, f"{lacks}; `bee run --fetch` asks for them.")


def _news(opened: Opened) -> State:
    """Return what a run would apply: new days, and files of people that have changed."""
    days = sorted(set(opened.days.puzzles["date"]) - opened.days.coverage.dates)
    news = [f"{count(len(days), 'day')} ({date_ranges(days)})"] if days else []
    if opened.release:
        news += datapackage.not_applied(opened.release, inputs.read_made_with(opened.workspace))
    if not news:
        return State("nothing")
    return State(", ".join(news), "`bee run` puts it into the list.")


def _waits(opened: Opened) -> State:
    waits = opened.days.waits
    if waits.empty:
        return State("no day")
    todo = "`bee check --only day-waits` shows why, and what ends it." if waits["person"].any() else ""
    return State(f"{count(len(waits), 'day')}: {date_ranges(waits['date'])}", todo)


def _exact(opened: Opened) -> State:
    if opened.release is None:
        return State("no day has been scored yet")
    rows = summarize_track(inputs.read_track(opened.release)).head(len(SPANS)).to_dict("records")
    spans = [
        f"{count(row['days'], 'day')} {row['exact']:.0%} (95%: {row['low']:.0%} to {row['high']:.0%})" for row in rows
    ]
    return State(", ".join(spans) or "no day has been scored yet")


def _captures(opened: Opened) -> State:
    """Return how many captures and days each source has."""
    days_of = Counter(opened.days.lists["source"])
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


def _files(opened: Opened) -> State:
    """Return the damaged files that `bee run` reads and no other topic does."""
    workspace = opened.workspace
    files = inputs.read_made_with(workspace)
    changed = lists.changed_files(inputs.read_word_lists(workspace).files)
    faults = [f"raw/lexicon/{name}: {problem}" for name, problem in changed]
    reads: list[Callable[[], object]] = [partial(inputs.weights, files)]
    reads += [partial(inputs.decisions, table, files) for table in by_hand.FILES]
    for read in reads:
        try:
            read()
        except BeeError as error:
            faults.append(str(error))
    return State("some cannot be read", "\n".join(faults)) if faults else State("all can be read")


def _checks(opened: Opened) -> State:
    if opened.release is None:
        return State("no release yet")
    data = opened.release.files["violations.csv"]
    severities = frames.from_text(frames.read_csv(data, "violations.csv"), "violations")["severity"].tolist()
    errors = severities.count("error")
    text = f"{count(errors, 'error')}, {count(severities.count('warning'), 'warning')} in the release"
    return State(text, "`bee check` lists the errors as they are now." if errors else "")


TOPICS: dict[str, Callable[[Opened], State]] = {
    "release": _release,
    "budget": _budget,
    "record": _record,
    "waits": _waits,
    "news": _news,
    "exact": _exact,
    "captures": _captures,
    "sources": _sources,
    "files": _files,
    "checks": _checks,
}
"""The topics of the status."""
