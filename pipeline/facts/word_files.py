"""Reads the playable words of any list that a user adds, and counts the lines that broke a rule.

The name of the file determines the format, or else its content: text, with or without counts and comments, CSV, TSV,
JSON, Hunspell, and gzip of each.
"""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pipeline.errors import DataError
from pipeline.sources import json_text
from pipeline.words import not_text, playable, rule_broken, without_comment

MAX_BYTES = 50_000_000
"""The maximum size of a file in bytes, decompressed. A list of all English words has about 5 MB."""
MAX_AFFIXES = 5_000_000
"""The maximum number of affixes that are tried on the stems of a Hunspell dictionary. American English needs 181,000,
and Swedish needs 2.7 million."""
MAX_FORM_LENGTH = 100
"""The length to which the forms of a Hunspell dictionary are cut. No playable word is that long."""
REPEATED = "repeated"
"""The rule that a line breaks if an earlier line has the same word."""
Files = Mapping[str, bytes]
"""The files of a list, by path."""
RejectedLines = Counter[str]
"""The number of lines of a list that broke each rule of `words.rule_broken`."""


def playable_words(entries: Iterable[str]) -> tuple[list[str], RejectedLines]:
    """Return the playable words of a list, A to Z, and how many entries broke each rule of `words.rule_broken`.

    If most entries that are all letters are in upper case, they are converted to lower case.

    >>> playable_words(["cove", "Rome", "cove", "bee", "café", ""])
    (['cove'], Counter({'capital': 1, 'repeated': 1, 'too short': 1, 'accent': 1}))
    >>> playable_words(["Words", "COVE", "AAHED"])
    (['aahed', 'cove'], Counter({'capital': 1}))
    """
    candidates = [entry.strip() for entry in entries if entry.strip()]
    all_letters = [entry for entry in candidates if entry.isalpha()]
    upper_case = [entry for entry in all_letters if entry.isupper()]
    if 2 * len(upper_case) > len(all_letters):
        candidates = [entry.lower() if entry.isupper() else entry for entry in candidates]
    words = set()
    rejected: RejectedLines = Counter()
    for entry in candidates:
        rule = rule_broken(entry)
        if rule is None and entry in words:
            rule = REPEATED
        if rule is None:
            words.add(entry)
        else:
            rejected[rule] += 1
    return sorted(words), rejected


def read(files: Files, column: str = "") -> tuple[list[str], RejectedLines]:
    """Return the playable words of a list and the counts of other entries, from its file and any affix file."""
    affix_files = [name for name in files if is_affix(name)]
    word_files = [name for name in files if not is_affix(name)]
    if not word_files:
        raise DataError(f"{', '.join(files)} is only an affix file; give its .dic file instead.")
    name = word_files[0]
    affixes = files[affix_files[0]] if affix_files else None
    return playable_words(entries(name, files[name], affixes, column))


def no_words_error(path: str, rejected: RejectedLines, column: str = "") -> DataError:
    """Return the error to raise if no entry of a file, or of the `column` that a person named, is a playable word."""
    broken_rules = ", ".join(f"{count:,} {rule}" for rule, count in rejected.most_common(3))
    problem = f"{path} has no playable word ({broken_rules or 'it is empty'})"
    if column:
        return DataError(f"{problem} in its column {column}.")
    is_table = path.lower().removesuffix(".gz").endswith((".csv", ".tsv"))
    advice = "name the column with the words: --column NAME" if is_table else "give a list with one word per line"
    return DataError(f"{problem}; {advice}.")


def is_affix(file: str) -> bool:
    """Return whether a file is the affix file of a Hunspell dictionary.

    >>> is_affix("en_US.aff"), is_affix("en_US.aff.gz"), is_affix("en_US.dic")
    (True, True, False)
    """
    return file.lower().removesuffix(".gz").endswith(".aff")


def file_name_for_stdin(data: bytes) -> str:
    """Return a file name for a list from standard input. It has the extension of its format: JSON, a table with a
    column `word` or `words`, or text.

    >>> [file_name_for_stdin(data) for data in (b'["cove"]', b"rank,Word\\n1,cove\\n", b"word\\ncove\\n")]
    ['stdin.json', 'stdin.csv', 'stdin.txt']
    """
    return f"stdin.{_format_of_content(_decode('stdin', unpack('stdin', data)))}"


