"""The content of captures is stored by checksum. This saves parsing them again and changes nothing."""

from __future__ import annotations

import datetime
import shutil
from pathlib import Path

import pytest
from conftest import PROJECT, SAMPLE, Bee, keep, snapshot
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline import reader
from pipeline.fetching import captures
from pipeline.fetching.captures import Captures
from pipeline.run import registry
from pipeline.sources import read_capture
from pipeline.sources.day import Day
from pipeline.store import Workspace
from pipeline.words import Puzzle

NULL = Day("2025-01-03", Puzzle("n", "abdelu"), ("null", "unable"), ("blued", "lunde"))
GROWN = Day("2025-01-03", Puzzle("n", "abdelu"), ("lunable", "null", "unable"))
OTHER = Day("2025-01-02", Puzzle("e", "acnotv"), ("cove", "covenant"))
KEPT = {"cd" * 32: (OTHER, GROWN), "ab" * 32: (NULL,)}

CLEAN = b"2025-01-02 e acnotv: cove covenant octave\n2025-01-03 n abdelu: null dunable nebula\n"
FAULTY = b"2025-01-02 e acnotv: cove covenant octave\n2025-01-04 n abdelu: love\n"
OTHERS = b"2025-01-02 e acnotv: cove covenant\n"
DATED = f"{datetime.date.today() + datetime.timedelta(days=2)} e acnotv: cove covenant octave\n".encode()


def loaded(workspace: Workspace) -> Captures:
    return registry.load(workspace, "captures")


def fresh(workspace: Workspace) -> Captures:
    """What the captures say when nothing was kept."""
    kept = workspace.root / captures.PARSED
    data = kept.read_bytes() if kept.exists() else b""
    kept.unlink(missing_ok=True)
    found = loaded(workspace)
    if data:
        kept.write_bytes(data)
    return found


def save(workspace: Workspace) -> Captures:
    found = loaded(workspace)
    registry.save(workspace, "parsed", found.parsed)
    return found


def test_what_is_kept_comes_back_and_its_order_does_not_matter():
    data = captures.encode_parsed(KEPT)
    assert captures.decode_parsed(data) == KEPT
    assert captures.encode_parsed(dict(reversed(KEPT.items()))) == data


@settings(max_examples=20)
@given(st.data())
def test_a_damaged_file_is_as_good_as_none(data):
    whole = captures.encode_parsed(KEPT)
    at = data.draw(st.integers(0, len(whole) - 1))
    other = data.draw(st.integers(0, 255).filter(lambda byte: byte != whole[at]))
    assert captures.decode_parsed(whole[:at] + bytes([other]) + whole[at + 1 :]) == {}
    assert captures.decode_parsed(whole[:at]) == {}


@pytest.mark.parametrize("name", ["sources/nytbee.py", "words.py", "violations.py", "fetching/captures.py"])
def test_any_change_of_the_code_that_parses_makes_what_was_kept_unknown(tmp_path, monkeypatch, name):
    package = tmp_path / "pipeline"
    for folder in ("sources", "tables", "fetching"):
        shutil.copytree(PROJECT / "pipeline" / folder, package / folder)
    for module in ("words.py", "violations.py"):
        shutil.copy(PROJECT / "pipeline" / module, package)
    monkeypatch.setattr(captures, "__file__", str(package / "fetching/captures.py"))
    monkeypatch.setattr(captures, "_parser", captures._parser.__wrapped__)
    before = captures.encode_parsed({})
    with (package / name).open("a") as file:
        file.write("#")
    assert captures.encode_parsed({}) != before


def test_days_are_taken_from_what_was_kept_of_the_same_bytes(tmp_path):
    workspace = Workspace(tmp_path)
    keep(workspace, "lines", [("a.txt", "", CLEAN), ("b.txt", "", OTHERS)], "2025-02-02")
    registry.save(workspace, "parsed", {reader.sha256(CLEAN): (NULL,)})
    assert loaded(workspace).days == [("lines", NULL), *fresh(workspace).days[2:]]


def test_what_broke_a_rule_is_read_again_and_told_again(tmp_path):
    workspace = Workspace(tmp_path)
    keep(workspace, "lines", [("a.txt", "", FAULTY), ("b.txt", "", DATED), ("c.txt", "", OTHERS)], "2025-02-02")
    first = save(workspace)
    assert [fault.rule for fault in first.faults] == ["unspellable", "bad-date"]
    assert first.parsed.keys() == {reader.sha256(OTHERS), reader.sha256(DATED)}
    assert loaded(workspace) == first


@pytest.mark.parametrize(("taken", "possible"), [("2025-01-01", True), ("2024-12-31", False), ("no time", True)])
def test_a_day_counts_if_it_could_have_come_when_its_capture_was_taken_whatever_the_clock_says(
    tmp_path, taken, possible
):
    """The capture has the day 2025-01-02; it may be tomorrow's, because it is later elsewhere."""
    workspace = Workspace(tmp_path)
    keep(workspace, "lines", [("a.txt", "", OTHERS)], taken)
    for found in (save(workspace), loaded(workspace)):
        assert [day.date for _, day in found.days] == ["2025-01-02"] * possible
        assert [fault.rule for fault in found.faults] == ["bad-date"] * (not possible)
        assert (("lines", "2025-01-02") in found.seen) is possible


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["bring", "edit", "remove", "damage"]),
        st.sampled_from(["lines", "plus"]),
        st.sampled_from([CLEAN, FAULTY, OTHERS, CLEAN[: len(CLEAN) // 2]]),
    ),
    min_size=1,
    max_size=8,
)


@settings(max_examples=12)
@given(STEPS)
def test_whatever_happens_to_captures_they_say_what_they_say_from_nothing(tmp_path_factory, steps):
    workspace = Workspace(tmp_path_factory.mktemp("parsed"))
    for at, (step, source, data) in enumerate(steps):
        path = workspace.raw / source / "day.txt"
        if step == "bring":
            keep(workspace, source, [("day.txt", "", data)], f"2025-02-{at + 1:02}")
        elif step == "edit" and path.exists():
            path.write_bytes(data + b"\n" * at)
        elif step == "remove":
            path.unlink(missing_ok=True)
        elif (kept := workspace.root / captures.PARSED).exists():
            kept.write_bytes(kept.read_bytes().replace(b"octave", b"avocet"))
        assert save(workspace) == fresh(workspace)


PAGES = sorted((PROJECT / "tests/sources/pages").iterdir())


@pytest.mark.parametrize("path", [SAMPLE, *PAGES], ids=lambda path: path.name)
def test_the_days_of_a_capture_do_not_depend_on_its_name(path):
    assert read_capture(path.read_bytes(), "one").days == read_capture(path.read_bytes(), "2025-05-05.html").days


@pytest.mark.slow
def test_a_run_without_what_captures_said_comes_out_the_same(bee: Bee, ran: Path):
    """The shared run kept the days of the sample."""
    kept = ran / captures.PARSED
    assert captures.decode_parsed(kept.read_bytes()).keys() == {reader.sha256(SAMPLE.read_bytes())}
    before = snapshot(ran)
    kept.unlink()
    assert bee("run", "--data", ran).code == 0
    assert snapshot(ran) == before
