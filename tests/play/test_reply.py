"""The reply to a player, as a pure function: what it finds, what it shows, and in which order."""

import pytest

from pipeline import reader
from pipeline.play import about, hints, reply
from pipeline.words import GAME, WORD_COLUMNS, puzzle, ranks

VCTAOEN = puzzle("vctaoen")
WORDS = ["cove", "octave", "canto", "covet", "seven", "cave"]
DOUBTFUL = [{"word": "covenant", "p": 0.4}, {"word": "conveant", "p": 0.3}, {"word": "voce", "p": 0.45}]
CANDIDATES = [{"word": "covenant", "p": 0.4}, {"word": "conveant", "p": 0.2}]


def replied(words=WORDS, doubtful=DOUBTFUL, pangrams=(), **asked) -> reply.Reply:
    return reply.answer(reply.Question(VCTAOEN, **asked), words, lambda: doubtful, lambda: pangrams)


def test_where_no_listed_word_is_a_pangram_the_likeliest_candidate_is_an_answer_marked_as_a_guess():
    made = replied(pangrams=CANDIDATES)
    assert list(made.words) == ["covenant", "octave", "covet", "cave", "cove"]
    assert reply.as_text(made, terminal=False).splitlines()[:2] == ["covenant ?", "octave"]
    assert "covenant * ?" in reply.as_text(made, terminal=True)
    first, second, *_ = reply.as_json(made)["words"]
    assert first == {"word": "covenant", "points": 15, "pangram": True, "guess": True, "sure": 0.77}
    assert "guess" not in second
    (note,) = reply.notes(made)
    assert "covenant (?) is a guess with a probability of 77%; other candidates: conveant 0.20." in note


def test_a_guess_is_made_only_where_it_is_wanted_and_no_pangram_is_known():
    assert replied(pangrams=CANDIDATES, guess=False).words == replied().words
    assert reply.notes(replied(pangrams=CANDIDATES, guess=False)) == []
    for known in ({"words": [*WORDS, "conveant"]}, {"found": ["conveant"]}):
        made = replied(pangrams=CANDIDATES, **known)
        assert (made.guess, made.candidates) == ("", None)
    (note,) = reply.notes(replied())
    assert "there is no candidate for a guess" in note


@pytest.mark.parametrize(
    ("show", "named"), [("counts", "one answer"), ("letters", "c......."), ("prefixes", "co......")]
)
def test_a_guess_is_told_no_more_than_other_answers(show, named):
    made = replied(pangrams=CANDIDATES, show=show)
    assert f"{named} (?) is a guess" in reply.notes(made)[0]
    assert "covenant" not in reply.as_text(made, terminal=True) + reply.notes(made)[0]


def test_found_words_leave_the_answers_and_count_their_points():
    made = replied(hints=True, found=["cove", "octave", "seven"])
    assert list(made.words) == ["covet", "cave"]
    assert (made.points_found, made.rank_points["Queen Bee"]) == (7, 13)
    assert list(made.wrong_words) == ["seven"]
    assert (replied(hints=True).points_found, replied(hints=True, found=[]).points_found) == (None, 0)


def test_doubtful_words_are_asked_for_only_where_they_matter():
    def never():
        raise AssertionError

    asked = reply.Question(VCTAOEN)
    assert reply.answer(asked, [*WORDS, "covenant"], never, never).candidates is None
    assert [row["word"] for row in replied(maybe=True).doubtful] == ["covenant", "conveant", "voce"]
    assert replied([*WORDS, "voce"], maybe=True, found=["conveant"]).doubtful == [DOUBTFUL[0]]


def test_official_answers_are_compared():
    made = replied(official={"cove", "octave", "acne", "vocate"})
    assert (list(made.missing), list(made.extra)) == (["acne", "vocate"], ["cave", "covet"])


@pytest.mark.parametrize(
    ("show", "veiled"),
    [
        ("counts", None),
        ("letters", ["c... 4", "c... 4", "c.... 5", "o..... 6"]),
        ("prefixes", ["ca.. 4", "co.. 4", "co... 5", "oc.... 6"]),
        ("words", None),
    ],
)
def test_no_more_is_told_than_was_asked_for(show, veiled):
    made = reply.as_json(replied(show=show))
    assert (made.get("veiled"), "words" in made) == (veiled, show == "words")


@pytest.mark.parametrize(
    ("had", "rank", "more"), [(0, "Beginner", "2 more"), (1, "Beginner", "1 more"), (2, "Good Start", "")]
)
def test_a_rank_is_reached_with_exactly_its_points(had, rank, more):
    needed = ranks(100)
    lines = hints.ranks_text(needed, had).splitlines()
    assert [line.split()[1:-1] for line in lines if line.startswith(" *")] == [[*rank.split(), str(needed[rank])]]
    after = lines[list(GAME.rank_percentages).index("Good Start")]
    assert after.endswith(more or "now")


