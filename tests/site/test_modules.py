"""The modules of the page that need no page, run in node: the same results as in the Python package."""

from __future__ import annotations

import datetime
import json
import random
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import needs
import pytest
from browsing import module
from conftest import PROJECT
from sampling import short_and_long

import pipeline
from pipeline import reader, solver, words
from pipeline.errors import LettersError
from pipeline.play import daily, glosses, hints, puzzles
from pipeline.play import reply as playing
from pipeline.site import build, data

Node = Callable[..., object]


@pytest.fixture(scope="session")
def node(tmp_path_factory: pytest.TempPathFactory) -> Node:
    """Evaluate an expression over `given` in node, in which the exports of the modules have their names."""
    needs.require("node")
    program, folder = shutil.which("node"), tmp_path_factory.mktemp("modules")
    for name in build.SCRIPTS:
        shutil.copy(PROJECT / "pipeline/site/page" / name, folder)
    (folder / "package.json").write_text('{"type": "module"}')
    names = [f"./{name}.js" for name in ("game", "days", "saved", "list", "clues")]
    load = f"Object.assign(globalThis, ...await Promise.all({json.dumps(names)}.map((name) => import(name))));"
    read = "const given = JSON.parse((await import('node:fs')).readFileSync(0));"

    def run(expression: str, given: object = None) -> object:
        code = f"{load} {read} process.stdout.write(JSON.stringify({expression}) ?? 'null');"
        script = Path(folder, "run.mjs")
        done = subprocess.run(
            [program, "--input-type=module", "-e", code],
            input=json.dumps(given), capture_output=True, text=True, check=False, cwd=script.parent,
        )  # fmt: skip
        assert not done.returncode, done.stderr
        return json.loads(done.stdout)

    return run


@pytest.mark.parametrize("name", build.SCRIPTS)
def test_each_module_says_at_its_top_what_it_offers_and_uses_what_it_imports(name):
    text = (PROJECT / "pipeline/site/page" / name).read_text()
    top = " ".join(line.removeprefix("//").strip() for line in text.partition("\n\n")[0].splitlines())
    exported = re.findall(r"(?m)^export (?:async )?(?:const|let|function) ([\w$]+)", text)
    offered = re.findall(r" Offers (.*)\.$", top)
    assert offered == ([", ".join(exported)] if exported else [])
    for names in re.findall(r"(?m)^import \{ (.*?) \} from", text):
        for imported in names.split(", "):
            assert len(re.findall(rf"(?<![\w$]){re.escape(imported)}(?![\w$])", text)) > 1, imported


# ---------------------------------------------------------------- one table for both

LETTERS = {
    "vctaoen": "vacenot",
    " V-CTA/oen,": "vacenot",
    "": "A puzzle has seven letters, center first; you gave none.",
    "vctaoe": 'A puzzle has seven letters, center first; "vctaoe" has 6.',
    "vctaoens": 'A puzzle has seven letters, center first; "vctaoens" has 8.',
    "aabcdef": 'The letter "a" is in "aabcdef" twice; seven different letters are needed.',
    "vctaoe1": '"1" is not a letter from a to z.',
    "vctaoé": '"é" is not a letter from a to z.',
    "abc" * 1000: "A puzzle has seven letters, center first; you gave 3,000.",
}
WORDS = {
    "cove": ("", 1, ""),
    "octave": ("", 6, ""),
    "covenant": ("", 15, "pangram"),
    "vacenot": ("", 14, "perfect"),
    "cab": ("too short: an answer has at least 4 letters", 1, ""),
    "background": ("10 different letters: a puzzle has 7", 10, ""),
    "cocoon" * 3 + "co": ("too long: no answer has more than 19 letters", 20, ""),
    "café": ("é is no letter of the game; try cafe", 1, ""),
    "o'clock": ("' is no letter of the game", 7, ""),
    "a b": ("a space is no letter of the game", 1, ""),
    "né": ("é is no letter of the game", 1, ""),
}
"""For each word why no puzzle can have it, its points, and what kind of pangram it is."""
POINTS = (0, 1, 45, 118, 237)


