"""`bee site`: writes the web page Bee Words, for any web host."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Annotated

import typer

from pipeline import reader, store
from pipeline.commands.messages import say
from pipeline.play import glosses
from pipeline.site import build, content
from pipeline.words import count

PACKAGE = Path(__file__).parent.parent
DOCS = PACKAGE.parent / "docs"
"""The folder of the accuracy report in a checkout."""


def _https(text: str) -> str:
    """Check an option that is the address of a folder on the web."""
    if text and not re.fullmatch(r"https://[\w.-]+(:\d+)?(/[\w.~/%-]*)?", text, re.ASCII):
        raise typer.BadParameter(f'"{text}" is not an address like https://example.org/bee.')
    return text


def site(
    ctx: typer.Context,
    output: Annotated[Path, typer.Option("-o", "--output", help="The folder to write.")] = Path("site"),
    force: Annotated[
        bool, typer.Option("--force", help="Overwrite files in the folder even if this command did not create them.")
    ] = False,
    repository: Annotated[
        str, typer.Option(callback=_https, help="The address of a repository with issues, for reports about words.")
    ] = "",
    address: Annotated[
        str,
        typer.Option(
            callback=_https, help="The URL that the page will have. Search engines need this URL to index the page."
        ),
    ] = "",
) -> None:
    """Write a web page for playing and solving in the browser.

    Copy the folder to any web host, or see it here with the command that is printed.

    \b
    Examples:
      bee site
      bee site -o public --address https://example.org/bee
    """
    folder = store.find_release(ctx.obj)
    files = reader.read(folder)
    beside = {}
    if own_definitions := store.read_if_exists(folder / reader.GLOSSES):
        beside[reader.GLOSSES] = own_definitions
    rows = reader.rows(files.files["words.csv"], "words.csv")
    definitions = glosses.load(folder, {row["word"] for row in rows})
    theme = PACKAGE / "site/page"
    frame = build.Frame(
        page={name: store.read_bytes(theme / name, store.PROGRAM) for name in (*build.PAGE, *build.PLAIN)},
        report=_report(),
        repository=repository.rstrip("/"),
        address=f"{address.rstrip('/')}/" if address else "",
    )
    site_files = build.make_site(content.collect(files, rows, definitions, beside), frame)
    store.write_folder(output, site_files, _entries_of_site, force)
    size = sum(map(len, site_files.values())) / 1_000_000
    say(f"Release {files.version} in {folder}.")
    say(f"{count(len(site_files), 'file')}, {size:.1f} MB, in {output}.")
    command_line = shlex.join(["python", "-m", "http.server", "--directory", str(output)])
    say(f"To see the page: `{command_line}`, then open http://localhost:8000")


def _entries_of_site(folder: Path) -> set[str]:
    """Return the names of the files and folders that the last `bee site` wrote to a folder; none if it has no site."""
    worker = store.read_if_exists(folder / "sw.js")
    line_of_files = re.search(rb"^const FILES = (.*);$", worker, re.MULTILINE)
    files_of_worker = re.findall(rb'"([\w.-]+)": "[0-9a-f]{32}"', line_of_files[1] if line_of_files else b"")
    if not files_of_worker:
        return set()
    entries = {"sw.js"} | {name.decode() for name in files_of_worker}
    try:
        words = json.loads(store.read_if_exists(folder / "words.json"))["files"]
        downloads = json.loads(store.read_if_exists(folder / "latest.json"))["files"]
        made = {f"words/{name}.json" for name in words} | {download["path"] for download in downloads}
    except (ValueError, KeyError, TypeError, RecursionError):
        return entries
    for name in ("words", "list"):  # unless a person put a file there
        if {path.relative_to(folder).as_posix() for path in (folder / name).glob("*")} <= made:
            entries.add(name)
    return entries


def _report() -> dict[str, bytes]:
    """Read the accuracy report and its plots, which a checkout has; an installed package has none."""
    report = DOCS / "ACCURACY.md"
    if not report.is_file():
        return {}
    return {path.name: path.read_bytes() for path in (report, *sorted(DOCS.glob("accuracy-*.svg")))}
