"""Our own puzzles, which the released list makes possible and which were never official, beside the official ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd
import plots
from IPython.display import HTML

from pipeline import reader
from pipeline.play import daily, difficulty
from pipeline.play.puzzles import possible
from pipeline.solver import load_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BIN_WIDTHS = {"words": 4, "points": 20, "difficulty": 1}
"""What is compared, and the width of a bin."""
MIN_OFFICIAL = 100
"""With fewer official puzzles a bin holds so few of them that its share is only noise."""


@dataclass(frozen=True, slots=True)
class PuzzleTables:
    """Official puzzles and our own, solved with the same list; our own have a level."""

    official: pd.DataFrame
    own: pd.DataFrame


def solve_puzzles(official: pd.DataFrame) -> PuzzleTables:
    """Solve all puzzles that the released list makes possible, and choose the official ones and our own."""
    listed = load_words()
    hardness = difficulty.load(listed, difficulty.accepted(reader.RELEASE))
    puzzles = possible(listed, hardness)
    release = reader.read(reader.RELEASE, "words.csv")
    word_rows = {row["word"]: row for row in reader.word_rows(release.files["words.csv"])}
    levels = daily.pool(listed, hardness, word_rows)
    puzzles["level"] = (puzzles["center"] + puzzles["outer"]).map(levels)
    letters = ["center", "outer"]
    solved_official = puzzles.merge(official[letters].drop_duplicates(), on=letters)
    return PuzzleTables(solved_official, own=puzzles.dropna(subset="level"))


def letters_of(puzzles: pd.DataFrame) -> set[str]:
    """Return the letters of each puzzle, center first."""
    return set(puzzles["center"] + puzzles["outer"])


def draw_comparison(tables: PuzzleTables) -> HTML:
    """Draw the distributions of words, points and difficulty, one below the other."""
    enough = len(tables.official) >= MIN_OFFICIAL
    figures = [plots.as_svg(_distributions(tables, name), enough).data for name in BIN_WIDTHS]
    return HTML("\n".join(figures))


def _distributions(tables: PuzzleTables, name: str) -> Axes:
    """Draw the distribution of a column for the official puzzles and for our own."""
    axes = plots.new_axes(f"Puzzles by {name}", name, "share of the puzzles, %")
    width = BIN_WIDTHS[name]
    groups = (("official", tables.official, plots.REFUSED), ("our own", tables.own, plots.ACCEPTED))
    for label, puzzles, color in groups:
        bins = puzzles[name] // width * width
        shares = 100 * bins.value_counts(normalize=True).sort_index()
        axes.step(shares.index, shares, where="post", color=color, label=f"{label} ({len(puzzles):,})")
    axes.legend(frameon=False)
    return axes


def average_by_level(own: pd.DataFrame) -> pd.DataFrame:
    """Count our own puzzles by level, with the averages of words, points and pangrams, easy ones first."""
    groups = own.groupby("level")
    averages = groups[["words", "points", "pangrams"]].mean()
    averages.insert(0, "puzzles", groups.size())
    return averages.reindex(difficulty.LEVELS).reset_index()
