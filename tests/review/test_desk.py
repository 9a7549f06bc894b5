"""Verdicts from a notebook: the same line, the same error messages, and undo."""

import itertools
from concurrent.futures import ThreadPoolExecutor

import pandas as pd
import pytest
from reviewing import Review
from shown import contract
from widgets import Asked, Held, Verdicts

from pipeline import store
from pipeline.review import verdicts
from pipeline.review.verdicts import skipped
from pipeline.run import registry
from pipeline.store import Workspace
from pipeline.tables import frames
from pipeline.words import BeeError, pangram


@pytest.fixture
def review(ran) -> Review:
    return Review(Workspace(ran), "ann", wait=0.1)


def doubtful(review: Review) -> list[str]:
    decisions = registry.load(review.workspace, "decisions")
    return decisions["word"][decisions["tier"] == "review"].tolist()


def written(review: Review) -> bytes:
    path = review.workspace.custom / "verdicts.csv"
    return path.read_bytes() if path.exists() else b""


def test_a_notebook_writes_the_very_line_that_bee_keep_writes(review, ran, bee):
    word = doubtful(review)[0]
    assert review.keep(word, "a common word").startswith(f"keep {word}: saved")
    by_notebook = written(review)
    review.undo()
    assert bee("keep", word, "--reason", "a common word", "--by", "ann", "--data", ran).code == 0
    assert written(review) == by_notebook


@pytest.mark.parametrize(
    ("word", "reason"),
    [("zzzyx", "why not"), ("ox", "why not"), ("covenant", " ")],
    ids=["unknown", "short", "no reason"],
)
def test_a_notebook_is_refused_with_the_message_of_the_command(review, ran, bee, word, reason):
    with pytest.raises(BeeError) as refused:
        review.keep(word, reason)
    said = bee("keep", word, "--reason", reason, "--by", "ann", "--data", ran)
    assert (said.code, said.err) == (1, f"bee: {refused.value}\n")
    assert written(review) == b""


def test_a_verdict_must_not_repeat_the_record_and_may_repeat_an_estimate_and_only_a_core_word_costs(review):
    decisions = registry.load(review.workspace, "decisions")
    first = decisions[~decisions["word"].map(pangram)].groupby(["tier", "by"])["word"].first()
    for word, verdict in ((first["refused", "evidence"], review.drop), (first["core", "evidence"], review.keep)):
        with pytest.raises(BeeError, match="would only repeat it"):
            verdict(word, "odd")
    assert review.drop(first["refused", "estimate"], "odd").endswith("Apply puts it into effect.")
    assert "No puzzle tried it" in review.drop(first["likely", "estimate"], "odd")
    assert "leave an answer missing" in review.drop(first["core", "evidence"], "odd")


def test_undo_takes_back_one_after_the_other_and_never_what_others_wrote(review, ran, bee):
    first, second, third = doubtful(review)[:3]
    review.keep(first, "one")
    after_one = written(review)
    review.drop(second, "two")
    assert review.undo() == second
    assert written(review) == after_one
    assert bee("keep", third, "--reason", "another", "--by", "bob", "--data", ran).code == 0
    after_both = written(review)
    assert review.undo() == first
    assert written(review) == after_both.replace(after_one.partition(b"\n")[2], b"")
    review.keep(first, "one")
    path = review.workspace.custom / "verdicts.csv"
    path.write_text(path.read_text().replace(",one,", ",edited,"))
    with pytest.raises(BeeError, match="has changed since"):
        review.undo()
    assert ",edited," in path.read_text()


def test_nothing_to_take_back_is_said(review):
    with pytest.raises(BeeError, match="nothing to undo"):
        review.undo()


def test_a_skipped_word_leaves_the_queue_until_it_is_taken_back(review, ran, bee, tmp_path):
    def queued() -> str:
        assert bee("review", "--export", tmp_path / "queue.csv", "--data", ran).code == 0
        return frames.read_csv((tmp_path / "queue.csv").read_bytes(), "queue")["word"].tolist()

    word = queued()[0]
    review.skip(word)
    assert skipped(review.workspace) == {word}
    assert word not in queued()
    review.undo()
    assert word in queued()


def test_a_word_that_was_skipped_before_stays_skipped_when_a_second_skip_is_taken_back(review):
    first, second = doubtful(review)[:2]
    verdicts.skip(review.workspace, add=[first])
    review.skip(first)
    review.skip(second)
    review.undo()
    review.undo()
    assert skipped(review.workspace) == {first}


