"""The commands for decisions: `bee keep`, `drop` and `grade` for words, `admit` and `correct` for days, and `undo`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline import clock
from pipeline.commands import CURATE, command
from pipeline.commands.options import By, Json, iso_date
from pipeline.commands.settings import Settings
from pipeline.errors import BeeError, Command, Message
from pipeline.words import GRADES, puzzle

if TYPE_CHECKING:
    from pipeline.store import Workspace


Word = Annotated[str, typer.Argument(help="The word.")]
Force = Annotated[
    bool, typer.Option("--force", help="Also accept an unknown word, or dropping a word that puzzles accept.")
]
Only = Annotated[bool, typer.Option("--only", help="Decide on this word only, not on its base and forms.")]
Reason = Annotated[str, typer.Option(help="The reason, which is published with the word.")]
OptionalReason = Annotated[str, typer.Option("--reason", help="The reason, which is published with the word.")]
ReasonForDay = Annotated[str, typer.Option("--reason", help="The reason, which is published with the day.")]
DryRun = Annotated[
    bool,
    typer.Option(
        "--dry-run",
        help="Write nothing; print what the verdict would change: words of the list, past puzzles, expected exact "
        "lists.",
    ),
]
APPLIES = Message(Command("run"), " applies it.")


@dataclass(frozen=True, slots=True)
class VerdictOptions:
    """The options of `bee keep` and `bee drop`."""

    reason: str
    only: bool
    dry_run: bool
    by: str
    force: bool
    as_json: bool


@command(CURATE, 'bee keep adjoint --reason "common in mathematics" --by ann', "bee keep adjoint --dry-run")
def keep(
    settings: Settings,
    word: Word,
    reason: OptionalReason = "",
    only: Only = False,
    dry_run: DryRun = False,
    by: By = "",
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Decide that a word belongs on the list.

    The decision also covers its base and its forms, unless puzzles have tried them.
    """
    options = VerdictOptions(reason=reason, only=only, dry_run=dry_run, by=by, force=force, as_json=as_json)
    _decide(settings, word, "keep", options)


