"""The scripts that need no page, run under node: the same results as in the Python package."""

from __future__ import annotations

import contextlib
import datetime
import json
import random
import shutil
import subprocess
from collections.abc import Callable

import needs
import pytest
from conftest import PROJECT

import pipeline
from pipeline import reader, solver, words
from pipeline.errors import LettersError
from pipeline.play import daily, glosses, hints, puzzles
from pipeline.play import reply as playing
from pipeline.site import data

SCRIPTS = [str(PROJECT / "pipeline/site/page" / name) for name in ("bee.js", "days.js", "shelf.js", "search.js")]
COVE = ("cove", "core")
COVEX, COVEY = ("octavex", "review", 0.3), ("octavey", "review", 0.4)
STORE = """globalThis.localStorage = Object.create({
    getItem(key) { return this[key] ?? null; },
    setItem(key, value) { this[key] = value; },
    removeItem(key) { delete this[key]; },
});"""
LOAD = "for (const script of process.argv.slice(1)) "
LOAD += "require('vm').runInThisContext(require('fs').readFileSync(script, 'utf8'));"
RULES = {"letters": 7, "shortest": 4, "longest": 19, "bonus": 7, "turn": 3, "zone": "America/New_York"}
RULES |= {"ranks": list(words.GAME.rank_percentages.items())}
Node = Callable[..., object]


@pytest.fixture(scope="session")
def node() -> Node:
    """Evaluate an expression over `given` in node, with bee.js and the rules of a game loaded."""
    needs.require("node")
    program = shutil.which("node")

    def run(expression: str, given: object = None, **rules: object) -> object:
        code = f"{STORE} {LOAD} globalThis.beeWords = {json.dumps({'rules': RULES | rules})}; "
        code += "const given = JSON.parse(require('fs').readFileSync(0)); "
        code += f"process.stdout.write(JSON.stringify({expression}));"
        done = subprocess.run(
            [program, "-e", code, *SCRIPTS], input=json.dumps(given), capture_output=True, text=True, check=False
        )
        assert not done.returncode, done.stderr
        return json.loads(done.stdout)

    return run


@pytest.fixture(scope="session")
def listed() -> list[str]:
    return pipeline.load_words()


@pytest.fixture(scope="session")
def asked(listed, sample_days) -> list[words.Puzzle]:
    """The puzzles of the sample and 500 possible ones."""
    every = puzzles.possible(listed)
    some = random.Random(14).sample(range(len(every)), 500)
    rows = zip(every["center"].iloc[some], every["outer"].iloc[some], strict=True)
    return [day.puzzle for day in sample_days] + [words.Puzzle(*row) for row in rows]


def test_bee_js_solves_and_hints_as_the_package_does(node, listed, asked):
    told = node(
        """(() => {
            const groups = indexed(given.listed.map(word => ({ word, tier: 'core' })));
            return given.asked.map(letters => {
                const puzzle = readPuzzle(letters);
                const found = solve(groups, puzzle).sort(byRank).map(entry => entry.word);
                return [found, summary(found), bingo(found, puzzle), grid(found), startLines(found).flat(),
                    ranks(pointsOf(found)).map(rank => rank.needed)];
            });
        })()""",
        {"listed": listed, "asked": [puzzle.letters for puzzle in asked]},
    )
    index = pipeline.solver.build_index(listed)
    for puzzle, (found, summary, bingo, grid, pairs, needed) in zip(asked, told, strict=True):
        expected = pipeline.solver.pangrams_first(pipeline.solver.solve(index, puzzle))
        assert found == expected
        points = sum(map(words.score, expected))
        perfect = sum(map(words.perfect_pangram, expected))
        numbers = [(len(expected), "word"), (points, "point"), (sum(map(words.pangram, expected)), "pangram")]
        flawless = f" ({perfect} perfect)" if perfect else ""
        assert summary == ", ".join(words.count(*number) for number in numbers) + flawless
        assert bingo == words.bingo(puzzle, expected)
        laid = [[str(cell).upper() for cell in row if cell != ""] for row in grid]
        assert laid == [line.split() for line in hints.grid_text(hints.grid(expected)).splitlines()]
        assert pairs == hints.two_letters_text(hints.two_letters(expected)).split()
        assert needed == list(words.ranks(points).values())


