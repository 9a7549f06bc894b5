"""The sources of official answers: one small module each, without disk or network.

A source module has `NAME`, `FORMAT`, `ABOUT` (what it is, who made it, on which terms), `recognises(text)` and
`parse(text, name)`, which returns `capture.Parsed`. `SOURCES` lists them from the most to the least trusted: where two
differ on a day, the earlier one is used and the difference is recorded.

One that can be asked for a day, in `LIVE`, also has `url_for(base, date)`, its `BASE` and the `SETTING` that replaces
it, the `FIRST` day that it has, the days that it `NEVER` had, its `REACH` back from today in days (None: all the way),
and `name_for(date)`, which names the capture.
"""

from __future__ import annotations

import zlib
from types import ModuleType
from typing import NamedTuple

from pipeline.capture import Fault, Parsed
from pipeline.sources import days, lines, nyt, nyt_page, nytbee, plus, seed, table

SOURCES: tuple[ModuleType, ...] = (nyt, nyt_page, days, lines, table, nytbee, seed, plus)
LIVE: dict[str, ModuleType] = {module.NAME: module for module in (nyt, nytbee, nyt_page)}
"""The sources that can be asked for a day, in the order in which they are asked."""
TRUST: dict[str, int] = {module.NAME: rank for rank, module in enumerate(SOURCES)}
"""The rank of each source by name, 0 the most trusted; `sample` is this project's own two weeks."""
TRUST["days"] = TRUST["nyt_page"]
TRUST["sample"] = TRUST["table"] = TRUST["lines"]

LARGEST = 200_000_000
"""No archive comes near this many bytes after decompression; one that does is a bomb."""


class Read(NamedTuple):
    """A capture's source, None when no source knows the format, and what was read from it."""

    source: str | None
    parsed: Parsed


def read(data: bytes, name: str) -> Read:
    """Recognise the format of a capture, gzip-compressed or not, and parse it. Never raises for bad bytes."""
    try:
        text, cut = _text(data)
    except OverflowError:
        fault = Fault("too-large", name, f"It unpacks to more than {LARGEST // 1_000_000} MB.")
        return Read(None, Parsed((), (fault,)))
    cut_fault = (Fault("cut-short", name, "The gzip data ends early or is damaged."),) if cut else ()
    for module in SOURCES:
        if module.recognises(text):
            parsed: Parsed = module.parse(text, name)
            return Read(module.NAME, Parsed(parsed.days, cut_fault + parsed.faults))
    formats = "; ".join(module.FORMAT for module in SOURCES)
    fault = Fault("unknown-format", name, f"None of the formats that can be read: {formats}.")
    return Read(None, Parsed((), (*cut_fault, fault)))


def _text(data: bytes) -> tuple[str, bool]:
    """Decode bytes, unpacking gzip as far as it goes; say whether the gzip data was cut short."""
    cut = False
    if data[:2] == b"\x1f\x8b":
        rest, unpacked = data, b""
        while rest and not cut:
            unpack = zlib.decompressobj(zlib.MAX_WBITS | 16)
            try:
                unpacked += unpack.decompress(rest, LARGEST)
                cut = not unpack.eof
            except zlib.error:
                unpacked, cut = unpacked + _readable_part(rest), True
            if unpack.unconsumed_tail or len(unpacked) > LARGEST:
                raise OverflowError
            rest = unpack.unused_data
        data = unpacked
    return data.decode("utf-8-sig", errors="replace"), cut


def _readable_part(data: bytes) -> bytes:
    """Return what a damaged gzip stream gives before the damage."""
    unpack, parts, size = zlib.decompressobj(zlib.MAX_WBITS | 16), [], 0
    try:
        for start in range(0, len(data), 256):
            parts.append(unpack.decompress(data[start : start + 256], LARGEST))
            size += len(parts[-1])
            if size > LARGEST:
                raise OverflowError
    except zlib.error:
        pass
    return b"".join(parts)


__all__ = ["LIVE", "SOURCES", "TRUST", "Read", "read"]
