"""The stages: each is a pure function whose parameters name its inputs in `registry`; `runner` runs them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from pipeline import reader
from pipeline.facts import by_hand
from pipeline.facts import corrections as correcting
from pipeline.facts import lexicon as joining
from pipeline.facts import lists as listing
from pipeline.facts import merge as merging
from pipeline.facts import own_lists as owning
from pipeline.facts.evidence import Evidence
from pipeline.facts.own_lists import OwnList
from pipeline.fetching import wanted
from pipeline.fetching.captures import Captures
from pipeline.intake import checkpoint as checkpoints
from pipeline.intake import counting
from pipeline.intake import forecast as forecasting
from pipeline.intake import new_days as walking
from pipeline.intake import track as tracking
from pipeline.intake.checkpoint import Checkpoint
from pipeline.intake.counting import Base
from pipeline.opinions import bounds, constancy, decide, estimate, families
from pipeline.opinions import flag as flagging
from pipeline.opinions import model as modeling
from pipeline.opinions import relatives as linking
from pipeline.opinions.model import Model
from pipeline.publishing import check as checking
from pipeline.publishing import graded_relatives
from pipeline.publishing import publish as publishing
from pipeline.sources import LIVE_SITES, TRUST_RANK
from pipeline.tables import columns, frames
from pipeline.violations import Finding
from pipeline.words import TIERS

Counts = dict[str, int]
"""The numbers that a stage reports, by name."""


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage: its command, a pure function, the names of its results, and the numbers that it reports.

    The function's parameters are names in the registry: the inputs of the stage. Keyword-only parameters are options
    of its command. A stage with `on_fresh` refuses to run if tables are out of date.
    """

    name: str
    work: Callable[..., dict[str, Any]]
    makes: tuple[str, ...]
    counts: Callable[[Mapping[str, Any]], Counts]
    on_fresh: bool = False

    @property
    def reads(self) -> tuple[str, ...]:
        """The names of the inputs."""
        parameters = inspect.signature(self.work).parameters.values()
        return tuple(found.name for found in parameters if found.kind is not found.KEYWORD_ONLY)


def _count_rows(*names: str) -> Callable[[Mapping[str, Any]], Counts]:
    """Count the rows of tables."""
    return lambda made: {name: len(made[name]) for name in names}


def _count_by(table: str, column: str, names: Mapping[str, str]) -> Callable[[Mapping[str, Any]], Counts]:
    """Count the rows of a table with each value of a column; `names` are the values, with the names to show."""
    return lambda made: {name: int((made[table][column] == value).sum()) for value, name in names.items()}


Tables = dict[str, Any]


def lexicon(lexicon_files: Mapping[str, bytes], own_lists: Mapping[str, OwnList]) -> Tables:
    """Makes lexicon and frequencies from word lists."""
    joined = joining.join(listing.tables(lexicon_files), owning.own_column(own_lists.values()))
    frequencies = joining.frequencies(joined["word"].tolist())
    return {"lexicon": joining.lexicon(joined, frequencies), "frequencies": frequencies}


def facts(captures: Captures, requests: pd.DataFrame, corrections: pd.DataFrame) -> Tables:
    """Makes puzzles, answers, conflicts and faults from captures and corrections."""
    settled = wanted.settled_days(captures, requests)
    corrected = correcting.apply_corrections(captures.days, by_hand.valid_rows("corrections", corrections))
    days = corrected.days
    puzzles, answers, conflicts = merging.reconcile(days, TRUST_RANK, settled)
    final = {day.date for source, day in days if (source, day.date) in settled}
    dates = sorted({day.date for _, day in captures.days})
    findings = [Finding(fault.rule, fault.location, fault.detail) for fault in captures.faults]
    findings += merging.refused_and_accepted(days) + corrected.faults
    return {
        "parsed": captures.parsed,
        "dates": frames.from_rows([{"date": date, "final": date in final} for date in dates], "dates"),
        "puzzles": puzzles,
        "answers": answers,
        "conflicts": conflicts,
        "reported": merging.reported(days, conflicts),
        "faults": frames.from_findings(findings, "faults"),
    }