def test_every_way_to_miss_is_told_apart(node):
    judged = node("""(() => {
        const puzzle = readPuzzle('vctaoen');
        const spelled = new Map([['octave', { word: 'octave', tier: 'core' }],
            ['covet', { word: 'covet', tier: 'review', p: 0.3 }],
            ['cove', { word: 'cove', tier: 'core' }]]);
        const found = new Set(['octave']);
        const tell = word => judge(word, puzzle, spelled, found, entry => entry.word !== "cove").kind;
        return ['x', 'cov', 'cotton', 'octave', 'vvvv', 'covet', 'cove'].map(tell);
    })()""")
    assert judged == ["letters", "short", "center", "found", "unknown", "maybe", "hidden"]


@pytest.mark.slow
def test_page_and_command_guess_the_same_pangram_for_every_set_of_letters(node, listed):
    """All sets of letters that a word of words.csv uses and no listed word does, about 12,000."""
    rows = reader.rows(reader.read(reader.RELEASE, "words.csv").files["words.csv"], "words.csv")
    has = {words.mask(word) for word in listed if words.pangram(word)}
    sets = {"".join(sorted(set(row["word"]))) for row in rows if words.pangram(row["word"])}
    sets = sorted(letters for letters in sets if words.mask(letters) not in has)
    assert len(sets) > 10_000
    chance: dict[int, dict[str, float]] = {}
    for word, p in solver.pangram_candidates(rows).items():
        chance.setdefault(words.mask(word), {})[word] = p
    told = node(
        """(() => {
            const guesses = indexed(given.guesses.map(word => ({ word, guess: true })));
            return given.sets.map(letters => answered([], guesses.get(mask(letters))?.[0]).answers[0]?.word ?? "");
        })()""",
        {"guesses": data.guesses(rows), "sets": sets},
    )
    replies = []
    for letters in sets:
        found = chance.get(words.mask(letters), {})
        rows_of = [{"word": word, "p": found[word]} for word in solver.most_likely_first(found)]
        asked = playing.Question(words.puzzle(letters))
        replies.append(playing.answer(asked, [], tuple, lambda rows_of=rows_of: rows_of).guess)
    assert told == replies
    assert 10_000 < sum(map(bool, replies)) <= len(sets)
    rude = {row["word"] for row in rows if set(words.NOT_FOR_FAMILIES) & set(row["flags"].split())}
    polite = {mask for mask, some in chance.items() if set(some) - rude} - has
    assert {words.mask(word) for word in data.guesses(rows) if word not in rude} == polite, "for the filters"


def test_ranks_begin_at_their_points_and_the_next_one_is_the_first_that_is_not_reached(node):
    names = list(words.GAME.rank_percentages)
    for most in (45, 118, 237):
        needed = list(words.ranks(most).values())
        at = "points => rankAt(points, given[0])"
        reached = node(f"given[1].map({at}).map(rank => rank.steps[rank.at]?.name)", [most, needed])
        missed = node(f"given[1].map({at}).map(rank => rank.next?.name)", [most, [points - 1 for points in needed]])
        assert (reached, missed) == (names, names)
    assert node("rankAt(118, 118).next?.name ?? null") is None


def test_a_guess_counts_like_an_answer_and_a_doubtful_word_does_not(node):
    told = node("""[true, undefined].map(guess => judge('covenat', readPuzzle('vctaoen'),
        new Map([['covenat', { word: 'covenat', tier: 'review', p: 0.4, guess }]]), new Set()))""")
    assert [each["kind"] for each in told] == ["good", "maybe"]
    assert told[0]["says"] == "Perfect pangram! covenat: 14 points"
    assert "40% likely" in told[1]["says"]


