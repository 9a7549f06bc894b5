"""`bee verify`: check whether a folder is one complete release, as published."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pipeline import reader
from pipeline.commands import USE, Data, command, release_folder, say


@command(USE, "bee verify", "bee verify data/custom")
def verify(
    folder: Annotated[
        Path | None,
        typer.Argument(metavar="DIR", help="A folder with a release; default the release of the workspace."),
    ] = None,
    data: Data = None,
) -> None:
    """Check a release: checksums, description, columns, that words.csv gives the list, the checksum of the evidence."""
    from pipeline.publishing import verify as verifying

    place = folder or Path(release_folder(data))
    files = {reader.SUMS: b"", **reader.read(place).files}
    files[reader.SUMS] = reader.sums({name: each for name, each in files.items() if name != reader.SUMS})
    files |= {name: (place / name).read_bytes() for name in verifying.BESIDE if (place / name).is_file()}
    made = verifying.verify(files, place)
    words = len(made.files["wordlist.txt"].split())
    say(f"{place}: release {made.version}, {words:,} words in {len(made.files)} files, as published.")
