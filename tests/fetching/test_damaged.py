"""Captures and receipts that are damaged or lost, and whose answers a file has."""

import json
import os
import re
import shlex
import shutil
from pathlib import Path

import pytest
from conftest import keep
from server import reply
from test_fetch_live import redirect

from pipeline.facts import merge
from pipeline.fetching import receipts, wanted
from pipeline.run import registry
from pipeline.sources import TRUST_RANK
from pipeline.store import Workspace
from pipeline.tables import frames


def page(date: str, *answers: str) -> bytes:
    """A day as nytimes.com sends it."""
    day = {"print_date": date, "center_letter": "e", "outer_letters": "acnotv", "pangrams": ["covenant"]}
    return json.dumps({**day, "answers": answers or ("cove", "tote")}).encode()


@pytest.fixture
def kept(tmp_path) -> Path:
    """A workspace with two days of nyt."""
    for date in ("2025-01-01", "2025-01-02"):
        keep(Workspace(tmp_path), "nyt", [(f"{date}.json", "", page(date))], "2025-02-01T00:00:00+00:00")
    return tmp_path


def literally(bee, told: str, name: str) -> list:
    """Run the commands of that name which a text has in backticks, as printed."""
    found = re.findall(f"`bee ({name}[^`]*)`", told)
    assert found, told
    return [bee(*shlex.split(command)) for command in dict.fromkeys(found)]


def load(root: Path):
    return registry.load(Workspace(root), "captures")


@pytest.mark.parametrize(
    ("name", "code", "says"),
    [
        ("nyt/2025-01-02.json", 1, "is as its receipt says, so it stays"),
        ("nyt/2025-01-03.json", 1, "There is no receipt of nyt/2025-01-03.json"),
        ("nyt", 2, "Name the capture like"),
        ("../nyt/a.json", 2, "Name the capture like"),
    ],
)
def test_only_a_damaged_capture_is_forgotten(bee, kept, name, code, says):
    before = {path: path.read_bytes() for path in kept.rglob("*") if path.is_file() and path.name != ".lock"}
    told = bee("forget", name, "--data", kept)
    assert (told.code, says in told.err) == (code, True)
    assert before == {path: path.read_bytes() for path in kept.rglob("*") if path.is_file() and path.name != ".lock"}


def test_a_file_that_looks_like_a_page_of_a_site_has_not_its_trust(bee, tmp_path):
    file = tmp_path / "day.json"
    file.write_bytes(page("2025-01-01", "cove"))
    data = tmp_path / "data"
    data.mkdir()
    keep(Workspace(data), "nytbee", [("days.txt", "", b"2025-01-01 e acnotv: cove covenant tote\n")], "2025-02-01")
    assert bee("import", file, "--data", data).code == 0
    merged = merge.reconcile(load(data).days, TRUST_RANK)
    puzzles, answers = merged.puzzles, merged.answers
    assert ("tote" in set(answers["word"]), list(puzzles["source"])) == (True, ["nytbee"])
    assert bee("import", file, "--as", "nyt", "--data", data).code == 0
    answers = merge.reconcile(load(data).days, TRUST_RANK).answers
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


def harm(path: Path, how: str) -> None:
    whole = path.read_bytes()
    path.unlink()
    if how == "cut":
        path.write_bytes(whole[:40])
    elif how == "folder":
        path.mkdir()


DAMAGES = pytest.mark.parametrize("how", ["gone", "cut", "folder"])
DATES = ("--source", "nyt", "--since", "2025-01-01", "--until", "2025-01-02")


@DAMAGES
@pytest.mark.parametrize("body", [page("2025-01-02"), page("2025-01-02", "cove", "tote", "octave")])
def test_a_fetch_asks_for_a_damaged_capture_alone_and_the_same_bytes_or_others_are_put_back(
    bee, kept, site, monkeypatch, how, body
):
    redirect(monkeypatch, site.url)
    path = kept / "raw/nyt/2025-01-02.json"
    harm(path, how)
    known = wanted.know(Workspace(kept))
    assert (list(known.lost), list(known.held)) == ([("nyt", "2025-01-02")], ["2025-01-01"])
    found = bee("check", "--captures", "--data", kept)
    assert (found.code, re.findall("capture-changed +(.*?):", found.out)) == (1, ["nyt/2025-01-02.json"])
    site.pages["/svc/spelling-bee/v1/2025-01-02.json"] = reply(body)
    done = bee("fetch", *DATES, "--data", kept)
    same = body == page("2025-01-02")
    assert (done.code, "nyt: put back 1" in done.err) == (0, same)
    assert site.paths() == ["/svc/spelling-bee/v1/2025-01-02.json"]
    assert bee("check", "--captures", "--data", kept).code == 0
    (day,) = [day for _, day in load(kept).days if day.date == "2025-01-02"]
    assert ("octave" in day.answers) == (not same)
    assert len(receipts.read_log(kept / "raw/nyt/receipts.csv")) == 2 + (not same)
    assert "No day is missing." in bee("fetch", *DATES, "--data", kept).err


