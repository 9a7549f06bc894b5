"""Sheets: the queue as CSV for a spreadsheet, and the verdicts that a person filled in."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable

from pipeline.errors import BeeError, DecisionError
from pipeline.facts import by_hand
from pipeline.facts.by_hand import Row
from pipeline.play import glosses
from pipeline.play.glosses import Glosses
from pipeline.review.queue import Question

COLUMNS = (
    "word", "asks", "definition", "tier", "p", "offered", "accepted", "flags", "points_per_1000_puzzles", "because",
    "verdict", "reason", "after",
)  # fmt: skip
"""The columns of a sheet; `after` is the last day that the release covered."""
NEEDED = ("word", "verdict", "reason")
"""The columns without which a file is no sheet."""


def to_csv(questions: Iterable[Question], definitions: Glosses, last_day: str) -> bytes:
    """Return questions as CSV, with definitions, and with empty columns verdict and reason."""
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, restval="", extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    for question in questions:
        definition = glosses.line(glosses.define(question["word"], definitions))
        points = f"{1000 * question['points']:.2f}"
        cells = {"definition": definition, "p": f"{question['p']:.2f}", "points_per_1000_puzzles": points}
        writer.writerow({**question, **cells, "after": last_day})
    return text.getvalue().encode()


def read(data: bytes, path: object) -> list[Row]:
    """Return the verdicts in a sheet: word, verdict, reason and after ("" in a sheet without that column). The
    separator is a comma, a semicolon or a tab.

    Raises BeeError if the file is not a sheet, and DecisionError, which names each word whose row is wrong.
    """
    try:
        text = data.decode("utf-8-sig")
        first_line = text.partition("\n")[0]
        if first_line.startswith("sep="):
            text = text.partition("\n")[2]
        delimiter = max(",;\t", key=text.partition("\n")[0].count)
        lines = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        header, rows = lines.fieldnames or [], list(lines)
    except (UnicodeDecodeError, csv.Error) as error:
        raise BeeError(f"{path} is no CSV in UTF-8: {error}. Nothing was written.") from error
    for name in NEEDED:
        if header.count(name) != 1:
            sheet = "`bee review --export queue.csv` writes a sheet"
            raise BeeError(f"{path} must have one column {name}. Nothing was written; {sheet}.")
    cells = [{name: (row.get(name) or "").strip() for name in (*NEEDED, "after")} for row in rows]
    found = [{**row, "word": row["word"].lower(), "verdict": row["verdict"].lower()} for row in cells if row["verdict"]]
    times = Counter(row["word"] for row in found)
    wrong = [f"{row['word']}: it has more cells than the header" for row in rows if None in row]
    wrong += [f"{word}: it is there {number} times" for word, number in times.items() if number > 1]
    for row in found:
        problem = by_hand.problem_with("verdicts", {**row, "by": "a person"})
        wrong += [f"{row['word']}: {problem}"] if problem else []
    if wrong:
        raise DecisionError(f"{path}: {'; '.join(wrong)}. Nothing was written.")
    return found
