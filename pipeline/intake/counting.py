"""Counting: chooses the record to which the days on disk are added, so that a changed day counts in its new form.

The *base* is the record to which later days are added: the record of the first merge or of a rebuild, or one that came
with the repository. While the later days are on disk, the evidence is the base plus all of them, counted again. If the
base does not fit any longer (the evidence came from elsewhere, or captures were deleted), the evidence itself becomes
the base, so nothing is lost.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import NamedTuple

from pipeline import reader
from pipeline.facts import evidence
from pipeline.facts.evidence import NONE, Evidence
from pipeline.facts.seal import REPAIR, EvidenceError, ranges
from pipeline.words import BeeError


@dataclass(frozen=True, slots=True)
class Base:
    """A record, the checksums of the evidence files made from it and the days on disk, and whether it is our own.

    Our own base was counted from captures that this workspace had at that time, by the first merge or a rebuild.
    """

    kept: Evidence
    made: tuple[str, ...]
    own: bool


SHA256 = 64
"""The length of a checksum in hexadecimal digits."""
NOTHING = Base(NONE, (), own=False)
"""The base before the first merge."""


def kept(evidence_file: bytes | None, base: Base, rebuild: bool) -> Evidence:
    """Read the evidence so far. If it is damaged or gone, a rebuild takes the base, to know what may be lost."""
    if rebuild and evidence_file is None:
        return base.kept
    try:
        return evidence.decode(evidence_file) if evidence_file is not None else NONE
    except BeeError:
        if rebuild:
            return base.kept
        raise


def need_all(before: Collection[str], after: Collection[str], whole: bool) -> None:
    """Raise EvidenceError if a record would cover fewer days than before; `whole` is whether the one before is there
    undamaged."""
    if lost := set(before) - set(after):
        how = "import the files that have them first; to add new days only, `bee run`" if whole else REPAIR
        raise EvidenceError(
            f"The record would lose {len(lost):,} days that it or the release covers, and nothing on disk has: "
            f"{ranges(lost)[:200]}. Nothing was changed: {how}."
        )


class Start(NamedTuple):
    """The start of counting: the base to keep and whether it is our own, the record to add to, the dates not new."""

    kept: Evidence
    own: bool
    base: Evidence
    before: frozenset[str]


def start(
    base: Base,
    kept: Evidence,
    file: bytes | None,
    seen: Collection[str],
    final: Collection[str],
    puzzles: Collection[str],
    rebuild: bool,
) -> Start:
    """Return the record to which the days on disk are added; `kept` is the evidence, `file` its bytes.

    `seen` are all dates of the captures, `puzzles` those that corrections leave, and `final` those of them that are
    settled. If all days of the base are on disk and settled, everything is counted again, which is always safe. A day
    that a correction removes is removed from the record only if it was counted from these captures: a record that came
    from elsewhere may have the day from a better source.
    """
    if rebuild:
        return Start(kept, True, NONE, frozenset())
    followed = file is not None and reader.sha256(file) in base.made and kept.covered - base.kept.covered <= set(seen)
    mine, own = (base.kept, base.own) if followed else (kept, False)
    corrected = set(seen) - set(puzzles) if own else set()
    whole = mine.covered <= set(final) | corrected
    return Start(mine, own, NONE if whole else mine, mine.covered)


def next_base(start: Start, made: Evidence, file: bytes | None, anew: bool) -> Base:
    """Return the base after a merge; the result of the first merge or of a rebuild is the base of later ones."""
    new = evidence.encode(made)
    if anew:
        return Base(made, (reader.sha256(new),), own=True)
    both = {reader.sha256(data) for data in (file, new) if data is not None}
    return Base(start.kept, tuple(sorted(both)), start.own)


def encode(base: Base) -> bytes:
    """Encode a base: a line with its origin and the checksums, then a file like `evidence.csv`."""
    origin = "own" if base.own else "other"
    return f"# {origin} base of {' '.join(base.made)}\n".encode() + evidence.encode(base.kept)


def decode(data: bytes) -> Base:
    """Decode a base; a damaged one counts as none."""
    first, _, rest = data.partition(b"\n")
    fields = first.decode("ascii", "replace").split()
    made = tuple(field for field in fields if len(field) == SHA256)
    try:
        return Base(evidence.decode(rest), made, own="own" in fields)
    except BeeError:
        return NOTHING
