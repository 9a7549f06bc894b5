"""The track record: rows stay, and for two weeks the list of a second site is compared with what was counted."""

from __future__ import annotations

import pandas as pd
import pytest

from pipeline.facts import track
from pipeline.facts.count_days import TABLES, CountedDays
from pipeline.facts.coverage import Coverage
from pipeline.publishing import check
from pipeline.tables import frames

DATE, LAST = "2025-02-03", "2025-02-10"
COVERED = frozenset([DATE, LAST])
EMPTY = frames.empty("track")


def published(**cells: object) -> pd.DataFrame:
    """A published row of a day of one witness."""
    row = {"date": DATE, "source": "nyt", "witnesses": 1, "answers": 3, "missing": 0, "extra": 0}
    return frames.from_rows([row | {"without_trial": "", "differs": ""} | cells], "track")


def lists(source: str, answers: str, date: str = DATE, outer: str = "acenot", settled: bool = True) -> pd.DataFrame:
    row = {"date": date, "source": source, "center": "v", "outer": outer, "answers": answers, "came_at": "1"}
    return frames.from_rows([row | {"seen_at": "1", "settled": settled, "week_over": False}], "day_lists")


RECORD = frames.from_rows(
    [
        {"word": word, "offered": 1, "accepted": int(bool(accepted)), "first_accepted": accepted,
         "last_accepted": accepted, "last_refused": refused}
        for word, accepted, refused in
        [("covenant", DATE, ""), ("cove", DATE, ""), ("cave", "", DATE), ("nave", DATE, LAST), ("vane", "", LAST)]
    ],
    "record",
)  # fmt: skip


@pytest.mark.parametrize(("source", "answers", "witnesses", "differs"), [
    ("nytbee", "covenant cove", 2, ""), ("nytbee", "covenant cave", 2, "cave cove"),
    ("plus", "covenant cove ovate", 2, "ovate"), ("plus", "covenant cove nave vane", 2, ""),
    ("days", "covenant", 1, ""), ("blog", "covenant", 1, ""),
])  # fmt: skip
def test_a_second_site_is_compared_with_what_was_counted(source, answers, witnesses, differs):
    row = frames.rows(track.updated(published(), EMPTY, COVERED, lists(source, answers), RECORD))[0]
    assert (row["witnesses"], row["differs"]) == (witnesses, differs)


def test_other_letters_are_told_and_a_list_that_can_change_or_a_word_without_a_trial_is_not():
    other = track.updated(published(), EMPTY, COVERED, lists("nytbee", "vavav", outer="abdefg"), RECORD)
    assert (other["witnesses"][0], other["differs"][0]) == (1, "letters:vabdefg")
    early = track.updated(published(), EMPTY, COVERED, lists("nytbee", "covenant", settled=False), RECORD)
    assert early.equals(published())
    open_word = published(without_trial="ovate")
    found = track.updated(open_word, EMPTY, COVERED, lists("nytbee", "covenant cove ovate"), RECORD)
    assert (found["differs"][0], found["without_trial"][0]) == ("", "ovate")


def test_after_two_weeks_a_row_does_not_change_and_rows_of_lost_days_go():
    later = COVERED | {"2025-02-16"}
    assert track.updated(published(), EMPTY, later, lists("nytbee", "covenant"), RECORD)["witnesses"].tolist() == [2]
    later |= {"2025-02-17"}
    assert track.updated(published(), EMPTY, later, lists("nytbee", "covenant"), RECORD).equals(published())
    assert track.updated(published(), EMPTY, {LAST}, lists("nytbee", "covenant"), RECORD).empty


def test_a_word_on_which_sites_differ_is_a_violation_until_a_verdict():
    rows = published(without_trial="ovate", differs="cove cave")
    none = frames.empty("verdicts")
    found = dict(check.differing_sites(rows, Coverage(COVERED), RECORD, none))
    assert "`bee drop cove " in found[f"{DATE} cove"]
    assert "`bee keep cave " in found[f"{DATE} cave"]
    line = {"word": "cove", "verdict": "drop", "reason": "odd", "by": "ann", "after": LAST}
    verdicts = frames.from_rows([line], "verdicts")
    assert [*dict(check.differing_sites(rows, Coverage(COVERED), RECORD, verdicts))] == [f"{DATE} cave"]
    ended = verdicts.assign(after="")
    assert f"{DATE} cove" in dict(check.differing_sites(rows, Coverage(COVERED), RECORD, ended)), "a puzzle tried it"
    letters = dict(check.differing_sites(published(differs="letters:vabdefg"), Coverage(COVERED), RECORD, none))
    assert "vabdefg" in letters[f"{DATE} letters"]


def test_a_site_that_comes_after_an_untrusted_list_is_the_first_witness():
    of_blog = published(source="blog")
    one = track.updated(of_blog, EMPTY, COVERED, lists("nyt", "covenant"), RECORD)
    assert (one["witnesses"].tolist(), one["differs"].tolist()) == ([1], ["cove"])
    both = pd.concat([lists("nyt", "covenant cove"), lists("nytbee", "covenant cove")])
    assert track.updated(of_blog, EMPTY, COVERED, both, RECORD)["witnesses"].tolist() == [2]


@pytest.mark.parametrize("confirmed", [True, False])
def test_a_rebuild_decides_anew_what_a_confirmed_day_left_open(confirmed):
    empty = {name: frames.empty(name) for name in (*TABLES, "answers")}
    empty["without_trial"] = frames.from_rows([{"date": DATE, "word": "nave", "because": "so"}], "without_trial")
    settled = CountedDays(**empty, confirmed=frozenset([DATE] if confirmed else []))
    before = published(without_trial="ovate", differs="cove")
    row = frames.rows(track.recounted(before, settled))[0]
    assert (row["without_trial"], row["differs"]) == (("nave", "") if confirmed else ("ovate", "cove"))


def test_a_published_row_is_not_made_again():
    again = published(missing=3)
    rows = track.updated(published(), again, COVERED, lists("nyt", "covenant"), RECORD)
    assert rows.equals(published())
    assert track.updated(EMPTY, again, COVERED, lists("nytbee", "covenant"), RECORD).equals(again), "it is new"
    assert track.updated(EMPTY, again, {LAST}, lists("nyt", "covenant"), RECORD).empty


def test_published_words_without_a_trial_have_none_in_another_clone():
    found = track.without_trial(frames.empty("without_trial"), published(without_trial="cove ovate"))
    assert found["word"].tolist() == ["cove", "ovate"]
