"""Files of the site for other programs: `latest.json` with stable addresses, and an Atom feed of releases. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any
from xml.sax.saxutils import escape

from pipeline import reader

LATEST, ATOM = "latest.json", "releases.atom"

File = dict[str, Any]
"""A download: path from the root of the site, says, bytes, sha256."""


def files(downloads: Mapping[str, tuple[bytes, str]]) -> list[File]:
    """Describe downloads, name to (bytes, sentence), in their order."""
    return [
        {"path": f"list/{name}", "says": says, "bytes": len(data), "sha256": reader.sha256(data)}
        for name, (data, says) in downloads.items()
    ]


def feed(package: Mapping[str, Any], documents: Mapping[str, bytes], described: Sequence[File]) -> dict[str, bytes]:
    """Write both files from the description of the release and its CHANGES.md. The same input gives the same bytes."""
    latest = {key: package.get(key) for key in ("name", "version", "covers", "words", "licenses")}
    latest |= {"page": "./", "feed": ATOM, "licenses_text": "LICENSES.txt", "files": list(described)}
    return {LATEST: (json.dumps(latest, indent=1) + "\n").encode(), ATOM: _atom(package, documents).encode()}


def _atom(package: Mapping[str, Any], documents: Mapping[str, bytes]) -> str:
    """Write the feed with the newest release. Feed readers keep the earlier entries."""
    version = escape(str(package.get("version", "unknown")))
    covers = package.get("covers") or {}
    updated = f"{covers.get('last', '2018-05-09')}T23:59:59Z"
    changes = documents["CHANGES.md"].decode("utf-8", "replace")
    summary = escape("\n".join(changes.splitlines()[:40]))
    name = escape(str(package.get("name", "bee-wordlist")))
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        '<feed xmlns="http://www.w3.org/2005/Atom">\n'
        f" <id>urn:x-{name}:releases</id>\n"
        f" <title>Releases of {name}</title>\n"
        f" <author><name>The {name} maintainers</name></author>\n"
        f" <updated>{updated}</updated>\n"
        f' <link rel="self" href="{ATOM}"/>\n <link href="./"/>\n'
        " <entry>\n"
        f"  <id>urn:x-{name}:release:{version}</id>\n"
        f"  <title>Release {version}</title>\n"
        f"  <updated>{updated}</updated>\n"
        '  <link href="./#/list"/>\n'
        f'  <content type="text">{summary}</content>\n'
        " </entry>\n"
        "</feed>\n"
    )
