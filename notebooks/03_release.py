# ---
# jupyter:
#   jupytext:
#     formats: ipynb,py:percent
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # What changed since the last release, and does the list hold together?
#
# Three questions before a release goes out: which words came and went and why; which families of words are torn, so
# that a base is on the list and its form is not, or one spelling and not the other; and whether the estimates mean
# what they say.

# %%
import os

import pandas as pd

from pipeline import backtest, decide, families, publish, show, stages, store

SHOW_OFFENSIVE = False  # True shows the words of the offensive axis, which are veiled otherwise
MONTHS = 6  # how far back the list is frozen, to see what the trials since then changed
NEEDED = 400  # puzzles below which a list frozen so long ago has too little to go on
workspace = store.find_workspace(os.environ.get("BEE_DATA"))
show.start()

# %%
opinions = stages.opinions(workspace)
lexicon, decisions, record = (opinions[name] for name in ("lexicon", "decisions", "evidence"))
tables = {name: store.read_table(workspace, name, "bee merge") for name in ("answers", "trials", "puzzles")}
veiled = show.veil(opinions["flags"], SHOW_OFFENSIVE)
listed = set(decisions["word"][decisions["tier"].isin(decide.LISTED)])

released = store.read_bytes(workspace.custom / "wordlist.txt", "bee publish").decode().split()
assert set(released) == listed, "The release is not made from these decisions: bee run."
tiers = decisions.groupby(["tier", "by"]).size().rename("words").reset_index()
order = {tier: place for place, tier in enumerate(decide.TIERS)}
show.table(
    tiers.sort_values(["tier", "by"], key=lambda column: column.map(order) if column.name == "tier" else column),
    f"The release: {len(released):,} words on the list",
    {
        "tier": "core and likely are the list; review waits for a person; refused is off it.",
        "by": "What decided: a verdict, the evidence of trials, or an estimate.",
        "words": "How many words.",
    },
    {"words": "{:,}"},
)

# %% [markdown]
# ## Since the last release
#
# From `CHANGES.md`, which every release writes.

# %%
text = store.read_bytes(workspace.custom / "CHANGES.md", "bee publish").decode()
added, removed = publish.read_changes(text)
assert set(added) <= listed, "A word that was added is on the list: bee run."
assert not set(removed) & listed, "A word that was removed is not on the list: bee run."
changes = [("added", *pair) for pair in sorted(added.items())] + [
    ("removed", *pair) for pair in sorted(removed.items())
]
frame = pd.DataFrame(changes, columns=["change", "word", "because"], dtype="str")
print(next(line for line in text.splitlines() if line and not line.startswith("#")))
show.table(
    frame.assign(word=frame["word"].map(veiled)),
    "Added and removed",
    {"change": "What became of the word.", "word": "The word.", "because": "Why."},
)

# %% [markdown]
# ## What the last months changed
#
# The list is made once more from the facts that were there some months ago, and compared with that of today. So a
# word is here either because it was tried since then, or because the trials of its relatives moved its estimate.

# %%
last = tables["puzzles"]["date"].max()
cutoff = str((pd.Timestamp(last) + pd.Timedelta(days=1) - pd.DateOffset(months=MONTHS)).date())
enough = (tables["puzzles"]["date"] < cutoff).sum() >= NEEDED
if enough:
    known = backtest.past({**tables, "lexicon": lexicon}, cutoff)
    before = set(known.decisions["word"][known.decisions["tier"].isin(decide.LISTED)])
    since = set(tables["trials"]["word"][tables["trials"]["date"] >= cutoff])
    moved = decisions[decisions["word"].isin(before ^ listed)].copy()
    moved["change"] = moved["word"].isin(listed).map({True: "added", False: "removed"})
    moved["cause"] = moved["word"].isin(since).map({True: "its own trial", False: "the record of others"})
    moved.loc[moved["by"] == "verdict", "cause"] = "a person's verdict"
    summary = moved.groupby(["change", "cause"]).size().rename("words").reset_index()
    print(f"Compared with the list as it would have been made on {cutoff}:")
