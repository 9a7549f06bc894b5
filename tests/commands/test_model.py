"""The weights of the estimates are written only when a person asks, their loss is reported, and they are part of a
release."""

import json
import re

import pytest
from conftest import SAMPLE

from pipeline import reader

MODEL = "custom/model.csv"


@pytest.mark.slow
def test_the_first_run_fits_the_weights_and_neither_a_later_one_nor_a_rebuild_does(bee, ran):
    first = (ran / MODEL).read_bytes()
    assert bee("--data", ran, "import", SAMPLE, "--source", "again").code == 0
    assert bee("--data", ran, "run").code == 0
    assert "fits them to this record" in bee("--data", ran, "run", "--rebuild").err
    assert (ran / MODEL).read_bytes() == first


@pytest.mark.slow
def test_damaged_weights_are_missed_and_come_back_by_what_the_message_names(bee, ran):
    path = ran / MODEL
    before = path.read_bytes()
    path.write_bytes(before.replace(b"constant", b"Constant"))
    done = bee("--data", ran, "run")
    assert (done.code, "custom/model.csv is damaged" in done.err, "`bee flag --fit`" in done.err) == (1, True, True)
    path.unlink()
    done = bee("--data", ran, "flag", "--fit")
    assert re.search(r"\d+ weights, fitted on 14 days; `bee run` makes the list with them", done.err)
    assert path.read_bytes() == before, "the record is the same"


def test_a_weight_that_is_no_number_is_refused(bee, ran):
    header, first, *rest = (ran / MODEL).read_text().splitlines()
    name, _, *others = first.split(",")
    for weight in ("nan", "inf"):
        (ran / MODEL).write_text("\n".join([header, ",".join([name, weight, *others]), *rest, ""]))
        done = bee("--data", ran, "flag")
        assert (done.code, "custom/model.csv" in done.err, "`bee flag --fit`" in done.err) == (1, True, True), done.err


@pytest.mark.slow
def test_other_word_lists_need_a_fit_and_check_says_so(bee, ran):
    def outdated() -> str:
        return bee("--data", ran, "check", "--only", "model-outdated").out

    assert outdated() == ""
    (ran / "raw/lists").mkdir()
    (ran / "raw/lists/mine.txt").write_text("vocab\nzizzer\n")
    assert "it was fitted with other word lists; run `bee flag --fit`" in outdated()


def test_the_release_names_the_weights_that_it_was_made_with(ran):
    package = json.loads((ran / "custom" / reader.PACKAGE).read_bytes())
    assert package["made_with"]["model.csv"] == f"sha256:{reader.sha256((ran / MODEL).read_bytes())}"
