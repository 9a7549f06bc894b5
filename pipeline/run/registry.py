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
from pipeline.facts import by_hand, decision_files, evidence, own_lists
from pipeline.facts.lexicon import with_unlisted_words
from pipeline.fetching import captures
from pipeline.intake import checkpoint, counting
from pipeline.opinions import decide, model, relatives
from pipeline.progress import Track, untracked
from pipeline.publishing import release, verify
from pipeline.store import StoreError, Workspace
from pipeline.tables import columns, frames
from pipeline.words import NEVER_LISTED, OFFENSIVE, BeeError

_HERE = Path(__file__).parent.parent
_LICENSE = _HERE if (_HERE / "LICENSE").exists() else _HERE.parent
"""The path of the license of the code and of the release: inside an installed wheel, or in the checkout."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A table or a group of files: patterns of its paths, its codec, and the command that makes it.

    An `optional` entry may have no files yet. Files with `at_once` are replaced all at once. Files `beside` only save
    the codec work; they are not part of the entry's content. What is `aside` only guards; its change makes nothing
    stale.
    """

    paths: tuple[str, ...]
    decode: Callable[[store.Files, Track], Any]
    encode: Callable[[Any], dict[str, bytes]] | None = None
    made_by: str = ""
    optional: bool = False
    at_once: bool = False
    aside: bool = False
    root: Path | None = None
    beside: tuple[str, ...] = ()

    def files(self, workspace: Workspace, *more: str) -> store.Files:
        """Return the files that exist now."""
        root = self.root or workspace.root
        paths = (path for pattern in (*self.paths, *more) for path in root.glob(pattern) if path.is_file())
        found = {path.relative_to(root).as_posix() for path in paths}
        return store.Files(root, tuple(sorted(found)))


def _table(name: str, made_by: str, of: str = "", where: list[tuple[str, str, Iterable[str]]] | None = None) -> Entry:
    """Register a derived table, stored as Parquet, or some columns `of` another table, and only the rows `where`."""
    path = f"build/{of or name}.parquet"

    def decode(files: store.Files, _track: Track) -> pd.DataFrame:
        if path not in files:
            return frames.empty(name)
        try:
            named = list(frames.CONTRACTS[name].columns) if of else None
            return frames.conform(pd.read_parquet(columns.source(files[path]), columns=named, filters=where), name)
        except (ValueError, OSError) as error:
            raise StoreError(f"{path} is damaged; delete it, and `{made_by}` makes it again.") from error

    def encode(frame: pd.DataFrame) -> dict[str, bytes]:
        buffer = io.BytesIO()
        repeated = [column for column in frames.CONTRACTS[name].columns if column != "word"]
        frames.check(frame, name).to_parquet(buffer, index=False, row_group_size=GROUP, use_dictionary=repeated)
        return {path: buffer.getvalue()}

    return Entry((path,), decode, None if of else encode, made_by)


def _by_hand(name: str, path: str) -> Entry:
    """Register a table that people write, which may not exist."""

    def decode(files: store.Files, _track: Track) -> pd.DataFrame:
        if path not in files:
            return frames.empty(name)
        try:
            return decision_files.read(name, path, files[path])
        except frames.FrameError as error:
            says = str(error) if str(error).startswith(path) else f"{path}: {error}"
            back = f"`bee restore --only {Path(path).name}` brings back that of the last commit"
            raise StoreError(f"{says} Correct the file, or {back}.") from error

    return Entry((path,), decode, optional=True)


def _file(
    path: str,
    decode: Callable[[bytes], Any],
    encode: Callable[[Any], bytes] | None = None,
    made_by: str = "",
    optional: bool = False,
    none: Any = None,
) -> Entry:
    """Register one file; `none` is the value of an optional one that does not exist yet."""
    return Entry(
        (path,),
        lambda files, _: decode(files[path]) if path in files else none,
        (lambda value: {path: encode(value)}) if encode else None,
        made_by,
        optional,
    )


