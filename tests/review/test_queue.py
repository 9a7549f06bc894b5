"""The review queue: which words it asks about, why, and in which order; and decisions that are made in a
spreadsheet."""

import csv
import io
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest

from pipeline import inputs, run
from pipeline.facts.coverage import Coverage
from pipeline.facts.lexicon import DEFAULTS
from pipeline.opinions.catalog import LARGE_SIZE, SELDOM_ZIPF, UNCOMMON_ZIPF
from pipeline.review import queue as queueing
from pipeline.store import Workspace
from pipeline.tables import frames
from pipeline.words import DOUBTFUL, mask


@pytest.fixture(scope="module")
def tables(ran_once):
    return run.update(Workspace(ran_once))


def made(*words: tuple, covered=("2025-03-14",), **more: list[dict]) -> SimpleNamespace:
    """The tables of a queue with words: word, tier, by, p, and other cells of the lexicon."""
    found = {name: frames.empty(name) for name in ("record", "verdicts", "flags", "track")}
    reason = {"kind": "estimate", "because": "untried: a test"}
    decisions = [{"word": word, "tier": tier, "by": by, "p": p, **reason} for word, tier, by, p, *_ in words]
    lexicon = [
        {**DEFAULTS, "word": word, "zipf": 2.5, "zipf_abroad": 0.0, "language": "", "base": "", **dict(*cells)}
        for word, _, _, _, *cells in words
    ]
    found |= {"decisions": frames.from_rows(decisions, "decisions")}
    found |= {name: frames.from_rows(rows, name) for name, rows in more.items()}
    return SimpleNamespace(**found, lexicon=pd.DataFrame(lexicon), coverage=Coverage(frozenset(covered)))


def asked(*words: tuple, **more) -> dict[str, str]:
    """The words that are asked about, in order, and why."""
    found = queueing.words_to_ask(made(*words, **more))
    return dict(zip(found["word"], found["asks"], strict=True))


def left_open(date: str, without_trial: str = "", differs: str = "") -> dict:
    """A row of the track record."""
    row = {"date": date, "source": "nyt", "witnesses": 1, "answers": 30, "missing": 0, "extra": 0}
    return {**row, "without_trial": without_trial, "differs": differs}


DOUBT = "no puzzle has tried it, and we are not sure"


def test_a_word_that_puzzles_rarely_allow_comes_after_a_doubtful_one_that_they_allow():
    rare = {"scowl_size": 80, "zipf": 0.0}
    found = asked(
        ("octaves", "likely", "estimate", 0.55, rare),
        ("covet", "review", "estimate", 0.4),
    )
    assert list(found) == ["covet", "octaves"]


def test_each_word_of_a_real_workspace_is_asked_about_once_by_family_and_with_a_reason(tables):
    queue = queueing.words_to_ask(tables)
    assert len(queue) > 10
    assert list(queue.columns) == queueing.COLUMNS
    assert (queue["gain"] - queue["chance"] * queue["doubt"] * queueing.EXACT).abs().max() < 1e-12
    assert queue["chance"].between(0, 1).all()
    assert queue["asks"].map(bool).all()
    families = queue["family"].tolist()
    assert len([f for f, before in zip(families, [None, *families], strict=False) if f != before]) == len(set(families))
    days = 365 * queue["gain"].sum()
    assert queueing.benefit_of(queue).startswith(f"Deciding {len(queue):,} words correctly would make about ")
    assert days > 1


def test_open_words_of_new_days_come_first_then_surprises_then_doubts_by_points_and_last_what_no_puzzle_can_have():
    likely, review = ("likely", "estimate"), ("review", "estimate")
    words = (
        ("voces", *review, 0.45), ("cove", *review, 0.45), ("covetable", *review, 0.45), ("octave", *review, 0.2),
        ("coven", *likely, 0.9, {"scowl_size": 80, "zipf": 1.0}), ("vacant", "core", "record", 1.0),
        ("canto", "refused", "record", 0.0), ("vault", *likely, 1.0),
    )  # fmt: skip
    track = [left_open("2025-03-13", "vacant zzyzx"), left_open("2025-03-14", differs="canto")]
    found = asked(*words, track=track)
    assert list(found.items()) == [
        ("canto", "2025-03-14: the list of a second site differs on it"),
        ("vacant", "2025-03-13: it has no trial on that day"),
        ("zzyzx", "2025-03-13: it has no trial on that day"),
        ("coven", "on the list, although few people know it"),
        ("covetable", DOUBT),
        ("octave", DOUBT),
        ("cove", DOUBT),
        ("voces", DOUBT),
    ]


@pytest.mark.parametrize(("last", "is_open"), [("2025-03-14", True), ("2025-03-15", False)])
def test_a_word_is_open_for_two_weeks(last, is_open):
    found = asked(("vacant", "core", "record", 1.0), covered=(last,), track=[left_open("2025-03-01", "vacant")])
    assert [*found] == ["vacant"] * is_open


