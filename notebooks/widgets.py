"""Widgets of the notebooks: words and held days with buttons to decide on them, and a box for a word.

Without a kernel, as on a rendered page, each shows plain HTML with commands instead of buttons.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Collection, Mapping
from typing import Any

import html_tables
import ipywidgets
import pandas as pd
from html_tables import with_code
from reviewing import Review

from pipeline.review import waiting
from pipeline.review.verdicts import VerdictError
from pipeline.tables import frames
from pipeline.words import VERDICTS, BeeError

WORD_ACTIONS = (*VERDICTS, "skip")
LEAVE = "leave as it is"
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


class DecisionRow(ipywidgets.HBox):
    """A word or day to decide on: facts as HTML, a box for the reason, a button for each action, and the result."""

    def __init__(self, review: Review, subject: str, facts: str, actions: Collection[str]) -> None:
        """Make the row; without actions it has no buttons, because the word is hidden."""
        self.review = review
        self.subject = subject
        self.last_action = ""
        self.reason = ipywidgets.Text(
            placeholder="reason", layout={"width": "20em"}, tooltip=f"The reason for {subject}"
        )
        self.buttons = [ipywidgets.Button(description=action, layout={"width": "auto"}) for action in actions]
        for button in self.buttons:
            button.on_click(lambda clicked: self.press(clicked.description))
        self.anyway = ipywidgets.Button(description="Decide anyway", layout={"width": "auto", "display": "none"})
        self.anyway.on_click(lambda _: self.press(self.last_action, force=True))
        self.message = ipywidgets.HTML(layout={"flex": "1 1 12em"})
        controls = [self.reason, *self.buttons, self.anyway] if actions else [ipywidgets.Label(HIDDEN)]
        super().__init__(
            [ipywidgets.HTML(facts, layout={"flex": "1 1 24em"}), *controls, self.message],
            layout={"border_top": "1px solid #8884", "align_items": "center", "flex_flow": "row wrap"},
        )
        self.add_class("bee-verdict")
        if actions:
            self.add_class(f"bee-verdict-{subject}")
        review.listeners.append(self.show_result)

    def press(self, action: str, force: bool = False) -> None:
        """Run an action, or show why it is refused; what `force` would write gets the button "Decide anyway"."""
        self.last_action = action
        try:
            self.run(action, force)
        except VerdictError as error:
            refusal = str(error).rpartition(";")[0]
            self.message.value = with_code(f"{refusal}. Decide anyway writes it.")
            self.anyway.layout.display = None
        except BeeError as error:
            self.message.value = with_code(str(error))

    def run(self, action: str, force: bool) -> None:
        """Run an action with the reason in the box; raises BeeError."""
        raise NotImplementedError

    def show_result(self, subject: str, decision: str, message: str) -> None:
        """Show a decision on the word or day of this row, wherever it was made; with "" for a decision it is open."""
        if subject != self.subject:
            return
        self.message.value = with_code(message)
        self.anyway.layout.display = "none"
        for control in (self.reason, *self.buttons):
            control.disabled = bool(decision)


class WordRow(DecisionRow):
    """A word with the buttons keep, drop and skip."""

    def __init__(self, review: Review, word: str, texts: Mapping[str, str], verdict: str = "") -> None:
        """Make the row from facts by column; `verdict` was decided before. A word that is hidden gets no buttons."""
        hidden = texts["word"] != word
        super().__init__(review, word, _facts_html(texts), () if hidden else WORD_ACTIONS)
        if verdict:
            self.show_result(word, verdict, f"{verdict}: saved before.")

    def run(self, action: str, force: bool) -> None:
        """Write a verdict, or skip the word."""
        if action == "skip":
            self.review.skip(self.subject)
        else:
            self.review.decide(self.subject, action, self.reason.value, force)


def _facts_html(texts: Mapping[str, str]) -> str:
    """Format the facts about a word, by column, as HTML; long ones come first."""
    facts = [f"{name}: {text}" for name, text in texts.items() if name != "word"]
    escaped = [html.escape(fact) for fact in facts]
    long = "".join(f"<div>{fact}</div>" for fact in escaped if len(fact) > LONG_FACT)
    short = " · ".join(fact for fact in escaped if len(fact) <= LONG_FACT)
    return f"<b>{html.escape(texts['word'])}</b> <small>{long}<div>{short}</div></small>"


class HeldDayRow(DecisionRow):
    """A held day: the lists of its sources, a button for each choice, and one that leaves it in place."""

    def __init__(self, review: Review, date: str, explanation: list[str], versions: pd.DataFrame) -> None:
        """Make the row of a date; `explanation` says in lines what waits, `versions` are the lists of its sources."""
        self.corrections = _corrections_by_action(versions)
        facts = "".join(f"<p>{html.escape(line)}</p>" for line in explanation)
        if len(versions):
            facts += html_tables.as_table(versions, f"The lists of {date}", "held").data
        super().__init__(review, date, facts, [*self.corrections, LEAVE])

    def run(self, action: str, force: bool) -> None:  # noqa: ARG002 - a day has nothing to force
        """Admit the day, correct it, or leave it."""
        if action == LEAVE:
            self.show_result(self.subject, "left", f"{self.subject} stays as it is; nothing was written.")
        elif action == "admit":
            self.review.admit(self.subject, self.reason.value)
        else:
            self.review.correct(self.subject, self.corrections[action], self.reason.value)


def _corrections_by_action(versions: pd.DataFrame) -> dict[str, list[str]]:
    """Return for each button of a held day the corrections that it writes; "admit" writes none."""
    choices = waiting.choices(frames.rows(versions))
    if len(choices) > 1:
        return {f"{sources} right": corrections for sources, corrections in choices}
    actions: dict[str, list[str]] = {"admit": []}
    if choices:
        _, actions["reject"] = choices[0]
    return actions


class HeldDays(ipywidgets.VBox):
    """The days that are held or have words that wait, with buttons; a page without a kernel shows commands."""

    def __init__(self, review: Review, waiting_rows: pd.DataFrame, versions: pd.DataFrame) -> None:
        """Make a row for each day of the tables `waiting` and `versions`."""
        self.days = waiting.unsettled(waiting_rows, versions)
        self.rows = []
        for date, lines in self.days.items():
            explanation = [line for line in lines if not line.startswith(" ")]
            self.rows.append(HeldDayRow(review, date, explanation, versions[versions["date"] == date]))
        super().__init__([DecisionControls(review), *self.rows])

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]:
        """Show widgets if there is a kernel, and the days with a command for each choice in any case."""
        if not self.days:
            return {"text/html": "<p>No day is held, and no word waits.</p>"}
        text = "\n".join(line for lines in self.days.values() for line in lines)
        return {**super()._repr_mimebundle_(**options), "text/html": html_tables.as_text(text).data}


class VerdictTable(ipywidgets.VBox):
    """A table with a reason and the buttons keep, drop and skip for each row, which a `Review` writes immediately.

    `frame` has the columns of a table of `columns.csv`: a column `word`, and a column `command`, which a page without a
    kernel shows instead of buttons. Words that `censor` hides get no buttons.
    """

    def __init__(
        self, review: Review, frame: pd.DataFrame, caption: str, table: str, censor: Callable[[str], str] = str
    ) -> None:
        """Make the table with a caption."""
        self.cells = _censored_cells(frame, censor)
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
        super().__init__([title, self.controls, *self.rows, meanings], layout={"overflow": "hidden"})

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


def _censored_cells(frame: pd.DataFrame, censor: Callable[[str], str]) -> pd.DataFrame:
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
