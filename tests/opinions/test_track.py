"""The track record, held days and drift: what is expected of a day before it is counted."""

import dataclasses
import math
import random

import pandas as pd
import pytest
import simulated
from conftest import PROJECT

from pipeline.facts import merge
from pipeline.facts.evidence import Evidence
from pipeline.intake import checkpoint, new_days, track
from pipeline.intake.record_state import NO_CHECKPOINT
from pipeline.intake.track import Outcome, WordRecord
from pipeline.opinions import constancy
from pipeline.tables import frames

WORDS = ("cove", "octave", "tote")


@pytest.mark.parametrize(
    ("past", "age"),
    [
        (WordRecord(3, 3, "2024-02-01", True), 366),
        (WordRecord(3, 0, "2024-02-02", False), 365),
        (WordRecord(3, 1, "2024-02-02", True), 365),
        (WordRecord(3, 2, "2025-02-11", False), 10),  # a day that came late
    ],
)
def test_a_word_with_a_record_is_expected_to_do_what_it_did_last_as_surely_as_p_says(past, age):
    cells = {"mixed": 0 < past.accepted < past.offered, "age": age, "trials": 3, "zipf": 2.5, "size": 60.0}
    agreed = constancy.agreement(past.accepted_last, {**cells, "years": constancy.years("2025-02-01")})
    found = track.probability(past, 0.5, "2025-02-01", (2.5, 60.0))
    assert found == pytest.approx(float(agreed if past.accepted_last else 1 - agreed))
    assert found != track.probability(past, 0.5, "2025-02-01")


def score_of(date, pairs, record, estimates=None, plain=WORDS, rarity=None):
    return track.score(date, [Outcome(*pair) for pair in pairs], record, estimates or {}, plain, rarity or {})


def test_two_reversals_of_old_records_do_not_hold_a_day_as_no_outcome_is_more_surprising_than_one():
    record = {"alfa": WordRecord(63, 0, "2025-01-31", False), "luff": WordRecord(50, 0, "2025-01-31", False)}
    found = score_of("2025-02-04", [("alfa", True), ("luff", True)], record)
    assert (found.wrong, new_days.why_held(found)) == (2, "")
    record = {"cove": WordRecord(90, 90, "2025-01-31", True)}
    found = score_of("2025-02-01", [("cove", False)], record, rarity={"cove": (5.0, 10.0)})
    assert found.probability_of_outcome == {"cove": pytest.approx(1 - track.CERTAIN)}
    assert found.surprise == pytest.approx(-math.log2(1 - track.CERTAIN), abs=0.02)
    assert track.counts_of(found)["expected"] > track.CERTAIN, "an expected exact list is not capped"


@pytest.mark.parametrize(("estimate", "expected"), [(0.0, 0.005), (0.4, 0.4), (1.0, 0.995)])
def test_a_word_without_a_record_has_its_estimate_and_none_is_sure(estimate, expected):
    assert track.probability(None, estimate, "2025-02-01") == pytest.approx(expected)


def scored(*trials, record=None, estimates=None, plain=WORDS):
    return score_of("2025-02-01", trials, record or {}, estimates or {}, plain)


def test_a_row_counts_what_came_out_otherwise_than_the_list_has_it():
    found = scored(
        ("cove", True), ("octave", False), ("tote", False),
        record={"cove": WordRecord(5, 0, "2025-01-01", False)}, estimates={"octave": 0.5, "tote": 0.49},
    )  # fmt: skip
    assert (found.answers, found.missing_words, found.extra_words) == (1, ("cove",), ("octave",))
    assert track.counts_of(found)["exact"] == 0
    assert found.expected == pytest.approx(0.5 * 0.51, abs=1e-3)
    assert track.counts_of(scored(("cove", True), estimates={"cove": 0.5}))["exact"] == 1


def test_surprise_is_the_information_beyond_what_the_forecast_expects():
    chance = 0.25
    entropy = -(chance * math.log2(chance) + (1 - chance) * math.log2(1 - chance))
    assert scored(("cove", True), estimates={"cove": chance}).surprise == pytest.approx(2 - entropy, abs=0.01)


def test_a_word_that_nobody_knew_then_says_nothing_until_it_is_accepted():
    assert scored(("zzyzx", False)).probability_of_outcome == {}
    assert set(scored(("zzyzx", True)).probability_of_outcome) == {"zzyzx"}
    record = {"zzyzx": WordRecord(2, 1, "2025-01-01", True)}
    assert set(scored(("zzyzx", False), record=record).probability_of_outcome) == {"zzyzx"}


