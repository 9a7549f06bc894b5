"""The site of the documents: no page is left out, every link leads somewhere, it can be searched, and it needs no
other host."""

import re
import runpy
import subprocess
import sys
import urllib.parse

import bs4
import pytest
from conftest import PROJECT

DOCS = PROJECT / "docs"
OTHERS = [PROJECT / "CONTRIBUTING.md", PROJECT / "CHANGELOG.md", *(PROJECT / "data").glob("*.md")]
REPOSITORY = "https://example.org/bee"
pytestmark = pytest.mark.slow


def test_the_index_links_every_document():
    linked = set(re.findall(r"\]\(([^)#]+)", (DOCS / "index.md").read_text()))
    found = {(DOCS / each).resolve() for each in linked}
    assert [path.name for path in (*DOCS.glob("*.md"), *OTHERS) if path.name != "index.md" and path not in found] == []


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The pages of the site, made as `make documents` makes them: path to parsed page."""
    folder = tmp_path_factory.mktemp("documents")
    where = ["-d", folder / "doctrees", "-D", f"repository={REPOSITORY}", DOCS, folder / "site"]
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", *where]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return {path: bs4.BeautifulSoup(path.read_text(), "html.parser") for path in (folder / "site").glob("*.html")}


def test_every_document_is_a_page_that_the_search_finds(site):
    names = {path.name for path in site}
    assert {f"{path.stem}.html" for path in DOCS.glob("*.md")} | {"search.html"} <= names
    index = (next(iter(site)).parent / "searchindex.js").read_text()
    assert '"luff"' in index
    assert "TROUBLE" in index


def test_every_link_within_the_site_leads_to_a_file_and_a_heading(site):
    seen, anchors = 0, {path: {tag["id"] for tag in page.find_all(id=True)} for path, page in site.items()}
    for path, page in site.items():
        for tag in page.find_all("a", href=True):
            target, _, heading = urllib.parse.unquote(tag["href"]).partition("#")
            if not re.match(r"[a-z]+:", target):
                to = (path.parent / target).resolve() if target else path
                assert to.exists(), f"{path.name}: {tag['href']}"
                assert not heading or to not in anchors or heading in anchors[to], f"{path.name}: {tag['href']}"
                seen += 1
    assert seen > 500


def test_files_outside_the_documents_are_linked_in_the_repository_and_exist(site):
    linked = {tag["href"] for page in site.values() for tag in page.find_all("a", href=re.compile(f"^{REPOSITORY}"))}
    assert f"{REPOSITORY}/blob/HEAD/data/LICENSES.md" in linked
    for each in linked:
        assert (PROJECT / each.removeprefix(f"{REPOSITORY}/blob/HEAD/").partition("#")[0]).exists(), each


def test_without_an_address_files_outside_the_documents_are_plain_text():
    outside = runpy.run_path(str(DOCS / "conf.py"))["lead_links_outside"]
    assert outside("See [the terms](../data/LICENSES.md) and [FAQ](FAQ.md).", "") == "See the terms and [FAQ](FAQ.md)."


def test_the_pages_load_nothing_from_another_host(site):
    for path, page in site.items():
        loaded = [
            tag.get("src") or tag["href"] for tag in (*page.find_all(src=True), *page.find_all("link", href=True))
        ]
        assert loaded
        assert [each for each in loaded if re.match(r"([a-z]+:)?//", each)] == [], path.name
    for path in (next(iter(site)).parent / "_static").rglob("*.css"):
        assert not re.search(r"(url\(|@import)\s*[\"']?(https?:)?//", path.read_text()), path.name
