"""Reads and changes the files that people write, one line per decision, so that two people can work at the same time.

A command inserts a line at its place in the order of the keys, or removes one; every other line stays the same, byte
for byte. So git can merge the files of two people (`.gitattributes`: union), and a line that both wrote counts once. If
two people decide differently on one key, a person has to choose. A cell that a spreadsheet would run as a formula is
written with an apostrophe in front, which is removed when the file is read.
"""

from __future__ import annotations

import contextlib
import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from pipeline.errors import Command, DataError, DecisionError, Message
from pipeline.facts import by_hand
from pipeline.facts.by_hand import PATHS, LineNumbers, subject_column, undo_command
from pipeline.tables import cells, frames

MARKERS = ("<<<<<<<", "|||||||", "=======", ">>>>>>>")
"""The beginnings of the lines that git puts between two versions of a part of a file."""
MAX_LINES_PER_DECISION = 20
"""The maximum number of lines of one decision. A cell in quotation marks can contain line ends."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A line of a decision file: its cells by column, its text with the line end, and its number in the file.

    An empty line has no cells. A new decision has the number 0.
    """

    row: Mapping[str, str]
    text: str
    line: int

    def key(self, table: str) -> tuple[str, ...]:
        """Return the cells of the key columns of a table."""
        return tuple(self.row.get(name, "") for name in frames.CONTRACTS[table].key)

    def cells(self) -> tuple[str, ...]:
        """Return all cells."""
        return tuple(self.row.values())


@dataclass(frozen=True, slots=True)
class DecisionFile:
    """The text of a decision file: its header with the line end, its columns, and its decisions in order."""

    header: str
    columns: tuple[str, ...]
    decisions: tuple[Decision, ...]

    def text(self) -> str:
        """Return the text of the file."""
        lines = [self.header] + [decision.text for decision in self.decisions]
        for position, line in enumerate(lines[:-1]):
            if not line.endswith("\n"):
                lines[position] = line + "\n"
        return "".join(lines)

    def with_decisions(self, decisions: Iterable[Decision]) -> DecisionFile:
        """Return a file with the same header and other decisions."""
        return DecisionFile(self.header, self.columns, tuple(decisions))

    def rows(self) -> set[tuple[str, ...]]:
        """Return the cells of all decisions."""
        return {decision.cells() for decision in self.decisions}


@dataclass(frozen=True, slots=True)
class Salvaged:
    """A decision file with the decisions that can be read, and the lines that cannot be read, with their line ends."""

    file: DecisionFile
    unreadable_lines: list[str]


def conflict_lines(data: bytes) -> list[int]:
    """Return the numbers of the lines that are conflict markers; none if the file has no complete conflict.

    >>> conflict_lines(b"a\\n<<<<<<< HEAD\\nb\\n=======\\nc\\n>>>>>>> ann\\n"), conflict_lines(b"=======\\n")
    ([2, 4, 6], [])
    """
    if b"<<<<<<< " not in data or b">>>>>>> " not in data:
        return []
    lines = data.decode("utf-8", "replace").split("\n")
    return [number for number, line in enumerate(lines, 1) if line.startswith(MARKERS)]


def parse(table: str, text: str) -> DecisionFile:
    """Return the content of a decision file, with the text of each line unchanged. "" is read as a file with only a
    header. A first line that starts with `#` belongs to the header.

    Raises DataError for a line that is not valid CSV or does not have as many cells as the header.
    """
    text = text or _header(table)
    cells.read_table(text.encode(), PATHS[table])  # raises DataError
    lines = list(io.StringIO(text, newline=""))
    comment_lines = 1 if text.startswith("#") else 0
    reader = csv.reader(lines[comment_lines:], strict=True)
    columns = tuple(next(reader))
    start = comment_lines + reader.line_num
    header = "".join(lines[:start])
    decisions = []
    for row in reader:
        end = comment_lines + reader.line_num
        cells_by_column = dict(zip(columns, map(cells.unguarded, row), strict=True)) if row else {}
        decisions.append(Decision(cells_by_column, "".join(lines[start:end]), end))
        start = end
    return DecisionFile(header, columns, tuple(decisions))