def rows(*surprises):
    dates = pd.date_range("2025-01-01", periods=len(surprises)).strftime("%Y-%m-%d")
    same = {"source": "nytbee", "witnesses": 1, "answers": 40, "missing": 0, "extra": 0, "exact": 1, "expected": 0.7}
    return frames.from_rows(
        [{"date": date, **same, "surprise": bits} for date, bits in zip(dates, surprises, strict=True)], "track"
    )


def test_drift_is_a_sum_beyond_what_is_allowed_and_starts_anew_after_an_alarm():
    assert track.drift(rows(*[13.0] * 3, 12.9)) == []
    said = "2025-01-01 to 2025-01-04: 40 bits more than the forecast allows"
    assert track.drift(rows(*[13.0] * 4)) == [("all sources", said), ("nytbee", said)]
    assert len(track.drift(rows(*[13.0] * 8))) == 4
    assert track.drift(rows(*[13.0, -40.0] * 20)) == []
    assert track.drift(rows(*[-10.0] * 50, *[13.0] * 4)), "good days of the past do not pay for bad ones"


def test_the_published_track_record_has_one_day_beyond_the_threshold_and_no_drift():
    """The false-alarm rate stated in the documents: 1 of 915 real days, and none by drift."""
    path = PROJECT / "data/custom/track.csv"
    found = frames.from_text(frames.read_csv(path.read_bytes(), path), "track")
    found = found[found["date"] <= "2025-12-31"]
    wrong = found["missing"] + found["extra"]
    assert len(found) == 915
    assert ((found["surprise"] >= new_days.SURPRISING) | (wrong >= new_days.WRONG)).sum() == 1
    assert track.drift(found) == []


def lived(days: int):
    """A workspace that ran for some days after a first import, with its days from two sources, and its world."""
    made = simulated.world(5, simulated.BEFORE + days + 1)
    here = simulated.Workspace(made)
    for source in simulated.SOURCES:
        here.bring(source, simulated.morning(made.days[simulated.BEFORE - 1], 5), made.days[: simulated.BEFORE])
    here.run()
    for day in made.days[simulated.BEFORE : simulated.BEFORE + days]:
        bring(here, day, day)
        here.run()
    return here, made


def bring(here: simulated.Workspace, day, listed, after: int = 3) -> None:
    """Let both sources have a list for a day, some days after it."""
    for source in simulated.SOURCES:
        here.bring(source, simulated.morning(day, after), [listed])


@pytest.fixture(scope="module")
def life():
    return lived(2)


@pytest.fixture
def here(life) -> simulated.Workspace:
    """A copy of the workspace, as `run` replaces what it keeps."""
    made = life[0]
    copied = simulated.Workspace(life[1])
    copied.brought, copied.kept, copied.made = [*made.brought], {**made.kept}, made.made
    return copied


@pytest.fixture
def day(life):
    """The day after the last one in the workspace."""
    return life[1].days[-1]


@pytest.fixture
def known(life):
    """How often each word was accepted."""
    return life[0].made["settled"].record.set_index("word")["accepted"]


@pytest.mark.slow
def test_each_day_that_is_counted_leaves_a_row_and_a_rebuild_makes_the_same_rows(here, life):
    before = frames.csv_bytes(here.kept["track"])
    assert list(here.kept["track"]["date"]) == [day.date for day in life[1].days[simulated.BEFORE : -1]]
    assert frames.csv_bytes(here.run(rebuild=True)["track"]) == before


@pytest.mark.slow
def test_a_day_is_never_scored_by_a_list_that_knew_it(here, life):
    """The forecast must not cheat: the day is already in the record and comes again, with a list that only its own
    record would predict."""
    last = life[1].days[-2]
    bring(here, last, simulated.altered(random.Random(3), life[1], last, "poisoned"), after=4)
    first = here.run()
    assert here.held() == {last.date}
    assert last.date not in first["settled"].covered
    assert here.run()["track"].equals(first["track"])


@pytest.mark.slow
def test_a_provisional_day_that_lacks_known_words_is_held(here, day, known):
    """A day of today is scored on all its words, not only on those that it accepts."""
    gone = sorted((word for word in day.answers if word in known.index), key=lambda word: -known[word])
    gone = gone[: new_days.WRONG]
    assert len(gone) == new_days.WRONG
    bring(here, day, dataclasses.replace(day, answers=tuple(set(day.answers) - set(gone))), after=0)
    found = here.run()
    assert found["waiting"]["kind"].tolist() == ["held"]
    assert day.date not in found["evidence"].covered


