"""Two people work in one repository with real git: what git merges by itself, what is reported, and that no decision is
lost."""

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import PROJECT
from sampling import sampled

from pipeline import git, reader
from pipeline.commands import warnings
from pipeline.store import Workspace

pytestmark = pytest.mark.needs("git")

KEEP = ("--reason", "seen in print", "--force", "--by", "ann")
HEADER = "word,verdict,reason,by,on\n"


def run_git(folder: Path, *arguments: str, fine: tuple[int, ...] = (0,)) -> str:
    done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode in fine, done.stdout + done.stderr
    return done.stdout


def begin(folder: Path) -> None:
    run_git(folder, "init", "--quiet", "-b", "main")
    run_git(folder, "config", "user.name", "ann")
    run_git(folder, "config", "user.email", "ann@example.org")


def commit(folder: Path, message: str) -> None:
    run_git(folder, "add", "-A")
    run_git(folder, "commit", "--quiet", "--allow-empty", "-m", message)


@pytest.fixture
def repository(ran: Path, monkeypatch) -> Path:
    """A repository with a released workspace in `data`, which is the current folder."""
    root = ran.parent
    for name in (".gitignore", ".gitattributes"):
        shutil.copy(PROJECT / name, root)
    begin(root)
    commit(root, "first")
    monkeypatch.chdir(root)
    return root


@pytest.fixture
def keep(repository, bee):
    """Keep words, each in a commit of its own unless it is not to be committed."""

    def run(*words: str, committed: bool = True) -> Path:
        for word in words:
            assert bee("keep", word, "--only", *KEEP).code == 0
            if committed:
                commit(repository, word)
        return repository / "data/custom/verdicts.csv"

    return run


def words_of(root: Path) -> list[str]:
    return [line.partition(",")[0] for line in (root / "data/custom/verdicts.csv").read_text().splitlines()[1:]]


def two_branches(root: Path, bee, ours: str, theirs: str, release: bool = False) -> None:
    """Let one person decide on main, and another one on the branch `theirs`; both may make a release."""
    run_git(root, "branch", "--quiet", "theirs")
    for branch, word, name in (("main", ours, "ann"), ("theirs", theirs, "ben")):
        run_git(root, "checkout", "--quiet", branch)
        assert bee("keep", word, *KEEP[:-1], name).code == 0
        if release:
            assert bee("run").code == 0
        commit(root, word)
    run_git(root, "checkout", "--quiet", "main")


def without_union(root: Path) -> None:
    run_git(root, "rm", "--quiet", ".gitattributes")
    commit(root, "no attributes")


def finish_as_printed(repository: Path, told: str) -> None:
    for command in re.findall("`(git [^`]+)`", told):
        run_git(Path.cwd(), *shlex.split(command)[1:])
    assert git.unfinished_merge(repository / "data/custom") is None
    assert run_git(repository, "status", "--porcelain") == ""


@pytest.mark.slow
def test_git_joins_all_decision_files_by_union_so_decisions_on_neighboring_words_merge(repository, bee):
    names = [f"data/custom/{name}.csv" for name in ("days", "glosses", "offensive", "verdicts")]
    told = run_git(repository, "check-attr", "merge", "eol", "--", *names).splitlines()
    assert told == [f"{name}: {attribute}" for name in names for attribute in ("merge: union", "eol: lf")]
    two_branches(repository, bee, "troth", "truth")
    run_git(repository, "merge", "--quiet", "--no-edit", "theirs")
    assert sorted(words_of(repository)) == ["troth", "truth"]
    run_git(repository, "reset", "--quiet", "--hard", "HEAD~1")
    run_git(repository, "rebase", "--quiet", "theirs")
    assert sorted(words_of(repository)) == ["troth", "truth"]


WAYS = {
    "merge": (("merge", "--no-edit", "theirs"), "git commit --no-edit"),
    "rebase": (("rebase", "theirs"), "git -c core.editor=true rebase --continue"),
    "cherry-pick": (("cherry-pick", "theirs"), "git -c core.editor=true cherry-pick --continue"),
}


