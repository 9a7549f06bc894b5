"""Two people work in two clones of one repository with real git: what git joins by itself, and what is named."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import PROJECT

from pipeline import reader
from pipeline.publishing import release_files

pytestmark = [pytest.mark.needs("git"), pytest.mark.slow]

FILES = [f"data/custom/{name}" for name in reader.BY_PEOPLE]


def git(folder: Path, *arguments: str, fine: tuple[int, ...] = (0,)) -> str:
    done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode in fine, done.stdout + done.stderr
    return done.stdout


def commit(clone: Path, message: str) -> None:
    git(clone, "add", "-A")
    git(clone, "commit", "--quiet", "-m", message)


def words_of(clone: Path, name: str = "verdicts.csv") -> list[str]:
    return [line.partition(",")[0] for line in (clone / "data/custom" / name).read_text().splitlines()[1:]]


@pytest.fixture
def clones(ran: Path, tmp_path: Path) -> tuple[Path, Path]:
    """The clones of Ann and Ben: a released workspace in `data`, with a bare repository as their common remote."""
    root = ran.parent
    for name in (".gitignore", ".gitattributes"):
        shutil.copy(PROJECT / name, root)
    git(root, "init", "--quiet", "-b", "main")
    git(root, "config", "user.name", "first")
    git(root, "config", "user.email", "first@example.org")
    commit(root, "first")
    remote = tmp_path / "remote.git"
    git(tmp_path, "clone", "--quiet", "--bare", str(root), str(remote))
    people = []
    for name in ("ann", "ben"):
        clone = tmp_path / name
        git(tmp_path, "clone", "--quiet", str(remote), str(clone))
        git(clone, "config", "user.name", name)
        git(clone, "config", "user.email", f"{name}@example.org")
        shutil.copytree(ran / "build", clone / "data/build")
        shutil.copytree(ran / "raw", clone / "data/raw", dirs_exist_ok=True)
        people.append(clone)
    return people[0], people[1]


@pytest.fixture
def decide(bee):
    """Run a command about a word in a clone, as the person of the clone, and commit it."""

    def run(clone: Path, *command: str) -> None:
        done = bee("--data", clone / "data", *command)
        assert done.code == 0, done.err
        commit(clone, " ".join(command[:2]))

    return run


REASON = ("--reason", "seen in print")


def test_decisions_of_the_same_evening_and_a_release_on_main_go_together_without_a_conflict(clones, decide, bee):
    ann, ben = clones
    for clone, kept, graded in ((ann, "troth", "zine"), (ben, "truth", "zinc")):
        decide(clone, "keep", kept, "--force", *REASON)
        decide(clone, "grade", graded, "none", *REASON)
        decide(clone, "drop", "agora", "--force", "--by", "both", *REASON)
    git(ann, "push", "--quiet")
    assert bee("--data", ann / "data", "run").code == 0
    commit(ann, "release")
    git(ann, "push", "--quiet")

    git(ben, "pull", "--quiet", "--no-rebase", "--no-edit")
    decide(ben, "keep", "cove", "--force", *REASON)
    assert (words_of(ben), words_of(ben, "offensive.csv")) == (["agora", "cove", "troth", "truth"], ["zinc", "zine"])
    assert bee("--data", ben / "data", "run").code == 0
    commit(ben, "release")
    git(ben, "push", "--quiet")
    git(ann, "pull", "--quiet", "--ff-only")
    assert bee("verify", ann / "data/custom").code == 0
    words = (ann / "data/custom/words.csv").read_text()
    assert ("kept by ann: " in words, "kept by ben: " in words) == (True, True)
    stat = git(ann, "log", "--stat", "--format=%an: %s")
    assert re.search(r"ben: drop agora\n\n data/custom/verdicts.csv \| 1 \+\n", stat), "a decision is one new line"


def test_two_different_decisions_on_one_word_are_named_with_both_lines(clones, decide, bee):
    ann, ben = clones
    decide(ann, "keep", "troth", "--force", *REASON)
    decide(ben, "drop", "troth", "--force", *REASON)
    git(ben, "pull", "--quiet", "--no-rebase", "--no-edit", str(ann), "main")
    refused = bee("--data", ben / "data", "run")
    assert refused.code == 1
    assert re.search(r"two decisions on troth: line \d \(.*by ben.*\) and line \d \(.*by ann", refused.err), refused.err


@pytest.mark.parametrize(
    ("join", "finish"),
    [
        (("merge", "--no-edit", "FETCH_HEAD"), ("commit", "--no-edit")),
        (("rebase", "FETCH_HEAD"), ("-c", "core.editor=true", "rebase", "--continue")),
    ],
)
def test_when_two_releases_meet_one_is_taken_whole_and_the_next_run_has_the_decisions_of_both(
    clones, decide, bee, monkeypatch, join, finish
):
    ann, ben = clones
    for clone, word in ((ann, "troth"), (ben, "truth")):
        decide(clone, "keep", word, "--force", *REASON)
        assert bee("--data", clone / "data", "run").code == 0
        commit(clone, "release")
    monkeypatch.chdir(ben)
    git(ben, "fetch", "--quiet", str(ann), "main")
    git(ben, *join, fine=(1,))
    for command in ("run", "publish"):
        refused = bee(command)
        assert (refused.code, "CURATING.md" in refused.err) == (1, True), refused.err
    if bee("verify", "data/custom").code:  # git took a file whole that only one side changed
        git(ben, "checkout", "HEAD", "--", *(f"data/custom/{name}" for name in release_files.FILES))
        assert bee("verify", "data/custom").code == 0
    git(ben, "add", "data/custom")
    git(ben, *finish)
    assert bee("run").code == 0
    assert bee("verify", "data/custom").code == 0
    words = Path("data/custom/words.csv").read_text()
    assert ("kept by ann: " in words, "kept by ben: " in words) == (True, True)
    assert sorted(words_of(ben)) == ["troth", "truth"]


def test_files_of_people_are_joined_by_union_and_those_of_a_release_are_not_joined(clones):
    ann, _ = clones
    told = git(ann, "check-attr", "merge", "eol", "--", *FILES, "data/custom/words.csv").splitlines()
    expected = [f"{name}: {attribute}" for name in FILES for attribute in ("merge: union", "eol: lf")]
    assert told == [*expected, "data/custom/words.csv: merge: unset", "data/custom/words.csv: eol: lf"]


@pytest.mark.needs("a git checkout")
def test_a_clone_that_turns_line_ends_has_the_published_bytes(tmp_path, bee):
    settings = ("-c", "core.autocrlf=true", "-c", "core.eol=crlf")
    git(tmp_path, "clone", "--quiet", *settings, str(PROJECT), "clone")
    clone = tmp_path / "clone"
    texts = [
        name
        for name in git(clone, "ls-files").splitlines()
        if not name.startswith("tests/sources/pages/") and Path(name).suffix not in (".gz", ".png")
    ]
    assert [name for name in texts if b"\r\n" in (clone / name).read_bytes()] == []
    assert bee("verify", clone / "data/custom").code == 0
    assert git(clone, "status", "--porcelain") == ""
