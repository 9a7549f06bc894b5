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
# This notebook counts properties of the puzzles and words on disk: letters, answers, points, pangrams, words that were
# accepted for the first time, and words that changed sides. It does not show the answers of any day.

# %%
import os

import history
import plots as show
import widgets

from pipeline import reader, solver, store
from pipeline.play import daily, difficulty
from pipeline.play import puzzles as possible
from pipeline.run import registry

SHOW_OFFENSIVE = False  # True shows offensive words, which are hidden by default
workspace = store.find_workspace(os.environ.get("BEE_DATA"))
widgets.start()

# %%
puzzles = registry.load(workspace, "puzzles")
answers = registry.load(workspace, "answers")
trials = registry.load(workspace, "trials")
veiled = widgets.veil(registry.opinions(workspace)["flags"], SHOW_OFFENSIVE)

measured = history.figures(puzzles, answers)
assert len(measured) == len(puzzles), "Every puzzle has answers."
assert (measured["pangrams"] >= 1).all(), "Every puzzle has a pangram."
assert measured["words"].sum() == trials["accepted"].sum(), "Every answer is an accepted trial: bee merge --rebuild."
months = history.means(measured, 7)
print(f"{len(puzzles):,} puzzles, {puzzles['date'].min()} to {puzzles['date'].max()}.")
widgets.as_table(
    history.means(measured, 4),
    "The average puzzle, by year",
    {
        "period": "The year.",
        "puzzles": "Number of puzzles on disk.",
        "words": "Answers per puzzle.",
        "points": "Points of all answers of a puzzle.",
        "pangrams": "Pangrams per puzzle.",
        "perfect": "Perfect pangrams per puzzle (each letter once).",
        "longest": "Length of the longest answer.",
        "bingo": "Share of puzzles in which every letter starts an answer.",
    },
    {name: "{:.2f}" for name in ("pangrams", "perfect", "longest")}
    | {"words": "{:.1f}", "points": "{:.0f}", "bingo": "{:.0%}"},
)

# %% [markdown]
# ## Words and points
#
# In the archive up to 2025, the number of answers jumped once: from an average of 32 in July 2020 to 43 in August 2020.
# Since then it has grown slowly.

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
# No letter is forbidden. S is rare, because it would allow plurals of half of the list. Letters that occur in few words
# are also rare.

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
widgets.as_table(
    letters.assign(either=letters["center"] + letters["outer"]).sort_values("either", ascending=False),
    "The same figures, most frequent letter first",
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
# A debut is an answer that was never accepted before. At first every word is new. The rate after some years shows how
# many answers a list must guess, and so how fast a frozen list becomes outdated. The longer lists from August 2020 on
# added many new words. The orange part shows words that had been refused before: these words changed sides.

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
widgets.as_table(
    recent.assign(month=recent["date"].str[:7], word=recent["word"].map(veiled))[["word", "month", "refused"]],
    "The latest debuts of words that had been refused",
    {
        "word": "The word; hidden if it is offensive.",
        "month": "Month of its first acceptance.",
        "refused": "How many times it was refused before.",
    },
)

# %% [markdown]
# ## Words that changed sides
#
# A *turn* is a trial with a different outcome than the previous trial of the word. In the archive, turns in both
# directions are about equally frequent, some eighty per year. No frozen list can predict them.

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
# The plot shows the trials of the words that turned most often. A filled dot is a trial that accepted the word, a
# hollow dot one that refused it. Some words change slowly. Others change so often that even the last trial predicts
# little.

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
widgets.as_table(
    latest[["word", "month", "now", "before"]],
    "The latest turns",
    {
        "word": "The word; hidden if it is offensive.",
        "month": "Month of the turn.",
        "now": "The outcome of that trial, and of the next ones until the next turn.",
        "before": "Number of consecutive trials before it with the other outcome.",
    },
)

# %% [markdown]
# ## Puzzles of our own, compared with official ones
#
# The web page has puzzles that the released list makes possible and that were never official. They should be similar to
# the official ones in number of words, points and difficulty. All puzzles are solved with the same list. The difficulty
# is the average hardness of the answers, weighted by points. The hardness of a word depends on the size of the smallest
# SCOWL list that has it, and on how often it was accepted. It is an estimate, not checked against people.

# %%
listed = solver.load_words()
accepted_before = difficulty.accepted(reader.RELEASE)
hard = difficulty.load(listed, accepted_before)
every = possible.possible(listed, hard)
official = every.merge(puzzles[["center", "outer"]].drop_duplicates(), on=["center", "outer"])
released = reader.read(reader.RELEASE, "words.csv").files["words.csv"]
rows = {row["word"]: row for row in reader.word_rows(released)}
pool = daily.pool(listed, hard, rows)
ours = every.assign(level=(every["center"] + every["outer"]).map(pool)).dropna(subset="level")
assert len(ours) == len(pool), "Each of our own puzzles is possible with the list."
assert set(official["center"] + official["outer"]).isdisjoint(ours["center"] + ours["outer"]), (
    "None of our own puzzles was official."
)
plots = []
for column, bin_width in (("words", 4), ("points", 20), ("difficulty", 1)):
    drawn = show.axes(f"Puzzles by {column}", column, "share of the puzzles, %")
    for name, part, color in (("official", official, show.OFF), ("our own", ours, show.ON)):
        shares = 100 * (part[column] // bin_width * bin_width).value_counts(normalize=True).sort_index()
        drawn.step(shares.index, shares, where="post", color=color, label=f"{name} ({len(part):,})")
    drawn.legend(frameon=False)
    plots.append(show.plot(drawn))
show.stacked(plots)

# %%
widgets.as_table(
    ours.groupby("level", as_index=False)
    .agg(puzzles=("words", "size"), words=("words", "mean"), points=("points", "mean"), pangrams=("pangrams", "mean"))
    .sort_values("level", ignore_index=True),
    "Puzzles of our own, by level",
    {
        "level": "Easy, medium and hard are the thirds of the official puzzles by difficulty.",
        "puzzles": "Number of puzzles of this level.",
        "words": "Average number of answers.",
        "points": "Average points.",
        "pangrams": "Average number of pangrams.",
    },
    {"words": "{:.1f}", "points": "{:.0f}", "pangrams": "{:.2f}"},
)