@pytest.mark.slow
@pytest.mark.parametrize("way", sampled(WAYS, ["merge"]))
def test_two_releases_that_git_cannot_join_are_named_and_the_printed_commands_finish_it(repository, bee, way):
    two_branches(repository, bee, "troth", "truth", release=True)
    command, finish = WAYS[way]
    run_git(repository, *command, fine=(1,))
    told = bee("status")
    assert (told.code, f"A {way} is not finished" in told.out) == (1, True)
    refused = bee("run")
    assert refused.code == 1
    for says in (f"A {way} is not finished", "data/custom/SHA256SUMS", "`bee restore`"):
        assert says in refused.err
    restored = bee("restore")
    assert (restored.code, finish in restored.err) == (0, True)
    assert bee("verify", "data/custom").code == 0
    assert "`git add data/custom`" in bee("run").err
    finish_as_printed(repository, restored.err)
    assert bee("run").code == 0
    assert sorted(words_of(repository)) == ["troth", "truth"]
    listed = (repository / "data/custom/words.csv").read_text()
    assert ("says ann on" in listed, "says ben on" in listed) == (True, True)


@pytest.mark.slow
def test_in_a_merge_without_union_decisions_of_both_sides_and_of_the_file_are_joined_and_none_is_dropped_unseen(
    repository, bee, tmp_path_factory, monkeypatch
):
    without_union(repository)
    two_branches(repository, bee, "troth", "truth", release=True)
    run_git(repository, "merge", "--no-edit", "theirs", fine=(1,))
    refused = bee("restore", "--only", "verdicts.csv")
    assert (refused.code, "truth,keep" in refused.err, "troth,keep" in refused.err) == (1, True, False)
    assert refused.err.index("`bee restore` keeps the decisions of both sides") < refused.err.index("--force`")
    path = repository / "data/custom/verdicts.csv"
    assert "<<<<<<<" in path.read_text()
    with path.open("a") as file:
        file.write("zine,drop,nobody reads them,eve,2026-01-01\n")
    refused = bee("drop", "cove", *KEEP)
    assert (refused.code, "`bee restore`" in refused.err) == (1, True)
    outside = tmp_path_factory.mktemp("another folder")
    monkeypatch.chdir(outside)
    told = bee("restore", "--data", repository / "data")
    assert (told.code, words_of(repository)) == (0, ["troth", "truth", "zine"])
    finish_as_printed(repository, told.err)


@pytest.mark.slow
def test_a_merge_outside_the_workspace_is_named_with_its_files(repository, bee):
    run_git(repository, "branch", "--quiet", "theirs")
    for branch in ("main", "theirs"):
        run_git(repository, "checkout", "--quiet", branch)
        (repository / "notes.txt").write_text(branch)
        commit(repository, branch)
    run_git(repository, "merge", "--no-edit", "main", fine=(1,))
    told = bee("run").err
    assert "A merge is not finished. Correct notes.txt and add them with git." in told
    assert "`bee restore`" not in told


def test_marks_without_a_merge_are_named_and_lose_no_committed_decision(repository, bee, keep):
    path = keep("troth")
    header, troth = path.read_text().splitlines(keepends=True)
    path.write_text(f"{header}<<<<<<< a\n=======\n{troth.replace('troth', 'truth')}>>>>>>> b\n")
    assert "verdicts.csv: conflict markers remain. `bee restore`" in bee("run").err
    assert bee("restore").code == 0
    assert words_of(repository) == ["troth", "truth"]


@pytest.mark.slow
def test_in_a_revert_what_it_brings_back_and_what_the_file_has_are_there(repository, bee, keep):
    without_union(repository)
    keep("troth", "truth")
    for word in ("troth", "truth"):
        assert bee("undo", word).code == 0
        commit(repository, f"undo {word}")
    run_git(repository, "revert", "--no-edit", "HEAD~1", fine=(1,))
    finish_as_printed(repository, bee("restore").err)
    assert words_of(repository) == ["troth"]


@pytest.mark.slow
def test_a_cherry_pick_of_which_nothing_is_left_is_finished_by_the_printed_commands(repository, bee):
    two_branches(repository, bee, "troth", "truth")
    for branch in ("theirs", "main"):
        run_git(repository, "checkout", "--quiet", branch)
        assert bee("run").code == 0
        commit(repository, "release")
    run_git(repository, "cherry-pick", "theirs", fine=(1,))
    finish_as_printed(repository, bee("restore").err)
    assert words_of(repository) == ["troth"]


def test_restoring_a_file_of_decisions_drops_committed_ones_only(repository, bee, keep):
    keep("troth", "truth")
    keep("cove", committed=False)
    refused = bee("restore", "HEAD~1", "--only", "verdicts.csv")
    assert (refused.code, "cove,keep,seen in print" in refused.err, "truth,keep" in refused.err) == (1, True, False)
    assert "--only verdicts.csv --force` goes ahead" in refused.err
    assert words_of(repository) == ["cove", "troth", "truth"]
    assert bee("restore", "--only", "verdicts.csv", "--force").code == 0
    assert words_of(repository) == ["troth", "truth"]
    assert bee("restore", "HEAD~1", "--only", "verdicts.csv").code == 0
    assert words_of(repository) == ["troth"]


