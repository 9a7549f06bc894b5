"""Families: how the forms of a base share p.

A few sentences, applied one after the other to words without a trial, also if they have a verdict. They change p, from
which `decide` makes the tier, so that a reader finds no family that contradicts itself. The rates are counts of tried
words up to 2026-07-24.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from pipeline.tables import columns, frames
from pipeline.words import LIKELY, TIER_OF_VERDICT

P_OF_ACCEPTED = 0.99
"""The least that a base of an accepted form has: of 1,446 such bases, 1,443 were accepted."""
UNLIKELY = LIKELY - 0.01
"""The highest p of a word that is not listed."""
ACCEPTED, REFUSED = 1, 0


def share(
    estimates: pd.DataFrame,
    record: pd.DataFrame,
    verdicts: pd.DataFrame,
    forms: pd.DataFrame,
    lexicon: pd.DataFrame,
) -> pd.DataFrame:
    """Return the table `estimates` with p of untried words shared by families, rounded to two decimals.

    A word on which people decided has the outcome of their verdict, any other tried word that of its last trial. The
    others are the tables of these names: `verdicts` has those that hold.
    """
    outcomes = _outcomes(record, verdicts)
    words = estimates["word"]
    pairs = _pairs(forms, lexicon, outcomes)
    tried = record["word"]
    pairs = pairs.assign(
        row=columns.positions(forms["word"], words),
        base_row=columns.positions(forms["base"], words),
        is_tried=columns.is_in(forms["word"], tried),
    )
    is_free = ~columns.is_in(words, tried)
    p = estimates["p"].to_numpy(copy=True)
    for sentence in SENTENCES:
        so_far = np.append(p, np.nan)  # a word without an estimate has the row -1
        limits = sentence(pairs.assign(p=so_far[pairs["row"]], base_p=so_far[pairs["base_row"]]))
        limits = limits[is_free[limits["row"]]]
        p[limits["row"]] = limits["p"]
    return frames.check(estimates.assign(p=p.round(2)), "estimates")


def _outcomes(record: pd.DataFrame, verdicts: pd.DataFrame) -> pd.Series:
    """Return the outcome of each word with a trial or a verdict, indexed by word: `ACCEPTED` or `REFUSED`."""
    last_trial = pd.Series(record["last_accepted"] > record["last_refused"]).set_axis(record["word"])
    verdict = pd.Series(verdicts["verdict"].map(TIER_OF_VERDICT) == "core").set_axis(verdicts["word"])
    return pd.concat([last_trial[~columns.is_in(last_trial.index, verdict.index)], verdict]).astype(float)


def _pairs(forms: pd.DataFrame, lexicon: pd.DataFrame, outcomes: pd.Series) -> pd.DataFrame:
    """Return `forms` with more columns: the outcomes of the word and its base (NaN without one), and whether the word
    has a sense of its own, is in texts, and is ordinary to readers, and what they think of the base."""
    defaults = {"zipf": 0.0, "wordnet_senses": 0, "opinion": ""}
    entries = lexicon.set_index("word")
    known = columns.look_up_rows(forms["word"], entries, defaults)
    return forms.assign(
        outcome=columns.look_up(forms["word"], outcomes, np.nan),
        base_outcome=columns.look_up(forms["base"], outcomes, np.nan),
        has_sense=known["wordnet_senses"] > 0,
        is_in_texts=known["zipf"] > 0,
        is_ordinary=known["opinion"] == "ordinary",
        base_opinion=columns.look_up(forms["base"], entries["opinion"], ""),
    )


Limits = pd.DataFrame
"""What a sentence says: columns row (of the word in the table of estimates) and p. Words without a p are left out. A
sentence gets the `_pairs`, the rows of the word and of its base (row, base_row; -1 without an estimate), whether the
word was tried (is_tried), and the p that they have so far (p, base_p; NaN without an estimate)."""


def form_of_refused(pairs: pd.DataFrame) -> Limits:
    """A form whose bases were all refused is unlikely, unless it has a sense of its own."""
    all_refused = (pairs["base_outcome"] == REFUSED).groupby(pairs["row"]).transform("all")
    chosen = pairs[all_refused & ~pairs["has_sense"]]
    limit = chosen["p"].clip(upper=UNLIKELY)
    return _limits(chosen["row"], limit)


def base_of_accepted(pairs: pd.DataFrame) -> Limits:
    """The base of an accepted form has at least `P_OF_ACCEPTED`, unless the form has a sense of its own; if only a
    person keeps the form, it has at least `LIKELY`."""
    chosen = pairs[(pairs["outcome"] == ACCEPTED) & ~pairs["has_sense"]]
    limit = chosen["base_p"].clip(lower=np.where(chosen["is_tried"], P_OF_ACCEPTED, LIKELY))
    return _limits(chosen["base_row"], limit)


def base_of_ordinary(pairs: pd.DataFrame) -> Limits:
    """The untried base of an untried form that readers call ordinary is as likely as the form, unless the form has a
    sense of its own or readers doubt the base."""
    is_open = pairs["outcome"].isna() & pairs["base_outcome"].isna() & pairs["is_ordinary"] & ~pairs["has_sense"]
    chosen = pairs[is_open & ~pairs["base_opinion"].isin(["doubtful", "strange", "odd"])]
    return _limits(chosen["base_row"], chosen["base_p"].clip(lower=chosen["p"]))


def form_of_untried(pairs: pd.DataFrame) -> Limits:
    """An untried form of untried bases is at most as likely as the likeliest of them, unless it has a sense of its own
    or readers call it ordinary. A base without a p may be too long for a puzzle, and says nothing."""
    says_something = pairs["base_outcome"].isna() & pairs["base_p"].notna()
    stands_alone = pairs["has_sense"] | pairs["is_ordinary"]
    chosen = pairs[says_something.groupby(pairs["row"]).transform("all") & ~stands_alone]
    likeliest = chosen.sort_values("base_p", kind="stable").drop_duplicates("row", keep="last")
    limit = likeliest["p"].clip(upper=likeliest["base_p"])
    return _limits(likeliest["row"], limit)


def degrees(pairs: pd.DataFrame) -> Limits:
    """Comparative and superlative of one base have the mean of their p; if one was tried, the other follows it."""
    comparative, superlative = (pairs[pairs["form"] == form] for form in ("comparative", "superlative"))
    both = comparative.merge(superlative, on="base", suffixes=("", "_other"))
    swapped = superlative.merge(comparative, on="base", suffixes=("", "_other"))
    both = pd.concat([both, swapped], ignore_index=True)
    own, outcome = both["p"], both["outcome_other"]
    limit = ((own + both["p_other"]) / 2).mask(outcome == ACCEPTED, own.clip(lower=LIKELY))
    limit = limit.mask(outcome == REFUSED, own.clip(upper=UNLIKELY))
    return _limits(both["row"], limit)


SYLLABLE = "[aeiouy]+"
TAKES_ENDINGS = ("y", "ie", "ow")
"""The ends of longer adjectives that take -er and -est: *happier*, *eerier*, *narrower*."""


def unsaid(pairs: pd.DataFrame) -> Limits:
    """A comparative or superlative is unlikely if texts have neither and the base is longer than a syllable and takes
    *more* and *most*: *cheerfuller*. A beginning un- does not count."""
    degrees = pairs[pairs["form"].isin(["comparative", "superlative"])]
    spoken = degrees["base"].str.replace("^un|e$", "", regex=True)
    degrees = degrees[(spoken.str.count(SYLLABLE) > 1) & ~degrees["base"].str.endswith(TAKES_ENDINGS)]
    is_said = degrees["is_in_texts"].groupby(degrees["base"]).transform("any")
    chosen = degrees[~is_said & ~degrees["has_sense"]]
    limit = chosen["p"].clip(upper=UNLIKELY)
    return _limits(chosen["row"], limit)


def _limits(rows: pd.Series, p: pd.Series) -> Limits:
    """Return what a sentence says. If it says several things about a word, the first one counts."""
    found = pd.DataFrame({"row": rows, "p": p.round(2)}).dropna(subset=["p"])
    return found.drop_duplicates("row")


SENTENCES = (
    form_of_refused,
    base_of_accepted,
    base_of_ordinary,
    form_of_untried,
    unsaid,
    degrees,
)
"""All sentences, in order."""
