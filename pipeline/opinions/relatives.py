"""Relatives: which words are forms of which, and what surprise in their records says of a word.

Links come from spelling alone: a beginning or an ending taken off must leave a word of the lexicon. Some links are
wrong, which is why the estimate learns how much each kind is worth.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from pipeline.lexicon import NO_SIZE, bases
from pipeline.words import MIN_LENGTH

KINDS = ("inflected", "suffixed", "prefixed", "compound")
PART_SIZE = 50
"""The SCOWL size up to which a word is common enough to be seen as part of a compound."""
MOST = 2.0
"""More surprise than this, either way, says no more."""

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


def links(lexicon: pd.DataFrame) -> pd.DataFrame:
    """Link words to their bases: columns form, base (row numbers of the lexicon), kind.

    A pair has one kind, the first that fits in the order of `KINDS`; a compound has two links, one to each part.
    """
    words = lexicon["word"].tolist()
    rows = {word: number for number, word in enumerate(words)}
    parts = set(lexicon["word"][lexicon["scowl_size"] <= PART_SIZE])
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


def sisters(lexicon: pd.DataFrame) -> pd.DataFrame:
    """Pair words that may be forms of one stem, though the stem be too short to be listed: columns form, base."""
    rows = [
        (number, stem)
        for number, (word, lemma) in enumerate(zip(lexicon["word"], lexicon["lemma"], strict=True))
        for stem in {*bases(word), lemma}
        if len(stem) >= MIN_LENGTH - 1
    ]
    frame = pd.DataFrame(rows, columns=["form", "stem"]).astype({"form": "int64", "stem": "str"})
    frame = frame[frame.duplicated("stem", keep=False)]
    pairs = frame.merge(frame.rename(columns={"form": "base"}), on="stem")[["form", "base"]]
    return pairs[pairs["form"] != pairs["base"]].drop_duplicates(ignore_index=True)


def standing(lexicon: pd.DataFrame, linked: pd.DataFrame) -> pd.DataFrame:
    """Say how usual the most usual base of each kind is, and whether a form of the word is more usual than it."""
    size, zipf = lexicon["scowl_size"].to_numpy(), lexicon["zipf"].to_numpy()
    columns: dict[str, np.ndarray] = {}
    for kind in KINDS[:3]:
        pairs = linked[linked["kind"] == kind]
        form, base = pairs["form"].to_numpy(), pairs["base"].to_numpy()
        least, most = _extremes(form, base, size, zipf)
        has = least <= NO_SIZE
        columns[f"{kind} from SCOWL 35"] = least <= 35
        columns[f"{kind} from SCOWL 60"] = (least > 35) & (least <= 60)
        columns[f"{kind} from SCOWL 70"] = least == 70
        columns[f"{kind} from a rarer word"] = has & (least >= 80)
        columns[f"how common the {kind} base is"] = np.where(has, most, 0)
        columns[f"commoner {kind} base"] = np.where(has, most - zipf, 0).clip(-1, 4)
        if kind == "inflected":
            least, most = _extremes(base, form, size, zipf)
            columns["forms in SCOWL 60"] = least <= 60
            columns["forms in a smaller list"] = least < size
            columns["commoner forms"] = np.maximum(most - zipf, 0)
    return pd.DataFrame(columns).astype(np.float32)


def _extremes(of: np.ndarray, by: np.ndarray, size: np.ndarray, zipf: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    least, most = np.full(len(size), NO_SIZE + 1), np.zeros(len(size))
    np.minimum.at(least, of, size[by])
    np.maximum.at(most, of, zipf[by])
    return least, most


def record(linked: pd.DataFrame, sisterly: pd.DataFrame, surprise: np.ndarray) -> pd.DataFrame:
    """Sum up the surprise in the records of a word's relatives, never in its own: one row a word, a column a relation.

    The surprise of a tried word is its verdict, 1 or 0, less the p that its attributes alone would give it; that of
    other words is 0. So the refusal of junk says nothing of its relatives, and that of a common word says much.
    """
    size = len(surprise)
    columns: dict[str, np.ndarray] = {}
    relations = {"sister form": (sisterly["form"].to_numpy(), sisterly["base"].to_numpy())}
    for kind in KINDS[:3]:
        pairs = linked[linked["kind"] == kind]
        form, base = pairs["form"].to_numpy(), pairs["base"].to_numpy()
        relations |= {f"base of {kind} word": (form, base), f"{kind} form": (base, form)}
    for name, (of, by) in relations.items():
        columns[name] = np.bincount(of, surprise[by], minlength=size).clip(-MOST, MOST)
    pairs = linked[linked["kind"] == "compound"]
    form, part = pairs["form"].to_numpy(), pairs["base"].to_numpy()
    total = np.bincount(part, surprise[form], minlength=size)
    columns["compound"] = np.bincount(form, minlength=size) > 0
    alike = np.bincount(form, total[part] - surprise[form], minlength=size)
    columns["compounds alike"] = alike.clip(-MOST, MOST)
    return pd.DataFrame(columns).astype(np.float32)
