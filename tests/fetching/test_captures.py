"""The database of captures: what it keeps, and what happens if it is damaged, locked or cannot be written."""

from __future__ import annotations

import contextlib
import random
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import PROJECT, SAMPLE, keep, snapshot

from pipeline import store
from pipeline.errors import StoreError
from pipeline.fetching import captures
from pipeline.fetching.captures import Captures
from pipeline.run import registry
from pipeline.sources import read_capture
from pipeline.sources.day import days_between
from pipeline.store import Workspace

AT = "2025-02-02T00:00:00+00:00"
ONE = b"2025-01-02 e acnotv: cove covenant octave\n2025-01-03 n abdelu: null dunable nebula\n"
OTHER = b"2025-01-02 e acnotv: cove covenant\n"
FAULTY = b"2025-01-04 e acnotv: cove covenant octave\n2025-01-05 n abdelu: love\n"


def loaded(workspace: Workspace) -> Captures:
    found: Captures = registry.load(workspace, "captures")
    return found


def query(workspace: Workspace, sql: str) -> list[tuple[object, ...]]:
    """Run a statement on the database, as any program can."""
    with contextlib.closing(sqlite3.connect(workspace.root / captures.PATH)) as database, database:
        return database.execute(sql).fetchall()


@pytest.fixture
def kept(workspace: Workspace) -> Workspace:
    """A workspace with captures of two sources, one of them with a fault."""
    keep(workspace, "lines", [("one.txt", "/one.txt", ONE), ("faulty.txt", "", FAULTY)], AT)
    keep(workspace, "mine", [("other.txt", "", OTHER)], AT)
    return workspace


def test_what_comes_again_is_kept_once_and_what_changed_is_a_new_version(workspace):
    versions = [(ONE, "2025-02-01"), (ONE, "2025-02-02"), (OTHER, "2025-02-03"), (ONE, "2025-02-04")]
    new = [keep(workspace, "lines", [("a.txt", "", data)], f"{date}T00:00:00+00:00") for data, date in versions]
    assert new == [1, 0, 1, 1]
    rows = query(workspace, "SELECT substr(came_at, 1, 10), substr(seen_at, 1, 10) FROM captures ORDER BY id")
    assert rows == [("2025-02-01", "2025-02-02"), ("2025-02-03", "2025-02-03"), ("2025-02-04", "2025-02-04")]
    assert query(workspace, "SELECT count(*) FROM contents") == [(2,)]
    found = loaded(workspace)
    assert found.days[-1][1].date == "2025-01-03", "the version that came last is last"
    assert found.seen["lines", "2025-01-02"] == "2025-02-04T00:00:00+00:00"


def test_the_same_bytes_from_two_sources_are_one_witness_the_more_trusted_one(workspace):
    for source, day in (("mine", 9), ("plus", 1), ("aunt", 2), ("seed", 3)):
        keep(workspace, source, [("a.txt", "", OTHER)], f"2025-02-0{day}T00:00:00+00:00")
    assert [source for source, _ in loaded(workspace).days] == ["seed"]
    assert loaded(workspace).seen == {("seed", "2025-01-02"): "2025-02-09T00:00:00+00:00"}, "last seen by anyone"
    captures.forget(workspace, "seed")
    assert [source for source, _ in loaded(workspace).days] == ["plus"]


def test_parsed_days_are_kept_until_the_parser_changes_and_can_be_deleted(kept, monkeypatch):
    before = loaded(kept)
    assert [fault.rule for fault in before.faults] == ["unspellable"]
    assert len({sha for (sha,) in query(kept, "SELECT sha256 FROM days")}) == 2, "a fault is told each time"
    monkeypatch.setattr(captures, "read_capture", lambda *_: pytest.fail("it parses what was parsed"))
    captures.forget(kept, "faulty.txt")
    assert loaded(kept).days == [each for each in before.days if each[1].date != "2025-01-04"]
    monkeypatch.setattr(captures, "read_capture", read_capture)
    query(kept, "DELETE FROM days WHERE date = '2025-01-03'")
    monkeypatch.setattr(captures, "parser", lambda: "another version")
    assert loaded(kept).days == [each for each in before.days if each[1].date != "2025-01-04"]
    captures.parse_new(kept)
    assert query(kept, "SELECT DISTINCT parser FROM days") == [("another version",)]