def _format_of_content(text: str) -> str:
    """Return the extension of the format of a text: json, csv for a table with a column `word` or `words`, or txt.

    A table has a cell that is no word, or two equal cells in a column; otherwise, its lines are lists of words.

    >>> _format_of_content("word,tier\\ncove,core\\noctave,core\\n"), _format_of_content("word,words\\ncove,coves\\n")
    ('csv', 'txt')
    """
    ends = text.strip()[:1] + text.strip()[-1:]
    if ends in ("[]", "{}"):
        return "json"
    rows = [re.split("[,;\t]", line.strip().lower().replace('"', "")) for line in text.strip().splitlines()]
    header = rows[0] if rows else []
    if len(header) < 2 or not {"word", "words"} & {cell.strip() for cell in header}:
        return "txt"
    cells = [cell.strip() for row in rows[1:] for cell in row]
    return "csv" if len(set(cells)) < len(cells) or not all(map(playable, cells)) else "txt"


def entries(name: str, data: bytes, affixes: bytes | None = None, column: str = "") -> list[str]:
    """Return the entries of a list, without counts, from its bytes and any affix file; raise DataError for an invalid
    file."""
    data = unpack(name, data)
    extension = name.lower().removesuffix(".gz").rpartition(".")[2]
    text = _decode(name, data)
    if not_text(text):
        raise DataError(f"{name} is not text; unpack it, or save it as text in UTF-8, with one word per line.")
    if extension not in ("dic", "json", "csv", "tsv"):
        extension = _format_of_content(text)
    if extension == "dic":
        if affixes is not None:
            return list(_expand_hunspell(name, data, unpack(name, affixes)))
        if re.match(rb"\s*[0-9]+(\s|$)", data[:40]):  # the number of stems, with which a Hunspell dictionary begins
            problem = "is a Hunspell dictionary; put its affix file, with the same name and .aff, next to it"
            raise DataError(f"{name} {problem}.")
    if extension == "json":
        return _json_entries(name, text, column)
    if column or extension in ("csv", "tsv"):
        delimiter = "\t" if extension == "tsv" else ""
        return _column_entries(name, text, delimiter, column)
    lines = [without_comment(line).strip().strip('"') for line in text.splitlines()]
    return without_counts([entry for line in lines for entry in _words_of_line(line)])


def _words_of_line(line: str) -> list[str]:
    """Return the words of a line that only has words and commas, semicolons or bars; otherwise, the line itself.

    >>> _words_of_line("cove, octave"), _words_of_line("cove,12"), _words_of_line("ice cream, cove")
    (['cove', 'octave'], ['cove,12'], ['ice cream, cove'])
    """
    words = [part.strip(' "') for part in re.split("[,;|]", line)]
    return words if all(word.isalpha() for word in words) else [line]


def without_counts(lines: list[str]) -> list[str]:
    """Return lines without their numbers if more than half of the lines have a number; otherwise return them unchanged.

    >>> without_counts(["the 23135851162", "1,of,0.02", "ice cream 7", "cove"])
    ['the', 'of', 'ice cream', 'cove']
    >>> without_counts(["apollo 11", "area", "cove"])
    ['apollo 11', 'area', 'cove']
    """
    entries = [_without_numbers(line) for line in lines]
    lines_with_numbers = [entry for entry in entries if entry]
    lines_with_text = [line for line in lines if line.strip()]
    if 2 * len(lines_with_numbers) <= len(lines_with_text):
        return lines
    return [entry or line for entry, line in zip(entries, lines, strict=True)]


def _without_numbers(line: str) -> str:
    """Return a line without its numbers; "" if it has no number or only numbers."""
    cells = [cell.strip('"') for cell in re.split(r"[\s,;]+", line.strip())]
    words = [cell for cell in cells if not _NUMBER.fullmatch(cell)]
    return " ".join(words) if len(words) < len(cells) else ""


_NUMBER = re.compile(r"[+-]?\.?\d[\d.,]*([eE][+-]?\d+)?%?")


def unpack(name: str, data: bytes) -> bytes:
    """Return gzip data decompressed, and other data unchanged; raise DataError if it is damaged or too large."""
    if data[:2] == b"\x1f\x8b":
        try:
            with gzip.GzipFile(fileobj=io.BytesIO(data)) as packed:
                data = packed.read(MAX_BYTES + 1)
        except (OSError, EOFError, zlib.error) as error:
            raise DataError(f"{name} is a damaged gzip file ({error}); get the file again.") from error
    if len(data) > MAX_BYTES:
        raise DataError(f"{name} is larger than {MAX_BYTES // 1_000_000} MB when decompressed; split it.")
    return data


_MARKED_ENCODINGS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
"""The byte order marks of encodings other than UTF-8. The mark of UTF-16 is also the start of one of UTF-32."""


