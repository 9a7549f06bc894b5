"""Writes the sections of docs/CLI.md from the commands: `make reference`. The text before the first section stays."""

import inspect
from pathlib import Path

import typer.core

from pipeline.cli import GROUPS, Commands

PAGE = Path(__file__).with_name("CLI.md")
GLOBAL_OPTIONS = {"--data", "--quiet", "--wait", "--help"}
"""The options of every command, which the text before the first section describes."""


def row(parameter: typer.core.TyperOption | typer.core.TyperArgument) -> str:
    """Return the row of an option or argument in the table of its command."""
    metavar = str(getattr(parameter, "metavar", "") or "")
    name, default = metavar or str(parameter.name).upper(), ""
    if parameter.opts[0].startswith("-"):
        name = ", ".join([*parameter.opts, *parameter.secondary_opts])
        if parameter.default not in (None, "", False):
            default = f" Default: `{parameter.default}`."
    values = list(getattr(parameter.type, "choices", ())) or (metavar.split("|") if "|" in metavar else [])
    choices = ", ".join(f"`{getattr(value, 'value', value)}`" for value in values)
    text = parameter.help.rstrip(".").replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")
    return f"| `{name}` | {text}.{choices and f' One of {choices}.'}{default} |"


def section(name: str, command: typer.core.TyperCommand) -> str:
    """Return the section about a command: its help, its examples and its options."""
    examples = [line.strip() for line in command.epilog.splitlines() if line.startswith("  ")]
    help_text = " ".join(inspect.cleandoc(command.help).split())
    lines = [f"### `bee {name}`", "", help_text, "", "```sh", *examples, "```", ""]
    rows = [row(parameter) for parameter in command.params if not GLOBAL_OPTIONS & set(parameter.opts)]
    if rows:
        lines += ["| option | what it does |", "|---|---|", *rows, ""]
    return "\n".join(lines)


def page() -> str:
    """Return the page with new sections."""
    parts = [PAGE.read_text(encoding="utf-8").partition("\n## ")[0]]
    for title, entries in GROUPS.items():
        parts.append(f"## {title}\n")
        parts += [section(name, Commands()[name]) for name in entries]
    return "\n".join(parts).rstrip() + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