@pytest.mark.parametrize("name", ["sources/nytbee.py", "words.py", "violations.py"])
def test_any_change_of_the_code_that_parses_is_another_parser(tmp_path, monkeypatch, name):
    package = tmp_path / "pipeline"
    shutil.copytree(PROJECT / "pipeline", package, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(captures, "__file__", str(package / "fetching/captures.py"))
    before = captures.parser.__wrapped__()
    with (package / name).open("a") as file:
        file.write("#")
    assert captures.parser.__wrapped__() != before


@pytest.mark.parametrize(("taken", "possible"), [("2025-01-01", True), ("2024-12-31", False)])
def test_a_day_counts_if_it_could_have_come_when_its_capture_came(workspace, taken, possible):
    """The capture has the day 2025-01-02; it may be tomorrow's, because it is later elsewhere."""
    days = [("a.txt", "/a file.txt", b"2024-12-01 e acnotv: cove covenant\n" + OTHER)]
    keep(workspace, "lines", days, f"{taken}T00:00:00+00:00")
    found = loaded(workspace)
    assert [day.date for _, day in found.days] == ["2024-12-01", "2025-01-02"][: 1 + possible]
    assert [fault.rule for fault in found.faults] == ["bad-date"] * (not possible)
    assert possible or "`bee import '/a file.txt' --as lines`" in found.faults[0].detail
    keep(workspace, "mine", days, f"{taken}T00:00:00+00:00")
    assert len(loaded(workspace).faults) == (not possible), "a fault of the same bytes is told once"


def test_the_sample_is_a_source_of_its_own_with_settled_days(data, bee):
    shutil.copytree(SAMPLE.parent, data / "raw/sample")
    found = loaded(Workspace(data))
    before = registry.digest(Workspace(data), "captures")
    (data / "raw/sample/more.csv").write_text("date,center,outer,answer\n")
    assert registry.digest(Workspace(data), "captures") != before
    (data / "raw/sample/more.csv").unlink()
    assert ({source for source, _ in found.days}, len(found.days), found.faults) == ({"sample"}, 14, [])
    assert bee("merge", "--data", data).code == 0
    days = registry.load(Workspace(data), "days")
    assert days["settled"].all()
    assert days["week_over"].all()


PAGES = sorted((PROJECT / "tests/sources/pages").iterdir())


@pytest.mark.parametrize("path", [SAMPLE, *PAGES], ids=lambda path: path.name)
def test_the_days_of_a_capture_do_not_depend_on_its_name(path):
    assert read_capture(path.read_bytes(), "one").days == read_capture(path.read_bytes(), "2025-05-05.html").days


def test_an_import_is_taken_back_by_its_source_or_by_the_name_of_its_file(bee, data, tmp_path):
    for name, content in (("one.txt", ONE), ("other.txt", OTHER)):
        (tmp_path / name).write_bytes(content)
    assert bee("import", tmp_path / "one.txt", tmp_path / "other.txt", "--as", "mine", "--data", data).code == 0
    assert bee("import", tmp_path / "one.txt", "--data", data).code == 0
    assert "Forgotten: 1 capture of one-txt." in bee("import", "--forget", "one-txt", "--data", data).err
    assert "Forgotten: 1 capture of mine." in bee("import", "--forget", "other.txt", "--data", data).err
    workspace = Workspace(data)
    assert sorted(loaded(workspace).seen) == [("mine", "2025-01-02"), ("mine", "2025-01-03")]
    assert query(workspace, "SELECT count(*) FROM contents") == [(1,)]
    size = (data / captures.PATH).stat().st_size
    many = "".join(f"{date} e acnotv: cove covenant\n" for date in days_between("2023-01-01", "2023-12-31"))
    (tmp_path / "many.txt").write_text(many)
    assert bee("import", tmp_path / "many.txt", "--data", data).code == 0
    assert bee("import", "--forget", "many.txt", "--data", data).code == 0
    assert (data / captures.PATH).stat().st_size == size, "no bytes stay in the file"
    for arguments in (("--forget", "nobody"), (), ("--forget", "mine", tmp_path / "one.txt")):
        failed = bee("import", *arguments, "--data", data)
        assert failed.code in (1, 2)
    assert (
        'no source or file "nobody" among the captures; the sources are: mine.'
        in bee("import", "--forget", "nobody", "--data", data).err
    )


# ---------------------------------------------------------------- trouble


def change(old: bytes, new: bytes) -> Callable[[Path], object]:
    return lambda path: path.write_bytes(path.read_bytes().replace(old, new))


def execute(sql: str) -> Callable[[Path], object]:
    def run(path: Path) -> None:
        with contextlib.closing(sqlite3.connect(path)) as database, database:
            database.execute(sql)

    return run


DAMAGES = {
    "cut": lambda path: path.write_bytes(path.read_bytes()[:9000]),
    "empty": lambda path: path.write_bytes(b""),
    "zeros": lambda path: path.write_bytes(bytes(20_000)),
    "not SQLite": lambda path: path.write_bytes(b"source,name\n" * 2000),
    "another database": lambda path: (path.unlink(), execute("CREATE TABLE captures (id)")(path)),
    "another source": change(b"mine", b"nine"),
    "other bytes": execute("UPDATE contents SET compressed = x'789c030000000001'"),
    "no bytes": execute("DELETE FROM contents"),
    "a number": execute("UPDATE captures SET seen_at = 5"),
    "no table": execute("DROP TABLE captures"),
    "other columns": execute("ALTER TABLE requests RENAME COLUMN detail TO details"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_database_is_told_with_the_way_back_and_touches_no_record(bee, ran, damage):
    """A run without new captures does not read the bytes again."""
    workspace = Workspace(ran)
    keep(workspace, "mine", [("other.txt", "", OTHER), ("faulty.txt", "", FAULTY)], AT)
    assert bee("merge", "--data", ran).code == 0
    before = snapshot(ran)
    path = ran / captures.PATH
    DAMAGES[damage](path)
    for command in (
        ("check --captures",) if damage.endswith(" bytes") else ("merge", "run", "check --captures", "fetch")
    ):
        failed = bee(*command.split(), "--data", ran)
        assert (failed.code, failed.err.count("bee: ")) == (1, 1), failed.err
        assert failed.err.startswith(f"bee: {path} is damaged (")
    after = snapshot(ran)
    for files in (before, after):
        del files[captures.PATH]
    assert after == before
    (way_back,) = re.findall("`(rm -f [^`]+)`", failed.err)
    subprocess.run(shlex.split(way_back), check=True)
    assert bee("run", "--data", ran).code == 0
    assert (ran / "custom/record.csv").read_bytes() == before["custom/record.csv"]


def test_a_database_with_other_comments_and_more_tables_is_as_good(kept, monkeypatch):
    before = loaded(kept)
    monkeypatch.setattr(captures, "SCHEMA", re.sub("--.*", "", captures.SCHEMA))
    captures._empty.cache_clear()
    query(kept, "CREATE VIEW answers AS SELECT answers FROM days")
    assert loaded(kept) == before
    captures._empty.cache_clear()


def test_rows_that_a_damaged_page_of_the_file_hides_are_missed(kept):
    path = kept.root / captures.PATH
    ((page,),) = query(kept, "SELECT rootpage FROM sqlite_schema WHERE name = 'captures'")
    ((size,),) = query(kept, "PRAGMA page_size")
    data = bytearray(path.read_bytes())
    place = (page - 1) * size + 4  # the number of rows in the page
    assert data[place] == 3
    data[place] = 2
    path.write_bytes(data)
    with pytest.raises(StoreError, match="is damaged"):
        loaded(kept)


def test_the_last_request_for_each_day_of_each_source_is_known(kept):
    asked = [("nyt", "2025-01-02", "missing"), ("nyt", "2025-01-03", "busy"), ("nytbee", "2025-01-02", "missing")]
    with captures.opened(kept.root / captures.PATH, 1) as database, database:
        for source, date, outcome in [*asked, ("nyt", "2025-01-02", "new")]:
            captures.log(database, captures.Request(source, date, AT, outcome))
    found = {key: request.outcome for key, request in captures.last_requests(kept).items()}
    assert found == {("nyt", "2025-01-02"): "new", ("nyt", "2025-01-03"): "busy", ("nytbee", "2025-01-02"): "missing"}


def test_damaged_bytes_of_a_page_are_found_by_a_check(bee, kept):
    assert "damaged" not in bee("check", "--captures", "--data", kept.root).err
    query(kept, "UPDATE contents SET compressed = zeroblob(9) WHERE rowid = 1")
    failed = bee("check", "--captures", "--data", kept.root)
    assert (failed.code, "captures.db is damaged" in failed.err) == (1, True)


def test_a_database_of_a_newer_version_is_named(bee, kept):
    query(kept, "PRAGMA user_version = 2")
    failed = bee("check", "--captures", "--data", kept.root)
    assert (failed.code, "was made by a newer version of this program; update the program" in failed.err) == (1, True)


def test_a_database_that_another_program_has_locked_is_waited_for(bee, kept):
    with contextlib.closing(sqlite3.connect(kept.root / captures.PATH)) as other:
        other.execute("BEGIN EXCLUSIVE")
        failed = bee("check", "--captures", "--wait", "0.1", "--data", kept.root)
    assert (failed.code, "--wait SECONDS" in failed.err) == (1, True)
    assert "locked for 0.1 s" in failed.err


def test_a_full_disk_keeps_what_was_there(kept, monkeypatch):
    before = loaded(kept)
    large = ONE + b"".join(b"2019-01-%02d n abdelu: null dunable nebula\n" % day for day in range(1, 32))
    opened = captures.opened

    @contextlib.contextmanager
    def small(*arguments, **options):
        with opened(*arguments, **options) as database:
            (pages,) = database.execute("PRAGMA page_count").fetchone()
            database.execute(f"PRAGMA max_page_count = {pages}")
            yield database

    monkeypatch.setattr(captures, "opened", small)
    with pytest.raises(StoreError, match=r"Cannot read or write .*captures\.db: database or disk is full\."):
        keep(kept, "plus", [("large.txt", "", large * 3)], AT)
    assert loaded(kept) == before


def test_whatever_byte_is_flipped_it_is_told_or_changes_nothing(kept):
    draw = random.Random(54)
    path = kept.root / captures.PATH
    whole, before = path.read_bytes(), loaded(kept)
    used = [at for at, byte in enumerate(whole) if byte]
    told = 0
    for at in draw.sample(used, 400):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ draw.randint(1, 255)]) + whole[at + 1 :])
        try:
            assert loaded(kept) == before
        except StoreError:
            told += 1
    assert 50 < told < 400, "some bytes matter, and others do not"


