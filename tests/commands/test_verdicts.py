"""What `bee keep` and `bee drop` ask and say before a person overrules the record, and how a release tells of it."""

import json
import re
import shutil
from collections import defaultdict

import pandas as pd
import pytest

from pipeline.publishing import changes
from pipeline.review import verdicts as writing
from pipeline.run import registry
from pipeline.store import Workspace
from pipeline.tables import frames
from pipeline.words import mask, pangram

UNKNOWN = "gorafin"
"""A word that no list and no record has."""


def decisions(data):
    return registry.load(Workspace(data), "decisions").set_index("word")


def listed(data) -> list[str]:
    return (data / "custom/wordlist.txt").read_text().split()


def verdicts(data) -> str:
    path = data / "custom/verdicts.csv"
    return path.read_text() if path.exists() else ""


def test_a_word_that_nobody_knows_is_dropped_by_force_only(bee, ran):
    refused = bee("drop", UNKNOWN, "--reason", "odd", "--by", "ann", "--data", ran)
    assert (refused.code, verdicts(ran)) == (1, "")
    assert "it is in no list and has no record" in refused.err
    assert "--force drops it" in refused.err
    assert bee("drop", UNKNOWN, "--reason", "odd", "--by", "ann", "--force", "--data", ran).code == 0
    assert f"\n{UNKNOWN},drop," in verdicts(ran)


@pytest.mark.parametrize(("verdict", "tier"), [("keep", "core"), ("drop", "refused")])
def test_a_verdict_that_the_record_alone_gives_is_written_by_force_only(bee, ran, verdict, tier):
    told = decisions(ran)
    word = told[(told["tier"] == tier) & (told["by"] == "evidence")].index[0]
    refused = bee(verdict, word, "--reason", "rare", "--by", "ann", "--data", ran)
    assert (refused.code, verdicts(ran)) == (1, "")
    assert f"{word}: it is already {tier} by its record; a verdict would only repeat it." in refused.err
    assert bee(verdict, word, "--reason", "rare", "--by", "ann", "--force", "--data", ran).code == 0
    assert f"\n{word},{verdict}," in verdicts(ran)


def test_a_verdict_that_agrees_with_the_estimate_needs_no_force_and_is_not_stale(bee, ran):
    told = decisions(ran)
    word = told[(told["tier"] == "likely") & (told["by"] == "estimate")].index[0]
    assert bee("keep", word, "--reason", "common", "--by", "ann", "--data", ran).code == 0
    assert bee("run", "--data", ran).code == 0
    assert "verdict-stale" not in bee("check", "--data", ran).out


def test_a_word_that_nobody_knows_is_kept_by_force_only(bee, ran):
    refused = bee("keep", UNKNOWN, "--reason", "new", "--by", "ann", "--data", ran)
    assert refused.code == 1
    assert "--force" in refused.err
    assert verdicts(ran) == ""
    assert bee("keep", UNKNOWN, "--reason", "new", "--by", "ann", "--force", "--data", ran).code == 0
    assert bee("run", "--data", ran).code == 0
    assert UNKNOWN in listed(ran)


def test_a_known_word_that_is_off_the_list_needs_no_force(bee, ran):
    word = decisions(ran).query("tier == 'refused'").index[0]
    assert bee("keep", word, "--reason", "common", "--by", "ann", "--data", ran).code == 0
    assert f"\n{word},keep," in verdicts(ran)


def test_force_does_not_let_in_what_no_puzzle_can_have(bee, ran):
    assert bee("keep", "bee", "--reason", "an insect", "--by", "ann", "--force", "--data", ran).code == 1
    assert verdicts(ran) == ""


def test_undo_removes_the_verdict_of_that_word_alone_and_says_what_it_was(bee, ran):
    text = (
        "word,verdict,reason,by,on\r\n"
        'troth,keep,"common, in a phrase",ann,2025-01-01\r\n'
        'luff,drop,"rare,\nand odd",ben,2025-01-02\r\n'
        "cove,keep,'=fine,ann,2025-01-03"
    )
    (ran / "custom/verdicts.csv").write_bytes(text.encode())
    told = bee("undo", "Luff", "--data", ran)
    assert told.code == 0
    assert told.err == f"Removed: drop luff, by ben on 2025-01-02: rare,\nand odd; `bee run --data {ran}` applies it.\n"
    left = (ran / "custom/verdicts.csv").read_bytes().decode()
    assert left == text.replace('luff,drop,"rare,\nand odd",ben,2025-01-02\r\n', "")
    again = bee("undo", "luff", "--data", ran)
    assert (again.code, again.err) == (
        1,
        "bee: luff has no verdict or grade in custom/verdicts.csv and custom/offensive.csv; "
        "there is nothing to take back.\n",
    )
    assert (ran / "custom/verdicts.csv").read_bytes().decode() == left
    assert bee("undo", "cove", "--data", ran).err.endswith(f": =fine; `bee run --data {ran}` applies it.\n")