@pytest.mark.slow
def test_without_a_release_in_the_repository_the_one_of_the_program_comes_back_and_no_commit_is_blamed(repository, bee):
    run_git(repository, "rm", "--quiet", "-r", "data/custom")
    run_git(repository, "commit", "--quiet", "--amend", "-m", "no release")
    (repository / "data/custom").mkdir()
    (repository / "data/custom/verdicts.csv").write_text(HEADER)
    commit(repository, "decisions")
    told = bee("restore")
    assert (told.code, f"Restored from {reader.RELEASE}: " in told.err) == (0, True)
    assert "fails verification" not in told.err


@pytest.mark.slow
def test_restore_goes_back_to_the_last_commit_that_verifies_and_takes_newer_decisions(repository, bee, keep):
    good = run_git(repository, "rev-parse", "--short", "HEAD").strip()
    path, weights = (repository / "data/custom" / name for name in ("record.csv", "model.csv"))
    whole, fitted = path.read_bytes(), weights.read_bytes()
    verdicts = keep("troth", committed=False)
    path.write_bytes(whole[:100] + b"x" + whole[101:])
    weights.write_bytes(b"others\n")
    commit(repository, "damaged")
    (repository / "data/custom/SHA256SUMS").unlink()
    with verdicts.open("a") as file:
        file.write("truth,keep,a word, with a comma,ann,2026-01-01\n")
    commit(repository, "no checksums, and a damaged line")
    verdicts.unlink()
    told = bee("restore")
    assert told.code == 0
    assert f"Using the release in commit {good} of " in told.err
    assert "skipped 2 newer commits" in told.err
    assert re.search("^The release in commit .* fails verification: record.csv in .* release.$", told.err, re.MULTILINE)
    assert ": truth,keep,a word, with a comma" in told.err
    assert (path.read_bytes(), weights.read_bytes()) == (whole, fitted)
    assert words_of(repository) == ["troth", "truth"]


@pytest.mark.slow
def test_a_decision_that_the_last_commit_has_only_in_part_comes_whole_from_an_older_one(repository, bee, keep):
    path = keep("troth")
    path.write_text(path.read_text().replace("troth,keep,", "cove,keep,on maps,ben,2026-01-01\ntroth,"))
    (repository / "data/custom/words.csv").write_text("damaged\n")
    commit(repository, "damaged")
    assert bee("restore", "--only", "verdicts.csv").code == 0
    lines = path.read_text().splitlines()
    assert [line.split(",")[:2] for line in lines[1:3]] == [["cove", "keep"], ["troth", "keep"]]


def test_a_merge_in_a_second_work_tree_is_seen_there_and_not_here(repository, bee, tmp_path):
    without_union(repository)
    two_branches(repository, bee, "cove", "cove")
    run_git(repository, "worktree", "add", "--quiet", str(tmp_path / "beside"), "theirs")
    run_git(tmp_path / "beside", "merge", "--no-edit", "main", fine=(1,))
    merge = git.unfinished_merge(tmp_path / "beside/data/custom")
    assert merge is not None
    assert (merge.name, merge.theirs, *merge.unmerged) == ("merge", "MERGE_HEAD", "data/custom/verdicts.csv")
    assert git.unfinished_merge(repository / "data/custom") is None


@pytest.mark.slow
@pytest.mark.parametrize("lose", ["delete", "empty"])
def test_a_new_decision_does_not_hide_that_the_file_with_all_others_is_lost(repository, bee, keep, lose):
    path = keep("troth", committed=False)
    assert bee("run").code == 0
    commit(repository, "troth")
    path.unlink()
    if lose == "empty":
        path.touch()
    for command in (("keep", "cove", *KEEP), ("undo", "troth"), ("run",)):
        refused = bee(*command)
        assert (refused.code, "`bee restore`" in refused.err) == (1, True), command
    assert bee("restore").code == 0
    keep("cove")
    assert words_of(repository) == ["cove", "troth"]


