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
# # What is new, and what should I decide?
#
# Decide from the top: press *keep*, *drop* or *skip* in Jupyter, or run the command.

# %%
import history
import html_tables
import news
import notebook_data
import plots
import widgets
from reviewing import Review

data = notebook_data.load(show_offensive=False)  # True shows offensive words

# %%
new = news.new_days(data)
questions, benefit = news.questions(data, limit=40)
assert not set(questions["word"]) & set(data.verdicts["word"]), "A word with a verdict is not in the queue."
print(f"{new.summary}\n{benefit}")
review = Review(data.workspace)
widgets.VerdictTable(review, questions, "The first words of the queue", "questions", data.censor)

# %%
plots.new_days(new.days)

# %% [markdown]
# ## How does the queue order words?
#
# Words that the newest days left open come first. Then come words whose probability does not fit how common they are,
# and then doubtful words. Words with the most points come first, and words of a family stay together.
#
# A verdict overrides every later trial, so its reason must still be true next year. The buttons write into
# `data/custom/verdicts.csv`. *Undo* takes back the last verdict. *Apply* makes the list, as `bee run` does.

# %% [markdown]
# ## Which days wait?
#
# These days do not count yet. Each line says why, and what ends it.

# %%
news.waiting_days(data)

# %% [markdown]
# ## How good was the list on the newest days?
#
# Each day is compared with the list as it was before that day. A day that one site alone has waits for a second site or
# a person if four or more words are missing or extra.

# %%
assert new.days["date"].is_unique, "A day has one row."
html_tables.as_table(new.days, "The days, newest first", "days")

# %% [markdown]
# ## Which words were missing or extra?
#
# A missing word was an answer, but not on the approved list. An extra word was on that list, but refused. The list
# already reflects these trials. Decide only if you think that the latest trial was a mistake.

# %%
assert set(new.words["side"]) <= {"missing", "extra"}, "A word was missing from the list, or extra on it."
words = widgets.censored_cells(new.words, data.censor)
html_tables.as_table(words, "Missing and extra words of these days", "news")

# %% [markdown]
# ## How did the list change since the approved release?
#
# The cause is a trial of the word itself, or of words that its estimate depends on.

# %%
changes, caption = news.changes_since_release(data)
html_tables.as_table(changes, caption, "changes")

# %% [markdown]
# ## Where are the most points at stake?
#
# This table counts every puzzle of the record, on disk or not. A word that changed sides once needs no verdict, but
# its old trials stay here. Sort by *turns* to find words that change sides often.

# %%
worst = history.points_at_stake(data, count=100)
assert worst["because"].str.len().gt(0).all(), "Every decision gives its reason."
worst["command"] = news.verdict_commands(worst["word"], data)
worst = widgets.censored_cells(worst, data.censor)
html_tables.as_table(worst, f"The {len(worst)} words with the most points at stake", "stakes")
