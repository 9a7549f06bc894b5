"""The commands, and what they share. Each parses its options, calls one function, and reports the result in one line.

Data goes to stdout, messages to stderr. `bee solve` must start quickly, so modules that need pandas are imported inside
the commands that use them.
"""

from __future__ import annotations

import contextlib
import datetime
import json
import os
import re
import shlex
import sys
from collections.abc import Callable, Iterator
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup, TyperOption

from pipeline import clock, reader
from pipeline.errors import ReleaseError
from pipeline.words import puzzle_day

if TYPE_CHECKING:
    from pipeline.progress import Progress
    from pipeline.store import Workspace

WAIT = 10.0
"""The default number of seconds to wait for another command in the same workspace."""
waiting = {"seconds": WAIT}
quiet = {"on": False}
"""Whether messages are suppressed; see `say`."""
named = {"data": ""}
"""The workspace that was named with `--data`; see `remedied`."""


def seconds_up_to(most: float) -> Callable[[float], float]:
    """Return the check of an option that is a number of seconds."""

    def checked(seconds: float) -> float:
        if not 0 <= seconds <= most:
            raise typer.BadParameter(f"{seconds} is not a number of seconds from 0 to {most:.0f}.")
        return seconds

    return checked


finite = seconds_up_to(86_400)
"""The check of any other pause: not infinite, at most one day."""


class Commands(TyperGroup):
    """Every command has `--quiet`, and one that uses a workspace has `--wait SECONDS`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments; an empty one is refused, because a variable that is not set leaves it."""
        empty = [at for at, text in enumerate(args) if not text or (text.startswith("--") and text.endswith("="))]
        if empty:
            named = [text.rstrip("=") for text in args[: empty[0] + 1] if text][-1]
            raise typer.BadParameter(f"The text after {named} is empty; is a variable not set?")
        return super().parse_args(ctx, args)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command with these options added."""
        command = super().get_command(ctx, cmd_name)
        if command and {"data", "wait"} & {parameter.name for parameter in command.params} == {"data"}:
            wait = TyperOption(
                param_decls=["--wait"], type=float, default=WAIT, expose_value=False, envvar="BEE_WAIT",
                callback=_wait, help="Seconds to wait for another command in the workspace.", show_default=True,
            )  # fmt: skip
            command.params.append(wait)
        if command and "quiet" not in {parameter.name for parameter in command.params}:
            hush = TyperOption(
                param_decls=["--quiet", "-q"], is_flag=True, default=False, expose_value=False, callback=_quiet,
                help="Print only errors on stderr.",
            )  # fmt: skip
            command.params.append(hush)
        return command


def _quiet(_context: object, _option: object, asked: bool) -> None:
    quiet["on"] = asked


def _wait(_context: object, _option: object, seconds: float) -> None:
    waiting["seconds"] = finite(seconds)


app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
)

PLAY, USE, CURATE, RUN, MEASURE = PANELS = ("Play", "Use the list", "Curate", "Run the pipeline", "Measure")
"""The groups of commands in the help, in order."""


UsageError: Any = typer.BadParameter.__base__
"""The error of Click for what cannot be parsed."""


def misused(error: Any) -> str:
    """Say in one line which option or argument is wrong, why, and which command shows the right ones."""
    text = error.format_message().replace("Invalid value: ", "").replace("a valid float", "a number").rstrip(".")
    text = re.sub(r"^Invalid value for '([^' ]+)[^']*'(?: \(env var.*?\))?: ", r"\1: ", text)
    kind = getattr(getattr(error, "param", None), "type", None)
    if found := re.search(r"^(\S+: )'?(.*?)'? is not (?:a valid (?:integer|int)\b|in the range).*$", text):
        low, high = (getattr(kind, name, None) for name in ("min", "max"))
        span = f" from {low} to {high}" if None not in (low, high) else f" of at least {low}" if low is not None else ""
        text = f'{found[1]}"{found[2]}" is not a whole number{span}'
    command = error.ctx.command_path if error.ctx else "bee"
    return f"{text}{'' if text.endswith('?') else '.'} `{command} -h` shows what it takes."


def _workspace(context: typer.Context, folder: str | None) -> str | None:
    """Check the option that names a workspace; the folder must exist."""
    if folder and not Path(folder).is_dir():
        raise typer.BadParameter(f"There is no folder {folder}.")
    named["data"] = folder if folder and "--data" in given(context) else ""
    return folder


Data = Annotated[
    str | None,
    typer.Option(
        "--data", metavar="DIR", envvar="BEE_DATA", callback=_workspace, help="The workspace folder; default ./data."
    ),
]


def _version(asked: bool) -> None:
    """Print the versions of the program and of the list, and exit."""
    if not asked:
        return
    from pipeline import store

    folder = release_folder(os.environ.get("BEE_DATA"))
    typer.echo(f"bee {store.program_version()}, word list {reader.read(folder, reader.PACKAGE).version}")
    raise typer.Exit


@app.callback()
def bee(
    data: Data = None,
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_version, is_eager=True, help="Print the versions of the program and the list."
        ),
    ] = False,
) -> None:
    """A curated word list for the Spelling Bee: solve puzzles, use the list, curate it.

    bee COMMAND --help shows the options and examples of a command.
    """


def command(
    panel: str, *examples: str, name: str | None = None
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Register a command, under the name of its function or another, in a group of the help, with examples."""
    return app.command(name, rich_help_panel=panel, epilog="\n\n".join(("Examples:", *examples)))


