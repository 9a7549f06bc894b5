"""The files of the site: what `bee site` writes, and from which releases."""

from __future__ import annotations

import csv
import gzip
import json
import re
import shlex
import subprocess
import sys
import urllib.request
from pathlib import Path
from xml.etree import ElementTree

import pandas as pd
import pytest
from conftest import PROJECT, first_words, reseal, snapshot
from sampling import short_and_long

from pipeline import reader
from pipeline.play import daily, difficulty, glosses
from pipeline.site import build as making
from pipeline.tables import frames
from pipeline.words import KINDS_BY_P, KINDS_BY_TRIAL, LISTED, NOT_FOR_FAMILIES, in_play, mask

pytestmark = pytest.mark.slow


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """The start of the release in a folder of its own, to be changed."""
    return first_words(tmp_path / "release/custom")


def build_of(folder: Path) -> str:
    """The build of a site."""
    return re.search('const BUILD = "(\\w+)"', (folder / "sw.js").read_text())[1]


def test_the_same_release_makes_the_same_bytes_and_another_one_another_build(bee, release, tmp_path):
    for name in ("one", "other", "next"):
        if name == "next":
            (release / "CHANGES.md").write_text("# Changes\n\nSome.\n")
            reseal(release)
        assert bee("--data", release.parent, "site", "--output", tmp_path / name).code == 0
    assert snapshot(tmp_path / "one") == snapshot(tmp_path / "other")
    assert build_of(tmp_path / "one") != build_of(tmp_path / "next")


@pytest.mark.parametrize("site", short_and_long("folder", "whole_site"))
def test_the_first_load_is_small(request, site):
    folder = request.getfixturevalue(site)
    assert sum(len(gzip.compress((folder / name).read_bytes())) for name in making.FIRST) < 110_000


@pytest.mark.parametrize("site", short_and_long("folder", "whole_site"))
def test_each_word_is_in_the_small_file_with_the_last_name_that_is_not_after_it(request, site):
    folder = request.getfixturevalue(site)
    custom = request.getfixturevalue("small_release") if site == "folder" else reader.RELEASE
    rows = {row["word"]: row for row in reader.rows((custom / "words.csv").read_bytes(), "words.csv")}
    definitions = glosses.load(custom, set(rows))
    names = json.loads((folder / "words.json").read_text())["files"]
    assert names == sorted(path.stem for path in (folder / "words").iterdir())
    assert max(path.stat().st_size for path in (folder / "words").iterdir()) <= 40_000
    assert {"co", "com"} <= {name[:3] for name in names}, "the words with the same two letters need several files"
    told = {}
    for name, after in zip(names, [*names[1:], "zzz"], strict=True):
        words = json.loads((folder / f"words/{name}.json").read_text())["words"]
        assert all(name <= word < after and word[:2] == name[:2] for word in words)
        told |= words
    assert list(told) == sorted(rows)
    for word, known in told.items():
        row = rows[word]
        assert (known["tier"], known["p"]) == (row["tier"], float(row["p"]))
        reason = "estimate" if row["kind"] in KINDS_BY_P else "because"
        assert known.get(reason) == (None if row["kind"] in KINDS_BY_TRIAL else row["because"])
        assert " ".join(known.get("flags", [])) == row["flags"]
        assert ("record" in known) == (row["offered"] != "0")
        for column, cell in known.get("record", {}).items():
            assert str(cell) == row[column] != ""
        assert known.get("senses", []) == [
            {name: text for name, text in sense.as_json().items() if text}
            for sense in glosses.define(word, definitions).senses
        ]


def test_guesses_are_for_letters_without_a_pangram_and_filters_know_them(folder, released):
    more = json.loads((folder / "more.json").read_text())
    rude = {row["word"] for row in released if not set(NOT_FOR_FAMILIES).isdisjoint(row["flags"].split())}
    listed = {mask(row["word"]) for row in released if row["tier"] in LISTED}
    assert {mask(word) for word in more["guesses"]} & listed == set()
    assert set(more["hidden"]["family"]) >= rude & set(more["guesses"])
    assert set(more["guesses"]) & {row["word"] for row in released if row["tier"] == "refused"}


def test_the_service_worker_knows_every_file_by_its_checksum(folder):
    worker = (folder / "sw.js").read_text()
    sums = json.loads(re.search(r"const FILES = (.*);", worker)[1])
    first = json.loads(re.search(r"const FIRST = (.*);", worker)[1])
    assert set(sums) == {path.name for path in folder.iterdir() if path.is_file()} - {"sw.js"}
    assert set(first) <= set(sums)
    for name, digest in sums.items():
        assert reader.sha256((folder / name).read_bytes()).startswith(digest), name


