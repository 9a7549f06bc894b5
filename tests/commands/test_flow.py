"""The whole flow through the real command line: on the sample, in a workspace of its own, and on the archive."""

import dataclasses
import gzip
import json
import shutil
import subprocess
from pathlib import Path

import grimp
import pandas as pd
import pytest
from conftest import PROJECT, Result, copy_of_the_project, read_changes, reseal, skip_on_a_branch, snapshot

from lexicon import __main__ as building
from pipeline import inputs, reader, run
from pipeline.facts import lexicon_files, record
from pipeline.publishing import datapackage, release_files
from pipeline.sources.day import Day
from pipeline.store import Workspace
from pipeline.tables import frames

RELEASE = [name for name in release_files.FILES if name not in ("CHANGES.md", "SHA256SUMS")]
HEAD = "word,verdict,reason,by,after\n"
TROTH = HEAD + "troth,drop,a test,ann,2025-03-05\n"


def version_of(data: Path) -> str:
    return str(json.loads((data / "custom/datapackage.json").read_text())["version"])


def bring(bee, data: Path, file: Path, day: Day) -> None:
    """Import a day from a file."""
    file.write_text(f"{day.date} {day.puzzle.center} {day.puzzle.outer}: {' '.join(day.answers)}\n")
    assert bee("--data", data, "import", file, "--as", "lines").code == 0


@pytest.mark.slow
def test_a_run_makes_the_same_bytes_again_and_all_other_commands_write_nothing(ran, bee):
    before = snapshot(ran / "custom")
    shutil.rmtree(ran / "build")
    done = bee("--data", ran, "run")
    assert done.code == 0
    for text in ("14 days", "missing 0, extra 0", "0 errors", "0 added, 0 removed"):
        assert text in done.out
    assert snapshot(ran / "custom") == before
    for path in (ran / "build/tables").iterdir():
        path.write_text("no command reads it")
    everything = snapshot(ran)
    for name in ("merge", "flag", "diff", "check"):
        assert bee("--data", ran, name).code == 0
    assert snapshot(ran) == everything
    assert bee("--data", ran, "publish").code == 0
    assert snapshot(ran / "custom") == before


def test_a_damaged_cache_of_the_lexicon_is_made_again(ran):
    (folder,) = (ran / "build").glob("lexicon-*")
    good = snapshot(folder)
    word_lists = inputs.read_word_lists(Workspace(ran))
    words = run.read_lexicon(Workspace(ran), word_lists).words
    for name, data in good.items():
        middle = len(data) // 2
        for damage in (b"", data[:-9], data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]):
            (folder / name).write_bytes(damage)
            pd.testing.assert_frame_equal(run.read_lexicon(Workspace(ran), word_lists).words, words)
            assert snapshot(folder) == good


@pytest.mark.parametrize("name", ["MADE_BY", "LIBRARIES"])
def test_another_program_makes_the_lexicon_again(ran, monkeypatch, name):
    (before,) = (ran / "build").glob("lexicon-*")
    monkeypatch.setattr(run, name, getattr(run, name)[1:])
    run.read_lexicon(Workspace(ran), inputs.read_word_lists(Workspace(ran)))
    (after,) = (ran / "build").glob("lexicon-*")
    assert after != before


def test_every_module_that_makes_the_lexicon_is_in_the_key_of_its_cache():
    names = {module.__name__ for module in run.MADE_BY}
    graph = grimp.build_graph("pipeline")
    needed = {"pipeline.facts.lexicon"} | graph.find_upstream_modules("pipeline.facts.lexicon")
    packages = {name for name in needed if graph.find_children(name)}
    read_from_files = {"pipeline.errors", "pipeline.reader", "pipeline.word_list"}  # their results are in the key
    assert needed - packages - read_from_files == names


