"""The functions of the notebooks: figures over time, words that changed sides, split families, and their display."""

import itertools

import families
import frozen
import history
import html_tables
import notebook_data
import pandas as pd
import plots
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from notebook_data import NotebookData

from lexicon import scowl
from pipeline.facts import evidence, lexicon, merge
from pipeline.tables import frames
from pipeline.words import OFFENSIVE, BeeError


@pytest.fixture(scope="module")
def sample(sample_days) -> dict[str, pd.DataFrame]:
    """Puzzles, answers and trials of the two weeks; the words tried are all answers of the two weeks."""
    merged = merge.reconcile([("sample", day) for day in sample_days], {"sample": 0})
    puzzles, answers = merged.puzzles, merged.answers
    words = sorted(set(answers["word"]))
    considered = pd.DataFrame({"word": words})
    return {"puzzles": puzzles, "answers": answers, "trials": merge.trials(puzzles, answers, considered)}


def days(*outcomes: str) -> pd.DataFrame:
    """Trials of words from `luff -+-`: one trial a month, `+` accepted."""
    rows = [
        (f"2025-{month:02}-01", word, sign == "+")
        for word, signs in (outcome.split() for outcome in outcomes)
        for month, sign in enumerate(signs, 1)
    ]
    return pd.DataFrame(rows, columns=["date", "word", "accepted"])


def figures_of(letters: str, words: str) -> dict:
    center, outer = letters[0], letters[1:]
    puzzles = frames.from_rows([{"date": "2025-01-01", "center": center, "outer": outer, "source": "x"}], "puzzles")
    rows = [{"date": "2025-01-01", "word": word, "vouched": 1} for word in words.split()]
    (figures,) = history.measure_puzzles(puzzles, frames.from_rows(rows, "answers")).to_dict("records")
    return figures


def test_figures_measure_words_points_pangrams_and_bingo():
    figures = figures_of("vacenot", "cove octave covenant vacate nave even taco")
    points = 1 + 6 + 15 + 6 + 1 + 1 + 1
    expected = {"words": 7, "points": points, "pangrams": 1, "perfect": 0, "longest": 8, "bingo": 0}
    assert figures == {"date": "2025-01-01", **expected}
    assert figures_of("abcdefg", "abed bead cafe dace each face gaff")["bingo"] == 1


def test_means_and_letters_cover_every_puzzle(sample):
    measured = history.measure_puzzles(sample["puzzles"], sample["answers"])
    months, years = history.average_figures(measured, "month"), history.average_figures(measured, "year")
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
    record = evidence.tally(sample["trials"], sample["answers"])
    first = record[record["accepted"] > 0].set_index("word")["first_accepted"].to_dict()
    debuts = history.debuts(sample["trials"])
    assert dict(zip(debuts["word"], debuts["date"], strict=True)) == first


def test_recent_trials_are_spelled_oldest_first():
    assert history.last_outcomes(days("luff ---+", "roto +"), 3).to_dict() == {"luff": "--+", "roto": "+"}


@pytest.fixture(scope="module")
def words() -> pd.DataFrame:
    """A lexicon of a few words: two families, and spellings of several kinds."""
    sizes, _ = scowl.parse(
        {
            "english-words.20": "boot\nboots\nbooted\ncoke\ncokes\ncoked\ncanceled\nhonor\ndefense\nfill\nfilling\n",
            "english-words.80": "bootee\nfille\n",
            "british-words.20": "honour\ndefence\nbootee\n",
            "variant_1-words.20": "cancelled\n",
        }
    )
    net = pd.DataFrame(
        {"word": [], "pos": [], "senses": [], "tagged": [], "capitalised": [], "labels": [], "base": []}
    ).astype({name: "str" for name in ("word", "pos", "labels", "base")})
    cuss = pd.DataFrame({"word": ["damn"], "sureness": [0]})
    others = {name: pd.DataFrame({"word": [word]}) for name, word in (("ldnoobw", "butt"), ("modern", "selfie"))}
    joined = lexicon.join_lists({"scowl": sizes, "wordnet": net, "cuss": cuss, **others}, pd.Series(dtype="str"))
    return lexicon.add_frequencies(joined, frames.empty("lexicon")[["word", "zipf", "zipf_abroad", "language"]])


def decided(words: pd.DataFrame, off: str) -> pd.DataFrame:
    """Decisions that list every word of a lexicon but some."""
    reason = {"by": "evidence", "kind": "accepted", "details": "", "p": 0.5}
    tiers = {word: "refused" if word in off.split() else "core" for word in words["word"]}
    return frames.from_rows([{"word": word, "tier": tier, **reason} for word, tier in tiers.items()], "decisions")


def test_a_family_is_split_when_only_the_base_or_the_form_is_listed(words):
    split = families.split_pairs(words, decided(words, off="boot cokes fille"))
    assert split.values.tolist() == [
        ["booted", "boot", "form", "evidence", "evidence"],
        ["boots", "boot", "form", "evidence", "evidence"],
        ["cokes", "coke", "base", "evidence", "evidence"],
    ]
    assert families.split_pairs(words, decided(words, off="fille")).empty, "a chance base splits nothing"
    assert families.split_pairs(words, decided(words, off="boot boots booted")).empty


