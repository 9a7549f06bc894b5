"""Run the notebooks and render them: `python notebooks/render.py [--data DIR] [--to DIR] [--pair]`.

Each `NN_*.py` here is a notebook as text. It is executed top to bottom on the workspace at hand and becomes one HTML
page without scripts or styles from elsewhere, the same bytes every time. With `--pair` its `.ipynb`, which has the
same cells and no outputs, is written beside it. `make notebooks` does all of this into `docs/notebooks/`.
"""

from __future__ import annotations

import argparse
import html
import os
import re
import sys
from pathlib import Path

import jupytext
import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbconvert.filters import markdown2html

HERE = Path(__file__).resolve().parent
PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
:root {{ color-scheme: light; }}
body {{ font: 16px/1.5 system-ui, sans-serif; color: #222; background: #fff; margin: 0 auto; max-width: 72rem;
  padding: 1.5rem; }}
h1 {{ font-size: 1.7rem; line-height: 1.2; }} h2 {{ font-size: 1.25rem; margin-top: 2.2em; }}
figure {{ margin: 1em 0; }} p {{ max-width: 52rem; }}
pre {{ overflow-x: auto; background: #f7f5f2; padding: .7em; font-size: .85rem; }}
pre.said {{ background: none; padding: 0; font-size: 1rem; font-family: inherit; white-space: pre-wrap; }}
details {{ margin: .5em 0; color: #555; }} details summary {{ cursor: pointer; font-size: .85rem; }}
a {{ color: #1f5673; }}
nav, footer {{ font-size: .9rem; color: #555; }}
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
    """Read a notebook from its text, with cell ids that do not change from one reading to the next."""
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
    """Run a notebook top to bottom."""
    notebook = read(path)
    quiet = ["--log-level=ERROR"]  # the kernel warns that it talks over TCP, which here is this machine with itself
    where = {"metadata": {"path": str(HERE)}}
    NotebookClient(notebook, timeout=300, kernel_name="python3", resources=where, extra_arguments=quiet).execute()
    return notebook


def page(name: str, notebook: nbformat.NotebookNode) -> str:
    """Make the page of an executed notebook: prose and outputs, the code folded away."""
    titles = {path.stem: title(read(path)) for path in sources()}
    links = " · ".join(
        f"<b>{html.escape(text)}</b>" if other == name else f'<a href="{other}.html">{html.escape(text)}</a>'
        for other, text in titles.items()
    )
    body = "\n".join(_cell(cell) for cell in notebook.cells)
    return PAGE.format(title=html.escape(titles[name]), name=name, links=links, body=body)


def _cell(cell: nbformat.NotebookNode) -> str:
    if cell.cell_type == "markdown":
        return re.sub(r'<a class="anchor-link".*?</a>', "", markdown2html(cell.source))
    code = f"<details><summary>Code</summary><pre><code>{html.escape(cell.source)}</code></pre></details>"
    return code + "".join(_output(output) for output in cell.outputs)


def _output(output: nbformat.NotebookNode) -> str:
    if output.output_type == "stream" and output.name == "stdout":
        return f'<pre class="said">{html.escape(output.text)}</pre>'
    if output.output_type in ("display_data", "execute_result") and "text/html" in output.data:
        return str(output.data["text/html"])
    raise SystemExit(f"An output is neither text nor HTML: {output}")


def main() -> None:
    """Render every notebook."""
    parser = argparse.ArgumentParser(description="Run the notebooks and render them as HTML.")
    parser.add_argument("--data", help="the workspace; default: BEE_DATA, or the checkout's own")
    parser.add_argument("--pair", action="store_true", help="write the .ipynb files too, without outputs")
    parser.add_argument("--to", type=Path, default=HERE.parent / "docs/notebooks", help="where the pages go")
    given = parser.parse_args()
    if given.data:
        os.environ["BEE_DATA"] = str(Path(given.data).resolve())
    os.environ["PYTHONPATH"] = os.pathsep.join([str(HERE.parent), os.environ.get("PYTHONPATH", "")])
    given.to.mkdir(parents=True, exist_ok=True)
    for path in sources():
        if given.pair:
            path.with_suffix(".ipynb").write_text(paired(path), "utf-8", newline="\n")
        try:
            made = page(path.stem, execute(path))
        except CellExecutionError as error:
            sys.exit(f"{path.name}: {error.ename}: {error.evalue}")
        (given.to / f"{path.stem}.html").write_text(made, "utf-8", newline="\n")
        print(f"{given.to / path.stem}.html")


if __name__ == "__main__":
    main()
