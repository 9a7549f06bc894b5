"""What `bee keep` and `bee drop` ask and say before a person overrules the record."""

import dataclasses
import datetime
import re
import shlex
import shutil
from collections import defaultdict

import pandas as pd
import pytest

from pipeline import run
from pipeline.facts.lexicon import Lexicon
from pipeline.review import verdicts as writing
from pipeline.store import Workspace
from pipeline.tables import frames
from pipeline.words import mask, pangram

UNKNOWN = "gorafin"
"""A word that no list and no record has."""


def decisions(data):
    return run.update(Workspace(data)).decisions.set_index("word")


def listed(data) -> list[str]:
    return (data / "custom/wordlist.txt").read_text().split()


def verdicts(data) -> str:
    path = data / "custom/verdicts.csv"
    return path.read_text() if path.exists() else ""


BY = ("--reason", "as people use it", "--by", "ann")


@pytest.mark.slow
@pytest.mark.parametrize("verdict", ["keep", "drop"])
def test_a_word_that_nobody_knows_is_decided_by_force_only(bee, ran, verdict):
    refused = bee(verdict, UNKNOWN, *BY, "--data", ran)
    assert (refused.code, verdicts(ran)) == (1, "")
    assert "it is in no list and has no record" in refused.err
    assert "--force` goes ahead" in refused.err
    assert bee(verdict, UNKNOWN, *BY, "--force", "--data", ran).code == 0
    assert f"\n{UNKNOWN},{verdict},as people use it (in no list),ann," in verdicts(ran)
    assert bee("run", "--data", ran).code == 0
    assert (UNKNOWN in listed(ran)) == (verdict == "keep")


@pytest.mark.slow
@pytest.mark.parametrize(("verdict", "tier"), [("keep", "core"), ("drop", "refused")])
def test_a_verdict_that_only_repeats_the_record_says_so_and_is_reported(bee, ran, verdict, tier):
    told = decisions(ran)
    word = told[(told["tier"] == tier) & (told["by"] == "record")].index[0]
    written = bee(verdict, word, *BY, "--data", ran)
    assert (written.code, f"Its record already makes it {tier}" in written.err) == (0, True)
    assert f"\n{word},{verdict},as people use it,ann," in verdicts(ran)
    bee("run", "--data", ran)
    assert f"{word}: by its record it is {tier} without the verdict" in bee("check", "--data", ran).out


@pytest.mark.slow
@pytest.mark.parametrize("is_fresh", [False, True])
def test_dropping_a_word_that_puzzles_accept_needs_force(bee, ran, is_fresh):
    """In a fresh clone, the release has the record."""
    told = decisions(ran)
    word = told[(told["tier"] == "core") & (told["by"] == "record")].index[0]
    if is_fresh:
        shutil.rmtree(ran / "build")
    refused = bee("drop", word, *BY, "--data", ran)
    assert (refused.code, verdicts(ran)) == (1, "")
    assert re.search(rf"{word}: it was accepted .+ 2025", refused.err)
    (remedy,) = re.findall("`bee (.+)` goes ahead", refused.err)
    assert bee(*shlex.split(remedy)).code == 0
    assert f"\n{word},drop,as people use it,ann," in verdicts(ran)


@pytest.mark.slow
def test_in_a_fresh_clone_a_verdict_shows_the_record_and_p_of_the_release(bee, ran):
    told = decisions(ran)
    refused = told[(told["tier"] == "refused") & (told["kind"] == "refused")].index[0]
    untried = told[(told["tier"] == "likely") & (told["by"] == "estimate")].index[0]
    asked = (("keep", refused), ("drop", untried))
    with_tables = [bee(verdict, word, "--only", *BY, "--data", ran).err for verdict, word in asked]
    for _, word in asked:
        assert bee("undo", word, "--data", ran).code == 0
    shutil.rmtree(ran / "build")
    assert [bee(verdict, word, "--only", *BY, "--data", ran).err for verdict, word in asked] == with_tables
    accepted = told[(told["tier"] == "core") & (told["by"] == "record")].index[0]
    assert "Its record already makes it core" in bee("keep", accepted, "--only", *BY, "--data", ran).err
    assert "It was refused" in with_tables[0]
    assert "with a probability of" in with_tables[1]


@pytest.mark.slow
def test_a_verdict_that_agrees_with_the_estimate_needs_no_force_is_not_stale_and_is_changed_after_undo_only(bee, ran):
    told = decisions(ran)
    word = told[(told["tier"] == "likely") & (told["by"] == "estimate")].index[0]
    assert bee("keep", word, *BY, "--data", ran).code == 0
    assert bee("run", "--data", ran).code == 0
    assert "verdict-stale" not in bee("check", "--data", ran).out
    refused = bee("drop", word, *BY, "--data", ran)
    assert (refused.code, f"`bee undo {word} --kind verdict`" in refused.err) == (1, True)
    assert f"keep {word}, by ann on" in refused.err
    assert bee("undo", word, "--data", ran).code == 0
    assert bee("drop", word, *BY, "--data", ran).code == 0