def test_undo_before_any_verdict_is_refused(bee, ran):
    told = bee("undo", "luff", "--data", ran)
    assert told.code == 1
    assert "luff has no verdict" in told.err
    assert not (ran / "custom/verdicts.csv").exists()


def test_a_verdict_on_a_word_that_has_one_is_refused_and_names_undo(bee, ran):
    word = decisions(ran).query("tier == 'review'").index[0]
    assert bee("keep", word, "--reason", "common", "--by", "ann", "--data", ran).code == 0
    assert (
        f"`bee undo {word} --kind verdict --data {ran}` takes"
        in bee("drop", word, "--reason", "rare", "--by", "ben", "--data", ran).err
    )
    assert bee("undo", word, "--data", ran).code == 0
    assert bee("drop", word, "--reason", "rare", "--by", "ben", "--data", ran).code == 0


def pangrams(data) -> dict[int, list[str]]:
    """The listed pangrams by their letters."""
    found = defaultdict(list)
    for word in filter(pangram, listed(data)):
        found[mask(word)].append(word)
    return found


def test_dropping_the_only_pangram_of_its_letters_says_that_a_solver_must_guess(bee, ran):
    word = next(words[0] for words in pangrams(ran).values() if len(words) == 1)
    told = bee("drop", word, "--reason", "rare", "--by", "ann", "--data", ran)
    assert told.code == 0
    assert f"It is a pangram of {''.join(sorted(set(word)))}: the list has no other" in told.err
    assert told.err.index("a solver must guess") < told.err.index("written"), "the cost is said first"
    assert ("Puzzles accepted it" in told.err) == (decisions(ran).loc[word, "tier"] == "core")


def test_dropping_one_of_several_pangrams_names_the_others(bee, ran):
    word, *others = next(words for words in pangrams(ran).values() if len(words) > 1)
    told = bee("drop", word, "--reason", "rare", "--by", "ann", "--data", ran)
    assert f"the list still has {', '.join(others)}" in told.err
    assert word not in told.err.partition("the list still has ")[2].partition("\n")[0]


def test_dropping_a_word_that_is_no_pangram_says_nothing_of_pangrams(bee, ran):
    word = next(word for word in listed(ran) if not pangram(word) and decisions(ran).loc[word, "tier"] == "core")
    told = bee("drop", word, "--reason", "rare", "--by", "ann", "--data", ran)
    assert "bee: " not in told.err
    assert re.search(r"accepted it \d of \d times, last on 2025-03-\d\d. Dropping it will probably leave", told.err)
    assert "pangram" not in told.err


def test_dropping_a_word_that_is_off_the_list_costs_nothing(bee, ran):
    word = next(word for word in decisions(ran).query("tier == 'refused'").index if pangram(word))
    told = bee("drop", word, "--reason", "rare", "--by", "ann", "--force", "--data", ran)
    assert told.err.splitlines() == [f"drop {word}: written; `bee run --data {ran}` applies it."]


def row(kind: str, details: str, tier: str, by: str = "evidence") -> pd.DataFrame:
    cells = {"word": "canto", "tier": tier, "by": by, "because": "so", "kind": kind, "details": details}
    return frames.from_rows([cells], "decisions")