@pytest.mark.parametrize(("how", "source"), [("gone", ()), ("cut", ("--as", "nyt"))])
def test_importing_the_same_file_puts_it_back(bee, kept, tmp_path_factory, how, source):
    path = kept / "raw/nyt/2025-01-02.json"
    file = shutil.copy(path, tmp_path_factory.mktemp("saved") / "any.json")
    harm(path, how)
    done = bee("import", file, *source, "--data", kept)
    assert (done.code, "0 new captures, 1 put back, 0 faults" in done.err) == (0, True)
    assert bee("check", "--captures", "--data", kept).code == 0
    assert [folder.name for folder in (kept / "raw").iterdir()] == ["nyt"]
    assert "put back" not in bee("import", file, *source, "--data", kept).err


@DAMAGES
def test_the_printed_command_gives_a_capture_up_and_loses_nothing(bee, kept, how):
    path, name = kept / "raw/nyt/2025-01-02.json", "2025-01-02.json"
    harm(path, how)
    told = bee("check", "--captures", "--data", kept).out.replace(f"{name}`", f"{name} --data {kept}`")
    assert "asks for it again; importing the same file puts it back" in told
    (done,) = literally(bee, told, "forget")
    assert (done.code, "`bee run --data" in done.err, path.exists()) == (0, True, False)
    assert bee("check", "--captures", "--data", kept).code == 0
    assert [day.date for _, day in load(kept).days] == ["2025-01-01"]
    for _ in range(how != "gone"):  # a second damaged file of this name does not replace the first one
        path.write_bytes(b"second")
        keep(Workspace(kept), "nyt", [(name, "", page("2025-01-02"))], "2025-02-01T00:00:00+00:00")
        path.write_bytes(b"second")
        assert bee("forget", f"nyt/{name}", "--data", kept).code == 0
    assert len(list((kept / "raw/nyt").glob(f".damaged/*-{name}"))) == (0 if how == "gone" else 2)


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"\0" * len(data),
        lambda data: data.replace(b"source,name", b"garbage"),
        lambda data: data[: data.index(b"\n") + 1],
        None,
    ],
    ids=["nul", "header", "only the header", "deleted"],
)
def test_receipts_that_are_lost_stop_a_run_and_the_printed_command_makes_them_again(bee, kept, damage):
    table = kept / "raw/nyt/receipts.csv"
    data = table.read_bytes()
    before = load(kept).days
    table.unlink()
    if damage:
        table.write_bytes(damage(data))
    os.utime(kept / "raw/nyt/2025-01-02.json", (1_735_819_200, 1_735_819_200))
    failed = bee("check", "--captures", "--data", kept)
    assert failed.code == 1
    assert ("receipt-missing" in failed.out) is (not failed.err.startswith("bee: raw/nyt/receipts.csv"))
    told = (failed.out + failed.err).replace("--as nyt`", f"--as nyt --data {kept}`")
    (done,) = literally(bee, told, "import")
    assert (done.code, "made the receipts of 2 captures without" in done.err) == (0, True)
    assert bee("check", "--captures", "--data", kept).code == 0
    rows = frames.rows(receipts.read_log(table))
    times = {row["name"]: row["fetched_at"] for row in rows}
    assert sorted(times) == ["2025-01-01.json", "2025-01-02.json"]
    assert times["2025-01-02.json"] == "2025-01-02T12:00:00+00:00", "the time of the file"
    assert sorted(load(kept).days, key=str) == sorted(before, key=str)


def test_the_same_bytes_from_two_sources_are_one_witness_the_more_trusted_one(tmp_path):
    content = b"2025-01-01 e acnotv: cove covenant tote\n"
    for source in ("mine", "plus", "aunt", "seed"):
        keep(Workspace(tmp_path), source, [("a.txt", "", content)], "2025-02-01")
    assert [source for source, _ in load(tmp_path).days] == ["seed"]
    (tmp_path / "raw/seed/a.txt").unlink()
    assert [source for source, _ in load(tmp_path).days] == ["plus"]