def record(
    dates: pd.DataFrame,
    puzzles: pd.DataFrame,
    answers: pd.DataFrame,
    conflicts: pd.DataFrame,
    reported: pd.DataFrame,
    admitted: pd.DataFrame,
    offensive: pd.DataFrame,
    lexicon: pd.DataFrame,
    frequencies: pd.DataFrame,
    evidence_file: bytes | None,
    base: Base,
    checkpoint: Checkpoint,
    published: frozenset[str],
    corrections: pd.DataFrame,
    track: pd.DataFrame,
    forecasts: pd.DataFrame,
    news: pd.DataFrame,
    learned: Model | None,
    lexicon_files: Mapping[str, bytes],
    own_lists: Mapping[str, OwnList],
    *,
    rebuild: bool = False,
    fit: bool = False,
    added: bool = False,
) -> Tables:
    """Makes candidates, trials, the record and, if there is none, the model, from the facts, the lexicon and the record
    so far."""
    kept = counting.kept(evidence_file, base, rebuild)
    seen, final = set(dates["date"].tolist()), frozenset(dates["date"][dates["final"]].tolist())
    start = counting.start(base, kept, evidence_file, seen, final, set(puzzles["date"].tolist()), rebuild)
    met = {*answers["word"].tolist(), *start.base.record["word"].tolist()}
    unlisted_words = joining.unlisted_words(lexicon, frequencies, met)
    words = joining.with_unlisted_words(lexicon, unlisted_words)
    considered = merging.candidates(words, met)
    tried = merging.trials(puzzles, answers, considered)
    common = frozenset(words["word"][joining.plain(words)].tolist())
    scored = walking.to_score(final - start.before, track, bool(kept.covered), rebuild)
    unvouched = frozenset(LIVE_SITES) | set(puzzles["source"].tolist()) - TRUST_RANK.keys()
    given = walking.Facts(
        *(
            start.base,
            puzzles,
            answers,
            conflicts,
            tried,
            common,
            by_hand.valid_rows("admitted", admitted),
            final,
            scored,
        ),
        *(
            unvouched,
            constancy.rarities(words, tried["word"]),
            start.kept.waits,
            correcting.corrected_words(corrections),
        ),
        versions=tracking.by_date(reported, considered),
    )
    used: dict[str, Mapping[str, float]] = {}
    forecast = forecasting.forecaster(words, offensive, forecasts, used, modeling.usable(learned, kept.covered))
    walked, closed = checkpoints.walk(given, forecast, checkpoints.NOTHING if rebuild else checkpoint)
    before = published | kept.covered | start.kept.covered
    after = walked.settled.covered | correcting.rejected_dates(corrections) | set(walked.waiting["date"])
    counting.need_all(before, after, rebuild and kept is not base.kept)
    if learned is None or fit:
        grades = flagging.offensive_words(flagging.flag(words, offensive))
        known = estimate.known(words, walked.evidence.record, grades)
        model = estimate.fit_added(known, learned) if learned and added else estimate.fit(known)
        learned = modeling.fitted_on(model, walked.evidence.covered, listing.digest(lexicon_files, own_lists))
    return {
        "unlisted_words": unlisted_words,
        "candidates": considered,
        "trials": tried,
        "forecasts": forecasting.table(used) if used else forecasts,
        "waiting": walked.waiting,
        "versions": walked.versions,
        "evidence": walked.evidence,
        "track": walking.updated("track", track, walked.track, walked.scored, walked.settled),
        "news": walking.updated("news", news, walked.news, walked.scored, walked.settled),
        "base": counting.next_base(start, walked.settled, evidence_file, rebuild or not kept.covered),
        "checkpoint": closed,
        "settled": walked.settled,
        "model": learned,
    }


def relatives(lexicon: pd.DataFrame, unlisted_words: pd.DataFrame) -> Tables:
    """Makes links between words from the lexicon, and the families of unusual spellings."""
    words = joining.with_unlisted_words(lexicon, unlisted_words)
    links = linking.links(words)
    return {
        "links": links,
        "same_stem": linking.same_stem(words),
        "spellings": bounds.families(words, linking.roots(words, links)),
    }


def flags(lexicon: pd.DataFrame, unlisted_words: pd.DataFrame, offensive: pd.DataFrame) -> Tables:
    """Makes flags from lexicon and grades."""
    return {"flags": flagging.flag(joining.with_unlisted_words(lexicon, unlisted_words), offensive)}


def estimates(
    lexicon: pd.DataFrame,
    unlisted_words: pd.DataFrame,
    links: pd.DataFrame,
    same_stem: pd.DataFrame,
    evidence: Evidence,
    candidates: pd.DataFrame,
    offensive_words: pd.DataFrame,
    model: Model,
) -> Tables:
    """Makes the probabilities of words: by the model if there is no trial, else by the record."""
    words = joining.with_unlisted_words(lexicon, unlisted_words)
    known = estimate.Known(words, links, same_stem, evidence.record, offensive_words)
    untried = estimate.estimate(known, model, candidates["word"])
    tried = constancy.estimate(evidence.record, evidence.covered, words, offensive_words["word"].tolist())
    return {"estimates": frames.check(pd.concat([untried, tried], ignore_index=True), "estimates")}


def decisions(
    candidates: pd.DataFrame,
    evidence: Evidence,
    estimates: pd.DataFrame,
    never_listed: pd.DataFrame,
    verdicts: pd.DataFrame,
    lemmas: pd.DataFrame,
    spellings: pd.DataFrame,
) -> Tables:
    """Makes decisions from evidence, estimates, never_listed words, verdicts, word forms and spellings."""
    limits = bounds.limits(evidence.record, verdicts, lemmas, spellings)
    shared = families.bind(bounds.limited(estimates, limits), families.forms(lemmas), verdicts["word"].tolist())
    return {"decisions": decide.decide(candidates, evidence.record, shared, never_listed, verdicts, lemmas)}


def diff(trials: pd.DataFrame, decisions: pd.DataFrame) -> Tables:
    """Makes diffs from trials and decisions."""
    return {"diffs": checking.diff(trials, decisions)}


