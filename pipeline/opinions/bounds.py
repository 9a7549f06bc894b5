"""Bounds: limits of p that follow from what puzzles and people decided on other forms or spellings of a word.

SCOWL marks variant and British spellings. Each is paired with the usual American spelling from which it differs. The
forms of one word with the same difference are a family, like *analyse* and *analysed*: the outcomes of some of them
count for the others. If every tried spelling of a kind was refused (-our for -or), that counts for all spellings of the
kind.

A form of a refused word is not listed (*turds*). The base of an accepted form is listed, and so is an everyday form of
an accepted word (*chides*).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from pipeline.facts.lexicon import NO_SIZE
from pipeline.opinions import phrases
from pipeline.tables import columns, frames
from pipeline.words import KINDS_BY_P, LIKELY, TIER_OF_VERDICT, UNUSUAL

USUAL = 60
"""The SCOWL size up to which a word is in ordinary dictionaries. Links to rarer words are mostly accidental."""
SPELLING_PAIRS = (
    ("ise", "ize"), ("isi", "izi"), ("yse", "yze"), ("ysi", "yzi"), ("our", "or"), ("re", "er"), ("ae", "e"),
    ("oe", "e"), ("ogue", "og"), ("ence", "ense"), ("ll", "l"), ("ss", "s"), ("tt", "t"), ("pp", "p"), ("gg", "g"),
    ("ie", "y"), ("ey", "y"), ("oes", "os"), ("ck", "c"), ("k", "c"), ("y", "i"), ("z", "s"),
)  # fmt: skip
"""The differences between two spellings of a word, in either direction, most significant pair first."""
BEGINNING_PAIRS = (("en", "in"), ("em", "im"), ("ph", "f"))
"""The differences at the beginning of a word."""
ENOUGH = 3
"""If at least this many variants of a kind were tried and all were refused, untried variants of the kind are
limited."""
FORMS_REFUSED, FORMS_ACCEPTED = 1038, 2
"""The numbers of forms of refused words that are not more common than these words: those whose last trial refused them,
and those whose last trial accepted them, up to 2026-07-24."""
BASES_ACCEPTED, BASES_REFUSED = 1363, 6
"""The numbers of bases of accepted forms whose last trial accepted them, and whose last trial refused them, up to
2026-07-24."""


@dataclass(frozen=True, slots=True)
class Bound:
    """An upper or a lower limit of p, the reason in words, and the kind of the reason in a decision."""

    p: float
    is_upper: bool
    because: str
    kind: str = "estimate"

    def changes(self, p: float) -> bool:
        """Return whether p is beyond the bound."""
        return p > self.p if self.is_upper else p < self.p


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Which words were accepted at their last trial or kept by a person (True), and which were refused or dropped
    (False). `judged` are the words on which people decided."""

    accepted: Mapping[str, bool]
    judged: frozenset[str] = frozenset()

    def of(self, words: pd.Series) -> pd.DataFrame:
        """Return, for each word, whether it is known to be accepted and whether it is known to be refused."""
        table = pd.Series(self.accepted, dtype=object)
        found = columns.look_up(words, table, None).to_numpy()
        return pd.DataFrame({"accepted": found == True, "refused": found == False})  # noqa: E712 - None is neither


def forms(word_forms: pd.DataFrame, outcomes: Outcomes) -> dict[str, Bound]:
    """Return the bounds of forms of refused words, of bases of accepted forms, and of everyday forms of accepted words.

    A form that has a sense of its own, or is more common than its base, may be accepted although its base is refused.
    The probabilities follow Laplace's rule, as in `of_spellings`.
    """
    of_form, of_base = outcomes.of(word_forms["form"]), outcomes.of(word_forms["base"])
    speaks_for_base = (word_forms["pure"] | word_forms["verbal"]).to_numpy() & of_form["accepted"].to_numpy()
    follows_refusal = (word_forms["pure"] & word_forms["not_commoner_than_base"]).to_numpy() & of_base[
        "refused"
    ].to_numpy()
    follows_acceptance = word_forms["everyday"].to_numpy() & of_base["accepted"].to_numpy()
    least = (BASES_ACCEPTED + 1) / (BASES_ACCEPTED + BASES_REFUSED + 2)
    most = (FORMS_ACCEPTED + 1) / (FORMS_ACCEPTED + FORMS_REFUSED + 2)
    found: dict[str, Bound] = {}
    form_words, base_words = word_forms["form"].tolist(), word_forms["base"].tolist()
    for row in np.flatnonzero(speaks_for_base | follows_refusal | follows_acceptance).tolist():
        form, base = form_words[row], base_words[row]
        if speaks_for_base[row]:
            outcome = "kept" if form in outcomes.judged else "accepted"
            because = phrases.FORM_ACCEPTED.format(form=form, outcome=outcome)
            found[base] = Bound(least, is_upper=False, because=because)
        if follows_refusal[row]:
            outcome = "dropped" if base in outcomes.judged else "refused"
            because = phrases.BASE_REFUSED.format(base=base, outcome=outcome)
            found[form] = Bound(most, is_upper=True, because=because)
        elif follows_acceptance[row]:
            outcome = "kept" if base in outcomes.judged else "accepted"
            because = phrases.EVERYDAY_FORM.format(base=base, outcome=outcome)
            found.setdefault(form, Bound(LIKELY, is_upper=False, because=because))
    return found


def variants(lexicon: pd.DataFrame) -> pd.DataFrame:
    """Return the spellings that SCOWL calls variant or British, each with a usual one: columns variant, usual,
    differs."""
    other_size = lexicon[["scowl_variant", "scowl_british"]].min(axis=1)
    is_usual = lexicon["scowl_size"] <= USUAL
    usual_words = set(lexicon["word"][is_usual].tolist())
    rows = []
    for word in lexicon["word"][(other_size < NO_SIZE) & ~is_usual]:
        if spelling := _usual_spelling(word, usual_words):
            rows.append((word, *spelling))
    return pd.DataFrame(rows, columns=["variant", "usual", "differs"], dtype="str")


