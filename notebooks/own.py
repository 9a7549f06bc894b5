"""Our own puzzles, which the released list makes possible and which were never official, beside the official ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pandas as pd
import plots as show
from IPython.display import HTML

from pipeline import reader, solver
from pipeline.play import daily, difficulty
from pipeline.play import puzzles as possible

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDTHS = {"words": 4, "points": 20, "difficulty": 1}
"""What is compared, and the width of a bin."""


class Compared(NamedTuple):
    """Official puzzles and our own, solved with the same list; our own have a level."""

    official: pd.DataFrame
    ours: pd.DataFrame


def compared(puzzles: pd.DataFrame) -> Compared:
    """Solve all puzzles that the released list makes possible, and choose the official ones and our own."""
    listed = solver.load_words()
    hard = difficulty.load(listed, difficulty.accepted(reader.RELEASE))
    every = possible.possible(listed, hard)
    rows = {row["word"]: row for row in reader.word_rows(reader.read(reader.RELEASE, "words.csv").files["words.csv"])}
    level = (every["center"] + every["outer"]).map(daily.pool(listed, hard, rows))
    official = every.merge(puzzles[["center", "outer"]].drop_duplicates(), on=["center", "outer"])
    return Compared(official, every.assign(level=level).dropna(subset="level"))


def plots(found: Compared) -> HTML:
    """Draw the distributions of words, points and difficulty; a bin of few official puzzles would only be noise."""
    drawn = [_distributions(found, name, width) for name, width in WIDTHS.items()]
    return show.stacked(show.plot(each, len(found.official) >= 100) for each in drawn)


def _distributions(found: Compared, name: str, width: int) -> Axes:
    drawn = show.axes(f"Puzzles by {name}", name, "share of the puzzles, %")
    for label, part, color in (("official", found.official, show.OFF), ("our own", found.ours, show.ON)):
        shares = 100 * (part[name] // width * width).value_counts(normalize=True).sort_index()
        drawn.step(shares.index, shares, where="post", color=color, label=f"{label} ({len(part):,})")
    drawn.legend(frameon=False)
    return drawn


def levels(ours: pd.DataFrame) -> pd.DataFrame:
    """Count our own puzzles by level, with the averages of words, points and pangrams, easy ones first."""
    means = {name: (name, "mean") for name in ("words", "points", "pangrams")}
    return ours.groupby("level").agg(puzzles=("words", "size"), **means).reindex(difficulty.LEVELS).reset_index()