def _release(files: store.Files, _track: Track) -> reader.Release | None:
    """Check and return the last release, or None before the first."""
    named = {name.removeprefix("custom/"): data for name, data in files.items()}
    return reader.check(named, "custom", whole=True) if named else None


EVIDENCE, TRACK = "custom/evidence.csv", "custom/track.csv"
REQUESTS = "build/requests.csv"

ENTRIES: dict[str, Entry] = {
    "captures": Entry(("raw/*/*",), captures.decode, optional=True, beside=(captures.PARSED,)),
    "parsed": _file(captures.PARSED, captures.decode_parsed, captures.encode_parsed, "bee merge"),
    "lexicon_files": Entry(
        ("raw/lexicon/**/*",),
        lambda files, _: {name.removeprefix("raw/lexicon/"): data for name, data in files.items()},
        made_by="bee init",
    ),
    "own_lists": Entry(("raw/lists/*/*",), lambda files, _: own_lists.decode(files), optional=True),
    "license": Entry(("LICENSE",), lambda files, _: files["LICENSE"].decode(), root=_LICENSE),
    **{name: _by_hand(name, path) for name, path in by_hand.PATHS.items()},
    "offensive": _by_hand("offensive", by_hand.PATHS["grades"]),
    "lines": Entry(tuple(by_hand.PATHS.values()), lambda files, _: decision_files.line_numbers(files), optional=True),
    "requests": _file(
        REQUESTS,
        lambda data: frames.read_log(data, REQUESTS, "requests"),
        optional=True,
        none=frames.empty("requests"),
    ),
    "settled": _file(EVIDENCE, evidence.decode, evidence.encode, "bee merge", optional=True, none=evidence.NONE),
    "evidence": _file("build/evidence.csv", evidence.decode, evidence.encode, "bee merge"),
    "evidence_file": _file(EVIDENCE, bytes, optional=True),
    "base": _file("build/base.csv", counting.decode, counting.encode, optional=True, none=counting.NOTHING),
    "checkpoint": _file(
        "build/checkpoint.csv", checkpoint.decode, checkpoint.encode, optional=True, none=checkpoint.NOTHING
    ),
    "published": replace(
        _file(f"custom/{reader.PACKAGE}", verify.covered, optional=True, none=frozenset()), aside=True
    ),
    "beside": Entry(
        tuple(f"custom/{name}" for name in verify.BESIDE),
        lambda files, _: {path.removeprefix("custom/"): data for path, data in files.items()},
        optional=True,
    ),
    "model": _file(model.PATH, model.decode, model.encode, "bee fit"),
    "learned": _file(model.PATH, model.decode, optional=True),
    "track": replace(
        _by_hand("track", "custom/track.csv"), encode=lambda rows: {"custom/track.csv": frames.csv_bytes(rows)}
    ),
    **{name: replace(_table(name, "bee merge"), optional=True) for name in ("forecasts", "news")},
    **{
        name: _table(name, "bee merge")
        for name in (
            *("lexicon", "frequencies", "dates", "puzzles", "answers", "conflicts", "reported", "faults"),
            *("unlisted_words", "candidates", "trials", "waiting", "versions"),
        )
    },
    **{
        name: _table(name, "bee flag")
        for name in ("links", "same_stem", "spellings", "flags", "estimates", "decisions")
    },
    "lemmas": _table("lemmas", "bee merge", of="lexicon"),
    "probabilities": _table("probabilities", "bee flag", of="estimates"),
    "never_listed": _table("never_listed", "bee flag", of="flags", where=[("flag", "in", NEVER_LISTED)]),
    "offensive_words": _table("offensive_words", "bee flag", of="flags", where=[("flag", "in", OFFENSIVE)]),
    "diffs": _table("diffs", "bee diff"),
    "violations": _table("violations", "bee check"),
    "release": Entry(
        tuple(f"custom/{name}" for name in release.FILES),
        _release,
        lambda cut: {f"custom/{name}": data for name, data in cut.files.items()},
        "bee publish",
        optional=True,
        at_once=True,
    ),
}