@pytest.mark.slow
def test_a_puzzle_on_disk_is_compared_with_its_answers(ran_once, bee, tmp_path):
    def asked(*options: object) -> dict:
        return json.loads(bee("--data", ran_once, "solve", "--date", "2025-02-22", *options, "--json").out)

    listed = bee("--data", ran_once, "solve", "--date", "2025-02-22")
    table = run.days_on_disk(Workspace(ran_once)).answers
    answers = set(table["word"][table["date"] == "2025-02-22"])
    assert len(answers) > 20
    assert (set(listed.out.split()), listed.err) == (answers, "Missing: none\nExtra: none\n")
    short = tmp_path / "short.txt"
    short.write_text("\n".join([*sorted(answers)[1:], "dweeny", "nonny"]) + "\n")
    made = asked("--list", short)
    assert (made["date"], made["missing"], made["extra"]) == ("2025-02-22", [min(answers)], ["dweeny"])
    counted = bee("--data", ran_once, "solve", "--date", "2025-02-22", "--list", short, "--show", "counts").out
    assert counted.endswith("Missing: 1\n\nExtra: 1\n")
    absent = bee("--data", ran_once, "solve", "--date", "2019-01-01")
    assert absent.code == 1
    assert "there are 14 (2025-02-20 to 2025-03-05)" in absent.err


@pytest.mark.slow
def test_the_release_describes_and_seals_itself_with_its_licences(ran_once):
    custom = ran_once / "custom"
    package = json.loads((custom / "datapackage.json").read_text())
    assert package["version"] == "2025.03.05.1"
    summed = subprocess.run(["sha256sum", "-c", "--strict", "SHA256SUMS"], cwd=custom, capture_output=True, text=True)
    assert summed.returncode == 0, summed.stdout
    assert {line.split(":")[0] for line in summed.stdout.splitlines()} == {*RELEASE, "CHANGES.md"}

    words = frames.read_csv((custom / "words.csv").read_bytes(), "words.csv")
    expected = "word tier p offered accepted first_accepted last_accepted last_refused flags kind because"
    assert list(words.columns) == expected.split(), "their order is promised"
    for row in frames.rows(words):
        assert len(row["because"]) > 10
    assert (custom / "wordlist.txt").read_text().split() == sorted(
        words["word"][words["tier"].isin(["core", "likely"])]
    )

    licences = (custom / "LICENSES.txt").read_text()
    assert (PROJECT / "LICENSE").read_text() in licences
    for row in frames.rows(lexicon_files.sources(inputs.read_word_lists(Workspace(ran_once)).files)):
        assert (ran_once / f"raw/lexicon/licences/{row['list']}.txt").read_text() in licences
        assert row["title"] in licences


@pytest.mark.slow
def test_days_fold_in_once_and_rebuilding_gives_the_same_bytes(data, bee, tmp_path, sample_days):
    published = data / "custom/words.csv"
    states = []
    for number, at in enumerate((5, 0, 9)):
        bring(bee, data, tmp_path / f"{number}.txt", sample_days[at])
        told = bee("--data", data, "run", "--force")
        assert told.code == 0, "of two days, the second changes many words"
        assert ("so they were fitted on 1 day;" in told.err) == (number == 0), "once"
        states.append(published.read_bytes())
    assert len(set(states)) == 3
    covers = json.loads((data / "custom/datapackage.json").read_text())["covers"]
    assert covers["dates"] == "2025-02-20..2025-02-20 2025-02-25..2025-02-25 2025-03-01..2025-03-01"
    assert (covers["first"], covers["last"], covers["days"]) == ("2025-02-20", "2025-03-01", 3)
    assert bee("--data", data, "run", "--rebuild", "--approve").code == 0
    assert published.read_bytes() == states[-1]
    assert bee("--data", data, "import", "--forget", "lines").code == 0
    before = snapshot(data / "custom")
    refused = bee("--data", data, "run", "--rebuild")
    assert (refused.code, "would lose 3 covered days" in refused.err) == (1, True)
    assert bee("--data", data, "run").code == 0
    assert snapshot(data / "custom") == before
    assert bee("--data", data, "run", "--rebuild", "--force").code == 0
    assert record.decode(published.read_bytes()).empty


