"""Leaderboard: compares word lists on the same puzzles, best first."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from pipeline.measure import backtest
from pipeline.measure.score import interval, measured
from pipeline.tables import frames

OURS = "this project"
"""The origin shown for our own lists."""
COLUMNS = ("list", "words", "since", "puzzles", "f1", "exact", "low", "high", "missing", "extra", "from")


def board(
    lists: Mapping[str, tuple[str, set[str] | None]], puzzles: pd.DataFrame, answers: pd.DataFrame, since: str
) -> pd.DataFrame:
    """Score lists on the puzzles from a date on: columns `COLUMNS`, by falling F1, lists that are not installed last.

    `lists` maps each name to the origin of the list and its playable words, or None if it is not installed. `exact` is
    the share of puzzles with exactly the right list, `low` to `high` its 95% interval.
    """
    rows = []
    for name, (origin, words) in lists.items():
        row: dict[str, object] = {"list": name, "from": origin, "since": since}
        if words is not None:
            found = measured(backtest.audit(puzzles, answers, words, since))
            low, high = interval(found["exact"], int(found["puzzles"]))
            row |= {"words": len(words), **found, "low": low, "high": high}
        rows.append(row)
    frame = pd.DataFrame(rows).reindex(columns=list(COLUMNS))
    return frame.sort_values(["f1", "list"], ascending=[False, True], na_position="last", ignore_index=True)


def decode(data: bytes, where: object) -> pd.DataFrame:
    """Read a board from CSV; raise FrameError if it is not one."""
    frame = frames.read_csv(data, where)
    if absent := [name for name in COLUMNS if name not in frame.columns]:
        raise frames.FrameError(f"{where} has no column {absent[0]}; make leaderboard writes it anew.")
    numbers = [name for name in COLUMNS if name not in ("list", "since", "from")]
    try:
        return frame.assign(**{name: pd.to_numeric(frame[name]) for name in numbers})
    except (ValueError, TypeError) as error:
        raise frames.FrameError(f"{where} is damaged ({error}); make leaderboard writes it anew.") from error


def text(frame: pd.DataFrame) -> str:
    """Write the board as a Markdown table."""
    lines = [
        "| list | words | F1 | exact lists | 95% interval | missing per puzzle | extra per puzzle | from |",
        "| --- | --: | --: | --: | --: | --: | --: | --- |",
    ]
    for row in frame.to_dict("records"):
        if pd.isna(row["f1"]):
            lines.append(f"| {row['list']} | | | | | | | not installed: {row['from']} |")
            continue
        cells = [row["list"], f"{int(row['words']):,}", f"{row['f1']:.4f}", f"{row['exact']:.1%}"]
        cells += [f"{row['low']:.1%} to {row['high']:.1%}", f"{row['missing']:.2f}", f"{row['extra']:.2f}", row["from"]]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)
