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
# A *flag* is a rule that raised its hand over a word, with a reason code. Flags explain; the record decides. This
# notebook asks of each code what it marks and how much of that was refused, shows the words at its border, and
# looks at the offensive axis apart.

# %%
import os

import pandas as pd

from pipeline import backtest, decide, estimate, flag, frames, show, stages, store

SHOW_OFFENSIVE = False  # True shows the words of the offensive axis, which are veiled otherwise
FEW = 30  # tried words below which a share says little
workspace = store.find_workspace(os.environ.get("BEE_DATA"))
show.start()

# %%
opinions = stages.opinions(workspace)
flags, decisions, estimates, record = (opinions[name] for name in ("flags", "decisions", "estimates", "evidence"))
tried = record.assign(refused=record["last_accepted"] <= record["last_rejected"])
veiled = show.veil(flags, SHOW_OFFENSIVE)
rules = pd.DataFrame(
    [(rule.id, rule.severity, rule.sentence) for rule in flag.RULES], columns=["flag", "severity", "rule"]
)

assert set(flags["flag"]) <= set(rules["flag"]), "Every flag is in the catalogue."
assert not set(record["word"]) & set(estimates["word"]), "A word with a trial needs no estimate: bee run."
usual = tried["refused"].mean()
print(f"{len(tried):,} words were ever tried; {usual:.0%} of them were refused at their last trial.")

# %% [markdown]
# ## What each code marks
#
# A `strong` code should mark words that are refused nearly always, a `fair` one words that mostly are; a `note`
# only explains. The dashed line is the share among *all* tried words: a code whose bar ends there says nothing
# against a word.

# %%
unmeasured = frames.empty("trials").assign(flags="")  # how good codes are on unseen words stands in docs/ACCURACY.md
shares = backtest.flag_shares(unmeasured, record, flags)[["flag", "tried", "refused"]]
marked = flags.groupby("flag").size().rename("marked")
shares = rules.merge(marked, on="flag", how="left").merge(shares, on="flag", how="left")
shares = shares.fillna({"marked": 0, "tried": 0}).astype({"marked": "int64", "tried": "int64"})
shares = shares.sort_values("refused", ascending=False, na_position="last", ignore_index=True)

enough = shares[shares["tried"] >= FEW].iloc[::-1]
colours = {"strong": show.ON, "fair": show.OFF, "note": show.OTHER}
drawn = show.axes("Share refused of the tried words that a code marks", "refused at the last trial, %", "", 9, 4.5)
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
    assert (strong["refused"] > usual).all(), "A strong code marks words that are refused more than usual."
show.table(
    shares,
    "The catalogue of flags, with what was refused",
    {
        "flag": "The reason code.",
        "severity": "strong predicts refusal, fair leans to it, note only explains.",
        "marked": "Words of the lexicon with this flag.",
        "tried": "Those of them that were ever possible in a puzzle.",
        "refused": "Share of the tried ones that was refused at the last trial.",
        "rule": "What the rule looks for.",
    },
    {"marked": "{:,}", "tried": "{:,}", "refused": "{:.0%}"},
)

# %% [markdown]
# ## Flags add up
#
# One raised hand may be wrong; several seldom are.

# %%
grave = flags[flags["severity"] == "strong"].groupby("word").size()
counted = tried.assign(strong=tried["word"].map(grave).fillna(0).astype("int64"))
counted = counted.groupby("strong").agg(tried=("word", "size"), refused=("refused", "mean")).reset_index()
assert counted["tried"].sum() == len(tried), "Each tried word is counted once."
show.table(
    counted,
    "Tried words by their number of strong flags",
    {
        "strong": "How many strong flags a word has.",
        "tried": "Tried words with so many.",
        "refused": "Share of them that was refused at the last trial.",
    },
    {"tried": "{:,}", "refused": "{:.1%}"},
)

# %% [markdown]
# ## At the border
#
# What a code marks and the official lists accept all the same, most often accepted first; then what it marks and
# they refuse, most often refused first. When the first column looks like a pattern, the rule can be made better.

# %%
EXAMPLES = 8
long = flags[~flags["flag"].isin(flag.OFFENSIVE)].merge(tried, on="word")
long["rejected"] = long["offered"] - long["accepted"]


def examples(rows: pd.DataFrame, by: str) -> pd.Series:
    """Name the words of each code that come first by a column."""
    first = rows.sort_values([by, "word"], ascending=[False, True]).groupby("flag").head(EXAMPLES)
    return first["word"].map(veiled).groupby(first["flag"]).agg(", ".join)


