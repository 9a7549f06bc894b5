"""The check of a branch: what it says about files of a release, and that its command restores them."""

import re
import subprocess
from pathlib import Path

import pytest
import yaml
from conftest import PROJECT

from pipeline.publishing import verify

pytestmark = pytest.mark.needs("git")

SCRIPT = PROJECT / ".github/branch-check.sh"
DECISIONS = [f"data/custom/{name}" for name in verify.DECISIONS]
WORDLIST, RECORD, OLD_CHANGES = "data/custom/wordlist.txt", "data/custom/record.csv", "docs/changes/1.csv"
NEW_CHANGES = "docs/changes/2.csv"


def sh(command: str, cwd: Path) -> str:
    done = subprocess.run(["bash", "-c", command], cwd=cwd, capture_output=True, text=True, check=True)
    return done.stdout


@pytest.fixture
def branch(tmp_path: Path) -> Path:
    """A clone on a branch that has no commit of its own."""
    seed = tmp_path / "seed"
    for name in (*DECISIONS, WORDLIST, RECORD, OLD_CHANGES, "pipeline/words.py"):
        path = seed / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("old\n")
    sh("git init --quiet -b main && git add -A && git -c user.name=a -c user.email=a@b commit --quiet -m first", seed)
    sh("git clone --quiet seed clone", tmp_path)
    clone = tmp_path / "clone"
    sh("git config user.name ann && git config user.email a@b && git checkout --quiet -b mine", clone)
    return clone


def commit(clone: Path, *names: str) -> None:
    for name in names:
        path = clone / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("new\n")
    sh("git add -A && git commit --quiet -m change", clone)


def check(clone: Path, base: str = "origin/main") -> tuple[int, str]:
    done = subprocess.run([SCRIPT, base], cwd=clone, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.returncode, done.stdout


@pytest.mark.slow
def test_decisions_and_program_pass(branch):
    for name in (*DECISIONS, "pipeline/words.py"):
        commit(branch, name)
        assert check(branch) == (0, "")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("names", "command"),
    [
        ([WORDLIST], f"git checkout origin/main -- {WORDLIST}"),
        ([RECORD, OLD_CHANGES], f"git checkout origin/main -- {RECORD} {OLD_CHANGES}"),
        ([NEW_CHANGES], f"git rm --quiet -- {NEW_CHANGES}"),
        (
            [DECISIONS[0], WORDLIST, NEW_CHANGES],
            f"git checkout origin/main -- {WORDLIST} && git rm --quiet -- {NEW_CHANGES}",
        ),
        (["data/custom/a b;id"], r"git rm --quiet -- data/custom/a\ b\;id"),
        (["data/custom/verdicts.csv.bak"], "git rm --quiet -- data/custom/verdicts.csv.bak"),
    ],
)
def test_files_of_a_release_are_named_in_one_sentence_whose_command_puts_them_back(branch, names, command):
    commit(branch, *names)
    code, said = check(branch)
    assert (code, said.count("\n")) == (1, 1)
    assert said.startswith("::error::Only the main branch makes releases")
    (found,) = re.findall("`(.*)`", said)
    assert found == command
    sh(found, branch)
    sh("git commit --quiet -m back", branch)
    assert check(branch) == (0, "")
    left = sh("git diff --name-only origin/main HEAD", branch).split()
    assert left == [name for name in names if name in DECISIONS]


@pytest.mark.parametrize("change", [f"git rm --quiet {WORDLIST}", f"git mv {WORDLIST} {NEW_CHANGES}"])
def test_a_file_that_the_branch_removes_or_moves_comes_back(branch, change):
    sh(f"{change} && git commit --quiet -m gone", branch)
    code, said = check(branch)
    (found,) = re.findall("`(.*)`", said)
    sh(f"{found} && git commit --quiet -m back", branch)
    assert (code, check(branch)) == (1, (0, ""))


def test_a_branch_that_changes_the_program_too_is_only_warned(branch):
    commit(branch, WORDLIST, "pipeline/words.py")
    code, said = check(branch)
    assert (code, said.count("\n")) == (0, 1)
    assert said.startswith("::warning::Only the main branch makes releases")
    assert f"`git checkout origin/main -- {WORDLIST}`" in said


def test_what_main_changed_meanwhile_is_no_change_of_the_branch(branch):
    commit(branch, DECISIONS[0])
    seed = branch.parent / "seed"
    sh("git config user.name ann && git config user.email a@b", seed)
    commit(seed, WORDLIST)
    sh("git fetch --quiet", branch)
    assert check(branch) == (0, "")
    sh("git checkout --quiet -B merge origin/main && git merge --quiet --no-edit mine", branch)
    assert check(branch, "HEAD^1") == (0, ""), "as in the workflow, on the merge of the branch"


def test_the_workflow_checks_pull_requests_only_with_the_merge_and_its_parent():
    job = yaml.safe_load((PROJECT / ".github/workflows/test.yml").read_text())["jobs"]["branch"]
    assert job["if"] == "github.event_name == 'pull_request'"
    checkout, step = job["steps"]
    assert checkout["with"]["fetch-depth"] == 2
    assert step == {"run": ".github/branch-check.sh HEAD^1"}
