"""`bee solve`: the answers of a puzzle, or only as much of them as a player wants to see."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from pipeline import quick, reader, solver
from pipeline.commands import (
    PLAY,
    Data,
    command,
    complain,
    given,
    iso_date,
    refuse_together,
    release_folder,
    say,
)
from pipeline.errors import BeeError, LettersError
from pipeline.play import difficulty, glosses
from pipeline.play import reply as playing
from pipeline.words import Puzzle

Order = Literal["rank", "alpha"]
Show = Literal["counts", "letters", "prefixes", "words"]


@command(PLAY, "bee solve vctaoen", "bee solve vctaoen --hints")
def solve(
    context: typer.Context,
    letters: Annotated[list[str] | None, typer.Argument(help="Seven letters, center first.")] = None,
    named: Annotated[str, typer.Option("--letters", help="The letters, as an option.")] = "",
    center: Annotated[str, typer.Option("-c", "--center", help="The center letter.")] = "",
    outer: Annotated[str, typer.Option("-o", "--outer", help="The six outer letters.")] = "",
    date: Annotated[str, typer.Option(callback=iso_date, help="A puzzle on disk, compared with its answers.")] = "",
    sort: Annotated[Order, typer.Option(help="rank: pangrams, then the longest; alpha: A to Z.")] = "rank",
    min_length: Annotated[int, typer.Option(min=1, help="Leave out shorter words.")] = 4,
    hints: Annotated[bool, typer.Option("--hints", help="Counts, grid and two-letter list instead of words.")] = False,
    ranks: Annotated[bool, typer.Option("--ranks", help="Show the points needed for each rank.")] = False,
    show: Annotated[
        Show | None,
        typer.Option(help="What to show: only counts, or of each answer the first letter, two letters, all."),
    ] = None,
    found: Annotated[str, typer.Option(help="A file of words that you have, or - for stdin; shows the rest.")] = "",
    maybe: Annotated[bool, typer.Option("--maybe", help="Also show doubtful words, apart, each with its p.")] = False,
    define: Annotated[bool, typer.Option("--define", help="Show the definition under each answer.")] = False,
    no_guess: Annotated[
        bool, typer.Option("--no-guess", help="If no listed word is a pangram, do not guess one (marked with ?).")
    ] = False,
    words: Annotated[
        Path | None, typer.Option("--list", help="Any word list, one word per line; without guesses.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    data: Data = None,
) -> None:
    """Print the answers of a puzzle, or hints. Exit code 1 if the list has no word of these letters."""
    shown = show or ("counts" if hints or ranks else "words")
    _refuse_wrong_pairs(given(context), shown)
    typed = "".join(letters or []) + named
    asked, official = _on_disk(data, date, bool(typed or center or outer)) if date else (None, None)
    asked = asked or _asked(typed, center, outer, found == "-")
    release = release_folder(data)
    listed = solver.load_words(words) if words else solver.load_release(release)
    made = playing.reply(
        playing.Ask(
            asked, sort, min_length, shown, hints, ranks, maybe,
            _typed(found) if found else None, date, official, not (no_guess or words),
        ),
        listed,
        lambda: solver.load_doubtful_words(asked, release),
        lambda: solver.load_pangram_candidates(asked, release),
    )  # fmt: skip
    if define:
        table = glosses.load(release, set(made.words))
        made = made._replace(glosses={word: glosses.line(glosses.define(word, table)) for word in made.words})
    if hints:
        every = set(solver.scan(listed, asked))
        hard = difficulty.load(every, difficulty.accepted(release, every))
        made = made._replace(difficulty=difficulty.difficulty(every, hard))
    if as_json:
        version = None if words else reader.read(release, reader.PACKAGE).version
        typer.echo(json.dumps({"version": version, **playing.as_json(made)}))
    elif text := playing.as_text(made, sys.stdout.isatty()):
        typer.echo(text)
    for note in playing.notes(made, as_json or sys.stdout.isatty()):
        say(note)
    if playing.nothing(made):
        raise typer.Exit(1)


def _refuse_wrong_pairs(options: set[str], shown: Show) -> None:
    """Raise BadParameter for options that do not apply together. `shown` is how much of the answers is printed."""
    ours = "{} is about words of our list, and --list names another one."
    refuse_together(options, ("--list", {"--maybe", "--no-guess"}, ours))
    if shown != "words" and (wrong := sorted({"--define", "--sort"} & options)):
        raise typer.BadParameter(f"{wrong[0]} is for the words, which are not shown: add --show words.")


def _asked(given: str, center: str, outer: str, found_on_stdin: bool) -> Puzzle:
    """Parse the letters from the arguments, or prompt for them."""
    if not (given or outer or center):
        if found_on_stdin:
            raise LettersError("With --found - the letters must be given, because stdin contains the words.")
        return _prompted()
    return quick.asked(given, center, outer)


def _prompted() -> Puzzle:
    """Prompt for the letters until they are valid; raises LettersError at the end of the input."""
    while True:
        typer.echo("Enter letters: ", nl=False, err=True)
        line = sys.stdin.readline()
        try:
            return quick.asked(line.strip(), "", "")
        except LettersError as error:
            if not line:
                raise
            complain(f"bee: {error}")


def _on_disk(data: str | None, date: str, lettered: bool) -> tuple[Puzzle, set[str]]:
    """Return the puzzle of a day and its official answers."""
    if lettered:
        raise LettersError("Give either letters or --date, not both.")
    from pipeline import store
    from pipeline.run import registry

    workspace = store.find_workspace(data)
    puzzles = registry.load(workspace, "puzzles")
    row = puzzles[puzzles["date"] == date]
    if row.empty:
        span = f"{puzzles['date'].min()} to {puzzles['date'].max()}" if len(puzzles) else "none"
        raise BeeError(
            f"No puzzle of {date} on disk; there are {len(puzzles):,} ({span}). `bee run --fetch` gets more."
        )
    answers = registry.load(workspace, "answers")
    return Puzzle(row["center"].iloc[0], row["outer"].iloc[0]), set(answers["word"][answers["date"] == date])


def _typed(found: str) -> list[str]:
    """Read the words that a player has found."""
    try:
        text = sys.stdin.read() if found == "-" else Path(found).read_text("utf-8-sig", "replace")
    except OSError as error:
        raise BeeError(f"Cannot read {found}: {error.strerror}.") from error
    if "\0" in text:
        raise BeeError(f"{found} is not text; --found requires a file of words.")
    return playing.typed(text)
