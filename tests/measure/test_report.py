"""The accuracy report and the leaderboard: the order of tables, intervals, and lists that are not installed."""

import csv
import json
import os
import subprocess
import sys

import pandas as pd
import pytest
from conftest import PROJECT

from docs import accuracy as report
from docs import leaderboard
from pipeline.facts import merge
from pipeline.measure import backtest, score
from pipeline.sources import read_capture
from pipeline.tables import frames

TEXTS = {path.stem: path.read_text() for path in (PROJECT / "docs/texts").glob("*.md")}

PUZZLES = pd.DataFrame(
    {
        "date": ["2025-01-01", "2025-01-02"],
        "center": ["v", "v"],
        "outer": ["acenot", "acenot"],
        "source": ["days", "days"],
    }
)
ANSWERS = pd.DataFrame(
    [("2025-01-01", "cove", 1), ("2025-01-01", "covenant", 1), ("2025-01-02", "covenant", 1)],
    columns=["date", "word", "witnesses"],
)


def test_lists_are_ranked_and_one_that_is_not_there_comes_last():
    found = leaderboard.board(
        [
            leaderboard.PublicList("noise", "a file", {"vacant", "octave"}),
            leaderboard.PublicList("gone", "`apt-get install gone`", None),
            leaderboard.PublicList("right", "a file", {"covenant", "cove"}),
        ],
        PUZZLES,
        ANSWERS,
        "2025-01-01",
    )
    assert found["list"].tolist() == ["right", "noise", "gone"]
    assert found["exact"].tolist()[:2] == [0.5, 0]
    text = leaderboard.board_text(found)
    assert "| gone | not installed: `apt-get install gone` | | | | |" in text
    again = leaderboard.decode_board(frames.csv_bytes(found), "leaderboard.csv")
    assert leaderboard.board_text(again) == text


@pytest.mark.parametrize(
    ("exact", "puzzles", "ends"), [(0, 0, (0, 1)), (0, 10, (0, 0.278)), (5, 10, (0.237, 0.763)), (10, 10, (0.722, 1))]
)
def test_the_interval_of_a_share_is_wilsons_and_stays_a_share(exact, puzzles, ends):
    assert score.interval(exact, puzzles) == pytest.approx(ends, abs=0.001)
    assert all(0 <= end <= 1 for end in score.interval(exact, puzzles))


def trials(*rows):
    return pd.DataFrame(rows, columns=["date", "center", "word", "accepted"])


RECORD = pd.DataFrame(
    [("cove", 9, 9, "2024-01-01", "2024-12-31", "", 2)],
    columns=["word", "offered", "accepted", "first_accepted", "last_accepted", "last_refused", "witnesses"],
)
RARITY = dict.fromkeys(("cove", "covenant", "octave"), (3.0, 35.0))
ESTIMATES = pd.DataFrame({"word": ["covenant", "octave"], "p": [0.9, 0.3], "because": ["", ""]})


def test_the_expected_number_of_exact_lists_is_the_sum_of_their_chances():
    later = trials(
        ("2025-01-01", "v", "cove", True),
        ("2025-01-01", "v", "covenant", True),
        ("2025-01-01", "v", "octave", False),
    )
    chance = report.trial_chances(RECORD, ESTIMATES, later, daily=False, rarity=RARITY)
    sure = chance[0]
    assert chance.tolist() == [sure, 0.9, 0.3]
    assert sure > 0.99
    listed = score.compare(later, {"cove", "covenant"})
    assert report.expected_exact(listed, chance) == pytest.approx(sure * 0.7), (
        "some pangram is certain, and there is one"
    )
    bare = score.compare(later, {"cove"})
    assert report.expected_exact(bare, chance) == 0, "a puzzle has a pangram, so a list without one cannot be exact"
    other = score.compare(later, {"cove", "covenant", "octave"})
    assert report.expected_exact(other, chance) == pytest.approx(sure * 0.3)


EXPECTED = dict.fromkeys(report.PROMISED, 4.4)


