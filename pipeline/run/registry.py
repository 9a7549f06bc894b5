"""The registry of everything on disk: each table or group of files with its name, paths and codec.

A codec converts bytes to a value and back; it never uses the disk. `load` and `save` are the only way from a name to a
value, so a stage cannot read anything that it does not declare. `digest` identifies the current content of a name.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pandas as pd

from pipeline import reader, store
from pipeline.errors import BeeError, DataError, StoreError
from pipeline.facts import by_hand, coverage, decision_files, own_lists, record
from pipeline.facts.day_state import DayState, day_state
from pipeline.fetching import captures
from pipeline.opinions import model
from pipeline.opinions.relatives import relatives_of
from pipeline.opinions.why import OpinionTables
from pipeline.progress import Progress, no_progress
from pipeline.publishing import datapackage, release
from pipeline.store import Workspace
from pipeline.tables import columns, frames
from pipeline.words import UNSAFE_FLAGS

_PACKAGE = Path(__file__).parent.parent
_LICENSE_FOLDER = _PACKAGE if (_PACKAGE / "LICENSE").exists() else _PACKAGE.parent
"""The folder of the license of the code and of the release: inside an installed wheel, or in the checkout."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A table or a group of files: patterns of its paths, its codec, and the command that makes it.

    An `optional` entry may have no files yet. Files that are `replaced_together` change all at once. The codec also
    gets the files `beside`, which are not part of the entry's content. `digest_of` returns a digest of the part of the
    files that the entry is about; by default, these are the whole files.
    """

    paths: tuple[str, ...]
    decode: Callable[[store.Files, Progress], Any]
    encode: Callable[[Any], dict[str, bytes]] | None = None
    made_by: str = ""
    optional: bool = False
    replaced_together: bool = False
    root: Path | None = None
    beside: tuple[str, ...] = ()
    digest_of: Callable[[store.Files], str] | None = None

    def files(self, workspace: Workspace, with_beside: bool = False) -> store.Files:
        """Return the files that exist now."""
        root = self.root or workspace.root
        patterns = self.paths + self.beside if with_beside else self.paths
        names: set[str] = set()
        for pattern in patterns:
            names.update(path.relative_to(root).as_posix() for path in root.glob(pattern) if path.is_file())
        return store.Files(root, tuple(sorted(names)), workspace.wait)


ROWS_PER_GROUP = 16_384
"""The number of rows that are read together. Finding the rows of one word takes a sixth of the time of reading all."""


def _read_parquet(path: str, data: bytes, made_by: str, **options: Any) -> pd.DataFrame:
    """Read a derived table; `options` are those of `pandas.read_parquet`."""
    try:
        return pd.read_parquet(columns.arrow_file(data), **options)
    except (ValueError, OSError) as error:
        raise StoreError(f"{path} is damaged; delete it, and `{made_by}` makes it again.") from error


def _table(name: str, made_by: str) -> Entry:
    """Return the entry of a derived table, which is stored as Parquet."""
    path = f"build/{name}.parquet"

    def decode(files: store.Files, _progress: Progress) -> pd.DataFrame:
        if path not in files:
            return frames.empty(name)
        place = str(files.root / path)
        return _conform(_read_parquet(place, files[path], made_by), name, place, made_by)

    def encode(frame: pd.DataFrame) -> dict[str, bytes]:
        buffer = io.BytesIO()
        repeated = [column for column in frames.CONTRACTS[name].columns if column != "word"]
        frames.check(frame, name).to_parquet(
            buffer, index=False, row_group_size=ROWS_PER_GROUP, use_dictionary=repeated
        )
        return {path: buffer.getvalue()}

    return Entry((path,), decode, encode, made_by)


def _conform(frame: pd.DataFrame, name: str, path: str, made_by: str) -> pd.DataFrame:
    """Return a table with the columns of its contract; raises StoreError if it does not have the current columns."""
    try:
        return frames.conform(frame, name)
    except DataError as error:
        raise StoreError(f"{path} is damaged; delete it, and `{made_by}` makes it again.") from error


def _part(name: str, table: str, made_by: str, flags: tuple[str, ...] | None = None) -> Entry:
    """Return the entry of some columns of a derived table and, with `flags`, only the rows with these flags."""
    path = f"build/{table}.parquet"
    filters = [("flag", "in", flags)] if flags else None

    def decode(files: store.Files, _progress: Progress) -> pd.DataFrame:
        column_names = list(frames.CONTRACTS[name].columns)
        place = str(files.root / path)
        frame = _read_parquet(place, files[path], made_by, columns=column_names, filters=filters)
        return _conform(frame, name, place, made_by)

    return Entry((path,), decode, made_by=made_by)


def _by_hand(name: str, path: str) -> Entry:
    """Return the entry of a table that people write, which may not exist."""

    def decode(files: store.Files, _progress: Progress) -> pd.DataFrame:
        if path not in files:
            return frames.empty(name)
        try:
            return decision_files.read(name, files[path])
        except DataError as error:
            way_back = store.way_back(files.root / path)
            raise StoreError(f"{error} If it cannot be corrected, {way_back[0].lower()}{way_back[1:]}") from error

    return Entry((path,), decode, optional=True)


def _file(path: str, decode: Callable[[bytes], Any], encode: Callable[[Any], bytes] | None, made_by: str) -> Entry:
    """Return the entry of one file that a command makes."""

    def decode_file(data: bytes) -> Any:
        try:
            return decode(data)
        except DataError as error:
            if not path.startswith("build/"):
                raise
            remedy = f"`{made_by}` makes it again."
            raise StoreError(f"{path} is damaged; delete it, and {remedy}") from error

    return replace(_optional_file(path, decode_file, encode), made_by=made_by, optional=False)


def _optional_file(
    path: str, decode: Callable[[bytes], Any], encode: Callable[[Any], bytes] | None = None, default: Any = None
) -> Entry:
    """Return the entry of one file; `default` is its value while it does not exist."""
    without_it = f" {model.WITHOUT_IT}" if path == model.PATH else ""

    def decode_file(files: store.Files, _progress: Progress) -> Any:
        if path not in files:
            return default
        try:
            return decode(files[path])
        except DataError as error:
            if not path.startswith("custom/"):
                raise
            raise StoreError(f"{error} {store.way_back(files.root / path)}{without_it}") from error

    return Entry((path,), decode_file, (lambda value: {path: encode(value)}) if encode else None, optional=True)


def _group(folder: str, names: Iterable[str], optional: bool = False) -> Entry:
    """Return the entry of files in a folder; the value is their bytes, by path in the folder."""
    return Entry(
        tuple(f"{folder}/{name}" for name in names),
        lambda files, _progress: {path.removeprefix(f"{folder}/"): data for path, data in files.items()},
        made_by="bee init",
        optional=optional,
    )


def _decode_release(files: store.Files, _progress: Progress) -> reader.Release | None:
    """Return the last release after checking it, or None before the first release."""
    files_of_release = {path.removeprefix("custom/"): data for path, data in files.items()}
    return reader.check(files_of_release, files.root / "custom", needed=release.FILES) if files_of_release else None


def _published(name: str, decode: Callable[[bytes], Any], default: Any, content: Callable[[bytes], bytes]) -> Entry:
    """Return the entry of a file of the last release, or of a part of it; `default` is its value before the first
    release. A release that is damaged, or whose checksums or files are missing, is never taken for none."""
    path = f"custom/{name}"
    others = tuple(f"custom/{other}" for other in release.FILES if other != name)

    def decode_file(files: store.Files, _progress: Progress) -> Any:
        if not files:
            return default
        needed = {reader.SUMS, reader.PACKAGE, name}
        found = {each: files[f"custom/{each}"] for each in needed if f"custom/{each}" in files}
        return decode(reader.check(found, files.root / "custom", needed=needed).files[name])

    def digest_of(files: store.Files) -> str:
        return "".join(reader.sha256(content(data)) for data in files.values())

    return Entry((path,), decode_file, optional=True, beside=others, digest_of=digest_of)


def _decode_track(data: bytes) -> pd.DataFrame:
    return frames.from_text(frames.read_csv(data, datapackage.TRACK), "track")


def _decode_list(data: bytes) -> pd.Series:
    return pd.Series(data.decode().split(), dtype="str")


def _decode_last_coverage(data: bytes) -> coverage.Coverage:
    """Return the coverage of the last merge, or none if it is damaged, because the next merge makes it again."""
    try:
        return coverage.decode(data)
    except DataError:
        return coverage.Coverage()


def _content_of_coverage(package: bytes) -> bytes:
    """Return the coverage in `datapackage.json` as the file that a merge writes."""
    try:
        return coverage.encode(datapackage.coverage_of(package))
    except BeeError:
        return package  # loading it raises the error


COVERAGE = "build/coverage.json"

ENTRIES: dict[str, Entry] = {
    # files from outside
    "captures": Entry(
        (captures.PATH, f"{captures.SAMPLE}/*.csv"),
        captures.load,
        optional=True,
        digest_of=captures.digest,
    ),
    "lexicon_files": _group("raw/lexicon", ["**/*"]),
    "own_lists": Entry(("raw/lists/*.txt",), lambda files, _progress: own_lists.decode(files), optional=True),
    "license": replace(_file("LICENSE", lambda data: data.decode(), None, store.PROGRAM), root=_LICENSE_FOLDER),
    # tables that people write
    **{name: _by_hand(name, path) for name, path in by_hand.PATHS.items()},
    "word_grades": _by_hand("word_grades", by_hand.PATHS["grades"]),
    # tables and files that `bee merge` makes
    "lexicon": _table("lexicon", "bee merge"),
    "forms": _table("forms", "bee merge"),
    "frequencies": _table("frequencies", "bee merge"),
    "offensive_words": _table("offensive_words", "bee merge"),
    "days": _table("days", "bee merge"),
    "puzzles": _table("puzzles", "bee merge"),
    "answers": _table("answers", "bee merge"),
    "vocabulary": _table("vocabulary", "bee merge"),
    "words_and_bases": _part("words_and_bases", "vocabulary", "bee merge"),
    "candidates": _table("candidates", "bee merge"),
    "trials": _table("trials", "bee merge"),
    "record": _file("build/record.csv", record.decode, frames.csv_bytes, "bee merge"),
    "coverage": _file(COVERAGE, coverage.decode, coverage.encode, "bee merge"),
    "track": _file("build/track.csv", _decode_track, frames.csv_bytes, "bee merge"),
    "waits": _table("waits", "bee merge"),
    "without_trial": _table("without_trial", "bee merge"),
    "coverage_so_far": _optional_file(COVERAGE, _decode_last_coverage, default=coverage.Coverage()),
    "model": _file(model.PATH, model.decode, model.encode, "bee flag --fit"),
    "model_so_far": _optional_file(model.PATH, model.decode),
    # tables that `bee flag` makes
    "links": _table("links", "bee flag"),
    "sisters": _table("sisters", "bee flag"),
    "flags": _table("flags", "bee flag"),
    "unsafe_words": _part("unsafe_words", "flags", "bee flag", UNSAFE_FLAGS),
    "estimates": _table("estimates", "bee flag"),
    "decisions": _table("decisions", "bee flag"),
    # tables and files that the other commands make
    "diffs": _table("diffs", "bee diff"),
    "violations": _table("violations", "bee check"),
    "made_with": _group("custom", datapackage.MADE_WITH, optional=True),
    # the last release
    "published_record": _published(datapackage.RECORD, record.decode, frames.empty("record"), bytes),
    "published_coverage": _published(
        reader.PACKAGE, datapackage.coverage_of, coverage.Coverage(), _content_of_coverage
    ),
    "published_track": _published(datapackage.TRACK, _decode_track, frames.empty("track"), bytes),
    # Only new days are compared with it, and these make the record stale themselves.
    "published_list": replace(
        _published("wordlist.txt", _decode_list, _decode_list(b""), bytes), digest_of=lambda _files: ""
    ),
    "release": Entry(
        tuple(f"custom/{name}" for name in release.FILES),
        _decode_release,
        lambda next_release: {f"custom/{name}": data for name, data in next_release.files.items()},
        "bee publish",
        optional=True,
        replaced_together=True,
    ),
}
"""Everything on disk, by name."""
TABLES = frozenset(name for name in ENTRIES if name in frames.CONTRACTS)
"""The names of single tables."""


def load(workspace: Workspace, name: str, progress: Progress = no_progress) -> Any:
    """Return the value of a name; if it is not on disk, raises StoreError with the command that makes it."""
    entry = ENTRIES[name]
    files = entry.files(workspace, with_beside=True)
    if not (files or entry.optional):
        raise store.missing_file((entry.root or workspace.root) / entry.paths[0].partition("/*")[0], entry.made_by)
    return entry.decode(files, progress)


def has_files(workspace: Workspace, name: str) -> bool:
    """Return whether there is any file on disk for a name."""
    return bool(ENTRIES[name].files(workspace))


def load_all(workspace: Workspace, *names: str) -> dict[str, Any]:
    """Return the values of several names."""
    return {name: load(workspace, name) for name in names}


def load_opinions(workspace: Workspace) -> OpinionTables:
    """Return the facts and opinions about every word."""
    return OpinionTables(
        decisions=load(workspace, "decisions"),
        record=load(workspace, "record"),
        flags=load(workspace, "flags"),
        lexicon=load(workspace, "vocabulary"),
        forms=load(workspace, "forms"),
        verdicts=load(workspace, "verdicts"),
    )


def load_opinions_about(workspace: Workspace, words: list[str]) -> OpinionTables:
    """Return the tables of `load_opinions`, but only the rows of some words and of their possible relatives.

    Parquet finds the rows, so a question about one word does not read whole tables.
    """
    forms = load(workspace, "forms")
    words_and_relatives = {*words}.union(*(relatives_of(word, forms) for word in words))
    record = load(workspace, "record")
    return OpinionTables(
        decisions=_read_rows(workspace, "decisions", words=words),
        record=record[columns.is_in(record["word"], words_and_relatives)],
        flags=_read_rows(workspace, "flags", words=words),
        lexicon=_read_rows(workspace, "vocabulary", words=words),
        forms=forms,
        verdicts=load(workspace, "verdicts"),
    )


def load_day_state(workspace: Workspace, date: str) -> DayState:
    """Return whether a day counts, and what is special about it."""
    covered = load(workspace, "coverage").dates
    return day_state(date, covered, **load_all(workspace, "puzzles", "waits", "without_trial"))


def load_track(workspace: Workspace) -> pd.DataFrame:
    """Return the track record: that of the last merge or, if there is none, that of the release."""
    table: pd.DataFrame = load(workspace, "track" if has_files(workspace, "track") else "published_track")
    return table


def load_words(workspace: Workspace, name: str) -> pd.Series:
    """Return the words of a derived table."""
    return _read_rows(workspace, name, columns=["word"])["word"]


def _read_rows(
    workspace: Workspace, name: str, words: list[str] | None = None, columns: list[str] | None = None
) -> pd.DataFrame:
    """Read some rows (by word) or some columns of a derived table."""
    entry = ENTRIES[name]
    path = entry.paths[0]
    data = store.read_bytes(workspace.root / path, entry.made_by)
    place = str(workspace.root / path)
    filters = [("word", "in", words)] if words is not None else None
    found = _read_parquet(place, data, entry.made_by, columns=columns, filters=filters)
    return found if columns else _conform(found, name, place, entry.made_by)


def save(workspace: Workspace, name: str, value: Any) -> str:
    """Write a value, replacing its files as a whole, and return the digest of what was written."""
    entry = ENTRIES[name]
    if entry.encode is None:
        raise BeeError(f"No command writes {name}.")
    files = entry.encode(value)
    if entry.replaced_together:
        store.write_together(workspace.custom, {Path(path).name: data for path, data in files.items()})
    else:
        for path, data in files.items():
            store.write_bytes(workspace.root / path, data)
    return _digest(entry, {path: reader.sha256(data) for path, data in files.items()})


def digest(workspace: Workspace, name: str) -> str:
    """Return a digest of the content of a name, not of times; "" if it has no files."""
    entry = ENTRIES[name]
    files = entry.files(workspace)
    if entry.digest_of:
        return entry.digest_of(files)
    return _digest(entry, {path: files.sha256(path) for path in files})


def _digest(entry: Entry, checksums: Mapping[str, str]) -> str:
    """Return the digest of files. That of a single file is its checksum, wherever the file is."""
    if len(entry.paths) == 1 and "*" not in entry.paths[0]:
        return "".join(checksums.values())
    return reader.sha256("".join(f"{path} {checksums[path]}\n" for path in sorted(checksums)).encode())
