"""Why: everything that a workspace knows about one word."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from pipeline.facts.lexicon import NO_SIZE
from pipeline.facts.lists import OWN
from pipeline.opinions import relatives
from pipeline.opinions.decide import verdict_reason
from pipeline.tables import frames
from pipeline.words import LISTED

Trail = dict[str, Any]

_SIZES = {
    "scowl_size": "SCOWL",
    "scowl_british": "SCOWL British",
    "scowl_variant": "SCOWL variant",
    "scowl_upper": "SCOWL capitalised",
    "scowl_name": "SCOWL names",
    "scowl_abbreviation": "SCOWL abbreviations",
    "scowl_special": "SCOWL special",
}


def why(word: str, tables: Mapping[str, pd.DataFrame]) -> Trail:
    """Collect what is known about a word from the tables lexicon, evidence, flags, estimates, decisions, verdicts.

    The trail has the keys of `play.about`; a word that no table has is without `because`. `pending` says which verdict
    the tier does not know yet.
    """
    decision = row_of(tables["decisions"], word)
    estimate = row_of(tables["estimates"], word)
    verdict = row_of(tables["verdicts"], word)
    return {
        "word": word,
        "tier": decision.get("tier", "unknown"),
        "by": decision.get("by", "none"),
        "because": decision.get("because", ""),
        "listed": decision.get("tier") in LISTED,
        "pending": _pending(decision, verdict),
        "lists": _lists(row_of(tables["lexicon"], word)),
        "record": {name: cell for name, cell in row_of(tables["evidence"], word).items() if name != "word"},
        "flags": [
            {name: row[name] for name in ("flag", "severity", "detail")}
            for row in frames.rows(tables["flags"][tables["flags"]["word"] == word])
        ],
        "relatives": _relatives(word, tables["lexicon"], tables["evidence"]),
        "p": estimate.get("p"),
        "basis": estimate.get("basis", ""),
        "verdict": {name: cell for name, cell in verdict.items() if name != "word"},
    }


def row_of(frame: pd.DataFrame, word: str) -> dict[str, Any]:
    """Return the first row about a word, {} if there is none."""
    found = frames.rows(frame[frame["word"] == word])
    return found[0] if found else {}


def _pending(decision: Mapping[str, str], verdict: Mapping[str, str]) -> str:
    """Say what was decided or removed since the tiers were made; nothing when they are up to date."""
    if verdict:
        reason = verdict_reason(verdict["verdict"], verdict["by"], verdict["on"], verdict["reason"])
        applied = (decision.get("kind"), decision.get("details")) == (reason.kind, reason.details)
        return "" if applied else f'the verdict "{verdict["verdict"]}"; bee run applies it'
    return "the verdict was removed; bee run applies this" if decision.get("by") == "verdict" else ""


def _lists(row: Mapping[str, Any]) -> dict[str, Any]:
    """Describe the entry of a word in each list; lists that do not have it are left out."""
    if not row:
        return {}
    entries: dict[str, Any] = {title: row[name] for name, title in _SIZES.items() if row[name] < NO_SIZE}
    if row["wordnet_senses"]:
        senses = f"{row['wordnet_pos']}, senses {row['wordnet_senses']}, tagged {row['wordnet_tagged']}"
        entries["WordNet"] = f"{senses}, {row['wordnet_labels']}" if row["wordnet_labels"] else senses
    if row["wordnet_capitalised"]:
        entries["WordNet with a capital"] = f"senses {row['wordnet_capitalised']}"
    if row["lemma"]:
        entries["form of"] = row["lemma"]
    entries |= {name: "listed; a list of the user" for name in row[OWN].split()}
    if row["cuss"] >= 0:
        entries["cuss"] = f"sureness {row['cuss']}"
    if row["ldnoobw"]:
        entries["LDNOOBW"] = "listed"
    if row["zipf"]:
        entries["Zipf frequency"] = round(row["zipf"], 2)
    if row["zipf_abroad"] > row["zipf"]:
        entries[f"Zipf frequency ({row['language']})"] = round(row["zipf_abroad"], 2)
    return entries


def _relatives(word: str, lexicon: pd.DataFrame, evidence: pd.DataFrame) -> list[dict[str, Any]]:
    """List the tried words from which this word is derived or that are derived from it, each with its record.

    Each word is derived from its right base only (`relatives.family`): *beadmen* is not made from *admen*.
    """
    near = lexicon.loc[relatives.near(word, lexicon["word"]).index].reset_index(drop=True)
    names = near["word"].tolist()
    records = {row["word"]: row for row in frames.rows(evidence[evidence["word"].isin(set(names))])}
    found = {}
    for link in frames.rows(relatives.family(near, relatives.links(near))):
        form, base, kind = names[link["form"]], names[link["base"]], link["kind"]
        other, relation = (base, f"base, {kind}") if form == word else (form, f"form, {kind}")
        if word in (form, base) and other in records:
            record = {name: records[other][name] for name in ("offered", "accepted")}
            found[other] = {"word": other, "relation": relation, **record}
    return [found[name] for name in sorted(found)]