def test_the_entries_of_a_data_file_have_their_tiers_and_the_doubtful_ones_their_p(node):
    told = node("entriesOf(given)", {"core": ["abbey"], "likely": ["abed"], "review": {"zoned": 0.15}})
    assert told == [
        {"word": "abbey", "tier": "core"},
        {"word": "abed", "tier": "likely"},
        {"word": "zoned", "tier": "review", "p": 0.15},
    ]
    texts = ["vctaoen", "verbose", "verba", "ahern", "tests"]
    assert node("given.map(inPlay)", texts) == list(map(words.in_play, texts))


NEAR = {
    "covenent": (["cove", "covenants", "covenant", "convenient", "covet"], ["covenant", "convenient", "covenants"]),
    "cvoe": (["cove", "dove"], ["cove"]),
    "cov": (["cover", "cove", "coven"], ["cove"]),
    "covena": (["coven", "covet", "cove", "covens"], ["coven", "covens", "cove", "covet"]),
    "zone": (["none", "bone", "cone", "tone", "lone", "gone"], ["bone", "cone", "gone", "lone", "none"]),
}


def test_words_that_resemble_a_misspelled_one_are_those_with_the_fewest_edits(node):
    given = [(word, words_) for word, (words_, _) in NEAR.items()]
    told = node("given.map(([word, words]) => nearWords(word, words))", given)
    assert told == [expected for _, expected in NEAR.values()]


def test_what_is_asked_for_is_a_word_a_pattern_or_pangrams(node):
    asked = {
        "": ["", False, "Words"],
        " Cove ": ["cove", False, "Words that begin with cove"],
        "co??": ["", True, "Words like co??"],
        "pangrams": ["pangrams", True, "Pangrams"],
        "PANGRAMS co": ["", True, "Pangrams that begin with co"],
        "co* pangrams": ["", True, "Pangrams like co*"],
    }
    script = "given.map(readQuery).map(({ word, isList, says }) => [word, isList, says])"
    assert node(script, list(asked)) == list(asked.values())
    fits = {"*?*?*e": ["cove", "toe"], "c*e": ["ce", "cove"], "??": ["ce", "be"], "*o*o*": ["cooo"], "b": ["be"]}
    words_ = ["ce", "cove", "toe", "cooo", "be"]
    script = "given[0].map(text => given[1].filter(word => readQuery(text).fits({ word })))"
    assert node(script, [list(fits), words_]) == list(fits.values())


def test_the_page_plays_by_the_rules_that_it_is_given(node):
    given = {
        "letters": 5,
        "shortest": 3,
        "longest": 6,
        "bonus": 10,
        "ranks": [["Start", 0], ["Half", 50], ["All", 100]],
    }
    asked = """[
        ['abcde', 'abcd', 'abcdef', 'abcdee'].map(pangram), ['abcde', 'abcdee'].map(perfect),
        ['abc', 'abca', 'abcde', 'abcdee'].map(score), ranks(11).map(({ name, needed }) => [name, needed]),
        readPuzzle('edcba').letters, ['ab', 'abc', 'abcabc', 'abcabca', 'abcdef'].map(ruleBroken),
        ['ab', 'abc'].map(word => judge(word, readPuzzle('abcde'), new Map(), new Set()).kind),
    ]"""
    assert node(asked, **given) == [
        [True, False, False, True],
        [True, False],
        [1, 4, 15, 16],
        [["Start", 0], ["Half", 6], ["All", 11]],
        "eabcd",
        [
            "it is too short: three letters are needed",
            "",
            "",
            "it is too long: the list has words of up to 6 letters",
            "it has more than five different letters",
        ],
        ["short", "unknown"],
    ]
    for letters in ("abcdef", "abcd"):
        with pytest.raises(AssertionError, match="A puzzle has five letters, center first"):
            node(f"readPuzzle('{letters}')", **given)


def test_definitions_are_those_of_the_package(node, folder, released):
    files = [json.loads(path.read_text())["words"] for path in (folder / "words").iterdir()]
    senses = {word: facts["senses"] for file in files for word, facts in file.items() if "senses" in facts}
    table = glosses.load(reader.RELEASE)
    lines = node("Object.entries(given).map(([word, senses]) => [word, definition(senses)])", senses)
    assert dict(lines) == {word: glosses.line(table[word]) for word in senses}
    assert senses.keys() >= {row["word"] for row in released if row["tier"] in words.LISTED} & set(table)


