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
# This notebook counts properties of the puzzles and words on disk. It does not show the answers of any day.

# %%
import history
import html_tables
import notebook_data
import own
import plots

# %% [markdown]
# ## What is an average puzzle?

# %%
data = notebook_data.load(show_offensive=False)  # True shows offensive words
puzzles, trials = data.puzzles, data.trials
figures = history.measure_puzzles(puzzles, data.answers)
assert len(figures) == len(puzzles), "Every puzzle has answers."
assert (figures["pangrams"] >= 1).all(), "Every puzzle has a pangram."
assert figures["words"].sum() == trials["accepted"].sum(), "Answers are accepted trials: `bee merge --rebuild`."
print(f"{len(puzzles):,} puzzles, {puzzles['date'].min()} to {puzzles['date'].max()}.")
html_tables.as_table(history.average_figures(figures, "year"), "The average puzzle, by year", "years")

# %% [markdown]
# ## How many answers does a puzzle have, and how many points?
#
# In the archive up to 2025, the number of answers jumped once: from an average of 32 in July 2020 to 43 in August 2020.
# Since then it has grown slowly.

# %%
months = history.average_figures(figures, "month")
plots.monthly_curves("Answers of a puzzle", months["period"], "answers, mean", {"answers": months["words"]})

# %%
points = {"points": months["points"]}
plots.monthly_curves("Points of a puzzle", months["period"], "points of all answers, mean", points)

# %%
plots.answer_counts(figures)

# %%
pangrams = {"pangrams": months["pangrams"], "perfect pangrams": months["perfect"]}
plots.monthly_curves("Pangrams of a puzzle", months["period"], "pangrams, mean", pangrams)

# %% [markdown]
# ## Which letters does a puzzle have?
#
# No letter is forbidden. S is rare, because it would allow plurals of half of the list. Letters that occur in few words
# are also rare.

# %%
letters = history.letter_shares(puzzles)
assert abs(letters["center"].sum() - 1) < 1e-9, "Every puzzle has one center."
assert abs(letters["outer"].sum() - 6) < 1e-9, "Every puzzle has six outer letters."
plots.letter_shares(letters)

# %%
letters["either"] = letters["center"] + letters["outer"]
letters = letters.sort_values("either", ascending=False)
html_tables.as_table(letters, "The same figures, most frequent letter first", "letters")

# %% [markdown]
# ## How many answers are new?
#
# A debut is an answer that was never accepted before. At first every word is new, so the plot leaves out the first of
# several years. The rate after some years shows how many answers a list must guess, and so how fast a frozen list
# becomes outdated. The longer lists from August 2020 on added many new words. The orange part shows words that had been
# refused before: these words changed sides.

# %%
debuts = history.debuts(trials)
assert len(debuts) == trials["word"][trials["accepted"]].nunique(), "Every accepted word has one debut."
plots.debuts(history.debut_shares(trials))

# %%
late_debuts = history.latest_debuts(data, count=30)
html_tables.as_table(late_debuts, "The latest debuts of words that had been refused", "debuts")

# %% [markdown]
# ## Which words changed sides?
#
# A *turn* is a trial with a different outcome than the previous trial of the word. In the archive, turns in both
# directions are about equally frequent, some eighty per year. No frozen list can predict them.

# %%
turns = history.turns(trials)
assert (turns["before"] > 0).all(), "A turn needs a trial before it."
plots.turns(history.turns_by_quarter(turns))

# %% [markdown]
# In this plot a filled dot is a trial that accepted the word, a hollow dot one that refused it. Some words change
# slowly. Others change so often that even the last trial predicts little.

# %%
turn_counts = turns.groupby("word").size().sort_values(ascending=False, kind="stable")
plots.trials_by_year(trials, turn_counts.index[:16], data.censor)

# %%
html_tables.as_table(history.latest_turns(data, count=40), "The latest turns", "turns")

# %% [markdown]
# ## Are our own puzzles like the official ones?
#
# The web page has puzzles that the released list makes possible and that were never official. They should be similar to
# the official ones in number of words, points and difficulty. All puzzles are solved with the same list. The difficulty
# is the average hardness of the answers, weighted by points. The hardness of a word depends on the size of the smallest
# SCOWL list that has it, and on how often it was accepted. It is an estimate, not checked against people.

# %%
solved = own.solve_puzzles(puzzles)
new_letters = own.letters_of(solved.own)
assert new_letters.isdisjoint(own.letters_of(solved.official)), "None of our own puzzles was official."
own.draw_comparison(solved)

# %%
html_tables.as_table(own.average_by_level(solved.own), "Puzzles of our own, by level", "levels")
