"""Solvers that others have described for this game, each in as few lines as possible, for comparison with ours.

Every algorithm builds a structure from a word list once (`build`) and then solves puzzles with it (`solve`). All return
the same words, in any order. The code is ours.
"""

from __future__ import annotations

import ctypes
import functools
import operator
import os
import subprocess
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline import solver
from pipeline.errors import BeeError
from pipeline.words import Puzzle, mask

Pairs = list[tuple[int, str]]
"""Words, each after the mask of its letters."""
Trie = dict[str, Any]
"""The tree of what follows, by letter. The key "" has the word that ends here."""
BLOCK_SIZE = 64
"""The number of words per block. With larger blocks, nearly every puzzle has to search every block."""


@dataclass(frozen=True, slots=True)
class Algorithm:
    """An algorithm: its name, how it prepares a list, and how it solves a puzzle."""

    name: str
    build: Callable[[list[str]], Any]
    solve: Callable[[Any, Puzzle], list[str]]


def letter_check(words: list[str], puzzle: Puzzle) -> list[str]:
    """Return the answers by looking at each letter of each word."""
    allowed = puzzle.letters
    return [word for word in words if puzzle.center in word and all(letter in allowed for letter in word)]


def build_trie(words: Iterable[str]) -> Trie:
    """Return words as nested dictionaries by letter."""
    root: Trie = {}
    for word in words:
        node = root
        for letter in word:
            node = node.setdefault(letter, {})
        node[""] = word
    return root


def walk_trie(trie: Trie, puzzle: Puzzle) -> list[str]:
    """Return the answers by following the puzzle's letters down the trie."""
    answers: list[str] = []

    def walk(node: Trie) -> None:
        if "" in node and puzzle.center in node[""]:
            answers.append(node[""])
        for letter in puzzle.letters:
            if letter in node:
                walk(node[letter])

    walk(trie)
    return answers


def pack(words: Iterable[str]) -> Pairs:
    """Return words with their masks, which have one bit per letter."""
    return [(mask(word), word) for word in words]


def packed_scan(pairs: Pairs, puzzle: Puzzle) -> list[str]:
    """Return the words that have the bit of the center and no bit outside the puzzle."""
    center, other_letters = mask(puzzle.center), ~mask(puzzle.letters)
    return [word for word_mask, word in pairs if word_mask & center and not word_mask & other_letters]


def compile_scan(folder: Path) -> Algorithm:
    """Return the packed scan in C, compiled into a folder; raises BeeError without a C compiler."""
    library = folder / "scan.so"
    options = ["-O2", "-shared", "-fPIC", "-o", str(library), str(Path(__file__).with_name("scan.c"))]
    compiler = os.environ.get("CC", "cc")
    try:
        subprocess.run([compiler, *options], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise BeeError(f"The C compiler {compiler} does not work, so the packed scan in C is left out.") from error
    scan = ctypes.CDLL(str(library)).scan
    scan.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_uint32, ctypes.c_uint32, ctypes.c_void_p]
    scan.restype = ctypes.c_size_t

    def build(words: list[str]) -> tuple[list[str], Any, Any]:
        numbers = ctypes.c_uint32 * len(words)
        return words, numbers(*map(mask, words)), numbers()

    def solve(structure: tuple[list[str], Any, Any], puzzle: Puzzle) -> list[str]:
        words, masks, places = structure
        found = scan(masks, len(words), mask(puzzle.center), ~mask(puzzle.letters), places)
        return [words[place] for place in places[:found]]

    return Algorithm("packed scan in C", build, solve)


def build_blocks(words: Iterable[str]) -> list[tuple[int, int, Pairs]]:
    """Return words, sorted by mask, in blocks, each after the letters of all of its words and those of any of them."""
    pairs = sorted(pack(words))
    blocks = []
    for start in range(0, len(pairs), BLOCK_SIZE):
        block = pairs[start : start + BLOCK_SIZE]
        masks = [word_mask for word_mask, _ in block]
        blocks.append((functools.reduce(operator.and_, masks), functools.reduce(operator.or_, masks), block))
    return blocks


def block_striding(blocks: list[tuple[int, int, Pairs]], puzzle: Puzzle) -> list[str]:
    """Return the answers by scanning only blocks in which some word has the center, and that have no other letter in
    all words."""
    center, other_letters = mask(puzzle.center), ~mask(puzzle.letters)
    answers = []
    for letters_of_all, letters_of_any, pairs in blocks:
        if letters_of_any & center and not letters_of_all & other_letters:
            answers += [word for word_mask, word in pairs if word_mask & center and not word_mask & other_letters]
    return answers


def centered_subsets(puzzle: Puzzle) -> Iterator[int]:
    """Yield the 64 masks that have the center and any of the outer letters, beginning with the whole puzzle."""
    center, outer = mask(puzzle.center), mask(puzzle.outer)
    subset = outer
    while subset:
        yield subset | center
        subset = (subset - 1) & outer
    yield center


def submasks(groups: dict[int, list[str]], puzzle: Puzzle) -> list[str]:
    """Return the answers by looking up each of the 64 letter sets that the puzzle can spell."""
    return [word for subset in centered_subsets(puzzle) for word in groups.get(subset, ())]


OURS = Algorithm("ours: submasks with two letters folded", solver.build_index, solver.solve)
ALGORITHMS = (
    OURS,
    Algorithm("submasks", solver.group_by_mask, submasks),
    Algorithm("block striding", build_blocks, block_striding),
    Algorithm("packed scan", pack, packed_scan),
    Algorithm("letter strip", list, solver.scan),
    Algorithm("letter check, the naive loop", list, letter_check),
    Algorithm("trie, also called a radix tree", build_trie, walk_trie),
)
"""All algorithms but the one that needs a compiler. `bee solve` strips letters, because it solves only one puzzle."""
