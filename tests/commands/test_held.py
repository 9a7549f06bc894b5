"""Days that are held and words that wait: both versions are shown, and each printed command settles the day."""

import datetime
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import keep
from once import made_once, succeed

from pipeline.run import registry
from pipeline.sources.day import Day
from pipeline.store import Workspace
from pipeline.tables import frames
from pipeline.words import pangram

pytestmark = pytest.mark.slow

FIRST = datetime.date(2025, 3, 6)
DAYS = 120
DATE = str(FIRST + datetime.timedelta(days=DAYS))
LATER = "2026-01-01T12:00:00+00:00"


def brought(data: Path, source: str, *days: Day) -> None:
    """Store days as captures of a source."""
    text = "".join(f"{day.date} {day.puzzle.center} {day.puzzle.outer}: {' '.join(day.answers)}\n" for day in days)
    keep(Workspace(data), source, [(f"{days[0].date}-{len(days)}.txt", "", text.encode())], LATER)


def on(date: str, day: Day, without: int = 0, more: tuple[str, ...] = ()) -> Day:
    """The puzzle of a day on another date, without some of its answers."""
    plain = [word for word in day.answers if not pangram(word)]
    return Day(date, day.puzzle, tuple(sorted({*day.answers, *more} - set(plain[:without]))))


@pytest.fixture
def lived(tmp_path_factory, tmp_path, small_lexicon, sample_days) -> Path:
    """A workspace with two sources and more than 100 days before the last month, so that days are forecast."""

    def make(root: Path) -> None:
        shutil.copytree(small_lexicon, root / "raw/lexicon")
        (root / "custom").mkdir()
        days = [on(str(FIRST + datetime.timedelta(days=at)), sample_days[at % 2]) for at in range(DAYS)]
        for source in ("nyt", "nytbee"):
            brought(root, source, *days)
        succeed("run", "--data", root)

    return Path(shutil.copytree(made_once(tmp_path_factory, "lived-120-days", make), tmp_path / "data"))


def kinds(sample_days) -> dict[str, dict[str, Day]]:
    """What each source says on the last day, by kind of trouble; the truth is the list of nytbee."""
    true, other = sample_days[DAYS % 2], sample_days[(DAYS + 1) % 2]
    return {
        "letters": {"nyt": on(DATE, other, 5), "nytbee": on(DATE, true)},
        "many words": {"nyt": on(DATE, true, 5), "nytbee": on(DATE, true)},
        "one word": {"nyt": on(DATE, true, 1), "nytbee": on(DATE, true)},
        "surprising": {"nytbee": on(DATE, true, 10)},
        "surprising word": {"nytbee": on(DATE, true, 1)},
    }


def choices(told: str) -> list[tuple[str, list[str]]]:
    """The choices that a command printed: who is right, and the commands."""
    found = [line for line in told.splitlines() if line.startswith("  If ")]
    return [(line.split(" is right")[0].removeprefix("  If "), re.findall("`(bee [^`]+)`", line)) for line in found]


def give(bee, commands: list[str]) -> None:
    """Run printed commands literally."""
    for command in commands:
        done = bee(*shlex.split(command)[1:])
        assert done.code == 0, done.err


def state(data: Path) -> tuple[str, list[str], list[str]]:
    """The letters and answers of the day, and what of it waits."""
    tables = registry.load_all(Workspace(data), "puzzles", "answers", "waiting")
    found = {name: frame[frame["date"] == DATE] for name, frame in tables.items()}
    letters = "".join(row["center"] + row["outer"] for row in frames.rows(found["puzzles"]))
    return letters, found["answers"]["word"].tolist(), found["waiting"]["subject"].tolist()


KINDS = ("letters", "many words", "one word", "surprising", "surprising word")
CHOICES = [("letters", 0), ("one word", 1), ("surprising", 0)]
OTHER_CHOICES = [(kind, choice) for kind in KINDS for choice in (0, 1) if (kind, choice) not in CHOICES]


@pytest.mark.parametrize(
    ("kind", "choice"), [*CHOICES, *(pytest.param(*each, marks=pytest.mark.faults) for each in OTHER_CHOICES)]
)
def test_each_printed_choice_settles_the_day(lived, bee, sample_days, kind, choice):
    said = kinds(sample_days)[kind]
    for source, day in said.items():
        brought(lived, source, day)
    told = bee("run", "--data", lived).err
    waits = state(lived)[2]
    assert waits, "it is held, or a word waits"
    for shown in (told, bee("check", "--data", lived).err, bee("diff", "--date", DATE, "--data", lived).err):
        assert f"{'held' if waits == ['day'] else 'waits'} {DATE}" in shown
        for source, day in said.items():
            version = rf"^  {source} +{day.puzzle.letters}  {len(day.answers)} words, \d+ of them accepted"
            assert re.search(version, shown, re.M)
        assert choices(shown) == choices(told)
    assert [len(commands) for _, commands in choices(told)] == [1, 1]
    right, commands = choices(told)[choice]
    give(bee, commands)
    again = bee("run", "--data", lived)
    assert again.code == 0, again.err
    letters, answers, waits = state(lived)
    if "wrong" in right:
        assert (letters, waits) == ("", [])
        assert f"missing {DATE}" in again.err or DATE not in again.err
        return
    chosen = said.get(right, next(iter(said.values())))
    assert (letters, answers) == (chosen.puzzle.letters, list(chosen.answers))
    if waits:  # the list that was chosen is itself surprising
        assert right == "nyt"
        (*_, (_, commands), _) = choices(again.err)
        give(bee, commands)
        assert bee("run", "--data", lived).code == 0
    assert state(lived)[2] == []
    assert DATE in registry.load(Workspace(lived), "settled").covered


