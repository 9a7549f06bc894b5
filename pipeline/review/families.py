"""Families: words that belong together and yet stand on both sides of the list.

A base and its form, or two spellings of one word, need not share a fate: the record says what it says. But where they
part ways on an estimate alone, a person can often tell at a glance which of them is wrong.
"""

from __future__ import annotations

import pandas as pd

from pipeline import frames, relatives
from pipeline.decide import LISTED
from pipeline.lexicon import NO_SIZE

USUAL = 60
"""The SCOWL size up to which a word is in ordinary dictionaries; forms and bases beyond it are mostly chance links."""

SPELLINGS = (
    ("ise", "ize"),
    ("isi", "izi"),
    ("yse", "yze"),
    ("ysi", "yzi"),
    ("our", "or"),
    ("re", "er"),
    ("ae", "e"),
    ("oe", "e"),
    ("ogue", "og"),
    ("ence", "ense"),
    ("ll", "l"),
    ("ss", "s"),
    ("tt", "t"),
    ("pp", "p"),
    ("gg", "g"),
    ("ie", "y"),
    ("ey", "y"),
    ("oes", "os"),
    ("ck", "c"),
    ("k", "c"),
    ("y", "i"),
)
"""What differs between two spellings of one word, in either direction; the most telling pair first."""


def torn(lexicon: pd.DataFrame, decisions: pd.DataFrame) -> pd.DataFrame:
    """List inflected forms that part ways with their base, both of them usual words.

    Columns: form, base, on (the one that is on the list), form_by and base_by (what decided each: evidence, estimate,
    verdict). Of several bases the most usual one counts.
    """
    words = lexicon["word"].to_numpy()
    links = relatives.links(lexicon)
    links = links[links["kind"] == "inflected"]
    frame = pd.DataFrame({"form": words[links["form"]], "base": words[links["base"]]})
    known = lexicon.set_index("word")
    frame["size"] = frame["base"].map(known["scowl_size"])
    frame["zipf"] = frame["base"].map(known["zipf"])
    frame = frame[(frame["size"] <= USUAL) & (frame["form"].map(known["scowl_size"]) <= USUAL)]
    frame = frame.sort_values(["form", "size", "zipf", "base"], ascending=[True, True, False, True])
    frame = _decided(frame.drop_duplicates("form"), decisions, "form", "base")
    frame = frame[frame["form_on"] != frame["base_on"]]
    frame["on"] = frame["form_on"].map({True: "form", False: "base"})
    return frame[["form", "base", "on", "form_by", "base_by"]].reset_index(drop=True)


def variants(lexicon: pd.DataFrame, decisions: pd.DataFrame) -> pd.DataFrame:
    """Pair spellings that SCOWL calls variant or British with a usual American spelling of the same word.

    Columns: variant, usual, differs (`-our, -or`), variant_on and usual_on (whether each is on the list), variant_by
    and usual_by (what decided each). Pairs come from spelling alone, so a few are two words.
    """
    elsewhere = lexicon[["scowl_variant", "scowl_british"]].min(axis=1)
    marked = lexicon["word"][(elsewhere < NO_SIZE) & (lexicon["scowl_size"] > USUAL)]
    usual = set(lexicon["word"][lexicon["scowl_size"] <= USUAL])
    rows = [(word, *found) for word in marked if (found := _usual_spelling(word, usual))]
    frame = pd.DataFrame(rows, columns=["variant", "usual", "differs"], dtype="str")
    frame = _decided(frame, decisions, "variant", "usual")
    columns = ["variant", "usual", "differs", "variant_on", "usual_on", "variant_by", "usual_by"]
    return frame[columns].reset_index(drop=True)


def _usual_spelling(word: str, usual: set[str]) -> tuple[str, str] | None:
    for pair in SPELLINGS:
        for here, there in (pair, pair[::-1]):
            at = word.find(here, 1)
            while at >= 0:
                if (other := word[:at] + there + word[at + len(here) :]) in usual:
                    return other, f"-{here}, -{there}"
                at = word.find(here, at + 1)
    return None


def _decided(frame: pd.DataFrame, decisions: pd.DataFrame, *columns: str) -> pd.DataFrame:
    """Keep the rows whose words all have a decision, and add whether each is on the list and what decided."""
    on = decisions.set_index("word")["tier"].isin(LISTED)
    by = decisions.set_index("word")["by"]
    frame = frame[frame[list(columns)].isin(on.index).all(axis=1)]
    for column in columns:
        frame = frame.assign(
            **{
                f"{column}_on": pd.Series(frames.look_up(frame[column], on, False), frame.index, "bool"),
                f"{column}_by": pd.Series(frames.look_up(frame[column], by, ""), frame.index, "str"),
            }
        )
    return frame
