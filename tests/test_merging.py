"""Two people, one repository, real git: what merges by itself, what is named, and that no decision is lost."""

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import PROJECT

from pipeline import git, reader

pytestmark = pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")

KEEP = ("--reason", "seen in print", "--force")
DECISION_FILES = ("admitted", "corrections", "glosses", "offensive", "verdicts")


def run_git(folder: Path, *arguments: str, fine: tuple[int, ...] = (0,)) -> str:
    done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode in fine, done.stdout + done.stderr
    return done.stdout


def commit(folder: Path, message: str) -> None:
    run_git(folder, "add", "-A")
    run_git(folder, "commit", "--quiet", "--allow-empty", "-m", message)


@pytest.fixture
def repository(ran: Path, monkeypatch) -> Path:
    """A repository with a released workspace in `data`, which is the current folder."""
    root = ran.parent
    for name in (".gitignore", ".gitattributes"):
        shutil.copy(PROJECT / name, root)
    run_git(root, "init", "--quiet", "-b", "main")
    run_git(root, "config", "user.name", "ann")
    run_git(root, "config", "user.email", "ann@example.org")
    commit(root, "first")
    monkeypatch.chdir(root)
    return root


def words_of(root: Path) -> list[str]:
    return [line.partition(",")[0] for line in (root / "data/custom/verdicts.csv").read_text().splitlines()[1:]]


def two_branches(root: Path, bee, ours: str, theirs: str, release: bool) -> None:
    """Let one person decide on main, and another one on the branch `theirs`; both may make a release."""
    run_git(root, "branch", "--quiet", "theirs")
    for branch, word, name in (("main", ours, "ann"), ("theirs", theirs, "ben")):
        run_git(root, "checkout", "--quiet", branch)
        assert bee("keep", word, *KEEP, "--by", name).code == 0
        if release:
            assert bee("run").code == 0
        commit(root, word)
    run_git(root, "checkout", "--quiet", "main")


def test_decisions_on_neighboring_words_merge_by_themselves_in_either_way(repository, bee):
    two_branches(repository, bee, "troth", "truth", release=False)
    run_git(repository, "merge", "--quiet", "--no-edit", "theirs")
    assert sorted(words_of(repository)) == ["troth", "truth"]
    run_git(repository, "reset", "--quiet", "--hard", "HEAD~1")
    run_git(repository, "rebase", "--quiet", "theirs")
    assert sorted(words_of(repository)) == ["troth", "truth"]
    assert bee("run").code == 0


def test_git_joins_all_decision_files_by_union_and_writes_lf(repository):
    names = [f"data/custom/{name}.csv" for name in DECISION_FILES]
    told = run_git(repository, "check-attr", "merge", "eol", "--", *names).splitlines()
    assert told == [f"{name}: {attribute}" for name in names for attribute in ("merge: union", "eol: lf")]


WAYS = {
    "merge": (("merge", "--no-edit", "theirs"), "git commit --no-edit"),
    "rebase": (("rebase", "theirs"), "git -c core.editor=true rebase --continue"),
    "cherry-pick": (("cherry-pick", "theirs"), "git -c core.editor=true cherry-pick --continue"),
}


@pytest.mark.parametrize("way", WAYS)
def test_two_releases_that_git_cannot_join_are_named_and_lose_no_decision(repository, bee, way):
    two_branches(repository, bee, "troth", "truth", release=True)
    command, finish = WAYS[way]
    run_git(repository, *command, fine=(1,))
    refused = bee("run")
    assert refused.code == 1
    assert f"A {way} is not finished" in refused.err
    assert "data/custom/SHA256SUMS" in refused.err
    assert "`bee restore`" in refused.err
    told = bee("status")
    assert (told.code, f"A {way} is not finished" in told.out) == (1, True)

    restored = bee("restore")
    assert (restored.code, finish in restored.err) == (0, True)
    assert sorted(words_of(repository)) == ["troth", "truth"]
    assert bee("verify", "data/custom").code == 0
    assert "`git add data/custom`" in bee("run").err
    run_git(repository, "add", "data/custom")
    run_git(repository, *finish.split()[1:])
    assert bee("run").code == 0
    assert sorted(words_of(repository)) == ["troth", "truth"]
    listed = (repository / "data/custom/words.csv").read_text()
    assert "says ann on" in listed
    assert "says ben on" in listed


