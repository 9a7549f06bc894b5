"""Word pages: for each two first letters, a plain page and a JSON file with every word that is on the list or has a
record: whether puzzles accept it, since when, why, and its definition. Pure.

Offensive words are on pages of their own, `ab-more.html`, which robots are asked not to index. The other pages do not
name one in a reason or definition either.
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
from pipeline.publishing.plain_pages import Frame
from pipeline.words import LISTED, OFFENSIVE, Reason, count, in_play

INDEX, MORE = "words/index.html", "-more"
STATUS = {"core": "Accepted", "likely": "Probably accepted", "review": "Doubtful", "refused": "Not accepted"}
"""The tiers in plain words."""

Row = Mapping[str, Any]
Shelves = Mapping[str, Mapping[str, Row]]
"""The facts of words by the name of their page: `ab` or `ab-more`."""


def word_pages(
    rows: Sequence[Row], record: Sequence[Row], glosses: Mapping[str, Sequence[Sense]], frame: Frame
) -> dict[str, bytes]:
    """Write the pages, their index and the JSON files, name to bytes. `rows` are from `site.rows_of`."""
    known = {row["word"]: row for row in record}
    rude = {row["word"] for row in rows if not set(OFFENSIVE).isdisjoint(row["flags"].split())}
    shelves: dict[str, dict[str, Row]] = {}
    items: dict[str, list[str]] = {}
    for row in rows:
        word = row["word"]
        if row["tier"] in LISTED or word in known:
            name, senses, hidden = word[:2] + MORE, glosses.get(word, ()), set()
            if word not in rude:
                name, hidden = word[:2], rude
                senses = [one for one in senses if not (one.offensive or _names(f"{one.gloss} {one.base}", hidden))]
            shelves.setdefault(name, {})[word] = facts = _facts(row, known.get(word, {}), hidden)
            items.setdefault(name, []).append(_item(word, facts, line(Definition(word, tuple(senses)))))
    files = {INDEX: _index(shelves, frame), "words/words.css": frame.templates["words.css"]}
    for name, words in shelves.items():
        data = json.dumps({"version": frame.version, "words": words}, separators=(",", ":"))
        files[f"words/{name}.html"] = _page(name, "\n".join(items[name]), shelves, frame)
        files[f"words/{name}.json"] = f"{data}\n".encode()
    return files


def _facts(row: Row, known: Row, hidden: set[str]) -> Row:
    """Return what programs get to know about a word; it has only the dates that there are."""
    numbers = {"p": float(row["p"]), "offered": int(row["offered"]), "accepted": int(row["accepted"])}
    dates = {name: known[name] for name in DATES if known.get(name)}
    status = {"tier": row["tier"], "listed": row["tier"] in LISTED}
    return status | numbers | dates | {"reason": reason_text(row, known, hidden)}


def reason_text(row: Row, known: Row, hidden: set[str]) -> str:
    """Write why a word is accepted or not, in sentences that name no `hidden` word; `known` is its record or empty."""
    reason = Reason.decode(row["kind"], row["details"])
    said = [tried(known)] if known else []
    if reason.kind == "estimate":
        chance = "more than 99%" if row["p"] == "1.00" else f"{100 * float(row['p']):.0f}%"
        said.append(f"No puzzle has had its letters yet; we think it would be accepted ({chance}).")
        phrases = [phrase for phrase in reason.phrases if not _names(phrase, hidden)]
        for mark, side in {"+ ": "For it", "- ": "Against it"}.items():
            some = ", ".join(phrase[2:] for phrase in phrases if phrase.startswith(mark))
            said += [f"{side}: {some}."] if some else []
    elif reason.kind == "verdict":
        verdict, _, _, text = reason.values
        did = f"A person {'keeps it on' if verdict == 'keep' else 'took it off'} the list"
        said.append(f"{did}." if _names(text, hidden) else f"{did}: {text}")
    elif not known or reason.kind not in ("accepted", "refused"):
        sentence = reason.sentence
        if not _names(sentence, hidden):
            said.append(f"{sentence[:1].upper()}{sentence[1:]}.")
    return " ".join(said)


def tried(known: Row) -> str:
    """Write the record of a word as a sentence."""
    offered, accepted = count(known["offered"], "time"), known["accepted"]
    if not accepted:
        return f"Refused {known['offered']} of {offered}, last on {known['last_rejected']}."
    first, last, refused = (known[name] for name in DATES)
    dates = f"on {last}" if first == last else f"first on {first}, last on {last}"
    return f"Accepted {accepted} of {offered}, {dates}{f'; last refused on {refused}' if refused else ''}."


def _names(text: str, hidden: set[str]) -> bool:
    """Return whether a text names one of the hidden words."""
    return not hidden.isdisjoint(re.findall("[a-z]+", text.lower()))


def _item(word: str, facts: Row, meaning: str) -> str:
    # A word that a person keeps and that no puzzle could have is not accepted yet.
    status = STATUS["likely" if facts["listed"] and not facts["accepted"] else facts["tier"]]
    more = "" if meaning == "no definition" else f"<dd>{escape(meaning)}</dd>"
    return (
        f'<div id="{word}" class="{facts["tier"]}"><dt><a href="../index.html#/why/{word}">{word}</a> '
        f"<b>{status}</b></dt><dd>{escape(facts['reason'])}</dd>{more}</div>"
    )


def _page(name: str, entries: str, shelves: Shelves, frame: Frame) -> bytes:
    """Write the page of the words with two first letters, from its entries in HTML."""
    words, pair, more = shelves[name], name[:2].upper(), name.endswith(MORE)
    usual = sorted(words, key=lambda word: (not in_play(word), -words[word]["accepted"], word))[:3]
    asked = " or ".join(", ".join(usual).upper().rsplit(", ", 1))
    head = f"{'Offensive words' if more else 'Words'} that begin with {pair}"
    says = f"{count(len(words), 'word')} that begin with {pair}, each with its record, the reason, and a definition."
    other = f'Words that some readers find offensive have <a rel="nofollow" href="{name}{MORE}.html">another page</a>.'
    pairs = sorted({each[:2] for each in shelves})
    at, near = pairs.index(name[:2]), [each for each in pairs if each[0] == name[0]]
    cells = {
        "title": head if more else f"Is {usual[0].upper()} accepted in Spelling Bee? {head}",
        "says": says if more else f"Does Spelling Bee accept {asked}? {says}",
        "head": head,
        "name": name,
        "near": _links(near, shelves, f"Words with {pair[0]}", "" if more else name),
        "other": other if name + MORE in shelves else "",
        "entries": entries,
        "steps": _links([*pairs[max(at - 1, 0) : at], *pairs[at + 1 : at + 2]], shelves, "Pages before and after"),
    }
    return frame.page(f"words/{name}.html", "words.html", cells, not more)


def _links(pairs: Iterable[str], shelves: Shelves, says: str, here: str = "") -> str:
    """Write links to the pages of some pairs. Robots are asked not to follow those to offensive words."""
    hrefs = {pair: f'"{pair}.html"' if pair in shelves else f'"{pair}{MORE}.html" rel="nofollow"' for pair in pairs}
    marks = {here: ' aria-current="page"'}
    items = "".join(f"<li><a href={href}{marks.get(pair, '')}>{pair}</a></li>" for pair, href in hrefs.items())
    return f'<nav class="pairs" aria-label="{says}"><ul>{items}</ul></nav>'


def _index(shelves: Shelves, frame: Frame) -> bytes:
    """Write the page that links to all others."""
    total = count(sum(map(len, shelves.values())), "word")
    says = f"{total}: which ones Spelling Bee puzzles accept, since when, and why, with definitions, by first letters."
    by_letter = groupby(sorted({name[:2] for name in shelves}), key=lambda pair: pair[0])
    named = [(letter, _links(pairs, shelves, f"Words with {letter.upper()}")) for letter, pairs in by_letter]
    letters = "\n".join(f"<dt>{letter}</dt><dd>{links}</dd>" for letter, links in named)
    cells = {"title": "Words that Spelling Bee accepts, A to Z", "says": says, "letters": letters}
    return frame.page(INDEX, "words-index.html", cells)
