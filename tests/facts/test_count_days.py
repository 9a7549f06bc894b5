"""Which days count: by two sites, by one and the list, by no site, or by a person."""

from __future__ import annotations

import dataclasses

import pandas as pd
import pytest
from examples import GOOD, recorded

from pipeline.facts import count_days, new_record
from pipeline.facts.count_days import CountedDays, PriorKnowledge, checksum
from pipeline.facts.coverage import Coverage
from pipeline.facts.new_record import PublishedTables
from pipeline.tables import frames
from pipeline.words import Puzzle

DATE, LETTERS, OTHER_LETTERS = "2025-02-03", Puzzle("v", "acenot"), Puzzle("e", "acnotv")
ANSWERS = ["cave", "covenant", "cove", "nave", "ovate"]
LIST = pd.Series([*ANSWERS, "cane", "zone"], dtype="str")
"""All answers, a word that the letters spell without the center, and one that they cannot spell."""
COVERED = frozenset(f"2024-{month:02}-{day:02}" for month in range(1, 7) for day in range(1, 29))
KNOWN = PriorKnowledge(
    COVERED, {}, LIST, frozenset(ANSWERS), pd.Series([*LIST, "octave", "vacant", "covet"]), frozenset({"covet"})
)


def row(source: str, *words: str, date: str = DATE, letters: Puzzle = LETTERS, came: str = "1", **more: bool) -> dict:
    """A settled list of a source, in its first week."""
    said = {"date": date, "source": source, "center": letters.center, "outer": letters.outer, "came_at": came}
    return {**said, "answers": " ".join(sorted(words)), "seen_at": came, "settled": True, "week_over": False, **more}


def settled(*rows: dict, known: PriorKnowledge = KNOWN, from_nothing: bool = False, **named: str) -> CountedDays:
    """What follows from some lists and, with `source` and `check`, from what a person wrote about the date."""
    people = [{"date": DATE, "reason": "seen", "by": "ann", **named}] if named else []
    lists = frames.from_rows(rows, "day_lists")
    return count_days.count_days(lists, frames.from_rows(people, "named_days"), known, from_nothing)


def state(found: CountedDays) -> str:
    """Whether the day counts (with how many witnesses), waits (for a person or not), or neither."""
    for witnesses in found.puzzles["witnesses"]:
        return f"counts with {witnesses}"
    return "".join(f"waits{' for a person' if person else ''}" for person in found.waits["person"]) or "neither"


def unlike(number: int) -> list[str]:
    """The answers without as many of them as should differ."""
    return [word for word in ANSWERS if word not in ["cave", "cove", "nave", "ovate"][:number]]


@pytest.mark.parametrize(("differing", "week_over", "expected"), [
    (0, False, "counts with 1"), (1, False, "counts with 1"), (2, False, "waits"), (3, False, "waits"),
    (2, True, "counts with 1"), (3, True, "counts with 1"), (4, False, "waits for a person"),
    (4, True, "waits for a person"),
])  # fmt: skip
def test_a_day_of_one_site_counts_by_the_number_of_words_that_differ_from_the_list(differing, week_over, expected):
    for source in ("nyt", "nytbee", "plus", "blog"):
        assert state(settled(row(source, *unlike(differing), week_over=week_over))) == expected


def test_missing_and_extra_words_both_differ():
    assert state(settled(row("nyt", *unlike(1)))) == state(settled(row("nyt", *ANSWERS, "octave"))) == "counts with 1"
    assert state(settled(row("nyt", *unlike(1), "octave"))) == "waits"


@pytest.mark.parametrize(("differing", "expected"), [(3, "counts with 2"), (4, "waits for a person")])
def test_two_sites_count_whatever_the_list_has_unless_they_differ_on_four_words(differing, expected):
    strange = [*ANSWERS, "octave", "vacant", "covet", "xacov"]
    assert state(settled(row("nyt", *strange), row("plus", *strange))) == "counts with 2"
    found = settled(row("nyt", *ANSWERS), row("nytbee", *unlike(differing)))
    assert state(found) == expected
    if expected == "counts with 2":
        assert set(found.without_trial["word"]) == {"cave", "cove", "nave"}
        assert set(found.answers["word"]) == {"covenant", "ovate"}


