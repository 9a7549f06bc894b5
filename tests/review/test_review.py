"""`bee review`: lines that a person types, and sheets."""

import csv
import io
import re
import shlex
import subprocess
import sys

import pytest
from conftest import Result

from pipeline.review import queue
from pipeline.store import Workspace


def verdicts(data) -> list[str]:
    path = data / "custom/verdicts.csv"
    return path.read_text().splitlines()[1:] if path.exists() else []


@pytest.fixture
def review(ran, bee, monkeypatch):
    """Run a review whose input is some lines."""

    def run(lines: str, *options: str) -> Result:
        monkeypatch.setattr("sys.stdin", io.StringIO(lines))
        return bee("--data", ran, "review", "--by", "ann", "--limit", "10", *options)

    return run


@pytest.fixture
def words(ran) -> list[str]:
    """The first words of the queue."""
    return [row["word"] for row in queue.questions(Workspace(ran))]


def test_a_line_with_a_reason_decides_and_a_letter_alone_asks_for_the_reason(review, words, ran):
    done = review("k an everyday word\nx\ns\nd\nhardly known\nq\n")
    assert done.code == 0
    assert verdicts(ran) == sorted(
        [f"{words[0]},keep,an everyday word,ann,2025-03-05", f"{words[2]},drop,hardly known,ann,2025-03-05"]
    )
    screens = [line for line in done.out.splitlines() if line.endswith(" of 10")]
    assert screens == ["1 of 10", "2 of 10", "2 of 10", "3 of 10", "4 of 10"], "x is no answer, so it asks again"
    assert "2 verdicts written, 7 words left." in done.err


def test_undo_goes_back_to_the_last_decision_and_removes_it(review, words, ran):
    done = review("k ordinary\ns\nu\nd odd\nq\n")
    assert verdicts(ran) == [f"{words[0]},drop,odd,ann,2025-03-05"]
    assert f"Removed: keep {words[0]}, by ann: ordinary" in done.err
    assert review("u\nq\n").code == 0
    assert len(verdicts(ran)) == 1, "u takes back what this review wrote, and nothing else"


def test_the_end_of_the_input_keeps_what_was_written_and_no_reason_writes_nothing(review, words, ran):
    done = review("k ordinary\nd\n")
    assert (done.code, verdicts(ran)) == (0, [f"{words[0]},keep,ordinary,ann,2025-03-05"])
    assert "1 of 10" in review("k\nu\nq\n").out, "a letter is no reason"
    empty = review("k\n\nq\n")
    assert (empty.code, len(verdicts(ran)), "Nothing was written." in empty.err) == (0, 1, True)
    assert [line for line in empty.out.splitlines() if line.endswith(" of 10")] == ["1 of 10", "1 of 10"]
    assert "0 verdicts written" in empty.err


def test_a_screen_has_what_helps_to_decide(review, ran):
    questions = queue.questions(Workspace(ran))[:20]
    shown = review("s\n" * 20, "--limit", "20").out
    screens = re.split(r"^\d+ of 20$", shown, flags=re.MULTILINE)[1:]
    assert {bool(row["flags"]) for row in questions} == {True, False}
    for question, screen in zip(questions, screens, strict=True):
        assert question["word"] in screen
        assert question["because"] in screen
        assert f"p {question['p']:.2f}" in screen
        assert ("  flags      " in screen) == bool(question["flags"])
        assert question["flags"].replace(" ", ", ") in screen
    assert "\n  relative " in shown


def test_a_review_takes_back_its_own_verdict_alone(review, words, ran, monkeypatch):
    class Typing(io.StringIO):
        """Lines between which somebody else decides."""

        def readline(self) -> str:
            line = super().readline()
            if line == "u\n":
                path = ran / "custom/verdicts.csv"
                path.write_text(path.read_text().replace(",keep,mine,ann,", ",drop,theirs,bob,"))
            return line

    monkeypatch.setattr(io, "StringIO", Typing)
    done = review("k mine\nu\nq\n")
    assert "There is no verdict about" in done.err
    assert verdicts(ran) == [f"{words[0]},drop,theirs,bob,2025-03-05"]


