"""The commands that measure: `bee backtest` and `bee audit`."""

from __future__ import annotations

import datetime
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline import solver
from pipeline.commands import MEASURE, Data, Json, at_work, command, iso_date, list_files, release_folder, say, tell
from pipeline.errors import BeeError
from pipeline.progress import Progress, no_progress

if TYPE_CHECKING:
    import pandas as pd

    from pipeline.measure.backtest import Backtest
    from pipeline.store import Workspace


@command(MEASURE, "bee backtest --walk 6m", "bee backtest --cutoff 2024-11-25")
def backtest(
    cutoff: Annotated[
        str, typer.Option(callback=iso_date, help="Learn only from puzzles before this date.")
    ] = "2023-07-01",
    until: Annotated[
        str, typer.Option(callback=iso_date, help="Score only puzzles before this date; default all.")
    ] = "",
    walk: Annotated[str, typer.Option(help="Use several folds of this length, such as 6m; default one.")] = "",
    as_json: Json = False,
    data: Data = None,
) -> None:
    """Score the list on puzzles later than those it was made from, together with baselines."""
    from pipeline.measure import backtest as testing
    from pipeline.tables import frames

    with at_work(data) as (workspace, progress):
        found, made = run_backtest(workspace, cutoff, until, walk, progress)
    if as_json:
        tables = {"scores": testing.scores(found.trials), "reliability": testing.reliability(found.unseen), **made}
        tell({name: frames.json_rows(table) for name, table in tables.items()}, data)
        return
    typer.echo(testing.format_scores(testing.scores(found.trials)).to_string(index=False))
    typer.echo(testing.summarize_unseen(found.unseen))
    shown = (testing.reliability(found.unseen), 3), (made["constancy"], 4), (made["promised"], 4), (made["flags"], 3)
    for table, digits in shown:
        typer.echo(table.round(digits).to_string(index=False))


def run_backtest(
    workspace: Workspace, cutoff: str, until: str = "", walk: str = "", progress: Progress = no_progress
) -> tuple[Backtest, dict[str, pd.DataFrame]]:
    """Score lists on the puzzles of a workspace; return the result, and the tables constancy, promised and flags."""
    from pipeline.measure import backtest as testing
    from pipeline.opinions import constancy
    from pipeline.run import registry

    if walk and not re.fullmatch(r"[1-9]\d?m", walk):
        raise typer.BadParameter(f'"{walk}" is not a number of months like 6m.')
    tables = testing.BacktestInput(**registry.load_all(workspace, *testing.TABLES))
    record, flags = registry.load(workspace, "evidence").record, registry.load(workspace, "flags")
    last = max(tables.puzzles["date"], default=cutoff)
    after = (datetime.date.fromisoformat(last) + datetime.timedelta(days=1)).isoformat()
    end = min(until or after, after)
    spans = list(testing.folds(cutoff, end, int(walk[:-1]))) if walk else [(cutoff, end)]
    found = testing.run(tables, progress(spans, "folds"))
    pairs = constancy.successive_trials(tables.trials, tables.lexicon)
    made = {"constancy": constancy.measure(pairs), "promised": constancy.reliability(pairs, cutoff)}
    return found, {**made, "flags": testing.flag_shares(found.unseen, record, flags)}


