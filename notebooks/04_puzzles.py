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
# This notebook counts the puzzles on disk. It does not show the answers of any day.

# %%
import history
import html_tables
import notebook_data
import plots

# %% [markdown]
# ## What is an average puzzle?

# %%
data = notebook_data.load(show_offensive=False)  # True shows offensive words
puzzles, trials = data.puzzles, data.trials
figures = history.measure_puzzles(data.answers)
assert len(figures) == len(puzzles), "Every puzzle has answers."
assert (figures["pangrams"] >= 1).all(), "Every puzzle has a pangram."
assert figures["words"].sum() == trials["accepted"].sum(), "Answers are accepted trials; `bee run` makes both tables."
print(f"{len(puzzles):,} puzzles, {puzzles['date'].min()} to {puzzles['date'].max()}.")
html_tables.as_table(history.average_figures(figures, "Y"), "The average puzzle, by year", "years")

# %% [markdown]
# ## How many answers does a puzzle have?

# %%
plots.answers_by_month(
    history.average_figures(figures, "M"),
    about="The average rose from 32 in July 2020 to 43 in August 2020. Since then it has grown slowly.",
)

# %% [markdown]
# ## Which letters does a puzzle have?
#
# No letter is forbidden. S is rare, because it would allow too many plurals.

# %%
letters = history.letter_shares(puzzles)
assert abs(letters["center"].sum() - 1) < 1e-9, "Every puzzle has one center."
assert abs(letters["outer"].sum() - 6) < 1e-9, "Every puzzle has six outer letters."
letters["either"] = letters["center"] + letters["outer"]
letters = letters.sort_values("either", ascending=False)
html_tables.as_table(letters, "Share of the puzzles that have a letter, most frequent letter first", "letters")

# %% [markdown]
# ## How many answers are new?
#
# A debut is an answer that was never accepted before.

# %%
debuts = history.debuts(trials)
assert len(debuts) == trials["word"][trials["accepted"]].nunique(), "Every accepted word has one debut."
plots.debuts(
    history.debut_shares(trials),
    about="The share of debuts shows how fast a frozen list becomes outdated. The orange part shows words that had "
    "been refused before. At first every word is new, so the plot leaves out the first of several years.",
)

# %% [markdown]
# ## Which words changed sides?
#
# A *turn* is a trial with another outcome than the previous trial of the word.

# %%
turns = history.turns(trials)
assert (turns["before"] > 0).all(), "A turn needs a trial before it."
quarters = history.count_outcomes(turns, "Q")
plots.outcomes(
    "Words that changed sides, by quarter",
    "quarter",
    quarters,
    enough=len(quarters) >= plots.MIN_PERIODS,
    about="There are about eighty turns per year, half of them in each direction. No frozen list can predict them.",
)

# %%
html_tables.as_table(history.latest_turns(data, count=40), "The latest turns", "turns")