def line_of(day: Day) -> str:
    return f"{day.date} {day.puzzle.center} {day.puzzle.outer}: {' '.join(day.answers)}\n"


@pytest.mark.parametrize(
    ("files", "waits", "used"),
    [
        ({"a.txt": "one less", "b.txt": "true"}, ["word"], None),
        ({"a.txt": "true", "b.txt": "one less"}, ["word"], None),
        ({"a.txt": "other letters", "b.txt": "true"}, ["day"], None),
        ({"a.txt": "one less", "b.txt": "true", "c.txt": "true again"}, [], "true"),
        ({"a.txt": "other letters", "b.txt": "true", "c.txt": "true again"}, [], "true"),
        ({"a.txt": "one less", "b.txt": "true", "c.txt": "true"}, ["word"], None),
        ({"a.txt": "one less", "b.txt --as b": "true", "b.txt --as c": "true"}, ["word"], None),
        ({"a.txt": "one less", "b.txt": "true", "b.txt --as plus": "true"}, [], "true"),
        ({"a.txt": "true", "b.txt --as plus": "one less"}, [], "one less"),
    ],
)
def test_imported_files_that_differ_are_a_dispute_that_the_alphabet_does_not_decide(
    ran, bee, tmp_path, sample_days, files, waits, used
):
    """The same bytes under two names, or imported once more as another source, are one witness."""
    true, other = on("2025-04-01", sample_days[0]), on("2025-04-01", sample_days[1])
    less = on("2025-04-01", sample_days[0], without=1)
    (word,) = set(true.answers) - set(less.answers)
    texts = {"true": line_of(true), "true again": f"\n{line_of(true)}", "one less": line_of(less)}
    texts["other letters"] = line_of(other)
    for name, content in files.items():
        path, *options = name.split()
        (tmp_path / path).write_text(texts[content])
        assert bee("import", tmp_path / path, *options, "--data", ran).code == 0
    assert bee("run", "--data", ran).code == 0
    tables = registry.load_all(Workspace(ran), "waiting", "answers")
    of_day = tables["waiting"][tables["waiting"]["date"] == "2025-04-01"]
    assert of_day["subject"].tolist() == [{"word": word}.get(subject, subject) for subject in waits]
    if used:
        answers = tables["answers"]
        assert (word in set(answers["word"][answers["date"] == "2025-04-01"])) == (used == "true")
    else:
        assert "is trusted more" not in "".join(registry.load(Workspace(ran), "conflicts")["detail"])
        assert all(choice in ("a-txt", "b-txt", "b") for choice, _ in choices(bee("check", "--data", ran).err))


def test_a_choice_against_two_lists_with_the_same_letters_rejects_both(ran, bee, tmp_path, sample_days):
    days = {"one": on("2025-04-01", sample_days[0]), "three": on("2025-04-01", sample_days[0], without=5)}
    days["two"] = on("2025-04-01", sample_days[1])
    for source, day in days.items():
        (tmp_path / f"{source}.txt").write_text(line_of(day))
        assert bee("import", tmp_path / f"{source}.txt", "--as", source, "--data", ran).code == 0
    (commands,) = [found for right, found in choices(bee("run", "--data", ran).err) if right == "two"]
    give(bee, commands)
    assert bee("run", "--data", ran).code == 0
    tables = registry.load_all(Workspace(ran), "puzzles", "waiting")
    puzzle = tables["puzzles"][tables["puzzles"]["date"] == "2025-04-01"]
    assert puzzle["center"].tolist() + puzzle["outer"].tolist() == list(days["two"].puzzle)
    assert tables["waiting"][tables["waiting"]["date"] == "2025-04-01"].empty


def test_equal_faults_of_an_import_are_one_line_with_their_number(bee, data, tmp_path, sample_days):
    pages = tmp_path / "pages"
    pages.mkdir()
    for number in range(332):
        (pages / f"{number:03}.html").write_text("<html><p>A page of another site.</p></html>")
    (pages / "empty.txt").write_text("")
    (pages / "good.txt").write_text(line_of(sample_days[0]))
    told = bee("import", pages, "--data", data)
    assert told.code == 1
    first, second, summary = told.err.splitlines()
    assert first.startswith("000.html and 331 other places: unknown-format: ")
    assert second.startswith("empty.txt: unknown-format: The file is empty.")
    assert "1 day in 334 files" in summary
    assert "333 faults" in summary


def test_check_prints_errors_first(bee, ran):
    (ran / "custom/verdicts.csv").write_text(
        "word,verdict,reason,by,on\nagog,keep,a usual word,ann,2025-01-01\nzzzzq,perhaps,a usual word,ann,2025-01-01\n"
    )
    severities = [line.split()[0] for line in bee("check", "--data", ran).out.splitlines()]
    assert severities == sorted(severities)
    assert set(severities) == {"error", "warning"}


@pytest.mark.needs("git")
def test_after_an_older_record_is_restored_beside_a_newer_release_the_next_run_counts_the_day_again(
    lived, bee, sample_days
):
    for command in (["init", "--quiet"], ["add", "custom"], ["commit", "--quiet", "-m", "first"]):
        person = ["-c", "user.name=ann", "-c", "user.email=ann@example.org"]
        subprocess.run(["git", *person, *command], cwd=lived, check=True)
    track = lived / "custom/track.csv"
    before = track.read_bytes()
    for source in ("nyt", "nytbee"):
        brought(lived, source, on(DATE, sample_days[DAYS % 2]))
    assert bee("run", "--data", lived).code == 0
    after = track.read_bytes()
    assert after != before
    assert bee("restore", "--data", lived).code == 0
    assert track.read_bytes() == before
    done = bee("run", "--data", lived)
    assert (done.code, track.read_bytes() == after) == (0, True), done.err
