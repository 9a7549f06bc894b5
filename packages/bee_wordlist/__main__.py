"""`python -m bee_wordlist vctaoen` solves a puzzle, and `python -m bee_wordlist --why luff` looks up a word."""

from __future__ import annotations

import os
import sys

from packages import bee_wordlist
from packages.bee_wordlist import lookup
from pipeline.errors import BeeError
from pipeline.play import reply
from pipeline.words import Puzzle, count, puzzle

USAGE = "usage: python -m bee_wordlist LETTERS | --why WORD ... | --version"


def main(arguments: list[str]) -> int:
    """Print the answer to the arguments, and return the exit code: 0, or 1 if the list has no words, or 2 for an
    error."""
    try:
        if arguments == ["--version"]:
            print(bee_wordlist.VERSION)
        elif arguments in (["-h"], ["--help"]):
            print(USAGE)
        elif arguments[:1] == ["--why"] and len(arguments) > 1:
            descriptions = "\n\n".join(describe(word) for word in arguments[1:])
            print(descriptions.encode("ascii", "backslashreplace").decode())
        elif not arguments or any(argument.startswith("-") for argument in arguments):
            raise BeeError(USAGE)
        else:
            return solve(puzzle("".join(arguments)))
        sys.stdout.flush()
    except BeeError as error:
        print(f"bee_wordlist: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader of the pipe has stopped reading
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def solve(letters: Puzzle) -> int:
    """Print what `bee solve` prints, and return the exit code: 1 if the list has no words for the letters, or else
    0."""
    answers = reply.answer(
        reply.Question(letters),
        bee_wordlist.listed(letters.letters),
        load_pangram_candidates=lambda: lookup.pangrams(letters),
    )
    text = reply.as_text(answers, sys.stdout.isatty())
    if text:
        print(text, flush=True)
    for note in reply.notes(answers):
        print(note, file=sys.stderr)
    return int(reply.is_empty(answers))


def describe(word: str) -> str:
    """Return a description of a word: its tier, the reason, its record, and its flags."""
    entry = bee_wordlist.why(word)
    place = "on the list" if entry.listed else "not on the list"
    chance = "" if entry.p is None else f", p = {entry.p:.2f}"
    lines = [f"{entry.word}: {place}, tier {entry.tier}{chance}", f"{entry.reason}."]
    if entry.record:
        record = entry.record
        dates = {"first accepted": record.first, "last accepted": record.last, "last refused": record.refused}
        known_dates = "".join(f", {event} {date}" for event, date in dates.items() if date)
        lines.append(f"possible on {count(record.offered, 'day')}, accepted on {record.accepted:,}{known_dates}")
    if entry.flags:
        lines.append(f"flags: {', '.join(entry.flags)}")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
