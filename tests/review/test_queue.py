"""The review queue: its order, the keys of a session on a real terminal, and decisions made in a spreadsheet."""

import codecs
import contextlib
import csv
import io
import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pytest
import terminals
from conftest import PROJECT

from pipeline.review import queue as worth
from pipeline.review import verdicts
from pipeline.run import registry
from pipeline.store import Workspace
from pipeline.tables import frames
from pipeline.words import DOUBTFUL, mask


def queued(ran: Path, verdicts=None):
    tables = registry.opinions(Workspace(ran))
    given = tables["verdicts"] if verdicts is None else verdicts
    covered = {f"2025-03-{day:02}" for day in range(1, 15)}
    names = ("decisions", "estimates", "evidence", "lexicon")
    return worth.queue(*(tables[name] for name in names), given, covered)


def test_the_queue_is_ordered_by_what_a_decision_gains_and_families_stay_together(ran):
    queue = queued(ran)
    assert len(queue) > 20
    assert (queue["gain"] - queue["chance"] * queue["doubt"] * worth.EXACT).abs().max() < 1e-12
    assert queue["chance"].between(0, 1).all()
    families = queue["family"].tolist()
    assert len([f for f, before in zip(families, [None, *families], strict=False) if f != before]) == len(set(families))
    best = queue.groupby("family", sort=False)["gain"].max()
    assert (best.diff().dropna() <= 0).all()
    days = 365 * queue["gain"].sum()
    assert days > 2
    told = f"Deciding {len(queue)} words correctly would make about {days:.0f} more days a year exactly right."
    assert worth.worth(queue) == told


@pytest.mark.parametrize(
    ("yearly", "says"),
    [
        (2.5, "about 2 xs a year"), (1.5, "about 2 xs a year"), (1.49, "about one x a year"), (1, "about one x a year"),
        (12 / 12.5, "about one x a year"), (12 / 12.6, "about one x in 13 months"),
        (12 / 23.4, "about one x in 23 months"),
        (0.5, "about one x in 2 years"), (0.01, "about one x in 100 years"), (0.0099, "less than one x in 100 years"),
        (0, "less than one x in 100 years"),
    ],
)  # fmt: skip
def test_how_often_is_told_in_days_months_or_years(yearly, says):
    assert worth.often(yearly / 365, "x") == says


def test_a_likely_word_is_in_doubt_by_what_it_lacks_and_any_other_word_by_its_p():
    rows = [("cove", "likely", "estimate"), ("cave", "review", "estimate"), ("cafe", "review", "evidence")]
    decisions = pd.DataFrame(rows, columns=["word", "tier", "by"])
    estimates = pd.DataFrame({"word": ["cove", "cave", "cafe"], "p": [0.4, 0.6, 0.9]})
    assert worth.doubts(decisions, estimates)["doubt"].tolist() == [0.6, 0.6, worth.UNWITNESSED]
    assert worth.doubts(decisions, estimates.head(0))["doubt"].tolist() == [0.0, 0.0, worth.UNWITNESSED]


def test_a_word_with_a_verdict_has_left_the_queue(ran):
    word = queued(ran)["word"].iloc[0]
    verdict = {"word": word, "verdict": "keep", "reason": "a test", "by": "ann", "on": "2025-01-01"}
    assert word not in set(queued(ran, frames.from_rows([verdict], "verdicts"))["word"])


@pytest.mark.parametrize(
    ("p", "by", "tier", "asked"),
    [
        (DOUBTFUL, "estimate", "review", True),
        (DOUBTFUL - 0.01, "estimate", "refused", False),
        (1 - DOUBTFUL, "estimate", "likely", True),
        (1 - DOUBTFUL + 0.01, "estimate", "likely", False),
        (0.5, "evidence", "core", False),
        (0.99, "evidence", "review", True),
    ],
)
def test_only_words_in_real_doubt_are_asked_about_and_none_that_a_record_decides(p, by, tier, asked):
    decisions = frames.from_rows(
        [{"word": "cove", "tier": tier, "by": by, "because": "a test", "kind": "", "details": ""}], "decisions"
    )
    estimates = frames.from_rows([{"word": "cove", "p": p, "basis": "a test", "kind": "estimate"}], "estimates")
    empty = [frames.empty(name) for name in ("evidence", "lexicon", "verdicts")]
    assert list(worth.queue(decisions, estimates, *empty, set())["word"]) == ["cove"] * asked


