"""`bee site`: writes the web page Bee Words, for any web host or to open as a local file."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Annotated

import typer

from pipeline import reader, store
from pipeline.commands import USE, command
from pipeline.commands.options import NAMED_TWICE, Overwrite, Release, refuse_together
from pipeline.commands.settings import Settings
from pipeline.words import count

PACKAGE = Path(__file__).parent.parent
DOCS = PACKAGE.parent / "docs"
"""The folder of the accuracy report in a checkout."""
WORD_PAGE = re.compile(r"words/(index\.html|words\.css|[a-z]{2}(-more)?\.(html|json))")
"""The files in the folder `words` of a site."""
LIST_OF_MADE_FILES = "made-by-bee-site.txt"
"""A file that older versions of the program wrote into the folder of a site."""


def _https(text: str) -> str:
    """Check an option that is the address of a folder on the web."""
    if text and not re.fullmatch(r"https://[\w.-]+(:\d+)?(/[\w.~/%-]*)?", text, re.ASCII):
        raise typer.BadParameter(f'"{text}" is not an address like https://example.org/bee.')
    return text


@command(USE, "bee site", "bee site -o public --address https://example.org/bee")
def site(
    settings: Settings,
    output: Annotated[Path, typer.Option("-o", "--output", help="The folder to write.")] = Path("site"),
    force: Overwrite = False,
    release: Release = None,
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

    Open its index.html, or copy the folder to any web host.
    """
    from pipeline.play import daily, glosses
    from pipeline.publishing.site import PAGE, PLAIN, SiteFrame, make_site
    from pipeline.publishing.site_content import collect_content, make_downloads, read_release

    refuse_together(settings, "--release", {"--data"}, NAMED_TWICE)
    folder = Path(release or settings.release_folder())
    files = reader.read(folder)
    beside = {}
    if definitions := store.read_if_exists(folder / reader.GLOSSES):
        beside[reader.GLOSSES] = definitions
    site_release = read_release(files)
    words = {row["word"] for row in site_release.rows}
    downloads = make_downloads(files, beside)
    content = collect_content(site_release, glosses.load(folder, words), daily.published(files), downloads)
    frame = SiteFrame(
        page={name: store.read_bytes(PACKAGE / "publishing/page" / name, store.PROGRAM) for name in (*PAGE, *PLAIN)},
        report=_report(),
        repository=repository,
        address=f"{address.rstrip('/')}/" if address else "",
    )
    site_files = make_site(site_release, content, frame)
    store.write_folder(output, site_files, _entries_of_site, force)
    size = sum(map(len, site_files.values())) / 1_000_000
    settings.say(f"Release {files.version} in {folder}.")
    settings.say(f"{count(len(site_files), 'file')}, {size:.1f} MB, in {output}; open {output / 'index.html'}.")


def _entries_of_site(folder: Path) -> set[str]:
    """Return the names of the files and folders that the last `bee site` wrote to a folder; none if it has no site."""
    from pipeline.publishing.plain_pages import CROISSANT, DATA, ROBOTS, SITE_MAP
    from pipeline.publishing.site import ATOM, LATEST

    worker = store.read_if_exists(folder / "sw.js")
    line_of_files = re.search(rb"^const FILES = (.*);$", worker, re.MULTILINE)
    files_of_worker = re.findall(rb'"([\w.-]+)": "[0-9a-f]{32}"', line_of_files[1] if line_of_files else b"")
    if not files_of_worker:
        return set()
    entries = {"sw.js", DATA, CROISSANT, LATEST, ATOM, LIST_OF_MADE_FILES}
    entries |= {name for name in ("words", "list") if _has_only_pages_and_downloads(folder / name)}
    if b'rel="canonical"' in store.read_if_exists(folder / "index.html"):
        entries |= {SITE_MAP, ROBOTS}
    return entries | {name.decode() for name in files_of_worker}


def _has_only_pages_and_downloads(folder: Path) -> bool:
    """Return whether a folder of a site has only word pages and downloads, and no files of the user."""
    from pipeline.publishing.site import LATEST

    try:
        latest = json.loads(store.read_if_exists(folder.parent / LATEST))
        downloads = {download["path"] for download in latest["files"]}
    except (ValueError, KeyError, TypeError, RecursionError):
        return False
    paths = [f"{folder.name}/{path.name}" for path in folder.glob("*")]
    return all(path in downloads or WORD_PAGE.fullmatch(path) for path in paths)


def _report() -> dict[str, bytes]:
    """Read the accuracy report and its plots, which a checkout has; an installed package has none."""
    from pipeline.publishing.site import REPORT

    if not (DOCS / REPORT).is_file():
        return {}
    return {path.name: path.read_bytes() for path in (DOCS / REPORT, *sorted(DOCS.glob("accuracy-*.svg")))}
