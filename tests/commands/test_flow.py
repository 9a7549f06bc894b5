"""The stages through the real command line: on the sample, in a workspace of their own, and on the archive."""

import dataclasses
import datetime
import gzip
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from conftest import PROJECT, SAMPLE, copy_of_the_project, read_changes, snapshot

from pipeline import reader, store
from pipeline.facts import evidence, lists, seal
from pipeline.opinions.decide import verdict_details
from pipeline.publishing import release, verify
from pipeline.run import registry, runner, stages
from pipeline.store import Workspace
from pipeline.tables import cells, frames
from pipeline.words import OFFENSIVE, because

RELEASE = [*release.DESCRIPTIONS, "datapackage.json"]


def test_run_does_everything_and_ends_with_a_table(data, bee):
    bee("import", SAMPLE, "--data", data)
    done = bee("run", "--data", data)
    assert done.code == 0
    for word in ("puzzles 14", "candidates", "missing 0, extra 0", "errors 0", "words ", "added", "removed", " s "):
        assert word in done.out
    assert all((data / "custom" / name).exists() for name in [*RELEASE, "CHANGES.md"])
    again = bee("run", "--data", data)
    assert again.out.count("up to date") == len(stages.STAGES)


def test_a_puzzle_on_disk_is_compared_with_its_answers(ran, bee, tmp_path):
    listed = bee("solve", "--date", "2025-02-22", "--data", ran)
    answers = {
        row["word"] for row in frames.rows(registry.load(Workspace(ran), "answers")) if row["date"] == "2025-02-22"
    }
    assert len(answers) > 20
    assert (set(listed.out.split()), listed.err) == (answers, "Missing: none\nExtra: none\n")
    short = tmp_path / "short.txt"
    short.write_text("\n".join([*sorted(answers)[1:], "dweeny", "nonny"]) + "\n")
    made = json.loads(bee("solve", "--date", "2025-02-22", "--list", short, "--json", "--data", ran).out)
    assert (made["date"], made["missing"], made["extra"]) == (
        "2025-02-22",
        [min(answers)],
        ["dweeny"],
    )
    long = json.loads(bee("solve", "--date", "2025-02-22", "--min-length", "6", "--json", "--data", ran).out)
    assert (long["missing"], long["extra"], long["count"]) == ([], [], sum(len(word) > 5 for word in answers))
    counted = bee("solve", "--date", "2025-02-22", "--list", short, "--show", "counts", "--data", ran).out
    assert counted.endswith("Missing: 1\n\nExtra: 1\n")
    (ran / "custom/wordlist.txt").write_text("honeydew\n")
    refused = bee("solve", "dehnowy", "--data", ran)
    assert (refused.code, "wordlist.txt" in refused.err) == (1, True)
    absent = bee("solve", "--date", "2019-01-01", "--data", ran)
    assert absent.code == 1
    assert "there are 14 (2025-02-20 to 2025-03-05)" in absent.err


def test_running_again_changes_no_byte(ran, bee):
    before = snapshot(ran / "custom")
    shutil.rmtree(ran / "build")
    assert bee("run", "--data", ran).code == 0
    assert bee("publish", "--data", ran).code == 0
    assert snapshot(ran / "custom") == before


def test_each_stage_can_be_run_alone(ran, bee):
    for stage in ("merge", "flag", "diff", "check", "publish"):
        assert bee(stage, "--data", ran).code == 0


def test_the_release_describes_and_seals_itself(ran):
    package = json.loads((ran / "custom/datapackage.json").read_text())
    assert package["version"] == "2025.03.05.1"
    assert {resource["path"] for resource in package["resources"]} == set(RELEASE) - {
        "datapackage.json",
        "evidence.csv",
    }
    for resource in package["resources"]:
        data = (ran / "custom" / resource["path"]).read_bytes()
        assert resource["bytes"] == len(data)
        assert resource["hash"] == f"sha256:{reader.sha256(data)}"
    words = frames.read_csv((ran / "custom/words.csv").read_bytes(), "words.csv")
    expected = ["word", "tier", "p", "offered", "accepted", "flags", "because", "kind", "details"]
    assert list(words.columns) == expected, "their order is promised"
    for row in frames.rows(words):
        assert row["because"] == because(row["kind"], row["details"])
        assert len(row["because"]) > 10
    listed = (ran / "custom/wordlist.txt").read_text().split()
    assert listed == sorted(words["word"][words["tier"].isin(["core", "likely"])])
    assert set(frames.read_csv(SAMPLE.read_bytes(), SAMPLE)["answer"]) <= set(listed)