@command(MEASURE, "bee audit words.txt --since 2024-11-25", "bee audit --own", "bee audit --verdicts")
def audit(
    path: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="A word list, in any format of bee convert; - for stdin.")
    ] = None,
    own: Annotated[bool, typer.Option("--own", help="Show the gains and losses from each list of yours.")] = False,
    live: Annotated[bool, typer.Option("--live", help="Show the track record of the released list instead.")] = False,
    judged: Annotated[
        bool, typer.Option("--verdicts", help="Show how past verdicts did at later trials, by person and by reason.")
    ] = False,
    column: Annotated[str, typer.Option(help="With FILE: the column of a table that contains the words.")] = "",
    since: Annotated[str, typer.Option(callback=iso_date, help="Score only puzzles from this date on.")] = "",
    until: Annotated[str, typer.Option(callback=iso_date, help="Score only puzzles before this date.")] = "",
    worst: Annotated[int, typer.Option(min=0, help="Number of worst words to show.")] = 20,
    as_csv: Annotated[bool, typer.Option("--csv", help="With --own, --live or --verdicts: print CSV.")] = False,
    as_json: Json = False,
    data: Data = None,
) -> None:
    """Score any word list on the official puzzles on disk, and show its worst extra and missing words.

    missing: an official answer that the list lacks; extra: a listed word that the puzzle refused. With --own, puzzles
    won become exact with a list, and puzzles lost no longer are; added and removed count the words that it adds to our
    list and removes from it; whole list counts the exact puzzles if all of its words were listed. With --verdicts, a
    verdict is right if the last trial after its day agrees with it.
    """
    from pipeline.facts import word_files
    from pipeline.measure import backtest as testing
    from pipeline.measure import score
    from pipeline.run import registry
    from pipeline.tables import frames

    if (path is not None) + live + own + judged != 1:
        raise typer.BadParameter("Give one of FILE, --live, --own and --verdicts.")
    if (live or judged) and (since or until):
        raise typer.BadParameter("--since and --until are for FILE and --own.")
    if column and path is None:
        raise typer.BadParameter("--column is for a table; name its FILE.")
    if as_csv and (as_json or path is not None):
        raise typer.BadParameter("--csv is for --own, --live and --verdicts, without --json.")
    if path is None:
        found = _live(data) if live else _verdicts(data) if judged else _own(since, until, data)
        _print_tables(found, data, as_json, as_csv)
        return
    files = list_files(path)
    words, rejected = word_files.read(files, column)
    if not words:
        raise word_files.no_words_error(next(iter(files)), rejected)
    with at_work(data, writes=False) as (workspace, _):
        facts = registry.load_all(workspace, "puzzles", "answers")
        compared = score.audit(facts["puzzles"], facts["answers"], set(words), since, until)
        known = set(compared["date"]) & registry.load(workspace, "settled").covered
        if known and score.is_release(set(words), set(solver.load_release(release_folder(data)))):
            say(
                f"This is our own list, or an earlier one. The newest was made with {len(known):,} of these "
                f"{compared['date'].nunique():,} puzzles, so its score means little. `bee audit --live` and "
                "`bee backtest` score it on puzzles that it had not seen."
            )
    scored, errors = testing.scores(compared.assign(list=next(iter(files)))), testing.worst(compared, worst)
    sides = {side: errors[errors["side"] == side][["word", "puzzles"]] for side in ("missing", "extra")}
    if as_json:
        tell(
            {"scores": frames.json_rows(scored), **{side: frames.json_rows(rows) for side, rows in sides.items()}}, data
        )
        return
    typer.echo(testing.format_scores(scored).to_string(index=False))
    for side, rows in sides.items():
        typer.echo(f"{side}: {', '.join(rows['word'] + ' ' + rows['puzzles'].astype(str)) or 'none'}")


def _own(since: str, until: str, data: str | None) -> dict[str, pd.DataFrame]:
    """Measure the gains and losses from each list of the user, on puzzles later than those learned from."""
    from pipeline.measure import backtest as testing
    from pipeline.run import registry

    with at_work(data, writes=False) as (workspace, _):
        tables = testing.BacktestInput(**registry.load_all(workspace, *testing.TABLES))
    cutoff = since or testing.default_cutoff(tables.puzzles)
    found = testing.own_list_effects(tables, cutoff, until)
    say(f"Our list, made from the puzzles before {cutoff} and scored on those from that day on, with guesses:")
    return {"own": found}


def _live(data: str | None) -> dict[str, pd.DataFrame]:
    """Measure the accuracy of the list on the last days that were counted, each with the list as it stood before."""
    from pipeline.measure.score import summarize_track
    from pipeline.run import registry

    with at_work(data, writes=False) as (workspace, _):
        found = summarize_track(registry.load(workspace, "track"))
    if found.empty:
        raise BeeError(
            "There is no track record yet: `bee run` scores each new day, `bee merge --rebuild` scores past days."
        )
    return {"live": found}


def _verdicts(data: str | None) -> dict[str, pd.DataFrame]:
    """Compare the verdicts with the trials after them: by person, by reason, and each."""
    from pipeline.facts import by_hand
    from pipeline.measure import score
    from pipeline.run import registry

    with at_work(data, writes=False) as (workspace, _):
        tables = registry.load_all(workspace, "verdicts", "puzzles", "answers")
    if tables["verdicts"].empty:
        say("There are no verdicts yet; `bee review` asks for some.")
    found = score.verdict_outcomes(
        by_hand.valid_rows("verdicts", tables["verdicts"]), tables["puzzles"], tables["answers"]
    )
    return {
        "people": score.count_outcomes(found, "by"),
        "reasons": score.count_outcomes(found, "reason"),
        "verdicts": found,
    }


def _print_tables(found: dict[str, pd.DataFrame], data: str | None, as_json: bool, as_csv: bool) -> None:
    """Print all tables as JSON, the last one as CSV, or as text without the single verdicts."""
    from pipeline.tables import frames

    if as_json:
        tell({name: frames.json_rows(table) for name, table in found.items()}, data)
    elif as_csv:
        typer.echo(frames.csv_bytes([*found.values()][-1]), nl=False)
    else:
        shown = [table for name, table in found.items() if name != "verdicts" and len(table)]
        typer.echo("\n\n".join(table.round(4).to_string(index=False) for table in shown))
