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
# Type a word into the box, or set `WORD` and run all cells again. The notebook shows everything that determines its
# tier: its trials by year, the records of its relatives, its estimate with the reasons, its flags, its entries in the
# word lists, and its verdict.

# %%
import os

import one_word
import reviewing
import widgets

from pipeline import store
from pipeline.run import registry

WORD = "luff"
SHOW_OFFENSIVE = False  # True shows offensive words, which are hidden by default
workspace = store.find_workspace(os.environ.get("BEE_DATA"))
review = reviewing.Review(workspace)
widgets.start()

# %%
tables = {**registry.opinions(workspace), "trials": registry.load(workspace, "trials")}
veiled = widgets.veil(tables["flags"], SHOW_OFFENSIVE)

assert set(tables["trials"]["word"]) <= set(tables["candidates"]["word"]), "Every tried word is a candidate: bee run."
widgets.Asked(WORD, lambda word: one_word.story(word, tables, veiled))

# %% [markdown]
# ## Keep or drop a word
#
# ```python
# review.keep("arborist", "common name of a trade")    # or review.drop; writes the verdict immediately, like bee keep
# review.undo()                                        # takes it back
# ```
#
# A verdict that only repeats the record, such as keeping *luff*, needs `force=True`.

# %%
judged = tables["verdicts"]
print(f"{WORD}: {dict(zip(judged['word'], judged['verdict'], strict=True)).get(WORD, 'no verdict yet')}.")