def test_no_skip_of_two_writers_is_lost(ran):
    workspace = Workspace(ran)
    words = [letter * 4 for letter in "abcdefghijklmnopqrst"]
    with ThreadPoolExecutor(8) as writers:
        list(writers.map(lambda word: Review(workspace, "ann", wait=120).skip(word), words))
    assert skipped(workspace) == set(words)


def test_no_verdict_of_a_second_writer_is_lost_while_another_takes_back(ran):
    workspace = Workspace(ran)
    words = ["".join(letters) for letters in itertools.islice(itertools.product("abcdefg", repeat=4), 80)]

    def write(word: str) -> verdicts.Row:
        row = verdicts.row(word, "keep", "one of many (in no list)", "ann")
        with store.locked(workspace, 120):
            verdicts.write(workspace, [row])
        return row

    def write_and_take_back(word: str) -> None:
        row = write(word)
        verdicts.undo(workspace, word, "verdict", 120, row)

    with ThreadPoolExecutor(8) as writers:
        jobs = [writers.submit(job, word) for job, word in zip([write_and_take_back, write] * 40, words, strict=True)]
    for each in jobs:
        each.result()
    assert set(Review(workspace).known()) == set(words[1::2])


def test_taking_back_and_skipping_wait_for_the_workspace(review):
    review.skip("cove")
    row = verdicts.row(doubtful(review)[0], "keep", "a common word", "ann")
    verdicts.write(review.workspace, [row])
    before = written(review)
    with store.locked(review.workspace):
        for change in (
            lambda: verdicts.undo(review.workspace, row["word"], "", 0.1),
            lambda: verdicts.skip(review.workspace, add=["cave"], wait=0.1),
            review.undo,
        ):
            with pytest.raises(BeeError, match="Another bee is at work"):
                change()
    assert (written(review), skipped(review.workspace)) == (before, {"cove"})


def test_a_notebook_waits_for_the_workspace_and_says_who_holds_it(review):
    with store.locked(review.workspace), pytest.raises(BeeError, match="Another bee is at work"):
        review.keep(doubtful(review)[0], "a common word")


def test_an_offensive_word_has_no_buttons_and_no_command_and_is_veiled_in_all_columns(review):
    pytest.importorskip("ipywidgets")
    made = table(review, ["luff", "damn"], lambda text: text.replace("damn", "d···"),
                 because=["like damn", "a word"], command=["bee keep"] * 2)  # fmt: skip
    bundle = made._repr_mimebundle_()
    assert "damn" not in bundle["text/html"]
    assert bundle["text/html"].count("bee keep") == 1
    assert "application/vnd.jupyter.widget-view+json" in bundle
    inside = {
        row.subject: [child.description for child in row.box.children if hasattr(child, "tooltip")] for row in made.rows
    }
    assert "keep" in inside["luff"]
    assert "keep" not in inside["damn"]


def test_a_row_tells_a_refusal_and_closes_once_its_verdict_is_written(review):
    pytest.importorskip("ipywidgets")
    word = doubtful(review)[0]
    made = table(review, [word])
    row = made.rows[0]
    row.decide("drop")
    assert "needs a reason" in row.message.value
    row.reason.value = "test"
    row.decide("drop")
    assert "says nothing" in row.message.value
    row.reason.value = "nobody says it"
    row.decide("drop")
    assert row.buttons[0].disabled
    assert review.known() == {word: "drop"}
    made.controls.children[1].click()
    assert not row.buttons[0].disabled
    assert review.known() == {}


def test_a_verdict_that_repeats_the_record_gets_a_button_and_no_option(review):
    decisions = registry.load(review.workspace, "decisions")
    word = decisions["word"][(decisions["tier"] == "core") & (decisions["by"] == "evidence")].iloc[0]
    row = table(review, [word]).rows[0]
    assert row.anyway.layout.display == "none"
    row.reason.value = "a usual word"
    row.decide("keep")
    assert row.message.value.endswith("would only repeat it. Nothing was written. Decide anyway writes it.")
    assert (row.anyway.layout.display, review.known()) == (None, {})
    row.anyway.click()
    assert (row.anyway.layout.display, review.known()) == ("none", {word: "keep"})


def test_without_a_name_nothing_is_written_and_the_box_for_it_is_named(review):
    made = table(review, doubtful(review)[:1])
    made.controls.children[0].value = " "
    made.rows[0].reason.value = "a common word"
    made.rows[0].decide("keep")
    assert "into the box &quot;by&quot;" in made.rows[0].message.value
    made.controls.children[0].value = "bob"
    made.rows[0].decide("keep")
    assert written(review).endswith(b",a common word,bob," + verdicts.row("", "", "", "")["on"].encode() + b"\n")


