"""Former spellings of commands name the present one, and options that do not apply are refused."""

import shlex

import pytest
import typer.main
from conftest import SAMPLE, snapshot

from pipeline import cli
from pipeline.commands import app


@pytest.mark.parametrize(
    ("former", "now"),
    [
        ("fetch --from days.csv", "bee import days.csv"),
        ("fetch --from 'my days.csv' --source mine", "bee import 'my days.csv' --source mine"),
        ("fetch --from=https://example.org/a.json --delay 3", "bee import https://example.org/a.json --delay 3"),
        ("fetch --since 2025-01-01 --single --from days.csv --until today", "bee import days.csv"),
        ("--data there fetch --from days.csv -q", "bee import days.csv --data there -q"),
        ("fetch --words w.txt", "bee lists add w.txt"),
        (
            "fetch --name mine --words w.txt --license 'CC BY' --column word --wait 5",
            "bee lists add w.txt --name mine --license 'CC BY' --column word --wait 5",
        ),
        ("fetch --remove mine", "bee lists remove mine"),
        ("fetch --name mine", "bee lists add FILE --name mine"),
        ("fetch --license MIT", "bee lists add FILE --license MIT"),
        ("fetch --column w", "bee lists add FILE --column w"),
        ("fetch --check", "bee check --captures"),
        ("fetch --check --data there", "bee check --captures --data there"),
    ],
)
def test_a_former_spelling_is_a_usage_error_that_names_the_present_one(bee, tmp_path, monkeypatch, former, now):
    (tmp_path / "there").mkdir()
    monkeypatch.chdir(tmp_path)
    told = bee(*shlex.split(former))
    assert (told.code, told.out) == (2, "")
    assert told.err.endswith(f" is now {now}\n")
    assert len(told.err.splitlines()) == 1
    cli.load()
    group = typer.main.get_command(app)
    _, name, *arguments = shlex.split(now)
    group.get_command(typer.Context(group), name).make_context(name, arguments)


@pytest.mark.parametrize(
    ("former", "now"), [("bench", "make bench"), ("bench --seconds 1", "make bench BENCH='--seconds 1'")]
)
def test_bench_is_a_target_of_the_makefile_now(bee, former, now):
    told = bee(*former.split())
    assert (told.code, told.err) == (2, f"bee: bee {former} is now {now}\n")


@pytest.mark.parametrize("option", ["--from", "--words", "--remove"])
def test_a_former_option_without_its_value_is_an_error_too(bee, option):
    told = bee("fetch", option)
    assert (told.code, "Traceback" in told.err, " is now bee " in told.err) == (2, False, True)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ("fetch --single --cross-check", "use one of them"),
        ("import SAMPLE --delay 2", "--delay is for URLs"),
        ("import SAMPLE --since 2025-01-01", "No such option"),
        ("import", "Missing argument"),
        ("check --list --only day-held", "leave the other options out"),
        ("check --list --captures", "leave the other options out"),
        ("check --list --json", "leave the other options out"),
        ("run --single", "--single is for --fetch"),
        ("run --delay 2", "--delay is for --fetch"),
    ],
)
def test_an_option_that_does_not_apply_is_refused_before_anything_is_done(bee, data, monkeypatch, arguments, says):
    monkeypatch.setenv("COLUMNS", "200")
    before = snapshot(data)
    told = bee(*arguments.replace("SAMPLE", str(SAMPLE)).split(), "--data", data)
    assert (told.code, told.out, says in told.err) == (2, "", True), told.err
    assert snapshot(data) == before


def test_a_delay_of_the_environment_is_no_option_that_was_given(bee, data, monkeypatch):
    monkeypatch.setenv("BEE_DELAY", "3")
    assert bee("import", SAMPLE, "--data", data).code == 0


def test_several_files_are_imported_at_once_and_each_is_told(bee, data, tmp_path):
    (tmp_path / "a.txt").write_text("2025-01-01 e acnotv: cove covenant tote\n")
    (tmp_path / "b.txt").write_text("2025-01-02 e acnotv: cove covenant love\n")
    told = bee("import", tmp_path / "b.txt", tmp_path / "a.txt", "--source", "mine", "--data", data)
    assert told.code == 1
    assert [line for line in told.err.splitlines() if " days in " in line] == [
        f"{tmp_path}/b.txt: 0 days in 1 files, 0 new captures, 1 faults.",
        f"{tmp_path}/a.txt: 1 days in 1 files, 1 new captures, 0 faults.",
    ]
    assert (data / "raw/mine/a.txt").exists()
    assert bee("import", tmp_path / "a.txt", tmp_path / "a.txt", "--data", data).code == 0
    gone = bee("import", tmp_path / "gone.txt", "--data", data)
    assert (gone.code, "There is no" in gone.err) == (1, True)


def test_a_check_of_captures_shows_one_rule_and_json_too(bee, data, tmp_path):
    for day in ("01", "04"):
        (tmp_path / f"{day}.txt").write_text(f"2025-01-{day} e acnotv: cove covenant tote\n")
        bee("import", tmp_path / f"{day}.txt", "--data", data)
    told = bee("check", "--captures", "--data", data)
    assert (told.code, len(told.out.splitlines())) == (1, 2)
    assert bee("check", "--captures", "--only", "source-conflict", "--data", data).code == 0
    assert '"subject": "2025-01-02"' in bee("check", "--captures", "--json", "--data", data).out
    assert not (data / "build/violations.parquet").exists()
