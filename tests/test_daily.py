"""The scripts of the daily workflow, with a local server, a bare repository, and a replacement for gh."""

import itertools
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import PROJECT, fake_gh, reseal
from server import serving

from pipeline.publishing import release

pytestmark = [pytest.mark.needs("git"), pytest.mark.slow]


def run(script: str, *arguments: object, cwd: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run a script of the workflow."""
    tools = [settings.pop("before", ""), str(Path(sys.executable).parent), settings.pop("first", "")]
    path = ":".join([*filter(None, tools), os.environ["PATH"]])
    return subprocess.run(
        ["sh", PROJECT / ".github" / script, *map(str, arguments)],
        cwd=cwd, env={**os.environ, "PATH": path, **settings}, capture_output=True, text=True, check=False,
    )  # fmt: skip


def git(*arguments: str, cwd: Path) -> str:
    done = subprocess.run(["git", *arguments], cwd=cwd, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def push(cwd: Path, message: str = "by hand") -> None:
    """Commit everything as a person, and push it."""
    git("add", "-A", cwd=cwd)
    git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--allow-empty", "-m", message, cwd=cwd)
    git("push", "--quiet", "-u", "origin", "HEAD:main", cwd=cwd)


@pytest.fixture
def checkout(ran: Path, tmp_path: Path) -> Path:
    """A checkout of a repository with a release, and its bare origin."""
    git("init", "--quiet", "--bare", "-b", "main", "origin.git", cwd=tmp_path)
    git("clone", "--quiet", "origin.git", "checkout", cwd=tmp_path)
    root = tmp_path / "checkout"
    shutil.copytree(ran / "custom", root / "data/custom")
    git("checkout", "--quiet", "-B", "main", cwd=root)
    push(root)
    return root


@pytest.fixture
def gh(tmp_path: Path) -> Path:
    """A replacement for gh."""
    return fake_gh(tmp_path)


def test_the_first_job_makes_a_release_and_says_that_a_source_is_in_trouble(ran, checkout, tmp_path):
    before = (ran / "custom/wordlist.txt").read_text().split()
    (ran / "custom/verdicts.csv").write_text("word,verdict,reason,by,on\nzine,drop,a rare word,ann,2026-01-02\n")
    with serving() as site:
        settings = {"BEE_NYT_URL": site.url, "BEE_NYTBEE_URL": site.url, "BEE_DELAY": "0", "BEE_DATA": str(ran)}
        done = run("daily-fetch.sh", tmp_path / "made", cwd=checkout, **settings)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "made/code.txt").read_text() == "3\n"
    assert (tmp_path / "made/commit.txt").read_text().strip() == git("rev-parse", "HEAD", cwd=checkout)
    after = (tmp_path / "made/custom/wordlist.txt").read_text().split()
    assert list((tmp_path / "made/waits").iterdir()) == []
    assert set(before) ^ set(after) == {"zine", "zines"}
    changes = (tmp_path / "made/changes.csv").read_text().splitlines()
    assert [row.split(",")[:2] for row in changes[1:]] == [["zine", "removed"], ["zines", "removed"]]


@pytest.mark.parametrize("agree", [True, False])
def test_the_first_job_writes_what_is_known_of_a_day_that_waits_and_how_to_answer(ran, checkout, tmp_path, agree):
    tools = tmp_path / "tools"
    tools.mkdir()
    choices = (
        "If nyt is right: `bee day 2025-03-06 --accept --source nyt`",
        "If this list is right: `bee day 2025-03-06 --accept --reason`",
    )
    known = ["2025-03-06 waits: 12 words", "  nyt avcenot", f"  {choices[agree]}"]
    told = "\n".join(["warnings 2", *known, "2025-03-07 is no day that waits", "  nyt loll"])
    line = "2025-03-06,,avcenot,12,accept,,,why,me"
    (tools / "bee").write_text(
        f'#!/bin/sh\necho "$@" >>{tmp_path}/asked.txt\n'
        f"case $1 in check) printf '{told}\\n' >&2 ;;\n"
        f'day) while test "$1" != --data; do shift; done; echo {line} >>"$2/custom/days.csv" ;; esac\n'
    )
    (tools / "bee").chmod(0o755)
    (ran / "custom/days.csv").write_text("date,source,letters,answers,decision,added,removed,reason,by\n")
    settings = {"BEE_DATA": str(ran), "FETCH": "true" if agree else "false"}
    done = run("daily-fetch.sh", tmp_path / "made", cwd=checkout, before=str(tools), **settings)
    assert done.returncode == 0, done.stderr
    assert ("--fetch" in (tmp_path / "asked.txt").read_text()) == agree, "only if sources may be asked"
    made = sorted(path.name for path in (tmp_path / "made/waits").iterdir())
    assert made == ["2025-03-06.csv"] * agree + ["2025-03-06.md"]
    assert (ran / "custom/days.csv").read_text().count("\n") == 1
    text = (tmp_path / "made/waits/2025-03-06.md").read_text()
    assert "\n" + "".join(f"    {row}\n" for row in known) + "\n" in text
    assert ("loll" in text, "`bee check --only day-waits`" in text) == (False, True)
    assert ("merge this pull request" in text, "changes nothing" in text) == (agree, not agree)


def cover(folder: Path, dates: str, more: str = "") -> None:
    """Let a release cover some days, with another record and with more text in its CHANGES.md."""
    path = folder / "custom/datapackage.json"
    path.write_text(re.sub('"dates": ".*"', f'"dates": "{dates}"', path.read_text()))
    for name, text in (("record.csv", f"{dates}\n"), ("CHANGES.md", more)):
        with (folder / "custom" / name).open("a") as file:
            file.write(text)
    reseal(folder / "custom")


def made(checkout: Path, tmp_path: Path, code: str = "0", waits: str = "", doubts: str = "") -> Path:
    """What the first job hands over: a release with a new day."""
    folder = tmp_path / "made"
    shutil.copytree(checkout / "data/custom", folder / "custom")
    cover(folder, "2025-02-20..2025-03-06", doubts)
    (folder / "code.txt").write_text(f"{code}\n")
    (folder / "waits").mkdir()
    if waits:
        (folder / "waits" / f"{waits}.md").write_text(f"The day {waits} waits.\n")
    return folder


def second_job(made: Path, checkout: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run the second script on what the first job made of the commit that is checked out."""
    (made / "commit.txt").write_text(git("rev-parse", "HEAD", cwd=checkout) + "\n")
    return run("daily-commit.sh", made, cwd=checkout, **settings)


def test_the_second_job_takes_every_file_of_a_release():
    script = (PROJECT / ".github/daily-commit.sh").read_text()
    named = re.search(r"for name in (.*?); do", script, re.DOTALL)[1].replace("\\", " ").split()
    assert sorted(named) == sorted(release.FILES)


def subject(checkout: Path) -> str:
    """The first line of the last commit on the main branch."""
    git("fetch", "--quiet", cwd=checkout)
    return git("log", "-1", "--format=%s", "origin/main", cwd=checkout)


CHANGES = "word,change,before,after,because\n"


def test_the_second_job_commits_only_files_of_a_release_and_names_the_last_day_or_what_a_release_changes(
    checkout, tmp_path
):
    output = tmp_path / "out.txt"
    folder = made(checkout, tmp_path)
    (folder / "custom/stray.sh").write_text("echo no")
    (folder / "changes.csv").write_text("<b>no</b>\n")
    done = second_job(folder, checkout, GITHUB_OUTPUT=str(output))
    assert (done.returncode, output.read_text()) == (0, "pushed=true\n"), done.stderr
    assert subject(checkout) == "Fold in the days up to 2025-03-06"
    assert not (checkout / "data/custom/stray.sh").exists()
    assert git("ls-tree", "-r", "--name-only", "origin/main", "docs", cwd=checkout) == ""
    output.unlink()
    assert second_job(folder, checkout, GITHUB_OUTPUT=str(output)).returncode == 0
    assert not output.exists(), "nothing is new"

    (folder / "custom/CHANGES.md").write_text("other words\n")
    reseal(folder / "custom")
    table = f"{CHANGES}afro,removed,core,refused,rare\nfora,removed,core,refused,rare\n"
    (folder / "changes.csv").write_text(table)
    assert second_job(folder, checkout).returncode == 0
    version = json.loads((folder / "custom/datapackage.json").read_text())["version"]
    assert subject(checkout) == f"Release {version}: words added 0, removed 2"
    assert (checkout / f"docs/changes/{version}.csv").read_text() == table


def test_if_the_main_branch_moved_nothing_is_committed_and_the_workflow_is_told(checkout, tmp_path):
    output = tmp_path / "out.txt"
    folder = made(checkout, tmp_path, code="3")
    (folder / "commit.txt").write_text("0" * 40 + "\n")
    done = run("daily-commit.sh", folder, cwd=checkout, GITHUB_OUTPUT=str(output))
    assert (done.returncode, output.read_text(), subject(checkout)) == (0, "moved=true\n", "by hand"), done.stderr
    output.unlink()
    git("clone", "--quiet", "origin.git", "other", cwd=tmp_path)
    push(tmp_path / "other", "of another person")
    done = second_job(folder, checkout, GITHUB_OUTPUT=str(output))
    assert (done.returncode, output.read_text(), subject(checkout)) == (0, "moved=true\n", "of another person")
    assert "Nothing was committed" in done.stdout


def test_a_push_that_fails_for_another_reason_is_an_error(checkout, tmp_path):
    hook = tmp_path / "origin.git/hooks/pre-receive"
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    done = second_job(made(checkout, tmp_path), checkout, GITHUB_OUTPUT=str(tmp_path / "out.txt"))
    assert (done.returncode, (tmp_path / "out.txt").exists()) == (1, False)


def test_the_first_release_of_a_repository_is_committed(checkout, tmp_path):
    folder = made(checkout, tmp_path)
    git("rm", "--quiet", "-r", "data/custom", cwd=checkout)
    (checkout / "data/custom").mkdir(parents=True)
    (checkout / "data/custom/verdicts.csv").write_text("word,verdict,reason,by,on\n")
    push(checkout)
    assert second_job(folder, checkout).returncode == 0
    assert git("show", "origin/main:data/custom/wordlist.txt", cwd=checkout)


def test_a_damaged_hand_over_is_refused_and_trouble_with_a_source_fails_the_run_after_the_commit(checkout, tmp_path):
    folder = made(checkout, tmp_path, code="3")
    path = folder / "custom/wordlist.txt"
    whole = path.read_bytes()
    path.write_text("honey\n")
    assert (second_job(folder, checkout).returncode, subject(checkout)) == (1, "by hand")
    path.write_bytes(whole)
    assert (second_job(folder, checkout).returncode, "2025-03-06" in subject(checkout)) == (3, True)


def test_the_second_job_takes_more_puzzles_of_the_day_and_no_others_than_were_published(checkout, tmp_path):
    folder = made(checkout, tmp_path)
    published = "2026-11-22,vacenot\n2026-11-23,mcegint\n"
    (checkout / "data/custom/daily.csv").write_text(f"date,letters\n{published}")
    for rows, code in (
        ("2026-11-22,vacenot\n2026-11-23,aceklpt\n", 1),
        ("2026-11-22,vacenot\n", 1),
        ("", 1),
        (f"{published}2026-11-24,aceklpt\n", 0),
    ):
        (folder / "custom/daily.csv").write_text(f"date,letters\n{rows}")
        reseal(folder / "custom")
        done = second_job(folder, checkout)
        assert (done.returncode, "daily.csv changes puzzles" in done.stderr) == (code, bool(code)), done.stderr
        assert ("2025-03-06" in subject(checkout)) == (not code)


@pytest.mark.needs("a git checkout")
def test_no_commit_of_this_project_changes_a_published_puzzle_of_the_day():
    name = "data/custom/daily.csv"
    commits = git("log", "--format=%H", "--reverse", "--", name, cwd=PROJECT).split()
    versions = [git("show", f"{commit}:{name}", cwd=PROJECT) for commit in commits]
    assert all(later.startswith(earlier) for earlier, later in itertools.pairwise(versions))


@pytest.mark.parametrize(
    ("attempt", "fetch", "asks"),
    [
        ("1", "true", "-f attempt=2 -f fetch=true"),
        ("2", "false", "-f attempt=3 -f fetch=false"),
        ("3", "true", ""),
        ("x; gh", "true", ""),
        ("1", "$(id)", ""),
    ],
)
def test_a_run_starts_again_at_most_twice(tmp_path, gh, attempt, fetch, asks):
    done = run("daily-again.sh", attempt, fetch, cwd=tmp_path, first=str(gh), GITHUB_REPOSITORY="o/r")
    told = (tmp_path / "gh.txt").read_text()
    assert told == (f"workflow run daily.yml --repo o/r --ref main {asks}\n" if asks else "")
    assert done.returncode == int(not asks)
    if attempt == "3":
        assert "::error::The main branch changed during each of three runs" in done.stdout


def branches(checkout: Path) -> list[str]:
    listed = git("ls-remote", "--heads", "origin", cwd=checkout).splitlines()
    return [line.partition("refs/heads/")[2] for line in listed]


def test_a_day_that_waits_has_one_pull_request_until_it_counts_and_main_goes_on(checkout, tmp_path, gh):
    def told() -> list[str]:
        lines = (tmp_path / "gh.txt").read_text().splitlines()
        (tmp_path / "gh.txt").write_text("")
        return lines

    doubts = "\n## In doubt\n\nThese words have no trial.\n\n- `loll`: sources differ on it\n"
    folder = made(checkout, tmp_path, waits="2025-03-08", doubts=doubts)
    text = folder / "waits/2025-03-08.md"
    done = second_job(folder, checkout, first=str(gh))
    assert done.returncode == 0, done.stderr
    message = git("log", "-1", "--format=%B", "origin/main", cwd=checkout)
    body = "\n\nThese words have no trial.\n\n- `loll`: sources differ on it"
    assert message == f"Fold in the days up to 2025-03-06{body}"
    assert branches(checkout) == ["main", "waits-2025-03-08"]
    title = "Day 2025-03-08 waits: look before it counts"
    assert told() == [f"pr create --head waits-2025-03-08 --title {title} --body-file {text}"]
    git("fetch", "--quiet", cwd=checkout)
    assert git("diff", "origin/main", "origin/waits-2025-03-08", cwd=checkout) == ""
    assert git("rev-parse", "origin/waits-2025-03-08^", cwd=checkout) == git("rev-parse", "origin/main", cwd=checkout)

    assert second_job(folder, checkout, first=str(gh)).returncode == 0
    assert told() == [f"pr edit waits-2025-03-08 --body-file {text}"]

    text.unlink()  # for example, its sources could not be reached
    assert second_job(folder, checkout, first=str(gh)).returncode == 0
    assert (told(), branches(checkout)) == ([], ["main", "waits-2025-03-08"])

    cover(folder, "2025-02-20..2025-03-06 2025-03-08..2025-03-08")
    assert second_job(folder, checkout, first=str(gh)).returncode == 0
    assert told() == ["pr close waits-2025-03-08 --delete-branch --comment The day 2025-03-08 counts now."]
    assert branches(checkout) == ["main"]
    assert subject(checkout) == "Fold in the days up to 2025-03-08"


DAYS = "date,source,letters,answers,decision,added,removed,reason,by\n2025-03-01,,adhnrty,40,accept,,,seen,ann\n"
LINE = "2025-03-08,,avcenot,12,accept,,,looked at,merged pull request\n"


@pytest.fixture
def accepting(checkout, tmp_path) -> Path:
    """What the first job hands over for a day that waits, and on which the sources agree."""
    (checkout / "data/custom/days.csv").write_text(DAYS)
    push(checkout)
    folder = made(checkout, tmp_path, waits="2025-03-08")
    (folder / "waits/2025-03-08.csv").write_text(DAYS + LINE)
    return folder


def decisions(checkout: Path) -> str:
    """The file days.csv on the branch of the day; everything else there is as on main."""
    git("fetch", "--quiet", cwd=checkout)
    both = ("origin/main", "origin/waits-2025-03-08")
    assert git("diff", "--name-only", *both, cwd=checkout) in ("", "data/custom/days.csv")
    return git("show", f"{both[1]}:data/custom/days.csv", cwd=checkout) + "\n"


def test_the_pull_request_of_a_day_on_which_sources_agree_accepts_it(checkout, gh, accepting):
    def again() -> None:
        assert second_job(accepting, checkout, first=str(gh)).returncode == 0

    again()
    assert decisions(checkout) == DAYS + LINE
    head = git("rev-parse", "origin/waits-2025-03-08", cwd=checkout)
    again()
    assert git("rev-parse", "origin/waits-2025-03-08", cwd=checkout) == head

    between = "2025-03-05,,adhnrty,40,accept,,,seen,ann\n"
    later = "2025-03-09,,adhnrty,40,accept,,,seen,ann\n"
    (checkout / "data/custom/days.csv").write_text(DAYS + between + later)
    push(checkout)
    (accepting / "waits/2025-03-08.csv").write_text(DAYS + between + LINE + later)
    again()
    assert decisions(checkout) == DAYS + between + LINE + later
    git("revert", "--no-edit", "HEAD", cwd=checkout)
    git("push", "--quiet", cwd=checkout)

    grown = LINE.replace(",12,", ",13,")
    (accepting / "waits/2025-03-08.csv").write_text(DAYS + grown)
    again()
    assert decisions(checkout) == DAYS + grown

    (accepting / "waits/2025-03-08.csv").unlink()  # now the sources differ
    again()
    assert decisions(checkout) == DAYS

    (checkout / "data/custom/days.csv").write_text(DAYS + grown)
    git("checkout", "--quiet", "-b", "mine", cwd=checkout)
    git("-c", "user.name=ann", "commit", "--quiet", "-am", "mine", cwd=checkout)
    git("push", "--quiet", "--force", "origin", "mine:waits-2025-03-08", cwd=checkout)
    git("checkout", "--quiet", "main", cwd=checkout)
    (accepting / "waits/2025-03-08.csv").write_text(DAYS + LINE)
    again()
    assert decisions(checkout) == DAYS + grown, "what a person pushed stays"


def test_a_pull_request_that_was_merged_loses_its_branch(checkout, gh, accepting):
    assert second_job(accepting, checkout, first=str(gh)).returncode == 0
    (gh / "gh").write_text("#!/bin/sh\nexit 1\n")
    (accepting / "waits/2025-03-08.md").unlink()
    cover(accepting, "2025-02-20..2025-03-06 2025-03-08..2025-03-08")
    assert second_job(accepting, checkout, first=str(gh)).returncode == 0
    assert branches(checkout) == ["main"]


def test_a_file_of_no_day_or_that_does_more_than_accept_the_day_makes_no_branch(checkout, tmp_path, gh, accepting):
    for name in ("x; gh.md", "2025-03-08 --web.md", "main.md"):
        (accepting / "waits" / name).write_text("no")
    for text in (
        LINE, DAYS, DAYS + LINE + LINE, DAYS + LINE.strip(), DAYS + LINE.replace("08", "09"),
        DAYS + LINE.replace("looked", "`rm`"), DAYS.replace("ann", "me") + LINE, DAYS + "\n" + LINE,
        DAYS + LINE + LINE.replace("12", "13"), DAYS + LINE + "\n", "",
    ):  # fmt: skip
        (accepting / "waits/2025-03-08.csv").write_text(text)
        done = second_job(accepting, checkout, first=str(gh))
        assert (done.returncode, branches(checkout)) == (0, ["main"]), text
        assert "line for 2025-03-08 does not match data/custom/days.csv" in done.stderr
    assert (tmp_path / "gh.txt").read_text() == ""