@pytest.mark.slow
def test_after_a_new_day_is_published_nothing_is_left_to_do(ran, bee, tmp_path, sample_days):
    bring(bee, ran, tmp_path / "new.txt", dataclasses.replace(sample_days[0], date="2025-03-06"))
    assert "15 days" in bee("--data", ran, "merge").out
    assert bee("--data", ran, "run", "--no-publish").code == 0
    assert bee("--data", ran, "publish").code == 0
    assert version_of(ran) == "2025.03.06.1"


@pytest.mark.slow
def test_a_rebuild_is_one_command_and_leaves_no_state(ran, bee, tmp_path, sample_days):
    lost = sample_days[0].date
    other = f"date,source,check,reason,by\n{lost},table,{12 * '0'},another list in the test,ann\n"
    (ran / "custom/days.csv").write_text(other)
    refused = bee("--data", ran, "run", "--rebuild")
    assert (refused.code, f"1 covered day: {lost}. " in refused.err) == (1, True)
    assert f"{lost} waits: table has another list now" in refused.err
    assert "14 days" in bee("--data", ran, "merge").out
    assert bee("--data", ran, "run", "--rebuild", "--force", "--no-publish").code == 0
    assert "14 days" in bee("--data", ran, "merge").out
    assert bee("--data", ran, "run", "--rebuild", "--force").code == 0
    bring(bee, ran, tmp_path / "new.txt", dataclasses.replace(sample_days[1], date="2025-04-20"))
    assert "14 days (2025-02-21 to 2025-04-20), 1 day waiting" in bee("--data", ran, "merge").out


def without_dates(custom: Path) -> None:
    """Take the covered dates out of the description of a release, and seal it again."""
    package = json.loads((custom / "datapackage.json").read_text())
    del package["covers"]["dates"]
    (custom / "datapackage.json").write_text(json.dumps(package))
    reseal(custom)


HALF = {
    "words.csv is cut": lambda custom: (custom / "words.csv").write_bytes((custom / "words.csv").read_bytes()[:-9]),
    "CHANGES.md is gone": lambda custom: (custom / "CHANGES.md").unlink(),
    "SHA256SUMS is gone": lambda custom: (custom / "SHA256SUMS").unlink(),
    "datapackage.json has no dates": without_dates,
}


@pytest.mark.slow
@pytest.mark.parametrize("damage", HALF)
def test_half_of_a_release_is_never_taken_for_none_and_init_replaces_it_whole(ran, bee, damage):
    custom = ran / "custom"
    (custom / "verdicts.csv").write_text(TROTH)
    HALF[damage](custom)
    before = snapshot(custom), snapshot(ran / "build")
    for command in (["merge"], ["run", "--rebuild", "--force"]):
        refused = bee("--data", ran, *command)
        assert (refused.code, damage.split()[0] in refused.err) == (1, True), refused.err
        assert (snapshot(custom), snapshot(ran / "build")) == before
    assert bee("init", ran).code == 0
    assert reader.read(custom) == reader.read(reader.RELEASE)
    assert (custom / "verdicts.csv").read_text() == TROTH
    refused = bee("--data", ran, "merge")
    assert refused.code == 1, "the release of the program was made with decisions that are not here"


def test_without_a_lexicon_a_run_says_which_command_makes_it(data, bee):
    shutil.rmtree(data / "raw/lexicon")
    for name in ("merge", "run"):
        failed = bee("--data", data, name)
        assert (failed.code, "`bee init`" in failed.err) == (1, True)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new", "named"), [("\npangram,", "\npangrams,", "pangram"), ("\nconstant,", "\nx,0,0,", "x")]
)
def test_weights_of_other_features_are_refused_and_one_is_named(ran, bee, old, new, named):
    path = ran / "custom/model.csv"
    text = path.read_text()
    assert old in text
    if new.startswith("\nx"):
        days, lists = text.splitlines()[1].split(",")[3:]
        new = f"{new}{days},{lists}{old}"
    path.write_text(text.replace(old, new))
    refused = bee("--data", ran, "run")
    assert (refused.code, f'"{named}' in refused.err, "`bee flag --fit`" in refused.err) == (1, True, True), refused.err
    assert bee("--data", ran, "flag", "--fit").code == 0
    assert path.read_text() == text


