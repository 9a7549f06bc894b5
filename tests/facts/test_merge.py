import itertools

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline import reader
from pipeline.errors import DataError
from pipeline.facts import evidence, merge, seal
from pipeline.facts.lists import DEFAULTS
from pipeline.intake import base_record
from pipeline.sources import TRUST_RANK
from pipeline.sources.day import official_day
from pipeline.tables import frames

ONE = official_day("2025-01-02", "e", "acnotv", ["cove", "covenant", "octave"])
GROWN = official_day("2025-01-02", "e", "acnotv", ["cove", "covenant", "octave", "tote"])
OTHER = official_day("2025-01-02", "n", "acetov", ["covenant"])
NEXT = official_day("2025-01-03", "n", "abdelu", ["null", "dunable"])
LATER = official_day("2025-01-04", "o", "acentv", ["cove", "covenant"])


def known(*words: str) -> pd.DataFrame:
    rows = [{"word": word, "known": True} for word in sorted(words)]
    return frames.from_rows(rows, "candidates")


def tried(*days, words=("cove", "covenant", "octave", "tote", "canto", "null", "dunable")):
    merged = merge.reconcile([("plus", each) for each in days], TRUST_RANK)
    puzzles, answers = merged.puzzles, merged.answers
    return puzzles, answers, merge.trials(puzzles, answers, known(*words))


REFUSING = official_day("2025-01-02", "e", "acnotv", ["cove", "covenant", "octave"], ["tote", "canoe", "canto", "cove"])


def test_a_word_that_one_source_refused_and_another_accepted_is_reported():
    (row,) = merge.refused_and_accepted([("nytbee", REFUSING), ("nyt", GROWN), ("days", GROWN)])
    assert (row.rule, row.subject) == ("refused-and-accepted", "2025-01-02 tote")
    assert row.detail == "nytbee lists it as refused, but days, nyt accepted it"
    assert merge.refused_and_accepted([("nytbee", REFUSING), ("nyt", ONE)]) == []
    assert merge.refused_and_accepted([("nytbee", REFUSING), ("nytbee", GROWN)]) == []


def test_a_trial_is_made_for_every_candidate_that_the_letters_spell():
    _, _, trials = tried(ONE, NEXT)
    assert [tuple(row) for row in trials.itertuples(index=False)] == [
        ("2025-01-02", "cove", True),
        ("2025-01-02", "covenant", True),
        ("2025-01-02", "octave", True),
        ("2025-01-02", "tote", False),
        ("2025-01-03", "dunable", True),
        ("2025-01-03", "null", True),
    ]


def test_the_record_counts_and_dates_every_trial():
    _, answers, trials = tried(ONE, LATER, GROWN)
    row = evidence.tally(trials, answers).set_index("word").loc["octave"]
    assert row.to_dict() == {
        "offered": 2, "accepted": 1, "first_accepted": "2025-01-02", "last_accepted": "2025-01-02",
        "last_rejected": "2025-01-04", "vouched": 1,
    }  # fmt: skip


@pytest.mark.parametrize("vouched", [(1, 2), (2, 1)])
def test_the_record_has_the_most_witnesses_of_any_day(vouched):
    _, answers, trials = tried(ONE, LATER, words=("cove",))
    answers = answers[answers["word"] == "cove"].assign(vouched=list(vouched))
    at_once = evidence.tally(trials, answers)
    assert list(at_once["vouched"]) == [2]
    parts = [evidence.tally(trials[trials["date"] == date], answers) for date in ("2025-01-02", "2025-01-04")]
    pd.testing.assert_frame_equal(evidence.add(*parts), at_once)


@pytest.mark.parametrize(("words", "held"), [(3, False), (4, True)])
def test_a_day_on_more_than_three_words_of_which_sources_differ_is_held(words, held):
    more = ("tote", "canto", "note", "tone")[:words]
    grown = official_day("2025-01-02", "e", "acnotv", [*ONE.answers, *(word.replace("canto", "once") for word in more)])
    conflicts = merge.reconcile([("nyt", grown), ("nytbee", ONE)], TRUST_RANK).conflicts
    assert bool(merge.unresolved_days(conflicts)) == held
    assert len(merge.disputed_words(conflicts)) == words


def test_a_list_that_settled_counts_before_one_that_could_still_grow():
    early, late = ("nyt", ONE), ("nytbee", GROWN)
    for order in ([early, late], [late, early]):
        merged = merge.reconcile(order, TRUST_RANK, {("nytbee", "2025-01-02")})
        puzzles, answers, conflicts = merged.puzzles, merged.answers, merged.conflicts
        assert list(puzzles["source"]) == ["nytbee"]
        assert "tote" in set(answers["word"])
        assert not conflicts["open"].any()
        (detail,) = conflicts["detail"]
        assert detail == "nytbee has it, but nyt does not; the list of nyt is not final yet and does not count"


