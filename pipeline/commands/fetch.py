"""The commands that bring data in: official answers from live sources or from files, and word lists of the user."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from pipeline import clock
from pipeline.commands import CURATE, RUN, command
from pipeline.commands.options import Json, iso_date, read_list_files, seconds_up_to
from pipeline.commands.settings import Settings, escaped
from pipeline.errors import Command
from pipeline.words import count

if TYPE_CHECKING:
    from pipeline.fetching.backfill import Ask, Wish, Work
    from pipeline.fetching.wanted import Second
    from pipeline.store import Workspace

SAY_EVERY = 100
"""The number of days per line of progress."""

LONGEST_DELAY = 3600.0
"""The longest pause, in seconds."""


Delay = Annotated[
    float,
    typer.Option(
        callback=seconds_up_to(LONGEST_DELAY),
        envvar="BEE_DELAY",
        help="Seconds between requests to a host; robots.txt may require more.",
    ),
]


@command(RUN, "bee fetch", "bee fetch --source nytbee --since 2025-01-01 --until 2025-12-31")
def fetch(
    settings: Settings,
    source: Annotated[str, typer.Option(help="Use only these sources, comma-separated, in order.")] = "",
    since: Annotated[
        str, typer.Option(callback=iso_date, help="First day; default all days that the record lacks.")
    ] = "",
    until: Annotated[
        str, typer.Option(callback=iso_date, help="Last day; default the day of the current puzzle.")
    ] = "",
    single: Annotated[bool, typer.Option("--single", help="Use one source per day, not two.")] = False,
    cross_check: Annotated[
        bool, typer.Option("--cross-check", help="Use a second source for the days of archives as well.")
    ] = False,
    delay: Delay = 2.0,
) -> None:
    """Ask live sources for the official answers of the missing days."""
    from pipeline.fetching import backfill

    if single and cross_check:
        raise typer.BadParameter("--single asks one source for a day, --cross-check two; use one of them.")
    names = tuple(name for name in source.split(",") if name)
    workspace = settings.find_workspace()
    with settings.lock(workspace):
        second: Second = "never" if single else "always" if cross_check else "live"
        code = live(settings, workspace, backfill.Wish(names, since, until, second), delay)
    if code:
        raise typer.Exit(code)


@command(RUN, "bee import days.csv", "bee import days.csv --as nyt", name="import")
def import_(
    settings: Settings,
    paths: Annotated[list[str], typer.Argument(metavar="PATH…", help="Files, folders of files, or URLs.")],
    source: Annotated[
        str,
        typer.Option("--as", "--source", metavar="SOURCE", help="Whose answers these are; default the file's name."),
    ] = "",
    delay: Delay = 2.0,
) -> None:
    """Add the official answers in files, in any known format, to the workspace.

    A source has the trust of its name: nyt, nyt_page, days, table, lines, nytbee, seed, plus, in this order. Any other
    name has the lowest. Exit code 1 if a file has faults or no day; its valid days are kept.
    """
    from pipeline.fetching import captures, web

    urls = [path for path in paths if re.match("https?://", path)]
    if "--delay" in settings.options and not urls:
        raise typer.BadParameter("--delay is for URLs, and none is given.")
    code = 0
    with settings.open_workspace() as (workspace, progress), web.session(delay) as session:
        for line in captures.heal(workspace):
            settings.say(line)
        for path in paths:
            if path in urls:
                got = web.get(session, path)
                name = re.sub("[^A-Za-z0-9._-]", "_", got.url.rpartition("/")[2]).strip(".") or "page"
                host = re.split("[/:]+", got.url)[1]
                done = captures.take(workspace, [(name[:100], got.url, got.body)], source, host, str(got.status))
            else:
                done = captures.fetch_from(workspace, Path(path), source, progress)
            for fault in done.faults:
                settings.say(str(fault))
            code = code or int(bool(done.faults or not done.days))
            back = f", {done.back} put back" if done.back else ""
            counts = f"{count(done.new, 'new capture')}{back}, {count(len(done.faults), 'fault')}"
            settings.say(f"{path}: {count(done.days, 'day')} in {count(done.files, 'file')}, {counts}.")
    if code:
        raise typer.Exit(code)


@command(RUN, "bee forget nyt/2025-01-02.json", "bee forget nytbee/Bee_20250102.html")
def forget(
    settings: Settings,
    capture: Annotated[str, typer.Argument(metavar="SOURCE/NAME", help="The capture, as bee check names it.")],
) -> None:
    """Give up a capture that is missing or damaged: remove its receipt, and move a damaged file aside.

    Days that were counted stay in the record. A capture that is as its receipt says is refused.
    """
    from pipeline.fetching import receipts

    source, _, name = capture.partition("/")
    if not (source and name) or "/" in name or source in (".", ".."):
        raise typer.BadParameter("Name the capture like nyt/2025-01-02.json.")
    with settings.open_workspace() as (workspace, _):
        settings.say(receipts.forget(workspace, source, name))


ACTIONS = {"add": ("FILE", "--name --license --column"), "remove": ("NAME", ""), "show": ("", "--json")}
"""What `bee lists` does: what each needs, and the options that apply to it."""


@command(CURATE, "bee lists add words.txt --name mine --license MIT", "bee lists show")
def lists(
    settings: Settings,
    action: Annotated[Literal["add", "remove", "show"], typer.Argument(help="What to do.")],
    which: Annotated[str, typer.Argument(help="The file to add (- for stdin), as for bee convert, or the name.")] = "",
    name: Annotated[str, typer.Option(help="With add: the name of the list; default the file's name.")] = "",
    license: Annotated[str, typer.Option(help="With add: the license of the list.")] = "",
    column: Annotated[str, typer.Option(help="With add: the column of a table that contains the words.")] = "",
    as_json: Json = False,
) -> None:
    """Add a word list of your own, whose words become candidates; remove it; or show all such lists."""
    from pipeline.fetching import word_lists
    from pipeline.run import registry

    needs, apply = ACTIONS[action]
    options = {"--name": name, "--license": license, "--column": column, "--json": as_json}
    if wrong := [option for option, value in options.items() if value and option not in apply.split()]:
        raise typer.BadParameter(f"{wrong[0]} does not apply to bee lists {action}.")
    if bool(which) != bool(needs):
        raise typer.BadParameter(f"The command is {f'bee lists {action} {needs}'.strip()}.")
    if which == "-" and action == "add" and not name:
        raise typer.BadParameter("A list from stdin needs --name NAME.")
    files = read_list_files(Path(which)) if action == "add" else {}
    with settings.open_workspace(writes=action != "show") as (workspace, _):
        if action == "add":
            _add_list(settings, workspace, files, name, license, column)
        elif action == "remove":
            word_lists.remove(workspace, which)
            settings.say(f"{which}: removed; `bee run` makes the list without it.")
        else:
            _show_lists(settings, word_lists.show(workspace, registry.load(workspace, "own_lists")), as_json)


def _add_list(
    settings: Settings, workspace: Workspace, files: dict[str, bytes], name: str, license: str, column: str
) -> None:
    from pipeline.fetching import captures, word_lists

    name = name or re.sub("[^a-z0-9_-]+", "-", next(iter(files)).partition(".")[0].lower()).strip("-")
    added = word_lists.add(workspace, files, name, license, column, captures.stamp(clock.now()))
    for rule, number in added.rejected.most_common():
        settings.say(f"{number:10,} left out: {rule}")
    settings.say(
        f"{count(len(added.words), 'word'):>16} kept as the list {name}. ", Command("flag --fit all"),
        " learns its worth, ", Command("run"), " uses it.",
    )  # fmt: skip


def _show_lists(settings: Settings, rows: list[dict[str, Any]], as_json: bool) -> None:
    if as_json:
        settings.print_json(rows)
        return
    if not rows:
        settings.say("There is no list of yours; `bee lists --help` says how to add one.")
    for row in rows:
        license = row["license"] or "license not stated"
        words = f"{count(row['words'], 'word'):>15}"
        typer.echo(escaped(f"{row['name']:12} {words}  {license}  {row['file']}  {row['added_at']}"))


def live(settings: Settings, workspace: Workspace, wish: Wish, delay: float) -> int:
    """Fetch the missing days from the live sources, report progress, and return the exit code."""
    from pipeline.facts import corrections
    from pipeline.fetching import backfill, captures, web
    from pipeline.run import registry

    for line in captures.heal(workspace):
        settings.say(line)

    found = registry.load_all(workspace, "settled", "corrections", "admitted")
    decided = {*found["corrections"]["date"], *found["admitted"]["date"]}  # a word that waited needs its day to count
    covered = found["settled"].covered - {date for date, _ in found["settled"].waiting if date in decided}
    work = backfill.prepare(
        workspace,
        wish,
        os.environ,
        clock.now(),
        covered,
        corrections.rejected_days(found["corrections"]),
        corrections.unusable_days(found["corrections"]),
    )
    if not work.dates:
        return _say_missing(settings, work, [])
    asks: list[Ask] = []
    settings.say(f"Asking for {count(len(work.dates), 'day')}, {work.dates[0]} back to {work.dates[-1]}.")
    try:
        with web.session(delay) as session, settings.progress_bar() as progress:
            for ask in backfill.backfill(
                work, session, _told(settings, progress(work.dates, "fetching"), asks), clock.now
            ):
                asks.append(ask)
                if ask.failed:
                    settings.say(f"{ask.date} {ask.source}: {ask.outcome}: {ask.detail}")
    except KeyboardInterrupt:
        settings.say("Stopped. The days fetched so far are kept, and the next fetch continues from there.")
        raise
    finally:
        for line in backfill.summary(work, asks):
            settings.say(line)
    return _say_missing(settings, work, asks)


def _say_missing(settings: Settings, work: Work, asks: list[Ask]) -> int:
    """Print the days that no source has, and return the exit code."""
    from pipeline.fetching import backfill

    lines = backfill.missing(work)
    for line in lines[:10]:
        settings.say(line)
    if len(lines) > 10:
        settings.say(f"… and {count(len(lines) - 10, 'more gap')}")
    if not (lines or work.dates):
        settings.say("No day is missing.")
    return backfill.exit_code(work, asks)


def _told(settings: Settings, days: Iterable[str], asks: list[Ask]) -> Iterator[str]:
    """Say from time to time how many days are done, and how many requests failed."""
    for done, day in enumerate(days, 1):
        yield day
        if done % SAY_EVERY == 0:
            settings.say(f"{count(done, 'day')} done, {count(sum(ask.failed for ask in asks), 'failure')}")