def by_python() -> list[object]:
    """What `pipeline.words` says to everything in the tables."""

    def letters_or_error(text: str) -> str:
        try:
            return words.puzzle(text).letters
        except LettersError as error:
            return str(error)

    def kind(word: str) -> str:
        return "perfect" if words.perfect_pangram(word) else "pangram" if words.pangram(word) else ""

    return [
        [letters_or_error(text) for text in LETTERS],
        [[words.why_unplayable(word), words.score(word), kind(word)] for word in WORDS],
        [list(words.ranks(points).items()) for points in POINTS],
        [words.spells(words.puzzle("vctaoen"), word) and words.playable(word) for word in WORDS],
        [words.in_play(text) for text in ("vctaoen", "verbose", "verba", "ahern", "tests")],
        [words.GAME.letter_count, words.GAME.min_length, words.GAME.max_length, words.GAME.pangram_bonus],
    ]


BY_GAME_JS = """[
    given.letters.map((text) => { try { return readPuzzle(text).letters } catch (error) { return error.message } }),
    given.words.map((word) =>
        [whyUnplayable(word), score(word), ["", "pangram", "perfect"][isPangram(word) + isPerfect(word)]]),
    given.points.map((most) => ranks(most).map(({ name, needed }) => [name, needed])),
    given.words.map((word) => spells(readPuzzle("vctaoen"), word)),
    ["vctaoen", "verbose", "verba", "ahern", "tests"].map(inPlay),
    [RULES.letters, RULES.shortest, RULES.longest, RULES.bonus],
]"""


def test_python_and_the_page_play_by_the_same_rules_with_the_same_words(node):
    python = json.loads(json.dumps(by_python()))
    assert python[0] == list(LETTERS.values())
    assert python[1] == [list(row) for row in WORDS.values()]
    assert node(BY_GAME_JS, {"letters": list(LETTERS), "words": list(WORDS), "points": POINTS}) == python


def test_ranks_begin_at_their_points_and_the_next_one_is_the_first_that_is_not_reached(node):
    names = list(words.GAME.rank_percentages)
    for most in (45, 118, 237):
        needed = list(words.ranks(most).values())
        at = "points => rankAt(points, given[0])"
        reached = node(f"given[1].map({at}).map(rank => rank.steps[rank.at]?.name)", [most, needed])
        missed = node(f"given[1].map({at}).map(rank => rank.next?.name)", [most, [points - 1 for points in needed]])
        assert (reached, missed) == (names, names)
    assert node("rankAt(118, 118).next?.name ?? null") is None


# ---------------------------------------------------------------- solving and hints


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


def test_the_page_solves_and_hints_as_the_package_does(node, listed, asked):
    told = node(
        """(() => {
            const index = indexed(given.listed);
            return given.asked.map(letters => {
                const puzzle = readPuzzle(letters);
                const found = solve(index, puzzle).sort(byRank);
                return [found, summary(found), bingo(found, puzzle), grid(found), startLines(found).flat()];
            });
        })()""",
        {"listed": listed, "asked": [puzzle.letters for puzzle in asked]},
    )
    index = solver.build_index(listed)
    for puzzle, (found, summary, bingo, grid, pairs) in zip(asked, told, strict=True):
        expected = solver.pangrams_first(solver.solve(index, puzzle))
        assert found == expected
        perfect = sum(map(words.perfect_pangram, expected))
        counts = (len(expected), sum(map(words.score, expected)), sum(map(words.pangram, expected)))
        numbers = [words.count(*each) for each in zip(counts, ("word", "point", "pangram"), strict=True)]
        assert summary == ", ".join(numbers) + (f" ({perfect} perfect)" if perfect else "")
        assert bingo == words.bingo(puzzle, expected)
        laid = [[str(cell).upper() for cell in row if cell != ""] for row in grid]
        assert laid == [line.split() for line in hints.grid_text(hints.grid(expected)).splitlines()]
        assert pairs == hints.two_letters_text(hints.two_letters(expected)).split()


