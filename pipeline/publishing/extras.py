"""Extras: content of a site besides the release: definitions, our own puzzles, relatives, downloads. Pure."""

from __future__ import annotations

import gzip
from collections.abc import Mapping, Sequence
from typing import Any

from pipeline import reader
from pipeline.facts import endings
from pipeline.play import daily, difficulty
from pipeline.play.glosses import Glosses
from pipeline.publishing import export, formats
from pipeline.publishing.site import Extras
from pipeline.reader import Release
from pipeline.words import LISTED, TIERS

Row = Mapping[str, Any]
Downloads = dict[str, tuple[bytes, str]]
"""Files for other programs: name to (bytes, sentence)."""
RELEASED = {
    "wordlist-in-play.txt": "For the official game: the words of the list without S, and without E and R together.",
    "wordlist.txt": "The whole list, one word per line.",
    "words.csv": "Every word that was tried or may be right, also words that are not on the list: tier, p, record, "
    "flags, reason.",
    "evidence.csv": "How often each word was possible and accepted, with first and last dates.",
    "flags.csv": "The flags of words.",
    "datapackage.json": "The description of the release: schemas, sources, licenses, checksums.",
}
"""Files of the release that the site offers unchanged, if it has them; large ones are compressed."""
LARGE = 1_000_000
NAMED = {"TXT": "bee-wordlist-upper.txt", "scored": "bee-wordlist-scored.txt"}
NAMED |= {"c": "bee_wordlist.h", "js": "bee-wordlist.mjs"}
"""File names of formats that are not `bee-wordlist.FORMAT`. No two names may differ only in case."""


def extras(
    rows: Sequence[Row],
    record: Sequence[Row],
    glosses: Glosses,
    sizes: Mapping[str, int],
    days: Mapping[str, str],
    downloads: Downloads,
    report: Mapping[str, bytes],
    repository: str,
) -> Extras:
    """Collect the content of the site besides the release; `rows` are from `site.rows_of`, `record` from
    `site.record_of`, `sizes` the SCOWL sizes by word."""
    shown = [row["word"] for row in rows if row["tier"] != TIERS[-1]]
    listed = [row["word"] for row in rows if row["tier"] in LISTED]
    accepted = {row["word"]: row["accepted"] for row in record}
    hard = {word: difficulty.hardness(sizes[word], accepted.get(word, 0)) for word in shown}
    pool = daily.pool(listed, hard, {row["word"]: row for row in rows})
    return Extras(
        glosses={
            word: (glosses[word].base, [(f"{sense.pos}. {sense.gloss}", sense.rude) for sense in glosses[word].senses])
            for word in shown
            if word in glosses
        },
        hard=hard,
        pool=[(own.center, own.outer, difficulty.LEVELS.index(own.level)) for own in pool],
        days=days,
        sizes=sizes,
        links=links(sizes, {word: own.base for word, own in glosses.items()}, set(accepted)),
        report=report,
        downloads=downloads,
        repository=repository,
    )


def links(sizes: Mapping[str, int], bases: Mapping[str, str], tried: set[str]) -> list[tuple[int, int]]:
    """Pair the words of a release with their bases, by position A to Z, if at least one of the two was tried."""
    names = sorted(sizes)
    parts = {word for word in names if sizes[word] <= endings.PART_SIZE}
    found = endings.pairs(names, [bases.get(word, "") for word in names], parts)
    return [(form, base) for form, base in found if names[form] in tried or names[base] in tried]


def downloads(release: Release, recorded: bytes) -> Downloads:
    """Write the list in every format, and the files of the release; name to (bytes, sentence)."""
    choice = export.Choice(LISTED)
    chosen = export.choose(reader.checked_words(release.files["words.csv"]), choice)
    facts = export.facts(release.package, export.content(len(chosen), choice))
    files = {**release.files, "evidence.csv": recorded}
    made: Downloads = {name: (files[name], says) for name, says in RELEASED.items() if name in files}
    for form in formats.FORMATS.values():
        for ending, write in form.writers.items():
            name = f"bee-wordlist{ending}" if ending else NAMED.get(form.name, f"bee-wordlist.{form.name}")
            made[name] = (write(chosen, facts), f"For {form.use}: {form.sentence}.")
    packed: Downloads = {}
    for name, (data, says) in made.items():
        large = len(data) > LARGE
        packed[f"{name}.gz" if large else name] = (gzip.compress(data, 6, mtime=0) if large else data, says)
    return packed