def test_without_union_the_decisions_of_both_sides_and_of_the_file_are_joined(repository, bee):
    run_git(repository, "rm", "--quiet", ".gitattributes")
    commit(repository, "no attributes")
    two_branches(repository, bee, "troth", "truth", release=True)
    run_git(repository, "merge", "--no-edit", "theirs", fine=(1,))
    path = repository / "data/custom/verdicts.csv"
    assert "<<<<<<<" in path.read_text()
    with path.open("a") as file:
        file.write("zine,drop,nobody reads them,eve,2026-01-01\n")
    refused = bee("drop", "cove", *KEEP, "--by", "ann")
    assert (refused.code, "`bee restore`" in refused.err) == (1, True)
    assert bee("restore").code == 0
    assert words_of(repository) == ["troth", "truth", "zine"]


def test_a_merge_outside_the_workspace_is_named_with_its_files(repository, bee):
    (repository / "notes.txt").write_text("ours\n")
    run_git(repository, "branch", "--quiet", "theirs")
    commit(repository, "ours")
    run_git(repository, "checkout", "--quiet", "theirs")
    (repository / "notes.txt").write_text("theirs\n")
    commit(repository, "theirs")
    run_git(repository, "merge", "--no-edit", "main", fine=(1,))
    told = bee("run").err
    assert "A merge is not finished. Correct notes.txt and add them with git." in told
    assert "`bee restore`" not in told


def test_marks_without_a_merge_are_named_and_a_merge_in_a_second_work_tree_is_seen(repository, bee, tmp_path):
    path = repository / "data/custom/verdicts.csv"
    assert bee("keep", "zine", "--only", *KEEP, "--by", "ann").code == 0
    commit(repository, "zine")
    path.write_text("word,verdict,reason,by,on\n<<<<<<< a\ntroth,keep,seen,ann,2026-01-01\n=======\n>>>>>>> b\n")
    told = bee("run").err
    assert "verdicts.csv: marks of a conflict are left. `bee restore`" in told
    assert bee("restore").code == 0
    assert words_of(repository) == ["troth", "zine"]
    commit(repository, "troth")
    two_branches(repository, bee, "cove", "covet", release=True)
    run_git(repository, "worktree", "add", "--quiet", str(tmp_path / "beside"), "theirs")
    run_git(tmp_path / "beside", "merge", "--no-edit", "main", fine=(1,))
    merge = git.unfinished_merge(tmp_path / "beside/data/custom")
    assert merge is not None
    assert (merge.name, merge.theirs) == ("merge", "MERGE_HEAD")
    assert "data/custom/SHA256SUMS" in merge.unmerged
    assert git.unfinished_merge(repository / "data/custom") is None


def test_marks_without_a_merge_lose_no_committed_decision(repository, bee):
    assert bee("keep", "troth", *KEEP, "--by", "ann").code == 0
    commit(repository, "troth")
    path = repository / "data/custom/verdicts.csv"
    header, troth = path.read_text().splitlines(keepends=True)
    path.write_text(f"{header}<<<<<<< a\n=======\n{troth.replace('troth', 'truth')}>>>>>>> b\n")
    assert bee("restore").code == 0
    assert words_of(repository) == ["troth", "truth"]


def test_from_outside_the_repository_the_printed_commands_finish_the_merge_too(
    repository, bee, tmp_path_factory, monkeypatch
):
    two_branches(repository, bee, "troth", "truth", release=True)
    run_git(repository, "merge", "--no-edit", "theirs", fine=(1,))
    outside = tmp_path_factory.mktemp("another folder")
    monkeypatch.chdir(outside)
    told = bee("restore", "--data", repository / "data")
    assert told.code == 0
    add, finish = re.findall("`(git [^`]+)`", told.err)
    for command in (add, finish):
        run_git(outside, *shlex.split(command)[1:])
    assert git.unfinished_merge(repository / "data/custom") is None
    assert run_git(repository, "status", "--porcelain") == ""
    assert bee("run", "--data", repository / "data").code == 0


def test_of_two_decisions_on_a_word_ours_stands_before_theirs(repository, bee):
    run_git(repository, "rm", "--quiet", ".gitattributes")
    commit(repository, "no attributes")
    two_branches(repository, bee, "troth", "troth", release=False)
    run_git(repository, "merge", "--no-edit", "theirs", fine=(1,))
    assert bee("restore").code == 0
    lines = (repository / "data/custom/verdicts.csv").read_text().splitlines()[1:]
    assert [line.split(",")[-2] for line in lines] == ["ann", "ben"]


