"""What people decide about words: `keep`, `drop`, `grade` and `undo`, for commands and for cells of notebooks.

Each writes one line and says what follows from it. Without pandas, so that a decision takes no time.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping

from pipeline import custom, reader, store
from pipeline.errors import BeeError, DecisionError
from pipeline.facts import by_hand
from pipeline.facts.by_hand import Row
from pipeline.play.relatives import relatives
from pipeline.publishing import datapackage
from pipeline.reader import Release
from pipeline.store import Workspace
from pipeline.words import FILTERS, LISTED, OFFENSIVE, UNSAFE_FLAGS, decided_by, playable


def keep(word: str, reason: str, by: str = "", force: bool = False, workspace: Workspace | None = None) -> str:
    """Decide that a word belongs on the list, until a later puzzle says otherwise, and return what that means.

    `by` is the person who decides, by default the user; `force` takes a word that no list has; the
    workspace is by default that of BEE_DATA or of the current folder. Raises BeeError if the verdict cannot be written.
    """
    return _write_verdict("keep", word, reason, by, force, workspace)


def drop(word: str, reason: str, by: str = "", force: bool = False, workspace: Workspace | None = None) -> str:
    """Decide that a word does not belong on the list; as `keep` in all else."""
    return _write_verdict("drop", word, reason, by, force, workspace)


def _write_verdict(verdict: str, word: str, reason: str, by: str, force: bool, workspace: Workspace | None) -> str:
    workspace = workspace or store.find_workspace()
    release = custom.require_release(workspace)
    word = word.strip().lower()
    family = relatives([word])[word]
    rows = rows_of([word, *family], release)
    row = {"word": word, "verdict": verdict, "reason": reason, "by": decider(workspace, by), "after": last_day(release)}
    if not force:
        require_known([word], release, BY_FORCE)
    with store.locked(workspace):
        data = custom.read_file_by_people(workspace, "verdicts")
        tried = last_trial(rows[word]) if word in rows else ""
        if any(old["word"] == word and old["after"] < tried for old in by_hand.parse("verdicts", data)):
            data, _ = by_hand.remove("verdicts", data, word)  # a puzzle has ended it
        store.write_bytes(workspace.root / by_hand.FILES["verdicts"].path, by_hand.add("verdicts", data, [row]))
    sentences = [f"{verdict} {word}: written; `bee run` applies it."]
    if word in rows:
        sentences.append(f"So far it was {rows[word]['tier']}: {rows[word]['because'].rstrip('.')}.")
    undecided = [each for each in family if each in rows and rows[each]["kind"] == "estimate"]
    if undecided:
        names = ", ".join(f"{each} ({rows[each]['tier']})" for each in undecided)
        sentences.append(f"Untried relatives that may follow it, unless they have a verdict of their own: {names}.")
    return "\n".join(sentences)


def rows_of(words: Iterable[str], release: Release) -> dict[str, dict[str, str]]:
    """Return the rows of some words in `words.csv`, by word."""
    known = reader.rows(release.files["words.csv"], "words.csv", reader.any_of({*words}))
    return {row["word"]: row for row in known}


def last_trial(row: Mapping[str, str]) -> str:
    """Return the date of the last trial of a word, from its row in `words.csv`; "" if no puzzle tried it."""
    return max(row["last_accepted"], row["last_refused"])


def last_day(release: Release) -> str:
    """Return the last day that a release covers; "" if it covers none."""
    return max(datapackage.coverage_of(release.files[reader.PACKAGE]).dates, default="")


BY_FORCE = "; with --force it is"
"""The end of the message about an unknown word, where there is such an option."""
LISTS = ("scowl", "wordnet", "modern", "cuss", "ldnoobw")
"""The tables of the lexicon that list words."""


def require_known(words: Collection[str], release: Release, way_out: str = "") -> None:
    """Raise DecisionError for a word that no list has and that no puzzle tried, which is probably a mistake. A word
    that the last days left open is in the track record."""
    known = {*rows_of(words, release), *re.findall("[a-z]+", release.files[datapackage.TRACK].decode())}
    for word in words:
        tables = ((name, reader.lexicon_table(name)) for name in LISTS)
        if playable(word) and word not in known and not any(reader.rows(table, name, word) for name, table in tables):
            raise DecisionError(f"{word}: no list has it, and no puzzle has tried it. Nothing was written{way_out}.")


def write(workspace: Workspace, table: str, rows: Iterable[Row]) -> None:
    """Add lines to the file of a table, all or none; raises BeeError for an invalid line and for a line whose word or
    date has another decision."""
    custom.require_folder(workspace)
    with store.locked(workspace):
        data = by_hand.add(table, custom.read_file_by_people(workspace, table), rows)
        store.write_bytes(workspace.root / by_hand.FILES[table].path, data)


def write_verdicts(workspace: Workspace, rows: Iterable[Row]) -> None:
    """Write verdicts, all or none; raises BeeError if one cannot be written. No `after` is later than the last day that
    the release covers, which also replaces ""."""
    release = custom.require_release(workspace)
    last = last_day(release)
    filled = [{**row, "after": min(row["after"] or last, last)} for row in rows]
    require_known([row["word"] for row in filled], release)
    write(workspace, "verdicts", filled)


def grade(word: str, grade: str, reason: str, by: str = "", workspace: Workspace | None = None) -> str:
    """Grade how offensive a word is, and return what that means; as `keep` in all else. Raises BeeError if the grade
    cannot be written."""
    workspace = workspace or store.find_workspace()
    word = word.strip().lower()
    release = custom.require_release(workspace)
    line = {"word": word, "grade": grade, "reason": reason, "by": decider(workspace, by)}
    require_known([word], release)
    write(workspace, "grades", [line])
    consequences = _consequences_of_grade(grade, rows_of([word], release).get(word, {}))
    return f"{grade} {word}: written; `bee run` applies it.\n{consequences}"


def _consequences_of_grade(grade: str, row: Mapping[str, str]) -> str:
    """Return what a grade changes: the list, and the exports that leave out offensive words."""
    parts = [f"Its grade so far is {flag}. " for flag in row.get("flags", "").split() if flag in OFFENSIVE]
    is_unsafe = grade in UNSAFE_FLAGS
    if is_unsafe and row and row["tier"] in LISTED and decided_by(row["kind"]) == "estimate":
        parts.append("No puzzle has accepted it, so this grade takes it off the list. ")
    exports = [f"`bee export --{name}`" for name, grades in FILTERS.items() if grade in grades]
    if exports:
        parts.append(f"{' and '.join(exports)} will leave it out. ")
    effect = " and leave the list if no puzzle has accepted them" if is_unsafe else ""
    return "".join([*parts, f"Its forms get the same grade{effect}, unless they have a grade of their own."])


def decider(workspace: Workspace, by: str = "") -> str:
    """Return the name of the person who decides: `by`, or else the user of git or of the system.

    Raises BeeError if there is none.
    """
    name = by.strip() or store.user_name(workspace.root)
    if not name:
        raise BeeError("Who decides? Give your name with --by.")
    return name


def undo(subject: str, kind: str = "", by: str = "", workspace: Workspace | None = None) -> str:
    """Remove the decision on a word, or those about a date, and return them in words; raises DecisionError if there is
    none.

    A word can have a verdict and a grade; then `kind` says which one is meant. With `by`, only a decision of this
    person is removed.
    """
    workspace = workspace or store.find_workspace()
    subject = subject.strip().lower()
    kinds = [kind] if kind else ["day"] if subject[:1].isdigit() else ["verdict", "grade"]
    with store.locked(workspace):
        found = {}
        for name in kinds:
            table = by_hand.TABLE_OF_KIND[name]
            data, removed = by_hand.remove(table, custom.read_file_by_people(workspace, table), subject, by)
            if removed:
                found[table] = (data, removed)
        if not found:
            files = " and ".join(by_hand.FILES[by_hand.TABLE_OF_KIND[name]].path for name in kinds)
            what = "decision" if kinds == ["day"] else " or ".join(kinds)
            raise DecisionError(f"There is no {what} about {subject} in {files}.")
        if len(found) > 1:
            ways = " or ".join(by_hand.undo_command(table, subject) for table in found)
            raise DecisionError(f"{subject} has a verdict and a grade; choose: {ways}.")
        [(table, (data, removed))] = found.items()
        store.write_bytes(workspace.root / by_hand.FILES[table].path, data)
    return "\n".join(f"Removed: {by_hand.describe(row)}" for row in removed)


def how_to_apply(subject: str, workspace: Workspace) -> str:
    """Return a sentence on how a changed decision on a word or a date is applied."""
    if subject.strip() not in custom.read_coverage(workspace).dates:
        return "`bee run` applies it."
    return (
        "The record already covers the day: with all days on disk, `bee run --rebuild` applies it; without them, "
        "decide about its words instead."
    )
