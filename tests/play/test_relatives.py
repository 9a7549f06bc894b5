"""The relatives of a word, from the table of forms."""

import gzip

import pytest

from pipeline import reader
from pipeline.errors import BeeError
from pipeline.play.relatives import relatives


def test_relatives_are_bases_forms_and_other_forms_of_the_bases_each_once():
    found = relatives({"table", "tabled", "achier"})
    assert sorted(found["table"]) == ["tabled", "tables", "tabling"]
    assert found["tabled"][0] == "table"
    assert sorted(found["tabled"][1:]) == ["tables", "tabling"]
    assert {"achy", "achiest"} <= {*found["achier"]}
    assert relatives({"zzzz"}) == {"zzzz": []}


@pytest.mark.parametrize("table", [b"cove,cov\xff,,\n", b"cove,\n"])
def test_a_damaged_table_of_forms_is_one_sentence(tmp_path, monkeypatch, table):
    (tmp_path / "forms.csv.gz").write_bytes(gzip.compress(b"word,base,form,own\n" + table))
    monkeypatch.setattr(reader.lexicon_table, "__defaults__", (tmp_path,))
    with pytest.raises(BeeError, match="forms is damaged"):
        relatives({"cove"})
