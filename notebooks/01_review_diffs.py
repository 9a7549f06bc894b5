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
# # Where do our list and the official answers part ways?
#
# A *diff* is a word on whose trial the list is wrong: **missing** is an official answer that the list lacks,
# **extra** a listed word that was refused that day. The list follows the last trial of every word, so almost every
# diff below is an old trial of a word that has changed sides since. How good the list is on puzzles that it has
# *not* seen is another figure, which `bee backtest` measures: see `docs/ACCURACY.md`.
#
# What to do here: look at the words with most points at stake, and where you know better than the last trial,
# record a verdict with the command beside the word.

# %%
import os

from pipeline import backtest, decide, diff, history, show, stages, store
from pipeline.words import score

SHOW_OFFENSIVE = False  # True shows the words of the offensive axis, which are veiled otherwise
workspace = store.find_workspace(os.environ.get("BEE_DATA"))
show.start()

# %%
opinions = stages.opinions(workspace)
decisions, record = opinions["decisions"], opinions["evidence"]
puzzles = store.read_table(workspace, "puzzles", "bee merge")
trials = store.read_table(workspace, "trials", "bee merge")
diffs = store.read_table(workspace, "diffs", "bee diff")
veiled = show.veil(opinions["flags"], SHOW_OFFENSIVE)
listed = set(decisions["word"][decisions["tier"].isin(decide.LISTED)])

assert set(trials["date"]) == set(puzzles["date"]), "Every puzzle on disk must have trials: bee merge --rebuild."
assert diffs.equals(diff.diff(trials, decisions)), "The tables do not belong together: bee run."

sided = backtest.sides(trials.merge(puzzles[["date", "center"]], on="date"), listed).assign(list="this list")
print(f"{len(puzzles):,} puzzles on disk, {puzzles['date'].min()} to {puzzles['date'].max()}.")
show.table(
    backtest.table(sided).drop(columns="list"),
    "This list on the puzzles on disk, which it has seen",
    {
        "puzzles": "Puzzles on disk.",
        "precision": "Share of the words we give that are answers.",
        "recall": "Share of the answers that we give.",
        "f1": "The harmonic mean of both.",
        "exact": "The exact-list rate: share of puzzles whose list is right to the last word.",
        "missing": "Missing words a puzzle.",
        "extra": "Extra words a puzzle.",
    },
    {"puzzles": "{:,}", "precision": "{:.4f}", "recall": "{:.4f}", "f1": "{:.4f}", "exact": "{:.1%}"}
    | {"missing": "{:.2f}", "extra": "{:.2f}"},
)

# %% [markdown]
# ## By month
#
# The curve rises towards the present because the newest trials are the ones that decided. Read it backwards: it
# says how far the official list has moved away from what it was in that month.

# %%
months = backtest.table(sided, "month")
drawn = show.axes("Puzzles that today's list gets right to the last word, by month", "month", "exact lists, %")
drawn.plot(months["month"], 100 * months["exact"], color=show.ON, linewidth=2)
drawn.set_ylim(0, 102)
show.periods(drawn, months["month"])
show.plot(drawn, len(months) >= show.ENOUGH)

# %%
drawn = show.axes("Words a puzzle that today's list gets wrong, by month", "month", "words a puzzle")
drawn.bar(months["month"], months["extra"], color=show.ON)
drawn.bar(months["month"], -months["missing"], color=show.OFF)
drawn.axhline(0, color="black", linewidth=0.8)
drawn.yaxis.set_major_formatter(lambda value, _: f"{abs(value):g}")
drawn.text(0.99, 0.95, "extra: listed, refused that day", color=show.ON, ha="right", transform=drawn.transAxes)
drawn.text(0.99, 0.05, "missing: accepted that day, not listed", color=show.OFF, ha="right", transform=drawn.transAxes)
show.periods(drawn, months["month"])
show.plot(drawn, len(months) >= show.ENOUGH)

# %%
show.table(
    months[["month", "puzzles", "exact", "missing", "extra"]].iloc[::-1],
    "The same figures, newest month first",
    {
        "month": "Year and month.",
        "puzzles": "Puzzles of that month on disk.",
        "exact": "Share of them whose list is right to the last word.",
        "missing": "Missing words a puzzle.",
        "extra": "Extra words a puzzle.",
    },
    {"exact": "{:.0%}", "missing": "{:.2f}", "extra": "{:.2f}"},
)

