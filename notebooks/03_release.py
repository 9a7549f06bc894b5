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
# # What changed since the last release, and is the list consistent?
#
# This notebook answers these questions before a release:
#
# - How accurate was the list on the last days?
# - Which words were added and removed, and why?
# - Which families of words are torn? In a torn family the base is on the list and its form is not, or one spelling is
#   on the list and the other is not.
# - Are the estimated probabilities correct?

# %%
import os

import families
import pandas as pd
import plots as show
import widgets

from pipeline import reader, store
from pipeline.measure import backtest
from pipeline.measure.score import live
from pipeline.run import registry
from pipeline.words import LISTED, TIERS

SHOW_OFFENSIVE = False  # True shows offensive words, which are hidden by default
MONTHS = 6  # age of the frozen list that the current list is compared with
NEEDED = 400  # number of older puzzles that a frozen list needs
workspace = store.find_workspace(os.environ.get("BEE_DATA"))
widgets.start()

# %%
opinions = registry.opinions(workspace)
lexicon, decisions, record = (opinions[name] for name in ("lexicon", "decisions", "evidence"))
tables = {name: registry.load(workspace, name) for name in ("answers", "trials", "puzzles")}
veiled = widgets.veil(opinions["flags"], SHOW_OFFENSIVE)
listed = set(decisions["word"][decisions["tier"].isin(LISTED)])

release = reader.read(workspace.custom)
released = release.files["wordlist.txt"].decode().split()
assert set(released) == listed, "The release is not made from these decisions: bee run."
tiers = decisions.groupby(["tier", "by"]).size().rename("words").reset_index()
order = {tier: place for place, tier in enumerate(TIERS)}
widgets.as_table(
    tiers.sort_values(["tier", "by"], key=lambda column: column.map(order) if column.name == "tier" else column),
    f"The release: {len(released):,} words on the list",
    {
        "tier": "core and likely are on the list; review and refused are not.",
        "by": "What decided: a verdict, the evidence of trials, or an estimate.",
        "words": "Number of words.",
    },
    {"words": "{:,}"},
)

# %% [markdown]
# ## Track record
#
# Each new day is scored before it is counted, with the list as it stood before that day. `bee status` prints the first
# three spans in its line `exact`, and `bee audit --live` prints this table.

# %%
spans = {
    "span": "The last days that were counted.",
    "days": "Number of scored days.",
    "exact": "Share of days with no word missing and none extra.",
    "low": "Lower end of the 95% interval of this share.",
    "high": "Upper end of the 95% interval of this share.",
    "expected": "The share that the forecast predicted.",
    "missing": "Missing words per day.",
    "extra": "Extra words per day.",
    "f1": "F1 over words.",
}
record_of_days = live(registry.load(workspace, "track")).reindex(columns=list(spans))
assert record_of_days["exact"].between(record_of_days["low"], record_of_days["high"]).all(), (
    "A share is in its interval."
)
if record_of_days.empty:
    print("No day was scored before it was counted yet.")
widgets.as_table(
    record_of_days,
    "Accuracy on days before they were counted",
    spans,
    {name: "{:.0%}" for name in ("exact", "low", "high", "expected")}
    | {"missing": "{:.2f}", "extra": "{:.2f}", "f1": "{:.4f}"},
)

# %% [markdown]
# ## Since the last release
#
# These words are from `CHANGES.md`, which is part of every release.

# %%
print(veiled(release.files["CHANGES.md"].decode()))

# %% [markdown]
# ## Changes of the last months
#
# This part makes the list again from the facts known some months ago, and compares it with the current list. A word is
# here because it was tried since then, or because the trials of other words changed its estimate.

# %%
last = tables["puzzles"]["date"].max()
cutoff = str((pd.Timestamp(last) + pd.Timedelta(days=1) - pd.DateOffset(months=MONTHS)).date())
enough = (tables["puzzles"]["date"] < cutoff).sum() >= NEEDED
if enough:
    known = backtest.past({**tables, "lexicon": lexicon}, cutoff)
    before = set(known.decisions["word"][known.decisions["tier"].isin(LISTED)])
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
widgets.as_table(
    summary,
    f"Words added and removed within {MONTHS} months",
    {
        "change": "Added to the list, or removed from it.",
        "cause": "The cause of the change.",
        "words": "Number of words.",
    },
)

# %%
widgets.as_table(
    moved[["word", "change", "cause", "because"]].map(veiled),
    "The same changes, word by word",
    {
        "word": "The word; hidden if it is offensive.",
        "change": "Added to the list, or removed from it.",
        "cause": "Its own trial, the record of others, or a person's verdict.",
        "because": "Why the word is or is not on the list now.",
    },
)

# %% [markdown]
# ## Torn families
#
# In a torn pair, either the base or its inflected form is on the list, but not both. Only usual words are compared
# (SCOWL up to size 60). If trials decided both words, the official list itself is torn. This happens often, for example
# when the puzzle accepts a word as a noun but not its verb forms. If an estimate decided one of the words, the estimate
# may be wrong. Review these pairs first.

# %%
torn = families.torn(lexicon, decisions)
untried = opinions["estimates"][~opinions["estimates"]["word"].isin(record["word"])]
p = untried.set_index("word")["p"]
offered = record.set_index("word")["offered"]
torn["form p"] = torn["form"].map(p)
torn["base p"] = torn["base"].map(p)
torn["form tried"] = torn["form"].map(offered).fillna(0).astype("int64")
torn = torn.rename(columns={"base_by": "base by", "form_by": "form by"})
assert (torn["form"] != torn["base"]).all(), "No word is a form of itself."
widgets.as_table(
    torn.groupby(["on", "base by", "form by"]).size().rename("families").reset_index(),
    "Torn pairs, by what decided",
    {
        "on": "Which of the two is on the list.",
        "base by": "What decided the base.",
        "form by": "What decided the form.",
        "families": "Number of pairs of base and form.",
    },
    {"families": "{:,}"},
)