def check(
    faults: pd.DataFrame,
    conflicts: pd.DataFrame,
    puzzles: pd.DataFrame,
    answers: pd.DataFrame,
    trials: pd.DataFrame,
    candidates: pd.DataFrame,
    never_listed: pd.DataFrame,
    decisions: pd.DataFrame,
    evidence: Evidence,
    lemmas: pd.DataFrame,
    verdicts: pd.DataFrame,
    grades: pd.DataFrame,
    admitted: pd.DataFrame,
    corrections: pd.DataFrame,
    lines: by_hand.LineNumbers,
    lexicon_files: Mapping[str, bytes],
    own_lists: Mapping[str, OwnList],
    waiting: pd.DataFrame,
    track: pd.DataFrame,
    model: Model,
    offensive_words: pd.DataFrame,
    spellings: pd.DataFrame,
    glosses: pd.DataFrame,
) -> Tables:
    """Makes violations from all tables."""
    judged = evidence.record[columns.among(evidence.record["word"], verdicts["word"])]
    tried = decide.by_record(candidates, judged, never_listed)
    outdated = modeling.outdated(model, evidence.covered, listing.digest(lexicon_files, own_lists))
    by_people = {"verdicts": verdicts, "grades": grades, "admitted": admitted, "corrections": corrections}
    found = checking.join(
        checking.check_captures(faults, conflicts, puzzles, answers, trials, decisions, lines),
        checking.check_days(waiting, track, evidence.covered),
        checking.check_release(evidence.record, decisions, verdicts, tried),
        checking.check_families(families.forms(lemmas), decisions),
        checking.check_by_hand(
            {**by_people, "glosses": glosses},
            lines,
            [candidates["word"], lemmas["word"], evidence.record["word"]],
            waiting,
        ),
        checking.found("model-outdated", [("model.csv", outdated)] if outdated else []),
        checking.found("lexicon-changed", listing.changed_files(lexicon_files)),
        checking.found("own-list", owning.warnings(own_lists)),
        frames.from_findings(
            graded_relatives.differ(
                decisions["word"][decisions["tier"] != TIERS[-1]].tolist(),
                dict(zip(offensive_words["word"], offensive_words["flag"], strict=True)),
                {*grades["word"]},
                dict(zip(lemmas["word"], lemmas["lemma"], strict=True)),
                zip(spellings["variant"], spellings["root"], strict=True),
                glosses.to_numpy().tolist(),
                listing.glosses(lexicon_files),
            )
        ),
    )
    return {"violations": found}


def publish(
    flags: pd.DataFrame,
    probabilities: pd.DataFrame,
    decisions: pd.DataFrame,
    violations: pd.DataFrame,
    evidence: Evidence,
    beside: Mapping[str, bytes],
    lexicon_files: Mapping[str, bytes],
    own_lists: Mapping[str, OwnList],
    license: str,
    release: reader.Release | None,
    *,
    force: bool = False,
    approve: bool = False,
) -> Tables:
    """Makes the next release from all tables, or refuses."""
    tables = {"flags": flags, "estimates": probabilities, "decisions": decisions, "violations": violations}
    tables["evidence"] = evidence.record
    texts = {"This release": license, **listing.licenses(lexicon_files), **owning.licenses(own_lists)}
    sources = pd.concat([listing.sources(lexicon_files), owning.sources(own_lists)], ignore_index=True)
    scowl = lexicon_files["scowl.csv.gz"]
    cut = publishing.publish(tables, evidence.covered, beside, sources, texts, release, scowl, force, approve)
    return {"release": cut}


STAGES: tuple[Stage, ...] = (
    Stage("lexicon", lexicon, ("lexicon", "frequencies"), _count_rows("lexicon")),
    Stage(
        "facts",
        facts,
        ("parsed", "dates", "puzzles", "answers", "conflicts", "reported", "faults"),
        _count_rows("puzzles", "answers", "conflicts"),
    ),
    Stage(
        "record",
        record,
        (
            *("unlisted_words", "candidates", "trials", "forecasts", "waiting", "versions"),
            *("evidence", "track", "news", "base", "checkpoint", "settled", "model"),
        ),
        lambda made: {"covered": len(made["settled"].covered), **_count_rows("candidates", "trials")(made)},
    ),
    Stage("relatives", relatives, ("links", "same_stem", "spellings"), _count_rows("links")),
    Stage("flags", flags, ("flags",), _count_rows("flags")),
    Stage("estimates", estimates, ("estimates",), _count_rows("estimates")),
    Stage("decisions", decisions, ("decisions",), _count_by("decisions", "tier", {tier: tier for tier in TIERS})),
    Stage("diff", diff, ("diffs",), _count_by("diffs", "side", {"missing": "missing", "extra": "extra"})),
    Stage(
        "check", check, ("violations",), _count_by("violations", "severity", {"error": "errors", "warning": "warnings"})
    ),
    Stage(
        "publish",
        publish,
        ("release",),
        lambda made: {name: getattr(made["release"], name) for name in ("words", "added", "removed")},
        on_fresh=True,
    ),
)
BY_NAME = {stage.name: stage for stage in STAGES}
