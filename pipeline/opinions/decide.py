"""Assigns each word one of `words.TIERS` by its verdict, or else by its record, or else by its estimate.

A verdict holds until a puzzle says otherwise. The reason of a tier has a kind, one of `words.REASONS`; `reasons` tells
it in a sentence.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pandas as pd

from pipeline.opinions.catalog import ORDINARY_SIZE
from pipeline.tables import columns
from pipeline.words import (
    DOUBTFUL,
    GAME,
    KINDS_BY_P,
    KINDS_BY_TRIAL,
    LIKELY,
    LIKELY_IF_BRITISH,
    LIKELY_IF_CRUDE,
    LISTED,
    TIER_OF_VERDICT,
    UNSAFE_FLAGS,
    decided_by,
)

GUESSED = 0.01
"""The minimum p of an unlisted pangram that can be the guess for its letters. All 17 guesses in the backtest were
correct; 5 of them had a p below `DOUBTFUL`, and one had exactly this p."""
GONE = "no list has it as a common word, and no puzzle accepted it"
"""What is said of a word that has no decision any more."""


def decide(
    record: pd.DataFrame,
    estimates: pd.DataFrame,
    offensive_words: pd.DataFrame,
    verdicts: pd.DataFrame,
    lexicon: pd.DataFrame,
) -> pd.DataFrame:
    """Return the tier of every word that a person or a player may ask about, A to Z: columns word, tier, by, kind, p
    (0 without an estimate).

    These are all words with a record or a verdict, and those of the tiers core, likely and review. Of the untried words
    that are refused, they are those of ordinary dictionaries in any spelling and of the user's own lists, those that
    readers judged, those with an offensive grade, and, for letters that have no listed pangram, the pangrams with a p
    of at least `GUESSED`.

    `estimates` are those of `families.share`, `verdicts` those that hold (see `that_hold`). A word with a grade of
    `UNSAFE_FLAGS` is not listed if it was never accepted. The `lexicon` says which words are British.
    """
    unsafe = offensive_words[columns.is_in(offensive_words["flag"], UNSAFE_FLAGS)]
    unsafe = unsafe[columns.is_in(unsafe["word"], estimates["word"])]
    others = pd.concat(
        [
            _by_verdict(verdicts),
            by_record(_without(record, verdicts)),
            _by_grade(_without(unsafe, verdicts, record)),
        ]
    )
    undecided = _without(estimates, others)
    decided = pd.concat([others, _by_estimate(undecided, least_p(undecided["word"], record, offensive_words, lexicon))])
    decided = decided.sort_values("word", ignore_index=True)
    decided["p"] = columns.look_up(decided["word"], estimates.set_index("word")["p"], 0.0)
    kinds, number_of_kind = columns.distinct(columns.as_text(decided["kind"]))
    decided["by"] = columns.texts(number_of_kind, [decided_by(kind) for kind in kinds.to_pylist()])
    sizes = lexicon[["scowl_size", "scowl_british", "scowl_variant"]].min(axis=1)
    is_known = (sizes <= ORDINARY_SIZE) | (lexicon["opinion"] != "") | lexicon["own_list"]
    may_be_asked = [lexicon["word"][is_known], offensive_words["word"], _possible_guesses(decided)]
    is_asked = (decided["tier"] != "refused") | (decided["by"] != "estimate")
    for words in may_be_asked:
        is_asked |= columns.is_in(decided["word"], words)
    return decided.loc[is_asked, ["word", "tier", "by", "kind", "p"]].reset_index(drop=True)


def _possible_guesses(decided: pd.DataFrame) -> pd.Series:
    """Return the pangrams that a solver may guess for letters that have no listed pangram."""
    masks = columns.masks(decided["word"])
    has_listed_pangram = np.isin(masks, masks[columns.is_in(decided["tier"], LISTED)])
    is_pangram = np.bitwise_count(masks) == GAME.letter_count
    is_open = columns.is_in(decided["kind"], KINDS_BY_P)
    guesses: pd.Series = decided["word"][is_pangram & ~has_listed_pangram & (decided["p"] >= GUESSED) & is_open]
    return guesses


def that_hold(verdicts: pd.DataFrame, record: pd.DataFrame) -> pd.DataFrame:
    """Return the verdicts that hold: those on words without a trial after the last day that the record covered when the
    person decided, which is the column `after`; "" stands for no day."""
    last_trial = record[["last_accepted", "last_refused"]].max(axis=1).set_axis(record["word"])
    return verdicts[columns.look_up(verdicts["word"], last_trial, "") <= verdicts["after"]]


def _without(table: pd.DataFrame, *others: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of a table whose words are in none of the other tables."""
    words = pd.concat([other["word"] for other in others])
    return table[~columns.is_in(table["word"], words)]


def by_record(record: pd.DataFrame) -> pd.DataFrame:
    """Return the decision on every tried word by its last trial: columns word, tier, kind."""
    was_accepted = record["last_accepted"] > record["last_refused"]
    tier, kind = (columns.texts(was_accepted, names) for names in (["refused", "core"], KINDS_BY_TRIAL[::-1]))
    return pd.DataFrame({"word": record["word"], "tier": tier, "kind": kind})


def _by_verdict(verdicts: pd.DataFrame) -> pd.DataFrame:
    tier = verdicts["verdict"].map(TIER_OF_VERDICT).astype("str")
    return pd.DataFrame({"word": verdicts["word"], "tier": tier, "kind": "verdict"})


def _by_grade(unsafe: pd.DataFrame) -> pd.DataFrame:
    """Return the decision on words with a grade of `UNSAFE_FLAGS`, which are not listed."""
    return pd.DataFrame({"word": unsafe["word"], "tier": "refused", "kind": unsafe["flag"]})


def least_p(
    words: pd.Series, record: pd.DataFrame, offensive_words: pd.DataFrame, lexicon: pd.DataFrame
) -> npt.NDArray[np.float64]:
    """Return the least p with which each untried word is listed. `offensive_words` has the columns word, flag."""
    british = lexicon[(lexicon["scowl_british"] < lexicon["scowl_size"]) & (lexicon["opinion"] != "ordinary")]
    is_british = columns.is_in(words, british["word"])
    crude = offensive_words["word"][offensive_words["flag"] == "crude"]
    accepted = record["word"][record["last_accepted"] > record["last_refused"]]
    bases = columns.look_up(words, lexicon.set_index("word")["base"], "")
    is_form_of_accepted = columns.is_in(bases, accepted) & columns.is_in(bases, crude)
    is_crude = columns.is_in(words, crude) & ~is_form_of_accepted
    return np.select([is_crude, is_british], [LIKELY_IF_CRUDE, LIKELY_IF_BRITISH], LIKELY)


def _by_estimate(estimates: pd.DataFrame, least: npt.NDArray[np.float64]) -> pd.DataFrame:
    """Return the decisions on words by their estimates."""
    p = estimates["p"]
    tier = columns.texts(np.select([p >= least, p >= DOUBTFUL], [2, 1], 0), ["refused", "review", "likely"])
    return pd.DataFrame({"word": estimates["word"], "tier": tier, "kind": estimates["kind"]})