@pytest.mark.parametrize("size", short_and_long("small", "whole"))
def test_page_and_command_guess_the_same_pangram_for_every_set_of_letters(open_tab, serve, request, size):
    """All sets of letters that a word of words.csv uses and no listed word does, about 12,000 of the whole release."""
    release = request.getfixturevalue("small_release") if size == "small" else reader.RELEASE
    site = request.getfixturevalue("folder" if size == "small" else "whole_site")
    rows = reader.rows(reader.read(release, "words.csv").files["words.csv"], "words.csv")
    has = {words.mask(row["word"]) for row in rows if row["tier"] in words.LISTED and words.pangram(row["word"])}
    sets = {"".join(sorted(set(row["word"]))) for row in rows if words.pangram(row["word"])}
    sets = sorted(letters for letters in sets if words.mask(letters) not in has)
    assert len(sets) > (200 if size == "small" else 10_000)
    chance: dict[int, dict[str, float]] = {}
    for word, p in solver.pangram_candidates(rows).items():
        chance.setdefault(words.mask(word), {})[word] = p
    page = open_tab(serve(site)).open()
    told = page.evaluate(
        f"""async (sets) => {{
            const [game, list] = [{module("game")}, {module("list")}];
            await list.moreWords();
            const guessed = (letters) => list.wordsOf(game.readPuzzle(letters)).answers.find(({{ guess }}) => guess);
            return sets.map((letters) => guessed(letters)?.word ?? "");
        }}""",
        sets,
    )
    replies = []
    for letters in sets:
        found = chance.get(words.mask(letters), {})
        rows_of = [{"word": word, "p": found[word]} for word in solver.most_likely_first(found)]
        question = playing.Question(words.puzzle(letters))
        replies.append(playing.answer(question, [], tuple, lambda rows_of=rows_of: rows_of).guess)
    assert told == replies
    assert len(sets) // 2 < sum(map(bool, replies)) <= len(sets)
    rude = {row["word"] for row in rows if set(words.NOT_FOR_FAMILIES) & set(row["flags"].split())}
    polite = {mask for mask, some in chance.items() if set(some) - rude} - has
    assert {words.mask(word) for word in data.guesses(rows) if word not in rude} == polite, "for the filters"


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


def test_definitions_are_those_of_the_package(node, folder, released):
    files = [json.loads(path.read_text())["words"] for path in (folder / "words").iterdir()]
    senses = {word: facts["senses"] for file in files for word, facts in file.items() if "senses" in facts}
    table = glosses.load(reader.RELEASE)
    lines = node("Object.entries(given).map(([word, senses]) => [word, definition(senses)])", senses)
    assert dict(lines) == {word: glosses.line(table[word]) for word in senses}
    assert senses.keys() >= {row["word"] for row in released if row["tier"] in words.LISTED} & set(table)


SO_FAR = {
    "": "",
    "v": "6 more letters",
    "vctaoe": "1 more letter",
    "v ctaoen": "",
    "vctv": 'The letter "v" is in "vctv" twice; seven different letters are needed.',
    "vctaoenx": 'A puzzle has seven letters, center first; "vctaoenx" has 8.',
}


def test_letters_are_judged_while_they_are_typed(node):
    assert node("given.map(lettersSoFar)", list(SO_FAR)) == list(SO_FAR.values())


# ---------------------------------------------------------------- days


def test_the_day_turns_as_in_the_package_and_the_hours_until_then_are_counted(node):
    times = [
        datetime.datetime(2026, month, day, hour, minute, 59, tzinfo=datetime.UTC)
        for month, day in ((1, 1), (3, 7), (3, 8), (3, 9), (7, 24), (10, 31), (11, 1), (11, 2), (12, 31))
        for hour in range(24)
        for minute in (0, 59)
    ]
    told = node("given.map(time => puzzleDay(new Date(time)))", [time.isoformat() for time in times])
    assert told == [words.puzzle_day(time) for time in times]
    waits = {"2026-07-24T06:30Z": 1, "2026-07-24T07:00Z": 24, "2026-11-01T06:59Z": 2, "2026-11-01T08:00Z": 24}
    assert node("given.map(time => hoursToNext(new Date(time)))", list(waits)) == list(waits.values())


