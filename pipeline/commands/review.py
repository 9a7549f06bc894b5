"""`bee review`: the words most worth a person's minute, one screen a word, one key a decision."""

from __future__ import annotations

import contextlib
import datetime
import os
import select
import signal
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from pipeline.commands import By, Data, app, decider, say
from pipeline.words import BeeError

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


@app.command()
def review(
    limit: Annotated[int, typer.Option(min=1, help="So many words.")] = 50,
    again: Annotated[bool, typer.Option("--again", help="Show skipped words again.")] = False,
    out: Annotated[Optional[Path], typer.Option("--export", help="Write the queue as CSV, for a spreadsheet.")] = None,  # noqa: UP045
    sheet: Annotated[Optional[Path], typer.Option("--import", help="Take the verdicts of such a CSV over.")] = None,  # noqa: UP045
    by: By = "",
    data: Data = None,
) -> None:
    """Decide on the words most worth a minute: one screen a word, one key a decision."""
    from pipeline import frames, stages, store, verdicts
    from pipeline import sheet as sheets

    workspace = store.find_workspace(data)
    if sheet:
        found = sheets.read(store.read_bytes(sheet, "bee review --export"), sheet)
        with store.locked(workspace):
            known = {row["word"]: row["verdict"] for row in frames.rows(store.read_custom(workspace, "verdicts"))}
            rows = [_verdict(row, decider(by)) for row in found if known.get(row["word"]) != row["verdict"]]
            verdicts.append(workspace, rows)
        say(f"{len(rows)} verdicts of {sheet} written; bee run applies them.")
        return
    tables = stages.opinions(workspace)
    skipped = set() if again else _skipped(workspace)
    queue = _queue(workspace, tables)
    queue = queue[~queue["word"].isin(skipped)].head(limit)
    if out:
        store.write_bytes(out, sheets.to_csv(queue, tables["flags"]))
        say(f"{len(queue)} words in {out}: fill in verdict (keep or drop) and reason, then bee review --import {out}.")
    elif not (termios and sys.stdin.isatty() and sys.stdout.isatty()):
        raise BeeError("A review needs a Unix terminal to read keys from; without one, use --export and --import.")
    else:
        with contextlib.suppress(KeyboardInterrupt):
            _sit(workspace, tables, queue, decider(by), skipped)


def _queue(workspace: Workspace, tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    from pipeline import evidence_file, worth

    _, covered = evidence_file.read(workspace)
    return worth.queue(
        tables["decisions"], tables["estimates"], tables["evidence"], tables["lexicon"], tables["verdicts"], covered
    )


def _verdict(row: Mapping[str, str], by: str) -> dict[str, str]:
    return {**row, "by": by, "on": datetime.date.today().isoformat()}


def _sit(
    workspace: Workspace, tables: Mapping[str, pd.DataFrame], queue: pd.DataFrame, by: str, skipped: set[str]
) -> None:
    """Show one word after another and do what the keys say, each at once on disk, so that nothing is ever lost."""
    from pipeline import sheet, store, verdicts

    words = queue["word"].tolist()
    said: dict[str, dict[str, str]] = {}
    at, note = 0, ""
    while at < len(words):
        word = words[at]
        _show(word, tables, queue, at, note)
        key = _key()
        if key in ("k", "d"):
            row = {"word": word, "verdict": "keep" if key == "k" else "drop", "reason": note or sheet.REASON}
            said[word] = _verdict(row, by)
            with store.locked(workspace):
                verdicts.append(workspace, [said[word]])
            at, note = at + 1, ""
        elif key == "s":
            skipped.add(word)
            _skip(workspace, skipped)
            at, note = at + 1, ""
        elif key == "n":
            with contextlib.suppress(typer.Abort):  # Ctrl-C leaves the note as it was
                note = " ".join(typer.prompt("Note", default=note, show_default=False).split())
        elif key == "b" and at:
            at, note = at - 1, ""
            if row := said.pop(words[at], {}):
                with store.locked(workspace):
                    verdicts.take_back(workspace, row)
            skipped.discard(words[at])
            _skip(workspace, skipped)
        elif key == "q":
            break
    _clear()
    kept = sum(row["verdict"] == "keep" for row in said.values())
    left = f"{len(words) - at} left" if at < len(words) else "the queue is done"
    say(f"{kept} kept, {len(said) - kept} dropped, {left}." + (" bee run applies them." if said else ""))


def _show(word: str, tables: Mapping[str, pd.DataFrame], queue: pd.DataFrame, at: int, note: str) -> None:
    from pipeline import frames, why

    row = frames.rows(queue.iloc[[at]])[0]
    family = queue["word"][queue["family"] == row["family"]].tolist()
    _clear()
    typer.echo(f"{at + 1} of {len(queue)}   {1000 * row['effect']:.2f} points in 1000 puzzles are at stake\n")
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
    """Hand keys over one by one, unseen, as long as this lasts; what was typed ahead is kept."""

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
    """Read a key; Ctrl-C and the end of input are `q`, the left arrow and Backspace `b`, a blank `s`.

    A key that means nothing, a window of another size, and the return from the background draw the screen anew.
    """
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


def _skipped(workspace: Workspace) -> set[str]:
    path = workspace.build / "skipped.txt"
    return set(path.read_text("utf-8").split()) if path.exists() else set()


def _skip(workspace: Workspace, words: set[str]) -> None:
    from pipeline import store

    store.write_bytes(workspace.build / "skipped.txt", "".join(f"{word}\n" for word in sorted(words)).encode())
