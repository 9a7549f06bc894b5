"""Families: related words of which one is on the list and the other is not. A person often sees which one is wrong."""

from __future__ import annotations

import pandas as pd
from notebook_data import NotebookData

from pipeline.opinions import bounds, relatives
from pipeline.opinions.bounds import USUAL
from pipeline.tables.columns import look_up
from pipeline.words import LISTED


def split_pairs(lexicon: pd.DataFrame, decisions: pd.DataFrame) -> pd.DataFrame:
    """List pairs of a base and its inflected form, both usual words, of which only one is on the list.

    If a form has several bases, the most usual one counts. Columns: form, base, on (which of them is on the list), and
    "form by" and "base by" (evidence, estimate or verdict).
    """
    words = lexicon["word"].to_numpy()
    links = relatives.link_words(lexicon)
    links = links[links["kind"] == "inflected"]
    frame = pd.DataFrame({"form": words[links["form"]], "base": words[links["base"]]})
    sizes = lexicon.set_index("word")["scowl_size"]
    frame["size"] = frame["base"].map(sizes)
    frame["zipf"] = frame["base"].map(lexicon.set_index("word")["zipf"])
    frame = frame[(frame["size"] <= USUAL) & (frame["form"].map(sizes) <= USUAL)]
    frame = frame.sort_values(["form", "size", "zipf", "base"], ascending=[True, True, False, True])
    frame = _with_decisions(frame.drop_duplicates("form"), decisions, "form", "base")
    frame = frame[frame["form listed"] != frame["base listed"]]
    frame["on"] = frame["form listed"].map({True: "form", False: "base"})
    return frame[["form", "base", "on", "form by", "base by"]].reset_index(drop=True)


def split_families(data: NotebookData) -> pd.DataFrame:
    """Return the `split_pairs`, most often tried forms first, with "form tried", and p of the word that was never
    tried, if one was."""
    frame = split_pairs(data.lexicon, data.decisions)
    offered, p = data.evidence.set_index("word")["offered"], untried_estimates(data)
    frame["form tried"] = frame["form"].map(offered).fillna(0).astype("int64")
    frame["p"] = frame["form"].map(p).fillna(frame["base"].map(p))
    frame = frame.sort_values(["form tried", "form"], ascending=[False, True])
    return data.censored(frame, "base", "form")


def split_by_estimate(split: pd.DataFrame) -> pd.DataFrame:
    """Return the `split_families` of which an estimate decided one word; the most certain estimates come first."""
    frame = split[(split["form by"] == "estimate") ^ (split["base by"] == "estimate")]
    certainty = (frame["p"] - 0.5).abs()
    return frame.assign(certainty=certainty).sort_values(["certainty", "form"], ascending=[False, True])


def untried_estimates(data: NotebookData) -> pd.Series:
    """Return p of the words that were never tried, by word."""
    estimates = data.estimates
    return estimates[~estimates["word"].isin(data.evidence["word"])].set_index("word")["p"]


def variants(lexicon: pd.DataFrame, decisions: pd.DataFrame) -> pd.DataFrame:
    """Pair spellings that SCOWL calls variant or British with a usual spelling: columns variant, usual, differs
    (`-our, -or`), and for both words whether it is on the list ("variant listed") and what decided ("variant by")."""
    frame = _with_decisions(bounds.variants(lexicon), decisions, "variant", "usual")
    names = ["variant", "usual", "differs", "variant listed", "usual listed", "variant by", "usual by"]
    return frame[names].reset_index(drop=True)


def count_spellings(pairs: pd.DataFrame) -> pd.DataFrame:
    """Count the `variants` by what differs; `accepted` is the share of the tried variants that are on the list."""
    tried = pairs[pairs["variant by"] == "evidence"].groupby("differs")["variant listed"]
    untried = pairs[pairs["variant by"] == "estimate"].groupby("differs")["variant listed"]
    counts = {
        "pairs": pairs.groupby("differs").size(),
        "tried": tried.size(),
        "untried on the list": untried.sum(),
    }
    frame = pd.DataFrame(counts).fillna(0).astype("int64")
    frame["accepted"] = tried.mean()
    return frame.rename_axis("differs").reset_index().sort_values(["pairs", "differs"], ascending=[False, True])


def odd_variants(data: NotebookData, pairs: pd.DataFrame) -> pd.DataFrame:
    """Return the variants on the list without a trial or without their usual spelling, least accepted kinds first."""
    untried, alone = pairs["variant by"] == "estimate", ~pairs["usual listed"]
    frame = pairs[pairs["variant listed"] & (untried | alone)].copy()
    frame["p"] = frame["variant"].map(untried_estimates(data))
    frame["usual listed"] = frame["usual listed"].map({True: "yes", False: "no"})
    accepted = count_spellings(pairs).set_index("differs")["accepted"]
    frame["kind accepted"] = frame["differs"].map(accepted)
    frame = frame.sort_values(["kind accepted", "p", "variant"], na_position="last")
    return data.censored(frame, "variant", "usual")


def _with_decisions(pairs: pd.DataFrame, decisions: pd.DataFrame, *names: str) -> pd.DataFrame:
    """Return the pairs whose words both have a decision, with columns for each word: whether it is listed, and what
    decided."""
    by_word = decisions.set_index("word")
    listed = by_word["tier"].isin(LISTED)
    decided = pairs[list(names)].isin(by_word.index).all(axis=1)
    frame = pairs[decided].copy()
    for name in names:
        frame[f"{name} listed"] = look_up(frame[name], listed, False)
        frame[f"{name} by"] = look_up(frame[name], by_word["by"], "")
    return frame
