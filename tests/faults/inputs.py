"""Mutated inputs: every format of official answers, damaged in many ways, must give days or named faults within a time
limit.

`python tests/faults/inputs.py` reads 20,000 of them and prints a table.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pipeline.sources import read
from pipeline.sources.day import MOST_ANSWERS
from pipeline.violations import VIOLATIONS
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


@dataclass
class Tally:
    """The results of many inputs."""

    count: int = 0
    days: int = 0
    slowest: float = 0.0
    faults: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


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


def judge(name: str, data: bytes, tally: Tally) -> None:
    """Read one input, and record what is wrong with the result."""
    started = time.process_time()
    try:
        _, parsed = read(data, name)
    except Exception:  # noqa: BLE001 - that there is none is what is judged
        tally.wrong.append(f"{name}: {traceback.format_exc().strip().rpartition(chr(10))[2]}: {data[:60]!r}")
        return
    took = time.process_time() - started
    tally.count += 1
    tally.days += len(parsed.days)
    tally.slowest = max(tally.slowest, took)
    tally.faults.update(fault.rule for fault in parsed.faults)
    if took > SLOWEST:
        tally.wrong.append(f"{name}: {took:.1f} s for {len(data):,} bytes: {data[:60]!r}")
    for fault in parsed.faults:
        if fault.rule not in VIOLATIONS or not fault.detail.isprintable():
            tally.wrong.append(f"{name}: {fault.rule}: {fault.detail[:60]!r}")
    for day in parsed.days:
        if len(day.answers) > MOST_ANSWERS or any(not 4 <= len(word) <= GAME.longest for word in day.answers):
            tally.wrong.append(f"{name}: a day with {len(day.answers)} answers that no puzzle can have")


def main() -> int:
    """Test many inputs, print a table, and return 1 if one of them fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--number", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=11)
    chosen = parser.parse_args()
    tallies: dict[str, Tally] = {name: Tally() for name in SEEDS}
    for name, data in inputs(chosen.number, chosen.seed):
        judge(name, data, tallies[name])
    print(
        "| format | inputs | days read | faults named | slowest, ms | not as they must be |\n|---|--:|--:|--:|--:|--:|"
    )
    for name, each in tallies.items():
        named = f"{sum(each.faults.values()):,}"
        print(f"| {name} | {each.count:,} | {each.days:,} | {named} | {1000 * each.slowest:.0f} | {len(each.wrong)} |")
    wrong = [line for each in tallies.values() for line in each.wrong]
    total, slowest = sum(each.count for each in tallies.values()), max(each.slowest for each in tallies.values())
    print(f"\n{total:,} inputs, {len(wrong)} not as they must be; slowest {slowest:.2f} s of {SLOWEST}.")
    print(*wrong[:20], sep="\n", file=sys.stderr)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
