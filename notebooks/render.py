"""Run the notebooks and render them: `python notebooks/render.py [--to DIR] [--pair]`.

Each `NN_*.py` here is a notebook as text. It is executed top to bottom on the workspace that BEE_DATA names, or that of
the checkout, and becomes one HTML page without external scripts or styles, with the same bytes every time. With
`--pair` its `.ipynb`, which has the same cells and no outputs, is written too. `make notebooks` does all of this for
`site/notebooks/`, which git ignores.
"""

from __future__ import annotations

import argparse
import html
import os
import re
import subprocess
import sys
from pathlib import Path

import jupytext
import nbformat
from html_tables import with_code
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbconvert.filters import markdown2html

FOLDER = Path(__file__).resolve().parent
PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; --ink: #222; --faint: #555; --back: #fff; --box: #f7f5f2; --link: #1f5673; }}
@media (prefers-color-scheme: dark) {{
  :root {{ --ink: #ddd; --faint: #aaa; --back: #15171c; --box: #22252c; --link: #8fc1de;
    --plot-filter: invert(.9) hue-rotate(180deg); }}
}}
body {{ font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--back); margin: 0 auto;
  max-width: 72rem; padding: 1rem 1.5rem; }}
h1 {{ font-size: 1.7rem; line-height: 1.2; margin: .4em 0; }} h2 {{ font-size: 1.25rem; margin-top: 2.2em; }}
p {{ max-width: 52rem; margin: .6em 0; }} figure, pre {{ margin: .5em 0; }}
pre {{ overflow-x: auto; background: var(--box); padding: .7em; font-size: .85rem; }}
pre.printed {{ background: none; padding: 0; font-size: 1rem; font-family: inherit; white-space: pre-wrap; }}
details {{ margin: .2em 0; color: var(--faint); }} summary {{ cursor: pointer; font-size: .85rem; }}
a {{ color: var(--link); }}
nav, footer {{ font-size: .9rem; color: var(--faint); }}
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


def notebook_paths() -> list[Path]:
    """Return the paths of the notebooks as text, in order."""
    return sorted(FOLDER.glob("[0-9][0-9]_*.py"))


def read(path: Path) -> nbformat.NotebookNode:
    """Read a notebook from its text, with cell ids that are the same every time."""
    notebook = jupytext.read(path)
    for number, cell in enumerate(notebook.cells):
        cell["id"] = f"cell-{number}"
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    return notebook


def write_pair(path: Path) -> None:
    """Write the `.ipynb` of a notebook: its cells without outputs."""
    text = nbformat.writes(read(path)) + "\n"
    path.with_suffix(".ipynb").write_text(text, "utf-8", newline="\n")


def title_of(path: Path) -> str:
    """Return the question that a notebook asks: its first heading."""
    first_line = read(path).cells[0].source.partition("\n")[0]
    return first_line.removeprefix("# ")


def execute(path: Path) -> nbformat.NotebookNode:
    """Run a notebook top to bottom and return it with its outputs; exit with a message if a cell fails."""
    notebook = read(path)
    resources = {"metadata": {"path": str(FOLDER)}}
    client = NotebookClient(notebook, timeout=300, kernel_name="python3", resources=resources)
    try:
        client.execute(stderr=subprocess.DEVNULL)  # a kernel that is asked to stop sometimes logs an error
    except CellExecutionError as error:
        sys.exit(f"{path.name}: {error.ename}: {error.evalue}")
    return notebook


def page(path: Path, notebook: nbformat.NotebookNode) -> str:
    """Make the page of an executed notebook: links to all pages, prose, and outputs with folded code."""
    titles = {notebook_path.stem: html.escape(title_of(notebook_path)) for notebook_path in notebook_paths()}
    links = [f'<a href="{name}.html">{title}</a>' for name, title in titles.items()]
    links[list(titles).index(path.stem)] = f"<b>{titles[path.stem]}</b>"
    body = "\n".join(_cell_html(cell) for cell in notebook.cells)
    return PAGE.format(title=titles[path.stem], name=path.stem, links=" · ".join(links), body=body)


def _cell_html(cell: nbformat.NotebookNode) -> str:
    if cell.cell_type == "markdown":
        return re.sub(r'<a class="anchor-link".*?</a>', "", markdown2html(cell.source))
    code = f"<details><summary>Code</summary><pre><code>{html.escape(cell.source)}</code></pre></details>"
    return code + "".join(_output_html(output) for output in cell.outputs)


def _output_html(output: nbformat.NotebookNode) -> str:
    if output.output_type == "stream" and output.name == "stdout":
        return f'<pre class="printed">{with_code(output.text)}</pre>'
    if output.output_type in ("display_data", "execute_result") and "text/html" in output.data:
        return str(output.data["text/html"])
    raise SystemExit(f"An output is neither text nor HTML: {output}")


def main() -> None:
    """Render every notebook."""
    parser = argparse.ArgumentParser(description="Run the notebooks and render them as HTML.")
    parser.add_argument("--pair", action="store_true", help="write the .ipynb files too, without outputs")
    parser.add_argument("--to", type=Path, default=FOLDER.parent / "site/notebooks", help="where the pages go")
    options = parser.parse_args()
    os.environ["PYTHONPATH"] = os.pathsep.join([str(FOLDER.parent), os.environ.get("PYTHONPATH", "")])
    options.to.mkdir(parents=True, exist_ok=True)
    for path in notebook_paths():
        if options.pair:
            write_pair(path)
        target = options.to / f"{path.stem}.html"
        target.write_text(page(path, execute(path)), "utf-8", newline="\n")
        print(target)


if __name__ == "__main__":
    main()
