"""The pages without script: every word with its reason, the data page, and what leads search engines to them."""

from __future__ import annotations

import json
import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import needs
import pytest
from browsing import RELEASE, expect, unscripted
from conftest import part_of_the_release
from once import succeed

from pipeline import reader
from pipeline.play.glosses import Sense
from pipeline.publishing import site as making
from pipeline.publishing import site_content, word_pages
from pipeline.publishing.plain_pages import PlainPages, site_map
from pipeline.words import OFFENSIVE

ADDRESS = "https://example.org/bee/"
VOID = {"meta", "link", "br", "input", "img", "path"}
TEMPLATES = {
    name: (Path(making.__file__).parent / "page" / name).read_bytes() for name in making.PLAIN if name != "words.css"
} | {"words.css": b""}


@pytest.fixture(scope="module")
def pages(folder) -> dict[str, str]:
    """All pages with words of the checkout's release, and the data page, by path."""
    return {
        str(path.relative_to(folder)): path.read_text()
        for path in [folder / "data.html", *sorted(folder.glob("words/*.html"))]
    }


@pytest.fixture(scope="module")
def rude(released) -> set[str]:
    return {row["word"] for row in released if not set(OFFENSIVE).isdisjoint(row["flags"].split())}


@pytest.fixture(scope="module")
def recorded(small_release) -> dict[str, dict]:
    return {row["word"]: row for row in site_content.record_of((small_release / "record.csv").read_bytes())}


@pytest.fixture(scope="module")
def hosted(tmp_path_factory) -> Path:
    """A site with an address, of the words of a release that begin with LU or HO."""
    root = tmp_path_factory.mktemp("hosted")
    rows = reader.word_rows((RELEASE / "words.csv").read_bytes())
    words = {row["word"] for row in rows if row["word"].startswith(("lu", "ho"))}
    release = part_of_the_release(root / "release", words)
    succeed("site", "-o", root / "site", "--release", release, "--address", ADDRESS[:-1])
    return root / "site"