def test_a_file_with_blank_ends_a_byte_order_mark_and_any_order_is_read_and_the_next_decision_sorts_it(bee, ran):
    path = ran / "custom/verdicts.csv"
    text = (
        "\ufeffword,verdict,reason,by,on\r\n"
        "zine,keep,'=fine,ann,2025-01-03\r\n"
        'troth,keep,"common, in a phrase",ann,2025-01-01\r\n\r\n'
        'luff,drop,"rare, and odd",ben,2025-01-02\r\n'
        "zine,keep,'=fine,ann,2025-01-03"
    )
    path.write_bytes(text.encode())
    told = bee("undo", "Luff", "--data", ran)
    assert told.out == "Removed: drop luff, by ben on 2025-01-02: rare, and odd\n"
    left = 'troth,keep,"common, in a phrase",ann,2025-01-01\nzine,keep,\'=fine,ann,2025-01-03\n'
    assert path.read_bytes().decode() == f"word,verdict,reason,by,on\n{left}"
    again = bee("undo", "luff", "--data", ran)
    assert (again.code, "There is no verdict or grade about luff in custom/verdicts.csv" in again.err) == (1, True)
    assert bee("drop", "Thorn", "--reason", 'not "that"', "--by", "bob", "--force", "--data", ran).code == 0
    added = f'thorn,drop,"not ""that""",bob,{datetime.date.today()}'
    assert path.read_text().splitlines()[1:] == [added, *left.splitlines()]
    assert "keep zine, by ann on 2025-01-03: =fine" in bee("undo", "zine", "--data", ran).out


@pytest.mark.slow
def test_what_a_drop_costs_is_said_before_it_is_written(bee, ran):
    tiers = decisions(ran)["tier"]
    found = defaultdict(list)
    for word in filter(pangram, listed(ran)):
        found[mask(word)].append(word)

    def told(word: str) -> str:
        done = bee("drop", word, *BY, "--force", "--only", "--data", ran)
        assert done.code == 0
        return done.err

    only = next(words[0] for words in found.values() if len(words) == 1)
    said = told(only)
    assert f"It is a pangram of {''.join(sorted(set(only)))}: the list has no other" in said
    assert said.index("a solver must guess") < said.index("written")
    assert ("It was accepted" in said) == (tiers[only] == "core")
    one, *others = next(words for words in found.values() if len(words) > 1)
    said = told(one).partition("the list still has ")[2]
    assert (said.startswith(", ".join(others)), one in said.partition("\n")[0]) == (True, False)
    said = told(next(word for word in listed(ran) if not pangram(word) and tiers[word] == "core"))
    assert re.search(r"accepted .+on 2025-03-\d\d. Dropping it will probably leave", said)
    assert "pangram" not in said
    off = next(word for word in tiers[tiers == "refused"].index if pangram(word))
    assert told(off).splitlines()[:2] == [
        "Its record already makes it refused, so the verdict changes nothing for now.",
        f"drop {off}: written; `bee run` applies it.",
    ]


def row(kind: str, tier: str, by: str = "record", p: float = 0.5, word: str = "canto") -> pd.DataFrame:
    cells = {"word": word, "tier": tier, "by": by, "kind": kind, "because": "accepted 2 of 9 times", "p": p}
    return frames.from_rows([cells], "decisions")


@pytest.mark.parametrize(
    ("verdict", "decision", "says"),
    [
        ("keep", row("refused", "refused"), "It was accepted 2 of 9 times. +"),
        ("drop", row("accepted", "core"), "It was accepted 2 of 9 times. -"),
        ("keep", row("estimate", "review", "estimate", 0.49), "of 49%. +"),
        ("keep", row("estimate", "review", "estimate"), "of 50%."),
        ("drop", row("estimate", "likely", "estimate"), "of 50%. -"),
        ("drop", row("estimate", "likely", "estimate", 1.0), "of 99%. -"),
        ("keep", row("accepted", "core"), "makes it core, so the verdict changes nothing for now."),
        ("drop", row("refused", "refused"), "so the verdict changes nothing for now."),
        ("drop", row("verdict", "core", "verdict"), ""),
    ],
)  # fmt: skip
def test_a_verdict_says_what_speaks_against_it(verdict, decision, says):
    said = writing.objections("canto", verdict, known(decision))
    assert said.endswith(says.replace(" +", f" {writing.EXTRA}").replace(" -", f" {writing.MISSING}"))
    assert bool(said) == bool(says)


def known(decisions: pd.DataFrame) -> writing.Known:
    """Decisions of a release, with an empty lexicon."""
    lexicon = Lexicon(*(frames.empty(name) for name in ("lexicon", "forms", "frequencies")))
    return writing.Known(lexicon, decisions["word"], decisions, decisions["word"][:0])


