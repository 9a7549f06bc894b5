"""The entry point: `bee`, and `python -m pipeline`.

Exit codes: 0 success; 1 problems were found, nothing was found, a download failed, or a release was refused;
2 wrong usage; 3 a person is needed after a fetch.
"""

from __future__ import annotations

import functools
import importlib
import io
import os
import sys
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer
import typer.main
from typer.core import TyperGroup

from pipeline import reader, store
from pipeline.commands.messages import Stderr, complain
from pipeline.errors import BeeError


class Command(NamedTuple):
    """A command: the module and the name of its function, and its sentence in the help of the program."""

    module: str
    function: str
    sentence: str


GROUPS = {
    "Play": {
        "solve": Command("solve", "solve", "Print the answers of a puzzle, or hints."),
        "puzzles": Command("puzzles", "print_puzzles", "Print the puzzles that the list makes possible."),
        "daily": Command("daily", "print_daily", "Print our own puzzle of the day."),
        "define": Command("look_up", "define", "Print the definitions of words."),
    },
    "Use the list": {
        "why": Command("look_up", "why", "Explain why a word is or is not listed."),
        "export": Command("export", "export", "Write the list in a format for another program."),
        "convert": Command("export", "convert", "Clean any word list for use in a solver."),
        "site": Command("site", "site", "Write a web page for playing and solving in the browser."),
        "changes": Command("release", "changes", "Print the words that a release adds and removes."),
        "verify": Command("release", "verify", "Check that a release is as it was published."),
    },
    "Curate": {
        "keep": Command("verdicts", "keep", "Decide that a word belongs on the list."),
        "drop": Command("verdicts", "drop", "Decide that a word does not belong on the list."),
        "grade": Command("verdicts", "grade", "Grade how offensive a word is."),
        "day": Command("day", "day", "Say whose list of a day is right."),
        "undo": Command("verdicts", "undo", "Remove a decision on a word or a day."),
        "review": Command("review", "review", "Decide on the words that matter most."),
    },
    "Run the pipeline": {
        "init": Command("release", "init", "Make a workspace."),
        "fetch": Command("fetch", "fetch", "Fetch the missing official answers."),
        "import": Command("fetch", "import_", "Import official answers from files."),
        "merge": Command("make", "merge", "Print which days the record would cover."),
        "flag": Command("make", "flag", "Print how many words have each tier."),
        "diff": Command("make", "diff", "Compare the list with the official answers."),
        "check": Command("make", "check", "Check the data and the list for violations of the rules."),
        "publish": Command("make", "publish", "Write the release."),
        "run": Command("make", "run", "Make the list from what is on disk, and publish it."),
        "status": Command("status", "status", "Show the release, and what needs a person."),
    },
    "Measure": {
        "backtest": Command("measure", "backtest", "Score lists that were made from older puzzles on newer ones."),
        "audit": Command("measure", "audit", "Score a word list on the official puzzles on disk."),
    },
}
"""The commands in the groups of the help."""
COMMANDS = {name: command for group in GROUPS.values() for name, command in group.items()}
CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
PLAIN: Any = {"rich_markup_mode": None, "pretty_exceptions_enable": False}
"""Without Rich: its import and layout take as long as the rest of `bee --help`."""


class CommandGroup(TyperGroup):
    """The commands, in the groups of the help. The module of a command is imported when the command is called, because
    pandas takes longer than the fastest commands."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.commands: Any = dict.fromkeys(COMMANDS)  # the names that Typer suggests for a mistyped one

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002
        """Return the names of the commands in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002
        """Return a command, whose module is imported now; None if there is none of this name."""
        return command(cmd_name) if cmd_name in COMMANDS else None

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        """Write the commands of each group."""
        for title, commands in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(name, command.sentence) for name, command in commands.items()])


@functools.cache
def command(name: str) -> Any:
    """Return a command as Typer makes it from its function."""
    module = importlib.import_module(f"pipeline.commands.{COMMANDS[name].module}")
    single = typer.Typer(add_completion=False, **PLAIN)
    single.command(name, context_settings=CONTEXT)(getattr(module, COMMANDS[name].function))
    return typer.main.get_command(single)


app = typer.Typer(cls=CommandGroup, no_args_is_help=True, context_settings=CONTEXT, **PLAIN)


def _print_version(context: typer.Context, is_asked: bool) -> None:
    if is_asked:
        folder = store.find_release(store.find_workspace(context.params["data"]))
        release = reader.read(folder, reader.PACKAGE)
        typer.echo(f"bee {store.program_version()}, word list {release.version} in {folder.resolve()}")
        raise typer.Exit


@app.callback()
def bee(
    context: typer.Context,
    data: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            envvar="BEE_DATA",
            exists=True,
            file_okay=False,
            is_eager=True,
            help="The folder of the workspace. Default: ./data if it is one, else that of the checkout.",
        ),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print only errors on stderr.")] = False,
    version: Annotated[  # noqa: ARG001 - its callback prints it and exits
        bool,
        typer.Option("--version", callback=_print_version, help="Print the versions of the program and the list."),
    ] = False,
) -> None:
    """A curated word list for the Spelling Bee: solve puzzles, use the list, curate it.

    bee COMMAND --help shows the options and examples of a command.
    """
    context.obj = store.find_workspace(data)
    Stderr.is_quiet = quiet


def main(arguments: list[str] | None = None) -> None:
    """Run the command line, by default with the arguments of this process, and exit."""
    if sys.stdout is None:
        sys.exit("bee: stdout is closed; redirect it to a file or a pipe.")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # not every terminal has all characters
    # Fitting with one thread is three times as fast, because two wait for each other. It also rounds alike everywhere.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        app(sys.argv[1:] if arguments is None else arguments, "bee")
    except BeeError as error:
        complain(f"bee: {error}")
        sys.exit(error.exit_code)
    except UnicodeEncodeError:
        complain("bee: An argument or a file name is not valid UTF-8. Correct the argument, or rename the file.")
        sys.exit(2)
    except OSError as error:
        complain(f"bee: {error.filename or 'writing'}: {error.strerror or error}.")
        sys.exit(1)
