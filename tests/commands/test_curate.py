"""Backtest, audit, why and verdicts: how good the list is, and what people do about it."""

import json
from dataclasses import replace

import pandas as pd
import pytest

from pipeline import reader, run
from pipeline.commands import measure
from pipeline.measure import backtest
from pipeline.store import Workspace
from pipeline.tables import frames

CUTOFF = "2025-03-01"


def tables_of(data) -> backtest.BacktestInput:
    known = run.read_facts(Workspace(data))
    return backtest.BacktestInput(known.lexicon, known.forms, known.puzzles, known.answers, known.trials, known.grades)


def shuffled(tables: backtest.BacktestInput) -> backtest.BacktestInput:
    """The same past with another future: every later answer refused, every later refusal accepted, in other order."""
    trials = tables.trials.copy()
    late = trials["date"] >= CUTOFF
    trials.loc[late, "accepted"] = ~trials.loc[late, "accepted"]
    trials = trials.sample(frac=1, random_state=1)
    answers = trials[trials["accepted"] & (trials["date"] >= CUTOFF)][["date", "word"]].assign(witnesses=1)
    early = tables.answers[tables.answers["date"] < CUTOFF]
    return replace(tables, trials=trials, answers=pd.concat([answers, early], ignore_index=True))


def without_its_past(tables: backtest.BacktestInput, word: str) -> backtest.BacktestInput:
    """The same past without any trial of a word, which no list but the largest one has."""
    only = tables.lexicon["word"] == word
    known_columns = tables.lexicon[~only].iloc[:1].assign(
        word=word, scowl_size=100, scowl_british=100, scowl_variant=100, scowl_upper=100, scowl_name=100,
        scowl_abbreviation=100, scowl_special=100, wordnet_senses=0, wordnet_capitalised=0, base="", cuss=-1,
        ldnoobw=False, modern=False, own="", zipf=3.0,
    )  # fmt: skip
    trials, answers = tables.trials, tables.answers
    return replace(
        tables,
        lexicon=pd.concat([tables.lexicon[~only], known_columns], ignore_index=True),
        trials=trials[(trials["word"] != word) | (trials["date"] >= CUTOFF)],
        answers=answers[(answers["word"] != word) | (answers["date"] >= CUTOFF)],
    )


@pytest.mark.slow
def test_nothing_at_or_after_the_cutoff_is_read_and_a_word_that_only_later_answers_brought_is_unknown(ran_once):
    answers = tables_of(ran_once).answers
    late = answers[answers["date"] >= CUTOFF]["word"].iloc[0]
    tables = without_its_past(tables_of(ran_once), late)
    one, two = backtest.take_snapshot(tables, CUTOFF), backtest.take_snapshot(shuffled(tables), CUTOFF)
    for name in ("lexicon", "record", "flags", "estimates", "decisions"):
        assert len(getattr(one, name))
        assert frames.csv_bytes(getattr(one, name)) == frames.csv_bytes(getattr(two, name)), name
    assert late not in {*one.decisions["word"], *one.lexicon["word"]}


def test_trials_are_taken_from_one_date_on_and_before_another(ran_once):
    tables = tables_of(ran_once)
    dates = sorted(set(tables.trials["date"]))
    assert set(backtest.trials_since(tables, dates[2])["date"]) == set(dates[2:])
    assert set(backtest.trials_since(tables, dates[2], dates[5])["date"]) == set(dates[2:5])


@pytest.fixture(scope="module")
def measured(ran_once):
    """What `bee backtest` measures from the cutoff on, but for the last day."""
    return measure.run_backtest(Workspace(ran_once), CUTOFF, until="2025-03-05")


@pytest.mark.slow
def test_the_upper_bound_is_above_every_list_and_baselines_are_there(measured):
    found, _ = measured
    table = backtest.scores(found.trials).set_index("list")
    baselines = {backtest.EVER_ACCEPTED, backtest.LAST_TRIAL, backtest.SCOWL[60]}
    assert {backtest.OURS, backtest.UPPER_BOUND, *baselines} <= set(table.index)
    assert table["f1"].idxmax() == backtest.UPPER_BOUND
    assert table["puzzles"].eq(4).all()
    assert set(found.unseen["p"].between(0, 1)) == {True}
    assert len(backtest.scores(found.trials[found.trials["list"] == backtest.OURS], "center")) == 4


def test_average_precision_is_that_of_the_books():
    assert backtest.average_precision(pd.Series([True, False]), pd.Series([0.9, 0.1])) == 1
    assert backtest.average_precision(pd.Series([True, False]), pd.Series([0.1, 0.9])) == 0.5
    assert backtest.average_precision(pd.Series([False]), pd.Series([0.1])) == 0


def test_reliability_compares_p_with_what_came():
    unseen = pd.DataFrame({"p": [0.0, 0.1, 0.95, 0.95], "accepted": [False, False, True, False]})
    found = backtest.reliability(unseen)
    assert (list(found["p"]), list(found["words"])) == (["0.0 to 0.1", "0.9 to 1.0"], [2, 2])
    assert list(found["accepted"]) == [0, 0.5]


