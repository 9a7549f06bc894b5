"""Decision files: a line is inserted at its place, all other lines stay the same, and the lines of two people are
merged."""

import pytest

from pipeline.errors import DataError, DecisionError
from pipeline.facts import by_hand, decision_files
from pipeline.facts.decision_files import add_rows, lost_lines, merge, read, remove_row

HEADER = "word,verdict,reason,by,on\n"
CANTO = "canto,keep,in poems,ann,2026-01-01\n"
LUFF = "luff,drop,of sails,ben,2026-01-02\n"
ZINE = "zine,keep,in shops,cat,2026-01-03\n"
COVE = {"word": "cove", "verdict": "keep", "reason": "on maps", "by": "ann", "on": "2026-01-04"}
TWO_LINES = '"canto",keep,"two\nlines",ann,2026-01-01\n'
COVE_LINE = "cove,keep,on maps,ann,2026-01-04\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", HEADER + COVE_LINE),
        (HEADER, HEADER + COVE_LINE),
        (HEADER + CANTO + LUFF, HEADER + CANTO + COVE_LINE + LUFF),
        (HEADER + LUFF + ZINE, HEADER + COVE_LINE + LUFF + ZINE),
        (HEADER + ZINE + CANTO + LUFF, HEADER + COVE_LINE + ZINE + CANTO + LUFF),
        (HEADER + CANTO.rstrip("\n"), HEADER + CANTO + COVE_LINE),
        (HEADER + LUFF.rstrip("\n"), HEADER + COVE_LINE + LUFF.rstrip("\n")),
        (HEADER + CANTO.replace("\n", "\r\n"), HEADER + CANTO.replace("\n", "\r\n") + COVE_LINE),
        (HEADER + TWO_LINES, HEADER + TWO_LINES + COVE_LINE),
        ('# "ours\n' + HEADER + CANTO + LUFF, '# "ours\n' + HEADER + CANTO + COVE_LINE + LUFF),
    ],
)  # fmt: skip
def test_a_line_comes_before_the_first_greater_one_and_no_other_byte_changes(before, after):
    assert add_rows("verdicts", before, [COVE]) == after


def test_a_word_that_has_a_line_gets_no_second_one():
    with pytest.raises(DecisionError, match=r"already has cove: keep cove, by ann .* `bee undo cove --kind verdict`"):
        add_rows("verdicts", HEADER + COVE_LINE, [{**COVE, "verdict": "drop"}])


@pytest.mark.parametrize(("table", "row"), [("verdicts", {**COVE, "reason": "..."}), ("grades", {"reason": ""})])
def test_a_new_line_needs_a_reason_that_says_something(table, row):
    with pytest.raises(DecisionError, match="Nothing was written"):
        add_rows(table, "", [{"word": "cove", "grade": "none", "by": "", **row}])


def test_a_line_that_two_people_wrote_alike_counts_once():
    data = (HEADER + CANTO + LUFF + CANTO).encode()
    assert read("verdicts", "custom/verdicts.csv", data)["word"].tolist() == ["canto", "luff"]
    assert decision_files.line_numbers({"custom/verdicts.csv": data})["verdicts"] == {("canto",): 2, ("luff",): 3}
    commented = ("# ours\n" + HEADER + CANTO + LUFF + CANTO).encode()
    assert decision_files.line_numbers({"custom/verdicts.csv": commented})["verdicts"] == {("canto",): 3, ("luff",): 4}
    quoted = (HEADER + CANTO + CANTO.replace("in poems", '"in poems"')).encode()
    assert len(read("verdicts", "custom/verdicts.csv", quoted)) == 1


def test_a_repetition_beside_other_lines_with_the_same_first_cells_counts_once_and_these_lines_stay():
    lines = ["luff,,noun,edge of a sail\n", "luff,,noun,side of a ship\n", "luff,,verb,turn to the wind\n"]
    data = "word,base,pos,gloss\n" + "".join(lines) + lines[0]
    frame = read("glosses", "custom/glosses.csv", data.encode())
    assert [",".join(row) + "\n" for row in frame.to_numpy().tolist()] == lines


ACCEPTED = "2025-01-02,,eacnotv,{},accept,,,seen it,{}\n"


