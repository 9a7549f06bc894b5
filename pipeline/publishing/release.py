"""The release on disk: the one before, the licence texts that go into it, and how it is put in place."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pipeline import frames, lexicon_files, store
from pipeline.store import Workspace

_HERE = Path(__file__).parent
LICENCE = _HERE / "LICENSE" if (_HERE / "LICENSE").exists() else _HERE.parent / "LICENSE"
"""The licence of the code and of the release: inside an installed wheel, or the checkout's own."""


def last(folder: Path) -> dict[str, Any]:
    """Read `datapackage.json` of the release in a folder; empty when there is no release.

    Raises StoreError when a list is there and its description is gone or damaged: the next version hangs on it.
    """
    settle(folder)
    path = folder / "datapackage.json"
    if not path.exists() and not (folder / "wordlist.txt").exists():
        return {}
    try:
        value = json.loads(store.read_bytes(path, "git checkout"))
    except ValueError:
        value = None
    if not isinstance(value, dict) or not re.fullmatch(r"\d{4}\.\d\d\.\d\d\.\d+", str(value.get("version"))):
        raise store.StoreError(f"{path} is damaged, and the next version hangs on it; take it from the last release.")
    return value


def licences(workspace: Workspace) -> dict[str, str]:
    """Read our licence and that of each list in full, by title."""
    texts = {"This release": LICENCE.read_text("utf-8")}
    for row in frames.rows(lexicon_files.sources(workspace)):
        path = workspace.raw / "lexicon" / "licences" / f"{row['list']}.txt"
        title = f"{row['title']} {row['version']}, {row['licence']}, {row['home']}"
        texts[title] = store.read_bytes(path, "bee lexicon").decode("utf-8", "replace")
    return texts


def write(folder: Path, files: Mapping[str, bytes]) -> None:
    """Put the files of a release in place, all or none; files that are as they should be are not touched.

    They are written beside first, in a folder that gets its name `.ready` when it is whole. Whoever comes next
    finishes what was cut off after that, and throws away what was cut off before.
    """
    changed = {name: data for name, data in files.items() if not _same(folder / name, data)}
    if not changed:
        return
    beside = folder / ".begun"
    shutil.rmtree(beside, ignore_errors=True)
    for name, data in changed.items():
        store.write_bytes(beside / name, data)
    beside.rename(folder / ".ready")
    settle(folder)


def settle(folder: Path) -> None:
    """Finish a `write` that was cut off while it put files in place."""
    ready = folder / ".ready"
    if ready.is_dir():
        for path in sorted(ready.iterdir()):
            path.replace(folder / path.name)
        ready.rmdir()


def _same(path: Path, data: bytes) -> bool:
    return path.is_file() and path.read_bytes() == data