@pytest.mark.parametrize(
    ("versions", "out"),
    [
        (["a b", "a"], {"b"}),
        (["a b", "b a"], set()),
        (["a b", "a", "a b"], set()),
        (["a b", "a", "a b", "b"], {"a"}),
        (["a b", "", "b c", "c"], {"a", "b"}),
        (["a b", "a", "a b c"], {"b"}),
        (["a b c", "a", "a b c"], set()),
        (["a b c d e", "", "a b c d e z"], {"a", "b", "c", "d", "e"}),
        (["a b c d e f", "", "a b c d e f z"], set()),
    ],
)
def test_a_line_is_taken_out_if_the_last_commit_that_names_it_only_removes_it(tmp_path, versions, out):
    begin(tmp_path)
    for number, version in enumerate(versions):
        (tmp_path / "a.csv").write_text("".join(f"{line}\n" for line in version.split()))
        commit(tmp_path, f"version {number}")
    assert set(git.lines_taken_out(tmp_path, ["a.csv"], 9)) == {("a.csv", line) for line in out}


BACK = "brought it back"
BROUGHT_BACK = ("merge", "rebase onto it", "rebase that leaves the undo out")


@pytest.mark.slow
@pytest.mark.parametrize("way", sampled(BROUGHT_BACK, ["merge", "rebase that leaves the undo out"]))
def test_a_decision_that_was_taken_out_and_that_git_brought_back_is_named_until_it_is_out(repository, bee, keep, way):
    keep("cove", "troth")
    run_git(repository, "branch", "--quiet", "theirs")
    assert bee("undo", "troth").code == 0
    commit(repository, "undo troth")
    run_git(repository, "checkout", "--quiet", "theirs")
    keep("truth")
    assert BACK not in bee("status").err
    if way == "merge":
        run_git(repository, "checkout", "--quiet", "main")
        run_git(repository, "merge", "--no-edit", "--quiet", "theirs")
    elif way == "rebase onto it":
        run_git(repository, "rebase", "--quiet", "main")
    else:
        run_git(repository, "checkout", "--quiet", "main")
        run_git(repository, "rebase", "--quiet", "theirs")
        assert run_git(repository, "rev-list", "--count", "theirs..main") == "0\n", "git kept the undo"
    assert words_of(repository) == ["cove", "troth", "truth"]
    told = bee("status").err
    assert "Line 3 of custom/verdicts.csv (keep troth, by ann" in told
    assert "brought it back; `bee undo troth --kind verdict` removes it again" in told
    assert bee("undo", "troth", "--kind", "verdict").code == 0
    assert BACK not in bee("status").err
    commit(repository, "undo troth again")
    keep("troth")
    assert BACK not in bee("status").err, "a person decided anew"


def test_one_of_several_definitions_that_git_brought_back_is_named_with_its_line(repository):
    path = repository / "data/custom/glosses.csv"
    first, second = "troth,,noun,promise\n", "troth,,noun,faith\n"
    for branch, text in (("main", first + second), ("main", first), ("theirs", first + second + "zine,,noun,paper\n")):
        run_git(repository, "checkout", "--quiet", branch)
        path.write_text(f"word,base,pos,gloss\n{text}")
        commit(repository, branch)
        run_git(repository, "branch", "theirs", fine=(0, 128))
    run_git(repository, "checkout", "--quiet", "main")
    run_git(repository, "merge", "--quiet", "--no-edit", "theirs")
    assert path.read_text().count("troth") == 2
    (told,) = warnings.decisions_brought_back(Workspace(repository / "data"))
    assert "`bee undo troth --kind gloss --line 3` removes it again" in str(told)


@pytest.mark.slow
def test_a_line_of_two_alike_may_go_and_two_different_decisions_leave_the_choice_to_the_error(repository, bee, keep):
    path = keep("troth")
    once = path.read_text()
    line = once.splitlines(keepends=True)[1]
    for text in (once + line, once):
        path.write_text(text)
        commit(repository, "twice or once")
    assert BACK not in bee("status").err
    for text in (HEADER, once + line.replace("keep", "drop")):
        path.write_text(text)
        commit(repository, "out, or back beside another one")
    told = bee("status")
    assert (BACK in told.err, "has 2 different decisions on troth" in told.out) == (False, True)


@pytest.mark.slow
@pytest.mark.needs("a git checkout")
def test_a_clone_that_turns_line_ends_has_the_published_bytes(tmp_path, bee):
    settings = ("-c", "core.autocrlf=true", "-c", "core.eol=crlf")
    run_git(tmp_path, "clone", "--quiet", *settings, str(PROJECT), "clone")
    clone = tmp_path / "clone"
    texts = [
        name
        for name in run_git(clone, "ls-files").splitlines()
        if not name.startswith("tests/sources/pages/") and Path(name).suffix not in (".gz", ".png")
    ]
    assert [name for name in texts if b"\r\n" in (clone / name).read_bytes()] == []
    assert bee("verify", clone / "data/custom").code == 0
    assert run_git(clone, "status", "--porcelain") == ""
