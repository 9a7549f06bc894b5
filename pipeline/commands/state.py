"""The state of a workspace: the lines of `bee status`, each with the command that a person needs, if any."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from typing import NamedTuple

from pipeline import clock, reader
from pipeline.errors import BeeError, DataError
from pipeline.facts import by_hand, corrections, lists
from pipeline.facts.seal import ranges
from pipeline.fetching import backfill, receipts, wanted
from pipeline.measure.score import SPANS, summarize_track
from pipeline.publishing import changes, publish, release, verify
from pipeline.run import registry, runner
from pipeline.run.stages import STAGES
from pipeline.sources import LIVE_SITES
from pipeline.sources.day import days_between
from pipeline.store import Workspace
from pipeline.words import count, puzzle_day

DEAD = 3
"""A source that has failed for this many days needs a person; a shorter failure is usually over the next day."""


class Line(NamedTuple):
    """One line of the status: its topic, the state, and what a person should do about it, if anything."""

    about: str
    says: str
    todo: str = ""


NEEDED = {
    "budget": ("release", "decisions"),
    "record": ("evidence", "waiting"),
    "held": ("waiting",),
    "waiting": ("waiting",),
    "checks": ("violations",),
}
"""The tables that a line needs. Without them it says nothing, because the line on the stages says what makes them."""


def lines(workspace: Workspace) -> Iterator[Line]:
    """Yield the lines; a line whose data cannot be read says so, and the others are still printed."""
    for look in (_release, _budget, _record, _held, _waiting, _exact, _captures, _sources, _refused, _stages, _checks):
        about = look.__name__.strip("_")
        try:
            made = all(registry.has_files(workspace, name) for name in NEEDED.get(about, ()))
            yield Line(about, *(look(workspace) if made else ["not made yet"]))
        except BeeError as error:
            yield Line(about, "cannot be read", str(error))


def _release(workspace: Workspace) -> tuple[str, ...]:
    if not (workspace.custom / reader.SUMS).exists():
        return "none yet", "`bee run` makes one." if registry.has_files(workspace, "lexicon_files") else ""
    found = reader.read(workspace.custom)
    return (f"{found.version}, {count(len(found.files['wordlist.txt'].split()), 'word')}",)


def _budget(workspace: Workspace) -> tuple[str, ...]:
    """Say how many words moved since the release that a person approved, of those that may; see `publish.refuse`."""
    last = registry.load(workspace, "release")
    approved, new = verify.approved_list(last), release.wordlist(registry.load(workspace, "decisions"))
    moved, most = len(changes.moved(approved, new)), int(publish.MOVED * len(approved))
    look = f"Look at {workspace.custom / verify.SINCE}; `bee publish --approve` then counts from there."
    return f"{moved:,} of {count(most, 'word')} that may change until a person approves", look * (2 * moved > most)


def _record(workspace: Workspace) -> tuple[str, ...]:
    try:
        covered = registry.load(workspace, "evidence").covered
    except DataError:
        raise BeeError("build/evidence.csv is damaged; `bee run` makes it again.") from None
    if not covered:
        return "no day yet", "`bee run --fetch` asks for all days, and `bee import --help` says how to add files."
    says, now = f"{count(len(covered), 'day')}, {min(covered)} to {max(covered)}", clock.now()
    until = max(puzzle_day(now - wanted.GROWS), max(covered))
    missing = {*days_between(min(covered), until)} - covered - {*registry.load(workspace, "waiting")["date"]}
    if not missing:
        return (f"{says}, none missing",)
    known = _known(workspace)
    at: dict[datetime.date, list[str]] = {}
    for date in sorted(missing):
        at.setdefault(wanted.next_request(known, date, LIVE_SITES, now).date(), []).append(date)
    asked = sorted(date for soonest, dates in at.items() if soonest <= now.date() for date in dates)
    later = [f"; no source has {ranges(at[day])}, next request after {day}" for day in sorted(at) if day > now.date()]
    todo = f"{count(len(asked), 'settled day')} missing ({ranges(asked)}); `bee run --fetch` asks for them."
    return says + "".join(later), todo if asked else ""


def _known(workspace: Workspace) -> wanted.Known:
    """Return when each source was last seen to have a day, by the names of its captures, and the last requests."""
    held: dict[str, dict[str, str]] = {}
    for path, row in receipts.all_receipts(workspace):
        for date in re.findall(r"\d{4}-\d\d-\d\d", row["name"]) or [""]:
            held.setdefault(date, {})[path.parent.name] = row["fetched_at"]
    corrected = registry.load(workspace, "corrections")
    return wanted.Known(held, wanted.asked(workspace), given_up=corrections.unusable_days(corrected))


def _held(workspace: Workspace) -> tuple[str, ...]:
    waiting = registry.load(workspace, "waiting")
    held = waiting["date"][waiting["kind"] == "held"].tolist()
    if not held:
        return ("no day",)
    return f"{count(len(held), 'day')}: {ranges(held)}", "`bee check --only day-held` shows how to answer."


def _waiting(workspace: Workspace) -> tuple[str, ...]:
    waiting = registry.load(workspace, "waiting")
    words = waiting["subject"][~waiting["kind"].isin(["held", "provisional"])].tolist()
    named = f": {', '.join(words[:10])}{', …' * (len(words) > 10)} (`bee check --only word-waits` says for what)"
    return (f"{count(len(words), 'word')}{named}" if words else "no word",)


def _exact(workspace: Workspace) -> tuple[str, ...]:
    rows = summarize_track(registry.load(workspace, "track")).head(len(SPANS)).to_dict("records")
    spans = [
        f"{count(row['days'], 'day')} {row['exact']:.0%} (95%: {row['low']:.0%} to {row['high']:.0%})" for row in rows
    ]
    return (", ".join(spans) or "no day has been scored yet",)


def _captures(workspace: Workspace) -> tuple[str, ...]:
    counts: dict[str, int] = {}
    for path, _ in receipts.all_receipts(workspace):
        counts[path.parent.name] = counts.get(path.parent.name, 0) + 1
    return (", ".join(f"{name} {number:,}" for name, number in sorted(counts.items())) or "none",)


def _sources(workspace: Workspace) -> tuple[str, ...]:
    """Say since when live sources have failed. That a page is missing is an answer."""
    known, says, todo = _known(workspace), [], []
    for name in LIVE_SITES:
        since, last = (datetime.date.fromisoformat(time[:10] or "0001-01-01") for time in wanted.failing(known, name))
        if last.year > 1:
            says.append(f"{name} has failed since {since}, next request at the next fetch")
        if (last - since).days >= DEAD:
            todo.append(f"{name} has failed for {(last - since).days} days; `bee fetch --source {name}` says why.")
    return "; ".join(says) or "none failed", " ".join(todo)


def _refused(workspace: Workspace) -> tuple[str, ...]:
    """Name the pages that were refused and that nobody needs, each with the command after which it is not asked for."""
    pages = wanted.refused_pages(_known(workspace), backfill.REFUSED_PAGES)
    if not pages:
        return ("no page",)
    commands = [
        f"{page.source} {page.date} ({page.reason}), "
        f'`bee correct {page.date} --source {page.source} --reject --reason "its page is wrong"`'
        for page in pages
    ]
    return (
        f"{count(len(pages), 'page')} of days that another source has, each with what ends it: {'; '.join(commands)}",
    )


def _stages(workspace: Workspace) -> tuple[str, ...]:
    stale = [stage.name for stage in STAGES if runner.stale(workspace, stage)]
    if not stale:
        return ("all up to date",)
    return f"out of date: {', '.join(stale)}", next(_damage(workspace), "`bee run` brings them up to date.")


READ = ("settled", "track", "forecasts", "requests", "own_lists", *by_hand.PATHS, "release")
"""The files that `bee run` reads but cannot make, apart from captures and lexicon."""


def _damage(workspace: Workspace) -> Iterator[str]:
    """Yield each fault in the files that `bee run` cannot make again, with its repair."""
    try:
        runner.require_complete(workspace)
        for name, wrong in lists.changed_files(registry.load(workspace, "lexicon_files")):
            yield f"raw/lexicon/{name}: {wrong}"
    except BeeError as error:
        yield str(error)
    for name in READ:
        try:
            registry.load(workspace, name)
        except BeeError as error:
            yield str(error)


def _checks(workspace: Workspace) -> tuple[str, ...]:
    found = registry.load(workspace, "violations")["severity"].tolist()
    todo = "`bee check` names the errors; nothing is published until they are gone." if "error" in found else ""
    return f"{count(found.count('error'), 'error')}, {count(found.count('warning'), 'warning')}", todo