def _decode(name: str, data: bytes) -> str:
    """Return the text of bytes in an encoding with a byte order mark, in UTF-8, or else in Windows-1252, the encoding
    of most older lists."""
    for mark, encoding in _MARKED_ENCODINGS:
        if data.startswith(mark):
            try:
                return data.decode(encoding)
            except UnicodeDecodeError as error:
                problem = f"looks like {encoding.upper()} but is damaged ({error}); get the file again"
                raise DataError(f"{name} {problem}.") from error
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def _json_entries(name: str, text: str, column: str) -> list[str]:
    """Return the words in a JSON text, without guessing which texts are words.

    Read are an array of words; an array of objects that each have the word in the field `column`, or else `word`; an
    object whose keys are words; and an object with only one array, or with an array in the field `column`.
    """
    try:
        value = json_text.loads(text)
    except (ValueError, RecursionError) as error:
        raise DataError(f"{name} is not JSON ({error}).") from error
    if isinstance(value, dict):
        return _words_of_object(name, value, column)
    if isinstance(value, list):
        return _words_of_array(name, value, column or "word")
    raise DataError(f"{name} is neither an array of words nor an object whose keys are words.")


def _words_of_object(name: str, value: dict[str, Any], column: str) -> list[str]:
    """Return the words of a JSON object: its keys, or those in one of its arrays."""
    arrays = [field for field, content in value.items() if isinstance(content, list)]
    if not column and not arrays and _has_words_as_keys(value):
        return [key for key, _ in json_text.fields(value)]
    if isinstance(value, json_text.RepeatedFields):
        raise DataError(f'{name} has the field "{value.repeated}" twice.')
    if column in arrays:
        return _words_of_array(name, value[column], "word")
    if len(arrays) == 1 and "word" not in value:
        return _words_of_array(name, value[arrays[0]], column or "word")
    if column:
        raise DataError(f'{name} has no field "{column}" that is an array; it has {_first_names(value)}.')
    if len(arrays) > 1:
        fields = ", ".join(arrays[:5])
        raise DataError(f"{name} has {len(arrays)} arrays ({fields}); name the one with the words: --column NAME.")
    problem = "do not seem to be words; give an array of words, or an object from words to values of one kind"
    raise DataError(f"{name} is an object whose fields ({_first_names(value)}) {problem}.")


def _words_of_array(name: str, items: list[Any], field: str) -> list[str]:
    """Return the words of a JSON array: its texts, or the texts in a field of its objects.

    Raises DataError, with the number of the item, if an item has no word.
    """
    words = []
    for number, item in enumerate(items, 1):
        word = item.get(field) if isinstance(item, dict) else item
        if isinstance(item, json_text.RepeatedFields):
            raise DataError(f'Item {number} of {name} has the field "{item.repeated}" twice.')
        if isinstance(item, dict) and not isinstance(word, str):
            problem = f'has no text in the field "{field}"; it has the fields {_first_names(item)}'
            raise DataError(f"Item {number} of {name} {problem}. Name the field with the word: --column NAME.")
        if not isinstance(word, str):
            raise DataError(f"Item {number} of {name} is neither a word nor an object with a field {field}.")
        words.append(word)
    return words


FEW_FIELDS = 20
"""An object with at most this many fields is small. If it has one of `FIELD_NAMES`, its fields are not taken for
words."""
FIELD_NAMES = frozenset(
    "author count data date description id items language license list meta name results source title total url "
    "version word words".split()
)
"""Names that the fields of an object often have."""


def _has_words_as_keys(value: dict[str, Any]) -> bool:
    """Return whether the keys of an object may be words: all its values are of one kind, or null, and small."""
    if len(value) <= FEW_FIELDS and not FIELD_NAMES.isdisjoint(value):
        return False
    contents = [content for content in value.values() if content is not None]
    kinds = {int if isinstance(content, float) else type(content) for content in contents}
    has_small_objects = all(
        len(content) <= FEW_FIELDS and not any(isinstance(inner, dict) for inner in content.values())
        for content in contents
        if isinstance(content, dict)
    )
    return len(kinds) <= 1 and has_small_objects


def _first_names(value: dict[str, Any]) -> str:
    """Return the first names of the fields of an object, as text."""
    names = list(value)
    return ", ".join(names[:5]) + (", …" if len(names) > 5 else "") if names else "no fields"


