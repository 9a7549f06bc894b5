"""Opening: what each notebook does first: find the workspace, load its tables, and show the styles of the page."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pandas as pd
import shown
from IPython.display import display

from pipeline import store
from pipeline.publishing import diff
from pipeline.review import queue as queueing
from pipeline.run import registry
from pipeline.store import Workspace
from pipeline.words import LISTED

TABLES = ("puzzles", "answers", "trials", "links", "diffs", "track")


@dataclass(frozen=True, slots=True)
class Opened:
    """A workspace, its tables by name, the words on its list, and a function that hides offensive words in a text."""

    workspace: Workspace
    tables: dict[str, Any]
    listed: set[str]
    veiled: Callable[[str], str]

    def __getitem__(self, name: str) -> pd.DataFrame:
        """Return a table by its name."""
        table: pd.DataFrame = self.tables[name]
        return table


def opened(show_offensive: bool = False) -> Opened:
    """Open the workspace that BEE_DATA names, or that of the checkout, and show the styles of the page."""
    display(shown.page_parts())  # type: ignore[no-untyped-call]
    workspace = store.find_workspace(os.environ.get("BEE_DATA"))
    tables = {**queueing.load(workspace), **registry.load_all(workspace, *TABLES)}
    decisions = tables["decisions"]
    listed = set(decisions["word"][decisions["tier"].isin(LISTED)])
    return Opened(workspace, tables, listed, shown.veil(tables["flags"], show_offensive))


def belong_together(book: Opened) -> bool:
    """Return whether the tables come from the same run: every puzzle has trials, and the diffs are of this list."""
    trials = book["trials"]
    return set(trials["date"]) == set(book["puzzles"]["date"]) and book["diffs"].equals(
        diff.diff(trials, book["decisions"])
    )
