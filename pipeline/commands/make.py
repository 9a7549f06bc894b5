"""The commands that make the list. Each does everything up to its step, with what is on disk now, and prints it; only
`bee publish` and `bee run` write the release."""

from __future__ import annotations

import contextlib
import time
from typing import Annotated

import typer

from pipeline import run as runs
from pipeline import store
from pipeline.commands.fetch import exit_if_a_person_is_needed, fetch_days
from pipeline.commands.messages import print_json, say
from pipeline.commands.options import Delay, Json, iso_date
from pipeline.errors import BeeError
from pipeline.facts.day_state import day_state
from pipeline.fetching.backfill import FetchOptions
from pipeline.opinions.catalog import FLAGS
from pipeline.publishing.check import CATALOG, RULES
from pipeline.publishing.datapackage import approved_list
from pipeline.publishing.publish import require_publishable
from pipeline.publishing.release_files import wordlist
from pipeline.run import Facts, Update
from pipeline.tables import frames
from pipeline.words import TIERS, count, date_ranges

Approve = Annotated[
    bool,
    typer.Option(
        "--approve",
        help="Publish a list with many changes that you reviewed. Later changes are counted from this release.",
    ),
]


def merge(ctx: typer.Context) -> None:
    """Count the new settled days on disk, and print which days the record would cover. Writes nothing.

    \b
    Examples:
      bee merge
    """
    facts = runs.read_facts(ctx.obj)
    typer.echo(_record_text(facts))
    _say_waiting_days(facts)


def flag(
    ctx: typer.Context,
    list_flags: Annotated[bool, typer.Option("--list", help="Print the list of flags and exit.")] = False,
    fit: Annotated[
        bool,
        typer.Option(
            "--fit",
            help="First fit the weights of the estimates to the record, and write them. This is not needed after new "
            "days or verdicts. Publish it as a separate release.",
        ),
    ] = False,
) -> None:
    """Flag words, estimate the probability of words that were never tried, and print how many words have each tier.

    Writes nothing, except the weights with --fit.

    \b
    Examples:
      bee flag
      bee flag --list
    """
    if list_flags:
        for rule in FLAGS:
            typer.echo(f"{rule.id:14} {rule.severity:7} {rule.sentence}")
        return
    with store.locked(ctx.obj) if fit else contextlib.nullcontext():
        made = runs.update(ctx.obj, fit=fit)
        if fit:
            runs.write_weights(ctx.obj, made)
            days = count(made.model.days, "day")
            say(f"{len(made.model.weights):,} weights, fitted on {days}; `bee run` makes the list with them.")
    typer.echo(_tiers_text(made))


def diff(
    ctx: typer.Context,
    date: Annotated[str, typer.Option(callback=iso_date, help="Print only the diffs of this day.")] = "",
    as_json: Json = False,
) -> None:
    """Compare the list with the official answers, word by word.

    "missing" means an official answer that the list lacks; "extra" means a listed word that the puzzle refused. Writes
    nothing.

    \b
    Examples:
      bee diff
      bee diff --date 2025-02-22
    """
    made = runs.update(ctx.obj)
    diffs = made.day_diffs
    if date:
        state = day_state(date, made.coverage.dates, made.puzzles, made.waits, made.without_trial)
        if not state.counts:
            raise BeeError(state.sentence)
        diffs = diffs[diffs["date"] == date]
        say(f"{date}: {count(len(diffs), 'difference')} between the list and the answers.")
        if state.sentence:
            say(state.sentence)
    else:
        say(_diffs_text(made))
    if as_json:
        print_json(frames.json_rows(diffs), ctx.obj)
        return
    for row in frames.rows(diffs):
        typer.echo(f"{row['date']} {row['side']:8} {row['word']:16} {row['because']}")