def test_a_rebuild_scores_all_days_since_the_first_row_and_the_first_merge_none():
    days = ("2023-06-30", "2023-07-01", "2025-01-02", "2025-01-03")
    none, since = frames.empty("track"), rows(0.0).assign(date="2025-01-02")
    assert new_days.choose_days_to_score(days, none, has_record=False, rebuild=True) == set(days[1:])
    assert new_days.choose_days_to_score(days, since, has_record=False, rebuild=True) == set(days[2:])
    assert new_days.choose_days_to_score(days, since, has_record=True, rebuild=False) == set(days)
    assert new_days.choose_days_to_score(days, none, has_record=False, rebuild=False) == set()


@pytest.mark.parametrize("dates", [("2025-01-01", "2025-01-02"), ("2025-01-02", "2025-01-01")])
def test_a_day_that_comes_late_is_not_the_last_one_and_of_two_reports_of_a_day_the_later_counts(dates):
    record: dict[str, WordRecord] = {}
    for date in dates:
        track.add_day(record, date, [("cove", date == "2025-01-02")])
    assert record == {"cove": WordRecord(2, 1, "2025-01-02", True)}
    track.add_day(record, "2025-01-02", [("cove", False)])
    assert record == {"cove": WordRecord(3, 1, "2025-01-02", False)}


ALL_THREE = ("cave", "cove", "covenant")
DATE = "2025-01-02"
TESTED = {"source_a": "nyt", "source_b": "plus", "detail": "a test", "open": True, "witnesses": 1}


def conflicts(*pairs: tuple[str, str]) -> pd.DataFrame:
    return frames.from_rows([{"date": date, "subject": subject, **TESTED} for date, subject in pairs], "conflicts")


def decided(witnesses: int) -> pd.DataFrame:
    """A difference on *cove* that was decided, with the number of sources that say the same as the list used."""
    return conflicts((DATE, "cove")).assign(open=False, witnesses=witnesses)


def admission(date: str, letters: str, answers: int) -> pd.DataFrame:
    row = {"date": date, "letters": letters, "answers": answers, "by": "ann", "reason": "a test"}
    return frames.from_rows([row], "admitted")


def days_of(answers: dict[str, tuple[str, ...]], words=ALL_THREE, witnesses=1, before=track.ENOUGH, **change):
    """What is known of days of one puzzle, with other days before them in the record; `change` replaces any of it."""
    rows = [{"date": date, "word": word, "vouched": witnesses} for date, listed in answers.items() for word in listed]
    letters = {"center": "v", "outer": "acenot", "source": "nyt"}
    puzzles = frames.from_rows([{"date": date, **letters} for date in answers], "puzzles")
    listed = frames.from_rows(rows, "answers")
    older = frozenset(pd.date_range(end="2024-11-30", periods=before).strftime("%Y-%m-%d"))
    facts = new_days.DaysToCount(
        Evidence(frames.empty("evidence"), older), puzzles, listed, conflicts(),
        merge.trials(puzzles, listed, pd.DataFrame({"word": words})), frozenset(words), frames.empty("admitted"),
        frozenset(answers), frozenset(answers), frozenset(["nyt"]), {},
    )  # fmt: skip
    return dataclasses.replace(facts, **change)


def walked(answers, p=0.9, **more) -> new_days.CountedDays:
    """Walk through the last day of one puzzle; the forecast gives all words the same p."""
    return new_days.count_days(days_of({DATE: answers}, **more), lambda *_: dict.fromkeys(ALL_THREE, p))


def counted(found: new_days.CountedDays) -> dict[str, tuple[int, int]]:
    """How often each word was offered and accepted."""
    rows = found.settled_evidence.record
    return {word: (n, yes) for word, n, yes in zip(rows["word"], rows["offered"], rows["accepted"], strict=True)}


PROVISIONAL = {"settled_days": frozenset(), "days_to_score": frozenset()}


@pytest.mark.parametrize("corrected", [False, True])
@pytest.mark.parametrize(("p", "disputed"), [(0.9, True), (0.001, False), (0.001, True)])
def test_a_word_that_a_person_corrected_does_not_wait_and_another_waits_once(p, disputed, corrected):
    pair = (DATE, "cove")
    found = walked(["cove"], p, conflicts=conflicts(*[pair] * disputed), corrected_words=frozenset([pair] * corrected))
    assert found.waiting["kind"].tolist() == ([] if corrected else ["disputed" if disputed else "surprising"])
    assert found.settled_evidence.waiting == (frozenset() if corrected else {pair})
    assert ("cove" in counted(found)) == corrected


