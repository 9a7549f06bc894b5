"""JSON text: an object in which a field occurs twice is not read as if only the last one were there."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any


class RepeatedFields(dict[str, Any]):
    """A JSON object in which a field occurs twice. `pairs` has all fields with their values, in order."""

    def __init__(self, pairs: list[tuple[str, Any]]):
        super().__init__(pairs)
        self.pairs = pairs

    @property
    def repeated(self) -> str:
        """The name of the field that occurs most often."""
        return Counter(name for name, _ in self.pairs).most_common(1)[0][0]


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    return value if len(value) == len(pairs) else RepeatedFields(pairs)


_DECODER = json.JSONDecoder(object_pairs_hook=_object)


def loads(text: str) -> Any:
    """Return the value of a JSON text. Raises ValueError, or RecursionError if it is nested too deeply.

    >>> loads('{"answers": ["cove"], "answers": []}').repeated
    'answers'
    """
    return _DECODER.decode(text)


def value_at(text: str, start: int) -> tuple[Any, int]:
    """Return the JSON value that begins at a position of a text, and the position after it; raises like `loads`.

    >>> value_at('data = [1, 2]; more()', 7)
    ([1, 2], 13)
    """
    return _DECODER.raw_decode(text, start)


def fields(value: dict[str, Any]) -> list[tuple[str, Any]]:
    """Return the fields of an object with their values, in order, and those that occur twice each time."""
    return value.pairs if isinstance(value, RepeatedFields) else list(value.items())
