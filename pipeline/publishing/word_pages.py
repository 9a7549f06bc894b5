"""Word pages: for each two first letters, a plain page and a JSON file with every word that is on the list or has a
record. They have whether puzzles accept the word, since when, why, and its definition. The functions are pure.

Offensive words are on separate pages, `ab-more.html`, which robots are asked not to index. The other pages do not name
offensive words in reasons or definitions either.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import groupby
from typing import Any

from pipeline.play.glosses import Definition, Sense, line
from pipeline.publishing.coding import DATES
from pipeline.publishing.plain_pages import PlainPages
from pipeline.words import KINDS_BY_P, KINDS_BY_TRIAL, LISTED, OFFENSIVE, count, in_play

INDEX, MORE = "words/index.html", "-more"
STATUS = {"core": "Accepted", "likely": "Probably accepted", "review": "Doubtful", "refused": "Not accepted"}
"""The tiers in plain words."""

Row = Mapping[str, Any]
WordsByPage = Mapping[str, Mapping[str, Row]]
"""The data about words for programs, by word, by the name of the page: `ab` or `ab-more`."""


def word_pages(
    rows: Sequence[Row], record: Sequence[Row], senses: Mapping[str, Sequence[Sense]], plain_pages: PlainPages
) -> dict[str, bytes]:
    """Return the pages, their index and the JSON files, name to bytes. `rows` are from `site_content.rows_of`."""
    record_of = {row["word"]: row for row in record}
    offensive = {row["word"] for row in rows if not set(OFFENSIVE).isdisjoint(row["flags"].split())}
    words_by_page: dict[str, dict[str, Row]] = {}
    entries: dict[str, list[str]] = {}
    for row in rows:
        word = row["word"]
        if row["tier"] not in LISTED and word not in record_of:
            continue
        if word in offensive:
            name = word[:2] + MORE
            hidden_words: set[str] = set()
            shown_senses = tuple(senses.get(word, ()))
        else:
            name = word[:2]
            hidden_words = offensive
            shown_senses = tuple(
                sense for sense in senses.get(word, ()) if not _names(f"{sense.gloss} {sense.base}", hidden_words)
            )
        facts = _facts(row, record_of.get(word, {}), hidden_words)
        words_by_page.setdefault(name, {})[word] = facts
        entries.setdefault(name, []).append(_entry(word, facts, Definition(word, shown_senses)))
    files = {INDEX: _index(words_by_page, plain_pages), "words/words.css": plain_pages.templates["words.css"]}
    for name in words_by_page:
        data = json.dumps({"version": plain_pages.version, "words": words_by_page[name]}, separators=(",", ":"))
        files[f"words/{name}.html"] = _page(name, "\n".join(entries[name]), words_by_page, plain_pages)
        files[f"words/{name}.json"] = f"{data}\n".encode()
    return files


def _facts(row: Row, record: Row, hidden: set[str]) -> Row:
    """Return the data about a word for programs. Dates that do not exist are left out."""
    numbers = {"p": float(row["p"]), "offered": int(row["offered"]), "accepted": int(row["accepted"])}
    dates = {name: record[name] for name in DATES if record.get(name)}
    status = {"tier": row["tier"], "listed": row["tier"] in LISTED}
    return status | numbers | dates | {"reason": reason_text(row, record, hidden)}


def reason_text(row: Row, record: Row, hidden: set[str]) -> str:
    """Return why a word is accepted or not, in sentences that do not name a `hidden` word. `record` may be empty."""
    sentences = [record_text(record)] if record else []
    if row["kind"] in KINDS_BY_P:
        chance = "more than 99%" if row["p"] == "1.00" else f"{100 * float(row['p']):.0f}%"
        sentences.append(f"We estimate that its chance to be accepted is {chance}.")
    if not (record and row["kind"] in KINDS_BY_TRIAL) and not _names(row["because"], hidden):
        ending = "" if row["because"].endswith(".") else "."
        sentences.append(f"{row['because'][:1].upper()}{row['because'][1:]}{ending}")
    return " ".join(sentences)


def record_text(record: Row) -> str:
    """Return the record of a word as a sentence."""
    offered, accepted = count(record["offered"], "time"), record["accepted"]
    if not accepted:
        return f"Refused {record['offered']} of {offered}, last on {record['last_refused']}."
    first, last, refused = [record[name] for name in DATES]
    dates = f"on {last}" if first == last else f"first on {first}, last on {last}"
    if refused:
        dates += f"; last refused on {refused}"
    return f"Accepted {accepted} of {offered}, {dates}."


def _names(text: str, hidden: set[str]) -> bool:
    """Return whether a text names one of the hidden words."""
    return not hidden.isdisjoint(re.findall("[a-z]+", text.lower()))


def _entry(word: str, facts: Row, definition: Definition) -> str:
    """Return the entry of a word on its page, as HTML."""
    tier = facts["tier"]
    was_never_accepted = facts["accepted"] == 0
    if facts["listed"] and was_never_accepted:  # even if its tier is core because a person keeps it
        tier = "likely"
    status = STATUS[tier]
    definition_html = f"<dd>{escape(line(definition))}</dd>" if definition.senses else ""
    # The class is the tier, for programs; the status is for people.
    return (
        f'<div id="{word}" class="{facts["tier"]}"><dt><a href="../index.html#/why/{word}">{word}</a> '
        f"<b>{status}</b></dt><dd>{escape(facts['reason'])}</dd>{definition_html}</div>"
    )


def _page(name: str, entries: str, words_by_page: WordsByPage, plain_pages: PlainPages) -> bytes:
    """Return the page of the words with two first letters, from its entries in HTML."""
    words, start = words_by_page[name], name[:2]
    is_offensive = name.endswith(MORE)
    best_known = sorted(words, key=lambda word: (not in_play(word), -words[word]["accepted"], word))[:3]
    words_of_question = " or ".join(", ".join(best_known).upper().rsplit(", ", 1))
    head = f"{'Offensive words' if is_offensive else 'Words'} that begin with {start.upper()}"
    number = count(len(words), "word")
    summary = f"{number} that begin with {start.upper()}, each with its record, a reason and a definition."
    link_to_offensive = (
        f'Words that some readers find offensive are on <a rel="nofollow" href="{name}{MORE}.html">a separate page</a>.'
    )
    starts = sorted({page[:2] for page in words_by_page})
    position = starts.index(start)
    near = [other_start for other_start in starts if other_start[0] == start[0]]
    neighbors = [*starts[max(position - 1, 0) : position], *starts[position + 1 : position + 2]]
    values = {
        "title": head if is_offensive else f"Is {best_known[0].upper()} accepted in Spelling Bee? {head}",
        "says": summary if is_offensive else f"Does Spelling Bee accept {words_of_question}? {summary}",
        "head": head,
        "name": name,
        "near": _links(near, words_by_page, f"Words with {start[0].upper()}", "" if is_offensive else name),
        "other": link_to_offensive if name + MORE in words_by_page else "",
        "entries": entries,
        "steps": _links(neighbors, words_by_page, "Previous and next pages"),
    }
    return plain_pages.page(f"words/{name}.html", "words.html", values, not is_offensive)


def _links(starts: Iterable[str], words_by_page: WordsByPage, label: str, here: str = "") -> str:
    """Return links to the pages of some first letters. Robots are asked not to follow those to offensive words."""
    items = []
    for start in starts:
        href = f'"{start}.html"' if start in words_by_page else f'"{start}{MORE}.html" rel="nofollow"'
        current = ' aria-current="page"' if start == here else ""
        items.append(f"<li><a href={href}{current}>{start}</a></li>")
    return f'<nav class="pairs" aria-label="{label}"><ul>{"".join(items)}</ul></nav>'


def _index(words_by_page: WordsByPage, plain_pages: PlainPages) -> bytes:
    """Return the page that links to all others."""
    number_of_words = count(sum(map(len, words_by_page.values())), "word")
    letters = []
    for letter, starts in groupby(sorted({page[:2] for page in words_by_page}), key=lambda start: start[0]):
        links = _links(starts, words_by_page, f"Words with {letter.upper()}")
        letters.append(f"<dt>{letter}</dt><dd>{links}</dd>")
    values = {
        "title": "Words that Spelling Bee accepts, A to Z",
        "says": f"{number_of_words} by first letters: which of them Spelling Bee puzzles accept, since when, and why, "
        "with definitions.",
        "letters": "\n".join(letters),
    }
    return plain_pages.page(INDEX, "words-index.html", values)
