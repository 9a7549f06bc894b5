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
# This notebook has four parts:
#
# 1. The days since the last release that a person approved. Each day is compared with the list *as it stood before
#    that day was counted*. A word is **missing** if it was an official answer but not on the list. It is **extra** if
#    it was on the list but refused.
# 2. How the list changed since that release.
# 3. The words for which a verdict is most useful.
# 4. Old days, compared with the current list.
#
# In Jupyter each word has buttons for a verdict. A rendered page shows the command instead.

# %%
import os

import history
import news
import plots as show
import reviewing
import widgets

from pipeline import reader, store
from pipeline.measure import backtest
from pipeline.publishing import changes, check, verify
from pipeline.review import queue as queueing
from pipeline.review import verdicts
from pipeline.run import registry
from pipeline.words import LISTED, score

SHOW_OFFENSIVE = False  # True shows offensive words, which are hidden by default
OTHERWISE = 14  # number of days shown if no day is newer than the release
workspace = store.find_workspace(os.environ.get("BEE_DATA"))
review = reviewing.Review(workspace)  # signs with your user name; reviewing.Review(workspace, "ann") with another name
widgets.start()

# %%
opinions = queueing.load(workspace)
decisions, record, lexicon = opinions["decisions"], opinions["evidence"], opinions["lexicon"]
puzzles, trials, links, diffs, track, waiting = registry.load_all(
    workspace, "puzzles", "trials", "links", "diffs", "track", "waiting"
).values()
veiled = widgets.veil(opinions["flags"], SHOW_OFFENSIVE)
listed = set(decisions["word"][decisions["tier"].isin(LISTED)])
because = decisions.set_index("word")["because"]
last_trials = history.recent(trials, 10)

assert set(trials["date"]) == set(puzzles["date"]), "Every puzzle on disk must have trials: bee merge --rebuild."
assert diffs.equals(check.diff(trials, decisions)), "The tables do not belong together: bee run."
release = reader.read(workspace.custom)
approved = release.package["approved"]
dates, newer = news.since(set(puzzles["date"]), approved[:10].replace(".", "-"), OTHERWISE)
days = news.days(dates, puzzles, track, waiting)
words = registry.load(workspace, "news")
words = words[words["date"].isin(dates)].sort_values(["surprise", "word"], ascending=[False, True], ignore_index=True)

covered = f"{len(puzzles):,} puzzles on disk, {puzzles['date'].min()} to {puzzles['date'].max()}."
if newer:
    print(f"{covered} {len(dates)} of them are newer than release {approved}, the last one that a person approved.")
else:
    print(f"{covered} None is newer than release {approved}, so the last {len(dates)} are shown.")
scored = days.dropna(subset="exact")
wrong = int(scored["missing"].sum() + scored["extra"].sum())
if scored.empty:
    print("None of them was scored when it was counted: that needs 100 older days on record.")
else:
    exact, due = int(scored["exact"].sum()), scored["expected"].sum()
    print(f"The list was exactly right on {exact} of {len(scored)} days; the forecast was {due:.1f}.")
if wrong > (kept := int(words["date"].isin(scored["date"]).sum())):
    print(f"{wrong - kept} of their missing and extra words are not on disk; bee merge --rebuild finds them again.")

# %% [markdown]
# ## The days
#
# *expected* is the probability of an exact list according to the forecast. *surprise* is the information content of the
# day in bits, minus the value that the forecast expects. One of 1,120 real days reached 20. A day with 20 or more is
# held until a second source or a person confirms it.

# %%
assert scored["expected"].between(0, 1).all(), "A probability is between 0 and 1."
assert wrong >= kept, "A word of a day is in the counts of that day: bee merge --rebuild."
widgets.as_table(
    days.drop(columns="exact").iloc[::-1],
    "The days, newest first",
    {
        "date": "The day.",
        "source": "The source of the day's answers.",
        "witnesses": "Number of sources that have the day.",
        "answers": "Number of official answers.",
        "missing": "Answers that were not on the list.",
        "extra": "Words of the list that were refused.",
        "expected": "The probability of an exact list.",
        "surprise": "Information content in bits, minus the expected value.",
        "waits": "If the day does not count yet, the reason.",
    },
    {name: "{:.0f}" for name in ("witnesses", "answers", "missing", "extra")}
    | {"expected": "{:.2f}", "surprise": "{:.1f}"},
)

# %% [markdown]
# ## Missing and extra words
#
# These trials are counted now, except for words that wait, so the list already reflects them. Give a verdict only if
# you think that the latest trial of a word was a mistake. The table proposes no verdict that contradicts most of the
# last five trials of a word.