def test_a_provisional_day_counts_in_the_tables_and_not_in_the_record():
    found = walked(ALL_THREE, **PROVISIONAL)
    assert found.waiting["kind"].tolist() == ["provisional"]
    assert (DATE in found.evidence.covered, DATE in found.settled_evidence.covered) == (True, False)
    assert (found.evidence.waiting, found.versions.empty, found.track.empty) == (frozenset(), True, True)


def test_a_checkpoint_is_used_until_something_before_it_changes():
    """Changes in the current month do not change the checkpoint, because it does not cover that month."""
    closed, growing, opens, opened = "2025-01-02", "2025-01-03", "2025-02-01", "2025-02-20"
    days = dict.fromkeys((closed, growing, opens, opened), ALL_THREE)
    final = frozenset([closed, opens, opened])
    of_days = {"settled_days": final, "days_to_score": frozenset(), "conflicts": conflicts((opens, "cove"))}
    facts = days_of(days, witnesses=2, before=0, **of_days)
    begun = checkpoint.count_from(NO_CHECKPOINT, facts, lambda *_: {})
    first, made = begun.counted, begun.checkpoint
    assert (made.until, made.evidence.covered) == ("2025-02-01", {closed})
    continued = checkpoint.count_from(made, facts, lambda *_: {})
    again = continued.counted
    assert continued.checkpoint is made
    assert again.settled_evidence.record.equals(first.settled_evidence.record)
    assert sorted(again.waiting["date"]) == sorted(first.waiting["date"]) == [growing, opens]
    settled = dataclasses.replace(facts, conflicts=conflicts())
    assert checkpoint.count_from(made, settled, lambda *_: {}).counted.waiting["date"].tolist() == [growing]
    for change in ({"conflicts": conflicts((opened, "cove"))}, {"admitted": admission(opened, "vacenot", 3)}):
        assert checkpoint.count_from(made, dataclasses.replace(facts, **change), lambda *_: {}).checkpoint is made
    pair = frozenset([(closed, "cove")])
    for change in (
        {"conflicts": conflicts((closed, "cove"))},
        {"admitted": admission(closed, "vacenot", 3)},
        {"words_that_waited": pair},
        {"corrected_words": pair},
        {"common_words": frozenset(["cove"])},
        {"settled_days": frozenset([opens, opened])},
    ):
        changed = dataclasses.replace(facts, **change)
        counted_again = checkpoint.count_from(made, changed, lambda *_: {})
        found = counted_again.counted
        assert counted_again.checkpoint.inputs_checksum != made.inputs_checksum
        assert found.settled_evidence.record.equals(new_days.count_days(changed, lambda *_: {}).settled_evidence.record)


def version(source, letters, pairs):
    return track.Version(source, letters, [Outcome(*pair) for pair in pairs])


def test_the_versions_of_a_day_are_compared_by_the_words_that_only_they_have():
    versions = [
        version("nyt", "vacenot", [("cove", True), ("cave", True), ("octave", False)]),
        version("plus", "vacenot", [("cove", True), ("cave", False), ("octave", True)]),
        version("lines", "lbfiouy", [("loll", True), ("folly", True)]),
    ]
    record = {"cove": WordRecord(2, 1, "2025-01-01", False), "cave": WordRecord(1, 0, "2025-01-01", False)}
    found = track.compared(DATE, versions, record, lambda trials: None if ("loll", True) in trials else 2.25)
    assert [
        (row["source"], row["answers"], row["accepted_before"], row["surprise"], row["words"]) for row in found
    ] == [
        ("nyt", 2, 1, "2.2", "cave"),
        ("plus", 2, 1, "2.2", "octave"),
        ("lines", 2, 0, "", ""),
    ]


@pytest.mark.parametrize(
    ("p", "about", "waits"),
    [
        (0.01, {}, False),
        (0.0099, {}, True),
        (0.0099, {"live_sources": frozenset()}, False),
        (0.0099, {"witnesses": 2}, False),
        (0.9, {"conflicts": conflicts((DATE, "cove"))}, True),
        (0.0099, {"witnesses": 2, "conflicts": decided(witnesses=1)}, True),
        (0.0099, {"witnesses": 2, "conflicts": decided(witnesses=2)}, False),
    ],
)
def test_a_word_waits_below_the_threshold_if_its_single_source_is_a_live_one(p, about, waits):
    assert walked(["cove"], p, **about).waiting["subject"].tolist() == ["cove"] * waits


@pytest.mark.parametrize(("before", "rows"), [(track.ENOUGH, 1), (track.ENOUGH - 1, 0)])
def test_days_are_scored_once_enough_days_are_known(before, rows):
    assert len(walked(["cove"], before=before).track) == rows


