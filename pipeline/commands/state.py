"""The state of a workspace: the lines of `bee status`, each with the command that a person should run, if any."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from pipeline import clock, reader
from pipeline.errors import BeeError, Command, Message
from pipeline.facts import by_hand, lists
from pipeline.facts.coverage import ranges
from pipeline.facts.day_decisions import not_asked
from pipeline.fetching import backfill, receipts, schedule
from pipeline.measure.score import SPANS, summarize_track
from pipeline.publishing import changes, check, publish, release, verify
from pipeline.run import registry, runner
from pipeline.run.stages import STAGES
from pipeline.sources import LIVE_SITES
from pipeline.store import Workspace
from pipeline.words import count, puzzle_day

LONG_FAILURE = 3
"""A source that has failed for this many days needs a person; a shorter failure is usually over the next day."""


@dataclass(frozen=True, slots=True)
class State:
    """The text of `bee status` about a topic, and what a person should do about it, if anything."""

    text: str | Message
    todo: Message = field(default_factory=Message)


def states(workspace: Workspace) -> Iterator[tuple[str, State]]:
    """Yield the topics with their states. If the data of a topic cannot be read, its state says so."""
    for topic, (needed, describe) in TOPICS.items():
        state = State("not made yet")
        try:
            if all(registry.has_files(workspace, name) for name in needed):
                state = describe(workspace)
        except BeeError as error:
            state = State("cannot be read", error.message)
        yield topic, state


def _release(workspace: Workspace) -> State:
    if not registry.has_files(workspace, "release"):
        todo = Message(Command("run"), " makes one.") if registry.has_files(workspace, "lexicon_files") else Message()
        return State("none yet", todo)
    found = reader.read(workspace.custom)
    return State(f"{found.version}, {count(len(found.files['wordlist.txt'].split()), 'word')}")


def _budget(workspace: Workspace) -> State:
    """Return how many words changed since the approved release, and how many may (`publish.require_publishable`)."""
    approved = verify.approved_list(registry.load(workspace, "release"))
    new = release.wordlist(registry.load(workspace, "decisions"))
    moved = len(changes.differing_words(approved, new))
    most = int(publish.MAX_CHANGED * len(approved))
    text = f"{moved:,} of {count(most, 'word')} that may change before a person has to approve"
    if 2 * moved <= most:
        return State(text)
    file = workspace.custom / reader.PACKAGE
    new_ones = Message(Command("run --no-publish"), " prints those that are not published yet; then ")
    return State(
        text,
        Message(
            f"Review the words under since_approved in {file}; ",
            new_ones,
            Command("publish --approve"),
            " approves the changes.",
        ),
    )


def _record(workspace: Workspace) -> State:
    covered = registry.load(workspace, "coverage").dates
    if not covered:
        fetch_all = Message(Command("run --fetch"), " asks for all days, and ")
        return State("no day yet", Message(fetch_all, Command("import --help"), " shows how to add files."))
    text = f"{count(len(covered), 'day')}, {min(covered)} to {max(covered)}"
    if runner.is_rebuilding(workspace):
        text += ", a rebuild: merges count all days on disk again until a release is made"
    now = clock.now()
    last_settled = max(puzzle_day(now - schedule.SETTLING), max(covered))
    tables = registry.load_all(workspace, "coverage", "days", "day_decisions")
    history = _history(workspace)
    missing_days = [
        date
        for date in check.missing_dates(**tables, until=last_settled)
        if min(covered) < date <= last_settled and history.is_asked_for(date)
    ]
    if not missing_days:
        return State(f"{text}, none missing")
    due: list[str] = []
    for day_of_request, dates in sorted(_dates_by_day_of_request(history, missing_days, now).items()):
        if day_of_request > now.date():
            text += f"; no source has {ranges(dates)} yet, and the next request is after {day_of_request}"
        else:
            due += dates
    if not due:
        return State(text)
    asks = Message(Command("run --fetch"), " asks for them.")
    return State(text, Message(f"The record lacks {count(len(due), 'settled day')} ({ranges(due)}); ", asks))


def _dates_by_day_of_request(
    history: schedule.History, dates: list[str], now: datetime.datetime
) -> dict[datetime.date, list[str]]:
    """Group dates by the day from which a fetch asks a source for them."""
    dates_by_day: dict[datetime.date, list[str]] = {}
    for date in dates:
        next_request_at = schedule.next_request_at(history, date, LIVE_SITES, now)
        dates_by_day.setdefault(next_request_at.date(), []).append(date)
    return dates_by_day


def _history(workspace: Workspace) -> schedule.History:
    """Return when each source was last seen to have each day, going by the names of its captures, and the last
    requests."""
    held: dict[str, dict[str, str]] = {}
    for path, row in receipts.all_receipts(workspace):
        for date in re.findall(r"\d{4}-\d\d-\d\d", row["name"]) or [""]:
            held.setdefault(date, {})[path.parent.name] = row["fetched_at"]
    decisions = registry.load(workspace, "day_decisions")
    return schedule.History(held, schedule.last_requests(workspace), not_asked=not_asked(decisions))


def _waits(workspace: Workspace) -> State:
    dates = registry.load(workspace, "waits")["date"].tolist()
    if not dates:
        return State("no day")
    how_to_answer = Message(Command("check --only day-waits"), " shows why, and how to answer.")
    return State(f"{count(len(dates), 'day')}: {ranges(dates)}", how_to_answer)


def _exact(workspace: Workspace) -> State:
    rows = summarize_track(registry.load_track(workspace)).head(len(SPANS)).to_dict("records")
    spans = [
        f"{count(row['days'], 'day')} {row['exact']:.0%} (95%: {row['low']:.0%} to {row['high']:.0%})" for row in rows
    ]
    return State(", ".join(spans) or "no day has been scored yet")


def _captures(workspace: Workspace) -> State:
    counts: dict[str, int] = {}
    for path, _ in receipts.all_receipts(workspace):
        counts[path.parent.name] = counts.get(path.parent.name, 0) + 1
    text = ", ".join(f"{name} {number:,}" for name, number in sorted(counts.items())) or "none"
    lost = receipts.lost_files(workspace)
    if not lost:
        return State(text)
    first = lost[0]
    folder = workspace.raw / first["source"] / receipts.DAMAGED
    verb = "is" if len(lost) == 1 else "are"
    advice = (
        f"{count(len(lost), 'imported file')} {verb} lost or damaged, such as {first['url']}. Import it again with "
        f"--as {first['source']}, or delete {folder} to continue without it."
    )
    return State(text, Message(advice))


def _sources(workspace: Workspace) -> State:
    """Return since when live sources have failed. A missing page does not count as a failure."""
    history = _history(workspace)
    failures = []
    todos: list[str | Command] = []
    for name in LIVE_SITES:
        first, last = schedule.failing(history, name)
        if not last:
            continue
        since = datetime.date.fromisoformat(first[:10])
        days = (datetime.date.fromisoformat(last[:10]) - since).days
        failures.append(f"{name} has failed since {since} and will be asked again at the next fetch")
        if days >= LONG_FAILURE:
            todos += [" " if todos else "", f"{name} has failed for {days} days; "]
            todos += [Command(f"fetch --source {name}"), " shows why."]
    return State("; ".join(failures) or "none failed", Message(*todos))


def _refused(workspace: Workspace) -> State:
    """Return the pages that were refused and are not needed, each with the command that stops requests for it."""
    pages = schedule.refused_pages(_history(workspace), backfill.REFUSED_PAGES)
    if not pages:
        return State("no page")
    parts: list[str | Command] = [
        f"{count(len(pages), 'page')} for days that another source has, each with the command that stops the requests: "
    ]
    for number, page in enumerate(pages):
        separator = "; " if number else ""
        rejection = f'day {page.date} --reject --source {page.source} --reason "its page is wrong"'
        parts += [f"{separator}{page.source} {page.date} ({page.reason}), ", Command(rejection)]
    return State(Message(*parts))


def _stages(workspace: Workspace) -> State:
    stale = [stage.name for stage in STAGES if runner.stale(workspace, stage)]
    if not stale:
        return State("all up to date")
    run = Message(Command("run"), " brings them up to date.")
    return State(f"out of date: {', '.join(stale)}", next(_damage(workspace), run))


INPUTS = ("requests", "model_so_far", "own_lists", *by_hand.PATHS, "release", "published_record", "published_coverage")
"""The files that `bee run` reads but cannot make, except the captures and the lexicon."""


def _damage(workspace: Workspace) -> Iterator[Message]:
    """Yield a message for each damaged file that `bee run` cannot make again, with the way to repair it."""
    try:
        runner.require_complete(workspace)
        for name, problem in lists.changed_files(registry.load(workspace, "lexicon_files")):
            yield Message(f"raw/lexicon/{name}: ", Message.parse(problem))
    except BeeError as error:
        yield error.message
    for name in INPUTS:
        try:
            registry.load(workspace, name)
        except BeeError as error:
            yield error.message


def _checks(workspace: Workspace) -> State:
    severities = registry.load(workspace, "violations")["severity"].tolist()
    errors = severities.count("error")
    text = f"{count(errors, 'error')}, {count(severities.count('warning'), 'warning')}"
    if not errors:
        return State(text)
    return State(text, Message(Command("check"), " lists the errors; nothing is published until they are gone."))


TOPICS: dict[str, tuple[tuple[str, ...], Callable[[Workspace], State]]] = {
    "release": ((), _release),
    "budget": (("release", "decisions"), _budget),
    "record": (("coverage", "days"), _record),
    "waits": (("waits",), _waits),
    "exact": ((), _exact),
    "captures": ((), _captures),
    "sources": ((), _sources),
    "refused": ((), _refused),
    "stages": ((), _stages),
    "checks": (("violations",), _checks),
}
"""The topics of the status, each with the tables that it needs. Without these tables, the state is "not made yet" and
has no advice, because the topic of the stages says how to make them."""
