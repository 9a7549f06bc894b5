"""The stages: what each reads from disk, which pure function it calls, what it writes, and whether it is stale.

A stage is stale when a file that it reads or wrote, or the code of this package, is not as it was after its last run.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from pipeline import (
    check,
    decide,
    diff,
    estimate,
    evidence,
    evidence_file,
    fetch,
    flag,
    frames,
    lexicon,
    lexicon_files,
    merge,
    publish,
    release_files,
    solver,
    store,
)
from pipeline.sources import TRUST
from pipeline.store import Workspace


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage: its command, the files it reads and makes (patterns under the workspace), and what runs it."""

    name: str
    reads: tuple[str, ...]
    makes: tuple[str, ...]
    run: Callable[..., dict[str, int]]


def merge_stage(workspace: Workspace, track: fetch.Track = fetch.untracked, rebuild: bool = False) -> dict[str, int]:
    """Captures and lexicon to puzzles, answers, conflicts, faults, lexicon, candidates, trials and evidence."""
    kept, covered = evidence_file.to_go_on(workspace, rebuild)
    days, faults = fetch.read_captures(workspace, track)
    seen = {day.date for _, day in days}
    days, stale = merge.corrected(days, store.read_custom(workspace, "corrections"))
    puzzles, answers, conflicts = merge.reconcile(days, TRUST)
    if rebuild:
        evidence.need_all(covered, seen)
        kept, covered = frames.empty("evidence"), set()
    lists = lexicon_files.read_lists(workspace)
    met = sorted(set(answers["word"]) | set(kept["word"]))
    words = lexicon.lexicon(lists, lexicon.zipf([*lists["word"], *met]))
    considered = merge.candidates(words, lexicon.plain(words), met)
    trials = merge.trials(puzzles, answers, considered)
    record, covered = evidence.fold(kept, covered, trials, answers, set(puzzles["date"]), seen)
    rows = [{"rule": fault.rule, "subject": fault.where, "detail": fault.detail} for fault in faults]
    rows += merge.refused_and_accepted(days)
    tables = {
        "puzzles": puzzles,
        "answers": answers,
        "conflicts": conflicts,
        "faults": frames.table({tuple(row.values()): row for row in rows + stale}.values(), "faults"),
        "lexicon": words,
        "candidates": considered,
        "trials": trials,
    }
    for name, table in tables.items():
        store.write_table(workspace, name, table)
    store.write_bytes(workspace.custom / "evidence.csv", evidence.sealed(covered, frames.csv_bytes(record)))
    return {"puzzles": len(puzzles), "covered": len(covered), "candidates": len(considered), "trials": len(trials)}


def flag_stage(workspace: Workspace, _track: fetch.Track = fetch.untracked) -> dict[str, int]:
    """Lexicon, evidence and verdicts to flags, estimates and decisions."""
    words = store.read_table(workspace, "lexicon", "bee merge")
    considered = store.read_table(workspace, "candidates", "bee merge")
    record, _ = evidence_file.read(workspace)
    flags = flag.flag(words, store.read_custom(workspace, "offensive"))
    estimates = estimate.estimate(words, record, considered["word"])
    verdicts = store.read_custom(workspace, "verdicts")
    decisions = decide.decide(considered, record, estimates, flags, verdicts)
    store.write_table(workspace, "flags", flags)
    store.write_table(workspace, "estimates", estimates)
    store.write_table(workspace, "decisions", decisions)
    tiers = decisions["tier"].value_counts()
    return {"flags": len(flags), **{tier: int(tiers.get(tier, 0)) for tier in decide.TIERS}}


def diff_stage(workspace: Workspace, _track: fetch.Track = fetch.untracked) -> dict[str, int]:
    """Trials and decisions to diffs."""
    trials = store.read_table(workspace, "trials", "bee merge")
    diffs = diff.diff(trials, store.read_table(workspace, "decisions", "bee flag"))
    store.write_table(workspace, "diffs", diffs)
    sides = diffs["side"].value_counts()
    return {"missing": int(sides.get("missing", 0)), "extra": int(sides.get("extra", 0))}


def check_stage(workspace: Workspace, _track: fetch.Track = fetch.untracked) -> dict[str, int]:
    """All tables to violations."""
    tables = {
        name: store.read_table(workspace, name, "bee merge")
        for name in ("faults", "conflicts", "puzzles", "answers", "trials", "candidates")
    }
    decisions = store.read_table(workspace, "decisions", "bee flag")
    estimates = store.read_table(workspace, "estimates", "bee flag")
    flags = store.read_table(workspace, "flags", "bee flag")
    grades = store.read_custom(workspace, "offensive")
    record, _ = evidence_file.read(workspace)
    verdicts = store.read_custom(workspace, "verdicts")
    without = decide.decide(tables["candidates"], record, estimates, flags, frames.empty("verdicts"))
    found = check.join(
        check.check_captures(
            tables["faults"], tables["conflicts"], tables["puzzles"], tables["answers"], tables["trials"], decisions
        ),
        check.check_release(record, decisions, verdicts, grades, without),
        check.found("lexicon-changed", lexicon_files.changed(workspace)),
    )
    store.write_table(workspace, "violations", found)
    severities = found["severity"].value_counts()
    return {f"{name}s": int(severities.get(name, 0)) for name in ("error", "warning")}