@pytest.mark.parametrize(
    ("table", "text", "names"),
    [
        (
            "verdicts",
            HEADER + CANTO + LUFF + "luff,keep,of ships,ann,2026-01-05\n",
            ["line 3: drop luff, by ben", "line 4: keep luff, by ann", "luff --kind verdict --line"],
        ),
        (
            "day_decisions",
            "date,source,letters,answers,decision,added,removed,reason,by\n\n"
            + ACCEPTED.format(30, "ann")
            + ACCEPTED.format(31, "ben"),
            [
                "accept 2025-01-02 eacnotv with 30 answers, by ann",
                "with 31 answers, by ben",
                "2025-01-02 --kind day --line",
            ],
        ),
    ],
)
def test_two_decisions_on_one_key_name_both_lines_both_people_and_the_command_that_keeps_each(table, text, names):
    with pytest.raises(DecisionError) as error:
        read(table, by_hand.PATHS[table], text.encode())
    keeps = [f"`bee undo {names[2]} 4` keeps line 3", f"`bee undo {names[2]} 3` keeps line 4"]
    for part in (by_hand.PATHS[table], *names, *keeps):
        assert part in str(error.value)


def test_the_marks_of_a_conflict_are_named_with_the_way_out():
    text = f"{HEADER}<<<<<<< HEAD\n{CANTO}=======\n{LUFF}>>>>>>> theirs\n"
    with pytest.raises(DecisionError, match=r"line 2, has a conflict marker.*`bee restore`"):
        read("verdicts", "custom/verdicts.csv", text.encode())
    with pytest.raises(DecisionError, match=r"line 2, has a conflict marker.*`bee restore`"):
        remove_row("verdicts", text, "canto")
    assert decision_files.conflict_lines(b"=======\nword\n") == []
    assert decision_files.conflict_lines(text.replace("\n", "\r\n").encode()) == [2, 4, 6]


@pytest.mark.parametrize(
    ("subject", "line", "remaining"),
    [
        ("luff", 0, HEADER + CANTO + ZINE),
        ("luff", 3, HEADER + CANTO + ZINE),
        ("", 4, HEADER + CANTO + LUFF),
        ("", 9, HEADER + CANTO + LUFF + ZINE),
        ("ruff", 0, HEADER + CANTO + LUFF + ZINE),
    ],
)
def test_a_line_is_taken_out_by_its_word_or_its_number(subject, line, remaining):
    text, removed = remove_row("verdicts", HEADER + CANTO + LUFF + ZINE, subject, line)
    assert text == remaining
    assert bool(removed) == (text != HEADER + CANTO + LUFF + ZINE)


def test_a_line_that_is_there_twice_goes_twice_and_of_two_different_ones_the_line_says_which():
    assert remove_row("verdicts", HEADER + CANTO + LUFF + CANTO, "canto") == (
        HEADER + LUFF,
        dict(zip(HEADER.strip().split(","), CANTO.strip().split(","), strict=True)),
    )
    both = HEADER + CANTO + CANTO.replace("keep", "drop")
    with pytest.raises(DecisionError, match=r"`bee undo canto --kind verdict --line 3` keeps line 2"):
        remove_row("verdicts", both, "canto")
    assert remove_row("verdicts", both, "canto", 3)[0] == HEADER + CANTO
    third = both + CANTO.replace("ann", "eve")
    with pytest.raises(DecisionError, match=r"3 different decisions.*`bee undo canto --kind verdict --line 4` removes"):
        remove_row("verdicts", third, "canto")


def test_of_the_definitions_of_a_word_the_last_one_goes():
    text = "word,base,pos,gloss\nluff,,verb,turn to the wind\nluff,,noun,edge of a sail\nzine,,noun,small magazine\n"
    remaining, removed = remove_row("glosses", text, "luff")
    assert removed["gloss"] == "edge of a sail"
    assert remaining.count("luff") == 1


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "result"),
    [
        ("", CANTO, LUFF, CANTO + LUFF),
        (CANTO, CANTO + ZINE, LUFF + CANTO, CANTO + LUFF + ZINE),
        (CANTO + LUFF, CANTO, CANTO + LUFF + ZINE, CANTO + ZINE),
        (CANTO + LUFF, CANTO + LUFF + ZINE, LUFF, LUFF + ZINE),
        ("", CANTO, CANTO.replace("keep", "drop"), CANTO + CANTO.replace("keep", "drop")),
    ],
)
def test_the_decisions_of_both_sides_are_joined_and_what_one_took_out_is_out(base, ours, theirs, result):
    assert merge("verdicts", HEADER + base, HEADER + ours, HEADER + theirs) == HEADER + result


