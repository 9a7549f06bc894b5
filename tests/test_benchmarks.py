"""The benchmarks: all algorithms find the same words, and the command times every algorithm, command and run."""

import dataclasses
import shutil
from pathlib import Path

import pytest
from conftest import PROJECT, snapshot
from hypothesis import given, settings
from hypothesis import strategies as st
from once import succeed

import pipeline
from benchmarks import commands
from benchmarks.__main__ import main, time_algorithms
from benchmarks.algorithms import ALGORITHMS, OURS, Algorithm, centered_subsets, compile_scan
from pipeline import solver
from pipeline.errors import BeeError
from pipeline.sources import read_capture
from pipeline.store import Workspace
from pipeline.words import playable, puzzle, spells

WORDS = st.lists(st.text("abcdefghs", min_size=4, max_size=9).filter(playable), unique=True, max_size=60)
LETTERS = st.permutations("abcdefghs").map(lambda letters: puzzle("".join(letters[:7])))
QUICK = ("--turns", "0", "--seconds", "0.01")


def rows(table: str) -> dict[str, list[str]]:
    """The cells of a table in Markdown, by the first cell of each row, without the rule below the names."""
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]
    return {name: others for name, *others in cells if name.strip("-")}


@pytest.fixture(scope="module")
def algorithms(tmp_path_factory) -> list[Algorithm]:
    """All algorithms, that in C, too, if there is a compiler."""
    in_c = [compile_scan(tmp_path_factory.mktemp("scan"))] if shutil.which("cc") else []
    return [*ALGORITHMS, *in_c]


@pytest.fixture(scope="module")
def few(tmp_path_factory) -> Path:
    """A list of the words of some letters, among them answers of a puzzle of the benchmark."""
    path = tmp_path_factory.mktemp("few") / "words.txt"
    path.write_text("\n".join(word for word in pipeline.load_words() if set(word) <= set("acenotvqui")))
    return path


@settings(max_examples=30)
@given(WORDS, LETTERS)
def test_every_algorithm_equals_the_rules_of_the_game(algorithms, words, asked):
    obvious = sorted(word for word in words if spells(asked, word))
    for algorithm in algorithms:
        assert sorted(algorithm.solve(algorithm.build(words), asked)) == obvious, algorithm.name
    assert len(set(centered_subsets(asked))) == len(list(centered_subsets(asked))) == 64


def test_every_algorithm_agrees_on_official_puzzles(shared, algorithms):
    """On every twentieth one, as the slow ones take most of the time."""
    path = shared / "archive/nyt_puzzles_plus.txt"
    days = read_capture(path.read_bytes(), path.name).days
    words = sorted({word for day in days for word in day.answers})
    built = [(algorithm, algorithm.build(words)) for algorithm in algorithms]
    assert len(days) == 2794
    for day in days[::20]:
        found = {algorithm.name: sorted(algorithm.solve(made, day.puzzle)) for algorithm, made in built}
        assert set(day.answers) <= set(found[OURS.name])
        assert all(each == found[OURS.name] for each in found.values()), day.date


@pytest.mark.parametrize("change", [lambda words: words[1:], lambda words: [*words, "cave"]], ids=["one less", "more"])
def test_an_algorithm_that_finds_other_words_is_an_error(change):
    words = ["concave", "covenant", "nonevent"]
    wrong = dataclasses.replace(OURS, solve=lambda index, asked: change(solver.solve(index, asked)))
    with pytest.raises(BeeError, match=r"ours: .* finds other words than a scan"):
        time_algorithms(words, [wrong], 0.001)


def test_the_table_of_solvers_has_every_algorithm_and_that_in_c_only_with_a_compiler(
    few, algorithms, monkeypatch, capfd
):
    main(["--list", str(few), *QUICK])
    (title, head), *found = rows(capfd.readouterr().out).items()
    assert title == f"solver, {len(pipeline.load_words(few)):,} words"
    assert head == ["µs per puzzle", "times ours", "ms to build"]
    assert [name for name, _ in found] == [algorithm.name for algorithm in algorithms]
    assert found[0][1][1] == "1.00"
    monkeypatch.setenv("CC", "no-compiler")
    main(["--list", str(few), *QUICK])
    out, err = capfd.readouterr()
    assert list(rows(out))[1:] == [algorithm.name for algorithm in ALGORITHMS]
    assert "The C compiler no-compiler does not work" in err


def a_day_of_2023(workspace: Path) -> str:
    """A day of long ago in CSV: a puzzle of the sample with another center."""
    listed = pipeline.load_words(workspace / "custom/wordlist.txt")
    return "date,center,outer,answer\n" + "".join(
        f"2023-01-01,a,fginor,{word}\n" for word in solver.scan(listed, puzzle("afginor"))
    )


@pytest.mark.slow
def test_every_command_is_timed_beside_an_import():
    timings = list(commands.time_commands(Workspace(PROJECT / "data"), 1))
    assert [name for name, _ in timings] == [f"bee {command}" for command in commands.COMMANDS]
    assert all(min(timing) > 0 for _, timing in timings)


@pytest.mark.faults
def test_runs_are_timed_in_copies_of_a_workspace(ran, few, tmp_path, capfd, monkeypatch):
    monkeypatch.setattr(commands, "COMMANDS", ("--help",))  # the small release answers no others
    (tmp_path / "old.csv").write_text(a_day_of_2023(ran))
    succeed("--data", ran, "import", tmp_path / "old.csv", "--as", "days")
    before, _ = snapshot(ran), capfd.readouterr()
    main(["--data", str(ran), "--list", str(few), "--turns", "1", "--seconds", "0.01"])
    out, err = capfd.readouterr()
    of_commands, of_runs, of_solvers = map(rows, out.strip().split("\n\n"))
    assert list(of_commands)[:3] == ["command", "bee --help", "bee keep"]
    assert list(of_runs) == ["pipeline", "full rebuild", "release after a verdict", commands.AFTER_A_DAY]
    assert all(float(cell.replace(",", "")) > 0 for row in list(of_runs.values())[1:] for cell in row)
    assert len(of_solvers) > len(ALGORITHMS)
    assert err == ""
    assert snapshot(ran) == before


@pytest.mark.slow
def test_a_run_that_fails_or_makes_no_release_is_not_timed(ran):
    with pytest.raises(BeeError, match="made no release"):
        commands.time_release(Workspace(ran))
    with pytest.raises(BeeError, match="`python -m pipeline solve x` failed"):
        commands.time_bee(["solve", "x"], "typer", Workspace(ran))


@pytest.mark.parametrize(
    "options",
    [["--list", "nowhere.txt"], ["--list", "/dev/null"], ["--data", "nowhere"]],
)
def test_a_file_that_is_not_there_or_empty_is_an_error(options):
    with pytest.raises(BeeError):
        main(options)


@pytest.mark.parametrize("options", [["--seconds", "0"], ["--seconds", "nan"], ["--turns", "-1"]])
def test_a_number_without_a_meaning_is_refused(options, capfd):
    with pytest.raises(SystemExit):
        main(options)
    assert f"{options[0]} must be" in capfd.readouterr().err
