"""Run the notebooks and render them: `python notebooks/render.py [--data DIR] [--to DIR] [--pair]`.

Each `NN_*.py` here is a notebook as text. It is executed top to bottom on the current workspace and becomes one HTML
page without external scripts or styles, with the same bytes every time. With `--pair` its `.ipynb`, which has the same
cells and no outputs, is written too. `make notebooks` does all of this for `site/notebooks/`, which git ignores.
"""

from __future__ import annotations

import argparse
import html
import os
import re
import sys
import tempfile
from pathlib import Path

import jupytext
import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbconvert.filters import markdown2html

from pipeline import store
from pipeline.run import registry
from pipeline.words import BeeError

HERE = Path(__file__).resolve().parent
PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="puzzles" content="{puzzles}">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ font: 16px/1.5 system-ui, sans-serif; color: #222; background: #fff; margin: 0 auto; max-width: 72rem;
  padding: 1.5rem; }}
h1 {{ font-size: 1.7rem; line-height: 1.2; }} h2 {{ font-size: 1.25rem; margin-top: 2.2em; }}
figure {{ margin: 1em 0; }} p {{ max-width: 52rem; }}
pre {{ overflow-x: auto; background: #f7f5f2; padding: .7em; font-size: .85rem; }}
pre.said {{ background: none; padding: 0; font-size: 1rem; font-family: inherit; white-space: pre-wrap; }}
details {{ margin: .5em 0; color: #555; }} details summary {{ cursor: pointer; font-size: .85rem; }}
a {{ color: #1f5673; }}
nav, footer {{ font-size: .9rem; color: #555; }}
@media (prefers-color-scheme: dark) {{
  body {{ background: #15171c; }}
  nav, main, footer {{ filter: invert(.9) hue-rotate(180deg); color-scheme: light; }}
}}
</style>
</head>
<body>
<nav aria-label="Notebooks">{links}</nav>
<main>
{body}
</main>
<footer><p>Made from the notebook <code>{name}.py</code> by <code>make notebooks</code>.
Not affiliated with The New York Times.</p></footer>
</body>
</html>
"""


def sources() -> list[Path]:
    """Return the notebooks as text, in order."""
    return sorted(HERE.glob("[0-9][0-9]_*.py"))


def read(path: Path) -> nbformat.NotebookNode:
    """Read a notebook from its text, with cell ids that are the same every time."""
    notebook = jupytext.read(path)
    for number, cell in enumerate(notebook.cells):
        cell["id"] = f"cell-{number}"
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    return notebook


def paired(path: Path) -> str:
    """Return the `.ipynb` of a notebook: its cells without outputs."""
    return nbformat.writes(read(path)) + "\n"


def title(notebook: nbformat.NotebookNode) -> str:
    """Return the question that a notebook asks: its first heading."""
    return notebook.cells[0].source.partition("\n")[0].removeprefix("# ")


def execute(path: Path) -> nbformat.NotebookNode:
    """Run a notebook top to bottom.

    The log of its kernel is shown only if the kernel dies: a kernel that is asked to stop sometimes logs an error while
    it exits, after every cell has run.
    """
    notebook = read(path)
    client = NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(HERE)}})
    with tempfile.TemporaryFile() as log:
        try:
            client.execute(stderr=log)
        except RuntimeError as error:  # the kernel is dead
            log.seek(0)
            raise SystemExit(f"{path.name}: {error}\n{log.read().decode('utf-8', 'replace')}") from error
    return notebook


def page(name: str, notebook: nbformat.NotebookNode, puzzles: int) -> str:
    """Make the page of an executed notebook: prose and outputs, with folded code. `puzzles` is the number of
    puzzles."""
    titles = {path.stem: title(read(path)) for path in sources()}
    links = " · ".join(
        f"<b>{html.escape(text)}</b>" if other == name else f'<a href="{other}.html">{html.escape(text)}</a>'
        for other, text in titles.items()
    )
    body = "\n".join(_cell(cell) for cell in notebook.cells)
    return PAGE.format(title=html.escape(titles[name]), name=name, links=links, body=body, puzzles=puzzles)


def _cell(cell: nbformat.NotebookNode) -> str:
    if cell.cell_type == "markdown":
        return re.sub(r'<a class="anchor-link".*?</a>', "", markdown2html(cell.source))
    code = f"<details><summary>Code</summary><pre><code>{html.escape(cell.source)}</code></pre></details>"
    return code + "".join(_output(output) for output in cell.outputs)


def _output(output: nbformat.NotebookNode) -> str:
    if output.output_type == "stream" and output.name == "stdout":
        text = re.sub("`([^`]*)`", r"<code>\1</code>", html.escape(output.text))
        return f'<pre class="said">{text}</pre>'
    if output.output_type in ("display_data", "execute_result") and "text/html" in output.data:
        return str(output.data["text/html"])
    raise SystemExit(f"An output is neither text nor HTML: {output}")


def puzzles() -> int:
    """Count the puzzles of the workspace."""
    return len(registry.load(store.find_workspace(os.environ.get("BEE_DATA")), "puzzles"))


def poorer(folder: Path, count: int) -> str:
    """Return the reason why pages made from `count` puzzles must not replace those in a folder, or ""."""
    pages = [path.read_text("utf-8") for path in sorted(folder.glob("*.html"))]
    counts = [int(each) for text in pages for each in re.findall(r'<meta name="puzzles" content="(\d+)">', text)]
    most = max(counts, default=0)
    if count >= most:
        return ""
    return (
        f"The pages in {folder} show {most:,} puzzles, and this workspace has {count:,}: they stay as they are. "
        "Import an archive with bee import, or write elsewhere: python notebooks/render.py --to DIR."
    )


def main() -> None:
    """Render every notebook."""
    parser = argparse.ArgumentParser(description="Run the notebooks and render them as HTML.")
    parser.add_argument("--data", help="the workspace; default: BEE_DATA, or the checkout's own")
    parser.add_argument("--pair", action="store_true", help="write the .ipynb files too, without outputs")
    parser.add_argument("--to", type=Path, default=HERE.parent / "site/notebooks", help="where the pages go")
    given = parser.parse_args()
    if given.data:
        os.environ["BEE_DATA"] = str(Path(given.data).resolve())
    os.environ["PYTHONPATH"] = os.pathsep.join([str(HERE.parent), os.environ.get("PYTHONPATH", "")])
    given.to.mkdir(parents=True, exist_ok=True)
    for path in sources() if given.pair else []:
        path.with_suffix(".ipynb").write_text(paired(path), "utf-8", newline="\n")
    try:
        count = puzzles()
    except BeeError as error:
        sys.exit(str(error))
    if why := poorer(given.to, count):
        sys.exit(why)
    for path in sources():
        try:
            made = page(path.stem, execute(path), count)
        except CellExecutionError as error:
            sys.exit(f"{path.name}: {error.ename}: {error.evalue}")
        (given.to / f"{path.stem}.html").write_text(made, "utf-8", newline="\n")
        print(f"{given.to / path.stem}.html")


if __name__ == "__main__":
    main()
