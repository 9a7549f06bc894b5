"""Decision files: the text of the files that people write, one line per decision, so that two people can work at once.

A command inserts a line at its place in the order of the keys, or takes one out; every other line stays as it is, byte
for byte. So git merges the files of two people by itself (`.gitattributes`: union), and a line that both wrote counts
once. Two different decisions on one key are for a person to settle. A cell that a spreadsheet would run as a formula
gets an apostrophe in front, which reading removes.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from pipeline.facts import by_hand
from pipeline.facts.by_hand import PATHS, DecisionFileError, LineNumbers, subject_column, undo_command
from pipeline.tables import cells, frames

MARKERS = ("<<<<<<<", "|||||||", "=======", ">>>>>>>")
"""The beginnings of the lines that git puts between two versions of a part of a file."""
_MARKER = re.compile(rb"^(<<<<<<<|\|\|\|\|\|\|\||=======|>>>>>>>)(?= |\r?$)", re.MULTILINE)


class AmbiguousError(DecisionFileError):
    """Several decisions are about the same key, and a person has to choose one."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A line of a decision file: its cells by column, its text with the line end, and its number in the file."""

    row: Mapping[str, str]
    text: str
    line: int

    def key(self, table: str) -> tuple[str, ...]:
        """Return the cells of the key of a table."""
        return tuple(self.row.get(name, "") for name in frames.CONTRACTS[table].key)


@dataclass(frozen=True, slots=True)
class DecisionFile:
    """The text of a decision file: its header with the line end, its columns, and its decisions in order."""

    header: str
    columns: tuple[str, ...]
    decisions: tuple[Decision, ...]

    def text(self) -> str:
        """Return the text of the file."""
        lines = [self.header, *(decision.text for decision in self.decisions)]
        ended = [line if line.endswith("\n") else line + "\n" for line in lines[:-1]]
        return "".join([*ended, lines[-1]])


def marked_lines(data: bytes) -> list[int]:
    """Return the numbers of the lines that mark a conflict in a file; none if it has no complete conflict.

    >>> marked_lines(b"a\\n<<<<<<< HEAD\\nb\\n=======\\nc\\n>>>>>>> ann\\n"), marked_lines(b"=======\\n")
    ([2, 4, 6], [])
    """
    found = list(_MARKER.finditer(data)) if b"<<<<<<< " in data and b">>>>>>> " in data else []
    return [data.count(b"\n", 0, mark.start()) + 1 for mark in found]


def parse(table: str, text: str) -> DecisionFile:
    """Return the content of a decision file, of which each line is kept as it is; "" is a file that has only a header.
    A first line that starts with `#` belongs to the header.

    Raises TableError for a line that is no CSV, or has another number of cells than the header.
    """
    text = text or ",".join(frames.CONTRACTS[table].columns) + "\n"
    cells.table(text.encode(), PATHS[table])  # a broken file is refused
    physical = list(io.StringIO(text, newline=""))
    skipped = int(text.startswith("#"))
    reader = csv.reader(physical[skipped:], strict=True)
    columns = tuple(next(reader))
    end = reader.line_num + skipped
    header = "".join(physical[:end])
    decisions = []
    for row in reader:
        start, end = end, reader.line_num + skipped
        values = dict(zip(columns, map(cells.unguarded, row), strict=bool(row)))
        decisions.append(Decision(values, "".join(physical[start:end]), end))
    return DecisionFile(header, columns, tuple(decisions))


def readable(table: str, text: str) -> DecisionFile:
    """Return the lines of a decision file that can be read, whatever stands between them: markers, or broken lines."""
    return _read_apart(table, text)[0]


def unreadable(table: str, text: str) -> list[str]:
    """Return the lines of a decision file that `readable` leaves out, without conflict markers and empty lines."""
    return _read_apart(table, text)[1]


