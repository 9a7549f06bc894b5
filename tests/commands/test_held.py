"""Days that wait: each printed command settles the day, and so does a week if three words differ."""

import datetime
import json
import re
import shlex
import shutil
from pathlib import Path

import pandas as pd
import pytest
from conftest import keep
from once import made_once, succeed
from sampling import sampled

from pipeline import custom, inputs, run
from pipeline.sources.day import Day
from pipeline.store import Workspace
from pipeline.tables import frames
from pipeline.words import pangram

pytestmark = pytest.mark.slow

FIRST, DAYS = datetime.date(2025, 3, 6), 120
DATE = "2025-07-04"
"""The day after them."""


def bring(data: Path, source: str, *days: Day, after: int = 3) -> None:
    """Store days as a capture of a source, some days after the last of them."""
    text = "".join(map(line_of, days))
    seen_at = datetime.datetime.fromisoformat(f"{days[-1].date}T12:00:00+00:00") + datetime.timedelta(days=after)
    keep(Workspace(data), source, [(f"{days[-1].date}.txt", "", text.encode())], seen_at.isoformat())


def on(date: str, day: Day, without: int = 0) -> Day:
    """The puzzle of a day on another date, without some of its answers."""
    plain = [word for word in day.answers if not pangram(word)]
    return Day(date, day.puzzle, tuple(sorted(set(day.answers) - set(plain[:without]))))


@pytest.fixture
def lived(tmp_path_factory, tmp_path, small_lexicon, sample_days) -> Path:
    """A workspace whose release has 120 days of two sources, so that a day of one site is compared with its list."""

    def make(root: Path) -> None:
        shutil.copytree(small_lexicon, root / "raw/lexicon")
        (root / "custom").mkdir()
        days = [on(str(FIRST + datetime.timedelta(days=at)), sample_days[at % 2]) for at in range(DAYS)]
        for source in ("nyt", "nytbee"):
            bring(root, source, *days)
        succeed("--data", root, "run")

    return Path(shutil.copytree(made_once(tmp_path_factory, "lived-120-days", make), tmp_path / "data"))


def lists_of(kind: str, sample_days) -> dict[str, Day]:
    """What each source has on the last day, by kind of trouble; the truth is the list of nytbee."""
    true, other = sample_days[:2]
    return {
        "letters": {"nyt": on(DATE, other, 5), "nytbee": on(DATE, true)},
        "many words": {"nyt": on(DATE, true, 4), "nytbee": on(DATE, true)},
        "three words": {"nyt": on(DATE, true, 3), "nytbee": on(DATE, true)},
        "alone": {"nyt": on(DATE, true, 4)},
        "alone, for a week": {"nyt": on(DATE, true, 3)},
    }[kind]


def line_of(day: Day) -> str:
    return f"{day.date} {day.puzzle.center} {day.puzzle.outer}: {' '.join(day.answers)}\n"


def commands(printed: str) -> list[str]:
    """The commands of a day that waits."""
    (line,) = re.findall(rf"^{DATE} waits: .*$", printed, re.M)
    return re.findall("`(bee [^`]+)`", line)


def rows(data: Path, table: str) -> list[dict]:
    """The rows of the last day in a table."""
    return [row for row in frames.rows(getattr(run.read_facts(Workspace(data)), table)) if row["date"] == DATE]


def published(data: Path) -> pd.Series:
    return inputs.published(custom.read_release(Workspace(data))).record.set_index("word")["offered"]


def is_covered(data: Path) -> bool:
    return DATE in custom.read_coverage(Workspace(data)).dates


@pytest.mark.parametrize(
    "case", sampled(["letters 0", "letters 1", "many words 1", "alone 0"], ["letters 1", "alone 0"])
)
def test_each_printed_command_settles_the_day(lived, bee, sample_days, case):
    kind, _, choice = case.rpartition(" ")
    lists = lists_of(kind, sample_days)
    for source, day in lists.items():
        bring(lived, source, day)
    printed = bee("--data", lived, "run").err
    checked = bee("--data", lived, "check", "--only", "day-waits")
    assert (rows(lived, "waits")[0]["person"], rows(lived, "puzzles"), is_covered(lived)) == (True, [], False)
    for shown in (checked.out, bee("--data", lived, "diff", "--date", DATE).err, bee("--data", lived, "status").out):
        assert DATE in shown
    source, command = sorted(zip(lists, commands(printed), strict=True))[int(choice)]
    done = bee("--data", lived, *shlex.split(command)[1:])
    assert done.code == 0, done.err
    again = bee("--data", lived, "run")
    assert (again.code, rows(lived, "waits"), is_covered(lived)) == (0, [], True)
    (puzzle,) = rows(lived, "puzzles")
    assert (puzzle["center"], puzzle["outer"]) == lists[source].puzzle
    assert [row["word"] for row in rows(lived, "answers")] == list(lists[source].answers)
    assert rows(lived, "without_trial") == []