@pytest.mark.parametrize(
    ("letters", "count", "held"), [("vacenot", 2, False), ("vacenot", 3, True), ("cavenot", 2, True)]
)
def test_a_person_admits_one_list_and_no_other(letters, count, held):
    """The list of that day has two words, and sources differ on its letters."""
    found = walked(["cave", "cove"], conflicts=conflicts((DATE, "letters")), admitted=admission(DATE, letters, count))
    assert found.waiting["kind"].tolist() == ["held"] * held
    assert (DATE in found.settled_evidence.covered) == (not held)
    assert walked(["cave", "cove"], conflicts=conflicts((DATE, "letters"))).waiting["kind"].tolist() == ["held"]


def test_a_word_says_its_own_reason_before_that_of_its_day():
    found = walked(["cove", "cave"], 0.001, **PROVISIONAL)
    assert found.news["waits"].str.partition(":")[0].tolist() == ["surprising", "surprising"]
    found = walked(["cove"], 0.6, **PROVISIONAL)
    assert found.news["side"].tolist() == ["extra", "extra"]
    assert found.news["waits"].tolist() == ["provisional: its list may still grow"] * 2


def asked_of_forecast(answers: dict[str, tuple[str, ...]], scored: str) -> list[tuple[str, str, frozenset[str]]]:
    """Walk through days, and return what the forecast was asked for, and the days that it may know."""
    facts = days_of(answers, witnesses=2, days_to_score=frozenset([scored]))
    asked = []

    def forecast(first, counted, record):
        asked.append((first, counted, record().covered - facts.add_to.covered))
        return dict.fromkeys(ALL_THREE, 0.9)

    new_days.count_days(facts, forecast)
    return asked


def test_all_days_of_a_month_are_forecast_from_what_was_counted_before_it():
    two = ("cove", "covenant")
    days = {"2024-12-31": ALL_THREE, "2025-01-01": ALL_THREE}
    (first,) = asked_of_forecast(days, "2025-01-01")
    assert (first[0], first[2]) == ("2025-01-01", {"2024-12-31"})
    assert asked_of_forecast({**days, DATE: two}, DATE) == [first]
    assert asked_of_forecast({**days, "2024-12-31": two}, "2025-01-01") != [first]
    assert asked_of_forecast({**days, "2025-02-01": two}, "2025-02-01")[0][0] == "2025-02-01"


@pytest.mark.parametrize(
    ("about", "counts"),
    [
        ({}, False),
        ({"witnesses": 2}, True),
        ({"admitted": admission(DATE, "vacenot", 3)}, True),
        ({"corrected_words": frozenset({(DATE, "cove")})}, True),
        ({"live_sources": frozenset()}, True),
        ({"here": False}, False),
        ({"witnesses": 2, "conflicts": conflicts((DATE, "cove"))}, False),
        ({"conflicts": conflicts((DATE, "cove")), "corrected_words": frozenset({(DATE, "cove")})}, True),
    ],
)
def test_a_word_that_waited_when_its_day_was_counted_counts_once_that_is_settled(about, counts):
    """The record covers the day of *cove* without it; the day is on disk again, or it is not."""
    pair = frozenset({(DATE, "cove")})
    row = {"word": "cove", "offered": 217, "accepted": 216, "first_accepted": "2018-06-01"}
    row |= {"last_accepted": "2025-01-01", "last_rejected": "2019-01-01", "vouched": 2}
    covered = frozenset(pd.date_range(end=DATE, periods=track.ENOUGH).strftime("%Y-%m-%d"))
    base = Evidence(frames.from_rows([row], "evidence"), covered, pair)
    about = {"here": True, **about}
    days = {DATE: ALL_THREE} if about.pop("here") else {}
    found = new_days.count_days(
        days_of(days, add_to=base, days_to_score=frozenset(), words_that_waited=pair, **about), lambda *_: {}
    )
    assert counted(found)["cove"] == ((218, 217) if counts else (217, 216))
    assert found.waiting["subject"].tolist() == ["cove"] * (not counts)
    assert found.settled_evidence.waiting == (frozenset() if counts else pair)


@pytest.mark.parametrize(("surprise", "wrong", "held"), [(19.99, 8, False), (20.0, 0, True), (0.0, 9, True)])
def test_a_day_is_held_from_the_thresholds_on(surprise, wrong, held):
    day = dataclasses.replace(scored(("cove", True)), surprise=surprise, missing_words=("cove",) * wrong)
    assert bool(new_days.why_held(day)) == held
