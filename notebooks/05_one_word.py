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
# # What is the story of one word?
#
# Type a word into the box to see all that is known about it. To decide, write a reason and press *keep* or *drop*.

# %%
import notebook_data
import one_word
import widgets
from reviewing import Review

# %%
data = notebook_data.load(show_offensive=False)  # True shows offensive words
assert set(data.trials["word"]) <= set(data.candidates["word"]), "Every tried word is known: `bee run` learns it."
review = Review(data.workspace)
widgets.WordBox(review, "luff", lambda word: one_word.describe(word, data), data.censor)
