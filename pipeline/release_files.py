"""The release on disk: the one before, the licence texts that go into it, and whether it was cut short."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pipeline import frames, lexicon_files, store
from pipeline.store import Workspace

_HERE = Path(__file__).parent
LICENCE = _HERE / "LICENSE" if (_HERE / "LICENSE").exists() else _HERE.parent / "LICENSE"
"""The licence of the code and of the release: inside an installed wheel, or the checkout's own."""


def last(folder: Path) -> dict[str, Any]:
    """Read `datapackage.json` of the release in a folder; empty when there is none, or a damaged one."""
    try:
        value = json.loads((folder / "datapackage.json").read_bytes())
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}


def licences(workspace: Workspace) -> dict[str, str]:
    """Read our licence and that of each list in full, by title."""
    texts = {"This release": LICENCE.read_text("utf-8")}
    for row in frames.rows(lexicon_files.sources(workspace)):
        path = workspace.raw / "lexicon" / "licences" / f"{row['list']}.txt"
        title = f"{row['title']} {row['version']}, {row['licence']}, {row['home']}"
        texts[title] = store.read_bytes(path, "bee lexicon").decode("utf-8", "replace")
    return texts


def changes(folder: Path, files: Mapping[str, bytes], before: Mapping[str, Any]) -> bytes | None:
    """Return the CHANGES.md that is there when it is still true of the new files, else None.

    That is so when the version stays, and when the release before last was cut off between its list and its
    `datapackage.json`: then the changes to this list have been told already.
    """
    told, listed = folder / "CHANGES.md", folder / "wordlist.txt"
    if not (before and told.exists() and listed.exists()):
        return None
    sealed = {row["path"]: row["hash"] for row in before.get("resources", ())}
    cut_off = (
        sealed.get("wordlist.txt") != f"sha256:{store.sha256(listed.read_bytes())}"
        and listed.read_bytes() == files["wordlist.txt"]
    )
    stays = json.loads(files["datapackage.json"])["version"] == before.get("version")
    return told.read_bytes() if stays or cut_off else None
