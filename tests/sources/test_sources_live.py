"""The parsers of live pages: each layout with a valid page in which one thing is then broken."""

import datetime
import json
import re

import pytest
from conftest import PROJECT
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.sources import LIVE_SITES, SOURCES, nyt, nytbee, read_capture

PAGES = PROJECT / "tests/sources/pages"
ANSWERS = ("cent", "cove", "covenant", "octave", "tote")
REFUSED = ("neon", "octet")
LAYOUTS = {
    "first-day.html": ("2018-07-29", ()),
    "class-only.html": ("2019-01-14", REFUSED),
    "hand-edited.html": ("2020-06-27", REFUSED),
    "definitions.html": ("2025-01-02", REFUSED),
    "one-heading.html": ("2025-12-30", REFUSED),
}


def page(name: str) -> str:
    return (PAGES / name).read_bytes().decode()


def parsed(text: str):
    return nytbee.parse(text, "page")


def rules(text: str) -> list[str]:
    return [fault.rule for fault in parsed(text).faults]


@pytest.mark.parametrize(("name", "date", "refused"), [(name, *rest) for name, rest in LAYOUTS.items()])
def test_every_layout_gives_its_day(name, date, refused):
    found = read_capture((PAGES / name).read_bytes(), name)
    assert (found.source, found.faults) == ("nytbee", ())
    (day,) = found.days
    assert (day.date, day.puzzle.letters, day.answers, day.refused) == (date, "eacnotv", ANSWERS, refused)


def without_chart(text: str) -> str:
    return text.replace("Center Letter Frequency", "Letter Frequency")


def ambiguous(text: str) -> str:
    """Without the word that decides, the answers share e and o."""
    text = re.sub(r"<li>(?:(?!</li>)[\s\S])*\bcent\b[\s\S]*?</li>", "", text, count=1)
    return (
        text.replace("Answers: 5", "Answers: 4").replace("Score: 24", "Score: 23").replace("Genius: 17", "Genius: 16")
    )


@pytest.mark.parametrize("name", LAYOUTS)
def test_the_center_comes_from_the_chart_else_from_the_answers_else_it_is_unknown(name):
    text = page(name)
    assert parsed(without_chart(text)).days[0].puzzle.center == "e"
    if name != "first-day.html":  # which has no chart
        (day,) = parsed(ambiguous(text)).days
        assert (day.puzzle.center, len(day.answers)) == ("e", 4)
    assert parsed(without_chart(ambiguous(text))).days == ()
    assert rules(without_chart(ambiguous(text))) == ["center-unknown"]


NEW, OLD = page("definitions.html"), page("class-only.html")


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("layout-drift", NEW.replace('id="main-answer-list"', 'id="the-list"')),
        ("layout-drift", NEW.replace("<h2>Thursday", "<h2>Friday, January 3, 2025</h2><h2>Thursday")),
        ("layout-drift", OLD.replace("Maximum Puzzle Score", "Score")),
        ("bad-date", NEW.replace("Thursday, January", "Friday, January")),
        ("bad-date", NEW.replace("January 2, 2025", "Januar 2, 2025")),
        ("other-day", NEW.replace("pics/20250102", "pics/20250101")),
        ("other-day", NEW.replace('value="2025-01-02"', 'value="2025-01-01"')),
        ("count-mismatch", NEW.replace("Answers: 5", "Answers: 6")),
        ("count-mismatch", NEW.replace("Score: 24", "Score: 25")),
        ("count-mismatch", NEW.replace("Pangrams: 1", "Pangrams: 2")),
        ("no-answers", re.sub(r'(column-list-definitions">)[\s\S]*?</ul>', r"\1</ul>", NEW)),
        ("cut-short", NEW[: NEW.index("octave")]),
        ("bad-word", OLD.replace(" tote\r", " <script>tote</script> to\r")),
        ("bad-word", OLD.replace(" tote\r", " tôte\r")),
        ("twice", OLD.replace(" tote\r", " cove\r")),
        ("bad-letters", OLD.replace(" tote\r", " toted\r")),
    ],
)
def test_breaking_one_thing_breaks_one_rule_and_gives_no_day(rule, text):
    assert text not in (NEW, OLD)
    assert parsed(text).days == ()
    assert rules(text) == [rule]


