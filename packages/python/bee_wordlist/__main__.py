"""`python -m bee_wordlist vctaoen` solves a puzzle; `--why luff` and `--define luff` look up words."""

from __future__ import annotations

import argparse
import io
import os
import sys

from . import VERSION, InstallError, LettersError, define, solve, why


def main(arguments: list[str]) -> int:
    """Print what the arguments ask for, and return the exit code: 0, 1 for no answers, no definition or an unknown
    word, or 2 for an error."""
    parser = argparse.ArgumentParser(prog="python -m bee_wordlist", description="Solve a puzzle, or look up words.")
    choice = parser.add_mutually_exclusive_group(required=True)
    choice.add_argument("letters", nargs="?", help="seven letters, center first")
    choice.add_argument("--why", nargs="+", metavar="WORD", help="say why words are on the list or not")
    choice.add_argument("--define", nargs="+", metavar="WORD", help="print definitions of words")
    choice.add_argument("--version", action="version", version=VERSION)
    options = parser.parse_args(arguments)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a terminal may lack a character
    try:
        if options.why:
            exit_code = print_reasons(options.why)
        elif options.define:
            exit_code = print_definitions(options.define)
        else:
            exit_code = print_answers(options.letters)
        print(end="", flush=True)
    except LettersError as error:
        parser.error(str(error))
    except InstallError as error:
        print(f"bee_wordlist: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader of the pipe has stopped reading
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return exit_code


def print_answers(letters: str) -> int:
    """Print the answers of a puzzle; return 1 if there are none."""
    answers = solve(letters)
    if not answers:
        print("The list has no words for these letters.", file=sys.stderr)
        return 1
    print("\n".join(answers))
    return 0


def print_reasons(words: list[str]) -> int:
    """Print what the list says about words; return 1 if one of them has no tier."""
    exit_code = 0
    for entry in map(why, words):
        chance = "" if entry.p is None else f", p = {entry.p:.2f}"
        print(f"{entry.word}: {entry.tier}{chance}, {entry.because}")
        if record := entry.record:
            accepted = f"first {record.first_accepted or 'never'}, last {record.last_accepted or 'never'}"
            refused = f"last refused {record.last_refused or 'never'}"
            print(f"  accepted {record.accepted:,} of {record.offered:,}: {accepted}, {refused}")
        if entry.flags:
            print(f"  flags: {', '.join(entry.flags)}")
        if entry.near:
            print(f"  near: {', '.join(entry.near)}")
        if entry.p is None:
            exit_code = 1
    return exit_code


def print_definitions(words: list[str]) -> int:
    """Print the definitions of words; return 1 if one of them has none."""
    exit_code = 0
    for word in words:
        definition = define(word)
        print(f"{word}: {definition or 'no definition'}")
        if not definition:
            exit_code = 1
    return exit_code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
