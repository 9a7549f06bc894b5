"""Why: what a run knows about one word, beside what its release says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from pipeline.facts.lexicon import NO_SIZE
from pipeline.facts.own_lists import OWN_LIST
from pipeline.opinions.relatives import relatives_of
from pipeline.run import Update
from pipeline.tables import columns, frames
from pipeline.words import LISTED

_SCOWL_LISTS = {
    "scowl_size": "SCOWL",
    "scowl_british": "SCOWL British",
    "scowl_variant": "SCOWL variant",
    "scowl_upper": "SCOWL capitalised",
    "scowl_name": "SCOWL names",
    "scowl_abbreviation": "SCOWL abbreviations",
    "scowl_special": "SCOWL special",
}


def details(word: str, tables: Update) -> dict[str, Any]:
    """Return fields of `play.about.Explanation`: the record of a word, the decision on it, if there is one, and its
    flags, lists and relatives."""
    record = row_of(tables.record, word)
    fields: dict[str, Any] = {
        "flags": tables.flags["flag"][tables.flags["word"] == word].tolist(),
        "record": {name: record[name] for name in record if name != "word"},
        "lists": _entries(row_of(tables.lexicon, word)),
        "relatives": tried_relatives(word, tables.forms, tables.record),
    }
    decision = row_of(tables.decisions, word)
    if decision:
        fields |= {name: decision[name] for name in ("tier", "by", "because", "p")}
        fields["listed"] = decision["tier"] in LISTED
    return fields


def row_of(frame: pd.DataFrame, word: str) -> dict[str, Any]:
    """Return the first row about a word; {} if there is none."""
    rows = frames.rows(frame[frame["word"] == word])
    return rows[0] if rows else {}


def _entries(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the entry of a word in each list that has it, from its row of the lexicon."""
    if not row:
        return {}
    entries: dict[str, Any] = {name: row[column] for column, name in _SCOWL_LISTS.items() if row[column] < NO_SIZE}
    if row["wordnet_senses"]:
        senses = f"{row['wordnet_pos']}, senses {row['wordnet_senses']}, tagged {row['wordnet_tagged']}"
        entries["WordNet"] = f"{senses}, {row['wordnet_labels']}" if row["wordnet_labels"] else senses
    if row["wordnet_capitalised"]:
        entries["WordNet with a capital"] = f"senses {row['wordnet_capitalised']}"
    if row["base"]:
        entries["form of"] = row["base"]
    if row[OWN_LIST]:
        entries["own list"] = "listed"
    if row["cuss"] >= 0:
        entries["cuss"] = f"sureness {row['cuss']}"
    if row["ldnoobw"]:
        entries["LDNOOBW"] = "listed"
    if row["zipf"]:
        entries["Zipf frequency"] = round(row["zipf"], 2)
    if row["zipf_abroad"] > row["zipf"]:
        entries[f"Zipf frequency ({row['language']})"] = round(row["zipf_abroad"], 2)
    return entries


def tried_relatives(word: str, forms: pd.DataFrame, record: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the tried words of a word's family, A to Z, each with its record: word, relation, offered, accepted."""
    relation_of = relatives_of(word, forms)
    tried = record[columns.is_in(record["word"], relation_of)].sort_values("word")
    found = tried.assign(relation=tried["word"].map(relation_of))
    return frames.rows(found[["word", "relation", "offered", "accepted"]])
