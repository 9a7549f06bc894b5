"""A run: ten calls, from the files on disk to a new list, and the files that it writes.

Everything is computed each time, from what is on disk now. One thing is cached, because it takes seconds and rarely
changes: the lexicon, which follows from the word lists alone.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import os
import platform
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq

from pipeline import custom, inputs, reader, store, words
from pipeline.errors import BeeError, DataError, StoreError
from pipeline.facts import by_hand, count_days, grades, lexicon_files, new_record, own_lists, track, trials
from pipeline.facts import lexicon as lexicons
from pipeline.facts.coverage import Coverage
from pipeline.facts.lexicon import Lexicon
from pipeline.facts.new_record import NewRecord
from pipeline.fetching import captures, schedule
from pipeline.inputs import WordLists
from pipeline.opinions import decide, estimate_tried, estimate_untried, families, flag, model, reasons
from pipeline.opinions.model import Model
from pipeline.publishing import check, datapackage, diff
from pipeline.publishing import publish as publishing
from pipeline.publishing.publish import NextRelease
from pipeline.publishing.release_files import ReleaseOrigins, ReleaseTables
from pipeline.reader import Release
from pipeline.store import Workspace
from pipeline.tables import columns, frames
from pipeline.words import count


@dataclass(frozen=True)
class Facts(NewRecord):
    """The facts of a workspace: the last release, the word lists and decisions as they were read, and the tables that
    follow from them, by their names in `frames`."""

    release: Release | None
    made_with: Mapping[str, bytes]
    word_lists: WordLists
    grades: pd.DataFrame
    named_days: pd.DataFrame
    verdicts: pd.DataFrame
    forms: pd.DataFrame
    offensive_words: pd.DataFrame
    day_lists: pd.DataFrame


@dataclass(frozen=True)
class DaysOnDisk:
    """The days on disk: which of them count and which wait, and what the record of the last release covers."""

    day_lists: pd.DataFrame
    coverage: Coverage
    puzzles: pd.DataFrame
    answers: pd.DataFrame
    waits: pd.DataFrame
    without_trial: pd.DataFrame


@dataclass(frozen=True)
class Update(Facts):
    """What `update` makes: facts, and the opinions that follow from them. `is_fitted` says that the weights are new."""

    model: Model
    is_fitted: bool
    flags: pd.DataFrame
    estimates: pd.DataFrame
    decisions: pd.DataFrame
    day_diffs: pd.DataFrame
    violations: pd.DataFrame


def days_on_disk(workspace: Workspace) -> DaysOnDisk:
    """Return the days on disk, for commands that need no lexicon: an answer in no list counts like any other."""
    published = inputs.published(custom.read_release(workspace))
    day_lists = schedule.with_settled(captures.load(workspace))
    answers = pd.Series(sorted({*" ".join(day_lists["answers"]).split()}), dtype="str")
    prior = new_record.prior_knowledge(published, answers, frames.empty("offensive_words"))
    named_days = inputs.read_table_by_people(workspace, "named_days")
    counted = count_days.count_days(day_lists, named_days, prior, from_nothing=False)
    without_trial = track.without_trial(counted.without_trial, published.track)
    return DaysOnDisk(
        day_lists=day_lists,
        coverage=published.coverage,
        puzzles=counted.puzzles,
        answers=trials.leave_out(counted.answers, without_trial),
        waits=counted.waits,
        without_trial=without_trial,
    )


def read_facts(workspace: Workspace, rebuild: bool = False, force: bool = False, fit: bool = False) -> Facts:
    """Return the facts: the last release and the new days that count or, for a `rebuild`, all days on disk that count,
    from nothing.

    Raises BeeError if a rebuild loses days, unless `force` is given, and for lost and damaged files. With `fit`, the
    weights may be lost.
    """
    custom.require_folder(workspace)
    release = custom.read_release(workspace)
    made_with = custom.read_made_with(workspace, made_anew=[reader.MODEL] if fit else [])
    word_lists = inputs.read_word_lists(workspace)
    graded = inputs.table_by_people("grades", made_with)
    named_days = inputs.table_by_people("named_days", made_with)
    verdicts = inputs.table_by_people("verdicts", made_with)
    published = inputs.published(release)

    lexicon = read_lexicon(workspace, word_lists)
    offensive_words = grades.offensive_words(lexicon.words, lexicon.forms, graded)
    day_lists = schedule.with_settled(captures.load(workspace))
    prior = new_record.prior_knowledge(published, lexicon.words["word"], offensive_words)
    counted = count_days.count_days(day_lists, named_days, prior, rebuild)
    made = new_record.new_record(day_lists, counted, lexicon, published, verdicts["word"], rebuild)
    if rebuild and not force:
        new_record.require_all_days(published.coverage.dates, made)
    return Facts(
        **vars(made),
        release=release,
        made_with=made_with,
        word_lists=word_lists,
        grades=graded,
        named_days=named_days,
        verdicts=verdicts,
        forms=lexicon.forms,
        offensive_words=offensive_words,
        day_lists=day_lists,
    )


def update(workspace: Workspace, rebuild: bool = False, force: bool = False, fit: bool = False) -> Update:
    """Return the facts and all opinions that follow from them; for the options and errors, see `read_facts`. With
    `fit`, or without weights, the weights are fitted to the record."""
    facts = read_facts(workspace, rebuild, force, fit)
    weights = None if fit else inputs.weights(facts.made_with)
    fitted = weights or fit_weights(facts)
    flags = flag.flag(facts.lexicon, facts.offensive_words)
    estimates = estimate_words(facts, fitted)
    decisions = decide_words(facts, flags, estimates, facts.verdicts)
    day_diffs = diff.by_day(facts.trials, decisions)
    violations = check.check(
        coverage=facts.coverage,
        day_lists=facts.day_lists,
        named_days=facts.named_days,
        waits=facts.waits,
        track=facts.track,
        record=facts.record,
        puzzles=facts.puzzles,
        trials=facts.trials,
        candidates=facts.candidates,
        decisions=decisions,
        verdicts=facts.verdicts,
        model=fitted,
        lexicon_files=facts.word_lists.files,
        own=facts.word_lists.own,
    )
    return Update(
        **vars(facts),
        model=fitted,
        is_fitted=weights is None,
        flags=flags,
        estimates=estimates,
        decisions=decisions,
        day_diffs=day_diffs,
        violations=violations,
    )


def fit_weights(facts: Facts) -> Model:
    """Return the weights of the estimates, fitted to the record."""
    data = estimate_untried.estimate_input(facts.lexicon, facts.forms, facts.record, facts.offensive_words)
    lists_digest = lexicon_files.digest(facts.word_lists.files, facts.word_lists.own)
    return model.fitted_on(estimate_untried.fit(data), len(facts.coverage.dates), lists_digest)


def estimate_words(facts: Facts, fitted: Model) -> pd.DataFrame:
    """Return the table `estimates`: p from the record or, for a word that was never tried, from the model."""
    data = estimate_untried.estimate_input(facts.lexicon, facts.forms, facts.record, facts.offensive_words)
    untried = estimate_untried.estimate(data, fitted, facts.candidates["word"])
    offensive = facts.offensive_words["word"].tolist()
    tried = estimate_tried.estimate(facts.record, facts.coverage.dates, facts.lexicon, offensive)
    return frames.check(pd.concat([untried, tried], ignore_index=True), "estimates")


def decide_words(facts: Facts, flags: pd.DataFrame, estimates: pd.DataFrame, verdicts: pd.DataFrame) -> pd.DataFrame:
    """Return the table `decisions`. Its p is that of `estimates`, changed by the verdicts and trials of a word's
    family."""
    holding = decide.that_hold(verdicts, facts.record)
    offensive = facts.offensive_words
    shared = families.share(estimates, facts.record, holding, facts.forms, facts.lexicon)
    decided = decide.decide(facts.record, shared, offensive, holding, facts.lexicon)
    return reasons.explain(decided, shared, facts.record, flags, holding, facts.forms, facts.lexicon)


# ---------------------------------------------------------------- writing


def next_release(made: Update, force: bool = False, approve: bool = False) -> NextRelease:
    """Return the next release; raise BeeError if it must not be published, or DataError if the definitions that come
    with it have changed and are damaged."""
    made_with = dict(made.made_with)
    if made.is_fitted:
        made_with[reader.MODEL] = model.encode(made.model)
    if made.release is None or reader.GLOSSES in datapackage.not_applied(made.release, made_with):
        by_hand.parse("glosses", made_with.get(reader.GLOSSES, b""))
    files = made.word_lists.files
    tables = ReleaseTables(
        flags=made.flags,
        decisions=made.decisions,
        violations=made.violations,
        record=made.record,
        coverage=made.coverage,
        track=made.track,
        without_trial=made.without_trial,
    )
    texts = {"This release": _license_text(), **lexicon_files.licenses(files)}
    origins = ReleaseOrigins(made_with, lexicon_files.sources(files), texts, scowl=files["scowl.csv.gz"])
    return publishing.prepare_release(tables, origins, made.release, force, approve)


def _license_text() -> str:
    """Return the license of the code and of the release, which is inside an installed wheel, or in the checkout."""
    package = Path(__file__).parent
    folder = package if (package / "LICENSE").exists() else package.parent
    return store.read_bytes(folder / "LICENSE", store.PROGRAM).decode()


def require_no_merge(workspace: Workspace) -> None:
    """Raise BeeError while git joins two branches: the files of the release may be of both."""
    if store.is_merging(workspace.root):
        raise BeeError(
            "Not published: git has not finished a merge or a rebase here. docs/CURATING.md says how to finish "
            "it when two releases meet; then run the same command again."
        )


def write_release(workspace: Workspace, made: Update, force: bool = False, approve: bool = False) -> str:
    """Write the next release, all its files or none, and new weights before it; return what it has in words. The
    caller must hold the lock.

    Raises BeeError if it must not be published; see `publish.prepare_release`.
    """
    release = next_release(made, force, approve)
    if made.is_fitted:
        write_weights(workspace, made)
    store.write_together(workspace.custom, release.files)
    changes = f"{release.added:,} added, {release.removed:,} removed"
    return f"release   {release.version}: {count(release.words, 'word')}, {changes}"


def write_weights(workspace: Workspace, made: Update) -> None:
    """Write the weights of the estimates. The caller must hold the lock."""
    store.write_bytes(workspace.custom / reader.MODEL, model.encode(made.model))


def write_tables(workspace: Workspace, made: Update) -> None:
    """Replace the folder of tables for people who want to look; no command reads them. The caller must hold the
    lock."""
    folder = workspace.build / "tables"
    unfinished = workspace.build / ".tables"
    tables = {name: table for name, table in vars(made).items() if isinstance(table, pd.DataFrame)}
    try:
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(parents=True)
        for name, table in tables.items():
            table.to_parquet(unfinished / f"{name}.parquet", index=False)
        shutil.rmtree(folder, ignore_errors=True)
        unfinished.rename(folder)
    except OSError as error:
        raise StoreError(f"Cannot write {folder}: {error.strerror}.") from error


# ---------------------------------------------------------------- the cache of the lexicon

MADE_BY = (columns, frames, words, by_hand, lexicon_files, own_lists, lexicons)
"""The modules that make the lexicon. Another version of one of them makes it again."""
LIBRARIES = ("wordfreq", "numpy", "pandas", "pyarrow")


def read_lexicon(workspace: Workspace, word_lists: WordLists) -> Lexicon:
    """Return the lexicon of some word lists: from the cache if the same program made it from the same lists, or else
    made again. The cache is replaced by a rename; if the folder cannot be written, there is none."""
    own_words = own_lists.words_of(word_lists.own)
    folder = workspace.build / f"lexicon-{_key(word_lists.files, own_words)}"
    with contextlib.suppress(OSError, ValueError, LookupError, TypeError, DataError):  # there is none, or damaged
        return Lexicon(*(_read(folder, field.name) for field in fields(Lexicon)))
    lexicon = lexicons.make_lexicon(word_lists.files, own_words)
    with contextlib.suppress(OSError):
        _cache(folder, lexicon)
    return lexicon


def _key(files: Mapping[str, bytes], own_words: list[str]) -> str:
    """Return a digest of all that makes the lexicon."""
    parts = [f"{name} {reader.sha256(data)}" for name, data in files.items()]
    parts += own_words
    parts += [reader.sha256(Path(str(module.__file__)).read_bytes()) for module in MADE_BY]
    parts += [platform.python_version(), *map(importlib.metadata.version, LIBRARIES)]
    return reader.sha256("\n".join(parts).encode())[:16]


def _read(folder: Path, name: str) -> pd.DataFrame:
    table = pq.read_table(folder / f"{name}.parquet", page_checksum_verification=True)
    return frames.conform(table.to_pandas(), "lexicon" if name == "words" else name)


def _cache(folder: Path, lexicon: Lexicon) -> None:
    """Replace the cache by a lexicon, and delete what a killed command left of one."""
    for other in (*folder.parent.glob("lexicon-*"), *folder.parent.glob(".lexicon-*")):
        shutil.rmtree(other, ignore_errors=True)
    unfinished = folder.with_name(f".{folder.name}-{os.getpid()}")
    unfinished.mkdir(parents=True)
    for field in fields(lexicon):
        path = unfinished / f"{field.name}.parquet"
        getattr(lexicon, field.name).to_parquet(path, index=False, write_page_checksum=True)
    unfinished.rename(folder)
