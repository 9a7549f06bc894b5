"""Decide: puts each word in one of `words.TIERS` by its verdict, else its record, else its estimate, and gives the
reason as data: its kind, one of `words.REASONS`, and the details that its sentence is made from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from pipeline.facts.lexicon import NO_SIZE
from pipeline.opinions.catalog import above_all_a_name
from pipeline.opinions.phrases import UNUSUAL_WORD
from pipeline.tables import columns, frames
from pipeline.words import DOUBTFUL, LIKELY, TIER_OF, UNLISTED, UNUSUAL, because

TORN = 0.4
"""If a word and its form are on opposite sides, both untried, and their p differ by less than this, both are listed.
Of 13 such pairs in the backtest, both words were accepted in 8, one in 3, and neither in 2."""
LEAST = 0.25
"""The p from which a word can be listed with its base or form: a choice, as few such pairs were tried."""
RARE = 2
"""The level of SCOWL's variants from which a spelling is unusual: 1 is as usual as another, 2 seldom, 3 hardly used."""
_COLUMNS = ("word", "tier", "by", "kind", "details")


def decide(
    candidates: pd.DataFrame,
    evidence: pd.DataFrame,
    estimates: pd.DataFrame,
    flags: pd.DataFrame,
    verdicts: pd.DataFrame,
    lemmas: pd.DataFrame,
) -> pd.DataFrame:
    """Give every candidate, and every word with a verdict, its tier: columns word, tier, by, because, kind, details.

    Only the flags of `UNLISTED` affect decisions: the list does not offer a word of them that was never accepted.
    """
    judged = verdicts["word"]
    untried = estimates[~columns.among(estimates["word"], evidence["word"])]
    layers = [_by_estimate(untried, _never_listed(flags), lemmas), by_record(candidates, evidence, flags)]
    layers = [layer[~columns.among(layer["word"], judged)] for layer in layers]
    given = _rows(verdicts, "word", "verdict", "by", "on", "reason")
    by_verdict = [
        (word, TIER_OF.get(verdict, "refused"), "verdict", "verdict", verdict_details(verdict, by, on, reason))
        for word, verdict, by, on, reason in given
    ]
    decided = pd.concat([*layers, pd.DataFrame(by_verdict, columns=list(_COLUMNS), dtype="str")], ignore_index=True)
    return frames.check(decided.assign(because=_sentences(decided)), "decisions")


def by_record(candidates: pd.DataFrame, evidence: pd.DataFrame, flags: pd.DataFrame) -> pd.DataFrame:
    """Decide every tried word by its record alone: columns word, tier, by, kind, details."""
    never = _never_listed(flags)
    known = candidates["word"][candidates["known"]]
    record = evidence.assign(known=columns.among(evidence["word"], known))
    names = ("word", "offered", "accepted", "last_accepted", "last_rejected", "vouched", "known")
    tried = [(word, *_by_evidence(never.get(word) == "slur", *row)) for word, *row in _rows(record, *names)]
    return pd.DataFrame(tried, columns=list(_COLUMNS), dtype="str")


def told(estimates: pd.DataFrame, decisions: pd.DataFrame) -> pd.DataFrame:
    """Return the estimates as decisions name them, limited by other forms and spellings, which verdicts may change."""
    named = decisions[columns.among(decisions["kind"], ("estimate", "spelling"))]
    p, basis = (named["details"].str.split("|", n=1).str[at].set_axis(named["word"]).dropna() for at in (0, 1))
    word = estimates["word"]
    told_p, told_basis = columns.look_up(word, p.astype(float), np.nan), columns.look_up(word, basis.astype("str"), "")
    limited = columns.among(word, basis.index)
    return estimates.assign(p=told_p.fillna(estimates["p"]), basis=told_basis.where(limited, estimates["basis"]))


def verdict_details(verdict: str, by: str, on: str, reason: str) -> str:
    """Return the details of a reason of kind `verdict`."""
    return "|".join((verdict, by.replace("|", "/"), on, reason))


def _never_listed(flags: pd.DataFrame) -> dict[str, str]:
    """Return the words of the grades `UNLISTED`, each with its grade."""
    rude = flags[columns.among(flags["flag"], UNLISTED)]
    return dict(zip(rude["word"].tolist(), rude["flag"].tolist(), strict=True))


def _sentences(decided: pd.DataFrame) -> pd.Series:
    """Write the sentence of each reason; equal reasons, as most estimates have, are written once."""
    both, which = columns.different(columns.text(decided["kind"] + "\n" + decided["details"]))
    written = [because(*reason.split("\n", 1)) for reason in both.to_pylist()]
    return pd.Series(written, dtype="str").take(which).set_axis(decided.index)


