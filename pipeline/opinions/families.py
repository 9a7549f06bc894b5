"""Families: how the forms of a base share p.

A few sentences, applied one after the other to words without a trial and without a verdict. They change p and never the
tier, so that a reader finds no family that contradicts itself. The rates are counts of tried words up to 2026-07-24.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from pipeline.facts.lists import NO_SIZE
from pipeline.tables import columns, frames
from pipeline.words import LIKELY, TIER_OF_VERDICT

P_OF_ACCEPTED = 0.99
"""The least that a base of an accepted form has: of 1,369 such bases, 1,363 were accepted."""
ORDINARY = 60
"""The SCOWL size up to which a form of an accepted base is likely. Of 10 larger ones in -s, 3 were accepted."""
LEAST = {"plural": 0.97, "third person": 0.97, "past form": LIKELY, "present participle": LIKELY}
"""The least that an ordinary form of an accepted base has. Of 35 forms in -s, 34 were accepted. Forms in -ed and -ing
are mostly accepted, too, but of 11 that the model doubted, only 2 were: they are listed if texts have them, or if their
base is a verb and nothing else. A plural that texts never have is left alone if its base may be a mass noun."""
UNLIKELY = LIKELY - 0.01
"""The highest p of a word that is not listed."""
TOLD_FROM = 0.2
"""A change of p by at least this much is the reason for it; the value is a choice."""
ACCEPTED, REFUSED = 1, 0


def undecided(word: str, forms: pd.DataFrame, by_estimate: pd.Series) -> list[str]:
    """Return the bases and the forms of a word, or else the other forms of its bases, that are among the words decided
    `by_estimate`. A verdict on the word also decides these."""
    bases = {*forms["base"][forms["word"] == word]} or {word}
    members = bases | {*forms["word"][columns.is_in(forms["base"], bases)]}
    return sorted(members.intersection(by_estimate) - {word})


def share(
    estimates: pd.DataFrame,
    record: pd.DataFrame,
    verdicts: pd.DataFrame,
    forms: pd.DataFrame,
    lexicon: pd.DataFrame,
    unsafe_words: pd.DataFrame,
) -> pd.DataFrame:
    """Return the table `estimates` with p shared by families, rounded to two decimals.

    A word on which people decided has the outcome of their verdict, any other tried word that of its last trial. The
    others are the tables of these names; `unsafe_words` has the words with a grade of `UNSAFE_FLAGS`.
    """
    outcomes = _outcomes(record, verdicts)
    words = estimates["word"]
    pairs = _pairs(forms, lexicon, outcomes, unsafe_words)
    pairs = pairs.assign(row=columns.positions(forms["word"], words), base_row=columns.positions(forms["base"], words))
    is_free = ~columns.is_in(words, outcomes.index)
    p = estimates["p"].to_numpy(copy=True)
    told = np.full(len(words), "", dtype=object)
    for sentence in SENTENCES:
        so_far = np.append(p, np.nan)  # a word without an estimate has the row -1
        limits = sentence(pairs.assign(p=so_far[pairs["row"]], base_p=so_far[pairs["base_row"]]))
        limits = limits[is_free[limits["row"]]]
        row, after = limits["row"].to_numpy(), limits["p"].to_numpy()
        before = p[row]
        is_told = ((after >= LIKELY) != (before >= LIKELY)) | (np.abs(after - before) >= TOLD_FROM)
        told[row[is_told]] = limits["says"][is_told]
        p[row] = after
    because = estimates["because"].where(told == "", pd.array(told, dtype="str"))
    return frames.check(estimates.assign(p=p.round(2), because=because), "estimates")


def _outcomes(record: pd.DataFrame, verdicts: pd.DataFrame) -> pd.Series:
    """Return the outcome of each word with a trial or a verdict, indexed by word: `ACCEPTED` or `REFUSED`."""
    last_trial = pd.Series(record["last_accepted"] > record["last_refused"]).set_axis(record["word"])
    verdict = pd.Series(verdicts["verdict"].map(TIER_OF_VERDICT) == "core").set_axis(verdicts["word"])
    return pd.concat([last_trial[~columns.is_in(last_trial.index, verdict.index)], verdict]).astype(float)


def _pairs(forms: pd.DataFrame, lexicon: pd.DataFrame, outcomes: pd.Series, unsafe_words: pd.DataFrame) -> pd.DataFrame:
    """Return `forms` with more columns: the outcomes of the word and of its base (NaN without one), whether the word
    has a sense of its own and is in texts, and its least p as a form of an accepted base (0 if it has none)."""
    entries = lexicon.set_index("word")
    word = forms["word"]
    known = columns.look_up_rows(word, entries, {"scowl_size": NO_SIZE, "zipf": 0.0, "wordnet_senses": 0})
    is_ordinary = known["scowl_size"] <= ORDINARY
    is_in_texts = known["zipf"] > 0
    parts = columns.look_up(forms["base"], entries["wordnet_pos"], "")
    is_in_s = forms["form"].isin(["plural", "third person"])
    is_usual = is_ordinary & (is_in_texts | (is_in_s & parts.str.fullmatch(".*v.*|")) | (parts == "v"))
    least = forms["form"].map(LEAST).fillna(0.0).where(is_usual & ~columns.is_in(word, unsafe_words["word"]), 0.0)
    return forms.assign(
        outcome=columns.look_up(word, outcomes, np.nan),
        base_outcome=columns.look_up(forms["base"], outcomes, np.nan),
        has_sense=known["wordnet_senses"] > 0,
        least=least,
        is_in_texts=is_in_texts,
    )


Limits = pd.DataFrame
"""What a sentence says: columns row (of the word in the table of estimates), p, says (the reason). Words without a p
are left out. A sentence gets the `_pairs`, the rows of the word and of its base (row, base_row; -1 without an
estimate), and the p that these have so far (p, base_p; NaN without an estimate)."""


def form_of_refused(pairs: pd.DataFrame) -> Limits:
    """A form whose bases were all refused is unlikely, unless it has a sense of its own."""
    all_refused = (pairs["base_outcome"] == REFUSED).groupby(pairs["row"]).transform("all")
    chosen = pairs[all_refused & ~pairs["has_sense"]]
    limit = chosen["p"].clip(upper=UNLIKELY)
    return _limits(chosen["row"], limit, "- its base " + chosen["base"] + " was refused")


def form_of_accepted(pairs: pd.DataFrame) -> Limits:
    """A form of an accepted base that ordinary dictionaries have is at least as likely as such forms were."""
    chosen = pairs[(pairs["base_outcome"] == ACCEPTED) & (pairs["least"] > 0)]
    limit = chosen["p"].clip(lower=chosen["least"])
    return _limits(chosen["row"], limit, "+ its base " + chosen["base"] + " was accepted")


def base_of_accepted(pairs: pd.DataFrame) -> Limits:
    """The base of an accepted form is as likely as its form, unless the form has a sense of its own."""
    chosen = pairs[(pairs["outcome"] == ACCEPTED) & ~pairs["has_sense"]]
    limit = chosen["base_p"].clip(lower=P_OF_ACCEPTED)
    return _limits(chosen["base_row"], limit, "+ its form " + chosen["word"] + " was accepted")


def form_of_likely(pairs: pd.DataFrame) -> Limits:
    """An untried form of a likely, untried base is as likely as its base, up to the least that it had if that was
    accepted."""
    is_likely = pairs["base_p"] >= LIKELY
    chosen = pairs[pairs["outcome"].isna() & pairs["base_outcome"].isna() & is_likely & (pairs["least"] > 0)]
    limit = chosen["p"].clip(lower=chosen["base_p"].clip(upper=chosen["least"]))
    return _limits(chosen["row"], limit, "+ its base " + chosen["base"] + " is likely to be accepted")


def form_of_untried(pairs: pd.DataFrame) -> Limits:
    """An untried form of untried bases is at most as likely as the likeliest of them, unless it has a sense of its own.
    A base without a p may be too long for a puzzle, and says nothing."""
    says_something = pairs["base_outcome"].isna() & pairs["base_p"].notna()
    chosen = pairs[says_something.groupby(pairs["row"]).transform("all") & ~pairs["has_sense"]]
    likeliest = chosen.sort_values("base_p", kind="stable").drop_duplicates("row", keep="last")
    limit = likeliest["p"].clip(upper=likeliest["base_p"])
    likely = "+ its base " + likeliest["base"] + " is likely to be accepted"
    unlikely = "- its base " + likeliest["base"] + " is unlikely to be accepted"
    return _limits(likeliest["row"], limit, likely.where(likeliest["base_p"] >= LIKELY, unlikely))


def degrees(pairs: pd.DataFrame) -> Limits:
    """Comparative and superlative of one base have the mean of their p; if one was tried, the other follows it."""
    comparative, superlative = (pairs[pairs["form"] == form] for form in ("comparative", "superlative"))
    both = comparative.merge(superlative, on="base", suffixes=("", "_other"))
    swapped = superlative.merge(comparative, on="base", suffixes=("", "_other"))
    both = pd.concat([both, swapped], ignore_index=True)
    own, outcome = both["p"], both["outcome_other"]
    limit = ((own + both["p_other"]) / 2).mask(outcome == ACCEPTED, own.clip(lower=LIKELY))
    limit = limit.mask(outcome == REFUSED, own.clip(upper=UNLIKELY))
    verb = np.select(
        [outcome == ACCEPTED, outcome == REFUSED, limit >= LIKELY],
        ["was accepted", "was refused", "is likely"],
        "is unlikely",
    )
    sign = np.where((outcome == ACCEPTED) | (outcome.isna() & (limit >= LIKELY)), "+ ", "- ")
    return _limits(both["row"], limit, sign + both["word_other"] + " " + verb)


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
    more = chosen["form"].map({"comparative": "more ", "superlative": "most "})
    return _limits(chosen["row"], limit, "- people say " + more + chosen["base"] + " instead")


def _limits(rows: pd.Series, p: pd.Series, says: pd.Series) -> Limits:
    """Return what a sentence says. If it says several things about a word, the first one counts."""
    found = pd.DataFrame({"row": rows, "p": p.round(2), "says": says}).dropna(subset=["p"])
    return found.drop_duplicates("row")


SENTENCES = (
    form_of_refused,
    form_of_accepted,
    base_of_accepted,
    form_of_likely,
    form_of_untried,
    unsaid,
    degrees,
)
"""All sentences, in order."""
