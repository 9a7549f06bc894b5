"""Verdicts from a notebook: the same line, the same error messages, and undo."""

import itertools
import re
from concurrent.futures import ThreadPoolExecutor

import pandas as pd
import pytest
from html_tables import columns_of
from reviewing import Review
from widgets import HIDDEN, VerdictTable, WordBox

from pipeline import run, store
from pipeline.errors import BeeError
from pipeline.review import verdicts
from pipeline.review.verdicts import skipped
from pipeline.store import Workspace
from pipeline.tables import frames


@pytest.fixture
def review(ran) -> Review:
    return Review(Workspace(ran), "ann", wait=0.1)


def doubtful(review: Review) -> list[str]:
    decisions = run.update(review.workspace).decisions
    return decisions["word"][decisions["tier"] == "review"].tolist()


def written(review: Review) -> bytes:
    path = review.workspace.custom / "verdicts.csv"
    return path.read_bytes() if path.exists() else b""


def word_table(review: Review, words: list[str], censor=str, **columns: list) -> VerdictTable:
    """A table of words with some of the columns of the contract `stakes`; the others are empty."""
    frame = pd.DataFrame({"word": words, **columns})
    frame = frame.assign(**{name: "" for name in columns_of("stakes") if name not in frame})
    return VerdictTable(review, frame, "Some words", "stakes", censor)


@pytest.mark.slow
def test_a_notebook_writes_the_very_line_of_the_command_and_is_refused_with_its_message(review, ran, bee):
    for word, reason in (("zzzyx", "why not"), ("ox", "why not"), ("covenant", " ")):
        with pytest.raises(BeeError) as error:
            review.decide(word, "keep", reason)
        result = bee("keep", word, "--reason", reason, "--by", "ann", "--data", ran)
        assert (result.code, result.err.startswith(f"bee: {error.value}")) == (1, True)
    assert written(review) == b""
    word = doubtful(review)[0]
    assert review.decide(word, "keep", "a common word").startswith(f"keep {word}: saved. Apply puts it into effect.")
    by_notebook = written(review)
    review.undo()
    assert bee("keep", word, "--reason", "a common word", "--by", "ann", "--data", ran).code == 0
    assert written(review) == by_notebook


def test_undo_takes_back_one_after_the_other_and_not_what_others_wrote_about_other_words(review, ran, bee):
    first, second, third = doubtful(review)[:3]
    review.decide(first, "keep", "one")
    after_one = written(review)
    review.decide(second, "drop", "two")
    assert review.undo() == second
    assert written(review) == after_one
    assert bee("keep", third, "--reason", "another", "--by", "bob", "--data", ran).code == 0
    after_both = written(review)
    assert review.undo() == first
    assert written(review) == after_both.replace(after_one.partition(b"\n")[2], b"")


@pytest.mark.slow
def test_a_skipped_word_leaves_the_queue_until_it_is_taken_back_but_not_if_it_was_skipped_before(review, bee, tmp_path):
    def queued() -> list[str]:
        data = review.workspace.root
        assert bee("review", "--export", tmp_path / "queue.csv", "--data", data).code == 0
        return frames.read_csv((tmp_path / "queue.csv").read_bytes(), "queue")["word"].tolist()

    with pytest.raises(BeeError, match="nothing to undo"):
        review.undo()
    before, word, *_ = queued()
    verdicts.skip(review.workspace, add=[before])
    review.skip(before)
    review.skip(word)
    assert skipped(review.workspace) == {before, word}
    assert not {before, word} & set(queued())
    review.undo()
    review.undo()
    assert skipped(review.workspace) == {before}
    assert word in queued()
    (review.workspace.custom / "skipped.txt").write_bytes(b"\xff\xfe\0word")
    assert before in queued(), "a damaged list of skipped words stops nothing"


