"""The sources of official answers: one small module each, without disk or network.

Each module defines a value `SOURCE`; `day.Source` describes it. `TRUSTED` is the only registry: a new source needs
one module and one entry there.
"""

from __future__ import annotations

import gzip
import io
import re
import zlib
from typing import NamedTuple

from pipeline.sources import lines, nyt, nytbee, plus, seed, table
from pipeline.sources.day import Fault, Live, Parsed, Source

TRUSTED: tuple[tuple[Source, ...], ...] = (
    (nyt.DAY,),
    (nyt.PAGE, nyt.DAYS),
    (lines.SOURCE, table.SOURCE),
    (nytbee.SOURCE,),
    (seed.SOURCE,),
    (plus.SOURCE,),
)
"""All sources, from most to least trusted; sources of equal trust are grouped. If two sources differ on a day, the more
trusted one is used and the difference is recorded. A file is read by the first source that recognizes it."""
SOURCES: tuple[Source, ...] = tuple(source for rank in TRUSTED for source in rank)
TRUST: dict[str, int] = {
    name: rank for rank, equals in enumerate(TRUSTED) for source in equals for name in (source.name, *source.folders)
}
"""The rank of each source by the name of its folder in `data/raw`; 0 is the most trusted."""
LIVE: dict[str, Live] = {
    source.name: source.live
    for source in sorted(SOURCES, key=lambda source: source.live is not None and source.live.reach is not None)
    if source.live
}
"""The sources that can be asked for a day, in the order of use: first those that have every day."""

LARGEST = 20_000_000
"""The limit in bytes, uncompressed. The largest archive has 1.5 MB; a file of this size takes about half a gigabyte to
read."""


class Read(NamedTuple):
    """The source of a capture, None if no source knows the format, and what was read from it."""

    source: str | None
    parsed: Parsed


def read(data: bytes, name: str) -> Read:
    """Recognize the format of a capture, with or without gzip compression, and parse it. Never raises for invalid
    bytes."""
    unpacked, cut = _unpacked(data)
    if len(unpacked) > LARGEST:
        return Read(None, Parsed((), (too_large(name),)))
    text = unpacked.decode("utf-8-sig", errors="replace")
    cut_fault = (Fault("cut-short", name, "The gzip data is incomplete or damaged."),) if cut else ()
    for source in SOURCES:
        if source.recognises(text):
            parsed = source.parse(text, name)
            return Read(source.name, Parsed(parsed.days, cut_fault + parsed.faults))
    formats = "; ".join(source.format for source in SOURCES)
    fault = Fault("unknown-format", name, _hint(unpacked, text) or f"None of the formats that can be read: {formats}.")
    return Read(None, Parsed((), (*cut_fault, fault)))


def too_large(name: str) -> Fault:
    """Return the fault of a file that is too large to be read."""
    return Fault(
        "too-large", name, f"It has more than {LARGEST // 1_000_000} MB, unpacked; split it into smaller files."
    )


def _unpacked(data: bytes) -> tuple[bytes, bool]:
    """Decompress gzip as far as possible, up to little more than `LARGEST`; return whether the data was incomplete."""
    if data[:2] != b"\x1f\x8b":
        return data, False
    parts, size = [], 0
    with gzip.GzipFile(fileobj=io.BytesIO(data)) as packed:
        try:
            while size <= LARGEST and (piece := packed.read1(8192)):
                parts.append(piece)
                size += len(piece)
        except (OSError, EOFError, zlib.error):
            return b"".join(parts), True
    return b"".join(parts), False


__all__ = ["COLUMNS", "LARGEST", "LIVE", "SOURCES", "TRUST", "TRUSTED", "Read", "read", "too_large"]


_PACKED = {
    b"PK\x03\x04": "a zip archive",
    b"\xfd7zXZ\x00": "packed with xz",
    b"BZh": "packed with bzip2",
    b"7z\xbc\xaf\x27\x1c": "a 7z archive",
    b"\x28\xb5\x2f\xfd": "packed with zstd",
    b"Rar!": "a rar archive",
    b"\x1f\x8b": "packed with gzip twice",
}
"""The first bytes of compressed files, and their formats."""
COLUMNS = ", ".join(table.COLUMNS)


def _hint(data: bytes, text: str) -> str:
    """Return advice for bytes, uncompressed, that decode to this text and have no known format; "" if there is none.

    >>> _hint(b"PK\\x03\\x04...", "PK...")
    'The file is a zip archive; unpack it first.'
    """
    for start, kind in _PACKED.items():
        if data.startswith(start):
            return f"The file is {kind}; unpack it first."
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or data[:200].count(0) > len(data[:200]) // 4:
        return "The file is text in UTF-16 or no text at all; save it as UTF-8."
    if not text.strip():
        return "The file is empty."
    head = text.lstrip()[:20_000]
    first = head.partition("\n")[0].lower()
    for mark, kind in ((";", "semicolons"), ("\t", "tabs")):
        if set(table.COLUMNS) <= {cell.strip(' "\r') for cell in first.split(mark)}:
            return f"The columns are separated by {kind}; save the table with commas."
    if head[0] in "{[":
        return (
            "The JSON has no shape that is known; a day needs a date (printDate, print_date or date), centerLetter, "
            "outerLetters and answers."
        )
    if head[0] == "<":
        return "The page is neither a daily page of nytbee.com nor the game page of nytimes.com."
    if re.match(r"[^,;\t]{0,40}[,;\t]", first):
        return f"If this is a table, its first line must name the columns {COLUMNS}, with commas between."
    return ""
