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
from pipeline.intake.track import Past
from pipeline.measure.score import interval, live
from pipeline.opinions import constancy
from pipeline.tables import frames
from pipeline.words import mask

WORDS = ("cove", "octave", "tote")


@pytest.mark.parametrize(
    ("past", "age"),
    [
        (Past(3, 3, "2024-02-01", True), 366),
        (Past(3, 0, "2024-02-02", False), 365),
        (Past(3, 1, "2024-02-02", True), 365),
        (Past(3, 2, "2024-02-02", False), 365),
        (Past(3, 2, "2025-02-11", False), 10),  # a day that came late
    ],
)
def test_a_word_with_a_record_is_expected_to_do_what_it_did_last_as_surely_as_p_says(past, age):
    cells = {"mixed": 0 < past.accepted < past.offered, "age": age, "trials": 3, "zipf": 2.5, "size": 60.0}
    agreed = constancy.agreed(past.yes, {**cells, "years": constancy.years("2025-02-01")})
    found = track.chance(past, 0.5, "2025-02-01", (2.5, 60.0))
    assert found == pytest.approx(float(agreed if past.yes else 1 - agreed))
    assert found != track.chance(past, 0.5, "2025-02-01")


def test_no_outcome_is_more_surprising_than_a_reversal_can_be():
    record = {"cove": Past(90, 90, "2025-01-31", True)}
    found = track.score("2025-02-01", [("cove", False)], record, {}, WORDS, {"cove": (5.0, 10.0)})
    assert found.outcomes == {"cove": pytest.approx(1 - track.CERTAIN)}
    assert found.surprise == pytest.approx(-math.log2(1 - track.CERTAIN), abs=0.02)
    assert track.row(found)["expected"] > track.CERTAIN, "an expected exact list is not capped"


def test_two_reversals_of_old_records_do_not_hold_a_day():
    """As on 2025-02-04, which accepted *alfa* and *luff*."""
    record = {"alfa": Past(63, 0, "2025-01-31", False), "luff": Past(50, 0, "2025-01-31", False)}
    found = track.score("2025-02-04", [("alfa", True), ("luff", True)], record, {}, WORDS, {})
    assert found.wrong == 2
    assert not new_days.surprising(found)


@pytest.mark.parametrize(("estimate", "expected"), [(0.0, 0.005), (0.4, 0.4), (1.0, 0.995)])
def test_a_word_without_a_record_has_its_estimate_and_none_is_sure(estimate, expected):
    assert track.chance(None, estimate, "2025-02-01") == pytest.approx(expected)


def scored(*trials, record=None, estimates=None, plain=WORDS):
    return track.score("2025-02-01", trials, record or {}, estimates or {}, plain, {})


def test_a_row_counts_what_came_out_otherwise_than_the_list_has_it():
    found = scored(
        ("cove", True), ("octave", False), ("tote", False),
        record={"cove": Past(5, 0, "2025-01-01", False)}, estimates={"octave": 0.5, "tote": 0.49},
    )  # fmt: skip
    assert (found.answers, found.missing, found.extra) == (1, 1, 1)
    assert found.otherwise == ("cove", "octave")
    assert track.row(found)["exact"] == 0
    assert found.expected == pytest.approx(0.5 * 0.51, abs=1e-3)
    assert track.row(scored(("cove", True), estimates={"cove": 0.5}))["exact"] == 1


def test_surprise_is_the_information_beyond_what_the_forecast_expects():
    chance = 0.25
    entropy = -(chance * math.log2(chance) + (1 - chance) * math.log2(1 - chance))
    found = scored(("cove", True), estimates={"cove": chance})
    assert found.surprise == pytest.approx(2 - entropy, abs=0.01)


def test_a_word_that_nobody_knew_then_says_nothing_until_it_is_accepted():
    assert scored(("zzyzx", False)).outcomes == {}
    assert set(scored(("zzyzx", True)).outcomes) == {"zzyzx"}
    assert set(scored(("zzyzx", False), record={"zzyzx": Past(2, 1, "2025-01-01", True)}).outcomes) == {"zzyzx"}