else:
    moved = decisions.head(0).assign(change="", cause="")
    summary = pd.DataFrame({"change": [], "cause": [], "words": []}, dtype="str")
    print(f"{len(tables['puzzles'])} puzzles on disk are too few to freeze a list {MONTHS} months ago.")
show.table(
    summary,
    f"Words that {MONTHS} months added and removed",
    {"change": "What became of them.", "cause": "What moved them.", "words": "How many words."},
)

# %%
show.table(
    moved[["word", "change", "cause", "because"]].assign(word=moved["word"].map(veiled)),
    "The same, word by word",
    {
        "word": "The word; veiled when it is on the offensive axis.",
        "change": "What became of it.",
        "cause": "Its own trial, the record of others, or a person's verdict.",
        "because": "Why the list has it now, or has it not.",
    },
)

# %% [markdown]
# ## Torn families
#
# A base is on the list and its inflected form is not, or the other way round, both of them usual words (SCOWL up to
# size 60). Where trials decided both, the official list itself is torn, and it often is: nouns are taken that are
# not taken as verbs. Where an estimate decided one, the estimate may be wrong, and a look is worth most.

# %%
torn = families.torn(lexicon, decisions)
p = opinions["estimates"].set_index("word")["p"]
offered = record.set_index("word")["offered"]
torn["form p"] = torn["form"].map(p)
torn["base p"] = torn["base"].map(p)
torn["form tried"] = torn["form"].map(offered).fillna(0).astype("int64")
torn = torn.rename(columns={"base_by": "base by", "form_by": "form by"})
assert (torn["form"] != torn["base"]).all(), "No word is a form of itself."
show.table(
    torn.groupby(["on", "base by", "form by"]).size().rename("families").reset_index(),
    "Torn pairs, by what decided",
    {
        "on": "Which of the two is on the list.",
        "base by": "What decided the base.",
        "form by": "What decided the form.",
        "families": "Pairs of base and form.",
    },
    {"families": "{:,}"},
)

# %%
MOST = 250
official = torn[(torn["base by"] == "evidence") & (torn["form by"] == "evidence")]
official = official.sort_values(["form tried", "form"], ascending=[False, True]).head(MOST)
show.table(
    official[["base", "form", "on", "form tried"]].assign(
        base=official["base"].map(veiled), form=official["form"].map(veiled)
    ),
    "Torn by the official lists, the form tried most often first",
    {
        "base": "The base.",
        "form": "Its inflected form.",
        "on": "Which of the two is on the list.",
        "form tried": "In how many puzzles the form was possible.",
    },
)

# %%
doubtful = torn[(torn["form by"] == "estimate") ^ (torn["base by"] == "estimate")].copy()
doubtful["p"] = doubtful["form p"].fillna(doubtful["base p"])
doubtful["far"] = (doubtful["p"] - 0.5).abs()
doubtful = doubtful.sort_values(["far", "form"], ascending=[False, True]).head(MOST)
show.table(
    doubtful[["base", "form", "on", "base by", "form by", "p"]].assign(
        base=doubtful["base"].map(veiled), form=doubtful["form"].map(veiled)
    ),
    f"Torn by an estimate against the record, the surest estimates first, at most {MOST}",
    {
        "base": "The base.",
        "form": "Its inflected form.",
        "on": "Which of the two is on the list.",
        "base by": "What decided the base.",
        "form by": "What decided the form.",
        "p": "The estimate of the one that was never tried.",
    },
    {"p": "{:.2f}"},
)

# %% [markdown]
# ## Variant spellings
#
# Spellings that SCOWL calls variant or British, beside the usual American one. What the trials say of a kind of
# spelling is the best guide for the words of that kind that were never tried.

