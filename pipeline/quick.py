"""`bee solve LETTERS` in its simplest form, answered with the standard library before Typer is imported.

The reply and its format are those of the full command. Only the arguments are parsed here; all other arguments are left
to the full command. So the behavior is the same in both cases.
"""

from __future__ import annotations

import os
import sys

from pipeline import reader, solver
from pipeline.errors import BeeError, LettersError
from pipeline.play import reply as playing
from pipeline.words import Puzzle, puzzle

_NAMES = {"--letters": "letters", "-c": "center", "--center": "center", "-o": "outer", "--outer": "outer"}
_OPTIONS = _NAMES | {"--list": "words"}


def options(arguments: list[str]) -> dict[str, str] | None:
    """Parse `solve` with letters, or with `--letters`, `-c`, `-o`, `--list`; None if there is anything else.

    >>> options(["solve", "vcta", "oen"]), options(["solve", "-c=v", "vctaoen"]), options(["solve", "--hints"])
    ({'letters': 'vctaoen'}, None, None)
    """
    if arguments[:1] != ["solve"] or os.environ.get("BEE_DATA"):
        return None
    named: dict[str, str] = {}
    rest = list(reversed(arguments[1:]))
    while rest:
        given = rest.pop()
        name, equals, value = given.partition("=") if given.startswith("--") else (given, "", "")
        if not given.startswith("-"):
            named["letters"] = named.get("letters", "") + given
        elif name in _OPTIONS and _OPTIONS[name] not in named and (equals or (rest and not rest[-1].startswith("-"))):
            named[_OPTIONS[name]] = value if equals else rest.pop()
        else:
            return None
    return named if named.keys() - {"words"} else None


def asked(given: str, center: str, outer: str) -> Puzzle:
    """Parse the puzzle; raises LettersError."""
    if outer and given:
        raise LettersError("Give the letters once: either all seven, or --center and --outer.")
    return puzzle(outer or given, center or None)


def answer(given: dict[str, str]) -> int:
    """Print the answers or the error; return the exit code."""
    try:
        letters = asked(*(given.get(name, "") for name in ("letters", "center", "outer")))
        words = given.get("words")
        listed = solver.load_release(reader.RELEASE) if words is None else solver.load_words(words)
        ask = playing.Ask(letters, guess=words is None)  # a guess is a word of our list
        made = playing.reply(ask, listed, tuple, lambda: solver.load_pangram_candidates(letters))
        if text := playing.as_text(made, sys.stdout.isatty()):
            print(text, flush=True)
        for note in playing.notes(made):
            print(note, file=sys.stderr)
        return int(playing.nothing(made))
    except BeeError as error:
        print(f"bee: {error}", file=sys.stderr)
        return error.exit_code
