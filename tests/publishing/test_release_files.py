"""The files of a release: which words are in words.csv, and its version."""

import shutil

import pandas as pd
import pytest

from pipeline import reader
from pipeline.facts.coverage import Coverage
from pipeline.publishing import check, release_files
from pipeline.tables import frames


@pytest.mark.parametrize(
    ("last_date", "version_before", "version"),
    [
        ("2025-12-31", "2025.12.31.9", "2025.12.31.10"),
        ("2026-01-01", "2025.12.31.9", "2026.01.01.1"),
        ("2025-12-30", "2025.12.31.9", "2025.12.31.10"),
        ("", "2025.12.31.9", "2025.12.31.10"),
        ("2025-12-31", "2025.12.31.x", "2025.12.31.1"),
        ("", "", "0000.00.00.1"),
    ],
)
def test_a_version_is_the_last_day_and_a_number(last_date, version_before, version):
    assert release_files.next_version(last_date, version_before) == version


NONE = frames.empty("violations")


def made(
    last: reader.Release | None, changes_since_approval: list[tuple[str, str]] | None, violations: pd.DataFrame = NONE
) -> reader.Release:
    """A release of one accepted word."""
    accepted = {"tier": "core", "by": "record", "kind": "accepted", "because": "accepted once, on 2025-01-02"}
    dates = {"first_accepted": "2025-01-02", "last_accepted": "2025-01-02", "last_refused": ""}
    tables = release_files.ReleaseTables(
        flags=frames.empty("flags"),
        decisions=frames.from_rows([{"word": "cove", **accepted, "p": 1.0}], "decisions"),
        violations=violations,
        record=frames.from_rows([{"word": "cove", "offered": 1, "accepted": 1, **dates}], "record"),
        coverage=Coverage(frozenset(["2025-01-02"])),
        track=frames.empty("track"),
        without_trial=frames.empty("without_trial"),
    )
    sources = frames.read_csv(b"title,version,licence,home\n", "sources")
    origins = release_files.ReleaseOrigins(made_with={}, sources=sources, licenses={}, scowl=b"")
    return reader.Release(
        release_files.make_files(tables, origins, last, lambda _: b"date,letters\n", changes_since_approval)
    )


def test_a_release_with_the_same_files_is_the_same_release_and_a_byte_makes_another():
    first = made(None, None)
    assert (first.version, first.package["approved"]) == ("2025.01.02.1", "2025.01.02.1")
    assert first.files == made(first, None).files == made(first, []).files
    for name in first.files:
        other = reader.Release({**first.files, name: first.files[name] + b"\n"})
        next_release = made(other, [])
        assert (next_release.version, next_release.package["approved"]) == ("2025.01.02.2", "2025.01.02.1")


def test_what_was_found_in_captures_stays_at_home():
    found = check.violations({rule: [("2025-01-02 cove", "so")] for rule in check.RULES})
    told = frames.read_csv(made(None, None, found).files["violations.csv"], "violations.csv")
    assert set(told["rule"]) == {rule for rule, each in check.RULES.items() if each.scope == "release"}


def test_an_approval_of_changes_makes_another_release_and_a_second_approval_does_not():
    changed = made(made(None, None), [("cove", "added")])
    assert (changed.version, changed.package["approved"]) == ("2025.01.02.2", "2025.01.02.1")
    assert changed.package["since_approved"] == {"added": ["cove"], "removed": []}
    approved = made(changed, None)
    assert (approved.version, approved.package["approved"]) == ("2025.01.02.3", "2025.01.02.3")
    assert made(approved, None).files == approved.files


@pytest.mark.parametrize("package", [b"{", b"[]", b'{"title": "t"}'])
def test_a_file_that_describes_no_release_is_named(package):
    with pytest.raises(reader.ReleaseError, match=r"datapackage\.json does not describe a release"):
        _ = reader.Release({reader.PACKAGE: package}).package


def test_checksums_that_lost_lines_are_an_incomplete_release(ran_once, bee, tmp_path):
    shutil.copytree(ran_once / "custom", tmp_path / "custom")
    sums = tmp_path / "custom" / reader.SUMS
    sums.write_text("".join(sums.read_text().splitlines(keepends=True)[:3]))
    failed = bee("verify", tmp_path / "custom")
    assert (failed.code, "so the release there is incomplete" in failed.err) == (1, True)