@pytest.mark.parametrize(("surprise", "wrong", "held"), [(19.99, 8, False), (20.0, 0, True), (0.0, 9, True)])
def test_a_day_is_held_from_the_thresholds_on(surprise, wrong, held):
    day = dataclasses.replace(scored(("cove", True)), surprise=surprise, missing=wrong, extra=0)
    assert bool(new_days.surprising(day)) == held


def rows(*surprises, source="nytbee"):
    dates = pd.date_range("2025-01-01", periods=len(surprises)).strftime("%Y-%m-%d")
    made = [
        dict(
            date=date, source=source, witnesses=1, answers=40, missing=0, extra=0, exact=1, expected=0.7, surprise=each
        )
        for date, each in zip(dates, surprises, strict=True)
    ]
    return frames.from_rows(made, "track")


def test_drift_is_a_sum_beyond_what_is_allowed_and_starts_anew_after_an_alarm():
    assert track.drift(rows(*[13.0] * 3, 12.9)) == []
    found = track.drift(rows(*[13.0] * 4))
    assert found == [
        ("all sources", "2025-01-01 to 2025-01-04: 40 bits more than the forecast allows"),
        ("nytbee", "2025-01-01 to 2025-01-04: 40 bits more than the forecast allows"),
    ]
    assert len(track.drift(rows(*[13.0] * 8))) == 4
    assert track.drift(rows(*[13.0, -40.0] * 20)) == []


def test_good_days_of_the_past_do_not_pay_for_bad_ones():
    assert track.drift(rows(*[-10.0] * 50, *[13.0] * 4))


def test_the_published_track_record_has_one_day_beyond_the_threshold_and_no_drift():
    """The false-alarm rate stated in the documents: 1 of 915 real days, and none by drift."""
    path = PROJECT / "data/custom/track.csv"
    found = frames.from_text(frames.read_csv(path.read_bytes(), path), "track")
    found = found[found["date"] <= "2025-12-31"]
    wrong = found["missing"] + found["extra"]
    assert len(found) == 915
    assert ((found["surprise"] >= new_days.SURPRISING) | (wrong >= new_days.WRONG)).sum() == 1
    assert track.drift(found) == []


def test_the_live_figures_are_of_the_last_days_with_an_interval():
    table = rows(*[0.0] * 40).assign(exact=[0] * 30 + [1] * 10)
    found = live(table).set_index("span")
    assert found.loc["last 30 days", "exact"] == pytest.approx(10 / 30)
    assert (found.loc["last 30 days", "low"], found.loc["last 30 days", "high"]) == interval(10, 30)
    assert found.loc["all days", "exact"] == pytest.approx(10 / 40)
    assert live(frames.empty("track")).empty


def lived(days=6, seed=5):
    """A workspace that lived some days after a first import, with all its days as two sources have them."""
    made = simulated.world(seed, simulated.BEFORE + days)
    here = simulated.Workspace(made)
    for source in simulated.SOURCES:
        here.bring(source, simulated.morning(made.days[simulated.BEFORE - 1], 5), made.days[: simulated.BEFORE])
    here.run()
    for day in made.days[simulated.BEFORE :]:
        for source in simulated.SOURCES:
            here.bring(source, simulated.morning(day, 3), [day])
        here.run()
    return made, here


@pytest.fixture(scope="module")
def life():
    return lived()


def test_each_day_that_is_counted_leaves_a_row_and_a_rebuild_makes_the_same_rows(life):
    made, here = life
    before = frames.csv_bytes(here.kept["track"])
    assert list(here.kept["track"]["date"]) == [day.date for day in made.days[simulated.BEFORE :]]
    assert frames.csv_bytes(here.run(rebuild=True)["track"]) == before


