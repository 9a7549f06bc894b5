"""Decide: puts each word in a tier by its verdict, else its record, else its estimate, and gives the reason.

Tiers: `core` (last trial accepted, or kept by a person), `likely` (never tried, p at or above `LIKELY`), `review`
(never tried and doubtful, or accepted by a single source), `refused`. The word list is core and likely.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from pipeline.solver import UNTRIED
from pipeline.tables import columns, frames
from pipeline.words import DOUBTFUL, LIKELY, TIER_OF, UNLISTED

TORN = 0.4
"""If a word and its inflected form are on opposite sides, both untried, and their p differ by less than this, both are
listed. Of 13 such pairs in the backtest, both words were accepted in 8, one in 3, and neither in 2."""
NEVER = {
    "slur": "never accepted, and a slur, which is not listed unseen",
    "vulgar": "never accepted, and a strong vulgarity, which is not listed unseen",
}
"""The reason why a word of each grade of `UNLISTED` is not listed."""


def decide(
    candidates: pd.DataFrame,
    evidence: pd.DataFrame,
    estimates: pd.DataFrame,
    flags: pd.DataFrame,
    verdicts: pd.DataFrame,
    lemmas: pd.DataFrame,
) -> pd.DataFrame:
    """Give every candidate, and every word with a verdict, its tier: columns word, tier, by, because.

    `lemmas` (columns word, lemma) tells which word is a form of which; torn pairs are listed together (`listed_with`).
    Only the flags of `UNLISTED` affect decisions, and only for words that were never tried: the list does not offer a
    slur or a strong vulgarity that the editor never accepted.
    """
    rude = flags[columns.among(flags["flag"], UNLISTED)]
    never = dict(zip(rude["word"].tolist(), rude["flag"].tolist(), strict=True))
    known = candidates["word"][candidates["known"]]
    told = evidence.assign(known=columns.among(evidence["word"], known))
    names = ("word", "offered", "accepted", "last_accepted", "last_rejected", "vouched", "known")
    tried = [(word, *_by_evidence(never.get(word) == "slur", *row)) for word, *row in _rows(told, *names)]
    said = [
        (word, TIER_OF.get(verdict, "refused"), "verdict", by_verdict(verdict, by, on, reason))
        for word, verdict, by, on, reason in _rows(verdicts, "word", "verdict", "by", "on", "reason")
    ]
    layers = [_by_estimate(estimates[~columns.among(estimates["word"], evidence["word"])], never, lemmas)]
    layers += [pd.DataFrame(each, columns=layers[0].columns, dtype="str") for each in (tried, said)]
    for at in (0, 1):
        layers[at] = layers[at][~columns.among(layers[at]["word"], verdicts["word"])]
    return frames.check(pd.concat(layers), "decisions")


def by_verdict(verdict: str, by: str, on: str, reason: str) -> str:
    """Say why a word with a verdict is in its tier."""
    return f"{verdict}, says {by} on {on}: {reason}"


def listed_with(chance: Mapping[str, float], lemmas: Mapping[str, str]) -> dict[str, str]:
    """Return the words that are listed because of their base or form, each with the most likely such relative.

    One word of the pair is likely, the other is not, and their p differ by less than `TORN`.

    >>> listed_with({"pita": 0.8, "pitas": 0.45, "tofu": 0.9, "tofus": 0.5 - 0.1}, {"pitas": "pita", "tofus": "tofu"})
    {'pitas': 'pita'}
    """
    found: dict[str, str] = {}
    for form, base in lemmas.items():
        if form in chance and base in chance:
            low, high = sorted((form, base), key=lambda word: chance[word])
            if chance[low] < LIKELY <= chance[high] and round(chance[high] - chance[low], 9) < TORN:
                found[low] = max((high, *([found[low]] if low in found else [])), key=lambda word: (chance[word], word))
    return found


def _rows(frame: pd.DataFrame, *names: str) -> Iterator[tuple[Any, ...]]:
    return zip(*(frame[name].tolist() for name in names), strict=True)


def _by_evidence(
    slur: bool, offered: int, accepted: int, last_accepted: str, last_rejected: str, vouched: int, known: bool
) -> tuple[str, str, str]:
    """Decide by the last trial, unless a single source reported a slur or a word that is in no list."""
    record = f"accepted {accepted} of {offered} times"
    if last_accepted > last_rejected:
        if vouched == 1 and (slur or not known):
            why = "it is a slur" if slur else "no list knows it"
            told = f"{record}, by one source, last on {last_accepted}, and {why}: waits for a second witness"
            return "review", "evidence", told
        return "core", "evidence", f"{record}, last on {last_accepted}"
    return "refused", "evidence", f"{record}, refused at its last trial on {last_rejected}"


def _by_estimate(estimates: pd.DataFrame, never: Mapping[str, str], lemmas: pd.DataFrame) -> pd.DataFrame:
    """Decide words without a trial by their estimate, except words that are `never` listed and torn pairs."""
    if estimates.empty:
        return frames.empty("decisions")
    p, p_of = pd.factorize(estimates["p"])
    basis, basis_of = pd.factorize(estimates["basis"])
    unique, which = np.unique(p * len(basis_of) + basis, return_inverse=True)
    chances, reasons = p_of.tolist(), basis_of.tolist()
    coded = (divmod(each, len(reasons)) for each in unique.tolist())
    said = [f"{UNTRIED}{chances[p]:.2f}: {reasons[basis]}" for p, basis in coded]
    estimates = estimates[["word", "p"]]
    frame = pd.DataFrame({"word": estimates["word"].array, "tier": _tiers(estimates["p"]), "by": "estimate"})
    frame["because"] = pd.Series(said, dtype="str").array.take(which)
    at = frame["word"].isin(list(never))
    frame.loc[at, "tier"] = "refused"
    frame.loc[at, "because"] = [NEVER[never[word]] for word in frame["word"][at].tolist()]
    chance = estimates.set_index("word")["p"][~at.to_numpy()]
    near, bases = _torn(chance, lemmas)
    pairs = listed_with(near, bases)
    at = frame["word"].isin(list(pairs))
    frame.loc[at, "tier"] = "likely"
    frame.loc[at, "because"] = [
        f"never tried, listed with {pairs[word]}: its own p is {near[word]:.2f}, that of {pairs[word]} "
        f"{near[pairs[word]]:.2f}"
        for word in frame["word"][at].tolist()
    ]
    return frame


def _tiers(p: pd.Series) -> npt.NDArray[np.str_]:
    return np.select([p >= LIKELY, p >= DOUBTFUL], ["likely", "review"], "refused")


def _torn(chance: pd.Series, lemmas: pd.DataFrame) -> tuple[dict[str, float], dict[str, str]]:
    """Return the p, and the bases, of all words that are likely while a base or form of theirs is not."""
    forms = lemmas[["word", "lemma"]][lemmas["lemma"] != ""]
    pairs = columns.look_up(pd.concat([forms["word"], forms["lemma"]]), chance, np.nan).to_numpy()
    form, base = pairs[: len(forms)], pairs[len(forms) :]
    torn = forms[(np.minimum(form, base) < LIKELY) & (np.maximum(form, base) >= LIKELY)]
    words = {*torn["word"].tolist(), *torn["lemma"].tolist()}
    near = chance[columns.among(chance.index, words)]
    return dict(zip(near.index.tolist(), near.tolist(), strict=True)), dict(_rows(torn, "word", "lemma"))
