"""Builds the site: all its files, name to bytes, from the content of a release and the page. The functions are pure."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from pipeline import reader
from pipeline.site import data, pages
from pipeline.site.content import Content
from pipeline.site.pages import Frame

__all__ = ["PAGE", "PLAIN", "Frame", "make_site"]

TEMPLATES = ("index.html", "sw.js")
"""The files of the page into which the build id is inserted."""
SCRIPTS = tuple(
    f"{name}.js"
    for name in "game days saved list clues page archive play board hints ending lookup home settings main".split()
)
"""The scripts, each after those that it imports."""
PICTURES = ("icon.svg", "icon-192.png", "icon-512.png", "icon-maskable.png", pages.SHARE_PICTURE)
PAGE = (*TEMPLATES, "style.css", *SCRIPTS, "manifest.webmanifest", *PICTURES)
PLAIN = ("frame.html", "data.html", pages.ATOM)
"""The templates of the pages without scripts and of the feed."""
FIRST = ("index.html", "style.css", *SCRIPTS, "manifest.webmanifest", "icon.svg", "words.json")
"""The files that a browser saves first. They are enough to play most puzzles offline."""
IMPORTS = re.compile(rb'(?<=from "\./)(\w+\.js)(?=";)')
COMMENTS = re.compile(rb"^ *(//[^\n]*|/\*.*?\*/)\n|^ +| +// [^\n\"'`]*$", re.MULTILINE | re.DOTALL)


def make_site(content: Content, frame: Frame) -> dict[str, bytes]:
    """Return the files of the site, name to bytes. `frame` has the files in `PAGE` and `PLAIN`."""
    index = frame.located(frame.page["index.html"].decode(), "")
    files = {name: _without_comments(name, frame.page[name]) for name in PAGE if name not in TEMPLATES}
    files |= {name: plot for name, plot in frame.report.items() if name != pages.REPORT}
    files |= {reader.LICENSES: content.licenses}
    files |= pages.pages(content, frame)
    files |= data.data_files(content, frame.repository)
    checksums = {name: reader.sha256(file) for name, file in {**files, "index.html": index}.items()}
    build = reader.sha256(json.dumps(checksums, sort_keys=True).encode())[:12]
    for name in SCRIPTS:  # so that a browser does not mix the scripts of two builds
        files[name] = IMPORTS.sub(rb"\1?v=" + build.encode(), files[name])
    files["index.html"] = index.replace(b"{{BUILD}}", build.encode())
    files["sw.js"] = _worker(frame.page["sw.js"], build, files)
    return files | {download.path: download.data for download in content.downloads}


def _without_comments(name: str, file: bytes) -> bytes:
    """Return a file of the page. Scripts and styles are returned without indentation and comments."""
    return COMMENTS.sub(b"", file) if name.endswith((".js", ".css")) else file


def _worker(template: bytes, build: str, files: Mapping[str, bytes]) -> bytes:
    """Return the service worker with the build id, the id of the data, the files to save first, and the checksum of
    every file inserted, except those in `words/`, which have the id."""
    data_id = json.loads(files["words.json"])["id"]
    checksums = {name: reader.sha256(files[name])[:32] for name in sorted(files) if "/" not in name}
    values = {"BUILD": build, "DATA": data_id, "FIRST": json.dumps(FIRST), "FILES": json.dumps(checksums)}
    for name, value in values.items():
        template = template.replace(f"{{{{{name}}}}}".encode(), value.encode())
    return template
