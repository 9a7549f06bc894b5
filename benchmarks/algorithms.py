"""Solvers that have been described for this game, each as short as its idea, to compare with ours.

Every algorithm builds a structure from a word list once (`build`) and then solves puzzles with it (`solve`). All return
the same words, in any order. `make bench` times them in one process on one list. The code is ours; the ideas are from
the named sources.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from pipeline import solver
from pipeline.words import Puzzle, mask

Pairs = list[tuple[int, str]]
Tree = dict[str, Any]
"""Letter to the tree of what follows; the key "" holds the word that ends here."""


@dataclass(frozen=True, slots=True)
class Algorithm:
    """An algorithm: its name, the source of the idea, how a list is prepared, and how a puzzle is solved."""

    name: str
    source: str
    build: Callable[[list[str]], Any]
    solve: Callable[[Any, Puzzle], list[str]]


def centered_subsets(letters: Puzzle) -> Iterator[int]:
    """Yield the 64 masks that hold the center and any of the outer letters, the whole puzzle first."""
    center, outer = mask(letters.center), mask(letters.outer)
    subset = outer
    while subset:
        yield subset | center
        subset = (subset - 1) & outer
    yield center


def letter_check(words: list[str], letters: Puzzle) -> list[str]:
    """Look at each letter of each word."""
    allowed = letters.letters
    return [word for word in words if letters.center in word and all(letter in allowed for letter in word)]


def packed(words: Iterable[str]) -> Pairs:
    """Pack the letters of each word into 26 bits."""
    return [(mask(word), word) for word in words]


def packed_scan(pairs: Pairs, letters: Puzzle) -> list[str]:
    """Select words that have the center's bit and no bit outside the puzzle."""
    center, others = mask(letters.center), ~mask(letters.letters)
    return [word for bits, word in pairs if bits & center and not bits & others]


def sum_of_products(pairs: Pairs, letters: Puzzle) -> list[str]:
    """Select words W without a wrong bit. A bit is wrong if it is not in O, and in exactly one of C and W."""
    center, outer = mask(letters.center), mask(letters.outer)
    return [word for bits, word in pairs if not ~outer & ((~bits & center) | (bits & ~center))]


BLOCK = 64
"""The number of words per block of `strided`. With more, nearly every puzzle has to search every block."""


def strided(words: Iterable[str]) -> list[tuple[int, int, Pairs]]:
    """Cut sorted masks into blocks, each with the letters that all of its words have and those that any word has."""
    pairs = sorted(packed(words))
    blocks = []
    for at in range(0, len(pairs), BLOCK):
        every, some = -1, 0
        for bits, _ in pairs[at : at + BLOCK]:
            every, some = every & bits, some | bits
        blocks.append((every, some, pairs[at : at + BLOCK]))
    return blocks


def block_striding(blocks: list[tuple[int, int, Pairs]], letters: Puzzle) -> list[str]:
    """Scan only blocks in which some word has the center, and in which not all words have a wrong letter."""
    center, others = mask(letters.center), ~mask(letters.letters)
    return [
        word
        for every, some, pairs in blocks
        if some & center and not every & others
        for bits, word in pairs
        if bits & center and not bits & others
    ]


def flat_prefixes(words: Iterable[str]) -> dict[str, bool]:
    """Map every prefix of every word to whether it is a word itself."""
    made: dict[str, bool] = {}
    for word in words:
        for end in range(1, len(word)):
            made.setdefault(word[:end], False)
        made[word] = True
    return made


def flat_walk(prefixes: dict[str, bool], letters: Puzzle) -> list[str]:
    """Extend prefixes by each letter of the puzzle while some word begins with them."""
    found, open_ends = [], [""]
    while open_ends:
        start = open_ends.pop()
        for letter in letters.letters:
            prefix = start + letter
            whole = prefixes.get(prefix)
            if whole is not None:
                open_ends.append(prefix)
                if whole and letters.center in prefix:
                    found.append(prefix)
    return found


@dataclass(slots=True)
class Node:
    """A node of a prefix tree: the word that ends here, the letters below, and what follows."""

    word: str = ""
    below: int = 0
    children: dict[str, Node] = field(default_factory=dict)


