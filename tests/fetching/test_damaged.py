"""Captures and receipts that are damaged or lost, and whose answers a file has."""

import re
import shlex
import shutil
from pathlib import Path

import pytest
from conftest import keep
from server import reply, serving

from pipeline.facts import merge
from pipeline.fetching import receipts
from pipeline.run import registry
from pipeline.sources import TRUST
from pipeline.store import Workspace
from pipeline.tables import frames

DAY = '{{"print_date": "{}", "center_letter": "e", "outer_letters": "acnotv", "answers": {}, "pangrams": ["covenant"]}}'
"""A day as nytimes.com sends it."""


def page(date: str, *answers: str) -> bytes:
    listed = ", ".join(f'"{word}"' for word in answers or ("cove", "tote"))
    return DAY.format(date, f"[{listed}]").encode()


@pytest.fixture
def site(monkeypatch):
    with serving() as site:
        monkeypatch.setenv("BEE_NYT_URL", site.url)
        monkeypatch.setenv("BEE_NYTBEE_URL", site.url)
        monkeypatch.setenv("BEE_DELAY", "0")
        yield site


@pytest.fixture
def kept(tmp_path) -> Path:
    """A workspace with two days of nyt."""
    for date in ("2025-01-01", "2025-01-02"):
        keep(Workspace(tmp_path), "nyt", [(f"{date}.json", "", page(date))], "2025-02-01T00:00:00+00:00")
    return tmp_path


def harm(path: Path, how: str) -> None:
    if how == "gone":
        path.unlink()
    elif how == "cut":
        path.write_bytes(path.read_bytes()[:40])
    else:
        path.unlink()
        path.mkdir()


def literally(bee, told: str, name: str) -> list:
    """Run the commands of that name which a text has in backticks, as printed."""
    found = re.findall(f"`bee ({name}[^`]*)`", told)
    assert found, told
    return [bee(*shlex.split(command)) for command in dict.fromkeys(found)]


@pytest.mark.parametrize("how", ["gone", "cut", "folder"])
def test_a_fetch_asks_again_for_a_damaged_capture_and_the_same_bytes_are_put_back(bee, kept, site, how):
    path = kept / "raw/nyt/2025-01-02.json"
    whole = path.read_bytes()
    harm(path, how)
    found = bee("check", "--captures", "--data", kept)
    assert (found.code, found.out.count("capture-changed")) == (1, 1)
    assert "nyt/2025-01-02.json" in found.out
    site.pages["/svc/spelling-bee/v1/2025-01-02.json"] = reply(whole)
    done = bee("fetch", "--source", "nyt", "--since", "2025-01-01", "--until", "2025-01-02", "--data", kept)
    assert (done.code, "nyt: put back 1" in done.err, site.paths()) == (
        0,
        True,
        ["/svc/spelling-bee/v1/2025-01-02.json"],
    )
    assert path.read_bytes() == whole
    assert bee("check", "--captures", "--data", kept).code == 0
    assert len(receipts.read_log(Workspace(kept).raw / "nyt/receipts.csv")) == 2


def test_a_damaged_capture_of_a_covered_day_is_asked_for_without_dates(kept):
    from pipeline.fetching import wanted

    (kept / "raw/nyt/2025-01-02.json").unlink()
    known = wanted.know(Workspace(kept))
    assert list(known.lost) == [("nyt", "2025-01-02")]
    assert list(known.held) == ["2025-01-01"]


def test_another_version_from_the_source_replaces_the_damaged_one(bee, kept, site):
    (kept / "raw/nyt/2025-01-02.json").write_bytes(b"{")
    site.pages["/svc/spelling-bee/v1/2025-01-02.json"] = reply(page("2025-01-02", "cove", "tote", "octave"))
    dates = ("--source", "nyt", "--since", "2025-01-02", "--until", "2025-01-02")
    assert bee("fetch", *dates, "--data", kept).code == 0
    assert bee("check", "--captures", "--data", kept).code == 0
    ((_, day),) = [(source, day) for source, day in load(kept).days if day.date == "2025-01-02"]
    assert "octave" in day.answers
    assert "No day is missing." in bee("fetch", *dates, "--data", kept).err