def check(
    ctx: typer.Context,
    list_rules: Annotated[bool, typer.Option("--list", help="Print the list of rules and exit.")] = False,
    only: Annotated[
        list[str] | None,
        typer.Option("--only", metavar="RULE", help="Show only violations of this rule. You can repeat the option."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Check the data and the list for violations of the rules.

    Exits with code 1 if there are errors. Warnings are for you to review. Writes nothing.

    \b
    Examples:
      bee check
      bee check --only day-waits
    """
    if list_rules:
        for rule in CATALOG:
            typer.echo(f"{rule.id:20} {rule.severity:8} {rule.sentence}")
        return
    unknown = [rule for rule in only or [] if rule not in RULES]
    if unknown:
        raise typer.BadParameter(f'"{unknown[0]}" is not a rule; `bee check --list` prints all rules.')
    made = runs.update(ctx.obj)
    say(_checks_text(made))
    violations = made.violations
    if only:
        violations = violations[violations["rule"].isin(only)]
    violations = violations.sort_values("severity", kind="stable")  # errors first
    if as_json:
        print_json(frames.json_rows(violations), ctx.obj)
    else:
        for row in frames.rows(violations):
            subject = f"{row['severity']:8} {row['rule']:20} {row['subject']}: "
            typer.echo(subject + row["detail"])
    if (violations["severity"] == "error").any():
        raise typer.Exit(1)


def publish(
    ctx: typer.Context,
    approve: Approve = False,
    force: Annotated[bool, typer.Option("--force", help="Publish despite errors or many changes.")] = False,
) -> None:
    """Write the release to data/custom/, unless there are errors or too many changes.

    \b
    Examples:
      bee publish
      bee publish --force
    """
    workspace = ctx.obj
    with store.locked(workspace):
        runs.require_no_merge(workspace)
        made = runs.update(workspace)
        runs.write_tables(workspace, made)
        text = runs.write_release(workspace, made, force, approve)
    typer.echo(text)
    _say_first_fit(made)


def run(
    ctx: typer.Context,
    fetch: Annotated[bool, typer.Option("--fetch", help="Fetch the missing days from the sources first.")] = False,
    no_publish: Annotated[
        bool,
        typer.Option(
            "--no-publish", help="Do not make a release; print the words that a release would add and remove."
        ),
    ] = False,
    rebuild: Annotated[
        bool,
        typer.Option("--rebuild", help="Count all days on disk again from nothing, instead of adding the new ones."),
    ] = False,
    approve: Approve = False,
    force: Annotated[
        bool,
        typer.Option(
            "--force",
            help="Publish despite errors or many changes and, with --rebuild, give up covered days that are not on "
            "disk or that wait.",
        ),
    ] = False,
    delay: Delay = 2.0,
) -> None:
    """Make the list from what is on disk, publish it, and print what it has. Without --fetch, the network is not used.

    On a branch, use --no-publish, because releases are made on the main branch. Exits with code 1 if a release is
    refused or, with --no-publish, would be.

    \b
    Examples:
      bee run
      bee run --fetch
      bee run --no-publish
    """
    workspace = ctx.obj
    plan = fetch_days(workspace, FetchOptions(), delay) if fetch else None
    started = time.perf_counter()
    with store.locked(workspace):
        if not no_publish:
            runs.require_no_merge(workspace)
        made = runs.update(workspace, rebuild, force)
        runs.write_tables(workspace, made)
        typer.echo("\n".join([_record_text(made), _tiers_text(made), _diffs_text(made), _checks_text(made)]))
        _say_waiting_days(made)
        _say_missing_days(made)
        if no_publish:
            _say_next_release(made, force)
        else:
            typer.echo(runs.write_release(workspace, made, force, approve))
            _say_first_fit(made)
    say(f"{time.perf_counter() - started:.1f} s.")
    if rebuild and not made.is_fitted:
        say("The estimates keep their weights; `bee flag --fit` fits them to this record.")
    if plan:
        exit_if_a_person_is_needed(plan, made)


def _record_text(facts: Facts) -> str:
    days = facts.coverage.dates
    span = f" ({min(days)} to {max(days)})" if days else ""
    return f"record    {count(len(days), 'day')}{span}, {count(len(facts.waits), 'day')} waiting"


def _tiers_text(made: Update) -> str:
    numbers = made.decisions["tier"].value_counts()
    return f"list      {', '.join(f'{tier} {numbers.get(tier, 0):,}' for tier in TIERS)}"


def _diffs_text(made: Update) -> str:
    numbers = made.day_diffs["side"].value_counts()
    return f"diffs     {', '.join(f'{side} {numbers.get(side, 0):,}' for side in ('missing', 'extra'))}"


def _checks_text(made: Update) -> str:
    numbers = made.violations["severity"].value_counts()
    counts = (count(int(numbers.get(severity, 0)), severity) for severity in ("error", "warning"))
    return f"checks    {', '.join(counts)}"


def _say_first_fit(made: Update) -> None:
    """Say that a run fitted the weights of the estimates, because there were neither a release nor weights."""
    if made.is_fitted:
        days = count(made.model.days, "day")
        say(f"There were no weights for the estimates, so they were fitted on {days}; they are in custom/model.csv.")


def _say_next_release(made: Update, force: bool) -> None:
    """Print the words that a release would add and remove now; raises BeeError if it would be refused, unless `force`
    is given."""
    last = made.release
    listed_before = set(last.files["wordlist.txt"].decode().split()) if last else set()
    new_list = wordlist(made.decisions)
    added = sorted(set(new_list) - listed_before)
    removed = sorted(listed_before - set(new_list))
    for verb, words in (("add", added), ("remove", removed)):
        names = f": {', '.join(words)}" if words else ""
        typer.echo(f"A release would {verb} {count(len(words), 'word')}{names}.")
    say("Nothing was published.")
    if not force:
        approved_version = str(last.package.get("approved", "")) if last else ""
        require_publishable(approved_list(last), new_list, made.violations, approved_version)


def _say_waiting_days(facts: Facts) -> None:
    """Print the days that wait, each with the reason and what ends it."""
    for row in frames.rows(facts.waits):
        say(f"{row['date']} waits: {row['because']}.")


def _say_missing_days(made: Update) -> None:
    """Print the days between the first and the last known day that are not known."""
    missing = made.violations["subject"][made.violations["rule"] == "day-missing"]
    if len(missing):
        say(f"missing {date_ranges(missing)}: `bee run --fetch` asks for these days.")
