"""Why: everything known about one word, and the sentence that explains whether it is an answer of a puzzle."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from pipeline.facts.lexicon import NO_SIZE
from pipeline.facts.lists import OWN
from pipeline.opinions import relatives
from pipeline.opinions.decide import verdict_details
from pipeline.tables import frames
from pipeline.words import LISTED, Puzzle, rule_broken, spells

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


def why(word: str, tables: Mapping[str, pd.DataFrame], asked: Puzzle | None = None) -> Trail:
    """Collect what is known about a word from the tables lexicon, evidence, flags, estimates, decisions, verdicts.

    Keys: word, tier, by, because, listed, pending, lists, record, flags, relatives, p, basis, verdict; with a puzzle
    also letters, answer (true or false) and answer_because. `pending` says which verdict the tier does not know yet.
    """
    decision = _one(tables["decisions"], word)
    estimate = _one(tables["estimates"], word)
    verdict = _one(tables["verdicts"], word)
    trail: Trail = {
        "word": word,
        "tier": decision.get("tier", "unknown"),
        "by": decision.get("by", "none"),
        "because": decision.get("because", _unknown(word)),
        "listed": decision.get("tier") in LISTED,
        "pending": _pending(decision, verdict),
        "lists": _lists(_one(tables["lexicon"], word)),
        "record": {name: cell for name, cell in _one(tables["evidence"], word).items() if name != "word"},
        "flags": [
            {name: row[name] for name in ("flag", "severity", "detail")}
            for row in frames.rows(tables["flags"][tables["flags"]["word"] == word])
        ],
        "relatives": _relatives(word, tables["lexicon"], tables["evidence"]),
        "p": estimate.get("p"),
        "basis": estimate.get("basis", ""),
        "verdict": {name: cell for name, cell in verdict.items() if name != "word"},
    }
    if asked:
        answer, because = _answer(word, trail, asked)
        trail |= {"letters": asked.letters, "answer": answer, "answer_because": because}
    return trail


def _one(frame: pd.DataFrame, word: str) -> dict[str, Any]:
    found = frames.rows(frame[frame["word"] == word])
    return found[0] if found else {}


def _unknown(word: str) -> str:
    if rule := rule_broken(word):
        return f"no word of a puzzle: {rule}"
    return "no list has it as a common word, and no puzzle ever accepted it"


def _pending(decision: Mapping[str, str], verdict: Mapping[str, str]) -> str:
    """Say what was decided or removed since the tiers were made; nothing when they are up to date."""
    if verdict:
        given = verdict_details(*(verdict[name] for name in ("verdict", "by", "on", "reason")))
        applied = (decision.get("kind"), decision.get("details")) == ("verdict", given)
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


def _answer(word: str, trail: Mapping[str, Any], asked: Puzzle) -> tuple[bool, str]:
    """Return whether a word is an answer of a puzzle, and the rule or judgment that decides."""
    if rule := rule_broken(word):
        return False, f"it breaks a rule: {rule}"
    if not spells(asked, word):
        foreign = sorted(set(word) - set(asked.letters))
        lacks = f"it needs {', '.join(foreign)}" if foreign else f"it lacks the center letter {asked.center}"
        return False, f"it breaks a rule: {lacks}"
    if trail["listed"]:
        return True, trail["because"]
    reasons = {"evidence": "refused before", "estimate": "below the threshold", "verdict": "dropped by a person"}
    named = reasons.get(trail["by"], "unknown")
    flagged = ", ".join(flag["flag"] for flag in trail["flags"])
    return False, f"{named}: {trail['because']}" + (f"; flagged {flagged}" if flagged else "")


def text(trail: Trail) -> str:
    """Write the result for reading."""
    lines = [f"{trail['word']}: {trail['tier']}, by {trail['by']}", f"  because    {trail['because']}"]
    if trail["pending"]:
        lines.append(f"  not yet    {trail['pending']}")
    if "answer" in trail:
        lines.append(f"  in {trail['letters']}: {'yes' if trail['answer'] else 'no'}, {trail['answer_because']}")
    record = trail["record"]
    if record:
        dates = f"first {record['first_accepted'] or 'never'}, last {record['last_accepted'] or 'never'}"
        refused = f"last refused {record['last_rejected'] or 'never'}"
        lines.append(f"  record     accepted {record['accepted']} of {record['offered']}: {dates}, {refused}")
    else:
        lines.append("  record     never tried")
    for other in trail["relatives"]:
        lines.append(
            f"  relative   {other['word']} ({other['relation']}): accepted {other['accepted']} of {other['offered']}"
        )
    if trail["p"] is not None:
        lines.append(f"  estimate   p = {trail['p']:.2f}: {trail['basis']}")
    lines += [f"  flag       {flag['flag']} ({flag['severity']}): {flag['detail']}" for flag in trail["flags"]]
    lines += [f"  list       {name}: {entry}" for name, entry in trail["lists"].items()]
    if trail["verdict"]:
        lines.append(f"  verdict    {', '.join(f'{name} {cell}' for name, cell in trail['verdict'].items())}")
    return "\n".join(lines)
