"""The commands that make the list: one short command per stage."""

from __future__ import annotations

import itertools
import sys
import time
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline import store
from pipeline.commands import RUN, Data, Json, at_work, command, given, held, iso_date, remedied, say, tell
from pipeline.commands.fetch import Delay, live
from pipeline.errors import BeeError, StoreError
from pipeline.opinions.catalog import FLAGS
from pipeline.words import count

if TYPE_CHECKING:
    import pandas as pd

    from pipeline.store import Workspace


@command(RUN, "bee merge", "bee merge --rebuild")
def merge(
    rebuild: Annotated[bool, typer.Option(help="Count all evidence again from raw/, not from the last state.")] = False,
    data: Data = None,
) -> None:
    """Make puzzles, answers, conflicts, candidates, trials and evidence."""
    from pipeline.run import runner

    with at_work(data) as (workspace, progress):
        counts = runner.run_command(workspace, "merge", progress, rebuild=rebuild)
    say(_counted(counts))
    if rebuild:
        say("The estimates keep their weights; `bee fit` fits them to this record.")


@command(RUN, "bee fit", "bee fit --data data")
def fit(
    added: Annotated[
        bool, typer.Option("--added", help="Fit only the columns that the model lacks; keep all other weights.")
    ] = False,
    data: Data = None,
) -> None:
    """Fit the weights of the estimates to the record, and write them to data/custom/model.csv. Rarely needed.

    Days and verdicts do not need it. It changes the estimates of many words at once, so it is a release of its own.
    """
    from pipeline.run import registry, runner

    with at_work(data) as (workspace, progress):
        runner.run_command(workspace, "fit", progress, fit=True, added=added)
        model = registry.load(workspace, "model")
    days = count(len(model.covered), "day")
    say(f"{len(model.weights):,} weights, fitted on {days}; `bee run` makes the list with them.")


@command(RUN, "bee flag", "bee flag --list")
def flag(
    rules: Annotated[bool, typer.Option("--list", help="Print the list of flags and do nothing else.")] = False,
    data: Data = None,
) -> None:
    """Flag words, estimate words that were never tried, and decide the tier of every word."""
    if rules:
        for rule in FLAGS:
            typer.echo(f"{rule.id:14} {rule.severity:7} {rule.sentence}")
    else:
        from pipeline.run import runner

        with at_work(data) as (workspace, progress):
            say(_counted(runner.run_command(workspace, "flag", progress)))


@command(RUN, "bee diff", "bee diff --date 2025-02-22")
def diff(
    date: Annotated[str, typer.Option(callback=iso_date, help="Print only the diffs of this day.")] = "",
    as_json: Json = False,
    data: Data = None,
) -> None:
    """Compare the list with the official answers, word by word.

    missing: an official answer that the list lacks; extra: a listed word that the puzzle refused.
    """
    from pipeline.run import registry
    from pipeline.tables import frames

    workspace, found = _newest("diff", data)
    if date:
        if date not in set(registry.load(workspace, "puzzles")["date"]):
            raise BeeError(f"There is no puzzle of {date} on disk, or a correction removes it.")
        _unsettled(workspace, date)
        found = found[found["date"] == date]
        say(f"{date}: differences between list and answers: {len(found)}.")
    if as_json:
        tell(frames.json_rows(found), data)
        return
    for row in frames.rows(found):
        typer.echo(f"{row['date']} {row['side']:8} {row['word']:16} {row['because']}")