def release_folder(data: str | None) -> str:
    """Return the folder of the workspace's own release if it has one, else of the package's release."""
    named = f"{data}/custom"
    return named if data and Path(named, "wordlist.txt").exists() else reader.RELEASE


def list_files(path: Path) -> dict[str, bytes]:
    """Read a word list, by file name, from a file or, if it is named `-`, from standard input."""
    from pipeline import store
    from pipeline.facts import word_files

    if str(path) != "-":
        return store.read_word_list(path, word_files.MAX_BYTES)
    data = sys.stdin.buffer.read(word_files.MAX_BYTES + 1) if sys.stdin else b""
    return {word_files.file_name_for_stdin(data): data}


def say_release(folder: str | os.PathLike[str]) -> None:
    """Print which release a command uses; raises ReleaseError if it is damaged."""
    say(f"Release {reader.read(folder, reader.PACKAGE).version} in {folder}.")


def given(context: typer.Context) -> set[str]:
    """Return the options that are on the command line, by their long names, such as `--limit`."""
    sources = {option: context.get_parameter_source(str(option.name)) for option in context.command.params}
    typed = [option for option, source in sources.items() if getattr(source, "name", "") == "COMMANDLINE"]
    return {name for option in typed for name in option.opts if name.startswith("--")}


def refuse_together(options: AbstractSet[str], *rules: tuple[str, AbstractSet[str], str]) -> None:
    """Raise BadParameter if an option of a rule is on the command line together with one of the others that it names.

    A rule is such an option, the others, and the reason, in which `{}` stands for the one of them that is given.
    """
    for option, others, reason in rules:
        if option in options and (wrong := sorted(others & options - {option})):
            raise typer.BadParameter(reason.format(wrong[0]))


Json = Annotated[bool, typer.Option("--json", help="Print JSON; docs/CONSUMERS.md describes it.")]
By = Annotated[str, typer.Option("--by", help="The name of the person who decides; default the user name.")]


def remedied(text: str) -> str:
    """Add the workspace to the commands in backticks, if it was named on the command line, so that they run as printed.

    >>> named["data"] = "my data"
    >>> remedied("Damaged; `bee fetch` asks again."), named.update(data="")
    ("Damaged; `bee fetch --data 'my data'` asks again.", None)
    """
    where = f" --data {shlex.quote(named['data'])}" if named["data"] else ""
    return re.sub("`bee (?![^`]*--data)[^`]*", lambda found: found[0] + where, text) if where else text


def say(text: str) -> None:
    """Print a message on stderr, except with `--quiet`."""
    if not quiet["on"]:
        complain(text)


def complain(text: str) -> None:
    """Print an error on stderr, also with `--quiet`."""
    typer.echo(escaped(remedied(text)), err=True)


def escaped(text: str) -> str:
    """Escape the control characters of a text, for example of the name of a file.

    >>> escaped("\\x1b[31mred.txt")
    '\\\\x1b[31mred.txt'
    """
    return "".join(char if char.isprintable() or char == "\n" else ascii(char)[1:-1] for char in text)


def tell(value: object, data: str | None) -> None:
    """Print a value as JSON with the version of the release, null if that is damaged; rows are below `rows`."""
    version = None
    with contextlib.suppress(ReleaseError):
        version = reader.read(release_folder(data), reader.PACKAGE).version
    told = value if isinstance(value, dict) else {"rows": value}
    typer.echo(json.dumps({"version": version, **told}, indent=2, ensure_ascii=False))


def iso_date(text: str) -> str:
    """Parse an option that is a date, `today` or `yesterday` (the date of that puzzle), or empty."""
    if text in ("today", "yesterday"):
        return puzzle_day(clock.now(), days_ago=int(text == "yesterday"))
    try:
        date = datetime.date.fromisoformat(text).isoformat() if text else ""
    except ValueError:
        raise typer.BadParameter(f'"{text}" is not a date like 2025-07-01, today or yesterday.') from None
    if date and not "2000" < date < "2100":
        raise typer.BadParameter(f"{date} is not a date from 2000 to 2099.")
    return date


@contextlib.contextmanager
def progress_bar() -> Iterator[Progress]:
    """Show a progress bar on a terminal; the modules that draw it are imported when the first loop starts."""
    from pipeline.progress import no_progress

    with contextlib.ExitStack() as open_:
        bars: list[Any] = []

        def with_bar(items: Any, label: str) -> Any:
            if not bars:
                from rich.console import Console
                from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

                columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
                bars.append(open_.enter_context(Progress(*columns, console=Console(stderr=True), transient=True)))
            return bars[0].track(items, description=label)

        yield with_bar if sys.stderr.isatty() and not quiet["on"] else no_progress


def held(workspace: Workspace, repair: bool = True) -> contextlib.AbstractContextManager[None]:
    """Lock the workspace; wait for another command for at most the seconds of `--wait`."""
    from pipeline import store

    return store.locked(workspace, waiting["seconds"], repair)


@contextlib.contextmanager
def at_work(named: str | None, writes: bool = True) -> Iterator[tuple[Workspace, Progress]]:
    """Lock the named workspace while a command runs (unless it only reads), and show progress."""
    from pipeline import store
    from pipeline.commands import warnings

    workspace = store.find_workspace(named)
    for warning in warnings.warnings(workspace):
        say(warning)
    with held(workspace) if writes else contextlib.nullcontext(), progress_bar() as progress:
        try:
            yield workspace, progress
        except KeyboardInterrupt:
            say("Stopped. No file is half-written; run the same command again to continue.")
            raise
