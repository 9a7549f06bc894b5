"""Plain pages: HTML without script, for readers and search engines: the frame that all of them share, the page of the
downloads, its description for machine learning (Croissant 1.0, a Dataset of schema.org), and the site map. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from string import Template
from typing import Any

from pipeline.publishing import export
from pipeline.words import LISTED

DATA, CROISSANT = "data.html", "croissant.json"
ACCURACY = '<a href="index.html#/accuracy">Measured on puzzles that the list had not seen</a>'
NOT_INDEXED = '<meta name="robots" content="noindex">'
MEDIA = {"csv": "text/csv", "gz": "application/gzip", "json": "application/json", "mjs": "text/javascript"}
"""The media types of downloads by ending; all others are plain text."""


@dataclass(frozen=True, slots=True)
class Frame:
    """What plain pages share: templates by name, the version of the release, the last date that it covers, and the
    address of the site, with a slash at its end, or ""."""

    templates: Mapping[str, bytes]
    version: str
    day: str
    address: str = ""

    def page(self, path: str, template: str, cells: Mapping[str, str], indexed: bool = True) -> bytes:
        """Write the page at a path from a template and its cells in HTML, among them `title` and `says`, a sentence
        for search engines."""
        cells = {**cells, "version": escape(self.version), "root": "../" * path.count("/")}
        cells |= {"body": Template(self.templates[template].decode()).substitute(cells)}
        page = Template(self.templates["plain.html"].decode()).substitute(cells, robots="" if indexed else NOT_INDEXED)
        return located(page, path, self.address).encode()


def located(page: str, path: str, address: str) -> str:
    """Add to the head of a page where it is, for search engines and previews; without an address, nothing."""
    tags = f'<link rel="canonical" href="{address}{path}">\n<meta property="og:url" content="{address}{path}">\n'
    tags += f'<meta property="og:image" content="{address}icon-512.png">\n</head>'
    return page.replace("</head>", tags, 1) if address else page


def site_map(files: Mapping[str, bytes], frame: Frame) -> dict[str, bytes]:
    """Write the site map: the start, and the pages among some files that may be indexed. At the root of a host,
    robots.txt names it. Without an address there is none."""
    pages = sorted(name for name in files if name.endswith(".html") and NOT_INDEXED.encode() not in files[name])
    urls = [f"<loc>{escape(frame.address + path)}</loc><lastmod>{frame.day}</lastmod>" for path in ("", *pages)]
    start = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
    rows = "".join(f" <url>{url}</url>\n" for url in urls)
    robots = f"User-agent: *\nAllow: /\nSitemap: {frame.address}sitemap.xml\n".encode()
    at_root = {"robots.txt": robots} if frame.address.count("/") == 3 else {}
    return {"sitemap.xml": f"{start}{rows}</urlset>\n".encode(), **at_root} if frame.address else {}


def data_files(
    package: Mapping[str, Any], files: Sequence[Mapping[str, Any]], frame: Frame, reported: bool
) -> dict[str, bytes]:
    """Write the page of some downloads, which `site.download_entries` describes, and the Croissant description, which
    is in the page too, for search engines. `reported` says whether the site has a report of the accuracy."""
    words, covers, facts = package.get("words") or {}, package.get("covers") or {}, export.facts(package, "", True)
    about = json.loads(frame.templates[CROISSANT]) | {
        "name": package["title"],
        **({"url": frame.address + DATA} if frame.address else {}),
        "version": package["version"],
        "license": [f"https://spdx.org/licenses/{named['name']}" for named in package["licenses"]],
        "temporalCoverage": f"{covers.get('first', '..')}/{covers.get('last', '..')}",
        "distribution": [_file(file, frame.address) for file in files],
    }
    text = json.dumps(about, indent=1)
    cells = {
        **{tier: f"{words.get(tier, 0):,}" for tier in LISTED},
        **{"days": f"{covers.get('days', 0):,}", "first": covers.get("first", ""), "last": covers.get("last", "")},
        **{"title": "Download the word list for the Spelling Bee", "says": about["description"]},
    }
    cells = {name: escape(cell) for name, cell in (facts | cells).items()}
    cells |= {"files": "\n".join(map(_link, files)), "described": text.replace("<", "\\u003c")}
    cells["accuracy"] = ACCURACY if reported else "Not part of this site"
    return {DATA: frame.page(DATA, DATA, cells), CROISSANT: f"{text}\n".encode()}


def _link(file: Mapping[str, Any]) -> str:
    link = f'<a href="{file["path"]}" download>{file["path"].rpartition("/")[2]}</a>'
    size, says = f"{max(file['bytes'] / 1000, 1):,.0f} kB", f'{escape(file["says"])}</p><p class="sum">'
    return f'<div class="download">{link} <small>{size}</small><p>{says}SHA-256 {file["sha256"]}</p></div>'


def _file(file: Mapping[str, Any], address: str) -> dict[str, str]:
    # Readers of Croissant unpack a compressed table; for them it has the name and the type of the table.
    name = file["path"].rpartition("/")[2].replace(".csv.gz", ".csv")
    return {
        "@type": "cr:FileObject",
        "@id": name,
        "name": name,
        "description": file["says"],
        "contentUrl": address + file["path"],
        "contentSize": f"{file['bytes']} B",
        "encodingFormat": MEDIA.get(name.rpartition(".")[2], "text/plain"),
        "sha256": file["sha256"],
    }
