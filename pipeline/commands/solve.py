"""`bee solve`: prints the answers of a puzzle, or only as much of them as a player wants to see."""

from __future__ import annotations

import dataclasses
import json
import sys
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

import typer

from pipeline import reader, solver, store
from pipeline.commands.messages import complain, say
from pipeline.commands.options import iso_date, read_stdin, read_word_list
from pipeline.errors import BeeError, LettersError
from pipeline.play import difficulty, glosses, reply
from pipeline.store import Workspace
from pipeline.words import Puzzle, puzzle

Show = Literal["counts", "letters", "prefixes", "words"]


def solve(
    ctx: typer.Context,
    letters: Annotated[list[str] | None, typer.Argument(help="Seven letters, center first.")] = None,
    date: Annotated[
        str,
        typer.Option(
            callback=iso_date, help="Solve the puzzle of this date, which must be on disk, and compare the answers."
        ),
    ] = "",
    hints: Annotated[
        bool, typer.Option("--hints", help="Show counts, a grid, a two-letter list and the ranks instead of words.")
    ] = False,
    show: Annotated[
        Show | None,
        typer.Option(
            help="How much to show: only counts, or the first letter, first two letters, or all letters of each answer."
        ),
    ] = None,
    found: Annotated[
        str, typer.Option(help="A file of words that you have already found, or - for stdin. Shows only the others.")
    ] = "",
    maybe: Annotated[
        bool, typer.Option("--maybe", help="Also show doubtful words, separately, each with its probability.")
    ] = False,
    define: Annotated[bool, typer.Option("--define", help="Show the definition under each answer.")] = False,
    list_path: Annotated[
        Path | None,
        typer.Option("--list", help="Use this word list, one word per line, and do not guess pangrams."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Print the answers of a puzzle, or hints. Exits with code 1 if the list has no words for these letters.

    \b
    Examples:
      bee solve vctaoen
      bee solve vctaoen --hints
    """
    shown = show or ("counts" if hints else "words")
    asked, of_day = _asked_puzzle(ctx.obj, letters, date, found)
    release = store.find_release(ctx.obj)
    listed = read_word_list(list_path) if list_path else solver.load_release(release)
    question = reply.Question(
        asked,
        show=shown,
        hints=hints,
        maybe=maybe and not list_path,
        found=_found_words(found) if found else None,
        date=date,
        official=of_day.answers | of_day.left_out.intersection(listed) if of_day else None,
        guess=not list_path,
    )
    result = reply.answer(
        question,
        listed,
        lambda: solver.load_doubtful_words(asked, release),
        lambda: solver.load_pangram_candidates(asked, release),
    )
    if define and shown == "words":
        table = glosses.load(release, set(result.words))
        lines = {word: glosses.line(glosses.define(word, table)) for word in result.words}
        result = dataclasses.replace(result, glosses=lines)
    if hints and not reply.is_empty(result):
        answers = set(solver.scan(listed, asked))
        hardness = difficulty.load_hardness(answers, difficulty.load_accepted_counts(release, answers))
        result = dataclasses.replace(result, difficulty=difficulty.difficulty(answers, hardness))
    if as_json:
        version = None if list_path else reader.read(release, reader.PACKAGE).version
        typer.echo(json.dumps({"version": version, **reply.as_json(result)}))
    elif text := reply.as_text(result, sys.stdout.isatty()):
        typer.echo(text)
    for note in reply.notes(result, as_json or sys.stdout.isatty()):
        say(note)
    if reply.is_empty(result):
        raise typer.Exit(1)


class _Official(NamedTuple):
    """The official answers of a day, and the words without a trial, which are neither missing nor extra."""

    answers: set[str]
    left_out: set[str]


def _asked_puzzle(
    workspace: Workspace, letters: list[str] | None, date: str, found: str
) -> tuple[Puzzle, _Official | None]:
    """Return the puzzle of the letters, or of a date with what is known about its answers; without both, prompt for
    letters."""
    if letters and date:
        raise LettersError("Give either letters or --date, not both.")
    if date:
        return _puzzle_on_disk(workspace, date)
    if letters:
        return puzzle("".join(letters)), None
    if found == "-":
        raise LettersError("With `--found -`, give the letters as an argument, because stdin contains the words.")
    return _prompted_puzzle(), None


def _prompted_puzzle() -> Puzzle:
    """Prompt for the letters until they are valid; raises LettersError at the end of the input."""
    while True:
        typer.echo("Enter letters: ", nl=False, err=True)
        line = sys.stdin.readline() if sys.stdin else ""
        try:
            return puzzle(line.strip())
        except LettersError as error:
            if not line:
                raise
            complain(f"bee: {error}")


def _puzzle_on_disk(workspace: Workspace, date: str) -> tuple[Puzzle, _Official]:
    """Return the puzzle of a day and its official answers; raise BeeError if the day does not count."""
    from pipeline import run  # only --date needs tables, and pandas
    from pipeline.facts.day_state import day_state

    days = run.days_on_disk(workspace)
    state = day_state(date, days.coverage.dates, days.puzzles, days.waits, days.without_trial)
    if state.sentence:
        say(state.sentence)
    puzzles = days.puzzles
    row = puzzles[puzzles["date"] == date]
    if not state.counts:
        span = f" ({puzzles['date'].min()} to {puzzles['date'].max()})" if len(puzzles) else ""
        raise BeeError(f"There is no puzzle for {date} that counts; there are {len(puzzles):,}{span}.")
    of_day = (set(table["word"][table["date"] == date]) for table in (days.answers, days.without_trial))
    return Puzzle(row["center"].iloc[0], row["outer"].iloc[0]), _Official(*of_day)


def _found_words(path: str) -> list[str]:
    """Read the words that a player has found."""
    try:
        text = read_stdin() if path == "-" else Path(path).read_text("utf-8-sig", "replace")
    except OSError as error:
        raise BeeError(f"Cannot read {path}: {error.strerror}.") from error
    if "\0" in text:
        raise BeeError(f"{path} is not a text file; --found needs a file of words.")
    return reply.parse_words(text)
