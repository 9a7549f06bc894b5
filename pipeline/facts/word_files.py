"""Word files: reads the playable words of any list that a user adds, and counts the lines that broke a rule.

The format is taken from the file's name: text, also with counts, CSV, TSV, JSON, Hunspell, and gzip of each.
"""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import json
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pipeline.words import BeeError, rule_broken

LARGEST = 50_000_000
"""The maximum number of bytes, unpacked. A list of all English words has about 5 MB."""
MOST_TRIES = 5_000_000
"""The maximum number of affixes that are tried on the stems of a Hunspell dictionary. American English takes 181,000,
Swedish 2.7 million."""
LONGEST = 100
"""The length to which the forms of a Hunspell dictionary are cut; no playable word is that long."""
REPEATED = "repeated"
"""The rule that a line breaks if its word occurred before."""
Files = Mapping[str, bytes]
"""The files of a list, by path."""
Rejected = Counter[str]
"""The number of lines of a list that broke each rule of `words.rule_broken`."""


class ListError(BeeError):
    """A word list or its package is not as expected."""


def words(entries: Iterable[str]) -> tuple[list[str], Rejected]:
    """Return the playable words of a list, A to Z, and how many entries broke each rule of `words.rule_broken`.

    If most entries that are all letters are in upper case, they are converted to lower case.

    >>> words(["cove", "Rome", "cove", "bee", "café", ""])
    (['cove'], Counter({'capital': 1, 'repeated': 1, 'too short': 1, 'accent': 1}))
    >>> words(["Words", "COVE", "AAHED"])
    (['aahed', 'cove'], Counter({'capital': 1}))
    """
    listed = [entry for entry in map(str.strip, entries) if entry]
    plain = [entry for entry in listed if entry.isalpha()]
    if 2 * sum(map(str.isupper, plain)) > len(plain):
        listed = [entry.lower() if entry.isupper() else entry for entry in listed]
    rejected: Rejected = Counter()
    kept = set()
    for entry in listed:
        rule = rule_broken(entry) or (REPEATED if entry in kept else "")
        if rule:
            rejected[rule] += 1
        else:
            kept.add(entry)
    return sorted(kept), rejected


def read(files: Mapping[str, bytes], column: str = "") -> tuple[list[str], Rejected]:
    """Return the playable words of a list and the counts of other entries, from its file and any affix file."""
    affix = next((data for file, data in files.items() if is_affix(file)), None)
    name = next((file for file in files if not is_affix(file)), "")
    if not name:
        raise ListError(f"{', '.join(files)} is an affix file only; name its .dic.")
    return words(entries(name, files[name], affix, column))


def nothing_left(path: str, rejected: Rejected) -> ListError:
    """Return the error to raise if no entry of a file is a playable word."""
    broken = ", ".join(f"{count:,} {rule}" for rule, count in rejected.most_common(3))
    table = path.lower().removesuffix(".gz").endswith((".csv", ".tsv"))
    advice = "name the column of the words: --column NAME" if table else "give a list with one word per line"
    return ListError(f"{path} has no playable word ({broken or 'it is empty'}); {advice}.")


def is_affix(file: str) -> bool:
    """Return whether a file is the affix file of a Hunspell dictionary.

    >>> is_affix("en_US.aff"), is_affix("en_US.aff.gz"), is_affix("en_US.dic")
    (True, True, False)
    """
    return file.lower().removesuffix(".gz").endswith(".aff")


def piped(data: bytes) -> str:
    """Name a list that came without a name by its format: JSON, a table with a column `word` or `words`, or text.

    >>> piped(b'["cove"]'), piped(b"rank,Word\\n1,cove\\n"), piped(b"word\\ncove\\n")
    ('stdin.json', 'stdin.csv', 'stdin.txt')
    """
    first = _text("stdin", unpacked("stdin", data)).lstrip().partition("\n")[0].lower()
    cells = {cell.strip(' \r"') for cell in re.split("[,;\t]", first)}
    table = len(cells) > 1 and cells & {"word", "words"}
    return f"stdin.{'json' if first[:1] in ('[', '{') else 'csv' if table else 'txt'}"


