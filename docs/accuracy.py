"""The accuracy report: `python -m docs.accuracy --walk 6m` writes docs/ACCURACY.md with its plots and scores.

They are made from a backtest on the puzzles of the workspace `data`. The sentences are in the folder `texts`, with
names in braces where figures and tables go. Needs matplotlib.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from docs import leaderboard
from docs.drawing import blank_axes, svg
from pipeline import store
from pipeline.commands.measure import run_backtest
from pipeline.errors import BeeError
from pipeline.intake import track as track_record
from pipeline.measure import backtest, score
from pipeline.measure.backtest import (
    DAILY,
    EVER_ACCEPTED,
    LAST_TRIAL,
    OURS,
    SCOWL,
    UPPER_BOUND,
    WITH_GUESSES,
    Backtest,
    BacktestInput,
)
from pipeline.measure.score import summarize_track
from pipeline.opinions import constancy, families
from pipeline.run import registry
from pipeline.tables import frames
from pipeline.words import DOUBTFUL, LIKELY, pangram

_SHOWN = {UPPER_BOUND: "#9a9a9a", OURS: "#b3541e", SCOWL[60]: "#2f6f8f", LAST_TRIAL: "#6b8e4e"}
"""The lists in the plot by month, with colors that color-blind readers can distinguish."""

BOARD_ROWS = 9
"""The report has so many of the best lists of the leaderboard; the file has all."""

LEAD = (DAILY, WITH_GUESSES, OURS, SCOWL[60], LAST_TRIAL, EVER_ACCEPTED, UPPER_BOUND)
"""The lists of the first table."""


def report(
    results: Backtest,
    tables: Mapping[str, pd.DataFrame],
    texts: Mapping[str, str],
    command: str,
    expected_exact_lists: Mapping[str, float],
    board: pd.DataFrame | None = None,
    frozen_lists: pd.DataFrame | None = None,
) -> dict[str, bytes]:
    """Make the report, name to bytes, from a backtest, its tables, and the files of the folder `texts`, name to text.

    The tables are `constancy` (`measure` of `constancy`), `families` (`agreement`), and `track`; `board` is the
    leaderboard, and `frozen_lists` are the lists that were frozen before their puzzles (`FROZEN`).
    """
    board_text = "" if board is None else _board(board, texts["board"])
    frozen_text = ""
    if frozen_lists is not None:
        frozen_text = "".join(_frozen(row, texts["frozen"]) for row in frames.rows(frozen_lists))
    return {
        "ACCURACY.md": _text(results, tables, texts, command, expected_exact_lists, board_text, frozen_text).encode(),
        "accuracy.csv": frames.csv_bytes(all_scores(results).round(6)),
        "families.csv": frames.csv_bytes(tables["families"]),
        "accuracy-months.svg": _months(backtest.scores(results.trials, "month")),
        "accuracy-reliability.svg": _reliability(results.unseen),
    }


def _text(
    results: Backtest,
    tables: Mapping[str, pd.DataFrame],
    texts: Mapping[str, str],
    command: str,
    expected_exact_lists: Mapping[str, float],
    board_text: str,
    frozen_text: str,
) -> str:
    ours = results.trials[results.trials["list"] == OURS]
    errors = backtest.worst_words(ours, 15)
    wrong = {side: ", ".join(errors["word"][errors["side"] == side]) for side in ("missing", "extra")}
    kinds = tables["constancy"]
    pairs = int(kinds["trials"].sum())
    agreed = round((kinds["agreed"] * kinds["trials"]).sum())
    return texts["accuracy"].format(
        command=command,
        cutoffs=", ".join(sorted(set(ours["fold"]))),
        frozen=frozen_text,
        track=_track(tables["track"], texts["track"]),
        lead=markdown(lead(results, expected_exact_lists)),
        board=board_text,
        unseen=backtest.summarize_unseen(results.unseen),
        likely=LIKELY,
        doubtful=DOUBTFUL,
        pairs=f"{pairs:,}",
        agreed=f"{agreed:,}",
        least=f"{kinds['agreed'].min():.1%}",
        **wrong,
    )


def lead(results: Backtest, expected: Mapping[str, float]) -> pd.DataFrame:
    """Make the first table: columns list, puzzles, F1, exact lists, 95% interval, expected (exact lists under p)."""
    scores = {row["list"]: row for row in backtest.scores(results.trials).to_dict("records")}
    rows = []
    for name in LEAD:
        row = scores[name]
        puzzles = int(row["puzzles"])
        count = round(row["exact"] * puzzles)
        low, high = score.interval(count, puzzles)
        predicted = f"{expected[name]:.0f}" if name in expected else ""
        exact, span = f"{count} ({row['exact']:.1%})", f"{low:.1%} to {high:.1%}"
        rows.append((name, puzzles, f"{row['f1']:.4f}", exact, span, predicted))
    return pd.DataFrame(rows, columns=["list", "puzzles", "F1", "exact lists", "95% interval", "expected"])


PROMISED = {DAILY: True, WITH_GUESSES: False, OURS: False}
"""The lists for which p predicts the number of exact ones, each with whether days are added to the record daily."""


def expect_exact_lists(results: Backtest, data: BacktestInput) -> dict[str, float]:
    """Sum the number of exact lists that p predicts, for each list of `PROMISED`, over the folds of a backtest."""
    sums = dict.fromkeys(PROMISED, 0.0)
    for cutoff, rows in results.trials.groupby("fold"):
        known = backtest.take_snapshot(data, str(cutoff))
        rarity = constancy.rarities(data.lexicon, rows["word"].drop_duplicates())
        for name, daily in PROMISED.items():
            compared = rows[rows["list"] == name].reset_index(drop=True)
            later = compared.assign(accepted=compared["right"] | compared["missing"])
            chances = trial_chances(known.record, known.estimates, later, daily, rarity)
            sums[name] += expected_exact(compared, chances)
    return sums


def trial_chances(
    known: pd.DataFrame, estimates: pd.DataFrame, later: pd.DataFrame, daily: bool, rarity: track_record.Rarity
) -> pd.Series:
    """Return the probability that each later trial accepts its word, by its record or else its estimate; same index.

    `daily` adds each day to the record after it is scored.
    """
    record = track_record.word_records(known)
    estimated = dict(zip(estimates["word"].tolist(), estimates["p"].tolist(), strict=True))
    chances = {}
    for date, day in later.groupby("date"):
        words = day["word"].tolist()
        for row, word in zip(day.index.tolist(), words, strict=True):
            chances[row] = track_record.probability(record.get(word), estimated.get(word, 0.0), str(date), rarity[word])
        if daily:
            outcomes = [track_record.Outcome(*pair) for pair in zip(words, day["accepted"], strict=True)]
            track_record.add_day(record, str(date), outcomes)
    return pd.Series(chances, dtype="float64").reindex(later.index)


def expected_exact(compared: pd.DataFrame, chance: pd.Series) -> float:
    """Sum the probabilities that a list is exact over all puzzles.

    `compared` is as in `score.compare`, indexed like `chance`. A puzzle always has a pangram, so a list without one is
    never exact, and other lists have at least one right.
    """
    is_listed = compared["right"] | compared["extra"]
    is_pangram = compared["word"].map(pangram)
    words = compared[["date"]].assign(
        all_right=np.log(np.where(is_listed, chance, 1 - chance)),
        no_pangram=np.where(is_pangram, np.log1p(-chance), 0.0),
        has_pangram=is_listed & is_pangram,
    )
    days = words.groupby("date").agg({"all_right": "sum", "no_pangram": "sum", "has_pangram": "any"})
    days = days[days["has_pangram"]]
    return float(np.minimum(np.exp(days["all_right"]) / -np.expm1(days["no_pangram"]), 1).sum())


def _track(track: pd.DataFrame, text: str) -> str:
    """Write the track record, or nothing if there is none yet."""
    summary = summarize_track(track)
    if summary.empty:
        return ""
    rows = pd.DataFrame(
        {
            "span": summary["span"],
            "days": summary["days"],
            "F1": summary["f1"].map("{:.4f}".format),
            "exact lists": summary["exact"].map("{:.1%}".format),
            "95% interval": summary["low"].map("{:.1%}".format) + " to " + summary["high"].map("{:.1%}".format),
            "expected": summary["expected"].map("{:.1%}".format),
            "missing per day": summary["missing"].map("{:.2f}".format),
            "extra per day": summary["extra"].map("{:.2f}".format),
        }
    )
    return text.format(rows=markdown(rows))


FROZEN = ("release", "commit", "known", "since", "until", "puzzles", "exact", "f1")
"""The columns of a table of frozen lists; `known` is the last puzzle that a release knew."""


def _frozen(row: Mapping[str, Any], text: str) -> str:
    """Write what one frozen list scored."""
    exact, puzzles = int(row["exact"]), int(row["puzzles"])
    low, high = score.interval(exact, puzzles)
    shown = {"share": f"{exact / puzzles:.1%}", "low": f"{low:.1%}", "high": f"{high:.1%}"}
    return text.format(**{name: row[name] for name in FROZEN}, **shown)


def _board(board: pd.DataFrame, text: str) -> str:
    """Write the best lists of a leaderboard."""
    best = board[:BOARD_ROWS]
    rows = leaderboard.board_text(best)
    puzzles = int(board["puzzles"].max())
    return text.format(puzzles=puzzles, since=board["since"].iloc[0], shown=len(best), rows=rows)


def _months(months: pd.DataFrame) -> bytes:
    axes = blank_axes(9, 4.6)
    for name, color in _SHOWN.items():
        rows = months[months["list"] == name]
        width = 2.2 if name == OURS else 1.2
        axes.plot(rows["month"], 100 * rows["exact"], color=color, linewidth=width, label=name)
    shown = sorted(set(months["month"]))
    axes.set_xticks(range(0, len(shown), 3), shown[::3], rotation=45, ha="right")
    axes.set_ylim(0, 100)
    axes.set_ylabel("exact lists, %")
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2), ncols=2, frameon=False)
    return svg(axes)


def _reliability(unseen: pd.DataFrame) -> bytes:
    axes = blank_axes(4.5, 4.5)
    frame = backtest.reliability(unseen)
    axes.plot([0, 1], [0, 1], color="#9a9a9a", linewidth=1)
    axes.scatter(frame["mean_p"], frame["accepted"], s=frame["words"] ** 0.5 * 5, color="#b3541e", alpha=0.8)
    for row in frame.to_dict("records"):
        place = (row["mean_p"], row["accepted"])
        axes.annotate(str(row["words"]), place, (7, -4), textcoords="offset points", fontsize=8)
    axes.set_xlabel("mean p")
    axes.set_ylabel("accepted")
    return svg(axes)


def agreement(lexicon: pd.DataFrame, record: pd.DataFrame) -> pd.DataFrame:
    """Count the bases and forms of the table `record` that were both tried, by kind of form and by whether WordNet
    has a sense of the form itself.

    Columns: form, own sense, pairs, both accepted, only the form, only the base, neither.
    """
    accepted = pd.Series((record["last_accepted"] > record["last_refused"]).tolist(), index=record["word"])
    pairs = families.word_forms(lexicon)
    pairs = pairs[pairs["form"].isin(accepted.index) & pairs["base"].isin(accepted.index)]
    form = accepted[pairs["form"]].to_numpy()
    base = accepted[pairs["base"]].to_numpy()
    endings = pairs["form"].str.extract("(ing|ed|est|er|s)$")[0].map("-{}".format, na_action="ignore")
    counts = pd.DataFrame(
        {
            "form": endings.fillna("irregular").to_numpy(),
            "own sense": pairs["pure"].map({True: "no", False: "yes"}).to_numpy(),
            "pairs": 1,
            "both accepted": form & base,
            "only the form": form & ~base,
            "only the base": ~form & base,
            "neither": ~(form | base),
        }
    )
    return counts.groupby(["form", "own sense"], as_index=False).sum()


def all_scores(results: Backtest) -> pd.DataFrame:
    """Score every list of a backtest over all its puzzles, and our list by span, month and center letter.

    Columns: list, by (all, span, month or center), value (the first date of the span, the month, the letter), and the
    figures of `backtest.scores`.
    """
    every_list = backtest.scores(results.trials).assign(by="all", value="")
    groups = [every_list]
    ours = results.trials[results.trials["list"] == OURS]
    for name, column in (("span", "fold"), ("month", "month"), ("center", "center")):
        scores = backtest.scores(ours, column).rename(columns={column: "value"})
        groups.append(scores.assign(by=name))
    figures = [name for name in every_list.columns if name not in ("list", "by", "value")]
    return pd.concat(groups, ignore_index=True)[["list", "by", "value", *figures]]


def markdown(frame: pd.DataFrame) -> str:
    """Write a table as Markdown."""
    rows = [list(map(str, frame.columns)), ["---"] * len(frame.columns)]
    rows += [[str(cell) for cell in row] for row in frame.itertuples(index=False)]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def main(arguments: list[str]) -> None:
    """Write the report, with the leaderboard and the frozen lists that its folder has already."""
    parser = argparse.ArgumentParser(prog="python -m docs.accuracy", description="Write the accuracy report.")
    parser.add_argument("--cutoff", default="2023-07-01", help="learn only from puzzles before this date")
    parser.add_argument("--until", default="", help="score only puzzles before this date; default all")
    parser.add_argument("--walk", default="", help="use several folds of this length, such as 6m; default one")
    parser.add_argument("--to", dest="folder", type=Path, default=Path("docs"), help="the folder; default docs")
    parser.add_argument("--data", help="the workspace; default data")
    options = parser.parse_args(arguments)
    workspace = store.find_workspace(options.data)
    results, tables = run_backtest(workspace, options.cutoff, options.until, options.walk)
    tables["track"] = registry.load(workspace, "track")
    board, frozen_lists = None, None
    board_path, frozen_path = options.folder / "leaderboard.csv", options.folder / "frozen.csv"
    if board_path.exists():
        board = leaderboard.decode_board(store.read_bytes(board_path, "make leaderboard"), board_path.name)
    if frozen_path.exists():
        frozen_lists = frames.read_csv(store.read_bytes(frozen_path, "git checkout"), frozen_path.name)
    command = "python -m docs.accuracy"
    for name, value in (("--cutoff", options.cutoff), ("--until", options.until), ("--walk", options.walk)):
        if value:
            command += f" {name} {value}"
    texts = {path.stem: path.read_text("utf-8") for path in (Path(__file__).parent / "texts").glob("*.md")}
    data = BacktestInput(**registry.load_all(workspace, *backtest.TABLES))
    tables["families"] = agreement(data.lexicon, registry.load(workspace, "record"))
    expected_exact_lists = expect_exact_lists(results, data)
    files = report(results, tables, texts, command, expected_exact_lists, board, frozen_lists)
    for name, content in files.items():
        store.write_bytes(options.folder / name, content)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except BeeError as error:
        sys.exit(str(error))
