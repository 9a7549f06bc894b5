import itertools

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline import reader
from pipeline.facts import evidence, merge, seal
from pipeline.facts.lists import DEFAULTS
from pipeline.intake import counting
from pipeline.sources import TRUST
from pipeline.sources.day import day
from pipeline.tables import frames
from pipeline.words import mask

ONE = day("2025-01-02", "e", "acnotv", ["cove", "covenant", "octave"])
GROWN = day("2025-01-02", "e", "acnotv", ["cove", "covenant", "octave", "tote"])
OTHER = day("2025-01-02", "n", "acetov", ["covenant"])
NEXT = day("2025-01-03", "n", "abdelu", ["null", "dunable"])
LATER = day("2025-01-04", "o", "acentv", ["cove", "covenant"])


def known(*words: str) -> pd.DataFrame:
    rows = [{"word": word, "mask": mask(word), "known": True} for word in sorted(words)]
    return frames.from_rows(rows, "candidates")


def tried(*days, words=("cove", "covenant", "octave", "tote", "canto", "null", "dunable")):
    puzzles, answers, _ = merge.reconcile([("plus", each) for each in days], TRUST)
    return puzzles, answers, merge.trials(puzzles, answers, known(*words))


def test_two_sources_that_agree_vouch_together_and_make_no_conflict():
    puzzles, answers, conflicts = merge.reconcile([("plus", ONE), ("days", ONE)], TRUST)
    assert list(puzzles["source"]) == ["days"]
    assert set(answers["vouched"]) == {2}
    assert conflicts.empty


def test_the_more_trusted_source_is_used_and_the_difference_is_a_row():
    for order in ([("plus", ONE), ("days", GROWN)], [("days", GROWN), ("plus", ONE)]):
        puzzles, answers, conflicts = merge.reconcile(order, TRUST)
        assert list(puzzles["source"]) == ["days"]
        assert "tote" in set(answers["word"])
        assert conflicts.to_dict("records") == [
            {
                "date": "2025-01-02", "subject": "tote", "source_a": "days", "source_b": "plus",
                "detail": "days has it, plus does not; the word waits",
                "open": True,
            }
        ]  # fmt: skip
    assert dict(zip(answers["word"], answers["vouched"], strict=True))["tote"] == 1


def test_a_source_that_nobody_knows_is_trusted_least():
    for order in ([("mystery", GROWN), ("plus", ONE)], [("plus", ONE), ("mystery", GROWN)]):
        puzzles, answers, _ = merge.reconcile(order, TRUST)
        assert list(puzzles["source"]) == ["plus"]
        assert "tote" not in set(answers["word"])


def test_every_source_that_differs_on_a_word_is_a_conflict_of_its_own():
    _, _, conflicts = merge.reconcile([("nyt", ONE), ("seed", GROWN), ("plus", GROWN)], TRUST)
    assert list(conflicts["source_b"]) == ["plus", "seed"]
    assert set(conflicts["subject"]) == {"tote"}


def test_other_letters_are_one_conflict():
    _, answers, conflicts = merge.reconcile([("days", ONE), ("plus", OTHER)], TRUST)
    assert list(conflicts["subject"]) == ["letters"]
    assert set(answers["vouched"]) == {1}
    assert conflicts["detail"][0].endswith(f"plus has {OTHER.puzzle.letters}; days is used")


def test_a_later_capture_of_a_source_replaces_its_earlier_one_and_says_so():
    _, answers, conflicts = merge.reconcile([("days", ONE), ("days", GROWN)], TRUST)
    assert "tote" in set(answers["word"])
    assert list(conflicts["source_b"]) == ["days before"]


REFUSING = day("2025-01-02", "e", "acnotv", ["cove", "covenant", "octave"], ["tote", "canoe", "canto", "cove"])


def test_refused_words_are_kept_when_the_puzzle_could_have_them_and_did_not():
    assert REFUSING.refused == ("canoe", "tote")


def test_a_word_that_one_source_refused_and_another_accepted_is_reported():
    (row,) = merge.refused_and_accepted([("nytbee", REFUSING), ("nyt", GROWN), ("days", GROWN)])
    assert (row.rule, row.subject) == ("refused-and-accepted", "2025-01-02 tote")
    assert row.detail == "nytbee lists it as refused, days, nyt accepted it"
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


