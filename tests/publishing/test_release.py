"""The files of a release: which words are in words.csv, its version, and what `bee verify` refuses."""

import json
import re

import pandas as pd
import pytest
from conftest import reseal

from pipeline import reader
from pipeline.publishing import release
from pipeline.tables import frames


def words(**p: float) -> list[str]:
    """The words of words.csv, where some untried and unlikely words have these p."""
    rows = [
        {
            "word": word,
            "tier": "refused",
            "by": "estimate",
            "kind": "estimate",
            "because": "untried: - rare in texts",
            "p": p_of_word,
        }
        for word, p_of_word in p.items()
    ]
    accepted = {"kind": "accepted", "because": "accepted once, on 2025-01-02"}
    rows.append({"word": "hijklmn", "tier": "core", "by": "record", **accepted, "p": 0.9})
    decisions = frames.check(pd.DataFrame(rows), "decisions")
    table = release.words_table(decisions, frames.empty("record"), frames.empty("flags"))
    return sorted(set(table["word"]) - {"hijklmn"})


def test_an_unlikely_pangram_is_in_the_table_from_one_in_a_hundred_on():
    assert words(abcdefg=0.0099, abcdefh=0.01, abcdefi=0.0101) == ["abcdefh", "abcdefi"]


def test_an_unlikely_word_that_could_not_be_a_guess_is_left_out():
    """It is no pangram, or its letters have one on the list."""
    assert words(abcdef=0.4, hijklmnn=0.4, abcdefg=0.4) == ["abcdefg"]


def test_a_word_that_a_person_keeps_has_a_half_at_least_unless_a_puzzle_tried_it():
    cells = {"tier": "core", "by": "verdict", "kind": "verdict", "because": "kept by ann"}
    rows = [{"word": word, "p": p, **cells} for word, p in (("cave", 0.3), ("cove", 0.3), ("dove", 0.7))]
    dropped = {"word": "wove", "p": 0.3, **cells, "tier": "refused"}
    decisions = frames.from_rows([*rows, dropped], "decisions")
    tried = {"word": "cove", "offered": 1, "accepted": 0, "first_accepted": "", "last_accepted": ""}
    record = frames.from_rows([{**tried, "last_refused": "2025-01-02", "witnesses": 0}], "record")
    table = release.words_table(decisions, record, frames.empty("flags")).set_index("word")
    assert table["p"].to_dict() == {"cave": "0.50", "cove": "0.30", "dove": "0.70", "wove": "0.30"}


BEFORE = {"covers": {"last": "2025-12-31"}, "words": {"core": 2}, "version": "2025.12.31.9", "approved": "2025.12.31.8"}


@pytest.mark.parametrize(
    ("changed", "version"),
    [
        ({}, "2025.12.31.9"),
        ({"words": {"core": 3}}, "2025.12.31.10"),
        ({"approved": "2025.12.31.7"}, "2025.12.31.10"),
        ({"covers": {"last": "2026-01-01"}}, "2026.01.01.1"),
        ({"covers": {"last": "2025-12-30"}}, "2025.12.31.10"),
        ({"covers": {"last": ""}}, "2025.12.31.10"),
    ],
)
def test_a_version_is_the_last_day_and_a_number_that_counts_what_changed(changed, version):
    assert release.version({**BEFORE, **changed, "version": ""}, BEFORE) == version


@pytest.mark.parametrize(
    ("offered", "accepted", "says"),
    [
        (2, 2, ""),
        (2, 3, "contradicts itself"),
        (2, -1, "is not a valid accepted"),
        (1, 1, "times, but words.csv says 1"),
        (3, 2, "times, but words.csv says 3"),
    ],
)
def test_the_record_of_a_word_is_consistent_and_that_of_record_csv(ran, bee, offered, accepted, says):
    """The word was accepted both times. The description and the checksums of all files are updated."""
    files = dict(reader.read(ran / "custom").files)
    table = frames.read_csv(files["words.csv"], "words.csv")
    at = table.index[(table["offered"] == "2") & (table["accepted"] == "2")][0]
    table.loc[at, ["offered", "accepted"]] = [str(offered), str(accepted)]
    files["words.csv"] = frames.csv_bytes(table)
    package = json.loads(files[reader.PACKAGE])
    for resource in package["resources"]:
        data = files[resource["path"]]
        resource |= {"bytes": len(data), "hash": f"sha256:{reader.sha256(data)}"}
    files[reader.PACKAGE] = json.dumps(package).encode()
    for name in ("words.csv", reader.PACKAGE):
        (ran / "custom" / name).write_bytes(files[name])
    (ran / "custom" / reader.SUMS).write_bytes(reader.format_checksums(files))
    done = bee("verify", ran / "custom")
    assert (done.code, says in done.err) == (int(bool(says)), True), done.err
    assert not says or f'"{table["word"][at]}"' in done.err


TRACKED = b"2024-03-05,nyt,2,40,0,0,1,0.5000,0.10\n"
"""A row of a track record: an exact list."""


@pytest.mark.parametrize(
    ("name", "change", "says"),
    [
        ("track.csv", lambda data: data + TRACKED, "track.csv in .* has 2024-03-05, which the record does not cover"),
        ("record.csv", lambda data: data.replace(b",1,1,", b",2,2,", 1), "record.csv in .* contradicts words.csv"),
        ("datapackage.json", lambda data: data.replace(b'"dates": "20', b'"datez": "20'), "lacks its dates"),
        ("datapackage.json", lambda data: data.replace(b'"days": ', b'"days": 1'), "does not count the days"),
    ],
)
def test_a_release_that_contradicts_itself_is_refused_even_if_it_is_described(ran, bee, name, change, says):
    assert bee("verify", ran / "custom").code == 0
    path = ran / "custom" / name
    path.write_bytes(change(path.read_bytes()))
    package = json.loads((ran / "custom" / reader.PACKAGE).read_bytes())
    for resource in package["resources"]:
        data = (ran / "custom" / resource["path"]).read_bytes()
        resource |= {"bytes": len(data), "hash": f"sha256:{reader.sha256(data)}"}
    (ran / "custom" / reader.PACKAGE).write_text(json.dumps(package))
    reseal(ran / "custom")
    done = bee("verify", ran / "custom")
    assert (done.code, bool(re.search(says, done.err))) == (1, True), done.err


def test_a_changed_file_that_a_release_was_made_with_is_not_applied_yet_and_a_missing_one_is_refused(ran, bee):
    path = ran / "custom/model.csv"
    path.write_bytes(path.read_bytes() + b"\n")
    done = bee("verify", ran / "custom")
    assert (done.code, "model.csv has changed" in done.err) == (0, True)
    path.unlink()
    done = bee("verify", ran / "custom")
    assert (done.code, "model.csv is missing" in done.err) == (1, True)


def test_a_version_that_is_none_is_not_counted_on():
    assert release.version({**BEFORE, "version": ""}, {**BEFORE, "version": "2025.12.31.x"}) == "2025.12.31.1"


def test_a_release_that_only_confirms_its_own_approval_is_the_same_release():
    first = {**BEFORE, "approved": BEFORE["version"]}
    assert release.version({**first, "version": "", "approved": "2025.12.31.8"}, first) == "2025.12.31.9"