def test_restoring_an_older_file_drops_committed_decisions_without_force(repository, bee):
    for word in ("troth", "truth"):
        assert bee("keep", word, *KEEP, "--by", "ann").code == 0
        commit(repository, word)
    assert bee("restore", "HEAD~1", "--only", "verdicts.csv").code == 0
    assert words_of(repository) == ["troth"]


def test_without_a_release_in_the_repository_the_one_of_the_program_comes_back_and_no_commit_is_blamed(repository, bee):
    run_git(repository, "rm", "--quiet", "-r", "data/custom")
    run_git(repository, "commit", "--quiet", "--amend", "-m", "no release")
    (repository / "data/custom").mkdir()
    (repository / "data/custom/verdicts.csv").write_text("word,verdict,reason,by,on\n")
    commit(repository, "decisions")
    told = bee("restore")
    assert (told.code, f"From {reader.RELEASE}: " in told.err) == (0, True)
    assert "The commit" not in told.err


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
    run_git(tmp_path, "init", "--quiet", "-b", "main")
    run_git(tmp_path, "config", "user.name", "ann")
    run_git(tmp_path, "config", "user.email", "ann@example.org")
    for number, version in enumerate(versions):
        (tmp_path / "a.csv").write_text("".join(f"{line}\n" for line in version.split()))
        commit(tmp_path, f"version {number}")
    assert set(git.lines_taken_out(tmp_path, ["a.csv"], 9)) == {("a.csv", line) for line in out}


@pytest.mark.parametrize("lose", ["cut", "delete"])
def test_a_lost_decision_file_comes_from_the_last_commit_though_its_release_does_not_verify(repository, bee, lose):
    assert bee("keep", "troth", *KEEP, "--by", "ann").code == 0
    commit(repository, "troth")
    with (repository / "data/custom/words.csv").open("a") as file:
        file.write("x\n")
    commit(repository, "damaged release")
    assert bee("keep", "cove", *KEEP, "--by", "ann").code == 0
    commit(repository, "cove")
    path = repository / "data/custom/verdicts.csv"
    if lose == "cut":
        path.write_text(path.read_text()[:-30])
        assert bee("restore", "--only", "verdicts.csv").code == 0
    else:
        path.unlink()
        assert bee("restore").code == 0
    assert words_of(repository) == ["cove", "troth"]


def test_a_decision_that_the_last_commit_has_only_in_part_comes_whole_from_an_older_one(repository, bee):
    assert bee("keep", "troth", *KEEP, "--by", "ann").code == 0
    commit(repository, "troth")
    path = repository / "data/custom/verdicts.csv"
    path.write_text(path.read_text().replace("troth,keep,", "cove,keep,on maps,ben,2026-01-01\ntroth,"))
    (repository / "data/custom/words.csv").write_text("damaged\n")
    commit(repository, "damaged")
    assert bee("restore", "--only", "verdicts.csv").code == 0
    lines = path.read_text().splitlines()
    assert [line.split(",")[:2] for line in lines[1:3]] == [["cove", "keep"], ["troth", "keep"]]


def test_a_line_that_is_damaged_in_all_commits_is_named_and_hides_no_other_one(repository, bee):
    assert bee("keep", "troth", *KEEP, "--by", "ann").code == 0
    path = repository / "data/custom/verdicts.csv"
    path.write_text(path.read_text() + "truth,keep,a word, with a comma,ann,2026-01-01\n")
    commit(repository, "damaged line")
    path.unlink()
    told = bee("restore")
    assert "must be corrected: truth,keep,a word, with a comma" in told.err
    assert words_of(repository) == ["troth", "truth"]


def test_in_a_revert_what_it_brings_back_and_what_the_file_has_are_there_and_the_printed_commands_finish_it(
    repository, bee
):
    run_git(repository, "rm", "--quiet", ".gitattributes")
    for word in ("troth", "truth"):
        assert bee("keep", word, *KEEP, "--by", "ann").code == 0
    commit(repository, "two words")
    for word in ("troth", "truth"):
        assert bee("undo", word).code == 0
        commit(repository, f"undo {word}")
    run_git(repository, "revert", "--no-edit", "HEAD~1", fine=(1,))
    finish_as_printed(repository, bee("restore").err)
    assert words_of(repository) == ["troth"]