@pytest.mark.slow
def test_a_verdict_decides_and_each_release_has_a_version_and_changes_that_make_the_old_list_the_new(ran, bee):
    custom = ran / "custom"
    keep = "zizzzzi,keep,odd,ann,2025-03-05\n"
    versions, lists_made = [version_of(ran)], [set((custom / "wordlist.txt").read_text().split())]
    for verdicts in (TROTH, TROTH + keep):
        (custom / "verdicts.csv").write_text(verdicts)
        assert bee("--data", ran, "publish").code == 0
        versions.append(version_of(ran))
        lists_made.append(set((custom / "wordlist.txt").read_text().split()))
        text = (custom / "CHANGES.md").read_text()
        assert text.startswith(f"# Changes in {versions[-1]}\n")
        added, removed = read_changes(text).values()
        assert (lists_made[-2] - set(removed)) | set(added) == lists_made[-1]
        assert all([*added.values(), *removed.values()])
        if verdicts == TROTH:
            assert "0 words added, 1 removed" in text
            assert "- `troth`: dropped by ann: a test" in text
            assert "missing  troth" in bee("--data", ran, "diff").out
    assert versions == ["2025.03.05.1", "2025.03.05.2", "2025.03.05.3"]
    assert (lists_made[0] - lists_made[1], lists_made[2] - lists_made[1]) == ({"troth"}, {"zizzzzi"})
    (custom / "verdicts.csv").write_text(TROTH.replace("a test", "another reason") + keep)
    assert bee("--data", ran, "run").code == 0
    assert "Since 2025.03.05.3: 0 words added, 0 removed." in (custom / "CHANGES.md").read_text()
    (custom / "verdicts.csv").write_text(TROTH.splitlines()[0] + f"\n{keep}")
    assert bee("--data", ran, "run").code == 0
    assert "A verdict was removed" in (custom / "CHANGES.md").read_text()


@pytest.mark.slow
def test_without_publishing_a_run_says_what_a_release_would_change_and_changes_no_file_of_it(ran, bee):
    (ran / "custom/verdicts.csv").write_text(HEAD + "zine,drop,a rare word,ann,2025-03-05\n")
    before = snapshot(ran / "custom")
    preview = "A release would add 0 words.\nA release would remove 2 words: zine, zines.\n"
    done = bee("--data", ran, "run", "--no-publish")
    assert (done.code, done.out.endswith(preview), "Nothing was published." in done.err) == (0, True, True)
    assert snapshot(ran / "custom") == before
    published = bee("--data", ran, "run")
    assert ("0 added, 2 removed" in published.out, "Nothing was published." in published.err) == (True, False)
    after = bee("--data", ran, "run", "--no-publish")
    assert "A release would add 0 words.\nA release would remove 0 words.\n" in after.out
    (ran / "custom/verdicts.csv").write_text(HEAD + "zine,perhaps,a rare word,ann,2025-03-05\n")
    refused = bee("--data", ran, "run", "--no-publish")
    assert refused.code == 1
    assert 'verdicts.csv, line 2: "perhaps" is not a valid verdict' in refused.err


def test_without_the_last_description_no_version_is_made_up(ran, bee):
    path = ran / "custom/datapackage.json"
    for damage in ("[1]", '{"version": "abc"}'):
        path.write_text(damage)
        assert "datapackage.json" in bee("--data", ran, "publish").err
        reseal(ran / "custom")
        failed = bee("--data", ran, "publish")
        says = "datapackage.json is damaged, or of another version of the program."
        assert (failed.code, says in failed.err) == (1, True), failed.err
    path.unlink()
    assert "lacks datapackage.json" in bee("--data", ran, "publish").err


