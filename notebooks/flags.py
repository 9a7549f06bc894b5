"""Flags: how often the puzzle refused the words that each flag marks, and the words graded as offensive."""

from __future__ import annotations

import pandas as pd
import plots as show
from IPython.display import HTML
from opening import Opened

from pipeline.measure import backtest
from pipeline.opinions import catalog
from pipeline.tables import frames
from pipeline.words import LIKELY, LISTED, OFFENSIVE

FEW = 30
"""With fewer tried words a share is too uncertain to plot."""
COLORS = {"strong": show.ON, "fair": show.OFF, "note": show.OTHER}
"""The color of each severity."""


def tried(book: Opened) -> pd.DataFrame:
    """Return the record of every tried word, with `refused`, whether its last trial refused it."""
    record: pd.DataFrame = book["evidence"]
    return record.assign(refused=record["last_accepted"] <= record["last_rejected"])


def shares(book: Opened) -> pd.DataFrame:
    """Return the catalog of flags: columns flag, severity, rule, marked and tried (words), refused (share of them)."""
    rules = [(rule.id, rule.severity, rule.sentence) for rule in catalog.FLAGS]
    unmeasured = frames.empty("trials").assign(flags="")  # docs/ACCURACY-TABLES.md measures flags on unseen words
    refused = backtest.flag_shares(unmeasured, book["evidence"], book["flags"])[["flag", "tried", "refused"]]
    frame = pd.DataFrame(rules, columns=["flag", "severity", "rule"])
    frame = frame.merge(book["flags"].groupby("flag").size().rename("marked"), on="flag", how="left")
    frame = frame.merge(refused, on="flag", how="left").fillna({"marked": 0, "tried": 0})
    frame = frame.astype({"marked": "int64", "tried": "int64"})
    return frame.sort_values("refused", ascending=False, na_position="last", ignore_index=True)


def bars(shares: pd.DataFrame, usual: float) -> HTML:
    """Draw the share of refused words of each flag with enough tried words; a line marks the share of all words."""
    enough = shares[shares["tried"] >= FEW].iloc[::-1]
    drawn = show.axes(
        "Share of refused words among the tried words with a flag", "refused at the last trial, %", "", 9, 4.5
    )
    drawn.barh(enough["flag"], 100 * enough["refused"], color=enough["severity"].map(COLORS).tolist())
    for place, (share, count) in enumerate(zip(enough["refused"], enough["tried"], strict=True)):
        drawn.text(max(100 * share, 0.5) + 0.5, place, f"{share:.0%} of {count:,}", va="center", fontsize=9,
                   bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5})  # fmt: skip
    drawn.axvline(100 * usual, color="black", linestyle="--", linewidth=0.8, zorder=0.5)
    for place, (severity, color) in enumerate(COLORS.items()):
        drawn.text(1.0, 0.05 + 0.07 * place, severity, color=color, ha="right", transform=drawn.transAxes)
    drawn.set_xlim(0, 115)
    drawn.set_xticks(range(0, 101, 20))
    return show.plot(drawn)


def by_strong_flags(book: Opened) -> pd.DataFrame:
    """Count the tried words by their number of strong flags: columns strong, tried, refused (share)."""
    grave = book["flags"][book["flags"]["severity"] == "strong"].groupby("word").size()
    frame = tried(book)
    frame["strong"] = frame["word"].map(grave).fillna(0).astype("int64")
    return frame.groupby("strong").agg(tried=("word", "size"), refused=("refused", "mean")).reset_index()


def examples(book: Opened, most: int) -> pd.DataFrame:
    """Name words of each flag that the puzzle accepts, and words that it refuses, most often first."""
    harmless = book["flags"][~book["flags"]["flag"].isin(OFFENSIVE)]
    frame = harmless.merge(tried(book), on="word")
    frame["rejected"] = frame["offered"] - frame["accepted"]

    def first(rows: pd.DataFrame, by: str) -> pd.Series:
        rows = rows.sort_values([by, "word"], ascending=[False, True]).groupby("flag").head(most)
        return rows["word"].map(book.veiled).groupby(rows["flag"]).agg(", ".join)

    yes, no = first(frame[~frame["refused"]], "accepted"), first(frame[frame["refused"]], "rejected")
    names = [rule.id for rule in catalog.FLAGS if rule.id in {*frame["flag"]}]
    return pd.DataFrame({"flag": names, "accepted": [*map(yes.get, names)], "refused": [*map(no.get, names)]}).fillna(
        ""
    )


def near(book: Opened, most: int) -> pd.DataFrame:
    """Return the words that were never tried and whose estimate is nearest to the threshold, with tier and flags."""
    harmless = book["flags"][~book["flags"]["flag"].isin(OFFENSIVE)]
    frame = book["estimates"][~book["estimates"]["word"].isin(book["evidence"]["word"])]
    frame = frame.assign(far=(frame["p"] - LIKELY).abs()).sort_values(["far", "word"]).head(most)
    frame = frame.merge(book["decisions"][["word", "tier"]], on="word")
    codes = harmless[harmless["word"].isin(frame["word"])].groupby("word")["flag"].agg(" ".join)
    frame = frame.assign(flags=frame["word"].map(codes).fillna(""), word=frame["word"].map(book.veiled))
    return frame.sort_values(["p", "word"], ascending=[False, True])


def graded(book: Opened) -> pd.DataFrame:
    """Return the offensive words with their grade (`flag`), decision, and the outcome of their last trial: columns
    listed, by hand, and record (accepted, refused or never tried)."""
    frame = book["flags"][book["flags"]["flag"].isin(OFFENSIVE)].merge(book["decisions"], on="word", how="left")
    outcome = tried(book).set_index("word")["refused"].map({True: "refused", False: "accepted"})
    frame = frame.assign(record=frame["word"].map(outcome).fillna("never tried"), listed=frame["tier"].isin(LISTED))
    return frame.assign(**{"by hand": frame["detail"] == "graded by hand"}).sort_values(["flag", "word"])


def grades(graded: pd.DataFrame) -> pd.DataFrame:
    """Count `graded` words by grade, most serious first."""
    outcomes = {"unseen": "never tried", "refused": "refused", "accepted": "accepted"}
    frame = graded.assign(**{name: graded["record"] == outcome for name, outcome in outcomes.items()}, words=True)
    counts = frame.groupby("flag")[["words", "by hand", *outcomes, "listed"]].sum().reindex(list(OFFENSIVE))
    return counts.fillna(0).astype("int64").rename_axis("flag").reset_index()
