"""The accuracy report: `python -m docs.accuracy` prints the table of the README and the leaderboard of word lists.

`--to docs` also writes the report with its plots and tables. docs/FETCHING.md says which puzzles the workspace needs.
leaderboard.csv has the scores of public lists; NAME=FILE adds a list or scores it again. Needs git and matplotlib.
"""

from __future__ import annotations

import argparse
import io
import subprocess
import sys
import textwrap
from dataclasses import replace
from pathlib import Path

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from pipeline import run, store, word_list
from pipeline.commands.measure import run_backtest
from pipeline.errors import BeeError
from pipeline.measure import backtest, score
from pipeline.measure.backtest import DAILY, LAST_TRIAL, OURS, SCOWL, UPPER_BOUND, WITH_GUESSES, Backtest, BacktestInput
from pipeline.opinions import estimate_untried
from pipeline.opinions.logistic import logistic
from pipeline.run import Facts
from pipeline.tables import columns, frames
from pipeline.words import DOUBTFUL, LIKELY, OPINIONS

HERE = Path(__file__).parent
CUTOFF, WALK = "2023-07-01", "6m"
"""The backtest scores the puzzles from this date on, in folds of this length."""
FROZEN, FROZEN_SINCE = "dd13a0e:data/custom/wordlist.txt", "2026-01-01"
"""The list of release 2025.12.31.3 in git, and the first puzzle that nobody knew when it was published."""
BOARD_SINCE = "2024-11-25"
"""The leaderboard scores the puzzles from this date on, the day after the best public list was published."""
UNLIKELY = 0.03
"""Words with a lower p are left out where fits are compared, because almost all of them are refused."""
BEST_PUBLIC = "public list of 2024-11-24"

TEXT = """# How accurate the list is

{headline}

For readers who want to know how far to trust the list: its scores on puzzles that it had not seen, beside simple rules
and public lists. Made by `python -m docs.accuracy --to docs`.

{summary}

*Exact lists* is the share of puzzles with no word missing and none extra, with its 95% interval (Wilson). If the
intervals of two lists overlap widely, the difference may be noise. *F1* is 1 if every list is exact; each word that is
missing or extra lowers it a little. The list of 2025-12-31 is release 2025.12.31.3,
without guesses. It was published before anyone working on it had seen a puzzle of 2026.

## Day by day

Each new day is scored before it is counted, with the list as it stood before that day. `bee audit` prints this
table. A row is kept as it was made.

{track}

## Beside simple rules

{walked}

From {cutoff} on, every list was made anew each six months, from earlier facts only, and scored on the puzzles of the
next six months. [accuracy.csv](accuracy.csv) has these scores by span, month and center letter.

- A *guess* is a pangram that the solver suggests for each set of seven letters without a listed one.
- *Updated daily* means that a newer trial of a word decides. Nothing else is learned.
- The *simple rules* list the words that were accepted at their last trial, or at any trial. *Else SCOWL* adds words of
  SCOWL that were never tried.
- The *upper bound* knows the outcome of every word that was never tried. It cannot know when editors change their mind.

![Share of puzzles with exactly the right list, by month](accuracy-months.svg)

## Beside public lists

All lists are scored on the official puzzles from {since} on; `bee audit FILE --since {since}` scores any list.
Ours and the *simple rules* knew only earlier puzzles. A larger dictionary misses fewer words and has more extra ones,
because the puzzle accepts only common words.

{board}

## Tried and untried words

{unseen}
A word is listed if p is at least {likely}, and reviewed if p is at least {doubtful}.

![Estimated p and the share that was accepted](accuracy-reliability.svg)

What puzzles said of tried words that two readers judged, without knowing that they were tried. Each p is from a fit
without these words:

{readers}

Puzzles rarely have S, or both E and R, so for most words with these letters nothing can be measured. The logarithm of
the odds of such a word moves by {caution:.0%} toward that of tried words of its SCOWL size and frequency. This table
was used to choose how far. It is of kinds of tried words: a fit knew none of a kind, nor what readers think of them.

{kinds}

For tried words, the last trial decides. The next trial agreed with it in {agreed} of {pairs} cases, at least {least}
for every kind of record; `bee backtest` prints the table, and what each flag predicts.

## Most frequent errors

Missing: {missing}.

Extra: {extra}.
"""