def test_other_letters_wait_for_a_person_and_both_lists_have_a_command():
    found = settled(row("nyt", *ANSWERS), row("nytbee", *ANSWERS, letters=OTHER_LETTERS))
    assert state(found) == "waits for a person"
    assert all(f"`bee day {DATE} --source {each} " in found.waits["because"][0] for each in ("nyt", "nytbee"))


def test_all_sources_of_a_site_are_one_witness_and_a_page_of_one_day_is_right():
    found = settled(row("nytbee", *ANSWERS), row("plus", *unlike(2), came="2"))
    assert (state(found), set(found.answers["word"])) == ("counts with 1", set(ANSWERS))
    assert state(settled(row("nytbee", *ANSWERS), row("plus", *unlike(3)))) == "counts with 1"
    later = settled(row("days", *unlike(1), came="1"), row("nyt_page", *ANSWERS, came="2"))
    assert set(later.answers["word"]) == set(ANSWERS), "of two collections, what came later"
    for differing in (row("plus", *unlike(4)), row("plus", *ANSWERS, letters=OTHER_LETTERS)):
        assert state(settled(row("nytbee", *ANSWERS), differing, row("nyt", *ANSWERS))) == "waits for a person"


def test_an_untrusted_list_is_no_witness_and_counts_only_while_no_site_has_the_day():
    poisoned = unlike(4)
    assert state(settled(row("nyt", *poisoned), row("blog", *poisoned))) == "waits for a person"
    assert state(settled(row("blog", *ANSWERS), row("nyt", *ANSWERS, settled=False))) == "neither"
    assert settled(row("blog", *unlike(1)), row("nyt", *ANSWERS)).puzzles["source"].tolist() == ["nyt"]
    assert state(settled(row("blog", *ANSWERS), row("other", *ANSWERS))) == "counts with 1", "two copies are one"
    assert state(settled(row("blog", *poisoned), row("other", *poisoned))) == "waits for a person"


def test_one_site_alone_brings_in_no_slur_and_no_word_of_no_list():
    for word, why in (("covet", "slur"), ("octocat", "in no list")):
        alone = settled(row("nyt", *ANSWERS, word))
        assert (state(alone), alone.without_trial["word"].tolist()) == ("counts with 1", [word])
        assert why in alone.without_trial["because"][0]
        assert word not in set(alone.answers["word"])
        assert alone.track["without_trial"].tolist() == [word]
        accepted = dataclasses.replace(KNOWN, accepted=KNOWN.accepted | {word})
        assert settled(row("nyt", *ANSWERS, word), known=accepted).without_trial.empty
        assert settled(row("nyt", *ANSWERS, word), row("nytbee", *ANSWERS, word)).without_trial.empty


def test_covered_days_and_those_of_a_short_record_are_not_compared():
    strange = [*ANSWERS, "octave", "vacant", "covet", "octocat"]
    covered = settled(row("nyt", *strange, date=min(COVERED)), from_nothing=True)
    few = dataclasses.replace(KNOWN, covered=frozenset(sorted(COVERED)[: count_days.ENOUGH - 1]))
    for found in (covered, settled(row("blog", *strange), known=few)):
        assert (state(found), len(found.without_trial), len(found.track)) == ("counts with 1", 0, 0)
    enough = dataclasses.replace(KNOWN, covered=frozenset(sorted(COVERED)[: count_days.ENOUGH]))
    assert state(settled(row("nyt", *strange), known=enough)) == "waits for a person"


