"""What wordfreq says of the same words is read once, as that takes most of the time of a run on the small lexicon."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable
from pathlib import Path

import pandas as pd


def remembered(read: Callable[[Iterable[str]], pd.DataFrame], folder: Path) -> Callable[[Iterable[str]], pd.DataFrame]:
    """Return a function that reads the frequencies of words once, and then from a folder."""

    def frequencies(listed: Iterable[str]) -> pd.DataFrame:
        words = sorted(set(listed))
        path = folder / f"{hashlib.sha256(' '.join(words).encode()).hexdigest()}.parquet"
        if not path.exists():
            begun = path.with_suffix(f".{os.getpid()}")
            read(words).to_parquet(begun)
            begun.rename(path)
        return pd.read_parquet(path)

    return frequencies