def family_of(data) -> tuple[str, list[str]]:
    """A likely word without a trial, with its forms that only an estimate decides."""
    found = decisions(data)
    known = writing.known(Workspace(data))
    forms = known.lexicon.forms
    by_estimate = set(found.index[found["by"] == "estimate"])
    for base in sorted(set(forms["base"][forms["word"].isin(by_estimate)])):
        family = writing.family(Workspace(data), base, known)
        if base in by_estimate and found.loc[base, "tier"] == "likely" and len(family) > 1:
            return base, family
    raise AssertionError("no such word")


@pytest.mark.parametrize(
    ("others", "says"),
    [
        ({}, "It is a pangram of acenotv: the list has no other"),
        ({"centavo": "refused", "octave": "core"}, "It is a pangram of acenotv: the list has no other"),
        ({"centavo": "likely"}, "It is a pangram of acenotv: the list still has centavo"),
    ],
)
def test_a_dropped_pangram_names_the_other_listed_ones_of_its_letters(others, says):
    rows = [row("accepted", "core", word="covenant")]
    rows += [row("accepted", tier, word=word) for word, tier in others.items()]
    decisions = pd.concat(rows, ignore_index=True)
    assert says in writing.objections("covenant", "drop", known(decisions))
    assert "pangram" not in writing.objections("covenant", "keep", known(decisions))


@pytest.mark.parametrize(
    ("grade", "tier", "by", "says"),
    [
        (
            "slur",
            "likely",
            "estimate",
            "takes it off the list. `bee export --safe` and `bee export --family` will leave",
        ),
        ("explicit", "likely", "estimate", "takes it off the list. `bee export --safe`"),
        ("slur", "core", "record", "`bee export --safe` and `bee export --family` will leave it out. Its"),
        ("slur", "review", "estimate", "`bee export --safe` and `bee export --family` will leave it out. Its"),
        (
            "crude",
            "likely",
            "estimate",
            "Its grade so far is vulgar. `bee export --family` will leave it out. Its forms get the same grade",
        ),
        ("none", "likely", "estimate", "Its grade so far is vulgar. Its forms get the same grade"),
    ],
)
def test_a_grade_says_what_it_changes(grade, tier, by, says):
    offensive_words = pd.DataFrame({"word": ["canto"], "flag": ["vulgar"]})
    said = str(writing.consequences_of_grade("canto", grade, row("estimate", tier, by), offensive_words))
    assert says in said
    assert ("off the list" in said) == (grade in ("slur", "explicit") and tier == "likely")
    assert ("leave the list" in said) == (grade in ("slur", "explicit"))


def test_the_cost_of_a_grade_is_said_before_it_is_written_and_what_is_refused_has_none(bee, ran_once, ran):
    told = decisions(ran_once)
    word = told[(told["tier"] == "likely") & (told["by"] == "estimate")].index[0]
    done = bee("grade", word, "slur", *BY, "--data", ran)
    assert (done.code, done.err.index("Its forms get the same grade") < done.err.index(": written;")) == (0, True)
    again = bee("grade", word, "slur", *BY, "--data", ran)
    assert (again.code, "Its forms get" in again.err) == (1, False)


@pytest.mark.slow
def test_a_verdict_is_on_the_base_and_the_forms_that_only_estimates_decide_as_its_effect_tells(bee, ran):
    base, family = family_of(ran)
    before = set(listed(ran))
    effect = bee("drop", base, "--dry-run", "--data", ran).out
    made = bee("drop", family[0], *BY, "--data", ran)
    others = sorted({base, *family[1:]})
    assert f"drop {family[0]} and its family ({', '.join(others)}): written; `bee run" in made.err
    assert "With --only, a verdict covers only the word." in made.err
    lines = [line.split(",")[:2] for line in verdicts(ran).splitlines()[1:]]
    assert lines == [[word, "drop"] for word in sorted([base, *family])]
    assert bee("run", "--data", ran).code == 0
    removed = sorted(before - set(listed(ran)))
    assert f": {', '.join(removed)}." in effect
    assert {base, *family} & before <= set(removed)


def test_an_answer_of_a_day_on_disk_is_no_part_of_a_family(ran):
    base, family = family_of(ran)
    known = dataclasses.replace(writing.known(Workspace(ran)), answers=pd.Series(family[:1]))
    assert writing.family(Workspace(ran), base, known) == family[1:]


@pytest.mark.slow
def test_with_only_a_verdict_is_on_one_word_and_words_with_a_verdict_are_no_part_of_a_family(bee, ran):
    base, family = family_of(ran)
    made = bee("keep", family[0], "--only", *BY, "--data", ran)
    assert (made.code, "family" in made.err) == (0, False)
    assert [line.split(",")[0] for line in verdicts(ran).splitlines()[1:]] == [family[0]]
    assert writing.family(Workspace(ran), base, writing.known(Workspace(ran))) == family[1:], "also before a run"
    assert bee("run", "--data", ran).code == 0
    assert family[0] not in writing.family(Workspace(ran), base, writing.known(Workspace(ran)))