def finish_as_printed(repository: Path, told: str) -> None:
    add, finish = re.findall("`(git [^`]+)`", told)
    for command in (add, finish):
        run_git(repository, *shlex.split(command)[1:])
    assert git.unfinished_merge(repository / "data/custom") is None
    assert run_git(repository, "status", "--porcelain") == ""


def test_a_cherry_pick_of_which_nothing_is_left_is_finished_by_the_printed_commands(repository, bee):
    two_branches(repository, bee, "troth", "truth", release=False)
    for branch in ("theirs", "main"):
        run_git(repository, "checkout", "--quiet", branch)
        assert bee("run").code == 0
        commit(repository, "release")
    run_git(repository, "cherry-pick", "theirs", fine=(1,))
    finish_as_printed(repository, bee("restore").err)
    assert words_of(repository) == ["troth"]
    assert bee("run").code == 0


def test_an_undo_that_a_rebase_left_out_because_its_line_came_back_is_named(repository, bee):
    for word in ("cove", "troth", "truth"):
        assert bee("keep", word, *KEEP, "--by", "ann").code == 0
    commit(repository, "three words")
    run_git(repository, "branch", "--quiet", "theirs")
    assert bee("undo", "truth").code == 0
    commit(repository, "undo truth")
    run_git(repository, "checkout", "--quiet", "theirs")
    assert bee("keep", "zine", "--only", *KEEP, "--by", "ben").code == 0
    commit(repository, "zine")
    run_git(repository, "checkout", "--quiet", "main")
    run_git(repository, "rebase", "--quiet", "theirs")
    assert run_git(repository, "rev-list", "--count", "theirs..main") == "0\n", "git kept the undo"
    assert words_of(repository) == ["cove", "troth", "truth", "zine"]
    told = bee("status").err
    assert "(keep truth, by ann" in told
    assert "brought it back: `bee undo truth --kind verdict` takes it out again" in told
    assert bee("undo", "truth", "--kind", "verdict").code == 0
    commit(repository, "undo truth again")
    assert "brought it back" not in bee("status").err
    run_git(repository, "revert", "--no-edit", "HEAD")
    assert "brought it back" not in bee("status").err


def test_a_line_of_two_alike_may_go_and_two_different_decisions_leave_the_choice_to_the_error(repository, bee):
    assert bee("keep", "troth", *KEEP, "--by", "ann").code == 0
    path = repository / "data/custom/verdicts.csv"
    once = path.read_text()
    line = once.splitlines(keepends=True)[1]
    path.write_text(once + line)
    commit(repository, "twice")
    path.write_text(once)
    commit(repository, "once")
    assert "brought it back" not in bee("status").err
    path.write_text(once.replace(line, ""))
    commit(repository, "out")
    path.write_text(once + line.replace("keep", "drop"))
    commit(repository, "back beside another one")
    told = bee("status")
    assert "brought it back" not in told.err
    assert "has 2 different decisions on troth" in told.out


def test_restoring_a_file_of_decisions_drops_none_unseen(repository, bee):
    assert bee("keep", "troth", *KEEP, "--by", "ann").code == 0
    commit(repository, "troth")
    assert bee("keep", "cove", *KEEP, "--by", "ann").code == 0
    refused = bee("restore", "--only", "verdicts.csv")
    assert refused.code == 1
    assert "cove,keep,seen in print" in refused.err
    assert "troth" not in refused.err
    assert "`bee restore --only verdicts.csv --force` goes ahead" in refused.err
    assert words_of(repository) == ["cove", "troth"]
    assert bee("restore", "--only", "verdicts.csv", "--force").code == 0
    assert words_of(repository) == ["troth"]
    assert bee("restore", "--only", "verdicts.csv").code == 0


@pytest.mark.parametrize("lose", ["delete", "empty"])
def test_a_new_decision_does_not_hide_that_the_file_with_all_others_is_lost(repository, bee, lose):
    assert bee("keep", "troth", *KEEP, "--by", "ann").code == 0
    assert bee("run").code == 0
    commit(repository, "troth")
    path = repository / "data/custom/verdicts.csv"
    path.unlink()
    if lose == "empty":
        path.touch()
    for command in (("keep", "cove", *KEEP, "--by", "ann"), ("undo", "troth"), ("run",)):
        refused = bee(*command)
        assert (refused.code, "`bee restore`" in refused.err) == (1, True), command
    assert bee("restore").code == 0
    assert words_of(repository) == ["troth"]
    assert bee("keep", "cove", *KEEP, "--by", "ann").code == 0
    assert words_of(repository) == ["cove", "troth"]


