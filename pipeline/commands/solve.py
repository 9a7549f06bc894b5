"""`bee solve`: the answers of a puzzle, or as much of them as a player wants to be told."""

from __future__ import annotations

import enum
import json
import sys
from pathlib import Path
from typing import Annotated, Any, Optional

import typer

from pipeline import hints as hinting
from pipeline import solver
from pipeline.commands import Data, app, iso_date, say
from pipeline.words import BeeError, LettersError, Puzzle, bingo, pangram, perfect_pangram, puzzle, score
from pipeline.words import ranks as points_needed


class Order(enum.StrEnum):
    """How answers are sorted."""

    rank = "rank"
    alpha = "alpha"


class Show(enum.StrEnum):
    """How much of each answer is told."""

    counts = "counts"
    letters = "letters"
    prefixes = "prefixes"
    words = "words"


LIKELIEST = 5
"""So many candidates are named when the list knows no pangram."""


@app.command()
def solve(
    letters: Annotated[Optional[list[str]], typer.Argument(help="Seven letters, center first.")] = None,  # noqa: UP045
    named: Annotated[str, typer.Option("--letters", help="The same, as an option.")] = "",
    center: Annotated[str, typer.Option("-c", "--center", help="The center letter.")] = "",
    outer: Annotated[str, typer.Option("-o", "--outer", help="The six outer letters.")] = "",
    date: Annotated[str, typer.Option(callback=iso_date, help="A puzzle on disk, compared with its answers.")] = "",
    sort: Annotated[Order, typer.Option(help="rank: pangrams, then the longest; alpha: A to Z.")] = Order.rank,
    min_length: Annotated[int, typer.Option(min=1, help="Leave shorter words out.")] = 4,
    hints: Annotated[bool, typer.Option("--hints", help="Counts, grid and two-letter list instead of words.")] = False,
    ranks: Annotated[bool, typer.Option("--ranks", help="The points that each rank takes.")] = False,
    show: Annotated[
        Optional[Show],  # noqa: UP045
        typer.Option(help="What to tell of each answer: nothing but counts, its first letter, two letters, all."),
    ] = None,
    found: Annotated[str, typer.Option(help="A file of words that you have, or - for stdin: the rest is shown.")] = "",
    maybe: Annotated[bool, typer.Option("--maybe", help="Doubtful words too, apart, each with its p.")] = False,
    words: Annotated[Optional[Path], typer.Option("--list", help="Any word list, one word a line.")] = None,  # noqa: UP045
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    data: Data = None,
) -> None:
    """Print the answers of a puzzle, or hints."""
    given = "".join(letters or []) + named
    official = _on_disk(data, date, bool(given or center or outer)) if date else None
    asked = official[0] if official else _asked(given, center, outer, found == "-")
    release = _release(data)
    every = solver.ranked(solver.scan(solver.load_words(words or f"{release}/wordlist.txt"), asked))
    answers = [word for word in every if len(word) >= min_length]
    if sort is Order.alpha:
        answers.sort()
    typed = _typed(found, every) if found else set()
    rest = [word for word in answers if word not in typed]
    shown = show or (Show.counts if hints or ranks else Show.words)
    made = _counted(asked, date, rest)
    if shown is Show.words:
        made["words"] = [{"word": word, "points": score(word), "pangram": pangram(word)} for word in rest]
    elif shown is not Show.counts:
        made["veiled"] = _told(rest, shown)
    if hints:
        made |= {"grid": hinting.grid(rest), "two_letters": hinting.two_letters(rest)}
    if ranks:
        made |= {"ranks": points_needed(sum(map(score, answers)))}
        made |= {"points_found": sum(map(score, typed.intersection(answers)))} if found else {}
    no_pangram = not any(map(pangram, every))
    doubtful = solver.load_maybe(asked, release) if maybe or no_pangram else []
    doubtful = [row for row in doubtful if row["word"] not in typed.union(every)]
    if maybe:
        made["maybe"] = _told([row for row in doubtful if len(str(row["word"])) >= min_length], shown)
    if official:
        theirs = {word for word in official[1] if len(word) >= min_length}
        made["missing"] = _told(sorted(theirs.difference(answers)), shown)
        made["extra"] = _told(sorted(set(answers) - theirs), shown)
    if no_pangram:
        made["pangram_candidates"] = _told([row for row in doubtful if pangram(str(row["word"]))][:LIKELIEST], shown)
    if as_json:
        typer.echo(json.dumps(made))
    else:
        _print_text(made, sys.stdout.isatty())


def _release(data: str | None) -> str:
    """Return the folder of the workspace's own release, if it has one, else of the one that came along."""
    named = f"{data}/custom"
    return named if data and Path(named, "wordlist.txt").exists() else solver.RELEASE