def count(
    *days, base=evidence.NO_EVIDENCE, words=("cove", "covenant", "octave", "tote", "canto", "null", "dunable"), dates=()
):
    _, answers, trials = tried(*days, words=words)
    return evidence.counted(base, trials, answers, {*dates} or {each.date for each in days}, words)


@pytest.mark.parametrize("order", [[GROWN, LATER, ONE, NEXT], [ONE, NEXT, LATER, GROWN], [NEXT, GROWN, ONE, LATER]])
def test_days_on_disk_count_as_they_are_at_the_end_in_whatever_order_they_came(order):
    """GROWN is a later capture of the day of ONE. The days are added to the existing record."""
    base = count(official_day("2025-01-01", "e", "acnotv", ["octave", "covenant"]))
    for number in range(1, 5):
        here = {each.date: each for each in sorted(order[:number], key=lambda each: len(each.answers))}
        record = count(*here.values(), base=base)
    at_once = count(GROWN, NEXT, LATER, base=base)
    assert evidence.encode(record) == evidence.encode(at_once)


def test_a_word_that_the_record_does_not_have_counts_on_all_days_on_disk():
    """A new word of a new lexicon is also tried on covered days that are on disk."""
    base = count(ONE, LATER, words=("cove",))
    found = count(ONE, LATER, NEXT, base=base, words=("cove", "octave"), dates=[NEXT.date]).record
    assert {"cove": 2, "octave": 2}.items() <= dict(zip(found["word"], found["offered"], strict=True)).items()


def test_a_word_of_a_day_that_does_not_count_leaves_no_trace():
    _, answers, trials = tried(ONE, GROWN.__class__("2025-01-05", GROWN.puzzle, GROWN.answers))
    found = evidence.counted(evidence.NO_EVIDENCE, trials, answers, {"2025-01-02"}, {"cove", "covenant", "octave"})
    assert "tote" not in set(found.record["word"])
    assert found.covered == {"2025-01-02"}


@pytest.mark.parametrize(("whole", "way_out"), [(True, "import the files"), (False, "`bee restore`")])
def test_a_record_that_would_cover_fewer_days_is_refused(whole, way_out):
    base_record.require_all_days({"2025-01-02"}, {"2025-01-02", "2025-01-03"}, whole)
    with pytest.raises(DataError, match=f"would lose 1 .*2025-01-02..2025-01-02.*{way_out}"):
        base_record.require_all_days({"2025-01-02", "2025-01-03"}, {"2025-01-03"}, whole)


def test_words_that_wait_are_part_of_the_seal_and_come_back():
    waits = frozenset({("2025-01-02", "loll"), ("2025-01-02", "null")})
    whole = seal.sealed({"2025-01-02"}, b"word\nnull\n", waits)
    assert seal.opened(whole) == seal.FirstLine(frozenset({"2025-01-02"}), waits)
    with pytest.raises(DataError, match="checksum"):
        seal.opened(whole.replace(b" loll", b" lull"))


def test_a_word_that_waited_counts_when_it_no_longer_does():
    """The word was not counted with its day. The day is on disk, and everything else counts as before."""
    both = {ONE.date: ONE, LATER.date: LATER}
    waits = frozenset({(ONE.date, "cove")})
    whole = count(*both.values())
    _, answers, trials = tried(*both.values())
    words = {"cove", "covenant", "octave", "tote", "canto", "null", "dunable"}
    without = evidence.counted(evidence.NO_EVIDENCE, trials, answers, set(both), words, waits)
    assert (without.waiting, whole.waiting) == (waits, frozenset())
    counts = dict(zip(without.record["word"], without.record["offered"], strict=True))
    now = evidence.counted(without, trials, answers, set(), words)
    assert dict(zip(now.record["word"], now.record["offered"], strict=True))["cove"] == counts.get("cove", 0) + 1
    assert evidence.encode(now) == evidence.encode(
        evidence.counted(evidence.NO_EVIDENCE, trials, answers, set(both), words)
    )


def test_a_covered_day_is_not_counted_a_second_time():
    _, answers, trials = tried(ONE, LATER)
    once = evidence.counted(evidence.NO_EVIDENCE, trials, answers, {ONE.date, LATER.date}, ())
    again = evidence.counted(once, trials, answers, {LATER.date}, ())
    assert evidence.encode(again) == evidence.encode(once)


