"""The stages: each makes tables from tables. They are pure functions, and `runner` runs them.

A parameter of a stage is the name of a table or file in the registry, or the name of a group of them (`GROUPS`).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any

import pandas as pd

from pipeline import reader
from pipeline.facts import decision_files, grades, lists, new_record, own_lists, settle
from pipeline.facts.coverage import Coverage
from pipeline.facts.lexicon import join_lists, listed_words, read_frequencies
from pipeline.facts.new_record import Published
from pipeline.facts.own_lists import OwnLists
from pipeline.fetching import schedule
from pipeline.opinions import constancy, decide, estimate, families, flag, relatives
from pipeline.opinions.model import Model, fitted_on
from pipeline.publishing import check, datapackage, diff, publish
from pipeline.publishing.release import ReleaseOrigins, ReleaseTables
from pipeline.tables import frames
from pipeline.words import TIERS

Tables = dict[str, Any]
"""The results of a stage, by name."""
Counts = dict[str, int]
"""The numbers that a stage reports, by name."""


@dataclass(frozen=True, slots=True)
class WordLists:
    """The files of the lexicon, and the user's own lists."""

    lexicon_files: Mapping[str, bytes]
    own_lists: OwnLists


GROUPS: dict[str, type] = {
    "published": Published,
    "word_lists": WordLists,
    "release_tables": ReleaseTables,
}
"""The parameters that group several tables and files: classes whose fields are names in the registry."""


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage: its name, a pure function, the names of its results, and the numbers that it reports.

    Keyword-only parameters of the function are options of its command; all others are its `inputs`. A stage with
    `on_fresh` refuses to run if tables are out of date.
    """

    name: str
    work: Callable[..., Tables]
    makes: tuple[str, ...]
    counts: Callable[[Tables], Counts]
    inputs: tuple[str, ...] = ()
    on_fresh: bool = False

    @property
    def parameters(self) -> tuple[str, ...]:
        """The inputs, by the names of the parameters: tables, files and groups."""
        if self.inputs:
            return self.inputs
        parameters = inspect.signature(self.work).parameters.values()
        return tuple(parameter.name for parameter in parameters if parameter.kind is not parameter.KEYWORD_ONLY)

    @property
    def options(self) -> tuple[str, ...]:
        """The names of the options."""
        parameters = inspect.signature(self.work).parameters.values()
        return tuple(parameter.name for parameter in parameters if parameter.kind is parameter.KEYWORD_ONLY)

    @property
    def reads(self) -> tuple[str, ...]:
        """The names of all tables and files that the stage reads."""
        names: list[str] = []
        for parameter in self.parameters:
            names += _names_in(parameter)
        return tuple(names)

    def arguments(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments of the function, from the values of `reads` by name."""
        arguments = {}
        for parameter in self.parameters:
            if parameter in GROUPS:
                arguments[parameter] = GROUPS[parameter](**{name: values[name] for name in _names_in(parameter)})
            else:
                arguments[parameter] = values[parameter]
        return arguments


def _names_in(parameter: str) -> list[str]:
    """Return the names of the tables and files of a parameter."""
    return [field.name for field in fields(GROUPS[parameter])] if parameter in GROUPS else [parameter]


def _count_rows(*names: str) -> Callable[[Tables], Counts]:
    """Count the rows of tables."""
    return lambda results: {name: len(results[name]) for name in names}


def _count_by(table: str, column: str, names: Mapping[str, str]) -> Callable[[Tables], Counts]:
    """Count the rows of a table with each value of a column; `names` are the values, with the names to show."""

    def counts(results: Tables) -> Counts:
        cells = results[table][column]
        return {name: int((cells == value).sum()) for value, name in names.items()}

    return counts


def make_lexicon(word_lists: WordLists) -> Tables:
    """Make lexicon, forms and frequencies from word lists."""
    tables, forms = lists.tables(word_lists.lexicon_files), lists.forms(word_lists.lexicon_files)
    own_words = own_lists.words_of(word_lists.own_lists)
    frequencies = read_frequencies(listed_words(tables, own_words).tolist())
    return {
        "lexicon": join_lists(tables, own_words, forms, frequencies),
        "forms": frames.check(forms, "forms"),
        "frequencies": frequencies,
    }


def make_grades(lexicon: pd.DataFrame, forms: pd.DataFrame, word_grades: pd.DataFrame) -> Tables:
    """Make the offensive words from lexicon, forms and the grades that people gave."""
    return {"offensive_words": grades.offensive_words(lexicon, forms, word_grades)}


def make_record(
    lexicon: pd.DataFrame,
    forms: pd.DataFrame,
    frequencies: pd.DataFrame,
    captures: pd.DataFrame,
    day_decisions: pd.DataFrame,
    offensive_words: pd.DataFrame,
    published: Published,
    coverage_so_far: Coverage,
    model_so_far: Model | None,
    word_lists: WordLists,
    *,
    rebuild: bool = False,
    rebuilding: bool = False,
    force: bool = False,
    fit: bool = False,
) -> Tables:
    """Make the record from that of the last release and the days on disk, and the model, if there is none.

    A `rebuild` counts all days from nothing; `rebuilding` says that an earlier one is not published yet. With `force`,
    it may lose days.
    """
    days = frames.check(schedule.with_settled(captures), "days")
    from_nothing = rebuild or rebuilding
    known = new_record.known(published, lexicon, offensive_words)
    settled = settle.settle(days, day_decisions, known, from_nothing)
    listed = new_record.Listed(lexicon, forms, frequencies)
    made = new_record.new_record(days, settled, listed, published, from_nothing)
    if from_nothing and not force:
        before = coverage_so_far if rebuilding else published.published_coverage
        new_record.require_all_days(before.dates, made)
    model = model_so_far
    if model is None or fit:
        input_of_fit = estimate.estimate_input(made.vocabulary, forms, made.record, offensive_words)
        lists_digest = lists.digest(word_lists.lexicon_files, word_lists.own_lists)
        model = fitted_on(estimate.fit(input_of_fit), len(made.coverage.dates), lists_digest)
    return {**{field.name: getattr(made, field.name) for field in fields(made)}, "model": model}


