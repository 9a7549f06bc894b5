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
# # What is new, and which words are worth a verdict?
#
# In Jupyter each word has a box for the reason and the buttons *keep*, *drop* and *skip*. A rendered page shows the
# command instead. A verdict is saved at once, and *Undo* takes it back.

# %%
import history
import html_tables
import news
import notebook_data
import widgets
from reviewing import Review

# %%
data = notebook_data.load(show_offensive=False)  # True shows offensive words
review = Review(data.workspace)
assert notebook_data.consistent(data), "The tables do not come from one run: `bee run` makes them, then run all cells."

# %% [markdown]
# ## How good was the list on the newest days?
#
# These are the days since the last release that a person approved. Each is compared with the list *as it stood before
# that day was counted*. A word is **missing** if it was an official answer but not on the list. It is **extra** if it
# was on the list but refused. A day with a surprise of 20 or more waits until a second source or a person confirms it;
# one of 1,120 real days reached 20.

# %%
new = news.new_days(data)
print(new.summary)
assert new.days["expected"].dropna().between(0, 1).all(), "A probability is between 0 and 1."
html_tables.as_table(new.days, "The days, newest first", "days")

# %% [markdown]
# ## Which days are held?
#
# A held day does not count. Compare the lists of its sources, then give the command of one choice in a terminal.

# %%
news.held_days(data)

# %% [markdown]
# ## Which words were missing or extra?
#
# These trials are counted now, except for words that wait, so the list already reflects them. Give a verdict only if
# you think that the latest trial of a word was a mistake. A page proposes no verdict that contradicts most of the last
# five trials of a word.

# %%
assert set(new.words["side"]) <= {"missing", "extra"}, "A word was missing from the list, or extra on it."
caption = "Missing and extra words of these days that are on disk"
widgets.VerdictTable(review, new.words, caption, "news", data.censor)

# %% [markdown]
# ## How did the list change since the approved release?
#
# A word is added or removed because it was tried itself, or because the records of other words moved its estimate
# across the threshold.

# %%
changes, caption = news.changes_since_release(data)
html_tables.as_table(changes, caption, "changes")

# %% [markdown]
# ## Which words are most worth a verdict?
#
# The words of the newest days come first, then words whose estimate does not fit how common they are, then doubtful
# words, by the points that a correct verdict is expected to save. Words of a family stay together. A verdict overrides
# every later trial, so its reason must still be true next year.

# %%
questions, benefit = news.questions(data, count=40)
assert not set(questions["word"]) & set(data.verdicts["word"]), "A word with a verdict is not in the queue."
print(benefit)
widgets.VerdictTable(review, questions, "The first words of the queue", "questions", data.censor)

# %% [markdown]
# ## Which verdicts are there?
#
# The buttons write into `data/custom/verdicts.csv`; `bee run` in a terminal applies the verdicts. `bee check` lists
# those that the record alone would now give.

# %%
verdicts = data.censored(data.verdicts, "word", "reason")
html_tables.as_table(verdicts, f"Verdicts so far: {len(verdicts):,}", "verdicts")

# %% [markdown]
# ## Where are the most points at stake?
#
# This table counts every puzzle that the record covers, including puzzles that are not on disk. If a word changed sides
# once, its old trials remain diffs forever, and it needs no verdict. Sort by *turns* to find words that change sides
# often. Filter for `missing` or `extra`, for a word, or for `-+` to find words that changed sides recently.

# %%
worst = history.points_at_stake(data, count=300)
assert worst["because"].str.len().gt(0).all(), "Every decision gives its reason."
hidden = worst["word"].map(data.censor) != worst["word"]
worst["command"] = news.verdict_commands(worst["word"], data)
worst.loc[hidden, "command"] = widgets.HIDDEN
worst = data.censored(worst, "word", "because")
html_tables.as_table(worst, f"At most {len(worst)} words, most points at stake first", "stakes")