@pytest.mark.slow
def test_backtest_prints_its_tables(ran_once, bee):
    done = bee("--data", ran_once, "backtest", "--cutoff", CUTOFF)
    assert done.code == 0
    for text in ("this list without guesses", "upper bound", "exact lists", "average precision", "refused"):
        assert text in done.out


def test_audit_scores_any_list_with_its_worst_words_and_says_if_it_is_ours(ran_once, bee, tmp_path):
    words = (ran_once / "custom/wordlist.txt").read_text().split()
    path = tmp_path / "mine.txt"
    path.write_text("\n".join(word.upper() for word in words if word != "troth"))
    done = bee("--data", ran_once, "audit", path)
    assert done.code == 0
    for text in ("92.9%", "missing: troth 1", "extra: none"):
        assert text in done.out
    assert "made with 14 of these 14 puzzles, so its score means little" in done.err
    path.write_text("\n".join([*words[::2], *(f"un{word}" for word in words[: len(words) // 90])]))
    assert "score means little" not in bee("--data", ran_once, "audit", path).err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("word", "letters", "answer", "says"),
    [
        ("troth", "hilnort", True, "accepted once"),
        ("troth", "ahilort", False, "lacks the center letter a"),
        ("troth", "hilnora", False, "it has letters that the puzzle lacks: t"),
        ("tot", "hilnort", False, "breaks a rule: too short"),
        ("lithoi", "hilnort", False, "no puzzle has accepted it"),
    ],
)
def test_why_says_whether_a_puzzle_takes_the_word(ran_once, bee, word, letters, answer, says):
    trail = json.loads(bee("--data", ran_once, "why", word, letters, "--json").out)
    assert (trail["answer"], trail["letters"]) == (answer, letters)
    assert says in trail["answer_because"]
    spaced = f"{letters[0].upper()}, {letters[1:]}"
    shown = bee("--data", ran_once, "why", word, spaced).out
    assert says in shown
    assert f"{letters}: {'an answer' if answer else 'not an answer'}" in shown


@pytest.mark.slow
def test_why_tells_record_relatives_and_verdict_and_what_is_not_applied_yet(ran, bee):
    def why(word: str) -> dict:
        trail = json.loads(bee("--data", ran, "why", word, "--json").out)
        shown = bee("--data", ran, "why", word).out
        assert ("\n  not yet  " in shown) == bool(trail["pending"])
        assert trail["pending"] in shown
        return trail

    rows = reader.rows((ran / "custom/words.csv").read_bytes(), "words.csv")
    word = next(row["word"] for row in rows if row["kind"] == "refused")
    trail = why(word)
    assert (trail["tier"], trail["record"]["accepted"], trail["pending"]) == ("refused", 0, "")
    assert "first never, last never, last refused 2025-" in bee("--data", ran, "why", word).out
    [relative] = [row for row in why("unbind")["relatives"] if row["word"] == "unbinding"]
    assert (relative["tier"], relative["because"][:13]) == ("core", "accepted once")
    assert bee("--data", ran, "keep", word, "--reason", "I like it", "--by", "ann").code == 0
    assert why(word)["pending"] == 'the verdict "keep"; `bee run` applies it'
    bee("--data", ran, "run")
    trail = why(word)
    assert (trail["tier"], trail["by"], trail["verdict"]["by"], trail["pending"]) == ("core", "verdict", "ann", "")
    bee("--data", ran, "undo", word)
    assert why(word)["pending"] == "the verdict was removed; `bee run` applies this"


@pytest.mark.slow
def test_why_reads_a_verdict_in_every_layout_that_other_commands_read(ran, bee):
    """Cells are quoted, all of them or those below the header, the lines are not sorted, or a quote is never closed."""
    path = ran / "custom/verdicts.csv"
    head, troth, zine = "word,verdict,reason,by,after", "troth,keep,Common.,ann,2025-03-01", "zine,drop,Odd.,ann,"
    quoted = ['"' + row.replace(",", '","') + '"' for row in (head, troth, zine)]
    for rows in (quoted, [head, *quoted[1:]], [head, zine, troth]):
        path.write_text("".join(f"{row}\n" for row in rows))
        for word, verdict in (("troth", "keep"), ("zine", "drop")):
            told = json.loads(bee("--data", ran, "why", word, "--json").out)
            assert told["verdict"]["verdict"] == verdict
            assert told["pending"] == f'the verdict "{verdict}"; `bee run` applies it'
    path.write_text("\n".join([head, zine, 'troth,keep,"Common.,ann']))
    failed = bee("--data", ran, "why", "troth")
    assert (failed.code, "line 3" in failed.err) == (1, True), failed.err


@pytest.mark.slow
def test_why_of_a_word_that_nothing_knows_ends_with_1_until_it_has_a_verdict(ran, bee):
    for more in ((), ("--json",)):
        done = bee("--data", ran, "why", "Zzzzq", *more)
        assert (done.code, done.err, "zzzzq" in done.out) == (1, "", True)
    bee("--data", ran, "keep", "zzzzq", "--reason", "new", "--by", "ann", "--force")
    assert bee("--data", ran, "why", "zzzzq").code == 0
