"""Why: everything that a workspace knows about one word."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from pipeline.facts.lexicon import NO_SIZE
from pipeline.facts.own_lists import OWN_LIST
from pipeline.opinions import relatives
from pipeline.opinions.decide import verdict_reason
from pipeline.tables import columns, frames
from pipeline.words import LISTED, Explanation, Reason

_SCOWL_LISTS = {
    "scowl_size": "SCOWL",
    "scowl_british": "SCOWL British",
    "scowl_variant": "SCOWL variant",
    "scowl_upper": "SCOWL capitalised",
    "scowl_name": "SCOWL names",
    "scowl_abbreviation": "SCOWL abbreviations",
    "scowl_special": "SCOWL special",
}


@dataclass(frozen=True)
class OpinionTables:
    """The tables that an explanation uses. `record` is the table of that name, and `estimates` has the p on which
    decisions are based."""

    decisions: pd.DataFrame
    estimates: pd.DataFrame
    record: pd.DataFrame
    flags: pd.DataFrame
    lexicon: pd.DataFrame
    verdicts: pd.DataFrame


def explain(word: str, tables: OpinionTables) -> Explanation:
    """Return what is known about a word. If the word is in no table, `because` is empty."""
    decision = row_of(tables.decisions, word)
    reason = Reason.decode(decision["kind"], decision["details"]) if decision else None
    estimate = row_of(tables.estimates, word)
    verdict = row_of(tables.verdicts, word)
    flags = tables.flags[tables.flags["word"] == word]
    return Explanation(
        word=word,
        tier=decision.get("tier", "unknown"),
        by=decision.get("by", "none"),
        because=reason.sentence if reason else "",
        listed=decision.get("tier") in LISTED,
        pending=_pending_verdict(decision, verdict),
        lists=_entries(row_of(tables.lexicon, word)),
        record=_without_word(row_of(tables.record, word)),
        flags=frames.rows(flags[["flag", "severity", "detail"]]),
        relatives=_tried_relatives(word, tables.lexicon, tables.record),
        p=estimate.get("p"),
        basis=estimate.get("basis", ""),
        verdict=_without_word(verdict),
    )


def row_of(frame: pd.DataFrame, word: str) -> dict[str, Any]:
    """Return the first row about a word; {} if there is none."""
    rows = frames.rows(frame[frame["word"] == word])
    return rows[0] if rows else {}


def _without_word(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row without its word."""
    return {column: cell for column, cell in row.items() if column != "word"}


def _pending_verdict(decision: Mapping[str, str], verdict: Mapping[str, str]) -> str:
    """Return which verdict was added or removed since the decision was made, in words; "" if it is up to date."""
    if not verdict:
        by_verdict = decision.get("by") == "verdict"
        return "the verdict was removed; run bee run to apply this" if by_verdict else ""
    reason = verdict_reason(verdict["verdict"], verdict["by"], verdict["on"], verdict["reason"])
    applied = decision.get("kind") == reason.kind and decision.get("details") == reason.details
    return "" if applied else f'the verdict "{verdict["verdict"]}"; run bee run to apply it'


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
    if row["lemma"]:
        entries["form of"] = row["lemma"]
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


def _tried_relatives(word: str, lexicon: pd.DataFrame, record: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the tried words from which a word is derived or that are derived from it, each with its record: word,
    relation, offered, accepted.

    Only the right base of a word counts (`relatives.right_bases`): *beadmen* is not derived from *admen*.
    """
    possible = lexicon.loc[relatives.possible_relatives(word, lexicon["word"]).index].reset_index(drop=True)
    words = possible["word"].tolist()
    records = {row["word"]: row for row in frames.rows(record[columns.is_in(record["word"], words)])}
    relation_of: dict[str, str] = {}
    for link in frames.rows(relatives.right_bases(possible, relatives.link_words(possible))):
        form, base = words[link["form"]], words[link["base"]]
        if form == word:
            relation_of[base] = f"base, {link['kind']}"
        elif base == word:
            relation_of[form] = f"form, {link['kind']}"
    return [
        {
            "word": relative,
            "relation": relation_of[relative],
            "offered": records[relative]["offered"],
            "accepted": records[relative]["accepted"],
        }
        for relative in sorted(relation_of.keys() & records.keys())
    ]
