"""The steps of the daily workflow, run by a shell in clones of a bare repository."""

import datetime
import itertools
import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from conftest import PROJECT, SAMPLE
from pages import nytbee_page
from server import reply, serving

from pipeline import reader
from pipeline.fetching import schedule
from pipeline.publishing import release_files
from pipeline.sources import LIVE_SITES, read_capture
from pipeline.words import days_between, puzzle_day

pytestmark = [pytest.mark.needs("git"), pytest.mark.slow]
JOBS = yaml.safe_load((PROJECT / ".github/workflows/daily.yml").read_text())["jobs"]
MOVED = "::error::main moved while this run worked; nothing was committed."
PUZZLES = "date,letters\n2026-11-22,vacenot\n2026-11-23,mcegint\n"
VERDICT = "word,verdict,reason,by,after\nzine,drop,rare,ann,2026-01-02\n"


def git(*arguments: str, cwd: Path) -> str:
    named = ["-c", "user.name=ann", "-c", "user.email=ann@example.org"]
    return subprocess.run(
        ["git", *named, *arguments], cwd=cwd, capture_output=True, text=True, check=True
    ).stdout.strip()


def run(job: str, cwd: Path, begin: int = 0, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run the steps of a job that have a shell command, from one of them on, as the runner does: until one fails."""
    given = {name: value for name, value in JOBS[job].get("env", {}).items() if "${{" not in value}
    given["PATH"] = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    out = ""
    for step in [step for step in JOBS[job]["steps"] if "run" in step][begin:]:
        done = subprocess.run(
            ["bash", "-e", "-c", step["run"]], cwd=cwd, env={**os.environ, **given, **settings},
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
        )  # fmt: skip
        out += done.stdout
        if done.returncode:
            break
    return subprocess.CompletedProcess(job, done.returncode, out)


def push(cwd: Path, message: str) -> None:
    """Commit what changed, if anything did, and push it."""
    git("commit", "--quiet", "--all", "--allow-empty", "-m", message, cwd=cwd)
    git("push", "--quiet", "origin", "HEAD:main", cwd=cwd)


def subject(checkout: Path) -> str:
    """The first line of the last commit on main."""
    git("fetch", "--quiet", cwd=checkout)
    return git("log", "-1", "--format=%s", "origin/main", cwd=checkout)


@pytest.fixture
def checkout(ran: Path, tmp_path: Path) -> Path:
    """A clone of a repository with a release, and with a verdict that the release lacks."""
    git("init", "--quiet", "--bare", "-b", "main", "origin.git", cwd=tmp_path)
    git("clone", "--quiet", "origin.git", "checkout", cwd=tmp_path)
    root = tmp_path / "checkout"
    shutil.move(ran, root / "data")
    (root / "data/custom/verdicts.csv").write_text(VERDICT)
    shutil.copy(PROJECT / ".gitignore", root)
    git("checkout", "--quiet", "-B", "main", cwd=root)
    git("add", "--all", cwd=root)
    push(root, "by hand")
    return root


@pytest.fixture
def made(checkout: Path) -> Path:
    """What the first job hands over: a release with a new day, beside files that are of no release."""
    folder = checkout / "made"
    shutil.copytree(checkout / "data/custom", folder)
    for name, text in (("commit.txt", git("rev-parse", "HEAD", cwd=checkout)), ("stray.sh", ""), ("verdicts.csv", "")):
        (folder / name).write_text(text)
    package = re.sub('"version": ".*"', '"version": "2026.07.24.1"', (folder / "datapackage.json").read_text())
    give(folder, "datapackage.json", re.sub('"last": ".*"', '"last": "2026-07-24"', package))
    return folder


def give(folder: Path, name: str, text: str) -> None:
    """Change a file of a release and its checksum."""
    (folder / name).write_text(text)
    files = {name: (folder / name).read_bytes() for name in release_files.FILES if name != reader.SUMS}
    (folder / reader.SUMS).write_bytes(reader.format_checksums(files))


def test_the_first_job_hands_over_the_files_of_a_release_and_code_3_fails_after_the_commit(checkout, tmp_path):
    """One site refuses all requests, and the other one all but one; otherwise, each would be asked for 3,000 days."""
    settings = {"GITHUB_OUTPUT": str(tmp_path / "output"), "GITHUB_STEP_SUMMARY": str(tmp_path / "summary")}
    settled = puzzle_day(datetime.datetime.now(datetime.UTC) - schedule.SETTLING)
    day = replace(read_capture(SAMPLE.read_bytes(), SAMPLE.name).days[-1], date=settled)
    with serving() as nyt, serving() as nytbee:
        for date in days_between("2025-01-01", puzzle_day(datetime.datetime.now(datetime.UTC))):
            nyt.pages[LIVE_SITES["nyt"].url_for("", date)] = reply(b"", 403)
            nytbee.pages[LIVE_SITES["nytbee"].url_for("", date)] = reply(b"", 403)
        nytbee.pages[LIVE_SITES["nytbee"].url_for("", settled)] = reply(nytbee_page(day))
        settings |= {"BEE_NYT_URL": nyt.url, "BEE_NYTBEE_URL": nytbee.url, "BEE_DELAY": "0"}
        done = run("make", checkout, begin=1, **settings)
    assert (done.returncode, (tmp_path / "output").read_text()) == (0, "code=3\n"), done.stdout
    summary = (tmp_path / "summary").read_text()
    assert re.fullmatch(r"```text\nRequesting .*\n\nworkspace .*bee run --fetch.*```\n", summary, re.DOTALL)
    assert re.search(rf"^{settled} nyt failed: {nyt.url}/.* status 403\.$", summary, re.MULTILINE)
    assert re.search(r"^nytbee: failed 5, new 1$", summary, re.MULTILINE)
    assert {path.name for path in (checkout / "made").iterdir()} == {*release_files.FILES, "commit.txt"}
    done = run("commit", checkout, CODE="3")
    assert (done.returncode, "::error::A person is needed" in done.stdout) == (1, True), done.stdout
    assert subject(checkout) == f"Fold in the days up to {settled}"
    assert "-zine" in git("diff", "HEAD^", "origin/main", "--", "data/custom/wordlist.txt", cwd=checkout).splitlines()


def test_a_run_that_fails_hands_nothing_over(checkout, tmp_path):
    (tmp_path / "bee").write_text('#!/bin/sh\necho "bee $1"\ntest "$1" != run\n')
    (tmp_path / "bee").chmod(0o755)
    settings = {"GITHUB_OUTPUT": str(tmp_path / "output"), "GITHUB_STEP_SUMMARY": str(tmp_path / "summary")}
    done = run("make", checkout, begin=1, PATH=f"{tmp_path}:{os.environ['PATH']}", **settings)
    assert (done.returncode, (checkout / "made").exists()) == (1, False), done.stdout
    assert (tmp_path / "summary").read_text() == "```text\nbee run\n\nbee status\n```\n"


def test_the_second_job_commits_the_files_of_a_release_and_nothing_else(checkout, made):
    assert sorted([reader.SUMS, *JOBS["commit"]["env"]["FILES"].split()]) == sorted(release_files.FILES)
    done = run("commit", checkout, CODE="0")
    assert (done.returncode, subject(checkout)) == (0, "Fold in the days up to 2026-07-24"), done.stdout
    changed = git("diff", "--name-only", "HEAD^", "origin/main", cwd=checkout).splitlines()
    assert changed == [f"data/custom/{name}" for name in ("SHA256SUMS", "datapackage.json")]
    (made / "commit.txt").write_text(git("rev-parse", "HEAD", cwd=checkout))
    assert run("commit", checkout, CODE="0").stdout == "Nothing is new.\n"
    package = (made / "datapackage.json").read_text().replace("2026.07.24.1", "2026.07.24.2")
    give(made, "datapackage.json", package)
    done = run("commit", checkout, CODE="0")
    assert (done.returncode, subject(checkout)) == (0, "Release 2026.07.24.2"), "without a new day"


@pytest.mark.parametrize(
    ("harm", "says"),
    [
        ("echo honey >wordlist.txt", "A file is not the one that was made."),
        ("mv wordlist.txt list; ln -s list wordlist.txt", "wordlist.txt was not handed over as a file."),
        ("rm track.csv", "track.csv was not handed over as a file."),
        ("sha256sum verdicts.csv >>SHA256SUMS", "SHA256SUMS names other files."),
    ],
)
def test_what_is_no_whole_release_is_refused(checkout, made, harm, says):
    subprocess.run(["sh", "-c", harm], cwd=made, check=True)
    done = run("commit", checkout, CODE="0")
    assert (done.returncode, f"::error::{says}" in done.stdout, subject(checkout)) == (1, True, "by hand"), done.stdout


def test_puzzles_of_later_days_are_added_and_published_ones_stay(checkout, made):
    (checkout / "data/custom/daily.csv").write_text(PUZZLES)
    push(checkout, "puzzles")
    (made / "commit.txt").write_text(git("rev-parse", "HEAD", cwd=checkout))
    for text in (PUZZLES.replace("mcegint", "aceklpt"), PUZZLES[:30], ""):
        give(made, "daily.csv", text)
        done = run("commit", checkout, CODE="0")
        assert (done.returncode, "daily.csv changes puzzles that were published." in done.stdout) == (1, True), text
        assert subject(checkout) == "puzzles"
    give(made, "daily.csv", f"{PUZZLES}2026-11-24,aceklpt\n")
    assert run("commit", checkout, CODE="0").returncode == 0
    assert git("show", "origin/main:data/custom/daily.csv", cwd=checkout).endswith("\n2026-11-24,aceklpt")


@pytest.mark.usefixtures("made")
@pytest.mark.parametrize("when", ["before the checkout", "before the push"])
def test_if_main_moved_nothing_is_committed_and_the_run_says_so(checkout, tmp_path, when):
    git("clone", "--quiet", "origin.git", "other", cwd=tmp_path)
    push(tmp_path / "other", "of another person")
    if when == "before the checkout":
        git("pull", "--quiet", cwd=checkout)
    done = run("commit", checkout, CODE="0")
    assert (done.returncode, MOVED in done.stdout, subject(checkout)) == (1, True, "of another person"), done.stdout


@pytest.mark.usefixtures("made")
def test_a_push_that_fails_for_another_reason_does_not_say_that_main_moved(checkout, tmp_path):
    (tmp_path / "origin.git/hooks/pre-receive").symlink_to("/bin/false")
    done = run("commit", checkout, CODE="0")
    assert (done.returncode, MOVED in done.stdout, subject(checkout)) == (1, False, "by hand"), done.stdout


@pytest.mark.needs("a git checkout")
def test_no_commit_of_this_project_changes_a_published_puzzle_of_the_day():
    name = "data/custom/daily.csv"
    commits = git("log", "--format=%H", "--reverse", "--", name, cwd=PROJECT).split()
    versions = [set(git("show", f"{commit}:{name}", cwd=PROJECT).splitlines()) for commit in commits]
    assert all(earlier <= later for earlier, later in itertools.pairwise(versions))
