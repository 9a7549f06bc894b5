"""The curator's commands: how good the list is, why a word is in or out, and what a person decides about it."""

from __future__ import annotations

import datetime
import json
import re
from pathlib import Path
from typing import Annotated, Optional

import typer

from pipeline.commands import By, Data, app, at_work, decider, iso_date, say

Word = Annotated[str, typer.Argument(help="The word.")]
Reason = Annotated[str, typer.Option(help="Why; it is published with the word.")]


@app.command()
def backtest(
    cutoff: Annotated[
        str, typer.Option(callback=iso_date, help="Learn from puzzles before this date only.")
    ] = "2023-07-01",
    until: Annotated[str, typer.Option(callback=iso_date, help="Score puzzles before this date; default all.")] = "",
    walk: Annotated[str, typer.Option(help="Several folds of this length, such as 6m; default one fold.")] = "",
    report: Annotated[Optional[Path], typer.Option(help="Write ACCURACY.md and its plots to this folder.")] = None,  # noqa: UP045
    data: Data = None,
) -> None:
    """Score the list on later puzzles than it was made from, beside baselines."""
    from pipeline import backtest as testing
    from pipeline import report as reporting
    from pipeline import store

    if walk and not re.fullmatch(r"[1-9]\d?m", walk):
        raise typer.BadParameter(f'"{walk}" is no number of months like 6m.')
    with at_work(data) as (workspace, track):
        tables = {
            name: store.read_table(workspace, name, "bee run")
            for name in ("lexicon", "answers", "trials", "puzzles", "flags")
        }
        record = store.read_custom(workspace, "evidence")
        last = max(tables["puzzles"]["date"], default=cutoff)
        end = until or (datetime.date.fromisoformat(last) + datetime.timedelta(days=1)).isoformat()
        spans = list(testing.folds(cutoff, end, int(walk[:-1]))) if walk else [(cutoff, end)]
        found = testing.walk(tables, track(spans, "folds"))
        shares = testing.flag_shares(found.unseen, record, tables["flags"])
        if report:
            asked = {"--cutoff": cutoff, "--until": until, "--walk": walk, "--report": str(report)}
            command = "bee backtest" + "".join(f" {name} {value}" for name, value in asked.items() if value)
            for name, content in reporting.report(found, shares, testing.constancy(tables["trials"]), command).items():
                store.write_bytes(report / name, content)
    typer.echo(reporting.figures(testing.table(found.trials)).to_string(index=False))
    typer.echo(reporting.unseen_figures(found.unseen))
    typer.echo(testing.reliability(found.unseen).round(3).to_string(index=False))
    typer.echo(shares.round(3).to_string(index=False))
    if report:
        say(f"Written: {report}/ACCURACY.md")


@app.command()
def audit(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="A word list, one word a line.")],
    since: Annotated[str, typer.Option(callback=iso_date, help="Score puzzles from this date on only.")] = "",
    until: Annotated[str, typer.Option(callback=iso_date, help="Score puzzles before this date only.")] = "",
    worst: Annotated[int, typer.Option(min=0, help="How many of the worst words to show.")] = 20,
    data: Data = None,
) -> None:
    """Score any word list on the official puzzles on disk, with its worst extra and missing words."""
    from pipeline import backtest as testing
    from pipeline import report as reporting
    from pipeline import solver, store

    words = set(solver.load_words(path))
    with at_work(data, writes=False) as (workspace, _):
        sided = testing.audit(
            store.read_table(workspace, "puzzles", "bee merge"),
            store.read_table(workspace, "answers", "bee merge"),
            words,
            since,
            until,
        )
    typer.echo(reporting.figures(testing.table(sided.assign(list=path.name))).to_string(index=False))
    for side in ("missing", "extra"):
        errors = testing.worst(sided, worst)
        named = errors[errors["side"] == side]
        listed = ", ".join(f"{row['word']} {row['puzzles']}" for row in named.to_dict("records"))
        typer.echo(f"{side}: {listed or 'none'}")


@app.command()
def why(
    word: Annotated[str, typer.Argument(help="The word.")],
    letters: Annotated[
        str, typer.Argument(help="A puzzle, center first: why is the word an answer there or not?")
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    data: Data = None,
) -> None:
    """Tell why a word is in or out: lists, record, flags, relatives, estimate, verdict, tier."""
    from pipeline import stages
    from pipeline import why as explaining
    from pipeline.words import puzzle

    asked = puzzle(letters) if letters else None
    with at_work(data, writes=False) as (workspace, _):
        tables = stages.opinions(workspace)
    trail = explaining.why(word.strip().lower(), tables, asked)
    typer.echo(json.dumps(trail, indent=2, ensure_ascii=False) if as_json else explaining.text(trail))


@app.command()
def keep(word: Word, reason: Reason, by: By = "", data: Data = None) -> None:
    """Decide that a word belongs on the list."""
    _decide(word, "keep", reason, by, data)


@app.command()
def drop(word: Word, reason: Reason, by: By = "", data: Data = None) -> None:
    """Decide that a word does not belong on the list."""
    _decide(word, "drop", reason, by, data)


def _decide(word: str, verdict: str, reason: str, by: str, data: str | None) -> None:
    from pipeline import verdicts

    row = {"word": word.strip().lower(), "verdict": verdict, "reason": reason.strip(), "by": decider(by)}
    with at_work(data) as (workspace, _):
        verdicts.append(workspace, [{**row, "on": datetime.date.today().isoformat()}])
    say(f"{verdict} {row['word']}: written; bee run applies it.")
