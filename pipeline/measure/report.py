"""The accuracy report: `docs/ACCURACY.md` and its plots, made from a backtest. Needs matplotlib."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pandas as pd

from pipeline import backtest
from pipeline.backtest import Backtest
from pipeline.estimate import DOUBTFUL, LIKELY
from pipeline.words import BeeError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SHOWN = {"ceiling": "#9a9a9a", "ours": "#b3541e", "last verdict + SCOWL 60": "#2f6f8f", "last verdict": "#6b8e4e"}
"""The lists in the plot by month, with colours that stay apart for the colour-blind."""

COLUMNS = {
    "list": "list",
    "puzzles": "puzzles",
    "precision": "precision",
    "recall": "recall",
    "f1": "F1",
    "exact": "exact lists",
    "missing": "missing a puzzle",
    "extra": "extra a puzzle",
}

TEMPLATE = """# How accurate the list is

Made by `{command}`. Every list here was frozen before the puzzles that score it: opinions were
formed from facts strictly before {cutoffs}, and each was scored on the puzzles up to the next date.

{lists}

*Exact lists* is the share of puzzles whose list was right to the last word. The *ceiling* is told everything about
words that were never tried; what it gets wrong are words that changed sides, which no frozen list can know.

![Share of puzzles with exactly the right list, by month](accuracy-months.svg)

## Words that were never tried

{unseen} A word is taken from p = {likely} on, where it is more likely right than wrong, and
shown for review from p = {doubtful} on.

![What p says against what came](accuracy-reliability.svg)

{reliability}

## Words that were tried before

The last trial decides, however old it is and whatever came before: no kind of record agrees with its next trial in less
than half of the cases.

{constancy}

## What the flags predict

Of the words that were ever tried, how many a code marks and which share of those was refused; then the same for the
words that were never tried before their fold. A code that predicts nothing has severity *note* and only explains.

{flags}

## Folds

{folds}

## Months

{months}

## Center letters

{centers}

## What it gets wrong most often

Missing: {missing}.

Extra: {extra}.
"""


def report(found: Backtest, flags: pd.DataFrame, constancy: pd.DataFrame, command: str) -> dict[str, bytes]:
    """Make the report, name to bytes, from a walk and the tables `flag_shares` and `constancy` of `backtest`."""
    months = backtest.table(found.trials, "month")
    plots = {"accuracy-months.svg": _months(months), "accuracy-reliability.svg": _reliability(found.unseen)}
    return {"ACCURACY.md": _text(found, flags, constancy, command).encode(), **plots}


def figures(frame: pd.DataFrame) -> pd.DataFrame:
    """Round the figures of `backtest.table` for reading: shares to four digits, the exact-list rate in percent."""
    shown = frame.rename(columns=COLUMNS)
    shown["exact lists"] = shown["exact lists"].map("{:.1%}".format)
    for name in ("precision", "recall", "F1"):
        shown[name] = shown[name].map("{:.4f}".format)
    for name in ("missing a puzzle", "extra a puzzle"):
        shown[name] = shown[name].map("{:.2f}".format)
    return shown


def unseen_figures(unseen: pd.DataFrame) -> str:
    """Sum up how good p is on words that were never tried before."""
    precision = backtest.average_precision(unseen["accepted"], unseen["p"])
    brier = float(((unseen["p"] - unseen["accepted"]) ** 2).mean())
    return (
        f"{len(unseen):,} words met for the first time, {unseen['accepted'].mean():.1%} of them accepted: "
        f"average precision {precision:.4f}, Brier score {brier:.4f}."
    )


def _text(found: Backtest, flags: pd.DataFrame, constancy: pd.DataFrame, command: str) -> str:
    ours = found.trials[found.trials["list"] == "ours"]
    folds = backtest.table(ours, "fold").drop(columns="list")
    centers = backtest.table(ours, "center").drop(columns="list")
    months = backtest.table(ours, "month").drop(columns="list")
    reliability = backtest.reliability(found.unseen).round(3)
    shares = flags.assign(refused=flags["refused"].map("{:.0%}".format))
    shares["refused_unseen"] = flags["refused_unseen"].map("{:.0%}".format, na_action="ignore").fillna("")
    shares["unseen"] = flags["unseen"].astype(int)
    errors = backtest.worst(ours, 25)
    wrong = {side: ", ".join(errors["word"][errors["side"] == side]) for side in ("missing", "extra")}
    return TEMPLATE.format(
        command=command,
        cutoffs=", ".join(sorted(set(ours["fold"]))),
        lists=_markdown(figures(backtest.table(found.trials))),
        unseen=unseen_figures(found.unseen),
        likely=LIKELY,
        doubtful=DOUBTFUL,
        reliability=_markdown(reliability),
        constancy=_markdown(constancy.assign(agreed=constancy["agreed"].map("{:.2%}".format))),
        flags=_markdown(shares),
        folds=_markdown(figures(folds)),
        months=_markdown(figures(months)),
        centers=_markdown(figures(centers)),
        **wrong,
    )


def _markdown(frame: pd.DataFrame) -> str:
    rows = [list(map(str, frame.columns)), ["---"] * len(frame.columns)]
    rows += [[str(cell) for cell in row] for row in frame.itertuples(index=False)]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _axes(width: float, height: float) -> Axes:
    try:
        import matplotlib
    except ImportError as error:
        raise BeeError("Plots need matplotlib: pip install 'bee-wordlist[curate]'.") from error
    matplotlib.use("svg")
    matplotlib.rcParams |= {"svg.hashsalt": "bee", "svg.fonttype": "none", "font.family": "sans-serif"}
    from matplotlib.figure import Figure

    axes = Figure(figsize=(width, height), layout="constrained").subplots()
    axes.spines[["top", "right"]].set_visible(False)
    return axes


def _svg(axes: Axes) -> bytes:
    buffer = io.BytesIO()
    axes.figure.savefig(buffer, format="svg", metadata={"Date": None})  # type: ignore[union-attr]
    return buffer.getvalue()


def _months(months: pd.DataFrame) -> bytes:
    axes = _axes(9, 4)
    below = 100.0
    for name, colour in SHOWN.items():
        rows = months[months["list"] == name]
        width = 2.2 if name == "ours" else 1.2
        axes.plot(rows["month"], 100 * rows["exact"], color=colour, linewidth=width, label=name)
        below = min(below - 6, 100 * rows["exact"].iloc[-1])
        axes.text(len(rows) - 0.7, below, name, color=colour, va="center")
    shown = sorted(set(months["month"]))
    axes.set_xticks(range(0, len(shown), 3), shown[::3], rotation=45, ha="right")
    axes.set_xlim(-0.5, 1.25 * len(shown))
    axes.set_ylim(0, 100)
    axes.set_ylabel("puzzles with the exact list, %")
    return _svg(axes)


def _reliability(unseen: pd.DataFrame) -> bytes:
    axes = _axes(4.5, 4.5)
    frame = backtest.reliability(unseen)
    axes.plot([0, 1], [0, 1], color="#9a9a9a", linewidth=1)
    axes.scatter(frame["mean_p"], frame["accepted"], s=frame["words"] ** 0.5 * 5, color="#b3541e", alpha=0.8)
    for row in frame.to_dict("records"):
        axes.annotate(
            str(row["words"]), (row["mean_p"], row["accepted"]), (7, -4), textcoords="offset points", fontsize=8
        )
    axes.set_xlabel("p, mean of the bin")
    axes.set_ylabel("share accepted")
    return _svg(axes)
