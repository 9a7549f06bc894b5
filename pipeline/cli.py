"""The entry point: `bee`, and `python -m pipeline`.

Only the module of the command that is called is imported, because all of them take much longer than the fastest ones.

Exit codes: 0 success; 1 problems were found, nothing was found, a download failed, or a release was refused;
2 wrong usage; 3 a person is needed after a fetch.
"""

from __future__ import annotations

import functools
import importlib
import io
import os
import sys
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import typer
import typer.main
from typer.core import TyperGroup

from pipeline.commands import ERRORS_OF_USERS, bee, print_error
from pipeline.commands.settings import Settings


class Entry(NamedTuple):
    """A command: the module and the name of its function, and its short description in the help of the program."""

    module: str
    function: str
    sentence: str


GROUPS = {
    "Play": {
        "solve": Entry("solve", "solve", "Print the answers of a puzzle, or hints."),
        "puzzles": Entry("puzzles", "print_puzzles", "Print the puzzles that the list makes possible."),
        "daily": Entry("daily", "print_daily", "Print our own puzzle of the day."),
        "define": Entry("look_up", "define", "Print the definitions of words."),
    },
    "Use the list": {
        "why": Entry("look_up", "why", "Explain why a word is or is not listed."),
        "export": Entry("export", "export", "Write the list in a format for another program."),
        "convert": Entry("export", "convert", "Clean any word list for use in a solver."),
        "site": Entry("site", "site", "Write a web page for playing and solving in the browser."),
        "changes": Entry("release", "changes", "Print the words that a release adds and removes."),
        "verify": Entry("release", "verify", "Check that a release is as it was published."),
    },
    "Curate": {
        "keep": Entry("verdicts", "keep", "Decide that a word belongs on the list."),
        "drop": Entry("verdicts", "drop", "Decide that a word does not belong on the list."),
        "grade": Entry("verdicts", "grade", "Grade how offensive a word is."),
        "day": Entry("verdicts", "day", "Say whose list of a day is right."),
        "undo": Entry("verdicts", "undo", "Remove a decision on a word or a day."),
        "review": Entry("review", "review", "Decide on the words that matter most."),
    },
    "Run the pipeline": {
        "init": Entry("release", "init", "Make a workspace."),
        "fetch": Entry("fetch", "fetch", "Fetch the missing official answers."),
        "import": Entry("fetch", "import_", "Import official answers from files."),
        "merge": Entry("make", "merge", "Print which days the record would cover."),
        "flag": Entry("make", "flag", "Print how many words have each tier."),
        "diff": Entry("make", "diff", "Compare the list with the official answers."),
        "check": Entry("make", "check", "Check the data and the list for violations of the rules."),
        "publish": Entry("make", "publish", "Write the release."),
        "run": Entry("make", "run", "Make the list from what is on disk, and publish it."),
        "status": Entry("status", "status", "Show what is on disk, and what needs a person."),
    },
    "Measure": {
        "backtest": Entry("measure", "backtest", "Score lists that were made from older puzzles on newer ones."),
        "audit": Entry("measure", "audit", "Score any word list on the official puzzles on disk."),
    },
}
"""The commands in the groups of the help."""
ENTRIES = {name: entry for entries in GROUPS.values() for name, entry in entries.items()}


CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


@functools.cache
def _made(name: str) -> Any:
    """Import the module of a command, and return the command as Typer makes it."""
    entry = ENTRIES[name]
    function = getattr(importlib.import_module(f"pipeline.commands.{entry.module}"), entry.function)
    single = typer.Typer(rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False)
    single.command(name, epilog=function.epilog, context_settings=CONTEXT)(function)
    return typer.main.get_command(single)


class Commands(Mapping[str, Any]):
    """The commands by name."""

    def __getitem__(self, name: str) -> Any:
        """Return a command, whose module is imported now."""
        return _made(name)

    def __iter__(self) -> Iterator[str]:
        """Yield the names of all commands."""
        return iter(ENTRIES)

    def __len__(self) -> int:
        """Return the number of commands."""
        return len(ENTRIES)


class CommandGroups(TyperGroup):
    """A program that imports a command when it is called, and whose help lists the commands in groups."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.commands = Commands()  # type: ignore[assignment]

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002
        """Return the names of the commands in the order of the help."""
        return list(ENTRIES)

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        """Write the commands of each group."""
        for title, entries in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(name, entry.sentence) for name, entry in entries.items()])


# Without Rich: its import and layout would take as long as the rest of `bee --help`.
app = typer.Typer(
    cls=CommandGroups,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings=CONTEXT,
)
app.callback()(bee)


def main(arguments: list[str] | None = None) -> None:
    """Run the command line, by default with the arguments of this process, and exit."""
    if sys.stdout is None:
        sys.exit("bee: stdout is closed; redirect it to a file or a pipe.")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # not every terminal has all characters
    # Fitting with one thread is three times as fast, because two wait for each other. It also rounds alike everywhere.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    command_line = sys.argv[1:] if arguments is None else arguments
    settings = Settings()
    try:
        app(command_line, "bee", obj=settings)
    except ERRORS_OF_USERS as error:  # from an option before the command, or while the help is written
        sys.exit(print_error(settings, error))