def publish_stage(workspace: Workspace, _track: fetch.Track = fetch.untracked, force: bool = False) -> dict[str, int]:
    """Everything to the release in `custom/`, or a refusal."""
    if late := [stage.name for stage in STAGES[:-1] if stale(workspace, stage)]:
        raise publish.Refusal(f"Not published: {', '.join(late)} would come out differently now; bee run does it all.")
    names = {"decisions": "bee flag", "estimates": "bee flag", "flags": "bee flag", "violations": "bee check"}
    tables = {name: store.read_table(workspace, name, made_by) for name, made_by in names.items()}
    tables["evidence"], covered = evidence_file.read(workspace)
    target = workspace.custom
    before = release_files.last(target)
    old = solver.load_words(target / "wordlist.txt") if (target / "wordlist.txt").exists() else []
    new = publish.wordlist(tables["decisions"])
    if not force:
        publish.refuse(old, new, tables["violations"])
    licences = release_files.licences(workspace)
    files = publish.release(tables, covered, lexicon_files.sources(workspace), licences, before)
    now = json.loads(files["datapackage.json"])["version"]
    told = target / "CHANGES.md"
    if now == before.get("version") and told.exists():
        files["CHANGES.md"] = told.read_bytes()
    else:
        because = {row["word"]: row["because"] for row in frames.rows(tables["decisions"])}
        files["CHANGES.md"] = publish.changes(old, new, now, str(before.get("version", "")), because).encode()
    release_files.write(target, {**files, "SHA256SUMS": publish.seal(files)})
    return {"words": len(new), "added": len(set(new) - set(old)), "removed": len(set(old) - set(new))}


def opinions(workspace: Workspace) -> dict[str, pd.DataFrame]:
    """Read what is known and thought of every word: lexicon, candidates, flags, estimates, decisions and the rest."""
    tables = {name: store.read_table(workspace, name, "bee merge") for name in ("lexicon", "candidates")}
    for name in ("flags", "estimates", "decisions"):
        tables[name] = store.read_table(workspace, name, "bee flag")
    return {**tables, **{name: store.read_custom(workspace, name) for name in ("evidence", "verdicts")}}


STAGES: tuple[Stage, ...] = (
    Stage(
        "merge",
        ("raw/*/*", "custom/corrections.csv"),
        (
            "custom/evidence.csv",
            *(
                f"build/{name}.parquet"
                for name in ("puzzles", "answers", "conflicts", "faults", "lexicon", "candidates", "trials")
            ),
        ),
        merge_stage,
    ),
    Stage(
        "flag",
        (
            "build/lexicon.parquet",
            "build/candidates.parquet",
            "custom/evidence.csv",
            "custom/verdicts.csv",
            "custom/offensive.csv",
        ),
        ("build/flags.parquet", "build/estimates.parquet", "build/decisions.parquet"),
        flag_stage,
    ),
    Stage("diff", ("build/trials.parquet", "build/decisions.parquet"), ("build/diffs.parquet",), diff_stage),
    Stage(
        "check",
        (
            "build/faults.parquet",
            "build/conflicts.parquet",
            "build/trials.parquet",
            "build/decisions.parquet",
            "custom/evidence.csv",
            "custom/verdicts.csv",
            "custom/offensive.csv",
            "raw/lexicon/*",
        ),
        ("build/violations.parquet",),
        check_stage,
    ),
    Stage(
        "publish",
        (
            *(f"build/{name}.parquet" for name in ("decisions", "estimates", "flags", "violations")),
            "custom/evidence.csv",
            "raw/lexicon/*",
            "raw/lexicon/licences/*",
        ),
        tuple(f"custom/{name}" for name in (*publish.DESCRIPTIONS, "datapackage.json", "CHANGES.md", "SHA256SUMS")),
        publish_stage,
    ),
)


def fingerprint(workspace: Workspace, patterns: tuple[str, ...]) -> str:
    """Sum up the state of files, and of the code of this package."""
    digest = hashlib.sha256()
    paths = [path for pattern in patterns for path in sorted(workspace.root.glob(pattern))]
    for path in [*paths, *sorted(Path(__file__).parent.rglob("*.py"))]:
        status = path.stat()
        name = path.relative_to(workspace.root) if path.is_relative_to(workspace.root) else path
        digest.update(f"{name} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def stale(workspace: Workspace, stage: Stage) -> bool:
    """Say whether a stage has to run."""
    made = all((workspace.root / name).exists() for name in stage.makes)
    now = [fingerprint(workspace, stage.reads), fingerprint(workspace, stage.makes)]
    return not made or _state(workspace).get(stage.name) != now


def run(workspace: Workspace, stage: Stage, track: fetch.Track = fetch.untracked, **options: bool) -> dict[str, int]:
    """Run a stage, remember what it read (as it was before, for it may change meanwhile) and made; return counts."""
    before = fingerprint(workspace, stage.reads)
    counts = stage.run(workspace, track, **options)
    now = [before, fingerprint(workspace, stage.makes)]
    state = {**_state(workspace), stage.name: now, f"{stage.name} counts": counts}
    store.write_bytes(workspace.build / "state.json", json.dumps(state, indent=1).encode())
    return counts


def counts(workspace: Workspace, stage: Stage) -> dict[str, int]:
    """Return the counts of a stage's last run."""
    value = _state(workspace).get(f"{stage.name} counts", {})
    return value if isinstance(value, dict) else {}


def _state(workspace: Workspace) -> dict[str, object]:
    try:
        value = json.loads((workspace.build / "state.json").read_bytes())
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}