# %%
MOST = 250
official = torn[(torn["base by"] == "evidence") & (torn["form by"] == "evidence")]
official = official.sort_values(["form tried", "form"], ascending=[False, True]).head(MOST)
widgets.as_table(
    official[["base", "form", "on", "form tried"]].assign(
        base=official["base"].map(veiled), form=official["form"].map(veiled)
    ),
    "Pairs torn by the official lists, most often tried forms first",
    {
        "base": "The base.",
        "form": "Its inflected form.",
        "on": "Which of the two is on the list.",
        "form tried": "Number of puzzles in which the form was possible.",
    },
)

# %%
doubtful = torn[(torn["form by"] == "estimate") ^ (torn["base by"] == "estimate")].copy()
doubtful["p"] = doubtful["form p"].fillna(doubtful["base p"])
doubtful["far"] = (doubtful["p"] - 0.5).abs()
doubtful = doubtful.sort_values(["far", "form"], ascending=[False, True]).head(MOST)
widgets.as_table(
    doubtful[["base", "form", "on", "base by", "form by", "p"]].assign(
        base=doubtful["base"].map(veiled), form=doubtful["form"].map(veiled)
    ),
    f"Pairs torn by an estimate, most certain estimates first, at most {MOST}",
    {
        "base": "The base.",
        "form": "Its inflected form.",
        "on": "Which of the two is on the list.",
        "base by": "What decided the base.",
        "form by": "What decided the form.",
        "p": "The estimate of the word that was never tried.",
    },
    {"p": "{:.2f}"},
)

# %% [markdown]
# ## Variant spellings
#
# This part compares spellings that SCOWL calls variant or British with the usual American spelling. The trials of a
# kind of spelling are the best evidence for untried words of the same kind.

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
widgets.as_table(
    kinds.sort_values(["pairs", "differs"], ascending=[False, True]),
    "Kinds of variant spelling",
    {
        "differs": "The letters of the variant, and those of the usual spelling in their place.",
        "pairs": "Number of pairs of variant and usual spelling.",
        "tried": "Variants that were ever possible in a puzzle.",
        "accepted": "Share of the tried variants that are on the list.",
        "untried on the list": "Variants on the list that were never tried.",
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
widgets.as_table(
    odd[["variant", "usual", "usual listed", "differs", "kind accepted", "p"]].assign(
        variant=odd["variant"].map(veiled),
        usual=odd["usual"].map(veiled),
    ),
    "Variants on the list without a trial, or without their usual spelling; least accepted kinds first",
    {
        "variant": "The variant spelling.",
        "usual": "The usual spelling.",
        "usual listed": "Whether the usual spelling is on the list.",
        "differs": "The letters of the variant, and those of the usual spelling in their place.",
        "kind accepted": "Share of the tried variants of this kind that are on the list.",
        "p": "The estimate of the variant, if it was never tried.",
    },
    {"kind accepted": "{:.0%}", "p": "{:.2f}"},
)

# %% [markdown]
# ## Calibration
#
# This part tests the list that was frozen above on the puzzles since then. Of the untried words with p = 0.8, four in
# five should have been accepted. One span is a small sample; `docs/ACCURACY.md` has the same test over five half-years.

# %%
if enough:
    later = tables["trials"][tables["trials"]["date"] >= cutoff].merge(tables["puzzles"][["date", "center"]], on="date")
    first = later.sort_values("date").drop_duplicates("word")[["word", "accepted"]]
    unseen = known.estimates.merge(first, on="word")
    assert not set(unseen["word"]) & set(known.evidence["word"]), "An unseen word had no trial before the cutoff."
    figures = backtest.measured(backtest.sides(later, before))
    print(f"Frozen on {cutoff}, {figures['puzzles']} puzzles: F1 {figures['f1']:.4f}, exact {figures['exact']:.1%}.")
    bins = backtest.reliability(unseen).rename(columns={"mean_p": "mean p"})
    drawn = show.axes(f"Estimates of {cutoff} and later outcomes", "p, mean of the bin", "share accepted", 5, 5)
    drawn.plot([0, 1], [0, 1], color=show.QUIET, linewidth=1)
    drawn.scatter(bins["mean p"], bins["accepted"], s=bins["words"] ** 0.5 * 8, color=show.ON, alpha=0.8)
    for row in bins.to_dict("records"):
        drawn.annotate(
            f"{row['words']:,}", (row["mean p"], row["accepted"]), (9, -4), textcoords="offset points", fontsize=9
        )
else:
    bins = pd.DataFrame({"p": [], "words": [], "mean p": [], "accepted": []})
    drawn = show.axes("Estimates and later outcomes", "p, mean of the bin", "share accepted", 5, 5)
show.plot(drawn, enough)

# %%
widgets.as_table(
    bins.assign(p=bins["p"].astype("str")),
    "The bins of the plot",
    {
        "p": "The bin of the estimate.",
        "words": "Number of words that were first tried after the list was frozen.",
        "mean p": "Their mean estimate.",
        "accepted": "The share of them that was accepted.",
    },
    {"words": "{:,}", "mean p": "{:.3f}", "accepted": "{:.3f}"},
)
