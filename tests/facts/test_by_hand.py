"""Files of people: what is written is read again, sorted by key, and each decision once; what is wrong is named."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.errors import BeeError, DataError, DecisionError
from pipeline.facts.by_hand import FILES, add, parse, remove

HEADER = "word,verdict,reason,by,after\n"
COVE = {"word": "cove", "verdict": "keep", "reason": "on maps", "by": "ann", "after": "2026-01-04"}
WORDS = st.text("abc", min_size=4, max_size=6)
TEXTS = st.text(st.characters(categories=["L", "N", "P", "S", "Zs"]), max_size=9).map(lambda text: f"{text} so be it")


@given(st.dictionaries(WORDS, st.tuples(st.sampled_from(["keep", "drop"]), TEXTS)), st.booleans(), st.booleans())
def test_what_is_written_is_read_again_sorted_whatever_the_line_ends_and_the_beginning(decided, crlf, bom):
    new = [{**COVE, "word": word, "verdict": verdict, "reason": text} for word, (verdict, text) in decided.items()]
    data = add("verdicts", b"", new)
    expected = [{**row, "reason": " ".join(row["reason"].split())} for row in sorted(new, key=lambda row: row["word"])]
    assert parse("verdicts", data) == expected
    other = b"\xef\xbb\xbf" * bom + (data.replace(b"\n", b"\r\n") if crlf else data)
    assert parse("verdicts", other) == expected


def test_equal_lines_count_once_and_the_other_lines_stay_as_they_are():
    canto, luff = "canto,keep,=1+1,ann,2026-01-01\n", 'luff,drop,"of ""sails"", two",ben,\n'
    data = (HEADER + luff + canto + luff + canto.rstrip("\n")).encode()
    assert [row["reason"] for row in parse("verdicts", data)] == ['of "sails", two', "=1+1"]
    cove = "cove,keep,on maps,ann,2026-01-04\n"
    assert add("verdicts", data, [COVE]).decode() == HEADER + canto + cove + luff
    rest, removed = remove("verdicts", data, "luff")
    assert (rest.decode(), [row["word"] for row in removed]) == (HEADER + canto, ["luff"])


@pytest.mark.parametrize("later", ["first", "second"])
def test_of_two_lines_with_one_verdict_that_counts_which_holds_longer(later):
    lines = [f"cove,keep,seen,ann,2026-01-0{2 if later == 'first' else 1}\n", "cove,keep,known,ben,\n"]
    if later == "second":
        lines.reverse()
    (row,) = parse("verdicts", (HEADER + "".join(lines)).encode())
    assert row["by"] == "ann"


def test_two_verdicts_on_a_word_are_an_error_that_names_both_lines():
    data = (HEADER + "cove,keep,seen,ann,\nluff,keep,seen,ann,\ncove,drop,odd,ben,\n").encode()
    with pytest.raises(DecisionError, match=r"two decisions on cove: line 2 .*ann.* and line 4 .*ben"):
        parse("verdicts", data)
    for table, data in (
        ("grades", b"word,grade,reason,by\ncove,crude,,\ncove,none,,\n"),
        ("readers", b"word,opinion,reading\ncove,odd,1\ncove,fine,1\n"),
    ):
        with pytest.raises(DecisionError, match=r"two decisions on cove: line 2 .* and line 3"):
            parse(table, data)


@pytest.mark.parametrize(
    ("table", "line", "names"),
    [
        ("verdicts", "cove,keep,seen,ann,2026-02-30", "2026-02-30"),
        ("verdicts", "cove,maybe,seen,ann,", "maybe"),
        ("verdicts", "Cove,keep,seen,ann,", "Cove"),
        ("verdicts", "cove,keep,,ann,", "reason"),
        ("verdicts", "cove,keep,a\x1b[31m,ann,", "reason"),
        ("verdicts", "<<<<<<< HEAD", "1 cell"),
        ("grades", "cove,rude,,", "rude"),
        ("readers", "cove,great,1", "great"),
        ("named_days", "2026-01-04,nyt,abc,so,ann", "abc"),
        ("named_days", "2026-01-04,N Y T,0123456789ab,so,ann", "N Y T"),
        ("glosses", "cove,noun," + "bay " * 13, "12 words"),
        ("glosses", "cove,thing,bay", "thing"),
        ("glosses", "Cove,noun,bay", "Cove"),
    ],
)
def test_a_line_that_is_no_decision_is_named_by_file_and_number(table, line, names):
    file = FILES[table]
    with pytest.raises(BeeError) as error:
        parse(table, f"{','.join(file.columns)}\n\n{line}\n".encode())
    assert str(error.value).startswith(f"{file.path}, line 3: ")
    assert names in str(error.value)


def test_lines_that_need_no_more_are_valid():
    assert parse("grades", b"word,grade,reason,by\ncove,none,,\n")
    assert parse("named_days", b"date,source,check,reason,by\n2026-01-04,none,,lost,ann\n")
    assert parse("glosses", f"word,pos,gloss\nan,determiner,one\nan,noun,{'one ' * 12}\n".encode())
    assert parse("verdicts", b"") == []


@pytest.mark.parametrize("header", ["word,verdict,reason,by", "# mine", HEADER[:-1] + ",x"])
def test_other_columns_are_refused(header):
    with pytest.raises(DataError, match=r"verdicts\.csv: the first line must be word,verdict,reason,by,after"):
        parse("verdicts", f"{header}\n".encode())


@pytest.mark.parametrize("data", [b"\xff", b'word,"', b'word,verdict,reason,by,after\ncove,keep,"so'])
def test_a_file_that_is_no_table_is_named(data):
    with pytest.raises(DataError, match=r"custom/verdicts\.csv"):
        parse("verdicts", data)


@pytest.mark.parametrize(
    ("change", "names"), [({"word": "cov"}, "cov"), ({"by": "\u200b"}, "by"), ({"verdict": "drop"}, "bee undo cove")]
)
def test_a_new_decision_must_be_valid_and_new(change, names):
    data = add("verdicts", b"", [COVE])
    with pytest.raises(DecisionError, match="Nothing was written") as error:
        add("verdicts", data, [{**COVE, "reason": "other", **change}])
    assert names in str(error.value)
    assert add("verdicts", data, [COVE]) == data
    again = {**COVE, "reason": "still there", "after": "2026-03-04"}
    assert parse("verdicts", add("verdicts", data, [again])) == [again]
    with pytest.raises(DecisionError, match="already has a decision"):
        add("verdicts", data, [{**COVE, "reason": "still there"}])
