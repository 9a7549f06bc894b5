"""The accuracy report and the leaderboard: the order of tables, intervals, and lists that are not installed."""

import json
import os
import subprocess
import sys

import pandas as pd
import pytest
from conftest import PROJECT

from pipeline.measure import backtest, report, score
from pipeline.tables import frames

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
    columns=["date", "word", "vouched"],
)


def test_lists_are_ranked_and_one_that_is_not_there_comes_last():
    found = score.board(
        {
            "noise": ("a file", {"vacant", "octave"}),
            "gone": ("`apt-get install gone`", None),
            "right": ("a file", {"covenant", "cove"}),
        },
        PUZZLES,
        ANSWERS,
        "2025-01-01",
    )
    assert found["list"].tolist() == ["right", "noise", "gone"]
    assert found["exact"].tolist()[:2] == [0.5, 0]
    text = score.board_text(found)
    assert "| gone | | | | | | | not installed: `apt-get install gone` |" in text
    again = score.decode_board(frames.csv_bytes(found), "leaderboard.csv")
    assert score.board_text(again) == text


def test_only_puzzles_from_the_date_on_are_scored():
    found = score.board({"right": ("", {"covenant"})}, PUZZLES, ANSWERS, "2025-01-02")
    assert found[["puzzles", "exact"]].to_dict("records") == [{"puzzles": 1, "exact": 1}]


@pytest.mark.parametrize(
    ("exact", "puzzles", "ends"), [(0, 0, (0, 1)), (0, 10, (0, 0.278)), (5, 10, (0.237, 0.763)), (10, 10, (0.722, 1))]
)
def test_the_interval_of_a_share_is_wilsons_and_stays_a_share(exact, puzzles, ends):
    assert score.interval(exact, puzzles) == pytest.approx(ends, abs=0.001)
    assert all(0 <= end <= 1 for end in score.interval(exact, puzzles))


@pytest.mark.parametrize("data", [b"list,words\na,1\n", b"a\n", b""])
def test_a_table_that_is_no_leaderboard_is_told(data):
    with pytest.raises(frames.FrameError, match=r"board\.csv"):
        score.decode_board(data, "board.csv")


def trials(*rows):
    return pd.DataFrame(rows, columns=["date", "center", "word", "accepted"])


EVIDENCE = pd.DataFrame(
    [("cove", 9, 9, "2024-01-01", "2024-12-31", "", 2)],
    columns=["word", "offered", "accepted", "first_accepted", "last_accepted", "last_rejected", "vouched"],
)
ESTIMATES = pd.DataFrame({"word": ["covenant", "octave"], "p": [0.9, 0.3], "basis": ["", ""]})


def test_the_expected_number_of_exact_lists_is_the_sum_of_their_chances():
    later = trials(
        ("2025-01-01", "v", "cove", True),
        ("2025-01-01", "v", "covenant", True),
        ("2025-01-01", "v", "octave", False),
    )
    chance = score.trial_chances(EVIDENCE, ESTIMATES, later, daily=False)
    assert chance.tolist() == [0.9987, 0.9, 0.3]
    listed = score.sides(later, {"cove", "covenant"})
    assert score.expected_exact(listed, chance) == pytest.approx(0.9987 * 0.7), (
        "some pangram is certain, and there is one"
    )
    bare = score.sides(later, {"cove"})
    assert score.expected_exact(bare, chance) == 0, "a puzzle has a pangram, so a list without one cannot be exact"
    other = score.sides(later, {"cove", "covenant", "octave"})
    assert score.expected_exact(other, chance) == pytest.approx(0.9987 * 0.3)


def test_folded_daily_a_word_is_as_likely_as_its_new_record_says():
    later = trials(("2025-01-01", "v", "octave", True), ("2025-01-02", "v", "octave", True))
    assert score.trial_chances(EVIDENCE, ESTIMATES, later, daily=False).tolist() == [0.3, 0.3]
    assert score.trial_chances(EVIDENCE, ESTIMATES, later, daily=True).tolist() == [0.3, 0.9987]


