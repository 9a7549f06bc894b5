"""The commands that make the list: one short command per stage."""

from __future__ import annotations

import itertools
import shlex
import sys
import time
from typing import Annotated

import pandas as pd
import typer

from pipeline.commands import command
from pipeline.commands.fetch import Delay, exit_if_a_person_is_needed, fetch_days
from pipeline.commands.options import Json, iso_date, refuse_together
from pipeline.commands.settings import Settings
from pipeline.commands.workspace import open_workspace
from pipeline.errors import BeeError, StoreError
from pipeline.fetching.backfill import FetchOptions
from pipeline.opinions.catalog import FLAGS
from pipeline.publishing.check import CATALOG, RULES
from pipeline.publishing.datapackage import approved_list
from pipeline.publishing.publish import require_publishable
from pipeline.publishing.release import wordlist
from pipeline.run import registry, runner
from pipeline.run.stages import BY_NAME, STAGES
from pipeline.store import Workspace
from pipeline.tables import frames
from pipeline.words import count, date_ranges


@command("bee merge", "bee merge --rebuild")
def merge(
    settings: Settings,
    rebuild: Annotated[
        bool,
        typer.Option(
            "--rebuild",
            help="Count all days on disk again from nothing, instead of adding the new ones.",
        ),
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", help="With --rebuild: give up covered days that are not on disk or that wait.")
    ] = False,
) -> None:
    """Add the new settled days on disk to the record of the last release.

    Also makes the tables of puzzles, answers and trials.
    """
    if force and not rebuild:
        raise typer.BadParameter("--force works only with --rebuild.")
    with open_workspace(settings) as (workspace, progress):
        had_weights = _has_weights(workspace)
        counts = runner.run_command(workspace, "merge", progress, rebuild=rebuild, force=force)
    settings.say(_counts_text(counts))
    _say_first_fit(settings, workspace, had_weights)
    if rebuild and had_weights:
        settings.say("The estimates keep their weights; `bee flag --fit` fits them to this record.")
    if rebuild and runner.is_rebuilding(workspace):
        build = shlex.quote(str(workspace.build))
        settings.say(f"Until the next release, merges count all days on disk again; `rm -r {build}` ends that.")


def _has_weights(workspace: Workspace) -> bool:
    return registry.has_files(workspace, "model_so_far")


def _say_first_fit(settings: Settings, workspace: Workspace, had_weights: bool) -> None:
    """Say that a merge fitted the weights of the estimates, because the workspace had neither a release nor weights."""
    if had_weights or not _has_weights(workspace):
        return
    days = count(registry.load(workspace, "model").days, "day")
    settings.say(
        f"There were no weights for the estimates, so they were fitted on {days}; they are in custom/model.csv."
    )


@command("bee flag", "bee flag --list")
def flag(
    settings: Settings,
    list_flags: Annotated[bool, typer.Option("--list", help="Print the list of flags and exit.")] = False,
    fit: Annotated[
        bool,
        typer.Option(
            "--fit",
            help="First fit the weights of the estimates to the record. This is not needed after new days or verdicts. "
            "Publish it as a separate release.",
        ),
    ] = False,
) -> None:
    """Flag words, estimate the probability of words that were never tried, and decide the tier of every word."""
    if list_flags:
        for rule in FLAGS:
            typer.echo(f"{rule.id:14} {rule.severity:7} {rule.sentence}")
        return

    with open_workspace(settings) as (workspace, progress):
        if fit:
            runner.run_command(workspace, "fit", progress, fit=True)
            model = registry.load(workspace, "model")
            days = count(model.days, "day")
            settings.say(f"{len(model.weights):,} weights, fitted on {days}; `bee run` makes the list with them.")
        counts = runner.run_command(workspace, "flag", progress)
    settings.say(_counts_text(counts))


@command("bee diff", "bee diff --date 2025-02-22")
def diff(
    settings: Settings,
    date: Annotated[str, typer.Option(callback=iso_date, help="Print only the diffs of this day.")] = "",
    as_json: Json = False,
) -> None:
    """Compare the list with the official answers, word by word.

    "missing" means an official answer that the list lacks; "extra" means a listed word that the puzzle refused.
    """
    workspace, diffs = _newest_table(settings, "diff")
    if date:
        state = registry.load_day_state(workspace, date)
        if not state.counts:
            raise BeeError(state.sentence)
        diffs = diffs[diffs["date"] == date]
        settings.say(f"{date}: {count(len(diffs), 'difference')} between the list and the answers.")
        if state.sentence:
            settings.say(state.sentence)
    if as_json:
        settings.print_json(frames.json_rows(diffs))
        return
    for row in frames.rows(diffs):
        typer.echo(f"{row['date']} {row['side']:8} {row['word']:16} {row['because']}")