def test_a_day_is_never_scored_by_a_list_that_knew_it(life):
    """The cheat: the day is already on record and comes again, with a list that only its own record would expect."""
    made, _ = life
    _, here = lived(3)
    last = made.days[simulated.BEFORE + 2]
    draw = random.Random(3)
    lie = simulated.altered(draw, made, last, "poisoned")
    for source in simulated.SOURCES:
        here.bring(source, simulated.morning(last, 4), [lie])
    first = here.run()
    assert here.held() == {last.date}
    assert last.date not in first["settled"].covered
    assert here.run()["track"].equals(first["track"])


def test_a_provisional_day_counts_in_the_tables_and_not_in_the_record(life):
    made, _ = life
    _, here = lived(3)
    today = simulated.world(5, simulated.BEFORE + 6).days[simulated.BEFORE + 3]
    for source in simulated.SOURCES:
        here.bring(source, simulated.morning(today), [today])
    found = here.run()
    assert today.date in found["evidence"].covered
    assert today.date not in found["settled"].covered
    assert today.date not in set(found["track"]["date"])
    assert list(found["waiting"]["kind"]) == ["provisional"]
    assert made.days[simulated.BEFORE + 3].date == today.date


def test_a_provisional_day_that_lacks_known_words_is_held():
    """A day of today is scored on all its words, not only on those that it accepts."""
    _, here = lived(2)
    day = simulated.world(5, simulated.BEFORE + 3).days[simulated.BEFORE + 2]
    known = here.made["settled"].record.set_index("word")["accepted"]
    gone = sorted((word for word in day.answers if word in known.index), key=lambda word: -known[word])[
        : new_days.WRONG
    ]
    assert len(gone) == new_days.WRONG
    lie = dataclasses.replace(day, answers=tuple(word for word in day.answers if word not in gone))
    for source in simulated.SOURCES:
        here.bring(source, simulated.morning(day), [lie])
    found = here.run()
    assert found["waiting"]["kind"].tolist() == ["held"]
    assert day.date not in found["evidence"].covered


@pytest.fixture
def surprised():
    """A workspace, its next day, the same day without the answer that puzzles accepted most often, and that word."""
    _, here = lived(2)
    day = simulated.world(5, simulated.BEFORE + 3).days[simulated.BEFORE + 2]
    record = here.made["settled"].record.set_index("word")
    gone = max((word for word in day.answers if word in record.index), key=lambda word: record.loc[word, "accepted"])
    lie = dataclasses.replace(day, answers=tuple(word for word in day.answers if word != gone))
    return here, day, lie, gone


@pytest.mark.parametrize(("source", "waits"), [("days-csv", True), ("plus", False)])
def test_an_import_that_nobody_vouches_for_is_not_enough_either(surprised, source, waits):
    here, day, lie, gone = surprised
    here.bring(source, simulated.morning(day, 3), [lie])
    assert here.run()["waiting"]["subject"].tolist() == [gone] * waits


def test_one_live_witness_is_not_enough_for_what_hardly_ever_happens(surprised):
    here, day, lie, gone = surprised
    record = here.made["settled"].record.set_index("word")
    here.bring("nytbee", simulated.morning(day, 3), [lie])
    found = here.run()
    assert (found["waiting"]["subject"].tolist(), found["waiting"]["kind"].tolist()) == ([gone], ["surprising"])
    assert found["settled"].record.set_index("word").loc[gone].equals(record.loc[gone])
    here.bring("nyt", simulated.morning(day, 4), [day])
    found = here.run()
    assert found["waiting"]["kind"].tolist() == ["disputed"]
    here.bring("plus", simulated.morning(day, 5), [day])
    found = here.run()
    assert found["waiting"].empty
    assert found["settled"].record.set_index("word").loc[gone, "accepted"] == record.loc[gone, "accepted"] + 1


def test_two_live_witnesses_are_enough_for_what_hardly_ever_happens(surprised):
    here, day, lie, gone = surprised
    record = here.made["settled"].record.set_index("word")
    for source in ("nyt", "nytbee"):
        here.bring(source, simulated.morning(day, 3), [lie])
    found = here.run()
    assert found["waiting"].empty
    assert found["settled"].record.set_index("word").loc[gone, "accepted"] == record.loc[gone, "accepted"]
    assert found["settled"].record.set_index("word").loc[gone, "offered"] == record.loc[gone, "offered"] + 1


