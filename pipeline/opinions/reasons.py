"""Reasons: says in a sentence why a word has its tier.

The reason for a word that was tried is its record, and that for a word on which people decided is theirs. The reason
for any other word is what speaks for it and against it: its flags, its dictionaries, how common it is, what readers
think, and the nearest relative that puzzles tried. Each fact is true by itself and always speaks for the same side.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from pipeline.facts.lexicon_files import NO_SIZE
from pipeline.opinions.catalog import FLAGS, ORDINARY_SIZE, RARE_ZIPF, UNCOMMON_ZIPF
from pipeline.opinions.decide import least_p
from pipeline.opinions.relatives import VERBAL
from pipeline.tables import columns, frames
from pipeline.words import (
    LIKELY,
    LIKELY_IF_BRITISH,
    LIKELY_IF_CRUDE,
    LISTED,
    OFFENSIVE,
    UNSAFE_FLAGS,
    record_sentence,
    times,
    verdict_sentence,
)

MAX_FACTS = 3
"""The maximum number of facts on each side of a reason."""
CLEAR = 0.8
"""From this p on, a reason has only what speaks for the word. Below 1 - `CLEAR` it has what speaks against it, and an
accepted relative."""
OPINIONS_FOR = {"ordinary": "readers call it ordinary", "fine": "readers would not mind it"}
OPINIONS_AGAINST = {
    "doubtful": "readers doubt it", "strange": "readers find it rather odd", "odd": "readers find it odd",
}  # fmt: skip

LANGUAGES = {
    "de": "German", "es": "Spanish", "fr": "French", "it": "Italian", "nl": "Dutch", "pt": "Portuguese",
}  # fmt: skip
AMERICAN = (
    ("our", "or"), ("is(?=e|ing|ation)", "iz"), ("ys(?=e|ing)", "yz"), ("ll(?=ed|ing|er|or)", "l"), ("re(?=s?$)", "er"),
    ("[ao]e(?!s?$)", "e"), ("ogue", "og"), ("ence(?=s?$)", "ense"), ("l(?=s?$)", "ll"), ("grey", "gray"),
    ("gramme", "gram"),
)  # fmt: skip
"""Where British and American spelling differ, as patterns with what is in their place."""

NEEDS_MORE = {
    LIKELY: "",
    LIKELY_IF_BRITISH: f"; a British spelling needs p = {LIKELY_IF_BRITISH:.2f}",
    LIKELY_IF_CRUDE: f"; a mild vulgarity needs p = {LIKELY_IF_CRUDE:.2f}",
}
"""What is added to the reason of a word that is below its least p, by that p."""

Facts = Sequence[tuple[str | pd.Series, pd.Series | columns.Flags]]
"""Facts in order of importance: the text, the same for all words or one for each, and of which words it is true."""


def explain(
    decisions: pd.DataFrame,
    estimates: pd.DataFrame,
    record: pd.DataFrame,
    flags: pd.DataFrame,
    verdicts: pd.DataFrame,
    forms: pd.DataFrame,
    lexicon: pd.DataFrame,
) -> pd.DataFrame:
    """Return the table `decisions` from a table without its column `because`. The others are the tables of these
    names."""
    of_person = pd.Series([verdict_sentence(row) for row in frames.rows(verdicts)], verdicts["word"], dtype="str")
    is_by_person, is_by_record = decisions["kind"] == "verdict", decisions["by"] == "record"
    is_unsafe = decisions["kind"].isin(UNSAFE_FLAGS)
    because = pd.Series("untried; there is nothing to learn from yet", decisions.index, dtype="str")
    because[is_by_person] = columns.look_up(decisions["word"][is_by_person], of_person, "")
    because[is_by_record] = columns.look_up(decisions["word"][is_by_record], _of_record(record), "")
    because[is_unsafe] = "graded " + decisions["kind"][is_unsafe] + ", and no puzzle accepted it"
    untried = decisions[decisions["kind"] == "estimate"]
    undecided = estimates[~columns.is_in(estimates["word"], verdicts["word"])]
    relatives = _nearest_decided(untried["word"], forms, record, verdicts)
    bases = _untried_bases(untried["word"], forms, undecided)
    because[untried.index] = _of_untried(untried, decisions, relatives, bases, flags, record, lexicon)
    return frames.check(decisions.assign(because=because), "decisions")


def _of_record(record: pd.DataFrame) -> pd.Series:
    """Return the reason for each tried word, indexed by word."""
    was_accepted = record["last_accepted"] > record["last_refused"]
    last_trial = record["last_accepted"].where(was_accepted, record["last_refused"])
    cells = (record["accepted"], record["offered"], was_accepted, last_trial)
    outcomes = zip(*(column.tolist() for column in cells), strict=True)
    return pd.Series([record_sentence(*each) for each in outcomes], record["word"], dtype="str")


def _of_untried(
    untried: pd.DataFrame,
    decisions: pd.DataFrame,
    relatives: pd.DataFrame,
    bases: pd.Series,
    flags: pd.DataFrame,
    record: pd.DataFrame,
    lexicon: pd.DataFrame,
) -> pd.Series:
    """Return the reason for each `untried` word, which are some rows of `decisions`, from their `_nearest_decided`
    relatives and their untried bases."""
    word, p = untried["word"], untried["p"]
    row = columns.positions(word, lexicon["word"])
    entries = lexicon.iloc[row].set_axis(untried.index)
    told, is_good = relatives["told"], relatives["is_good"]
    listed = decisions["word"][columns.is_in(decisions["tier"], LISTED)]
    is_base_listed = columns.is_in(bases, listed)
    accepted, refused = told.where(is_good, ""), told.where(~is_good, "")
    likely, unlikely = bases.where(is_base_listed, ""), bases.where(~is_base_listed, "")
    ordinary = lexicon["word"][(lexicon["scowl_size"] <= ORDINARY_SIZE) & columns.is_in(lexicon["word"], listed)]
    is_british = columns.is_in(word, flags["word"][flags["flag"] == "british"]) & (entries["zipf"] > 0)
    american = _american(word[is_british], ordinary).reindex(word.index, fill_value="")
    pro = _joined(_facts_for(entries, accepted, likely), word.index)
    contra = _joined(_facts_against(entries, flags, refused, unlikely, american), word.index)
    least = pd.Series(least_p(word, record, flags, lexicon), word.index)
    needs = least.map(NEEDS_MORE).astype("str").where((p >= LIKELY) & (p < least), "")
    return _sentences(p, pro, contra, accepted) + needs


def _sentences(p: pd.Series, pro: pd.Series, contra: pd.Series, accepted: pd.Series) -> pd.Series:
    """Return a sentence for each p, from what speaks for the word and against it, and its accepted relative."""
    is_likely, is_clear = p >= LIKELY, (p >= CLEAR) | (p < 1 - CLEAR)
    pro = pro.mask((pro == "") & is_likely, "similar words were accepted")
    contra = contra.mask((contra == "") & ~is_likely, "similar words were refused")
    rather = pd.Series(", and rather likely: ", p.index).where(is_likely, ", and rather unlikely: ")
    clear = pd.Series(": ", p.index).where(is_likely, ", and unlikely: ")
    other_side = contra.where(is_likely, pro).mask(p >= CLEAR, "").mask(p < 1 - CLEAR, accepted)
    although = (", although " + other_side).where(other_side != "", "")
    return "untried" + rather.mask(is_clear, clear) + pro.where(is_likely, contra) + although


def _facts_for(entries: pd.DataFrame, relative: pd.Series, base: pd.Series) -> Facts:
    """Return what speaks for words, from their rows of the lexicon, their nearest accepted relative and their likely
    base, both "" if there is none. How often a word is in texts is not told if it may be a name there."""
    is_ordinary, zipf = entries["scowl_size"] <= ORDINARY_SIZE, entries["zipf"]
    is_name = entries[["scowl_upper", "scowl_name"]].min(axis=1) < NO_SIZE
    is_known = is_ordinary | (entries["wordnet_senses"] > 0) | entries["modern"] | (entries["opinion"] != "")
    tells_frequency = is_known & ~is_name
    return [
        ("in a list of your own", entries["own_list"]),
        *((text, entries["opinion"] == opinion) for opinion, text in OPINIONS_FOR.items()),
        (relative, relative != ""),
        ("in ordinary dictionaries", is_ordinary),
        ("common in texts", (zipf >= UNCOMMON_ZIPF) & tells_frequency),
        ("its base " + base + " is likely", (base != "") & (relative == "")),
        ("in our list of modern words", entries["modern"]),
        ("in WordNet", ~is_ordinary & (entries["wordnet_senses"] > 0)),
        ("now and then in texts", (zipf >= RARE_ZIPF) & (zipf < UNCOMMON_ZIPF) & tells_frequency),
    ]


def _facts_against(
    entries: pd.DataFrame, flags: pd.DataFrame, relative: pd.Series, base: pd.Series, american: pd.Series
) -> Facts:
    """Return what speaks against words, from their rows of the lexicon, the table `flags`, their nearest refused
    relative, their unlikely base and their American spelling."""
    word = entries["word"]
    of_flag: dict[str, str | pd.Series] = {
        "foreign": "more common in " + entries["language"].map(LANGUAGES).fillna("another language"),
        "british": ("British for " + american).where(american != "", "listed as British"),
        **{grade: f"may offend (graded {grade})" for grade in OFFENSIVE},
    }
    marked = {rule.id: columns.is_in(word, flags["word"][flags["flag"] == rule.id]) for rule in FLAGS}
    marked["unlisted"] &= ~(marked["british"] | marked["variant"] | entries["modern"])
    is_seldom_met = marked["rare"] | marked["seldom"]
    return [
        *((text, entries["opinion"] == opinion) for opinion, text in OPINIONS_AGAINST.items()),
        (relative, relative != ""),
        *((of_flag.get(rule.id, rule.name), marked[rule.id]) for rule in FLAGS if rule.id != "derived"),
        ("its base " + base + " is not on the list", (base != "") & (relative == "")),
        ("rare in texts", (entries["zipf"] < RARE_ZIPF) & ~is_seldom_met),
    ]


def _american(words: pd.Series, listed: pd.Series) -> pd.Series:
    """Return the word of the list that is the American spelling of each word, as far as `AMERICAN` knows it, or ""."""
    found = pd.Series("", words.index, dtype="str")
    for british, american in AMERICAN:
        spelled = words.str.replace(british, american, regex=True)
        found = found.mask((spelled != words) & columns.is_in(spelled, listed), spelled)
    return found


def _joined(facts: Facts, index: pd.Index) -> pd.Series:
    """Return the first `MAX_FACTS` facts that are true of each word, separated by commas."""
    text = np.full(len(index), "", dtype=object)
    number = np.zeros(len(text), dtype=int)
    for fact, is_true in facts:
        rows = np.asarray(is_true, dtype=bool) & (number < MAX_FACTS)
        comma = np.where(number[rows] > 0, ", ", "")
        text[rows] += comma + (fact if isinstance(fact, str) else fact.to_numpy(dtype=object)[rows])
        number[rows] += 1
    return pd.Series(pd.array(text, dtype="str"), index)


def _nearest_decided(
    words: pd.Series, forms: pd.DataFrame, record: pd.DataFrame, verdicts: pd.DataFrame
) -> pd.DataFrame:
    """Return what puzzles or people decided about the nearest relative of each word: columns told (the text, "" if
    there is none), is_good (it speaks for the word). A record that contradicts its last trial says nothing.

    The base of a word is nearer than its forms, and these are nearer than other forms of its base. Forms in -ed and
    -ing speak only for each other, and so do all other forms. Of equally near ones, the one that was tried most often
    counts.
    """
    decided = _decided(record, verdicts)
    pairs = forms.assign(verbal=forms["form"].isin(VERBAL))[["word", "base", "verbal"]].drop_duplicates()
    decided_forms = pairs[columns.is_in(pairs["word"], decided["relative"])].rename(columns={"word": "relative"})
    own = pairs[columns.is_in(pairs["word"], words)]
    others = own.merge(decided_forms, on=["base", "verbal"])[["word", "relative"]]
    bases = own.rename(columns={"base": "relative"})[["word", "relative"]]
    forms_of_word = decided_forms.rename(columns={"base": "word"})[["word", "relative"]]
    together = (("its base ", bases), ("its form ", forms_of_word), ("its relative ", others))
    near = pd.concat([table.assign(near=near, told=told) for near, (told, table) in enumerate(together)])
    near = near[columns.is_in(near["word"], words) & (near["word"] != near["relative"])]
    decided = near.merge(decided, on="relative")
    nearest_first = decided.sort_values(["near", "offered", "relative"], ascending=[True, False, True])
    nearest = nearest_first.drop_duplicates("word").set_index("word")
    told = columns.look_up(words, nearest["told"] + nearest["relative"] + " " + nearest["outcome"], "")
    return pd.DataFrame({"told": told, "is_good": columns.look_up(words, nearest["is_good"], False)})


def _decided(record: pd.DataFrame, verdicts: pd.DataFrame) -> pd.DataFrame:
    """Return what puzzles or people decided about words: columns relative, offered, is_good, outcome (as text)."""
    is_kept = verdicts["verdict"] == "keep"
    outcome = is_kept.map({True: "is kept by a curator", False: "is left out by a curator"})
    by_person = pd.DataFrame({"relative": verdicts["word"], "offered": 0, "is_good": is_kept, "outcome": outcome})
    tried = record[~columns.is_in(record["word"], verdicts["word"])]
    is_good = tried["last_accepted"] > tried["last_refused"]
    often = tried["accepted"].where(is_good, tried["offered"] - tried["accepted"])
    is_clear = 2 * often >= tried["offered"]
    cells = zip(is_good[is_clear], often[is_clear], tried["offered"][is_clear], strict=True)
    outcomes = [f"was {'accepted' if good else 'refused'} {times(number, of)}" for good, number, of in cells]
    by_puzzles = pd.DataFrame({"relative": tried["word"], "offered": tried["offered"], "is_good": is_good})[is_clear]
    return pd.concat([by_puzzles.assign(outcome=outcomes), by_person])


def _untried_bases(words: pd.Series, forms: pd.DataFrame, estimates: pd.DataFrame) -> pd.Series:
    """Return the first untried base of each word, "" if it has none."""
    untried = estimates["word"][estimates["kind"] == "estimate"]
    bases = forms[columns.is_in(forms["base"], untried)].drop_duplicates("word").set_index("word")["base"]
    return columns.look_up(words, bases, "")