@pytest.mark.parametrize(
    ("star", "stare", "base"),
    [
        ((10, 4.0), (20, 6.0), "star"),  # the smaller list comes first
        ((20, 6.0), (10, 4.0), "stare"),
        ((10, 4.0), (10, 6.0), "stare"),  # then the more frequent word
        ((10, 6.0), (10, 4.0), "star"),
        ((10, 4.0), (10, 4.0), "star"),  # then the alphabet
        ((families.USUAL, 4.0), (families.USUAL + 10, 6.0), "star"),
        ((families.USUAL + 10, 6.0), (families.USUAL + 20, 6.0), ""),  # a rare base is accidental
    ],
)
def test_of_two_bases_the_most_usual_one_counts(star, stare, base):
    rows = {"star": star, "stare": stare, "staring": (35, 3.0)}
    words = pd.DataFrame(
        [
            {**lexicon.DEFAULTS, "word": word, "scowl_size": size, "zipf": zipf, "zipf_abroad": 0.0, "language": ""}
            for word, (size, zipf) in rows.items()
        ]
    )
    split = families.split_pairs(frames.check(words, "lexicon"), decided(words, off="staring"))
    assert split["base"].tolist() == ([base] if base else [])


def test_variants_stand_beside_their_usual_spelling(words):
    decisions = decided(words, off="honour")
    by_variant = {row["variant"]: row for row in families.variants(words, decisions).to_dict("records")}
    usual = {word: row["usual"] for word, row in by_variant.items()}
    assert usual == {"cancelled": "canceled", "defence": "defense", "honour": "honor"}
    assert by_variant["honour"]["differs"] == "-our, -or"
    assert (by_variant["honour"]["variant listed"], by_variant["honour"]["usual listed"]) == (False, True)
    assert by_variant["cancelled"]["variant listed"]
    without = families.variants(words, decisions[decisions["word"] != "honor"])
    assert without["variant"].tolist() == ["cancelled", "defence"], "words without a decision are left out"


def test_a_table_has_the_columns_of_its_contract_in_its_order_or_is_refused():
    frame = pd.DataFrame({"words": [1000, 2], "cause": ["null", "<b>"], "change": ["", ""], "more": [1, 2]})
    page = html_tables.as_table(frame, "A & B", "summary").data
    assert '<td>null</td><td class="number">1,000</td>' in page
    assert "&lt;b&gt;" in page
    assert "A &amp; B" in page
    assert "<dt>words</dt><dd>Number of words.</dd>" in page
    assert "<dt>change" not in page, "an empty column"
    assert "more" not in page, "not in the contract"
    assert "Filter" not in page
    assert "Filter" in html_tables.as_table(pd.concat([frame] * 9), "", "summary").data
    assert html_tables.as_table(frame.head(0), "A", "summary").data == '<p class="bee-none"><b>A</b>: none.</p>'
    with pytest.raises(BeeError, match='"summary" has no column cause'):
        html_tables.as_table(frame.drop(columns="cause"), "A", "summary")
    with pytest.raises(BeeError, match="no table"):
        html_tables.as_table(frame, "A", "unheard of")


@pytest.mark.slow
def test_a_plot_is_the_same_bytes_twice_and_says_what_it_is():
    def svg(enough: bool = True) -> str:
        axes = plots.new_axes("Words & months", "month", "words")
        axes.scatter([0, 1, 2], [1, 2, 3])
        plots.label_periods(axes, pd.Series(["2025-01", "2025-02", "2025-03"]))
        return plots.as_svg(axes, enough).data

    assert svg() == svg()
    assert 'role="img" aria-label="Words &amp; months"' in svg()
    assert "2025-02" in svg()
    assert "too few" in svg(enough=False)
    assert "<svg" not in svg(enough=False)


@pytest.fixture
def loaded(ran, monkeypatch) -> NotebookData:
    """What a notebook loads from a workspace in which all stages ran on the sample."""
    monkeypatch.setenv("BEE_DATA", str(ran))
    return notebook_data.load()


def test_offensive_words_are_hidden_unless_asked_for(loaded):
    word = loaded.flags["word"][loaded.flags["flag"].isin(OFFENSIVE)].iloc[0]
    assert loaded.censor(f"like {word}, null") == f"like {word[0]}{'·' * (len(word) - 1)}, null"
    assert notebook_data.load(show_offensive=True).censor(word) == word


def test_a_frozen_list_knows_nothing_of_later_days_and_is_compared_with_them(loaded):
    dates = sorted(loaded.puzzles["date"])
    before, after = dates[:10], dates[10:]
    old_list = frozen.freeze_at(loaded, after[0])
    assert set(old_list.later_trials["date"]) == set(after)
    known = loaded.trials[loaded.trials["date"].isin(before)]
    assert set(old_list.past.evidence["word"]) == set(known["word"])
    changes = frozen.changes_since(loaded, old_list)
    assert len(changes) > 0
    added = changes[changes["change"] == "added"]
    assert set(added["word"]) <= loaded.listed - old_list.listed
    bins, summary = frozen.calibration(old_list)
    assert bins["words"].sum() == len(set(old_list.later_trials["word"]) - set(known["word"]))
    assert f"Frozen on {after[0]}, 4 puzzles: F1 0." in summary


def test_a_list_is_frozen_only_if_there_are_enough_older_puzzles(loaded, monkeypatch):
    monkeypatch.setattr(frozen, "MIN_PUZZLES", len(loaded.puzzles))
    assert frozen.freeze(loaded, months=0).past is not None
    monkeypatch.setattr(frozen, "MIN_PUZZLES", len(loaded.puzzles) + 1)
    too_early = frozen.freeze(loaded, months=0)
    assert (too_early.past, too_early.empty_text) == (None, "not known")
    assert "14 puzzles on disk are too few" in too_early.summary