KINDS = {
    "-ing": "ing$", "-ed": "ed$", "-ly": "ly$", "-able": "able$", "-al": "al$", "-ic": "ic$", "-y": "y$", "un-": "^un",
    "with V": "v", "with W": "w", "with O and N": "o.*n|n.*o",
}  # fmt: skip
"""Kinds of words as patterns: those whose words are hidden from a fit."""
FOLDS = 5


def hide(known: Facts, hidden: pd.Series) -> pd.DataFrame:
    """Return what a fit without some tried words estimates for them: columns word, opinion, p, accepted, and by_rarity
    (the p of a word of its size and frequency)."""
    record, lexicon = known.record, known.lexicon
    seen = record[~columns.is_in(record["word"], hidden)].reset_index(drop=True)
    data = estimate_untried.estimate_input(lexicon, known.forms, seen, known.offensive_words)
    by_rarity = logistic(estimate_untried.scores_by_rarity(lexicon, estimate_untried.last_outcomes(data)))
    found = estimate_untried.estimate(data, estimate_untried.fit(data), hidden).merge(record, on="word")
    found = found.merge(lexicon.assign(by_rarity=by_rarity)[["word", "opinion", "by_rarity"]], on="word")
    found["accepted"] = found["last_accepted"] > found["last_refused"]
    return found[["word", "opinion", "p", "accepted", "by_rarity"]]


def log_loss(p: pd.Series, accepted: pd.Series) -> float:
    """Return the mean log loss of p, which is rounded to two decimals and so at least a half of the last one."""
    right = p.where(accepted, 1 - p).clip(0.005, 0.995)
    return float(-np.log(right).mean())


def readers_table(known: Facts) -> pd.DataFrame:
    """Return what puzzles say of the words of each opinion, with and without what readers say."""
    judged = known.lexicon["word"][known.lexicon["opinion"] != ""]
    tried = known.record["word"][columns.is_in(known.record["word"], judged)].sample(frac=1, random_state=1)
    parts = [tried.iloc[fold::FOLDS] for fold in range(FOLDS)]
    blank = replace(known, lexicon=known.lexicon.assign(opinion=""))
    with_opinion, without = (pd.concat([hide(facts, part) for part in parts]) for facts in (known, blank))
    found = with_opinion.merge(without[["word", "p"]], on="word", suffixes=("", "_without"))
    rows = []
    for opinion in (*OPINIONS, ""):
        words = found[found["opinion"] == opinion] if opinion else found
        losses = [f"{log_loss(words[name], words['accepted']):.3f}" for name in ("p_without", "p")]
        shares = [f"{words[name].mean():.1%}" for name in ("accepted", "p")]
        rows.append((opinion or "all", f"{len(words):,}", *shares, *losses))
    header = ["opinion of two readers", "tried words", "accepted", "mean p", "log loss without readers", "with them"]
    return pd.DataFrame(rows, columns=header)


def kinds_table(known: Facts) -> pd.DataFrame:
    """Return the log loss of words of `KINDS`, each hidden from a fit, with and without caution."""
    words = known.record["word"]
    blank = replace(known, lexicon=known.lexicon.assign(opinion=""))
    found = {name: hide(blank, words[words.str.contains(kind)]) for name, kind in KINDS.items()}
    found = {name: table[table["p"] >= UNLIKELY] for name, table in found.items()}
    rows = []
    for name, table in (*found.items(), ("all", pd.concat(found.values()).drop_duplicates("word"))):
        score, rarity = (np.log(p / (1 - p)) for p in (table["p"].clip(0.005, 0.995), table["by_rarity"]))
        careful = pd.Series(logistic((score + estimate_untried.CAUTION * (rarity - score)).to_numpy()), table.index)
        losses = [f"{log_loss(p.round(2), table['accepted']):.3f}" for p in (table["p"], careful)]
        rows.append((name, f"{len(table):,}", *losses))
    return pd.DataFrame(rows, columns=["kind", f"words with p from {UNLIKELY}", "log loss", "with caution"])