def _read_apart(table: str, text: str) -> tuple[DecisionFile, list[str]]:
    """Return what can be read of a decision file, and the lines that cannot."""
    if not marked_lines(text.encode()):
        try:
            return parse(table, text), []
        except frames.FrameError:
            pass  # then decision by decision
    header = ",".join(frames.CONTRACTS[table].columns) + "\n"
    lines = [line for line in text.replace("\0", "").splitlines() if not line.startswith(MARKERS)]
    if lines and lines[0].startswith(header.partition(",")[0] + ","):
        header, lines = lines[0] + "\n", lines[1:]
    width = len(next(csv.reader([header])))
    sound: list[str] = []
    broken: list[str] = []
    at = 0
    while at < len(lines):
        end = _end_of_decision(lines, at, width)
        part = [line + "\n" for line in lines[at : end or at + 1]]
        if end:
            sound += part
        elif lines[at].strip() and lines[at] != header.rstrip("\n"):
            broken += part
        at = end or at + 1
    return parse(table, header + "".join(sound)), broken


MOST_LINES = 20
"""A decision with line ends within its quotation marks has so many lines at most."""


def _end_of_decision(lines: Sequence[str], begin: int, width: int) -> int:
    """Return the place after the decision that begins with a line, 0 if none does.

    A cell may have several lines, but none that could be a decision by itself.
    """
    for end in range(begin + 1, min(begin + MOST_LINES, len(lines)) + 1):
        if end > begin + 1 and _is_decision(lines[end - 1 : end], width):
            return 0
        if _is_decision(lines[begin:end], width):
            return end
    return 0


def _is_decision(lines: Sequence[str], width: int) -> bool:
    try:
        rows = list(csv.reader([line + "\n" for line in lines], strict=True))
    except csv.Error:
        return False
    return len(rows) == 1 and len(rows[0]) == width


def unique(table: str, file: DecisionFile) -> DecisionFile:
    """Return a file without the repetitions of a decision.

    Raises AmbiguousError if two different decisions have the same key: it names both, and how to keep each.
    """
    first: dict[tuple[str, ...], Decision] = {}
    kept = []
    for decision in file.decisions:
        if not decision.row:  # an empty line
            kept.append(decision)
            continue
        key = decision.key(table)
        other = first.setdefault(key, decision)
        if other.row != decision.row:
            raise AmbiguousError(_choice(table, [other, decision]))
        if other is decision:
            kept.append(decision)
    return DecisionFile(file.header, file.columns, tuple(kept))


def _choice(table: str, decisions: Sequence[Decision]) -> str:
    """Describe several decisions on the same subject, each with the command that keeps it."""
    descriptions = [f"line {decision.line}: {describe(decision.row).rstrip('.')}" for decision in decisions]
    subject = " ".join(decisions[0].key(table)).strip()
    text = f"{PATHS[table]} has {len(decisions)} different decisions on {subject}: {'; '.join(descriptions)}."
    if len(decisions) > 2:
        commands = [f"`{_take_out(table, one)}` takes line {one.line} out" for one in decisions]
        return f"{text} {', '.join(commands)}."
    kept, other = decisions
    return (
        f"{text} `{_take_out(table, other)}` keeps line {kept.line}, "
        f"`{_take_out(table, kept)}` keeps line {other.line}."
    )


def _take_out(table: str, decision: Decision) -> str:
    """Return the command that takes out one line, although others are about the same word or date."""
    return undo_command(table, decision.row[subject_column(table)], decision.line)


def describe(row: Mapping[str, str]) -> str:
    """Describe a line in words."""
    what = [cell for name, cell in row.items() if name not in ("reason", "by", "on") and cell]
    if "word" in row and "by" in row:
        what.reverse()
    subject = " ".join(what)
    if "by" not in row:
        return subject
    on = f" on {row['on']}" if "on" in row else ""
    return f"{subject}, by {row['by']}{on}: {row['reason']}"


def _refuse_marks(path: str, data: bytes) -> None:
    """Raise DecisionFileError if a file has conflict markers."""
    if marks := marked_lines(data):
        raise DecisionFileError(
            f"{path}, line {marks[0]}, has the mark of a conflict: a merge is not finished. `bee restore` keeps the "
            "decisions of both sides."
        )