def spelling_families(pairs: pd.DataFrame, roots: Mapping[str, str]) -> pd.DataFrame:
    """Return the table `spellings` from the pairs of `variants`. `roots` has the word of which a usual spelling is a
    form, as in `relatives.roots`."""
    root = [roots.get(word, word) for word in pairs["usual"]]
    return frames.check(pairs[["variant", "differs"]].assign(root=pd.Series(root, dtype="str")), "spellings")


def limits(
    record: pd.DataFrame, verdicts: pd.DataFrame, word_forms: pd.DataFrame, spellings: pd.DataFrame
) -> dict[str, Bound]:
    """Return the bounds that follow from verdicts on other forms and spellings of a word or else from their last
    trials. Words on which people decided have no bounds.

    `record` is the table `record`.
    """
    accepted_last = record["last_accepted"] > record["last_refused"]
    accepted = dict(zip(record["word"].tolist(), accepted_last.tolist(), strict=True))
    is_kept = verdicts["verdict"].map(TIER_OF_VERDICT) == "core"
    accepted |= dict(zip(verdicts["word"], is_kept, strict=True))
    outcomes = Outcomes(accepted, frozenset(verdicts["word"]))
    bounds = forms(word_forms, outcomes) | of_spellings(spellings, accepted)
    return {word: bound for word, bound in bounds.items() if word not in outcomes.judged}


def limited(estimates: pd.DataFrame, limits: Mapping[str, Bound]) -> pd.DataFrame:
    """Return the estimates with p limited and rounded to two decimals, with the columns of the table `estimates`."""
    is_by_p = columns.is_in(estimates["kind"], KINDS_BY_P)
    bounded_rows = np.flatnonzero(is_by_p & columns.is_in(estimates["word"], limits))
    bounded = estimates.iloc[bounded_rows]
    rows: list[int] = []
    bounds: list[Bound] = []
    for row, word, own_p in zip(bounded_rows.tolist(), bounded["word"], bounded["p"], strict=True):
        if limits[word].changes(own_p):
            rows.append(row)
            bounds.append(limits[word])
    p, kind, basis = estimates["p"].copy(), estimates["kind"].copy(), estimates["basis"].copy()
    p.iloc[rows] = [bound.p for bound in bounds]
    kind.iloc[rows] = [bound.kind for bound in bounds]
    basis.iloc[rows] = [bound.because for bound in bounds]
    return estimates.assign(p=p.round(2), kind=kind, basis=basis)


def of_spellings(spellings: pd.DataFrame, accepted: Mapping[str, bool]) -> dict[str, Bound]:
    """Return the bounds of untried variants in the table `spellings` by their family, or else by their kind of
    spelling.

    `accepted` has the outcomes of tried words. By Laplace's rule, after n equal outcomes the next one is equal with the
    probability (n + 1) / (n + 2).
    """
    is_tried = np.array([variant in accepted for variant in spellings["variant"]], dtype=np.bool_)
    tried = spellings[is_tried]
    tried = tried.assign(accepted=[accepted[word] for word in tried["variant"]])
    by_kind, by_family = _counts(tried, ["differs"]), _counts(tried, ["root", "differs"])
    found = {}
    for row in frames.rows(spellings[~is_tried]):
        family = by_family.get((row["root"], row["differs"]), _Counts(0, 0))
        kind = by_kind.get((row["differs"],), _Counts(0, 0))
        if family.refused and not family.accepted:
            most = 1 / (family.refused + 2)
            found[row["variant"]] = Bound(most, is_upper=True, because=phrases.SPELLING_REFUSED)
        elif family.accepted and not family.refused:
            least = max(UNUSUAL, (family.accepted + 1) / (family.accepted + 2))
            found[row["variant"]] = Bound(least, is_upper=False, because=phrases.SPELLING_ACCEPTED)
        elif not (family.accepted or family.refused or kind.accepted) and kind.refused >= ENOUGH:
            most = 1 / (kind.refused + 2)
            because = "- spellings of its kind, all refused"
            found[row["variant"]] = Bound(most, is_upper=True, because=because, kind="spelling")
    return found


@dataclass(frozen=True, slots=True)
class _Counts:
    """The numbers of accepted and of refused words."""

    accepted: int
    refused: int


def _counts(tried: pd.DataFrame, by: list[str]) -> dict[tuple[str, ...], _Counts]:
    """Return the numbers of accepted and refused words of each group of spellings."""
    counts = {}
    for key, outcomes in tried.groupby(by)["accepted"]:
        accepted = int(outcomes.sum())
        counts[tuple(map(str, key))] = _Counts(accepted, len(outcomes) - accepted)
    return counts


def _usual_spelling(word: str, usual: set[str]) -> tuple[str, str] | None:
    """Return a usual word from which a variant differs in one way, with the difference; None if there is no such
    word."""
    for pair in BEGINNING_PAIRS:
        for ours, theirs in (pair, pair[::-1]):
            other = theirs + word[len(ours) :]
            if word.startswith(ours) and other in usual:
                return other, f"{ours}-, {theirs}-"
    for pair in SPELLING_PAIRS:
        for ours, theirs in (pair, pair[::-1]):
            place = word.find(ours, 1)
            while place >= 0:
                other = word[:place] + theirs + word[place + len(ours) :]
                if other in usual:
                    return other, f"-{ours}, -{theirs}"
                place = word.find(ours, place + 1)
    return None