# %%
pairs = families.variants(lexicon, decisions)
by_trial = pairs[pairs["variant_by"] == "evidence"]
untried = pairs[pairs["variant_by"] == "estimate"]
kinds = pd.DataFrame(
    {
        "pairs": pairs.groupby("differs").size(),
        "tried": by_trial.groupby("differs").size(),
        "accepted": by_trial.groupby("differs")["variant_on"].mean(),
        "untried on the list": untried.groupby("differs")["variant_on"].sum(),
    }
)
kinds = kinds.fillna({"pairs": 0, "tried": 0, "untried on the list": 0}).rename_axis("differs").reset_index()
kinds = kinds.astype({"pairs": "int64", "tried": "int64", "untried on the list": "int64"})
show.table(
    kinds.sort_values(["pairs", "differs"], ascending=[False, True]),
    "Kinds of variant spelling",
    {
        "differs": "What the variant has, and what the usual spelling has in its place.",
        "pairs": "Pairs of variant and usual spelling.",
        "tried": "Variants that were ever possible in a puzzle.",
        "accepted": "Share of these that the list has.",
        "untried on the list": "Variants that no trial vouches for and that are on the list all the same.",
    },
    {"accepted": "{:.0%}"},
)

# %%
accepted = kinds.set_index("differs")["accepted"]
odd = pairs[pairs["variant_on"] & ((pairs["variant_by"] == "estimate") | ~pairs["usual_on"])].copy()
odd["p"] = odd["variant"].map(p)
odd["usual listed"] = odd["usual_on"].map({True: "yes", False: "no"})
odd["kind accepted"] = odd["differs"].map(accepted)
odd = odd.sort_values(["kind accepted", "p", "variant"], na_position="last")
show.table(
    odd[["variant", "usual", "usual listed", "differs", "kind accepted", "p"]].assign(
        variant=odd["variant"].map(veiled),
        usual=odd["usual"].map(veiled),
    ),
    "Variants on the list without a trial, or without their usual spelling; the least likely kinds first",
    {
        "variant": "The variant spelling.",
        "usual": "The usual one.",
        "usual listed": "Whether the usual one is on the list.",
        "differs": "What the variant has, and what the usual spelling has in its place.",
        "kind accepted": "Share of the tried variants of this kind that the list has.",
        "p": "The estimate of the variant, where no trial exists.",
    },
    {"kind accepted": "{:.0%}", "p": "{:.2f}"},
)

# %% [markdown]
# ## Calibration
#
# The list that was frozen above meets the puzzles since then. Of words that it had never seen tried and gave p =
# 0.8, four in five should have been accepted. One span is a small sample; `docs/ACCURACY.md` has the same over five
# half-years.

# %%
if enough:
    later = tables["trials"][tables["trials"]["date"] >= cutoff].merge(tables["puzzles"][["date", "center"]], on="date")
    first = later.sort_values("date").drop_duplicates("word")[["word", "accepted"]]
    unseen = known.estimates.merge(first, on="word")
    assert not set(unseen["word"]) & set(known.evidence["word"]), "An unseen word had no trial before the cutoff."
    figures = backtest.score(backtest.sides(later, before))
    print(f"Frozen on {cutoff}, {figures['puzzles']} puzzles: F1 {figures['f1']:.4f}, exact {figures['exact']:.1%}.")
    bins = backtest.reliability(unseen).rename(columns={"mean_p": "mean p"})
    drawn = show.axes(f"Estimates of {cutoff} against what came", "p, mean of the bin", "share accepted", 5, 5)
    drawn.plot([0, 1], [0, 1], color=show.QUIET, linewidth=1)
    drawn.scatter(bins["mean p"], bins["accepted"], s=bins["words"] ** 0.5 * 8, color=show.ON, alpha=0.8)
    for row in bins.to_dict("records"):
        drawn.annotate(
            f"{row['words']:,}", (row["mean p"], row["accepted"]), (9, -4), textcoords="offset points", fontsize=9
        )
else:
    bins = pd.DataFrame({"p": [], "words": [], "mean p": [], "accepted": []})
    drawn = show.axes("Estimates against what came", "p, mean of the bin", "share accepted", 5, 5)
show.plot(drawn, enough)

# %%
show.table(
    bins.assign(p=bins["p"].astype("str")),
    "The bins of the plot",
    {
        "p": "The bin of the estimate.",
        "words": "Words that were tried for the first time after the freeze.",
        "mean p": "Their mean estimate.",
        "accepted": "The share of them that was accepted.",
    },
    {"words": "{:,}", "mean p": "{:.3f}", "accepted": "{:.3f}"},
)