@command(RUN, "bee check", "bee check --only correction-stale", "bee check --captures")
def check(
    rules: Annotated[bool, typer.Option("--list", help="Print the list of violations and do nothing else.")] = False,
    only: Annotated[
        list[str] | None, typer.Option("--only", metavar="RULE", help="Show only this rule; may be repeated.")
    ] = None,
    captures: Annotated[
        bool, typer.Option("--captures", help="Check only what the captures on disk say, without a merge.")
    ] = False,
    as_json: Json = False,
    data: Data = None,
) -> None:
    """Look for violations. Exit code 1 if there are errors; warnings are for a person to read.

    With --captures: exit code 1 if there is any finding.
    """
    from pipeline.publishing.check import CATALOG, RULES
    from pipeline.tables import frames

    if rules and (only or captures or as_json):
        raise typer.BadParameter("--list only prints the rules; leave the other options out.")
    if rules:
        for rule in CATALOG:
            typer.echo(f"{rule.id:20} {rule.severity:8} {rule.sentence}")
        return
    if unknown := [rule for rule in only or () if rule not in RULES]:
        raise typer.BadParameter(f'"{unknown[0]}" is not a rule; `bee check --list` prints all rules.')
    found = _inspected(data) if captures else _newest("check", data)[1]
    found = found[found["rule"].isin(only)] if only else found
    if as_json:
        tell(frames.json_rows(found), data)
    for row in frames.rows(found) if not as_json else []:
        typer.echo(remedied(f"{row['severity']:8} {row['rule']:20} {row['subject']}: {row['detail']}"))
    if captures:
        say(f"{count(len(found), 'finding')}.")
    elif not as_json and {"day-held", "word-waits"} & set(only or ["day-held"]):
        _unsettled(store.find_workspace(data))
    if (found["severity"] == "error").any() or (captures and len(found)):
        raise typer.Exit(1)


def _inspected(data: str | None) -> pd.DataFrame:
    """Find what is wrong with the captures on disk, without the tables that a merge makes."""
    from pipeline.publishing.check import check_captures
    from pipeline.run import registry, stages

    with at_work(data, writes=False) as (workspace, progress):
        captures = registry.load(workspace, "captures", progress)
        facts = stages.make_facts(captures, **registry.load_all(workspace, "requests", "corrections"))
        known_days = registry.load(workspace, "settled").covered | set(facts["dates"]["date"])
        lines = registry.load(workspace, "lines")
    return check_captures(facts["faults"], facts["conflicts"], known_days, lines)


@command(RUN, "bee publish", "bee publish --force")
def publish(
    approve: Annotated[
        bool,
        typer.Option("--approve", help="Publish a list with many changes after a review; later changes count from it."),
    ] = False,
    force: Annotated[bool, typer.Option(help="Publish in spite of errors or many changes.")] = False,
    data: Data = None,
) -> None:
    """Write the release to data/custom/, or refuse."""
    from pipeline.run import runner

    with at_work(data) as (workspace, progress):
        counts = runner.run_command(workspace, "publish", progress, force=force, approve=approve)
    say(_counted(counts))


@command(RUN, "bee run", "bee run --fetch", "bee run --no-publish")
def run(
    context: typer.Context,
    fetch: Annotated[bool, typer.Option("--fetch", help="Fetch the missing days from the sources first.")] = False,
    single: Annotated[bool, typer.Option("--single", help="With --fetch: use one source per day.")] = False,
    no_publish: Annotated[
        bool,
        typer.Option("--no-publish", help="Make no release; print the words that one would add and remove."),
    ] = False,
    delay: Delay = 2.0,
    data: Data = None,
) -> None:
    """Run every stage that is stale, and print a table. Without --fetch the network is not used.

    On a branch use --no-publish: the main branch makes the releases. Exit code 1 if a release would be refused.
    """
    from pipeline.run import runner
    from pipeline.run.stages import STAGES

    if not fetch and (single or "--delay" in given(context)):
        raise typer.BadParameter(f"{'--single' if single else '--delay'} is for --fetch; add that, or leave it out.")
    code = 0
    if fetch:
        from pipeline.fetching import backfill

        workspace = store.find_workspace(data)
        with held(workspace):
            code = live(workspace, backfill.Wish(second="never" if single else "live"), delay)
        if code:
            say("Continuing with the captures on disk; `bee run --fetch` asks again for what is missing.")
    started = time.perf_counter()
    with at_work(data) as (workspace, progress):
        # The runner runs a stage when the next result is asked for, so the last stage, publish, is never begun.
        stages = len(STAGES) - 1 if no_publish else len(STAGES)
        done = list(itertools.islice(runner.run_stale_stages(workspace, progress), stages))
    for stage_run in done:
        if stage_run.seconds is None:
            typer.echo(f"{stage_run.stage:9} up to date")
        else:
            typer.echo(f"{stage_run.stage:9} {stage_run.seconds:4.1f} s  {_counted(stage_run.counts)}")
    say(f"{time.perf_counter() - started:.1f} s{_peak()}.")
    _unsettled(workspace)
    _missing(workspace)
    if no_publish:
        _preview(workspace)
    if code:
        raise typer.Exit(code)


