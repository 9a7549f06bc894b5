"""Odd input: each gets one sentence, without a traceback, and ends soon."""

import csv
import io
import os
import resource
import sys
import threading
from pathlib import Path

import pytest
from conftest import PROJECT, SAMPLE, keep

from pipeline.facts import word_files
from pipeline.store import Workspace


def one_sentence(told, code: int, says: str) -> None:
    assert (told.code, says in " ".join(told.err.split()), "Traceback" in told.err) == (code, True, False), told.err


@pytest.mark.parametrize(
    "arguments",
    [
        ("import", ""),
        ("import", "--as", "", SAMPLE),
        ("import", "--as=", SAMPLE),
        ("lists", "remove", ""),
        ("lists", "add", ""),
        ("fetch", "--since", ""),
        ("fetch", "--until="),
        ("fetch", "--source", ""),
        ("forget", ""),
        ("run", "--data", ""),
    ],
)
def test_an_empty_text_is_not_taken_for_all(bee, data, monkeypatch, arguments):
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("BEE_NYT_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("BEE_NYTBEE_URL", "http://127.0.0.1:9")
    one_sentence(bee(*arguments, *([] if "--data" in arguments else ["--data", data])), 2, "is empty")
    assert not list(data.rglob("receipts.csv"))


@pytest.mark.parametrize("option", ["--from", "--remove"])
def test_a_former_option_with_an_empty_text_starts_no_fetch(bee, data, option):
    assert bee("fetch", option, "", "--data", data).code == 2


@pytest.mark.parametrize(
    ("arguments", "date"),
    [
        ("fetch --since 9999-12-31", "9999-12-31"),
        ("fetch --since 0001-01-01 --until 9999-12-31", "0001-01-01"),
        ("diff --date 9999-12-31", "9999-12-31"),
        ("backtest --walk 1m --cutoff 0001-01-01 --until 9999-12-31", "0001-01-01"),
        ("audit words.txt --until 9999-12-31", "9999-12-31"),
        ("puzzles --daily 9999-12-31", "9999-12-31"),
        ("solve --date 1999-12-31", "1999-12-31"),
        ("solve --date 2100-01-01", "2100-01-01"),
    ],
)
def test_a_date_of_another_age_is_refused(bee, data, monkeypatch, arguments, date):
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("BEE_DATA", str(data))
    one_sentence(bee(*arguments.split(), "--data", data), 2, f"{date} is not a date from 2000 to 2099")


@pytest.mark.parametrize("date", ["2000-01-01", "2099-12-31"])
def test_the_first_and_the_last_date_are_dates(bee, ran, date):
    one_sentence(bee("diff", "--date", date, "--data", ran), 1, f"There is no puzzle of {date}")


def test_a_file_with_days_of_another_age_names_them(bee, data, tmp_path):
    file = tmp_path / "days.txt"
    file.write_text("".join(f"{date} e acnotv: cove covenant tote\n" for date in ("9999-12-31", "0001-01-01")))
    told = bee("import", file, "--data", data)
    one_sentence(told, 1, "9999-12-31 is later than tomorrow; the clock of this machine says")
    assert "0001-01-01 is before the first puzzle" in told.err


def bomb(folder: Path, rules: int, stems: int, kind: str = "SFX") -> Path:
    lines = [f"{kind} A Y {rules}", *(f"{kind} A 0 a{'bcdefgh'[at % 7]}{'ijk'[at % 3]} ." for at in range(rules))]
    (folder / "bomb.aff").write_text("SET UTF-8\n" + "\n".join(lines) + "\n")
    (folder / "bomb.dic").write_text(f"{stems}\n" + "".join(f"cove{'s' * (at % 3)}/A\n" for at in range(stems)))
    return folder / "bomb.dic"


@pytest.mark.parametrize("command", [("convert",), ("lists", "add"), ("audit",)])
def test_an_affix_bomb_is_refused(bee, ran, tmp_path, monkeypatch, command):
    monkeypatch.setattr(word_files, "MOST_TRIES", 5000)
    named = [] if command == ("convert",) else ["--data", ran]
    one_sentence(bee(*command, bomb(tmp_path, 100, 51), *named), 1, "bomb.dic and its affix file make too many forms")


@pytest.mark.parametrize("kind", ["SFX", "PFX"])
def test_each_affix_that_is_tried_counts(tmp_path, monkeypatch, kind):
    monkeypatch.setattr(word_files, "MOST_TRIES", 5000)
    for stems, fits in ((50, True), (51, False)):
        path = bomb(tmp_path, 100, stems, kind)
        files = {each.name: each.read_bytes() for each in (path, path.with_suffix(".aff"))}
        if fits:
            assert "cove" in word_files.read(files)[0]
        else:
            with pytest.raises(word_files.ListError, match="too many forms"):
                word_files.read(files)


def test_a_form_without_end_needs_little_memory():
    long = "s" * 200_000
    files = {"a.aff": f"SET UTF-8\nSFX A Y 200\n{f'SFX A 0 {long} .' * 1}\n".encode(), "a.dic": b"1\ncove/A\n"}
    files["a.aff"] += f"SFX A 0 {long} .\n".encode() * 199
    found = word_files.entries("a.dic", files["a.dic"], files["a.aff"])
    assert max(map(len, found)) == 100


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no /dev/zero")
@pytest.mark.parametrize("command", [("convert",), ("lists", "add"), ("audit",)])
def test_a_device_without_end_is_read_up_to_a_limit(bee, ran, monkeypatch, command):
    monkeypatch.setattr(word_files, "LARGEST", 1_000_000)
    named = [] if command == ("convert",) else ["--data", ran]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    one_sentence(bee(*command, "/dev/zero", *named), 1, "has more than 1 MB")
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 300_000


def test_standard_input_without_end_is_read_up_to_a_limit(bee, monkeypatch):
    monkeypatch.setattr(word_files, "LARGEST", 1_000_000)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"cove\n" * 300_000)))
    one_sentence(bee("convert"), 1, "has more than 1 MB")