def entries(name: str, data: bytes, aff: bytes | None = None, column: str = "") -> list[str]:
    """Return the entries of a list, from its bytes and any affix file, without counts beside them; raise ListError."""
    data, plain = unpacked(name, data), name.lower().removesuffix(".gz")
    ending = plain.rpartition(".")[2]
    text = _text(name, data)
    if "\0" in text[:4096]:
        raise ListError(f"{name} is not text; a word list is text, CSV, JSON or a Hunspell dictionary.")
    counted = data[:40].split(None, 1)[:1]
    if ending == "dic" and (aff is not None or (counted and counted[0].isdigit())):
        if aff is None:
            fault = "is a Hunspell dictionary; put its affix file, with the same name and .aff, next to it"
            raise ListError(f"{name} {fault}.")
        return list(_expanded(name, data, unpacked(name, aff)))
    if ending == "json":
        return _json(name, text)
    if column or ending in ("csv", "tsv"):
        return _column(name, text, "\t" if ending == "tsv" else "", column)
    return uncounted(text.splitlines())


def uncounted(lines: list[str]) -> list[str]:
    """Return the entries of a list without numbers beside them if more than half of the lines have one; else unchanged.

    >>> uncounted(["the 23135851162", "1,of,0.02", "ice cream 7", "cove"]), uncounted(["apollo 11", "area", "cove"])
    (['the', 'of', 'ice cream', 'cove'], ['apollo 11', 'area', 'cove'])
    """
    bare = [_bare(line) for line in lines]
    if 2 * sum(map(bool, bare)) <= sum(map(bool, map(str.strip, lines))):
        return lines
    return [some or line for some, line in zip(bare, lines, strict=True)]


def _bare(line: str) -> str:
    """Return a line without its numbers; nothing if it has none, or nothing else."""
    cells = [cell.strip('"') for cell in re.split(r"[\s,;]+", line.strip())]
    left = [cell for cell in cells if not _NUMBER.fullmatch(cell)]
    return " ".join(left) if len(left) < len(cells) else ""


_NUMBER = re.compile(r"[+-]?\.?\d[\d.,]*([eE][+-]?\d+)?%?")


def unpacked(name: str, data: bytes) -> bytes:
    """Unpack a gzip file, and return others unchanged; raise ListError if the file is damaged or too large."""
    if data[:2] == b"\x1f\x8b":
        try:
            with gzip.GzipFile(fileobj=io.BytesIO(data)) as packed:
                data = packed.read(LARGEST + 1)
        except (OSError, EOFError, zlib.error) as error:
            raise ListError(f"{name} is damaged gzip ({error}); get the file again.") from error
    if len(data) > LARGEST:
        raise ListError(f"{name} has more than {LARGEST // 1_000_000} MB, unpacked; split it into smaller files.")
    return data