def test_the_solver_finds_all_answers_of_the_sample(ran, bee, sample_days):
    for day in sample_days:
        found = bee("solve", day.puzzle.letters, "--list", ran / "custom/wordlist.txt").out.split()
        assert sorted(found) == list(day.answers)


def test_days_fold_in_once_and_rebuilding_gives_the_same_bytes(data, bee, tmp_path, sample_days):
    path = data / "custom/evidence.csv"
    days = [sample_days[at] for at in (5, 0, 9)]
    states = []
    for number, day in enumerate(days):
        text = f"{day.date} {day.puzzle.center} {day.puzzle.outer}: {' '.join(day.answers)}\n"
        (tmp_path / f"{number}.txt").write_text(text)
        assert bee("import", tmp_path / f"{number}.txt", "--as", "lines", "--data", data).code == 0
        assert bee("merge", "--data", data).code == 0
        states.append(path.read_bytes())
        assert bee("merge", "--data", data).code == 0
        assert path.read_bytes() == states[-1]
    assert b" covers 2025-02-20..2025-02-20 2025-02-25..2025-02-25 2025-03-01..2025-03-01\n" in states[-1]
    path.unlink()
    assert bee("merge", "--rebuild", "--data", data).code == 0
    assert path.read_bytes() == states[-1]
    shutil.rmtree(data / "raw/lines")
    refused = bee("merge", "--rebuild", "--data", data)
    assert (refused.code, path.read_bytes()) == (1, states[-1])
    assert "would lose 3 days" in refused.err
    assert bee("merge", "--data", data).code == 0
    assert path.read_bytes() == states[-1]


def test_a_stage_without_its_input_says_which_command_makes_it(data, bee):
    for stage, made_by in (("flag", "bee merge"), ("diff", "bee merge"), ("check", "bee merge")):
        failed = bee(stage, "--data", data)
        assert failed.code == 1
        assert made_by in failed.err
    shutil.rmtree(data / "raw/lexicon")
    assert "`bee init --data" in bee("merge", "--data", data).err


def test_publish_refuses_what_is_out_of_date(ran, bee):
    (ran / "custom/verdicts.csv").write_text("word,verdict,reason,by,on\ntroth,drop,test,ann,2025-01-01\n")
    refused = bee("publish", "--data", ran)
    assert refused.code == 1
    assert "; run `bee run" in refused.err


def test_a_verdict_decides_and_the_change_is_explained(ran, bee):
    (ran / "custom/verdicts.csv").write_text("word,verdict,reason,by,on\ntroth,drop,a test,ann,2025-01-01\n")
    assert bee("run", "--data", ran).code == 0
    assert "troth" not in (ran / "custom/wordlist.txt").read_text().split()
    changes = (ran / "custom/CHANGES.md").read_text()
    assert "0 words added, 1 removed" in changes
    assert "- `troth`: drop, says ann on 2025-01-01: a test" in changes
    assert "missing  troth" in bee("diff", "--data", ran).out