@pytest.mark.slow
def test_an_edited_license_is_refused_until_it_is_sealed_and_then_makes_a_new_release(ran, bee):
    folder = ran / "raw/lexicon"
    before = snapshot(ran / "custom")
    with (folder / "licences/cuss.txt").open("a") as file:
        file.write("One more sentence.\n")
    refused = bee("--data", ran, "run")
    assert (refused.code, 'lexicon-changed on "licences/cuss.txt"' in refused.err) == (1, True)
    assert snapshot(ran / "custom") == before
    files = {name: data for name, data in snapshot(folder).items() if name != reader.SUMS}
    (folder / reader.SUMS).write_bytes(reader.format_checksums(files))
    assert bee("--data", ran, "run").code == 0
    assert "One more sentence." in (ran / "custom/LICENSES.txt").read_text()
    assert version_of(ran) == "2025.03.05.2"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["verdicts.csv", "model.csv"])
def test_no_command_goes_on_without_a_file_that_the_release_was_made_with(ran, bee, name):
    if name == "verdicts.csv":
        (ran / "custom/verdicts.csv").write_text(TROTH)
        assert bee("--data", ran, "run").code == 0
    (ran / "custom" / name).unlink()
    before = snapshot(ran / "custom")
    for command in ("run", "merge", "flag", "diff", "check", "publish"):
        failed = bee("--data", ran, command)
        assert (failed.code, f"{name} is missing or empty, and the release was made with it" in failed.err) == (
            1,
            True,
        ), command
    assert snapshot(ran / "custom") == before


PACKAGES = {
    "usr/share/dict/scowl/english-words.10": "null\nbee\n",
    "usr/share/wordnet/data.noun": "00000004 13 n 01 taco 0 000 | food\n",
    "usr/share/wordnet/index.noun": "taco n 1 0 1 0 00000004  \n",
    **{f"usr/share/wordnet/{kind}.{pos}": "" for kind in ("index", "data") for pos in ("verb", "adj", "adv")},
    "usr/share/doc/scowl/copyright": "free\n",
    "usr/share/doc/wordnet-base/copyright": "Files: *\nLicense: WordNet3.0\n Use it.\n .\n Well.\n\nFiles: x\n",
    "npm/cuss/index.js": "  taco: 1,\n",
    "npm/cuss/license": "MIT",
    "npm/naughty-words/en.json": '["taco"]',
    "npm/naughty-words/LICENSE": "CC",
    "py/lemminflect-3.0.dist-info/METADATA": "Name: lemminflect\nVersion: 3.0\n",
    "py/lemminflect-3.0.dist-info/LICENSE": "MIT",
    **{f"npm/{name}/package.json": '{"version": "2.0.0"}' for name in ("cuss", "naughty-words")},
}


@pytest.mark.slow
def test_the_lexicon_is_built_from_packages(tmp_path, capfd):
    def build() -> Result:
        options = {"root": tmp_path, "npm": tmp_path / "npm", "data": data, "python": tmp_path / "py"}
        options["corrections"] = corrections
        code = building.main([text for name, value in options.items() for text in (f"--{name}", str(value))])
        return Result(code, *capfd.readouterr())

    for name, text in PACKAGES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    for name in ("scowl", "wordnet-base"):
        changelog = tmp_path / f"usr/share/doc/{name}/changelog.Debian.gz"
        changelog.write_bytes(gzip.compress(b"it (1.2-3) unstable\n"))
    inflections = tmp_path / "py/lemminflect/resources/infl_lu.csv.gz"
    inflections.parent.mkdir(parents=True)
    inflections.write_bytes(gzip.compress(b"taco,noun,tacos\n"))
    corrections = tmp_path / "corrections.csv"
    corrections.write_text("word,form,bases,reason\nnullest,superlative,null,a test\n")
    data = tmp_path / "data"
    data.mkdir()
    built = build()
    assert (built.code, "too short" in built.out) == (0, True), built.err
    assert (data / "raw/lexicon/licences/wordnet.txt").read_text() == "Use it.\n\nWell.\n"
    files = inputs.read_word_lists(Workspace(data)).files
    assert list(lexicon_files.changed_files(files)) == []
    ours = (PROJECT / "lexicon/modern/words.txt").read_text().partition("\n")[0].removeprefix("# version ")
    assert list(lexicon_files.sources(files)["version"]) == ["1.2-3", "1.2-3", "2.0.0", "2.0.0", ours, "3.0"]
    assert "mixtape" in set(lexicon_files.tables(files)["modern"]["word"])
    glosses = gzip.decompress((data / "raw/lexicon/glosses.csv.gz").read_bytes())
    assert glosses == b"word,pos,gloss\ntaco,noun,food\n"
    forms = lexicon_files.forms(files).set_index("word")
    assert (forms.loc["nullest", "base"], forms.loc["tacos", "form"]) == ("null", "plural")
    before = snapshot(data / "raw")
    shutil.rmtree(tmp_path / "npm/cuss")
    failed = build()
    assert snapshot(data / "raw") == before
    assert (failed.code, f"There is no {tmp_path / 'npm/cuss'}: install the npm package cuss" in failed.err) == (
        1,
        True,
    )


