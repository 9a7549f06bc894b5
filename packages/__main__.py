"""Builds both packages from a release. `make packages` runs it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from packages import build
from pipeline import store
from pipeline.errors import BeeError

RELEASE = build.HERE.parent / "data/custom"


def main(arguments: list[str]) -> int:
    """Build the packages, print their paths and sizes, and return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m packages", description="Build bee_wordlist for Python and for npm."
    )
    parser.add_argument("--release", type=Path, default=RELEASE, help="a folder with a release")
    parser.add_argument("--to", type=Path, default=Path("dist"), help="the folder for the files; default dist")
    options = parser.parse_args(arguments)
    try:
        for name, data in build.build(build.read(options.release)).items():
            store.write_bytes(options.to / name, data)
            print(f"{options.to / name}  {len(data):,} bytes")
    except BeeError as error:
        print(f"packages: {error}", file=sys.stderr)
        return error.exit_code
    except OSError as error:
        print(f"packages: {error.filename}: {error.strerror}.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
