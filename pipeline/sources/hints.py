"""Advice for files that no source can read: one sentence for each kind of file that users may try."""

from __future__ import annotations

import re

from pipeline.sources import table

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


def hint(data: bytes, text: str) -> str:
    """Return advice for bytes, uncompressed, that decode to this text and have no known format; "" if there is none.

    >>> hint(b"PK\\x03\\x04...", "PK...")
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
