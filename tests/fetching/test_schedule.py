"""Which days a source is asked for: every threshold on both sides and at the value itself."""

import datetime

import pandas as pd
import pytest
from conftest import SAMPLE

from pipeline.errors import StoreError
from pipeline.fetching import captures, receipts, schedule
from pipeline.fetching.captures import Captures
from pipeline.fetching.schedule import RETRY_MISSING, SETTLING, History, settled_at
from pipeline.run import registry
from pipeline.store import Workspace
from pipeline.tables import frames

DATE = "2025-01-03"
SETTLED = settled_at(DATE)
SECOND = datetime.timedelta(seconds=1)
LATER = SETTLED + datetime.timedelta(days=99)
SEEN = {"2025-01-09": {"plus": LATER.isoformat()}}
"""A later day that is here: the day is over."""


def asked(source: str, outcome: str, at: datetime.datetime) -> dict[tuple[str, str], dict[str, str]]:
    """A request for the day that gave no new capture."""
    return {(source, DATE): {"source": source, "date": DATE, "asked_at": at.isoformat(), "outcome": outcome}}


def wants(history: History, now: datetime.datetime, source: str = "nyt") -> bool:
    return schedule.should_request(history, source, DATE, "never", now)


def test_a_day_settles_two_days_after_its_puzzle_at_3_in_new_york():
    assert settled_at("2025-01-03").isoformat() == "2025-01-05T03:00:00-05:00"
    assert settled_at("2025-07-03").astimezone(datetime.UTC).isoformat() == "2025-07-05T07:00:00+00:00"
    assert datetime.timedelta(days=2) == SETTLING


@pytest.mark.parametrize(("more", "again"), [(-SECOND, False), (0 * SECOND, False), (SECOND, True)])
def test_a_page_that_was_missing_is_asked_for_again_after_more_than_a_month(more, again):
    history = History(SEEN, asked("nyt", "missing", SETTLED + SECOND))
    assert wants(history, SETTLED + SECOND + RETRY_MISSING + more) is again


@pytest.mark.parametrize(("more", "again"), [(-SECOND, True), (0 * SECOND, False), (SECOND, False)])
def test_a_page_that_was_missing_before_its_day_settled_is_asked_for_again_at_once(more, again):
    history = History(SEEN, asked("nyt", "missing", SETTLED + more))
    now = SETTLED + 2 * SECOND
    assert wants(history, now) is again
    (line,) = schedule.missing_days(history, [DATE], ["nyt"], now)
    assert line.endswith("request is at the next fetch" if again else "request is after 2025-02-04")


@pytest.mark.parametrize(("more", "again"), [(-SECOND, True), (0 * SECOND, False), (SECOND, False)])
@pytest.mark.parametrize("same", [True, False])
def test_a_page_that_is_here_is_asked_for_again_if_it_was_last_seen_before_it_settled(more, again, same):
    """Last seen: when its capture came, or when the source said that it is the same; whichever is later."""
    seen, early = (SETTLED + more).isoformat(), (SETTLED - SETTLING).isoformat()
    held = {DATE: {"nyt": early if same else seen}}
    requests = asked("nyt", "same", SETTLED + more if same else SETTLED - SETTLING)
    assert wants(History(held, requests), LATER) is again
    rows = pd.DataFrame([{**row, "etag": "", "modified": ""} for row in requests.values()])
    found = Captures([], [], {("nyt", DATE): held[DATE]["nyt"]})
    settled = schedule.settled_days(found, frames.from_text(rows, "requests"))
    assert settled == (frozenset() if again else {("nyt", DATE)})


@pytest.mark.parametrize(("days", "over"), [(-1, False), (0, True)])
def test_the_week_of_a_day_is_over_when_anything_on_disk_came_seven_days_after_it(days, over):
    later = SETTLED + datetime.timedelta(days=5 + days)
    seen = {("nyt", DATE): SETTLED.isoformat(), ("nytbee", "2025-01-09"): later.isoformat()}
    assert (DATE in schedule.weeks_over(Captures([], [], seen), frames.empty("requests"))) is over


def test_an_imported_file_that_comes_unchanged_after_its_days_settled_settles_them(workspace, sample_days):
    """The first import was on the last day of the file, whose list could still grow."""
    last = max(day.date for day in sample_days)
    for at in (last, "2025-12-31"):
        file = receipts.Capture(SAMPLE.name, str(SAMPLE), SAMPLE.read_bytes(), f"{at}T12:00:00+00:00")
        captures.import_files(workspace, [file], "table", source_is_named=True)
        found = registry.load(workspace, "captures")
        settled = schedule.settled_days(found, frames.empty("requests"))
        assert (("table", last) in settled) is (at != last)


def test_a_refused_page_says_nothing_of_the_page_that_is_here():
    held = {DATE: {"nyt": (SETTLED - SECOND).isoformat()}}
    assert wants(History(held, asked("nyt", "error-page", LATER)), LATER)


