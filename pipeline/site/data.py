"""The data of the page as JSON. `words.json` has what most puzzles need, `more.json` the other words, `puzzles.json`
the puzzles for practice, and the files in `words/` what is known about each word. All have the version of the release
and an id that depends on all of them, and the page refuses files with another id. The functions are pure."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from pipeline import reader, solver
from pipeline.opinions.catalog import FLAGS
from pipeline.play import about
from pipeline.play.difficulty import LEVELS
from pipeline.site.content import Content, Row
from pipeline.words import FILTERS, KINDS_BY_P, KINDS_BY_TRIAL, LISTED, NOT_FOR_FAMILIES, in_play, mask, pangram

FOLDER = "words"
MAX_BYTES = 40_000
"""The maximum size of a file in `FOLDER` with more than one word."""
NAMES_ON_WINDOWS = ("aux", "con", "nul", "prn")
"""The names that a file cannot have on Windows, with any ending."""
FILTER_SENTENCES = {
    "safe": "without slurs, strong vulgarities and explicit sexual terms",
    "family": "for families: also without mild vulgarities, drugs and demeaning terms",
}
"""The descriptions of `words.FILTERS` on the page."""
ID_LENGTH = 12


def data_files(content: Content, repository: str) -> dict[str, bytes]:
    """Return the data files, name to bytes. `repository` is the address for reports about words, or ""."""
    covers = content.package.get("covers") or {}
    guessed = guesses(content.rows)
    # A guess can be a refused word; then the filters must know it.
    refused_words = {row["word"] for row in content.rows if row["tier"] == "refused"}.difference(guessed)
    shown = [row for row in content.rows if row["word"] not in refused_words]
    first = [row for row in shown if row["tier"] in LISTED and in_play(row["word"])]
    rest = [row for row in shown if row["tier"] not in LISTED or not in_play(row["word"])]
    words = words_by_file(content)
    values = {
        "words.json": {
            "covers": {key: covers.get(key) for key in ("days", "last")},
            "licenses": content.package["licenses"],
            "sources": content.package["sources"],
            "filters": {name: {"says": FILTER_SENTENCES[name], "flags": flags} for name, flags in FILTERS.items()},
            "flags": {rule.id: f"{rule.name}: {rule.sentence}" for rule in FLAGS},
            "repository": repository,
            "daily": content.daily_puzzles,
            "files": list(words),
            "bytes": sum(len(_json({"words": entries})) for entries in words.values()),
            **_lists(first),
        },
        "more.json": {
            **_lists(rest),
            "review": {row["word"]: float(row["p"]) for row in rest if row["tier"] == "review"},
            "guesses": guessed,
        },
        "puzzles.json": practice_puzzles(content),
        **{f"{FOLDER}/{name}.json": {"words": entries} for name, entries in words.items()},
    }
    head = {"version": content.version, "id": reader.sha256(_json(values))[:ID_LENGTH]}
    return {name: _json({**head, **value}) for name, value in values.items()}


def _lists(rows: Sequence[Row]) -> dict[str, Any]:
    """Return the words of each listed tier, separated by spaces, which compress better than an array, and under
    `hidden` the words that each filter leaves out."""
    hidden = {
        name: [row["word"] for row in rows if not set(flags).isdisjoint(row["flags"].split())]
        for name, flags in FILTERS.items()
    }
    tiers = {tier: " ".join(row["word"] for row in rows if row["tier"] == tier) for tier in LISTED}
    return {**tiers, "hidden": hidden}


def practice_puzzles(content: Content) -> dict[str, list[str]]:
    """Return our own puzzles by level, without those that have the letters of a published puzzle of the day."""
    published_sets = {mask(letters) for letters, _ in content.daily_puzzles.values()}
    return {
        level: sorted(
            letters
            for letters, its_level in content.own_puzzles.items()
            if its_level == level and mask(letters) not in published_sets
        )
        for level in LEVELS
    }


def guesses(rows: Sequence[Row]) -> list[str]:
    """Return, for each set of letters without a listed pangram, the pangram that `bee solve` guesses, A to Z; then
    those that take the place of guesses that are not for families."""
    masks_with_pangram = {mask(row["word"]) for row in rows if row["tier"] in LISTED and pangram(row["word"])}
    rude = {row["word"] for row in rows if not set(NOT_FOR_FAMILIES).isdisjoint(row["flags"].split())}
    first: dict[int, str] = {}
    for_families: dict[int, str] = {}
    for word in solver.most_likely_first(solver.pangram_candidates(rows)):
        if mask(word) not in masks_with_pangram:
            first.setdefault(mask(word), word)
            if word not in rude:
                for_families.setdefault(mask(word), word)
    return sorted(first.values()) + sorted(set(for_families.values()).difference(first.values()))


def words_by_file(content: Content) -> dict[str, dict[str, Row]]:
    """Return what is known about each word, by the name of a file of at most `MAX_BYTES`, in alphabetical order.

    The words of a file have the same first two letters, which name it. If the words with these letters need more
    files, each further one has as its name the first letters of its first word that sort it after the words of the
    file before it. So a word is in the file with the last name that is not after the word.
    """
    head = {"version": content.version, "id": "0" * ID_LENGTH}
    room = MAX_BYTES - len(_json({**head, "words": {}}))
    files: dict[str, dict[str, Row]] = {}
    for start, rows in groupby(content.rows, key=lambda row: row["word"][:2]):
        entries: dict[str, Row] = {}
        files[start] = entries
        size, before = 0, ""
        for row in rows:
            word, facts = row["word"], _facts(row, content)
            more = len(_json({word: facts}))
            if entries and size + more > room:
                entries, size = {}, 0
                files[_name_after(before, word)] = entries
            entries[word] = facts
            size += more
            before = word
    return files


def _name_after(before: str, word: str) -> str:
    """Return the shortest start of a word that is after the word before it and can be the name of a file.

    >>> _name_after("comb", "come"), _name_after("comb", "cone"), _name_after("cone", "coop")
    ('come', 'cone', 'coo')
    """
    starts = (word[:length] for length in range(3, len(word) + 1))
    return next((start for start in starts if start > before and start not in NAMES_ON_WINDOWS), word)


def _facts(row: Row, content: Content) -> Row:
    """Return what is known about a word. `because` is the reason if a person or a rule decided, and `estimate` the
    reason for p if p decided. What a word does not have is left out."""
    word = row["word"]
    facts: dict[str, Any] = {"tier": row["tier"], "p": float(row["p"])}
    if row["kind"] not in KINDS_BY_TRIAL:  # whose reason is the record
        facts["estimate" if row["kind"] in KINDS_BY_P else "because"] = row["because"]
    if row["flags"]:
        facts["flags"] = row["flags"].split()
    if record := about.record_of(row):
        facts["record"] = {name: cell for name, cell in record.items() if cell != ""}
    if word in content.hardness:
        facts["hardness"] = content.hardness[word]
    if word in content.definitions:
        senses = [sense.as_json() for sense in content.definitions[word].senses]
        facts["senses"] = [{name: text for name, text in sense.items() if text} for sense in senses]
    return facts


def _json(value: Mapping[str, Any]) -> bytes:
    """Return JSON in ASCII."""
    return (json.dumps(value, separators=(",", ":")) + "\n").encode()
