"""Imports: files, folders and addresses with official answers, whose answers they are, and what is left out."""

from __future__ import annotations

import os

import pytest
from server import reply

from pipeline import clock
from pipeline.fetching import captures, imports
from pipeline.sources import read_capture
from pipeline.sources.day import ParseResult
from pipeline.store import Workspace

DAY = "2025-01-01 e acnotv: cove covenant tote\n"


def seen(data) -> set[tuple[str, str]]:
    """The (source, date) of all days in a workspace."""
    found = captures.load(Workspace(data))
    return set(zip(found["source"], found["date"], strict=True))


@pytest.fixture
def data(tmp_path):
    """A workspace with nothing in it."""
    (tmp_path / "data").mkdir()
    return tmp_path / "data"


@pytest.mark.parametrize(
    ("source", "text"),
    [("plus", "20250101 acenotv e 3 17 1 0 0 0 0 covenant | cove covenant tote\n"), ("odd-name-xyz", DAY)],
)
def test_a_file_in_the_format_of_a_site_is_its_list_whatever_its_name_unless_a_person_says_otherwise(
    bee, data, tmp_path, source, text
):
    (tmp_path / "odd name.xyz").write_text(text)
    told = bee("--data", data, "import", tmp_path / "odd name.xyz")
    assert (told.code, f"1 day of {source} in 1 file" in told.err) == (0, True), told.err
    assert seen(data) == {(source, "2025-01-01")}
    assert bee("--data", data, "import", tmp_path / "odd name.xyz", "--as", "mine").code == 0
    assert seen(data) == {(source, "2025-01-01"), ("mine", "2025-01-01")}


@pytest.mark.parametrize("source", ["sample", "none", "a" * 41, "../up"])
def test_a_name_that_no_source_can_have_is_refused(bee, data, tmp_path, source):
    (tmp_path / "a.txt").write_text(DAY)
    refused = bee("--data", data, "import", tmp_path / "a.txt", "--as", source)
    assert (refused.code, "is not a valid name for a source" in refused.err) == (1, True)
    assert not (data / captures.PATH).exists()


def test_a_url_is_imported_like_a_file(bee, site, data):
    for number, path in enumerate(("/lines.txt", "/list?of=../all;$(days)"), 1):
        site.pages[path] = reply(f"2025-01-0{number} e acnotv: cove covenant tote\n".encode())
        assert bee("--data", data, "import", f"{site.url}{path}", "--delay", "0").code == 0
    assert seen(data) == {("127-0-0-1", "2025-01-01"), ("127-0-0-1", "2025-01-02")}
    assert bee("--data", data, "import", f"{site.url}/gone.txt", "--delay", "0").code == 1


def test_a_folder_with_what_cannot_be_read_names_it_and_reads_the_rest(bee, data, tmp_path, monkeypatch):
    folder = tmp_path / "archive/deep"
    folder.mkdir(parents=True)
    (folder / "a.txt").write_text(DAY)
    (folder / "page.html").write_text("<html><p>A page of another site.</p></html>")
    (folder / "gone.txt").symlink_to("nowhere")
    (folder / "memory.txt").symlink_to("/proc/self/mem")
    (folder / "large.txt").write_bytes(b"\n" * 2000)
    (folder / "largest.txt").write_bytes(b"2025-01-03 e acnotv: cove covenant tote".ljust(1999, b"\n"))
    (folder / os.fsdecode(b"\xff\x1b[31m.txt")).write_text("2025-01-04 e acnotv: cove covenant tote\n")
    monkeypatch.setattr("pipeline.fetching.imports.MAX_BYTES", 1999)
    done = bee("--data", data, "import", tmp_path / "archive")
    assert done.code == 1
    assert "gone.txt: unreadable: The link is broken." in done.err
    assert "memory.txt: unreadable: " in done.err
    assert "large.txt: too-large: The file is larger than" in done.err
    assert done.err.endswith(": 3 days of archive in 4 files, 3 new captures, 4 faults.\n")
    assert seen(data) == {("archive", f"2025-01-0{day}") for day in (1, 3, 4)}


def test_a_day_later_than_tomorrow_is_told_and_not_stored_and_hidden_folders_are_not_read(bee, data, tmp_path):
    tomorrow = clock.tomorrow()
    (tmp_path / "files/.hidden").mkdir(parents=True)
    (tmp_path / "files/.hidden/a.txt").write_text(DAY)
    (tmp_path / "files/a.txt").write_text(DAY.replace("2025-01-01", tomorrow) + DAY.replace("2025-01-01", "2099-01-01"))
    told = bee("--data", data, "import", tmp_path / "files", "--as", "mine")
    assert (told.code, "a.txt: bad-date: 2099-01-01 is later than tomorrow" in told.err) == (1, True)
    assert seen(data) == {("mine", tomorrow)}


def test_files_of_one_name_in_two_folders_are_two_captures_that_are_imported_once(bee, data, tmp_path):
    for folder, date in (("a", "2025-01-01"), ("b", "2025-01-02")):
        (tmp_path / "files" / folder).mkdir(parents=True)
        (tmp_path / "files" / folder / "day.txt").write_text(f"{date} e acnotv: cove covenant tote\n")
    for new in (2, 0):
        assert f"{new} new captures" in bee("--data", data, "import", tmp_path / "files", "--as", "mine").err
    assert "1 capture of mine" in bee("--data", data, "import", "--forget", "b/day.txt").err
    assert seen(data) == {("mine", "2025-01-01")}


def test_an_interrupted_import_keeps_what_it_read_and_the_next_one_goes_on(bee, data, tmp_path, monkeypatch):
    """tests/faults/test_kills.py kills it, too."""
    folder = tmp_path / "days"
    folder.mkdir()
    for day in ("1", "2", "3"):
        (folder / f"{day}.txt").write_text(DAY.replace("2025-01-01", f"2025-01-0{day}"))

    def interrupted(content: bytes, name: str) -> ParseResult:
        if name == "3.txt":
            raise KeyboardInterrupt
        return read_capture(content, name)

    with monkeypatch.context() as patch:
        patch.setattr(imports, "read_capture", interrupted)
        assert bee("--data", data, "import", folder, "--as", "mine").code == 130
    assert captures.numbers(Workspace(data)) == {"mine": 2}
    assert "1 new capture, " in bee("--data", data, "import", folder, "--as", "mine").err
    assert captures.numbers(Workspace(data)) == {"mine": 3}
    assert bee("--data", data, "import", "--again").code == 0