GROUP = 16_384
"""The number of rows that are read together. Finding the rows of one word takes a sixth of the time to read all."""
TABLES = frozenset(name for name in ENTRIES if name in frames.CONTRACTS)
"""The names of single tables."""


def load(workspace: Workspace, name: str, track: Track = untracked) -> Any:
    """Return the value of a name; if it is not on disk, raises StoreError with the command that makes it."""
    entry = ENTRIES[name]
    files = entry.files(workspace, *entry.beside)
    if not (files or entry.optional):
        path = workspace.root / entry.paths[0].partition("/*")[0]
        raise StoreError(f"There is no {path}; `{entry.made_by}` makes it.")
    return entry.decode(files, track)


def there(workspace: Workspace, name: str) -> bool:
    """Return whether there is any file on disk for a name."""
    return bool(ENTRIES[name].files(workspace))


def load_all(workspace: Workspace, *names: str) -> dict[str, Any]:
    """Return the values of several names."""
    return {name: load(workspace, name) for name in names}


def opinions(workspace: Workspace) -> dict[str, pd.DataFrame]:
    """Return all facts and opinions about every word, by table; `evidence` is only the record."""
    names = ("lexicon", "unlisted_words", "candidates", "flags", "estimates", "decisions", "evidence", "verdicts")
    tables = load_all(workspace, *names)
    lexicon = with_unlisted_words(tables["lexicon"], tables.pop("unlisted_words"))
    told = decide.told(tables["estimates"], tables["decisions"])
    return {**tables, "lexicon": lexicon, "evidence": tables["evidence"].record, "estimates": told}


def opinions_about(workspace: Workspace, word: str) -> dict[str, pd.DataFrame]:
    """Return the tables of `opinions`, but only the rows of a word and of its possible relatives.

    Parquet finds the rows, so a question about one word does not read whole tables.
    """
    near = [word, *relatives.near(word, _rows(workspace, "lexicon", None, ["word"])["word"]).tolist()]
    tables = {name: _rows(workspace, name, near) for name in ("lexicon", "unlisted_words")}
    tables |= {name: _rows(workspace, name, [word]) for name in ("candidates", "flags", "estimates", "decisions")}
    lexicon = with_unlisted_words(tables["lexicon"], tables.pop("unlisted_words"))
    tables["estimates"] = decide.told(tables["estimates"], tables["decisions"])
    found = load_all(workspace, "evidence", "verdicts")
    return {**tables, "lexicon": lexicon, "evidence": found["evidence"].record, "verdicts": found["verdicts"]}


def _rows(workspace: Workspace, name: str, words: list[str] | None, named: list[str] | None = None) -> pd.DataFrame:
    """Read some rows (by word) or some columns of a derived table."""
    entry = ENTRIES[name]
    path = workspace.root / entry.paths[0]
    data = columns.source(store.read_bytes(path, entry.made_by))
    try:
        return pd.read_parquet(data, columns=named, filters=None if words is None else [("word", "in", words)])
    except (ValueError, OSError) as error:
        raise StoreError(f"{entry.paths[0]} is damaged; delete it, and `{entry.made_by}` makes it again.") from error


def save(workspace: Workspace, name: str, value: Any) -> str:
    """Write a value, replacing its files as a whole, and return the digest of what was written."""
    entry = ENTRIES[name]
    if entry.encode is None:
        raise BeeError(f"No command writes {name}.")
    files = entry.encode(value)
    if entry.at_once:
        store.write_together(workspace.custom, {Path(path).name: data for path, data in files.items()})
    else:
        for path, data in files.items():
            store.write_bytes(workspace.root / path, data)
    return _digest({path: reader.sha256(data) for path, data in files.items()})


def digest(workspace: Workspace, name: str) -> str:
    """Return a digest of the content of all files of a name: paths and bytes, not times."""
    files = ENTRIES[name].files(workspace)
    return _digest({path: files.sha256(path) for path in files})


def _digest(checksums: Mapping[str, str]) -> str:
    return reader.sha256("".join(f"{path} {checksums[path]}\n" for path in sorted(checksums)).encode())