def test_a_rebuild_scores_all_days_since_the_first_row_and_the_first_merge_none():
    days = ("2023-06-30", "2023-07-01", "2025-01-02", "2025-01-03")
    none, since = frames.empty("track"), rows(0.0).assign(date="2025-01-02")
    assert new_days.to_score(days, none, begun=False, rebuild=True) == set(days[1:])
    assert new_days.to_score(days, since, begun=False, rebuild=True) == set(days[2:])
    assert new_days.to_score(days, since, begun=True, rebuild=False) == set(days)
    assert new_days.to_score(days, none, begun=False, rebuild=False) == set()


@pytest.mark.parametrize("dates", [("2025-01-01", "2025-01-02"), ("2025-01-02", "2025-01-01")])
def test_a_day_that_comes_late_is_counted_and_is_not_the_last_one(dates):
    record: dict[str, Past] = {}
    for date in dates:
        track.fold(record, date, [("cove", date == "2025-01-02")])
    assert record == {"cove": Past(2, 1, "2025-01-02", True)}


def test_of_two_reports_of_one_day_the_later_one_counts():
    record = {"cove": Past(1, 1, "2025-01-02", True)}
    track.fold(record, "2025-01-02", [("cove", False)])
    assert record == {"cove": Past(2, 1, "2025-01-02", False)}


def test_a_record_remembers_the_outcome_of_the_last_trial():
    columns = ("word", "offered", "accepted", "last_accepted", "last_rejected")
    rows = [("cave", 2, 1, "2025-01-01", "2025-01-02"), ("cove", 2, 1, "2025-01-02", "2025-01-01")]
    assert track.remember(pd.DataFrame(rows, columns=columns)) == {
        "cave": Past(2, 1, "2025-01-02", False),
        "cove": Past(2, 1, "2025-01-02", True),
    }


ALL_THREE = ("cave", "cove", "covenant")


def walked(answers, p=0.9, live=True, witnesses=1, final=True, before=track.ENOUGH, conflicts=(), admitted=(), **more):
    """Walk through the last day of one puzzle, with other days before it; the forecast gives all words the same p."""
    rows = [{"date": "2025-01-02", "word": word, "vouched": witnesses} for word in answers]
    letters = {"center": "v", "outer": "acenot", "source": "nyt"}
    listed, puzzles = (
        frames.from_rows(rows, "answers"),
        frames.from_rows([{"date": "2025-01-02", **letters}], "puzzles"),
    )
    words = pd.DataFrame({"word": ALL_THREE})
    dates = frozenset(["2025-01-02"])
    older = pd.date_range(end="2024-11-30", periods=before).strftime("%Y-%m-%d")
    facts = new_days.Facts(
        Evidence(frames.empty("evidence"), frozenset(older)), puzzles, listed,
        frames.from_rows(conflicts, "conflicts"), merge.trials(puzzles, listed, words), frozenset(ALL_THREE),
        frames.from_rows(admitted, "admitted"), dates if final else frozenset(), dates if final else frozenset(),
        frozenset(["nyt"] if live else []), {}, **more,
    )  # fmt: skip
    return new_days.walk(facts, lambda *_: dict.fromkeys(ALL_THREE, p))


@pytest.mark.parametrize("corrected", [False, True])
@pytest.mark.parametrize(("p", "disputed"), [(0.9, True), (0.001, False), (0.001, True)])
def test_a_word_that_a_person_corrected_does_not_wait_and_another_waits_once(p, disputed, corrected):
    pair = ("2025-01-02", "cove")
    about = {"source_a": "nyt", "source_b": "plus", "detail": "a test", "open": True}
    conflicts = [{"date": pair[0], "subject": pair[1], **about}] * disputed
    found = walked(["cove"], p, conflicts=conflicts, corrected=frozenset([pair] * corrected))
    assert found.waiting["kind"].tolist() == ([] if corrected else ["disputed" if disputed else "surprising"])
    assert found.settled.waits == (frozenset() if corrected else {pair})
    assert ("cove" in evidence_of(found)) == corrected