@pytest.mark.slow
def test_nothing_of_a_second_writer_is_lost_while_another_takes_back(ran):
    workspace = Workspace(ran)
    known = verdicts.known(workspace)
    words = ["".join(letters) for letters in itertools.islice(itertools.product("abcdefg", repeat=4), 40)]

    def write(word: str) -> None:
        row = verdicts.row(word, "keep", "one of many", "ann", known)
        with store.locked(workspace, 120):
            verdicts.write(workspace, [row], "verdicts")
        verdicts.skip(workspace, add=[word], wait=120)

    def write_and_take_back(word: str) -> None:
        write(word)
        verdicts.undo(workspace, word, "verdict", 120)

    with ThreadPoolExecutor(8) as writers:
        jobs = [writers.submit(task, word) for task, word in zip([write_and_take_back, write] * 20, words, strict=True)]
    for job in jobs:
        job.result()
    assert set(Review(workspace).known_verdicts()) == set(words[1::2])
    assert skipped(workspace) == set(words)


def test_deciding_taking_back_and_skipping_wait_for_the_workspace_and_say_who_holds_it(review):
    review.skip("cove")
    first, second = doubtful(review)[:2]
    row = verdicts.row(first, "keep", "a common word", "ann", review.known)
    verdicts.write(review.workspace, [row], "verdicts")
    before = written(review)
    with store.locked(review.workspace):
        for change in (
            lambda: verdicts.undo(review.workspace, first, "", 0.1),
            lambda: verdicts.skip(review.workspace, add=["cave"], wait=0.1),
            lambda: review.decide(second, "keep", "a common word"),
            review.undo,
        ):
            with pytest.raises(BeeError, match="Another bee"):
                change()
    assert (written(review), skipped(review.workspace)) == (before, {"cove"})


def test_a_row_tells_a_refusal_and_closes_once_its_verdict_is_written(review):
    word = doubtful(review)[0]
    table = word_table(review, [word])
    row, by = table.rows[0], table.controls.by
    by.value = " "
    for reason, says in (
        ("a common word", "into the box &quot;by&quot;"),
        ("", "reason"),
    ):
        row.reason.value = reason
        row.press("drop")
        assert says in row.message.value
        by.value = "bob"
    row.reason.value = "nobody says it"
    row.press("drop")
    assert row.buttons[0].disabled
    assert review.known_verdicts() == {word: "drop"}
    assert b",nobody says it,bob," in written(review)
    table.controls.undo.click()
    assert (row.buttons[0].disabled, review.known_verdicts()) == (False, {})


def test_an_offensive_word_has_no_buttons_and_no_command_and_is_hidden_in_all_columns(review):
    table = word_table(review, ["luff", "damn"], lambda text: text.replace("damn", "d···"),
                 because=["like damn", "a word"], command=["bee keep"] * 2)  # fmt: skip
    bundle = table._repr_mimebundle_()
    assert "damn" not in bundle["text/html"]
    assert re.findall("<td[^>]*>(bee keep|hidden[^<]*)</td>", bundle["text/html"]) == ["bee keep", HIDDEN]
    assert "application/vnd.jupyter.widget-view+json" in bundle
    inside = {
        row.word: [child.description for child in row.children if hasattr(child, "tooltip")] for row in table.rows
    }
    assert "keep" in inside["luff"]
    assert "keep" not in inside["damn"]


def test_undo_in_one_table_opens_the_rows_of_that_word_in_all_tables(review):
    first, second = doubtful(review)[:2]
    table, other_table = word_table(review, [first, second, first]), word_table(review, [second, first])
    table.rows[0].reason.value = "nobody says it"
    table.rows[0].press("drop")
    closed = [row.buttons[0].disabled for row in (*table.rows, *other_table.rows)]
    assert closed == [True, False, True, False, True]
    other_table.controls.undo.click()
    assert not [row.word for row in (*table.rows, *other_table.rows) if row.buttons[0].disabled]
    assert other_table.controls.message.value == f"{first}: removed."


def test_a_table_without_words_has_no_widgets(review):
    bundle = word_table(review, [])._repr_mimebundle_()
    assert bundle == {"text/html": '<p class="bee-none"><b>Some words</b>: none.</p>'}


def test_a_box_shows_why_its_first_word_is_unknown_and_describes_it_once(review):
    described = []

    def describe(word: str) -> str:
        described.append(word)
        raise BeeError(f"<{word}> is unknown.")

    box = WordBox(review, "cove", describe)
    assert box._repr_mimebundle_()["text/html"] == "<p>&lt;cove&gt; is unknown.</p>"
    assert described == ["cove"]
    box.box.value = " Cave "
    assert described == ["cove", "cave"]
    assert [row.word for row in box.decision.children] == ["cave"]
