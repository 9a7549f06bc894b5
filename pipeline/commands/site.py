"""`bee site`: a page for the browser, from the release."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, Optional

import typer

from pipeline import solver
from pipeline.commands import app, say
from pipeline.words import BeeError

PACKAGE = Path(__file__).parent.parent
DOCS = PACKAGE.parent / "docs"
"""Where a checkout has its accuracy report; an installed package has none."""


@app.command()
def site(
    output: Annotated[Path, typer.Option("-o", "--output", help="The folder to write; default site.")] = Path("site"),
    release: Annotated[Optional[Path], typer.Option(help="A folder with words.csv; default the release here.")] = None,  # noqa: UP045
    report: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option(help="A folder with ACCURACY.md and its plots; default docs/ of a checkout, else none."),
    ] = None,
) -> None:
    """Write a page that solves in the browser, without a server: open index.html, or put the folder on any host."""
    from pipeline import export as exporting
    from pipeline import frames, store
    from pipeline import site as making

    folder = Path(release or solver.RELEASE)
    words, evidence = folder / "words.csv", folder / "evidence.csv"
    tables = {
        "words": frames.read_csv(store.read_bytes(words, "bee publish"), words),
        "evidence": frames.from_text(frames.read_csv(store.read_bytes(evidence, "bee merge"), evidence), "evidence"),
    }
    documents = {name: store.read_bytes(folder / name, "bee publish") for name in making.DOCUMENTS}
    page = {name: store.read_bytes(PACKAGE / "page" / name, "pip install") for name in making.PAGE}
    package = _package(folder / "datapackage.json")
    files = making.site(tables, package, documents, page, _report(report))
    exporting.check_seal(words.read_bytes(), package, words)
    for name, data in files.items():
        store.write_bytes(output / name, data)
    size = sum(map(len, files.values())) / 1_000_000
    say(f"{len(files)} files, {size:.1f} MB, in {output}; open {output / 'index.html'}.")


def _package(path: Path) -> dict[str, Any]:
    """Read the description of the release."""
    from pipeline import store

    try:
        package = json.loads(store.read_bytes(path, "bee publish"))
    except ValueError as error:
        raise BeeError(f"{path} is no JSON ({error}); `bee publish` makes it anew.") from error
    if not isinstance(package, dict):
        raise BeeError(f"{path} describes no release; `bee publish` makes it anew.")
    return package


def _report(named: Path | None) -> dict[str, bytes]:
    """Read the accuracy report and its plots; nothing when none was named and none is there."""
    from pipeline import site as making
    from pipeline import store

    folder = named or DOCS
    if named is None and not (folder / making.REPORT).is_file():
        return {}
    command = f"bee backtest --report {folder}"
    text = store.read_bytes(folder / making.REPORT, command)
    names = making.plots(text.decode("utf-8", "replace"))
    return {making.REPORT: text, **{name: store.read_bytes(folder / name, command) for name in names}}
