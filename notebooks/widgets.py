"""Widgets of the notebooks: a table with buttons for verdicts, and a box for a word; and tables as HTML.

Without a kernel, as on a rendered page, both show plain HTML.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd
import plots as show
from reviewing import Review

from pipeline import store
from pipeline.tables import frames
from pipeline.words import OFFENSIVE, VERDICTS, BeeError

if TYPE_CHECKING:
    from IPython.display import HTML

BUTTONS = (*VERDICTS, "skip")


class Verdicts:
    """A table with keep, drop, skip and a reason for each row, which a `Review` writes immediately.

    `frame` has a column `word`, and a column `command`, which a page without a kernel shows instead of buttons. Words
    that `veiled` hides get no buttons.
    """

    def __init__(
        self,
        review: Review,
        frame: pd.DataFrame,
        caption: str,
        columns: Mapping[str, str],
        formats: Mapping[str, str] | None = None,
        veiled: Callable[[str], str] = str,
    ) -> None:
        """Make the table; columns and formats are as in `plots.as_table`."""
        self.review, self.veiled, self.caption, self.formats = review, veiled, caption, dict(formats or {})
        self.columns = columns
        self.frame = frame.reset_index(drop=True)
        hidden = self.frame["word"].map(veiled) != self.frame["word"]
        texts = [name for name in self.frame.columns if not pd.api.types.is_numeric_dtype(self.frame[name])]
        shown = self.frame.assign(command=self.frame["command"].mask(hidden, "SHOW_OFFENSIVE = True first"))
        self.shown = shown.assign(**{name: shown[name].astype("str").map(veiled) for name in texts})
        self.rows: list[_Row] = []
        review.watchers.append(self.show_result)

    def _repr_mimebundle_(self, **_: object) -> dict[str, Any]:
        """Show widgets if there is a kernel, else a table with commands."""
        plain = as_table(self.shown, self.caption, self.columns, self.formats)
        return {**_view(self.widget()), "text/html": plain.data}

    def widget(self) -> Any:
        """Return the whole table as a widget."""
        import ipywidgets as w

        known = self.review.known()
        facts = self.shown.drop(columns="command")
        self.rows = [
            _Row(self, word, self._texts(cells), word == cells["word"], known.get(word, ""))
            for word, cells in zip(self.frame["word"].tolist(), frames.rows(facts), strict=True)
        ]
        search = w.Text(placeholder="filter", layout={"width": "14em"})
        names = ["as given", *(name for name in self.columns if name != "command")]
        order = w.Dropdown(options=names, layout={"width": "12em"})
        turned = w.Checkbox(description="largest first", indent=False, layout={"width": "9em"})
        self.message = w.HTML()
        self.list = w.VBox([row.box for row in self.rows])
        undo = w.Button(description="Undo", tooltip="Undo the last verdict", layout={"width": "6em"})
        undo.add_class("bee-undo")
        undo.on_click(lambda _: self.undo())
        for control in (search, order, turned):
            control.observe(lambda _: self._arrange(search.value, order.value, turned.value), "value")
        title = w.HTML(f"<b>{html.escape(self.caption)}</b>")
        controls = w.HBox([search, w.Label("sort by"), order, turned, undo, self.message])
        about = {name: text for name, text in self.columns.items() if name != "command"}
        meaning = w.HTML(f'<div class="bee-table"><dl>{_meaning(about)}</dl></div>')
        return w.VBox([title, controls, self.list, meaning])

    def _texts(self, cells: Mapping[str, Any]) -> dict[str, str]:
        """Format the facts of a row as text, by column."""
        return {
            name: self.formats.get(name, "{}").format(cells[name])
            for name in ("word", *self.columns)
            if name != "command" and not pd.isna(cells[name]) and cells[name] != ""
        }

    def _arrange(self, wanted: str, by: str, largest: bool) -> None:
        """Show the rows that match all words of a filter, in the chosen order."""
        frame = self.frame
        if by != "as given":
            frame = frame.sort_values(list(dict.fromkeys([by, "word"])), ascending=not largest, kind="stable")
        rows = [self.rows[at] for at in frame.index]
        self.list.children = [row.box for row in rows if all(part in row.text for part in wanted.lower().split())]

    def undo(self) -> None:
        """Undo the last verdict and reopen its row, in whichever table it is."""
        try:
            word = self.review.undo()
        except BeeError as error:
            self.message.value = html.escape(str(error))
            return
        self.message.value = html.escape(f"{word}: removed.")

    def show_result(self, word: str, verdict: str, message: str) -> None:
        """Show the result in each row of a word, wherever it was decided or undone."""
        for row in self.rows:
            if row.word == word:
                row.done(verdict, message)


class _Row:
    """A row: facts, a reason, three buttons, and the result."""

    def __init__(self, panel: Verdicts, word: str, texts: Mapping[str, str], can: bool, verdict: str) -> None:
        import ipywidgets as w

        self.panel, self.word = panel, word
        self.text = " ".join(texts.values()).lower()
        self.reason = w.Text(placeholder="reason", layout={"width": "20em"}, tooltip=f"The reason for {word}")
        self.buttons = [w.Button(description=name, layout={"width": "4.5em"}) for name in BUTTONS]
        for button in self.buttons:
            button.on_click(lambda pressed: self.decide(pressed.description))
        self.message = w.HTML()
        facts = w.HTML(_facts(texts), layout={"flex": "1 1 24em"})
        given = [self.reason, *self.buttons] if can else [w.Label("SHOW_OFFENSIVE = True first")]
        layout = {"border_top": "1px solid #8884", "align_items": "center", "flex_flow": "row wrap"}
        self.box = w.HBox([facts, *given, self.message], layout=layout)
        self.box.add_class("bee-verdict")
        if can:
            self.box.add_class(f"bee-verdict-{word}")
        self.done(verdict, f"{verdict}: already written." if verdict else "")

    def decide(self, verdict: str) -> None:
        """Run the action of a button, and show the result."""
        review, reason = self.panel.review, self.reason.value
        try:
            review.skip(self.word) if verdict == "skip" else review.decide(self.word, verdict, reason)
        except BeeError as error:
            self.message.value = html.escape(str(error))

    def done(self, verdict: str, message: str) -> None:
        """Show a verdict, or, if it is "", that there is none."""
        self.message.value = html.escape(message)
        for control in (self.reason, *self.buttons):
            control.disabled = bool(verdict)


def _facts(texts: Mapping[str, str]) -> str:
    """Format the facts of a row as HTML."""
    parts = [f"<span>{html.escape(f'{name} {text}')}</span>" for name, text in texts.items() if name != "word"]
    return f"<b>{html.escape(texts['word'])}</b> <small>{' · '.join(parts)}</small>"


class Asked:
    """A box for a word that shows the result of `tell`; a page without a kernel shows one word."""

    def __init__(self, word: str, tell: Callable[[str], str]) -> None:
        """Start with a word. `tell` returns HTML, and raises BeeError for an unknown word."""
        self.word, self.tell = word, tell

    def _repr_mimebundle_(self, **_: object) -> dict[str, Any]:
        """Show the box if there is a kernel, and the result for the word in any case."""
        answer = self._answer(self.word)
        return {**_view(self._box(answer)), "text/html": answer}

    def widget(self) -> Any:
        """Return the box and the result as a widget."""
        return self._box(self._answer(self.word))

    def _answer(self, word: str) -> str:
        try:
            return self.tell(word)
        except BeeError as error:
            return f"<p>{html.escape(str(error))}</p>"

    def _box(self, answer: str) -> Any:
        import ipywidgets as w

        box = w.Text(self.word, description="word", continuous_update=False)
        box.add_class("bee-word")
        story = w.HTML(answer)
        story.add_class("bee-story")

        def look(change: Mapping[str, Any]) -> None:
            story.value = self._answer(change["new"].strip().lower())

        box.observe(look, "value")
        return w.VBox([box, story])


def _view(widget: Any) -> dict[str, Any]:
    """Return the representation of a widget in a notebook."""
    return dict(widget._repr_mimebundle_())


LONG = 12
"""The number of rows from which on a table has a filter."""
_WIDE = 30
"""The length of a cell from which on its column has a minimum width."""
_FILTER = '<label>Filter <input type="search" oninput="beeFilter(this)"><span role="status"></span></label>'
NOTHING = '<tr><td colspan="99">Nothing to show here.</td></tr>'


def start() -> HTML:
    """Return what tables and plots need once per notebook: styles and the scripts for filtering and sorting."""
    here = Path(__file__).parent
    style, script = (store.read_bytes(here / f"table.{kind}", "pip install").decode() for kind in ("css", "js"))
    return show.as_html(f"<style>\n{style}</style><script>\n{script}</script>")


def veil(flags: pd.DataFrame, show_offensive: bool) -> Callable[[str], str]:
    """Return a function that hides offensive words in a text (`l···`), or leaves the text unchanged."""
    hidden = set() if show_offensive else set(flags["word"][flags["flag"].isin(OFFENSIVE)])

    def veiled(word: re.Match[str]) -> str:
        return word[0][0] + "·" * (len(word[0]) - 1) if word[0] in hidden else word[0]

    return lambda text: re.sub("[a-z]+", veiled, text)


def as_table(
    frame: pd.DataFrame, caption: str, columns: Mapping[str, str], formats: Mapping[str, str] | None = None
) -> HTML:
    """Show a table with its caption, a filter if it is long, and a sentence on every column.

    `columns` explains each column of the frame and gives the order. `formats` are format strings by column. A cell that
    starts with `bee ` is a command. Raises BeeError if a column has no explanation.
    """
    if set(columns) != set(frame.columns):
        raise BeeError(f'The table "{caption}" must explain each of its columns: {", ".join(frame.columns)}.')
    kinds = {name: _kind(frame[name]) for name in columns}
    head = "".join(
        f'<th scope="col"{kind}><button onclick="beeSort(this)">{html.escape(name)}</button></th>'
        for name, kind in kinds.items()
    )
    written = {name: (formats or {}).get(name, "{}") for name in columns}
    body = "\n".join(
        f"<tr>{''.join(f'<td{kinds[name]}>{_cell(row[name], written[name])}</td>' for name in columns)}</tr>"
        for row in frames.rows(frame)
    )
    title = html.escape(caption)
    return show.as_html(
        f'<figure class="bee-table"><figcaption>{title}</figcaption>{_FILTER if len(frame) > LONG else ""}'
        f'<div tabindex="0" role="region" aria-label="{title}"><table><thead><tr>{head}</tr></thead>\n'
        f"<tbody>{body or NOTHING}</tbody></table></div><dl>{_meaning(columns)}</dl></figure>"
    )


def _meaning(columns: Mapping[str, str]) -> str:
    """Explain columns as HTML."""
    return "".join(f"<dt>{html.escape(name)}</dt><dd>{html.escape(text)}</dd>" for name, text in columns.items())


def _kind(column: pd.Series) -> str:
    if pd.api.types.is_numeric_dtype(column):
        return ' class="number"'
    return ' class="long"' if len(column) and column.str.len().max() > _WIDE else ""


def _cell(value: Any, written: str) -> str:
    text = "" if pd.isna(value) else html.escape(written.format(value))
    return f"<code>{text}</code>" if text.startswith("bee ") else text
