"""`python -m bee_wordlist vctaoen` solves a puzzle; `--why luff` looks up words."""

from __future__ import annotations

import argparse
import sys

from . import solve, why


def main(arguments: list[str]) -> int:
    """Print what the arguments ask for, and return the exit code: 1 for no answers or an unknown word, 2 for an
    error."""
    parser = argparse.ArgumentParser(prog="python -m bee_wordlist", description="Solve a puzzle, or look up words.")
    choice = parser.add_mutually_exclusive_group(required=True)
    choice.add_argument("letters", nargs="?", help="seven letters, center first")
    choice.add_argument("--why", nargs="+", metavar="WORD", help="print the tier, reason and definition of words")
    options = parser.parse_args(arguments)
    if options.why:
        return print_reasons(options.why)
    try:
        answers = solve(options.letters)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    if not answers:
        print("The list has no words for these letters.", file=sys.stderr)
        return 1
    print(*answers, sep="\n")
    return 0


def print_reasons(words: list[str]) -> int:
    """Print what the list says about words; return 1 if it does not know one of them."""
    exit_code = 0
    for word in words:
        entry = why(word)
        if entry is None:
            print(f"{word}: no puzzle has accepted it, and no ordinary dictionary has it", file=sys.stderr)
            exit_code = 1
        else:
            print(f"{entry.word}: {entry.tier}, p = {entry.p:.2f}, {entry.because}")
            print(f"  {entry.definition or 'no definition'}")
    return exit_code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
