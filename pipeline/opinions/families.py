"""Families: which words are forms of which base, and what the p of an untried form says about that of its base.

An editor who accepts a form of a word accepts the word, so an untried base and its untried forms share their estimates.
"""

from __future__ import annotations

import re
from collections.abc import Collection

import numpy as np
import pandas as pd

from pipeline.facts.endings import bases
from pipeline.opinions import phrases
from pipeline.opinions.basis import MAX_REASONS
from pipeline.tables import columns
from pipeline.words import BY_P, GAME, LIKELY

EVERYDAY_SIZE, EVERYDAY_ZIPF = 50, 2.0
"""A form is an everyday word up to this SCOWL size, and from this Zipf frequency on. Of such forms of accepted words,
1,345 of 1,354 were accepted, and all 416 whose base was never tried before either, but likely, up to 2026-07-24."""
LEAST, TORN = 0.25, 0.4
"""A form in -s with at least this p is likely if its base is, and if they differ by less than `TORN`: of 46 forms in -s
of accepted words, 38 were accepted up to 2026-07-24. The limits are a choice, as hardly any pair was tried together."""
_OF_Y = ("ies", "ied", "ier", "iest")
"""Endings of forms of words in -y or -ie; the lists sometimes name another base, as *campi* for *campier*."""


def forms(lexicon: pd.DataFrame) -> pd.DataFrame:
    """Pair words with the base of which they are certainly forms, one row per form.

    Columns: form, base, pure (the form has no sense of its own in WordNet), verbal (it ends in -ed or -ing), plural (it
    ends in -s), everyday. Left out are forms whose base may be a word that is too short for the lists (*nixed* is of
    *nix*, not of *nixe*), and words in -er that may name a person or a thing (*potcher*).
    """
    found = lexicon[lexicon["lemma"] != ""].reset_index(drop=True)
    word, base = found["word"], found["lemma"]
    may_be_of_a_short_word = [any(_spelled(form, each) for each in bases(form)) for form in word.tolist()]
    of_another_base = word.str.endswith(_OF_Y) & ~base.str.endswith(("y", "ie"))
    part_of_speech = columns.look_up(base, lexicon.set_index("word")["wordnet_pos"], "")
    names_an_agent = word.str.endswith(("er", "est")) & ~part_of_speech.str.contains("[ar]")
    uncertain = np.array(may_be_of_a_short_word, dtype=bool) | of_another_base | names_an_agent
    pairs = pd.DataFrame(
        {
            "form": word,
            "base": base,
            "pure": found["wordnet_senses"] == 0,
            "verbal": word.str.endswith(("ed", "ing")),
            "plural": word.str.endswith("s"),
            "everyday": (found["scowl_size"] <= EVERYDAY_SIZE) & (found["zipf"] >= EVERYDAY_ZIPF),
        }
    )
    return pairs[~uncertain].reset_index(drop=True)


def _spelled(form: str, base: str) -> bool:
    """Return whether a base is too short for the lists, and the form may be its: *banned* of *ban*, but not *baned*."""
    if len(base) >= GAME.shortest:
        return False
    if form == f"{base}es":
        return base.endswith(("s", "x", "z", "o"))
    doubles = bool(re.fullmatch("[^aeiou]*[aeiou][^aeiouwxy]", base))
    return base.endswith("e") or form == f"{base}s" or form.startswith(base + base[-1]) == doubles


