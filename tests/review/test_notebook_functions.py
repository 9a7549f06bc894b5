"""The functions of the notebooks: figures over time, words that changed sides, split families, and their display."""

import dataclasses
import itertools
import re

import history
import html_tables
import news
import notebook_data
import pandas as pd
import plots
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from notebook_data import NotebookData

from pipeline.errors import BeeError
from pipeline.facts import record as records
from pipeline.facts.trials import find_trials
from pipeline.tables import frames
from pipeline.words import OFFENSIVE


@pytest.fixture(scope="module")
def sample(sample_days) -> dict[str, pd.DataFrame]:
    """Puzzles, answers and trials of the two weeks; the words tried are all answers of the two weeks."""
    letters = [{"date": day.date, "center": day.puzzle.center, "outer": day.puzzle.outer} for day in sample_days]
    rows = [{"date": day.date, "word": word} for day in sample_days for word in day.answers]
    puzzles = frames.from_rows([{**row, "source": "sample", "witnesses": 1} for row in letters], "puzzles")
    answers = frames.from_rows(rows, "answers")
    words = sorted(set(answers["word"]))
    considered = pd.DataFrame({"word": words})
    return {"puzzles": puzzles, "answers": answers, "trials": find_trials(puzzles, answers, considered)}


def days(*outcomes: str) -> pd.DataFrame:
    """Trials of words from `luff -+-`: one trial a month, `+` accepted."""
    rows = [
        (f"2025-{month:02}-01", word, sign == "+")
        for word, signs in (outcome.split() for outcome in outcomes)
        for month, sign in enumerate(signs, 1)
    ]
    return pd.DataFrame(rows, columns=["date", "word", "accepted"])


def test_figures_measure_words_points_and_pangrams():
    rows = [{"date": "2025-01-01", "word": word} for word in "cove octave covenant vacate nave".split()]
    (figures,) = history.measure_puzzles(frames.from_rows(rows, "answers")).to_dict("records")
    assert figures == {"date": "2025-01-01", "words": 5, "points": 1 + 6 + 15 + 6 + 1, "pangrams": 1}


def test_means_and_letters_cover_every_puzzle(sample):
    measured = history.measure_puzzles(sample["answers"])
    months, years = history.average_figures(measured, "M"), history.average_figures(measured, "Y")
    assert list(months["period"]) == ["2025-02", "2025-03"]
    assert months["puzzles"].sum() == years["puzzles"].sum() == 14
    assert (months["words"] * months["puzzles"]).sum() == pytest.approx(len(sample["answers"]))
    letters = history.letter_shares(sample["puzzles"]).set_index("letter")
    assert (len(letters), letters["center"].sum(), letters["outer"].sum()) == (26, pytest.approx(1), pytest.approx(6))
    letter = sample["puzzles"]["center"].iloc[0]
    assert letters["center"][letter] == pytest.approx((sample["puzzles"]["center"] == letter).sum() / 14)


def test_a_turn_says_to_which_side_and_after_how_many_trials():
    turns = history.turns(days("luff ---+", "roto ++", "tipi +-+"))
    assert turns.values.tolist() == [
        ["luff", "2025-04-01", True, 3],
        ["tipi", "2025-02-01", False, 1],
        ["tipi", "2025-03-01", True, 1],
    ]


@pytest.mark.slow
@settings(deadline=None, max_examples=40)
@given(st.lists(st.text("+-", min_size=1, max_size=12), min_size=1, max_size=6))
def test_turns_are_the_neighbours_that_differ(records):
    outcomes = [f"{'abcdef'[number] * 4} {signs}" for number, signs in enumerate(records)]
    turns = history.turns(days(*outcomes).sample(frac=1, random_state=1))
    obvious = sum(now != before for signs in records for before, now in itertools.pairwise(signs))
    assert len(turns) == obvious
    assert list(turns.sort_values(["word", "date"])["word"]) == list(turns["word"])


def test_a_debut_is_the_first_acceptance_and_counts_the_refusals_before(sample):
    debuts = history.debuts(days("luff --+-+", "roto ++", "tipi --"))
    assert debuts.sort_values("word").values.tolist() == [["luff", "2025-03-01", 2], ["roto", "2025-01-01", 0]]
    record = records.tally(sample["trials"])
    first = record[record["accepted"] > 0].set_index("word")["first_accepted"].to_dict()
    debuts = history.debuts(sample["trials"])
    assert dict(zip(debuts["word"], debuts["date"], strict=True)) == first


def test_recent_trials_are_spelled_oldest_first():
    assert history.last_outcomes(days("luff ---+", "roto +"), 3).to_dict() == {"luff": "--+", "roto": "+"}