def test_null_is_a_word_with_a_record():
    _, answers, trials = tried(NEXT)
    record = evidence.tally(trials, answers)
    assert record.set_index("word").loc["null", "accepted"] == 1


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


def agreed(*versions):
    """What is used of a day that several sources have, and what stays open."""
    for order in itertools.permutations(versions):
        puzzles, answers, conflicts = merge.reconcile(order, TRUST)
        yield puzzles["source"].iloc[0], set(answers["word"]), set(conflicts["subject"][conflicts["open"]]), conflicts


def test_two_trusted_sources_win_against_a_third_and_the_conflict_is_still_listed():
    for source, words, still_open, conflicts in agreed(("nyt", ONE), ("nytbee", GROWN), ("plus", GROWN)):
        assert (source, "tote" in words, still_open) == ("nyt", True, set())
        assert set(conflicts["subject"]) == {"tote"}
    for source, words, still_open, _ in agreed(("nyt", GROWN), ("nytbee", ONE), ("plus", ONE)):
        assert (source, "tote" in words, still_open) == ("nyt", False, set())
    for _, words, still_open, _ in agreed(("nyt", GROWN), ("nytbee", ONE)):
        assert ("tote" in words, still_open) == (True, {"tote"})
    for _, _, still_open, _ in agreed(("nyt", GROWN), ("days", GROWN), ("nytbee", ONE), ("plus", ONE)):
        assert still_open == {"tote"}


def test_two_sources_win_on_the_letters_too_and_one_against_one_stays_open():
    other = day("2025-01-02", "n", "abdelu", ["dunable", "null"])
    for source, words, still_open, _ in agreed(("nyt", other), ("nytbee", ONE), ("plus", ONE)):
        assert (source, words, still_open) == ("nytbee", set(ONE.answers), set())
    for source, _, still_open, conflicts in agreed(("nyt", other), ("nytbee", ONE)):
        assert (source, still_open) == ("nyt", {"letters"})
        assert merge.torn(conflicts) == {"2025-01-02": "sources differ on the letters"}


@pytest.mark.parametrize(("words", "held"), [(3, False), (4, True)])
def test_a_day_on_more_than_three_words_of_which_sources_differ_is_held(words, held):
    more = ("tote", "canto", "note", "tone")[:words]
    grown = day("2025-01-02", "e", "acnotv", [*ONE.answers, *(word.replace("canto", "once") for word in more)])
    _, _, conflicts = merge.reconcile([("nyt", grown), ("nytbee", ONE)], TRUST)
    assert bool(merge.torn(conflicts)) == held
    assert len(merge.disputed(conflicts)) == words


def test_a_list_that_settled_counts_before_one_that_could_still_grow():
    early, late = ("nyt", ONE), ("nytbee", GROWN)
    for order in ([early, late], [late, early]):
        puzzles, answers, conflicts = merge.reconcile(order, TRUST, {("nytbee", "2025-01-02")})
        assert list(puzzles["source"]) == ["nytbee"]
        assert "tote" in set(answers["word"])
        assert not conflicts["open"].any()
        (detail,) = conflicts["detail"]
        assert detail == "nytbee has it, nyt does not; the list of nyt is not settled and does not count"


def test_where_no_list_has_settled_all_of_them_count():
    for order in ([("nyt", ONE), ("plus", GROWN)], [("plus", GROWN), ("nyt", ONE)]):
        puzzles, _, conflicts = merge.reconcile(order, TRUST, {("nytbee", "2025-01-02"), ("nyt", "2025-01-03")})
        assert list(puzzles["source"]) == ["nyt"]
        assert conflicts["open"].all()


def test_of_two_sources_of_equal_trust_the_first_by_name_is_used():
    assert TRUST["days"] == TRUST["nyt_page"]
    for one, two in ((ONE, GROWN), (GROWN, ONE)):
        assert {source for source, *_ in agreed(("days", one), ("nyt_page", two))} == {"days"}


def test_a_source_with_other_letters_vouches_for_no_answer_and_has_no_vote_on_a_word():
    other = day("2025-01-02", "n", "acetov", ["covenant", "canto"])
    for source, words, _, _ in agreed(("nyt", ONE), ("nytbee", ONE), ("plus", other)):
        assert (source, words) == ("nyt", set(ONE.answers))
    for _, words, still_open, _ in agreed(("nyt", GROWN), ("nytbee", ONE), ("plus", other)):
        assert ("tote" in words, still_open) == (True, {"tote"})
    _, answers, _ = merge.reconcile([("nyt", ONE), ("nytbee", ONE), ("plus", other)], TRUST)
    assert set(answers["vouched"]) == {2}


