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
import opening
import shown

from pipeline import reader

# %% [markdown]
# ## How many words are on the list, and what decided?

# %%
book = opening.opened(show_offensive=False)  # True shows offensive words
release = reader.read(book.workspace.custom)
released = release.files["wordlist.txt"].decode().split()
assert set(released) == book.listed, "The release is not made from these decisions: `bee run` makes it."
shown.as_table(frozen.tiers(book), f"The release: {len(released):,} words on the list", "tiers")

# %% [markdown]
# ## How accurate was the list on the last days?
#
# Each new day is scored before it is counted, with the list as it stood before that day. `bee audit --live` prints the
# same table.

# %%
track = frozen.track(book)
assert track["exact"].between(track["low"], track["high"]).all(), "A share is in its interval."
shown.as_table(track, "Accuracy on days before they were counted", "track")

# %% [markdown]
# ## Which words did the last release add and remove?
#
# This is the start of `CHANGES.md`, which is part of every release.

# %%
shown.as_text(book.veiled(release.files["CHANGES.md"].decode()))

# %% [markdown]
# ## Which words changed in the last six months, and why?
#
# This part makes the list again from the facts known some months ago, and compares it with the current list. A word is
# here because it was tried since then, or because the trials of other words changed its estimate.

# %%
past = frozen.freeze(book, months=6)
moved = frozen.moved(book, past)
assert set(moved["change"]) <= {"added", "removed"}, "A word was added, or it was removed."
print(past.said)
shown.as_table(frozen.counted(moved), "Words added and removed", "summary", past.none)

# %%
shown.as_table(moved, "The same changes, word by word", "changes", past.none)

# %% [markdown]
# ## Which families are torn?
#
# In a torn pair, either the base or its inflected form is on the list, but not both. Only usual words are compared
# (SCOWL up to size 60). If trials decided both words, the official list itself is torn, for example when the puzzle
# accepts a word as a noun but not its verb forms. If an estimate decided one of the words, it may be wrong: review
# these pairs first.

# %%
torn = frozen.torn(book)
assert (torn["form"] != torn["base"]).all(), "No word is a form of itself."
counts = torn.groupby(["on", "base by", "form by"]).size().rename("families").reset_index()
shown.as_table(counts, "Torn pairs, by what decided", "torn")

# %%
official = torn[(torn["base by"] == "evidence") & (torn["form by"] == "evidence")].head(250)
shown.as_table(official, "Pairs torn by the official lists, most often tried forms first", "torn officially")

# %%
doubtful = frozen.torn_by_estimate(torn).head(250)
shown.as_table(doubtful, "Pairs torn by an estimate, most certain estimates first", "torn by estimate")

# %% [markdown]
# ## Which variant spellings are on the list?
#
# This part compares spellings that SCOWL calls variant or British with the usual American spelling. The trials of a
# kind of spelling are the best evidence for untried words of the same kind.

# %%
pairs = families.variants(book["lexicon"], book["decisions"])
shown.as_table(frozen.spellings(pairs), "Kinds of variant spelling", "spellings")

# %%
odd = frozen.odd_variants(book, pairs)
shown.as_table(odd, "Variants on the list without a trial, or without their usual spelling", "variants")

# %% [markdown]
# ## Are the estimated probabilities correct?
#
# This part tests the list that was frozen above on the puzzles since then. Of the untried words with p = 0.8, four in
# five should have been accepted. One span is a small sample; `docs/ACCURACY.md` has the same test over five half-years.

# %%
bins, said = frozen.calibration(past)
print(said)
frozen.reliability(bins)

# %%
shown.as_table(bins, "The bins of the plot", "bins", past.none)