def test_a_table_has_the_columns_of_its_contract_in_its_order_or_is_refused():
    frame = pd.DataFrame({"words": [1000, 2], "by": ["null", "<b>"], "tier": ["", ""], "more": [1, 2]})
    page = html_tables.as_table(frame, "A & B", "tiers").data
    assert re.findall("<td[^>]*>([^<]*)</td>", page) == ["null", "1,000", "&lt;b&gt;", "2"]
    assert "<b>" not in page
    assert "A &amp; B" in page
    assert "<dt>words</dt><dd>Number of words.</dd>" in page
    assert "<dt>tier" not in page, "an empty column"
    assert "more" not in page, "not in the contract"
    assert '"search"' not in page
    assert '"search"' not in html_tables.as_table(pd.concat([frame] * 6), "", "tiers").data
    assert '"search"' in html_tables.as_table(pd.concat([frame] * 7), "", "tiers").data
    assert html_tables.as_table(frame.head(0), "A", "tiers").data == '<p class="bee-none"><b>A</b>: none.</p>'
    long = html_tables.as_table(pd.concat([frame] * 2000), "", "tiers").data
    assert long.count("1,000") == 2 * 2000, "no row is left out of the table, or of what is shown without scripts"
    with pytest.raises(KeyError, match="by"):
        html_tables.as_table(frame.drop(columns="by"), "A", "tiers")
    with pytest.raises(BeeError, match="no table"):
        html_tables.as_table(frame, "A", "unheard of")


@pytest.mark.slow
def test_a_plot_is_the_same_bytes_twice_and_says_what_it_is():
    def svg(enough: bool = True) -> str:
        axes = plots.new_axes("Words & months", "month", "words")
        axes.scatter([0, 1, 2], [1, 2, 3])
        plots.label_periods(axes, pd.Series(["2025-01", "2025-02", "2025-03"]))
        return plots.as_svg(axes, enough, about="They rise & fall.").data

    assert svg() == svg()
    assert "They rise &amp; fall." in svg()
    assert "rise" not in svg(enough=False), "there is no text about a plot that is not there"
    assert 'role="img" aria-label="Words &amp; months"' in svg()
    assert "2025-02" in svg()
    assert "too few" in svg(enough=False)
    assert "<svg" not in svg(enough=False)


@pytest.fixture
def loaded(ran, monkeypatch) -> NotebookData:
    """What a notebook loads from a workspace on which `bee run` ran on the sample."""
    monkeypatch.setenv("BEE_DATA", str(ran))
    return notebook_data.load()


def test_a_day_that_waits_is_shown_with_the_commands_of_its_choices(loaded):
    assert "No day waits" in news.waiting_days(loaded).data
    date = "2025-03-06"
    waits = frames.from_rows([{"date": date, "because": "a test; `bee day`", "person": True}], "waits")
    data = dataclasses.replace(loaded, waits=waits)
    assert f"{date} waits: a test; `bee day`." in news.waiting_days(data).data
    assert "waits" not in news.new_days(loaded).summary
    assert f"1 day waits: {date}." in news.new_days(data).summary


@pytest.mark.slow
def test_the_plot_of_new_days_has_the_number_of_missing_and_extra_words_and_a_mark_for_a_day_without_a_score():
    rows = [("2025-01-03", 3, 0), ("2025-01-02", None, None), ("2025-01-01", 0, 7)]
    days = pd.DataFrame(rows, columns=["date", "missing", "extra"])
    texts = re.findall("<text[^>]*>([^<]*)</text>", plots.new_days(days).data)
    assert texts[:3] == ["01-01", "01-02", "01-03"], "oldest first"
    assert {"3", "7", "no score"} <= set(texts)
    texts = re.findall("<text[^>]*>([^<]*)</text>", plots.new_days(days.dropna()).data)
    assert "no score" not in texts


def test_the_last_days_are_those_of_the_data_shown_and_the_words_are_counted_as_in_the_chart(loaded):
    """The days of the sample are older than the release, and most of their words were scored elsewhere."""
    new = news.new_days(loaded)
    assert f"on disk, {new.days['date'].min()} to {new.days['date'].max()}." in new.summary


def test_the_first_table_says_whether_a_word_is_on_the_list_and_proposes_to_change_that(loaded):
    words, benefit = news.questions(loaded, limit=5)
    assert len(words) == 5
    assert benefit.startswith("Deciding ")
    for row in frames.rows(words):
        assert row["list"] == ("on" if row["word"] in loaded.listed else "off")
        assert row["command"] in ("", f'bee {"drop" if row["list"] == "on" else "keep"} {row["word"]} --reason "…"')


def test_offensive_words_are_hidden_unless_asked_for(loaded):
    word = loaded.flags["word"][loaded.flags["flag"].isin(OFFENSIVE)].iloc[0]
    assert loaded.censor(f"like {word}, null") == f"like {word[0]}{'·' * (len(word) - 1)}, null"
    assert notebook_data.load(show_offensive=True).censor(word) == word