def dated(text: str, date: str) -> str:
    """The page of another day."""
    day = datetime.date.fromisoformat(date)
    text = re.sub(r"<h2>\w+day, \w+ \d+, \d{4}</h2>", f"<h2>{day:%A}, {day:%B} {day.day}, {day.year}</h2>", text)
    return re.sub(r'value="\d{4}-\d\d-\d\d"', f'value="{date}"', re.sub(r"pics/\d{8}", f"pics/{day:%Y%m%d}", text))


@pytest.mark.parametrize(
    ("change", "date", "found"),
    [
        (("not_official", "unofficial"), "2019-01-13", []),
        (("not_official", "unofficial"), "2019-01-14", ["layout-drift"]),
        (("Number of Pangrams", "Pangrams"), "2019-08-16", []),
        (("Number of Pangrams", "Pangrams"), "2019-08-17", ["layout-drift"]),
        (('id="main-answer-list"', 'id="answer-list"'), "2019-08-16", []),
        (('id="main-answer-list"', 'id="answer-list"'), "2019-08-17", ["layout-drift"]),
    ],
)
def test_what_a_page_must_have_depends_on_its_day(change, date, found):
    text = dated(NEW, date)
    assert [day.date for day in parsed(text).days] == [date]
    assert rules(text.replace(*change)) == found


@pytest.mark.parametrize(
    ("rule", "text", "refused"),
    [
        ("genius-mismatch", NEW.replace("Genius: 17", "Genius: 24"), REFUSED),
        ("layout-drift", NEW.replace("not_official", "unofficial"), ()),
        ("refused-impossible", NEW.replace("<li>octet", "<li>tote"), ("neon",)),
        ("refused-impossible", NEW.replace("<li>octet", "<li>canto"), ("neon",)),
    ],
)
def test_what_does_not_touch_the_answers_is_told_and_costs_no_day(rule, text, refused):
    found = parsed(text)
    assert found.days[0].answers == ANSWERS
    assert found.days[0].refused == refused
    assert [fault.rule for fault in found.faults] == [rule]


def test_the_73_saved_pages_parse_to_exactly_what_is_expected(shared):
    expected = json.loads((shared / "pages/nytbee_expected.json").read_bytes())
    assert len(expected) == 73
    for date, wanted in expected.items():
        name = LIVE_SITES["nytbee"].file_name_for(date)
        found = read_capture((shared / "pages/nytbee" / name).read_bytes(), name)
        assert found.source == "nytbee"
        assert [fault.rule for fault in found.faults] == (["genius-mismatch"] if date == "2022-06-09" else [])
        (day,) = found.days
        assert (day.date, "".join(sorted(day.puzzle.letters))) == (date, wanted["letters"])
        assert day.puzzle.center == (wanted["center_from_plot"] or wanted["center_candidates"])
        assert day.answers == tuple(sorted(wanted["answers_in_page_order"]))
        assert day.refused == tuple(sorted(wanted["not_official"] or ()))