def test_in_a_merge_the_decisions_of_the_other_side_need_force_too(repository, bee):
    two_branches(repository, bee, "troth", "truth", release=True)
    run_git(repository, "merge", "--no-edit", "theirs", fine=(1,))
    refused = bee("restore", "--only", "verdicts.csv")
    assert refused.code == 1
    assert "truth,keep" in refused.err
    assert "troth,keep" not in refused.err
    assert refused.err.index("`bee restore` keeps the decisions of both sides") < refused.err.index("--force`")


def test_restore_goes_back_to_the_last_commit_that_verifies_and_says_how_far(repository, bee):
    good = run_git(repository, "rev-parse", "--short", "HEAD").strip()
    whole = (repository / "data/custom/evidence.csv").read_bytes()
    for at in (100, 200):
        (repository / "data/custom/evidence.csv").write_bytes(whole[:at] + b"x" + whole[at + 1 :])
        commit(repository, f"damaged at {at}")
    told = bee("restore")
    assert told.code == 0
    assert f"The release is that of {good} of " in told.err
    assert "2 newer commits passed over" in told.err
    reasons = re.findall("^The commit .* of .* does not verify: (.*)$", told.err, re.MULTILINE)
    assert [reason.endswith(": its checksum does not match.") for reason in reasons] == [True, True]
    assert (repository / "data/custom/evidence.csv").read_bytes() == whole
    assert bee("run").code == 0


def test_a_commit_without_a_release_is_passed_over(repository, bee):
    record = (repository / "data/custom/evidence.csv").read_bytes()
    (repository / "data/custom/SHA256SUMS").unlink()
    commit(repository, "no checksums")
    told = bee("restore")
    assert (told.code, "1 newer commit passed over" in told.err) == (0, True)
    assert (repository / "data/custom/evidence.csv").read_bytes() == record
    assert bee("verify", "data/custom").code == 0


@pytest.mark.parametrize(("here", "way"), [("main", ("merge", "--no-edit", "theirs")), ("theirs", ("rebase", "main"))])
def test_a_decision_that_was_taken_out_and_that_a_merge_brought_back_is_named_until_it_is_out(
    repository, bee, here, way
):
    assert bee("keep", "troth", *KEEP, "--by", "ann").code == 0
    commit(repository, "troth")
    run_git(repository, "branch", "--quiet", "theirs")
    assert bee("undo", "troth").code == 0
    commit(repository, "undo troth")
    run_git(repository, "checkout", "--quiet", "theirs")
    assert bee("keep", "truth", *KEEP, "--by", "ben").code == 0
    commit(repository, "truth")
    assert "brought it back" not in bee("status").err
    run_git(repository, "checkout", "--quiet", here)
    run_git(repository, *way, "--quiet")
    assert words_of(repository) == ["troth", "truth"]
    told = bee("status").err
    assert "Line 2 of custom/verdicts.csv (keep troth, by ann" in told
    assert "and a merge or rebase brought it back: `bee undo troth --kind verdict` takes it out again" in told
    assert bee("undo", "troth", "--kind", "verdict").code == 0
    assert "brought it back" not in bee("status").err
    commit(repository, "undo troth again")
    assert bee("keep", "troth", *KEEP, "--by", "ann").code == 0
    commit(repository, "troth again")
    assert "brought it back" not in bee("status").err


def test_a_clone_that_turns_line_ends_has_the_published_bytes(tmp_path, bee):
    if not (PROJECT / ".git").exists():
        pytest.skip("this is no git checkout")
    clone = tmp_path / "clone"
    settings = ("-c", "core.autocrlf=true", "-c", "core.eol=crlf")
    run_git(tmp_path, "clone", "--quiet", *settings, str(PROJECT), str(clone))
    changed = [
        name
        for name in run_git(clone, "ls-files").splitlines()
        if b"\r\n" in (clone / name).read_bytes()
        and not name.startswith("tests/sources/pages/")
        and (clone / name).suffix not in (".gz", ".png")
    ]
    assert changed == []
    assert bee("verify", clone / "data/custom").code == 0
    assert run_git(clone, "status", "--porcelain") == ""