def test_words_on_which_two_sites_differ_have_no_trial_and_every_command_says_so(lived, bee, sample_days):
    lists = lists_of("three words", sample_days)
    before = published(lived)
    for source, day in lists.items():
        bring(lived, source, day)
    assert (bee("--data", lived, "run").code, is_covered(lived)) == (0, True)
    differing = set(lists["nytbee"].answers) - set(lists["nyt"].answers)
    more = published(lived) - before
    assert {word for word, number in more.items() if number} >= set(lists["nyt"].answers)
    assert not any(more[word] for word in differing)
    named = (lived / "custom/CHANGES.md").read_text().partition("\n## Without a trial\n")[2]
    assert set(re.findall("^- `(.*?)`", named, re.M)) == differing
    word = min(differing)
    diff = bee("--data", lived, "diff", "--date", DATE)
    solved = bee("--data", lived, "solve", "--date", DATE)
    assert word in diff.err
    assert word not in diff.out
    assert f"{word} (" in solved.err
    assert f" {DATE}" not in bee("--data", lived, "drop", word, "--dry-run", "--only").out
    asked = bee("--data", lived, "review", "--export", lived / "queue.csv", "--limit", "5")
    assert asked.code == 0, asked.err
    assert differing <= set(pd.read_csv(lived / "queue.csv")["word"])
    missing = json.loads(bee("--data", lived, "solve", "--date", DATE, "--json").out)["missing"]
    assert not differing.intersection(missing)
    bring(lived, "nyt", on("2025-07-05", sample_days[3]))
    for _ in range(2):  # the day is covered now, also in a workspace without the lists
        later = bee("--data", lived, "run")
        assert (later.code, rows(lived, "puzzles")[:1] != []) == (0, (lived / "raw/captures.db").exists()), later.err
        assert not any((published(lived) - before).reindex(sorted(differing)).fillna(0))
        (lived / "raw/captures.db").unlink(missing_ok=True)
        shutil.rmtree(lived / "build")


def test_a_person_who_names_a_list_gives_its_words_their_trials_by_a_rebuild(lived, bee, sample_days):
    lists = lists_of("three words", sample_days)
    before = published(lived)
    for source, day in lists.items():
        bring(lived, source, day)
    assert bee("--data", lived, "run").code == 0
    named = bee("--data", lived, "day", DATE, "--source", "nytbee", "--reason", "seen", "--by", "ann")
    assert (named.code, "`bee run --rebuild` applies it" in named.err) == (0, True)
    for command in (("run", "--rebuild"), ("run",)):
        assert bee("--data", lived, *command).code == 0
    more = published(lived) - before
    assert {word for word, number in more.items() if number} >= set(lists["nytbee"].answers)
    assert rows(lived, "track")[0]["without_trial"] == ""


def test_a_day_of_one_site_of_which_three_words_differ_counts_after_a_week(lived, bee, sample_days):
    bring(lived, "nyt", lists_of("alone, for a week", sample_days)["nyt"])
    assert (bee("--data", lived, "run").code, rows(lived, "waits")[0]["person"]) == (0, False)
    bring(lived, "nyt", on("2025-07-10", sample_days[2]), after=1)
    assert (bee("--data", lived, "run").code, rows(lived, "waits"), is_covered(lived)) == (0, [], True)


def test_other_letters_do_not_change_a_covered_day(lived, bee, sample_days):
    last = str(FIRST + datetime.timedelta(days=DAYS - 1))
    before = published(lived)
    for source in ("nyt", "nytbee"):
        bring(lived, source, on(last, sample_days[2]))
    assert bee("--data", lived, "run").code == 0
    pd.testing.assert_series_equal(published(lived), before)
    solved = bee("--data", lived, "solve", "--date", last)
    assert (solved.code, "not on disk" in solved.err) == (1, True)