def _told(words: list[Any], shown: Show) -> list[Any] | int:
    """Tell of words, or of rows with a word and its p, no more than the player wants to see."""
    if shown is Show.words:
        return words
    if shown is Show.counts:
        return len(words)
    bare = [word if isinstance(word, str) else word["word"] for word in words]
    return hinting.veiled(bare, 1 if shown is Show.letters else 2)


def _asked(given: str, center: str, outer: str, found_on_stdin: bool) -> Puzzle:
    """Read the letters from the arguments, or ask for them."""
    if outer and given:
        raise LettersError("Give the letters once: either all seven, or --center and --outer.")
    if not (given or outer or center):
        if found_on_stdin:
            raise LettersError("With --found - the letters must be given: stdin holds the words.")
        typer.echo("Enter letters: ", nl=False, err=True)
        given = sys.stdin.readline().strip()
    return puzzle(outer or given, center or None)


def _on_disk(data: str | None, date: str, lettered: bool) -> tuple[Puzzle, set[str]]:
    """Find the puzzle of a day and its official answers."""
    if lettered:
        raise LettersError("Give either letters or --date, not both.")
    from pipeline import store

    workspace = store.find_workspace(data)
    puzzles = store.read_table(workspace, "puzzles", "bee run")
    row = puzzles[puzzles["date"] == date]
    if row.empty:
        span = f"{puzzles['date'].min()} to {puzzles['date'].max()}" if len(puzzles) else "none"
        raise BeeError(f"No puzzle of {date} on disk; there are {len(puzzles):,} ({span}). bee run --fetch gets more.")
    answers = store.read_table(workspace, "answers", "bee run")
    return Puzzle(row["center"].iloc[0], row["outer"].iloc[0]), set(answers["word"][answers["date"] == date])


def _typed(found: str, answers: list[str]) -> set[str]:
    """Read the words that a player has; say which of them are no answers."""
    try:
        text = sys.stdin.read() if found == "-" else Path(found).read_text("utf-8-sig", "replace")
    except OSError as error:
        raise BeeError(f"Cannot read {found}: {error.strerror}.") from error
    shown = "".join(letter if letter.isprintable() else " " for letter in text.lower())
    words = dict.fromkeys(shown.replace(",", " ").replace("*", " ").split())
    known = set(answers)
    if strange := [word for word in words if word not in known]:
        more = f" and {len(strange) - 10} more" if len(strange) > 10 else ""
        say(f"Not among the answers: {', '.join(strange[:10])}{more}.")
    return set(words)


def _counted(asked: Puzzle, date: str, words: list[str]) -> dict[str, Any]:
    """Begin the JSON object: the puzzle, and what can be counted of its answers."""
    made: dict[str, Any] = {"center": asked.center, "outer": asked.outer} | ({"date": date} if date else {})
    made |= {"count": len(words), "points": sum(map(score, words)), "pangrams": sum(map(pangram, words))}
    return made | {"perfect_pangrams": sum(map(perfect_pangram, words)), "bingo": bingo(asked, words)}


def _print_text(made: dict[str, Any], terminal: bool) -> None:
    """Print the JSON object for reading: into a pipe the bare words, on a terminal a header and stars too."""
    lines = []
    if "words" not in made or "grid" in made:
        lines.append(hinting.header(made))
    elif terminal:
        letters, plural = (made["center"] + made["outer"]).upper(), "" if made["pangrams"] == 1 else "s"
        lines.append(f"{letters}: {made['count']} words, {made['points']} points, {made['pangrams']} pangram{plural}")
    if "grid" in made:
        lines += ["", hinting.grid_text(made["grid"]), "", hinting.two_letters_text(made["two_letters"]), ""]
    for row in made.get("words", ()):
        lines.append(solver.starred(row["word"]) if terminal else row["word"])
    lines += made.get("veiled", ())
    if "ranks" in made:
        lines += ["", hinting.ranks_text(made["ranks"], made.get("points_found"))]
    for name in ("maybe", "missing", "extra"):
        if name in made:
            lines += ["", f"{name.capitalize()}: {_listed(made[name])}"]
    if text := "\n".join(lines).strip("\n"):
        typer.echo(text)
    if "pangram_candidates" in made:
        told = made["pangram_candidates"]
        named = f"has {told} candidates" if isinstance(told, int) else f"suggests: {_listed(told)}"
        say(f"A puzzle always has a pangram, and the list knows none for these letters; the review tier {named}.")


def _listed(told: list[Any] | int) -> str:
    """Put what `_told` gave into one line."""
    if isinstance(told, int):
        return str(told)
    return ", ".join(each if isinstance(each, str) else f"{each['word']} {each['p']:.2f}" for each in told) or "none"
