"""A wrong clock of the machine changes no table and no release."""

import datetime
import os
import shutil
import subprocess
import sys

import pytest
from conftest import PROJECT, snapshot

VERDICTS = "word,verdict,reason,by,after\ntroth,drop,seen nowhere,ann,2026-01-02\nzine,drop,seen in no shop,ann,{}\n"
NOW = datetime.datetime.now(datetime.UTC)
TIMES = {"behind": NOW - datetime.timedelta(days=2), "ahead": NOW + datetime.timedelta(days=365)}


def bee_at(time: datetime.datetime, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run `bee` at another time."""
    return subprocess.run(
        [sys.executable, PROJECT / "tests/faults/clock.py", *map(str, arguments)],
        env={**os.environ, "BEE_CLOCK": time.isoformat()}, capture_output=True, text=True, check=False,
    )  # fmt: skip


def day(time: datetime.datetime, more: int = 0) -> str:
    return (time + datetime.timedelta(days=more)).date().isoformat()


@pytest.mark.slow
def test_runs_at_any_time_and_in_any_order_end_with_the_bytes_of_runs_at_the_right_time(ran, bee, tmp_path):
    """For a clock that is behind, the last day that the person knew is in the future."""
    path = ran / "custom/verdicts.csv"
    path.write_text(VERDICTS.format(day(NOW)))
    results = []
    for number, order in enumerate([(), ("behind", "ahead")]):
        data = shutil.copytree(ran, tmp_path / f"copy{number}")
        for name in order:
            done = bee_at(TIMES[name], "--data", data, "run")
            assert done.returncode == 0, done.stderr
        assert bee("--data", data, "run").code == 0
        results.append((snapshot(data / "custom"), snapshot(data / "build/tables")))
    assert all(result == results[0] for result in results)
