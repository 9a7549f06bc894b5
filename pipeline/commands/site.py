"""`bee site`: make a page for the browser from the release."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pipeline import reader
from pipeline.commands import USE, Data, command, release_folder, say

PACKAGE = Path(__file__).parent.parent
DOCS = PACKAGE.parent / "docs"
"""The folder of the accuracy report in a checkout; an installed package has no report."""


@command(USE, "bee site", "bee site -o public --repository https://example.org/bee")
def site(
    output: Annotated[Path, typer.Option("-o", "--output", help="The folder to write; default site.")] = Path("site"),
    release: Annotated[
        Path | None, typer.Option(help="A folder with words.csv; default the release of the workspace.")
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(help="A folder with ACCURACY.md and its plots; default docs/ in a checkout, else none."),
    ] = None,
    repository: Annotated[
        str, typer.Option(help="The address of a repository with issues, for the link to report a word.")
    ] = "",
    data: Data = None,
) -> None:
    """Write a page for playing and solving in the browser: open index.html, or copy the folder to any web host."""
    from pipeline import store
    from pipeline.play import difficulty, glosses
    from pipeline.publishing import extras
    from pipeline.publishing import site as making

    if repository and not repository.startswith("https://"):
        raise typer.BadParameter("The address of the repository must start with https://.")
    folder = Path(release or release_folder(data))
    found = reader.read(folder)
    recorded = store.read_bytes(folder / "evidence.csv", "bee merge")
    rows, record = making.rows_of(found.files["words.csv"]), making.record_of(recorded)
    page = {name: store.read_bytes(PACKAGE / "publishing" / "page" / name, "pip install") for name in making.PAGE}
    gathered = extras.extras(
        rows, record, glosses.load(), difficulty.sizes([row["word"] for row in rows]),
        extras.downloads(found, recorded), _report(report), repository,
    )  # fmt: skip
    files = making.site(rows, record, found.package, found.files, page, gathered)
    for name, content in files.items():
        store.write_bytes(output / name, content)
    size = sum(map(len, files.values())) / 1_000_000
    say(f"Release {found.version} in {folder}.")
    say(f"{len(files)} files, {size:.1f} MB, in {output}; open {output / 'index.html'}.")


def _report(named: Path | None) -> dict[str, bytes]:
    """Read the accuracy report and its plots; return nothing if no folder was named and the default has none."""
    from pipeline import store
    from pipeline.publishing import site as making

    folder = named or DOCS
    if named is None and not (folder / making.REPORT).is_file():
        return {}
    command = f"bee backtest --report {folder}"
    text = store.read_bytes(folder / making.REPORT, command)
    names = making.plots(text.decode("utf-8", "replace"))
    return {making.REPORT: text, **{name: store.read_bytes(folder / name, command) for name in names}}