def test_words_json_brings_the_rules_of_the_game(folder):
    rules = json.loads((folder / "words.json").read_text())["rules"]
    assert rules == {**RULES, "ranks": [list(rank) for rank in words.GAME.rank_percentages.items()]}


STORED = "Object.fromEntries(shelf.keys().sort().map(key => [key, shelf.get(key)]))"


def test_what_is_imported_is_added_to_found_words_and_replaces_settings(node):
    kept = {
        "found:vacenot": "octave cove c3",
        "found:cabdefg": "face",
        "found:2026-11-22": "metic",
        "found:bacdefg": 7,
        "on:2026-11-22": "2026-11-22",
        "on:2026-11-23": "2026-11-24",
        "on:2026-11-24": "x",
        "recent": "2026-11-22 abcdefg vctaoen",
        "set:order": "alpha",
        "set:Order": "alpha",
        "other": "x",
    }
    before = "shelf.set('found:vacenot', 'cove'); shelf.set('set:order', 'tier'); shelf.set('set:theme', 'dark');"
    before += "shelf.set('on:2026-11-23', '2026-11-23'); shelf.set('recent', 'vctaoen');"
    text = json.dumps({"beeWordlist": 1, "kept": kept})
    assert node(f"(() => {{ {before} return [importText(given), {STORED}]; }})()", text) == [
        {"puzzles": 3, "unread": 4},
        {
            "damaged:found:bacdefg": "7",
            "damaged:found:vacenot": "octave cove c3",
            "damaged:on:2026-11-24": "x",
            "damaged:set:Order": "alpha",
            "found:2026-11-22": "metic",
            "found:cabdefg": "face",
            "found:vacenot": "cove octave",
            "on:2026-11-22": "2026-11-22",
            "on:2026-11-23": "2026-11-23",
            "recent": "vctaoen 2026-11-22 abcdefg",
            "set:order": "alpha",
            "set:theme": "dark",
        },
    ]


def test_the_puzzles_opened_last_come_first_and_then_the_others(node):
    keys = ["found:mabcdef", "found:vacenot", "found:abcdef", "set:found:cabdefg", "found:2026-11-22"]
    set_all = "given.forEach(key => shelf.set(key, 'x')); "
    told = node(
        f"(() => {{ {set_all} ['vctaoen', '2026-11-23', 'vneoatc'].forEach(remember); return recent(); }})()", keys
    )
    assert told == ["vneoatc", "2026-11-23", "mabcdef", "2026-11-22"]
    many = "(() => { for (let at = 0; at < 40; at++) remember(addDays('2026-11-22', at)); return recent(); })()"
    assert node(many) == daily.dates("2026-12-02", 30)[::-1]


def test_found_words_are_added_to_those_of_another_tab(node):
    adds = "[...addFound('vacenot', given)]"
    assert node(f"[{adds}, [...addFound('vacenot', ['vane'])], {STORED}]", ["octave", "cove"]) == [
        ["octave", "cove"],
        ["octave", "cove", "vane"],
        {"found:vacenot": "octave cove vane"},
    ]
    assert node(f"[{adds}, {STORED}]", []) == [[], {}]


# ---------------------------------------------------------------- days


def test_the_day_turns_as_in_the_package(node):
    times = [
        datetime.datetime(2026, month, day, hour, minute, 59, tzinfo=datetime.UTC)
        for month, day in ((1, 1), (3, 7), (3, 8), (3, 9), (7, 24), (10, 31), (11, 1), (11, 2), (12, 31))
        for hour in range(24)
        for minute in (0, 59)
    ]
    told = node("given.map(time => puzzleDay(new Date(time)))", [time.isoformat() for time in times])
    assert told == [words.puzzle_day(time) for time in times]