@command(CURATE, 'bee drop angerly --reason "obscure" --by ann', 'bee drop naans --only --reason "rare plural"')
def drop(
    settings: Settings,
    word: Word,
    reason: OptionalReason = "",
    only: Only = False,
    dry_run: DryRun = False,
    by: By = "",
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Decide that a word does not belong on the list.

    The decision also covers its base and its forms, unless puzzles have tried them.
    """
    options = VerdictOptions(reason=reason, only=only, dry_run=dry_run, by=by, force=force, as_json=as_json)
    _decide(settings, word, "drop", options)


def _decide(settings: Settings, word: str, verdict: str, options: VerdictOptions) -> None:
    """Write a verdict on a word and, without `only`, on its family; with `dry_run`, only print what it would change."""
    if options.dry_run:
        _print_effect(settings, word, verdict, options)
    elif options.reason:
        _write_verdict(settings, word, verdict, options)
    else:
        raise typer.BadParameter("Say why with --reason, or use --dry-run.")


def _print_effect(settings: Settings, word: str, verdict: str, options: VerdictOptions) -> None:
    from pipeline.review import effect
    from pipeline.run import registry

    with settings.open_workspace(lock=False) as (workspace, _):
        baseline = effect.prepare(registry.load_all(workspace, *effect.READS))
    effect_of_verdict = effect.effect(word.strip().lower(), verdict, baseline, options.only)
    if options.as_json:
        settings.print_json(effect_of_verdict.as_json())
        return
    typer.echo(f"{verdict} {effect_of_verdict.word}")
    for sentence in effect_of_verdict.sentences():
        typer.echo(settings.text("  ", sentence))


def _write_verdict(settings: Settings, word: str, verdict: str, options: VerdictOptions) -> None:
    from pipeline.review import verdicts

    workspace = settings.find_workspace()
    row = verdicts.row(word, verdict, options.reason, verdicts.decider(workspace, options.by))
    family = [] if options.only else verdicts.family(workspace, row["word"])

    def say_objections(objections: str) -> None:
        if objections:
            settings.say(objections)

    objections = verdicts.decide(workspace, row, options.force, settings.wait, say_objections, family)
    if options.as_json:
        settings.print_json({**row, "cost": objections, "family": family})
    subject = row["word"]
    alone = ""
    if family:
        subject = f"{subject} and its family ({', '.join(family)})"
        alone = " With --only, a verdict covers only the word."
    settings.say(f"{verdict} {subject}: written; ", APPLIES, alone)


@command(CURATE, 'bee grade troth none --reason "a promise" --by ann', 'bee grade thorn none --reason "of a rose"')
def grade(
    settings: Settings,
    word: Word,
    grade: Annotated[str, typer.Argument(help=f"The grade: {', '.join(GRADES)}.")],
    reason: Reason,
    by: By = "",
) -> None:
    """Grade how offensive a word is. The grade none is for a word that the lists wrongly mark as offensive."""
    from pipeline.review import verdicts
    from pipeline.run import registry

    workspace = settings.find_workspace()
    decider = verdicts.decider(workspace, by)
    row = {"word": word.strip().lower(), "grade": grade, "reason": reason.strip(), "by": decider}

    def say_consequences() -> None:
        if registry.has_files(workspace, "decisions"):
            tables = registry.load_all(workspace, "decisions", "offensive_words")
            settings.say(
                verdicts.consequences_of_grade(row["word"], grade, tables["decisions"], tables["offensive_words"])
            )

    with settings.lock(workspace):
        verdicts.write(workspace, [row], "grades", before_writing=say_consequences)
    settings.say(f"{grade} {row['word']}: written; ", APPLIES)


Date = Annotated[str, typer.Argument(callback=iso_date, help="The date, such as 2025-03-12.")]


@command(
    CURATE,
    'bee admit 2025-03-12 --reason "the first puzzle with S" --by ann',
    'bee admit 2025-03-12 --reason "checked by hand"',
)
def admit(settings: Settings, date: Date, reason: ReasonForDay, by: By = "") -> None:
    """Accept a day that waits, so that it counts with the answers that are now on disk."""
    from pipeline.review import verdicts
    from pipeline.run import registry
    from pipeline.sources import day
    from pipeline.tables import frames

    workspace = settings.find_workspace()
    with settings.lock(workspace):
        tables = registry.load_all(workspace, "puzzles", "answers", "waits")
        puzzles, answers, waits = [
            tables[name][tables[name]["date"] == date] for name in ("puzzles", "answers", "waits")
        ]
        if puzzles.empty:
            day.iso_date(date)  # a date that no puzzle can have is refused before a fetch is named
            if date > clock.tomorrow():
                raise BeeError(f"{date} is later than tomorrow; the clock of this computer says {clock.today()}.")
            raise BeeError(
                f"There is no puzzle for {date} on disk; ",
                Command(f"fetch --since {date} --until {date}"),
                " and then ",
                Command("run"),
                " bring it.",
            )
        if waits.empty:
            raise BeeError(f"{date} does not wait; ", Command("check"), " lists the days that do.")
        (puzzle_on_disk,) = frames.rows(puzzles)
        letters = puzzle_on_disk["center"] + puzzle_on_disk["outer"]
        row = {"date": date, "letters": letters, "answers": str(len(answers))}
        row |= {"by": verdicts.decider(workspace, by), "reason": reason.strip()}
        verdicts.write(workspace, [row], "admitted")
    settings.say(f"Admitted {date} with {row['letters']} and {row['answers']} words; ", APPLIES)


@command(
    CURATE,
    'bee correct 2025-02-20 --source table --reject --reason "both sites have another puzzle" --by ann',
    'bee correct 2025-02-20 --source table --listed "afro" --reason "the page does not have it"',
)
def correct(
    settings: Settings,
    date: Date,
    source: Annotated[str, typer.Option(help="The source whose data for the day is wrong.")],
    reason: ReasonForDay,
    letters: Annotated[
        str, typer.Option(help="The letters of the puzzle in the source, center first. Default: those on disk.")
    ] = "",
    listed: Annotated[str, typer.Option(help="Words that the source lists by mistake, separated by blanks.")] = "",
    lacking: Annotated[str, typer.Option(help="Words that the source lacks, separated by blanks.")] = "",
    reject: Annotated[bool, typer.Option("--reject", help="Reject the whole day of the source.")] = False,
    by: By = "",
) -> None:
    """Correct or reject what a source says about a day."""
    from pipeline.review import verdicts

    listed_words = set(listed.split())
    lacking_words = set(lacking.split())
    contradictions = sorted(listed_words & lacking_words)
    if contradictions:
        raise typer.BadParameter(f"{contradictions[0]} is in both --listed and --lacking; name it in only one of them.")
    words_are_named = bool(listed_words or lacking_words)
    if reject == words_are_named:
        raise typer.BadParameter("Name the words with --listed and --lacking, or reject the whole day with --reject.")
    workspace = settings.find_workspace()
    with settings.lock(workspace):
        row = {
            "source": source,
            "date": date,
            "reported": letters,
            "listed": " ".join(sorted(listed_words)),
            "lacking": " ".join(sorted(lacking_words)),
            "reason": reason.strip(),
            "by": verdicts.decider(workspace, by),
        }
        row = _completed_correction(settings, workspace, row)
        verdicts.write(workspace, [row], "corrections")
    subject = f"{source} {date} {row['reported']}".rstrip()
    settings.say(f"{subject}: written; ", _how_to_apply(workspace, date))


@command(CURATE, "bee undo arborist", "bee undo naans --json", "bee undo naans --kind verdict")
def undo(
    settings: Settings,
    subject: Annotated[
        str, typer.Argument(help="The word or the date. You can leave it out if you give --kind and --line.")
    ] = "",
    kind: Annotated[
        str,
        typer.Option(
            help="The kind of decision: verdict, grade, admission, correction or gloss. Required for a gloss, and if "
            "there are decisions of two kinds."
        ),
    ] = "",
    line: Annotated[
        int | None, typer.Option(min=2, help="The line number in the file. Required if several lines match.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Remove the decision on a word (its verdict, grade or gloss), or on a day (its admission or correction)."""
    from pipeline.facts import by_hand, decision_files
    from pipeline.review import verdicts

    if kind and kind not in by_hand.TABLE_OF_KIND:
        raise typer.BadParameter(
            f'"{kind}" is not a kind of decision; the kinds are {", ".join(by_hand.TABLE_OF_KIND)}.'
        )
    if not subject and not (kind and line):
        raise typer.BadParameter("Name the word or the date, or name a line with --kind and --line.")
    workspace = settings.find_workspace()
    row = verdicts.undo(workspace, subject, kind, settings.wait, line=line or 0)
    if as_json:
        settings.print_json(row)
    how_to_apply = _how_to_apply(workspace, row["date"]) if "date" in row else APPLIES
    settings.say(f"Removed: {decision_files.describe(row)}; ", how_to_apply)


def _completed_correction(settings: Settings, workspace: Workspace, row: dict[str, str]) -> dict[str, str]:
    """Return a correction with the letters that its source has on disk; raises BeeError if it would correct nothing."""
    from pipeline.facts.corrections import apply_corrections
    from pipeline.fetching import schedule
    from pipeline.run import registry
    from pipeline.tables import frames

    source, date = row["source"], row["date"]
    days_on_disk = [(name, day) for name, day in registry.load(workspace, "captures").days if day.date == date]
    days_of_source = {day.puzzle.letters: (name, day) for name, day in days_on_disk if name == source}
    is_rejection = not row["listed"] and not row["lacking"]
    if is_rejection and not row["reported"] and not days_of_source and schedule.was_refused(workspace, source, date):
        settings.say(f"The page of {source} was refused, so {source} will no longer be asked for this day.")
        return row
    if row["reported"]:
        row["reported"] = puzzle(row["reported"]).letters
    elif len(days_of_source) == 1:
        (row["reported"],) = days_of_source
    else:
        letters = " and ".join(days_of_source) or "no list"
        raise BeeError(
            f"On disk, {source} has {letters} for {date}; say which letters you mean with --letters, center first."
        )
    days = list(days_of_source.values())
    if row["reported"] in days_of_source:
        days = [days_of_source[row["reported"]]]
    for fault in apply_corrections(days, frames.from_rows([row], "corrections")).faults:
        raise BeeError(Message.parse(fault.detail), " Nothing was written.")
    return row


def _how_to_apply(workspace: Workspace, date: str) -> Message:
    """Return a message that says how a decision about a day is applied in this workspace."""
    from pipeline.run import registry

    if date not in registry.load(workspace, "published_coverage").dates:
        return APPLIES
    rebuild = Message(Command("merge --rebuild"), " and then ", Command("run"), " apply it.")
    return Message("the record already covers the day: with all days on disk, ", rebuild)