@pytest.mark.parametrize(
    ("name", "dates"),
    [
        ("game.html", ["2024-12-31", "2025-01-01", "2025-01-02"]),
        ("game-of-a-past-day.html", ["2024-12-31", "2025-01-01", "2025-01-02"]),
        ("game-2019.json", ["2025-01-01", "2025-01-02"]),
    ],
)
def test_the_game_page_gives_every_puzzle_by_its_own_date(name, dates):
    found = read_capture((PAGES / name).read_bytes(), name)
    assert (found.source, found.faults) == ("nyt_page", ())
    assert [day.date for day in found.days] == dates
    assert {day.answers for day in found.days} == {ANSWERS}


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("bad-date", page("game-2019.json").replace("2025-01-01", "2025-13-01")),
        ("cut-short", page("game.html")[:900]),
        ("cut-short", '{"today": ' + "[" * 100_000),
        ("cut-short", "<script>if (!window.gameData) {load()}</script>"),
        ("layout-drift", 'window.gameData = {"puzzle": {}}'),
        ("broken-line", '{"today": {"centerLetter": "e"}}'),
        ("bad-word", page("game-2019.json").replace('"cent"', "[]", 1)),
    ],
)  # fmt: skip
def test_a_broken_game_page_is_named(rule, text):
    found = nyt.parse_page(text, "page")
    assert [fault.rule for fault in found.faults] == [rule]
    assert len(found.days) == (rule in ("bad-date", "bad-word")), "a broken puzzle costs no other"


def game(date: str, *answers: str) -> dict[str, object]:
    """A day as the game page has it."""
    return {"printDate": date, "centerLetter": "e", "outerLetters": list("acnotv"), "answers": ["covenant", *answers]}


ONE, NEXT = (json.dumps(game(*day)) for day in (("2025-01-01", "cove"), ("2025-01-02", "octave")))


@pytest.mark.parametrize(
    "script",
    [
        f'if (!window.gameData) {{load()}}</script><script>window.gameData={{"today": {NEXT}, "yesterday": {ONE}}}',
        f'window.gameData = {{ready: false}}; window.gameData = {{"pastPuzzles": {{"thisWeek": [{ONE}, {NEXT}]}}}}',
        f"window.gameData = JSON.parse('[]'); var days = {{\"puzzles\": [{ONE}, {NEXT}]}}",
        f"window.gameData = {ONE}</script><p>window.gameData</p><script>window.gameData\n=\n{NEXT}",
        f'window.gameData = [{ONE}, {NEXT}]; window.gameData = {{"today": ',
    ],
)
def test_every_assignment_of_a_game_page_is_read(script):
    text = f"<html><script>{script}</script><footer>{{}}</footer></html>"
    found = read_capture(text.encode(), "page")
    assert (found.source, found.faults) == ("nyt_page", ())
    assert [(day.date, day.answers) for day in found.days] == [
        ("2025-01-01", ("cove", "covenant")), ("2025-01-02", ("covenant", "octave")),
    ]  # fmt: skip


GROWN, EARLY = game("2025-01-02", "octave"), game("2025-01-02", "cove")


@pytest.mark.parametrize(
    "days",
    [{"pastPuzzles": [GROWN, EARLY]}, {"today": GROWN, "yesterday": EARLY}, {"yesterday": EARLY, "today": GROWN}],
)
def test_of_two_days_of_one_date_today_counts_before_yesterday_or_else_the_first(days):
    found = read_capture(f"window.gameData = {json.dumps(days)}".encode(), "page")
    assert [day.answers for day in found.days] == [("covenant", "octave")]
    (fault,) = found.faults
    assert (fault.rule, fault.detail.endswith("the first one is used.")) == ("date-twice", True)


@pytest.mark.parametrize(
    ("text", "source", "rule", "dates"),
    [
        ('{"2025-01-01": %s, "2025-01-01": %s, "2025-01-02": %s}', "seed", "date-twice", ["2025-01-01", "2025-01-02"]),
        ('{"2025-01-01": {"center": "e", "center": "e"}, "2025-01-02": %s, "2025-01-03": %s}', "seed", "broken-line",
         ["2025-01-02", "2025-01-03"]),
        ('[{"center_letter": "e", "answers": ["cove"], "answers": []}, %s]', "days", "broken-line", ["2025-01-01"]),
        ('window.gameData = {"today": %s, "today": %s}', "nyt_page", "date-twice", ["2025-01-01"]),
    ],
)  # fmt: skip
def test_a_field_that_occurs_twice_is_a_fault_and_not_the_last_one_wins(text, source, rule, dates):
    """As for a date that two lines of a file have, the first list is used."""
    first, second = game("2025-01-01", "cove"), game("2025-01-01", "octave")
    if source == "seed":
        first = {"center": "e", "others": "acnotv", "solutions": first["answers"]}
        second = {"center": "e", "others": "acnotv", "solutions": second["answers"]}
    days = [json.dumps(day) for day in (first, second, first)][: text.count("%s")]
    found = read_capture((text % tuple(days)).encode(), "file.json")
    assert [fault.rule for fault in found.faults] == [rule]
    assert (found.source, [day.date for day in found.days]) == (source, dates)
    assert found.days[0].answers == ("cove", "covenant")