def score_list(
    data: BacktestInput, without_trial: pd.DataFrame, name: str, words: set[str], since: str
) -> dict[str, object]:
    """Return the scores of a list on the puzzles from a date on. Words without a trial on a day are not scored."""
    compared = score.audit(data.puzzles, data.answers, without_trial, words, since)
    return {"list": name, "words": len(words), **score.measure(compared)}


def our_lists(data: BacktestInput) -> dict[str, set[str]]:
    """Return our lists as of `BOARD_SINCE`, the simple rules that they must beat, and SCOWL by size."""
    lists = backtest.lists(backtest.take_snapshot(data, BOARD_SINCE), backtest.trials_since(data, BOARD_SINCE))
    shown = {name: lists[name] for name in (WITH_GUESSES, OURS, SCOWL[60], LAST_TRIAL)}
    sizes = data.lexicon.set_index("word")["scowl_size"]
    for size in (35, 50, 60, 70, 80, 95):
        shown[f"SCOWL, American, up to {size}"] = set(sizes.index[sizes <= size])
    return shown


def frozen_list() -> set[str]:
    """Return the words of `FROZEN`."""
    done = subprocess.run(["git", "show", FROZEN], cwd=HERE, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BeeError(f"`git show {FROZEN}` failed: {done.stderr.strip()}")
    return set(done.stdout.split())


def ranked(scores: pd.DataFrame) -> pd.DataFrame:
    """Return the scores of lists by falling F1."""
    return scores.sort_values(["f1", "list"], ascending=[False, True], ignore_index=True)


def as_text(scores: pd.DataFrame) -> pd.DataFrame:
    """Return the scores of lists for readers."""
    shown = backtest.format_scores(scores)
    for name in shown.columns.intersection(["words", "puzzles"]):
        shown[name] = shown[name].map("{:,}".format)
    return shown.drop(columns=["precision", "recall"])


def summary(frozen: pd.DataFrame, walked: pd.DataFrame, board: pd.DataFrame) -> pd.DataFrame:
    """Return the table of the README, from the scores of the frozen list, of the backtest and of the leaderboard."""
    audit, walk = f"`git show {FROZEN} \\| bee audit - --since {FROZEN_SINCE}`", f"`bee backtest --walk {WALK}`"
    rows = [
        (frozen, OURS, "our list of 2025-12-31, as published then", audit),
        (walked, DAILY, "our list, updated daily", walk),
        (walked, SCOWL[60], "words accepted at their last trial, plus SCOWL up to size 60", walk),
        (board, WITH_GUESSES, "our list, frozen at 2024-11-24", f"`bee backtest --cutoff {BOARD_SINCE}`"),
        (board, BEST_PUBLIC, "the best public list, of 2024-11-24", f"`bee audit FILE --since {BOARD_SINCE}`"),
    ]
    lines = []
    for scores, name, label, command in rows:
        (row,) = as_text(scores[scores["list"] == name]).to_dict("records")
        lines.append((label, row["puzzles"], row["F1"], f"{row['exact lists']} ({row['95% interval']})", command))
    header = ["scored on puzzles that the list had not seen", "puzzles", "F1", "exact lists (95% interval)", "command"]
    return pd.DataFrame(lines, columns=header)


def track_table(track: pd.DataFrame) -> pd.DataFrame:
    """Return the track record for readers."""
    spans = score.summarize_track(track)[["span", "days", "f1", "exact", "low", "high", "missing", "extra"]]
    spans["low"] = spans["low"].map("{:.1%}".format) + " to " + spans.pop("high").map("{:.1%}".format)
    digits = {"days": ",", "f1": ".4f", "exact": ".1%", "missing": ".2f", "extra": ".2f"}
    shown = spans.assign(**{name: spans[name].map(f"{{:{form}}}".format) for name, form in digits.items()})
    names = {"f1": "F1", "exact": "exact lists", "low": "95% interval"}
    return shown.rename(columns={**names, "missing": "missing per day", "extra": "extra per day"})


def all_scores(results: Backtest) -> pd.DataFrame:
    """Score every list over all its puzzles, and our list by span, month and center letter.

    Columns: list, by, value (the first date of the span, the month or the letter), and those of `backtest.scores`.
    """
    tables = [backtest.scores(results.trials).assign(by="all", value="")]
    ours = results.trials[results.trials["list"] == OURS]
    for name, column in (("span", "fold"), ("month", "month"), ("center", "center")):
        tables.append(backtest.scores(ours, column).rename(columns={column: "value"}).assign(by=name))
    return pd.concat(tables, ignore_index=True).set_index(["list", "by", "value"]).reset_index()


def markdown(frame: pd.DataFrame) -> str:
    """Return a table as Markdown. Columns of numbers are on the right."""
    rows = [[str(cell) for cell in row] for row in frame.itertuples(index=False)]
    lines = [f"| {' | '.join(row)} |" for row in (list(frame.columns), *rows)]
    lines.insert(1, f"|{'|'.join('--:' if cell[:1].isdigit() else '---' for cell in rows[0])}|")
    return "\n".join(lines)


def blank_axes(width: float, height: float) -> Axes:
    """Return empty axes with a size in inches."""
    matplotlib.use("svg")
    matplotlib.rcParams |= {"svg.hashsalt": "bee", "svg.fonttype": "none", "font.family": "sans-serif"}
    axes = Figure(figsize=(width, height), layout="constrained").subplots()
    axes.spines[["top", "right"]].set_visible(False)
    return axes


def svg(axes: Axes) -> bytes:
    """Return a drawing as SVG without a timestamp, so that it is the same on every run."""
    buffer = io.BytesIO()
    axes.figure.savefig(buffer, format="svg", metadata={"Date": None})  # type: ignore[union-attr]
    return buffer.getvalue()


def draw_months(months: pd.DataFrame) -> bytes:
    """Draw the share of exact lists by month, in colors that color-blind readers can distinguish."""
    axes = blank_axes(4.6, 4.6)  # so that it can be read on a phone
    for name, color in {UPPER_BOUND: "#9a9a9a", OURS: "#b3541e", SCOWL[60]: "#2f6f8f", LAST_TRIAL: "#6b8e4e"}.items():
        rows = months[months["list"] == name]
        width = 2.2 if name == OURS else 1.2
        axes.plot(rows["month"], 100 * rows["exact"], color=color, linewidth=width, label=name)
    shown = sorted(set(months["month"]))
    axes.set_xticks(range(0, len(shown), 6), shown[::6], rotation=45, ha="right")
    axes.set_ylim(0, 100)
    axes.set_ylabel("exact lists, %")
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.25), frameon=False)
    return svg(axes)


