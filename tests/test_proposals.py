"""The scripts that answer the proposal of a word and make its pull request, on events, with a replacement for gh."""

import json
import os
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from conftest import PROJECT
from hypothesis import example, given
from hypothesis import strategies as st

from pipeline.tables.frames import CONTRACTS

pytestmark = pytest.mark.needs("git")

SCRIPTS = PROJECT / ".github"
READ, WRITE = (runpy.run_path(str(SCRIPTS / f"proposal-{name}.py")) for name in ("read", "write"))
SIDES = {"keep": "on the list", "drop": "off the list"}
UNSAFE_FLAGS = re.compile("[A-Za-z0-9 ,.'-]*")


def event(word="zine", verdict="drop", why="A rare word.", login="ann-b", action="opened", body=None):
    """The event of an issue that was made with the form."""
    text = f"### Word\n\n{word}\n\n### The word should be\n\n{SIDES[verdict]}\n\n### Why\n\n{why}"
    issue = {"number": 12, "title": "Word: x", "body": text if body is None else body, "user": {"login": login}}
    told = {"action": action, "issue": issue, "sender": {"login": "mary" if action == "labeled" else login}}
    return told | ({"label": {"name": "accepted"}} if action == "labeled" else {})


@pytest.fixture
def answered(bee, ran, tmp_path, monkeypatch):
    """Run the first script on an event, in a workspace that ran, and return the folder that it made."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BEE_DATA", str(ran))

    def command(*arguments):
        done = bee(*arguments)
        return subprocess.CompletedProcess(arguments, done.code, done.out, done.err)

    def run(told, name="made"):
        READ["main"](tmp_path / name, told, command)
        return tmp_path / name

    return run


def comment(folder: Path) -> str:
    text = (folder / "comment.md").read_text()
    assert text.startswith("<!-- bee proposal -->\n")
    return text.partition("\n")[2]


@pytest.mark.slow
def test_the_answer_says_what_would_change_and_what_is_known(answered):
    folder = answered(event())
    text = comment(folder)
    assert [path.name for path in folder.iterdir()] == ["comment.md"]
    assert "    The list would lose 2 words: zine, zines.\n" in text
    assert "    A rare word; proposed by ann-b\n" in text
    assert "A maintainer will decide. The label `accepted` makes a pull request." in text
    assert "\n    zine: likely, by estimate\n" in text
    assert WRITE["read_text"](folder / "comment.md")


@pytest.mark.slow
def test_a_proposal_that_changes_nothing_is_told_and_a_word_in_capitals_is_one(answered):
    for number, (asked, says) in enumerate(
        [
            ({"verdict": "keep"}, "`zine` is already on the list, so this would change nothing."),
            ({"word": "zizz"}, "`zizz` is already off the list"),
            ({"word": "Zine"}, "drop `zine`"),
            ({"word": "abc", "action": "labeled"}, "This cannot be an answer of a puzzle"),
        ]
    ):
        folder = answered(event(**asked), str(number))
        assert says in comment(folder)
        assert [path.name for path in folder.iterdir()] == ["comment.md"]


EMPTY = "The form is not complete"
NO_WORD = "This cannot be an answer of a puzzle"


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"body": ""}, EMPTY),
        ({"why": "_No response_"}, EMPTY),
        ({"why": "https://example.org"}, EMPTY),
        ({"why": "Test."}, EMPTY),
        ({"body": "### Word\n\nzine"}, EMPTY),
        ({"body": "### Word\n\n" + "z" * 100_000}, EMPTY),
        ({"why": "word " * 20_000}, ""),
        ({"word": "zin"}, NO_WORD),
        ({"word": "zing"}, ""),
        ({"word": "z" * 19}, ""),
        ({"word": "z" * 20}, NO_WORD),
        ({"word": "octagonal"}, ""),
        ({"word": "personal"}, "personal cannot be an answer: a puzzle has 7 different letters, but personal needs 8."),
        ({"word": "zine; rm -rf /"}, NO_WORD),
        ({"word": "$(reboot)"}, NO_WORD),
        ({"word": "`id`"}, NO_WORD),
        ({"word": "${{ github.token }}"}, NO_WORD),
        ({"word": "zine\nzing"}, NO_WORD),
        ({"word": "--help"}, NO_WORD),
        ({"word": "z\u0456ne"}, NO_WORD),  # a Cyrillic i
        ({"word": "\u212aeep"}, NO_WORD),  # the sign of Kelvin is k in lower case
        ({"word": "zin\u00e9"}, NO_WORD),
    ],
)
def test_only_a_filled_in_form_with_a_word_of_the_game_is_a_proposal(asked, says):
    if says:
        with pytest.raises(READ["Refused"], match=re.escape(says)):
            READ["read_proposal"](event(**asked)["issue"])
    else:
        assert READ["read_proposal"](event(**asked)["issue"]).word == asked.get("word", "zine")


def test_the_first_answer_of_a_field_counts_and_a_login_is_credited_only_if_it_is_one():
    told = event(why="good\n### Word\n\nzing\n### The word should be\n\non the list")
    found = READ["read_proposal"](told["issue"])
    assert (found.word, found.verdict) == ("zine", "drop")
    assert found.reason == "good Word zing The word should be on the list"
    for login, credit in (("ann-b", "proposed by ann-b"), ("x" * 39, f"proposed by {'x' * 39}")):
        assert READ["read_proposal"](event(login=login)["issue"]).credit == credit
    for login in ("bot[bot]", "x" * 40, "a b", "a\nb", ""):
        assert READ["read_proposal"](event(login=login)["issue"]).credit == "proposed in issue 12"


@pytest.mark.parametrize("text", [None, "", "[]", "{}", '{"issue": {"number": "1", "user": {"login": "a"}}}'])
def test_an_event_that_is_none_ends_with_one_sentence(tmp_path, text):
    path = tmp_path / "event.json"
    if text is not None:
        path.write_text(text)
    with pytest.raises(SystemExit, match=re.escape(f"{path} is not the event of an issue.")):
        READ["read_event"](str(path))


def test_a_long_reason_ends_with_a_whole_word():
    assert READ["plain"]("x" * 200) == READ["plain"]("x" * 201) == "x" * 200
    assert READ["plain"]("x" * 190 + " " + "y" * 9) == "x" * 190 + " " + "y" * 9
    assert READ["plain"]("x" * 190 + " " + "y" * 10) == "x" * 190


HOSTILE = (
    "`id` $(id) ${{ secrets.X }} <script>alert(1)</script> @torvalds #1 GH-12 [a](b) ![x](y) https://a.b/c www.a.b"
)


@example(HOSTILE)
@example("caf\u00e9 \u2019s x\u0000y\u202ez \uff20all \u200b")
@example("word " * 60)
@example("x" * 1000)
@example("=1+1; proposed by torvalds")
@given(st.text(max_size=400))
def test_a_reason_is_one_line_of_letters_digits_and_a_few_signs(text):
    found = READ["plain"](text)
    assert UNSAFE_FLAGS.fullmatch(found)
    assert len(found) <= 200
    assert not re.search(r"\n|@|#|//|;|\.[A-Za-z]|(?i:GH-)|\bwww\b", found)
    assert found == READ["plain"](found), "what is plain stays"


def git(*arguments: str, cwd: Path) -> str:
    return subprocess.run(["git", *arguments], cwd=cwd, capture_output=True, text=True, check=True).stdout.strip()


ATTRIBUTES = "data/custom/verdicts.csv merge=union\n"


class Hosted:
    """A repository with a release, what the first job handed over, and a gh that answers from files."""

    def __init__(self, root: Path, custom: Path) -> None:
        self.root = root
        git("init", "--quiet", "--bare", "-b", "main", "origin.git", cwd=root)
        seed = self.clone("seed")
        shutil.copytree(custom, seed / "data/custom")
        (seed / ".gitattributes").write_text(ATTRIBUTES)
        git("checkout", "--quiet", "-B", "main", cwd=seed)
        self.commit(seed, "ann")
        git("push", "--quiet", "origin", "main", cwd=seed)
        (root / "tools").mkdir()
        (root / "tools/gh").write_text(
            f'#!/bin/sh\ncd {root}\nprintf "%s\\n" "$*" >>gh.txt\n'
            'case "$*" in *permission*) cat permission ;; *--paginate*) cat comments ;; "pr list"*) cat pulls ;; esac\n'
        )
        (root / "tools/gh").chmod(0o755)
        for name, text in (("permission", "write"), ("comments", ""), ("pulls", ""), ("gh.txt", "")):
            (root / name).write_text(text)

    def clone(self, name: str) -> Path:
        shutil.rmtree(self.root / name, ignore_errors=True)
        git("clone", "--quiet", "origin.git", name, cwd=self.root)
        return self.root / name

    def commit(self, cwd: Path, who: str) -> None:
        git("add", "-A", cwd=cwd)
        git("-c", f"user.name={who}", "-c", "user.email=a@b", "commit", "--quiet", "-m", "by hand", cwd=cwd)

    def write(self, made: Path, told: dict) -> subprocess.CompletedProcess[str]:
        """Run the second script in a fresh clone."""
        path = self.root / "event.json"
        path.write_text(json.dumps(told))
        (self.root / "gh.txt").write_text("")
        settings = {"GITHUB_EVENT_PATH": str(path), "GITHUB_REPOSITORY": "o/r"}
        settings["PATH"] = f"{self.root}/tools:{os.environ['PATH']}"
        return subprocess.run(
            [sys.executable, SCRIPTS / "proposal-write.py", made], cwd=self.clone("second"),
            env={**os.environ, **settings}, capture_output=True, text=True, check=False,
        )  # fmt: skip

    def asked(self) -> list[str]:
        return (self.root / "gh.txt").read_text().splitlines()

    def branches(self) -> list[str]:
        return git("branch", "--format=%(refname:short)", cwd=self.root / "origin.git").split()


ACCEPT = event(action="labeled", why="A rare word, says my dictionary.")
LIST = (
    'api --paginate repos/o/r/issues/12/comments --jq .[] | select(.user.login == "github-actions[bot]" and '
    '(.body | startswith("<!-- bee proposal -->"))) | .id'
)


HEADER = "word,verdict,reason,by,on\n"


@pytest.fixture
def hosted(ran, tmp_path) -> Hosted:
    (ran / "custom/verdicts.csv").write_text(HEADER)
    return Hosted(tmp_path, ran / "custom")


@pytest.mark.slow
def test_an_accepted_word_becomes_one_pull_request_with_its_line_effect_and_credit(answered, hosted):
    made = answered(ACCEPT)
    assert sorted(path.name for path in made.iterdir()) == ["comment.md", "pull.md", "verdict.csv"]
    line = (made / "verdict.csv").read_text()
    assert re.fullmatch('zine,drop,"A rare word, says my dictionary; proposed by ann-b",mary,20[0-9-]{8}\n', line)
    done = hosted.write(made, ACCEPT)
    assert done.returncode == 0, done.stderr
    assert hosted.branches() == ["main", "word-zine"]
    head = hosted.clone("look")
    git("checkout", "--quiet", "word-zine", cwd=head)
    assert (head / "data/custom/verdicts.csv").read_text() == HEADER + line
    assert changed(head) == ["1\t0\tdata/custom/verdicts.csv"]
    assert git("rev-parse", "HEAD^", cwd=head) == git("rev-parse", "origin/main", cwd=head)
    body = made / "body.md"
    named = '--title Drop "zine" --body-file'
    assert hosted.asked() == [
        "api repos/o/r/collaborators/mary/permission --jq .permission",
        "pr list --head word-zine --state open --json number --jq .[].number",
        f"pr create --head word-zine {named} {body}",
        LIST,
        f"api --method POST repos/o/r/issues/12/comments --silent --field body=@{made / 'comment.md'}",
    ]
    text = body.read_text()
    assert text.startswith("Closes #12. A verdict, proposed by ann-b: drop `zine`.")
    assert "    The list would lose 2 words: zine, zines.\n" in text
    assert "    removed zine: drop, says mary on 20" in text
    assert "    removed zines: " in text
    assert "It is accepted" in comment(made)

    (hosted.root / "comments").write_text("77\n78\n")
    (hosted.root / "pulls").write_text("5\n")
    assert hosted.write(made, ACCEPT).returncode == 0
    assert hosted.asked()[2:] == [
        f"pr edit word-zine {named} {body}",
        LIST,
        f"api --method PATCH repos/o/r/issues/comments/77 --silent --field body=@{made / 'comment.md'}",
    ]
    assert hosted.branches() == ["main", "word-zine"]

    told = event(verdict="keep")
    again = comment(answered(event(), "again"))
    assert re.match(r"A person has already decided to drop `zine` \(mary on .*\). This is what you propose.", again)
    assert "If you know more, please say so" in comment(answered(told, "other"))

    git("checkout", "--quiet", "-B", "word-zine", cwd=head)
    (head / "more.txt").write_text("x")
    hosted.commit(head, "mary")
    git("push", "--quiet", "--force", "origin", "word-zine", cwd=head)
    refused = hosted.write(made, ACCEPT)
    assert (refused.returncode, "A person pushed to the branch word-zine" in refused.stderr) == (1, True)
    assert git("rev-parse", "word-zine", cwd=hosted.root / "origin.git") == git("rev-parse", "HEAD", cwd=head)


def changed(cwd: Path, commit: str = "HEAD") -> list[str]:
    """The files that a commit changes, with the numbers of added and removed lines."""
    return git("show", "--numstat", "--format=", commit, cwd=cwd).splitlines()


def handed_over(folder: Path, line: str) -> Path:
    """What the first job hands over for an accepted proposal."""
    folder.mkdir()
    (folder / "verdict.csv").write_text(line)
    (folder / "comment.md").write_text("<!-- bee proposal -->\nThank you.\n")
    (folder / "pull.md").write_text("A verdict.\n")
    return folder


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "NEW\n"),
        ("aria\nzoom\n", "aria\nNEW\nzoom\n"),
        ("aria\nyarn\n", "aria\nyarn\nNEW\n"),
        ("zoom\naria\n", "NEW\nzoom\naria\n"),
        ("zoom\nzoon\n", "NEW\nzoom\nzoon\n"),
        ('zoom,drop,"two\nlines",ann,2026-01-02\n', 'NEW\nzoom,drop,"two\nlines",ann,2026-01-02\n'),
        ("zin\nzines\n", "zin\nNEW\nzines\n"),
        ('aria,drop,"two\nzzzz",ann,2026-01-02\nzoom\n', 'aria,drop,"two\nzzzz",ann,2026-01-02\nNEW\nzoom\n'),
    ],
)
def test_a_line_goes_before_the_first_greater_word_and_all_others_stay(before, after):
    line = "zine,drop,rare,mary,2026-01-02\n"
    assert WRITE["with_line"](HEADER + before, line, "zine") == HEADER + after.replace("NEW\n", line)
    with pytest.raises(SystemExit, match="already has a verdict on zine"):
        WRITE["with_line"](HEADER + before + line, line, "zine")


@pytest.mark.parametrize(("number", "last"), [(39, "word38"), (40, "word39"), (41, "and 1 more"), (45, "and 5 more")])
def test_a_pull_request_names_40_words_and_counts_the_others(number, last):
    rows = [f"word{at},added,,core,so\n" for at in range(number)]
    changes = "word,change,before,after,because\n" + "".join(rows)
    text = READ["pull_request_text"](READ["read_proposal"](event()["issue"]), {"says": ["so"]}, "known", changes)
    assert f"because of this verdict: {number}\n" in text
    assert text.count("    added ") == min(number, 40)
    named, _, _ = text.partition("This was known about the word")
    assert last in named.splitlines()[-2]


@pytest.mark.slow
def test_a_proposal_whose_branch_is_there_already_is_told_so(answered, hosted, monkeypatch):
    seed = hosted.root / "seed"
    git("push", "--quiet", "origin", "main:word-zine", cwd=seed)
    monkeypatch.chdir(seed)
    assert "See the pull request".lower() in comment(answered(event())).lower()
    assert "A maintainer will decide." in comment(answered(event(word="zing"), "other"))


@pytest.mark.slow
def test_an_unknown_word_is_kept_as_such(answered):
    path = answered(event("zizzizzi", "keep", action="labeled")) / "verdict.csv"
    assert path.read_text().startswith("zizzizzi,keep,A rare word; proposed by ann-b (in no list),mary,")
    assert WRITE["read_verdict"](path)[1:] == ("zizzizzi", "keep")


NO_VERDICT = "verdict.csv is not one line with a verdict"


@pytest.mark.parametrize(
    ("name", "old", "new", "says"),
    [
        ("verdict.csv", "\n", "\nzing,drop,b,mary,2026-01-02\n", NO_VERDICT),
        ("verdict.csv", "\n", "\nx", NO_VERDICT),
        ("verdict.csv", "\n", "", NO_VERDICT),
        ("verdict.csv", "zine", "../x", NO_VERDICT),
        ("verdict.csv", "drop", "delete", NO_VERDICT),
        ("verdict.csv", "A rare word", "A rare, odd word", NO_VERDICT),
        ("verdict.csv", "A rare word", "`id`", NO_VERDICT),
        ("verdict.csv", "A rare word", "a\nb", NO_VERDICT),
        ("verdict.csv", "2026-01-02", "today", NO_VERDICT),
        ("pull.md", "verdict", "@torvalds", "a mention"),
        ("pull.md", "verdict", "<img src=x>", "HTML"),
        ("pull.md", "verdict", "x" * 60_001, "too long"),
    ],
)
def test_a_hand_over_that_is_not_what_it_must_be_is_refused(tmp_path, name, old, new, says):
    made = handed_over(tmp_path / "made", "zine,drop,A rare word; proposed by ann-b,mary,2026-01-02\n")
    check = WRITE["read_verdict" if name == "verdict.csv" else "read_text"]
    assert check(made / name)
    (made / name).write_text((made / name).read_text().replace(old, new))
    with pytest.raises(SystemExit, match=says):
        check(made / name)


@pytest.mark.slow
def test_what_is_refused_and_who_may_not_write_change_nothing_and_an_answer_alone_needs_no_right(hosted):
    made = handed_over(hosted.root / "made", "zine,drop,A rare word; proposed by ann-b,mary,2026-01-02\n")
    for right, code in (("read", 1), ("none", 1), ("admin", 0)):
        (hosted.root / "permission").write_text(right)
        done = hosted.write(made, ACCEPT)
        assert (done.returncode, "word-zine" in hosted.branches()) == (code, not code), done.stderr
    git("push", "--quiet", "--delete", "origin", "word-zine", cwd=hosted.root / "seed")
    (made / "verdict.csv").unlink()
    (made / "verdict.csv").symlink_to("/etc/passwd")
    done = hosted.write(made, ACCEPT)
    assert (done.returncode, "verdict.csv is not a file" in done.stderr, "Traceback" in done.stderr) == (1, True, False)
    assert (hosted.branches(), len(hosted.asked())) == (["main"], 1)

    (made / "pull.md").unlink()
    assert hosted.write(made, event()).returncode == 0
    assert [line.split()[:3] for line in hosted.asked()][1:] == [["api", "--method", "POST"]]
    assert hosted.branches() == ["main"]
    (made / "comment.md").write_text("Thank you.\n")
    assert "is not an answer" in hosted.write(made, event()).stderr
    assert hosted.asked() == []


@pytest.mark.slow
def test_the_scripts_know_the_form_the_columns_and_each_other(monkeypatch):
    form = yaml.safe_load((SCRIPTS / "ISSUE_TEMPLATE/word.yml").read_text())
    fields = {part["attributes"]["label"]: part["attributes"] for part in form["body"] if part["type"] != "markdown"}
    assert tuple(fields) == READ["FIELDS"]
    assert fields["The word should be"]["options"] == list(READ["VERDICTS"]) == list(SIDES.values())
    assert WRITE["HEADER"] == ",".join(CONTRACTS["verdicts"].columns) + "\n"
    assert READ["MARKER"] == WRITE["MARKER"]
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    assert READ["bee"]("--version").stdout.startswith("bee ")
    text = (SCRIPTS / "workflows/proposal.yml").read_text()
    assert f"github.event.label.name == '{READ['LABEL']}'" in text
    assert text.index("contents: read") < text.index("proposal-read.py made") < text.index("contents: write")