@pytest.mark.parametrize(
    ("verdict", "decision", "says"),
    [
        ("keep", row("refused", "2|9|2025-08-28", "refused"), "Puzzles refused it 7 of 9 times, last on 2025-08-28. +"),
        ("drop", row("accepted", "7|9|2025-08-28", "core"), "Puzzles accepted it 7 of 9 times, last on 2025-08-28. -"),
        ("keep", row("estimate", "0.49|rare", "review", "estimate"), "of 49%. +"),
        ("keep", row("estimate", "0.50|a name", "review", "estimate"), "of 50%."),
        ("drop", row("estimate", "0.50|rare", "likely", "estimate"), "of 50%. -"),
        ("drop", row("estimate", "1.00|rare", "likely", "estimate"), "of 99%. -"),
        ("keep", row("unlisted-unwitnessed", "1|2|2025-08-28", "review"), ""),
        ("keep", row("accepted", "7|9|2025-08-28", "core"), ""),
        ("drop", row("refused", "2|9|2025-08-28", "refused"), ""),
        ("drop", row("verdict", "keep|ann|2025-01-01|so", "core", "verdict"), ""),
    ],
)  # fmt: skip
def test_a_verdict_says_what_speaks_against_it(verdict, decision, says):
    said = writing.cost("canto", verdict, decision)
    assert said.endswith(says.replace(" +", f" {writing.EXTRA}").replace(" -", f" {writing.MISSING}"))
    assert bool(said) == bool(says)


@pytest.mark.parametrize(
    ("grade", "says"),
    [
        ("slur", "takes it off the list. `bee export --safe` and `bee export --family` will leave it out. Its forms"),
        ("crude", "`bee export --family` will leave it out. Its forms follow"),
        ("none", "Its forms follow"),
    ],
)
def test_a_grade_says_what_it_changes_before_it_is_written(bee, ran, grade, says):
    told = decisions(ran)
    word = told[(told["tier"] == "likely") & (told["by"] == "estimate")].index[0]
    done = bee("grade", word, grade, "--reason", "as people use it", "--by", "ann", "--data", ran)
    assert done.code == 0
    assert says in done.err.replace(f" --data {ran}", "")
    assert done.err.index("Its forms follow") < done.err.index(": written;")
    assert ("off the list" in done.err) == (grade == "slur")
    again = bee("grade", word, "slur", "--reason", "so", "--by", "ann", "--data", ran)
    assert (again.code, again.err.count("\n")) == (1, 1), "what is refused has no cost"


@pytest.mark.parametrize(
    "reason", ["x", "ok", "12 + 7", "Looked at in review.", "TEST", "looked at in review (in no list)"]
)
@pytest.mark.parametrize("verdict", [["keep"], ["drop"], ["grade", "slur"]])
def test_a_reason_that_says_nothing_is_refused(bee, data, reason, verdict):
    command, *grade = verdict
    done = bee(command, "luff", *grade, "--reason", reason, "--by", "ann", "--data", data)
    says = f'bee: The reason "{reason}" says nothing; it is published for years, so say what decided it.'
    assert (done.code, done.err) == (1, f"{says} Nothing was written.\n")
    assert not list((data / "custom").iterdir())


def test_an_old_line_with_such_a_reason_stays_valid(bee, ran):
    (ran / "custom/verdicts.csv").write_text(
        "word,verdict,reason,by,on\ntroth,drop,looked at in review,ann,2025-01-01\n"
    )
    assert bee("run", "--data", ran).code == 0
    assert "verdict-broken" not in bee("check", "--data", ran).out


def groups(data) -> dict[tuple[str, str], set[str]]:
    """The words of CHANGES.md by side and group."""
    found, side, name = defaultdict(set), "", ""
    for line in (data / "custom/CHANGES.md").read_text().splitlines():
        if line.startswith("## "):
            side = line.removeprefix("## ")
        elif line.startswith("### "):
            name = re.fullmatch(r"### (.*): \d+", line)[1]
            found[side, name] = set()
        elif match := re.match(r"- `(\w+)`: .+", line):
            found[side, name].add(match[1])
    return dict(found)


@pytest.fixture
def grown(ran, bee, tmp_path, sample_days):
    """A release of two weeks without the last day, with a kept word that no list knows; then all that changes it."""
    first = tmp_path / "first"
    shutil.copytree(ran / "raw/lexicon", first / "raw/lexicon")
    (first / "custom").mkdir()
    for at, days in enumerate((sample_days[:-1], sample_days[-1:])):
        lines = [f"{day.date} {day.puzzle.center} {day.puzzle.outer}: {' '.join(day.answers)}" for day in days]
        (tmp_path / f"{at}.txt").write_text("".join(f"{line}\n" for line in lines))
    bee("import", tmp_path / "0.txt", "--data", first)
    (first / "custom/verdicts.csv").write_text(
        f"word,verdict,reason,by,on\n{UNKNOWN},keep,odd (in no list),ann,2025-01-01\n"
    )
    assert bee("run", "--data", first).code == 0
    return first, tmp_path / "1.txt"


