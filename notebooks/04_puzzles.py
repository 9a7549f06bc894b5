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
# # What do the official puzzles look like, and how did they change?
#
# Counts about puzzles and words on disk: letters, answers, points, pangrams, words that were accepted for the first
# time and words that changed sides. Nothing here tells the answers of a day.

# %%
import os

from pipeline import history, show, stages, store

SHOW_OFFENSIVE = False  # True shows the words of the offensive axis, which are veiled otherwise
workspace = store.find_workspace(os.environ.get("BEE_DATA"))
show.start()

# %%
puzzles = store.read_table(workspace, "puzzles", "bee merge")
answers = store.read_table(workspace, "answers", "bee merge")
trials = store.read_table(workspace, "trials", "bee merge")
veiled = show.veil(stages.opinions(workspace)["flags"], SHOW_OFFENSIVE)

measured = history.figures(puzzles, answers)
assert len(measured) == len(puzzles), "Every puzzle has answers."
assert (measured["pangrams"] >= 1).all(), "Every puzzle has a pangram."
assert measured["words"].sum() == trials["accepted"].sum(), "Every answer is an accepted trial: bee merge --rebuild."
months = history.means(measured, 7)
print(f"{len(puzzles):,} puzzles, {puzzles['date'].min()} to {puzzles['date'].max()}.")
show.table(
    history.means(measured, 4),
    "A puzzle on average, by year",
    {
        "period": "The year.",
        "puzzles": "Puzzles on disk.",
        "words": "Answers a puzzle.",
        "points": "Points of all answers together.",
        "pangrams": "Pangrams a puzzle.",
        "perfect": "Perfect pangrams a puzzle: each letter once.",
        "longest": "Letters of the longest answer.",
        "bingo": "Share of puzzles in which every letter starts some answer.",
    },
    {name: "{:.2f}" for name in ("pangrams", "perfect", "longest")}
    | {"words": "{:.1f}", "points": "{:.0f}", "bingo": "{:.0%}"},
)

# %% [markdown]
# ## Words and points
#
# In the archive up to 2025, lists became longer at one stroke: 32 answers on average in July 2020, 43 in August.
# Since then they have grown slowly.

# %%
drawn = show.axes("Answers of a puzzle, by month", "month", "answers, mean")
drawn.plot(months["period"], months["words"], color=show.ON, linewidth=2)
drawn.set_ylim(0)
show.periods(drawn, months["period"])
show.plot(drawn, len(months) >= show.ENOUGH)

# %%
drawn = show.axes("Points of a puzzle, by month", "month", "points of all answers, mean")
drawn.plot(months["period"], months["points"], color=show.OFF, linewidth=2)
drawn.set_ylim(0)
show.periods(drawn, months["period"])
show.plot(drawn, len(months) >= show.ENOUGH)

# %%
drawn = show.axes("How many answers a puzzle has", "answers", "share of the puzzles, %")
shares = 100 * measured["words"].value_counts(normalize=True).sort_index()
drawn.bar(shares.index, shares, color=show.ON, width=1.0)
middle = measured["words"].median()
drawn.axvline(middle, color="black", linestyle="--", linewidth=0.8)
drawn.text(middle + 0.5, drawn.get_ylim()[1] * 0.95, f"half of the puzzles have {middle:.0f} or fewer")
show.plot(drawn)

# %%
drawn = show.axes("Pangrams of a puzzle, by month", "month", "pangrams, mean")
drawn.plot(months["period"], months["pangrams"], color=show.ON, linewidth=2, label="pangrams")
drawn.plot(months["period"], months["perfect"], color=show.OTHER, linewidth=2, label="perfect pangrams")
drawn.set_ylim(0)
drawn.legend(frameon=False, ncols=2, loc="upper left")
show.periods(drawn, months["period"])
show.plot(drawn, len(months) >= show.ENOUGH)

# %% [markdown]
# ## Letters
#
# No letter is forbidden. S is rare, for it would make plurals of half the list; so are the letters that few words
# have.

# %%
letters = history.letters(puzzles)
assert abs(letters["center"].sum() - 1) < 1e-9, "Every puzzle has one center."
assert abs(letters["outer"].sum() - 6) < 1e-9, "Every puzzle has six outer letters."
drawn = show.axes("Puzzles with a letter", "letter", "share of the puzzles, %")
drawn.bar(letters["letter"], 100 * letters["center"], color=show.ON, label="as center")
drawn.bar(
    letters["letter"], 100 * letters["outer"], bottom=100 * letters["center"], color=show.OFF, label="as outer letter"
)
drawn.legend(frameon=False)
show.plot(drawn)

# %%
show.table(
    letters.assign(either=letters["center"] + letters["outer"]).sort_values("either", ascending=False),
    "The same figures, most usual letter first",
    {
        "letter": "The letter.",
        "either": "Share of the puzzles that have it.",
        "center": "Share of the puzzles that have it as center.",
        "outer": "Share of the puzzles that have it as outer letter.",
    },
    {"either": "{:.1%}", "center": "{:.1%}", "outer": "{:.1%}"},
)

