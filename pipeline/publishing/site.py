"""The site: a web page for playing, solving and looking up words. The functions are pure: they take a release and
return file names with bytes.

The page itself (`page/`) is the same for every release. The content of a release goes into data files that script tags
can load, so the page also works without a server. `words.js` has what most puzzles need: the listed words without S.
The other files are loaded when they are needed. All of them have the id of `words.js`, and the page refuses files of
different releases. `coding` describes the encoding.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from string import Template
from typing import Any

from pipeline import reader, solver
from pipeline.opinions.catalog import FLAGS
from pipeline.publishing import coding
from pipeline.publishing.plain_pages import PlainPages, data_files, located, site_map
from pipeline.publishing.site_content import Download, LeveledPuzzle, Row, SiteContent, SiteRelease
from pipeline.publishing.word_pages import word_pages
from pipeline.words import FILTERS, GAME, LISTED, mask, pangram

LATEST, ATOM = "latest.json", "releases.atom"
SUMMARY = 900
"""The maximum number of characters of an entry in the feed."""
TEMPLATES = ("index.html", "sw.js")
"""The files of the page into which the build id is inserted."""
SCRIPTS = tuple(f"{name}.js" for name in "boot bee days shelf parts game sheets start app".split())
"""The scripts of the game, in their order. `pages.js`, with the other sections, is loaded when it is needed."""
PICTURES = ("icon.svg", "icon-192.png", "icon-512.png", "icon-maskable.png")
PAGE = (*TEMPLATES, "style.css", *SCRIPTS, "pages.js", "manifest.webmanifest", *PICTURES)
PLAIN = ("plain.html", "words.html", "words-index.html", "words.css", "data.html", "croissant.json", "releases.atom")
"""The templates and the style sheet of the pages without scripts, and the templates of files for programs."""
FIRST = ("index.html", "style.css", *SCRIPTS, "manifest.webmanifest", "icon.svg", "words.js")
"""The files that a browser saves first. They are enough to play most puzzles offline."""
COMMENTS = re.compile(rb"^ *(//[^\n]*|/\*\*.*?\*/)\n", re.MULTILINE | re.DOTALL)
REPORT = "ACCURACY.md"
FILTER_SENTENCES = {
    "safe": "without slurs, strong vulgarities and explicit sexual terms",
    "family": "for families: also without mild vulgarities, drugs and demeaning terms",
}
"""The descriptions of `words.FILTERS` on the page."""


@dataclass(frozen=True, slots=True)
class SiteFrame:
    """What does not depend on the release: the files in `PAGE` and `PLAIN`; the report on accuracy with its plots, if
    any; the address for reports about words; and the address of the site, with a slash at its end, or ""."""

    page: Mapping[str, bytes]
    report: Mapping[str, bytes]
    repository: str = ""
    address: str = ""


def make_site(release: SiteRelease, content: SiteContent, site_frame: SiteFrame) -> dict[str, bytes]:
    """Return the files of the site, name to bytes."""
    page = {
        **site_frame.page,
        "index.html": located(site_frame.page["index.html"].decode(), "", site_frame.address).encode(),
    }
    lists = _WordLists.of(release.rows)
    words = _first_data(release, content, site_frame, lists)
    files = {name: _without_comments(name, page[name]) for name in PAGE if name not in TEMPLATES}
    files |= {reader.LICENSES: release.licenses}
    files |= _later_data(release, content, site_frame, lists)
    files |= {name: data for name, data in site_frame.report.items() if name != REPORT}
    checksums = {name: reader.sha256(data) for name, data in {**page, **files}.items()}
    build = reader.sha256(json.dumps([checksums, words], sort_keys=True).encode())[:12]
    files["words.js"] = _script("beeWords", {**words, "build": build})
    files["index.html"] = page["index.html"].replace(b"BUILD", build.encode())
    files["sw.js"] = _worker(page["sw.js"], build, files)
    downloads = {download.path: download.data for download in content.downloads}
    return files | downloads | _plain_files(release, content, site_frame, page)


def _plain_files(
    release: SiteRelease, content: SiteContent, site_frame: SiteFrame, templates: Mapping[str, bytes]
) -> dict[str, bytes]:
    """Return the pages without scripts and the files for programs."""
    covers = release.package.get("covers") or {"last": GAME.first_day}
    pages = PlainPages(templates, str(release.package["version"]), covers["last"], site_frame.address)
    entries = [download.entry() for download in content.downloads]
    files = data_files(release.package, entries, pages, has_report=REPORT in site_frame.report)
    files |= word_pages(release.rows, release.record, content.senses, pages)
    return files | site_map(files, pages) | feed_files(release, content.downloads, pages)


@dataclass(frozen=True, slots=True)
class _WordLists:
    """The rows of a release in the parts in which the page loads them: what most puzzles need, the rest of the list
    with the doubtful words, and the refused words. `id` is the same in all data of a release."""

    first: Sequence[Row]
    more: Sequence[Row]
    refused: Sequence[Row]
    first_coded: str
    more_coded: str
    id: str

    @classmethod
    def of(cls, rows: Sequence[Row]) -> _WordLists:
        """Return the rows of a release in parts."""
        first = [row for row in rows if row["tier"] in LISTED and "s" not in row["word"]]
        more = [row for row in rows if row["tier"] != "refused" and ("s" in row["word"] or row["tier"] not in LISTED)]
        first_coded, more_coded = coding.front_coded(first, chances=False), coding.front_coded(more)
        return cls(
            first=first,
            more=more,
            refused=[row for row in rows if row["tier"] == "refused"],
            first_coded=first_coded,
            more_coded=more_coded,
            id=reader.sha256(f"{first_coded} {more_coded}".encode())[:16],
        )


def _first_data(release: SiteRelease, content: SiteContent, site_frame: SiteFrame, lists: _WordLists) -> dict[str, Any]:
    """Return the content of words.js, except the build id: the description of the release, and the words of most
    puzzles.

    In it, `words` are the numbers of words by tier, `glosses` is the percentage of listed words with a definition, and
    `report` says whether the site has a report.
    """
    listed = [row["word"] for row in release.rows if row["tier"] in LISTED]
    defined = sum(word in content.senses for word in listed)
    return {
        **{key: release.package.get(key) for key in ("version", "covers", "words", "licenses", "sources")},
        "id": lists.id,
        "rules": GAME.for_scripts(),
        "filters": [{"name": name, "says": FILTER_SENTENCES.get(name, f"without {name} words")} for name in FILTERS],
        "daily": _daily_puzzles(content.daily_puzzles),
        "report": REPORT in site_frame.report,
        "glosses": round(100 * defined / max(len(listed), 1), 1),
        "repository": site_frame.repository.rstrip("/"),
        "files": [download.entry() for download in content.downloads],
        "list": lists.first_coded,
    }


def _later_data(
    release: SiteRelease, content: SiteContent, site_frame: SiteFrame, lists: _WordLists
) -> dict[str, bytes]:
    """Return the data files that are loaded when they are needed."""
    more = {
        "likely": coding.chances(lists.first),
        "pangrams": coding.front_coded(guessable(release.rows)),
        "list": lists.more_coded,
    }
    data = {
        "more.js": ("beeMore", more),
        "record.js": ("beeRecord", _data_of_look_up(release, site_frame, lists)),
        "puzzles.js": ("beePuzzles", {"pool": _own_puzzles(content.own_puzzles)}),
        "kin.js": ("beeKin", _relatives(release.rows, content)),
    }
    senses_by_letter = _senses_by_letter([*lists.first, *lists.more], content)
    for letter in sorted(senses_by_letter):
        data[f"gloss-{letter}.js"] = (f"beeGloss_{letter}", {"words": senses_by_letter[letter]})
    return {name: _script(variable, {"of": lists.id, **value}) for name, (variable, value) in data.items()}


def _without_comments(name: str, data: bytes) -> bytes:
    """Return a file of the page. Scripts are returned without comments, which a browser does not need."""
    return COMMENTS.sub(b"", data) if name.endswith(".js") else data


def guessable(rows: Sequence[Row]) -> list[Row]:
    """Return the pangrams that can be the guess for letters that have no listed pangram, with p as in `bee solve`."""
    masks_with_pangram = {mask(row["word"]) for row in rows if row["tier"] in LISTED and pangram(row["word"])}
    candidates = solver.pangram_candidates(rows)
    return [
        {**row, "p": f"{candidates[row['word']]:.2f}"}
        for row in rows
        if row["word"] in candidates and mask(row["word"]) not in masks_with_pangram
    ]


def _data_of_look_up(release: SiteRelease, site_frame: SiteFrame, lists: _WordLists) -> dict[str, Any]:
    """Return the data for looking up words. Its rows are in the order of the words in words.js, more.js and its own
    list."""
    flags = [{"id": rule.id, "severity": rule.severity, "name": rule.name, "says": rule.sentence} for rule in FLAGS]
    return {
        "list": coding.front_coded(lists.refused),
        "flags": flags,
        **coding.reasons([*lists.first, *lists.more, *lists.refused], release.record),
        "changes": release.changes,
        "report": site_frame.report.get(REPORT, b"").decode("utf-8", "replace"),
    }


def _relatives(rows: Sequence[Row], content: SiteContent) -> dict[str, str]:
    """Return the SCOWL sizes of all words A to Z, divided by five and in base 36, and the distances to their bases."""
    distances: dict[int, list[str]] = {}
    for form, base in content.forms_with_bases:
        sign = "-" if form < base else ""
        distances.setdefault(form, []).append(sign + coding.base36(abs(form - base)))
    bases = [",".join(distances.get(position, ())) for position in range(len(rows))]
    sizes = ""
    if content.scowl_sizes:
        sizes = "".join(coding.base36(content.scowl_sizes[row["word"]] // 5) for row in rows)
    return {"bases": " ".join(bases), "sizes": sizes}


def _own_puzzles(puzzles: Sequence[LeveledPuzzle]) -> str:
    """Return our own puzzles in one text: seven letters A to Z, and a level for each of them as the center."""
    levels: dict[str, list[str]] = {}
    for puzzle in puzzles:
        letters = "".join(sorted(puzzle.letters))
        levels.setdefault(letters, ["-"] * 7)[letters.index(puzzle.letters[0])] = str(puzzle.level)
    return "".join(letters + "".join(levels[letters]) for letters in sorted(levels))


def _daily_puzzles(puzzles: Mapping[str, LeveledPuzzle]) -> dict[str, str]:
    """Return the published puzzles of the day: the first date, seven letters for each day, and a level for each day."""
    return {
        "first": min(puzzles, default=""),
        "letters": "".join(puzzle.letters for puzzle in puzzles.values()),
        "levels": "".join(str(puzzle.level) for puzzle in puzzles.values()),
    }


def _senses_by_letter(rows: Sequence[Row], content: SiteContent) -> dict[str, dict[str, Any]]:
    """Return words with their senses, by first letter. A sense is its part of speech, its gloss, and the form and the
    base if it is the sense of a base."""
    by_letter: dict[str, dict[str, Any]] = {}
    for word in sorted(row["word"] for row in rows if row["word"] in content.senses):
        senses = content.senses[word]
        by_letter.setdefault(word[0], {})[word] = [
            [sense.pos, sense.gloss, *([sense.form, sense.base] if sense.base else [])] for sense in senses
        ]
    return by_letter


def _worker(template: bytes, build: str, files: Mapping[str, bytes]) -> bytes:
    """Return the service worker with the build id, the files to save first, and the checksum of every file inserted."""
    checksums = {name: reader.sha256(files[name])[:32] for name in sorted(files)}
    worker = template.replace(b"{{BUILD}}", build.encode())
    worker = worker.replace(b"{{FIRST}}", json.dumps(FIRST).encode())
    return worker.replace(b"{{FILES}}", json.dumps(checksums).encode())


def _script(name: str, value: object) -> bytes:
    """Return a script that sets a global name to a value. A page that is opened from a folder cannot load other
    data."""
    return f"globalThis.{name} = {json.dumps(value, separators=(',', ':'), ensure_ascii=False)};\n".encode()


def feed_files(release: SiteRelease, downloads: Sequence[Download], pages: PlainPages) -> dict[str, bytes]:
    """Return latest.json and the feed, from the description of the release and the start of its CHANGES.md. Feed
    readers keep the earlier entries. The same input gives the same bytes."""
    latest = {
        **{key: release.package.get(key) for key in ("name", "version", "covers", "words", "licenses")},
        "page": "./",
        "feed": ATOM,
        "licenses_text": reader.LICENSES,
        "files": [download.entry() for download in downloads],
    }
    first_section = release.changes.partition("\n## ")[0]
    summary = first_section.partition("\n")[2]  # without the title
    values = {
        "name": release.package.get("name", "bee-wordlist"),
        "version": pages.version,
        "updated": f"{pages.day}T23:59:59Z",
        "address": pages.address,
        "home": pages.address or "./",
        "summary": textwrap.shorten(summary, SUMMARY, placeholder=" …"),
    }
    escaped = {name: escape(value) for name, value in values.items()}
    feed = Template(pages.templates[ATOM].decode()).substitute(escaped)
    return {LATEST: (json.dumps(latest, indent=1) + "\n").encode(), ATOM: feed.encode()}
