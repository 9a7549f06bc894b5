"""Flags: rules that mark words. A `strong` flag predicts refusal, a `fair` flag suggests it, and a `note` only
explains. Flags do not decide about tried words; the record does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from pipeline.facts.lexicon import is_common
from pipeline.opinions.catalog import FLAGS, Flag
from pipeline.tables import columns, frames
from pipeline.words import OFFENSIVE


def flag(lexicon: pd.DataFrame, forms: pd.DataFrame, grades: pd.DataFrame | None = None) -> pd.DataFrame:
    """Return the flags of every common word of the lexicon: columns word, flag, severity, detail. A word has at most
    one offensive flag, which `grade_words` determines. `grades` are the grades that people gave."""
    words = _words_to_flag(lexicon)
    tables = [_marked(words, rule) for rule in FLAGS if rule.id not in OFFENSIVE]
    tables.append(_offensive(words, forms, frames.empty("word_grades") if grades is None else grades))
    return frames.check(pd.concat(tables), "flags")


def offensive_words(lexicon: pd.DataFrame, forms: pd.DataFrame, grades: pd.DataFrame) -> pd.DataFrame:
    """Return the offensive words of the table `flag`, without computing the other flags: columns word, flag."""
    return frames.check(_offensive(_words_to_flag(lexicon), forms, grades)[["word", "flag"]], "offensive_words")


def _words_to_flag(lexicon: pd.DataFrame) -> pd.DataFrame:
    return lexicon[is_common(lexicon) | (lexicon["zipf"] > 0)].reset_index(drop=True)


def _marked(words: pd.DataFrame, rule: Flag) -> pd.DataFrame:
    """Return the words that a flag marks: columns word, flag, severity, detail."""
    marked = words[rule.marks(words)] if rule.marks else words[:0]
    return pd.DataFrame(
        {"word": marked["word"], "flag": rule.id, "severity": rule.severity, "detail": rule.detail(marked)}
    )


def _offensive(words: pd.DataFrame, forms: pd.DataFrame, grades: pd.DataFrame) -> pd.DataFrame:
    """Return the offensive words, by hand, by their bases, and by the lists: columns word, flag, severity, detail."""
    by_lists: dict[str, Grade] = {}
    for rule in FLAGS:
        if rule.id in OFFENSIVE:
            for row in frames.rows(_marked(words, rule)):
                by_lists.setdefault(row["word"], Grade(rule.id, row["detail"]))
    by_hand = dict(zip(grades["word"].tolist(), grades["grade"].tolist(), strict=True))
    severity = {rule.id: rule.severity for rule in FLAGS}
    graded = grade_words(words["word"], forms, by_hand, by_lists).items()
    rows = [(word, grade.grade, severity[grade.grade], grade.because) for word, grade in graded]
    return pd.DataFrame(rows, columns=["word", "flag", "severity", "detail"])


@dataclass(frozen=True, slots=True)
class Grade:
    """An offensive grade, or `none`, and its origin."""

    grade: str
    because: str


def grade_words(
    words: pd.Series, forms: pd.DataFrame, by_hand: Mapping[str, str], by_lists: Mapping[str, Grade]
) -> dict[str, Grade]:
    """Return the offensive grades of words: that of a person, or else that of the first base with a grade, or else that
    of the lists. A base whose grade is `none` gives its forms none, too."""
    given = {word: Grade(grade, "graded by hand") for word, grade in by_hand.items()}
    of_bases = {**by_lists, **given}
    grades = dict(by_lists)
    has_grade = forms[columns.is_in(forms["base"], of_bases) & columns.is_in(forms["word"], words)]
    for word, base in zip(has_grade["word"][::-1], has_grade["base"][::-1], strict=True):
        grades[word] = Grade(of_bases[base].grade, f"a form of {base}")
    return {word: grade for word, grade in (grades | given).items() if grade.grade in OFFENSIVE}