def test_what_only_the_file_itself_has_stays_whatever_marks_it_has():
    here = f"{HEADER}<<<<<<< HEAD\n{CANTO}||||||| base\n=======\n{LUFF}>>>>>>> theirs\n{ZINE}"
    assert merge("verdicts", HEADER, HEADER + CANTO, HEADER + LUFF, here) == HEADER + CANTO + LUFF + ZINE
    assert merge("verdicts", HEADER, HEADER + CANTO, HEADER + LUFF) == HEADER + CANTO + LUFF


@pytest.mark.parametrize(
    ("ours", "theirs", "result"),
    [
        (TWO_LINES + LUFF + "broken\n", ZINE, TWO_LINES + LUFF + ZINE + "broken\n"),
        (ZINE, "broken\n" + TWO_LINES + LUFF, TWO_LINES + LUFF + ZINE + "broken\n"),
        ("ruff,keep,a, bird,ann,2026-01-05\n" + TWO_LINES, "", TWO_LINES + "ruff,keep,a, bird,ann,2026-01-05\n"),
        ('"cut\n' + CANTO + LUFF, ZINE, CANTO + LUFF + ZINE + '"cut\n'),
        (CANTO + "luff,drop,of", LUFF, CANTO + LUFF),
        (f'bad,keep,"open\n{CANTO}end",ann,x\nbroken\n', "", f'{CANTO}bad,keep,"open\nend",ann,x\nbroken\n'),
    ],
)
def test_lines_that_cannot_be_read_stay_at_the_end_of_a_merge_and_hide_no_others(ours, theirs, result):
    assert merge("verdicts", HEADER, HEADER + ours, HEADER + theirs) == HEADER + result
    assert merge("verdicts", HEADER, HEADER, HEADER + theirs, current=HEADER + ours) == HEADER + result


@pytest.mark.parametrize(
    ("now", "lost"),
    [
        (HEADER + CANTO, []),
        (HEADER + LUFF, [LUFF.strip()]),
        (HEADER + LUFF.replace("of sails", '"of sails"'), [LUFF.strip().replace("of sails", '"of sails"')]),
        (HEADER + CANTO.replace("in poems", '"in poems"'), []),
        (HEADER + "canto,keep,in", []),
        (HEADER + "ruff,keep", ["ruff,keep"]),
        ("\0" * 40, []),
        (f"{HEADER}<<<<<<< HEAD\n{CANTO}=======\n{LUFF}>>>>>>> x\n", [LUFF.strip()]),
    ],
)
def test_a_line_is_lost_if_it_is_neither_committed_nor_in_the_next_text(now, lost):
    assert lost_lines(now, committed=HEADER + CANTO, next_text=HEADER + ZINE) == lost


def test_a_file_that_ends_within_a_definition_is_cut_short():
    with pytest.raises(DataError, match="cut short"):
        read("glosses", "custom/glosses.csv", b"word,base,pos,gloss\nluff,,noun,edge of a")


@pytest.mark.parametrize(
    ("subject", "line", "command"),
    [
        ("thorn", 0, "bee undo thorn --kind verdict"),
        ("Thorn", 0, "bee undo Thorn --kind verdict"),
        ("thorn\u00a0", 3, "bee undo --kind verdict --line 3"),
        ("th rn", 3, "bee undo 'th rn' --kind verdict --line 3"),
        ("Thorn", 3, "bee undo --kind verdict --line 3"),
        ("", 3, "bee undo --kind verdict --line 3"),
    ],
)
def test_a_word_that_cannot_be_typed_as_it_is_printed_is_found_by_its_line_if_there_is_one(subject, line, command):
    assert str(by_hand.undo_command("verdicts", subject, line)) == f"`{command}`"


def test_a_cell_that_a_spreadsheet_would_run_is_read_without_its_apostrophe():
    table = read("verdicts", "custom/verdicts.csv", f"{HEADER}canto,keep,'=1+1,ann,2026-01-01\n{LUFF}".encode())
    assert table["reason"].tolist() == ["=1+1", "of sails"]
