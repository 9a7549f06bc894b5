"""The commands with which a person decides: on words `bee keep`, `drop`, `grade` and `review`, on days `bee admit` and
`bee correct`, and `bee undo`."""

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

from pipeline import reader, store
from pipeline.commands import CURATE, By, Data, Json, command, held, iso_date, say, tell, waiting
from pipeline.words import GRADES, BeeError, count, puzzle

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
    'bee keep adjoint --reason "common in mathematics" --by ann',
    'bee keep adjoint --reason "in every algebra course"',
)
def keep(
    word: Word, reason: Reason, by: By = "", force: Force = False, as_json: Json = False, data: Data = None
) -> None:
    """Decide that a word belongs on the list."""
    _decide(word, "keep", reason, by, data, as_json, force)


@command(CURATE, 'bee drop angerly --reason "obscure" --by ann', 'bee drop naans --reason "rare plural"')
def drop(
    word: Word, reason: Reason, by: By = "", force: Force = False, as_json: Json = False, data: Data = None
) -> None:
    """Decide that a word does not belong on the list."""
    _decide(word, "drop", reason, by, data, as_json, force)


@command(CURATE, 'bee grade troth none --reason "a promise" --by ann', 'bee grade thorn none --reason "of a rose"')
def grade(
    word: Word,
    grade: Annotated[str, typer.Argument(help=f"How offensive: {', '.join(GRADES)}.")],
    reason: Reason,
    by: By = "",
    data: Data = None,
) -> None:
    """Grade how offensive a word is; none if the lists are wrong."""
    from pipeline.review import verdicts

    workspace = store.find_workspace(data)
    by = verdicts.decider(workspace, by)
    row = {"word": word.strip().lower(), "grade": grade, "reason": reason.strip(), "by": by}
    with held(workspace):
        verdicts.write(workspace, [row], "grades")
    say(f"{grade} {row['word']}: written; `bee run` applies it.")


Date = Annotated[str, typer.Argument(callback=iso_date, help="The date of the day, like 2025-03-12.")]


@command(
    CURATE,
    'bee admit 2025-03-12 --reason "the first puzzle with S" --by ann',
    'bee admit 2025-03-12 --reason "checked by hand"',
)
def admit(date: Date, reason: Reason, by: By = "", data: Data = None) -> None:
    """Let a day that is held count, with the list that is on disk now, and the words of a day that wait."""
    from pipeline.review import verdicts
    from pipeline.run import registry
    from pipeline.sources.day import iso_date as official_date
    from pipeline.tables import frames

    workspace = store.find_workspace(data)
    with held(workspace):
        tables = registry.load_all(workspace, "puzzles", "answers", "waiting")
        found = {name: frame[frame["date"] == date] for name, frame in tables.items()}
        if found["puzzles"].empty:
            official_date(date)  # a date that no puzzle can have yet is refused before a fetch is named
            raise BeeError(f"There is no puzzle of {date} on disk: `bee fetch --since {date} --until {date}`.")
        if found["waiting"].empty or (found["waiting"]["kind"] == "provisional").all():
            raise BeeError(f"{date} is not held, and none of its words wait; `bee check` lists the days that are.")
        (puzzle,) = frames.rows(found["puzzles"])
        row = {"date": date, "letters": puzzle["center"] + puzzle["outer"], "answers": str(len(found["answers"]))}
        row |= {"by": verdicts.decider(workspace, by), "reason": reason.strip()}
        verdicts.write(workspace, [row], "admitted")
    say(f"{date} with {row['letters']} and {row['answers']} words: admitted; `bee run` applies it.")


@command(
    CURATE,
    'bee correct 2025-02-20 --source table --reject --reason "both sites have another puzzle" --by ann',
    'bee correct 2025-02-20 --source table --listed "afro" --reason "the page does not have it"',
)
def correct(
    date: Date,
    source: Annotated[str, typer.Option(help="The source that has the wrong day.")],
    reason: Reason,
    letters: Annotated[str, typer.Option(help="Its letters, center first; default those on disk.")] = "",
    listed: Annotated[str, typer.Option(help="Words that it lists by mistake, with blanks between.")] = "",
    lacking: Annotated[str, typer.Option(help="Words that it lacks, with blanks between.")] = "",
    reject: Annotated[bool, typer.Option("--reject", help="The whole day is wrong.")] = False,
    by: By = "",
    data: Data = None,
) -> None:
    """Correct a wrong day of a source, or reject it."""
    from pipeline.review import verdicts

    if both := sorted({*listed.split()} & {*lacking.split()}):
        raise typer.BadParameter(f"{both[0]} is in --listed and in --lacking; it can be in one of them.")
    if reject == bool(listed.split() or lacking.split()):
        raise typer.BadParameter("Name the words with --listed and --lacking, or the whole day with --reject.")
    workspace = store.find_workspace(data)
    with held(workspace):
        row = {"source": source, "date": date, "reported": letters}
        row |= {name: " ".join(sorted(set(text.split()))) for name, text in (("listed", listed), ("lacking", lacking))}
        row |= {"reason": reason.strip(), "by": verdicts.decider(workspace, by)}
        row = _completed(workspace, row)
        verdicts.write(workspace, [row], "corrections")
    say(f"{source} {date} {row['reported']}: written; {_then(workspace, date)}")