def salvage(table: str, text: str) -> Salvaged:
    """Return what can be read of a decision file that may have conflict markers or invalid lines. Conflict markers are
    dropped."""
    if not conflict_lines(text.encode()):
        with contextlib.suppress(DataError):
            return Salvaged(parse(table, text), [])
    header = _header(table)
    lines = [line for line in text.replace("\0", "").splitlines() if not line.startswith(MARKERS)]
    first_column = header.partition(",")[0]
    if lines and lines[0].startswith(f"{first_column},"):
        header = lines.pop(0) + "\n"
    number_of_cells = len(next(csv.reader([header])))
    readable_lines: list[str] = []
    unreadable_lines: list[str] = []
    position = 0
    while position < len(lines):
        end = _end_of_decision(lines, position, number_of_cells)
        if end is None:
            line = lines[position] + "\n"
            if line.strip() and line != header:
                unreadable_lines.append(line)
            position += 1
        else:
            readable_lines += [line + "\n" for line in lines[position:end]]
            position = end
    return Salvaged(parse(table, header + "".join(readable_lines)), unreadable_lines)


def _end_of_decision(lines: Sequence[str], start: int, number_of_cells: int) -> int | None:
    """Return the position after the decision that starts at a line; None if no decision starts there.

    A cell can have several lines, but not one that could be a decision by itself.
    """
    for end in range(start + 1, min(start + MAX_LINES_PER_DECISION, len(lines)) + 1):
        if end > start + 1 and _is_decision(lines[end - 1 : end], number_of_cells):
            return None
        if _is_decision(lines[start:end], number_of_cells):
            return end
    return None


def _is_decision(lines: Sequence[str], number_of_cells: int) -> bool:
    """Return whether lines are one row of CSV with this number of cells."""
    try:
        rows = list(csv.reader([line + "\n" for line in lines], strict=True))
    except csv.Error:
        return False
    return len(rows) == 1 and len(rows[0]) == number_of_cells


def _refuse_different_decisions(table: str, file: DecisionFile) -> None:
    """Raise DecisionError if two different decisions have the same key. It names both, and the command that keeps
    each."""
    first_decisions: dict[tuple[str, ...], Decision] = {}
    for decision in file.decisions:
        if decision.row:
            first = first_decisions.setdefault(decision.key(table), decision)
            if first.row != decision.row:
                raise DecisionError(_describe_choice(table, [first, decision]))


def _describe_choice(table: str, decisions: Sequence[Decision]) -> Message:
    """Return a message with several decisions on the same subject, and the commands to choose between them."""
    descriptions = [f"line {decision.line}: {describe(decision.row).rstrip('.')}" for decision in decisions]
    subject = decisions[0].row[subject_column(table)]
    text = f"{PATHS[table]} has {len(decisions)} different decisions on {subject}: {'; '.join(descriptions)}."
    commands = [undo_command(table, decision.row[subject_column(table)], decision.line) for decision in decisions]
    if len(decisions) > 2:
        parts: list[str | Command] = []
        for command, decision in zip(commands, decisions, strict=True):
            parts += [", " if parts else " ", command, f" removes line {decision.line}"]
        return Message(text, *parts, ".")
    first, second = decisions
    return Message(f"{text} ", commands[1], f" keeps line {first.line}, ", commands[0], f" keeps line {second.line}.")


def describe(row: Mapping[str, str]) -> str:
    """Return a line in words.

    >>> describe({"word": "thorn", "verdict": "drop", "reason": "odd", "by": "ann", "on": "2026-01-02"})
    'drop thorn, by ann on 2026-01-02: odd'
    """
    if "decision" in row:
        answers = f"with {row['answers']} answers" if row["answers"] else ""
        parts = [" ".join(filter(None, (row["decision"], row["source"], row["date"], row["letters"], answers)))]
        parts += [f"{verb} {row[column]}" for verb, column in (("add", "added"), ("remove", "removed")) if row[column]]
        return f"{', '.join(parts)}, by {row['by']}: {row['reason']}"
    content = [cell for name, cell in row.items() if name not in ("reason", "by", "on") and cell]
    if "by" not in row:
        return " ".join(content)
    if "word" in row:
        content.reverse()
    on = f" on {row['on']}" if "on" in row else ""
    return f"{' '.join(content)}, by {row['by']}{on}: {row['reason']}"


def _refuse_conflict_markers(path: str, data: bytes) -> None:
    """Raise DecisionError if a file has conflict markers."""
    lines = conflict_lines(data)
    if lines:
        raise DecisionError(
            f"{path}, line {lines[0]}, has a conflict marker: a merge is not finished. ",
            Command("restore"),
            " keeps the decisions of both sides.",
        )