def test_sources_that_nobody_knows_have_no_vote():
    for source, words, still_open, _ in agreed(("nyt", ONE), ("mystery", GROWN), ("unknown", GROWN)):
        assert (source, words, still_open) == ("nyt", set(ONE.answers), set())
    for source, _, still_open, _ in agreed(("nyt", ONE), ("mystery", OTHER), ("unknown", OTHER)):
        assert (source, still_open) == ("nyt", set())


def test_two_against_two_on_the_letters_stay_open():
    for source, _, still_open, _ in agreed(("nyt", OTHER), ("plus", OTHER), ("days", ONE), ("nytbee", ONE)):
        assert (source, still_open) == ("nyt", {"letters"})


def test_a_conflict_says_that_two_agree_only_if_two_do():
    for source, said in (("plus", "two agree"), ("mystery", "nyt is trusted more")):
        versions = [("nyt", ONE), ("nytbee", ONE), (source, GROWN)][:: 1 if source == "plus" else 2]
        for _, _, still_open, conflicts in agreed(*versions):
            assert (still_open, list(conflicts["source_b"])) == (set(), [source])
            assert conflicts["detail"][0].endswith(f"; {said}")


def count(
    *days, base=evidence.NONE, words=("cove", "covenant", "octave", "tote", "canto", "null", "dunable"), dates=()
):
    _, answers, trials = tried(*days, words=words)
    return evidence.counted(base, trials, answers, {*dates} or {each.date for each in days}, words)


@settings(max_examples=20, deadline=None)
@given(st.permutations([ONE, NEXT, LATER, GROWN]))
def test_days_on_disk_count_as_they_are_at_the_end_in_whatever_order_they_came(order):
    """GROWN is a later capture of the day of ONE; the record so far is what the days are counted onto."""
    base = count(day("2025-01-01", "e", "acnotv", ["octave", "covenant"]))
    for number in range(1, 5):
        here = {each.date: each for each in sorted(order[:number], key=lambda each: len(each.answers))}
        record = count(*here.values(), base=base)
    at_once = count(GROWN, NEXT, LATER, base=base)
    assert evidence.encode(record) == evidence.encode(at_once)


def test_a_word_that_the_record_does_not_have_counts_on_all_days_on_disk():
    """A new word of a new lexicon is tried on covered days too, as far as they are on disk."""
    base = count(ONE, LATER, words=("cove",))
    found = count(ONE, LATER, NEXT, base=base, words=("cove", "octave"), dates=[NEXT.date]).record
    assert {"cove": 2, "octave": 2}.items() <= dict(zip(found["word"], found["offered"], strict=True)).items()


def test_a_word_of_a_day_that_does_not_count_leaves_no_trace():
    _, answers, trials = tried(ONE, GROWN.__class__("2025-01-05", GROWN.puzzle, GROWN.answers))
    found = evidence.counted(evidence.NONE, trials, answers, {"2025-01-02"}, {"cove", "covenant", "octave"})
    assert "tote" not in set(found.record["word"])
    assert found.covered == {"2025-01-02"}


@pytest.mark.parametrize(("whole", "way_out"), [(True, "import the files"), (False, "`bee restore`")])
def test_a_record_that_would_cover_fewer_days_is_refused(whole, way_out):
    counting.need_all({"2025-01-02"}, {"2025-01-02", "2025-01-03"}, whole)
    with pytest.raises(seal.EvidenceError, match=f"would lose 1 .*2025-01-02..2025-01-02.*{way_out}"):
        counting.need_all({"2025-01-02", "2025-01-03"}, {"2025-01-03"}, whole)


def test_words_that_wait_are_part_of_the_seal_and_come_back():
    waits = frozenset({("2025-01-02", "loll"), ("2025-01-02", "null")})
    whole = seal.sealed({"2025-01-02"}, b"word\nnull\n", waits)
    assert seal.opened(whole) == ({"2025-01-02"}, waits)
    with pytest.raises(seal.EvidenceError, match="checksum"):
        seal.opened(whole.replace(b" loll", b" lull"))