@command(CURATE, "bee undo arborist", "bee undo naans --json", "bee undo naans --kind verdict")
def undo(
    subject: Annotated[str, typer.Argument(help="The word or the date.")],
    kind: Annotated[str, typer.Option(help="verdict, grade, admission or correction; needed if there are two.")] = "",
    as_json: Json = False,
    data: Data = None,
) -> None:
    """Remove the decision on a word (its verdict or grade), or on a day (its admission or correction)."""
    from pipeline.facts import by_hand
    from pipeline.review import verdicts

    if kind and kind not in by_hand.KINDS:
        raise typer.BadParameter(f'"{kind}" is none of {", ".join(by_hand.KINDS)}.')
    workspace = store.find_workspace(data)
    row = verdicts.undo(workspace, subject, kind, waiting["seconds"])
    if as_json:
        tell(row, data)
    then = _then(workspace, row["date"]) if "date" in row else "`bee run` applies it."
    say(f"Removed: {by_hand.told(row)}; {then}")


def _completed(workspace: Workspace, row: dict[str, str]) -> dict[str, str]:
    """Return a correction with the letters that its source has on disk; raise BeeError if it would correct nothing."""
    from pipeline.facts.corrections import corrected
    from pipeline.run import registry
    from pipeline.tables import frames

    days = [pair for pair in registry.load(workspace, "captures").days if pair[1].date == row["date"]]
    here = {day.puzzle.letters: (name, day) for name, day in days if name == row["source"]}
    if not row["reported"] and len(here) != 1:
        has = f"{row['source']} has {' and '.join(here) or 'no list'} of {row['date']} on disk"
        raise BeeError(f"{has}; name its letters with --letters, center first.")
    row["reported"] = puzzle(row["reported"] or next(iter(here))).letters
    watched = [here[row["reported"]]] if row["reported"] in here else list(here.values())
    for fault in corrected(watched, frames.from_rows([row], "corrections")).faults:
        raise BeeError(f"{fault.detail} Nothing was written.")
    return row


def _then(workspace: Workspace, date: str) -> str:
    """Return how a decision about a day is applied here."""
    from pipeline.run import registry

    found = registry.load_all(workspace, "base", "settled", "evidence_file")
    seen = set(registry.load(workspace, "dates")["date"]) if registry.there(workspace, "dates") else set()
    base, covered = found["base"], found["settled"].covered
    ours = bool(covered) and reader.sha256(found["evidence_file"]) in base.made
    again = ours and (date not in base.kept.covered or (base.own and base.kept.covered <= seen))
    if date not in covered or again or date in {day for day, _ in found["settled"].waits}:
        return "`bee run` applies it."
    if covered <= seen:
        return "the record counts the day already: `bee merge --rebuild` and then `bee run` apply it."
    return (
        "the record came from elsewhere and counts the day already, so it stays as it is here. Import the archive with "
        "`bee import`, then `bee merge --rebuild` and `bee run` apply it."
    )


def _decide(word: str, verdict: str, reason: str, by: str, data: str | None, as_json: bool, force: bool) -> None:
    from pipeline.review import verdicts

    workspace = store.find_workspace(data)
    row = verdicts.row(word, verdict, reason, verdicts.decider(workspace, by))
    cost = verdicts.decide(workspace, row, force, waiting["seconds"])
    if as_json:
        tell({**row, "cost": cost}, data)
    say(f"{verdict} {row['word']}: written; `bee run` applies it.")
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
    from pipeline.review import queue as queueing
    from pipeline.review import verdicts
    from pipeline.run import registry
    from pipeline.tables import frames

    workspace = store.find_workspace(data)
    if sheet:
        found = queueing.decided(store.read_bytes(sheet, "bee review --export"), sheet)
        with held(workspace):
            known = {row["word"]: row["verdict"] for row in frames.rows(registry.load(workspace, "verdicts"))}
            by = verdicts.decider(workspace, by)
            rows = [verdicts.row(**row, by=by) for row in found if known.get(row["word"]) != row["verdict"]]
            verdicts.write(workspace, rows)
        say(f"{count(len(rows), 'verdict')} of {sheet} written; `bee run` applies them.")
        return
    tables = registry.opinions(workspace)
    skipped = set() if again else verdicts.skipped(workspace)
    asked = tables["decisions"], tables["estimates"], tables["evidence"], tables["lexicon"], tables["verdicts"]
    queue = queueing.queue(*asked, registry.load(workspace, "evidence").covered)
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
            _sit(workspace, tables, queue, verdicts.decider(workspace, by))


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
                verdicts.undo(workspace, row["word"], "verdict", waiting["seconds"], row)
            if words[at] in fresh:
                fresh -= verdicts.skip(workspace, drop=[words[at]], wait=waiting["seconds"])
        elif key == "q":
            break
    _clear()
    kept = sum(row["verdict"] == "keep" for row in decided.values())
    left = f"{len(words) - at} left" if at < len(words) else "the queue is empty"
    say(f"{kept} kept, {len(decided) - kept} dropped, {left}." + (" `bee run` applies them." if decided else ""))


def _show(word: str, tables: Mapping[str, pd.DataFrame], queue: pd.DataFrame, at: int, note: str) -> None:
    from pipeline.opinions import why
    from pipeline.play import about
    from pipeline.review import queue as queueing
    from pipeline.tables import frames

    row = frames.rows(queue.iloc[[at]])[0]
    family = queue["word"][queue["family"] == row["family"]].tolist()
    _clear()
    gain = queueing.often(row["gain"], "more day")
    typer.echo(f"{at + 1} of {len(queue)}   Deciding correctly would make {gain} exactly right.\n")
    if not at:
        typer.echo(f"{queueing.worth(queue)}\n")
    typer.echo(about.text(why.why(word, tables)))
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