@pytest.mark.parametrize(("p", "order"), [(0.4, ["cooove", "vocce", "voce"]), (0.3, ["vocce", "voce", "cooove"])])
def test_the_largest_gain_comes_first_in_a_family_and_of_equal_ones_the_first_of_the_alphabet(p, order):
    """All words have the same letters, and two of them are forms of *voce*, one with a p of its own."""
    words, lemmas = ["voce", "coove", "vocce", "cove", "cooove"], {"vocce": "voce", "cooove": "voce"}
    reason = {"because": "a test", "kind": "estimate", "details": ""}
    decisions = [{"word": word, "tier": "review", "by": "estimate", **reason} for word in words]
    estimates = [{"word": word, "p": p if word == "cooove" else 0.4} for word in words]
    estimates = [row | {"basis": "a test", "kind": "estimate"} for row in estimates]
    lexicon = pd.DataFrame({"word": list(lemmas), "lemma": list(lemmas.values())})
    found = worth.queue(
        *(frames.from_rows(rows, name) for rows, name in ((decisions, "decisions"), (estimates, "estimates"))),
        frames.empty("evidence"), lexicon, frames.empty("verdicts"), set(),
    )  # fmt: skip
    assert found["family"].tolist() == ["coove", "cove", "voce", "voce", "voce"]
    assert found["word"].tolist() == ["coove", "cove", *order]


def test_a_word_that_waits_for_a_witness_is_as_doubtful_as_can_be(ran):
    tables = registry.opinions(Workspace(ran))
    accepted = tables["evidence"]["word"][tables["evidence"]["accepted"] > 0].iloc[0]
    waits = tables["decisions"]["word"] == accepted
    decisions = tables["decisions"].assign(tier=tables["decisions"]["tier"].mask(waits, "review"))
    names = ("estimates", "evidence", "lexicon", "verdicts")
    queue = worth.queue(decisions, *(tables[name] for name in names), {"2025-03-01"}).set_index("word")
    assert queue.loc[accepted, "doubt"] == 0.5
    nothing = worth.queue(decisions.head(0), *(tables[name] for name in names), {"2025-03-01"})
    assert list(nothing.columns) == worth.COLUMNS
    assert nothing.empty


def test_the_chance_of_a_word_is_judged_by_the_letters_that_were_played():
    played = [mask("abcdefg"), mask("abcdefh"), mask("abcdefh")]
    chances = worth.spelled([mask("abed"), mask("gaff"), mask("zzzz"), mask("abcdefg")], played)
    assert chances[0] == pytest.approx(4 / 7 * 2.5 / 3)
    assert chances[1] == pytest.approx(3 / 7 * 1.5 / 3)
    assert chances[2] == pytest.approx(1 / 7 * 0.5 / 3)
    assert chances[3] == pytest.approx(1.5 / 3)


class Terminal:
    """`bee review` on a pseudo-terminal."""

    def __init__(self, *arguments: object, program: tuple[str, ...] = ()) -> None:
        self.ours, theirs = pty.openpty()
        variables, asked = {**os.environ, "TERM": "xterm", "COLUMNS": "160"}, ["review", *map(str, arguments)]
        if program:
            self.process = subprocess.Popen(
                [sys.executable, *program, *asked], stdin=theirs, stdout=theirs, stderr=theirs, cwd=PROJECT,
                start_new_session=True, env=variables,
            )  # fmt: skip
            self.wait = self.process.wait
        else:
            self.process = terminals.started(os.ttyname(theirs), str(PROJECT), variables, *asked)
            self.wait = self._joined
        os.close(theirs)
        self.decoder = codecs.getincrementaldecoder("utf-8")()  # a read may end within a character

    def until(self, *wanted: str) -> str:
        """Read until one of the texts has come."""
        seen, deadline = "", time.monotonic() + 60
        while time.monotonic() < deadline and not any(text in seen for text in wanted):
            if select.select([self.ours], [], [], 1)[0]:
                try:
                    seen += self.decoder.decode(os.read(self.ours, 65536))
                except OSError:
                    break
        assert any(text in seen for text in wanted), seen
        return seen

    def press(self, keys: str, *wanted: str) -> str:
        os.write(self.ours, keys.encode())
        return self.until(*wanted)

    def __del__(self) -> None:
        self.process.kill()
        self.wait()

    def _joined(self, seconds: float | None = None) -> int | None:
        self.process.join(seconds)
        return self.process.exitcode

    def close(self) -> int:
        with contextlib.suppress(OSError):
            while os.read(self.ours, 65536):
                pass
        os.close(self.ours)
        return self.wait(30)


