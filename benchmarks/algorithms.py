"""Solvers that others have described for this game, each in as few lines as possible, for comparison with ours.

Every algorithm builds a structure from a word list once (`build`) and then solves puzzles with it (`solve`). All return
the same words, in any order. `make bench` times them in one process on one list. The code is ours; the ideas are from
the named sources.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from pipeline import solver
from pipeline.words import Puzzle, mask

Pairs = list[tuple[int, str]]
Tree = dict[str, Any]
"""The tree of what follows, by letter. The key "" has the word that ends here."""


@dataclass(frozen=True, slots=True)
class Algorithm:
    """An algorithm: its name, the source of the idea, how a list is prepared, and how a puzzle is solved."""

    name: str
    source: str
    build: Callable[[list[str]], Any]
    solve: Callable[[Any, Puzzle], list[str]]


def centered_subsets(puzzle: Puzzle) -> Iterator[int]:
    """Yield the 64 masks that have the center and any of the outer letters, beginning with the whole puzzle."""
    center, outer = mask(puzzle.center), mask(puzzle.outer)
    subset = outer
    while subset:
        yield subset | center
        subset = (subset - 1) & outer
    yield center


def letter_check(words: list[str], puzzle: Puzzle) -> list[str]:
    """Return the answers by looking at each letter of each word."""
    allowed = puzzle.letters
    return [word for word in words if puzzle.center in word and all(letter in allowed for letter in word)]


def packed(words: Iterable[str]) -> Pairs:
    """Return each word with its letters packed into 26 bits."""
    return [(mask(word), word) for word in words]


def packed_scan(pairs: Pairs, puzzle: Puzzle) -> list[str]:
    """Return the words that have the bit of the center and no bit outside the puzzle."""
    center, other_letters = mask(puzzle.center), ~mask(puzzle.letters)
    return [word for word_mask, word in pairs if word_mask & center and not word_mask & other_letters]


BLOCK_SIZE = 64
"""The number of words per block. With larger blocks, nearly every puzzle has to search every block."""


@dataclass(frozen=True, slots=True)
class Block:
    """Neighboring words in the order of their masks: the letters that all of them have, the letters that any of them
    has, and the words with their masks."""

    letters_of_every_word: int
    letters_of_any_word: int
    pairs: Pairs


def blocks_of(words: Iterable[str]) -> list[Block]:
    """Return words, sorted by mask, in blocks."""
    pairs = sorted(packed(words))
    blocks = []
    for start in range(0, len(pairs), BLOCK_SIZE):
        block = pairs[start : start + BLOCK_SIZE]
        masks = [word_mask for word_mask, _ in block]
        blocks.append(Block(functools.reduce(operator.and_, masks), functools.reduce(operator.or_, masks), block))
    return blocks


def block_striding(blocks: list[Block], puzzle: Puzzle) -> list[str]:
    """Return the answers by scanning only blocks in which some word has the center and no wrong letter is in all
    words."""
    center, other_letters = mask(puzzle.center), ~mask(puzzle.letters)
    answers = []
    for block in blocks:
        if block.letters_of_any_word & center and not block.letters_of_every_word & other_letters:
            for word_mask, word in block.pairs:
                if word_mask & center and not word_mask & other_letters:
                    answers.append(word)
    return answers


def radix_tree(words: Iterable[str]) -> Tree:
    """Return words as nested dictionaries by letter."""
    root: Tree = {}
    for word in words:
        node = root
        for letter in word:
            node = node.setdefault(letter, {})
        node[""] = word
    return root


def radix_walk(tree: Tree, puzzle: Puzzle) -> list[str]:
    """Return the answers by following the puzzle's letters down the tree."""
    answers: list[str] = []

    def walk(node: Tree) -> None:
        if "" in node and puzzle.center in node[""]:
            answers.append(node[""])
        for letter in puzzle.letters:
            if letter in node:
                walk(node[letter])

    walk(tree)
    return answers


def submasks(groups: dict[int, list[str]], puzzle: Puzzle) -> list[str]:
    """Return the answers by looking up each of the 64 letter sets that the puzzle can spell."""
    return [word for subset in centered_subsets(puzzle) for word in groups.get(subset, ())]


ALGORITHMS = (
    Algorithm("letter check", "the rules of the game, as most scripts have them", list, letter_check),
    Algorithm("strip", "the letter check in one call of C a word; `bee solve` on a cold start", list, solver.scan),
    Algorithm("packed scan", "bit sets, as solvers in C and C++ scan them", packed, packed_scan),
    Algorithm("block striding", "a scan that skips blocks by the AND and OR of their bits", blocks_of, block_striding),
    Algorithm("radix tree", "nested dicts by letter, called a radix tree in this field", radix_tree, radix_walk),
    Algorithm("submasks", "subset enumeration, D. Knuth, TAOCP 7.1.3", solver.group_by_mask, submasks),
    Algorithm("ours", "the same with two letters folded; see `solver.build_index`", solver.build_index, solver.solve),
)
"""All algorithms, slowest first. The ratios of `make bench` are relative to the radix tree."""
