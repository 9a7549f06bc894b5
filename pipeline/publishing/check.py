"""Check: where the list and the official answers differ, and violations of the rules of the catalog.

A difference is a measurement, not an error: words change sides, and the record follows afterwards. A violation is a
condition that must not occur; `pipeline/violations.py` has the catalog.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import pandas as pd

from pipeline.facts import by_hand
from pipeline.intake.track import drift as drifting
from pipeline.tables import columns, frames
from pipeline.violations import Finding
from pipeline.words import LISTED, TIER_OF, rule_broken


def diff(trials: pd.DataFrame, decisions: pd.DataFrame) -> pd.DataFrame:
    """List each official answer that is not on the list (missing) and each listed word that was refused (extra)."""
    if trials.empty:
        return frames.empty("diffs")
    listed = columns.among(trials["word"], decisions["word"][columns.among(decisions["tier"], LISTED)])
    frame = trials[trials["accepted"] != listed]
    because = columns.look_up(frame["word"], decisions.set_index("word")["because"], "no decision on this word")
    side = frame["accepted"].map({True: "missing", False: "extra"})
    return frames.check(frame[["date", "word"]].assign(side=side, because=because), "diffs")


def by_word(evidence: pd.DataFrame, decisions: pd.DataFrame) -> pd.DataFrame:
    """Count diffs over all covered puzzles from the record alone: columns word, side, puzzles, because.

    A listed word is extra on every day on which it was refused. An unlisted word is missing on every day on which it
    was accepted. So the counts need no puzzles, and the release can include them.
    """
    place = columns.places(evidence["word"], decisions["word"])
    frame = evidence[place >= 0].reset_index(drop=True)
    decided = decisions.iloc[place[place >= 0]].reset_index(drop=True)
    frame["because"] = decided["because"]
    listed = decided["tier"].isin(LISTED)
    frame["side"] = listed.map({True: "extra", False: "missing"})
    frame["puzzles"] = (frame["offered"] - frame["accepted"]).where(listed, frame["accepted"])
    frame = frame[frame["puzzles"] > 0].sort_values(["puzzles", "word"], ascending=[False, True], ignore_index=True)
    return frame[["word", "side", "puzzles", "because"]]


def check_captures(
    faults: pd.DataFrame,
    conflicts: pd.DataFrame,
    puzzles: pd.DataFrame,
    answers: pd.DataFrame,
    trials: pd.DataFrame,
    decisions: pd.DataFrame,
    lines: by_hand.LineNumbers,
) -> pd.DataFrame:
    """Find violations of scope capture. `faults` (rule, subject, detail) were found while reading; `lines` are the
    line numbers of decisions."""

    def findings() -> Iterator[Finding]:
        for row in frames.rows(faults):
            detail = row["detail"]
            if row["rule"] in ("correction-stale", "correction-met"):
                *source, date, letters = row["subject"].split()
                correction = {"source": " ".join(source), "date": date, "reported": letters}
                detail += f" `{by_hand.undo_command_for_row('corrections', correction, lines)}` takes the line out."
            yield Finding(row["rule"], row["subject"], detail)
        for row in frames.rows(conflicts):
            yield Finding("source-conflict", f"{row['date']} {row['subject']}", row["detail"])
        if trials["accepted"].sum() != len(answers):
            accepted = trials[trials["accepted"]]
            tried = set(zip(accepted["date"].tolist(), accepted["word"].tolist(), strict=True))
            for date, word in zip(answers["date"].tolist(), answers["word"].tolist(), strict=True):
                if (date, word) not in tried:
                    yield Finding("answer-lost", f"{date} {word}", "no trial for this answer")
        listed = decisions["word"][columns.among(decisions["tier"], LISTED)]
        whole = trials["date"][columns.among(trials["word"], listed[columns.pangrams(listed)])]
        for date in sorted(set(puzzles["date"].tolist()) - set(whole.tolist())):
            yield Finding("list-lacks-pangram", date, "no listed word uses all seven letters")

    return frames.from_findings(findings())


def check_days(waiting: pd.DataFrame, track: pd.DataFrame, covered: Iterable[str]) -> pd.DataFrame:
    """Find days that are held or missing, words that wait, and sources that drift."""

    def findings() -> Iterator[Finding]:
        for row in frames.rows(waiting[waiting["kind"] != "provisional"]):
            if row["kind"] == "held":
                yield Finding("day-held", row["date"], row["detail"])
            else:
                yield Finding("word-waits", f"{row['date']} {row['subject']}", row["detail"])
        known = {*covered, *waiting["date"]}
        days = set(pd.date_range(min(known), max(known)).strftime("%Y-%m-%d")) if known else set()
        for date in sorted(days - known):
            yield Finding("day-missing", date, "it is in no capture and not in the evidence; `bee fetch` asks for it")
        for source, detail in drifting(track):
            yield Finding("drift", source, detail)

    return frames.from_findings(findings())


def check_release(
    evidence: pd.DataFrame,
    decisions: pd.DataFrame,
    verdicts: pd.DataFrame,
    tried: pd.DataFrame,
) -> pd.DataFrame:
    """Find violations of scope release; `tried` are the decisions by the record alone (`decide.by_record`)."""

    def findings() -> Iterator[Finding]:
        yield from _of_evidence(evidence)
        yield from _of_decisions(evidence, decisions)
        tiers = {row["word"]: row["tier"] for row in frames.rows(tried)}
        for row in frames.rows(verdicts):
            if tiers.get(row["word"]) == TIER_OF.get(row["verdict"], ""):
                detail = f"by its record it is {tiers[row['word']]} without the verdict"
                yield Finding("verdict-stale", row["word"], detail)

    return frames.from_findings(findings())


def check_families(pairs: pd.DataFrame, decisions: pd.DataFrame) -> pd.DataFrame:
    """Find listed forms without their base, and words without their everyday forms, that only estimates decided.

    `pairs` are those of `families.forms`.
    """
    known = decisions.set_index("word")
    by = {side: columns.look_up(pairs[side], known["by"], "") for side in ("form", "base")}
    tier = {side: columns.look_up(pairs[side], known["tier"], "") for side in ("form", "base")}
    estimated = (by["form"] == "estimate") & (by["base"] == "estimate")
    listed = {side: columns.among(tier[side], LISTED) for side in ("form", "base")}
    alone = listed["form"] & ~listed["base"] & (pairs["pure"] | pairs["verbal"])
    lacking = listed["base"] & ~listed["form"] & pairs["everyday"]

    def findings() -> Iterator[Finding]:
        for row in frames.rows(pairs[estimated & alone]):
            yield Finding("family-split", row["form"], f"it is listed, and its base {row['base']} is not")
        for row in frames.rows(pairs[estimated & lacking]):
            yield Finding("family-split", row["base"], f"it is listed, and its everyday form {row['form']} is not")

    return frames.from_findings(findings())


def check_by_hand(
    tables: Mapping[str, pd.DataFrame], lines: by_hand.LineNumbers, known: Iterable[pd.Series], waiting: pd.DataFrame
) -> pd.DataFrame:
    """Find lines of people's files that mean nothing.

    `tables` are the tables of `by_hand`, `lines` their line numbers, and `known` the words that are in a list, a puzzle
    or the record. Days in `waiting` are held although a line may admit them.
    """

    def findings() -> Iterator[Finding]:
        yield from by_hand.find_invalid_lines(tables, lines)
        forced = tables["verdicts"]["word"][tables["verdicts"]["reason"].str.endswith(by_hand.IN_NO_LIST)]
        words = pd.concat([*known, forced], ignore_index=True)
        for table in ("verdicts", "grades"):
            frame = by_hand.valid_rows(table, tables[table])
            frame = frame[~columns.among(frame["word"], words) & ~frame["reason"].str.endswith(by_hand.IN_NO_LIST)]
            for word in frame["word"].tolist():
                undo = by_hand.undo_command_for_row(table, {"word": word}, lines)
                says = f"no list, puzzle or record knows this word; `{undo}` takes it back"
                yield Finding("word-unknown", word, f"{by_hand.location(table, (word,), lines)}: {says}")
        held = set(waiting["date"][waiting["kind"] == "held"])
        for row in frames.rows(by_hand.valid_rows("admitted", tables["admitted"])):
            if row["date"] in held:
                undo = by_hand.undo_command_for_row("admitted", row, lines)
                says = "the day on disk has other letters or another number of answers, and is held; "
                says += f"`{undo}` takes the line out, and `bee check` shows the day"
                yield Finding(
                    "admission-stale", row["date"], f"{by_hand.location('admitted', (row['date'],), lines)}: {says}"
                )

    return frames.from_findings(findings())


def _of_evidence(evidence: pd.DataFrame) -> Iterator[Finding]:
    accepted, refused = evidence["accepted"], evidence["offered"] - evidence["accepted"]
    dated = ((accepted > 0) == (evidence["last_accepted"] != "")) & ((refused > 0) == (evidence["last_rejected"] != ""))
    for wrong, says in (
        ((accepted < 0) | (refused < 0) | (evidence["offered"] <= 0), "accepted {accepted} of {offered} times"),
        (~dated, "its counts and its dates contradict each other"),
        (evidence["first_accepted"] > evidence["last_accepted"], "first accepted after it was last accepted"),
    ):
        for row in frames.rows(evidence[wrong]):
            yield Finding("evidence-impossible", row["word"], says.format(**row))


def _of_decisions(evidence: pd.DataFrame, decisions: pd.DataFrame) -> Iterator[Finding]:
    for row in frames.rows(decisions[decisions["because"].str.strip() == ""]):
        yield Finding("no-because", row["word"], f"tier {row['tier']}, by {row['by']}")
    listed = decisions["word"][columns.among(decisions["tier"], LISTED)]
    for word in listed[~columns.playable(listed)].tolist():
        yield Finding("not-playable", word, str(rule_broken(word)))
    by_record = columns.among(decisions["word"], evidence["word"]) & (decisions["by"] != "verdict")
    tried = decisions[by_record].merge(evidence, on="word")
    tried["said"] = tried["last_accepted"] > tried["last_rejected"]
    for row in frames.rows(tried[tried["said"] != tried["tier"].isin(LISTED)]):
        word, because, accepted = row["word"], row["because"], row["said"]
        if not accepted:
            yield Finding("refused-listed", word, because)
        elif row["tier"] == "review":
            yield Finding("unvouched", word, because)
        else:
            yield Finding("accepted-unlisted", word, because)


def found(rule: str, findings: Iterable[tuple[str, str]]) -> pd.DataFrame:
    """Make violations of one rule from (subject, detail) pairs."""
    return frames.from_findings(Finding(rule, subject, detail) for subject, detail in findings)


def join(*tables: pd.DataFrame) -> pd.DataFrame:
    """Concatenate tables of violations."""
    return frames.check(pd.concat(tables, ignore_index=True).drop_duplicates(), "violations")