ONE_LINERS = re.findall(r"^sqlite3 .*(?:\n  .*)*", (PROJECT / "docs/FETCHING.md").read_text(), re.MULTILINE)


@pytest.mark.skipif(not shutil.which("sqlite3"), reason="there is no sqlite3; make tools")
def test_the_commands_in_fetching_md_show_days_failed_requests_and_the_bytes_of_a_page(tmp_path):
    workspace = Workspace(tmp_path / "data")
    (tmp_path / "data/raw").mkdir(parents=True)
    keep(workspace, "nytbee", [("Bee_20250102.html", "", ONE)], AT)
    with captures.opened(workspace.root / captures.PATH, 1) as database, database:
        captures.log(database, captures.Request("nyt", "2025-01-03", AT, "forbidden", "no robots"))
    said = []
    for line in ONE_LINERS:
        done = subprocess.run(["sh", "-c", line], cwd=tmp_path, capture_output=True, text=True, check=True)
        said.append(done.stdout)
    assert [len(ONE_LINERS), "2025-01-02" in said[0], "no robots" in said[1]] == [3, True, True]
    assert (tmp_path / "page.html").read_bytes() == ONE


def test_reading_needs_no_right_to_write(kept):
    path = kept.root / captures.PATH
    before = (path.stat().st_mtime_ns, path.read_bytes())
    loaded(kept)
    assert (path.stat().st_mtime_ns, path.read_bytes()) == before
    assert not store.read_if_exists(path.with_name("captures.db-journal"))