def test_each_release_has_a_version_and_its_changes_make_the_old_list_the_new(ran, bee):
    custom = ran / "custom"
    versions, lists = [], []
    for verdicts in (
        "",
        "troth,drop,a test,ann,2025-01-01\n",
        "troth,drop,a test,ann,2025-01-01\nzizzzzi,keep,odd (in no list),ann,2025-01-01\n",
    ):
        (custom / "verdicts.csv").write_text("word,verdict,reason,by,on\n" + verdicts)
        assert bee("run", "--data", ran).code == 0
        versions.append(json.loads((custom / "datapackage.json").read_text())["version"])
        lists.append(set((custom / "wordlist.txt").read_text().split()))
        text = (custom / "CHANGES.md").read_text()
        assert text.startswith(f"# Changes in {versions[-1]}\n")
        if len(lists) > 1:
            added, removed = read_changes(text).values()
            assert (lists[-2] - set(removed)) | set(added) == lists[-1]
            assert all([*added.values(), *removed.values()])
    assert versions == ["2025.03.05.1", "2025.03.05.2", "2025.03.05.3"]
    assert (lists[0] - lists[1], lists[2] - lists[1]) == ({"troth"}, {"zizzzzi"})
    (custom / "verdicts.csv").write_text(
        "word,verdict,reason,by,on\n"
        "troth,drop,another reason,ann,2025-01-01\nzizzzzi,keep,odd (in no list),ann,2025-01-01\n"
    )
    assert bee("run", "--data", ran).code == 0
    assert "Since 2025.03.05.3: 0 words added, 0 removed." in (custom / "CHANGES.md").read_text()


@pytest.mark.parametrize("moved", [0, 1, 3])
def test_a_publish_that_was_cut_off_is_finished_by_the_next(ran, bee, moved):
    custom = ran / "custom"
    before = snapshot(custom)
    (custom / "verdicts.csv").write_text("word,verdict,reason,by,on\ntroth,drop,a test,ann,2025-01-01\n")
    assert bee("run", "--data", ran).code == 0
    after = snapshot(custom)
    changed = [
        name
        for name in sorted(after)
        if after[name] != before.get(name) and name in (*RELEASE, "CHANGES.md", "SHA256SUMS")
    ]
    assert {"wordlist.txt", "CHANGES.md", "datapackage.json"} <= set(changed)
    (custom / ".ready").mkdir()
    for name in changed[moved:]:
        (custom / ".ready" / name).write_bytes(after[name])
        (custom / name).write_bytes(before[name])
    (custom / ".begun").mkdir()
    (custom / ".begun/wordlist.txt").write_text("half")
    assert bee("publish", "--data", ran).code == 0
    (custom / ".begun/wordlist.txt").unlink()
    assert snapshot(custom) == after


def test_without_the_last_description_no_version_is_made_up(ran, bee):
    for damage in ("", "{}", "[1]", "{", '{"version": "abc"}'):
        (ran / "custom/datapackage.json").write_text(damage)
        failed = bee("publish", "--data", ran)
        assert (failed.code, "datapackage.json is damaged; `bee restore" in failed.err) == (1, True), failed.err
    (ran / "custom/datapackage.json").unlink()
    assert "datapackage.json is missing. `bee restore" in bee("publish", "--data", ran).err


@pytest.mark.parametrize("name", ["wordlist.txt", "words.csv", "CHANGES.md", "SHA256SUMS"])
def test_a_damaged_last_release_is_a_refusal_and_not_an_empty_list(ran, bee, name):
    path = ran / "custom" / name
    whole = path.read_bytes()
    (ran / "custom/verdicts.csv").write_text("word,verdict,reason,by,on\ntroth,drop,a test,ann,2025-01-01\n")
    for damage in (whole[:-9], whole + b"x", None):
        path.unlink()
        if damage is not None:
            path.write_bytes(damage)
        before = snapshot(ran / "custom")
        failed = bee("run", "--data", ran)
        assert (failed.code, name in failed.err, "`bee restore --data" in failed.err) == (1, True, True)
        assert snapshot(ran / "custom") == before
        path.write_bytes(whole)
    assert bee("run", "--data", ran).code == 0


def test_an_edited_license_is_refused_until_it_is_sealed_and_then_makes_a_new_release(ran, bee):
    folder = ran / "raw/lexicon"
    before = snapshot(ran / "custom")
    with (folder / "licences/cuss.txt").open("a") as file:
        file.write("One more sentence.\n")
    refused = bee("run", "--data", ran)
    assert (refused.code, 'lexicon-changed on "licences/cuss.txt"' in refused.err) == (1, True)
    assert snapshot(ran / "custom") == before
    files = {name: data for name, data in snapshot(folder).items() if name != reader.SUMS}
    (folder / reader.SUMS).write_bytes(reader.sums(files))
    assert bee("run", "--data", ran).code == 0
    assert "One more sentence." in (ran / "custom/LICENSES.txt").read_text()
    assert json.loads((ran / "custom/datapackage.json").read_text())["version"] == "2025.03.05.2"