def test_a_held_day_is_admitted_corrected_or_left_as_it_is(review):
    pytest.importorskip("ipywidgets")
    workspace, days = review.workspace, registry.load(review.workspace, "puzzles")
    date, letters = days["date"].iloc[0], days["center"].iloc[0] + days["outer"].iloc[0]
    answers = registry.load(workspace, "answers")
    answer = answers["word"][answers["date"] == date].iloc[0]
    waits = frames.from_rows([{"date": date, "subject": "day", "kind": "held", "detail": "a test"}], "waiting")
    registry.save(workspace, "waiting", waits)
    version = {"date": date, "letters": letters, "answers": 20, "met": 19, "surprise": ""}
    one = [{**version, "source": "sample", "words": ""}]
    two = [*one, {**version, "source": "nyt", "words": answer}]

    def pressed(rows: list[dict[str, object]], button: str, reason: str = "checked by hand") -> str:
        made = Held(review, waits, frames.from_rows(rows, "versions"))
        made.widget()
        (row,) = made.rows
        row.reason.value = reason
        next(each for each in row.buttons if each.description == button).click()
        return row.message.value

    def lines(name: str) -> list[str]:
        path = workspace.custom / f"{name}.csv"
        return path.read_text().splitlines()[1:] if path.exists() else []

    assert "nothing was written" in pressed(one, "leave as it is")
    assert "says nothing" in pressed(one, "admit", "test")
    assert (lines("admitted"), lines("corrections")) == ([], [])
    assert "saved" in pressed(one, "admit")
    assert [line.split(",")[:2] for line in lines("admitted")] == [[date, letters]]
    assert review.undo() == date
    assert lines("admitted") == []
    assert "saved" in pressed(one, "reject", "another puzzle")
    assert [line.split(",")[:5] for line in lines("corrections")] == [["sample", date, letters, "", ""]]
    review.undo()
    both = Held(review, waits, frames.from_rows(two, "versions"))
    both.widget()
    assert {"sample right", "nyt right"} < {button.description for button in both.rows[0].buttons}
    assert "bee admit" in Held(review, waits, frames.from_rows(one, "versions"))._repr_mimebundle_()["text/html"]


def table(review: Review, words: list[str], veiled=str, **columns: list) -> Verdicts:
    """A table of words with some of the columns of the contract `stakes`; the others are empty."""
    pytest.importorskip("ipywidgets")
    frame = pd.DataFrame({"word": words, **columns})
    frame = frame.assign(**{name: "" for name in contract("stakes") if name not in frame})
    made = Verdicts(review, frame, "Some words", "stakes", veiled)
    made.widget()
    return made


def test_undo_in_one_table_opens_the_rows_of_that_word_in_all_tables(review):
    first, second = doubtful(review)[:2]
    one, other = table(review, [first, second, first]), table(review, [second, first])
    one.rows[0].reason.value = "nobody says it"
    one.rows[0].decide("drop")
    closed = [row.buttons[0].disabled for row in (*one.rows, *other.rows)]
    assert closed == [True, False, True, False, True]
    other.controls.children[1].click()
    assert not [row.subject for row in (*one.rows, *other.rows) if row.buttons[0].disabled]
    assert other.controls.children[3].value == f"{first}: removed."


def test_a_filter_sees_the_cells_and_no_markup(review):
    made = table(review, ["cove", "cave"], because=["small & <odd>", "dark"])

    def shown(wanted: str) -> list[str]:
        made._arrange(wanted, "as given", False)
        return [row.subject for row in made.rows if row.box in made.list.children]

    assert [shown(text) for text in ("span", "amp", "b>", "because")] == [[], [], [], []]
    assert (shown("& <ODD> cove"), shown("dark")) == (["cove"], ["cave"])


def test_a_table_is_sorted_by_its_columns_in_their_order_and_shows_a_word_twice(review):
    made = table(review, ["cove", "cave", "cove"], puzzles=[2, 3, 1], turns=[1, 1, 2], side=["a", "a", "a"])
    order = made.widget().children[1].children[2]
    assert order.options == ("as given", "word", "side", "puzzles", "turns")
    order.value = "puzzles"
    assert list(made.list.children) == [made.rows[at].box for at in (2, 0, 1)]
    order.value = "word"
    assert list(made.list.children) == [made.rows[at].box for at in (1, 0, 2)]


def test_a_box_tells_a_refusal_of_its_first_word_too_and_asks_once():
    pytest.importorskip("ipywidgets")
    asked = []

    def tell(word: str) -> str:
        asked.append(word)
        raise BeeError(f"<{word}> is unknown.")

    assert Asked("cove", tell)._repr_mimebundle_()["text/html"] == "<p>&lt;cove&gt; is unknown.</p>"
    assert asked == ["cove"]
