"""Writes the sections of docs/CLI.md from the commands: `make reference`. The text before the first section stays."""

import inspect
from pathlib import Path

import typer.core

from pipeline.cli import GROUPS, command

PAGE = Path(__file__).with_name("CLI.md")


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


def examples(name: str) -> list[str]:
    """Return the examples in the help of a command."""
    _, _, lines = inspect.cleandoc(command(name).help).partition("Examples:\n")
    return [line.strip() for line in lines.splitlines()]


def section(name: str) -> str:
    """Return the section about a command: its help, its examples and its options."""
    text = inspect.cleandoc(command(name).help).partition("\b")[0]
    lines = [f"### `bee {name}`", "", " ".join(text.split()), "", "```sh", *examples(name), "```", ""]
    rows = [row(parameter) for parameter in command(name).params if "--help" not in parameter.opts]
    if rows:
        lines += ["| option | what it does |", "|---|---|", *rows, ""]
    return "\n".join(lines)


def page() -> str:
    """Return the page with new sections."""
    parts = [PAGE.read_text(encoding="utf-8").partition("\n## ")[0]]
    for title, entries in GROUPS.items():
        parts.append(f"## {title}\n")
        parts += [section(name) for name in entries]
    return "\n".join(parts).rstrip() + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