def read(table: str, path: str, data: bytes) -> pd.DataFrame:
    """Read a decision file as its table; grades may lack their reasons, as old ones do.

    A line that stands there twice counts once. Raises DecisionFileError for conflict markers and for two decisions on
    one key, and TableError for a file that is damaged.
    """
    _refuse_marks(path, data)
    if table == "glosses" and not data.endswith(b"\n"):
        raise frames.FrameError("It is cut short: its last line has no end.")
    frame = frames.read_csv(data, path).map(cells.unguarded)
    written_as = "grades" if table == "offensive" else table
    key = [name for name in frames.CONTRACTS[written_as].key if name in frame]
    if written_as in PATHS and key and frame.duplicated(key).any():
        unique(written_as, parse(written_as, data.decode("utf-8-sig")))
        frame = frame.drop_duplicates(ignore_index=True)
    reasons = ["reason", "by"]
    if table == "offensive":
        frame = frame.drop(columns=reasons, errors="ignore")
    elif table == "grades":
        frame = frame.assign(**dict.fromkeys(set(reasons) - set(frame), ""))
    return frames.from_text(frame, table)


def lines(files: Mapping[str, bytes]) -> LineNumbers:
    """Return the line of each key of each table, from the files by path."""
    there = {table: path for table, path in PATHS.items() if path in files}
    return {table: cells.lines(files[path], path, frames.CONTRACTS[table].key) for table, path in there.items()}


def added(table: str, text: str, rows: Iterable[Mapping[str, str]]) -> str:
    """Return the text of a file with more lines, each at its place; "" is a file that does not exist yet.

    Raises DecisionFileError for a line that is wrong, or whose key the file has already.
    """
    path = PATHS[table]
    columns = tuple(frames.CONTRACTS[table].columns)
    try:
        read(table, path, text.encode() or f"{','.join(columns)}\n".encode())
        file = _with_all_columns(table, parse(table, text))
    except frames.FrameError as error:
        raise DecisionFileError(f"{path}: {error} Nothing was written.") from error
    for row in rows:
        if found := by_hand.problem_with(table, row, strict=True):
            raise DecisionFileError(f"{found[0].upper()}{found[1:]}. Nothing was written.")
        new = _decision(file.columns, row)
        same = [one for one in file.decisions if one.key(table) == new.key(table)]
        if same:
            raise DecisionFileError(
                f"{path} has {' '.join(new.key(table))} already: {describe(same[0].row).rstrip('.')}. "
                f"`{undo_command(table, new.row[subject_column(table)])}` takes that line out. Nothing was written."
            )
        file = inserted(table, file, new)
    return file.text()


def inserted(table: str, file: DecisionFile, new: Decision) -> DecisionFile:
    """Insert a decision before the first one with a greater key, so that a sorted file stays sorted."""
    order = _order(table, new)
    later = [at for at, decision in enumerate(file.decisions) if _order(table, decision) > order]
    at = later[0] if later else len(file.decisions)
    return DecisionFile(file.header, file.columns, (*file.decisions[:at], new, *file.decisions[at:]))


def _order(table: str, decision: Decision) -> tuple[str, ...]:
    """Return what a file is sorted by: its key, except that the senses of a word stay as they are."""
    key = decision.key(table)
    return key[:1] if table == "glosses" else key


def _with_all_columns(table: str, file: DecisionFile) -> DecisionFile:
    """Return a file with all columns of its table; an old file of grades has no reasons."""
    absent = [name for name in frames.CONTRACTS[table].columns if name not in file.columns]
    if not absent:
        return file
    columns = (*file.columns, *absent)
    rows = [{**dict.fromkeys(columns, ""), **decision.row} for decision in file.decisions]
    return DecisionFile(_line(columns), columns, tuple(_decision(columns, row) for row in rows))


def _decision(columns: Sequence[str], row: Mapping[str, str]) -> Decision:
    """Make a decision of a row."""
    values = {name: _plain(row[name]) for name in columns}
    return Decision(values, _line([cells.guarded(value) for value in values.values()]), 0)


