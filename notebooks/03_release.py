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
# # What is in the release, and what changed since the last one?
#
# Read this before a release. `bee check` says whether the list is consistent.

# %%
import html_tables
import notebook_data

from pipeline import reader
from pipeline.measure.score import summarize_track

# %% [markdown]
# ## How many words are on the list, and what decided?

# %%
data = notebook_data.load(show_offensive=False)  # True shows offensive words
release = reader.read(data.workspace.custom)
released = release.files["wordlist.txt"].decode().split()
assert set(released) == data.listed, "The release is not made from these decisions: `bee run` makes it."
tiers = data.decisions.groupby(["tier", "by"]).size().reset_index(name="words")
html_tables.as_table(tiers, f"The release: {len(released):,} words on the list", "tiers")

# %% [markdown]
# ## How accurate was the list on the last days?
#
# Each day is compared with the list as it was before that day. `bee audit --live` prints the same table.

# %%
accuracy = summarize_track(data.track)
assert accuracy["exact"].between(accuracy["low"], accuracy["high"]).all(), "A share is in its interval."
html_tables.as_table(accuracy, "Accuracy on days before they were counted", "track")

# %% [markdown]
# ## Which words did the last release add and remove?
#
# This is the start of `CHANGES.md` of the release.

# %%
html_tables.as_text(data.censor(release.files["CHANGES.md"].decode()))