border = rules[["flag"]].assign(
    accepted=rules["flag"].map(examples(long[~long["refused"]], "accepted")),
    refused=rules["flag"].map(examples(long[long["refused"]], "rejected")),
)
show.table(
    border[border["flag"].isin(long["flag"])],
    f"Up to {EXAMPLES} words a code on either side",
    {
        "flag": "The reason code.",
        "accepted": "Marked, and accepted at the last trial all the same.",
        "refused": "Marked, and refused at the last trial.",
    },
)

# %% [markdown]
# ## Nearest to the threshold
#
# A word that was never tried is listed when its estimate *p* reaches the threshold. Those nearest to it, on either
# side, are where a person's eye is worth most: the estimate has no opinion there.

# %%
MOST = 200
codes = flags[~flags["flag"].isin(flag.OFFENSIVE)].groupby("word")["flag"].agg(" ".join)
near = estimates.assign(far=(estimates["p"] - estimate.LIKELY).abs()).sort_values(["far", "word"]).head(MOST)
near = near.merge(decisions[["word", "tier"]], on="word")
near = near.assign(flags=near["word"].map(codes).fillna(""), word=near["word"].map(veiled))
near = near.sort_values(["p", "word"], ascending=[False, True])
assert near["tier"].isin(decide.TIERS).all(), "Every estimated word has a tier."
show.table(
    near[["word", "p", "tier", "flags", "basis"]],
    f"The {len(near)} words nearest to p = {estimate.LIKELY}",
    {
        "word": "The word; veiled when it is on the offensive axis.",
        "p": "The estimate that it would be accepted.",
        "tier": "Where it stands now.",
        "flags": "Its reason codes, those of the offensive axis left out.",
        "basis": "What moved the estimate most: + up, - down.",
    },
    {"p": "{:.2f}"},
)

# %% [markdown]
# ## The offensive axis
#
# `slur`, `vulgar` and `sensitive` are a question of their own: they never take a word off the list that was
# officially accepted, and of words that were never tried only a slur is kept away. `bee export --safe` leaves out
# all three. A word has at most one of these grades: a person's in `offensive.csv`, else the gravest that the lists
# give it.

# %%
axis = flags[flags["flag"].isin(flag.OFFENSIVE)].merge(decisions, on="word", how="left")
axis = axis.merge(tried[["word", "refused", "accepted"]], on="word", how="left")
axis["listed"] = axis["tier"].isin(decide.LISTED)
axis["unseen"] = axis["refused"].isna()
axis["by hand"] = axis["detail"] == "graded by hand"

assert not axis["word"].duplicated().any(), "A word has one grade."
unasked = axis[axis["listed"] & axis["unseen"] & (axis["flag"] == "slur") & (axis["by"] != "verdict")]
assert unasked.empty, "No slur is on the list that was never accepted."
taken_off = axis[(axis["refused"] == False) & (axis["tier"] == "refused") & (axis["by"] != "verdict")]  # noqa: E712
assert taken_off.empty, "No grade takes an officially accepted word off the list."

grades = axis.groupby("flag").agg(
    words=("word", "size"), by_hand=("by hand", "sum"), unseen=("unseen", "sum"),
    refused=("refused", lambda column: int((column == True).sum())),  # noqa: E712
    accepted=("refused", lambda column: int((column == False).sum())),  # noqa: E712
    listed=("listed", "sum"),
)  # fmt: skip
show.table(
    grades.reindex(list(flag.OFFENSIVE)).fillna(0).astype("int64").reset_index().rename(columns={"by_hand": "by hand"}),
    "Graded words, and where they stand",
    {
        "flag": "The grade, gravest first.",
        "words": "Words with it.",
        "by hand": "Graded by a person; the others by the lists, or as a form of a graded word.",
        "unseen": "Never possible in a puzzle.",
        "refused": "Refused at the last trial.",
        "accepted": "Accepted at the last trial.",
        "listed": "On the list; --safe leaves these out.",
    },
    {name: "{:,}" for name in ("words", "by hand", "unseen", "refused", "accepted", "listed")},
)

# %%
shown = axis[axis["listed"]].sort_values(["flag", "word"])
shown = shown.assign(word=shown["word"].map(veiled), record=shown["refused"].map({True: "refused", False: "accepted"}))
show.table(
    shown[["word", "flag", "tier", "record"]].assign(record=shown["record"].fillna("never tried")),
    "Graded words on the list" + ("" if SHOW_OFFENSIVE else ", veiled: set SHOW_OFFENSIVE = True to read them"),
    {
        "word": "The word.",
        "flag": "Its grade.",
        "tier": "core: accepted, or kept by a person; likely: never tried.",
        "record": "What its last trial said.",
    },
)
