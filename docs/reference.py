"""Writes docs/CLI.md from the commands themselves. `make reference` runs it.

Usage: python docs/reference.py FILE
"""

import inspect
import sys
from pathlib import Path

import typer.main

from pipeline.cli import app, register
from pipeline.commands import PANELS
from pipeline.run import registry, runner
from pipeline.run.stages import BY_NAME

register()

HEAD = """# The command line

`docs/reference.py` generates this page from the commands (`make reference`), and a test checks that it is up to date.
`python -m pipeline` does the same as `bee`.

**Every command** has `-h` and `--help`, and these options, before or after its name:

| option | what it does |
|---|---|
| `--data DIR` | The folder of the workspace. `BEE_DATA` does the same. |
| `--quiet`, `-q` | Prints no messages and no progress; errors still appear. |
| `--wait SECONDS` | How long to wait for another `bee` in the same workspace; default 10. `BEE_WAIT` does the same. |
| `bee --version` | Prints the versions of the program and of the word list, and the folder of the list. |
| `bee --install-completion` | Completes commands and options in the shell; `--show-completion` prints the script. |

A workspace is a folder with `raw/`, `build/` and `custom/`; `bee init` makes one. All commands find it by one rule: the
folder of `--data`, else of `BEE_DATA`, else `data/` in the current folder if it is a workspace, else `data/` of the
checkout. Without a workspace, or if it has no release, commands that only read (`solve`, `define`, `why`, `puzzles`,
`daily`, `export`, `site`, `verify`) use the release that came with the package. `bee status` and `bee --version` print
which folder is used.

Options for dates accept `YYYY-MM-DD`, `today` or `yesterday`. The date of a puzzle is the date in New York, where a new
puzzle starts at 03:00.

**Output.** Data goes to stdout, and messages go to stderr. Commands that print reports have the option `--json`;
[CONSUMERS.md](CONSUMERS.md#json-from-the-commands) describes the output. Color and aligned columns appear only on a
terminal; `NO_COLOR` turns color off.

**Exit codes:** 0 success; 1 problems were found, nothing was found, or a release was refused; 2 wrong usage;
3 a person is needed after a fetch, or an address cannot be read.
"""
STAGED = {
    "merge": runner.COMMANDS["merge"],
    "flag": runner.COMMANDS["flag"],
    "diff": runner.COMMANDS["diff"],
    "check": runner.COMMANDS["check"],
    "publish": runner.COMMANDS["publish"],
    "run": tuple(BY_NAME),
}
BY_HAND = "custom/verdicts.csv, custom/offensive.csv, custom/days.csv, custom/glosses.csv"
OPINIONS = "build/ (vocabulary, flags, decisions), build/record.csv, custom/verdicts.csv"
VERDICT = (
    "build/decisions.parquet, custom/verdicts.csv; with `--dry-run` build/ (candidates, record, estimates, flags, "
    "lexicon, spellings, puzzles, answers)"
)
FILES = {
    "solve": ("the release; with `--date` build/puzzles.parquet and build/answers.parquet", ""),
    "define": ("the glosses of the package; with `--coverage` the release", ""),
    "puzzles": ("the release, or `--list`", ""),
    "daily": ("the release", ""),
    "export": ("the release", "stdout, or `--output`"),
    "convert": ("the given file, or stdin", "stdout, or `--output`"),
    "site": ("the release; docs/ACCURACY.md in a checkout", "the folder `--output`"),
    "changes": ("two releases or lists", ""),
    "verify": ("a release, and the files beside it", ""),
    "restore": ("a release in a folder, an archive or git", "data/custom: lost files and a damaged release"),
    "init": (
        "the release and the word lists that came with the program",
        "a workspace: raw/lexicon, raw/sample, custom",
    ),
    "why": (f"the release, custom/verdicts.csv; with `--details` {OPINIONS}", ""),
    "keep": (VERDICT, "custom/verdicts.csv"),
    "drop": (VERDICT, "custom/verdicts.csv"),
    "grade": ("build/ (decisions, flags, lexicon), custom/offensive.csv", "custom/offensive.csv"),
    "day": ("raw/captures.db, custom/datapackage.json, custom/days.csv", "custom/days.csv"),
    "undo": (BY_HAND, BY_HAND),
    "review": (
        f"{OPINIONS}, build/ (news, doubts, waits, days, conflicts, spellings, puzzles, answers)",
        "custom/verdicts.csv, custom/skipped.txt; with `--export` the given file",
    ),
    "fetch": ("raw/captures.db, custom/ (datapackage.json, track.csv, days.csv)", "raw/captures.db"),
    "import": ("the given files", "raw/captures.db"),
    "status": ("raw/, build/, custom/", ""),
    "backtest": ("build/ (lexicon, answers, trials, puzzles, flags, record)", ""),
    "audit": (
        "build/puzzles.parquet, build/answers.parquet; with `--live` build/track.csv or custom/track.csv; with "
        "`--verdicts` custom/verdicts.csv",
        "",
    ),
}
"""The files that commands without stages read and write. Paths are relative to the workspace unless noted otherwise."""


