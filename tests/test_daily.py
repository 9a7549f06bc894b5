"""The scripts of the daily workflow, with a local server, a bare repository, and a replacement for gh."""

import itertools
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import PROJECT, reseal
from server import serving

from pipeline.publishing import release

pytestmark = pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")


def run(script: str, *arguments: object, cwd: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run a script of the workflow."""
    path = f"{Path(sys.executable).parent}:{settings.pop('first', '')}:{os.environ['PATH']}"
    return subprocess.run(
        ["sh", PROJECT / ".github" / script, *map(str, arguments)],
        cwd=cwd, env={**os.environ, "PATH": path, **settings}, capture_output=True, text=True, check=False,
    )  # fmt: skip


def git(*arguments: str, cwd: Path) -> str:
    done = subprocess.run(["git", *arguments], cwd=cwd, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.fixture
def checkout(ran: Path, tmp_path: Path) -> Path:
    """A checkout of a repository with a release, and its bare origin."""
    git("init", "--quiet", "--bare", "-b", "main", "origin.git", cwd=tmp_path)
    git("clone", "--quiet", "origin.git", "checkout", cwd=tmp_path)
    root = tmp_path / "checkout"
    shutil.copytree(ran / "custom", root / "data/custom")
    git("checkout", "--quiet", "-B", "main", cwd=root)
    git("add", "-A", cwd=root)
    git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "-m", "first", cwd=root)
    git("push", "--quiet", "-u", "origin", "main", cwd=root)
    return root


@pytest.mark.slow
def test_the_first_job_makes_a_release_and_says_that_a_source_is_in_trouble(ran, tmp_path):
    with serving() as site:
        settings = {"BEE_NYT_URL": site.url, "BEE_NYTBEE_URL": site.url, "BEE_DELAY": "0", "BEE_DATA": str(ran)}
        done = run("daily-fetch.sh", tmp_path / "made", cwd=PROJECT, **settings)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "made/code.txt").read_text() == "3\n"
    assert (tmp_path / "made/custom/wordlist.txt").read_bytes() == (ran / "custom/wordlist.txt").read_bytes()
    assert (tmp_path / "made/held.txt").read_text() == ""


def made(checkout: Path, tmp_path: Path, code: str = "0", held: str = "") -> Path:
    """What the first job hands over, with a change of the evidence's last day."""
    folder = tmp_path / "made"
    shutil.copytree(checkout / "data/custom", folder / "custom")
    path = folder / "custom/evidence.csv"
    path.write_bytes(path.read_bytes().replace(b"2025-03-05\n", b"2025-03-06\n", 1))
    (folder / "code.txt").write_text(f"{code}\n")
    (folder / "held.txt").write_text(held)
    return folder


def test_the_second_job_takes_every_file_of_a_release():
    script = (PROJECT / ".github/daily-commit.sh").read_text()
    named = re.search(r"for name in (.*?); do", script, re.DOTALL)[1].replace("\\", " ").split()
    assert sorted(named) == sorted([*release.FILES, "evidence.csv", "track.csv"]), "people fit the model"


def test_the_second_job_commits_with_a_message_that_names_the_last_day(checkout, tmp_path):
    folder = made(checkout, tmp_path)
    (folder / "custom/stray.sh").write_text("echo no")
    done = run("daily-commit.sh", folder, cwd=checkout)
    assert done.returncode == 0, done.stderr
    assert git("log", "-1", "--format=%s", "origin/main", cwd=checkout) == "Fold in the days up to 2025-03-06"
    assert not (checkout / "data/custom/stray.sh").exists()


def test_a_held_day_becomes_a_pull_request_and_main_stays(checkout, tmp_path):
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "gh").write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/gh.txt\n')
    (tools / "gh").chmod(0o755)
    before = git("rev-parse", "origin/main", cwd=checkout)
    held = "warning  day-held             2025-03-06: 12 words\n"
    done = run("daily-commit.sh", made(checkout, tmp_path, held=held), cwd=checkout, first=str(tools))
    assert done.returncode == 0, done.stderr
    assert git("ls-remote", "origin", "main", cwd=checkout).split()[0] == before
    assert "held-2025-03-06" in git("ls-remote", "origin", cwd=checkout)
    assert (tmp_path / "gh.txt").read_text().startswith("pr create --head held-2025-03-06")


@pytest.mark.parametrize(
    ("handed_over", "code"),
    [
        ("2026-11-22,vacenot\n2026-11-23,mcegint\n", 0),
        ("2026-11-22,vacenot\n2026-11-23,mcegint\n2026-11-24,aceklpt\n", 0),
        ("2026-11-22,vacenot\n2026-11-23,aceklpt\n", 1),
        ("2026-11-22,vacenot\n", 1),
        ("", 1),
    ],
)
def test_the_second_job_takes_more_puzzles_of_the_day_and_no_others_than_were_published(
    checkout, tmp_path, handed_over, code
):
    folder = made(checkout, tmp_path)
    (checkout / "data/custom/daily.csv").write_text("date,letters\n2026-11-22,vacenot\n2026-11-23,mcegint\n")
    (folder / "custom/daily.csv").write_text(f"date,letters\n{handed_over}")
    reseal(folder / "custom")
    done = run("daily-commit.sh", folder, cwd=checkout)
    assert (done.returncode, "daily.csv changes or lacks" in done.stderr) == (code, bool(code)), done.stderr
    assert ("2025-03-06" in git("log", "-1", "--format=%s", "origin/main", cwd=checkout)) == (not code)


def only_grows(root: Path) -> bool:
    """Whether each committed version of `daily.csv` begins with the one before."""
    commits = git("log", "--format=%H", "--reverse", "--", "data/custom/daily.csv", cwd=root).split()
    versions = [git("show", f"{commit}:data/custom/daily.csv", cwd=root) for commit in commits]
    return all(later.startswith(earlier) for earlier, later in itertools.pairwise(versions))


def test_no_commit_of_this_project_changes_a_published_puzzle_of_the_day(checkout):
    if (PROJECT / ".git").exists():
        assert only_grows(PROJECT)
    path = checkout / "data/custom/daily.csv"
    for rows, grows in (
        ("2026-11-22,vacenot\n", True),
        ("2026-11-22,vacenot\n2026-11-23,mcegint\n", True),
        ("", False),
    ):
        path.write_text(f"date,letters\n{rows}")
        git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "-am", "next", cwd=checkout)
        assert only_grows(checkout) == grows


def test_trouble_with_a_source_fails_the_run_after_the_commit_and_a_damaged_hand_over_before_it(checkout, tmp_path):
    folder = made(checkout, tmp_path, code="3")
    assert run("daily-commit.sh", folder, cwd=checkout).returncode == 3
    assert "2025-03-06" in git("log", "-1", "--format=%s", "origin/main", cwd=checkout)
    (folder / "custom/wordlist.txt").write_text("honey\n")
    assert run("daily-commit.sh", folder, cwd=checkout).returncode == 1


def test_the_workflow_pins_every_action_by_commit_and_gives_no_right_that_is_not_used():
    text = (PROJECT / ".github/workflows/daily.yml").read_text()
    used = re.findall(r"uses: (\S+)( # v\S+)?", text)
    assert used
    assert all(re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", name) and version for name, version in used)
    assert "permissions: {}" in text
    assert text.index("contents: read") < text.index("daily-fetch.sh made") < text.index("contents: write")
