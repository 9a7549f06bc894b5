"""The files of the site: what `bee site` writes, and from which releases."""

from __future__ import annotations

import gzip
import json
import re
import shlex
import shutil
from pathlib import Path

import pandas as pd
import pytest
from conftest import first_words, reseal, snapshot
from sampling import short_and_long

from pipeline import reader
from pipeline.play import daily
from pipeline.publishing import site as making
from pipeline.tables import frames

pytestmark = pytest.mark.slow


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """The start of the release in a folder of its own, to be changed."""
    return first_words(tmp_path / "release")


def test_the_same_release_makes_the_same_bytes(bee, release, tmp_path):
    for name in ("one", "other"):
        assert bee("site", "--output", tmp_path / name, "--release", release).code == 0
    assert snapshot(tmp_path / "one") == snapshot(tmp_path / "other")


def test_another_release_is_another_build(bee, release, tmp_path):
    builds = set()
    for text in ("# Changes\n\nNone.\n", "# Changes\n\nSome.\n"):
        (release / "CHANGES.md").write_text(text)
        reseal(release)
        assert bee("site", "--output", tmp_path / "made", "--release", release).code == 0
        builds.add(re.search('const BUILD = "(\\w+)"', (tmp_path / "made/sw.js").read_text())[1])
    assert len(builds) == 2


@pytest.mark.parametrize("site", short_and_long("folder", "whole_site"))
def test_the_first_answer_needs_at_most_100_kilobytes(request, site):
    folder = request.getfixturevalue(site)
    assert sum(len(gzip.compress((folder / name).read_bytes())) for name in making.FIRST) <= 100_000
    assert sum((folder / name).stat().st_size for name in (*making.SCRIPTS, "pages.js")) <= 110_000


def test_the_service_worker_knows_every_file_by_its_checksum(folder):
    worker = (folder / "sw.js").read_text()
    sums = json.loads(re.search(r"const FILES = (.*);", worker)[1])
    first = json.loads(re.search(r"const FIRST = (.*);", worker)[1])
    apart = {"sw.js", "latest.json", "releases.atom", "data.html", "croissant.json"}
    assert set(sums) == {path.name for path in folder.iterdir() if path.is_file()} - apart
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
    for name in (*making.PAGE[:-3], "sw.js"):
        text = (folder / name).read_text().replace('xmlns="http://www.w3.org/2000/svg"', "")
        assert not re.search(r"https?://", text.replace("/^https?:/", "")), name


def test_a_page_whose_files_are_of_two_releases_says_so(open_tab, folder, tmp_path):
    shutil.copytree(folder, tmp_path / "site", ignore=shutil.ignore_patterns("list", "words", "gloss-*"))
    record = tmp_path / "site/record.js"
    record.write_text(re.sub(r'"of":"\w+"', '"of":"another"', record.read_text()))
    tab = open_tab((tmp_path / "site/index.html").as_uri())
    page = tab.open("/why/luff")
    page.get_by_role("alert").filter(visible=True).get_by_text("from different releases").wait_for()
    (tmp_path / "site/words.js").unlink()
    page.reload()
    page.get_by_text("words.js did not load").wait_for()


def test_a_reason_by_a_person_reaches_the_page_as_it_was_written(bee, release, tmp_path):
    because = 'kept by me on 2025-01-01: a <b>"good"</b> word'
    rows = [
        row | {"tier": "core", "because": because, "kind": "verdict"} if row["word"] == "aahed" else row
        for row in reader.word_rows((release / "words.csv").read_bytes())
    ]
    (release / "words.csv").write_bytes(frames.csv_bytes(pd.DataFrame(rows)))
    failed = bee("site", "-o", tmp_path / "site", "--release", release)
    assert (failed.code, "is not the file that was published" in failed.err) == (1, True)
    reseal(release)
    assert bee("site", "-o", tmp_path / "site", "--release", release).code == 0
    script = (tmp_path / "site/record.js").read_text()
    record = json.loads(script.removeprefix("globalThis.beeRecord = ").removesuffix(";\n"))
    assert because in record["reasons"]


# ---------------------------------------------------------------- the folder of a site


def test_no_file_of_others_is_written_over_and_the_command_that_the_message_names_goes_ahead(bee, release, tmp_path):
    folder = tmp_path / "my site"
    folder.mkdir()
    (folder / "notes.txt").write_text("mine")
    assert bee("site", "-o", folder, "--release", release).code == 1, "any file of others in a folder without a site"
    (folder / "index.html").write_text("mine")
    before = snapshot(folder)
    failed = bee("site", "-o", folder, "--release", release)
    assert (failed.code, failed.err.count("\n")) == (1, 1)
    assert (
        f"Nothing was written: {folder} has 2 files that this command did not make, such as index.html." in failed.err
    )
    assert snapshot(folder) == before
    (way,) = re.findall("`bee ([^`]*)`", failed.err)
    assert bee(*shlex.split(way)).code == 0
    assert (folder / "index.html").read_text().startswith("<!doctype")
    assert (folder / "notes.txt").read_text() == "mine"
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".my site")]


def test_the_next_site_takes_the_place_of_the_one_before_and_keeps_what_others_put_there(bee, release, tmp_path):
    folder = tmp_path / "site"
    assert bee("site", "-o", folder, "--release", release).code == 0
    first = snapshot(folder)
    for name in ("old.js", "words/zz.html", "gloss-9.js"):
        (folder / name).write_text("of an older version")
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
    assert bee("site", "-o", folder, "--release", release).code == 0
    assert (folder / "link").readlink() == Path("CNAME")
    assert snapshot(folder) == first | others | {"link": others["CNAME"]}


