"""The documents: their links lead somewhere, their commands exist, and their figures are those of the release."""

import json
import re
import shlex

from conftest import PROJECT

from docs import reference
from pipeline import reader
from pipeline.cli import COMMANDS, command

DOCUMENTS = sorted([*PROJECT.glob("*.md"), *(PROJECT / "docs").glob("*.md"), PROJECT / "data/LICENSES.md"])
README = (PROJECT / "README.md").read_text()
REPORT = (PROJECT / "docs/ACCURACY.md").read_text()


def anchors(text: str) -> set[str]:
    """The names that links use for the headings of a document."""
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_link_leads_to_a_file_and_a_heading():
    broken = []
    for path in DOCUMENTS:
        text = path.read_text()
        for link in re.findall(r"\]\(([^)\s]+)\)|(?:src|srcset)=\"([^\"]+)\"", text):
            name, _, heading = "".join(link).partition("#")
            target = path.parent / name if name else path
            if name.startswith(("http:", "https:")):
                continue
            if not target.exists() or (heading and heading not in anchors(target.read_text())):
                broken.append((path.name, "".join(link)))
    assert broken == []


def test_every_command_in_a_block_can_be_called():
    for path in DOCUMENTS:
        if path.name != "CHANGELOG.md":  # it also has commands of earlier versions
            for block in re.findall(r"^```(?:sh)?\n(.*?)^```", path.read_text(), re.MULTILINE | re.DOTALL):
                for line in re.findall(r"(?:^(?:\$ )?|\| )bee ([^#>|<\n]*)", block, re.MULTILINE):
                    name, *arguments = shlex.split(line)
                    if name == "--data":
                        _, name, *arguments = arguments
                    assert name in COMMANDS, f"{path.name}: bee {line}"
                    command(name).make_context(name, arguments)


def test_the_readme_has_the_figures_of_the_release_and_of_the_report():
    words = json.loads((PROJECT / "data/custom/datapackage.json").read_text())["words"]
    assert f"a list of {words['core'] + words['likely']:,} words" in README
    table = README.partition("## Measured quality\n\n")[2].partition("\n\n")[0]
    assert table in REPORT, "make accuracy writes the table"


def test_the_report_has_the_sums_of_the_track_record():
    rows = reader.rows((PROJECT / "data/custom/track.csv").read_bytes(), "track.csv")
    days = len(rows)
    exact = sum(row["missing"] == row["extra"] == "0" for row in rows) / days
    missing, extra = (sum(int(row[name]) for row in rows) / days for name in ("missing", "extra"))
    (reported,) = re.findall(r"^\| all days \| .*$", REPORT, re.MULTILINE)
    _, _, days_reported, _, exact_reported, _, *others = (cell.strip() for cell in reported.split("|"))
    assert (days_reported, exact_reported) == (f"{days:,}", f"{exact:.1%}")
    assert others[:2] == [f"{missing:.2f}", f"{extra:.2f}"]


def test_the_reference_is_what_the_commands_say():
    assert (PROJECT / "docs/CLI.md").read_text() == reference.page(), "make reference writes it"