def test_a_release_is_a_valid_data_package_with_sums_and_licences(ran):
    import frictionless

    custom = ran / "custom"
    found = frictionless.validate(str(custom / "datapackage.json"))
    assert found.valid, found.flatten(["type", "message"])
    assert found.stats["tasks"] == len(release.DESCRIPTIONS)
    summed = subprocess.run(["sha256sum", "-c", "--strict", "SHA256SUMS"], cwd=custom, capture_output=True, text=True)
    assert summed.returncode == 0, summed.stdout
    assert {line.split(":")[0] for line in summed.stdout.splitlines()} == {*RELEASE, "CHANGES.md"}
    licences = (custom / "LICENSES.txt").read_text()
    assert (PROJECT / "LICENSE").read_text() in licences
    for row in frames.rows(lists.sources(registry.load(Workspace(ran), "lexicon_files"))):
        assert (ran / f"raw/lexicon/licences/{row['list']}.txt").read_text() in licences
        assert row["title"] in licences


def test_publish_refuses_errors_and_a_list_that_moved_much(ran, bee):
    before = snapshot(ran / "custom")
    head = "word,verdict,reason,by,on\n"
    (ran / "custom/verdicts.csv").write_text(head + "troth,perhaps,a test,ann,2025-01-01\n")
    refused = bee("run", "--data", ran)
    assert refused.code == 1
    assert "verdict-broken" in refused.err
    assert 'custom/verdicts.csv, line 2: "perhaps" is no verdict; write keep or drop' in refused.err
    assert bee("check", "--data", ran).code == 1
    row = "troth,drop,a test,ann,2025-01-01\n"
    for rows, says in (
        (
            f'truth,keep,"two\nlines",ann,2025-01-01\n{row.replace("ann", "")}',
            "line 4: it needs a name: the column by is empty",
        ),
        (row.replace("a test", " "), "line 2: it needs a reason: the column reason is empty"),
        (row + "cove,drop,old, odd,ann,2025-01-01\n", "line 3: 6 cells, the header has 5; put quotes around commas"),
    ):
        (ran / "custom/verdicts.csv").write_text(head + rows)
        refused = bee("check", "--data", ran)
        assert refused.code == 1
        assert f"custom/verdicts.csv, {says}" in refused.out + refused.err
    (ran / "custom/verdicts.csv").write_text(head + row + row.replace("drop", "keep"))
    assert "2 different decisions on troth: line 2: drop troth, by ann" in bee("check", "--data", ran).err
    words = before["wordlist.txt"].decode().split()
    rows = "".join(f"{word},drop,a test,ann,2025-01-01\n" for word in words[::10])
    (ran / "custom/verdicts.csv").write_text(head + rows)
    refused = bee("run", "--data", ran)
    assert refused.code == 1
    assert "more than 2%" in refused.err
    after = snapshot(ran / "custom")
    assert all(after[name] == before[name] for name in RELEASE)
    assert bee("publish", "--force", "--data", ran).code == 0
    left = (ran / "custom/wordlist.txt").read_text().split()
    gone = set(words) - set(left)
    assert set(words[::10]) <= gone
    assert gone - set(words[::10]) == {"zillions"}, "the plural of a dropped word goes with it"
    assert set(left) < set(words)


def test_a_broken_verdict_file_is_named(ran, bee):
    (ran / "custom/verdicts.csv").write_text("word;verdict\ntroth;drop\n")
    failed = bee("flag", "--data", ran)
    assert failed.code == 1
    assert "verdicts.csv" in failed.err
    assert "Traceback" not in failed.err