def _text(name: str, data: bytes) -> str:
    """Decode text in UTF-16 with a byte order mark, in UTF-8, or in Windows-1252, the encoding of most older lists."""
    if data[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        try:
            return data.decode("utf-16")
        except UnicodeDecodeError as error:
            raise ListError(f"{name} begins like UTF-16 and is damaged ({error}); get the file again.") from error
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def _json(name: str, text: str) -> list[str]:
    try:
        listed = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ListError(f"{name} is not JSON ({error}).") from error
    if not isinstance(listed, list | dict) or not all(isinstance(entry, str) for entry in listed):
        raise ListError(f"{name} is neither a JSON array of words nor an object whose names are words.")
    return list(listed)


def _column(name: str, text: str, delimiter: str, column: str) -> list[str]:
    """Return the cells of a column: the named one, else `word` or `words`, else the only one."""
    first = text.partition("\n")[0]
    delimiter = delimiter or max(",;\t", key=first.count)
    try:
        rows = [row for row in csv.reader(io.StringIO(text), delimiter=delimiter) if row]
    except csv.Error as error:
        raise ListError(f"{name} is not a CSV table: {error}.") from error
    header = [cell.strip() for cell in rows[0]] if rows else []
    wanted = [cell for cell in header if (cell == column if column else cell.lower() in ("word", "words"))]
    if not wanted and column:
        raise ListError(f'{name} has no column "{column}"; it has {", ".join(header) or "none"}.')
    if not wanted and any(map(_NUMBER.fullmatch, header)):  # no header, so words with their counts
        return uncounted(["\t".join(row) for row in rows])
    if not wanted and len(header) > 1:
        raise ListError(f"{name} has the columns {', '.join(header)}; name the one with the words: --column NAME.")
    at = header.index(wanted[0]) if wanted else 0
    return [row[at] for row in rows[bool(wanted) :] if at < len(row)]


def _expanded(name: str, dic: bytes, aff: bytes) -> Iterator[str]:
    """Yield every form of a Hunspell dictionary except forbidden forms and compounds, whose number is unlimited."""
    from spylls.hunspell import readers

    class Source(readers.file_reader.BaseReader):  # type: ignore[misc]
        """Lines of bytes, for the readers of spylls."""

        def __init__(self, data: bytes, encoding: str = "cp1252") -> None:
            self.data = data
            super().__init__(io.StringIO(data.decode(encoding, "surrogateescape")))

        def reset_encoding(self, encoding: str) -> None:
            """Continue reading in another encoding."""
            self.reset_io(io.StringIO(self.data.decode(encoding, "surrogateescape")))

    try:
        rules, context = readers.read_aff(Source(aff))
        stems = readers.read_dic(Source(dic, context.encoding), aff=rules, context=context).words
    except (ValueError, LookupError, TypeError, AttributeError, AssertionError, re.error) as error:
        raise ListError(f"{name} and its affix file are not a Hunspell dictionary ({error}).") from error
    tries = _tries(name)
    unwanted = [word for word in stems if rules.FORBIDDENWORD in word.flags]
    forbidden = {form for word in unwanted for form in _forms(word.stem[:LONGEST], word.flags, rules, tries)}
    for word in stems:
        if rules.ONLYINCOMPOUND not in word.flags:
            yield from (form for form in _forms(word.stem[:LONGEST], word.flags, rules, tries) if form not in forbidden)


def _tries(name: str) -> Iterator[int]:
    """Count the affixes that are tried; raise ListError after too many."""
    yield from range(MOST_TRIES)
    raise ListError(f"{name} and its affix file make too many forms; give a list with one word per line.")


def _forms(stem: str, flags: set[str], rules: Any, tries: Iterator[int], depth: int = 2) -> Iterator[str]:
    """Yield the forms of a stem; an affix may have flags of its own, so a second suffix may follow."""
    if rules.NEEDAFFIX not in flags:
        yield stem
    prefixes = [affix for flag in sorted(flags) for affix in rules.PFX.get(flag, ())]
    starts = [affix for affix, _ in zip(prefixes, tries, strict=False) if affix.cond_regexp.search(stem)]
    for prefix in starts:
        yield (prefix.add + stem[len(prefix.strip) :])[:LONGEST]
    for flag in sorted(flags) if depth else ():
        for suffix, _ in zip(rules.SFX.get(flag, ()), tries, strict=False):
            if not suffix.cond_regexp.search(stem):
                continue
            form = (stem[: len(stem) - len(suffix.strip)] + suffix.add)[:LONGEST]
            crossing = {affix.flag for affix in starts if affix.crossproduct} if suffix.crossproduct else set()
            yield from _forms(form, suffix.flags | crossing, rules, tries, depth - 1)
