"""Builds the npm package `bee-wordlist`: ES modules with the list and the solver of the page, in one tarball."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
from pathlib import Path

from packages.contents import DESCRIPTION, Contents, numbers
from pipeline.errors import BeeError
from pipeline.publishing import export, formats
from pipeline.words import GAME, LISTED, UNSAFE_FLAGS

HERE = Path(__file__).parent
PAGE = HERE.parent / "pipeline/publishing/page/bee.js"
START_OF_PART = f"// {64 * '-'} "
"""The start of the line that begins a part of the page's script; the title of the part follows."""
PARTS = ("the glossary", "the list")
"""The titles of the parts that a solver needs."""
LISTS = {
    "index": (export.Choice(LISTED), "All words of the list"),
    "safe": (export.Choice(LISTED, UNSAFE_FLAGS), "The words of the list without slurs, vulgar and explicit words"),
}
"""The modules with words, each with the choice of its words and a sentence about them."""
PACKED_AT = 499162500
"""The time of all files, 1985-10-26 08:15 UTC, as in every tarball of npm, so that the same release gives the same
bytes."""


def semver(version: str) -> str:
    """Return the npm version of a release, which has three parts without leading zeros.

    >>> semver("2026.07.24.4"), semver("2025.12.31.10")
    ('2026.724.4', '2025.1231.10')
    """
    year, month, day, build = numbers(version)
    return f"{year}.{100 * month + day}.{build}"


def files(contents: Contents) -> dict[str, bytes]:
    """Return the files of the package, name to bytes."""
    values = {
        "{version}": contents.version,
        "{semver}": semver(contents.version),
        "{count}": f"{len(contents.listed):,}",
    }
    readme = (HERE / "npm/README.md").read_text()
    for mark, value in values.items():
        readme = readme.replace(mark, value)
    files_of_package = {
        "package.json": json.dumps(description(contents), indent=2).encode() + b"\n",
        "README.md": readme.encode(),
        "LICENSE": (HERE.parent / "LICENSE").read_bytes(),
        "LICENSES.txt": contents.licenses,
        "solve.js": _solver(),
        "solve.d.ts": (HERE / "npm/solve.d.ts").read_bytes(),
    }
    types = (HERE / "npm/words.d.ts").read_text()
    for name, (choice, sentence) in LISTS.items():
        chosen = export.choose(contents.rows, choice)
        notice = export.notice(contents.package, export.describe_choice(len(chosen), choice), has_flags=False)
        files_of_package[f"{name}.js"] = formats.FORMATS["js"].writers[""](chosen, notice)
        files_of_package[f"{name}.d.ts"] = types.replace("{sentence}", sentence).encode()
    return files_of_package


def description(contents: Contents) -> dict[str, object]:
    """Return `package.json`."""
    modules = {".": "index", "./safe": "safe", "./solve": "solve"}
    return {
        "name": "bee-wordlist",
        "version": semver(contents.version),
        "description": DESCRIPTION,
        "keywords": ["spelling-bee", "word-list", "solver"],
        "license": f"({contents.license})" if " " in contents.license else contents.license,
        "type": "module",
        "sideEffects": False,
        "main": "./index.js",
        "types": "./index.d.ts",
        "exports": {
            **{path: {"types": f"./{name}.d.ts", "default": f"./{name}.js"} for path, name in modules.items()},
            "./package.json": "./package.json",
        },
        "files": ["*.js", "*.d.ts", "LICENSES.txt"],
    }


def _solver() -> bytes:
    """Return a script with the rules, the parts of the page's script that a solver needs, and the package's
    functions."""
    part_by_title: dict[str, str] = {}
    for part in PAGE.read_text().split(START_OF_PART):
        title = part.partition("\n")[0]
        part_by_title[title] = part
    for title in PARTS:
        if title not in part_by_title:
            raise BeeError(f'{PAGE} has no part "{title}", which the npm package needs.')
    rules = GAME.for_scripts()
    solver_rules = {name: rules[name] for name in ("letters", "shortest", "longest", "bonus", "ranks")}
    text = f"const beeWords = {{ rules: {json.dumps(solver_rules)} }};\n\n"
    for title in PARTS:
        text += START_OF_PART + part_by_title[title]
    return (text.rstrip() + "\n" + (HERE / "npm/solve.js").read_text()).encode()


def build(contents: Contents) -> dict[str, bytes]:
    """Return the tarball, file name to bytes. The same release gives the same bytes."""
    tar_bytes = io.BytesIO()
    with tarfile.open(fileobj=tar_bytes, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for name, data in files(contents).items():
            entry = tarfile.TarInfo(f"package/{name}")
            entry.size, entry.mtime, entry.mode = len(data), PACKED_AT, 0o644
            tar.addfile(entry, io.BytesIO(data))
    return {f"bee-wordlist-{semver(contents.version)}.tgz": gzip.compress(tar_bytes.getvalue(), mtime=0)}