def test_faults_are_told_kept_and_checked(data, bee, tmp_path):
    good = "2025-01-02 e acnotv: cove covenant octave\n"
    (tmp_path / "days.txt").write_text(good + good.replace("01-02", "01-03").replace("cove ", "love "))
    fetched = bee("import", tmp_path / "days.txt", "--as", "lines", "--data", data)
    assert fetched.code == 1
    assert "days.txt:2: unspellable" in fetched.err
    assert "1 day in 1 file" in fetched.err
    bee("run", "--data", data)
    listed = bee("check", "--data", data)
    assert "unspellable          lines/days.txt:2" in listed.out
    assert listed.code == 0


def test_a_capture_that_was_changed_on_disk_is_an_error(ran, bee):
    path = ran / "raw/table/two-weeks.csv"
    path.write_bytes(path.read_bytes() + b"\n")
    assert bee("run", "--data", ran).code == 1
    assert "capture-changed" in bee("check", "--data", ran).out


def test_a_lexicon_that_was_changed_is_an_error(ran, bee):
    path = ran / "raw/lexicon/cuss.csv.gz"
    path.write_bytes(gzip.compress(b"word,sureness\ntroth,2\n"))
    assert bee("run", "--data", ran).code == 1
    assert "lexicon-changed" in bee("check", "--data", ran).out


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("none.txt", "There is no"),
        ("prose.txt", "unknown-format"),
        ("empty", "holds no files"),
        ("image.bin", "unknown-format"),
    ],
)
def test_a_file_that_is_no_archive_is_refused_and_not_kept(data, bee, tmp_path, path, says):
    (tmp_path / "prose.txt").write_text("once upon a time\n")
    (tmp_path / "image.bin").write_bytes(bytes(range(256)))
    (tmp_path / "empty").mkdir()
    failed = bee("import", tmp_path / path, "--data", data)
    assert failed.code == 1
    assert says in failed.err
    assert [folder.name for folder in (data / "raw").iterdir()] == ["lexicon"]


def test_two_commands_in_one_workspace_do_not_mix(data, bee):
    with store.locked(Workspace(data)):
        failed = bee("run", "--wait", "0.1", "--data", data)
    assert failed.code == 1
    assert "Another bee is at work" in failed.err


def test_the_lexicon_is_built_from_packages(tmp_path):
    def build() -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "lexicon", "--root", root, "--npm", npm, "--data", data]
        return subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)

    root, npm, data = tmp_path / "root", tmp_path / "npm", tmp_path / "data"
    for name, text in {
        "usr/share/dict/scowl/english-words.10": "null\nbee\n",
        "usr/share/wordnet/data.noun": "00000004 13 n 01 taco 0 000 | food\n",
        "usr/share/wordnet/index.noun": "taco n 1 0 1 0 00000004  \n", "usr/share/wordnet/index.verb": "",
        "usr/share/wordnet/index.adj": "", "usr/share/wordnet/index.adv": "",
        "usr/share/wordnet/data.verb": "", "usr/share/wordnet/data.adj": "", "usr/share/wordnet/data.adv": "",
        "usr/share/doc/scowl/copyright": "free\n",
        "usr/share/doc/wordnet-base/copyright": "Files: *\nLicense: WordNet3.0\n Use it.\n .\n Well.\n\nFiles: x\n",
    }.items():  # fmt: skip
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    for name in ("scowl", "wordnet-base"):
        (root / f"usr/share/doc/{name}/changelog.Debian.gz").write_bytes(gzip.compress(b"it (1.2-3) unstable\n"))
    for name, files in {
        "cuss": {"index.js": "  taco: 1,\n", "license": "MIT"},
        "naughty-words": {"en.json": '["taco"]', "LICENSE": "CC"},
    }.items():
        (npm / name).mkdir(parents=True)
        for file, text in {**files, "package.json": '{"version": "2.0.0"}'}.items():
            (npm / name / file).write_text(text)
    data.mkdir()
    built = build()
    assert built.returncode == 0, built.stderr
    assert "too short" in built.stdout
    assert (data / "raw/lexicon/licences/wordnet.txt").read_text() == "Use it.\n\nWell.\n"
    files = registry.load(Workspace(data), "lexicon_files")
    assert list(lists.changed(files)) == []
    ours = (PROJECT / "lexicon/modern/words.txt").read_text().partition("\n")[0].removeprefix("# version ")
    assert list(lists.sources(files)["version"]) == ["1.2-3", "1.2-3", "2.0.0", "2.0.0", ours]
    assert "mixtape" in set(lists.tables(files)["modern"]["word"])
    assert gzip.decompress((data / "raw/lexicon/glosses.csv.gz").read_bytes()) == (
        b"word,base,pos,gloss,rude\ntaco,,noun,food,\n"
    )
    before = snapshot(data / "raw")
    assert build().returncode == 0
    assert snapshot(data / "raw") == before
    shutil.rmtree(npm / "cuss")
    failed = build()
    assert failed.returncode == 1
    assert failed.stderr.startswith(f"There is no {npm / 'cuss'}: install the npm package cuss")