def without(
    table: str, text: str, subject: str, line: int = 0, exactly: Mapping[str, str] | None = None
) -> tuple[str, dict[str, str]]:
    """Return the text without the decision about a word or date, and that decision as a row, empty if there is none.

    With `line`, it is the decision on that line; then `subject` may be "". With `exactly`, it is this row. A decision
    that stands there twice goes twice. Of the definitions of a word the last one goes. Raises AmbiguousError for
    several other decisions, and DecisionFileError for conflict markers.
    """
    _refuse_marks(PATHS[table], text.encode())
    file = parse(table, text)
    about = subject_column(table)
    found = [decision for decision in file.decisions if decision.row]
    if line:
        found = [decision for decision in found if decision.line == line]
    if subject:
        found = [decision for decision in found if decision.row.get(about, "").strip().lower() == subject]
    if exactly is not None:
        found = [decision for decision in found if decision.row == exactly]
    different = {tuple(decision.row.values()) for decision in found}
    if len(different) > 1 and table != "glosses":
        raise AmbiguousError(_choice(table, found))
    if not found:
        return text, {}
    taken = found[-1]
    kept = tuple(decision for decision in file.decisions if decision.row != taken.row)
    return DecisionFile(file.header, file.columns, kept).text(), dict(taken.row)


def merged(table: str, base: str, ours: str, theirs: str, here: str = "") -> str:
    """Return the decisions of two people who began with the same file, `base`: all that either has added.

    A decision that one of them took out, and the other left as it was, is out. `here` is the file as it lies there
    now, perhaps with conflict markers; a decision that only it has stays. Lines are sorted in as they are. Those that
    cannot be read stand at the end, for a person to correct, unless they are only the begin of one that is there.
    """
    before = _rows(readable(table, base))
    their_file = readable(table, theirs)
    removed = before - _rows(their_file)
    file = readable(table, ours)
    removed_by_us = before - _rows(file)
    decisions = tuple(decision for decision in file.decisions if _row(decision) not in removed)
    result = DecisionFile(file.header, file.columns, decisions)
    known = _rows(file) | removed | removed_by_us
    for decision in (*their_file.decisions, *readable(table, here).decisions):
        if _row(decision) not in known:
            known.add(_row(decision))
            result = inserted(table, result, decision)
    merged_text = result.text()
    broken = dict.fromkeys(line for side in (ours, theirs, here) for line in unreadable(table, side))
    for line in broken:
        if not any(decision.text.startswith(line.rstrip("\n")) for decision in result.decisions):
            merged_text = merged_text.rstrip("\n") + "\n" + line
    return merged_text


def lost_lines(now: str, committed: str, next_text: str) -> list[str]:
    """Return the lines of a decision file that would be nowhere any more: neither committed nor in its next text.

    The beginning of a committed line is what damage left of it. A line that no program can read counts as a decision,
    because a person wrote it.

    >>> lost_lines("word,verdict\\nthorn,drop\\naw", "word,verdict\\naward,keep\\n", "word,verdict\\n")
    ['thorn,drop']
    """
    elsewhere = {_cells(line) for line in [*committed.splitlines(), *next_text.splitlines()]}
    lines = [line for line in now.replace("\0", "").splitlines() if line.strip() and not line.startswith(MARKERS)]
    lost = [line for line in lines if _cells(line) not in elsewhere]
    return [line for line in lost if not any(whole.startswith(line) for whole in committed.splitlines())]


def _cells(line: str) -> tuple[str, ...]:
    """Return the cells of a line, so that two ways to quote them are the same."""
    try:
        return tuple(next(csv.reader([line], strict=True), []))
    except csv.Error:
        return (line,)


def _row(decision: Decision) -> tuple[str, ...]:
    return tuple(decision.row.values())


def _rows(file: DecisionFile) -> set[tuple[str, ...]]:
    return {_row(decision) for decision in file.decisions}


def _plain(text: str) -> str:
    """Put a text on one line, without control characters that a terminal would interpret."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())


def _line(row: Iterable[str]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(row)
    return line.getvalue()
