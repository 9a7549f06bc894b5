"""The commands that measure: `bee backtest` and `bee audit`."""

from __future__ import annotations

import datetime
import re
from pathlib import Path
from typing import Annotated

import pandas as pd
import typer

from pipeline import custom, inputs, solver, store
from pipeline import run as runs
from pipeline.commands.messages import progress_bar, say
from pipeline.commands.options import Column, iso_date, list_name, read_word_list
from pipeline.errors import BeeError
from pipeline.measure import score
from pipeline.measure.backtest import (
    Backtest,
    BacktestInput,
    flag_shares,
    folds,
    format_scores,
    reliability,
    run,
    scores,
    summarize_unseen,
    worst_words,
)
from pipeline.measure.score import count_outcomes, summarize_track, verdict_outcomes
from pipeline.opinions import estimate_tried, flag
from pipeline.progress import Progress, no_progress
from pipeline.store import Workspace
from pipeline.tables import frames


def backtest(
    ctx: typer.Context,
    cutoff: Annotated[
        str, typer.Option(callback=iso_date, help="Learn only from puzzles before this date, and score later ones.")
    ] = "2023-07-01",
    walk: Annotated[
        str, typer.Option(help="Score several test periods of this length, such as 6m. Default: a single period.")
    ] = "",
) -> None:
    """Make a list from older puzzles, and score it and several baselines on newer ones.

    \b
    Examples:
      bee backtest --walk 6m
      bee backtest --cutoff 2024-11-25
    """
    with progress_bar() as progress:
        result, tables = run_backtest(ctx.obj, cutoff, walk=walk, progress=progress)
    typer.echo(format_scores(scores(result.trials)).to_string(index=False))
    typer.echo(summarize_unseen(result.unseen))
    typer.echo(reliability(result.unseen).round(3).to_string(index=False))
    for name, digits in (("constancy", 4), ("promised", 4), ("flags", 3)):
        typer.echo(tables[name].round(digits).to_string(index=False))


def run_backtest(
    workspace: Workspace, cutoff: str, until: str = "", walk: str = "", progress: Progress = no_progress
) -> tuple[Backtest, dict[str, pd.DataFrame]]:
    """Score lists on the puzzles of a workspace from `cutoff` on and before `until`, in one fold or several.

    Returns the result, and the tables constancy, promised and flags.
    """
    if walk and not re.fullmatch(r"[1-9]\d?m", walk):
        raise typer.BadParameter(f'"{walk}" is not a number of months like 6m.')
    facts = runs.read_facts(workspace)
    tables = BacktestInput(facts.lexicon, facts.forms, facts.puzzles, facts.answers, facts.trials, facts.grades)
    last = max(tables.puzzles["date"], default=cutoff)
    day_after = (datetime.date.fromisoformat(last) + datetime.timedelta(days=1)).isoformat()
    end = min(until or day_after, day_after)
    spans = [(cutoff, end)]
    if walk:
        months = int(walk.removesuffix("m"))
        spans = list(folds(cutoff, end, months))
    result = run(tables, progress(spans, "folds"))
    pairs = estimate_tried.successive_trials(tables.trials, tables.lexicon)
    return result, {
        "constancy": estimate_tried.measure(pairs),
        "promised": estimate_tried.reliability(pairs, cutoff),
        "flags": flag_shares(result.unseen, facts.record, flag.flag(facts.lexicon, facts.offensive_words)),
    }


def audit(
    ctx: typer.Context,
    path: Annotated[
        Path | None,
        typer.Argument(metavar="FILE", help="A word list, as bee convert reads it, or - for stdin."),
    ] = None,
    verdicts: Annotated[
        bool,
        typer.Option("--verdicts", help="Show how past verdicts held up in later trials, by person and by reason."),
    ] = False,
    column: Column = "",
    since: Annotated[
        str, typer.Option(callback=iso_date, help="With FILE: score only puzzles from this date on.")
    ] = "",
    worst: Annotated[
        int, typer.Option(min=0, help="With FILE: the number of missing and of extra words to show.")
    ] = 20,
    as_csv: Annotated[bool, typer.Option("--csv", help="Without FILE: print CSV.")] = False,
) -> None:
    """Score a word list on the official puzzles on disk, and show the words that it gets wrong most often.

    "missing" means an official answer that the list lacks; "extra" means a listed word that the puzzle refused. Without
    FILE, show the track record: how the list of each release did on the days after it.

    With --verdicts, a verdict is right if the last trial since it was given agrees with it.

    \b
    Examples:
      bee audit
      bee audit words.txt --since 2024-11-25
      bee audit --verdicts
    """
    if path:
        _audit_list(ctx.obj, path, column, since, worst)
    elif verdicts:
        _print_tables(_verdict_tables(ctx.obj), as_csv)
    else:
        _print_tables({"live": _track_record(ctx.obj)}, as_csv)


def _audit_list(workspace: Workspace, path: Path, column: str, since: str, worst: int) -> None:
    """Score a word list, and print its scores with its worst missing and extra words."""
    name = list_name(path)
    words = set(read_word_list(path, column))
    days = runs.days_on_disk(workspace)
    compared = score.audit(days.puzzles, days.answers, days.without_trial, words, since)
    known_days = set(compared["date"]) & days.coverage.dates
    if known_days and score.is_release(words, set(solver.load_release(store.find_release(workspace)))):
        say(
            "This is our own list, or an earlier version of it. The current version was made with "
            f"{len(known_days):,} of these {compared['date'].nunique():,} puzzles, so its score means little. "
            "`bee audit` scores it on puzzles that it had not seen.",
        )  # fmt: skip
    scored = scores(compared.assign(list=name))
    worst_errors = worst_words(compared, worst)
    sides = {side: worst_errors[worst_errors["side"] == side][["word", "puzzles"]] for side in ("missing", "extra")}
    typer.echo(format_scores(scored).to_string(index=False))
    for side, words_of_side in sides.items():
        counted = words_of_side["word"] + " " + words_of_side["puzzles"].astype(str)
        typer.echo(f"{side}: {', '.join(counted) or 'none'}")


def _track_record(workspace: Workspace) -> pd.DataFrame:
    """Measure the accuracy of the list on the last counted days, each with the list as it was before that day."""
    release = custom.read_release(workspace)
    spans = summarize_track(inputs.read_track(release) if release else frames.empty("track"))
    if spans.empty:
        raise BeeError(
            "There is no track record yet. A new day gets a score if the last release covers at least 100 days."
        )
    return spans


def _verdict_tables(workspace: Workspace) -> dict[str, pd.DataFrame]:
    """Compare the verdicts with later trials: by person, by reason, and one by one."""
    verdicts, days = inputs.read_table_by_people(workspace, "verdicts"), runs.days_on_disk(workspace)
    if verdicts.empty:  # the empty tables are still printed, for programs that read them
        say("There are no verdicts yet; `bee review` asks for some.")
    outcomes = verdict_outcomes(verdicts, days.puzzles, days.answers)
    return {
        "people": count_outcomes(outcomes, "by"),
        "reasons": count_outcomes(outcomes, "reason"),
        "verdicts": outcomes,
    }


def _print_tables(tables: dict[str, pd.DataFrame], as_csv: bool) -> None:
    """Print only the last table as CSV, or all but the single verdicts as text."""
    if as_csv:
        last_table = list(tables.values())[-1]
        typer.echo(frames.csv_bytes(last_table), nl=False)
    else:
        summaries = [table for name, table in tables.items() if name != "verdicts" and len(table)]
        typer.echo("\n\n".join(table.round(4).to_string(index=False) for table in summaries))