def test_a_fault_in_a_list_of_days_has_the_number_of_the_item():
    items = [ONE, "[]", NEXT, ONE.replace('"cove"', '"octave"'), ONE.replace('"cove"', '"beet"')]
    found = read_capture(f"[{', '.join(items)}]".encode(), "days.json")
    assert [(fault.location, fault.rule) for fault in found.faults] == [
        ("days.json:item 2", "broken-line"), ("days.json:item 4", "date-twice"), ("days.json:item 5", "unspellable"),
    ]  # fmt: skip
    assert len(found.days) == 2


def test_live_sources_say_where_each_day_is():
    decided = {
        "nyt": "http://x/svc/spelling-bee/v1/2025-01-02.json",
        "nytbee": "http://x/Bee_20250102.html",
        "nyt_page": "http://x/puzzles/spelling-bee/2025-01-02",
    }
    urls = {name: site.url_for("http://x", "2025-01-02") for name, site in LIVE_SITES.items()}
    assert {name: urls[name] for name in decided} == decided
    assert [name for name in urls if name in decided] == list(decided), "the order of use"


@pytest.mark.parametrize(
    ("source", "date", "today", "has", "may"),
    [
        ("nytbee", "2018-07-28", "2025-01-05", False, False),
        ("nytbee", "2018-07-29", "2025-01-05", True, False),
        ("nytbee", "2018-09-12", "2025-01-05", False, False),
        ("nytbee", "2025-01-05", "2025-01-05", True, True),
        ("nytbee", "2025-01-06", "2025-01-05", False, False),
        ("nyt_page", "2024-12-22", "2025-01-05", True, True),
        ("nyt_page", "2024-12-21", "2025-01-05", False, False),
    ],
)
def test_a_live_source_says_which_days_it_has_and_which_its_answer_for_today_may_hold(source, date, today, has, may):
    assert LIVE_SITES["nyt_page"].days_back == 14
    assert (LIVE_SITES[source].has_day(date, today), LIVE_SITES[source].may_contain(date, today)) == (has, may)


SEEDS = [NEW, OLD, page("first-day.html"), page("game.html"), page("game-2019.json")]
PARTS = st.sampled_from(
    ["<", ">", "</ul>", "<ul>", "<li>", "<![", "<!--", "<?xml ?>", "&#" + "9" * 5000 + ";", "&#xD800;", "\x00",
     "\ud800", "'{", "}'", '"', "[" * 2000, "{", "}", "null", "1e999", "9" * 5000, "<h2>", "<a>",
     '<div id="main-answer-list">']
)  # fmt: skip


@settings(max_examples=40)
@given(st.sampled_from(SEEDS), st.data())
def test_a_damaged_page_gives_days_or_named_faults(seed, drawn):
    for _ in range(drawn.draw(st.integers(1, 3))):
        at = drawn.draw(st.integers(0, len(seed)))
        new = drawn.draw(PARTS | st.text(max_size=5))
        seed = seed[:at] + new + seed[at + drawn.draw(st.sampled_from([0, 1, 7, 300, 10**6])) :]
    for source in [source for source in SOURCES if source.site]:
        found = source.parse(seed, "page")
        assert found.days or found.faults
        assert all(re.fullmatch("[a-z-]+", fault.rule) for fault in found.faults)
        for day in found.days:
            assert all(re.fullmatch("[a-z]{4,}", word) for word in day.answers + day.refused)
