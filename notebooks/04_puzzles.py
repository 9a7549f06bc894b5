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
import opening
import own
import plots as show
import shown

# %% [markdown]
# ## What is an average puzzle?

# %%
book = opening.opened(show_offensive=False)  # True shows offensive words
puzzles, trials = book["puzzles"], book["trials"]
measured = history.figures(puzzles, book["answers"])
assert len(measured) == len(puzzles), "Every puzzle has answers."
assert (measured["pangrams"] >= 1).all(), "Every puzzle has a pangram."
assert measured["words"].sum() == trials["accepted"].sum(), "Answers are accepted trials: `bee merge --rebuild`."
print(f"{len(puzzles):,} puzzles, {puzzles['date'].min()} to {puzzles['date'].max()}.")
shown.as_table(history.means(measured, 4), "The average puzzle, by year", "years")

# %% [markdown]
# ## How many answers does a puzzle have, and how many points?
#
# In the archive up to 2025, the number of answers jumped once: from an average of 32 in July 2020 to 43 in August 2020.
# Since then it has grown slowly.

# %%
months = history.means(measured, 7)
show.by_month("Answers of a puzzle", months["period"], "answers, mean", {"answers": months["words"]})

# %%
show.by_month("Points of a puzzle", months["period"], "points of all answers, mean", {"points": months["points"]})

# %%
show.answers(measured)

# %%
pangrams = {"pangrams": months["pangrams"], "perfect pangrams": months["perfect"]}
show.by_month("Pangrams of a puzzle", months["period"], "pangrams, mean", pangrams)

# %% [markdown]
# ## Which letters does a puzzle have?
#
# No letter is forbidden. S is rare, because it would allow plurals of half of the list. Letters that occur in few words
# are also rare.

# %%
letters = history.letters(puzzles)
assert abs(letters["center"].sum() - 1) < 1e-9, "Every puzzle has one center."
assert abs(letters["outer"].sum() - 6) < 1e-9, "Every puzzle has six outer letters."
show.letters(letters)

# %%
letters["either"] = letters["center"] + letters["outer"]
shown.as_table(
    letters.sort_values("either", ascending=False), "The same figures, most frequent letter first", "letters"
)

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
show.debuts(history.debut_shares(trials))

# %%
shown.as_table(history.latest_debuts(book, most=30), "The latest debuts of words that had been refused", "debuts")

# %% [markdown]
# ## Which words changed sides?
#
# A *turn* is a trial with a different outcome than the previous trial of the word. In the archive, turns in both
# directions are about equally frequent, some eighty per year. No frozen list can predict them.

# %%
turns = history.turns(trials)
assert (turns["before"] > 0).all(), "A turn needs a trial before it."
show.turns(history.by_quarter(turns))

# %% [markdown]
# In this plot a filled dot is a trial that accepted the word, a hollow dot one that refused it. Some words change
# slowly. Others change so often that even the last trial predicts little.

# %%
often = turns.groupby("word").size().sort_index().sort_values(ascending=False, kind="stable")
show.restless(trials, often.index[:16], book.veiled)

# %%
shown.as_table(history.latest_turns(book, most=40), "The latest turns", "turns")

# %% [markdown]
# ## Are our own puzzles like the official ones?
#
# The web page has puzzles that the released list makes possible and that were never official. They should be similar to
# the official ones in number of words, points and difficulty. All puzzles are solved with the same list. The difficulty
# is the average hardness of the answers, weighted by points. The hardness of a word depends on the size of the smallest
# SCOWL list that has it, and on how often it was accepted. It is an estimate, not checked against people.

# %%
found = own.compared(puzzles)
codes = {name: set(part["center"] + part["outer"]) for name, part in found._asdict().items()}
assert codes["official"].isdisjoint(codes["ours"]), "None of our own puzzles was official."
own.plots(found)

# %%
shown.as_table(own.levels(found.ours), "Puzzles of our own, by level", "levels")
