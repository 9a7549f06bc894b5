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
# Answer these questions before a release.

# %%
import families
import frozen
import html_tables
import notebook_data

from pipeline import reader

# %% [markdown]
# ## How many words are on the list, and what decided?

# %%
data = notebook_data.load(show_offensive=False)  # True shows offensive words
release = reader.read(data.workspace.custom)
released = release.files["wordlist.txt"].decode().split()
assert set(released) == data.listed, "The release is not made from these decisions: `bee run` makes it."
html_tables.as_table(frozen.count_tiers(data), f"The release: {len(released):,} words on the list", "tiers")

# %% [markdown]
# ## How accurate was the list on the last days?
#
# Each new day is scored before it is counted, with the list as it stood before that day. `bee audit --live` prints the
# same table.

# %%
accuracy = frozen.recent_accuracy(data)
assert accuracy["exact"].between(accuracy["low"], accuracy["high"]).all(), "A share is in its interval."
html_tables.as_table(accuracy, "Accuracy on days before they were counted", "track")

# %% [markdown]
# ## Which words did the last release add and remove?
#
# This is the start of `CHANGES.md`, which is part of every release.

# %%
html_tables.as_text(data.censor(release.files["CHANGES.md"].decode()))

# %% [markdown]
# ## Which words changed in the last six months, and why?
#
# This part makes the list again from the facts known some months ago, and compares it with the current list. A word is
# here because it was tried since then, or because the trials of other words changed its estimate.

# %%
old_list = frozen.freeze(data, months=6)
changes = frozen.changes_since(data, old_list)
assert set(changes["change"]) <= {"added", "removed"}, "A word was added, or it was removed."
print(old_list.summary)
counts = changes.groupby(["change", "cause"]).size().reset_index(name="words")
html_tables.as_table(counts, "Words added and removed", "summary", old_list.empty_text)

# %%
html_tables.as_table(changes, "The same changes, word by word", "changes", old_list.empty_text)

# %% [markdown]
# ## Which families are split?
#
# In a split pair, either the base or its inflected form is on the list, but not both. Only usual words are compared
# (SCOWL up to size 60). If trials decided both words, the official list itself is split, for example when the puzzle
# accepts a word as a noun but not its verb forms. If an estimate decided one of the words, it may be wrong: review
# these pairs first.

# %%
split = families.split_families(data)
assert (split["form"] != split["base"]).all(), "No word is a form of itself."
counts = split.groupby(["on", "base by", "form by"]).size().reset_index(name="pairs")
html_tables.as_table(counts, "Split pairs, by what decided", "split")

# %%
by_trials = split[(split["base by"] == "evidence") & (split["form by"] == "evidence")].head(250)
html_tables.as_table(by_trials, "Pairs split by the official lists, most often tried forms first", "split by trials")

# %%
by_estimate = families.split_by_estimate(split).head(250)
html_tables.as_table(by_estimate, "Pairs split by an estimate, most certain estimates first", "split by estimate")

# %% [markdown]
# ## Which variant spellings are on the list?
#
# This part compares spellings that SCOWL calls variant or British with the usual American spelling. The trials of a
# kind of spelling are the best evidence for untried words of the same kind.

# %%
pairs = families.variants(data.lexicon, data.decisions)
html_tables.as_table(families.count_spellings(pairs), "Kinds of variant spelling", "spellings")

# %%
odd = families.odd_variants(data, pairs)
html_tables.as_table(odd, "Variants on the list without a trial, or without their usual spelling", "variants")

# %% [markdown]
# ## Are the estimated probabilities correct?
#
# This part tests the list that was frozen above on the puzzles since then. Of the untried words with p = 0.8, four in
# five should have been accepted. One span is a small sample; `docs/ACCURACY.md` has the same test over five half-years.

# %%
bins, summary = frozen.calibration(old_list)
print(summary)
frozen.draw_calibration(bins)

# %%
html_tables.as_table(bins, "The bins of the plot", "bins", old_list.empty_text)