def read(table: str, path: str, data: bytes) -> pd.DataFrame:
    """Return the table of a decision file; `word_grades` is the table `grades` with only the columns word and grade.

    Identical lines count once. Raises DecisionError for conflict markers and for two different decisions on one key,
    and DataError for a damaged file.
    """
    _refuse_conflict_markers(path, data)
    if table == "word_grades":
        return frames.check(read("grades", path, data)[["word", "grade"]], "word_grades")
    if table == "glosses" and not data.endswith(b"\n"):
        raise DataError("It is cut short: its last line has no line end.")
    frame = _unguarded(frames.read_csv(data, path))
    key = list(frames.CONTRACTS[table].key)
    if table in PATHS and set(key) <= set(frame.columns) and frame.duplicated(key).any():
        _refuse_different_decisions(table, parse(table, data.decode("utf-8-sig")))
        frame = frame.drop_duplicates(ignore_index=True)
    return frames.from_text(frame, table)


def _unguarded(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame in which no cell has the apostrophe that protects it from being run as a formula."""
    for name in frame:
        may_be_guarded = frame[name].str.startswith("'")
        if may_be_guarded.any():
            frame[name] = frame[name].mask(may_be_guarded, frame[name].map(cells.unguarded))
    return frame


def line_numbers(files: Mapping[str, bytes]) -> LineNumbers:
    """Return the line number of each key of each table, from the files by path."""
    return _LineNumbers({table: files[path] for table, path in PATHS.items() if path in files})


class _LineNumbers(Mapping[str, Mapping[tuple[str, ...], int]]):
    """The line numbers of the keys of some files, by table. The lines of a file are counted only when a message needs
    them, because most runs have no such message."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.files = files
        self.counted: dict[str, Mapping[tuple[str, ...], int]] = {}

    def __getitem__(self, table: str) -> Mapping[tuple[str, ...], int]:
        """Return the line number of each key of a table."""
        if table not in self.counted:
            self.counted[table] = cells.line_numbers(self.files[table], PATHS[table], frames.CONTRACTS[table].key)
        return self.counted[table]

    def __iter__(self) -> Iterator[str]:
        """Yield the tables that have a file."""
        return iter(self.files)

    def __len__(self) -> int:
        """Return the number of tables that have a file."""
        return len(self.files)


def add_rows(table: str, text: str, rows: Iterable[Mapping[str, str]]) -> str:
    """Return the text of a file with new lines, each at its place; "" stands for a file that does not exist yet.

    Raises DecisionError for an invalid line, and for a line whose key is already in the file.
    """
    path = PATHS[table]
    try:
        read(table, path, (text or _header(table)).encode())
        file = parse(table, text)
    except DataError as error:
        raise DecisionError(f"{path}: ", error.message, " Nothing was written.") from error
    for row in rows:
        problem = by_hand.problem_with(table, row, strict=True)
        if problem:
            raise DecisionError(f"{problem[0].upper()}{problem[1:]}. Nothing was written.")
        new = _new_decision(file.columns, row)
        for decision in file.decisions:
            if decision.key(table) == new.key(table):
                column = subject_column(table)
                others = [other for other in file.decisions if other.row.get(column) == new.row[column]]
                undo = undo_command(table, new.row[column], decision.line if len(others) > 1 else 0)
                raise DecisionError(
                    f"{path} already has {' '.join(new.key(table))}: {describe(decision.row).rstrip('.')}. ",
                    undo,
                    " removes that line. Nothing was written.",
                )
        file = insert(table, file, new)
    return file.text()


def insert(table: str, file: DecisionFile, new: Decision) -> DecisionFile:
    """Return a file with a decision inserted before the first one with a greater key, so that a sorted file stays
    sorted."""
    new_key = _sort_key(table, new)
    greater = [i for i, decision in enumerate(file.decisions) if _sort_key(table, decision) > new_key]
    position = greater[0] if greater else len(file.decisions)
    return file.with_decisions([*file.decisions[:position], new, *file.decisions[position:]])


def _sort_key(table: str, decision: Decision) -> tuple[str, ...]:
    """Return the key by which a file is sorted. It is the key of the table, but only the word for definitions, so that
    the senses of a word keep their order."""
    key = decision.key(table)
    return key[:1] if table == "glosses" else key


def _new_decision(columns: Sequence[str], row: Mapping[str, str]) -> Decision:
    cells_by_column = {name: _one_line(row[name]) for name in columns}
    return Decision(cells_by_column, _csv_line(map(cells.guarded, cells_by_column.values())), 0)


def remove_row(
    table: str, text: str, subject: str, line: int = 0, row: Mapping[str, str] | None = None
) -> tuple[str, dict[str, str]]:
    """Return the text without the decision about a word or date, and that decision as a row, which is empty if there is
    no such decision.

    With `line`, only the decision on that line is removed; then `subject` may be "". With `row`, only this row is
    removed. All lines that are identical to the removed one go, too. If a word has several definitions, the last one is
    removed. Raises DecisionError for conflict markers, and if several different decisions match in other files.
    """
    _refuse_conflict_markers(PATHS[table], text.encode())
    file = parse(table, text)
    column = subject_column(table)
    matching = [decision for decision in file.decisions if decision.row]
    if line:
        matching = [decision for decision in matching if decision.line == line]
    if subject:
        matching = [decision for decision in matching if decision.row.get(column, "").strip().lower() == subject]
    if row is not None:
        matching = [decision for decision in matching if decision.row == row]
    if not matching:
        return text, {}
    if table != "glosses" and len({decision.cells() for decision in matching}) > 1:
        raise DecisionError(_describe_choice(table, matching))
    removed = matching[-1]
    remaining = [decision for decision in file.decisions if decision.row != removed.row]
    return file.with_decisions(remaining).text(), dict(removed.row)


def merge(table: str, base: str, ours: str, theirs: str, current: str = "") -> str:
    """Return the merged file of two people who both started from the file `base`: every decision that either has added.

    A decision that one of them removed and the other did not change is removed. `current` is the file as it is now,
    possibly with conflict markers; a decision that only `current` has stays. The text of a line is not changed; new
    lines are inserted at their places. Lines that cannot be read come last, for a person to correct, unless they are
    only the beginning of another line.
    """
    our_side = salvage(table, ours)
    their_side = salvage(table, theirs)
    current_side = salvage(table, current)
    base_rows = salvage(table, base).file.rows()
    removed = base_rows - their_side.file.rows()
    file = our_side.file.with_decisions(
        decision for decision in our_side.file.decisions if decision.cells() not in removed
    )
    known_rows = base_rows | our_side.file.rows()
    for decision in (*their_side.file.decisions, *current_side.file.decisions):
        if decision.cells() not in known_rows:
            known_rows.add(decision.cells())
            file = insert(table, file, decision)
    text = file.text()
    unreadable_lines = [line for side in (our_side, their_side, current_side) for line in side.unreadable_lines]
    for line in dict.fromkeys(unreadable_lines):
        if not any(decision.text.startswith(line.rstrip("\n")) for decision in file.decisions):
            text = text.rstrip("\n") + "\n" + line
    return text


def lost_lines(now: str, committed: str, next_text: str) -> list[str]:
    """Return the lines of a decision file that would be lost: they are neither committed nor in its next text.

    The beginning of a committed line is not lost, because it is what damage left of that line. A line that cannot be
    read counts like a decision, because a person wrote it.

    >>> lost_lines("word,verdict\\nthorn,drop\\naw", "word,verdict\\naward,keep\\n", "word,verdict\\n")
    ['thorn,drop']
    """
    committed_lines = committed.splitlines()
    remaining = {_cells_of_line(line) for line in (*committed_lines, *next_text.splitlines())}
    lost = []
    for line in now.replace("\0", "").splitlines():
        if not line.strip() or line.startswith(MARKERS) or _cells_of_line(line) in remaining:
            continue
        if not any(committed_line.startswith(line) for committed_line in committed_lines):
            lost.append(line)
    return lost


def _cells_of_line(line: str) -> tuple[str, ...]:
    """Return the cells of a line, so that lines that differ only in quotation marks are equal."""
    try:
        return tuple(next(csv.reader([line], strict=True), []))
    except csv.Error:
        return (line,)


def _header(table: str) -> str:
    return ",".join(frames.CONTRACTS[table].columns) + "\n"


def _one_line(text: str) -> str:
    """Return a text on one line, without control characters that a terminal would interpret."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())


def _csv_line(row: Iterable[str]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(row)
    return line.getvalue()