@pytest.mark.parametrize(("more", "named"), [(-SECOND, 0), (0 * SECOND, 1), (SECOND, 1)])
def test_a_day_is_missing_from_the_moment_it_settled_at(more, named):
    assert len(schedule.missing_days(History({}, {}), [DATE], ["nyt"], SETTLED + more)) == named


@pytest.mark.parametrize(("more", "then"), [(-SECOND, "after 2025-02-04"), (0 * SECOND, "at the next fetch")])
@pytest.mark.parametrize("order", [1, -1])
def test_of_two_sources_the_one_that_is_asked_first_says_when(more, then, order):
    requests = asked("nyt", "missing", SETTLED + SECOND) | asked("nytbee", "missing", SETTLED + 9 * SECOND)
    now = SETTLED + SECOND + RETRY_MISSING + more
    (line,) = schedule.missing_days(History(SEEN, requests), [DATE], ["nyt", "nytbee"][::order], now)
    assert line == f"missing {DATE}: asked {', '.join(['nyt', 'nytbee'][::order])}; the next request is {then}"


@pytest.mark.parametrize(
    ("second", "held", "asks"),
    [
        ("never", (), True),
        ("never", ("nytbee",), False),
        ("live", ("nytbee",), True),
        ("live", ("lines",), False),
        ("always", ("lines",), True),
        ("always", ("lines", "nytbee"), False),
    ],
)
def test_a_second_source_is_asked_as_often_as_it_is_wanted(second, held, asks):
    history = History({DATE: dict.fromkeys(held, LATER.isoformat())}, {})
    assert schedule.should_request(history, "nyt", DATE, second, LATER) is asks


def test_a_log_that_cannot_be_written_is_named_with_the_reason(tmp_path):
    (tmp_path / "build/requests.csv").mkdir(parents=True)
    row = dict.fromkeys(("source", "date", "asked_at", "outcome", "etag", "modified"), "")
    with pytest.raises(StoreError, match=r"requests\.csv: Is a directory\. The existing lines are unchanged\."):
        receipts.append_row(Workspace(tmp_path).build / "requests.csv", row)


@pytest.mark.parametrize(
    ("asked_at", "held", "again"),
    [
        (SETTLED, SEEN, False),
        (LATER, SEEN, False),
        (LATER + SECOND, SEEN, True),
        (SETTLED, {DATE: {"plus": LATER.isoformat()}}, True),
        (SETTLED, {"2025-01-02": {"plus": LATER.isoformat()}}, True),
        (SETTLED, {}, True),
    ],
    ids=["past", "now", "clock was ahead", "this day is here", "newest day is earlier", "nothing is here"],
)
def test_a_page_is_missing_for_good_only_if_its_day_was_over(asked_at, held, again):
    history = History(held, asked("nyt", "missing", asked_at), frozenset({("plus", DATE)}))
    now = max(LATER, SETTLED + SECOND) if asked_at != SETTLED else SETTLED + SECOND
    assert wants(history, now) is again
    (line,) = schedule.missing_days(history, [DATE], ["nyt"], now)
    assert line.endswith("at the next fetch") is again


def test_a_source_fails_from_the_first_failure_after_its_last_good_answer():
    def row(date: str, outcome: str, at: datetime.datetime) -> tuple[tuple[str, str], dict[str, str]]:
        return ("nyt", date), {"asked_at": at.isoformat(), "outcome": outcome}

    days = [SETTLED + datetime.timedelta(days=number) for number in range(5)]
    requests = dict([
        row("2025-01-01", "error-page", days[0]), row("2025-01-02", "same", days[1]),
        row("2025-01-03", "forbidden", days[2]), row("2025-01-04", "missing", days[3]),
        row("2025-01-05", "unreachable", days[4]),
    ])  # fmt: skip
    assert schedule.failing(History({}, requests), "nyt") == (days[2].isoformat(), days[4].isoformat())
    assert schedule.failing(History({}, requests), "nytbee") == ("", "")
    assert schedule.failing(History({DATE: {"nyt": days[4].isoformat()}}, requests), "nyt") == ("", "")


@pytest.mark.parametrize(("before", "again"), [(SECOND, True), (0 * SECOND, False), (-SECOND, False)])
def test_a_page_that_came_since_the_run_started_is_not_asked_for_twice(before, again):
    now = SETTLED - SECOND
    captured = {DATE: {"nyt": (now - before).isoformat()}}
    assert wants(History(captured, {}), now) == again


@pytest.mark.parametrize(("not_asked", "named"), [("", 0), ("nyt", 1)])
def test_a_day_that_no_source_has_is_not_named_as_missing(not_asked, named):
    history = History({}, {}, not_asked=frozenset([(not_asked, DATE)]))
    assert len(schedule.missing_days(history, [DATE], ["nyt"], SETTLED)) == named


@pytest.mark.parametrize("not_asked", ["", "nyt"])
def test_a_day_that_is_no_longer_asked_for_is_no_failure_of_its_source(not_asked):
    history = History({}, asked("nyt", "forbidden", SETTLED), not_asked=frozenset([(not_asked, DATE)]))
    assert schedule.failing(history, "nyt") == ("", "")
