"""Flags: how often the puzzle refused the words that each flag marks, and the words graded as offensive."""

from __future__ import annotations

import re
from itertools import repeat

import pandas as pd
from notebook_data import NotebookData

from pipeline.opinions import catalog
from pipeline.play import glosses
from pipeline.words import LISTED, OFFENSIVE

TELLING = set(OFFENSIVE) - {"crude"}
"""The grades for which a word in a definition counts. Most crude words also have an ordinary sense (a cock)."""


def tried_words(data: NotebookData) -> pd.DataFrame:
    """Return the record of every tried word, with `refused`, whether its last trial refused it."""
    record = data.record
    return record.assign(refused=record["last_accepted"] <= record["last_refused"])


def flag_shares(data: NotebookData) -> pd.DataFrame:
    """Return the catalog of flags: columns flag, severity, rule, marked and tried (words), refused (share of them)."""
    rules = [(rule.id, rule.severity, rule.sentence) for rule in catalog.FLAGS]
    frame = pd.DataFrame(rules, columns=["flag", "severity", "rule"])
    outcomes = data.flags.merge(tried_words(data), on="word").groupby("flag")["refused"]
    counts = {"marked": data.flags.groupby("flag").size(), "tried": outcomes.size()}
    for name, words in counts.items():
        frame[name] = frame["flag"].map(words).fillna(0).astype("int64")
    frame["refused"] = frame["flag"].map(outcomes.mean())
    return frame.sort_values("refused", ascending=False, na_position="last", ignore_index=True)


def examples(data: NotebookData, count: int) -> pd.DataFrame:
    """Name words of each flag that the puzzle accepts, and words that it refuses, most often first."""
    harmless = data.flags[~data.flags["flag"].isin(OFFENSIVE)]
    frame = harmless.merge(tried_words(data), on="word")
    frame["refusals"] = frame["offered"] - frame["accepted"]
    accepted = _first_words(frame[~frame["refused"]], "accepted", count)
    refused = _first_words(frame[frame["refused"]], "refusals", count)
    used = set(frame["flag"])
    table = pd.DataFrame({"flag": [rule.id for rule in catalog.FLAGS if rule.id in used]})
    table["accepted"] = table["flag"].map(accepted).fillna("")
    table["refused"] = table["flag"].map(refused).fillna("")
    return data.censored(table, "accepted", "refused")


def _first_words(words: pd.DataFrame, by: str, count: int) -> pd.Series:
    """Join the words of each flag that have the highest numbers in a column."""
    first = words.sort_values([by, "word"], ascending=[False, True]).groupby("flag").head(count)
    return first.groupby("flag")["word"].agg(", ".join)


def graded_words(data: NotebookData) -> pd.DataFrame:
    """Return the offensive words with their grade (`flag`), decision, and the outcome of their last trial: columns
    listed, and record (accepted, refused or never tried)."""
    frame = data.flags[data.flags["flag"].isin(OFFENSIVE)].merge(data.decisions, on="word", how="left")
    outcomes = tried_words(data).set_index("word")["refused"].map({True: "refused", False: "accepted"})
    frame["record"] = frame["word"].map(outcomes).fillna("never tried")
    frame["listed"] = frame["tier"].isin(LISTED)
    return frame.sort_values(["flag", "word"])


def without_grade(data: NotebookData) -> pd.DataFrame:
    """Return words of the release that nobody graded although a relative is offensive: columns word, relative,
    relation, grade. The relative is its base, its form, or a word in the first definition."""
    grade_of = graded_words(data).set_index("word")["flag"]
    base = data.lexicon.set_index("word")["base"]
    graded = {*grade_of.index, *data.grades["word"]}
    shown = data.decisions["word"][data.decisions["tier"] != "refused"]
    ungraded = shown[~shown.isin(graded) & ~shown.map(base).isin(graded)]
    forms, bases = data.forms["word"], data.forms["base"]
    definitions = glosses.load(data.workspace.custom, set(ungraded))
    named = [
        (word, other, "in its definition")
        for word, definition in definitions.items()
        for other in re.findall("[a-z]+", definition.senses[0].gloss.lower())
        if grade_of.get(other) in TELLING
    ]
    pairs = [*zip(forms, bases, repeat("its base")), *zip(bases, forms, repeat("its form")), *named]
    frame = pd.DataFrame(pairs, columns=["word", "relative", "relation"])
    frame = frame[frame["word"].isin(ungraded) & frame["relative"].isin(grade_of.index)]
    frame = frame.assign(grade=frame["relative"].map(grade_of)).drop_duplicates("word")
    return frame.sort_values("word", ignore_index=True)