def unapplied_decisions(custom: Path) -> set[str]:
    """The words of decisions that the release there does not show, and the files that it does not know as they are."""
    words = cells.rows((custom / "words.csv").read_bytes(), "words.csv")
    applied = {(row["word"], row["details"]) for row in words if row["kind"] == "verdict"}
    verdicts = cells.rows((custom / "verdicts.csv").read_bytes(), "verdicts.csv")
    wanted = {(row["word"], verdict_details(row["verdict"], row["by"], row["on"], row["reason"])) for row in verdicts}
    flags = cells.rows((custom / "flags.csv").read_bytes(), "flags.csv")
    flagged = {row["word"]: row["flag"] for row in flags if row["flag"] in OFFENSIVE}
    grades = cells.rows((custom / "offensive.csv").read_bytes(), "offensive.csv")
    known = {row["word"] for row in words}
    regraded = {
        row["word"] for row in grades if row["word"] in known and flagged.get(row["word"], "none") != row["grade"]
    }
    files = {path.name: path.read_bytes() for path in custom.iterdir() if path.is_file()}
    changed = verify.changed_decisions(reader.read(custom), files)
    return {word for word, _ in applied ^ wanted} | regraded | set(changed)


def test_a_fresh_clone_makes_the_committed_release_again(tmp_path, bee, real_run):
    """On a branch with decisions of its own, two fresh clones make the same release, and only main commits it."""
    before = snapshot(PROJECT / "data/custom")
    made = snapshot(real_run / "custom")
    if unapplied_decisions(PROJECT / "data/custom") - unapplied_decisions(real_run / "custom"):
        other = copy_of_the_project(tmp_path / "other")
        assert bee("run", "--data", other).code == 0
        before |= {name: content for name, content in snapshot(other / "custom").items() if name not in verify.BESIDE}
    assert made == before


@pytest.mark.parametrize("name", ["verdicts.csv"])
def test_a_file_of_decisions_that_is_gone_is_no_decision(tmp_path, bee, name):
    data = copy_of_the_project(tmp_path / "data")
    (data / "custom" / name).unlink()
    before = snapshot(data / "custom")
    for command in ("run", "merge", "flag", "diff", "check", "publish"):
        failed = bee(command, "--data", data)
        assert failed.code == 1
        assert f"made with custom/{name}, which is missing. `bee restore --data" in failed.err
    assert snapshot(data / "custom") == before
    assert bee("restore", "--data", data).code == 0
    assert (data / "custom" / name).read_bytes() == (PROJECT / "data/custom" / name).read_bytes()


