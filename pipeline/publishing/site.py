"""The site: a web page that plays, solves and explains. Pure: takes a release, returns file names and bytes.

The page itself (`page/`) is the same for every release. The content of a release goes into data files that script tags
can load, so the page also works without a server: `words.js` has what most puzzles need, the listed words without S,
and the others are loaded when they are needed. All carry the id of words.js, and the page refuses files of different
releases. `coding` describes the encoding.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from string import Template
from typing import Any

from pipeline import reader, solver
from pipeline.errors import DataError
from pipeline.facts import seal
from pipeline.opinions.catalog import FLAGS
from pipeline.play.glosses import Sense
from pipeline.publishing import coding
from pipeline.publishing.plain_pages import Frame, data_files, located, site_map
from pipeline.publishing.word_pages import word_pages
from pipeline.tables import cells
from pipeline.words import FILTERS, GAME, LISTED, REASONS, mask, pangram

CHANGES, LICENSES = "CHANGES.md", "LICENSES.txt"
LATEST, ATOM = "latest.json", "releases.atom"
SUMMARY = 900
"""The maximum number of characters of an entry of the feed."""
TEMPLATES = ("index.html", "sw.js")
"""Files of the page in which the build id is inserted."""
SCRIPTS = tuple(f"{name}.js" for name in "boot bee days shelf parts game sheets start app".split())
"""The scripts of the game, in their order; `pages.js`, the other sections, is loaded when it is needed."""
PICTURES = ("icon.svg", "icon-192.png", "icon-512.png", "icon-maskable.png")
PAGE = (*TEMPLATES, "style.css", *SCRIPTS, "pages.js", "manifest.webmanifest", *PICTURES)
PLAIN = ("plain.html", "words.html", "words-index.html", "words.css", "data.html", "croissant.json", "releases.atom")
"""The templates and the style sheet of the pages without script, and the templates of files for programs."""
FIRST = ("index.html", "style.css", *SCRIPTS, "manifest.webmanifest", "icon.svg", "words.js")
"""The files that a browser saves first: enough to play most puzzles offline."""
COMMENTS = re.compile(rb"^ *(//[^\n]*|/\*\*.*?\*/)\n", re.MULTILINE | re.DOTALL)
REPORT = "ACCURACY.md"
FILTER_SAYS = {
    "safe": "without slurs, strong vulgarities and explicit sexual terms",
    "family": "for families: without mild vulgarities, drugs and demeaning terms too",
}
"""The names of `words.FILTERS` on the page."""

Row = Mapping[str, Any]
File = dict[str, Any]
"""A download: path from the root of the site, says, bytes, sha256."""


@dataclass(frozen=True, slots=True)
class Extras:
    """Optional content of a site besides the release.

    `glosses` and `sizes` (SCOWL sizes) are by word. `pool` has our own puzzles: center, outer, level (0 to 2), `days`
    those published by date: letters, level. `links` pairs words with their bases, both as positions among all words
    A to Z. `downloads` are name to (bytes, sentence). `repository` is the address for reports about words, `address`
    that of the site with a slash at its end, or "".
    """

    glosses: Mapping[str, Sequence[Sense]] = field(default_factory=dict)
    pool: Sequence[tuple[str, str, int]] = ()
    days: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    sizes: Mapping[str, int] = field(default_factory=dict)
    links: Sequence[tuple[int, int]] = ()
    report: Mapping[str, bytes] = field(default_factory=dict)
    downloads: Mapping[str, tuple[bytes, str]] = field(default_factory=dict)
    repository: str = ""
    address: str = ""


def site(
    rows: Sequence[Row], record: Sequence[Row], package: Mapping[str, Any], documents: Mapping[str, bytes],
    page: Mapping[str, bytes], extras: Extras,
) -> dict[str, bytes]:  # fmt: skip
    """Make the files of the site, name to bytes. `rows` are from `rows_of`, `record` from `record_of`, `documents` has
    `CHANGES` and `LICENSES`, and `page` the files named in `PAGE` and `PLAIN`."""
    page = {**page, "index.html": located(page["index.html"].decode(), "", extras.address).encode()}
    first = [row for row in rows if row["tier"] in LISTED and "s" not in row["word"]]
    more = [row for row in rows if row["tier"] != "refused" and ("s" in row["word"] or row["tier"] not in LISTED)]
    refused = [row for row in rows if row["tier"] == "refused"]
    listed = [row["word"] for row in rows if row["tier"] in LISTED]
    list_first, list_more = coding.front_coded(first, chances=False), coding.front_coded(more)
    release = reader.sha256(f"{list_first} {list_more}".encode())[:16]
    downloads = download_entries(extras.downloads)
    more_of = {"likely": coding.chances(first), "pangrams": coding.front_coded(guessable(rows, listed))}
    data = {
        "more.js": _script("beeMore", {"of": release, **more_of, "list": list_more}),
        "record.js": _record(release, [*first, *more], refused, record, documents, extras),
        "puzzles.js": _script("beePuzzles", {"of": release, **_puzzles(extras)}),
        "kin.js": _script("beeKin", {"of": release, **_kin(rows, extras)}),
        **_glosses(release, [*first, *more], extras.glosses),
    }
    words = {key: package.get(key) for key in ("version", "covers", "words", "licenses", "sources")} | {
        "id": release,
        "rules": GAME.for_scripts(),
        "filters": [{"name": name, "says": FILTER_SAYS.get(name, f"without {name} words")} for name in FILTERS],
        "daily": _days(extras.days),
        "report": REPORT in extras.report,
        "glosses": round(100 * sum(word in extras.glosses for word in listed) / max(len(listed), 1), 1),
        "repository": extras.repository.rstrip("/"),
        "files": downloads,
        "list": list_first,
    }
    fixed = {name: _bare(name, page[name]) for name in PAGE if name not in TEMPLATES} | {LICENSES: documents[LICENSES]}
    kept = {**fixed, **data, **{name: content for name, content in extras.report.items() if name != REPORT}}
    sums = {name: reader.sha256(content) for name, content in {**page, **kept}.items()}
    build = reader.sha256(json.dumps([sums, words], sort_keys=True).encode())[:12]
    kept["words.js"] = _script("beeWords", {**words, "build": build})
    kept["index.html"] = page["index.html"].replace(b"BUILD", build.encode())
    public = {f"list/{name}": content for name, (content, _) in extras.downloads.items()}
    covers = package.get("covers") or {"last": GAME.first_day}
    frame = Frame(page, str(package["version"]), covers["last"], extras.address)
    plain = data_files(package, downloads, frame, REPORT in extras.report)
    plain |= word_pages(rows, record, extras.glosses, frame)
    plain |= site_map(plain, frame) | feed_files(package, documents, downloads, frame)
    return {**kept, "sw.js": _worker(page["sw.js"], build, kept), **public, **plain}


def _bare(name: str, content: bytes) -> bytes:
    """Return a file of the page; a script without its comments, which a browser does not need."""
    return COMMENTS.sub(b"", content) if name.endswith(".js") else content


def guessable(rows: Sequence[Row], listed: Sequence[str]) -> list[Row]:
    """Return the pangrams that may be the guess for letters that have no listed pangram, as `bee solve` guesses."""
    has = {mask(word) for word in listed if pangram(word)}
    chance = solver.pangram_candidates(rows)
    return [row for row in rows if row["word"] in chance and mask(row["word"]) not in has]


def _record(
    release: str, known: Sequence[Row], refused: Sequence[Row], evidence: Sequence[Row],
    documents: Mapping[str, bytes], extras: Extras,
) -> bytes:  # fmt: skip
    """Write the data for word lookup. Its rows follow the words of words.js, more.js and its own list."""
    flags = [{"id": rule.id, "severity": rule.severity, "name": rule.name, "says": rule.sentence} for rule in FLAGS]
    record = {
        "of": release,
        "list": coding.front_coded(refused),
        "flags": flags,
        "sentences": REASONS,
        **coding.reasons([*known, *refused], evidence),
        "changes": documents[CHANGES].decode("utf-8", "replace"),
        "report": extras.report[REPORT].decode("utf-8", "replace") if REPORT in extras.report else "",
    }
    return _script("beeRecord", record)


def _kin(rows: Sequence[Row], extras: Extras) -> dict[str, str]:
    """Encode the SCOWL sizes of all words A to Z, in steps of five in base 36, and the distances to their bases."""
    bases: dict[int, list[int]] = {}
    for form, base in extras.links:
        bases.setdefault(form, []).append(form - base)
    coded = [",".join(map(_signed, bases.get(at, ()))) for at in range(len(rows))]
    sizes = "".join(coding.base36(extras.sizes[row["word"]] // 5) for row in rows) if extras.sizes else ""
    return {"bases": " ".join(coded), "sizes": sizes}


def _signed(number: int) -> str:
    return ("-" if number < 0 else "") + coding.base36(abs(number))


def _puzzles(extras: Extras) -> dict[str, str]:
    """Encode the pool: seven letters, and a level for each of them as the center."""
    levels: dict[str, list[str]] = {}
    for center, outer, level in extras.pool:
        letters = "".join(sorted(center + outer))
        levels.setdefault(letters, ["-"] * 7)[letters.index(center)] = str(level)
    pool = "".join(letters + "".join(levels[letters]) for letters in sorted(levels))
    return {"pool": pool}


def _days(days: Mapping[str, tuple[str, int]]) -> dict[str, str]:
    """Encode the published puzzles of the day: the first date, seven letters for each day, and a level for each."""
    letters, levels = ("".join(str(day[at]) for day in days.values()) for at in (0, 1))
    return {"first": min(days, default=""), "letters": letters, "levels": levels}


def _glosses(release: str, rows: Sequence[Row], glosses: Mapping[str, Sequence[Sense]]) -> dict[str, bytes]:
    """Write one file per first letter: word to its senses: part of speech, gloss, 1 if it is offensive else 0, and form
    and base if the sense is that of a base; without the 0 at the end."""
    shards: dict[str, dict[str, Any]] = {}
    for word in sorted(row["word"] for row in rows if row["word"] in glosses):
        shards.setdefault(word[0], {})[word] = [
            [one.pos, one.gloss, int(one.offensive), one.form, one.base]
            if one.base
            else [one.pos, one.gloss, *[1] * one.offensive]
            for one in glosses[word]
        ]
    names = sorted(shards)
    return {f"gloss-{name}.js": _script(f"beeGloss_{name}", {"of": release, "words": shards[name]}) for name in names}


def _worker(template: bytes, build: str, kept: Mapping[str, bytes]) -> bytes:
    """Insert into the service worker the build id, the files to save first, and the checksum of every file."""
    sums = {name: reader.sha256(kept[name])[:32] for name in sorted(kept)}
    filled = template.replace(b"{{BUILD}}", build.encode())
    filled = filled.replace(b"{{FIRST}}", json.dumps(FIRST).encode())
    return filled.replace(b"{{FILES}}", json.dumps(sums).encode())


def record_of(evidence: bytes) -> list[dict[str, Any]]:
    """Return the rows of evidence.csv, counts as numbers; raise BeeError if its checksum does not match."""
    seal.coverage(evidence)
    rows = cells.read_rows(evidence, "evidence.csv")
    return [{**row, "offered": int(row["offered"]), "accepted": int(row["accepted"])} for row in rows]


def rows_of(words: bytes) -> list[dict[str, str]]:
    """Return the rows of words.csv (all cells text), A to Z; raise ReleaseError or DataError if a row is invalid."""
    rows = reader.check_words(words)
    flags = {rule.id for rule in FLAGS}
    for row in rows:
        if unknown := {*row["flags"].split()} - flags:
            wrong = f'"{row["word"]}" has the flag "{min(unknown)}"'
            raise DataError(f"words.csv: {wrong}, which is none of `bee flag --list`.")
    return rows


def _script(name: str, value: object) -> bytes:
    """Write a value as a script that sets one global name: a page opened from a folder may load no other data."""
    return f"globalThis.{name} = {json.dumps(value, separators=(',', ':'), ensure_ascii=False)};\n".encode()


def download_entries(downloads: Mapping[str, tuple[bytes, str]]) -> list[File]:
    """Describe downloads, name to (bytes, sentence), in their order."""
    return [
        {"path": f"list/{name}", "says": says, "bytes": len(data), "sha256": reader.sha256(data)}
        for name, (data, says) in downloads.items()
    ]


def feed_files(
    package: Mapping[str, Any], documents: Mapping[str, bytes], described: Sequence[File], frame: Frame
) -> dict[str, bytes]:
    """Write both files from the description of the release and its CHANGES.md, of which the feed has the start. Feed
    readers keep the earlier entries. The same input gives the same bytes."""
    latest = {key: package.get(key) for key in ("name", "version", "covers", "words", "licenses")}
    latest |= {"page": "./", "feed": ATOM, "licenses_text": "LICENSES.txt", "files": list(described)}
    changes = documents[CHANGES].decode("utf-8", "replace").partition("\n## ")[0].partition("\n")[2]
    cells = {"name": package.get("name", "bee-wordlist"), "version": frame.version, "updated": f"{frame.day}T23:59:59Z"}
    cells |= {"address": frame.address, "home": frame.address or "./"}
    cells |= {"summary": textwrap.shorten(changes, SUMMARY, placeholder=" …")}
    feed = Template(frame.templates[ATOM].decode()).substitute({name: escape(cell) for name, cell in cells.items()})
    return {LATEST: (json.dumps(latest, indent=1) + "\n").encode(), ATOM: feed.encode()}