def test_the_day_of_a_sheet_is_kept_unless_it_is_later_than_the_release(bee, ran, tmp_path, words):
    sheet = tmp_path / "sheet.csv"
    rows = [f"{words[0]},keep,a,2025-03-01", f"{words[1]},keep,b,2099-01-01", f"{words[2]},keep,c,", f"{words[3]},,,"]
    sheet.write_text("\n".join(["word,verdict,reason,after", *rows]))
    assert bee("--data", ran, "review", "--import", sheet, "--by", "ann").code == 0
    days = {row.split(",")[0]: row.rpartition(",")[2] for row in verdicts(ran)}
    assert days == {words[0]: "2025-03-01", words[1]: "2025-03-05", words[2]: "2025-03-05"}


@pytest.mark.slow
def test_a_killed_review_keeps_what_was_written(words, ran):
    command = [sys.executable, "-m", "pipeline", "--data", str(ran), "review", "--by", "ann", "--limit", "2"]
    review = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    review.stdin.write("k ordinary\n")
    review.stdin.flush()
    while "2 of 2" not in review.stdout.readline():
        assert review.poll() is None
    review.kill()
    review.communicate()
    assert verdicts(ran) == [f"{words[0]},keep,ordinary,ann,2025-03-05"]


@pytest.mark.slow
def test_a_sheet_is_filled_in_and_written_at_once(bee, ran, tmp_path, words):
    sheet = tmp_path / "a queue.csv"
    told = bee("--data", ran, "review", "--export", sheet, "--limit", "10")
    assert shlex.quote(str(sheet)) in told.err
    rows = list(csv.DictReader(io.StringIO(sheet.read_text("utf-8"))))
    assert [row["word"] for row in rows] == words[:10]
    assert {row["after"] for row in rows} == {"2025-03-05"}
    assert any(row["definition"] for row in rows)
    for row in rows[:8]:
        row |= {"verdict": "Drop", "reason": "too rare; or not"}
    with sheet.open("w", encoding="utf-8-sig", newline="") as file:
        file.write("sep=;\n")
        writer = csv.DictWriter(file, list(rows[0]), delimiter=";")
        writer.writeheader()
        writer.writerows(rows)
    assert bee("--data", ran, "review", "--import", sheet, "--by", "ann").code == 0
    assert verdicts(ran) == [f"{word},drop,too rare; or not,ann,2025-03-05" for word in sorted(words[:8])]
    assert bee("--data", ran, "review", "--import", sheet, "--by", "ann").code == 0, "it says the same"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("word,verdict,reason\n{0},perhaps,a\n{1},keep,b\n", '{0}: "perhaps" is not a valid verdict'),
        ("word,verdict,reason\n{0},keep,rare, or not\n", "{0}: it has more cells than the header"),
        ("word,verdict,reason\n{0},keep,a\n{0},drop,b\n", "{0}: it is there 2 times"),
        ("word,verdict,reason\n{0},keep,\n{1},keep,b\n", "{0}: the column reason is empty"),
        ("word,verdict,reason\n{0},keep,a\ngorafin,keep,b\n", "gorafin: no list has it"),
        ("word,word,verdict,reason\n{0},{1},keep,a\n", "must have one column word"),
        ('word,verdict,reason\n"{0},keep,a\n', "is no CSV in UTF-8"),
    ],
)
def test_a_wrong_sheet_is_one_sentence_and_writes_nothing(bee, ran, tmp_path, words, text, says):
    sheet = tmp_path / "sheet.csv"
    sheet.write_text(text.format(*words))
    told = bee("--data", ran, "review", "--import", sheet, "--by", "ann")
    assert (told.code, says.format(*words) in told.err, verdicts(ran)) == (1, True, []), told.err
