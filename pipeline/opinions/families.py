"""Families: a word with its forms and its spellings, and how they change each other's p.

An editor who accepts a form of a word also accepts the word, and one who refuses a British spelling also refuses its
forms. So what is known about some members of a family changes the p of the untried ones, and these share their own p
(`share`).

The tables `word_forms`, `spellings` and `unusual_words` follow from the word lists alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.facts.forms import all_bases
from pipeline.facts.lexicon import NO_SIZE
from pipeline.opinions.catalog import above_all_a_name
from pipeline.tables import columns, frames
from pipeline.words import GAME, KINDS_BY_P, LIKELY, TIER_OF_VERDICT, UNUSUAL

# ---------------------------------------------------------------- forms and bases

EVERYDAY_SIZE, EVERYDAY_ZIPF = 50, 2.0
"""A form is an everyday word if it has at most this SCOWL size and at least this Zipf frequency."""
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
    is_maybe_of_short_word = may_be_of_short_word(form)
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
    is_certain = ~(is_maybe_of_short_word | is_of_another_base | may_name_an_agent)
    return frames.check(pairs[is_certain], "word_forms")


def undecided(word: str, word_forms: pd.DataFrame, decisions: pd.DataFrame) -> list[str]:
    """Return the base and the forms of a word that are decided by estimates only. A verdict on the word also decides
    these."""
    base = next(iter(word_forms["base"][word_forms["form"] == word]), word)
    forms = word_forms[word_forms["base"] == base]
    members = {base, *forms["form"][forms["pure"] | forms["verbal"]]} - {word}
    return sorted(members & {*decisions["word"][decisions["by"] == "estimate"]})


def may_be_of_short_word(forms: pd.Series) -> columns.Flags:
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


# ---------------------------------------------------------------- spellings

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


def spellings(lexicon: pd.DataFrame, roots: Mapping[str, str]) -> pd.DataFrame:
    """Return the table `spellings`: the words that SCOWL calls variant or British, each with the usual American
    spelling from which it differs in one way.

    `roots` has the word of which a usual spelling is a form, as in `relatives.roots`. Variants with the same root and
    the same difference are spellings of one family, like *analyse* and *analysed*.
    """
    other_size = lexicon[["scowl_variant", "scowl_british"]].min(axis=1)
    is_usual = lexicon["scowl_size"] <= USUAL
    usual_words = set(lexicon["word"][is_usual].tolist())
    rows = []
    for word in lexicon["word"][(other_size < NO_SIZE) & ~is_usual]:
        if found := _usual_spelling(word, usual_words):
            usual, differs = found
            rows.append({"variant": word, "usual": usual, "root": roots.get(usual, usual), "differs": differs})
    return frames.from_rows(rows, "spellings")


def _usual_spelling(word: str, usual: set[str]) -> tuple[str, str] | None:
    """Return a usual word from which a variant differs in one way, with the difference; None if there is no such
    word."""
    for pair in BEGINNING_PAIRS:
        for ours, theirs in (pair, pair[::-1]):
            other = theirs + word[len(ours) :]
            if word.startswith(ours) and other in usual:
                return other, f"{ours} for {theirs}"
    for pair in SPELLING_PAIRS:
        for ours, theirs in (pair, pair[::-1]):
            place = word.find(ours, 1)
            while place >= 0:
                other = word[:place] + theirs + word[place + len(ours) :]
                if other in usual:
                    return other, f"{ours} for {theirs}"
                place = word.find(ours, place + 1)
    return None


# ---------------------------------------------------------------- words that need a higher p

MIN_VARIANT_LEVEL = 2
"""The level of SCOWL's variants from which a spelling can be unusual. A variant of level 1 is as usual as another
spelling, one of level 3 is hardly used, and level 2 can mean either. So the frequencies of the spellings decide."""
_ENDINGS_OF_PLURALS = ("s", "i", "ae", "a", "men", "im", "eaux")
_ADJECTIVES_WITH_ENDINGS = ("y", "ie", "ow")
"""The endings of longer adjectives that take -er and -est: *happier*, *eerier*, *narrower*."""
_SYLLABLE = "[aeiouy]+"


def unusual_words(lexicon: pd.DataFrame, spellings: pd.DataFrame) -> pd.DataFrame:
    """Return the table `unusual_words`: the words that need a p above `LIKELY` to be listed, because people rarely use
    them. `spellings` is the table of that name.

    The kind is `unusual` for a British spelling, a variant that is less common than another spelling, or a word that is
    mostly a name; `form` for a form of the unusual word `base` that has no sense of its own; or `unsaid` for a
    comparative or superlative of `base` that the lists have but nobody says (*silentest*, *cheerfuller*).
    """
    unusual = _is_unusual(lexicon, spellings)
    has_unusual_base = columns.is_in(lexicon["lemma"], lexicon["word"][unusual])
    is_form = has_unusual_base & (lexicon["wordnet_senses"] == 0) & ~unusual
    parts = [
        lexicon[["word"]][unusual].assign(kind="unusual", base=""),
        lexicon[["word", "lemma"]][is_form].rename(columns={"lemma": "base"}).assign(kind="form"),
        lexicon[["word", "lemma"]][_is_unsaid(lexicon)].rename(columns={"lemma": "base"}).assign(kind="unsaid"),
    ]
    return frames.check(pd.concat(parts, ignore_index=True), "unusual_words")


def _is_unusual(lexicon: pd.DataFrame, spellings: pd.DataFrame) -> pd.Series:
    """Return which words are British, less common than another spelling, or mostly a name."""
    is_british = lexicon["scowl_british"] < lexicon["scowl_size"]
    is_name = above_all_a_name(lexicon) & (lexicon["lemma"] == "")
    return is_british | is_name | _is_less_common(lexicon, spellings)


def _is_less_common(lexicon: pd.DataFrame, spellings: pd.DataFrame) -> pd.Series:
    """Return which variants are less common than another spelling, or than another form of the same kind."""
    is_variant = (lexicon["scowl_size"] == NO_SIZE) & (lexicon["scowl_variant_level"] >= MIN_VARIANT_LEVEL)
    zipf_of = lexicon.set_index("word")["zipf"]
    usual_spelling_of = spellings.set_index("variant")["usual"]
    usual_spelling = columns.look_up(lexicon["word"], usual_spelling_of, "")
    zipf_of_usual = columns.look_up(usual_spelling, zipf_of, 0.0)
    kind = np.select(
        [lexicon["word"].str.endswith("ing"), lexicon["word"].str.endswith(_ENDINGS_OF_PLURALS)],
        ["participle", "plural"],
        "past",
    )
    of_same_kind = lexicon["zipf"].groupby([lexicon["lemma"], kind])
    most_of_same_kind = of_same_kind.transform("max").where(lexicon["lemma"] != "", 0.0)
    return is_variant & (np.maximum(zipf_of_usual, most_of_same_kind) > lexicon["zipf"])


def _is_unsaid(lexicon: pd.DataFrame) -> pd.Series:
    """Return which words are comparatives or superlatives that never occur in texts and whose base has more than one
    syllable and takes *more* and *most*.

    Un- does not count as a syllable, because *unkinder* is formed like *kinder*.
    """
    base = lexicon["lemma"]
    compares = lexicon["word"].str.endswith(("er", "est")) & (base != "")
    candidates = lexicon[compares & (lexicon["wordnet_senses"] == 0) & (lexicon["zipf"] == 0)]
    base = candidates["lemma"]
    spoken = base.str.replace("^un", "", regex=True).str.replace("e$", "", regex=True)
    is_long = spoken.str.count(_SYLLABLE) > 1
    part_of_speech = columns.look_up(base, lexicon.set_index("word")["wordnet_pos"], "")
    takes_more = part_of_speech.str.contains("a") & ~base.str.endswith(_ADJECTIVES_WITH_ENDINGS)
    return (is_long & takes_more).reindex(lexicon.index, fill_value=False)


# ---------------------------------------------------------------- how families share p

ENOUGH = 3
"""If at least this many spellings of a kind (-our for -or) were tried and all were refused, untried spellings of the
kind are limited."""
LEAST, CLOSE = 0.25, 0.4
"""A form in -s whose p is at least `LEAST` is likely if its base is likely and their p differ by less than `CLOSE`."""
FORMS_REFUSED, FORMS_ACCEPTED = 1038, 2
"""The numbers of forms of refused words that are not more common than these words: those whose last trial refused them,
and those whose last trial accepted them, up to 2026-07-24."""
BASES_ACCEPTED, BASES_REFUSED = 1363, 6
"""The numbers of bases of accepted forms whose last trial accepted them, and whose last trial refused them, up to
2026-07-24."""
AT_LEAST, AT_MOST = 1, -1
TOLD_FROM = 0.2
"""An outcome that moves p by at least this much is the reason for it; the value is a choice."""
OUTCOMES = {AT_LEAST: ("accepted", "kept"), AT_MOST: ("refused", "dropped")}
"""What puzzles did with a word, and what people did."""


def laplace(accepted: Any, refused: Any) -> Any:
    """Return the probability that the next outcome is an acceptance after these numbers of outcomes, by Laplace's rule
    of succession."""
    return (accepted + 1) / (accepted + refused + 2)


@dataclass(frozen=True, slots=True)
class Rule:
    """How some members of a family change the p of an untried one.

    `giver` and `taker` are columns of a table of pairs, and `when` chooses the pairs for which the rule holds. Then the
    p of the taker is `AT_LEAST` or `AT_MOST` (`direction`) its `limit`, and its reason is of this `kind`, if
    there is one, and `says` the rule if the rule makes the taker likely or unlikely. An outcome is also told if it
    moves p by `TOLD_FROM`.
    """

    giver: str
    taker: str
    when: Callable[[pd.DataFrame], pd.Series]
    direction: int
    limit: Callable[[pd.DataFrame], Any]
    says: str
    kind: str = ""


FROM_OUTCOMES = (
    # the outcomes of this spelling in other forms of the word (analyse, analysed), by Laplace's rule
    Rule(
        "differs", "variant", lambda of: (of.refused > 0) & (of.accepted == 0),
        AT_MOST, lambda of: laplace(0, of.refused),
        "- related words spelled with {giver} were refused or dropped", "estimate",
    ),
    Rule(
        "differs", "variant", lambda of: (of.accepted > 0) & (of.refused == 0),
        AT_LEAST, lambda of: laplace(of.accepted, 0).clip(lower=UNUSUAL),
        "+ related words spelled with {giver} were accepted or kept", "estimate",
    ),
    # the outcomes of all spellings of this kind (-our for -or), by Laplace's rule
    Rule(
        "differs", "variant", lambda of: (of.kind_accepted == 0) & (of.kind_refused >= ENOUGH),
        AT_MOST, lambda of: laplace(0, of.kind_refused), "- every tried spelling with {giver} was refused or dropped",
        kind="spelling",
    ),
    # the counts above
    Rule(
        "form", "base", lambda of: of.form_accepted & (of.pure | of.verbal),
        AT_LEAST, lambda _: laplace(BASES_ACCEPTED, BASES_REFUSED), "+ its form {giver} was {outcome}", "estimate",
    ),
    # the counts above; a form with a sense of its own, or more common than its base, may be accepted alone
    Rule(
        "base", "form", lambda of: of.base_refused & of.pure & of.not_commoner_than_base,
        AT_MOST, lambda _: laplace(FORMS_ACCEPTED, FORMS_REFUSED), "- its base {giver} was {outcome}", "estimate",
    ),
    # puzzles up to 2026-07-24 accepted 1,345 of 1,354 everyday forms of accepted words
    Rule(
        "base", "form", lambda of: of.base_accepted & of.everyday,
        AT_LEAST, lambda _: LIKELY, "+ its base {giver} was {outcome}", "estimate",
    ),
)  # fmt: skip
"""What trials and people decided on some members of a family limits the p of an untried one. The first rule that holds
for a word counts, and what is nearest comes first: its own spelling, before its form or base."""
AMONG_UNTRIED = (
    # half-years from 2019 to 2026-07-24: the log loss of such bases falls from 0.602 to 0.542 for forms in -ed, and
    # from 0.432 to 0.426 for plurals; with the p of the form alone, it would be 0.592 and 0.490
    Rule(
        "form", "base", lambda of: of.verbal | (of.plural & of.pure),
        AT_LEAST, lambda of: ((of.form_p + of.base_p) / 2).round(2), "+ its form {giver} is likely to be accepted",
    ),
    # a choice: of 46 such forms of accepted words, 38 were accepted, but hardly any was tried together with its base
    Rule(
        "base", "form",
        lambda of: of.plural & of.pure & (of.form_p >= LEAST) & (of.base_p >= LIKELY) & (of.base_p - of.form_p < CLOSE),
        AT_LEAST, lambda _: LIKELY, "+ its base {giver} is likely to be accepted",
    ),
    # of 1,082 forms of refused bases, 4 were accepted
    Rule(
        "base", "form", lambda of: of.pure,
        AT_MOST, lambda of: of.base_p, "- its base {giver} is unlikely to be accepted",
    ),
    # all 416 everyday forms whose base was likely, but not tried before the form, were accepted
    Rule(
        "base", "form", lambda of: of.everyday & (of.base_p >= LIKELY),
        AT_LEAST, lambda _: LIKELY, "+ its base {giver} is likely to be accepted",
    ),
)  # fmt: skip
"""Then untried bases and forms share their own p, by all rules in this order: a base gets the mean of its p and that of
its likeliest form; only then are forms compared with it. No form is likelier than its base, and an everyday form of a
likely base is likely after all."""


def share(
    estimates: pd.DataFrame,
    record: pd.DataFrame,
    verdicts: pd.DataFrame,
    word_forms: pd.DataFrame,
    spellings: pd.DataFrame,
) -> pd.DataFrame:
    """Return the estimates with p shared by families, rounded to two decimals: the columns of the table `estimates`.

    A word on which people decided has the outcome of their verdict, any other tried word that of its last trial, and
    the rules change only words without an outcome. `record`, `word_forms` and `spellings` are the tables of these
    names.
    """
    if estimates.empty:
        return estimates
    outcomes = _outcomes(record, verdicts)
    judged = frozenset(verdicts["word"])
    words, p = estimates["word"], estimates["p"].to_numpy(dtype=np.float64, copy=True)
    kind, because = estimates["kind"].copy(), estimates["because"].copy()
    told: dict[int, str] = {}
    new_kind: dict[int, str] = {}
    is_untried = columns.is_in(estimates["kind"], KINDS_BY_P) & ~columns.is_in(words, outcomes.index)
    forms = _pairs_of_forms(word_forms, words, is_untried, outcomes)
    variants = _pairs_of_spellings(spellings, words, is_untried, outcomes)

    def apply(rule: Rule, pairs: pd.DataFrame) -> None:
        for row, giver, limit in _changes(rule, pairs, p):
            is_large = rule.kind == "spelling" or abs(limit - p[row]) >= TOLD_FROM
            if (limit >= LIKELY) != (p[row] >= LIKELY) or (rule.kind and is_large):
                told[row] = rule.says.format(giver=giver, outcome=OUTCOMES[rule.direction][giver in judged])
            p[row] = limit
            if rule.kind:
                new_kind[row] = rule.kind

    has_rule = np.zeros(len(estimates), np.bool_)
    for rule in FROM_OUTCOMES:
        pairs = variants if rule.taker == "variant" else forms
        pairs = pairs[rule.when(pairs) & pairs[f"{rule.taker}_untried"]]
        pairs = pairs[~has_rule[pairs[f"{rule.taker}_row"]]]
        apply(rule, pairs)
        has_rule[pairs[f"{rule.taker}_row"]] = True

    base_is_form = columns.is_in(forms["base"], forms["form"])
    both_untried = forms[forms["form_untried"] & forms["base_untried"] & ~base_is_form]
    for rule in AMONG_UNTRIED:
        pairs = both_untried.assign(form_p=p[both_untried["form_row"]], base_p=p[both_untried["base_row"]])
        pairs = pairs.sort_values("form_p", kind="stable")
        apply(rule, pairs[rule.when(pairs)])
    kind.iloc[list(new_kind)] = list(new_kind.values())
    because.iloc[list(told)] = list(told.values())
    return estimates.assign(p=p, kind=kind, because=because)


def _changes(rule: Rule, pairs: pd.DataFrame, p: np.ndarray) -> list[tuple[int, str, float]]:
    """Return the row, the giver and the limit of each taker whose p is beyond its limit. If a taker has several givers,
    the strongest one counts, and of equally strong ones the last."""
    limits = pd.DataFrame({"row": pairs[f"{rule.taker}_row"], "giver": pairs[rule.giver], "limit": rule.limit(pairs)})
    passed = limits[rule.direction * (limits["limit"] - p[limits["row"]]) > 0]
    strongest_last = passed.sort_values("limit", ascending=rule.direction == AT_LEAST, kind="stable")
    strongest = strongest_last.drop_duplicates("row", keep="last")
    return list(strongest.round({"limit": 2}).itertuples(index=False, name=None))


def _outcomes(record: pd.DataFrame, verdicts: pd.DataFrame) -> pd.Series:
    """Return the outcome of each word with a trial or a verdict, indexed by word: 1 if it was accepted or kept, else
    0."""
    last_trial = pd.Series(record["last_accepted"] > record["last_refused"]).set_axis(record["word"])
    verdict = pd.Series(verdicts["verdict"].map(TIER_OF_VERDICT) == "core").set_axis(verdicts["word"])
    return pd.concat([last_trial[~columns.is_in(last_trial.index, verdict.index)], verdict]).astype(float)


def _pairs_of_forms(
    word_forms: pd.DataFrame, words: pd.Series, is_untried: columns.Flags, outcomes: pd.Series
) -> pd.DataFrame:
    """Return `word_forms` with more columns for the form and the base: the row of each in the estimates (-1 if it has
    none), and whether it was accepted, refused or not tried."""
    pairs = word_forms
    for side in ("form", "base"):
        row = columns.positions(pairs[side], words)
        outcome = columns.look_up(pairs[side], outcomes, np.nan)
        of_side = {
            "row": row,
            "accepted": outcome == 1,
            "refused": outcome == 0,
            "untried": (row >= 0) & is_untried[row],
        }
        pairs = pairs.join(pd.DataFrame(of_side, index=pairs.index).add_prefix(f"{side}_"))
    return pairs


def _pairs_of_spellings(
    spellings: pd.DataFrame, words: pd.Series, is_untried: columns.Flags, outcomes: pd.Series
) -> pd.DataFrame:
    """Return `spellings` with more columns: the row of each variant in the estimates, whether it is untried, and how
    many spellings of its family (accepted, refused) and of its kind (kind_accepted, kind_refused) have each outcome."""
    outcome = columns.look_up(spellings["variant"], outcomes, np.nan)
    pairs = spellings.assign(is_accepted=outcome == 1, is_refused=outcome == 0)
    of_family, of_kind = pairs.groupby(["root", "differs"]), pairs.groupby("differs")
    row = columns.positions(pairs["variant"], words)
    return pairs.assign(
        variant_row=row,
        variant_untried=(row >= 0) & is_untried[row],
        accepted=of_family["is_accepted"].transform("sum"),
        refused=of_family["is_refused"].transform("sum"),
        kind_accepted=of_kind["is_accepted"].transform("sum"),
        kind_refused=of_kind["is_refused"].transform("sum"),
    )
