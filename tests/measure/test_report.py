"""The scores of lists, and the accuracy report that is made of them."""

from dataclasses import replace

import pandas as pd
import pytest
from conftest import PROJECT

from docs import accuracy
from pipeline import run, store
from pipeline.measure import backtest, score
from pipeline.tables import frames


@pytest.mark.parametrize(
    ("exact", "puzzles", "ends"), [(0, 0, (0, 1)), (0, 10, (0, 0.278)), (5, 10, (0.237, 0.763)), (10, 10, (0.722, 1))]
)
def test_the_interval_of_a_share_is_wilsons_and_stays_a_share(exact, puzzles, ends):
    assert score.interval(exact, puzzles) == pytest.approx(ends, abs=0.001)


def test_a_list_is_measured_by_its_right_missing_and_extra_words():
    rows = [("2025-01-01", True, False, False)] * 3
    rows += [("2025-01-02", False, True, False), ("2025-01-02", False, False, True), ("2025-01-02", False, False, True)]
    compared = pd.DataFrame(rows, columns=["date", "right", "missing", "extra"])
    assert score.measure(compared) == pytest.approx(
        {"puzzles": 2, "precision": 3 / 5, "recall": 3 / 4, "f1": 6 / 9, "exact": 1 / 2, "missing": 1 / 2, "extra": 1}
    )
    assert set(score.measure(compared[:0]).values()) == {0.0, 1.0}, "no puzzle, no division by zero"


def test_the_track_record_is_summed_up_by_spans_that_end_on_its_last_day():
    track = frames.from_text(frames.read_csv((PROJECT / "data/custom/track.csv").read_bytes(), "track.csv"), "track")
    rows = score.summarize_track(track).to_dict("records")
    for row, count in zip(rows, (30, 90, 365, len(track)), strict=True):
        exact = int((track["missing"] + track["extra"]).tail(count).eq(0).sum())
        assert (row["days"], row["exact"], row["low"], row["high"]) == (
            count, pytest.approx(exact / count), *score.interval(exact, count)
        )  # fmt: skip
    assert list(score.summarize_track(frames.empty("track"))) == list(rows[0]), "a table without rows"


def results() -> backtest.Backtest:
    """Ten days with one word, which both lists have, and which the last five days accept."""
    rows = [(f"2025-01-{day:02}", "v", "covenant", day > 5) for day in range(1, 11)]
    later = pd.DataFrame(rows, columns=["date", "center", "word", "accepted"])
    compared = score.compare(later, {"covenant"}).assign(fold="2025-01-01")
    unseen = pd.DataFrame({"date": ["2025-01-01"], "word": ["octave"], "accepted": [True], "p": [0.9], "flags": [""]})
    names = (backtest.OURS, backtest.DAILY, backtest.SCOWL[60])
    return backtest.Backtest(pd.concat([compared.assign(list=name) for name in names]), unseen)


def test_the_report_has_the_scores_the_track_record_and_the_most_frequent_errors():
    kinds = pd.DataFrame({"trials": [300, 100], "agreed": [1.0, 0.99]})
    tables = {name: name.upper() for name in ("summary", "board", "readers", "kinds")}
    frozen = pd.DataFrame([{"puzzles": 200, "exact": 0.815, "missing": 0.24, "extra": 0.15}])
    tables["headline"] = accuracy.headline(frozen)
    day = {"date": "2025-01-01", "source": "days", "witnesses": 2, "without_trial": "", "differs": ""}
    track = frames.from_rows([{**day, "answers": 40, "missing": 0, "extra": 1}], "track")
    text = accuracy.report(results(), kinds, track, tables).decode()
    start = " ".join(text.split()).partition(" For readers")[0]
    assert "right on 4 of 5 new puzzles.** The list of 2025-12-31 had exactly the answers of 163 of the 200" in start
    assert start.endswith("In the others, 2.1 words differed on average.")
    assert f"| {backtest.OURS} | 10 | 0.6667 | 50.0% | 23.7% to 76.3% | 0.00 | 0.50 |" in text
    assert "| all days | 1 | 0.9877 | 0.0% | 0.0% to 79.3% | 0.00 | 1.00 |" in text
    assert " ".join(text.split()).count("agreed with it in 399 of 400 cases, at least 99.0%") == 1
    assert "Extra: covenant." in text


def test_what_a_fit_says_of_hidden_words_does_not_depend_on_their_record(ran_once):
    """Not even with all their outcomes turned around."""
    known = run.read_facts(store.Workspace(ran_once))
    words = known.record["word"].sample(40, random_state=1)
    swapped = {"last_accepted": "last_refused", "last_refused": "last_accepted"}
    turned = known.record.where(~known.record["word"].isin(words), known.record.rename(columns=swapped))
    one, other = (accuracy.hide(replace(known, record=record), words) for record in (known.record, turned))
    assert set(one["word"]) == set(words)
    assert one["p"].tolist() == other["p"].tolist()
    assert (one["accepted"] != other["accepted"]).all()
    assert accuracy.log_loss(pd.Series([0.9, 0.2]), pd.Series([True, False])) == pytest.approx(0.1643, abs=1e-4)


def test_plots_are_the_same_on_every_run():
    months = backtest.scores(results().trials, "month")
    assert accuracy.draw_months(months) == accuracy.draw_months(months)
    assert accuracy.draw_reliability(results().unseen) == accuracy.draw_reliability(results().unseen)