def test_the_archive_makes_the_committed_release(tmp_path, bee, shared):
    """The whole flow on 2,999 puzzles, from the archives, the lexicon, what people wrote and the last version."""
    data = copy_of_the_project(tmp_path / "data")
    (data / "custom/evidence.csv").write_bytes(evidence.encode(evidence.NONE))
    for name, source, days, code in (
        ("archive/nyt_puzzles_plus.txt", "plus", 2794, 0),
        ("archive/nyt_puzzles_plus_2026.txt", "plus", 205, 0),
        ("archive/tedmiston/days", "days", 793, 0),
        ("pages/nytbee", "nytbee", 73, 1),  # one page prints a wrong number of points for Genius
    ):
        fetched = bee("import", shared / name, "--as", source, "--data", data)
        assert fetched.code == code
        assert f"{days:,} days" in fetched.err
    second = shared / "archive/second/2026.json"
    assert "205 days" in bee("import", second, "--as", "second", "--data", data).err
    assert bee("run", "--data", data).code == 0
    workspace = Workspace(data)
    conflicts = registry.load(workspace, "conflicts")
    assert list(conflicts["date"].unique()) == ["2023-12-02"]
    assert set(conflicts["subject"]) == {"hamachi"}
    puzzles = registry.load(workspace, "puzzles")
    assert len(puzzles) == 2999
    wrong_in_the_bulk_archive = puzzles[puzzles["date"] == "2025-06-03"]
    assert list(wrong_in_the_bulk_archive["center"]) == ["u"]
    trials = registry.load(workspace, "trials")
    assert len(trials) > 400_000
    assert trials[trials["word"] == "null"]["accepted"].sum() > 70
    for name in ["evidence.csv", *RELEASE]:
        assert (data / "custom" / name).read_bytes() == (PROJECT / "data/custom" / name).read_bytes(), name


def test_the_committed_release_covers_no_day_of_the_blind_test():
    record = (PROJECT / "data/custom/evidence.csv").read_bytes()
    covered = seal.coverage(record)
    assert max(covered) == "2026-07-24"
    assert max(pd.read_csv(PROJECT / "data/custom/evidence.csv", comment="#")["last_accepted"].dropna()) <= "2026-07-24"
    assert datetime.date.fromisoformat(min(covered)) == datetime.date(2018, 5, 9)


def test_a_capture_never_overwrites_the_receipts(data, bee, tmp_path):
    (tmp_path / "receipts.csv").write_bytes(SAMPLE.read_bytes())
    bee("import", SAMPLE, "--as", "table", "--data", data)
    (tmp_path / "receipts.csv").write_text(SAMPLE.read_text().replace("2025-02-20", "2025-03-20"))
    assert bee("import", tmp_path / "receipts.csv", "--as", "table", "--data", data).code == 0
    assert (data / "raw/table/capture-receipts.csv").exists()
    assert bee("check", "--captures", "--data", data).out.count("capture-changed") == 0
    assert bee("merge", "--data", data).code == 0


def test_a_comma_without_quotes_in_a_hand_written_file_is_told_with_its_line(ran, bee):
    (ran / "custom/verdicts.csv").write_text("word,verdict,reason,by,on\ntroth,drop,old, odd,ann,2025-01-01\n")
    failed = bee("flag", "--data", ran)
    assert failed.code == 1
    assert "verdicts.csv, line 2: 6 cells" in failed.err


def test_evidence_that_was_cut_is_refused_and_can_be_rebuilt(ran, bee):
    path = ran / "custom/evidence.csv"
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    failed = bee("run", "--data", ran)
    assert failed.code == 1
    assert "cut short" in failed.err
    assert bee("merge", "--rebuild", "--data", ran).code == 0
    assert path.read_bytes() == whole


@pytest.mark.parametrize("edits", [False, True])
def test_what_is_edited_while_a_stage_runs_makes_it_stale(ran, edits):
    workspace = Workspace(ran)
    stage = stages.BY_NAME["decisions"]
    assert not runner.stale(workspace, stage)

    def work(candidates, evidence, estimates, rude, verdicts, lemmas, spellings):
        if edits:
            (ran / "custom/verdicts.csv").write_text("word,verdict,reason,by,on\ntroth,drop,late,ann,2025-01-01\n")
        return stage.work(candidates, evidence, estimates, rude, verdicts, lemmas, spellings)

    runner.run_stage(workspace, dataclasses.replace(stage, work=work))
    assert runner.stale(workspace, stage) == edits


