"""The sources of official answers, one small module each, without access to disk or network.

Each module defines a value of the type `day.Source`, or several. `SOURCES` is the only registry: a new source needs one
module and one entry there.
"""

from __future__ import annotations

import gzip
import io
import zlib
from dataclasses import dataclass

from pipeline.sources import lines, nyt, nytbee, plus, seed, table
from pipeline.sources.day import Fault, LiveSite, ParseResult, Source

SOURCES: tuple[Source, ...] = (
    nyt.DAY,
    nyt.PAGE,
    nyt.DAYS,
    lines.SOURCE,
    table.SOURCE,
    nytbee.SOURCE,
    seed.SOURCE,
    plus.SOURCE,
)
"""All sources. A file is read by the first one that recognizes it."""
SITE_OF: dict[str, str] = {source.name: source.owner for source in SOURCES if source.owner}
"""The site whose lists a source has. Such a source is trusted, and all sources of one site are one witness. A list of
any other source has no trust."""
ONE_DAY = frozenset(source.name for source in SOURCES if source.one_day)
"""The sources whose files have one day each, as their site shows it. They are more exact than collections of days."""
_SITES = {source.name: source.site for source in SOURCES if source.site}
LIVE_SITES: dict[str, LiveSite] = dict(sorted(_SITES.items(), key=lambda item: item[1].days_back is not None))
"""The sites from which days can be requested, by source, in the order of use: first those that have every day."""

__all__ = ["LIVE_SITES", "MAX_BYTES", "ONE_DAY", "SITE_OF", "SOURCES", "read_capture", "too_large"]

MAX_BYTES = 20_000_000
"""The maximum size of a file in bytes, uncompressed. The largest archive has 1.5 MB. Reading a file of the maximum size
takes about half a gigabyte of memory."""


def read_capture(data: bytes, name: str) -> ParseResult:
    """Return the days and faults of a capture in any known format, with or without gzip compression. Never raises for
    invalid bytes."""
    unpacked = _unpack(data)
    if len(unpacked.data) > MAX_BYTES:
        return ParseResult(days=(), faults=(too_large(name),))
    text = unpacked.data.decode("utf-8-sig", errors="replace")
    faults: list[Fault] = []
    if not unpacked.complete:
        faults.append(Fault("cut-short", name, "The gzip data is incomplete or damaged."))
    for source in SOURCES:
        if source.recognizes(text):
            parsed = source.parse(text, name)
            return ParseResult(parsed.days, (*faults, *parsed.faults), source.name)
    faults.append(Fault("unknown-format", name, _advice(text)))
    return ParseResult(days=(), faults=tuple(faults))


def too_large(name: str) -> Fault:
    """Return the fault of a file that is too large to be read."""
    detail = f"The file is larger than {MAX_BYTES // 1_000_000} MB when decompressed; split it into smaller files."
    return Fault("too-large", name, detail)


@dataclass(frozen=True, slots=True)
class _Unpacked:
    """The uncompressed bytes of a file, and whether the file was complete."""

    data: bytes
    complete: bool


def _unpack(data: bytes) -> _Unpacked:
    """Return gzip data decompressed as far as possible, up to slightly more than `MAX_BYTES`, and other data
    unchanged."""
    if data[:2] != b"\x1f\x8b":
        return _Unpacked(data, complete=True)
    parts: list[bytes] = []
    size = 0
    complete = True
    with gzip.GzipFile(fileobj=io.BytesIO(data)) as packed:
        try:
            while size <= MAX_BYTES:
                part = packed.read1(8192)
                if not part:
                    break
                parts.append(part)
                size += len(part)
        except (OSError, EOFError, zlib.error):
            complete = False
    return _Unpacked(b"".join(parts), complete)


def _advice(text: str) -> str:
    """Return why a text has no known format, and what to do."""
    if "\0" in text[:200] or "\ufffd" in text[:200]:
        return "The file is not text in UTF-8; decompress it, or save it as UTF-8."
    if not text.strip():
        return "The file is empty."
    first_line = text.lstrip().partition("\n")[0]
    for separator, separators in ((";", "semicolons"), ("\t", "tabs")):
        if table.recognizes(first_line.replace(separator, ",")):
            return f"The columns are separated by {separators}; save the table with commas."
    formats = "; ".join(source.format for source in SOURCES)
    return f"The file has none of the formats that can be read: {formats}."