def test_no_word_of_an_admitted_list_waits():
    row = {"date": "2025-01-02", "letters": "vacenot", "answers": 1, "by": "ann", "reason": "a test"}
    found = walked(["cove"], 0.001, admitted=[row])
    assert (found.waiting.empty, found.settled.waits, evidence_of(found)["cove"]) == (True, frozenset(), (1, 1))


def test_a_provisional_day_has_neither_words_that_wait_nor_versions_to_choose_from():
    found = walked(ALL_THREE, final=False)
    assert found.waiting["kind"].tolist() == ["provisional"]
    assert (found.evidence.waits, found.versions.empty, found.track.empty) == (frozenset(), True, True)


def test_a_checkpoint_is_used_until_something_before_it_changes():
    """Changes of the open month leave it, because it says nothing of that month."""
    closed, growing, opens, opened = "2025-01-02", "2025-01-03", "2025-02-01", "2025-02-20"

    def conflict(date: str) -> pd.DataFrame:
        about = {"subject": "cove", "source_a": "nyt", "source_b": "plus", "detail": "a test", "open": True}
        return frames.from_rows([{"date": date, **about}], "conflicts")

    listed = frames.from_rows(
        [{"date": date, "word": word, "vouched": 2} for date in (closed, growing, opens, opened) for word in ALL_THREE],
        "answers",
    )
    letters = {"center": "v", "outer": "acenot", "source": "nyt"}
    puzzles = frames.from_rows([{"date": date, **letters} for date in (closed, growing, opens, opened)], "puzzles")
    days = frozenset([closed, opens, opened])
    facts = new_days.Facts(
        Evidence(frames.empty("evidence"), frozenset()), puzzles, listed, conflict(opens),
        merge.trials(puzzles, listed, pd.DataFrame({"word": ALL_THREE})), frozenset(ALL_THREE),
        frames.empty("admitted"), days, frozenset(), frozenset(["nyt"]), {},
    )  # fmt: skip
    first, made = checkpoint.walk(facts, lambda *_: {}, checkpoint.NOTHING)
    assert (made.until, made.kept.covered) == ("2025-02-01", {closed})
    again, same = checkpoint.walk(facts, lambda *_: {}, made)
    assert same is made
    assert again.settled.record.equals(first.settled.record)
    assert sorted(again.waiting["date"]) == sorted(first.waiting["date"]) == [growing, opens]
    settled = dataclasses.replace(facts, conflicts=frames.empty("conflicts"))
    assert checkpoint.walk(settled, lambda *_: {}, made)[0].waiting["date"].tolist() == [growing]

    def admitted(date: str) -> pd.DataFrame:
        row = {"date": date, "letters": "vacenot", "answers": 3, "by": "ann", "reason": "a test"}
        return frames.from_rows([row], "admitted")

    for change in ({"conflicts": conflict(opened)}, {"admitted": admitted(opened)}):
        assert checkpoint.walk(dataclasses.replace(facts, **change), lambda *_: {}, made)[1] is made
    pair = frozenset([(closed, "cove")])
    for change in (
        {"conflicts": conflict(closed)}, {"admitted": admitted(closed)}, {"pending": pair}, {"corrected": pair},
        {"plain": frozenset(["cove"])}, {"final": frozenset([opens, opened])},
    ):  # fmt: skip
        changed = dataclasses.replace(facts, **change)
        found, other = checkpoint.walk(changed, lambda *_: {}, made)
        assert other.key != made.key
        assert found.settled.record.equals(new_days.walk(changed, lambda *_: {}).settled.record)


