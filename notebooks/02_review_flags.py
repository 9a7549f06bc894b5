# ---
# jupyter:
#   jupytext:
#     formats: ipynb,py:percent
#     text_representation:
#       extension: .py
#       format_name: percent
#       format_version: '1.3'
#       jupytext_version: 1.19.6
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # What do the flags mark, and are they right?
#
# A *flag* marks a word that matches a rule. Flags explain, and the record decides.

# %%
import flags
import html_tables
import notebook_data

# %%
data = notebook_data.load(show_offensive=False)  # True shows offensive words
tried = flags.tried_words(data)
refused_share = tried["refused"].mean()
assert set(tried["word"]) <= set(data.decisions["word"]), "Every tried word has a decision: `bee run` makes them."
print(f"{len(tried):,} words were ever tried; {refused_share:.0%} of them were refused at their last trial.")

# %% [markdown]
# ## What does each flag mark?
#
# Puzzles refuse nearly all words with a `strong` flag and most with a `fair` flag. A `note` only explains. A flag
# predicts refusal if its share of refused words is above the share of all tried words.

# %%
shares = flags.flag_shares(data)
strong = shares[(shares["severity"] == "strong") & (shares["tried"] >= 30)]
if len(tried) >= 1000:
    assert (strong["refused"] > refused_share).all(), "Strong flags mark words that are refused more often."
html_tables.as_table(shares, "The catalog of flags, with the share of refused words", "flags")

# %% [markdown]
# ## Which flagged words are accepted, and which refused?
#
# The most frequent words come first. A pattern among the accepted words shows how to improve the rule.

# %%
html_tables.as_table(flags.examples(data, count=8), "Up to 8 words per flag on either side", "examples")

# %% [markdown]
# ## Which words are offensive?
#
# The grades are `slur`, `vulgar`, `explicit`, `crude` and `sensitive`. A word has at most one grade. A grade never
# removes an accepted word. Of words that were never accepted, slurs, strong vulgarities and explicit words are left
# out, unless a person keeps them.

# %%
graded = flags.graded_words(data)
assert not graded["word"].duplicated().any(), "A word has one grade."
by_rules = graded[graded["by"] != "verdict"]
slurs = by_rules[by_rules["listed"] & (by_rules["flag"] == "slur")]
assert (slurs["record"] != "never tried").all(), "A slur that was never accepted is not on the list."
refused = by_rules[by_rules["tier"] == "refused"]
assert (refused["record"] != "accepted").all(), "A grade never removes an officially accepted word from the list."
listed = data.censored(graded[graded["listed"]], "word")
html_tables.as_table(listed, "Graded words on the list", "graded")

# %% [markdown]
# ## Which words have an offensive relative, but no grade?
#
# The filters treat a family alike only if a person graded each such word. `bee grade WORD GRADE` does it, and `none` is
# a grade, too.

# %%
without_grade = data.censored(flags.without_grade(data), "word", "relative")
html_tables.as_table(without_grade, "Words without a grade that have an offensive relative", "without-grade")