def test_an_older_whole_version_does_not_replace_a_damaged_one(bee, kept):
    keep(Workspace(kept), "nyt", [("2025-01-02.json", "", page("2025-01-02", "cove"))], "2025-03-01T00:00:00+00:00")
    (later,) = [path for path in (kept / "raw/nyt").glob("2025-01-02-*")]
    later.write_bytes(b"{")
    found = bee("check", "--captures", "--data", kept)
    assert re.findall("capture-changed +(.*?):", found.out) == [f"nyt/{later.name}"]


def load(root: Path):
    return registry.load(Workspace(root), "captures")


@pytest.mark.parametrize("how", ["gone", "cut"])
@pytest.mark.parametrize("source", [(), ("--as", "nyt")])
def test_importing_the_same_file_puts_it_back(bee, kept, tmp_path_factory, how, source):
    path = kept / "raw/nyt/2025-01-02.json"
    file = shutil.copy(path, tmp_path_factory.mktemp("saved") / "any.json")
    harm(path, how)
    done = bee("import", file, *source, "--data", kept)
    assert (done.code, "0 new captures, 1 put back, 0 faults" in done.err) == (0, True)
    assert path.read_bytes() == Path(file).read_bytes()
    assert bee("check", "--captures", "--data", kept).code == 0
    assert [folder.name for folder in (kept / "raw").iterdir()] == ["nyt"]
    assert "put back" not in bee("import", file, *source, "--data", kept).err


@pytest.mark.parametrize("how", ["gone", "cut", "folder"])
def test_the_printed_command_gives_a_capture_up_and_loses_nothing(bee, kept, how):
    path = kept / "raw/nyt/2025-01-02.json"
    harm(path, how)
    told = bee("check", "--captures", "--data", kept).out.replace("2025-01-02.json`", f"2025-01-02.json --data {kept}`")
    assert "asks for it again; importing the same file puts it back" in told
    (done,) = literally(bee, told, "forget")
    assert (done.code, "`bee run --data" in done.err) == (0, True)
    assert bee("check", "--captures", "--data", kept).code == 0
    assert [day.date for _, day in load(kept).days] == ["2025-01-01"]
    assert len(list((kept / "raw/nyt").glob(".damaged/*-2025-01-02.json"))) == (how != "gone")
    assert not path.exists()


def test_two_damaged_captures_of_one_name_are_both_kept(bee, kept):
    path = kept / "raw/nyt/2025-01-02.json"
    for text in (b"first", b"second"):
        path.write_bytes(text)
        assert bee("forget", "nyt/2025-01-02.json", "--data", kept).code == 0
        keep(Workspace(kept), "nyt", [(path.name, "", page("2025-01-02"))], "2025-02-01T00:00:00+00:00")
    assert {aside.read_bytes() for aside in (kept / "raw/nyt/.damaged").iterdir()} == {b"first", b"second"}


@pytest.mark.parametrize(
    ("name", "code", "says"),
    [
        ("nyt/2025-01-02.json", 1, "is as its receipt says, so it stays"),
        ("nyt/2025-01-03.json", 1, "There is no receipt of nyt/2025-01-03.json"),
        ("nowhere/a.json", 1, "There is no receipt"),
        ("nyt", 2, "Name the capture like"),
        ("../nyt/a.json", 2, "Name the capture like"),
        ("../a.json", 2, "Name the capture like"),
    ],
)
def test_only_a_damaged_capture_is_forgotten(bee, kept, name, code, says):
    before = {path: path.read_bytes() for path in kept.rglob("*") if path.is_file() and path.name != ".lock"}
    told = bee("forget", name, "--data", kept)
    assert (told.code, says in told.err) == (code, True)
    assert before == {path: path.read_bytes() for path in kept.rglob("*") if path.is_file() and path.name != ".lock"}


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"\0" * len(data),
        lambda data: data.replace(b"source,name", b"garbage"),
        lambda _: b"\xff\xfe garbage\n" * 5,
        lambda _: b"a" * 140_000 + b"\n",
        lambda data: data[: data.index(b"\n") + 1],
        None,
    ],
    ids=["nul", "header", "binary", "long", "only the header", "deleted"],
)
def test_receipts_that_are_lost_stop_a_run_and_the_printed_command_makes_them_again(ran, bee, damage):
    record, table = (ran / "custom/evidence.csv").read_bytes(), ran / "raw/table/receipts.csv"
    data = table.read_bytes()
    table.write_bytes(damage(data)) if damage else table.unlink()
    failed = bee("check", "--captures", "--data", ran)
    assert failed.code == 1
    told = (failed.out + failed.err).replace("--as table`", f"--as table --data {ran}`")
    (done,) = literally(bee, told, "import")
    assert (done.code, "made the receipts of 1 capture without" in done.err) == (0, True)
    assert "0 new captures, 0 faults" in done.err
    assert bee("check", "--captures", "--data", ran).code == 0
    assert bee("run", "--data", ran).code == 0
    assert (ran / "custom/evidence.csv").read_bytes() == record