def pipe(path: Path, data: bytes) -> None:
    os.mkfifo(path)
    threading.Thread(target=path.write_bytes, args=(data,), daemon=True).start()


def test_a_pipe_that_ends_is_a_list(bee, tmp_path):
    pipe(tmp_path / "words", b"cove\noctave\n")
    told = bee("convert", tmp_path / "words")
    assert (told.code, told.out.split()) == (0, ["cove", "octave"])


def test_a_pipe_is_no_file_of_answers(bee, data, tmp_path):
    os.mkfifo(tmp_path / "days")
    one_sentence(bee("import", tmp_path / "days", "--data", data), 1, "It is a pipe or a device")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "folder/days")
    one_sentence(bee("import", tmp_path / "folder", "--data", data), 1, "holds no files")


@pytest.mark.parametrize("name", ["2025-01-02.txt", "receipts.csv"])
def test_a_pipe_in_the_place_of_a_capture_does_not_hang(bee, data, name):
    content = b"2025-01-02 e acnotv: cove covenant tote\n"
    keep(Workspace(data), "nytbee", [("2025-01-02.txt", "", content)], "2025-02-01T00:00:00+00:00")
    (data / "raw/nytbee" / name).unlink()
    os.mkfifo(data / "raw/nytbee" / name)
    found = bee("check", "--captures", "--data", data)
    assert (found.code, found.out.count("error")) == (1, 1)
    (data / "days.txt").write_bytes(content)
    told = bee("import", data / "days.txt", "--data", data)
    assert told.code == 0, told.err
    assert bee("check", "--captures", "--data", data).code == 0


def test_a_cell_that_is_too_long_names_file_and_line(bee, ran):
    csv.field_size_limit(131_072)  # what Python starts with; a library of another test may have raised it
    path = ran / "custom/verdicts.csv"
    head = (PROJECT / "data/custom/verdicts.csv").read_text().partition("\n")[0]
    path.write_text(f"{head}\n{'x' * 131_073}{',' * head.count(',')}\n")
    for command in (("run",), ("undo", "cove")):
        told = bee(*command, "--data", ran)
        one_sentence(told, 1, "verdicts.csv is not a CSV table; line 2 must be corrected: field larger than")


def test_control_characters_of_a_file_name_are_printed_escaped(bee, data, tmp_path):
    file = tmp_path / "\x1b[31mred\a.txt"
    file.write_text("nothing\n")
    for told in (bee("import", file, "--data", data), bee("import", f"{file}x", "--data", data)):
        assert told.code == 1
        assert r"\x1b[31mred\x07.txt" in told.err
        assert not {"\x1b", "\a"} & set(told.err)