def test_a_clock_that_was_set_back_takes_no_day_away(workspace):
    for at in ("2025-02-02", "2020-01-05"):
        keep(workspace, "lines", [("a.txt", "", ONE)], f"{at}T00:00:00+00:00")
    assert loaded(workspace).seen["lines", "2025-01-02"] == AT


def test_a_source_that_corrects_itself_to_what_another_one_says_is_no_second_witness_of_its_old_list(workspace):
    for source, data in (("plus", ONE), ("plus", OTHER), ("nyt", OTHER)):
        keep(workspace, source, [("a.txt", "", data)], AT)
    assert [(source, day.date, "octave" in day.answers) for source, day in loaded(workspace).days] == [
        ("plus", "2025-01-03", False),
        ("nyt", "2025-01-02", False),
    ]
    keep(workspace, "nyt", [("a.txt", "", ONE)], AT)
    assert {source for source, day in loaded(workspace).days if day.date == "2025-01-02"} == {"nyt", "plus"}


def test_a_file_that_is_imported_again_is_the_latest_list_of_its_source(workspace):
    for name, data, day in (("good.txt", ONE, 2), ("bad.txt", OTHER, 3), ("good.txt", ONE, 4)):
        keep(workspace, "plus", [(name, "", data)], f"2025-02-0{day}T00:00:00+00:00")
    days = [day for _, day in loaded(workspace).days if day.date == "2025-01-02"]
    assert "octave" in days[-1].answers