def staged(command: str) -> tuple[str, str]:
    """Return the files that a command reads and writes, from the declarations of its stages."""
    made = [name for stage in STAGED[command] for name in BY_NAME[stage].makes]
    read = [name for stage in STAGED[command] for name in BY_NAME[stage].reads if name not in made]
    return paths(read), paths(made)


def paths(names: list[str]) -> str:
    """Return the paths of some names in the registry, as one text."""
    found = dict.fromkeys(path for name in names for path in registry.ENTRIES[name].paths)
    return ", ".join(path if "*" not in path else f"`{path}`" for path in found)


def escaped(text: str) -> str:
    """Return a help text with the signs of Markdown escaped."""
    return text.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")


def options(command: typer.core.TyperCommand) -> list[str]:
    """Return the table of arguments and options, as lines."""
    rows = []
    for parameter in command.params:
        if {"--data", "--quiet", "--wait", "--help"} & set(parameter.opts):
            continue
        is_option = parameter.opts[0].startswith("-")
        if is_option:
            name = ", ".join([*parameter.opts, *parameter.secondary_opts])
        else:
            name = parameter.metavar or str(parameter.name).upper()
        default_text = ""
        if is_option and parameter.default not in (None, "", False):
            default_text = f" Default: `{parameter.default}`."
        rows.append(f"| `{name}` | {escaped(parameter.help.rstrip('.'))}.{choices(parameter)}{default_text} |")
    return ["| option | what it does |", "|---|---|", *rows, ""] if rows else []


def choices(parameter: typer.core.TyperOption | typer.core.TyperArgument) -> str:
    """Return a sentence with the values of an option, or "" if it takes any value."""
    metavar = str(getattr(parameter, "metavar", "") or "")
    values = list(getattr(parameter.type, "choices", ())) or (metavar.split("|") if "|" in metavar else [])
    named = ", ".join(f"`{getattr(value, 'value', value)}`" for value in values)
    return f" One of {named}." if named else ""


def section(name: str, command: typer.core.TyperCommand) -> str:
    """Return the section about a command."""
    examples = [line.strip() for line in command.epilog.splitlines() if line.startswith("  ")]
    reads, writes = staged(name) if name in STAGED else FILES[name]
    lines = [
        f"### `bee {name}`",
        "",
        " ".join(inspect.cleandoc(command.help).split()),
        "",
        "```sh",
        *examples,
        "```",
        "",
    ]
    lines += [*options(command), f"Reads: {reads or 'nothing'}. Writes: {writes or 'nothing'}.", ""]
    return "\n".join(lines)


def page() -> str:
    """Return the whole page."""
    group = typer.main.get_command(app)
    commands = {name: group.get_command(None, name) for name in group.commands}
    parts = [HEAD]
    for panel in PANELS:
        parts.append(f"## {panel}\n")
        parts += [section(name, command) for name, command in commands.items() if command.rich_help_panel == panel]
    return "\n".join(parts).rstrip() + "\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page(), encoding="utf-8")
