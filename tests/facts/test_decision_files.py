"""Decision files: what is written is read again, sorted by key, and each decision once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.errors import DataError, DecisionError
from pipeline.facts.decision_files import add, encode, parse, read, without

HEADER = "word,verdict,reason,by,on\n"
COVE = {"word": "cove", "verdict": "keep", "reason": "on maps", "by": "ann", "on": "2026-01-04"}
WORDS = st.text("abc", min_size=4, max_size=6)
TEXTS = st.text(st.characters(categories=["L", "N", "P", "S", "Zs"]), max_size=9).map(lambda text: f"{text} so be it")


def rows(data: bytes) -> list[dict[str, str]]:
    return [decision.row for decision in parse("verdicts", data)]


@given(st.dictionaries(WORDS, st.tuples(st.sampled_from(["keep", "drop"]), TEXTS)), st.booleans(), st.booleans())
def test_what_is_written_is_read_again_sorted_whatever_the_line_ends_and_the_beginning(decided, crlf, bom):
    new = [{**COVE, "word": word, "verdict": verdict, "reason": text} for word, (verdict, text) in decided.items()]
    data = add("verdicts", b"", new)
    expected = [{**row, "reason": " ".join(row["reason"].split())} for row in sorted(new, key=lambda row: row["word"])]
    assert rows(data) == expected
    other = b"\xef\xbb\xbf" * bom + (data.replace(b"\n", b"\r\n") if crlf else data)
    assert encode("verdicts", parse("verdicts", other)) == data


def test_equal_lines_count_once_and_the_other_lines_stay_as_they_are():
    canto, luff = "canto,keep,'=1+1,ann,2026-01-01\n", 'luff,drop,"of ""sails"", two",ben,2026-01-02\n'
    data = (HEADER + luff + canto + luff + canto.rstrip("\n")).encode()
    assert read("verdicts", data)["reason"].tolist() == ["=1+1", 'of "sails", two']
    cove = "cove,keep,on maps,ann,2026-01-04\n"
    assert add("verdicts", data, [COVE]).decode() == HEADER + canto + cove + luff
    rest, removed = without("verdicts", data, "luff")
    assert (rest.decode(), [row["word"] for row in removed]) == (HEADER + canto, ["luff"])


@pytest.mark.parametrize(("table", "row"), [("verdicts", {**COVE, "reason": "..."}), ("grades", {"reason": ""})])
def test_a_new_decision_needs_a_reason_that_says_something(table, row):
    with pytest.raises(DecisionError, match="Nothing was written"):
        add(table, b"", [{"word": "cove", "grade": "none", "by": "", **row}])


def test_the_columns_may_have_any_order():
    data = b"verdict,on,word,reason,by\nkeep,2026-01-04,cove,on maps,ann\n"
    assert encode("verdicts", parse("verdicts", data)) == add("verdicts", b"", [COVE])


def test_a_name_of_characters_that_nobody_sees_is_no_name():
    with pytest.raises(DecisionError, match="A name is required"):
        add("verdicts", b"", [{**COVE, "by": "\u200b"}])


@pytest.mark.parametrize(
    "header", ["word,verdict,reason,by", "word;verdict;reason;by;on", "# mine", HEADER[:-1] + ",x"]
)
def test_other_columns_are_refused(header):
    row = ",".join(["canto"] * len(header.split(",")))
    with pytest.raises(DataError, match=r"verdicts\.csv: The first line must be"):
        read("verdicts", f"{header}\n{row}\n".encode())


@pytest.mark.parametrize(("faults", "more"), [(10, False), (11, True)])
def test_of_many_faults_ten_are_named(faults, more):
    lines = [f"canto,perhaps,in poems {number},ann,2026-01-01\n" for number in range(faults)]
    with pytest.raises(DecisionError) as error:
        read("verdicts", (HEADER + "".join(lines)).encode())
    assert ("And 1 more line" in str(error.value), str(error.value).count("Correct")) == (more, 10)