def test_a_file_that_changes_while_it_is_read_makes_its_stage_stale(ran):
    def track(items, label):
        yield from items
        if label == "reading captures":
            path = ran / "raw/table/two-weeks.csv"
            path.write_bytes(path.read_bytes() + b"\n")

    stage = stages.BY_NAME["facts"]
    runner.run_stage(Workspace(ran), stage)
    assert not runner.stale(Workspace(ran), stage)
    runner.run_stage(Workspace(ran), stage, track)
    assert runner.stale(Workspace(ran), stage)


@pytest.mark.parametrize("after", ["record", "relatives", "flags"])
def test_a_grade_that_is_saved_between_two_stages_arrives(ran, after):
    """The stages before it got the old file, those after it the new one, and the next run makes both equal."""
    workspace = Workspace(ran)
    (ran / "build/state.json").unlink()
    for name, seconds, _ in runner.run_stale(workspace):
        assert seconds is not None
        if name == after:
            (ran / "custom/offensive.csv").write_text("word,grade\ntroth,crude\n")
    flags = registry.load(workspace, "flags")
    graded = {"crude"} if after != "flags" else set()
    assert set(flags["flag"][flags["word"] == "troth"]) & {"crude"} == graded
    ran_again = {name for name, seconds, _ in runner.run_stale(workspace) if seconds is not None}
    assert "record" in ran_again
    assert ("flags" in ran_again) == (after == "flags")
    flags = registry.load(workspace, "flags")
    assert "crude" in set(flags["flag"][flags["word"] == "troth"])
    assert all(seconds is None for _, seconds, _ in runner.run_stale(workspace))


def test_a_table_that_is_replaced_after_its_stage_is_not_used_and_is_made_again(ran):
    workspace = Workspace(ran)
    (ran / "build/state.json").unlink()
    links = registry.load(workspace, "links")
    for name, _, _ in runner.run_stale(workspace):
        if name == "relatives":
            registry.save(workspace, "links", links.head(0))
    assert runner.stale(workspace, stages.BY_NAME["relatives"])
    assert not runner.stale(workspace, stages.BY_NAME["estimates"]), "it read what is on disk"
    list(runner.run_stale(workspace))
    assert registry.load(workspace, "links").equals(links)


def test_a_copied_workspace_is_as_fresh_as_the_first(ran, bee, tmp_path):
    copied = tmp_path / "copy"
    for path in sorted(ran.rglob("*")):
        if path.is_file():
            (copied / path.relative_to(ran)).parent.mkdir(parents=True, exist_ok=True)
            (copied / path.relative_to(ran)).write_bytes(path.read_bytes())
    assert bee("run", "--data", copied).out.count("up to date") == len(stages.STAGES)


@pytest.mark.parametrize("stage", stages.STAGES, ids=lambda stage: stage.name)
def test_whatever_a_stage_reads_makes_it_stale_but_what_only_guards(ran, stage):
    """Change each file that a stage declares, one byte, and put it back."""
    workspace = Workspace(ran)
    assert not runner.stale(workspace, stage)
    for name in stage.reads:
        files = registry.ENTRIES[name].files(workspace)
        for path in [files.root / path for path in files][:40]:
            if not path.is_relative_to(ran):
                continue
            before, times = path.read_bytes(), path.stat()
            path.write_bytes(before[:-1] + bytes([before[-1] ^ 1]) if before else b"x")
            assert runner.stale(workspace, stage) != registry.ENTRIES[name].aside, f"{name}: {path}"
            path.write_bytes(before)
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
        assert not runner.stale(workspace, stage)


def test_a_stage_must_make_what_it_declares(ran):
    stage = stages.BY_NAME["diff"]
    for made in ({}, {"diffs": frames.empty("diffs"), "flags": frames.empty("flags")}):
        with pytest.raises(runner.StageError, match="Stage diff made"):
            runner.run_stage(
                Workspace(ran),
                dataclasses.replace(stage, work=lambda trials, *, made=made: made if len(trials) else {}),
            )


def test_a_damaged_table_says_what_to_do(ran, bee):
    (ran / "build/decisions.parquet").write_bytes(b"PAR1 and so on")
    failed = bee("diff", "--data", ran)
    assert failed.code == 1
    assert "delete it" in failed.err
