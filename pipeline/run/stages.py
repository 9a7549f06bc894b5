"""The stages: each is a pure function whose parameters name its inputs in `registry`; `runner` runs them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from pipeline import reader
from pipeline.facts import corrections as correcting
from pipeline.facts import evidence as recording
from pipeline.facts import lexicon as joining
from pipeline.facts import lists as listing
from pipeline.facts import merge as merging
from pipeline.facts import own_lists as owning
from pipeline.facts.evidence import Evidence
from pipeline.facts.own_lists import OwnList
from pipeline.fetching import wanted
from pipeline.fetching.captures import Captures
from pipeline.intake import counting
from pipeline.intake import forecast as forecasting
from pipeline.intake import new_days as walking
from pipeline.intake.counting import Base
from pipeline.opinions import constancy, decide, estimate
from pipeline.opinions import flag as flagging
from pipeline.opinions import relatives as linking
from pipeline.publishing import check as checking
from pipeline.publishing import diff as comparing
from pipeline.publishing import publish as publishing
from pipeline.run import counts
from pipeline.run.runner import Stage
from pipeline.sources import LIVE, TRUST
from pipeline.tables import columns, frames
from pipeline.violations import Finding

Tables = dict[str, Any]


def lexicon(lexicon_files: Mapping[str, bytes], own_lists: Mapping[str, OwnList]) -> Tables:
    """Makes lexicon and frequencies from word lists."""
    joined = joining.join(listing.tables(lexicon_files), owning.column(own_lists.values()))
    frequencies = joining.frequencies(joined["word"].tolist())
    return {"lexicon": joining.lexicon(joined, frequencies), "frequencies": frequencies}


def facts(
    captures: Captures,
    requests: pd.DataFrame,
    corrections: pd.DataFrame,
    admitted: pd.DataFrame,
    offensive: pd.DataFrame,
    lexicon: pd.DataFrame,
    frequencies: pd.DataFrame,
    evidence_file: bytes | None,
    base: Base,
    track: pd.DataFrame,
    forecasts: pd.DataFrame,
    *,
    rebuild: bool = False,
) -> Tables:
    """Makes puzzles, answers, conflicts, faults, strangers, candidates, trials and the record from captures and
    lexicon."""
    kept = counting.kept(evidence_file, rebuild)
    seen = {day.date for _, day in captures.days}
    if rebuild:
        recording.need_all(kept.covered, seen)
    settled = wanted.settled(captures, requests)
    days, stale = correcting.corrected(captures.days, corrections)
    puzzles, answers, conflicts = merging.reconcile(days, TRUST, settled)
    final = frozenset(day.date for source, day in days if (source, day.date) in settled)
    start = counting.start(base, kept, evidence_file, seen, final, set(puzzles["date"].tolist()), rebuild)
    met = {*answers["word"].tolist(), *start.base.record["word"].tolist()}
    strangers = joining.strangers(lexicon, frequencies, met)
    words = joining.together(lexicon, strangers)
    considered = merging.candidates(words, met)
    tried = merging.trials(puzzles, answers, considered)
    common = frozenset(words["word"][joining.plain(words)].tolist())
    scored = walking.to_score(final - start.before, track, bool(kept.covered), rebuild)
    given = walking.Facts(
        start.base, puzzles, answers, conflicts, tried, common, admitted, final, scored, frozenset(LIVE)
    )
    used: dict[str, Mapping[str, float]] = {}
    walked = walking.walk(given, forecasting.forecaster(words, offensive, forecasts, used))
    findings = [Finding(fault.rule, fault.where, fault.detail) for fault in captures.faults]
    findings += merging.refused_and_accepted(days) + stale
    return {
        "puzzles": puzzles,
        "answers": answers,
        "conflicts": conflicts,
        "faults": frames.from_findings(findings, "faults"),
        "said": captures.said,
        "strangers": strangers,
        "candidates": considered,
        "trials": tried,
        "forecasts": forecasting.table(used) if used else forecasts,
        "waiting": walked.waiting,
        "evidence": walked.evidence,
        "track": walking.together(track, walked, scored),
        "base": counting.next_base(start, walked.settled, evidence_file, rebuild or not kept.covered),
        "settled": walked.settled,
    }


def relatives(lexicon: pd.DataFrame, strangers: pd.DataFrame) -> Tables:
    """Makes links between words from the lexicon."""
    words = joining.together(lexicon, strangers)
    return {"links": linking.links(words), "sisters": linking.sisters(words)}


def flags(lexicon: pd.DataFrame, strangers: pd.DataFrame, offensive: pd.DataFrame) -> Tables:
    """Makes flags from lexicon and grades."""
    return {"flags": flagging.flag(joining.together(lexicon, strangers), offensive)}


def estimates(
    lexicon: pd.DataFrame,
    strangers: pd.DataFrame,
    links: pd.DataFrame,
    sisters: pd.DataFrame,
    evidence: Evidence,
    candidates: pd.DataFrame,
) -> Tables:
    """Makes the probabilities of words: by the model if there is no trial, else by the record."""
    words = joining.together(lexicon, strangers)
    untried = estimate.estimate(words, links, sisters, evidence.record, candidates["word"])
    tried = constancy.estimate(evidence.record, evidence.covered)
    return {"estimates": frames.check(pd.concat([untried, tried], ignore_index=True), "estimates")}


def decisions(
    candidates: pd.DataFrame,
    evidence: Evidence,
    estimates: pd.DataFrame,
    rude: pd.DataFrame,
    verdicts: pd.DataFrame,
    lemmas: pd.DataFrame,
) -> Tables:
    """Makes decisions from evidence, estimates, rude words, verdicts and word forms."""
    return {"decisions": decide.decide(candidates, evidence.record, estimates, rude, verdicts, lemmas)}


def diff(trials: pd.DataFrame, decisions: pd.DataFrame) -> Tables:
    """Makes diffs from trials and decisions."""
    return {"diffs": comparing.diff(trials, decisions)}


def check(
    faults: pd.DataFrame,
    conflicts: pd.DataFrame,
    puzzles: pd.DataFrame,
    answers: pd.DataFrame,
    trials: pd.DataFrame,
    candidates: pd.DataFrame,
    rude: pd.DataFrame,
    estimates: pd.DataFrame,
    decisions: pd.DataFrame,
    evidence: Evidence,
    offensive: pd.DataFrame,
    verdicts: pd.DataFrame,
    verdict_lines: Mapping[tuple[str, ...], int],
    lexicon_files: Mapping[str, bytes],
    own_lists: Mapping[str, OwnList],
    waiting: pd.DataFrame,
    track: pd.DataFrame,
    lemmas: pd.DataFrame,
) -> Tables:
    """Makes violations from all tables."""
    judged = verdicts["word"].tolist()
    about = [each[columns.among(each["word"], judged)] for each in (candidates, evidence.record, estimates, rude)]
    without = decide.decide(about[0], about[1], about[2], about[3], frames.empty("verdicts"), lemmas)
    found = checking.join(
        checking.check_captures(faults, conflicts, puzzles, answers, trials, decisions),
        checking.check_days(waiting, track, evidence.covered),
        checking.check_release(evidence.record, decisions, verdicts, offensive, without, verdict_lines),
        checking.found("lexicon-changed", listing.changed(lexicon_files)),
        checking.found("own-list", owning.warnings(own_lists)),
    )
    return {"violations": found}


def publish(
    flags: pd.DataFrame,
    chances: pd.DataFrame,
    decisions: pd.DataFrame,
    violations: pd.DataFrame,
    evidence: Evidence,
    lexicon_files: Mapping[str, bytes],
    own_lists: Mapping[str, OwnList],
    license: str,
    release: reader.Release | None,
    *,
    force: bool = False,
    approve: bool = False,
) -> Tables:
    """Makes the next release from all tables, or refuses."""
    tables = {"flags": flags, "estimates": chances, "decisions": decisions, "violations": violations}
    tables["evidence"] = evidence.record
    texts = {"This release": license, **listing.licenses(lexicon_files), **owning.licenses(own_lists)}
    sources = pd.concat([listing.sources(lexicon_files), owning.sources(own_lists)], ignore_index=True)
    return {"release": publishing.publish(tables, evidence.covered, sources, texts, release, force, approve)}


STAGES: tuple[Stage, ...] = (
    Stage("lexicon", lexicon, ("lexicon", "frequencies"), counts.sizes("lexicon")),
    Stage(
        "facts",
        facts,
        (
            *("said", "puzzles", "answers", "conflicts", "faults", "strangers", "candidates", "trials"),
            *("forecasts", "waiting", "evidence", "track", "base", "settled"),
        ),
        counts.merged,
    ),
    Stage("relatives", relatives, ("links", "sisters"), counts.sizes("links")),
    Stage("flags", flags, ("flags",), counts.sizes("flags")),
    Stage("estimates", estimates, ("estimates",), counts.sizes("estimates")),
    Stage("decisions", decisions, ("decisions",), counts.decided),
    Stage("diff", diff, ("diffs",), counts.compared),
    Stage("check", check, ("violations",), counts.checked),
    Stage("publish", publish, ("release",), counts.published, on_fresh=True),
)
BY_NAME = {stage.name: stage for stage in STAGES}