# %%
def proposed(word: str, verdict: str) -> str:
    """Return the command for a verdict, or nothing if most of the last five trials contradict it."""
    command = f'bee {verdict} {word} --reason "…" --by …'
    return command if history.speaks(last_trials.get(word, ""), verdict) else ""


assert set(words["side"]) <= {"missing", "extra"}, "A word was missing from the list, or extra on it."
shown = words.drop(columns="date").assign(
    relatives=words["word"].map(news.relatives(words["word"], lexicon, links, record)),
    now=words["word"].map(because).fillna(""),
    command=[proposed(word, "keep" if word not in listed else "drop") for word in words["word"]],
)
widgets.Verdicts(
    review,
    shown,
    "Missing and extra words of these days, for the list as it stood before each day",
    {
        "word": "The word; hidden if it is offensive.",
        "side": "Missing from the list, or extra on it, on that day.",
        "p": "The probability of being accepted, before that day.",
        "surprise": "The surprise of the outcome, in bits.",
        "before": "What was known about the word before that day.",
        "now": "Why the word is or is not on the list now.",
        "relatives": "Its tried relatives, and how often each was accepted.",
        "witnesses": "Number of sources that have the word; for an extra word, that have the day.",
        "waits": "If the word does not count yet, the reason.",
        "command": "The verdict that would reverse the current decision.",
    },
    {"p": "{:.2f}", "surprise": "{:.1f}"},
    veiled,
)

# %% [markdown]
# ## How the list changed since the approved release
#
# A word is added or removed because it was tried itself, or because the records of other words moved its estimate
# across the threshold.

# %%
moved = news.changes(verify.approved_list(release), listed, because)
kinds = decisions.set_index("word")["kind"]
moved["cause"] = moved["word"].map(kinds).fillna("gone").map(lambda kind: changes.group("", kind))
moved["cause"] = moved["cause"].where(
    moved["cause"] != changes.OTHERS, "Its estimate changed with the records of other words"
)
assert set(moved["word"][moved["change"] == "added"]) <= listed, "A word that was added is on the list: bee run."
widgets.as_table(
    moved[["word", "change", "cause", "because"]].assign(
        word=moved["word"].map(veiled), because=moved["because"].map(veiled)
    ),
    f"{len(moved)} words were added or removed since release {approved}",
    {
        "word": "The word.",
        "change": "Added to the list, or removed from it.",
        "cause": "The cause of the change.",
        "because": "Why the word is or is not on the list now.",
    },
)

# %% [markdown]
# ## The words most worth a verdict
#
# The words of the newest days come first, then words whose estimate does not fit how common they are, then doubtful
# words, by the points that a correct verdict is expected to save. Words of a family stay together. A verdict overrides
# every later trial, so its reason must still be true next year.

# %%
MOST = 40
queue = queueing.queue(opinions)
queue = queue[~queue["word"].isin(verdicts.skipped(workspace))]
first = queue.head(MOST)
first = first.assign(
    gain=1000 * first["gain"],
    relatives=first["word"].map(news.relatives(first["word"], lexicon, links, record)),
    command=[proposed(word, "keep") or proposed(word, "drop") for word in first["word"]],
)
assert not set(first["word"]) & set(opinions["verdicts"]["word"]), "A word with a verdict is not in the queue."
print(queueing.worth(queue))
widgets.Verdicts(
    review,
    first[["word", "family", "tier", "p", "gain", "asks", "because", "relatives", "command"]],
    f"The first {len(first)} words of the queue",
    {
        "word": "The word; hidden if it is offensive.",
        "family": "The base of the word, or the word itself.",
        "tier": "likely is on the list, review and refused are not.",
        "p": "The estimated probability that it would be accepted.",
        "gain": "Expected gain in exact lists per 1,000 puzzles from a correct verdict.",
        "asks": "Why the queue asks about the word.",
        "because": "The reason for the tier.",
        "relatives": "Its tried relatives, and how often each was accepted.",
        "command": "The command to keep it, or bee drop with the same options.",
    },
    {"p": "{:.2f}", "gain": "{:.3f}"},
    veiled,
)

# %% [markdown]
# ## Verdicts as code
#
# ```python
# review.keep("arborist", "common name of a trade")    # writes the same line of data/custom/verdicts.csv as bee keep
# review.drop("aquatinting", "technical term")
# review.undo()                                        # takes the last verdict back
# ```
#
# A verdict that only repeats the record needs `force=True`, for example `review.keep("luff", "sailing term",
# force=True)`. `bee run` applies the verdicts. `bee check` lists verdicts that the record alone would now give.