OTHER_RELEASE = "the program of this branch makes another release, which main commits after the merge"


def test_a_fresh_clone_makes_the_committed_release_again(real_run):
    if snapshot(real_run / "custom") != snapshot(PROJECT / "data/custom"):
        skip_on_a_branch(OTHER_RELEASE)
    assert snapshot(real_run / "custom") == snapshot(PROJECT / "data/custom")


def test_the_archive_makes_the_committed_release(tmp_path, bee, shared):
    """The whole flow on 2,999 puzzles, from the archives by their own names, the lexicon, what people wrote and the
    last version."""
    data = copy_of_the_project(tmp_path / "data")
    for name, source, days, code in (
        ("archive/nyt_puzzles_plus.txt", "plus", 2794, 0),
        ("archive/nyt_puzzles_plus_2026.txt", "plus", 205, 0),
        ("archive/tedmiston/days", "days", 793, 0),
        ("pages/nytbee", "nytbee", 73, 1),  # one page prints a wrong number of points for Genius
        ("archive/second/2026.json", "nyt_page", 205, 0),
    ):
        fetched = bee("--data", data, "import", shared / name)
        assert fetched.code == code
        assert f"{days:,} days of {source} " in fetched.err
    assert bee("--data", data, "run", "--rebuild").code == 0
    made = run.read_facts(Workspace(data))
    without_trial = made.without_trial
    assert without_trial[["date", "word"]].to_numpy().tolist() == [["2023-12-02", "hamachi"]]
    puzzles = made.puzzles
    assert len(puzzles) == 2999
    wrong_in_the_bulk_archive = puzzles[puzzles["date"] == "2025-06-03"]
    assert list(wrong_in_the_bulk_archive["center"]) == ["u"]
    trials = made.trials
    assert len(trials) > 400_000
    assert trials[trials["word"] == "null"]["accepted"].sum() > 70
    folders = (data / "custom", PROJECT / "data/custom")
    release, committed = ({name: (folder / name).read_bytes() for name in RELEASE} for folder in folders)
    if release != committed:
        skip_on_a_branch(OTHER_RELEASE)
    assert [name for name in RELEASE if release[name] != committed[name]] == []


def test_the_committed_release_covers_no_day_of_the_blind_test():
    custom = PROJECT / "data/custom"
    covered = datapackage.coverage_of((custom / "datapackage.json").read_bytes()).dates
    assert (min(covered), max(covered)) == ("2018-05-09", "2026-07-24")
    assert record.decode((custom / "words.csv").read_bytes())["last_accepted"].max() <= "2026-07-24"


@pytest.mark.slow
def test_the_diffs_of_one_day_are_those_of_all_with_its_date(bee, ran):
    (ran / "custom/verdicts.csv").write_text(f"{TROTH}zine,drop,a test,ann,2025-03-05\n")
    assert bee("--data", ran, "run").code == 0
    lines = bee("--data", ran, "diff").out.splitlines()
    dates = sorted({line[:10] for line in lines})
    assert dates
    for date in dates:
        shown = bee("--data", ran, "diff", "--date", date).out.splitlines()
        assert shown == [line for line in lines if line.startswith(date)]
    days = set(run.days_on_disk(Workspace(ran)).puzzles["date"])
    assert bee("--data", ran, "diff", "--date", min(days - set(dates))).out == ""
