"""The commands with which a person decides: on words `bee keep`, `drop`, `grade` and `review`, on days `bee admit` and
`bee correct`, and `bee undo`."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline import clock, reader, store
from pipeline.commands import CURATE, By, Data, Json, command, complain, held, iso_date, say, tell, waiting
from pipeline.errors import BeeError
from pipeline.words import GRADES, count, puzzle

if TYPE_CHECKING:
    from pipeline.store import Workspace


Word = Annotated[str, typer.Argument(help="The word.")]
Force = Annotated[
    bool, typer.Option("--force", help="Also accept an unknown word, or a verdict that only repeats the record.")
]
Only = Annotated[bool, typer.Option("--only", help="Decide on this word alone, not on its base and forms too.")]
Reason = Annotated[str, typer.Option(help="The reason; it is published with the word.")]


@command(
    CURATE,
    'bee keep adjoint --reason "common in mathematics" --by ann',
    'bee keep adjoint --only --reason "in every algebra course"',
)
def keep(
    word: Word,
    reason: Reason,
    only: Only = False,
    by: By = "",
    force: Force = False,
    as_json: Json = False,
    data: Data = None,
) -> None:
    """Decide that a word belongs on the list, with its base and forms that no puzzle tried."""
    _decide(word, "keep", reason, by, data, as_json, force, only)


@command(CURATE, 'bee drop angerly --reason "obscure" --by ann', 'bee drop naans --only --reason "rare plural"')
def drop(
    word: Word,
    reason: Reason,
    only: Only = False,
    by: By = "",
    force: Force = False,
    as_json: Json = False,
    data: Data = None,
) -> None:
    """Decide that a word does not belong on the list, nor its base and forms that no puzzle tried."""
    _decide(word, "drop", reason, by, data, as_json, force, only)


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
    from pipeline.run import registry

    workspace = store.find_workspace(data)
    by = verdicts.decider(workspace, by)
    row = {"word": word.strip().lower(), "grade": grade, "reason": reason.strip(), "by": by}

    def tell_cost() -> None:
        if registry.has_files(workspace, "decisions"):
            tables = registry.load_all(workspace, "decisions", "offensive_words")
            say(verdicts.cost_of_grade(row["word"], grade, tables["decisions"], tables["offensive_words"]))

    with held(workspace):
        verdicts.write(workspace, [row], "grades", first=tell_cost)
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
            official_date(date)  # a date that no puzzle can have is refused before a fetch is named
            if date > clock.tomorrow():
                raise BeeError(f"{date} is later than tomorrow; the clock of this machine says {clock.today()}.")
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
    say(f"{source} {date} {row['reported']}".rstrip() + f": written; {_then(workspace, date)}")


@command(CURATE, "bee undo arborist", "bee undo naans --json", "bee undo naans --kind verdict")
def undo(
    subject: Annotated[
        str, typer.Argument(help="The word or the date; with --kind and --line it may be left out.")
    ] = "",
    kind: Annotated[str, typer.Option(help="verdict, grade, admission or correction; needed if there are two.")] = "",
    line: Annotated[int | None, typer.Option(min=2, help="The line of the file; needed if there are several.")] = None,
    as_json: Json = False,
    data: Data = None,
) -> None:
    """Remove the decision on a word (its verdict or grade), or on a day (its admission or correction)."""
    from pipeline.facts import by_hand, decision_files
    from pipeline.review import verdicts

    if kind and kind not in by_hand.TABLE_OF_KIND:
        raise typer.BadParameter(f'"{kind}" is none of {", ".join(by_hand.TABLE_OF_KIND)}.')
    if not subject and not (kind and line):
        raise typer.BadParameter("Name the word or the date, or a line with --kind and --line.")
    workspace = store.find_workspace(data)
    row = verdicts.undo(workspace, subject, kind, waiting["seconds"], line=line or 0)
    if as_json:
        tell(row, data)
    then = _then(workspace, row["date"]) if "date" in row else "`bee run` applies it."
    say(f"Removed: {decision_files.describe(row)}; {then}")


def _completed(workspace: Workspace, row: dict[str, str]) -> dict[str, str]:
    """Return a correction with the letters that its source has on disk; raise BeeError if it would correct nothing."""
    from pipeline.facts.corrections import apply_corrections
    from pipeline.fetching import wanted
    from pipeline.run import registry
    from pipeline.tables import frames

    days = [pair for pair in registry.load(workspace, "captures").days if pair[1].date == row["date"]]
    here = {day.puzzle.letters: (name, day) for name, day in days if name == row["source"]}
    rejects = not row["listed"] + row["lacking"]
    if rejects and not row["reported"] and not here and wanted.was_refused(workspace, row["source"], row["date"]):
        say(f"The page of {row['source']} was refused, so {row['source']} will not be asked for this day any more.")
        return row
    if not row["reported"] and len(here) != 1:
        has = f"{row['source']} has {' and '.join(here) or 'no list'} of {row['date']} on disk"
        raise BeeError(f"{has}; name its letters with --letters, center first.")
    row["reported"] = puzzle(row["reported"] or next(iter(here))).letters
    watched = [here[row["reported"]]] if row["reported"] in here else list(here.values())
    for fault in apply_corrections(watched, frames.from_rows([row], "corrections")).faults:
        raise BeeError(f"{fault.detail} Nothing was written.")
    return row


def _then(workspace: Workspace, date: str) -> str:
    """Return how a decision about a day is applied here."""
    from pipeline.run import registry

    found = registry.load_all(workspace, "record_state", "settled", "evidence_file")
    seen = set(registry.load(workspace, "dates")["date"]) if registry.has_files(workspace, "dates") else set()
    base, covered = found["record_state"].base_record, found["settled"].covered
    ours = bool(covered) and reader.sha256(found["evidence_file"]) in base.checksums
    again = ours and (date not in base.evidence.covered or (base.counted_here and base.evidence.covered <= seen))
    if date not in covered or again or date in {day for day, _ in found["settled"].waiting}:
        return "`bee run` applies it."
    if covered <= seen:
        return "the record counts the day already: `bee merge --rebuild` and then `bee run` apply it."
    return (
        "the record came from elsewhere and counts the day already, so it stays as it is here. Import the archive with "
        "`bee import`, then `bee merge --rebuild` and `bee run` apply it."
    )


def _decide(
    word: str, verdict: str, reason: str, by: str, data: str | None, as_json: bool, force: bool, only: bool
) -> None:
    from pipeline.review import verdicts

    workspace = store.find_workspace(data)
    row = verdicts.row(word, verdict, reason, verdicts.decider(workspace, by))
    family = [] if only else verdicts.family(workspace, row["word"])
    tell_cost = lambda cost: say(cost) if cost else None  # noqa: E731 - one line is its whole meaning
    cost = verdicts.decide(workspace, row, force, waiting["seconds"], tell_cost, family)
    if as_json:
        tell({**row, "cost": cost, "family": family}, data)
    also = f" and its family ({', '.join(family)})" if family else ""
    alone = " With --only, a verdict is on the word alone." if family else ""
    say(f"{verdict} {row['word']}{also}: written; `bee run` applies it.{alone}")


@command(CURATE, "bee review --limit 20", "bee review --export queue.csv")
def review(
    limit: Annotated[int, typer.Option(min=1, help="Maximum number of questions; a family of words is one.")] = 20,
    again: Annotated[bool, typer.Option("--again", help="Show skipped words again.")] = False,
    out: Annotated[Path | None, typer.Option("--export", help="Write the queue as CSV, for a spreadsheet.")] = None,
    sheet: Annotated[Path | None, typer.Option("--import", help="Read verdicts from such a CSV.")] = None,
    by: By = "",
    data: Data = None,
) -> None:
    """Decide on the words that matter most, one screen per word: definition, record, and what a verdict would change.

    The words of the newest days come first. Keep and drop ask for a reason; nothing is saved without one.
    """
    if not (out or sheet) and sys.stdout.isatty():
        typer.echo("Loading…")  # before the imports, which take the most time
    from pipeline.commands import release_folder, sitting
    from pipeline.play import glosses
    from pipeline.review import queue as queueing
    from pipeline.review import sheets, verdicts

    workspace = store.find_workspace(data)
    if sheet:
        _import(workspace, sheet, verdicts.decider(workspace, by))
        return
    if not out and not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise BeeError("A review needs a terminal to read keys from; without one, use --export and --import.")
    tables = queueing.load(workspace)
    queue = queueing.queue(tables)
    queue = queue[~queue["word"].isin(set() if again else verdicts.skipped(workspace))]
    queue = queue[queue["family"].isin(queue["family"].unique()[:limit])]
    meanings = glosses.load(release_folder(str(workspace.root)), {*queue["word"]})
    if not out:
        sitting.sit(workspace, queue, tables, meanings, verdicts.decider(workspace, by))
        return
    store.write_bytes(out, sheets.to_csv(queue, tables["flags"], meanings))
    then = f"`bee review --import {shlex.quote(str(out))}`"
    say(queueing.worth(queue))
    say(f"{count(len(queue), 'word')} in {out}: fill in verdict (keep or drop) and reason, then {then}.")


def _import(workspace: Workspace, sheet: Path, by: str) -> None:
    """Write the verdicts of a sheet; name the rows that cannot be written."""
    from pipeline.review import sheets, verdicts
    from pipeline.run import registry
    from pipeline.tables import frames

    found, wrong = sheets.decided(store.read_bytes(sheet, "bee review --export"), sheet)
    given = {row["word"]: row["verdict"] for row in frames.rows(registry.load(workspace, "verdicts"))}
    new = {number: row for number, row in found.items() if given.get(row["word"]) != row["verdict"]}
    refused = verdicts.decide_each(workspace, [verdicts.row(**row, by=by) for row in new.values()], waiting["seconds"])
    wrong += [f"{sheet}, row {number}: {why}" for number, why in zip(new, refused, strict=True) if why]
    for line in wrong:
        complain(line)
    say(f"{count(refused.count(''), 'verdict')} of {sheet} written; `bee run` applies them.")
    if wrong:
        again = f"correct them, and `bee review --import {shlex.quote(str(sheet))}` reads the sheet again"
        raise BeeError(f"{count(len(wrong), 'row')} of {sheet} not imported, named above; {again}.")