def test_a_streak_crosses_months_and_a_calendar_has_every_day_once(node):
    dates = daily.dates("2027-02-20", 20)
    assert node("streaks(given, '2027-03-11')", dates) == {"now": 20, "longest": 20}
    for month, blank, size in (("2026-11", 0, 30), ("2027-02", 1, 28), ("2028-02", 2, 29), ("2026-08", 6, 31)):
        cells = [cell for week in node("weeks(given)", month) for cell in week]
        assert cells[:blank] == [""] * blank
        assert [cell for cell in cells if cell] == daily.dates(f"{month}-01", size)
        assert len(cells) % 7 == 0


def test_letters_are_shuffled_into_another_order(node):
    told = node("Array.from({ length: 400 }, () => shuffled('veto'))")
    assert {"".join(sorted(text)) for text in told} == {"eotv"}
    assert "veto" not in told
    assert len(set(told)) == 23
    assert node("[shuffled('aaaa'), shuffled('')]") == ["aaaa", ""]


COMMON = {
    "cove": {"hardness": 50, "record": {"accepted": 3}},
    "vane": {"hardness": 50, "record": {"accepted": 4}},
    "even": {"hardness": 10},
    "oven": {"hardness": 10},
    "nova": {"senses": []},
}


def test_the_commonest_words_come_first(node):
    asked = "'nova oven cove octave even vane'.split(' ').map(word => ({ word }))"
    told = node(f"{asked}.sort(byCommonness(new Map(Object.entries(given)))).map(({{ word }}) => word)", COMMON)
    assert told == ["even", "oven", "vane", "cove", "nova", "octave"]


CLUES = [
    ("enter into a covenant", "covenant", "", [], "enter into a ▢▢▢▢"),
    ("be singing a song loudly", "sang", "sing", [], "be ▢▢▢▢ a song loudly"),
    ("vote against", "veto", "", ["vote"], "▢▢▢▢ against"),
    ("a pot for tea", "teapot", "", [], "a pot for tea"),
    ("the vocation of a teacher", "teach", "", [], "the vocation of a ▢▢▢▢"),
    ("a feast day", "octave", "", [], "a feast day"),
    ("a covenantal promise", "covenants", "", [], "a ▢▢▢▢ promise"),
    ("the coverage of it", "covenant", "", [], "the coverage of it"),
    ("made unkindly", "kind", "", [], "made ▢▢▢▢"),
    # the same word, however short; else three letters are needed
    ("an ox or ax", "oxen", "ox", [], "an ▢▢▢▢ or ax"),
    ("go to a tow", "toes", "toe", [], "go to a ▢▢▢▢"),
    # four letters of a stem inside a word, not three
    ("an orange", "range", "", [], "an ▢▢▢▢"),
    ("a fortune", "tune", "", [], "a fortune"),
    # four shared letters at the start, and three fifths of the shorter word
    ("an octant", "octave", "", [], "an ▢▢▢▢"),
    ("an octet", "octave", "", [], "an octet"),
    ("the contenders", "contention", "", [], "the ▢▢▢▢"),
    ("the contendents", "contentious", "", [], "the contendents"),
    # four letters at either end of a word, not three
    ("a book to read", "cookbook", "", [], "a ▢▢▢▢ to read"),
    ("a cup of tea", "teacup", "", [], "a cup of tea"),
    ("seeing far", "seesaw", "", [], "▢▢▢▢ far"),
    # endings are taken from words of six letters, not of five
    ("a cedar tree", "ceding", "", [], "a ▢▢▢▢ tree"),
    ("a cedar tree", "ceded", "", [], "a cedar tree"),
]


def test_a_clue_has_the_word_and_its_family_blanked(node):
    clues = node("given.map(([gloss, word, base, others]) => clue(gloss, word, base, new Set(others)))", CLUES)
    assert clues == [clue for *_, clue in CLUES]


