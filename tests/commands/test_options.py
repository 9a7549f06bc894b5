"""Options that do not apply are refused, and several files are imported at once."""

import pytest
from conftest import SAMPLE, snapshot


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
    assert [line for line in told.err.splitlines() if " in 1 file" in line] == [
        f"{tmp_path}/b.txt: 0 days in 1 file, 0 new captures, 1 fault.",
        f"{tmp_path}/a.txt: 1 day in 1 file, 1 new capture, 0 faults.",
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
