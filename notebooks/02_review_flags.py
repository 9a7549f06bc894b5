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
# # What do the flags mark, and are they right?
#
# A *flag* marks a word that matches a rule. Flags explain; the record decides. For each flag this notebook shows which
# words it marks, how many of them were refused, and example words on either side. Offensive words have a separate part.

# %%
import os

import pandas as pd
import plots as show
import widgets

from pipeline import store
from pipeline.measure import backtest
from pipeline.opinions import catalog
from pipeline.run import registry
from pipeline.tables import frames
from pipeline.words import LIKELY, LISTED, OFFENSIVE, TIERS

SHOW_OFFENSIVE = False  # True shows offensive words, which are hidden by default
FEW = 30  # with fewer tried words a share is too uncertain to plot
workspace = store.find_workspace(os.environ.get("BEE_DATA"))
widgets.start()

# %%
opinions = registry.opinions(workspace)
flags, decisions, estimates, record = (opinions[name] for name in ("flags", "decisions", "estimates", "evidence"))
tried = record.assign(refused=record["last_accepted"] <= record["last_rejected"])
veiled = widgets.veil(flags, SHOW_OFFENSIVE)
rules = pd.DataFrame(
    [(rule.id, rule.severity, rule.sentence) for rule in catalog.FLAGS], columns=["flag", "severity", "rule"]
)

assert set(flags["flag"]) <= set(rules["flag"]), "Every flag is in the catalog."
assert set(record["word"]) <= set(estimates["word"]), "Every tried word has the p of its record: bee run."
usual = tried["refused"].mean()
print(f"{len(tried):,} words were ever tried; {usual:.0%} of them were refused at their last trial.")

# %% [markdown]
# ## What each flag marks
#
# The puzzle refuses nearly all words with a `strong` flag, and most words with a `fair` flag. A `note` only explains.
# The dashed line is the share of refused words among *all* tried words. A flag whose bar ends at this line does not
# predict refusal.

# %%
unmeasured = frames.empty("trials").assign(flags="")  # docs/ACCURACY-TABLES.md measures flags on unseen words
shares = backtest.flag_shares(unmeasured, record, flags)[["flag", "tried", "refused"]]
marked = flags.groupby("flag").size().rename("marked")
shares = rules.merge(marked, on="flag", how="left").merge(shares, on="flag", how="left")
shares = shares.fillna({"marked": 0, "tried": 0}).astype({"marked": "int64", "tried": "int64"})
shares = shares.sort_values("refused", ascending=False, na_position="last", ignore_index=True)

enough = shares[shares["tried"] >= FEW].iloc[::-1]
colours = {"strong": show.ON, "fair": show.OFF, "note": show.OTHER}
drawn = show.axes(
    "Share of refused words among the tried words with a flag", "refused at the last trial, %", "", 9, 4.5
)
drawn.barh(enough["flag"], 100 * enough["refused"], color=enough["severity"].map(colours).tolist())
for place, (share, count) in enumerate(zip(enough["refused"], enough["tried"], strict=True)):
    drawn.text(100 * share + 0.5, place, f"{share:.0%} of {count:,}", va="center", fontsize=9)
drawn.axvline(100 * usual, color="black", linestyle="--", linewidth=0.8)
for place, (severity, colour) in enumerate(colours.items()):
    drawn.text(1.0, 0.05 + 0.07 * place, severity, color=colour, ha="right", transform=drawn.transAxes)
drawn.set_xlim(0, 115)
drawn.set_xticks(range(0, 101, 20))
show.plot(drawn)

# %%
if (strong := enough[enough["severity"] == "strong"]).size and len(tried) > 1000:
    assert (strong["refused"] > usual).all(), "Words with a strong flag are refused more often than usual."
widgets.as_table(
    shares,
    "The catalog of flags, with the share of refused words",
    {
        "flag": "The flag.",
        "severity": "strong predicts refusal, fair suggests it, note only explains.",
        "marked": "Number of words in the lexicon with this flag.",
        "tried": "Number of these words that were ever possible in a puzzle.",
        "refused": "Share of the tried words that were refused at the last trial.",
        "rule": "What the rule looks for.",
    },
    {"marked": "{:,}", "tried": "{:,}", "refused": "{:.0%}"},
)

# %% [markdown]
# ## Words with several strong flags
#
# The more strong flags a word has, the more certain is its refusal.

# %%
grave = flags[flags["severity"] == "strong"].groupby("word").size()
counted = tried.assign(strong=tried["word"].map(grave).fillna(0).astype("int64"))
counted = counted.groupby("strong").agg(tried=("word", "size"), refused=("refused", "mean")).reset_index()
assert counted["tried"].sum() == len(tried), "Each tried word is counted once."
widgets.as_table(
    counted,
    "Tried words by their number of strong flags",
    {
        "strong": "Number of strong flags of a word.",
        "tried": "Number of tried words with that many strong flags.",
        "refused": "Share of these words that were refused at the last trial.",
    },
    {"tried": "{:,}", "refused": "{:.1%}"},
)

# %% [markdown]
# ## Examples of accepted and refused words
#
# The first column has words with the flag that the puzzle accepts, most often accepted first. The second column has
# words with the flag that the puzzle refuses, most often refused first. A pattern in the first column shows how the
# rule can be improved.

