"""Families: which words are forms of which base, and how untried forms and bases change each other's p.

An editor who accepts a form of a word also accepts the word, so an untried base and its untried forms share their
estimates.
"""

from __future__ import annotations

import re
from collections.abc import Collection

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.facts.forms import all_bases
from pipeline.opinions import phrases
from pipeline.opinions.basis import MAX_REASONS
from pipeline.tables import columns, frames
from pipeline.words import GAME, KINDS_BY_P, LIKELY

EVERYDAY_SIZE, EVERYDAY_ZIPF = 50, 2.0
"""A form is an everyday word if it has at most this SCOWL size and at least this Zipf frequency. Up to 2026-07-24,
puzzles accepted 1,345 of 1,354 such forms of accepted words, and all 416 such forms whose base was likely but not tried
before the form."""
LEAST, CLOSE = 0.25, 0.4
"""A form in -s whose p is at least `LEAST` is likely if its base is likely and their p differ by less than `CLOSE`. Of
46 such forms of accepted words, 38 were accepted up to 2026-07-24. The limits are a choice, because hardly any form was
tried together with its base."""
_OF_Y = ("ies", "ied", "ier", "iest")
"""The endings of forms of words in -y or -ie. The lists sometimes name a wrong base for them, such as *campi* for
*campier*."""


def word_forms(lexicon: pd.DataFrame) -> pd.DataFrame:
    """Return the table `word_forms`: the words that are certainly forms of a base, one row per form.

    Columns: form, base, pure (the form has no sense of its own in WordNet), verbal (it ends in -ed or -ing), plural (it
    ends in -s), everyday, not_commoner_than_base. Two kinds of words are left out: forms whose base may be a word that
    is too short for the lists (*nixed* is a form of *nix*, not of *nixe*), and words in -er that may be the name of a
    person or a thing (*potcher*).
    """
    inflected = lexicon[lexicon["lemma"] != ""].reset_index(drop=True)
    form, base = inflected["word"], inflected["lemma"]
    may_be_of_short_word = _may_be_of_short_word(form)
    is_of_another_base = form.str.endswith(_OF_Y) & ~base.str.endswith(("y", "ie"))
    known = lexicon.set_index("word")
    part_of_speech = columns.look_up(base, known["wordnet_pos"], "")
    may_name_an_agent = form.str.endswith(("er", "est")) & ~part_of_speech.str.contains("[ar]")
    pairs = pd.DataFrame(
        {
            "form": form,
            "base": base,
            "pure": inflected["wordnet_senses"] == 0,
            "verbal": form.str.endswith(("ed", "ing")),
            "plural": form.str.endswith("s"),
            "everyday": (inflected["scowl_size"] <= EVERYDAY_SIZE) & (inflected["zipf"] >= EVERYDAY_ZIPF),
            "not_commoner_than_base": inflected["zipf"] <= columns.look_up(base, known["zipf"], 0.0),
        }
    )
    is_certain = ~(may_be_of_short_word | is_of_another_base | may_name_an_agent)
    return frames.check(pairs[is_certain], "word_forms")


def _may_be_of_short_word(forms: pd.Series) -> columns.Flags:
    """Return which words may be forms of a base that is too short for the lists: *banned* may be one of *ban*, but
    *baned* may not."""
    bases = all_bases(columns.as_text(forms))
    is_short = np.flatnonzero(pc.less(pc.utf8_length(bases.text), GAME.min_length))
    short_bases = bases.text.take(pa.array(is_short)).to_pylist()
    rows = bases.rows[is_short]
    found = np.zeros(len(forms), np.bool_)
    for row, base, form in zip(rows.tolist(), short_bases, forms.array.take(rows).tolist(), strict=True):
        if _spells_form(base, form):
            found[row] = True
    return found


def _spells_form(base: str, form: str) -> bool:
    """Return whether a form of a base of three letters can have this spelling."""
    if form == f"{base}es":
        return base.endswith(("s", "x", "z", "o"))
    if base.endswith("e") or form == f"{base}s":
        return True
    doubles_last_letter = bool(re.fullmatch("[^aeiou]*[aeiou][^aeiouwxy]", base))
    return form.startswith(base + base[-1]) == doubles_last_letter


def with_families(words: pd.Series, word_forms: pd.DataFrame) -> pd.Series:
    """Return words with their bases and all forms of these, which can change their p (`bind`)."""
    form, base = word_forms["form"], word_forms["base"]
    bases = pd.concat([words, base[columns.is_in(form, words)]])
    return columns.sorted_words([bases, form[columns.is_in(base, bases)]])