CHOSEN_CLUES = [
    ([["noun", "a sweet baked treat"]], "cake", [], "noun: a sweet baked treat"),
    # a form says that it is one, and does not tell its base
    ([["verb", "bake a crust on cake", "past form", "cake"]], "caked", [], "past form: bake a crust on ▢▢▢▢"),
    # one telling word is needed, two beside a blank: those of the family and empty ones do not count
    ([["adverb", "on fire"]], "ablaze", [], "adverb: on fire"),
    ([["noun", "someone or something"]], "thing", [], ""),
    ([["noun", "someone who climbs"]], "climber", [], ""),
    ([["noun", "someone who climbs a hill"]], "climber", [], ""),
    ([["noun", "someone who climbs a hill for fun"]], "climber", [], "noun: someone who ▢▢▢▢ a hill for fun"),
    ([["noun", "a hat or a vest"]], "gear", ["vest"], ""),
    # the next sense that says enough
    ([["noun", "the act of climbing"], ["adjective", "rising ivy"]], "climbing", [], "adjective: rising ivy"),
    ([], "luff", [], ""),
]


def test_a_clue_names_the_part_of_speech_or_the_form_and_says_enough(node):
    given = [
        ([dict(zip(("pos", "gloss", "form", "base"), sense, strict=False)) for sense in senses], word, others)
        for senses, word, others, _ in CHOSEN_CLUES
    ]
    clues = node("given.map(([senses, word, others]) => clueOf(senses, word, new Set(others)))", given)
    assert clues == [clue for *_, clue in CHOSEN_CLUES]


GUESSES = [
    ([("covenant", "core"), COVEX], COVEX, [["covenant"], ["octavex"]]),
    ([COVE, COVEX, COVEY], COVEY, [["octavey?", "cove"], ["octavex"]]),
    ([COVE, COVEX], ("acovext", "refused"), [["acovext?", "cove"], ["octavex"]]),
    ([COVE, COVEX], None, [["cove"], ["octavex"]]),
    ([COVE, ("coven", "review", 0.4)], None, [["cove"], ["coven"]]),
    ([COVE, ("acovext", "refused")], None, [["cove"], []]),
]


def test_a_guess_is_added_where_the_list_has_no_pangram(node):
    script = """given.map(([spelled, guess]) => {
        const entry = ([word, tier, p]) => ({ word, tier, p });
        const { answers, maybe } = answered(spelled.map(entry), guess ? { ...entry(guess), guess: true } : undefined);
        return [answers.map(entry => entry.word + (entry.guess ? '?' : '')), maybe.map(entry => entry.word)];
    })"""
    assert node(script, GUESSES) == [expected for *_, expected in GUESSES]


def test_the_page_reads_letters_and_tells_broken_rules_as_the_package_does(node):
    texts = ["vctaoen", "V CTA-OEN", "vctaoe", "vctaoee", "vctaoe7", "", "abcdefgh"]
    script = "text => { try { return readPuzzle(text).letters } catch (error) { return error.message } }"
    for text, letters in zip(texts, node(f"given.map({script})", texts), strict=True):
        with contextlib.suppress(LettersError):
            assert letters == words.puzzle(text).letters
            continue
        assert " " in letters
        assert letters.endswith(".")
    lengths = [word[:size] for word in ("cove" * 5, "abcdefg" * 3, "abcdefgh" * 3) for size in (3, 4, 19, 20)]
    assert [bool(broken) for broken in node("given.map(ruleBroken)", lengths)] == [
        bool(words.rule_broken(word)) for word in lengths
    ]


SHARED = [
    ([], "V CTAOEN: Good Start, 0 of 3 words, 0 of 22 points"),
    (["cove"], "V CTAOEN: Moving Up, 1 of 3 words, 1 of 22 points"),
    (["cove", "covenant"], "V CTAOEN: Genius, 2 of 3 words, 16 of 22 points, 1 pangram"),
    (["cove", "octave", "covenant", "noun"], "V CTAOEN: Queen Bee, 3 of 3 words, 22 of 22 points, 1 pangram"),
]


def test_what_is_shared_counts_and_names_no_word(node):
    share = "shareText(nameOf(readPuzzle('vctaoen')), ['covenant', 'octave', 'cove'], new Set(found))"
    assert node(f"given.map(([found]) => {share})", SHARED) == [says for _, says in SHARED]


NO_EXPORTS = ["no", "null", "{}", '{"beeWordlist": 2, "kept": {}}']
NO_EXPORTS += [f'{{"beeWordlist": 1, "kept": {kept}}}' for kept in ('""', "[]", "null")]