def test_the_manifest_names_icons_that_are_there(folder):
    manifest = json.loads((folder / "manifest.webmanifest").read_text())
    assert {icon["purpose"] for icon in manifest["icons"]} == {"any", "maskable"}
    for icon in manifest["icons"]:
        data = (folder / icon["src"]).read_bytes()
        if icon["src"].endswith(".png"):
            width = int.from_bytes(data[16:20], "big")
            assert icon["sizes"] == f"{width}x{width}"
    assert manifest["display"] == "standalone"


def test_the_site_names_its_game_and_no_other_host(folder):
    text = (folder / "index.html").read_text()
    assert "Not affiliated with The New York Times" in text
    for name in (*making.PAGE, "sw.js"):
        text = (folder / name).read_text("latin-1").replace('xmlns="http://www.w3.org/2000/svg"', "")
        assert not re.search(r"https?://", text.replace("/^https?:/", "")), name


def test_a_page_whose_files_are_of_two_releases_says_so(open_tab, serve, hosted):
    for path in (hosted / "words").iterdir():
        path.write_text(path.read_text().replace('"id":"', '"id":"x'))
    tab = open_tab(serve(hosted))
    page = tab.open("/why/luff")
    page.get_by_role("alert").filter(visible=True).get_by_text("from another release").wait_for()
    page.route("**/words.json*", lambda route: route.fulfill(status=404))
    page.reload()
    page.get_by_text("The list is not there, or from another release").wait_for()


def test_a_reason_by_a_person_reaches_the_page_as_it_was_written(bee, release, tmp_path):
    because = 'kept by me on 2025-01-01: a <b>"good"</b> word'
    rows = [
        row | {"tier": "core", "because": because, "kind": "verdict"} if row["word"] == "aahed" else row
        for row in reader.rows((release / "words.csv").read_bytes(), "words.csv")
    ]
    (release / "words.csv").write_bytes(frames.csv_bytes(pd.DataFrame(rows)))
    reseal(release)
    assert bee("--data", release.parent, "site", "-o", tmp_path / "site").code == 0
    known = json.loads((tmp_path / "site/words/aa.json").read_text())["words"]
    assert known["aahed"]["because"] == because


# ---------------------------------------------------------------- the folder of a site


def test_no_file_of_others_is_written_over_without_force(bee, release, tmp_path):
    folder = tmp_path / "site"
    folder.mkdir()
    for name in ("index.html", "notes.txt"):
        (folder / name).write_text("mine")
    (folder / "sw.js").write_text("const FILES = {a: 1};\n")  # the worker of another page
    before = snapshot(folder)
    failed = bee("--data", release.parent, "site", "-o", folder)
    assert (failed.code, f"{folder} has 3 files that this command did not make" in failed.err) == (1, True)
    assert snapshot(folder) == before
    assert bee("--data", release.parent, "site", "-o", folder, "--force").code == 0
    assert (folder / "index.html").read_text().startswith("<!doctype")
    assert (folder / "notes.txt").read_text() == "mine"


def test_the_next_site_takes_the_place_of_the_one_before_and_keeps_what_others_put_there(bee, release, tmp_path):
    folder = tmp_path / "site"
    assert bee("--data", release.parent, "site", "-o", folder).code == 0
    first = snapshot(folder)
    for name in ("old.js", "words/zz.json", "gloss-9.js"):
        (folder / name).write_text("of an older version")
    words = json.loads((folder / "words.json").read_text())
    (folder / "words.json").write_text(json.dumps(words | {"files": [*words["files"], "zz"]}))
    worker = folder / "sw.js"
    worker.write_text(
        worker.read_text().replace("const FILES = {", 'const FILES = {"gloss-9.js": "' + "0" * 32 + '", ')
    )
    (folder / "index.html").unlink()
    others = {"CNAME": b"bee.example.org", ".nojekyll": b"", ".git/config": b"[core]", "notebooks/a.html": b"<p>"}
    others |= {"old.js": b"of an older version"}
    for name, data in others.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(data)
    (folder / "link").symlink_to("CNAME")
    assert bee("--data", release.parent, "site", "-o", folder).code == 0
    assert (folder / "link").readlink() == Path("CNAME")
    assert snapshot(folder) == first | others | {"link": others["CNAME"]}


