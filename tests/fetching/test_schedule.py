"""When a day is settled, and when a source is asked for it again: every threshold on both sides and at its value."""

import datetime

import pandas as pd
import pytest

from pipeline.fetching import schedule
from pipeline.fetching.captures import stamp
from pipeline.fetching.schedule import LATE, SETTLING, Sightings, settled_at

DATE = "2025-01-03"
SETTLED = settled_at(DATE)
SECOND = datetime.timedelta(seconds=1)
LATER = SETTLED + datetime.timedelta(days=99)
NOTHING = Sightings({})


def wants(seen: Sightings, now: datetime.datetime, source: str = "nyt") -> bool:
    return schedule.should_request(seen, source, DATE, now)


def lists(*seen: tuple[str, str, datetime.datetime]) -> pd.DataFrame:
    """Lists of `captures.load`: source, date and when they were seen."""
    rows = [(source, date, stamp(at)) for source, date, at in seen]
    frame = pd.DataFrame(rows, columns=["source", "date", "seen_at"])
    return frame.assign(center="", outer="", answers="", came_at="")


def test_a_day_settles_two_days_after_its_puzzle_at_3_in_new_york():
    assert settled_at("2025-01-03").isoformat() == "2025-01-05T03:00:00-05:00"
    assert settled_at("2025-07-03").astimezone(datetime.UTC).isoformat() == "2025-07-05T07:00:00+00:00"
    assert datetime.timedelta(days=2) == SETTLING


@pytest.mark.parametrize(("more", "again"), [(-SECOND, True), (0 * SECOND, False)])
def test_a_page_that_is_here_is_asked_for_again_if_it_was_last_seen_before_it_settled(more, again):
    seen = lists(("nyt", DATE, SETTLED + more))
    assert wants(schedule.sightings(seen, ()), LATER) is again
    assert schedule.with_settled(seen)["settled"].tolist() == [not again]


@pytest.mark.parametrize(("days", "over"), [(-1, False), (0, True)])
def test_the_week_of_a_day_is_over_when_anything_on_disk_came_seven_days_after_it(days, over):
    later = SETTLED + datetime.timedelta(days=5 + days)
    found = schedule.with_settled(lists(("nyt", DATE, SETTLED), ("nytbee", "2025-01-09", later)))
    assert found["week_over"].tolist() == [over, False]


@pytest.mark.parametrize(
    ("held", "at", "nyt", "nytbee"),
    [
        ((), LATER, True, True),
        (("nytbee",), LATER, True, False),
        (("plus",), SETTLED, True, False),
        (("plus",), SETTLED - SECOND, True, True),  # a list that can still change, and that nobody asks for again
        (("nyt_page",), SETTLED - SECOND, False, True),
        (("mine",), LATER, True, True),
    ],
)
def test_a_site_is_asked_until_it_has_a_day(held, at, nyt, nytbee):
    seen = Sightings({DATE: dict.fromkeys(held, stamp(at))})
    assert (wants(seen, LATER, "nyt"), wants(seen, LATER, "nytbee")) == (nyt, nytbee)


@pytest.mark.parametrize(("before", "again"), [(SECOND, True), (0 * SECOND, False)])
def test_a_page_that_came_since_the_run_started_is_not_asked_for_twice(before, again):
    now = SETTLED - SECOND
    assert wants(Sightings({DATE: {"nyt": stamp(now - before)}}), now) == again


def test_a_day_that_no_source_has_is_not_asked_for():
    assert not wants(Sightings({}, frozenset([DATE])), LATER)


@pytest.mark.parametrize(
    ("seen", "now", "named"),
    [
        (NOTHING, SETTLED + LATE, True),
        (NOTHING, SETTLED + LATE - SECOND, False),
        (Sightings({DATE: {"mine": ""}}), LATER, False),
        (Sightings({}, frozenset([DATE])), LATER, False),
    ],
)
def test_a_day_that_no_source_has_is_named_three_days_after_it_settled(seen, now, named):
    assert schedule.days_without_source(seen, [DATE], now) == [DATE] * named