def test_no_flipped_bit_of_the_first_line_changes_the_covered_dates_unseen():
    whole = seal.sealed({"2025-01-02", "2025-01-04"}, b"word\nnull\n")
    for place in range(whole.index(b"\n") + 1):
        for bit in range(8):
            flipped = whole[:place] + bytes([whole[place] ^ 1 << bit]) + whole[place + 1 :]
            with pytest.raises(evidence.DataError):
                seal.coverage(flipped)


@given(st.sets(st.dates(pd.Timestamp("2018-05-09").date(), pd.Timestamp("2020-01-01").date()).map(str), max_size=30))
def test_coverage_is_read_as_it_is_written(dates):
    assert seal.coverage(seal.sealed(dates, b"word\nnull\n")) == dates


def test_an_answer_that_only_resembles_a_known_word_is_known():
    lexicon = pd.DataFrame([{**DEFAULTS, "word": "dogpile", "zipf": 1.0, "scowl_size": 95}])
    found = merge.candidates(lexicon, ["dogpiled", "zzyzzy"])
    assert dict(zip(found["word"], found["known"], strict=True)) == {"dogpile": True, "dogpiled": True, "zzyzzy": False}


def test_answers_of_days_that_were_not_asked_about_are_passed_over():
    puzzles, answers, everything = tried(ONE, LATER)
    words = pd.DataFrame({"word": sorted(set(everything["word"]))})
    later = puzzles[puzzles["date"] > "2025-01-02"]
    found = merge.trials(later, answers, words)
    expected = everything[everything["date"] > "2025-01-02"].reset_index(drop=True)
    pd.testing.assert_frame_equal(found, expected)


UNLIKE = official_day("2025-01-02", "n", "abdelu", ["dunable", "null"])
CANTO = official_day("2025-01-02", "n", "acetov", ["covenant", "canto"])


@pytest.mark.parametrize(
    ("versions", "used", "words", "still_open", "differing"),
    [
        ({"plus": ONE, "days": ONE}, "days", ONE, "", []),
        ({"plus": ONE, "days": GROWN}, "days", GROWN, "tote", ["plus"]),
        ({"mystery": GROWN, "plus": ONE}, "plus", ONE, "", ["mystery"]),
        ({"days": ONE, "nyt_page": GROWN}, "days", ONE, "tote", ["nyt_page"]),
        ({"nyt": ONE, "nytbee": GROWN, "plus": GROWN}, "nyt", GROWN, "", ["nytbee", "plus"]),
        ({"nyt": GROWN, "nytbee": ONE, "plus": ONE}, "nyt", ONE, "", ["nytbee", "plus"]),
        ({"nyt": GROWN, "days": GROWN, "nytbee": ONE, "plus": ONE}, "nyt", GROWN, "tote", ["nytbee", "plus"]),
        ({"nyt": UNLIKE, "nytbee": ONE, "plus": ONE}, "nytbee", ONE, "", ["nyt"]),
        ({"nyt": UNLIKE, "nytbee": ONE}, "nyt", UNLIKE, "letters", ["nytbee"]),
        ({"nyt": OTHER, "plus": OTHER, "days": ONE, "nytbee": ONE}, "nyt", OTHER, "letters", ["days", "nytbee"]),
        ({"nyt": ONE, "nytbee": ONE, "plus": CANTO}, "nyt", ONE, "", ["plus"]),
        ({"nyt": GROWN, "nytbee": ONE, "plus": CANTO}, "nyt", GROWN, "tote", None),
        ({"nyt": ONE, "mystery": GROWN, "unknown": GROWN}, "nyt", ONE, "", ["mystery", "unknown"]),
        ({"nyt": ONE, "mystery": OTHER, "unknown": OTHER}, "nyt", ONE, "", ["mystery", "unknown"]),
        ({"a-txt": ONE, "b-txt": GROWN}, "a-txt", ONE, "tote", ["b-txt"]),
        ({"a-txt": GROWN, "b-txt": ONE}, "a-txt", GROWN, "tote", ["b-txt"]),
        ({"a-txt": OTHER, "b-txt": ONE}, "a-txt", OTHER, "letters", ["b-txt"]),
        ({"a-txt": ONE, "b-txt": GROWN, "c-txt": GROWN}, "a-txt", GROWN, "", ["b-txt", "c-txt"]),
        ({"a-txt": OTHER, "b-txt": ONE, "c-txt": ONE}, "b-txt", ONE, "", ["a-txt"]),
        ({"sample": ONE, "table": GROWN}, "sample", ONE, "tote", ["table"]),
    ],
)
def test_the_majority_wins_and_without_one_the_most_trusted_source_is_used_and_what_differs_stays_open(
    versions, used, words, still_open, differing
):
    for order in itertools.islice(itertools.permutations(versions.items()), 6):
        merged = merge.reconcile(order, TRUST_RANK)
        puzzles, answers, conflicts = merged.puzzles, merged.answers, merged.conflicts
        assert (puzzles["source"].iloc[0], set(answers["word"])) == (used, set(words.answers))
        assert set(conflicts["subject"][conflicts["open"]]) == ({still_open} if still_open else set())
        assert differing is None or sorted(conflicts["source_b"]) == differing


