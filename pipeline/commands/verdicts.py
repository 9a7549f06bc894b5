"""The commands with which a person decides: `bee keep`, `bee drop`, `bee undo`, `bee review`."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.commands import CURATE, By, Data, Json, command, held, say, tell, waiting
from pipeline.words import BeeError, count

with contextlib.suppress(ImportError):
    import readline  # noqa: F401 - lets a note be edited
try:
    import termios
    import tty
except ImportError:  # Windows
    termios = tty = None  # type: ignore[assignment]

if TYPE_CHECKING:
    import pandas as pd

    from pipeline.store import Workspace

KEYS = "k keep   d drop   s skip   n note   b back   q quit"


Word = Annotated[str, typer.Argument(help="The word.")]
Force = Annotated[
    bool, typer.Option("--force", help="Also accept an unknown word, or a verdict that only repeats the record.")
]
Reason = Annotated[str, typer.Option(help="The reason; it is published with the word.")]


@command(
    CURATE,
    'bee keep arborist --reason "common name of a trade" --by ann',
    'bee keep adjoint --reason "in every algebra course"',
)
def keep(
    word: Word,
    reason: Reason,
    by: By = "",
    force: Force = False,
    as_json: Json = False,
    data: Data = None,
) -> None:
    """Decide that a word belongs on the list."""
    _decide(word, "keep", reason, by, data, as_json, force)


@command(CURATE, 'bee drop angerly --reason "obscure" --by ann', 'bee drop naans --reason "rare plural"')
def drop(
    word: Word, reason: Reason, by: By = "", force: Force = False, as_json: Json = False, data: Data = None
) -> None:
    """Decide that a word does not belong on the list."""
    _decide(word, "drop", reason, by, data, as_json, force)


@command(CURATE, "bee undo arborist", "bee undo naans --json")
def undo(word: Word, as_json: Json = False, data: Data = None) -> None:
    """Remove the verdict on a word."""
    from pipeline import store
    from pipeline.review import verdicts

    row = verdicts.undo(store.find_workspace(data), word, waiting["seconds"])
    if as_json:
        tell(row)
    removed = f"{row['verdict']} {row['word']}, by {row['by']} on {row['on']}: {row['reason']}"
    say(f"Removed: {removed}; bee run applies it.")


def _decide(word: str, verdict: str, reason: str, by: str, data: str | None, as_json: bool, force: bool) -> None:
    from pipeline import store
    from pipeline.review import verdicts

    row = verdicts.row(word, verdict, reason, verdicts.decider(by))
    cost = verdicts.decide(store.find_workspace(data), row, force, waiting["seconds"])
    if as_json:
        tell({**row, "cost": cost})
    say(f"{verdict} {row['word']}: written; bee run applies it.")
    if cost:
        say(cost)


@command(CURATE, "bee review --limit 20", "bee review --export queue.csv")
def review(
    limit: Annotated[int, typer.Option(min=1, help="Maximum number of words.")] = 50,
    again: Annotated[bool, typer.Option("--again", help="Show skipped words again.")] = False,
    out: Annotated[Path | None, typer.Option("--export", help="Write the queue as CSV, for a spreadsheet.")] = None,
    sheet: Annotated[Path | None, typer.Option("--import", help="Read verdicts from such a CSV.")] = None,
    by: By = "",
    data: Data = None,
) -> None:
    """Decide on the words that matter most: one screen per word, one key per decision."""
    if not (out or sheet) and sys.stdout.isatty():
        typer.echo("Loading…")  # before the imports, which take the most time
    from pipeline import store
    from pipeline.review import queue as queueing
    from pipeline.review import verdicts
    from pipeline.run import registry
    from pipeline.tables import frames

    workspace = store.find_workspace(data)
    if sheet:
        found = queueing.decided(store.read_bytes(sheet, "bee review --export"), sheet)
        with held(workspace):
            known = {row["word"]: row["verdict"] for row in frames.rows(registry.load(workspace, "verdicts"))}
            rows = [
                verdicts.row(**row, by=verdicts.decider(by))
                for row in found
                if known.get(row["word"]) != row["verdict"]
            ]
            verdicts.write(workspace, rows)
        say(f"{count(len(rows), 'verdict')} of {sheet} written; bee run applies them.")
        return
    tables = registry.opinions(workspace)
    skipped = set() if again else verdicts.skipped(workspace)
    queue = _queue(workspace, tables)
    queue = queue[~queue["word"].isin(skipped)].head(limit)
    if out:
        store.write_bytes(out, queueing.to_csv(queue, tables["flags"]))
        say(queueing.worth(queue))
        many = count(len(queue), "word")
        say(f"{many} in {out}: fill in verdict (keep or drop) and reason, then `bee review --import {out}`.")
    elif not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise BeeError("A review needs a terminal to read keys from; without one, use --export and --import.")
    else:
        with contextlib.suppress(KeyboardInterrupt):
            _sit(workspace, tables, queue, verdicts.decider(by))


def _queue(workspace: Workspace, tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    from pipeline.review import queue as queueing
    from pipeline.run import registry

    covered = registry.load(workspace, "evidence").covered
    return queueing.queue(
        tables["decisions"], tables["estimates"], tables["evidence"], tables["lexicon"], tables["verdicts"], covered
    )


def _sit(workspace: Workspace, tables: Mapping[str, pd.DataFrame], queue: pd.DataFrame, by: str) -> None:
    """Show one word after another and act on the keys; each decision is saved immediately, so none is lost."""
    from pipeline.review import queue as queueing
    from pipeline.review import verdicts

    words = queue["word"].tolist()
    decided: dict[str, dict[str, str]] = {}
    fresh: set[str] = set()
    at, note = 0, ""
    if termios:
        termios.tcflush(0, termios.TCIFLUSH)  # a key typed during loading is not for the first word
    while at < len(words):
        word = words[at]
        _show(word, tables, queue, at, note)
        key = _key()
        if key in ("k", "d"):
            decided[word] = verdicts.row(word, "keep" if key == "k" else "drop", note or queueing.REASON, by)
            with held(workspace):
                verdicts.write(workspace, [decided[word]])
            at, note = at + 1, ""
        elif key == "s":
            fresh |= verdicts.skip(workspace, add=[word], wait=waiting["seconds"])
            at, note = at + 1, ""
        elif key == "n":
            with contextlib.suppress(typer.Abort):  # Ctrl-C keeps the note as it was
                note = " ".join(typer.prompt("Note", default=note, show_default=False).split())
        elif key == "b" and at:
            at, note = at - 1, ""
            if row := decided.pop(words[at], {}):
                verdicts.take_back(workspace, row, waiting["seconds"])
            if words[at] in fresh:
                fresh -= verdicts.skip(workspace, drop=[words[at]], wait=waiting["seconds"])
        elif key == "q":
            break
    _clear()
    kept = sum(row["verdict"] == "keep" for row in decided.values())
    left = f"{len(words) - at} left" if at < len(words) else "the queue is empty"
    say(f"{kept} kept, {len(decided) - kept} dropped, {left}." + (" bee run applies them." if decided else ""))


def _show(word: str, tables: Mapping[str, pd.DataFrame], queue: pd.DataFrame, at: int, note: str) -> None:
    from pipeline.opinions import why
    from pipeline.review import queue as queueing
    from pipeline.tables import frames

    row = frames.rows(queue.iloc[[at]])[0]
    family = queue["word"][queue["family"] == row["family"]].tolist()
    _clear()
    typer.echo(f"{at + 1} of {len(queue)}   {1000 * row['gain']:.2f} exact lists in 1000 puzzles are at stake\n")
    if not at:
        typer.echo(f"{queueing.worth(queue)}\n")
    typer.echo(why.text(why.why(word, tables)))
    if len(family) > 1:
        typer.echo(f"  family     {', '.join(family)}")
    if note:
        typer.echo(f"  note       {note}")
    typer.echo(f"\n{KEYS}")


def _clear() -> None:
    from rich.console import Console

    Console().clear()


@contextlib.contextmanager
def _key_by_key() -> Iterator[None]:
    """Read single keys without echo inside this context; keys typed ahead are kept."""

    def again(*_: object) -> None:
        raise InterruptedError

    def end(*_: object) -> None:
        raise KeyboardInterrupt

    anew = {signal.SIGCONT: again, signal.SIGWINCH: again, signal.SIGTERM: end, signal.SIGQUIT: end, signal.SIGHUP: end}
    before = termios.tcgetattr(0)
    handlers = {number: signal.signal(number, handler) for number, handler in anew.items()}
    tty.setcbreak(0, termios.TCSADRAIN)
    try:
        yield
    finally:
        termios.tcsetattr(0, termios.TCSADRAIN, before)
        for number, handler in handlers.items():
            signal.signal(number, handler)


def _key() -> str:
    """Read a key: Ctrl-C and the end of input count as `q`, the left arrow and Backspace as `b`, a blank as `s`.

    An unknown key, a change of the window's size, and the return from the background redraw the screen. Without a Unix
    terminal, the key is the first character of a line, followed by Enter.
    """
    if not termios:
        try:
            return (sys.stdin.readline()[:1] or "q").lower().strip()
        except KeyboardInterrupt:
            return "q"
    try:
        with _key_by_key():
            key = os.read(0, 1)
            if key == b"\x1b" and select.select([0], [], [], 0.5)[0]:
                key += os.read(0, 1)
                while key[1:2] in (b"[", b"O") and not key[2:].strip(b"0123456789;"):
                    key += os.read(0, 1)
    except KeyboardInterrupt:
        return "q"
    except InterruptedError:
        return ""
    named = {b"": "q", b"\x04": "q", b"\x1b[D": "b", b"\x1bOD": "b", b"\x7f": "b", b"\x08": "b", b" ": "s"}
    return named.get(key, key.decode("latin-1").lower())
