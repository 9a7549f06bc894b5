"""A wrong clock of the machine is reported when a command starts, and changes no table and no release."""

import datetime
import os
import shutil
import subprocess
import sys

import pytest
from conftest import PROJECT, snapshot

VERDICTS = "word,verdict,reason,by,on\ntroth,drop,seen nowhere,ann,2026-01-02\nzine,drop,seen in no shop,ann,{}\n"
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
    """For a clock that is behind, today's verdict is in the future; each run decides again."""
    path = ran / "custom/verdicts.csv"
    path.write_text(VERDICTS.format(day(NOW)))
    results = []
    for number, order in enumerate([(), ("behind", "ahead")]):
        data = shutil.copytree(ran, tmp_path / f"copy{number}")
        for name in order:
            done = bee_at(TIMES[name], "run", "--data", data)
            assert done.returncode == 0, done.stderr
        assert bee("run", "--data", data).code == 0
        results.append((snapshot(data / "custom"), snapshot(data / "build/tables")))
    assert all(result == results[0] for result in results)


@pytest.mark.slow
@pytest.mark.parametrize(("on", "warned"), [("2026-03-01", False), ("2026-03-02", True), ("2026-03-03", True)])
def test_a_verdict_of_the_future_is_a_warning_that_names_the_file_and_the_clock(ran, on, warned):
    now = datetime.datetime(2026, 3, 1, 12, tzinfo=datetime.UTC)
    (ran / "custom/verdicts.csv").write_text(VERDICTS.format(on))
    says = f"custom/verdicts.csv has the date {on}, but the clock of this computer says 2026-03-01"
    assert (says in bee_at(now, "status", "--data", ran).stderr) is warned
    if warned:
        done = bee_at(now, "run", "--data", ran)
        assert (done.returncode, says in done.stderr) == (0, True)


def test_many_lines_of_the_future_are_one_warning(ran, bee):
    lines = [f"{word},drop,seen nowhere,ann,2999-01-01" for word in ("cove", "covet")]
    (ran / "custom/verdicts.csv").write_text("\n".join(["word,verdict,reason,by,on", *lines, ""]))
    (ran / "custom/days.csv").write_text("date,source,check,reason,by\n2999-01-01,none,,seen it,ann\n")
    told = bee("status", "--data", ran).err
    assert told.count("custom/verdicts.csv has the date 2999-01-01, but") == 1
    assert "custom/days.csv has the date 2999-01-01, but" in told


@pytest.mark.slow
def test_a_clock_that_is_behind_the_record_is_told_and_the_run_goes_on(ran):
    done = bee_at(datetime.datetime(2025, 1, 5, tzinfo=datetime.UTC), "run", "--data", ran)
    assert done.returncode == 0
    assert "The record covers 2025-03-05, but the clock of this computer says 2025-01-05" in done.stderr