def draw_reliability(unseen: pd.DataFrame) -> bytes:
    """Draw the share of accepted words by their estimated p, with the number of words."""
    axes = blank_axes(4.5, 4.5)
    bins = backtest.reliability(unseen)
    axes.plot([0, 1], [0, 1], color="#9a9a9a", linewidth=1)
    axes.scatter(bins["mean_p"], bins["accepted"], s=bins["words"] ** 0.5 * 5, color="#b3541e", alpha=0.8)
    for row in bins.to_dict("records"):
        place = (row["mean_p"], row["accepted"])
        axes.annotate(str(row["words"]), place, (7, -4), textcoords="offset points", fontsize=8)
    axes.set_xlabel("mean p")
    axes.set_ylabel("accepted")
    return svg(axes)


def headline(frozen: pd.DataFrame) -> str:
    """Return the sentence with which the report begins, from the scores of the frozen list."""
    (row,) = frozen.to_dict("records")
    exact, puzzles = round(row["exact"] * row["puzzles"]), row["puzzles"]
    return textwrap.fill(
        f"**Exactly right on {round(5 * row['exact'])} of 5 new puzzles.** The list of 2025-12-31 had exactly the "
        f"answers of {exact} of the {puzzles} official puzzles from {FROZEN_SINCE} on, which nobody had seen before. "
        f"In the others, {(row['missing'] + row['extra']) / (1 - row['exact']):.1f} words differed on average.",
        120,
    )