# %% [markdown]
# ## Why they part ways
#
# A word that changed sides once is settled: its old trials stay diffs for ever, and no verdict is needed. A word
# that went back and forth may turn again, so it is the one to think about.

# %%
turned = history.turns(trials).groupby("word").size()
decided_by = decisions.set_index("word")["by"]
causes = diffs.assign(turns=diffs["word"].map(turned).fillna(0), by=diffs["word"].map(decided_by))
causes["cause"] = "changed sides once"
causes.loc[causes["turns"] > 1, "cause"] = "went back and forth"
causes.loc[causes["turns"] == 0, "cause"] = "waits for a second witness, or was tried on days that are not on disk"
causes.loc[causes["by"] == "verdict", "cause"] = "a person's verdict"
causes = causes.groupby(["side", "cause"]).agg(words=("word", "nunique"), diffs=("word", "size")).reset_index()
assert causes["diffs"].sum() == len(diffs), "Each diff has one cause."
show.table(
    causes,
    "Diffs on the puzzles on disk, by cause",
    {
        "side": "Missing from the list, or extra on it.",
        "cause": "What the trials of the word say of it.",
        "words": "Different words.",
        "diffs": "Diffs, one a word and puzzle.",
    },
    {"words": "{:,}", "diffs": "{:,}"},
)

# %% [markdown]
# ## The words with most points at stake
#
# Counted over every puzzle that the record covers, also those that are not on disk: *puzzles* is how often the list
# is wrong about the word, *at stake* the points that a player would have won or missed by it. Sort by *turns* to
# find words that flicker; filter for `missing` or `extra`, for a word, or for `-+` to find words that turned
# lately.

# %%
MOST = 300
worst = diff.by_word(record, decisions)
worst["at stake"] = worst["puzzles"] * worst["word"].map(score)
worst["turns"] = worst["word"].map(turned).fillna(0).astype("int64")
worst["last trials"] = worst["word"].map(history.recent(trials, 10)).fillna("")
worst = worst.sort_values(["at stake", "word"], ascending=[False, True]).head(MOST)
verbs = worst["side"].map({"missing": "keep", "extra": "drop"})
worst["command"] = "bee " + verbs + " " + worst["word"] + ' --reason "…" --by …'
worst["command"] = worst["command"].where(worst["word"].map(veiled) == worst["word"], "SHOW_OFFENSIVE = True first")
worst["word"] = worst["word"].map(veiled)
assert worst["because"].str.len().gt(0).all(), "Every decision gives its reason."
show.table(
    worst,
    f"At most {MOST} words, most points at stake first",
    {
        "word": "The word; veiled when it is on the offensive axis.",
        "side": "Missing from the list, or extra on it.",
        "puzzles": "Puzzles of the record in which the list is wrong about it.",
        "at stake": "Its points times these puzzles.",
        "turns": "How often it changed sides on the puzzles on disk.",
        "last trials": "Up to ten last trials on disk, oldest first: + accepted, - refused.",
        "because": "Why the list has it, or has it not.",
        "command": "Records the opposite as a verdict: fill in your reason and your name.",
    },
    {"puzzles": "{:,}", "at stake": "{:,}"},
)

# %% [markdown]
# ## Words that wait
#
# Accepted at their last trial, yet not on the list: one source alone vouched for them, once, and no word list knows
# them. A second day, a second source or a verdict settles them.

# %%
waiting = decisions[(decisions["tier"] == "review") & (decisions["by"] == "evidence")]
waiting = waiting[["word", "because"]].assign(word=waiting["word"].map(veiled))
show.table(waiting, "Waiting for a second witness", {"word": "The word.", "because": "Why it waits."})

# %% [markdown]
# ## To record a verdict
#
# ```
# bee why luff                                     # what is known of the word
# bee drop luff --reason "…" --by …                # or bee keep; one line in data/custom/verdicts.csv
# bee run                                          # the release follows, and CHANGES.md says why
# ```
#
# A verdict holds against every later trial, so give one only where you expect the official list to stay as you say.
# `bee check` lists a verdict that has become what the record says anyway.

# %%
verdicts = opinions["verdicts"]
assert set(verdicts["verdict"]) <= {"keep", "drop"}, "A verdict is keep or drop."
shown = verdicts.assign(word=verdicts["word"].map(veiled))
show.table(
    shown,
    f"Verdicts so far: {len(verdicts)}",
    {
        "word": "The word.",
        "verdict": "Keep it on the list, or drop it.",
        "reason": "Why.",
        "by": "Who says so.",
        "on": "Since when.",
    },
)
