"""Word relations: forms, spellings and unusual words, as the word lists alone determine them, and what they say about
p."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from pipeline.opinions.bounds import limited, limits, spelling_families, variants
from pipeline.opinions.families import bind, word_forms
from pipeline.opinions.relatives import roots
from pipeline.opinions.usage import unusual_words


@dataclass(frozen=True, slots=True)
class WordRelations:
    """The tables with these names."""

    word_forms: pd.DataFrame
    spellings: pd.DataFrame
    unusual_words: pd.DataFrame


def word_relations(vocabulary: pd.DataFrame, links: pd.DataFrame) -> WordRelations:
    """Return the forms, spellings and unusual words of a vocabulary. `links` are those of `relatives.link_words`."""
    pairs = variants(vocabulary)
    return WordRelations(
        word_forms=word_forms(vocabulary),
        spellings=spelling_families(pairs, roots(vocabulary, links)),
        unusual_words=unusual_words(vocabulary, pairs),
    )


def share_estimates(
    estimates: pd.DataFrame,
    record: pd.DataFrame,
    verdicts: pd.DataFrame,
    word_forms: pd.DataFrame,
    spellings: pd.DataFrame,
) -> pd.DataFrame:
    """Return the estimates limited by what puzzles and people decided on other forms and spellings, and shared by
    families.

    They have the columns of the table `estimates`; `record` is the table `record`.
    """
    bounds = limits(record, verdicts, word_forms, spellings)
    return bind(limited(estimates, bounds), word_forms, verdicts["word"])