@pytest.mark.slow
def test_a_release_sorts_what_comes_and_goes_by_the_rule_that_moved_it(grown, bee):
    data, last_day = grown
    before = set(listed(data))
    told = decisions(data)
    core = next(word for word in sorted(before) if told.loc[word, "tier"] == "core" and not pangram(word))
    likely = [word for word in sorted(before) if told.loc[word, "because"].startswith("never tried; p")]
    (data / "custom/verdicts.csv").write_text(f"word,verdict,reason,by,on\n{core},drop,odd,ann,2025-01-01\n")
    (data / "custom/offensive.csv").write_text(f"word,grade\n{likely[-1]},slur\n")
    bee("import", last_day, "--data", data)
    for stage in ("merge", "flag", "diff", "check"):
        assert bee(stage, "--data", data).code == 0
    assert bee("publish", "--approve", "--data", data).code == 0
    found = groups(data)
    assert found["Removed", "Decided by a person"] == {core}
    assert found["Removed", "A verdict was removed"] == {UNKNOWN}
    assert found["Removed", "Slurs and strong vulgarities that were never accepted"] >= {likely[-1]}
    day = {row["word"] for row in frames.rows(registry.load(Workspace(data), "answers")) if row["date"] == "2025-03-05"}
    assert found["Added", "Decided by a puzzle"] == day - before
    assert found["Added", "Decided by a puzzle"]
    after = set(listed(data))
    sides = {"Added": after - before, "Removed": before - after}
    for side, moved in sides.items():
        grouped = [word for (which, _), words in found.items() if which == side for word in words]
        assert sorted(grouped) == sorted(moved), "each word stands in one group"
    assert {name for _, name in found} <= {*changes.GROUPS, changes.OTHERS}


def family_of(data) -> tuple[str, list[str]]:
    """A likely word without a trial, with its forms that only an estimate decides."""
    found = decisions(data)
    lemmas = registry.load(Workspace(data), "lemmas")
    by_estimate = set(found.index[found["by"] == "estimate"])
    for base in sorted(set(lemmas["lemma"][lemmas["word"].isin(by_estimate)])):
        family = writing.family(Workspace(data), base)
        if base in by_estimate and found.loc[base, "tier"] == "likely" and len(family) > 1:
            return base, family
    raise AssertionError("no such word")


def test_a_verdict_is_on_the_base_and_the_forms_that_only_estimates_decide(bee, ran):
    base, family = family_of(ran)
    made = bee("drop", family[0], "--reason", "hardly used", "--by", "ann", "--json", "--data", ran)
    others = sorted({base, *family[1:]})
    assert json.loads(made.out)["family"] == others
    assert f"drop {family[0]} and its family ({', '.join(others)}): written; `bee run" in made.err
    assert "With --only, a verdict is on the word alone." in made.err
    assert [line.split(",")[:2] for line in verdicts(ran).splitlines()[1:]] == [
        [word, "drop"] for word in sorted([base, *family])
    ]
    assert bee("run", "--data", ran).code == 0
    assert not {base, *family} & set(listed(ran))


def test_a_verdict_with_only_is_on_one_word(bee, ran):
    base, _ = family_of(ran)
    made = bee("keep", base, "--only", "--reason", "seen in print", "--by", "ann", "--json", "--data", ran)
    assert json.loads(made.out)["family"] == []
    assert made.err.endswith("applies it.\n")
    assert "family" not in made.err
    assert [line.split(",")[0] for line in verdicts(ran).splitlines()[1:]] == [base]


def test_words_with_a_verdict_are_no_part_of_it(bee, ran):
    base, family = family_of(ran)
    bee("keep", family[0], "--only", "--reason", "seen in print", "--by", "ann", "--data", ran)
    assert writing.family(Workspace(ran), base) == family[1:], "also before a run"
    assert bee("run", "--data", ran).code == 0
    assert family[0] not in writing.family(Workspace(ran), base)


def test_what_an_effect_tells_of_a_family_is_what_the_verdict_does(bee, ran):
    base, family = family_of(ran)
    before = set(listed(ran))
    told = json.loads(bee("effect", base, "drop", "--json", "--data", ran).out)
    bee("drop", base, "--reason", "hardly used", "--by", "ann", "--data", ran)
    assert bee("run", "--data", ran).code == 0
    assert sorted(before - set(listed(ran))) == told["removed"]
    assert {base, *family} & before <= set(told["removed"])