def test_a_covered_day_stays_counted_and_only_what_its_lists_share_is_shown():
    date = min(COVERED)
    known = dataclasses.replace(KNOWN, accepted_on={date: ANSWERS})
    lists = [row("nyt", *ANSWERS, date=date), row("nytbee", *unlike(4), date=date)]
    found = settled(*lists, known=known)
    assert (state(found), found.answers["word"].tolist(), len(found.track)) == ("counts with 2", ["covenant"], 0)
    assert set(found.without_trial["word"]) == {"cave", "cove", "nave", "ovate"}
    assert state(settled(*lists, known=known, from_nothing=True)) == "waits for a person", "a rebuild counts it anew"
    named = {"source": "nytbee", "check": checksum(LETTERS, frozenset(unlike(4)))}
    assert settled(
        *[{**each, "date": DATE} for each in lists],
        known=dataclasses.replace(known, covered=frozenset([DATE])),
        **named,
    ).without_trial.empty, "a person said which list is right"
    other = row("plus", *ANSWERS, date=date, letters=OTHER_LETTERS)
    found = settled(lists[0], other, known=dataclasses.replace(known, accepted_on={date: ["vatic", *ANSWERS][1:]}))
    assert found.puzzles["center"].tolist() == ["v"]
    unlike_the_record = dataclasses.replace(known, accepted_on={date: ["zone"]})
    assert state(settled(*lists, known=unlike_the_record)) == "neither", "the list that was counted is not here"


def test_a_list_that_can_still_change_neither_counts_nor_waits():
    assert state(settled(row("nyt", *ANSWERS, settled=False))) == "neither"
    found = settled(row("nyt", *ANSWERS), row("nytbee", *unlike(4), settled=False))
    assert state(found) == "counts with 1"


def test_a_person_names_the_list_that_counts_and_it_must_be_the_same_list():
    lists = [row("nyt", *ANSWERS), row("nytbee", *unlike(4))]
    named = {"source": "nytbee", "check": checksum(LETTERS, frozenset(unlike(4)))}
    found = settled(*lists, **named)
    assert (state(found), found.answers["word"].tolist()) == ("counts with 1", ["covenant"])
    assert (found.track["missing"].tolist(), found.track["extra"].tolist()) == ([0], [4])
    for now in ([row("nyt", *ANSWERS), row("nytbee", *unlike(3))], [row("nyt", *ANSWERS)]):
        waiting = settled(*now, **named)
        assert state(waiting).startswith("waits")
        assert f"`bee undo {DATE}`" in waiting.waits["because"][0]
    assert state(settled(row("nyt", *ANSWERS), **named)) == "waits", "that machine has the list, and no person can help"
    assert state(settled(*lists, source="none", check="")) == "waits for a person"
    both = [*lists, row("plus", *unlike(4)), row("days", *unlike(4))]
    assert state(settled(*both, **named)) == "counts with 2"
    assert state(settled(row("blog", *unlike(4)), **named)) == "counts with 1", "the list, whatever source has it now"


@pytest.mark.parametrize(("more", "says"), [(10, "10 words (aaav, "), (11, "and 1 more)")])
def test_a_sentence_names_ten_words(more, says):
    words = [f"{letter}aav" for letter in "abcdefghijk"[:more]]
    assert says in settled(row("nyt", *ANSWERS, *words)).waits["because"][0]


def test_the_track_record_counts_the_words_that_the_list_before_had_wrong():
    found = settled(row("nyt", *unlike(1), "octave"), row("nytbee", *unlike(1), "octave"))
    (of_day,) = frames.rows(found.track)
    assert (of_day["answers"], of_day["missing"], of_day["extra"], of_day["witnesses"]) == (5, 1, 1, 2)


def test_what_is_known_before_has_the_words_that_puzzles_accepted_even_once_and_the_slurs():
    rows = recorded(cave=(3, 0, "", "2025-01-03"), cove=(2, 1, "2025-01-01", "2025-01-02"), tote=GOOD)
    published = PublishedTables(rows, Coverage(frozenset(["2025-01-02"])), frames.empty("track"), pd.Series(["tote"]))
    graded = [{"word": "vane", "flag": "slur", "detail": ""}, {"word": "cave", "flag": "crude", "detail": ""}]
    prior = new_record.prior_knowledge(published, pd.Series(["cove"]), frames.from_rows(graded, "offensive_words"))
    assert (prior.accepted, prior.slurs) == ({"cove", "tote"}, {"vane"})
    assert prior.accepted_on == {"2025-01-02": ["tote"]}
