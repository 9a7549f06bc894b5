"""Plain pages: HTML without scripts, for readers and search engines. They are the frame that all of them share, the
page of downloads, its description for machine learning (Croissant 1.0, a Dataset of schema.org), and the site map. The
functions are pure."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from string import Template
from typing import Any

from pipeline.publishing import export
from pipeline.words import LISTED

DATA, CROISSANT, SITE_MAP, ROBOTS = "data.html", "croissant.json", "sitemap.xml", "robots.txt"
ACCURACY = '<a href="index.html#/accuracy">Measured on puzzles that the list had not seen</a>'
NOT_INDEXED = '<meta name="robots" content="noindex">'
MEDIA_TYPES = {"csv": "text/csv", "gz": "application/gzip", "json": "application/json", "mjs": "text/javascript"}
"""The media types of downloads, by ending. All others are plain text."""


@dataclass(frozen=True, slots=True)
class PlainPages:
    """What plain pages share: templates by name, the version of the release, the last date that the release covers, and
    the address of the site, with a slash at its end, or ""."""

    templates: Mapping[str, bytes]
    version: str
    day: str
    address: str = ""

    def page(self, path: str, template: str, values: Mapping[str, str], indexed: bool = True) -> bytes:
        """Return the page at a path from a template and its values in HTML. The values include `title` and `says`, a
        sentence for search engines."""
        values = {**values, "version": escape(self.version), "root": "../" * path.count("/")}
        body = Template(self.templates[template].decode()).substitute(values)
        robots = "" if indexed else NOT_INDEXED
        page = Template(self.templates["plain.html"].decode()).substitute(values, body=body, robots=robots)
        return located(page, path, self.address).encode()


def located(page: str, path: str, address: str) -> str:
    """Return a page with its address in its head, for search engines and previews; unchanged if there is no address."""
    if not address:
        return page
    tags = f'<link rel="canonical" href="{address}{path}">\n<meta property="og:url" content="{address}{path}">\n'
    tags += f'<meta property="og:image" content="{address}icon-512.png">\n</head>'
    return page.replace("</head>", tags, 1)


def site_map(files: Mapping[str, bytes], pages: PlainPages) -> dict[str, bytes]:
    """Return the site map, with the start page and those of the files that may be indexed, and, for a site at the root
    of a host, a robots.txt that names it. Without an address there are no such files."""
    if not pages.address:
        return {}
    indexed = sorted(name for name in files if name.endswith(".html") and NOT_INDEXED.encode() not in files[name])
    urls = [f"<loc>{escape(pages.address + path)}</loc><lastmod>{pages.day}</lastmod>" for path in ("", *indexed)]
    start = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
    rows = "".join(f" <url>{url}</url>\n" for url in urls)
    made = {SITE_MAP: f"{start}{rows}</urlset>\n".encode()}
    if pages.address.count("/") == 3:
        made[ROBOTS] = f"User-agent: *\nAllow: /\nSitemap: {pages.address}{SITE_MAP}\n".encode()
    return made


def data_files(
    package: Mapping[str, Any], downloads: Sequence[Mapping[str, Any]], pages: PlainPages, has_report: bool
) -> dict[str, bytes]:
    """Return the page of downloads, which have the format of `Download.entry`, and the Croissant description, which is
    also in the page, for search engines. `has_report` is whether the site has a report on accuracy."""
    words, covers = package.get("words") or {}, package.get("covers") or {}
    croissant = json.loads(pages.templates[CROISSANT]) | {
        "name": package["title"],
        **({"url": pages.address + DATA} if pages.address else {}),
        "version": package["version"],
        "license": [f"https://spdx.org/licenses/{license['name']}" for license in package["licenses"]],
        "temporalCoverage": f"{covers.get('first', '..')}/{covers.get('last', '..')}",
        "distribution": [_croissant_file(download, pages.address) for download in downloads],
    }
    text = json.dumps(croissant, indent=1)
    values = export.notice(package, "", has_flags=True) | {
        **{tier: f"{words.get(tier, 0):,}" for tier in LISTED},
        "days": f"{covers.get('days', 0):,}",
        "first": covers.get("first", ""),
        "last": covers.get("last", ""),
        "title": "Download the word list for the Spelling Bee",
        "says": croissant["description"],
    }
    html = {name: escape(value) for name, value in values.items()}
    html["files"] = "\n".join(map(_link, downloads))
    html["described"] = text.replace("<", "\\u003c")
    html["accuracy"] = ACCURACY if has_report else "Not part of this site"
    return {DATA: pages.page(DATA, DATA, html), CROISSANT: f"{text}\n".encode()}


def _link(download: Mapping[str, Any]) -> str:
    name = download["path"].rpartition("/")[2]
    size = f"{max(download['bytes'] / 1000, 1):,.0f} kB"
    return (
        f'<div class="download"><a href="{download["path"]}" download>{name}</a> <small>{size}</small>'
        f'<p>{escape(download["says"])}</p><p class="sum">SHA-256 {download["sha256"]}</p></div>'
    )


def _croissant_file(download: Mapping[str, Any], address: str) -> dict[str, str]:
    # Readers of Croissant decompress a table; so it has the name and the type of the table.
    name = download["path"].rpartition("/")[2].replace(".csv.gz", ".csv")
    return {
        "@type": "cr:FileObject",
        "@id": name,
        "name": name,
        "description": download["says"],
        "contentUrl": address + download["path"],
        "contentSize": f"{download['bytes']} B",
        "encodingFormat": MEDIA_TYPES.get(name.rpartition(".")[2], "text/plain"),
        "sha256": download["sha256"],
    }
