"""Decide: puts each word in one of `words.TIERS` by its verdict, else its record, else its estimate, and gives the
reason as data: its kind, one of `words.REASONS`, and the details that its sentence is made from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from pipeline.opinions import comparatives, spellings
from pipeline.opinions.phrases import UNUSED_COMPARATIVE, UNUSUAL_WORD
from pipeline.tables import columns, frames
from pipeline.words import DOUBTFUL, LIKELY, NEVER_LISTED, TIER_OF, UNUSUAL, because

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

    Only the flags of `NEVER_LISTED` affect decisions: the list does not offer a word of them that was never accepted.
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
    """Return the words of the grades `NEVER_LISTED`, each with its grade."""
    never_listed = flags[columns.among(flags["flag"], NEVER_LISTED)]
    return dict(zip(never_listed["word"].tolist(), never_listed["flag"].tolist(), strict=True))


def _sentences(decided: pd.DataFrame) -> pd.Series:
    """Write the sentence of each reason; equal reasons, as most estimates have, are written once."""
    both, which = columns.different(columns.text(decided["kind"] + "\n" + decided["details"]))
    written = [because(*reason.split("\n", 1)) for reason in both.to_pylist()]
    return pd.Series(written, dtype="str").take(which).set_axis(decided.index)


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
    """Decide words without a trial by their estimate, except words that are `never` listed, and comparatives that
    nobody says, which wait for a person."""
    p = estimates["p"].map("{:.2f}".format).astype("str")
    by_p = (estimates["kind"] == "estimate").to_numpy()
    held = estimates["word"][estimates["p"] < UNUSUAL]
    unusual = columns.among(estimates["word"], lemmas["word"][spellings.unusual(lemmas, held)]) & by_p
    unsaid = columns.among(estimates["word"], lemmas["word"][comparatives.unused_comparatives(lemmas)]) & by_p
    unsaid &= (estimates["p"] >= LIKELY).to_numpy()
    short = unusual & estimates["p"].between(LIKELY, UNUSUAL, inclusive="left").to_numpy()
    basis = estimates["basis"].mask(short, f"{UNUSUAL_WORD}, " + estimates["basis"])
    basis = basis.mask(unsaid, f"{UNUSED_COMPARATIVE}, " + estimates["basis"])
    tiers = np.where(unsaid, "review", _tiers(estimates["p"], unusual))
    frame = pd.DataFrame({"word": estimates["word"], "tier": tiers, "by": "estimate"})
    frame = frame.assign(kind=estimates["kind"], details=(p + "|" + basis).where(by_p, p)).reset_index(drop=True)
    never_listed = columns.among(frame["word"], never)
    frame.loc[never_listed, "tier"] = "refused"
    frame.loc[never_listed, "kind"] = [never[word] for word in frame["word"][never_listed].tolist()]
    frame.loc[never_listed, "details"] = ""
    return frame.astype("str")


def _tiers(p: pd.Series, unusual: npt.NDArray[np.bool_]) -> npt.NDArray[np.str_]:
    return np.select([p >= np.where(unusual, UNUSUAL, LIKELY), p >= DOUBTFUL], ["likely", "review"], "refused")
