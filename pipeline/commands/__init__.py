"""The commands of `bee`. Each parses its options, calls one function, and reports the result in one line.

The first parameter of a command is its `Settings`. `cli.py` has the table of all commands, and imports the
module of the one that is called.
"""

from __future__ import annotations

import dataclasses
import errno
import functools
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from pipeline import reader, store
from pipeline.commands.options import seconds_up_to
from pipeline.commands.settings import Settings
from pipeline.errors import BeeError
from pipeline.store import WAIT

LONGEST_WAIT = 86_400
"""The longest time to wait for another command, in seconds: one day."""


def _existing_folder(folder: str | None) -> str | None:
    if folder and not Path(folder).is_dir():
        raise typer.BadParameter(f"There is no folder {folder}.")
    return folder


def _checked_wait(seconds: float) -> float:
    return seconds_up_to(LONGEST_WAIT)(seconds)


Data = Annotated[
    str | None,
    typer.Option(
        metavar="DIR",
        envvar="BEE_DATA",
        callback=_existing_folder,
        is_eager=True,
        help="The folder of the workspace. Default: ./data if it is one, else that of the checkout.",
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print only errors on stderr.")]
Wait = Annotated[
    float,
    typer.Option(
        metavar="SECONDS",
        envvar="BEE_WAIT",
        callback=_checked_wait,
        help="How long to wait for another command in the same workspace.",
    ),
]


def _print_version(context: typer.Context, is_typed: bool) -> None:
    if is_typed:
        folder = store.find_release(context.params["data"])  # `--data` is eager, so it has been read
        release = reader.read(folder, reader.PACKAGE)
        typer.echo(f"bee {store.program_version()}, word list {release.version} in {folder.resolve()}")
        raise typer.Exit


def bee(
    context: typer.Context,
    data: Data = None,
    quiet: Quiet = False,
    wait: Wait = WAIT,
    version: Annotated[  # noqa: ARG001 - its callback prints it and exits
        bool,
        typer.Option("--version", callback=_print_version, help="Print the versions of the program and the list."),
    ] = False,
) -> None:
    """A curated word list for the Spelling Bee: solve puzzles, use the list, curate it.

    bee COMMAND --help shows the options and examples of a command.
    """
    _refuse_empty_texts(context)
    context.obj = dataclasses.replace(context.obj, data=data, quiet=quiet, wait=wait, options=_typed_options(context))


def _typed_options(context: typer.Context) -> frozenset[str]:
    """Return the options that are on the command line, by their long names, such as `--limit`."""
    typed = [
        parameter
        for parameter in context.command.params
        if getattr(context.get_parameter_source(str(parameter.name)), "name", "") == "COMMANDLINE"
    ]
    return frozenset(name for parameter in typed for name in parameter.opts if name.startswith("--"))


CommandFunction = Callable[..., None]


def command(*examples: str) -> Callable[[CommandFunction], CommandFunction]:
    """Return a decorator for the function of a command, with examples for its help.

    The first parameter of the function is its settings, which the options `--data`, `--quiet` and `--wait` set.
    """

    def decorate(function: CommandFunction) -> CommandFunction:
        run = _with_settings(function)
        run.epilog = "\b\nExamples:\n" + "\n".join(f"  {example}" for example in examples)  # type: ignore[attr-defined]
        return run

    return decorate


def _with_settings(function: CommandFunction) -> CommandFunction:
    """Return a command that creates its settings and prints each of `ERRORS_OF_USERS` in one line."""

    @functools.wraps(function)
    def run(context: typer.Context, data: str | None, quiet: bool, wait: float, **arguments: Any) -> None:
        settings = _settings(context, data, quiet, wait)
        _refuse_empty_texts(context)
        try:
            function(settings, **arguments)
        except ERRORS_OF_USERS as error:
            raise typer.Exit(print_error(settings, error)) from error

    shared = inspect.signature(bee, eval_str=True).parameters
    own = list(inspect.signature(function, eval_str=True).parameters.values())[1:]
    parameters = [shared["context"], *own, shared["data"], shared["quiet"], shared["wait"]]
    keyword_parameters = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in parameters]
    run.__signature__ = inspect.Signature(keyword_parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in keyword_parameters}
    return run


ERRORS_OF_USERS = (BeeError, UnicodeEncodeError, OSError)
"""The errors that a user can fix or that the system causes; each is printed in one line."""


def print_error(settings: Settings, error: Exception) -> int:
    """Print one of `ERRORS_OF_USERS` and return the exit code; raise any other error again."""
    if isinstance(error, BeeError):
        settings.print_error(error)
        return error.exit_code
    if isinstance(error, UnicodeEncodeError):
        settings.complain(
            "bee: An argument or a file name is not valid UTF-8. Correct the argument, or rename the file."
        )
        return 2
    is_closed_pipe = isinstance(error, OSError) and error.errno == errno.EPIPE
    if is_closed_pipe or not isinstance(error, OSError):  # Typer ends quietly when a pipe is closed
        raise error
    settings.complain(f"bee: {error.filename or 'writing'}: {error.strerror or error}.")
    return 1


def _settings(context: typer.Context, data: str | None, quiet: bool, wait: float) -> Settings:
    """Return the settings of a command. Options after its name take precedence over options before it."""
    before: Settings = context.obj
    typed = _typed_options(context)
    return Settings(
        data=data if "--data" in typed else before.data,
        quiet=quiet or before.quiet,
        wait=wait if "--wait" in typed else before.wait,
        options=typed | before.options,
    )


def _refuse_empty_texts(context: typer.Context) -> None:
    """Raise BadParameter for an empty value on the command line, such as a shell variable that is not set."""
    for parameter in context.command.params:
        value = context.params.get(str(parameter.name))
        is_typed = getattr(context.get_parameter_source(str(parameter.name)), "name", "") == "COMMANDLINE"
        texts = value if isinstance(value, (list, tuple)) else [value]
        if is_typed and "" in texts:
            raise typer.BadParameter("The value is empty. Maybe a shell variable is not set.", param=parameter)
