"""Options that do not apply together are refused, not ignored; those that do are kept."""

from __future__ import annotations

import pytest
import typer.main

from pipeline import cli
from pipeline.commands import app, puzzles
from pipeline.play import daily

VALUES = {"contains": "q", "without": "q", "center": "q", "difficulty": "easy", "best": "points", "words": "words.txt"}


def options(name: str) -> dict[str, list[str]]:
    """Every option of a command, with a value where it takes one."""
    cli.load()
    command = typer.main.get_command(app).get_command(None, name)
    found = {}
    for each in command.params:
        flag = getattr(each, "is_flag", False)
        found[each.opts[0]] = [each.opts[0], *([] if flag else [VALUES.get(each.name, "1")])]
    return found


EVERY = options("puzzles")


@pytest.mark.parametrize("option", sorted(EVERY.keys() - puzzles.OUTPUT - {"--daily"}))
def test_the_puzzle_of_a_date_takes_no_option_that_chooses_or_orders_puzzles(bee, option):
    for arguments in (["--daily", "2026-01-05", *EVERY[option]], [*EVERY[option], "--daily", "2026-01-05"]):
        failed = bee("puzzles", *arguments)
        assert (failed.code, failed.out) == (2, "")
        assert option in failed.err


def test_a_default_that_is_typed_counts_as_given_too(bee):
    assert bee("puzzles", "--daily", "2026-01-05", "--limit", "20").code == 2
    assert bee("solve", "vctaoen", "--hints", "--sort", "rank").code == 2


@pytest.mark.slow
def test_the_puzzle_of_a_date_is_the_same_in_every_form(bee):
    plain = bee("puzzles", "--daily", "2031-01-05")
    shown = dict(line.split() for line in plain.out.splitlines())
    center, outer = shown["center"], shown["outer"]
    assert bee("puzzles", "--daily", "2031-01-05", "--csv", "-q").out.splitlines()[1].startswith(f"{center},{outer},")
    assert f'"center": "{center}",\n      "outer": "{outer}"' in bee("puzzles", "--daily", "2031-01-05", "--json").out
    least, most = daily.BANDS["words"]
    assert least <= int(shown["words"]) <= most
    assert "a later release may choose another" in plain.err
    assert "later" not in bee("puzzles", "--daily", "2026-11-22").err


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("puzzles --random --best points", "--random"),
        ("puzzles --seed 3", "add --random"),
        ("puzzles --seed 0", "add --random"),
        ("puzzles --csv --json", "--json"),
        ("solve vctaoen --list words.txt --maybe", "--maybe"),
        ("solve vctaoen --list words.txt --no-guess", "--no-guess"),
        ("solve vctaoen --hints --define", "--define"),
        ("solve vctaoen --ranks --define", "--define"),
        ("solve vctaoen --show letters --define", "--define"),
        ("solve vctaoen --show counts --sort alpha", "--sort"),
        ("export --safe --family", "--safe"),
        ("export --family --safe", "--safe"),
        ("export --release data/custom --data .", "--data"),
        ("site --release data/custom --data .", "--data"),
    ],
)
def test_options_that_do_not_apply_together_are_refused(bee, tmp_path, monkeypatch, line, says):
    monkeypatch.chdir(tmp_path)
    failed = bee(*line.split())
    assert (failed.code, failed.out) == (2, "")
    assert says in failed.err
    assert not list(tmp_path.iterdir())


def test_a_workspace_in_the_environment_does_not_forbid_another_release(bee, ran, monkeypatch):
    monkeypatch.setenv("BEE_DATA", "/")
    assert bee("export", "--release", ran / "custom").code == 0


@pytest.mark.parametrize(
    "line",
    [
        "solve vctaoen --list {} --hints --ranks --show words --define --sort alpha",
        "solve vctaoen --maybe --no-guess --sort alpha --min-length 5 --json",
        "puzzles --list {} --random --seed 0 --csv --limit 1 --contains v --safe --max-similar 3",
    ],
)
def test_options_that_do_apply_together_are_kept(bee, tmp_path, line):
    (tmp_path / "words.txt").write_text("covenant\ncove\noctave\n")
    done = bee(*line.format(tmp_path / "words.txt").split())
    assert done.code == 0, done.err
    assert done.out