def found() -> backtest.Backtest:
    named = {name: {"covenant"} for name in report.LEAD}
    later = trials(*[(f"2025-01-{day:02}", "v", "covenant", day > 5) for day in range(1, 11)])
    compared = [score.compare(later, words).assign(list=name, fold="2025-01-01") for name, words in named.items()]
    unseen = pd.DataFrame({"date": ["2025-01-01"], "word": ["octave"], "accepted": [True], "p": [0.9], "flags": [""]})
    return backtest.Backtest(pd.concat(compared), unseen)


def test_the_first_table_says_how_noisy_each_figure_is_and_what_p_promised():
    rows = report.lead(found(), EXPECTED).to_dict("records")
    assert [row["list"] for row in rows] == list(report.LEAD)
    assert rows[0]["exact lists"] == "5 (50.0%)"
    assert rows[0]["95% interval"] == "23.7% to 76.3%"
    assert (rows[0]["expected"], rows[-1]["expected"]) == ("4", "")


TRACK = {
    "date": "2025-01-01", "source": "days", "witnesses": 2, "answers": 40, "missing": 0, "extra": 1, "exact": 0,
    "expected": 0.6, "surprise": 1.0,
}  # fmt: skip


def tables(days: int) -> dict[str, pd.DataFrame]:
    """The tables of a report, with a track record of so many days."""
    dates = pd.date_range("2025-01-01", periods=days).strftime("%Y-%m-%d")
    return {
        "constancy": pd.DataFrame({"trials": [300, 100], "agreed": [1.0, 0.99]}),
        "families": pd.DataFrame({"form": [], "pairs": []}),
        "track": frames.from_rows([{**TRACK, "date": date} for date in dates], "track"),
    }


def text_of(days: int = 0, backtested: backtest.Backtest | None = None, **more: object) -> str:
    """The report with a track record of so many days."""
    files = report.report(backtested or found(), tables(days), TEXTS, "bee backtest", EXPECTED, **more)
    return files["ACCURACY.md"].decode()


@pytest.mark.parametrize("days", [0, 40])
def test_the_report_leads_with_the_track_record_where_there_is_one(days):
    text = text_of(days)
    headings = [line for line in text.splitlines() if line.startswith("## ")]
    assert (headings[0] == "## Day by day", "| last 30 days | 30 |" in text) == (bool(days), bool(days))
    assert "Beside simple rules" in headings[bool(days)]
    assert "Beside public lists" not in text


def test_the_report_has_the_best_lists_of_the_leaderboard():
    lists = [
        leaderboard.PublicList(f"list {number:02}", "a file", {"covenant"}) for number in range(report.BOARD_ROWS + 1)
    ]
    board = leaderboard.board(lists, PUZZLES, ANSWERS, "2025-01-02")
    text = text_of(board=board)
    assert "scored on the 1 official puzzles from 2025-01-02 on" in text
    shown = [public_list.name for public_list in lists if f"| {public_list.name} |" in text]
    assert shown == board["list"].tolist()[: report.BOARD_ROWS] != board["list"].tolist()


def test_the_report_counts_how_often_the_next_trial_agreed():
    text = " ".join(text_of().split())
    assert "agreed with it in 399 of 400 cases, at least 99.0% for every kind of record" in text


def test_the_scores_beside_the_report_are_by_list_span_month_and_center_letter():
    files = report.report(found(), tables(0), TEXTS, "bee backtest", EXPECTED)
    rows = list(csv.DictReader(files["accuracy.csv"].decode().splitlines()))
    assert [row["list"] for row in rows if row["by"] == "all"] == list(report.LEAD)
    ours = [(row["by"], row["value"], row["puzzles"], row["exact"]) for row in rows if row["by"] != "all"]
    assert {row["list"] for row in rows if row["by"] != "all"} == {backtest.OURS}
    expected = [("span", "2025-01-01"), ("month", "2025-01"), ("center", "v")]
    assert ours == [(by, value, "10", "0.5") for by, value in expected]