def test_the_versions_of_a_day_are_compared_by_the_words_that_only_they_have():
    versions = [
        track.Version("nyt", "vacenot", [("cove", True), ("cave", True), ("octave", False)]),
        track.Version("plus", "vacenot", [("cove", True), ("cave", False), ("octave", True)]),
        track.Version("lines", "lbfiouy", [("loll", True), ("folly", True)]),
    ]
    record = {"cove": Past(2, 1, "2025-01-01", False), "cave": Past(1, 0, "2025-01-01", False)}
    found = track.compared("2025-01-02", versions, record, lambda trials: None if ("loll", True) in trials else 2.25)
    assert [(row["source"], row["answers"], row["met"], row["surprise"], row["words"]) for row in found] == [
        ("nyt", 2, 1, "2.2", "cave"),
        ("plus", 2, 1, "2.2", "octave"),
        ("lines", 2, 0, "", ""),
    ]


def test_a_version_has_what_its_source_accepted_and_what_else_its_letters_spell():
    words = frames.from_rows(
        [{"word": word, "mask": mask(word), "known": True} for word in ("cave", "cove")], "candidates"
    )
    row = {"date": "2025-01-02", "center": "v", "outer": "acenot", "source": "nyt", "answers": "cove covenant"}
    (version,) = track.by_date(frames.from_rows([row], "reported"), words)["2025-01-02"]
    assert (version.source, version.letters) == ("nyt", "vacenot")
    assert sorted(version.trials) == [("cave", False), ("cove", True), ("covenant", True)]


@pytest.mark.parametrize(("p", "waits"), [(0.01, False), (0.0099, True)])
def test_a_word_waits_below_the_threshold_and_not_at_it(p, waits):
    assert walked(["cove"], p).waiting["subject"].tolist() == ["cove"] * waits


@pytest.mark.parametrize(("about", "waits"), [({}, True), ({"live": False}, False), ({"witnesses": 2}, False)])
def test_only_a_single_source_that_is_fetched_needs_a_witness(about, waits):
    assert walked(["cove"], 0.001, **about).waiting["subject"].tolist() == ["cove"] * waits


@pytest.mark.parametrize(("before", "rows"), [(track.ENOUGH, 1), (track.ENOUGH - 1, 0)])
def test_days_are_scored_once_enough_days_are_known(before, rows):
    assert len(walked(["cove"], before=before).track) == rows


@pytest.mark.parametrize(
    ("letters", "count", "held"), [("", 0, True), ("vacenot", 2, False), ("vacenot", 3, True), ("cavenot", 2, True)]
)
def test_a_person_admits_one_list_and_no_other(letters, count, held):
    """The list of that day has two words, and sources differ on its letters."""
    conflict = {"date": "2025-01-02", "subject": "letters", "source_a": "nyt", "source_b": "plus", "detail": "a test"}
    row = {"date": "2025-01-02", "letters": letters, "answers": count, "by": "ann", "reason": "a test"}
    found = walked(["cave", "cove"], conflicts=[{**conflict, "open": True}], admitted=[row] if letters else [])
    assert found.waiting["kind"].tolist() == ["held"] * held
    assert ("2025-01-02" in found.settled.covered) == (not held)


def test_a_word_says_its_own_reason_before_that_of_its_day():
    found = walked(["cove", "cave"], 0.001, final=False)
    assert found.news["waits"].str.partition(":")[0].tolist() == ["surprising", "surprising"]
    found = walked(["cove"], 0.6, final=False)
    assert found.news["side"].tolist() == ["extra", "extra"]
    assert found.news["waits"].tolist() == ["provisional: its list may still grow"] * 2


def asked_of_forecast(answers: dict[str, list[str]], scored: str) -> list[tuple[str, str, frozenset[str]]]:
    """Walk through days of one puzzle, and return what the forecast was asked for, and the days that it may know."""
    listed = frames.from_rows(
        [{"date": date, "word": word, "vouched": 2} for date, words in answers.items() for word in words], "answers"
    )
    letters = {"center": "v", "outer": "acenot", "source": "days"}
    puzzles = frames.from_rows([{"date": date, **letters} for date in answers], "puzzles")
    words = pd.DataFrame({"word": ["cave", "cove", "covenant"]})
    before = pd.date_range(end="2024-11-30", periods=track.ENOUGH).strftime("%Y-%m-%d")
    facts = new_days.Facts(
        Evidence(frames.empty("evidence"), frozenset(before)), puzzles, listed, frames.empty("conflicts"),
        merge.trials(puzzles, listed, words), frozenset(words["word"]), frames.empty("admitted"),
        frozenset(answers), frozenset([scored]), frozenset(), {},
    )  # fmt: skip
    asked = []

    def forecast(first, counted, record):
        asked.append((first, counted, record().covered - frozenset(before)))
        return dict.fromkeys(words["word"], 0.9)

    new_days.walk(facts, forecast)
    return asked