@pytest.mark.parametrize(
    ("versions", "vouched", "detail"),
    [
        ([("plus", ONE), ("days", ONE)], 2, ""),
        ([("nyt", ONE), ("nytbee", ONE), ("plus", CANTO)], 2, ""),
        ([("days", ONE), ("plus", OTHER)], 1, f"plus has {OTHER.puzzle.letters}; the day waits"),
        ([("plus", ONE), ("days", GROWN)], 0, "days has it, but plus does not; the word waits"),
        ([("nyt", ONE), ("nytbee", ONE), ("plus", GROWN)], 0, "; more sources agree"),
        ([("nyt", ONE), ("mystery", GROWN)], 0, "; nyt is trusted more"),
        ([("a-txt", ONE), ("b-txt", GROWN)], 0, "b-txt has it, but a-txt does not; the word waits"),
        ([("days", ONE), ("days", GROWN)], 1, ""),
    ],
)
def test_sources_with_the_same_letters_vouch_together_and_a_conflict_says_how_it_ends(versions, vouched, detail):
    merged = merge.reconcile(versions, TRUST_RANK)
    answers, conflicts = merged.answers, merged.conflicts
    assert not vouched or set(answers["vouched"]) == {vouched}
    assert not detail or conflicts["detail"][0].endswith(detail)
    assert ("days before" in set(conflicts["source_b"])) == (versions[0][0] == versions[1][0])


@pytest.mark.parametrize(
    ("versions", "word", "witnesses"),
    [
        ([("nyt", GROWN), ("a-txt", ONE)], "tote", 1),
        ([("nyt", ONE), ("a-txt", GROWN)], "tote", 1),
        ([("nyt", GROWN), ("nytbee", GROWN), ("plus", ONE)], "tote", 2),
        ([("nyt", GROWN), ("nytbee", ONE), ("plus", ONE)], "tote", 2),
        ([("nyt", ONE), ("nyt", GROWN), ("nytbee", GROWN)], "tote", 2),
        ([("nyt", ONE), ("nytbee", ONE), ("plus", OTHER)], "letters", 2),
    ],
)
def test_a_source_that_lacks_a_word_is_no_witness_for_it(versions, word, witnesses):
    conflicts = merge.reconcile(versions, TRUST_RANK).conflicts
    assert set(conflicts["witnesses"][conflicts["subject"] == word]) == {witnesses}


def test_days_whose_letters_differ_are_held():
    conflicts = merge.reconcile([("nyt", UNLIKE), ("nytbee", ONE)], TRUST_RANK).conflicts
    assert merge.unresolved_days(conflicts) == {"2025-01-02": "sources differ on the letters"}


def test_where_no_list_has_settled_all_of_them_count():
    settled = {("nytbee", "2025-01-02"), ("nyt", "2025-01-03")}
    merged = merge.reconcile([("plus", GROWN), ("nyt", ONE)], TRUST_RANK, settled)
    puzzles, conflicts = merged.puzzles, merged.conflicts
    assert (list(puzzles["source"]), conflicts["open"].all()) == (["nyt"], True)


@pytest.mark.parametrize(
    ("span", "says"),
    [
        ("2025-01-02..soon", "not a range"),
        ("2018-05-08..2018-05-09", "in order and start at 2018-05-09"),
        ("2020-01-02..2020-01-01", "in order and start at 2018-05-09"),
        ("0001-01-01..9999-12-31", "in order and start at"),
    ],
)
def test_coverage_is_within_the_days_that_puzzles_can_have(span, says):
    later = "2099-01-01"  # whether that day has come is not for a stage to say
    assert seal.dates(f"2018-05-09..2018-05-09 {later}..{later}") == {"2018-05-09", later}
    with pytest.raises(evidence.DataError, match=says):
        seal.dates(span)


def test_a_seal_is_over_the_first_line_and_the_rows():
    body = b"word\nnull\nvoid\n"
    with pytest.raises(evidence.DataError, match="changed or cut short"):
        seal.coverage(seal.sealed({"2025-01-02"}, body)[:-5])
    with pytest.raises(evidence.DataError, match="does not start"):
        seal.coverage(body)
    over_rows_alone = f"# sha256 {reader.sha256(body)} covers 2025-01-02..2025-01-02\n".encode() + body
    with pytest.raises(evidence.DataError, match="changed or cut short"):
        seal.coverage(over_rows_alone)