def report(results: Backtest, constancy: pd.DataFrame, track: pd.DataFrame, tables: dict[str, str]) -> bytes:
    """Return the report. `constancy` is the table of this name of a backtest, and `tables` are finished texts:
    headline, summary, board, readers, kinds."""
    errors = backtest.worst_words(results.trials[results.trials["list"] == OURS], 15)
    text = TEXT.format(
        **tables,
        track=markdown(track_table(track)),
        walked=markdown(as_text(ranked(backtest.scores(results.trials)))),
        cutoff=CUTOFF,
        since=BOARD_SINCE,
        unseen=backtest.summarize_unseen(results.unseen),
        likely=LIKELY,
        doubtful=DOUBTFUL,
        caution=estimate_untried.CAUTION,
        agreed=f"{round((constancy['agreed'] * constancy['trials']).sum()):,}",
        pairs=f"{int(constancy['trials'].sum()):,}",
        least=f"{constancy['agreed'].min():.1%}",
        missing=", ".join(errors["word"][errors["side"] == "missing"]),
        extra=", ".join(errors["word"][errors["side"] == "extra"]),
    )
    return text.encode()


def main(arguments: list[str]) -> None:
    """Print the tables, and write the report if its folder is given."""
    parser = argparse.ArgumentParser(prog="python -m docs.accuracy", description="Make the accuracy report.")
    parser.add_argument("lists", nargs="*", metavar="NAME=FILE", help="a public list to score")
    parser.add_argument("--to", type=Path, help="write the report into this folder")
    parser.add_argument("--data", type=Path, help="the workspace; default data")
    options = parser.parse_args(arguments)
    workspace = store.find_workspace(options.data)
    known = run.read_facts(workspace)
    if known.track.empty:
        raise BeeError(f"The track record of {workspace.root} is empty.")
    data = BacktestInput(known.lexicon, known.forms, known.puzzles, known.answers, known.trials, known.grades)
    lists = our_lists(data)
    left_out = known.without_trial
    for argument in options.lists:
        name, _, path = argument.partition("=")
        lists[name] = set(word_list.read(path).words)
    scored = pd.DataFrame([score_list(data, left_out, name, words, BOARD_SINCE) for name, words in lists.items()])
    committed = pd.read_csv(HERE / "leaderboard.csv")
    board = ranked(pd.concat([scored, committed]).drop_duplicates("list"))
    frozen = pd.DataFrame([score_list(data, left_out, OURS, frozen_list(), FROZEN_SINCE)])
    results, tables = run_backtest(workspace, CUTOFF, walk=WALK)
    walked = backtest.scores(results.trials)
    texts = {"summary": markdown(summary(frozen, walked, board)), "board": markdown(as_text(board))}
    print(*texts.values(), sep="\n\n")
    if options.to:
        texts |= {"readers": markdown(readers_table(known)), "kinds": markdown(kinds_table(known))}
        texts["headline"] = headline(frozen)
        files = {
            "ACCURACY.md": report(results, tables["constancy"], known.track, texts),
            "accuracy.csv": frames.csv_bytes(all_scores(results).round(6)),
            "leaderboard.csv": frames.csv_bytes(board.round(6)),
            "accuracy-months.svg": draw_months(backtest.scores(results.trials, "month")),
            "accuracy-reliability.svg": draw_reliability(results.unseen),
        }
        for name, content in files.items():
            store.write_bytes(options.to / name, content)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except BeeError as error:
        sys.exit(str(error))