def test_a_journal_that_outlived_its_file_is_not_played_into_a_new_one(kept):
    path = kept.root / captures.PATH
    for date in days_between("2024-01-01", "2024-06-30"):
        keep(kept, "mine", [(f"{date}.txt", "", f"{date} e acnotv: cove covenant\n".encode())], AT)
    program = (
        "import os, sqlite3, sys; d = sqlite3.connect(sys.argv[1], isolation_level=None); "
        "d.execute('PRAGMA cache_size = 2'); d.execute('BEGIN IMMEDIATE'); "
        'd.execute("UPDATE captures SET url = url || date()"); os.kill(os.getpid(), 9)'
    )
    subprocess.run([sys.executable, "-c", program, str(path)], check=False)
    assert path.with_name("captures.db-journal").stat().st_size > 0
    path.unlink()
    keep(kept, "plus", [("one.txt", "", ONE)], AT)
    assert {source for source, _ in loaded(kept).seen} == {"plus"}


@pytest.mark.parametrize("target", ["gone/captures.db", "captures.db"])
def test_a_link_to_a_file_that_is_not_there_is_no_empty_database(bee, kept, target):
    path = kept.root / captures.PATH
    path.unlink()
    path.symlink_to(target)
    failed = bee("check", "--captures", "--data", kept.root)
    assert (failed.code, "is a link to" in failed.err) == (1, True)