def test_dates_are_added_and_told_from_other_texts(node):
    days = daily.dates("2024-01-01", 800)
    assert node("given.map((_, at) => addDays(given[0], at))", days) == days
    texts = ["2026-02-28", "2026-02-29", "2024-02-29", "2026-13-01", "2026-1-1", "", "x"]
    assert node("given.map(isDate)", texts) == [True, False, True, False, False, False, False]


STREAKS = [
    ([], 0, 0),
    ([21], 1, 1),
    ([20], 0, 1),
    ([22, 21, 20], 3, 3),
    ([21, 20, 18, 17, 16], 2, 3),
    ([22, 20, 19], 1, 2),
]


def test_a_streak_ends_today_or_yesterday(node):
    dates = [[f"2026-11-{day}" for day in days] for days, *_ in STREAKS]
    streaks = node("given.map(dates => streaks(dates, '2026-11-22'))", dates)
    assert streaks == [{"now": now, "longest": longest} for _, now, longest in STREAKS]


@pytest.mark.parametrize("month", ["2026-02", "2026-11", "2027-01", "2028-02"])
def test_a_month_has_all_its_days_below_the_right_weekdays(node, month):
    weeks = node("weeks(given)", month)
    first = datetime.date.fromisoformat(f"{month}-01")
    last = (first.replace(day=28) + datetime.timedelta(days=4)).replace(day=1) - datetime.timedelta(days=1)
    assert [date for week in weeks for date in week if date] == words.days_between(str(first), str(last))[::-1]
    for week in weeks:
        assert len(week) == 7
        weekdays = [datetime.date.fromisoformat(date).isoweekday() % 7 for date in week if date]
        assert weekdays == [at for at, date in enumerate(week) if date]


# ---------------------------------------------------------------- what the browser keeps

GAME = {"found": ["cove"], "told": {"octave": 2}, "pinned": "octave", "grid": False, "seen": "", "on": "2026-11-22"}
KEPT = "JSON.parse(exportText()).kept"


def imports(kept: dict[str, object]) -> str:
    """An expression that imports what another browser keeps, and returns what that says."""
    return f"importText(JSON.stringify({{ beeWords: 1, kept: {json.dumps(kept)} }}))"


def test_what_is_imported_is_added_to_a_game_and_replaces_settings(node):
    here = GAME | {"found": ["octave"], "told": {"cove": 1, "octave": 3}, "pinned": "", "seen": "shown", "on": ""}
    first = imports({"game:vacenot": json.dumps(here), "recent": "vctaoen", "set:order": "rank", "set:theme": "dark"})
    second = imports(
        {
            "game:vacenot": json.dumps(GAME), "game:2026-11-22": json.dumps(GAME), "game:bacdefg": 7,
            "game:cabdefg": json.dumps(GAME | {"found": ["Cove"]}), "recent": "2026-11-22 vctaoen",
            "set:order": "alpha", "set:Order": "alpha", "other": "x",
        }
    )  # fmt: skip
    _, told, kept = node(f"[{first}, {second}, {KEPT}]")
    assert told == {"puzzles": 2, "unread": 3}
    both = {"found": ["octave", "cove"], "told": {"cove": 1, "octave": 3}, "pinned": "octave", "grid": False}
    assert json.loads(kept.pop("game:vacenot")) == {**both, "seen": "shown", "on": "2026-11-22"}
    assert json.loads(kept.pop("game:2026-11-22")) == GAME
    assert kept.pop("damaged:game:bacdefg") == "7"
    assert json.loads(kept.pop("damaged:game:cabdefg"))["found"] == ["Cove"]
    settings = {"set:order": "alpha", "set:theme": "dark", "damaged:set:Order": "alpha"}
    assert kept == {"recent": "vctaoen 2026-11-22", **settings}