def written_verdicts(ran: Path) -> list[tuple[str, str, str, str]]:
    found = registry.load(Workspace(ran), "verdicts")
    return [tuple(row[name] for name in ("word", "verdict", "reason", "by")) for row in frames.rows(found)]


def test_keys_typed_while_it_loads_decide_nothing(ran):
    screen = Terminal("--data", ran, "--by", "ann", "--limit", "4")
    shown = screen.press("kd\nk", "q quit")
    assert shown.index("Loading") < shown.index("1 of 4")
    assert "kept" in screen.press("q", "0 kept, 0 dropped, 4 left")
    assert screen.close() == 0
    assert written_verdicts(ran) == []


def test_a_session_is_kept_key_by_key_and_goes_on_where_it_stopped(ran):
    first, second, third, fourth, *_ = [row["word"] for row in csv.DictReader(io.StringIO(exported(ran).decode()))]
    screen = Terminal("--data", ran, "--by", "ann", "--limit", "4")
    shown = screen.until("q quit")
    assert "1 of 4" in shown
    assert f"{first}: " in shown
    assert "Deciding correctly would make about" in shown
    assert "because" in shown
    assert "1 of 4" in screen.press("\x1b[A", "q quit")
    screen.press("n", "Note")
    assert "note       seen in a cookbook" in screen.press("seen in a cookbook\r", "q quit")
    assert f"{second}: " in screen.press("k", "q quit")
    assert written_verdicts(ran) == [(first, "keep", "seen in a cookbook", "ann")]
    assert "3 of 4" in screen.press("d", "q quit")
    assert (second, "drop", "looked at in review", "ann") in written_verdicts(ran)
    assert "2 of 4" in screen.press("\x1b[D", "q quit")
    assert written_verdicts(ran) == [(first, "keep", "seen in a cookbook", "ann")]
    assert "2 of 4" in screen.press("x", "q quit")
    assert "3 of 4" in screen.press("s", "q quit")
    assert f"{fourth}: " in screen.press("d", "q quit")
    assert "1 kept, 1 dropped, 1 left. `bee run" in screen.press("q", "applies them.")
    assert screen.close() == 0

    screen = Terminal("--data", ran, "--by", "ann", "--limit", "300")
    shown = screen.until("q quit")
    assert not [word for word in (first, second, third) if f"{word}: " in shown]
    assert "0 kept, 0 dropped, " in screen.press("q", "left.")
    screen.close()
    assert second in (ran / "custom/skipped.txt").read_text().split()
    left = len(list(csv.DictReader(io.StringIO(exported(ran).decode()))))
    screen = Terminal("--data", ran, "--by", "ann", "--again", "--limit", "100000")
    assert f"1 of {left}" in screen.until("q quit")
    screen.press("q", "left.")
    screen.close()
    assert {word for word, *_ in written_verdicts(ran)} == {first, third}


def test_a_session_that_shows_skipped_words_again_keeps_them_and_those_that_others_skip_meanwhile(ran):
    first, second, *_ = [row["word"] for row in csv.DictReader(io.StringIO(exported(ran).decode()))]
    verdicts.skip(Workspace(ran), add=[first, "earlier"])
    screen = Terminal("--data", ran, "--by", "ann", "--again", "--limit", "3")
    assert f"{first}: " in screen.until("q quit")
    verdicts.skip(Workspace(ran), add=["meanwhile"])
    assert f"{second}: " in screen.press("s", "q quit")
    assert "3 of 3" in screen.press("s", "q quit")
    assert verdicts.skipped(Workspace(ran)) == {first, second, "earlier", "meanwhile"}
    assert "2 of 3" in screen.press("b", "q quit")
    assert "1 of 3" in screen.press("b", "q quit")
    screen.press("q", "left.")
    assert screen.close() == 0
    assert verdicts.skipped(Workspace(ran)) == {first, "earlier", "meanwhile"}


def test_without_the_terminal_of_unix_a_key_is_followed_by_enter(ran):
    first, second, *_ = [row["word"] for row in csv.DictReader(io.StringIO(exported(ran).decode()))]
    windows = (
        "import sys; sys.modules.update(termios=None, tty=None); from pipeline.cli import main; main(sys.argv[1:])"
    )
    screen = Terminal("--data", ran, "--by", "ann", "--limit", "2", program=("-c", windows))
    assert "1 of 2" in screen.until("q quit")
    assert f"{second}: " in screen.press("k\r", "q quit")
    assert written_verdicts(ran) == [(first, "keep", "looked at in review", "ann")]
    assert "1 of 2" in screen.press("b\r", "q quit")
    assert written_verdicts(ran) == []
    assert "0 kept, 0 dropped, 2 left" in screen.press("q\r", "2 left")
    assert screen.close() == 0