def make_relatives(vocabulary: pd.DataFrame, forms: pd.DataFrame) -> Tables:
    """Make links between the words of the lexicon and their bases and sister forms."""
    return {"links": relatives.links(vocabulary, forms), "sisters": relatives.sisters(vocabulary, forms)}


def make_flags(vocabulary: pd.DataFrame, offensive_words: pd.DataFrame) -> Tables:
    """Make flags from the lexicon and the offensive words."""
    return {"flags": flag.flag(vocabulary, offensive_words)}


def make_estimates(
    vocabulary: pd.DataFrame,
    forms: pd.DataFrame,
    links: pd.DataFrame,
    sisters: pd.DataFrame,
    record: pd.DataFrame,
    coverage: Coverage,
    candidates: pd.DataFrame,
    offensive_words: pd.DataFrame,
    model: Model,
) -> Tables:
    """Make the probabilities of words: from the record or, for words that were never tried, from the model."""
    known = estimate.EstimateInput(vocabulary, forms, links, sisters, record, offensive_words)
    untried = estimate.estimate(known, model, candidates["word"])
    tried = constancy.estimate(record, coverage.dates, vocabulary, offensive_words["word"].tolist())
    return {"estimates": frames.check(pd.concat([untried, tried], ignore_index=True), "estimates")}


def make_decisions(
    record: pd.DataFrame,
    estimates: pd.DataFrame,
    unsafe_words: pd.DataFrame,
    verdicts: pd.DataFrame,
    forms: pd.DataFrame,
    vocabulary: pd.DataFrame,
) -> Tables:
    """Make decisions from the record, estimates, unsafe words, verdicts, forms and lexicon."""
    shared = families.share(estimates, record, verdicts, forms, vocabulary, unsafe_words)
    return {"decisions": decide.decide(record, shared, unsafe_words, verdicts, vocabulary)}


def make_diffs(trials: pd.DataFrame, decisions: pd.DataFrame) -> Tables:
    """Make diffs from trials and decisions."""
    return {"diffs": diff.diff(trials, decisions)}


def make_violations(**tables: Any) -> Tables:
    """Make violations from all tables that the checks need."""
    return {"violations": check.check(**tables)}


def make_release(
    release_tables: ReleaseTables,
    made_with: Mapping[str, bytes],
    word_lists: WordLists,
    license: str,
    release: reader.Release | None,
    *,
    force: bool = False,
    approve: bool = False,
) -> Tables:
    """Make the next release from all tables; raises BeeError if it must not be published, or DataError if the
    definitions that come with it have changed and are damaged."""
    if release is None or reader.GLOSSES in datapackage.not_applied(release, made_with):
        decision_files.parse("glosses", made_with.get(reader.GLOSSES, b""))
    files = word_lists.lexicon_files
    texts = {"This release": license, **lists.licenses(files)}
    origins = ReleaseOrigins(made_with, lists.sources(files), texts, scowl=files["scowl.csv.gz"])
    return {"release": publish.publish(release_tables, origins, release, force, approve)}


STAGES: tuple[Stage, ...] = (
    Stage("lexicon", make_lexicon, ("lexicon", "forms", "frequencies"), _count_rows("lexicon")),
    Stage("grades", make_grades, ("offensive_words",), _count_rows("offensive_words")),
    Stage(
        "record",
        make_record,
        (
            "days",
            "puzzles",
            "answers",
            "vocabulary",
            "candidates",
            "trials",
            "record",
            "coverage",
            "track",
            "waits",
            "without_trial",
            "model",
        ),
        lambda results: {"covered": len(results["coverage"].dates), "waits": len(results["waits"])},
    ),
    Stage(
        "relatives",
        make_relatives,
        ("links", "sisters"),
        _count_rows("links"),
    ),
    Stage("flags", make_flags, ("flags",), _count_rows("flags")),
    Stage("estimates", make_estimates, ("estimates",), _count_rows("estimates")),
    Stage(
        "decisions",
        make_decisions,
        ("decisions",),
        _count_by("decisions", "tier", {tier: tier for tier in TIERS}),
    ),
    Stage("diff", make_diffs, ("diffs",), _count_by("diffs", "side", {"missing": "missing", "extra": "extra"})),
    Stage(
        "check",
        make_violations,
        ("violations",),
        _count_by("violations", "severity", {"error": "errors", "warning": "warnings"}),
        inputs=check.INPUTS,
    ),
    Stage(
        "publish",
        make_release,
        ("release",),
        lambda results: {name: getattr(results["release"], name) for name in ("words", "added", "removed")},
        on_fresh=True,
    ),
)
BY_NAME = {stage.name: stage for stage in STAGES}
