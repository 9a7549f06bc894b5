"""Days that wait: each printed command settles the day, and so does a week if only words are in doubt."""

import datetime
import re
import shlex
import shutil
from pathlib import Path

import pytest
from conftest import keep
from once import made_once, succeed
from sampling import sampled

from pipeline.run import registry
from pipeline.sources.day import Day
from pipeline.store import Workspace
from pipeline.tables import frames
from pipeline.words import pangram

pytestmark = pytest.mark.slow

FIRST, DAYS = datetime.date(2025, 3, 6), 120
DATE = "2025-08-10"
"""A day more than a month after the others, because it has the letters of some of them."""


def bring(data: Path, source: str, *days: Day, after: int = 3) -> None:
    """Store days as a capture of a source, some days after the last of them. No two sources have the same bytes."""
    text = "\n" * len(source) + "".join(map(line_of, days))
    seen_at = datetime.datetime.fromisoformat(f"{days[-1].date}T12:00:00+00:00") + datetime.timedelta(days=after)
    keep(Workspace(data), source, [(f"{days[-1].date}.txt", "", text.encode())], seen_at.isoformat())


def on(date: str, day: Day, without: int = 0) -> Day:
    """The puzzle of a day on another date, without some of its answers."""
    plain = [word for word in day.answers if not pangram(word)]
    return Day(date, day.puzzle, tuple(sorted(set(day.answers) - set(plain[:without]))))


@pytest.fixture
def lived(tmp_path_factory, tmp_path, small_lexicon, sample_days) -> Path:
    """A workspace whose release has 120 days of two sources, so that days are scored."""

    def make(root: Path) -> None:
        shutil.copytree(small_lexicon, root / "raw/lexicon")
        (root / "custom").mkdir()
        days = [on(str(FIRST + datetime.timedelta(days=at)), sample_days[at % 2]) for at in range(DAYS)]
        for source in ("nyt", "nytbee"):
            bring(root, source, *days)
        succeed("run", "--data", root)

    return Path(shutil.copytree(made_once(tmp_path_factory, "lived-120-days", make), tmp_path / "data"))


def lists_of(kind: str, sample_days) -> dict[str, Day]:
    """What each source has on the last day, by kind of trouble; the truth is the list of nytbee."""
    true, other = sample_days[:2]
    return {
        "letters": {"nyt": on(DATE, other, 5), "nytbee": on(DATE, true)},
        "many words": {"nyt": on(DATE, true, 5), "nytbee": on(DATE, true)},
        "one word": {"nyt": on(DATE, true, 1), "nytbee": on(DATE, true)},
        "surprising": {"nytbee": on(DATE, true, 10)},
        "surprising word": {"nytbee": on(DATE, true, 1)},
    }[kind]


def line_of(day: Day) -> str:
    return f"{day.date} {day.puzzle.center} {day.puzzle.outer}: {' '.join(day.answers)}\n"


def choices(printed: str) -> list[tuple[str, list[str]]]:
    """The choices that a command printed: the list that is right, and the commands."""
    lines = re.findall("^  If (.+?)(?: is right| are right)?: (.*)$", printed, re.M)
    return [(right, re.findall("`(bee [^`]+)`", rest)) for right, rest in lines]


def run_literally(bee, commands: list[str], data: Path) -> None:
    for command in commands:
        done = bee(*shlex.split(command)[1:], "--data", data)
        assert done.code == 0, done.err


def rows(data: Path, table: str) -> list[dict]:
    """The rows of the last day in a table."""
    return [row for row in frames.rows(registry.load(Workspace(data), table)) if row["date"] == DATE]


KINDS = ["letters", "many words", "one word", "surprising", "surprising word"]
"""Why a day waits."""


@pytest.mark.parametrize("choice", [0, 1])
@pytest.mark.parametrize("kind", sampled(KINDS, ["letters", "one word", "surprising"]))
def test_each_printed_choice_settles_the_day(lived, bee, sample_days, kind, choice):
    lists = lists_of(kind, sample_days)
    for source, day in lists.items():
        bring(lived, source, day)
    printed = bee("run", "--data", lived).err
    assert len(rows(lived, "waits")) == 1
    for shown in (printed, bee("check", "--data", lived).err, bee("diff", "--date", DATE, "--data", lived).err):
        assert f"{DATE} waits: " in shown
        for source, day in lists.items():
            assert re.search(rf"^  {source} +{day.puzzle.letters}  {len(day.answers)} words", shown, re.M)
        assert choices(shown) == choices(printed)
    assert [len(of_choice) for _, of_choice in choices(printed)] == [1, 1]
    right, of_choice = choices(printed)[choice]
    run_literally(bee, of_choice, lived)
    again = bee("run", "--data", lived)
    assert again.code == 0, again.err
    assert rows(lived, "waits") == []
    is_right = right != "it is wrong"
    assert (DATE in registry.load(Workspace(lived), "published_coverage").dates) == is_right
    if is_right:
        chosen = lists.get(right, lists["nytbee"])
        (puzzle,) = rows(lived, "puzzles")
        assert (puzzle["center"], puzzle["outer"]) == chosen.puzzle
        assert [row["word"] for row in rows(lived, "answers")] == list(chosen.answers)
        assert rows(lived, "doubts") == []


@pytest.mark.parametrize("kind", ["one word", "surprising word"])
def test_after_a_week_a_day_counts_without_its_words_in_doubt_and_the_changes_name_them(lived, bee, sample_days, kind):
    lists = lists_of(kind, sample_days)
    for source, day in lists.items():
        bring(lived, source, day)
    assert bee("run", "--data", lived).code == 0
    (doubt,) = rows(lived, "doubts")
    assert rows(lived, "waits")[0]["because"].startswith(f"words are in doubt until 2025-08-17: {doubt['word']} (")
    before = registry.load(Workspace(lived), "published_record").set_index("word")["offered"]
    bring(lived, "nyt", on("2025-08-16", sample_days[2]), after=1)
    assert (bee("run", "--data", lived).code, rows(lived, "waits")) == (0, [])
    more = registry.load(Workspace(lived), "published_record").set_index("word")["offered"] - before
    assert {word for word, number in more.items() if number} >= set(lists["nytbee"].answers) - {doubt["word"]}
    assert more[doubt["word"]] == 0
    in_doubt = (lived / "custom/CHANGES.md").read_text().partition("\n## In doubt\n")[2]
    assert f"- `{doubt['word']}`: " in in_doubt


def test_a_choice_against_two_lists_with_the_same_letters_rejects_both(ran, bee, tmp_path, sample_days):
    days = {"one": on(DATE, sample_days[0]), "three": on(DATE, sample_days[0], without=5)}
    days["two"] = on(DATE, sample_days[1])
    for source, day in days.items():
        (tmp_path / f"{source}.txt").write_text(line_of(day))
        assert bee("import", tmp_path / f"{source}.txt", "--as", source, "--data", ran).code == 0
    (of_choice,) = [found for right, found in choices(bee("run", "--data", ran).err) if right == "two"]
    run_literally(bee, of_choice, ran)
    assert bee("run", "--data", ran).code == 0
    (puzzle,) = rows(ran, "puzzles")
    assert (puzzle["center"], puzzle["outer"], rows(ran, "waits")) == (*days["two"].puzzle, [])