class Checked(HTMLParser):
    """A parser that fails if a tag is not closed, or is closed inside another tag."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        said = dict(attrs)
        assert len(said) == len(attrs), f"<{tag}> has an attribute twice"
        self.ids += [said["id"]] if "id" in said else []
        self.links += [said[name] for name in ("href", "src") if name in said]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


# ---------------------------------------------------------------- which words


def test_every_word_that_is_listed_or_has_a_record_is_on_exactly_one_page(pages, released, recorded, rude):
    wanted = {row["word"] for row in released if row["tier"] in ("core", "likely")} | set(recorded)
    at = {name: re.findall(r'<div id="(\w+)"', text) for name, text in pages.items()}
    assert Counter(word for words in at.values() for word in words) == Counter(wanted)
    for name, words in at.items():
        assert words == sorted(words)
        for word in words:
            assert name == f"words/{word[:2]}{'-more' * (word in rude)}.html"


def test_no_page_for_search_engines_names_an_offensive_word(pages, rude):
    assert len(rude) > 300
    hidden = [name for name, text in pages.items() if '<meta name="robots" content="noindex">' in text]
    assert hidden == [name for name in pages if name.endswith("-more.html")]
    assert len(hidden) > 50
    for name in pages.keys() - {*hidden}:
        assert rude.isdisjoint(re.findall("[a-z]+", pages[name].lower())), name
        for link in re.findall(r"<a [^>]*-more[^>]*>", pages[name]):
            assert 'rel="nofollow"' in link


def word_row(word: str, flags: str = "", **others: str) -> dict[str, str]:
    row = {"word": word, "tier": "likely", "p": "0.93", "offered": "0", "accepted": "0", "flags": flags, "because": ""}
    return row | {"kind": "estimate", "because": "untried: + in WordNet; + a form of crap"} | others


def tried(word: str, offered: int, accepted: int, *dates: str) -> dict[str, object]:
    return {"word": word, "offered": offered, "accepted": accepted} | dict(zip(word_pages.DATES, dates, strict=True))


def test_reasons_and_definitions_leave_out_what_offends_except_on_its_own_page():
    rows = [word_row("crap", "crude"), word_row("craps")]
    senses = {
        "crap": [Sense("noun", "rubbish")],
        "craps": [
            Sense("noun", "Crap, twice"),
            Sense("noun", "a game of dice"),
            Sense("noun", "rubbish", "plural", "crap"),
        ],
    }
    made = word_pages.word_pages(rows, [], senses, PlainPages(TEMPLATES, "1", "2026-01-01"))
    page, more = made["words/cr.html"].decode(), made["words/cr-more.html"].decode()
    assert "be accepted is 93%.</dd><dd>noun, a game of dice</dd></div>" in page
    assert "Untried: + in WordNet; + a form of crap.</dd><dd>noun, rubbish</dd></div>" in more
    clean = word_pages.word_pages([word_row("craps")], [], senses, PlainPages(TEMPLATES, "1", "2026-01-01"))
    assert "Crap, twice" in clean["words/cr.html"].decode(), "without any offensive word in the release"


@pytest.mark.parametrize(
    ("row", "known", "status", "says"),
    [
        (
            {},
            None,
            "Probably accepted",
            "We estimate that its chance to be accepted is 93%.",
        ),
        (
            {"p": "0.99"},
            None,
            "Probably accepted",
            "We estimate that its chance to be accepted is 99%.",
        ),
        (
            {"p": "1.00"},
            None,
            "Probably accepted",
            "We estimate that its chance to be accepted is more",
        ),
        (
            {"tier": "core", "kind": "accepted", "accepted": "2", "because": "so"},
            (3, 2, "2024-01-01", "2025-02-02", "2023-03-03"),
            "Accepted",
            "Accepted 2 of 3 times, first on 2024-01-01, last on 2025-02-02; last refused on 2023-03-03.",
        ),
        (
            {"tier": "core", "kind": "accepted", "accepted": "1", "because": "so"},
            (1, 1, "2025-02-02", "2025-02-02", ""),
            "Accepted",
            "Accepted 1 of 1 time, on 2025-02-02.",
        ),
        (
            {"tier": "refused", "kind": "refused", "because": "so"},
            (2, 0, "", "", "2023-03-03"),
            "Not accepted",
            "Refused 2 of 2 times, last on 2023-03-03.",
        ),
        (
            {"tier": "core", "kind": "verdict", "because": "kept by me on 2026-01-01: a <b>b|c</b>."},
            None,
            "Probably accepted",
            "Kept by me on 2026-01-01: a &lt;b&gt;b|c&lt;/b&gt;.",
        ),
        (
            {"tier": "refused", "kind": "verdict", "because": "dropped by me on 2026-01-01: Rare."},
            (2, 0, "", "", "2023-03-03"),
            "Not accepted",
            "Refused 2 of 2 times, last on 2023-03-03. Dropped by me on 2026-01-01: Rare.",
        ),
    ],
)
def test_a_word_says_whether_since_when_and_why_it_is_accepted(row, known, status, says):
    record = [tried("beeb", *known)] if known else []
    made = word_pages.word_pages([word_row("beeb", **row)], record, {}, PlainPages(TEMPLATES, "1", "2026-01-01"))
    page = made["words/be.html"].decode()
    assert f"<b>{status}</b></dt><dd>{says}" in page
    Checked(page)


def test_the_json_of_two_letters_has_what_the_release_says(folder, released, recorded):
    version = json.loads((RELEASE / "datapackage.json").read_text())["version"]
    of = {row["word"]: row for row in released}
    for name in ("lu", "co", "co-more"):
        told = json.loads((folder / f"words/{name}.json").read_text())
        assert told["version"] == version
        assert len(told["words"]) > 10
        for word, facts in told["words"].items():
            row, known = of[word], recorded.get(word, {})
            assert facts["tier"] == row["tier"]
            assert facts["listed"] == (row["tier"] in ("core", "likely"))
            assert facts["p"] == float(row["p"])
            assert (facts["offered"], facts["accepted"]) == (int(row["offered"]), int(row["accepted"]))
            dates = {key: known[key] for key in word_pages.DATES if known.get(key)}
            assert {key: facts[key] for key in facts if key in word_pages.DATES} == dates
            assert facts["reason"]


# ---------------------------------------------------------------- the pages as pages


def test_every_link_of_the_pages_leads_to_a_file_and_a_word(pages, folder, released):
    words = {row["word"] for row in released}
    known = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    for name, text in pages.items():
        ids = re.findall(r' id="([^"]*)"', text)
        assert len(ids) == len(set(ids)), f"{name}: a word is the id of something else"
        for href in set(re.findall(r'(?:href|src)="([^"]*)"', text)):
            path, _, fragment = href.partition("#")
            where = path.removeprefix("../") if path.startswith("../") or name == "data.html" else f"words/{path}"
            assert href == "#the-page" or where in known, f"{name}: {href}"
            if fragment.startswith("/why/"):
                assert fragment.removeprefix("/why/") in words
    index = set(re.findall(r'href="(\w\w(?:-more)?\.html)"', pages["words/index.html"]))
    missing = {name for name in known if re.fullmatch(r"words/\w\w\.html", name)} - {f"words/{name}" for name in index}
    assert missing == set()
    assert "words/index.html" in (folder / "index.html").read_text()
    assert "data.html" in (folder / "index.html").read_text()


def test_the_pages_are_well_formed_and_no_id_is_there_twice(pages, hosted):
    small = {path.name: path.read_text() for path in hosted.rglob("*.html") if path.name != "index.html"}
    assert {"lu.html", "ho.html", "ho-more.html", "data.html"} <= small.keys()
    for text in (*small.values(), pages["words/index.html"], pages["data.html"], pages["words/yo.html"]):
        page = Checked(text)
        assert len(page.ids) == len(set(page.ids))
        assert "Not affiliated with The New York Times" in text
        assert text.count("<h1>") == 1
        assert "default-src 'none'; style-src 'self'; img-src 'self'" in text
        assert not re.search(r"<script(?! type=.application/ld.json)", text)
        assert not [link for link in page.links if "//" in link and not link.startswith(ADDRESS)]


# ---------------------------------------------------------------- for search engines


def test_the_site_map_has_exactly_the_pages_that_may_be_indexed(hosted):
    space = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
    root = ElementTree.parse(hosted / "sitemap.xml").getroot()
    assert root.tag == f"{space}urlset"
    assert {child.tag for url in root for child in url} == {f"{space}loc", f"{space}lastmod"}
    assert {url.find(f"{space}lastmod").text for url in root} == {"2026-07-24"}
    urls = [url.find(f"{space}loc").text for url in root]
    pages = [str(path.relative_to(hosted)) for path in hosted.rglob("*.html") if not path.stem.endswith("-more")]
    assert sorted(urls) == sorted(ADDRESS + ("" if name == "index.html" else name) for name in pages)
    assert len(urls) == 5
    for url in urls:
        text = (hosted / (url.removeprefix(ADDRESS) or "index.html")).read_text()
        assert f'<link rel="canonical" href="{url}">' in text
        assert f'<meta property="og:url" content="{url}">' in text
        assert f'<meta property="og:image" content="{ADDRESS}icon-512.png">' in text
        assert len(re.findall(r'<meta (?:property="og:(?:title|description)|name="twitter:card)"', text)) == 3
    assert not (hosted / "robots.txt").exists(), "robots are told at the root of a host only"
    feed = (hosted / "releases.atom").read_text()
    assert f'<link rel="self" href="{ADDRESS}releases.atom"/>' in feed


def test_at_the_root_of_a_host_robots_are_told_of_the_site_map():
    pages = {"a.html": b"", "b-more.html": b'<meta name="robots" content="noindex">'}
    files = site_map(pages, PlainPages({}, "1", "2026-01-01", "https://example.org/"))
    assert files["robots.txt"] == b"User-agent: *\nAllow: /\nSitemap: https://example.org/sitemap.xml\n"
    assert b"<loc>https://example.org/a.html</loc>" in files["sitemap.xml"]
    assert b"b-more" not in files["sitemap.xml"]
    assert site_map(pages, PlainPages({}, "1", "2026-01-01", ADDRESS)).keys() == {"sitemap.xml"}
    assert site_map(pages, PlainPages({}, "1", "2026-01-01")) == {}


def test_the_feed_is_short(folder):
    entry = ElementTree.parse(folder / "releases.atom").getroot().find("{*}entry")
    summary = entry.find("{*}content").text
    assert re.search(r"Since \S+: [\d,]+ words? added", summary)
    assert len(summary.encode()) <= 1000
    assert "\n" not in summary


def test_a_long_start_of_the_changes_is_cut_at_a_word():
    changes = "# Changes\n\n" + "many words <more> " * 200 + "\n\n## Added\n\n- `secret`\n"
    release = site_content.SiteRelease(rows=[], record=[], package={}, changes=changes, licenses=b"")
    made = making.feed_files(release, [], PlainPages(TEMPLATES, "1", "2026-01-01"))[making.ATOM]
    summary = ElementTree.fromstring(made).find("{*}entry/{*}content").text
    assert summary.endswith(" …")
    assert len(summary) <= making.SUMMARY
    assert set(summary.split()) == {"many", "words", "<more>", "…"}


def test_the_data_page_describes_every_download_with_its_checksum(folder, hosted):
    for root, start in ((folder, ""), (hosted, ADDRESS)):
        text = (root / "data.html").read_text()
        about = json.loads(re.search(r'<script type="application/ld\+json">(.*?)</script>', text, re.DOTALL)[1])
        assert about == json.loads((root / "croissant.json").read_text())
        package = json.loads((root / "list/datapackage.json").read_text())
        assert about["version"] == package["version"]
        assert about["temporalCoverage"] == f"{package['covers']['first']}/{package['covers']['last']}"
        assert about["isAccessibleForFree"] is True
        assert about["license"] == ["https://spdx.org/licenses/MIT", "https://spdx.org/licenses/CC-BY-4.0"]
        assert about.get("url") == (f"{ADDRESS}data.html" if start else None)
        assert 50 <= len(about["description"]) <= 5000
        latest = json.loads((root / "latest.json").read_text())
        assert len(about["distribution"]) == len(latest["files"]) > 12
        for file in about["distribution"]:
            data = (root / file["contentUrl"].removeprefix(start)).read_bytes()
            assert file["sha256"] == reader.sha256(data)
            assert file["contentSize"] == f"{len(data)} B"
            assert file["sha256"] in text.partition("<script")[0]
        kinds = {file["name"]: file["encodingFormat"] for file in about["distribution"]}
        assert kinds["wordlist.txt"] == "text/plain"
        assert kinds["words.csv"] == "text/csv"
        assert kinds["bee-wordlist.json"] == "application/json"


@pytest.mark.filterwarnings("ignore")  # of the packages that it uses
def test_the_description_for_machine_learning_is_valid_and_its_records_can_be_read(folder, hosted, released):
    needs.require("the validator of Croissant")
    import mlcroissant as croissant

    far = croissant.Dataset(jsonld=hosted / "croissant.json")
    near = croissant.Dataset(jsonld=folder / "croissant.json")
    for made in (near, far):
        issues = made.metadata.ctx.issues
        assert not issues.errors
        said = " ".join(issues.warnings)
        assert len(issues.warnings) == 2, said
        assert "datePublished" in said
        assert "MAJOR.MINOR.PATCH" in said
    columns = [field.name for field in near.metadata.record_sets[0].fields]
    package = json.loads((folder / "list/datapackage.json").read_text())
    schema = next(table for table in package["resources"] if table["name"] == "words")["schema"]["fields"]
    assert columns == [field["name"] for field in schema]
    record = next(iter(near.records("words")))
    assert record["words/word"].decode() == released[0]["word"]
    assert record["words/offered"] == int(released[0]["offered"])


# ---------------------------------------------------------------- the command


def test_without_a_release_no_folder_is_made(bee, tmp_path):
    (tmp_path / "release").mkdir()
    assert "There is no release in" in bee("site", "-o", tmp_path / "new", "--release", tmp_path / "release").err
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    "address", ["http://example.org", "example.org", "https://", 'https://example.org/"x', "https://example.org/?a"]
)
def test_an_address_that_is_none_is_refused(bee, tmp_path, address):
    for option in ("--address", "--repository"):
        refused = bee("site", "-o", tmp_path / "site", option, address)
        assert refused.code == 2
        assert "is not an address like" in re.sub(r"[\s│]+", " ", refused.err)
    assert not (tmp_path / "site").exists()


def test_a_page_without_script_is_accessible_fits_its_screen_and_leads_to_the_look_up(open_tab, folder):
    from axe_playwright_python.sync_playwright import Axe

    tab = open_tab((folder / "index.html").as_uri(), viewport={"width": 320, "height": 640})
    page = tab.page
    for path in ("words/index.html", "data.html", "words/lu.html#luff"):
        unscripted(tab, path)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        found = Axe().run(page, options={"preload": False}).response["violations"]
        assert [(rule["id"], rule["nodes"][0]["html"]) for rule in found] == [], path
    assert page.locator("#luff").evaluate("node => node.matches(':target')")
    assert all(url.startswith("file:") for url in tab.asked)
    page.locator("#luff a").click()
    expect(page.locator(".verdict")).to_contain_text("luff: On the list", use_inner_text=True)
    assert tab.complaints == []
