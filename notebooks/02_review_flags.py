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
# A *flag* marks a word that matches a rule. Flags explain; the record decides.

# %%
import flags
import opening
import shown

# %%
book = opening.opened(show_offensive=False)  # True shows offensive words
tried = flags.tried(book)
usual = tried["refused"].mean()
assert set(tried["word"]) <= set(book["estimates"]["word"]), "Every tried word has an estimate: `bee run` makes them."
print(f"{len(tried):,} words were ever tried; {usual:.0%} of them were refused at their last trial.")

# %% [markdown]
# ## What does each flag mark?
#
# The puzzle refuses nearly all words with a `strong` flag, and most words with a `fair` flag. A `note` only explains.
# The dashed line is the share of refused words among *all* tried words. A flag whose bar ends at this line does not
# predict refusal.

# %%
shares = flags.shares(book)
strong = shares[(shares["severity"] == "strong") & (shares["tried"] >= flags.FEW)]
assert len(tried) < 1000 or (strong["refused"] > usual).all(), "Strong flags mark words that are refused more often."
flags.bars(shares, usual)

# %%
shown.as_table(shares, "The catalog of flags, with the share of refused words", "flags")

# %% [markdown]
# ## Do several strong flags say more than one?
#
# The more strong flags a word has, the more certain is its refusal.

# %%
counted = flags.by_strong_flags(book)
assert counted["tried"].sum() == len(tried), "Each tried word is counted once."
shown.as_table(counted, "Tried words by their number of strong flags", "strong flags")

# %% [markdown]
# ## Which flagged words are accepted, and which refused?
#
# The words that the puzzle accepts or refuses most often come first. A pattern among the accepted words shows how the
# rule can be improved.

# %%
shown.as_table(flags.examples(book, most=8), "Up to 8 words per flag on either side", "examples")

# %% [markdown]
# ## Which words are nearest to the threshold?
#
# A word that was never tried is listed if its estimate *p* reaches 0.5. Near this threshold the estimate is least
# certain, so a verdict of a person is most useful there.

# %%
near = flags.near(book, most=200)
assert not set(near["word"]) & set(tried["word"]), "These words were never tried."
shown.as_table(near, f"The {len(near)} words nearest to the threshold", "near")

# %% [markdown]
# ## Which words are offensive?
#
# The grades are `slur`, `vulgar`, `explicit`, `crude` and `sensitive`. A grade never removes an officially accepted
# word from the list. Of words that were never accepted, only slurs and strong vulgarities are left out. A word has at
# most one grade. It comes from `offensive.csv`, where people grade words, or from the base of the word, or from the
# word lists.

# %%
graded = flags.graded(book)
assert not graded["word"].duplicated().any(), "A word has one grade."
open_to_rules = graded[graded["by"] != "verdict"]
slurs = open_to_rules[open_to_rules["listed"] & (open_to_rules["flag"] == "slur")]
assert (slurs["record"] != "never tried").all(), "A slur that was never accepted is not on the list."
off = open_to_rules[open_to_rules["tier"] == "refused"]
assert (off["record"] != "accepted").all(), "A grade never removes an officially accepted word from the list."
shown.as_table(flags.grades(graded), "Graded words by grade", "grades")

# %%
listed = graded[graded["listed"]].assign(word=graded["word"].map(book.veiled))
shown.as_table(listed, "Graded words on the list", "graded")