def found() -> backtest.Backtest:
    named = {name: {"covenant"} for name in report.LEAD}
    later = trials(*[(f"2025-01-{day:02}", "v", "covenant", day > 5) for day in range(1, 11)])
    sided = [score.sides(later, words).assign(list=name, fold="2025-01-01") for name, words in named.items()]
    unseen = pd.DataFrame({"date": ["2025-01-01"], "word": ["octave"], "accepted": [True], "p": [0.9], "flags": [""]})
    return backtest.Backtest(pd.concat(sided), unseen, dict.fromkeys(backtest.PROMISED, 4.4))


def test_the_first_table_says_how_noisy_each_figure_is_and_what_p_promised():
    rows = report.lead(found()).to_dict("records")
    assert [row["list"] for row in rows] == list(report.LEAD.values())
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
        "flags": pd.DataFrame({"flag": [], "tried": [], "refused": [], "unseen": [], "refused_unseen": []}),
        "constancy": pd.DataFrame({"side": [], "agreed": []}),
        "promised": pd.DataFrame({"side": [], "promised": [], "agreed": []}),
        "track": frames.from_rows([{**TRACK, "date": date} for date in dates], "track"),
    }


@pytest.mark.parametrize("days", [0, 40])
def test_the_report_leads_with_the_track_record_where_there_is_one(days):
    text = report.report(found(), tables(days), "bee backtest")["ACCURACY.md"].decode()
    headings = [line for line in text.splitlines() if line.startswith("## ")]
    assert (headings[0] == "## Day by day") == bool(days)
    assert ("| last 30 days | 30 |" in text) == bool(days)
    assert "On puzzles that it had not seen" in headings[bool(days)]


def test_the_report_has_every_list_of_the_leaderboard():
    lists = {f"list {at}": ("a file", {"covenant"}) for at in range(9)} | {"gone": ("a package", None)}
    board = score.board(lists, PUZZLES, ANSWERS, "2025-01-02")
    text = report.report(found(), tables(0), "bee backtest", board)["ACCURACY.md"].decode()
    assert "scored on the 1 official puzzles from 2025-01-02 on" in text
    assert all(f"| {name} |" in text for name in lists)
    assert score.board_text(board) in text
    assert "Comparison with public lists" not in report.report(found(), tables(0), "")["ACCURACY.md"].decode()


def test_a_list_is_measured_by_its_right_missing_and_extra_words():
    rows = [("2025-01-01", True, False, False)] * 3
    rows += [("2025-01-02", False, True, False), ("2025-01-02", False, False, True), ("2025-01-02", False, False, True)]
    sided = pd.DataFrame(rows, columns=["date", "right", "missing", "extra"])
    assert score.measured(sided) == pytest.approx(
        {"puzzles": 2, "precision": 3 / 5, "recall": 3 / 4, "f1": 6 / 9, "exact": 1 / 2, "missing": 1 / 2, "extra": 1}
    )
    assert set(score.measured(sided[:0]).values()) == {0.0, 1.0}, "no puzzle, no division by zero"


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
    board = score.decode_board((docs / "leaderboard.csv").read_bytes(), "leaderboard.csv").set_index("list")
    scores = json.loads(bee("backtest", "--cutoff", since, "--json", "--data", ran).out)["scores"]
    figures = {row["list"]: row for row in scores}
    for name in ("last verdict", "last verdict + SCOWL 60", "ours"):
        row = board.loc[report.LEAD[name] if name != "ours" else name]
        for figure in ("puzzles", "f1", "exact", "missing", "extra"):
            assert row[figure] == pytest.approx(figures[name][figure], abs=1e-5), (name, figure)
    assert board["f1"].isna()["npm word-list"], "what cannot be fetched is named, without figures"