def test_all_days_of_a_month_are_forecast_from_what_was_counted_before_it():
    all_three, two = ["cave", "cove", "covenant"], ["cove", "covenant"]
    days = {"2024-12-31": all_three, "2025-01-01": all_three}
    (first,) = asked_of_forecast(days, "2025-01-01")
    assert (first[0], first[2]) == ("2025-01-01", {"2024-12-31"})
    assert asked_of_forecast({**days, "2025-01-02": two}, "2025-01-02") == [first]
    assert asked_of_forecast({**days, "2024-12-31": two}, "2025-01-01") != [first]
    assert asked_of_forecast({**days, "2025-02-01": two}, "2025-02-01")[0][0] == "2025-02-01"


def evidence_of(found: new_days.Walked) -> dict[str, tuple[int, int]]:
    rows = found.settled.record
    return {word: (n, yes) for word, n, yes in zip(rows["word"], rows["offered"], rows["accepted"], strict=True)}


@pytest.mark.parametrize(
    ("about", "counts"),
    [
        ({}, False),
        ({"sources": 2}, True),
        ({"admitted": True}, True),
        ({"corrected": True}, True),
        ({"live": False}, True),
        ({"here": False}, False),
        ({"sources": 2, "disputed": True}, False),
        ({"sources": 2, "disputed": True, "corrected": True}, True),
    ],
)
def test_a_word_that_waited_when_its_day_was_counted_counts_once_that_is_settled(about, counts):
    """The record covers the day of *loll* without it; the day is on disk again, or it is not."""
    date, lists = "2025-01-02", ["loll", "folly", "foully", "foulily"]
    record = frames.from_rows(
        [{"word": "loll", "offered": 217, "accepted": 216, "first_accepted": "2018-06-01",
          "last_accepted": "2025-01-01", "last_rejected": "2019-01-01", "vouched": 2}], "evidence"
    )  # fmt: skip
    before = frozenset(pd.date_range(end=date, periods=track.ENOUGH).strftime("%Y-%m-%d"))
    here = about.get("here", True)
    rows = [{"date": date, "word": word, "vouched": about.get("sources", 1)} for word in lists]
    puzzle = {"date": date, "center": "l", "outer": "bfiouy", "source": "nyt"}
    conflict = {
        "date": date,
        "subject": "loll",
        "source_a": "nyt",
        "source_b": "plus",
        "detail": "a test",
        "open": True,
    }
    admitted = {"date": date, "letters": "lbfiouy", "answers": "4", "by": "ann", "reason": "a test"}
    puzzles, answers = frames.from_rows([puzzle] * here, "puzzles"), frames.from_rows(rows * here, "answers")
    words = pd.DataFrame({"word": lists})
    facts = new_days.Facts(
        Evidence(record, before, frozenset({(date, "loll")})), puzzles, answers,
        frames.from_rows([conflict] * about.get("disputed", False), "conflicts"),
        merge.trials(puzzles, answers, words), frozenset(lists),
        frames.from_rows([admitted] * about.get("admitted", False), "admitted"), frozenset([date] * here), frozenset(),
        frozenset(["nyt"] * about.get("live", True)), {}, pending=frozenset({(date, "loll")}),
        corrected=frozenset([(date, "loll")] * about.get("corrected", False)),
    )  # fmt: skip
    found = new_days.walk(facts, lambda *_: {})
    assert evidence_of(found)["loll"] == ((218, 217) if counts else (217, 216))
    assert found.waiting["subject"].tolist() == ["loll"] * (not counts)
    assert found.settled.waits == (frozenset() if counts else {(date, "loll")})