def test_a_word_that_waited_counts_when_it_no_longer_does():
    """It had not counted with its day; the day is on disk, and everything else counts as it did."""
    both = {ONE.date: ONE, LATER.date: LATER}
    waits = frozenset({(ONE.date, "cove")})
    whole = count(*both.values())
    _, answers, trials = tried(*both.values())
    words = {"cove", "covenant", "octave", "tote", "canto", "null", "dunable"}
    without = evidence.counted(evidence.NONE, trials, answers, set(both), words, waits)
    assert (without.waits, whole.waits) == (waits, frozenset())
    counts = dict(zip(without.record["word"], without.record["offered"], strict=True))
    now = evidence.counted(without, trials, answers, set(), words)
    assert dict(zip(now.record["word"], now.record["offered"], strict=True))["cove"] == counts.get("cove", 0) + 1
    assert evidence.encode(now) == evidence.encode(evidence.counted(evidence.NONE, trials, answers, set(both), words))


def test_a_word_that_no_list_knows_and_that_waited_counts_when_it_no_longer_does():
    """Only its own day tells that it is a word."""
    _, answers, trials = tried(ONE, LATER)
    waits = frozenset({(ONE.date, "octave")})
    without = evidence.counted(evidence.NONE, trials, answers, {ONE.date, LATER.date}, (), waits)
    assert "octave" not in set(without.record["word"])
    now = evidence.counted(without, trials, answers, set(), ())
    assert now.record.set_index("word").loc["octave", ["offered", "accepted"]].tolist() == [2, 1]


def test_only_words_of_covered_days_wait_in_the_record():
    _, answers, trials = tried(ONE, LATER)
    waits = frozenset({(ONE.date, "cove"), (LATER.date, "cove")})
    assert evidence.counted(evidence.NONE, trials, answers, {ONE.date}, (), waits).waits == {(ONE.date, "cove")}


def test_a_covered_day_is_not_counted_a_second_time():
    _, answers, trials = tried(ONE, LATER)
    once = evidence.counted(evidence.NONE, trials, answers, {ONE.date, LATER.date}, ())
    again = evidence.counted(once, trials, answers, {LATER.date}, ())
    assert evidence.encode(again) == evidence.encode(once)


def test_evidence_without_its_first_line_is_refused():
    with pytest.raises(evidence.EvidenceError, match="does not start"):
        seal.coverage(b"word,offered\n")
    with pytest.raises(evidence.EvidenceError, match="not a range"):
        seal.dates("2025-01-02..soon")


def test_coverage_is_within_the_days_that_puzzles_can_have():
    later = "2099-01-01"  # whether that day has come is not for a stage to say
    assert seal.dates(f"2018-05-09..2018-05-09 {later}..{later}") == {"2018-05-09", later}
    for span in (
        "2018-05-08..2018-05-09",
        "2020-01-02..2020-01-01",
    ):
        with pytest.raises(evidence.EvidenceError, match="days run from 2018-05-09"):
            seal.dates(span)
    with pytest.raises(evidence.EvidenceError):
        seal.dates("0001-01-01..9999-12-31")


def test_no_flipped_bit_of_the_first_line_changes_the_covered_dates_unseen():
    whole = seal.sealed({"2025-01-02", "2025-01-04"}, b"word\nnull\n")
    for place in range(whole.index(b"\n") + 1):
        for bit in range(8):
            flipped = whole[:place] + bytes([whole[place] ^ 1 << bit]) + whole[place + 1 :]
            with pytest.raises(evidence.EvidenceError):
                seal.coverage(flipped)


def test_evidence_of_release_0_2_0_whose_seal_is_over_the_rows_alone_is_read():
    body = b"word\nnull\n"
    old = f"# sha256 {reader.sha256(body)} covers 2025-01-02..2025-01-02\n".encode() + body
    assert seal.coverage(old) == {"2025-01-02"}


@given(st.sets(st.dates(pd.Timestamp("2018-05-09").date(), pd.Timestamp("2020-01-01").date()).map(str), max_size=30))
def test_coverage_is_read_as_it_is_written(dates):
    assert seal.coverage(seal.sealed(dates, b"word\nnull\n")) == dates


def test_evidence_that_was_cut_short_is_refused():
    whole = seal.sealed({"2025-01-02"}, b"word\nnull\nvoid\n")
    with pytest.raises(evidence.EvidenceError, match="changed or cut short"):
        seal.coverage(whole[:-5])


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
