"""Extras: content of a site besides the release: definitions, our own puzzles, relatives, downloads. Pure."""

from __future__ import annotations

import gzip
from collections.abc import Mapping, Sequence
from typing import Any

from pipeline import reader, solver
from pipeline.facts import endings
from pipeline.play import daily, difficulty
from pipeline.play.glosses import Glosses
from pipeline.publishing import export, formats
from pipeline.publishing.site import Extras
from pipeline.reader import Release
from pipeline.words import LISTED, TIERS, puzzle

Row = Mapping[str, Any]
Downloads = dict[str, tuple[bytes, str]]
"""Files for other programs: name to (bytes, sentence)."""
RELEASED = "wordlist.txt words.csv evidence.csv flags.csv glosses.csv datapackage.json wordlist-in-play.txt".split()
"""Files of the release and beside it that the site offers unchanged, if it has them; large ones are compressed."""
BESIDE = {
    "evidence.csv": "How often each word was possible and accepted, with first and last dates.",
    reader.GLOSSES: "Our own definitions of words, or what they are forms of; other words have those of WordNet.",
    reader.PACKAGE: "The description of the release: schemas, sources, licenses, checksums.",
}
"""Sentences about the files that the description of a release does not describe."""
LARGE = 1_000_000


def extras(
    rows: Sequence[Row], record: Sequence[Row], glosses: Glosses, sizes: Mapping[str, int], days: Mapping[str, str],
    **others: Any,
) -> Extras:  # fmt: skip
    """Collect the content of the site besides the release; `rows` are from `site.rows_of`, `record` from
    `site.record_of`, `sizes` the SCOWL sizes by word, `days` from `daily.published`, and `others` all other fields."""
    shown = [row["word"] for row in rows if row["tier"] != TIERS[-1]]
    listed = [row["word"] for row in rows if row["tier"] in LISTED]
    accepted = {row["word"]: row["accepted"] for row in record}
    hard = {word: difficulty.hardness_of(sizes[word], accepted.get(word, 0)) for word in shown}
    pool = daily.pool(listed, hard, {row["word"]: row for row in rows})
    index = solver.build_index(listed)
    levels = {
        letters: difficulty.level(difficulty.difficulty(solver.solve(index, puzzle(letters)), hard))
        for letters in days.values()
    }
    return Extras(
        glosses={row["word"]: glosses[row["word"]].senses for row in rows if row["word"] in glosses},
        pool=[(letters[0], letters[1:], difficulty.LEVELS.index(level)) for letters, level in pool.items()],
        days={date: (letters, difficulty.LEVELS.index(levels[letters])) for date, letters in days.items()},
        sizes=sizes,
        links=links(sizes, {word: own.base for word, own in glosses.items()}, set(accepted)),
        **others,
    )


def links(sizes: Mapping[str, int], bases: Mapping[str, str], tried: set[str]) -> list[tuple[int, int]]:
    """Pair the words of a release with their bases, by position A to Z, if at least one of the two was tried."""
    names = sorted(sizes)
    parts = {word for word in names if sizes[word] <= endings.PART_SIZE}
    found = endings.pairs(names, [bases.get(word, "") for word in names], parts)
    return [(form, base) for form, base in found if names[form] in tried or names[base] in tried]


def downloads(release: Release, beside: Mapping[str, bytes]) -> Downloads:
    """Write the list in every format, and the files of the release and `beside` it; name to (bytes, sentence)."""
    choice = export.Choice(LISTED)
    chosen = export.choose(reader.check_words(release.files["words.csv"]), choice)
    files = {**release.files, **beside}
    told = BESIDE | {resource["path"]: resource["description"] for resource in release.package["resources"]}
    made: Downloads = {name: (files[name], told[name]) for name in RELEASED if name in files}
    for form in formats.FORMATS.values():
        facts = export.facts(release.package, export.content(len(chosen), choice), form.flagged)
        for name, data in formats.written(form, chosen, facts).items():
            made[name] = (data, f"For {form.use}: {form.sentence}.")
    packed: Downloads = {}
    for name, (data, says) in made.items():
        large = len(data) > LARGE
        packed[f"{name}.gz" if large else name] = (gzip.compress(data, 6, mtime=0) if large else data, says)
    return packed