def test_a_file_that_is_no_export_changes_nothing(node):
    script = "text => { try { importText(text) } catch (error) { return error.message } }"
    *messages, stored = node(f"[...given.map({script}), {STORED}]", NO_EXPORTS)
    assert stored == {}
    assert len(messages) == len(NO_EXPORTS)
    assert all(says.startswith("This file is not an export of this page") for says in messages)


def test_an_import_adds_hints_only_where_there_are_none(node):
    kept = {"hints:vacenot": "cove 1 ", "hints:acehnot": "oath 2 c4"}
    sets = "shelf.set('hints:vacenot', 'octave 3 ');"
    stored = node(
        f"(() => {{ {sets} importText(JSON.stringify({{ beeWordlist: 1, kept: given }})); return {STORED}; }})()", kept
    )
    assert stored == {"hints:vacenot": "octave 3 ", "hints:acehnot": "oath 2 c4"}


DAMAGED = [
    ("found:vacenot", '["cove"]', {}),
    ("found:vacenot", "cove oct%ve octave", {"found:vacenot": "cove octave"}),
    ("found:vacenotx", "cove", {}),
    ("found:2026-02-30", "cove", {}),
    ("on:2026-11-22", "yes", {}),
    ("recent", "{}", {}),
    ("answers:vacenot", "seen", {}),
    ("answers:x", "shown", {}),
    ("hints:vacenot", "cove 4 ", {}),
    ("hints:x", " 0 ", {}),
    ("set:order", "x" * 100, {}),
]


def test_damaged_data_is_set_aside_and_what_can_be_read_of_it_stays(node):
    forget = "shelf.keys().forEach(key => localStorage.removeItem('bee:' + key))"
    script = f"{{ {forget}; shelf.set(key, value); return [setDamagedAside(), setDamagedAside(), {STORED}]; }}"
    results = node(f"given.map(([key, value]) => {script})", DAMAGED)
    assert results == [[[key], [], {**left, f"damaged:{key}": value}] for key, value, left in DAMAGED]


def test_data_that_is_damaged_twice_is_kept_twice_and_good_data_stays(node):
    again = "shelf.set('recent', '?'); setDamagedAside(); shelf.set('recent', '??'); setDamagedAside();"
    stored = node(f"(() => {{ {again} return {STORED}; }})()")
    assert stored == {"damaged:recent": "?", "damaged:recent+": "??"}
    good = {"found:vacenot": "cove", "on:2026-11-22": "2026-11-22", "recent": "vctaoen", "set:order": "alpha"}
    good |= {"answers:vacenot": "shown", "hints:2026-11-22": "cove 2 c4"}
    good["new"] = "?"
    sets = "for (const key in given) shelf.set(key, given[key]);"
    assert node(f"(() => {{ {sets} return [setDamagedAside(), {STORED}]; }})()", good) == [[], good]


STREAKS = [
    ([], 0, 0),
    ([22], 1, 1),
    ([21], 1, 1),
    ([20], 0, 1),
    ([22, 21, 20], 3, 3),
    ([21, 20, 18, 17, 16], 2, 3),
    ([20, 19, 17], 0, 2),
    ([22, 20, 19], 1, 2),
]


def test_a_streak_ends_today_or_yesterday(node):
    dates = [[f"2026-11-{day}" for day in days] for days, *_ in STREAKS]
    streaks = node("given.map(dates => streaks(dates, '2026-11-22'))", dates)
    assert streaks == [{"now": now, "longest": longest} for _, now, longest in STREAKS]


SO_FAR = [
    ("", ""),
    ("v", "Six more letters"),
    ("vctaoe", "One more letter"),
    ("v ctaoen", ""),
    ("vctv", "The letter “v” occurs twice; seven different letters are needed."),
    ("vct7", "“7” is not a letter from a to z."),
    ("vctaoenx", "A puzzle has seven letters, center first; “vctaoenx” has 8."),
]


def test_letters_are_judged_while_they_are_typed(node):
    assert node("given.map(([letters]) => lettersSoFar(letters))", SO_FAR) == [says for _, says in SO_FAR]