def exported(ran: Path) -> bytes:
    tables = registry.opinions(Workspace(ran))

    covered = registry.load(Workspace(ran), "evidence").covered
    names = ("decisions", "estimates", "evidence", "lexicon", "verdicts")
    return worth.to_csv(worth.queue(*(tables[name] for name in names), covered), tables["flags"])


def test_a_sheet_goes_out_is_filled_in_and_comes_back(ran, bee, tmp_path):
    path = tmp_path / "queue.csv"
    assert "5 words in" in bee("review", "--export", path, "--limit", "5", "--data", ran).err
    rows = list(csv.DictReader(io.StringIO(path.read_text())))
    assert [row["word"] for row in rows] == [
        row["word"] for row in csv.DictReader(io.StringIO(exported(ran).decode()))
    ][:5]
    assert all(row["because"] and not row["verdict"] for row in rows)
    rows[0] |= {"verdict": "Keep", "reason": "'=fine"}
    rows[3] |= {"verdict": "drop", "reason": "'tis two, with a comma"}
    rows[4] |= {"verdict": "drop"}
    out = io.StringIO()
    sheet_ = csv.DictWriter(out, rows[0], delimiter=";", lineterminator="\r\n")
    sheet_.writeheader()
    sheet_.writerows(rows)
    path.write_bytes(b"\xef\xbb\xbf" + out.getvalue().encode())
    done = bee("review", "--import", path, "--by", "ben", "--data", ran)
    assert (done.code, "3 verdicts" in done.err) == (0, True)
    assert sorted(written_verdicts(ran)) == sorted(
        [
            (rows[0]["word"], "keep", "=fine", "ben"),
            (rows[3]["word"], "drop", "'tis two, with a comma", "ben"),
            (rows[4]["word"], "drop", "looked at in review", "ben"),
        ]
    )
    again = bee("review", "--import", path, "--by", "ben", "--data", ran)
    assert (again.code, "0 verdicts" in again.err) == (0, True)
    path.write_text(path.read_text("utf-8-sig").replace("Keep", "drop"))
    assert (
        f"has {rows[0]['word']} already: keep {rows[0]['word']}, by ben on"
        in bee("review", "--import", path, "--by", "ben", "--data", ran).err
    )
    assert bee("run", "--data", ran).code == 0
    assert bee("why", rows[3]["word"], "--data", ran).out.startswith(f"{rows[3]['word']}: refused, by verdict")


def test_no_cell_of_a_sheet_is_a_formula(ran):
    queue = queued(ran).head(3)
    queue["because"] = ["=HYPERLINK(1)", "+1", "@cmd"]
    made = worth.to_csv(queue, frames.empty("flags")).decode()
    cells = [cell for row in csv.reader(io.StringIO(made)) for cell in row]
    assert "'=HYPERLINK(1)" in cells
    assert not [cell for cell in cells if cell[:1] in ("=", "+", "-", "@")]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("word,reason\ncove,a\n", "has no column verdict"),
        ("", "has no rows"),
        ("word,verdict,verdict,reason\n", "has no column verdict, or has it twice"),
        ("word,verdict,reason\ncove,drop,one, two\n", "row 2: 4 cells, not 3"),
        ('word,verdict,reason\ncove,drop,"one\ncave,drop,two\n', "is not CSV"),
        ("word,verdict,reason\ncove,perhaps,a\n", 'row 2: "perhaps" is neither keep nor drop'),
        ("word,verdict,reason\ncave,keep,b\nbee,drop,c\n", '"bee" cannot be a word of a puzzle: too short'),
        ("word,verdict,reason\ncave,keep,b\ncave,drop,c\n", "row 3: cave is kept in one row and dropped in another"),
        ("w\xe9rd,verdict,reason\n", "not text in UTF-8"),
    ],
)
def test_a_broken_sheet_is_one_sentence_and_changes_nothing(bee, data, tmp_path, text, says):
    path = tmp_path / "sheet.csv"
    path.write_bytes(text.encode("latin-1"))
    failed = bee("review", "--import", path, "--by", "ann", "--data", data)
    assert failed.code == 1
    assert says in failed.err
    assert not (data / "custom/verdicts.csv").exists()


def test_without_a_terminal_it_says_what_to_do_instead(ran, bee, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    failed = bee("review", "--data", ran)
    assert failed.code == 1
    assert "use --export and --import" in failed.err