def bind(estimates: pd.DataFrame, word_forms: pd.DataFrame, judged: Collection[str] = ()) -> pd.DataFrame:
    """Return the estimates after untried bases and forms have shared their p, with the columns of the table
    `estimates`.

    The p of the `judged` words, on which people decided, does not change other words.

    1. A base gets the mean of its own p and that of its most likely plural or verb form, if this is higher. For
       half-years from 2019 to 2026-07-24, this lowers the log loss of such bases from 0.602 to 0.542 for forms in -ed,
       and from 0.432 to 0.426 for plurals. If the base got the p of the form, the loss would be 0.592 and 0.490.
    2. A form in -s is likely if its base is likely and their p do not differ much (`CLOSE`).
    3. A form without a sense of its own cannot have a higher p than its base. Of 1,082 such forms of refused bases, 4
       were accepted.
    4. An everyday form of a likely base is likely.
    """
    pairs = _untried_pairs(estimates, word_forms, judged)
    form, base = pairs["form_row"].to_numpy(), pairs["base_row"].to_numpy()
    pure, plural, everyday = (pairs[name].to_numpy() for name in ("pure", "plural", "everyday"))
    shared = _SharedEstimates(estimates)
    p = shared.p

    may_lift_base = (plural & pure) | pairs["verbal"].to_numpy()
    likeliest = pd.DataFrame({"form": form, "base": base, "p": p[form]})[may_lift_base]
    likeliest = likeliest.sort_values(["p", "form"]).drop_duplicates("base", keep="last")
    lifted_base, likeliest_form = likeliest["base"].to_numpy(), likeliest["form"].to_numpy()
    mean = ((p[lifted_base] + p[likeliest_form]) / 2).round(2)
    rises = mean > p[lifted_base]
    shared.change(lifted_base[rises], mean[rises], phrases.FORM_LIKELIER, likeliest_form[rises])

    is_close = (p[form] >= LEAST) & (p[form] < LIKELY) & (p[base] >= LIKELY) & (p[base] - p[form] < CLOSE)
    close = plural & pure & is_close
    shared.change(form[close], LIKELY, phrases.BASE_LIKELIER, base[close])

    above_base = pure & (p[form] > p[base])
    shared.change(form[above_base], p[base[above_base]], phrases.BASE_LESS_LIKELY, base[above_base])

    left_out = everyday & (p[base] >= LIKELY) & (p[form] < LIKELY)
    shared.change(form[left_out], LIKELY, phrases.EVERYDAY_FORM_OF_LIKELY, base[left_out])
    return shared.table()


def _untried_pairs(estimates: pd.DataFrame, word_forms: pd.DataFrame, judged: Collection[str]) -> pd.DataFrame:
    """Return the pairs of an untried base, which is not itself a form, and an untried form. The columns form_row and
    base_row are their rows in the estimates."""
    is_judged = columns.is_in(word_forms["form"], judged) | columns.is_in(word_forms["base"], judged)
    base_is_form = columns.is_in(word_forms["base"], word_forms["form"])
    form_row = columns.positions(word_forms["form"], estimates["word"])
    base_row = columns.positions(word_forms["base"], estimates["word"])
    is_untried = columns.is_in(estimates["kind"], KINDS_BY_P)
    both_untried = (form_row >= 0) & (base_row >= 0) & is_untried[form_row] & is_untried[base_row]
    chosen = both_untried & ~is_judged & ~base_is_form
    return word_forms[chosen].assign(form_row=form_row[chosen], base_row=base_row[chosen])


class _SharedEstimates:
    """Estimates that can be changed. The basis of a changed row begins with the reason for the change."""

    def __init__(self, estimates: pd.DataFrame) -> None:
        self.estimates = estimates
        self.p = estimates["p"].to_numpy(dtype=np.float64, copy=True)
        self.changed_basis: dict[int, str] = {}

    def change(self, rows: np.ndarray, p: np.ndarray | float, phrase: str, relatives: np.ndarray) -> None:
        """Change the p of some rows because of the words in other rows; the phrase names these words."""
        self.p[rows] = p
        own_basis = self.estimates["basis"].array.take(rows).tolist()
        words = self.estimates["word"].array.take(relatives).tolist()
        for row, basis, word in zip(rows.tolist(), own_basis, words, strict=True):
            other_reasons = self.changed_basis.get(row, basis).split(", ")[: MAX_REASONS - 1]
            self.changed_basis[row] = ", ".join([phrase.format(word=word), *other_reasons])

    def table(self) -> pd.DataFrame:
        """Return the changed estimates."""
        basis = self.estimates["basis"].copy()
        basis.iloc[list(self.changed_basis)] = list(self.changed_basis.values())
        return self.estimates.assign(p=self.p.round(2), basis=basis)


def undecided(word: str, word_forms: pd.DataFrame, decisions: pd.DataFrame) -> list[str]:
    """Return the base and the forms of a word that are decided by estimates only. A verdict on the word also decides
    these."""
    base = next(iter(word_forms["base"][word_forms["form"] == word]), word)
    forms = word_forms[word_forms["base"] == base]
    members = {base, *forms["form"][forms["pure"] | forms["verbal"]]} - {word}
    return sorted(members & {*decisions["word"][decisions["by"] == "estimate"]})
