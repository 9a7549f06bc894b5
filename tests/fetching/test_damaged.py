"""Captures and receipts that are damaged or lost, and whose answers a file has."""

import json
import os
import re
from pathlib import Path

import pytest
from conftest import SAMPLE, keep
from server import reply
from test_fetch_live import redirect

from pipeline.facts import merge
from pipeline.fetching import captures, receipts, schedule
from pipeline.run import registry
from pipeline.sources import TRUST_RANK
from pipeline.sources.day import days_between
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


def load(root: Path):
    return registry.load(Workspace(root), "captures")


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
def test_a_fetch_sets_a_lost_capture_aside_and_asks_for_it_alone(bee, kept, site, monkeypatch, how, body):
    redirect(monkeypatch, site.url)
    path = kept / "raw/nyt/2025-01-02.json"
    harm(path, how)
    found = bee("check", "--captures", "--data", kept)
    assert (found.code, re.findall("capture-changed +(.*?):", found.out)) == (1, ["nyt/2025-01-02.json"])
    site.pages["/svc/spelling-bee/v1/2025-01-02.json"] = reply(body)
    done = bee("fetch", *DATES, "--data", kept)
    assert (done.code, "nyt: new 1" in done.err) == (0, True)
    assert site.paths() == ["/svc/spelling-bee/v1/2025-01-02.json"]
    assert bee("check", "--captures", "--data", kept).code == 0
    (day,) = [day for _, day in load(kept).days if day.date == "2025-01-02"]
    assert ("octave" in day.answers) == (body != page("2025-01-02"))
    assert len(receipts.read_log(kept / "raw/nyt/receipts.csv")) == 2
    assert "No day is missing." in bee("fetch", *DATES, "--data", kept).err


@DAMAGES
def test_a_command_that_reads_captures_sets_a_lost_one_aside_says_so_and_loses_nothing_else(bee, kept, how):
    path, name = kept / "raw/nyt/2025-01-02.json", "2025-01-02.json"
    receipt = frames.rows(receipts.read_log(kept / "raw/nyt/receipts.csv"))[1]
    harm(path, how)
    told = bee("check", "--captures", "--data", kept).out
    assert f"`bee run --data {kept}` sets it aside, and `bee fetch --data {kept}` requests its day again" in told
    (line,) = bee("import", SAMPLE, "--data", kept).err.splitlines()[:-1]
    assert line.startswith(str(path))
    assert line.endswith(f". `bee fetch --data {kept}` requests its day again.")
    assert [str(file) in line for file in (kept / "raw/nyt/.damaged").glob(f"*-{name}")] == [True] * (how != "gone")
    assert (path.exists(), bee("check", "--captures", "--only", "capture-changed", "--data", kept).code) == (False, 0)
    assert "2025-01-02" not in [day.date for source, day in load(kept).days if source == "nyt"]
    assert list(receipts.receipts_set_aside(Workspace(kept))) == [receipt]
    assert schedule.read_history(Workspace(kept), frames.empty("day_decisions")).lost == {("nyt", "2025-01-02")}


def test_a_second_lost_capture_of_a_name_does_not_replace_the_first_and_a_good_one_ends_the_asking(kept):
    path = kept / "raw/nyt/2025-01-02.json"
    workspace = Workspace(kept)
    for damage in (b"first", b"second"):
        path.write_bytes(damage)
        list(captures.repair(workspace))
        keep(workspace, "nyt", [(path.name, "", page("2025-01-02"))], "2025-02-01T00:00:00+00:00")
    assert sorted(file.read_bytes() for file in (kept / "raw/nyt/.damaged").glob("*.json")) == [b"first", b"second"]
    assert (path.read_bytes(), schedule.read_history(workspace, frames.empty("day_decisions")).lost) == (
        page("2025-01-02"),
        frozenset(),
    )


@pytest.mark.parametrize("how", ["gone", "cut"])
def test_a_lost_capture_that_was_imported_is_imported_again_as_it_says(bee, kept, tmp_path_factory, how):
    file = tmp_path_factory.mktemp("saved") / "any.json"
    file.write_bytes(page("2025-01-03"))
    assert bee("import", file, "--as", "days", "--data", kept).code == 0
    harm(kept / "raw/days/any.json", how)
    assert "if you have the file, import it again" in bee("check", "--captures", "--data", kept).out
    done = bee("import", file, "--as", "days", "--data", kept)
    assert f"If you have the file ({file}), import it again with --as days." in done.err
    assert (done.code, "1 new capture, 0 faults" in done.err) == (0, True)
    assert bee("check", "--captures", "--data", kept).code == 0


def test_status_names_a_lost_file_that_was_imported_until_it_is_imported_again(bee, kept, tmp_path_factory):
    file = tmp_path_factory.mktemp("saved") / "any.json"
    file.write_bytes(page("2025-01-03"))
    assert bee("import", file, "--as", "days", "--data", kept).code == 0
    (kept / "raw/days/any.json").unlink()
    (kept / "raw/nyt/2025-01-02.json").unlink()  # which the source will be asked for
    assert bee("import", SAMPLE, "--data", kept).code == 0
    assert [row["name"] for row in receipts.lost_files(Workspace(kept))] == ["any.json"]
    told = bee("status", "--data", kept).out
    assert f"1 imported file is lost or damaged, such as {file}. Import it again with --as days" in told
    assert bee("import", file, "--as", "days", "--data", kept).code == 0
    assert receipts.lost_files(Workspace(kept)) == []
    assert "imported file lost" not in bee("status", "--data", kept).out