def bind(estimates: pd.DataFrame, pairs: pd.DataFrame, judged: Collection[str] = ()) -> pd.DataFrame:
    """Let untried bases and forms share their p; columns as in the table `estimates`.

    `pairs` are those of `forms`; people decided on the `judged` words, so their p says nothing about others.

    1. A base gets the mean of its p and that of its likeliest plural or verb form, if that is higher. Over half-years
       from 2019 to 2026-07-24, that lowers the log loss of such bases from 0.602 to 0.542 for forms in -ed, and from
       0.432 to 0.426 for plurals; with the p of the form it would be 0.592 and 0.490.
    2. A form in -s is likely if its base is, and if their p do not differ much (`TORN`).
    3. A form without a sense of its own gets no more p than its base. Of 1,082 such forms of refused bases, 4 were
       accepted.
    4. An everyday form of a likely base is likely.
    """
    apart = columns.among(pairs["form"], judged) | columns.among(pairs["base"], judged)
    pairs = pairs[~(apart | columns.among(pairs["base"], pairs["form"]))].reset_index(drop=True)
    row = pd.Series(np.arange(len(estimates)), index=estimates["word"])
    places = pd.DataFrame({name: columns.look_up(pairs[name], row, -1).astype(int) for name in ("form", "base")})
    by_p = columns.among(estimates["kind"], BY_P)
    both = (places["form"] >= 0) & (places["base"] >= 0)
    both &= by_p[places["form"]] & by_p[places["base"]]
    pairs, form, base = pairs[both], places["form"][both].to_numpy(), places["base"][both].to_numpy()
    words, p = estimates["word"].to_numpy(), estimates["p"].to_numpy(dtype=np.float64, copy=True)
    basis = estimates["basis"].to_numpy(dtype=object, copy=True)

    def change(rows: np.ndarray, to: np.ndarray, phrase: str, others: np.ndarray) -> None:
        p[rows] = to
        for row, other in zip(rows.tolist(), words[others].tolist(), strict=True):
            others_reasons = basis[row].split(", ")[: MAX_REASONS - 1]
            basis[row] = ", ".join([phrase.format(word=other), *others_reasons])

    speaks = ((pairs["plural"] & pairs["pure"]) | pairs["verbal"]).to_numpy(dtype=bool)
    best = pd.DataFrame({"form": form, "base": base, "p": p[form]})[speaks]
    best = best.sort_values(["p", "form"]).drop_duplicates("base", keep="last")
    lifted, by = best["base"].to_numpy(), best["form"].to_numpy()
    mean = ((p[lifted] + p[by]) / 2).round(2)
    rises = mean > p[lifted]
    change(lifted[rises], mean[rises], phrases.FORM_LIKELIER, by[rises])
    plural = (pairs["plural"] & pairs["pure"]).to_numpy(dtype=bool)
    torn = plural & (p[base] >= LIKELY) & (p[form] < LIKELY) & (p[form] >= LEAST) & (p[base] - p[form] < TORN)
    change(form[torn], np.full(torn.sum(), LIKELY), phrases.BASE_LIKELIER, base[torn])
    above = pairs["pure"].to_numpy(dtype=bool) & (p[form] > p[base])
    change(form[above], p[base[above]], phrases.BASE_LESS_LIKELY, base[above])
    left_out = pairs["everyday"].to_numpy(dtype=bool) & (p[base] >= LIKELY) & (p[form] < LIKELY)
    change(form[left_out], np.full(left_out.sum(), LIKELY), phrases.EVERYDAY_FORM_OF_LIKELY, base[left_out])
    return estimates.assign(p=p.round(2), basis=pd.Series(basis, estimates.index, dtype="str"))


def undecided(word: str, lemmas: pd.DataFrame, decisions: pd.DataFrame) -> list[str]:
    """Return the base and the forms of a word that only estimates decide: those that a verdict on it decides, too."""
    own = lemmas["lemma"][lemmas["word"] == word]
    near = forms(lemmas[(lemmas["word"] == word) | columns.among(lemmas["word"], own)])
    base = next(iter(near["base"][near["form"] == word]), word)
    pairs = forms(lemmas[(lemmas["lemma"] == base) | (lemmas["word"] == base)])
    members = {base, *pairs["form"][pairs["pure"] | pairs["verbal"]]} - {word}
    return sorted(members & {*decisions["word"][decisions["by"] == "estimate"]})
