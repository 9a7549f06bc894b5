"""`python -m bee_wordlist vctaoen` solves a puzzle, and `python -m bee_wordlist --why luff` looks a word up."""

from __future__ import annotations

import os
import sys

from packages import bee_wordlist
from pipeline.errors import BeeError
from pipeline.play import reply as playing
from pipeline.words import Puzzle, count, puzzle

USAGE = "usage: python -m bee_wordlist LETTERS | --why WORD ... | --version"


def main(arguments: list[str]) -> int:
    """Print the answer to the arguments; return the exit code: 0, 1 if the list has no word, 2 for an error."""
    try:
        first, *rest = arguments or ["--nothing"]
        if arguments in (["-h"], ["--help"], ["--version"]):
            print(bee_wordlist.VERSION if first == "--version" else USAGE)
        elif first == "--why" and rest:
            print("\n\n".join(map(described, rest)).encode("ascii", "backslashreplace").decode())
        elif any(given.startswith("-") for given in arguments):
            raise BeeError(USAGE)
        else:
            return solve(puzzle("".join(arguments)))
        sys.stdout.flush()
    except BeeError as error:
        print(f"bee_wordlist: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader of a pipe wants no more
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def solve(letters: Puzzle) -> int:
    """Print what `bee solve` prints; return 1 if the list has no word of the letters."""
    made = playing.reply(playing.Ask(letters), bee_wordlist.listed(letters.letters), tuple, lambda: pangrams(letters))
    if text := playing.as_text(made, sys.stdout.isatty()):
        print(text, flush=True)
    for note in playing.notes(made):
        print(note, file=sys.stderr)
    return int(playing.nothing(made))


def pangrams(letters: Puzzle) -> list[dict[str, str | float]]:
    """Return the unlisted pangrams of a puzzle; the table that has them is read only for a puzzle that needs it."""
    from packages.bee_wordlist import lookup

    return lookup.pangrams(letters)


def described(word: str) -> str:
    """Describe a word: its tier, the reason, its record, and its flags."""
    found = bee_wordlist.why(word)
    place = "on the list" if found.listed else "not on the list"
    chance = "" if found.p is None else f", p = {found.p:.2f}"
    lines = [f"{found.word}: {place}, tier {found.tier}{chance}", f"{found.reason}."]
    if known := found.record:
        dates = {"first accepted": known.first, "last accepted": known.last, "last refused": known.refused}
        said = "".join(f", {what} {date}" for what, date in dates.items() if date)
        lines.append(f"possible on {count(known.offered, 'day')}, accepted on {known.accepted:,}{said}")
    lines += [f"flags: {', '.join(found.flags)}"] if found.flags else []
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
