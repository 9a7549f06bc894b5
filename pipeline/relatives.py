"""Relatives: which words are forms of which, or derived from them, and what their records say of a word.

Links come from spelling alone: an ending or a beginning taken off must leave a word of the lexicon. Wrong links (a
*reed* is no form of *reedy*'s rival) are rare enough, and the estimate learns how much each kind is worth.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from pipeline.lexicon import bases
from pipeline.words import MIN_LENGTH

KINDS = ("inflected", "suffixed", "prefixed", "compound")

_PREFIXES = tuple(
    "a anti back be bi co de dis down en fore im in inter il mid mis non off on out over pre re sub super tri un under "
    "up".split()
)
_SUFFIXES: dict[str, tuple[str, ...]] = {
    "er": ("", "e"), "or": ("", "e"), "ly": ("", "le"), "ily": ("y",), "ally": ("",), "ness": ("",), "iness": ("y",),
    "less": ("",), "able": ("", "e"), "ible": ("", "e"), "y": ("", "e"), "ish": ("", "e"), "ful": ("",),
    "al": ("", "e"), "ial": ("",), "ic": ("", "e", "y"), "ical": ("",), "ity": ("", "e"), "ility": ("le",),
    "ist": ("", "e"), "ism": ("", "e"), "ment": ("",), "ion": ("", "e"), "ation": ("", "e"), "ition": ("e",),
    "like": ("",), "man": ("",), "hood": ("",), "ship": ("",), "ward": ("",), "ee": ("", "e"), "ette": ("",),
    "let": ("",), "en": ("",), "age": ("",), "ant": ("",), "ent": ("",), "ance": ("",), "ence": ("",), "ate": ("",),
    "ative": ("ate",), "ive": ("", "e"), "ous": ("",), "an": ("",), "a": ("um",), "ae": ("a",), "i": ("us", "o"),
    "ia": ("ium",), "o": ("",), "ling": ("",), "some": ("",), "ery": ("",), "ry": ("",), "th": ("",),
}  # fmt: skip
"""Suffixes, each with what may take its place in the base."""
_PART_SIZE = 50
"""The SCOWL size up to which a word is common enough to be seen as part of a compound."""


def links(lexicon: pd.DataFrame) -> pd.DataFrame:
    """Link words to their bases: columns form, base (row numbers of the lexicon), kind.

    A pair has one kind, the first that fits in the order of `KINDS`; a compound has two links, one to each part.
    """
    words = lexicon["word"].tolist()
    rows = {word: number for number, word in enumerate(words)}
    parts = set(lexicon["word"][lexicon["scowl_size"] <= _PART_SIZE])
    found: dict[tuple[int, int], int] = {}
    for number, (word, lemma) in enumerate(zip(words, lexicon["lemma"], strict=True)):
        named = [*((base, 0) for base in [*bases(word), lemma]), *_derived(word), *_compound(word, parts)]
        for base, kind in named:
            if len(base) >= MIN_LENGTH and base != word and base in rows:
                found.setdefault((number, rows[base]), kind)
    pairs = np.array(list(found), dtype=np.int64).reshape(-1, 2)
    return pd.DataFrame({"form": pairs[:, 0], "base": pairs[:, 1], "kind": [KINDS[kind] for kind in found.values()]})


def _derived(word: str) -> list[tuple[str, int]]:
    found = []
    for cut in range(1, min(7, len(word) - 2)):
        stem = word[:-cut]
        for instead in _SUFFIXES.get(word[-cut:], ()):
            found.append((stem + instead, 1))
            if not instead and len(stem) > 2 and stem[-1] == stem[-2]:
                found.append((stem[:-1], 1))
    return found + [(word[len(prefix) :], 2) for prefix in _PREFIXES if word.startswith(prefix)]


def _compound(word: str, parts: set[str]) -> list[tuple[str, int]]:
    for cut in range(MIN_LENGTH, len(word) - MIN_LENGTH + 1):
        if word[:cut] in parts and word[cut:] in parts:
            return [(word[:cut], 3), (word[cut:], 3)]
    return []


def stems(lexicon: pd.DataFrame) -> pd.DataFrame:
    """List what each word may be a form of, whether that is a word or not: columns form (row number), stem.

    Sisters, words that share a stem of three letters or more, are related even when the stem is too short to be listed.
    """
    rows = [
        (number, stem)
        for number, (word, lemma) in enumerate(zip(lexicon["word"], lexicon["lemma"], strict=True))
        for stem in {*bases(word), lemma}
        if len(stem) >= 3
    ]
    frame = pd.DataFrame(rows, columns=["form", "stem"]).astype({"form": "int64", "stem": "str"})
    return frame[frame.duplicated("stem", keep=False)].reset_index(drop=True)


def record(linked: pd.DataFrame, sisters: pd.DataFrame, yes: np.ndarray, no: np.ndarray) -> pd.DataFrame:
    """Sum up what the records of a word's relatives say, never its own: one row a word, four columns a relation.

    `yes` and `no` are 1 for words whose last trial was accepted or refused, 0 elsewhere. The columns of a relation:
    balance (-1 to 1), accepted (any), refused (any), and known (log of 1 + how many).
    """
    size = len(yes)
    columns: dict[str, np.ndarray] = {}
    for kind in KINDS[:3]:
        pairs = linked[linked["kind"] == kind]
        form, base = pairs["form"].to_numpy(), pairs["base"].to_numpy()
        above = _sums(form, base, yes, no, size)
        below = _sums(base, form, yes, no, size)
        columns |= _say(f"base of {kind}", *above) | _say(f"{kind} forms", *below)
    columns |= _say("sister forms", *_shared(sisters["form"].to_numpy(), pd.factorize(sisters["stem"])[0], yes, no))
    pairs = linked[linked["kind"] == "compound"]
    columns |= _say("compounds alike", *_shared(pairs["form"].to_numpy(), pairs["base"].to_numpy(), yes, no))
    return pd.DataFrame(columns).astype(np.float32)


def _sums(of: np.ndarray, by: np.ndarray, yes: np.ndarray, no: np.ndarray, size: int) -> tuple[np.ndarray, np.ndarray]:
    return np.bincount(of, yes[by], minlength=size), np.bincount(of, no[by], minlength=size)


def _shared(of: np.ndarray, group: np.ndarray, yes: np.ndarray, no: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sum over the others of the groups that a word is in."""
    size = len(yes)
    totals = [np.bincount(group, values[of]) for values in (yes, no)]
    return (
        np.bincount(of, totals[0][group] - yes[of], minlength=size),
        np.bincount(of, totals[1][group] - no[of], minlength=size),
    )


def _say(name: str, yes: np.ndarray, no: np.ndarray) -> dict[str, np.ndarray]:
    return {
        f"{name}: balance": (yes - no) / (yes + no + 1),
        f"{name} accepted": yes > 0,
        f"{name} refused": no > 0,
        f"{name} tried": np.log1p(yes + no),
    }
