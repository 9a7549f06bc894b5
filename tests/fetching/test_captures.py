"""The database of captures: what it keeps, and what happens if it is damaged, locked or cannot be written."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import sqlite3
import subprocess
import zlib
from pathlib import Path

import pandas as pd
import pytest
from conftest import PROJECT, SAMPLE, keep

from pipeline import store
from pipeline.errors import StoreError
from pipeline.fetching import captures, schedule
from pipeline.store import Workspace

AT = "2025-02-02T00:00:00+00:00"
ONE = b"2025-01-02 e acnotv: cove covenant octave\n2025-01-03 n abdelu: null dunable nebula\n"
OTHER = b"2025-01-02 e acnotv: cove covenant\n"


def loaded(workspace: Workspace) -> pd.DataFrame:
    """The lists on disk, by source and date."""
    return captures.load(workspace).set_index(["source", "date"])


def query(workspace: Workspace, sql: str) -> list[tuple[object, ...]]:
    """Run a statement on the database, as any program can."""
    with contextlib.closing(sqlite3.connect(workspace.root / captures.PATH)) as database, database:
        return database.execute(sql).fetchall()


@pytest.fixture
def kept(workspace: Workspace) -> Workspace:
    """A workspace with captures of two sources."""
    keep(workspace, "lines", [("one.txt", "/one.txt", ONE)], AT)
    keep(workspace, "mine", [("other.txt", "", OTHER)], AT)
    return workspace


def test_what_comes_again_is_kept_once_and_the_last_list_of_a_date_counts(workspace):
    versions = [(ONE, "01"), (ONE, "02"), (OTHER, "03"), (ONE, "04")]
    times = []
    for data, day in versions:
        keep(workspace, "lines", [("a.txt", "", data)], f"2025-02-{day}T00:00:00+00:00")
        row = loaded(workspace).loc[("lines", "2025-01-02")]
        times.append((row["answers"].count(" "), row["came_at"][8:10], row["seen_at"][8:10]))
    assert times == [(2, "01", "01"), (2, "01", "02"), (1, "03", "03"), (2, "04", "04")]
    rows = query(workspace, "SELECT substr(came_at, 9, 2), substr(seen_at, 9, 2) FROM captures ORDER BY id")
    assert rows == [("01", "02"), ("03", "03"), ("04", "04")]


def test_a_file_that_is_imported_again_is_the_last_list_of_its_source(workspace):
    for name, data, day in (("a.txt", ONE, "01"), ("b.txt", OTHER, "02"), ("a.txt", ONE, "03")):
        keep(workspace, "lines", [(name, "", data)], f"2025-02-{day}T00:00:00+00:00")
    for _ in range(2):
        row = loaded(workspace).loc[("lines", "2025-01-02")]
        assert (row["answers"].count(" "), row["seen_at"][8:10]) == (2, "03")
        captures.read_again(workspace)


def test_an_unchanged_list_in_other_bytes_came_when_it_first_came(workspace):
    for day, data in (("01", OTHER), ("05", OTHER + b"2025-01-03 n abdelu: null dunable nebula\n")):
        keep(workspace, "lines", [("a.txt", "", data)], f"2025-02-{day}T00:00:00+00:00")
    row = loaded(workspace).loc[("lines", "2025-01-02")]
    assert (row["came_at"][8:10], row["seen_at"][8:10]) == ("01", "05")


@pytest.mark.parametrize(("taken", "possible"), [("2025-01-01", True), ("2024-12-31", False)])
def test_a_day_can_be_at_most_tomorrow_when_its_capture_came_and_is_not_brought_later(workspace, taken, possible):
    days = [("a.txt", "/a file.txt", b"2024-12-01 e acnotv: cove covenant\n" + OTHER)]
    keep(workspace, "lines", days, f"{taken}T00:00:00+00:00")
    for _ in range(2):
        assert (("lines", "2025-01-02") in loaded(workspace).index) == possible
        captures.read_again(workspace)


def test_the_sample_is_a_source_of_its_own_with_settled_days(workspace):
    folder = workspace.root / captures.SAMPLE
    folder.mkdir(parents=True)
    shutil.copy(SAMPLE, folder)
    days = schedule.with_settled(captures.load(workspace))
    assert (days["source"].unique().tolist(), days["settled"].all(), len(days)) == (["sample"], True, 14)


def test_an_import_is_taken_back_by_its_source_or_its_file_and_the_list_before_is_back(bee, data, tmp_path):
    for name, text in (("one.txt", ONE), ("other.txt", OTHER)):
        (tmp_path / name).write_bytes(text)
        assert bee("--data", data, "import", tmp_path / name, "--as", "mine").code == 0
    assert loaded(Workspace(data)).loc[("mine", "2025-01-02"), "answers"] == "cove covenant"
    assert "1 capture of mine" in bee("--data", data, "import", "--forget", "other.txt").err
    assert loaded(Workspace(data)).loc[("mine", "2025-01-02"), "answers"] == "cove covenant octave"
    assert zlib.compress(ONE) in (data / captures.PATH).read_bytes()
    assert bee("--data", data, "import", "--forget", "mine").code == 0
    assert loaded(Workspace(data)).empty
    assert zlib.compress(ONE) not in (data / captures.PATH).read_bytes()
    refused = bee("--data", data, "import", "--forget", "mine")
    assert (refused.code, "There is no source or file" in refused.err) == (1, True)


def test_all_captures_are_parsed_again_and_bytes_that_changed_are_refused(bee, data):
    workspace = Workspace(data)
    keep(workspace, "lines", [("one.txt", "", ONE), ("faulty.txt", "", OTHER + b"2025-01-05 n abdelu: love\n")], AT)
    before = loaded(workspace)
    query(workspace, "DELETE FROM days")
    again = bee("--data", data, "import", "--again")
    assert (again.code, "unspellable" in again.err) == (1, True), "a fault is told again"
    pd.testing.assert_frame_equal(loaded(workspace), before)
    for stored in (b"junk", zlib.compress(OTHER)):
        query(workspace, f"UPDATE captures SET compressed = x'{stored.hex()}' WHERE name = 'one.txt'")
        refused = bee("--data", data, "import", "--again")
        assert (refused.code, "captures.db is damaged" in refused.err) == (1, True)
        pd.testing.assert_frame_equal(loaded(workspace), before)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:5000])


def older(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA user_version = 1")


DAMAGES = {
    "it is cut": cut,
    "it is text": lambda path: path.write_text("date,center,outer,answer\n" * 99),
    "it is of another version": older,
    "a page is zero": lambda path: path.write_bytes(path.read_bytes()[:4096] + bytes(4096)),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_database_is_told(kept, damage):
    DAMAGES[damage](kept.root / captures.PATH)
    for use in (captures.load, captures.read_again, lambda workspace: captures.forget(workspace, "mine")):
        with pytest.raises(StoreError, match=r"captures\.db is damaged \("):
            use(kept)


def test_a_damaged_database_touches_no_record_and_the_way_back_is_told(bee, ran):
    cut(ran / captures.PATH)
    before = (ran / "custom/words.csv").read_bytes()
    for line in ("merge", "fetch"):
        refused = bee("--data", ran, *line.split())
        assert (refused.code, "captures.db is damaged (" in refused.err) == (1, True), refused.err
    (command,) = re.findall("`(rm [^`]+)`", refused.err)
    subprocess.run(command, shell=True, check=True)
    assert bee("--data", ran, "run").code == 0
    assert (ran / "custom/words.csv").read_bytes() == before


def test_a_database_that_another_program_has_locked_is_waited_for(bee, kept, monkeypatch):
    monkeypatch.setattr(store, "WAIT", 0.1)
    with contextlib.closing(sqlite3.connect(kept.root / captures.PATH)) as other:
        other.execute("BEGIN EXCLUSIVE")
        refused = bee("--data", kept.root, "import", "--forget", "mine")
    assert (refused.code, "locked for 0.1 s" in refused.err) == (1, True)


def test_reading_needs_no_right_to_write_and_writing_says_that_it_lacks_it(kept):
    before = loaded(kept)
    path = kept.root / captures.PATH
    if os.access("/etc/shadow", os.W_OK):
        pytest.skip("root may write everywhere")
    path.chmod(0o444)
    pd.testing.assert_frame_equal(loaded(kept), before)
    with pytest.raises(StoreError, match="Cannot read or write"):
        keep(kept, "mine", [("new.txt", "", ONE)], AT)


def test_a_link_to_a_file_that_is_not_there_is_no_empty_database(kept):
    path = kept.root / captures.PATH
    path.unlink()
    path.symlink_to("gone/captures.db")
    with pytest.raises(StoreError, match="Maybe a disk is missing"):
        loaded(kept)


def test_the_last_outcome_of_a_source_is_known(kept):
    with captures.opened(kept.root / captures.PATH) as database, database:
        for date, outcome in (("2025-01-02", "failed"), ("2025-01-03", "new")):
            captures.log(database, captures.Request("nyt", date, AT, outcome))
    assert [request.failed for request in captures.last_outcomes(kept)] == [False]


@pytest.mark.skipif(not shutil.which("sqlite3"), reason="there is no sqlite3; make tools")
def test_the_commands_in_fetching_md_show_days_failed_requests_and_the_bytes_of_a_page(tmp_path):
    workspace = Workspace(tmp_path / "data")
    page = (PROJECT / "tests/sources/pages/definitions.html").read_bytes()
    keep(workspace, "nytbee", [("Bee_20250102.html", "", page)], AT)
    with captures.opened(workspace.root / captures.PATH) as database, database:
        captures.log(database, captures.Request("nyt", "2025-01-02", AT, "failed", "status 403"))
    text = (PROJECT / "docs/FETCHING.md").read_text()
    commands = re.findall("^sqlite3 data/.*$", text, re.MULTILINE)
    said = [
        subprocess.run(command, shell=True, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
        for command in commands
    ]
    assert len(said) == 3
    assert "2025-01-02|" in said[0]
    assert "status 403" in said[1]
    assert (tmp_path / "page.html").read_bytes() == page