def test_a_file_with_the_name_of_a_new_one_is_not_replaced_without_force(bee, release, tmp_path):
    folder = tmp_path / "site"
    assert bee("site", "-o", folder, "--release", release).code == 0
    (folder / "robots.txt").write_text("mine")
    before = snapshot(folder)
    command = ("site", "-o", folder, "--release", release, "--address", "https://example.org")
    failed = bee(*command)
    assert (failed.code, "1 file that this command did not make, such as robots.txt" in failed.err) == (1, True), (
        failed.err
    )
    assert snapshot(folder) == before
    assert bee(*command, "--force").code == 0
    assert "Sitemap" in (folder / "robots.txt").read_text()
    assert bee(*command).code == 0, "now it is that of the site"


@pytest.mark.parametrize("name", ["words/notes.txt", "words/abc.html", "list/mine.txt"])
def test_a_file_of_a_person_in_a_folder_of_the_site_stops_the_next_one(bee, release, tmp_path, name):
    folder = tmp_path / "site"
    command = ("site", "-o", folder, "--release", release)
    assert bee(*command).code == 0
    (folder / name).write_text("mine")
    before = snapshot(folder)
    failed = bee(*command)
    place = name.partition("/")[0]
    assert (failed.code, f"that this command did not make, such as {place}" in failed.err) == (1, True), failed.err
    assert snapshot(folder) == before
    assert bee(*command, "--force").code == 0
    assert (folder / name).read_text() == "mine"


def test_a_workers_script_of_another_page_is_no_site(bee, release, tmp_path):
    (tmp_path / "site").mkdir()
    (tmp_path / "site/sw.js").write_text("const FILES = {a: 1};\n")
    assert bee("site", "-o", tmp_path / "site", "--release", release).code == 1


def test_the_first_file_has_the_level_of_every_published_puzzle(folder):
    made = json.loads((folder / "words.js").read_text().partition(" = ")[2].rstrip(";\n"))["daily"]
    published = daily.published(reader.read(reader.RELEASE))
    assert made["first"] == min(published)
    assert made["letters"] == "".join(published.values())
    assert re.fullmatch("[012]+", made["levels"])
    assert len(made["levels"]) == len(published)


def test_a_release_without_puzzles_of_the_day_has_none_on_the_page(bee, release, tmp_path):
    (release / "daily.csv").unlink()
    reseal(release)
    assert bee("site", "-o", tmp_path / "site", "--release", release).code == 0
    made = json.loads((tmp_path / "site/words.js").read_text().partition(" = ")[2].rstrip(";\n"))
    assert made["daily"] == {"first": "", "letters": "", "levels": ""}


@pytest.mark.parametrize(
    ("name", "old", "new", "says"),
    [
        ("words.csv", "word,tier,p", "word,rank,p", "no column tier"),
        ("words.csv", "aahed,refused", "aahed,banned", '"banned" is not a valid tier (word "aahed")'),
        ("words.csv", "aalii,", "aahed,", 'has "aahed" twice'),
        ("words.csv", "aalii,", "Aalii's,", '"Aalii\'s" is not a valid word'),
        ("words.csv", "likely,0.99", "likely,often", '"often" is not a valid p'),
        ("words.csv", "large-list rare", "large-list rar", '"rar", which is not a flag; `bee flag --list`'),
        ("record.csv", ",25,0,", ",many,0,", '"many" is not a number'),
        ("datapackage.json", "{", "", "does not describe a release"),
    ],
)
def test_a_release_that_is_damaged_says_where(bee, release, tmp_path, name, old, new, says):
    path = release / name
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    reseal(release)
    failed = bee("site", "-o", tmp_path / "site", "--release", release)
    assert failed.code == 1
    assert says in failed.err
    assert len(failed.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("breaks", "says"),
    [
        ("--release nowhere", "There is no release in nowhere"),
        ("-o {file}", "Cannot write"),
    ],
)
def test_a_wrong_option_is_one_sentence(bee, release, tmp_path, breaks, says):
    (tmp_path / "file").write_text("here")
    target = [] if "-o" in breaks else ["-o", tmp_path / "site"]
    failed = bee("site", *target, "--release", release, *breaks.format(file=tmp_path / "file").split())
    assert failed.code == 1
    assert says in failed.err
    assert failed.out == ""
    assert len(failed.err.splitlines()) == 1
    assert not (tmp_path / "site").exists()


def test_a_release_without_a_report_leaves_the_section_out(open_tab, bee, release, tmp_path, monkeypatch):
    assert bee("site", "-o", tmp_path / "with", "--release", release).code == 0
    monkeypatch.setattr("pipeline.commands.site.DOCS", tmp_path)
    assert bee("site", "-o", tmp_path / "without", "--release", release).code == 0
    for name, shown in (("with", True), ("without", False)):
        page = open_tab((tmp_path / name / "index.html").as_uri(), viewport={"width": 1280, "height": 900}).open()
        assert page.locator("nav a[data-section=accuracy]").is_visible() == shown


def test_the_scripts_are_named_once_in_python_and_loaded_in_this_order(folder):
    loaded = re.search(r"of \[(.*?)\]", (folder / "boot.js").read_text(), re.DOTALL)[1]
    assert ["boot.js", *re.findall(r'"([\w.]+)"', loaded)] == [*making.SCRIPTS, "words.js"]