@pytest.mark.parametrize(
    ("tier", "p", "size", "zipf", "asks"),
    [
        ("likely", 0.99, LARGE_SIZE, SELDOM_ZIPF - 0.01, "on the list, although few people know it"),
        ("likely", 0.99, LARGE_SIZE, SELDOM_ZIPF, None),
        ("likely", 0.99, LARGE_SIZE - 10, SELDOM_ZIPF - 0.01, None),
        ("review", 0.16, LARGE_SIZE - 10, UNCOMMON_ZIPF, "off the list, although most people know it"),
        ("review", 0.16, LARGE_SIZE - 10, UNCOMMON_ZIPF - 0.01, DOUBT),
        ("review", 0.16, LARGE_SIZE, UNCOMMON_ZIPF, DOUBT),
        ("review", DOUBTFUL, 100, 0.0, DOUBT),
        ("refused", DOUBTFUL - 0.01, 100, 0.0, None),
        ("likely", 1 - DOUBTFUL, 35, 5.0, DOUBT),
        ("likely", 1 - DOUBTFUL + 0.01, 35, 5.0, None),
    ],
)  # fmt: skip
def test_a_word_is_asked_about_if_it_is_in_doubt_or_its_estimate_is_odd_for_it(tier, p, size, zipf, asks):
    found = asked(("cove", tier, "estimate", p, {"scowl_size": size, "zipf": zipf}))
    assert found == ({"cove": asks} if asks else {})


@pytest.mark.parametrize(
    ("detail", "there"), [("graded by hand", 0), ("made from cave", 0), ("a form of cave", 0), ("cuss 2", 1)]
)
def test_a_slur_by_a_list_is_asked_about_and_one_by_a_person_is_settled(detail, there):
    flag = {"word": "cove", "flag": "slur", "severity": "note", "detail": detail}
    expected = {"cove": f"off the list, because one list marks it as slur: {detail}"}
    assert asked(("cove", "refused", "estimate", 0.9), flags=[flag]) == (expected if there else {})


def test_a_word_with_a_verdict_has_left_the_queue():
    given = {"word": "cove", "verdict": "keep", "reason": "common", "by": "ann", "after": "2025-01-01"}
    words = [("cove", "review", "estimate", 0.4), ("cave", "review", "estimate", 0.4)]
    assert set(asked(*words, verdicts=[given])) == {"cave"}
    trial = {"word": "cove", "offered": 1, "accepted": 0, "first_accepted": "", "last_accepted": ""}
    later = [{**trial, "last_refused": "2025-01-02"}]
    assert set(asked(*words, verdicts=[given], record=later)) == {"cave", "cove"}, "it ended"


@pytest.mark.parametrize("enough", [True, False])
def test_a_family_is_one_question_and_a_form_with_a_small_gain_is_folded(monkeypatch, enough):
    words = [(word, "review", "estimate", p, {"base": base}) for word, p, base in
             (("vocce", 0.4, "voce"), ("voce", 0.3, ""), ("vooce", 0.2, "voce"), ("cove", 0.35, ""))]  # fmt: skip
    gain = queueing.words_to_ask(made(*words)).set_index("word")["gain"]["voce"]
    assert 365 * gain > queueing.SMALL_GAIN
    monkeypatch.setattr(queueing, "SMALL_GAIN", 365 * gain + (0 if enough else 1e-9))
    found = queueing.words_to_ask(made(*words))
    assert found["word"].tolist() == (["vocce", "voce", "cove"] if enough else ["vocce", "cove"])
    assert found["folded"].tolist() == (["vooce", "", ""] if enough else ["vooce voce", ""])
    assert found["family"].tolist()[:-1] == ["voce"] * (len(found) - 1)


@pytest.mark.parametrize(
    ("yearly", "says"),
    [
        (2.5, "about 2 xs a year"), (1.5, "about 2 xs a year"), (1.49, "about one x a year"), (1, "about one x a year"),
        (12 / 12.5, "about one x a year"), (12 / 12.6, "about one x in 13 months"),
        (12 / 23.4, "about one x in 23 months"),
        (0.5, "about one x in 2 years"), (0.01, "about one x in 100 years"), (0.0099, "less than one x in 100 years"),
        (0, "less than one x in 100 years"),
    ],
)  # fmt: skip
def test_how_often_is_told_in_days_months_or_years(yearly, says):
    assert queueing.frequency_text(yearly / 365, "x") == says


def test_a_likely_word_is_in_doubt_by_what_it_lacks_and_any_other_word_by_its_p():
    rows = [("cove", "likely", 0.4), ("cave", "review", 0.6), ("zzyzx", "core", None)]
    decisions = pd.DataFrame(rows, columns=["word", "tier", "p"])
    assert queueing.add_doubt(decisions)["doubt"].tolist() == [0.6, 0.6, 0.0]