def listed_with(chance: Mapping[str, float], lemmas: Mapping[str, str]) -> dict[str, str]:
    """Return the words that are listed because of their base or form, each with the most likely such relative.

    One word of the pair is likely, the other is not but has at least `LEAST`, and they differ by less than `TORN`.

    >>> listed_with({"pita": 0.8, "pitas": 0.45, "tofu": 0.9, "tofus": 0.5 - 0.1}, {"pitas": "pita", "tofus": "tofu"})
    {'pitas': 'pita'}
    """
    found: dict[str, str] = {}
    for form, base in lemmas.items():
        if form in chance and base in chance:
            low, high = sorted((form, base), key=lambda word: chance[word])
            if LEAST <= chance[low] < LIKELY <= chance[high] and round(chance[high] - chance[low], 9) < TORN:
                found[low] = max((high, *([found[low]] if low in found else [])), key=lambda word: (chance[word], word))
    return found


def _rows(frame: pd.DataFrame, *names: str) -> Iterator[tuple[Any, ...]]:
    return zip(*(frame[name].tolist() for name in names), strict=True)


def _by_evidence(
    slur: bool, offered: int, accepted: int, last_accepted: str, last_rejected: str, vouched: int, known: bool
) -> tuple[str, str, str, str]:
    """Decide by the last trial, unless a single source reported a slur or a word that is in no list."""
    if last_accepted <= last_rejected:
        return "refused", "evidence", "refused", f"{accepted}|{offered}|{last_rejected}"
    details = f"{accepted}|{offered}|{last_accepted}"
    if vouched == 1 and (slur or not known):
        return "review", "evidence", "slur-unwitnessed" if slur else "unlisted-unwitnessed", details
    return "core", "evidence", "accepted", details


def _by_estimate(estimates: pd.DataFrame, never: Mapping[str, str], lemmas: pd.DataFrame) -> pd.DataFrame:
    """Decide words without a trial by their estimate, except words that are `never` listed and torn pairs."""
    p = estimates["p"].map("{:.2f}".format).astype("str")
    unusual = _unusual(estimates["word"], lemmas) & (estimates["kind"] == "estimate").to_numpy()
    short = unusual & estimates["p"].between(LIKELY, UNUSUAL, inclusive="left").to_numpy()
    needs = f"{UNUSUAL_WORD}, " + estimates["basis"]
    details = (p + "|" + estimates["basis"].where(~short, needs)).where(estimates["kind"] == "estimate", p)
    frame = pd.DataFrame({"word": estimates["word"], "tier": _tiers(estimates["p"], unusual), "by": "estimate"})
    frame = frame.assign(kind=estimates["kind"], details=details).reset_index(drop=True)
    rude = columns.among(frame["word"], never)
    frame.loc[rude, "tier"] = "refused"
    frame.loc[rude, "kind"] = [never[word] for word in frame["word"][rude].tolist()]
    frame.loc[rude, "details"] = ""
    near, bases = _torn(estimates.set_index("word")["p"][~(rude | unusual)], lemmas)
    pairs = listed_with(near, bases)
    torn = columns.among(frame["word"], pairs)
    named = [(pairs[word], near[word], near[pairs[word]]) for word in frame["word"][torn].tolist()]
    frame.loc[torn, ["tier", "kind"]] = ["likely", "relative"]
    frame.loc[torn, "details"] = [f"{other}|{own:.2f}|{its:.2f}" for other, own, its in named]
    return frame.astype("str")


def _tiers(p: pd.Series, unusual: npt.NDArray[np.bool_]) -> npt.NDArray[np.str_]:
    return np.select([p >= np.where(unusual, UNUSUAL, LIKELY), p >= DOUBTFUL], ["likely", "review"], "refused")


def _unusual(words: pd.Series, lemmas: pd.DataFrame) -> npt.NDArray[np.bool_]:
    """Return which words are British spellings, variants that are seldom used, or names with little other sense."""
    british = lemmas["scowl_british"] < lemmas["scowl_size"]
    variant = (lemmas["scowl_size"] == NO_SIZE) & (lemmas["scowl_variant_level"] >= RARE)
    name = above_all_a_name(lemmas) & (lemmas["lemma"] == "")
    return columns.among(words, lemmas["word"][british | variant | name])


def _torn(chance: pd.Series, lemmas: pd.DataFrame) -> tuple[dict[str, float], dict[str, str]]:
    """Return the p, and the bases, of all words that are likely while a base or form of theirs is not."""
    forms = lemmas[["word", "lemma"]][lemmas["lemma"] != ""]
    pairs = columns.look_up(pd.concat([forms["word"], forms["lemma"]]), chance, np.nan).to_numpy()
    form, base = pairs[: len(forms)], pairs[len(forms) :]
    torn = forms[(np.minimum(form, base) < LIKELY) & (np.maximum(form, base) >= LIKELY)]
    words = {*torn["word"].tolist(), *torn["lemma"].tolist()}
    near = chance[columns.among(chance.index, words)]
    return dict(zip(near.index.tolist(), near.tolist(), strict=True)), dict(_rows(torn, "word", "lemma"))
