"""Basis: says in words what raised and what lowered the p of a word, against a word that one knows nothing of.

Such a word has in every column the mean of all tried words, and so about their share of accepted ones as its p.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

from pipeline.facts.lexicon import NO_SIZE
from pipeline.opinions import features
from pipeline.opinions.relatives import ends_quietly, ends_verbally
from pipeline.tables import columns
from pipeline.words import LIKELY

GROUPS = dict.fromkeys(("size", "British spelling", "variant spelling"), "dictionaries")
GROUPS |= dict.fromkeys(("also with a capital", "also a name"), "name")
"""Groups of columns that have one reason together; any other group is one of its own."""
MOST = 3
"""The number of reasons that are named."""
LEAST = 0.25
"""A pull down of at least this much, in the logarithm of the odds, can be the one that keeps a word off the list."""
DICTIONARIES = {
    50: "in small dictionaries",
    60: "in ordinary dictionaries",
    70: "in large dictionaries",
    80: "in very large dictionaries",
    95: "in the largest word lists",
}
"""What a SCOWL size up to each number is called."""
SEEN = 3.0
"""Above this Zipf frequency a word is called common; up to it, one that is merely not unknown is `seen in texts`."""
TITLES = {
    "name": ("not also a name", "also a name"),
    "WordNet": ("in WordNet", "not in WordNet"),
    "pangram": ("a pangram", "not a pangram"),
    "shape": ("its beginning and ending", "its beginning and ending"),
    "base": ("made from a common word", "not made from a common word"),
    "use abroad": ("not commoner in other languages", "commoner in other languages"),
    "relatives": ("words made like it were accepted", "words made like it were refused"),
}
"""What a group is called if it raises p, and if it lowers it."""

Array = npt.NDArray[np.float64]


def grouped(names: Sequence[str]) -> dict[str, list[int]]:
    """Return the positions of the columns of each group."""
    groups = [GROUPS.get(group, group) for group in (name.partition(":")[0] for name in names)]
    return {group: [at for at, each in enumerate(groups) if each == group] for group in dict.fromkeys(groups)}


def basis(pulls: Array, groups: Sequence[str], p: Array, lexicon: pd.DataFrame, family: pd.DataFrame) -> pd.Series:
    """Name the three groups that change the p of each word most, + for up and - for down, the deciding one first.

    `pulls` has a column for each group, above 0 if it raises p. `family` has the columns accepted and refused: the
    relative of each word that speaks most for it or against it, or "".
    """
    named = {group: _sides(group, lexicon, family) for group in groups}
    likely = p.round(2) >= LIKELY
    decisive = np.where(likely, 1, -1)[:, None] * pulls
    first, left = decisive.argmax(axis=1)[:, None], np.abs(pulls)
    decides = np.take_along_axis(decisive, first, axis=1) >= np.where(likely, 0, LEAST)[:, None]
    np.put_along_axis(left, first, np.where(decides, np.inf, np.take_along_axis(left, first, axis=1)), axis=1)
    order = np.argsort(-left, axis=1, kind="stable")[:, :MOST]
    up = np.take_along_axis(pulls, order, axis=1) > 0
    parts = []
    for place in range(order.shape[1]):
        said = np.empty(len(p), dtype=object)
        for at, group in enumerate(groups):
            for side in (False, True):
                rows = np.flatnonzero((order[:, place] == at) & (up[:, place] == side))
                said[rows] = np.char.add("+ " if side else "- ", named[group][not side][rows].astype(str))
        parts.append(said)
    return pd.Series([", ".join(each) for each in zip(*parts, strict=True)], dtype="str")


def _sides(group: str, lexicon: pd.DataFrame, family: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Return what a group is called for each word if it raises its p, and if it lowers it."""
    up, down = (np.full(len(lexicon), title, dtype=object) for title in TITLES.get(group, (group, group)))
    if group == "dictionaries":
        return _dictionaries(lexicon)
    if group == "frequency":
        return sides_of_frequency(lexicon["zipf"])
    if group == "base":
        lemma = lexicon["lemma"].to_numpy(dtype=object)
        formed = lemma != ""
        up[formed] = down[formed] = np.array([f"a form of {base}" for base in lemma[formed]], dtype=object)
    if group == "WordNet":
        down[((lexicon["wordnet_senses"] > 0) | (lexicon["wordnet_capitalised"] > 0)).to_numpy()] = "its WordNet entry"
        up[(lexicon["wordnet_senses"] == 0).to_numpy()] = "its kind of word"
    if group == "relatives":
        for name, side in (("accepted", up), ("refused", down)):
            one = family[name].to_numpy(dtype=object)
            there = one != ""
            side[there] = np.array([f"{word} was {name}" for word in one[there]], dtype=object)
    return up, down


def _dictionaries(lexicon: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Say in which dictionaries words are: any, or only some."""
    sizes, names = list(DICTIONARIES), np.array([*DICTIONARIES.values(), "in no dictionary"], dtype=object)
    up = names[np.searchsorted(sizes, lexicon["scowl_size"].to_numpy())]
    down = np.where(lexicon["scowl_size"] < NO_SIZE, "only " + up, up)
    for column, title in (("scowl_variant", "a variant spelling"), ("scowl_british", "a British spelling")):
        unusual = ((lexicon[column] < NO_SIZE) & (lexicon["scowl_size"] > lexicon[column])).to_numpy()
        up[unusual] = down[unusual] = title
    return up, down


def sides_of_frequency(zipf: pd.Series) -> tuple[np.ndarray, np.ndarray]:
    """Say how common words are in texts, if that raises p, and if it lowers it."""
    bands = np.array(list(features.BANDS), dtype=object)[features.band_numbers(zipf)]
    up = np.where(zipf > SEEN, bands, "seen in texts")
    seen = np.array([band if "texts" in band else f"{band} in texts" for band in bands], dtype=object)
    return up, seen


def family(names: pd.Series, roots: Mapping[str, str], words: pd.Series, surprise: Array) -> pd.DataFrame:
    """Name for each of the `words` the relative that speaks most for it and most against it: columns accepted, refused.

    `surprise` of the words of the lexicon, `names`, is as in `relatives.record`; relatives have the same root.
    """
    tried = np.flatnonzero(surprise)
    frame = pd.DataFrame({"word": names.iloc[tried].to_numpy(), "surprise": surprise[tried]})
    frame["root"] = [roots.get(word, word) for word in frame["word"].tolist()]
    frame = frame.sort_values(["surprise", "word"], ascending=[False, True])
    best = frame[frame["surprise"] > 0].drop_duplicates("root").set_index("root")["word"]
    against = frame[frame["surprise"] < 0].iloc[::-1]
    worst = against.drop_duplicates("root").set_index("root")["word"]
    quiet = against[~ends_verbally(against["word"])].drop_duplicates("root").set_index("root")["word"]
    root = pd.Series([roots.get(word, word) for word in words.tolist()], dtype="str")
    deaf = ends_quietly(words).to_numpy(dtype=bool)
    refused = columns.look_up(root, worst, "").where(~deaf, columns.look_up(root, quiet, ""))
    return pd.DataFrame({"accepted": columns.look_up(root, best, ""), "refused": refused})
