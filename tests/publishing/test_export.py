"""Exports, each read back."""

import contextlib
import csv
import itertools
import json
import os
import re
import shutil
import sqlite3
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
from conftest import PROJECT, Bee, reseal, some_words
from server import reply, serving

from pipeline import solver
from pipeline.play import difficulty
from pipeline.publishing import export, formats
from pipeline.tables import frames
from pipeline.words import FAMILY, LISTED, SAFE, mask, pangram, score

RELEASE = PROJECT / "data/custom"
VERSION = json.loads((RELEASE / "datapackage.json").read_text())["version"]
HEADER = "word,tier,p,offered,accepted,flags,because"
ODD = {"false", "infinity", "none", "null", "true"}
"""Words that some readers convert to other values."""


@pytest.fixture(scope="module")
def words() -> pd.DataFrame:
    path = RELEASE / "words.csv"
    return frames.read_csv(path.read_bytes(), path)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release of every tenth word of the real one, and the odd ones, so that an export takes no time."""
    return some_words(tmp_path_factory.mktemp("release"), ODD)


@pytest.fixture
def out(bee: Bee, tmp_path: Path):
    """Export to a file and return where it is."""

    def write(form: str, name: str, *options: object) -> Path:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        done = bee("export", "--format", form, "-o", tmp_path / name, *options)
        assert (done.code, done.out) == (0, ""), done.err
        return tmp_path / name

    return write


def rows_of(path: Path) -> list[str]:
    with contextlib.closing(sqlite3.connect(path)) as base:
        return [word for (word,) in base.execute("SELECT word FROM words ORDER BY word")]


def blocks_of(path: Path) -> dict[int, list[str]]:
    """Masks with their words, read as docs/CONSUMERS.md says."""
    data = path.read_bytes()
    magic, n, count = struct.unpack_from("<8sII", data)
    masks = struct.unpack_from(f"<{n}I", data, 16)
    offsets = struct.unpack_from(f"<{n + 1}I", data, 16 + 4 * n)
    text = data[20 + 8 * n :].decode("ascii")
    blocks = [text[first:last].split("\n") for first, last in itertools.pairwise(offsets)]
    assert magic == b"BEEMASK1"
    assert list(masks) == sorted(set(masks))
    assert {block.pop() for block in blocks} == {""}
    assert sum(map(len, blocks)) == count
    assert f"version: {VERSION}\n" in text[offsets[-1] :]
    return dict(zip(masks, blocks, strict=True))


READERS: dict[str, Callable[[Path], list[str]]] = {
    "txt": lambda path: path.read_text().splitlines(),
    "TXT": lambda path: path.read_text().lower().splitlines(),
    "csv": lambda path: [row["word"] for row in csv.DictReader(path.read_text().splitlines())],
    "json": lambda path: json.loads(path.read_text()),
    "jsonl": lambda path: [json.loads(line)["word"] for line in path.read_text().splitlines()],
    "scored": lambda path: [line.partition(";")[0].lower() for line in path.read_text().splitlines()],
    "hunspell": lambda path: path.with_suffix(".dic").read_text().splitlines()[1:],
    "c": lambda path: re.findall('"([a-z]+)"', path.read_text()),
    "js": lambda path: path.read_text().split("`")[1].split("\n"),
    "masks": lambda path: sorted(itertools.chain(*blocks_of(path).values())),
    "sqlite": rows_of,
}
"""How to read the words of each format without our package."""


def tool(name: str) -> str:
    path = shutil.which(name)
    if not path:
        pytest.skip(f"{name} is not on this machine")
    return path


def run(*command: object, given: str = "") -> str:
    done = subprocess.run(list(map(str, command)), input=given, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


PACKAGE = {"title": "t", "version": "1", "licenses": [{"name": "MIT\n", "title": "t"}], "sources": []}


def release(folder: Path, rows: str, package: str = json.dumps(PACKAGE)) -> Path:
    (folder / "words.csv").write_text(f"{HEADER}\n{rows}\n")
    (folder / "datapackage.json").write_text(package)
    reseal(folder)
    return folder


def test_the_formats_made_of_lines_give_the_list_back(bee):
    listed = solver.load_words()
    assert bee("export", "--format", "txt").out == (RELEASE / "wordlist.txt").read_text()
    assert bee("export", "--format", "TXT").out.lower().split() == listed
    assert json.loads(bee("export", "--format", "json").out) == listed
    scored = [line.split(";") for line in bee("export", "--format", "scored").out.splitlines()]
    assert [word.lower() for word, _ in scored] == listed
    assert {int(score) for _, score in scored} <= set(range(10, 101))


def test_csv_and_jsonl_give_every_cell_back(bee, words):
    listed = words[words["tier"].isin(LISTED)].sort_values("word", ignore_index=True)
    pd.testing.assert_frame_equal(frames.read_csv(bee("export", "--format", "csv").out.encode(), "csv"), listed)
    rows = [json.loads(line) for line in bee("export", "--format", "jsonl").out.splitlines()]
    assert rows == frames.rows(listed)
    assert all(row["because"] for row in rows)


def test_a_score_says_how_sure_the_list_is(bee, words):
    every = "core,likely,review,refused"
    scored = bee("export", "--format", "scored", "--tier", every).out.lower().splitlines()
    scores = {word: int(score) for word, score in (line.split(";") for line in scored)}
    assert scores == {row["word"]: round(100 * float(row["p"])) for row in frames.rows(words)}
    tried = words[words["kind"] != "verdict"].set_index("word")
    by_tier = pd.Series(scores).reindex(tried.index).groupby(tried["tier"]).agg(["min", "max"]).T.to_dict("list")
    assert 50 <= by_tier["core"][0] < by_tier["core"][1] == 100
    assert by_tier["refused"][0] == 0


def test_hunspell_accepts_every_word_of_the_list_and_no_refused_one(out, words):
    path = out("hunspell", "list.dic")
    count, *listed = path.read_text().splitlines()
    assert listed == solver.load_words()
    assert int(count) == len(listed)
    assert f"# version: {VERSION}" in path.with_suffix(".aff").read_text().splitlines()
    hunspell = tool("hunspell")
    refused = words["word"][words["tier"].isin(["review", "refused"])]
    asked = "".join(f"{word}\n" for word in [*listed, *refused])
    wrong = run(hunspell, "-d", path.with_suffix(""), "-i", "utf-8", "-l", given=asked).split()
    assert wrong == list(refused)
    assert "covenant" in run(hunspell, "-d", path.with_suffix(""), given="covenent\n")


def test_tiers_may_have_blanks_between(bee, small):
    plain = bee("export", "--format", "txt", "--release", small, "--tier", "core,review").out
    assert plain == bee("export", "--format", "txt", "--release", small, "--tier", "core, review").out


def test_a_hunspell_pair_is_named_by_either_file_or_by_neither(bee, small, tmp_path):
    for name in ("bee", "bee.dic", "bee.aff", "bee.v1"):
        folder = tmp_path / name
        folder.mkdir()
        bee("export", "--format", "hunspell", "--release", small, "-o", folder / name)
        stem = "bee.v1" if name == "bee.v1" else "bee"
        assert sorted(path.name for path in folder.iterdir()) == [f"{stem}.aff", f"{stem}.dic"]


@pytest.mark.parametrize(("compiler", "standard", "ending"), [("gcc", "c99", "c"), ("g++", "c++11", "cpp")])
def test_the_header_gives_the_list_back_in_c_and_in_cpp(out, tmp_path, compiler, standard, ending):
    header = out("c", "bee.h").read_text()
    assert all(part in header for part in ("licence: MIT", f"version: {VERSION}", export.AFFILIATION))
    compiler, program, source = tool(compiler), tmp_path / "program", tmp_path / f"main.{ending}"
    source.write_text(
        '#include <stdio.h>\n#include "bee.h"\n'
        'int main(void) { puts(BEE_VERSION); for (int i = 0; i < BEE_COUNT; i++) printf("%s %lu\\n", bee_words[i], '
        "(unsigned long)bee_masks[i]); return 0; }\n"
    )
    run(compiler, f"-std={standard}", "-Wall", "-Wextra", "-pedantic", "-Werror", source, "-o", program)
    version, *lines = run(program).splitlines()
    assert version == VERSION
    assert lines == [f"{word} {mask(word)}" for word in solver.load_words()]


def test_the_module_gives_the_list_back_under_node(out, tmp_path):
    out("js", "bee.mjs")
    script = tmp_path / "main.mjs"
    script.write_text(
        'import all, { version, words } from "./bee.mjs"; console.log(version, all === words, words.join());'
    )
    version, same, listed = run(tool("node"), script).split()
    assert (version, same) == (VERSION, "true")
    assert listed.split(",") == solver.load_words()


def test_the_module_gives_the_list_back_in_a_browser(out, browser):
    code = out("js", "bee.mjs").read_bytes()
    page_ = b'<script type="module">import words from "./bee.mjs"; window.listed = words;</script>'
    with serving() as site:
        site.pages["/"] = reply(page_, Content_Type="text/html")
        site.pages["/bee.mjs"] = reply(code, Content_Type="text/javascript")
        page = browser.new_page()
        page.goto(site.url + "/")
        page.wait_for_function("window.listed")
        assert page.evaluate("window.listed") == solver.load_words()
        page.close()


def test_masks_groups_words_that_have_the_same_letters(out):
    assert blocks_of(out("masks", "bee.masks")) == solver.by_mask(solver.load_words())


def test_sqlite_gives_every_word_back_with_its_numbers(out, words):
    base = sqlite3.connect(out("sqlite", "bee.db", "--tier", "core,likely,review,refused"))
    assert base.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert base.execute("PRAGMA foreign_key_check").fetchall() == []
    columns = "word, length, mask, points, pangram, tier, p, offered, accepted, flags, because"
    rows = base.execute(f"SELECT {columns} FROM words ORDER BY word").fetchall()
    expected = [
        (
            *(row["word"], len(row["word"]), mask(row["word"]), score(row["word"]), int(pangram(row["word"]))),
            *(row["tier"], float(row["p"]), int(row["offered"]), int(row["accepted"])),
            *(row["flags"], row["because"]),
        )
        for row in frames.rows(words)
    ]
    assert rows == expected
    flagged = base.execute("SELECT word, group_concat(flag, ' ') FROM flags GROUP BY word ORDER BY word").fetchall()
    assert flagged == [(row["word"], row["flags"]) for row in frames.rows(words) if row["flags"]]
    told = dict(base.execute("SELECT * FROM metadata"))
    assert told["version"] == VERSION
    assert "MIT" in told["licence"]
    assert told["affiliation"] == export.AFFILIATION
    base.close()


@pytest.mark.parametrize("form", formats.FORMATS)
@pytest.mark.parametrize("tier", ["core,likely", "review"])
def test_every_format_has_the_chosen_words_and_no_other(out, small, form, tier):
    words = frames.read_csv((small / "words.csv").read_bytes(), "words.csv")
    rude = words["flags"].str.contains("slur|vulgar|explicit")
    chosen = words["tier"].isin(tier.split(",")) & ~rude & (words["word"].str.len() >= 5 - (tier != "review"))
    expected = list(words["word"][chosen])
    least = "5" if tier == "review" else "4"
    path = out(form, "chosen", "--release", small, "--tier", tier, "--min-length", least, "--safe")
    assert READERS[form](path) == expected
    assert len(expected) > 1000
    assert tier == "review" or set(expected) >= ODD


@pytest.mark.parametrize("form", formats.FORMATS)
def test_the_same_release_makes_the_same_bytes(out, small, form):
    first = {path.suffix: path.read_bytes() for path in out(form, "1/bee", "--release", small).parent.iterdir()}
    again = {path.suffix: path.read_bytes() for path in out(form, "2/bee", "--release", small).parent.iterdir()}
    assert first == again
    assert len(first) == len(formats.FORMATS[form].writers)


def test_every_format_is_offered_and_goes_down_a_pipe(tmp_path, small):
    assert set(READERS) == set(formats.FORMATS)
    for form in ("TXT", "masks", "sqlite"):
        command = [sys.executable, "-m", "pipeline", "export", "--format", form, "--release", small]
        subprocess.run([*command, "-o", tmp_path / form], capture_output=True, check=True)
        piped = subprocess.run(command, capture_output=True, check=True).stdout
        assert piped == (tmp_path / form).read_bytes()


def test_the_help_says_what_every_format_is(bee, monkeypatch):
    monkeypatch.setenv("COLUMNS", "3000")
    assert formats.described() in bee("export", "--help").out
    for each in formats.FORMATS.values():
        assert f"{each.name}: {each.sentence.replace('`', '')}." in formats.described()


@pytest.mark.parametrize(("option", "grades"), [("--safe", SAFE), ("--family", FAMILY)])
def test_a_filter_leaves_out_the_words_of_its_grades_and_nothing_else(bee, words, option, grades):
    listed = words[words["tier"].isin(LISTED)]
    rude = listed["flags"].map(lambda codes: not set(codes.split()).isdisjoint(grades)).astype(bool)
    assert rude.sum() > 50
    assert bee("export", "--format", "txt", option).out.split() == list(listed["word"][~rude])


@pytest.mark.parametrize("form", formats.FORMATS)
@pytest.mark.parametrize(("option", "grades"), [("--safe", SAFE), ("--family", FAMILY), ("--min-length=5", ())])
def test_in_play_leaves_out_s_and_e_with_r_in_every_format_and_with_other_filters(out, small, form, option, grades):
    words = frames.read_csv((small / "words.csv").read_bytes(), "words.csv")
    least = 5 if not grades else 4
    expected = [
        row["word"]
        for row in frames.rows(words[words["tier"].isin(LISTED)])
        if not set(row["flags"].split()) & set(grades) and len(row["word"]) >= least
        if "s" not in row["word"] and not {"e", "r"} <= set(row["word"])
    ]
    assert READERS[form](out(form, "chosen", "--release", small, "--in-play", option)) == expected
    assert 1000 < len(expected) < len(words) / 4


def test_an_export_of_words_in_play_says_so_and_is_the_file_of_the_release(bee):
    listed = solver.load_words()
    found = bee("export", "--in-play").out
    assert found.split() == [word for word in listed if "s" not in word and not {"e", "r"} <= set(word)]
    header = bee("export", "--in-play", "--format", "c").out
    assert f"{len(found.split()):,} words of tier core and likely, without S and without E and R together" in header
    assert found == (RELEASE / "wordlist-in-play.txt").read_text()


@pytest.mark.parametrize(("least", "most"), [(4, 5), (5, 5), (7, 0), (4, 19)])
def test_lengths_are_bounded_on_both_sides(bee, words, least, most):
    listed = words["word"][words["tier"].isin(LISTED)]
    length = listed.str.len()
    expected = listed[(length >= least) & ((length <= most) | (most == 0))].tolist()
    assert bee("export", "--min-length", least, "--max-length", most).out.split() == expected
    assert expected


def test_no_plural_s_leaves_out_exactly_what_adds_s_or_es_to_another_word(bee, words):
    listed = words["word"][words["tier"].isin(LISTED)].tolist()
    every = set(listed)
    kept = set(bee("export", "--no-plural-s").out.split())
    gone = set(listed) - kept
    assert all(word.endswith("s") and (word[:-1] in every or word[:-2] in every) for word in gone)
    assert {"glass", "less", "moss", "octave", "always", "chaos", "alias"} <= kept
    assert len(gone) > 5000
    assert not [word for word in kept if word.endswith("s") and not word.endswith("ss") and word[:-1] in every]


def test_the_most_common_words_are_the_least_hard_ones(bee, small):
    words = frames.read_csv((small / "words.csv").read_bytes(), "words.csv")
    listed = set(words["word"][words["tier"].isin(LISTED)])
    some = bee("export", "--release", small, "--common", "1000").out.split()
    more = bee("export", "--release", small, "--common", "1001").out.split()
    assert len(some) == 1000
    assert some == sorted(some)
    assert set(some) < set(more) <= listed
    accepted = dict(zip(words["word"], words["accepted"].astype(int), strict=True))
    hard = difficulty.load(listed, accepted)
    assert max(hard[word] for word in some) <= min(hard[word] for word in listed - set(some))
    edge = max(hard[word] for word in some)
    p = dict(zip(words["word"], words["p"].astype(float), strict=True))
    inside, outside = ([p[word] for word in group if hard[word] == edge] for group in (some, listed - set(some)))
    assert inside
    assert outside
    assert min(inside) >= max(outside)
    told = bee("export", "--format", "c", "--release", small, "--common", "1000", "--max-length", "8").out
    assert "1,000 words of tier core and likely, up to 8 letters, the most common ones" in told


def test_hunspell_tries_the_most_frequent_letters_first_and_equals_from_a_to_z(bee, tmp_path):
    release(tmp_path, "fizz,core,1.00,3,3,,accepted\nzeta,core,1.00,3,3,,accepted")
    bee("export", "--format", "hunspell", "--release", tmp_path, "-o", tmp_path / "list")
    assert (tmp_path / "list.aff").read_text().splitlines()[-1] == "TRY zaefit"


def row(word: str, p: str = "1.00", accepted: str = "0") -> dict[str, str]:
    return {"word": word, "tier": "core", "p": p, "offered": "9", "accepted": accepted, "flags": "", "because": "so"}


@pytest.mark.parametrize(
    ("better", "worse", "hard"),
    [
        (row("zeal", p="0.10"), row("cove", p="0.90", accepted="9"), {"zeal": 10, "cove": 15}),
        (row("zeal", p="0.91"), row("cove", p="0.90", accepted="9"), {"zeal": 10, "cove": 10}),
        (row("zeal", p="1.00"), row("cove", p="0.99", accepted="9"), {"zeal": 10, "cove": 10}),
        (row("zeal", accepted="3"), row("cove", accepted="2"), {"zeal": 10, "cove": 10}),
        (row("zeal", accepted="10"), row("cove", accepted="9"), {"zeal": 10, "cove": 10}),
        (row("cove", accepted="2"), row("zeal", accepted="2"), {"zeal": 10, "cove": 10}),
    ],
)
def test_of_equally_hard_words_the_likelier_is_more_common_then_the_one_accepted_more_often(better, worse, hard):
    for rows in ([better, worse], [worse, better]):
        assert export.choose(rows, export.Choice(["core"], common=1), hard) == [better]
        assert len(export.choose(rows, export.Choice(["core"], common=2), hard)) == 2


ORDINARY = "murder torture slave slavered damnation damning scallywag puss taco cockpit pussycat cockatoo"


def test_filters_leave_ordinary_words_and_families_whole(bee, words):
    listed = set(words["word"][words["tier"].isin(LISTED)])
    family = set(bee("export", "--format", "txt", "--family").out.split())
    safe = set(bee("export", "--format", "txt", "--safe").out.split())
    assert set(ORDINARY.split()) & listed <= family <= safe
    assert len(set(ORDINARY.split()) & listed) > 8
    assert not {"fellate", "fellated", "scrotal", "scrota"} & safe


def test_a_bare_folder_of_words_is_no_release(bee, tmp_path):
    folder = release(tmp_path, "cove,core,1.00,3,3,,accepted\nnull,likely,0.90,0,0,,likely")
    assert bee("export", "--format", "txt", "--release", folder).out == "cove\nnull\n"
    (folder / "SHA256SUMS").unlink()
    failed = bee("export", "--format", "txt", "--release", folder)
    assert (failed.code, failed.out, "SHA256SUMS cannot be read" in failed.err) == (1, "", True)


def test_a_release_cannot_break_out_of_a_comment(bee, tmp_path):
    folder = release(tmp_path, "cove,core,1.00,3,3,,accepted", json.dumps({**PACKAGE, "title": "*/ int x;"}))
    header = bee("export", "--format", "c", "--release", folder).out
    assert " * title: int x;\n" in header
    assert header.count("*/") == 1


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["--format", "pdf"], 2, "pdf"),
        (["--format", "txt", "--tier", "best"], 2, '"best" is no tier'),
        (["--format", "txt", "--min-length", "40"], 1, "No word is left"),
        (["--format", "txt", "--release", "nowhere"], 1, "No release in nowhere"),
        (["--format", "hunspell"], 2, "hunspell is 2 files, .aff and .dic; name them with -o NAME."),
        (["--format", "hunspell", "-o", "."], 2, ". is a folder; name a file in it with -o FILE."),
        (["--format", "txt", "-o", ""], 2, "The text after -o is empty"),
        (["--format", "txt", "-o", "/dev/null/x"], 2, "There is no folder /dev/null for x; make it first."),
        (["--format", "txt", "-o", "nowhere/x"], 2, "There is no folder nowhere for x; make it first."),
        (["--without", "rare,odd"], 2, '"odd" is not a flag; `bee flag --list`'),
        (["--all", "there", "--format", "csv"], 2, "--all writes all formats; leave out --format."),
        (["--edit", "nowhere.txt"], 1, "Cannot read nowhere.txt: No such file"),
    ],
)
def test_a_wrong_choice_is_one_sentence(bee, arguments, code, says):
    failed = bee("export", *arguments)
    assert failed.code == code
    assert says in failed.err
    assert failed.out == ""
    assert "Traceback" not in failed.err


@pytest.mark.parametrize("form", [form for form in formats.FORMATS if formats.FORMATS[form].binary])
def test_what_is_no_text_does_not_go_to_a_terminal(form):
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "pipeline", "export", "--format", form]
    done = subprocess.run(command, stdout=theirs, stderr=subprocess.PIPE, text=True, check=False)
    os.close(theirs)
    os.close(ours)
    assert done.returncode == 2
    assert done.stderr == f"bee: {form} is not text for a terminal; name a file with -o FILE, or use a pipe.\n"


@pytest.mark.parametrize(
    ("rows", "package", "says"),
    [
        ("a,b", json.dumps(PACKAGE), "a row of 2 cells"),
        ("Cove,core,1.00,3,3,,accepted", json.dumps(PACKAGE), '"Cove" is no word'),
        ("cove,core,high,3,3,,accepted", json.dumps(PACKAGE), '"high" is no p (word "cove")'),
        ("cove,core,1.5,3,3,,accepted", json.dumps(PACKAGE), '"1.5" is no p'),
        ("cove,core,1.00,3,-1,,accepted", json.dumps(PACKAGE), '"-1" is no accepted'),
        ("cove,core,1.00,3,3,,accepted\ncove,core,1.00,3,3,,accepted", json.dumps(PACKAGE), 'has "cove" twice'),
        ("cove,core,1.00,3,3,,accepted", "{", "datapackage.json does not describe a release"),
        ("cove,core,1.00,3,3,,accepted", "[]", "datapackage.json does not describe a release"),
        ("cove,core,1.00,3,3,,accepted", '{"title": "t"}', "datapackage.json does not describe a release"),
    ],
)
def test_a_release_that_is_none_says_so_and_writes_nothing(bee, tmp_path, rows, package, says):
    folder = release(tmp_path, rows, package)
    failed = bee("export", "--format", "sqlite", "--release", folder, "-o", tmp_path / "out")
    assert failed.code == 1
    assert says in failed.err
    assert "Traceback" not in failed.err
    assert not (tmp_path / "out").exists()


def test_a_table_without_the_columns_says_so(bee, tmp_path):
    release(tmp_path, "")
    (tmp_path / "words.csv").write_text("a,b\n1,2\n")
    reseal(tmp_path)
    assert "has no column word" in bee("export", "--format", "txt", "--release", tmp_path).err


def test_exporting_needs_nothing_of_what_making_the_list_needs():
    script = (
        "import sys; sys.modules.update(dict.fromkeys(['pyarrow', 'matplotlib', 'wordfreq', 'IPython']))\n"
        "from pipeline import cli; cli.main(['export', '--format', 'sqlite'])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert done.stdout.startswith(b"SQLite format 3")


def test_the_copyright_is_the_one_of_the_licence():
    assert export.COPYRIGHT in (PROJECT / "LICENSE").read_text()


def test_a_release_that_was_cut_short_does_not_go_out(bee, small, tmp_path):
    folder = tmp_path / "cut"
    shutil.copytree(small, folder)
    lines = (folder / "words.csv").read_text().splitlines(keepends=True)
    (folder / "words.csv").write_text("".join(lines[: len(lines) // 2]))
    failed = bee("export", "--format", "txt", "--release", folder)
    assert (failed.code, failed.out) == (1, "")
    assert "is not the file that was published" in failed.err
