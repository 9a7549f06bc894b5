"""Families: related words on opposite sides of the list, of which a person often sees quickly which one is wrong."""

from __future__ import annotations

import pandas as pd

from pipeline.opinions import bounds, relatives
from pipeline.opinions.bounds import USUAL
from pipeline.tables import columns
from pipeline.words import LISTED


def torn(lexicon: pd.DataFrame, decisions: pd.DataFrame) -> pd.DataFrame:
    """List pairs of a base, the most usual one, and its inflected form, both usual words, of which one is on the list.

    Columns: form, base, on (which is on the list), form_by and base_by (evidence, estimate or verdict).
    """
    words = lexicon["word"].to_numpy()
    links = relatives.link_words(lexicon)
    links = links[links["kind"] == "inflected"]
    frame = pd.DataFrame({"form": words[links["form"]], "base": words[links["base"]]})
    known = lexicon.set_index("word")
    frame["size"], frame["zipf"] = (frame["base"].map(known[name]) for name in ("scowl_size", "zipf"))
    frame = frame[(frame["size"] <= USUAL) & (frame["form"].map(known["scowl_size"]) <= USUAL)]
    frame = frame.sort_values(["form", "size", "zipf", "base"], ascending=[True, True, False, True])
    frame = _decided(frame.drop_duplicates("form"), decisions, "form", "base")
    frame = frame[frame["form_on"] != frame["base_on"]]
    frame["on"] = frame["form_on"].map({True: "form", False: "base"})
    return frame[["form", "base", "on", "form_by", "base_by"]].reset_index(drop=True)


def variants(lexicon: pd.DataFrame, decisions: pd.DataFrame) -> pd.DataFrame:
    """Pair spellings that SCOWL calls variant or British with a usual spelling: columns variant, usual, differs
    (`-our, -or`), variant_on and usual_on (whether each is on the list), variant_by and usual_by (what decided)."""
    frame = _decided(bounds.variants(lexicon), decisions, "variant", "usual")
    columns = ["variant", "usual", "differs", "variant_on", "usual_on", "variant_by", "usual_by"]
    return frame[columns].reset_index(drop=True)


def _decided(frame: pd.DataFrame, decisions: pd.DataFrame, *names: str) -> pd.DataFrame:
    """Keep the rows whose words all have a decision, and add for each whether it is on the list and what decided."""
    on = decisions.set_index("word")["tier"].isin(LISTED)
    by = decisions.set_index("word")["by"]
    frame = frame[frame[list(names)].isin(on.index).all(axis=1)]
    for name in names:
        frame = frame.assign(**{f"{name}_on": columns.look_up(frame[name], on, False)})
        frame = frame.assign(**{f"{name}_by": columns.look_up(frame[name], by, "")})
    return frame