# %% [markdown]
# ## Debuts
#
# Answers that were never accepted before. At first every word is new; what remains after some years is what a list
# has to guess, so it sets the pace at which any frozen list grows old. The longer lists from August 2020 on brought
# many new words with them. The orange part had been refused before: these words changed sides.

# %%
debuts = history.debuts(trials)
accepted = trials[trials["accepted"]].groupby(trials["date"].str[:7]).size()
assert len(debuts) == trials["word"][trials["accepted"]].nunique(), "Every accepted word has one debut."
monthly = debuts.assign(period=debuts["date"].str[:7], turned=debuts["refused"] > 0)
monthly = (
    monthly.groupby("period")
    .agg(debuts=("word", "size"), turned=("turned", "sum"))
    .reindex(accepted.index, fill_value=0)
)
monthly = (100 * monthly.div(accepted, axis=0)).rename_axis("period").reset_index()
late = monthly[12:] if len(monthly) > 24 else monthly
drawn = show.axes("Debuts among the answers, by month, without the first year", "month", "share of the answers, %")
drawn.bar(late["period"], late["debuts"], color=show.OTHER, label="accepted for the first time")
drawn.bar(late["period"], late["turned"], color=show.ON, label="of these, refused before")
drawn.legend(frameon=False)
show.periods(drawn, late["period"])
show.plot(drawn, len(months) >= show.ENOUGH)

# %%
recent = debuts[debuts["refused"] > 0].sort_values(["date", "word"], ascending=[False, True]).head(30)
show.table(
    recent.assign(month=recent["date"].str[:7], word=recent["word"].map(veiled))[["word", "month", "refused"]],
    "The latest debuts of words that had been refused",
    {
        "word": "The word; veiled when it is on the offensive axis.",
        "month": "Month of its first acceptance.",
        "refused": "How many times it had been refused before.",
    },
)

# %% [markdown]
# ## Words that changed sides
#
# A *turn* is a trial that went another way than the word's trial before it. In the archive words go both ways at
# much the same pace, some eighty turns a year; no frozen list can foresee them.

# %%
turns = history.turns(trials)
assert (turns["before"] > 0).all(), "A turn needs a trial before it."
quarters = turns.assign(
    period=turns["date"].str[:4] + " Q" + ((turns["date"].str[5:7].astype(int) + 2) // 3).astype(str)
)
quarters = (
    quarters.groupby(["period", "accepted"]).size().unstack(fill_value=0).reindex(columns=[True, False], fill_value=0)
)
drawn = show.axes("Words that changed sides, by quarter", "quarter", "words")
drawn.bar(quarters.index, quarters[True], color=show.ON)
drawn.bar(quarters.index, -quarters[False], color=show.OFF)
drawn.axhline(0, color="black", linewidth=0.8)
drawn.yaxis.set_major_formatter(lambda value, _: f"{abs(value):g}")
drawn.text(0.01, 0.95, "accepted after a refusal", color=show.ON, transform=drawn.transAxes)
drawn.text(0.01, 0.03, "refused after an acceptance", color=show.OFF, transform=drawn.transAxes)
show.periods(drawn, quarters.index)
show.plot(drawn, len(months) >= show.ENOUGH)

# %% [markdown]
# A timeline of the words that turned most often: a dot is a trial, filled when the word was accepted, hollow when
# it was refused. Some words drift, some flicker: of those not even the last trial says much.

# %%
most = turns.groupby("word").size().sort_index().sort_values(ascending=False, kind="stable").head(16).index[::-1]
drawn = show.axes("Trials of the words that changed sides most often", "year", "", 9, 5)
for place, word in enumerate(most):
    days = trials[trials["word"] == word]
    years = days["date"].str[:4].astype(int) + (days["date"].str[5:7].astype(int) - 0.5) / 12
    drawn.plot([years.min(), years.max()], [place, place], color="#dddddd", linewidth=1, zorder=0)
    for side, colour, inside in ((True, show.ON, show.ON), (False, show.OFF, "white")):
        when = years[days["accepted"] == side]
        drawn.scatter(when, [place] * len(when), s=26, edgecolor=colour, facecolor=inside)
drawn.set_yticks(range(len(most)), [veiled(word) for word in most])
show.plot(drawn, len(months) >= show.ENOUGH)

# %%
latest = turns.sort_values(["date", "word"], ascending=[False, True]).head(40)
latest = latest.assign(
    word=latest["word"].map(veiled),
    month=latest["date"].str[:7],
    now=latest["accepted"].map({True: "accepted", False: "refused"}),
)
show.table(
    latest[["word", "month", "now", "before"]],
    "The latest turns",
    {
        "word": "The word; veiled when it is on the offensive axis.",
        "month": "Month of the trial that went another way.",
        "now": "What it has been since that trial, or until the next turn.",
        "before": "Trials in a row that had gone the other way before.",
    },
)