def test_a_receipt_that_is_made_again_has_the_time_of_its_file(kept, bee):
    import os

    (kept / "raw/nyt/receipts.csv").unlink()
    os.utime(kept / "raw/nyt/2025-01-02.json", (1_735_819_200, 1_735_819_200))
    (kept / "raw/nyt/notes.txt").write_text("no capture\n")
    bee("import", kept / "raw/nyt", "--as", "nyt", "--data", kept)
    times = {
        row["name"]: row["fetched_at"]
        for row in frames.rows(receipts.read_log(Workspace(kept).raw / "nyt/receipts.csv"))
    }
    assert times["2025-01-02.json"] == "2025-01-02T12:00:00+00:00"
    assert sorted(times) == ["2025-01-01.json", "2025-01-02.json"]


def test_a_file_that_looks_like_a_page_of_a_site_has_not_its_trust(bee, tmp_path):
    file = tmp_path / "day.json"
    file.write_bytes(page("2025-01-01", "cove"))
    data = tmp_path / "data"
    data.mkdir()
    keep(Workspace(data), "nytbee", [("days.txt", "", b"2025-01-01 e acnotv: cove covenant tote\n")], "2025-02-01")
    assert bee("import", file, "--data", data).code == 0
    puzzles, answers, _ = merge.reconcile(load(data).days, TRUST)
    assert ("tote" in set(answers["word"]), list(puzzles["source"])) == (True, ["nytbee"])
    assert bee("import", file, "--as", "nyt", "--data", data).code == 0
    _, answers, _ = merge.reconcile(load(data).days, TRUST)
    assert sorted({source for source, _ in load(data).days}) == ["nyt", "nytbee"]


@pytest.mark.parametrize(
    ("path", "folder"),
    [("nyt", "import-nyt"), ("plus.txt", "plus-txt"), ("deep/nytbee", "import-nytbee"), ("Days (2).txt", "days-2-txt")],
)
def test_an_import_is_a_source_that_is_named_after_its_file_or_folder(bee, tmp_path, path, folder):
    (tmp_path / "data").mkdir()
    place = tmp_path / "files" / path
    file = place if "." in path else place / "inside/2025.txt"
    file.parent.mkdir(parents=True)
    file.write_text("2025-01-01 e acnotv: cove covenant tote\n")
    assert bee("import", place, "--data", tmp_path / "data").code == 0
    assert [each.name for each in (tmp_path / "data/raw").iterdir()] == [folder]


def test_the_same_bytes_from_two_sources_are_one_witness_the_more_trusted_one(tmp_path):
    content = b"2025-01-01 e acnotv: cove covenant tote\n"
    for source in ("mine", "plus", "aunt", "seed"):
        keep(Workspace(tmp_path), source, [("a.txt", "", content)], "2025-02-01")
    assert [source for source, _ in load(tmp_path).days] == ["seed"]
    (tmp_path / "raw/seed/a.txt").unlink()
    assert [source for source, _ in load(tmp_path).days] == ["plus"]
    keep(Workspace(tmp_path), "other", [("a.txt", "", content.replace(b"tote", b"toe"))], "2025-02-01")
    assert [source for source, _ in load(tmp_path).days] == ["plus"]