def test_five_candidates_are_shown_and_all_of_them_make_the_guess_sure_or_not():
    six = [{"word": word, "p": 0.1} for word in ("covenant", "conveant", "cantove", "novecat", "vacenot", "acentov")]
    made = replied(pangrams=six)
    assert made.candidates == six[:5]
    assert made.guess_p == pytest.approx(0.1 / (1 - 0.9**6))


@pytest.mark.parametrize(("p", "sure"), [(0.0, 0.0099), (0.005, 0.0099), (0.006, 0.0119)])
def test_a_probability_that_is_printed_as_none_counts_as_half_of_the_last_digit(p, sure):
    assert reply.guess_probability([p, 0.5]) == pytest.approx(sure, abs=0.0001)


@pytest.mark.parametrize(("count", "more"), [(9, ""), (10, ""), (11, " and 1 more")])
def test_ten_words_that_are_no_answers_are_named(count, more):
    wrong = [f"word{letter}" for letter in "abcdefghijk"[:count]]
    note = reply.notes(replied(found=wrong))[0]
    assert note == f"These words are not answers: {', '.join(wrong[:10])}{more}."


def test_the_columns_of_the_grid_are_one_blank_wider_than_the_widest_number():
    words = [f"ca{a}{b}" for a in "abcdefghij" for b in "abcdefghij"]
    assert hints.grid_text(hints.grid(words)).splitlines() == ["      4   Σ", "C   100 100", "Σ   100 100"]
    assert hints.grid_text(hints.grid(words[:99])).splitlines() == ["     4  Σ", "C   99 99", "Σ   99 99"]


@pytest.mark.parametrize(
    ("words", "header"),
    [(["covenant", "cove"], "2 words, 16 points, 1 pangram"), (["cove"], "1 word, 1 point, 0 pangrams")],
)
def test_the_header_on_a_terminal_counts_pangrams(words, header):
    made = replied(words, guess=False)
    assert reply.as_text(made, terminal=True).splitlines()[0] == f"VACENOT: {header}"


@pytest.mark.parametrize(("asked", "is_bare"), [({}, True), ({"show": "counts"}, False), ({"hints": True}, False)])
def test_into_a_pipe_bare_words_go_alone_and_what_else_was_asked_for_is_a_note(asked, is_bare):
    made = replied(maybe=True, **asked)
    assert ("Maybe:" in reply.as_text(made, terminal=False)) == (not is_bare)
    assert any("Maybe:" in note for note in reply.notes(made, terminal=False)) == is_bare
    assert "Maybe:" in reply.as_text(made, terminal=True)


ANN = {"word": "cave", "verdict": "keep", "by": "ann", "after": "2025-01-01", "reason": "Known."}


@pytest.mark.parametrize(
    ("row", "verdict", "by", "p", "pending"),
    [
        ("cave,likely,0.83,0,0,,,,rare,estimate,untried: known", {}, "estimate", 0.83, ""),
        ("cave,refused,0.00,9,2,2020-01-01,2021-01-01,2022-01-01,rare,refused,so", {}, "record", 0.0, ""),
        ("cave,core,0.83,0,0,,,,rare,verdict,kept by ann: Known.", ANN, "verdict", 0.83, ""),
        ("cave,core,0.83,0,0,,,,rare,verdict,kept by ann: Known.", {}, "verdict", 0.83, "was removed"),
        ("cave,core,0.83,0,0,,,,rare,verdict,kept by bob: Known.", ANN, "verdict", 0.83, '"keep"'),
        ("cave,likely,0.83,0,0,,,,rare,estimate,untried: known", ANN, "estimate", 0.83, '"keep"'),
        ("cave,refused,0.83,1,0,,,2025-01-01,rare,refused,so", ANN, "record", 0.83, '"keep"'),
        ("cave,refused,0.83,1,0,,,2025-01-02,rare,refused,so", ANN, "record", 0.83, ""),
    ],
)
def test_a_word_is_explained_by_its_row_of_the_release_and_a_verdict_that_is_not_applied(row, verdict, by, p, pending):
    (cells,) = reader.rows(f"{','.join(WORD_COLUMNS)}\n{row}\n".encode(), "words.csv")
    found = about.with_verdict(about.explain("cave", cells), verdict)
    assert (found.by, found.p, found.flags) == (by, p, ["rare"])
    assert (pending in found.pending, bool(found.pending)) == (True, bool(pending))
    assert found.verdict == {name: cell for name, cell in verdict.items() if name != "word"}
