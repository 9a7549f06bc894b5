"""Widgets of the notebooks: words and held days with buttons to decide on them, and a box for a word.

Without a kernel, as on a rendered page, each shows plain HTML with commands instead of buttons.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd
import shown
from reviewing import Review

from pipeline.review import verdicts, waiting
from pipeline.tables import frames
from pipeline.words import VERDICTS, BeeError

BUTTONS = (*VERDICTS, "skip")
LINE = 30
"""A longer fact about a word has a line of its own."""
HIDDEN = "hidden: show_offensive=True"
"""What stands in place of buttons or a command if the word is hidden."""


class Verdicts:
    """A table with a reason and the buttons keep, drop and skip for each row, which a `Review` writes immediately.

    `frame` has the columns of a table of `columns.csv`: a column `word`, and a column `command`, which a page without a
    kernel shows instead of buttons. Words that `veiled` hides get no buttons.
    """

    def __init__(
        self, review: Review, frame: pd.DataFrame, caption: str, table: str, veiled: Callable[[str], str] = str
    ) -> None:
        """Make the table with a caption."""
        self.review, self.veiled, self.caption, self.table = review, veiled, caption, table
        self.frame = frame.reset_index(drop=True)
        hidden = self.frame["word"].map(veiled) != self.frame["word"]
        texts = [name for name in self.frame.columns if not pd.api.types.is_numeric_dtype(self.frame[name])]
        cells = self.frame.assign(command=self.frame["command"].mask(hidden, HIDDEN))
        self.cells = cells.assign(**{name: cells[name].astype("str").map(veiled) for name in texts})
        self.rows: list[Row] = []
        review.watchers.append(self.show_result)

    def _repr_mimebundle_(self, **_: object) -> dict[str, Any]:
        """Show widgets if there is a kernel, else a table with commands."""
        plain = {"text/html": shown.as_table(self.cells, self.caption, self.table).data}
        return {**_view(self.widget()), **plain} if self.rows or len(self.frame) else plain

    def widget(self) -> Any:
        """Return the whole table as a widget."""
        import ipywidgets as w

        known, facts = (
            self.review.known(),
            shown.fitted(self.cells, self.table).drop(columns="command", errors="ignore"),
        )
        self.rows = [
            Row(self.review, word, self._texts(cells), word == cells["word"], known.get(word, ""))
            for word, cells in zip(self.frame["word"].tolist(), frames.rows(facts), strict=True)
        ]
        search = w.Text(placeholder="filter", layout={"width": "14em"})
        order = w.Dropdown(options=["as given", *facts.columns], layout={"width": "12em"})
        turned = w.Checkbox(description="largest first", indent=False, layout={"width": "9em"})
        for control in (search, order, turned):
            control.observe(lambda _: self._arrange(search.value, order.value, turned.value), "value")
        self.controls = _controls(self.review)
        self.list = w.VBox([row.box for row in self.rows])
        title = w.HTML(f"<b>{html.escape(self.caption)}</b>")
        meaning = w.HTML(f'<div class="bee-table">{shown.meaning(self.table, facts.columns)}</div>')
        return w.VBox(
            [title, w.HBox([search, w.Label("sort by"), order, turned]), self.controls, self.list, meaning],
            layout={"overflow": "hidden"},
        )

    def _texts(self, cells: Mapping[str, Any]) -> dict[str, str]:
        """Write the facts of a row as text, by column, without empty ones."""
        columns = shown.contract(self.table)
        found = {name: shown.written(cell, columns[name]) for name, cell in cells.items()}
        return {name: text for name, text in found.items() if text}

    def _arrange(self, wanted: str, by: str, largest: bool) -> None:
        """Show the rows that match all words of a filter, in the chosen order."""
        frame = self.frame
        if by != "as given":
            frame = frame.sort_values(list(dict.fromkeys([by, "word"])), ascending=not largest, kind="stable")
        rows = [self.rows[at] for at in frame.index]
        self.list.children = [row.box for row in rows if all(part in row.text for part in wanted.lower().split())]

    def show_result(self, word: str, verdict: str, message: str) -> None:
        """Show the result in each row of a word, wherever it was decided or undone."""
        for row in self.rows:
            if row.subject == word:
                row.done(verdict, message)


class Row:
    """What is to be decided: facts, a reason, buttons, and the result. For a word: keep, drop and skip."""

    def __init__(self, review: Review, subject: str, texts: Mapping[str, str], can: bool, verdict: str = "") -> None:
        """Make the row of a word; `can` tells whether it has buttons, `verdict` is what was decided before."""
        self.text = " ".join(texts.values()).lower()
        self._build(review, subject, _facts(texts), {name: self.decide for name in BUTTONS} if can else {})
        self.done(verdict, f"{verdict}: saved before." if verdict else "")

    def _build(self, review: Review, subject: str, facts: str, actions: Mapping[str, Callable[[str], None]]) -> None:
        import ipywidgets as w

        self.review, self.subject, self.wanted = review, subject, ""
        self.reason = w.Text(placeholder="reason", layout={"width": "20em"}, tooltip=f"The reason for {subject}")
        self.buttons = [w.Button(description=name, layout={"width": "auto"}) for name in actions]
        for button in self.buttons:
            button.on_click(lambda pressed: actions[pressed.description](pressed.description))
        self.anyway = w.Button(description="Decide anyway", layout={"width": "auto", "display": "none"})
        self.anyway.on_click(lambda _: self.decide(self.wanted, force=True))
        self.message = w.HTML(layout={"flex": "1 1 12em"})
        given = [self.reason, *self.buttons, self.anyway] if actions else [w.Label(HIDDEN)]
        layout = {"border_top": "1px solid #8884", "align_items": "center", "flex_flow": "row wrap"}
        self.box = w.HBox([w.HTML(facts, layout={"flex": "1 1 24em"}), *given, self.message], layout=layout)
        self.box.add_class("bee-verdict")
        if actions:
            self.box.add_class(f"bee-verdict-{subject}")

    def decide(self, verdict: str, force: bool = False) -> None:
        """Run the action of a button, and show the result; what needs more than a click gets the button for it."""
        self.wanted = verdict
        try:
            if verdict == "skip":
                self.review.skip(self.subject)
            else:
                self.review.decide(self.subject, verdict, self.reason.value, force)
        except verdicts.VerdictError as error:
            self.message.value = _said(f"{str(error).rpartition(';')[0]}. Decide anyway writes it.")
            self.anyway.layout.display = None
        except BeeError as error:
            self.message.value = _said(str(error))

    def done(self, verdict: str, message: str) -> None:
        """Show a decision, or, if it is "", that there is none."""
        self.message.value = _said(message)
        self.anyway.layout.display = "none"
        for control in (self.reason, *self.buttons):
            control.disabled = bool(verdict)


class HeldDay(Row):
    """A held day: the lists of its sources, a reason, a button for each choice, and one that leaves it in place."""

    def __init__(self, review: Review, date: str, why: list[str], versions: pd.DataFrame) -> None:
        """Make the row of a date; `why` says in lines what waits."""
        found = waiting.choices(frames.rows(versions))
        choices = {f"{sources} right": corrections for sources, corrections in found}
        if len(found) <= 1:
            choices = {"admit": []} | dict.fromkeys(["reject"] * len(found), found[0][1] if found else [])
        self.choices = choices
        actions: dict[str, Callable[[str], None]] = {name: self._choose for name in choices}
        actions["leave as it is"] = lambda _: self.done("left", f"{date} stays as it is; nothing was written.")
        facts = "".join(f"<p>{html.escape(line)}</p>" for line in why)
        if len(versions):
            facts += str(shown.as_table(versions, f"The lists of {date}", "held").data)
        self._build(review, date, facts, actions)
        review.watchers.append(self.show_result)

    def show_result(self, date: str, verdict: str, message: str) -> None:
        """Show what was decided on the day, or undone."""
        if date == self.subject:
            self.done(verdict, message)

    def _choose(self, name: str) -> None:
        """Admit the day, or correct it, and show the result."""
        try:
            self.review.settle(self.subject, self.choices[name], self.reason.value)
        except BeeError as error:
            self.message.value = _said(str(error))


class Held:
    """The days that are held or have words that wait, with buttons; a page without a kernel shows commands."""

    def __init__(self, review: Review, waits: pd.DataFrame, versions: pd.DataFrame) -> None:
        """Take the tables `waiting` and `versions`."""
        self.review, self.versions = review, versions
        self.days = waiting.unsettled(waits, versions)

    def _repr_mimebundle_(self, **_: object) -> dict[str, Any]:
        """Show widgets if there is a kernel, and the days with a command for each choice in any case."""
        if not self.days:
            return {"text/html": "<p>No day is held, and no word waits.</p>"}
        lines = "\n".join(line for lines in self.days.values() for line in lines)
        return {**_view(self.widget()), "text/html": shown.as_text(lines).data}

    def widget(self) -> Any:
        """Return a row for each day, below the controls."""
        import ipywidgets as w

        self.rows = [
            HeldDay(
                self.review,
                date,
                [line for line in lines if not line.startswith(" ")],
                self.versions[self.versions["date"] == date],
            )
            for date, lines in self.days.items()
        ]
        return w.VBox([_controls(self.review), *(row.box for row in self.rows)])


def _controls(review: Review) -> Any:
    """Return who signs, undo and apply, with the message that they show."""
    import ipywidgets as w

    by = w.Text(review.by, description="by", layout={"width": "16em"}, style={"description_width": "initial"})
    undo = w.Button(description="Undo", tooltip="Undo the last decision", layout={"width": "auto"})
    apply = w.Button(description="Apply", tooltip="Make the list with all decisions", layout={"width": "auto"})
    message = w.HTML()
    undo.add_class("bee-undo")
    by.add_class("bee-by")
    by.observe(lambda change: setattr(review, "by", change["new"]), "value")

    def act(what: Callable[[], str], then: str) -> None:
        message.value = "…"
        try:
            message.value = _said(then.format(what()))
        except BeeError as error:
            message.value = _said(str(error))

    undo.on_click(lambda _: act(review.undo, "{}: removed."))
    apply.on_click(lambda _: act(review.apply, "{}"))
    return w.HBox([by, undo, apply, message], layout={"flex_flow": "row wrap"})


def _said(message: str) -> str:
    """Write a message as HTML, with its commands as code."""
    return re.sub("`([^`]*)`", r"<code>\1</code>", html.escape(message))


def _facts(texts: Mapping[str, str]) -> str:
    """Format the facts of a row as HTML."""
    told = {name: html.escape(f"{name}: {text}") for name, text in texts.items() if name != "word"}
    long = [f"<div>{text}</div>" for text in told.values() if len(text) > LINE]
    short = " · ".join(text for text in told.values() if len(text) <= LINE)
    return f"<b>{html.escape(texts['word'])}</b> <small>{''.join(long)}<div>{short}</div></small>"


class Asked:
    """A box for a word that shows the result of `tell`, and buttons to decide; a page without a kernel shows one word.

    `tell` returns HTML, and raises BeeError for an unknown word. Words that `veiled` hides get no buttons.
    """

    def __init__(
        self, word: str, tell: Callable[[str], str], review: Review | None = None, veiled: Callable[[str], str] = str
    ) -> None:
        """Start with a word."""
        self.word, self.tell, self.review, self.veiled = word, tell, review, veiled
        if review:
            review.watchers.append(self.show_result)
        self.row: Row | None = None

    def _repr_mimebundle_(self, **_: object) -> dict[str, Any]:
        """Show the box if there is a kernel, and the result for the word in any case."""
        answer = self._answer(self.word)
        return {**_view(self._box(answer)), "text/html": answer}

    def widget(self) -> Any:
        """Return the box and the result as a widget."""
        return self._box(self._answer(self.word))

    def show_result(self, word: str, verdict: str, message: str) -> None:
        """Show what was decided on the word in the box."""
        if self.row and self.row.subject == word:
            self.row.done(verdict, message)

    def _answer(self, word: str) -> str:
        try:
            return self.tell(word)
        except BeeError as error:
            return f"<p>{_said(str(error))}</p>"

    def _box(self, answer: str) -> Any:
        import ipywidgets as w

        box = w.Text(self.word, description="word", continuous_update=False)
        box.add_class("bee-word")
        story = w.HTML(answer)
        story.add_class("bee-story")
        given = w.VBox(self._deciding(self.word))

        def look(change: Mapping[str, Any]) -> None:
            word = change["new"].strip().lower()
            story.value = self._answer(word)
            given.children = self._deciding(word)

        box.observe(look, "value")
        return w.VBox([box, story, *([_controls(self.review), given] if self.review else [])])

    def _deciding(self, word: str) -> list[Any]:
        if not self.review:
            return []
        known = self.review.known().get(word, "")
        self.row = Row(self.review, word, {"word": self.veiled(word)}, self.veiled(word) == word, known)
        return [self.row.box]


def _view(widget: Any) -> dict[str, Any]:
    """Return the representation of a widget in a notebook."""
    return dict(widget._repr_mimebundle_())
