"""Widgets of the notebooks: words with buttons to decide on them, and a box for a word.

Without a kernel, as on a rendered page, each shows plain HTML with commands instead of buttons.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping
from typing import Any

import html_tables
import ipywidgets
import pandas as pd
from html_tables import with_code
from reviewing import Review

from pipeline.errors import BeeError
from pipeline.tables import frames
from pipeline.words import VERDICTS

WORD_ACTIONS = (*VERDICTS, "skip")
LONG_FACT = 30
"""A longer fact about a word has a line of its own."""
HIDDEN = "hidden: show_offensive=True"
"""What stands in place of buttons or a command if the word is hidden."""


class DecisionControls(ipywidgets.HBox):
    """The name of the person who decides, the buttons Undo and Apply, and the message that they show."""

    def __init__(self, review: Review) -> None:
        """Make the controls of a review; several of them show the same decisions."""
        self.by = ipywidgets.Text(
            review.by, description="by", layout={"width": "16em"}, style={"description_width": "initial"}
        )
        self.by.add_class("bee-by")
        self.by.observe(lambda change: setattr(review, "by", change["new"]), "value")
        self.undo = ipywidgets.Button(description="Undo", tooltip="Undo the last decision", layout={"width": "auto"})
        self.undo.add_class("bee-undo")
        self.undo.on_click(lambda _: self.run(lambda: f"{review.undo()}: removed."))
        self.apply = ipywidgets.Button(
            description="Apply", tooltip="Make the list with all decisions", layout={"width": "auto"}
        )
        self.apply.on_click(lambda _: self.run(review.apply))
        self.message = ipywidgets.HTML()
        super().__init__([self.by, self.undo, self.apply, self.message], layout={"flex_flow": "row wrap"})

    def run(self, action: Callable[[], str]) -> None:
        """Run an action and show its message, or why it failed."""
        self.message.value = "…"
        try:
            self.message.value = with_code(action())
        except BeeError as error:
            self.message.value = with_code(str(error))


class WordRow(ipywidgets.HBox):
    """A word to decide on: facts, a box for the reason, the buttons keep, drop and skip, and the result."""

    def __init__(self, review: Review, word: str, texts: Mapping[str, str], verdict: str = "") -> None:
        """Make the row from facts by column; `verdict` was decided before. A word that is hidden gets no buttons."""
        self.review = review
        self.word = word
        self.reason = ipywidgets.Text(placeholder="reason", layout={"width": "20em"}, tooltip=f"The reason for {word}")
        self.buttons = [ipywidgets.Button(description=action, layout={"width": "auto"}) for action in WORD_ACTIONS]
        for button in self.buttons:
            button.on_click(lambda clicked: self.press(clicked.description))
        self.message = ipywidgets.HTML(layout={"flex": "1 1 12em"})
        is_hidden = texts["word"] != word
        controls = [ipywidgets.Label(HIDDEN)] if is_hidden else [self.reason, *self.buttons]
        super().__init__(
            [ipywidgets.HTML(_facts_html(texts), layout={"flex": "1 1 24em"}), *controls, self.message],
            layout={"border_top": "1px solid #8884", "align_items": "center", "flex_flow": "row wrap"},
        )
        self.add_class("bee-verdict")
        if not is_hidden:
            self.add_class(f"bee-verdict-{word}")
        review.listeners.append(self.show_result)
        if verdict:
            self.show_result(word, verdict, f"{verdict}: saved before.")

    def press(self, action: str) -> None:
        """Write a verdict or skip the word, or show why it is refused."""
        try:
            if action == "skip":
                self.review.skip(self.word)
            else:
                self.review.decide(self.word, action, self.reason.value)
        except BeeError as error:
            self.message.value = with_code(str(error))

    def show_result(self, word: str, decision: str, message: str) -> None:
        """Show a decision on the word of this row, wherever it was made; with "" for a decision it is open."""
        if word != self.word:
            return
        self.message.value = with_code(message)
        for control in (self.reason, *self.buttons):
            control.disabled = bool(decision)


def _facts_html(texts: Mapping[str, str]) -> str:
    """Format the facts about a word, by column, as HTML; long ones come first."""
    facts = [f"{name}: {text}" for name, text in texts.items() if name != "word"]
    escaped = [html.escape(fact) for fact in facts]
    long = "".join(f"<div>{fact}</div>" for fact in escaped if len(fact) > LONG_FACT)
    short = " · ".join(fact for fact in escaped if len(fact) <= LONG_FACT)
    return f"<b>{html.escape(texts['word'])}</b> <small>{long}<div>{short}</div></small>"


class VerdictTable(ipywidgets.VBox):
    """A table with a reason and the buttons keep, drop and skip for each row, which a `Review` writes immediately.

    `frame` has the columns of a table of `columns.csv`: a column `word`, and a column `command`, which a page without a
    kernel shows instead of buttons. Words that `censor` hides get no buttons.
    """

    def __init__(
        self, review: Review, frame: pd.DataFrame, caption: str, table: str, censor: Callable[[str], str] = str
    ) -> None:
        """Make the table with a caption."""
        self.cells = censored_cells(frame, censor)
        self.caption, self.table = caption, table
        facts = html_tables.select_columns(self.cells, table).drop(columns="command", errors="ignore")
        verdicts = review.known_verdicts()
        self.rows = [
            WordRow(review, word, self._texts(cells), verdicts.get(word, ""))
            for word, cells in zip(frame["word"].tolist(), frames.rows(facts), strict=True)
        ]
        self.controls = DecisionControls(review)
        title = ipywidgets.HTML(f"<b>{html.escape(caption)}</b>")
        explanation = html_tables.explain_columns(table, facts.columns)
        meanings = ipywidgets.HTML(f'<div class="bee-table">{explanation}</div>')
        rows = ipywidgets.VBox(self.rows, layout={"max_height": "24em", "overflow": "auto", "display": "block"})
        super().__init__([title, self.controls, rows, meanings], layout={"overflow": "hidden"})

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]:
        """Show widgets if there is a kernel, else a table with commands."""
        plain = {"text/html": html_tables.as_table(self.cells, self.caption, self.table).data}
        if self.cells.empty:
            return plain
        return {**super()._repr_mimebundle_(**options), **plain}

    def _texts(self, cells: Mapping[str, Any]) -> dict[str, str]:
        """Write the cells of a row as text, by column, without empty ones."""
        columns = html_tables.columns_of(self.table)
        texts = {name: columns[name].written(cell) for name, cell in cells.items()}
        return {name: text for name, text in texts.items() if text}


def censored_cells(frame: pd.DataFrame, censor: Callable[[str], str]) -> pd.DataFrame:
    """Return a table with hidden words in all columns of text, and without commands for hidden words."""
    hidden = frame["word"].map(censor) != frame["word"]
    cells = frame.assign(command=frame["command"].mask(hidden, HIDDEN))
    for name in cells.columns:
        if not pd.api.types.is_numeric_dtype(cells[name]):
            cells[name] = cells[name].astype("str").map(censor)
    return cells


class WordBox(ipywidgets.VBox):
    """A box for a word, what is known about it, and buttons to decide; a page without a kernel shows one word."""

    def __init__(
        self, review: Review, word: str, describe: Callable[[str], str], censor: Callable[[str], str] = str
    ) -> None:
        """Start with a word.

        `describe` returns HTML, and raises BeeError for an unknown word. Words that `censor` hides get no buttons.
        """
        self.review, self.describe, self.censor = review, describe, censor
        self.box = ipywidgets.Text(word, description="word", continuous_update=False)
        self.box.add_class("bee-word")
        self.description = ipywidgets.HTML()
        self.description.add_class("bee-story")
        self.decision = ipywidgets.VBox()
        self.show(word)
        self.box.observe(lambda change: self.show(change["new"].strip().lower()), "value")
        super().__init__([self.box, self.description, DecisionControls(review), self.decision])

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]:
        """Show the box if there is a kernel, and the description of the word in any case."""
        return {**super()._repr_mimebundle_(**options), "text/html": self.description.value}

    def show(self, word: str) -> None:
        """Describe a word, and offer buttons to decide on it."""
        try:
            self.description.value = self.describe(word)
        except BeeError as error:
            self.description.value = f"<p>{with_code(str(error))}</p>"
        verdict = self.review.known_verdicts().get(word, "")
        self.decision.children = [WordRow(self.review, word, {"word": self.censor(word)}, verdict)]