def test_damaged_values_of_an_export_travel_on_and_who_found_words_is_no_solver(node):
    solved = json.dumps(GAME | {"found": [], "told": {}, "pinned": "", "seen": "solved", "on": ""})
    found = "changeGame('vacenot', { found: ['cove'] })"
    moved = {"game:vacenot": solved, "game:bacdefg": solved, "damaged:recent": "?"}
    _, told, kept = node(f"[{found}, {imports(moved)}, {KEPT}]")
    assert told == {"puzzles": 2, "unread": 0}
    assert kept["damaged:recent"] == "?"
    assert [json.loads(kept[f"game:{id_}"])["seen"] for id_ in ("vacenot", "bacdefg")] == ["shown", "solved"]


def test_a_file_that_is_no_export_changes_nothing(node):
    texts = ["no", "null", "{}", '{"beeWords": 2, "kept": {}}', '{"beeWords": 1, "kept": []}']
    script = "given.map((text) => { try { importText(text) } catch (error) { return error.message } })"
    messages, kept = node(f"[{script}, {KEPT}]", texts)
    assert (set(messages), kept) == ({"This file is not an export of this page."}, {})


def test_a_record_is_changed_part_by_part_and_what_another_tab_added_stays(node):
    changes = """[
        { found: ["cove"], on: "2026-11-23" }, { found: ["octave"], pinned: "coven" },
        { told: { coven: 2 }, on: "2026-11-24" }, { told: { coven: 1 }, grid: true },
    ].map((parts) => changeGame("vacenot", parts)).at(-1)"""
    expected = {"found": ["cove", "octave"], "told": {"coven": 2}, "pinned": "coven", "grid": True, "seen": ""}
    assert node(f"[{changes}, readGame('vacenot'), playedIds()]") == [
        *[{**expected, "on": "2026-11-23"}] * 2, ["vacenot"],
    ]  # fmt: skip


def test_the_puzzles_opened_last_come_first_and_then_the_others(node):
    script = """(() => {
        for (const id of ["mabcdef", "vacenot", "abcdef", "2026-11-22"]) changeGame(id, { found: ["x"] });
        for (const given of ["vctaoen", "2026-11-23", "vneoatc"]) remember(given);
        return recent();
    })()"""
    assert node(script) == ["vneoatc", "2026-11-23", "mabcdef", "2026-11-22"]
    many = "(() => { for (let at = 0; at < 40; at++) remember(addDays('2026-11-22', at)); return recent(); })()"
    assert node(many) == daily.dates("2026-12-02", 30)[::-1]


DAMAGED = {
    "game:vacenot": ["cove", "[]", "null", *(json.dumps(GAME | part) for part in (
        {"found": ["c3"]}, {"found": "cove"}, {"told": {"cove": 4}}, {"told": []}, {"pinned": 1}, {"grid": "yes"},
        {"seen": "seen"}, {"on": "2026-02-30"},
    )), json.dumps({"found": []})],
    "game:vacenotx": [json.dumps(GAME)],
    "game:2026-02-30": [json.dumps(GAME)],
    "recent": ["{}"],
    "set:order": ["x" * 100],
}  # fmt: skip


def test_damaged_data_is_set_aside_once_and_good_data_stays(node):
    store = """(() => { const store = {}; globalThis.localStorage = Object.create({
        getItem(key) { return this[key] ?? null; },
        setItem(key, value) { this[key] = value; },
        removeItem(key) { delete this[key]; },
    }); })()"""
    good = {
        "bee:game:vacenot": json.dumps(GAME),
        "bee:recent": "vctaoen",
        "bee:set:order": "alpha",
        "bee:new": "?",
        "else": "{",
    }
    put = "Object.assign(localStorage, given)"
    assert node(f"[{store}, {put}, setDamagedAside(), {KEPT}].at(-2)", good) == []
    for key, values in DAMAGED.items():
        for value in values:
            again = f"setDamagedAside(), setDamagedAside(), {KEPT}"
            result = node(f"[{store}, {put}, {again}].slice(-3)", {f"bee:{key}": value})
            assert result == [[key], [], {f"damaged:{key}": value}], (key, value)
    twice = "localStorage['bee:recent'] = '?', setDamagedAside(), localStorage['bee:recent'] = '??', setDamagedAside()"
    assert node(f"[{store}, {twice}, {KEPT}].at(-1)") == {"damaged:recent": "?", "damaged:recent+": "??"}