# %%
decided = opinions["verdicts"]
assert set(decided["verdict"]) <= {"keep", "drop"}, "A verdict is keep or drop."
widgets.as_table(
    decided.assign(word=decided["word"].map(veiled), reason=decided["reason"].map(veiled)),
    f"Verdicts so far: {len(decided)}",
    {
        "word": "The word.",
        "verdict": "Keep it on the list, or drop it.",
        "reason": "The reason.",
        "by": "Who decided.",
        "on": "The date of the verdict.",
    },
)

# %% [markdown]
# ## Old days and the current list
#
# This part compares the current list with all puzzles on disk, which it has seen. The list follows the last trial of
# every word, so almost every diff here is an old trial of a word that changed sides later. The curve shows how much
# the official list has changed since each month. `docs/ACCURACY.md` shows how accurate the list is on puzzles that it
# has *not* seen.

# %%
sided = backtest.sides(trials.merge(puzzles[["date", "center"]], on="date"), listed).assign(list="this list")
months = backtest.scores(sided, "month")
drawn = show.axes("Puzzles for which the current list is exactly right, by month", "month", "exact lists, %")
drawn.plot(months["month"], 100 * months["exact"], color=show.ON, linewidth=2)
drawn.set_ylim(0, 102)
show.periods(drawn, months["month"])
show.plot(drawn, len(months) >= show.ENOUGH)

# %% [markdown]
# ### Why they differ
#
# If a word changed sides once, its old trials remain diffs forever, and it needs no verdict. A word that changed sides
# several times may change again, so consider a verdict for such words.

# %%
turned = history.turns(trials).groupby("word").size()
decided_by = decisions.set_index("word")["by"]
causes = diffs.assign(turns=diffs["word"].map(turned).fillna(0), by=diffs["word"].map(decided_by))
causes["cause"] = "changed sides once"
causes.loc[causes["turns"] > 1, "cause"] = "changed sides several times"
causes.loc[causes["turns"] == 0, "cause"] = "waits for a second witness, or was tried on days that are not on disk"
causes.loc[causes["by"] == "verdict", "cause"] = "a person's verdict"
causes = causes.groupby(["side", "cause"]).agg(words=("word", "nunique"), diffs=("word", "size")).reset_index()
assert causes["diffs"].sum() == len(diffs), "Each diff has one cause."
widgets.as_table(
    causes,
    "Diffs on the puzzles on disk, by cause",
    {
        "side": "Missing from the list, or extra on it.",
        "cause": "The cause, according to the trials of the word.",
        "words": "Number of different words.",
        "diffs": "Number of diffs, one per word and puzzle.",
    },
    {"words": "{:,}", "diffs": "{:,}"},
)

# %% [markdown]
# ### The words with most points at stake
#
# This table counts every puzzle that the record covers, including puzzles that are not on disk. *puzzles* is the number
# of puzzles for which the list is wrong about the word. *at stake* is the number of points in these puzzles. Sort by
# *turns* to find words that change sides often. Filter for `missing` or `extra`, for a word, or for `-+` to find words
# that changed sides recently.

# %%
MOST = 300
worst = check.by_word(record, decisions)
worst["at stake"] = worst["puzzles"] * worst["word"].map(score)
worst["turns"] = worst["word"].map(turned).fillna(0).astype("int64")
worst["last trials"] = worst["word"].map(last_trials).fillna("")
worst = worst.sort_values(["at stake", "word"], ascending=[False, True]).head(MOST)
verbs = worst["side"].map({"missing": "keep", "extra": "drop"})
worst["command"] = [proposed(word, verdict) for word, verdict in zip(worst["word"], verbs, strict=True)]
worst["command"] = worst["command"].where(worst["word"].map(veiled) == worst["word"], "SHOW_OFFENSIVE = True first")
worst["word"], worst["because"] = worst["word"].map(veiled), worst["because"].map(veiled)
assert worst["because"].str.len().gt(0).all(), "Every decision gives its reason."
widgets.as_table(
    worst,
    f"At most {MOST} words, most points at stake first",
    {
        "word": "The word; hidden if it is offensive.",
        "side": "Missing from the list, or extra on it.",
        "puzzles": "Number of puzzles for which the list is wrong about it.",
        "at stake": "Its points times the number of these puzzles.",
        "turns": "How often it changed sides on the puzzles on disk.",
        "last trials": "Up to ten last trials on disk, oldest first: + accepted, - refused.",
        "because": "Why the word is or is not on the list.",
        "command": "The opposite verdict, unless most of the last five trials contradict it.",
    },
    {"puzzles": "{:,}", "at stake": "{:,}"},
)