@pytest.mark.parametrize("name", ["words/notes.json", "list/mine.txt"])
def test_a_file_of_a_person_in_a_folder_of_the_site_stops_the_next_one(bee, release, tmp_path, name):
    folder = tmp_path / "site"
    assert bee("--data", release.parent, "site", "-o", folder).code == 0
    (folder / name).write_text("mine")
    failed = bee("--data", release.parent, "site", "-o", folder)
    place = name.partition("/")[0]
    assert (failed.code, f"that this command did not make, such as {place}" in failed.err) == (1, True), failed.err
    assert (folder / name).read_text() == "mine"


def test_the_first_files_have_the_words_of_each_tier_and_the_published_puzzles(folder, released):
    first, more = (json.loads((folder / name).read_text()) for name in ("words.json", "more.json"))
    for tier in LISTED:
        words = [*first[tier].split(), *more[tier].split()]
        assert sorted(words) == [row["word"] for row in released if row["tier"] == tier]
        assert first[tier].split() == [word for word in sorted(words) if in_play(word)]
    made = first["daily"]
    assert {date: letters for date, (letters, _) in made.items()} == daily.published(reader.read(reader.RELEASE))
    assert {level for _, level in made.values()} == {"easy", "medium", "hard"}


@pytest.mark.parametrize("site", short_and_long("folder", "whole_site"))
def test_no_puzzle_for_practice_has_the_letters_of_a_puzzle_of_the_day(request, bee, site):
    made = json.loads((request.getfixturevalue(site) / "puzzles.json").read_text())
    practice = [letters for level in difficulty.LEVELS for letters in made[level]]
    published = {frozenset(letters) for letters in daily.published(reader.read(reader.RELEASE)).values()}
    assert all(made[level] for level in difficulty.LEVELS)
    assert published.isdisjoint(map(frozenset, practice))
    if site == "whole_site":
        own = bee("--data", reader.RELEASE.parent, "puzzles", "--own", "--limit", "0").out
        pool = {f"{row['center']}{row['outer']}": row["level"] for row in csv.DictReader(own.splitlines())}
        left = {letters: level for letters, level in pool.items() if frozenset(letters) not in published}
        assert {letters: level for level in difficulty.LEVELS for letters in made[level]} == left


def test_a_release_without_a_report_has_no_page_for_it(bee, release, tmp_path, monkeypatch):
    monkeypatch.setattr("pipeline.commands.site.DOCS", tmp_path)
    assert bee("--data", release.parent, "site", "-o", tmp_path / "site").code == 0
    assert not (tmp_path / "site/accuracy.html").exists()
    assert "accuracy.html" not in (tmp_path / "site/data.html").read_text()


def test_scripts_import_only_those_before_them_and_all_of_one_build(folder):
    build = build_of(folder)
    assert f'<script src="main.js?v={build}" type="module">' in (folder / "index.html").read_text()
    for at, name in enumerate(making.SCRIPTS):
        imported = re.findall(r'from "\./(.*?)"', (folder / name).read_text())
        assert set(imported) <= {f"{before}?v={build}" for before in making.SCRIPTS[:at]}, name


# ---------------------------------------------------------------- the pages without scripts, and files for programs


def test_the_data_page_and_latest_json_have_every_file_with_its_checksum(folder, small_release):
    latest = json.loads((folder / "latest.json").read_text())
    page = (folder / "data.html").read_text()
    assert re.findall(r'<a href="([^"]+)" download', page) == [file["path"] for file in latest["files"]]
    assert {"list/wordlist.txt", "list/words.csv", "list/datapackage.json"} <= {
        file["path"] for file in latest["files"]
    }
    for file in latest["files"]:
        data = (folder / file["path"]).read_bytes()
        assert (reader.sha256(data), len(data)) == (file["sha256"], file["bytes"]), file["path"]
        assert file["sha256"] in page
    assert (folder / "list/wordlist.txt").read_bytes() == (small_release / "wordlist.txt").read_bytes()
    covers = json.loads((small_release / "datapackage.json").read_text())["covers"]
    assert f"{covers['days']:,}" in page
    assert covers["last"] in page


def test_the_data_page_counts_the_words_of_each_flag(folder, released):
    row = re.search(r'<th scope="row">foreign</th>(.*?)</tr>', (folder / "data.html").read_text())[1]
    counts = [
        sum("foreign" in word["flags"].split() and word["tier"] == tier for word in released)
        for tier in ("core", "likely", "review", "refused")
    ]
    assert [int(cell.replace(",", "")) for cell in re.findall(r"<td>([\d,]+)</td>", row)] == counts