@command("bee check", "bee check --only day-waits")
def check(
    settings: Settings,
    list_rules: Annotated[bool, typer.Option("--list", help="Print the list of rules and exit.")] = False,
    only: Annotated[
        list[str] | None,
        typer.Option("--only", metavar="RULE", help="Show only violations of this rule. You can repeat the option."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Check the data and the list for violations of the rules.

    Exits with code 1 if there are errors. Warnings are for you to review.
    """
    refuse_together(
        settings,
        "--list",
        {"--only", "--json"},
        "--list only prints the rules, so it cannot be combined with {}.",
    )
    if list_rules:
        for rule in CATALOG:
            typer.echo(f"{rule.id:20} {rule.severity:8} {rule.sentence}")
        return
    unknown = [rule for rule in only or [] if rule not in RULES]
    if unknown:
        raise typer.BadParameter(f'"{unknown[0]}" is not a rule; `bee check --list` prints all rules.')
    _, violations = _newest_table(settings, "check")
    if only:
        violations = violations[violations["rule"].isin(only)]
    violations = violations.sort_values("severity", kind="stable")  # errors first
    if as_json:
        settings.print_json(frames.json_rows(violations))
    else:
        for row in frames.rows(violations):
            subject = f"{row['severity']:8} {row['rule']:20} {row['subject']}: "
            typer.echo(settings.noted(subject + row["detail"]))
    if (violations["severity"] == "error").any():
        raise typer.Exit(1)


@command("bee publish", "bee publish --force")
def publish(
    settings: Settings,
    approve: Annotated[
        bool,
        typer.Option(
            "--approve",
            help="Publish a list with many changes that you reviewed. Later changes are counted from this release.",
        ),
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Publish despite errors or many changes.")] = False,
) -> None:
    """Write the release to data/custom/, unless there are errors or too many changes."""
    with open_workspace(settings) as (workspace, progress):
        counts = runner.run_command(workspace, "publish", progress, force=force, approve=approve)
    settings.say(_counts_text(counts))


@command("bee run", "bee run --fetch", "bee run --no-publish")
def run(
    settings: Settings,
    fetch: Annotated[bool, typer.Option("--fetch", help="Fetch the missing days from the sources first.")] = False,
    no_publish: Annotated[
        bool,
        typer.Option(
            "--no-publish", help="Do not make a release; print the words that a release would add and remove."
        ),
    ] = False,
    delay: Delay = 2.0,
) -> None:
    """Run every stage that is out of date, and print a table. Without --fetch, the network is not used.

    On a branch, use --no-publish, because releases are made on the main branch. Exits with code 1 if a release is
    refused or, with --no-publish, would be.
    """
    if "--delay" in settings.options and not fetch:
        raise typer.BadParameter("--delay works only with --fetch; add --fetch, or leave out --delay.")
    plan = None
    if fetch:
        workspace = settings.find_workspace()
        plan = fetch_days(settings, workspace, FetchOptions(), delay)
    started = time.perf_counter()
    with open_workspace(settings) as (workspace, progress):
        had_weights = _has_weights(workspace)
        # The runner runs a stage only when its result is requested, so with --no-publish the last stage never starts.
        number_of_stages = len(STAGES) - 1 if no_publish else len(STAGES)
        stage_runs = list(itertools.islice(runner.run_stale_stages(workspace, progress), number_of_stages))
    for stage_run in stage_runs:
        if stage_run.seconds is None:
            typer.echo(f"{stage_run.stage:9} up to date")
        else:
            typer.echo(f"{stage_run.stage:9} {stage_run.seconds:4.1f} s  {_counts_text(stage_run.counts)}")
    settings.say(f"{time.perf_counter() - started:.1f} s{_peak_memory_text()}.")
    _say_first_fit(settings, workspace, had_weights)
    _say_waiting_days(settings, workspace)
    _say_missing_days(settings, workspace)
    if no_publish:
        _say_next_release(settings, workspace)
    if plan:
        exit_if_a_person_is_needed(settings, workspace, plan)


def _say_next_release(settings: Settings, workspace: Workspace) -> None:
    """Print the words that a release would add and remove now; raises BeeError if it would be refused."""
    last = registry.load(workspace, "release")
    listed_before = set(last.files["wordlist.txt"].decode().split()) if last else set()
    new_list = wordlist(registry.load(workspace, "decisions"))
    added = sorted(set(new_list) - listed_before)
    removed = sorted(listed_before - set(new_list))
    for verb, words in (("add", added), ("remove", removed)):
        names = f": {', '.join(words)}" if words else ""
        settings.say(f"A release would {verb} {count(len(words), 'word')}{names}.")
    settings.say("Nothing was published.")
    approved_version = str(last.package.get("approved", "")) if last else ""
    require_publishable(approved_list(last), new_list, registry.load(workspace, "violations"), approved_version)


def _peak_memory_text() -> str:
    """Return a text with the peak memory of this process, or "" if the system does not report it."""
    try:
        import resource
    except ImportError:  # Windows
        return ""
    unit = 1 if sys.platform == "darwin" else 1024
    return f", {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6:.0f} MB peak memory"


def _say_waiting_days(settings: Settings, workspace: Workspace) -> None:
    """Print the days that wait, each with the reason and what ends it."""
    for row in frames.rows(registry.load(workspace, "waits")):
        settings.say(f"{row['date']} waits: {row['because']}.")


def _say_missing_days(settings: Settings, workspace: Workspace) -> None:
    """Print the days between the first and the last known day that are not known."""
    violations = registry.load(workspace, "violations")
    missing = violations["subject"][violations["rule"] == "day-missing"]
    if len(missing):
        settings.say(f"missing {date_ranges(missing)}: `bee run --fetch` asks for these days.")


def _counts_text(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} {number:,}" for name, number in counts.items())


def _newest_table(settings: Settings, command: str) -> tuple[Workspace, pd.DataFrame]:
    """Return the workspace and the table of a stage; make it again if it is out of date and the disk can be written."""
    workspace = settings.find_workspace()
    stage = BY_NAME[command]
    runner.require_complete(workspace)
    if runner.stale(workspace, stage):
        try:
            with open_workspace(settings) as (_, progress):
                runner.run_command(workspace, command, progress)
        except StoreError as error:
            if not error.can_retry:
                raise
            settings.say(f"{error} The existing table is used.")
    table = registry.load(workspace, stage.makes[0])
    settings.say(_counts_text(stage.counts({stage.makes[0]: table})))
    if runner.stale(workspace, stage) or runner.stale_before(workspace, stage):
        settings.say("These tables are out of date; `bee run` makes them again.")
    return workspace, table
