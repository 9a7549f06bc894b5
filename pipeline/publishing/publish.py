"""Makes the next release, or refuses to publish it."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from pipeline import reader
from pipeline.errors import BeeError
from pipeline.play import daily, difficulty
from pipeline.publishing import changes, datapackage, release_files
from pipeline.publishing.datapackage import approved_list
from pipeline.publishing.release_files import ReleaseOrigins, ReleaseTables
from pipeline.tables import columns, frames
from pipeline.words import LISTED, count

MAX_CHANGED = 0.02
"""The share of the list that can change after the last approved release without a person's approval. One day changes
about two words; larger changes, such as those of a new lexicon, need approval."""
AHEAD = 365
"""`daily.csv` has puzzles for this many days after the last covered day, or after `daily.FIRST_RELEASED` if that is
later. It does not depend on a clock, so every clone makes the same file. With a year, there is a puzzle for today even
if the record is many months behind. A longer period would fix puzzles that a better list would not choose."""


@dataclass(frozen=True, slots=True)
class NextRelease:
    """A release to be published: its version, its files, name to bytes, and the numbers of words, additions and
    removals."""

    version: str
    files: dict[str, bytes]
    words: int
    added: int
    removed: int


def prepare_release(
    tables: ReleaseTables,
    origins: ReleaseOrigins,
    last: reader.Release | None,
    force: bool = False,
    approve: bool = False,
) -> NextRelease:
    """Return the next release; see `release_files.make_files`.

    Raises BeeError if the release must not be published, unless `force` is given. `approve` means that a
    person has reviewed the changes; later changes are then counted from this release on. A release with the same
    content as the last one keeps its version and its CHANGES.md.
    """
    package_before = last.package if last else {}
    published_puzzles: Mapping[str, str] = {}
    if last:
        published_puzzles = daily.published(last)
    old_list = last.files["wordlist.txt"].decode().split() if last else []
    new_list = release_files.wordlist(tables.decisions)
    list_approved_before = approved_list(last)
    list_to_count_from = new_list if approve else list_approved_before
    if not force:
        approved_version = str(package_before.get("approved", ""))
        require_publishable(list_to_count_from, new_list, tables.violations, approved_version)
    changes_since_approval = None
    if last and not approve:
        changes_since_approval = changes.differing_words(list_approved_before, new_list)

    def daily_puzzles(words: pd.DataFrame) -> bytes:
        return puzzles_of_days(published_puzzles, max(tables.coverage.dates, default=""), words, origins.scowl)

    files = release_files.make_files(tables, origins, last, daily_puzzles, changes_since_approval)
    next_release = reader.Release(files)
    if last and last.version == next_release.version:
        files["CHANGES.md"] = last.files["CHANGES.md"]
    else:
        files["CHANGES.md"] = _changes_since(last, next_release, tables).encode()
    files[reader.SUMS] = reader.format_checksums(files)
    return NextRelease(
        version=next_release.version,
        files=files,
        words=len(new_list),
        added=len(set(new_list) - set(old_list)),
        removed=len(set(old_list) - set(new_list)),
    )


def puzzles_of_days(published: Mapping[str, str], last_covered: str, words: pd.DataFrame, scowl: bytes) -> bytes:
    """Return `daily.csv`: the published puzzles of the day (date to letters), and one for each other day from
    `daily.FIRST_DAY` up to `AHEAD`.

    `last_covered` is the last day that the record covers, and `words` is the table words.csv.
    """
    letters_by_date = dict(published)
    first = min([daily.FIRST_DAY, *published])
    number = daily.days_apart(first, max(last_covered, daily.FIRST_RELEASED)) + AHEAD + 1
    new_dates = [date for date in daily.dates(first, number) if date not in published]
    if new_dates:
        level_by_letters = _level_by_letters(words, scowl)
        if level_by_letters:
            for date in new_dates:
                letters_by_date[date] = daily.letters_of_day(level_by_letters, date, letters_by_date)
    rows = [f"{date},{letters}\n" for date, letters in sorted(letters_by_date.items())]
    return "".join([f"{daily.HEADER}\n", *rows]).encode()


def _level_by_letters(words: pd.DataFrame, scowl: bytes) -> dict[str, str]:
    """Return our own puzzles, from letters to level."""
    rows = {row["word"]: row for row in frames.rows(words)}
    listed = [word for word, row in rows.items() if row["tier"] in LISTED]
    accepted = {word: int(row["accepted"]) for word, row in rows.items()}
    hardness = difficulty.load_hardness(listed, accepted, gzip.decompress(scowl))
    return daily.pool(listed, hardness, rows)


def _changes_since(last: reader.Release | None, next_release: reader.Release, tables: ReleaseTables) -> str:
    """Return CHANGES.md, from the decisions, the words without a trial on new days, and the kinds of reasons in the
    last release."""
    decisions = tables.decisions
    dates_before = datapackage.coverage_of(last.files[reader.PACKAGE]).dates if last else frozenset()
    is_new = columns.is_in(tables.without_trial["date"], tables.coverage.dates - dates_before)
    old_list = last.files["wordlist.txt"].decode().split() if last else []
    new_list = next_release.files["wordlist.txt"].decode().split()
    changed = set(old_list) ^ set(new_list)
    decisions_of_changed = decisions[columns.is_in(decisions["word"], changed)]
    kinds_before = {}
    explanation = ""
    if last:
        rows = reader.rows(last.files["words.csv"], "words.csv", reader.any_of(changed))
        kinds_before = {row["word"]: row["kind"] for row in rows if row["word"] in changed}
        if changed:
            explanation = changes.explain_release(last.package, next_release.package)
    return changes.changes_text(
        changes.ReleaseChanges(
            version_before=last.version if last else "",
            version=next_release.version,
            list_before=old_list,
            list_now=new_list,
            decisions={row["word"]: row for row in frames.rows(decisions_of_changed)},
            kinds_before=kinds_before,
            explanation=explanation,
            without_trial=frames.rows(tables.without_trial[is_new]),
        )
    )


def require_publishable(old: list[str], new: list[str], violations: pd.DataFrame, approved: str = "") -> None:
    """Raise BeeError if there are errors, if the list is empty, or if it differs too much from `old`, the approved
    list."""
    errors = violations[violations["severity"] == "error"]
    if len(errors):
        first = errors.iloc[0]
        raise BeeError(
            f"Not published: {count(len(errors), 'violation')} of severity error, beginning with {first['rule']} on "
            f'"{first["subject"]}" ('
            f"{first['detail']}). `bee check` lists them.",
        )
    if not new:
        raise BeeError("Not published: the list would be empty.")
    changed = len(changes.differing_words(old, new))
    if old and changed > MAX_CHANGED * len(old):
        approved_release = f"release {approved}" if approved else "the last release"
        raise BeeError(
            f"Not published: {count(changed, 'word')} would be added or removed compared with {approved_release}, "
            f"which a person approved. This is more than {MAX_CHANGED:.0%} of the {len(old):,} words on its list. "
            f"Those already published are in {reader.PACKAGE}, and `bee run --no-publish` prints the new ones. After "
            "you have looked at them, `bee publish --approve` publishes and approves them; after a rebuild, `bee run "
            "--rebuild --approve` does.",
        )
