"""The site of the documents, made with Sphinx from the same Markdown: `make documents` writes it into `site/docs`.

With `-D repository=URL` links to files outside this folder lead to the repository. Without it they are plain text.
"""

import re

from sphinx.application import Sphinx

project = "A word list for the Spelling Bee"
author = "the authors of the project; not affiliated with The New York Times"
html_title = "Word list for the Spelling Bee"
html_theme = "furo"
extensions = ["myst_parser"]
exclude_patterns = ["changes", "texts"]
root_doc = "index"
language = "en"
myst_heading_anchors = 4
smartquotes = False
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_static_path: list[str] = []
pygments_style = "friendly"


def contents(text: str) -> str:
    """Return the menu of the site: one list for each heading of the index, of the pages that it links first."""
    lists, seen = [], set()
    for part in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        linked = dict.fromkeys(re.findall(r"\]\(([\w-]+)\.md", part))
        pages = [page for page in linked if page not in seen]
        seen.update(pages)
        caption = part.partition("\n")[0]
        lists.append("\n".join(["```{toctree}", ":hidden:", f":caption: {caption}", "", *pages, "```", ""]))
    return "\n".join(lists)


def outside(text: str, repository: str) -> str:
    """Lead links to files outside the folder of the documents to the repository, or make them plain text."""
    link = rf"[\1]({repository.rstrip('/')}/blob/HEAD/\2)" if repository else r"\1"
    return re.sub(r"\[([^\]]+)\]\(\.\./([^)\s]+)\)", link, text)


def read(app: Sphinx, page: str, source: list[str]) -> None:
    """Prepare the Markdown of one page."""
    menu = contents(source[0]) if page == app.config.root_doc else ""
    source[0] = outside(source[0], app.config.repository) + "\n" + menu


def setup(app: Sphinx) -> None:
    """Tell Sphinx the option and the preparation of pages."""
    app.add_config_value("repository", "", "env", [str])
    app.connect("source-read", read)
