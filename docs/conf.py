"""The configuration of Sphinx, which makes the site of the documents from their Markdown. `make documents` writes the
site to `site/docs`.

With `-D repository=URL`, links to files outside this folder lead to the repository. Without it, they are plain text.
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


def menu_of(text: str) -> str:
    """Return the menu of the site: for each heading of the index, a list of the pages that are linked first in its
    lines."""
    lists = []
    seen: set[str] = set()
    for section in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        linked_pages = dict.fromkeys(re.findall(r"\]\(([\w-]+)\.md", section))
        pages = [page for page in linked_pages if page not in seen]
        seen.update(pages)
        heading = section.partition("\n")[0]
        lists.append("\n".join(["```{toctree}", ":hidden:", f":caption: {heading}", "", *pages, "```", ""]))
    return "\n".join(lists)


def lead_links_outside(text: str, repository: str) -> str:
    """Return Markdown in which links to files outside the folder of the documents lead to the repository or, without
    one, are plain text."""
    link = rf"[\1]({repository.rstrip('/')}/blob/HEAD/\2)" if repository else r"\1"
    return re.sub(r"\[([^\]]+)\]\(\.\./([^)\s]+)\)", link, text)


def prepare_page(app: Sphinx, page: str, source: list[str]) -> None:
    """Prepare the Markdown of one page."""
    menu = menu_of(source[0]) if page == app.config.root_doc else ""
    source[0] = lead_links_outside(source[0], app.config.repository) + "\n" + menu


def setup(app: Sphinx) -> None:
    """Register the option and the preparation of pages with Sphinx."""
    app.add_config_value("repository", "", "env", [str])
    app.connect("source-read", prepare_page)
