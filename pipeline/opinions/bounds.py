"""Bounds: limits of p by what puzzles and people said about other forms or spellings of a word.

SCOWL marks variant and British spellings. Each is paired with the usual American spelling from which it differs. The
forms of one word with the same difference are a family, like *analyse* and *analysed*: what was said about some of them
counts for the others. If every tried spelling of a kind was refused (-our for -or), that counts for the kind.

A form of a refused word is not listed (*turds*), the base of an accepted form is, and so is an everyday form of an
accepted word (*chides*).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

import pandas as pd

from pipeline.facts.lexicon import NO_SIZE
from pipeline.opinions import families as related
from pipeline.opinions import phrases
from pipeline.tables import columns, frames
from pipeline.words import BY_P, LIKELY, TIER_OF, UNUSUAL

USUAL = 60
"""The SCOWL size up to which a word is in ordinary dictionaries; links to rarer words are mostly accidental."""
SPELLINGS = (
    ("ise", "ize"), ("isi", "izi"), ("yse", "yze"), ("ysi", "yzi"), ("our", "or"), ("re", "er"), ("ae", "e"),
    ("oe", "e"), ("ogue", "og"), ("ence", "ense"), ("ll", "l"), ("ss", "s"), ("tt", "t"), ("pp", "p"), ("gg", "g"),
    ("ie", "y"), ("ey", "y"), ("oes", "os"), ("ck", "c"), ("k", "c"), ("y", "i"), ("z", "s"),
)  # fmt: skip
"""The differences between two spellings of a word, in either direction, most significant pair first."""
STARTS = (("en", "in"), ("em", "im"), ("ph", "f"))
"""The same at the beginning of a word."""
ENOUGH = 3
"""If at least this many variants of a kind were tried and all were refused, untried ones of the kind are limited."""
FORMS_REFUSED, FORMS_ACCEPTED = 1038, 2
"""The numbers of forms of refused words, no commoner than these, that puzzles refused and accepted last, up to
2026-07-24."""
BASES_ACCEPTED, BASES_REFUSED = 1363, 6
"""The numbers of bases of accepted forms that puzzles accepted and refused last, up to 2026-07-24."""


class Bound(NamedTuple):
    """The most (or else the least) that p can be, the reason in words, and the kind of the reason in a decision."""

    p: float
    most: bool
    because: str
    kind: str = "estimate"


def forms(lexicon: pd.DataFrame, outcomes: Mapping[str, bool], judged: Collection[str] = ()) -> dict[str, Bound]:
    """Return the bounds of forms of refused words, of bases of accepted forms and of everyday forms of accepted words.

    A form with a sense of its own, or commoner than its base, may be accepted without it. People decided on `judged`
    words. The probabilities follow Laplace's rule, as in `spellings`.
    """
    pairs = related.forms(lexicon)
    zipf = lexicon.set_index("word")["zipf"]
    rarer = columns.look_up(pairs["form"], zipf, 0.0) <= columns.look_up(pairs["base"], zipf, 0.0)
    follows = pairs["pure"] & rarer
    least = (BASES_ACCEPTED + 1) / (BASES_ACCEPTED + BASES_REFUSED + 2)
    most = (FORMS_ACCEPTED + 1) / (FORMS_ACCEPTED + FORMS_REFUSED + 2)
    found: dict[str, Bound] = {}
    cells = (pairs["form"], pairs["base"], pairs["pure"] | pairs["verbal"], follows, pairs["everyday"])
    for form, base, speaks, follows_, everyday in zip(*(cell.tolist() for cell in cells), strict=True):
        if speaks and outcomes.get(form):
            because = phrases.FORM_ACCEPTED.format(form=form, outcome="kept" if form in judged else "accepted")
            found[base] = Bound(least, most=False, because=because)
        if follows_ and outcomes.get(base) is False:
            because = phrases.BASE_REFUSED.format(base=base, outcome="dropped" if base in judged else "refused")
            found[form] = Bound(most, most=True, because=because)
        elif everyday and outcomes.get(base):
            because = phrases.EVERYDAY_FORM.format(base=base, outcome="kept" if base in judged else "accepted")
            found.setdefault(form, Bound(LIKELY, most=False, because=because))
    return found


def variants(lexicon: pd.DataFrame) -> pd.DataFrame:
    """Pair spellings that SCOWL calls variant or British with a usual one: columns variant, usual, differs."""
    elsewhere = lexicon[["scowl_variant", "scowl_british"]].min(axis=1)
    marked = lexicon["word"][(elsewhere < NO_SIZE) & (lexicon["scowl_size"] > USUAL)]
    usual = set(lexicon["word"][lexicon["scowl_size"] <= USUAL].tolist())
    rows = [(word, *found) for word in marked.tolist() if (found := _usual_spelling(word, usual))]
    return pd.DataFrame(rows, columns=["variant", "usual", "differs"], dtype="str")


def families(lexicon: pd.DataFrame, roots: Mapping[str, str]) -> pd.DataFrame:
    """Make the table `spellings`; `roots` names the word of which a usual spelling is a form, as `relatives.roots`."""
    pairs = variants(lexicon)
    root = [roots.get(word, word) for word in pairs["usual"].tolist()]
    return frames.check(pairs[["variant", "differs"]].assign(root=pd.Series(root, dtype="str")), "spellings")


def limits(record: pd.DataFrame, verdicts: pd.DataFrame, lemmas: pd.DataFrame, pairs: pd.DataFrame) -> dict[str, Bound]:
    """Return the bounds of words by what people, or else their last trials, said about other forms and spellings.

    `record` is the table `evidence`, `pairs` the table `spellings`.
    """
    last = zip(record["word"].tolist(), (record["last_accepted"] > record["last_rejected"]).tolist(), strict=True)
    kept = zip(verdicts["word"].tolist(), (verdicts["verdict"].map(TIER_OF) == "core").tolist(), strict=True)
    outcomes = dict(last) | dict(kept)
    return forms(lemmas, outcomes, set(verdicts["word"].tolist())) | spellings(pairs, outcomes)


def limited(estimates: pd.DataFrame, limits: Mapping[str, Bound]) -> pd.DataFrame:
    """Limit the p of words without a trial, and round it to two decimals; columns as in the table `estimates`."""
    at = {word: row for row, word in enumerate(estimates["word"].tolist()) if word in limits}
    p, kinds, because = (estimates[name].to_numpy(copy=True) for name in ("p", "kind", "basis"))
    for word, row in at.items():
        bound = limits[word]
        if kinds[row] in BY_P and ((p[row] > bound.p) if bound.most else (p[row] < bound.p)):
            p[row], kinds[row], because[row] = bound.p, bound.kind, bound.because
    return estimates.assign(p=p.round(2), kind=kinds, basis=because)


def spellings(pairs: pd.DataFrame, outcomes: Mapping[str, bool]) -> dict[str, Bound]:
    """Return the bounds of untried variants in the table `spellings` by their family, else by their kind of spelling.

    After n outcomes of one side the next is of that side with probability (n + 1) / (n + 2): Laplace's rule.
    """
    frame = pairs.assign(yes=pd.Series([outcomes.get(word) for word in pairs["variant"].tolist()], pairs.index))
    known = frame.dropna(subset="yes")
    kinds, families = _counts(known, ["differs"]), _counts(known, ["root", "differs"])
    found = {}
    for row in frame[frame["yes"].isna()].to_dict("records"):
        accepted, refused = families.get((row["root"], row["differs"]), (0, 0))
        if refused and not accepted:
            found[row["variant"]] = Bound(1 / (refused + 2), most=True, because=phrases.SPELLING_REFUSED)
        elif accepted and not refused:
            least = max(UNUSUAL, (accepted + 1) / (accepted + 2))
            found[row["variant"]] = Bound(least, most=False, because=phrases.SPELLING_ACCEPTED)
        elif not (accepted or refused):
            accepted, refused = kinds.get((row["differs"],), (0, 0))
            if refused >= ENOUGH and not accepted:
                because = "- spellings of its kind, all refused"
                found[row["variant"]] = Bound(1 / (refused + 2), most=True, because=because, kind="spelling")
    return found


def _counts(known: pd.DataFrame, by: list[str]) -> dict[tuple[str, ...], tuple[int, int]]:
    """Count the accepted and refused words of each group."""
    groups = known.assign(yes=known["yes"].astype(bool)).groupby(by)["yes"].agg(["sum", "size"])
    keys = [key if isinstance(key, tuple) else (key,) for key in groups.index]
    counts = zip(keys, groups["sum"].tolist(), groups["size"].tolist(), strict=True)
    return {key: (yes, every - yes) for key, yes, every in counts}


def _usual_spelling(word: str, usual: set[str]) -> tuple[str, str] | None:
    for at_start, both in ((True, STARTS), (False, SPELLINGS)):
        for pair in both:
            for here, there in (pair, pair[::-1]):
                at = 0 if at_start and word.startswith(here) else -1 if at_start else word.find(here, 1)
                while at >= 0:
                    if (other := word[:at] + there + word[at + len(here) :]) in usual:
                        return other, f"{here}-, {there}-" if at_start else f"-{here}, -{there}"
                    at = -1 if at_start else word.find(here, at + 1)
    return None
