"""What must never be in the project, and what it must say."""

import re
import subprocess

import pytest
from conftest import PROJECT


def test_no_dated_answers_but_the_two_weeks_are_in_the_project():
    listed = subprocess.run(["git", "ls-files"], cwd=PROJECT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("this is no git checkout")
    for path in (PROJECT / name for name in listed.stdout.split()):
        if path.suffix in (".gz", ".png") or "tests" in path.parts or not path.is_file():
            continue
        dated = re.findall(r"^(20\d\d-?\d\d-?\d\d)[ ,].*\b[a-z]{4,}$", path.read_text("utf-8", "replace"), re.MULTILINE)
        assert not dated or path.parent.name == "sample" or path.name in ("daily.csv", "days.csv"), path
    sample = (PROJECT / "data/raw/sample/two-weeks.csv").read_text()
    assert len(set(re.findall(r"^\d{4}-\d\d-\d\d", sample, re.MULTILINE))) == 14


def test_the_readme_says_whose_game_it_is_not():
    assert "ot affiliated with The New York Times" in (PROJECT / "README.md").read_text()