# %%
EXAMPLES = 8
long = flags[~flags["flag"].isin(OFFENSIVE)].merge(tried, on="word")
long["rejected"] = long["offered"] - long["accepted"]


def examples(rows: pd.DataFrame, by: str) -> pd.Series:
    """List the words of each flag with the highest values in a column."""
    first = rows.sort_values([by, "word"], ascending=[False, True]).groupby("flag").head(EXAMPLES)
    return first["word"].map(veiled).groupby(first["flag"]).agg(", ".join)


border = rules[["flag"]].assign(
    accepted=rules["flag"].map(examples(long[~long["refused"]], "accepted")),
    refused=rules["flag"].map(examples(long[long["refused"]], "rejected")),
)
widgets.as_table(
    border[border["flag"].isin(long["flag"])],
    f"Up to {EXAMPLES} words per flag on either side",
    {
        "flag": "The flag.",
        "accepted": "Words with the flag that were accepted at the last trial.",
        "refused": "Words with the flag that were refused at the last trial.",
    },
)

# %% [markdown]
# ## Nearest to the threshold
#
# A word that was never tried is listed if its estimate *p* reaches the threshold. For words near the threshold the
# estimate is least certain, so a verdict of a person is most useful there.

# %%
MOST = 200
codes = flags[~flags["flag"].isin(OFFENSIVE)].groupby("word")["flag"].agg(" ".join)
near = (
    estimates[~estimates["word"].isin(record["word"])]
    .assign(far=(estimates["p"] - LIKELY).abs())
    .sort_values(["far", "word"])
    .head(MOST)
)
near = near.merge(decisions[["word", "tier"]], on="word")
near = near.assign(flags=near["word"].map(codes).fillna(""), word=near["word"].map(veiled))
near = near.sort_values(["p", "word"], ascending=[False, True])
assert near["tier"].isin(TIERS).all(), "Every estimated word has a tier."
widgets.as_table(
    near[["word", "p", "tier", "flags", "basis"]],
    f"The {len(near)} words nearest to p = {LIKELY}",
    {
        "word": "The word; hidden if it is offensive.",
        "p": "The estimated probability that it would be accepted.",
        "tier": "Its current tier.",
        "flags": "Its flags, without the offensive ones.",
        "basis": "What changed the estimate most: + up, - down.",
    },
    {"p": "{:.2f}"},
)

# %% [markdown]
# ## Offensive words
#
# The grades are `slur`, `vulgar`, `explicit`, `crude` and `sensitive`. A grade never removes an officially accepted
# word from the list. Of words that were never accepted, only slurs and strong vulgarities are left out. `bee export
# --safe` leaves out the first three grades, `--family` all. A word has at most one grade. It comes from
# `offensive.csv`, where people grade words. Otherwise it comes from the base of the word, and otherwise from the word
# lists.

# %%
axis = flags[flags["flag"].isin(OFFENSIVE)].merge(decisions, on="word", how="left")
axis = axis.merge(tried[["word", "refused", "accepted"]], on="word", how="left")
axis["listed"] = axis["tier"].isin(LISTED)
axis["unseen"] = axis["refused"].isna()
axis["by hand"] = axis["detail"] == "graded by hand"

assert not axis["word"].duplicated().any(), "A word has one grade."
unasked = axis[axis["listed"] & axis["unseen"] & (axis["flag"] == "slur") & (axis["by"] != "verdict")]
assert unasked.empty, "A slur that was never accepted is not on the list."
taken_off = axis[(axis["refused"] == False) & (axis["tier"] == "refused") & (axis["by"] != "verdict")]  # noqa: E712
assert taken_off.empty, "A grade never removes an officially accepted word from the list."

grades = axis.groupby("flag").agg(
    words=("word", "size"), by_hand=("by hand", "sum"), unseen=("unseen", "sum"),
    refused=("refused", lambda column: int((column == True).sum())),  # noqa: E712
    accepted=("refused", lambda column: int((column == False).sum())),  # noqa: E712
    listed=("listed", "sum"),
)  # fmt: skip
widgets.as_table(
    grades.reindex(list(OFFENSIVE)).fillna(0).astype("int64").reset_index().rename(columns={"by_hand": "by hand"}),
    "Graded words by grade",
    {
        "flag": "The grade, most serious first.",
        "words": "Number of words with this grade.",
        "by hand": "Graded by a person; the others are graded by the lists, or as forms of graded words.",
        "unseen": "Never possible in a puzzle.",
        "refused": "Refused at the last trial.",
        "accepted": "Accepted at the last trial.",
        "listed": "On the list; --safe leaves out the first three grades, --family all.",
    },
    {name: "{:,}" for name in ("words", "by hand", "unseen", "refused", "accepted", "listed")},
)

# %%
shown = axis[axis["listed"]].sort_values(["flag", "word"])
shown = shown.assign(word=shown["word"].map(veiled), record=shown["refused"].map({True: "refused", False: "accepted"}))
widgets.as_table(
    shown[["word", "flag", "tier", "record"]].assign(record=shown["record"].fillna("never tried")),
    "Graded words on the list" + ("" if SHOW_OFFENSIVE else ", hidden: set SHOW_OFFENSIVE = True to read them"),
    {
        "word": "The word.",
        "flag": "Its grade.",
        "tier": "core: accepted, or kept by a person; likely: never tried.",
        "record": "The outcome of its last trial.",
    },
)