@pytest.mark.parametrize("target", ["/proc/self/mem", "/nowhere/2025-01-02.json"], ids=["a read error", "no disk"])
def test_a_capture_that_cannot_be_read_now_is_named_and_stays(bee, kept, target):
    path = kept / "raw/nyt/2025-01-02.json"
    before = (kept / "raw/nyt/receipts.csv").read_bytes()
    path.unlink()
    path.symlink_to(target)
    for command in (("fetch",), ("run",), ("merge",), ("import", SAMPLE)):
        failed = bee(*command, "--data", kept)
        assert (failed.code, failed.err.startswith(f"bee: Cannot read {path}: ")) == (1, True)
    assert ((kept / "raw/nyt/receipts.csv").read_bytes(), str(path.readlink())) == (before, target)


def test_a_receipt_that_names_a_file_elsewhere_moves_nothing_there(kept, bee):
    verdicts = kept / "custom/verdicts.csv"
    verdicts.parent.mkdir()
    verdicts.write_text("word,decision,reason,by,date\n")
    receipts.append_row(
        kept / "raw/nyt/receipts.csv",
        {
            "source": "nyt",
            "name": "../../custom/verdicts.csv",
            "url": "",
            "fetched_at": "",
            "status": "",
            "bytes": 1,
            "sha256": "0",
        },
    )
    assert bee("import", SAMPLE, "--data", kept).code == 0
    assert (verdicts.exists(), len(receipts.read_log(kept / "raw/nyt/receipts.csv"))) == (True, 2)


@pytest.mark.parametrize("lost", [receipts.MAX_LOST, receipts.MAX_LOST + 1])
def test_when_many_captures_of_a_source_are_lost_at_once_none_is_set_aside(tmp_path, bee, lost):
    dates = days_between("2024-12-01", "2024-12-31")
    keep(Workspace(tmp_path), "nyt", [(f"{date}.json", "", page(date)) for date in dates], "2025-02-01")
    folder = tmp_path / "raw/nyt"
    for date in dates[:lost]:
        harm(folder / f"{date}.json", "cut" if date > "2024-12-28" else "gone")
    failed = bee("import", SAMPLE, "--data", tmp_path)
    if lost == receipts.MAX_LOST:
        assert (failed.code, len(receipts.read_log(folder / "receipts.csv"))) == (0, len(dates) - lost)
        return
    assert (failed.code, f"11 captures in {folder} are missing or damaged, such as" in failed.err) == (1, True)
    assert "or move the folder elsewhere to continue without it" in failed.err
    assert (len(receipts.read_log(folder / "receipts.csv")), (folder / ".damaged").exists()) == (len(dates), False)
    folder.rename(tmp_path / "elsewhere")
    assert bee("import", SAMPLE, "--data", tmp_path).code == 0


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
def test_receipts_that_are_lost_are_named_and_the_next_command_makes_them_again(bee, kept, damage):
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
    assert f"`bee run --data {kept}` makes the receipts again from the files" in failed.out + failed.err
    done = bee("import", SAMPLE, "--data", kept)
    assert (done.code, "made receipts for 2 captures" in done.err) == (0, True)
    assert bee("check", "--captures", "--only", "receipt-missing", "--data", kept).code == 0
    rows = frames.rows(receipts.read_log(table))
    times = {row["name"]: row["fetched_at"] for row in rows}
    assert sorted(times) == ["2025-01-01.json", "2025-01-02.json"]
    assert times["2025-01-02.json"] == "2025-01-02T12:00:00+00:00", "the time of the file"
    assert sorted((day for day in load(kept).days if day[0] == "nyt"), key=str) == sorted(before, key=str)


def test_the_same_bytes_from_two_sources_are_one_witness_the_more_trusted_one(tmp_path):
    content = b"2025-01-01 e acnotv: cove covenant tote\n"
    for source in ("mine", "plus", "aunt", "seed"):
        keep(Workspace(tmp_path), source, [("a.txt", "", content)], "2025-02-01")
    assert [source for source, _ in load(tmp_path).days] == ["seed"]
    (tmp_path / "raw/seed/a.txt").unlink()
    assert [source for source, _ in load(tmp_path).days] == ["plus"]


@pytest.mark.parametrize(("source", "name"), [("nyt", "any.json"), ("days", "2025-01-09.json")])
def test_a_capture_whose_name_has_no_date_of_its_source_is_known_by_its_content(tmp_path, source, name):
    fetched_at = "2025-02-01T00:00:00+00:00"
    keep(Workspace(tmp_path), source, [(name, "", page("2025-01-03"))], fetched_at)
    history = schedule.read_history(Workspace(tmp_path), frames.empty("day_decisions"))
    assert history.captured == {"2025-01-03": {source: fetched_at}}