SHOWN = 20
"""The maximum number of words that `bee run --no-publish` names on each side."""


def _preview(workspace: Workspace) -> None:
    """Print the words that a release would add and remove now; raises BeeError if it would be refused."""
    from pipeline.publishing import publish as publishing
    from pipeline.publishing import release as releases
    from pipeline.publishing.verify import approved_list
    from pipeline.run import registry

    last = registry.load(workspace, "release")
    listed_before = set(last.files["wordlist.txt"].decode().split()) if last else set()
    new_list = releases.wordlist(registry.load(workspace, "decisions"))
    added = sorted(set(new_list) - listed_before)
    removed = sorted(listed_before - set(new_list))
    say(f"A release would add {_some_words(added)}.")
    say(f"A release would remove {_some_words(removed)}.")
    say("Nothing was published.")
    approved_version = str(last.package.get("approved", "")) if last else ""
    publishing.refuse(approved_list(last), new_list, registry.load(workspace, "violations"), approved_version)


def _some_words(words: list[str]) -> str:
    """Count words, and name the first ones.

    >>> _some_words([]), _some_words(["cave", "cove"])
    ('0 words', '2 words: cave, cove')
    """
    if not words:
        return "0 words"
    more = f" and {len(words) - SHOWN:,} more" if len(words) > SHOWN else ""
    return f"{count(len(words), 'word')}: {', '.join(words[:SHOWN])}{more}"


def _peak() -> str:
    """Return a text with the peak memory of this process, or "" if the system does not report it."""
    try:
        import resource
    except ImportError:  # Windows
        return ""
    unit = 1 if sys.platform == "darwin" else 1024
    return f", {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6:.0f} MB at most"


def _unsettled(workspace: Workspace, *dates: str) -> None:
    """Print the days that are held or of whose words some wait, side by side, with the commands; by default all."""
    from pipeline.review import waiting
    from pipeline.run import registry

    found = waiting.unsettled(registry.load(workspace, "waiting"), registry.load(workspace, "versions"))
    for date, lines in found.items():
        if date in (dates or found):
            say("\n".join(lines))


def _missing(workspace: Workspace) -> None:
    """Print the days between the first and the last that are neither in the record nor held."""
    from pipeline.facts.seal import ranges
    from pipeline.run import registry
    from pipeline.sources.day import days_between

    known = {*registry.load(workspace, "evidence").covered, *registry.load(workspace, "waiting")["date"]}
    if absent := sorted(set(days_between(min(known), max(known))) - known) if known else []:
        say(f"missing {ranges(absent)[:200]}: `bee run --fetch` fetches these days")


def _counted(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in counts.items())


def _newest(command: str, data: str | None) -> tuple[Workspace, pd.DataFrame]:
    """Return the table of a stage; make it anew if it is out of date and the workspace can be written."""
    from pipeline.run import registry, runner
    from pipeline.run.stages import BY_NAME

    workspace, stage = store.find_workspace(data), BY_NAME[command]
    runner.require_complete(workspace)
    if runner.stale(workspace, stage):
        try:
            with at_work(data) as (_, progress):
                runner.run_command(workspace, command, progress)
        except StoreError as error:
            if not error.can_retry:
                raise
            say(f"{error} So the table that is there is read.")
    found = registry.load(workspace, stage.makes[0])
    say(_counted(stage.counts({stage.makes[0]: found})))
    if runner.stale(workspace, stage) or runner.stale_before(workspace, stage):
        say("These tables are from before the last change; `bee run` makes them anew.")
    return workspace, found