def prefix_tree(words: Iterable[str]) -> Node:
    """Build nested nodes, each with the bits of all letters that occur below it."""
    root = Node()
    for word in words:
        node = root
        for at, letter in enumerate(word):
            node.below |= mask(word[at:])
            node = node.children.setdefault(letter, Node())
        node.word = word
    return root


def node_walk(root: Node, letters: Puzzle) -> list[str]:
    """Descend from node to node by the letters of the puzzle, and test the center at the end."""
    found, nodes = [], [root]
    while nodes:
        node = nodes.pop()
        if node.word and letters.center in node.word:
            found.append(node.word)
        nodes += [node.children[letter] for letter in letters.letters if letter in node.children]
    return found


def early_cut(root: Node, letters: Puzzle) -> list[str]:
    """Descend the same tree, but leave a branch as soon as the center is neither above nor below."""
    center, found = mask(letters.center), []
    nodes = [(root, False)]
    while nodes:
        node, centered = nodes.pop()
        if centered and node.word:
            found.append(node.word)
        if centered or node.below & center:
            for letter in letters.letters:
                if letter in node.children:
                    nodes.append((node.children[letter], centered or letter == letters.center))
    return found


def radix_tree(words: Iterable[str]) -> Tree:
    """Build nested dicts by letter."""
    root: Tree = {}
    for word in words:
        node = root
        for letter in word:
            node = node.setdefault(letter, {})
        node[""] = word
    return root


def radix_walk(tree: Tree, letters: Puzzle) -> list[str]:
    """Follow the puzzle's letters down, recursively."""
    found: list[str] = []

    def walk(node: Tree) -> None:
        if "" in node and letters.center in node[""]:
            found.append(node[""])
        for letter in letters.letters:
            if letter in node:
                walk(node[letter])

    walk(tree)
    return found


def mask_scan(groups: dict[int, list[str]], letters: Puzzle) -> list[str]:
    """Test each set of letters once, however many words share it."""
    center, others = mask(letters.center), ~mask(letters.letters)
    hits = (words for bits, words in groups.items() if bits & center and not bits & others)
    return [word for words in hits for word in words]


def submasks(groups: dict[int, list[str]], letters: Puzzle) -> list[str]:
    """Look up each of the 64 sets that the puzzle can spell."""
    return [word for subset in centered_subsets(letters) for word in groups.get(subset, ())]


def same(words: list[str]) -> list[str]:
    """Prepare nothing."""
    return words


FREDKIN = "E. Fredkin, Trie Memory, 1960"
ALGORITHMS: tuple[Algorithm, ...] = (
    Algorithm("letter check", "the rules of the game, as most scripts have them", same, letter_check),
    Algorithm("strip", "the letter check in one call of C a word; `bee solve` on a cold start", same, solver.scan),
    Algorithm("packed scan", "bit sets, as solvers in C and C++ scan them", packed, packed_scan),
    Algorithm("sum of products", "the same test as one formula, from its truth table", packed, sum_of_products),
    Algorithm("block striding", "a scan that skips blocks by the AND and OR of their bits", strided, block_striding),
    Algorithm("flat prefixes", "prefix dictionaries, as in Boggle solvers", flat_prefixes, flat_walk),
    Algorithm("prefix tree", FREDKIN, prefix_tree, node_walk),
    Algorithm("trie, early cut", f"{FREDKIN}, with the letters below each node", prefix_tree, early_cut),
    Algorithm("radix tree", "nested dicts by letter, called a radix tree in this field", radix_tree, radix_walk),
    Algorithm(
        "unique masks",
        "P. Norvig, pytudes, SpellingBee.ipynb: sets of letters, not words",
        solver.group_by_mask,
        mask_scan,
    ),
    Algorithm("submasks", "subset enumeration, D. Knuth, TAOCP 7.1.3", solver.group_by_mask, submasks),
    Algorithm("ours", "the same with two letters folded; see `solver.build_index`", solver.build_index, solver.solve),
)
"""All algorithms, slowest first; the ratios of `make bench` are relative to the radix tree."""