def _column_entries(name: str, text: str, delimiter: str, column: str) -> list[str]:
    """Return the cells of the column with the name `column`, or else `word` or `words`, or else of the only column.

    If `delimiter` is "", the comma, semicolon or tab that is most frequent in the first line is used.
    """
    first_line = text.partition("\n")[0]
    delimiter = delimiter or max(",;\t", key=first_line.count)
    try:
        rows = [row for row in csv.reader(io.StringIO(text), delimiter=delimiter) if row]
    except csv.Error as error:
        raise DataError(f"{name} is not a CSV table: {error}.") from error
    header = [cell.strip() for cell in rows[0]] if rows else []
    if column:
        positions = [position for position, cell in enumerate(header) if cell == column]
    else:
        positions = [position for position, cell in enumerate(header) if cell.lower() in ("word", "words")]
    if positions:
        return [row[positions[0]] for row in rows[1:] if positions[0] < len(row)]
    if column:
        raise DataError(f'{name} has no column "{column}"; it has {", ".join(header) or "none"}.')
    if any(map(_NUMBER.fullmatch, header)):  # there is no header, so these are words with counts
        return without_counts(["\t".join(row) for row in rows])
    if len(header) > 1:
        raise DataError(
            f"The first line of {name} must name its columns; it has {', '.join(header)}. Name the column with the "
            "words: --column NAME."
        )
    return [row[0] for row in rows]


def _expand_hunspell(name: str, dictionary: bytes, affixes: bytes) -> Iterator[str]:
    """Yield every form of a Hunspell dictionary, except forbidden forms and compounds; there are unlimited
    compounds."""
    from spylls.hunspell import readers

    class BytesReader(readers.file_reader.BaseReader):  # type: ignore[misc]
        """A reader of bytes instead of a file, for spylls."""

        def __init__(self, data: bytes, encoding: str = "cp1252") -> None:
            self.data = data
            super().__init__(io.StringIO(data.decode(encoding, "surrogateescape")))

        def reset_encoding(self, encoding: str) -> None:
            """Continue reading in another encoding."""
            self.reset_io(io.StringIO(self.data.decode(encoding, "surrogateescape")))

    try:
        rules, context = readers.read_aff(BytesReader(affixes))
        dictionary_reader = BytesReader(dictionary, context.encoding)
        stems = readers.read_dic(dictionary_reader, aff=rules, context=context).words
    except (ValueError, LookupError, TypeError, AttributeError, AssertionError, re.error) as error:
        raise DataError(f"{name} and its affix file are not a Hunspell dictionary ({error}).") from error
    expansion = _Expansion(name, rules)
    forbidden: set[str] = set()
    for stem in stems:
        if rules.FORBIDDENWORD in stem.flags:
            forbidden.update(expansion.forms(stem.stem[:MAX_FORM_LENGTH], stem.flags))
    for stem in stems:
        if rules.ONLYINCOMPOUND not in stem.flags:
            for form in expansion.forms(stem.stem[:MAX_FORM_LENGTH], stem.flags):
                if form not in forbidden:
                    yield form


class _Expansion:
    """The affixes of a Hunspell dictionary, to apply to its stems, up to a maximum number."""

    def __init__(self, name: str, rules: Any) -> None:
        """`rules` is the affix file as spylls reads it, and `name` the name of the dictionary."""
        self.name = name
        self.rules = rules
        self.affixes_tried = 0

    def forms(self, stem: str, flags: set[str], max_suffixes: int = 2) -> Iterator[str]:
        """Yield the forms of a stem. An affix can have its own flags, so a second suffix can follow the first."""
        if self.rules.NEEDAFFIX not in flags:
            yield stem
        prefixes = list(self._matching(self.rules.PFX, stem, flags))
        for prefix in prefixes:
            yield (prefix.add + stem[len(prefix.strip) :])[:MAX_FORM_LENGTH]
        if not max_suffixes:
            return
        cross_flags = {prefix.flag for prefix in prefixes if prefix.crossproduct}
        for suffix in self._matching(self.rules.SFX, stem, flags):
            form = (stem[: len(stem) - len(suffix.strip)] + suffix.add)[:MAX_FORM_LENGTH]
            form_flags = suffix.flags | cross_flags if suffix.crossproduct else suffix.flags
            yield from self.forms(form, form_flags, max_suffixes - 1)

    def _matching(self, affixes: Mapping[str, Iterable[Any]], stem: str, flags: set[str]) -> Iterator[Any]:
        """Yield the affixes that have one of the flags and whose condition the stem meets. Raise DataError if too many
        affixes were tried."""
        for flag in sorted(flags):
            for affix in affixes.get(flag, ()):
                self.affixes_tried += 1
                if self.affixes_tried > MAX_AFFIXES:
                    problem = "make too many forms; give a list with one word per line"
                    raise DataError(f"{self.name} and its affix file {problem}.")
                if affix.cond_regexp.search(stem):
                    yield affix
