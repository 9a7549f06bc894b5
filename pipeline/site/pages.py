"""The pages without scripts (data, changes, accuracy), and the files for programs: `latest.json` and the feed of
releases. The functions are pure."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from string import Template
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from pipeline import reader
from pipeline.opinions.catalog import FLAGS
from pipeline.publishing import export
from pipeline.site.content import Content, Download
from pipeline.words import GAME, LISTED, TIERS

DATA, CHANGES, ACCURACY = "data.html", "changes.html", "accuracy.html"
LATEST, ATOM = "latest.json", "releases.atom"
REPORT = "ACCURACY.md"
SHARE_PICTURE = "share.png"
"""The picture that other sites show next to a link to a page."""
BACK = f'<p><a href="{DATA}">Data</a></p>\n'
SCROLLS = 'class="scroll" tabindex="0" role="group" aria-label="can be scrolled"'
HOME = "index.html"
LONG = 100
"""A list of more changed words than this is folded by first letter."""
SUMMARY = 900
"""The maximum number of characters of an entry in the feed."""


@dataclass(frozen=True, slots=True)
class Frame:
    """What does not depend on the release: the files of the page; the report on accuracy with its plots, if any; the
    address for reports about words, or ""; and the address of the site, with a slash at its end, or ""."""

    page: Mapping[str, bytes]
    report: Mapping[str, bytes]
    repository: str = ""
    address: str = ""

    def fill(self, template: str, values: Mapping[str, str]) -> str:
        """Return a template of the page with values in HTML."""
        return Template(self.page[template].decode()).substitute(values)

    def located(self, page: str, path: str) -> bytes:
        """Return a page with its address in its head, for search engines and previews, if there is an address."""
        if self.address:
            tags = f'<link rel="canonical" href="{self.address}{path}">\n'
            tags += f'<meta property="og:url" content="{self.address}{path}">\n'
            tags += f'<meta property="og:image" content="{self.address}{SHARE_PICTURE}">\n</head>'
            page = page.replace("</head>", tags, 1)
        return page.encode()


def pages(content: Content, frame: Frame) -> dict[str, bytes]:
    """Return the pages without scripts and the files for programs, name to bytes."""
    bodies = {
        DATA: ("Data", _data(content, frame)),
        CHANGES: ("Changes", BACK + _changes(content.changes)),
    }
    if REPORT in frame.report:
        report = markdown(frame.report[REPORT].decode("utf-8", "replace"))
        bodies[ACCURACY] = ("Accuracy", BACK + _folded(report, "h2"))
    made = {}
    for name, (title, body) in bodies.items():
        values = {"title": title, "body": body, "version": escape(content.version)}
        made[name] = frame.located(frame.fill("frame.html", values), name)
    return made | _latest_and_feed(content, frame)


def _data(content: Content, frame: Frame) -> str:
    """Return the page for curators and programmers: the release, its files, and the flags."""
    covers = content.package.get("covers") or {}
    days = covers.get("days")
    listed = [row["word"] for row in content.rows if row["tier"] in LISTED]
    defined = sum(word in content.definitions for word in listed)
    values = export.notice(content.package, "") | {
        **{tier: f"{sum(row['tier'] == tier for row in content.rows):,}" for tier in LISTED},
        "days": f"{days:,}" if isinstance(days, int) else "",
        "first": str(covers.get("first", "")),
        "last": str(covers.get("last", "")),
        "defined": f"{100 * defined / max(len(listed), 1):.1f}",
    }
    html = {name: escape(value) for name, value in values.items()}
    html["accuracy"] = f'<a href="{ACCURACY}">Accuracy</a> · ' if REPORT in frame.report else ""
    html["files"] = "\n".join(map(_download, content.downloads))
    html["flags"] = _flags(content)
    return frame.fill("data.html", html)


def _download(download: Download) -> str:
    entry = download.entry()
    name = download.path.rpartition("/")[2]
    size = f"{max(len(download.data) / 1000, 1):,.0f} kB"
    return (
        f'<div class="download"><a href="{download.path}" download>{name}</a> <small>{size}</small>'
        f'{markdown(download.sentence)}<p class="sum">SHA-256 {entry["sha256"]}</p></div>'
    )


def _flags(content: Content) -> str:
    """Return the rows of the table of flags: what each marks, and how many words of each tier have it."""
    counts = {rule.id: dict.fromkeys(TIERS, 0) for rule in FLAGS}
    for row in content.rows:
        for flag in row["flags"].split():
            counts[flag][row["tier"]] += 1
    rows = []
    for rule in FLAGS:
        numbers = "".join(f"<td>{counts[rule.id][tier]:,}</td>" for tier in TIERS)
        says = f'<td class="marks">{escape(rule.name)}: {escape(rule.sentence)}</td>'
        rows.append(f'<tr><th scope="row">{rule.id}</th><td>{rule.severity}</td>{numbers}{says}</tr>')
    return "\n".join(rows)


def markdown(text: str) -> str:
    """Return Markdown as HTML. Links within the repository lead nowhere on the site, so only their text is kept; tables
    can be scrolled.

    >>> markdown("See [all](all.csv) and [SCOWL](https://wordlist.aspell.net).")
    '<p>See all and <a href="https://wordlist.aspell.net">SCOWL</a>.</p>\\n'
    """
    converter = MarkdownIt("js-default")
    tokens = converter.parse(text)
    for token in tokens:
        token.attrs.pop("style", None)  # the alignment in a table, which the policy of the page forbids
        token.children = _without_relative_links(token.children or [])
    html: str = converter.renderer.render(tokens, converter.options, {})
    return html.replace("<table>", f"<div {SCROLLS}>\n<table>").replace("</table>", "</table>\n</div>")


def _changes(text: str) -> str:
    """Return the changes for players: what they are comes first, and the groups of words are folded."""
    title, _, rest = markdown(text).partition("\n")
    if "## " not in text:  # the first release, or one without changes
        return f"{title}\n{rest}"
    says = "The words that came to the list or left it since the release before, each with the reason."
    if not re.search("^- `[a-z]+`: (accepted|refused) ", text, re.MULTILINE):
        says += " No puzzle decided any of them."
    return f'{title}\n<p class="lead">{says}</p>\n{_folded(_linked(rest), "h3")}'


def _linked(html: str) -> str:
    """Return the changes with a link from each word to what the page knows about it, and long lists in parts by first
    letter."""
    html = re.sub("<li><code>([a-z]+)</code>", rf'<li><a href="{HOME}#/why/\1">\1</a>', html)
    return re.sub(r"<ul>\n(.*?)</ul>\n", lambda found: _by_first_letter(found[1]), html, flags=re.DOTALL)


def _by_first_letter(items: str) -> str:
    """Return the items of a list of words. A long one is folded by first letter."""
    lines = items.splitlines(keepends=True)
    if len(lines) <= LONG:
        return f"<ul>\n{items}</ul>\n"
    parts = []
    for letter, some in groupby(lines, key=lambda line: line.partition("#/why/")[2][:1]):
        part = list(some)
        parts.append(f"<h4>{letter.upper()}: {len(part)}</h4>\n<ul>\n{''.join(part)}</ul>\n")
    return _folded("".join(parts), "h4")


def _folded(html: str, level: str) -> str:
    """Return a page whose parts below headings of a level are folded, up to the next heading above it."""
    before, *parts = re.split(f"<{level}>(.*?)</{level}>\\n", html)
    folded = [before]
    for title, part in zip(parts[::2], parts[1::2], strict=True):
        inside, heading, rest = part.partition("<h2>")
        folded.append(f"<details>\n<summary>{title}</summary>\n{inside}</details>\n{heading}{rest}")
    return "".join(folded)


def _without_relative_links(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens of a text without the marks of links that do not lead to another site."""
    kept: list[Token] = []
    leads_outside: list[bool] = []  # for each link that is open
    for token in tokens:
        if token.type == "link_open":
            leads_outside.append(str(token.attrGet("href")).startswith("https:"))
        if token.type not in ("link_open", "link_close") or leads_outside[-1]:
            kept.append(token)
        if token.type == "link_close":
            leads_outside.pop()
    return kept


def _latest_and_feed(content: Content, frame: Frame) -> dict[str, bytes]:
    """Return latest.json and the feed, from the description of the release and the start of its changes. Feed readers
    keep the earlier entries. The same input gives the same bytes."""
    package = content.package
    latest: dict[str, Any] = {
        **{key: package.get(key) for key in ("name", "version", "covers", "words", "licenses")},
        "page": "./",
        "feed": ATOM,
        "licenses_text": reader.LICENSES,
        "files": [download.entry() for download in content.downloads],
    }
    last_day = (package.get("covers") or {}).get("last", GAME.first_day)
    summary = content.changes.partition("\n## ")[0].partition("\n")[2]  # without the title
    values = {
        "name": package.get("name", "bee-wordlist"),
        "version": content.version,
        "updated": f"{last_day}T23:59:59Z",
        "address": frame.address,
        "home": frame.address or "./",
        "summary": textwrap.shorten(summary, SUMMARY, placeholder=" …"),
    }
    feed = frame.fill(ATOM, {name: escape(value) for name, value in values.items()})
    return {LATEST: (json.dumps(latest, indent=1) + "\n").encode(), ATOM: feed.encode()}