def test_the_chance_of_a_word_is_judged_by_the_letters_that_were_played():
    played = [mask("abcdefg"), mask("abcdefh"), mask("abcdefh")]
    chances = queueing.share_of_puzzles([mask("abed"), mask("gaff"), mask("zzzz"), mask("abcdefg")], played)
    assert chances[0] == pytest.approx(4 / 7 * 2.5 / 3)
    assert chances[1] == pytest.approx(3 / 7 * 1.5 / 3)
    assert chances[2] == pytest.approx(1 / 7 * 0.5 / 3)
    assert chances[3] == pytest.approx(1.5 / 3)


GOOD = "word,verdict,reason\nzine,keep,a small magazine\n"
SAME = "zine,keep,a small magazine\n"


def written_verdicts(data: Path) -> list[tuple[str, str, str, str]]:
    found = inputs.read_decisions(Workspace(data), "verdicts")
    return [tuple(row[name] for name in ("word", "verdict", "reason", "by")) for row in frames.rows(found)]


@pytest.mark.slow
def test_a_sheet_goes_out_is_filled_in_and_comes_back_with_its_wrong_rows_named(ran, bee, tmp_path):
    path = tmp_path / "queue.csv"
    done = bee("review", "--export", path, "--limit", "9", "--data", ran)
    assert f"words to {path}. Fill in verdict" in done.err
    rows = list(csv.DictReader(io.StringIO(path.read_text())))
    assert len({row["family"] for row in rows}) == 9
    assert all(row["because"] and row["asks"] and row["definition"] and not row["verdict"] for row in rows)
    free = [row for row in rows if row["tier"] in ("likely", "review") and row["offered"] == "0"]
    free[0] |= {"verdict": "Keep", "reason": "=fine"}
    free[1] |= {"verdict": "drop", "reason": "'tis two, with a comma"}
    free[2] |= {"verdict": "drop"}
    free[3] |= {"verdict": "perhaps", "reason": "who knows"}
    wrong = [rows.index(free[at]) + 2 for at in (2, 3)]
    out = io.StringIO()
    sheet = csv.DictWriter(out, rows[0], delimiter=";", lineterminator="\r\n")
    sheet.writeheader()
    sheet.writerows(rows)
    path.write_bytes(b"\xef\xbb\xbf" + out.getvalue().encode())
    done = bee("review", "--import", path, "--by", "ben", "--data", ran)
    assert done.code == 1
    for number, says in zip(wrong, ("column reason is empty", '"perhaps" is neither'), strict=True):
        assert any(line.startswith(f"{path}, row {number}: ") and says in line for line in done.err.splitlines())
    assert f"Wrote 2 verdicts of {path};" in done.err
    assert f"Of {path}, 2 rows could not be imported" in done.err
    assert f"run `bee review --import {path}" in done.err
    expected = [(free[0]["word"], "keep", "=fine", "ben"), (free[1]["word"], "drop", "'tis two, with a comma", "ben")]
    assert sorted(written_verdicts(ran)) == sorted(expected)
    path.write_bytes(path.read_bytes().replace(b"Keep", b"drop"))
    again = bee("review", "--import", path, "--by", "ben", "--data", ran)
    assert f"keep {free[0]['word']}, by ben: " in again.err
    assert f"1 verdict of {path}" in again.err, "it says the same again"
    assert sorted(written_verdicts(ran)) == sorted(expected)


@pytest.mark.parametrize(
    ("text", "says", "written"),
    [
        ("word,reason\ncove,a\n", "exactly one column verdict", 0),
        ("", "has no rows", 0),
        ("word,verdict,verdict,reason\n", "exactly one column verdict", 0),
        ('word,verdict,reason\ncove,drop,"one\ncave,drop,two\n', "is not CSV", 0),
        ("w\xe9rd,verdict,reason\n", "not text in UTF-8", 0),
        (f"{GOOD}vault,drop,one, two\n{SAME}", "row 3: it has 4 cells, but the header has 3", 1),
        (f"{GOOD}bee,drop,an insect\n{SAME}", 'row 3: "bee" cannot be an answer of a puzzle: too short', 1),
        (
            f"{GOOD}vault,keep,a bank has one\nvault,drop,a jump\n{SAME}",
            "row 4: vault is kept in one row and dropped in another",
            1,
        ),
    ],
)
def test_a_file_that_is_no_sheet_changes_nothing_and_a_wrong_row_no_other_one(bee, data, tmp_path, text, says, written):
    path = tmp_path / "sheet.csv"
    path.write_bytes(text.encode("latin-1"))
    failed = bee("review", "--import", path, "--by", "ann", "--data", data)
    assert (failed.code, says in failed.err) == (1, True), failed.err
    assert written_verdicts(data) == [("zine", "keep", "a small magazine", "ann")] * written


def test_without_a_terminal_it_says_what_to_do_instead(ran_once, bee, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    failed = bee("review", "--data", ran_once)
    assert (failed.code, "use --export and --import" in failed.err) == (1, True)
