"""The queue: which words a review asks about, and in which order."""

import pandas as pd
import pytest
from conftest import reseal

from pipeline import reader
from pipeline.review import queue
from pipeline.review.queue import open_words, questions
from pipeline.store import Workspace
from pipeline.tables import frames
from pipeline.words import DOUBTFUL


def rows(data) -> dict[str, dict[str, str]]:
    return {row["word"]: row for row in reader.rows((data / "custom/words.csv").read_bytes(), "words.csv")}


@pytest.mark.slow
def test_it_asks_about_untried_words_on_which_the_list_may_be_wrong_by_points(ran_once):
    asked = questions(Workspace(ran_once))
    known = rows(ran_once)
    doubts = {word: queue.doubt(row) for word, row in known.items()}
    assert {row["word"] for row in asked} == {word for word, doubt in doubts.items() if doubt >= DOUBTFUL}
    assert {row["kind"] for row in asked} == {"estimate"}
    assert len(asked) > 10
    points = [row["points"] for row in asked]
    assert points == sorted(points, reverse=True)
    assert len(set(points)) > 5


def test_the_doubt_about_a_word_is_the_probability_that_its_tier_is_wrong():
    cells = {"kind": "estimate", "p": "0.70"}
    assert queue.doubt({**cells, "tier": "likely"}) == pytest.approx(0.3)
    assert queue.doubt({**cells, "tier": "review"}) == pytest.approx(0.7)
    assert queue.doubt({"kind": "accepted", "p": "0.70", "tier": "core"}) == 0


def test_a_word_is_as_likely_to_be_possible_as_its_letters_were_played():
    played = ["covenant", "octave", "cantove", "cove"]
    common, rare, never = map(queue.share_of_puzzles(played), ["cove", "covenant", "zizz"])
    assert (common, rare, never) == pytest.approx((1.5 / 2 * 4 / 7, 1.5 / 2 * 7 / 7, 0.5 / 2 * 2 / 7))


@pytest.mark.slow
def test_what_the_last_days_left_open_comes_first_until_a_person_decides(ran, bee):
    tried = next(word for word, row in rows(ran).items() if row["last_accepted"] > "2025-02-20")
    track = {"source": "plus", "witnesses": "1", "answers": "20", "missing": "0", "extra": "0"}
    old = {**track, "date": "2025-02-19", "without_trial": "vvoonnccee", "differs": ""}
    first = {**track, "date": "2025-02-20", "without_trial": "nanococo", "differs": ""}
    newer = {**track, "date": "2025-03-04", "without_trial": "", "differs": f"{tried} letters:abcdefg"}
    newest = {**track, "date": "2025-03-05", "without_trial": "octanove", "differs": ""}
    (ran / "custom/track.csv").write_bytes(frames.csv_bytes(pd.DataFrame([old, first, newer, newest])))
    reseal(ran / "custom")
    asked = questions(Workspace(ran))
    assert [row["word"] for row in asked[:3]] == ["octanove", tried, "nanococo"]
    assert asked[0]["asks"] == "2025-03-05: it has no trial on that day"
    assert asked[1]["asks"] == "2025-03-04: the list of a second site differs on it"
    assert asked[0]["tier"] == "unknown"
    assert "vvoonnccee" not in {row["word"] for row in asked}, "it is older than two weeks"
    for word in ("octanove", tried):
        assert bee("--data", ran, "drop", word, "--reason", "odd", "--by", "ann", "--force").code == 0
    assert not {"octanove", tried} & {row["word"] for row in questions(Workspace(ran))}
    last = max(rows(ran)[tried][name] for name in ("last_accepted", "last_refused"))
    before = "2025-02-01"
    for after, is_asked in ((last, False), (before, True)):
        line = f"word,verdict,reason,by,after\n{tried},drop,odd,ann,{after}\n"
        (ran / "custom/verdicts.csv").write_text(line)
        assert (tried in {row["word"] for row in questions(Workspace(ran))}) == is_asked, "a later puzzle tried it"


def test_the_words_of_a_row_are_open_and_its_letters_are_not():
    row = {"date": "2025-03-04", "differs": "letters:abcdefg cove", "without_trial": "ovate"}
    assert open_words([row]).keys() == {"cove", "ovate"}
