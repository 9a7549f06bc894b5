"""The lexicon: one row a word, one column an attribute, each named by the list that says so.

Sizes are SCOWL's (10 the commonest words, 95 anything ever called a word); `NO_SIZE` says "not in those lists".
Zipf frequencies are wordfreq's: log10 of the occurrences in a billion words, 0 for a word it does not know.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set

import pandas as pd

from pipeline import frames
from pipeline.words import MIN_LENGTH, BeeError

NO_SIZE = 100
"""The size of a word that is in none of SCOWL's lists of that kind, so that `size <= 60` means what it says."""

ABROAD = ("es", "fr", "it", "de", "pt", "nl")
"""Languages of Latin script with a large wordfreq list, from which English borrows most."""

_ENDINGS = (
    ("ies", "y"),
    ("ied", "y"),
    ("es", "e"),
    ("es", ""),
    ("s", ""),
    ("ed", "e"),
    ("ed", ""),
    ("ing", "e"),
    ("ing", ""),
    ("er", "e"),
    ("er", ""),
    ("est", "e"),
    ("est", ""),
)
"""Endings of inflected forms and what takes their place: the detachment rules of WordNet's morphy(7WN)."""


def bases(word: str) -> Iterator[str]:
    """Yield what a word may be an inflected form of, likely or not; a doubled consonant is undone too.

    >>> list(bases("jogged"))
    ['jogge', 'jogg', 'jog']
    >>> list(bases("pitas"))
    ['pita']
    """
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and not (ending == "s" and word.endswith("ss")):
            stem = word[: -len(ending)]
            yield stem + instead
            if not instead and ending != "s" and len(stem) > 2 and stem[-1] == stem[-2] != "s":
                yield stem[:-1]


def lemma(word: str, known: Set[str]) -> str:
    """Return the first base of a word that is a known word of playable length, or "".

    >>> lemma("pitas", {"pita"}), lemma("pita", {"pita"})
    ('pita', '')
    """
    return next((base for base in bases(word) if len(base) >= MIN_LENGTH and base in known), "")


def zipf(words: Iterable[str]) -> pd.DataFrame:
    """Look words up in wordfreq: columns word, zipf, zipf_abroad (the highest of `ABROAD`), language (that one).

    Raises BeeError when wordfreq is not installed. Its figures are share-alike: they stay in `data/build/`.
    """
    try:
        import wordfreq
    except ImportError as error:
        raise BeeError("Frequencies need wordfreq: pip install 'bee-wordlist[curate]'.") from error
    listed = sorted(set(words))
    english = wordfreq.get_frequency_dict("en", wordlist="large")
    abroad = {language: wordfreq.get_frequency_dict(language, wordlist="large") for language in ABROAD}
    rows = []
    for word in listed:
        most, language = max((abroad[name].get(word, 0.0), name) for name in ABROAD)
        rows.append((word, _zipf(english.get(word, 0.0)), _zipf(most), language if most else ""))
    return pd.DataFrame(rows, columns=["word", "zipf", "zipf_abroad", "language"])


def _zipf(frequency: float) -> float:
    from wordfreq import freq_to_zipf

    return float(freq_to_zipf(frequency)) if frequency else 0.0


def join(scowl: pd.DataFrame, wordnet: pd.DataFrame, cuss: pd.DataFrame, ldnoobw: pd.DataFrame) -> pd.DataFrame:
    """Join the lists, as `lists` reads them, into the lexicon without its frequencies."""
    usual = scowl["variant"] == 0
    american = scowl["region"].isin(["english", "american"])
    plain = scowl["kind"].isin(["words", "accented"])
    sizes = {
        "scowl_size": scowl[plain & usual & american],
        "scowl_british": scowl[plain & usual & ~american],
        "scowl_variant": scowl[plain & ~usual],
        "scowl_upper": scowl[scowl["kind"] == "upper"],
        "scowl_name": scowl[scowl["kind"] == "proper-names"],
        "scowl_abbreviation": scowl[scowl["kind"] == "abbreviations"],
        "scowl_special": scowl[scowl["kind"].isin(["hacker", "roman-numerals"])],
    }
    columns = {name: rows.groupby("word")["size"].min() for name, rows in sizes.items()}
    levels = scowl[plain & ~usual].groupby("word")["variant"].min()
    net = wordnet.set_index("word")
    rude = cuss.groupby("word")["sureness"].max()
    words = sorted(set(scowl["word"]) | set(net.index) | set(rude.index) | set(ldnoobw["word"]))
    frame = pd.DataFrame({"word": words})
    for name, column in columns.items():
        frame[name] = frames.look_up(frame["word"], column, NO_SIZE)
    frame["scowl_variant_level"] = frames.look_up(frame["word"], levels, 0)
    for name in ("senses", "tagged", "capitalised"):
        frame[f"wordnet_{name}"] = frames.look_up(frame["word"], net[name], 0)
    for name in ("pos", "labels"):
        frame[f"wordnet_{name}"] = frames.look_up(frame["word"], net[name], "")
    known = set(frame["word"][(frame["scowl_size"] <= 80) | (frame["wordnet_senses"] > 0)])
    irregular = frames.look_up(frame["word"], net["base"], "")
    regular = [lemma(word, known) for word in words]
    frame["lemma"] = [first or second for first, second in zip(irregular, regular, strict=True)]
    frame["cuss"] = frames.look_up(frame["word"], rude, -1)
    frame["ldnoobw"] = frame["word"].isin(set(ldnoobw["word"]))
    return frame


def lexicon(lists: pd.DataFrame, frequencies: pd.DataFrame) -> pd.DataFrame:
    """Add frequencies (of `zipf`) to the joined lists; a word that only wordfreq knows gets a row too."""
    met = frequencies[(frequencies["zipf"] > 0) | frequencies["word"].isin(set(lists["word"]))]
    frame = lists.merge(met, on="word", how="outer", validate="one_to_one")
    sizes = {name: NO_SIZE for name in lists.columns if name.startswith("scowl_")}
    numbers = {name: 0 for name in lists.columns if name.startswith("wordnet_")}
    blanks = {"wordnet_pos": "", "wordnet_labels": "", "lemma": "", "language": ""}
    frame["ldnoobw"] = frame["ldnoobw"].eq(True)
    rest = {"scowl_variant_level": 0, "cuss": -1, "zipf": 0.0, "zipf_abroad": 0.0}
    return frames.check(frame.fillna({**sizes, **numbers, **blanks, **rest}), "lexicon")


def listed(lexicon: pd.DataFrame) -> pd.Series:
    """Say of each row whether any list has the word in any way; a word that only wordfreq knows is not listed."""
    sizes = [name for name in lexicon.columns if name.startswith("scowl_") and name != "scowl_variant_level"]
    net = (lexicon["wordnet_senses"] > 0) | (lexicon["wordnet_capitalised"] > 0) | (lexicon["lemma"] != "")
    return (lexicon[sizes].min(axis=1) < NO_SIZE) | net | (lexicon["cuss"] >= 0) | lexicon["ldnoobw"]


def plain(lexicon: pd.DataFrame) -> pd.Series:
    """Say of each row whether some list has the word as a common word: neither a name nor an abbreviation only."""
    common = ["scowl_size", "scowl_british", "scowl_variant", "scowl_special"]
    return (lexicon[common].min(axis=1) < NO_SIZE) | (lexicon["wordnet_senses"] > 0)