def test_changes_and_accuracy_are_pages_with_all_their_words(folder, small_release):
    for page, source in (
        ("changes.html", small_release / "CHANGES.md"),
        ("accuracy.html", PROJECT / "docs/ACCURACY.md"),
    ):
        html, text = (folder / page).read_text(), source.read_text()
        headings = re.findall(r"<(?:h2|summary)>([^<]*)</", html)
        assert [title for title in headings if not re.match(r"[A-Z]: ", title)] == re.findall(r"(?m)^##+ (.*)", text)
        tables = [line for line in text.splitlines() if line.startswith("|") and not re.match(r"^[|\s:-]+$", line)]
        assert html.count("<tr>") == len(tables)
        letters = [title for title in headings if re.match(r"[A-Z]: ", title)]
        sizes = [int(size.replace(",", "")) for size in re.findall(r"(?m)^### .*: ([\d,]+)$", text)]
        assert sum(int(title[3:]) for title in letters) == sum(size for size in sizes if size > making.pages.LONG)
        words = re.findall(r'<li><a href="index.html#/why/(\w+)">\1</a>', html)
        assert words == (re.findall(r"(?m)^- `(\w+)`", text) if page == "changes.html" else [])
        links = re.findall(r'(?:href|src)="([^"#]+)', html)
        assert all((folder / link).is_file() for link in links if not link.startswith("https:")), page


@pytest.mark.parametrize(
    ("text", "says", "is_by_puzzle"),
    [
        ("## Added\n\n### Other: 1\n\n- `cove`: untried\n", True, False),
        (
            "## Added\n\n### Decided by a puzzle: 1\n\n#### 2026-07-24\n\n- `cove`: accepted once, on 2026-07-24\n",
            True,
            True,
        ),
        ("The first release: 2 words.\n", False, False),
    ],
)
def test_the_changes_begin_with_what_they_are(bee, release, tmp_path, text, says, is_by_puzzle):
    (release / "CHANGES.md").write_text(f"# Changes in 1\n\n{text}")
    reseal(release)
    assert bee("--data", release.parent, "site", "-o", tmp_path / "site").code == 0
    html = (tmp_path / "site/changes.html").read_text()
    assert ("since the release before" in html) == says
    assert ("No puzzle decided any of them." in html) == (says and not is_by_puzzle)


@pytest.mark.parametrize("number", [making.pages.LONG, making.pages.LONG + 1])
def test_a_long_list_of_changes_is_folded_by_letter(bee, release, tmp_path, number):
    words = "".join(f"- `cove`: untried {at}\n" for at in range(number))
    (release / "CHANGES.md").write_text(f"# Changes in 1\n\n## Added\n\n### Other: {number}\n\n{words}")
    reseal(release)
    assert bee("--data", release.parent, "site", "-o", tmp_path / "site").code == 0
    html = (tmp_path / "site/changes.html").read_text()
    assert (f"<summary>C: {number}</summary>" in html) == (number > making.pages.LONG)


def test_the_address_is_in_the_pages_and_the_feed(bee, release, tmp_path):
    site = ("site", "-o", tmp_path / "site", "--address", "https://example.org/bee/")
    assert bee("--data", release.parent, *site).code == 0
    for name, path in (("index.html", ""), ("data.html", "data.html")):
        page = (tmp_path / "site" / name).read_text()
        assert f'<link rel="canonical" href="https://example.org/bee/{path}">' in page
        assert '<meta property="og:image" content="https://example.org/bee/share.png">' in page
    feed = ElementTree.fromstring((tmp_path / "site/releases.atom").read_text())
    links = [link.get("href") for link in feed.iter("{http://www.w3.org/2005/Atom}link")]
    assert "https://example.org/bee/changes.html" in links
    assert len((tmp_path / "site/releases.atom").read_bytes()) < 2000


def test_an_address_or_a_folder_that_is_none_is_refused(bee, release, tmp_path):
    for address in ("http://example.org", "https://a b"):
        failed = bee("site", "-o", tmp_path / "site", "--address", address)
        assert (failed.code, "is not an address" in failed.err) == (2, True)
    (tmp_path / "file").touch()
    failed = bee("--data", release.parent, "site", "-o", tmp_path / "file")
    assert (failed.code, "Cannot write" in failed.err) == (1, True)


def test_the_site_is_seen_with_the_command_that_is_printed(bee, release, tmp_path):
    said = bee("--data", release.parent, "site", "-o", tmp_path / "my site").err
    (command,) = re.findall("`python (-m http.server --directory [^`]+)`", said)
    server = subprocess.Popen(
        [sys.executable, "-u", *shlex.split(command), "0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        port = re.search(r"port (\d+)", server.stdout.readline())[1]
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/") as answer:
            assert "Bee Words" in answer.read().decode()
    finally:
        server.kill()
        server.wait()
        server.stdout.close()
