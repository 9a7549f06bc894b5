"""Mutated inputs: every format of official answers, damaged in many ways, must give days or named faults within a time
limit.

`pytest -m faults tests/faults/test_inputs.py -s` reads 20,000 of them and prints the figures.
"""

from __future__ import annotations

import gzip
import json
import random
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from sampling import short_and_long

from pipeline.publishing.check import RULES
from pipeline.sources import read_capture
from pipeline.sources.day import MAX_ANSWERS
from pipeline.words import GAME

SLOWEST = 2.0
"""CPU seconds allowed per input."""
PAGES = Path(__file__).parents[1] / "sources/pages"
DAY = {"answers": ["cove", "octave"], "pangrams": ["covenant"]}
ENDPOINT = {**DAY, "center_letter": "e", "outer_letters": "acnotv", "print_date": "2025-01-02"}
SHAPED = {**DAY, "centerLetter": "e", "outerLetters": list("acnotv"), "printDate": "2025-01-02"}
SEEDS: dict[str, bytes] = {
    "plus": b"20250102 acenotv e 3 22 1 0 0 0 0 covenant | cove covenant octave\n" * 3,
    "lines": b"2025-01-02 e acnotv: cove covenant octave\n2025-01-03 n abdelu: null dunable\n",
    "table": b"date,center,outer,answer\n"
    + b"".join(b"2025-01-02,e,acnotv,%s\n" % word for word in (b"cove", b"covenant", b"octave")),
    "seed": json.dumps(
        {f"2025010{n}": {"center": "e", "others": "acnotv", "solutions": ["cove", "covenant"]} for n in (2, 3)}
    ).encode(),
    "days": json.dumps([SHAPED, {**SHAPED, "printDate": "2025-01-03"}]).encode(),
    "nyt": json.dumps(ENDPOINT).encode(),
    "active": json.dumps({"today": 0, "puzzles": [ENDPOINT, {**ENDPOINT, "print_date": "2025-01-03"}]}).encode(),
    **{path.stem: path.read_bytes() for path in sorted(PAGES.iterdir()) if path.suffix in (".html", ".json")},
}
TOKENS = (
    b"<li>", b"</li>", b"</ul>", b"<ul>", b"<![", b"<!--", b"<?xml ?>", b"&#99999999999;", b"<li a=\"<\">", b"<a b=\"",
    b"[", b"{", b'{"a":', b"]", b"}", b'"', b"\\u", b"null", b"1e999", b"-", b"9" * 30, b",", b";", b":", b"|", b"\n",
    b"\r", b"\0", b"\xff", b"\xef\xbb\xbf", "\u202e".encode(), b" ", b"a", b"20250102 ", b"2025-01-04 e acnotv: ",
    b"answer-list", b"window.gameData = ", b"<h2>Thursday, ", b'"centerLetter":', b'"print_date":', b"'{",
)  # fmt: skip
"""Characters that are significant in the formats or difficult for parsers."""


def mutate(data: bytes, chance: random.Random) -> bytes:
    """Damage some bytes in one way."""
    at, end = sorted(chance.randrange(len(data) + 1) for _ in range(2))
    token = chance.choice(TOKENS)
    match chance.randrange(9):
        case 0:
            return data[:at]
        case 1:
            return data[:at] + data[end:]
        case 2:
            return data[:at] + token + data[at:]
        case 3:
            return data[:at] + token * chance.choice((10, 1000, 30_000, 400_000)) + data[at:]
        case 4:
            times = min(chance.choice((2, 3, 50, 20_000)), 4_000_000 // (end - at + 1))
            return data[:at] + data[at:end] * times + data[end:]
        case 5:
            return data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1 :] if at < len(data) else b""
        case 6:
            other = chance.choice(list(SEEDS.values()))
            return data[:at] + other[chance.randrange(len(other)) :]
        case 7:
            return data.replace(data[at : at + 4], token) if data[at : at + 4].strip() else data
        case _:
            return data[:at] + chance.randbytes(chance.choice((1, 4, 300))) + data[end:]


def inputs(number: int, seed: int) -> Iterator[tuple[str, bytes]]:
    """Yield names and damaged inputs, each with one to three mutations, some of them compressed and then damaged
    again."""
    chance = random.Random(seed)
    for each in range(number):
        name = list(SEEDS)[each % len(SEEDS)]
        data = SEEDS[name]
        for _ in range(chance.choice((1, 1, 2, 3))):
            data = mutate(data, chance)[:4_000_000]
        if chance.random() < 0.1:
            data = gzip.compress(data)
            data = mutate(data, chance) if chance.random() < 0.5 else data
        yield name, data


def wrong_with(name: str, data: bytes) -> tuple[list[str], int, Counter[str]]:
    """Read one input; return what is wrong with the result, the number of days, and the faults that were named."""
    started = time.process_time()
    try:
        parsed = read_capture(data, name)
    except Exception:  # noqa: BLE001 - that there is none is what is judged
        return [f"{name}: {traceback.format_exc()}: {data[:60]!r}"], 0, Counter()
    seconds = time.process_time() - started
    wrong = []
    if seconds > SLOWEST:
        wrong.append(f"{name}: {seconds:.1f} s for {len(data):,} bytes: {data[:60]!r}")
    for fault in parsed.faults:
        if fault.rule not in RULES or not fault.detail.isprintable():
            wrong.append(f"{name}: {fault.rule}: {fault.detail[:60]!r}")
    for day in parsed.days:
        if len(day.answers) > MAX_ANSWERS or any(not 4 <= len(word) <= GAME.max_length for word in day.answers):
            wrong.append(f"{name}: a day with {len(day.answers)} answers that no puzzle can have")
    return wrong, len(parsed.days), Counter(fault.rule for fault in parsed.faults)


@pytest.mark.slow
@pytest.mark.parametrize("number", short_and_long(400, 20_000))
def test_damaged_inputs_give_days_or_named_faults_and_soon(number):
    wrong, days, faults = [], 0, Counter()
    for name, data in inputs(number, seed=11):
        wrong_here, days_here, faults_here = wrong_with(name, data)
        wrong += wrong_here
        days += days_here
        faults += faults_here
    print(f"{number:,} inputs, {days:,} days read, {faults.total():,} faults named, {len(wrong)} not as they must be")
    assert wrong == []
    assert days > number / 10
    assert len(faults) > 10