def test_a_list_is_measured_by_its_right_missing_and_extra_words():
    rows = [("2025-01-01", True, False, False)] * 3
    rows += [("2025-01-02", False, True, False), ("2025-01-02", False, False, True), ("2025-01-02", False, False, True)]
    compared = pd.DataFrame(rows, columns=["date", "right", "missing", "extra"])
    assert score.measure(compared) == pytest.approx(
        {"puzzles": 2, "precision": 3 / 5, "recall": 3 / 4, "f1": 6 / 9, "exact": 1 / 2, "missing": 1 / 2, "extra": 1}
    )
    assert set(score.measure(compared[:0]).values()) == {0.0, 1.0}, "no puzzle, no division by zero"


@pytest.mark.slow
def test_the_leaderboard_has_both_simple_rules_unasked_with_the_figures_of_the_backtest(bee, ran, tmp_path):
    """The script itself, with a date that fits two weeks, and without any program that could fetch a list."""
    since, docs = "2025-03-01", tmp_path / "docs"
    docs.mkdir()
    script = (PROJECT / "docs/leaderboard.py").read_text()
    (docs / "leaderboard.py").write_text(script.replace('SINCE = "2024-11-25"', f'SINCE = "{since}"'))
    settings = {**os.environ, "PATH": "", "PIP_NO_INDEX": "1", "PYTHONPATH": str(PROJECT)}
    command = [sys.executable, str(docs / "leaderboard.py")]
    done = subprocess.run(command, cwd=ran.parent, env=settings, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    board = leaderboard.decode_board((docs / "leaderboard.csv").read_bytes(), "leaderboard.csv").set_index("list")
    scores = json.loads(bee("backtest", "--cutoff", since, "--json", "--data", ran).out)["scores"]
    figures = {row["list"]: row for row in scores}
    for name in (backtest.LAST_TRIAL, backtest.SCOWL[60], backtest.OURS, backtest.WITH_GUESSES):
        row = board.loc[name]
        for figure in ("puzzles", "f1", "exact", "missing", "extra"):
            assert row[figure] == pytest.approx(figures[name][figure], abs=1e-5), (name, figure)
    assert board["f1"].isna()["npm word-list"], "what cannot be fetched is named, without figures"


FROZEN = {"release": "2025.1.1.1", "commit": "abc1234", "known": "2024-12-31", "since": "2025-01-01"}
FROZEN |= {"until": "2025-01-31", "puzzles": "31", "exact": "25", "f1": "0.9950"}


def test_a_frozen_list_leads_the_report_with_its_interval_and_how_to_repeat_it():
    text = text_of(40, frozen_lists=pd.DataFrame([FROZEN]))
    words = " ".join(text.split())
    low, high = score.interval(25, 31)
    assert text.index("## A list frozen before its puzzles") < text.index("## Day by day")
    assert f"was exact on 25 (80.6%; {low:.1%} to {high:.1%}), with F1 0.9950" in words
    assert "`git show abc1234:data/custom/wordlist.txt | bee audit - --since 2025-01-01`" in words


@pytest.mark.needs("git", "a git checkout")
def test_the_frozen_list_of_the_report_scores_what_is_published(shared):
    row = frames.read_csv((PROJECT / "docs/frozen.csv").read_bytes(), "docs/frozen.csv").iloc[0]
    command = ["git", "show", f"{row['commit']}:data/custom/wordlist.txt"]
    words = set(subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=True).stdout.split())
    days = read_capture((shared / "archive/nyt_puzzles_plus_2026.txt").read_bytes(), "2026").days
    merged = merge.reconcile([("plus", day) for day in days], {"plus": 0})
    puzzles, answers = merged.puzzles, merged.answers
    scored = score.measure(score.audit(puzzles, answers, words, row["since"]))
    assert (scored["puzzles"], round(scored["exact"] * scored["puzzles"])) == (int(row["puzzles"]), int(row["exact"]))
    assert f"{scored['f1']:.4f}" == row["f1"]
