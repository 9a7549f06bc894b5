"""When a day is settled, and when a source is asked for it again: every threshold on both sides and at its value."""

import datetime

import pytest

from pipeline.fetching import schedule
from pipeline.fetching.captures import Request, stamp
from pipeline.fetching.schedule import LATE, RETRY_MISSING, SETTLING, History, settled_at

DATE = "2025-01-03"
SETTLED = settled_at(DATE)
OLD = SETTLED - SETTLING + datetime.timedelta(days=14)
SECOND = datetime.timedelta(seconds=1)
LATER = SETTLED + datetime.timedelta(days=99)


def asked(source: str, outcome: str, at: datetime.datetime, date: str = DATE) -> dict[tuple[str, str], Request]:
    """The last request for a day."""
    return {(source, date): Request(source, date, stamp(at), outcome)}


def wants(history: History, now: datetime.datetime, source: str = "nyt") -> bool:
    return schedule.should_request(history, source, DATE, now)


def test_a_day_settles_two_days_after_its_puzzle_at_3_in_new_york():
    assert settled_at("2025-01-03").isoformat() == "2025-01-05T03:00:00-05:00"
    assert settled_at("2025-07-03").astimezone(datetime.UTC).isoformat() == "2025-07-05T07:00:00+00:00"
    assert datetime.timedelta(days=2) == SETTLING


@pytest.mark.parametrize(
    ("requested_at", "now", "again"),
    [
        (OLD, OLD + RETRY_MISSING, False),
        (OLD, OLD + RETRY_MISSING + SECOND, True),
        (OLD - SECOND, OLD, True),
        (OLD, OLD, False),
        (LATER, LATER - SECOND, True),
    ],
    ids=["a month", "more than a month", "within two weeks", "after two weeks", "the clock was ahead"],
)
def test_a_page_that_was_missing_is_asked_for_again(requested_at, now, again):
    assert wants(History({}, asked("nyt", "missing", requested_at)), now) is again


@pytest.mark.parametrize(("more", "again"), [(-SECOND, True), (0 * SECOND, False), (SECOND, False)])
def test_a_page_that_is_here_is_asked_for_again_if_it_was_last_seen_before_it_settled(more, again):
    seen = stamp(SETTLED + more)
    assert wants(History({DATE: {"nyt": seen}}, asked("nyt", "error-page", LATER)), LATER) is again
    assert schedule.settled_days({("nyt", DATE): seen}) == (frozenset() if again else {("nyt", DATE)})


@pytest.mark.parametrize(("days", "over"), [(-1, False), (0, True)])
def test_the_week_of_a_day_is_over_when_anything_on_disk_came_seven_days_after_it(days, over):
    later = SETTLED + datetime.timedelta(days=5 + days)
    seen = {("nyt", DATE): stamp(SETTLED), ("nytbee", "2025-01-09"): stamp(later)}
    assert (DATE in schedule.weeks_over(seen)) is over


@pytest.mark.parametrize(
    ("held", "rejected", "asks"),
    [
        ((), (), True),
        (("nytbee",), (), True),
        (("nytbee", "mine"), (), True),
        (("nytbee", "lines"), (), False),
        (("nytbee", "lines"), ("lines",), True),
    ],
)
def test_a_source_is_asked_until_two_trusted_ones_have_a_day(held, rejected, asks):
    seen = {DATE: dict.fromkeys(held, stamp(LATER))}
    assert wants(History(seen, {}, frozenset((source, DATE) for source in rejected)), LATER) is asks


@pytest.mark.parametrize(("before", "again"), [(SECOND, True), (0 * SECOND, False), (-SECOND, False)])
def test_a_page_that_came_since_the_run_started_is_not_asked_for_twice(before, again):
    now = SETTLED - SECOND
    assert wants(History({DATE: {"nyt": stamp(now - before)}}, {}), now) == again


@pytest.mark.parametrize(
    ("not_asked", "source", "asks"), [("", "nyt", False), ("nyt", "nyt", False), ("nyt", "nytbee", True)]
)
def test_a_day_that_a_person_said_no_source_has_is_not_asked_for(not_asked, source, asks):
    assert wants(History({}, {}, not_asked=frozenset([(not_asked, DATE)])), LATER, source) is asks


@pytest.mark.parametrize(
    ("history", "now", "named"),
    [
        (History({}, {}), SETTLED + LATE, True),
        (History({}, {}), SETTLED + LATE - SECOND, False),
        (History({DATE: {"mine": ""}}, {}), LATER, False),
        (History({DATE: {"mine": ""}}, {}, rejected=frozenset([("mine", DATE)])), LATER, True),
        (History({}, {}, not_asked=frozenset([("", DATE)])), LATER, False),
        (History({}, {}, not_asked=frozenset([("nyt", DATE)])), LATER, True),
    ],
)
def test_a_day_that_no_source_has_is_named_three_days_after_it_settled(history, now, named):
    assert schedule.days_without_source(history, [DATE], now) == [DATE] * named


@pytest.mark.parametrize(
    ("held", "outcome", "listed"),
    [
        (["nyt"], "no-pangram", 1),
        ([], "no-pangram", 0),
        (["nyt", "nytbee"], "no-pangram", 0),
        (["nyt"], "challenge", 0),
    ],
)
def test_a_refused_page_is_listed_if_another_source_alone_has_the_day(held, outcome, listed):
    known = History({DATE: dict.fromkeys(held, stamp(LATER))}, asked("nytbee", outcome, LATER))
    assert len(schedule.refused_pages(known, {"no-pangram"})) == listed


def test_a_source_fails_from_the_first_failure_after_its_last_good_answer():
    days = [SETTLED + datetime.timedelta(days=number) for number in range(5)]
    outcomes = ("error-page", "same", "forbidden", "missing", "unreachable")
    requests: dict[tuple[str, str], Request] = {}
    for at, (day, outcome) in enumerate(zip(days, outcomes, strict=True), 1):
        requests |= asked("nyt", outcome, day, f"2025-01-0{at}")
    assert schedule.failing(History({}, requests), "nyt") == (stamp(days[2]), stamp(days[4]))
    assert schedule.failing(History({}, requests), "nytbee") == ("", "")
    assert schedule.failing(History({DATE: {"nyt": stamp(days[4])}}, requests), "nyt") == ("", "")
    not_asked = frozenset(("", f"2025-01-0{at}") for at in range(1, 6))
    assert schedule.failing(History({}, requests, not_asked=not_asked), "nyt") == ("", "")
