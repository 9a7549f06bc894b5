"""How surprising real days are: `python -m docs.surprise --data DIR` prints the rows of docs/reliability.csv about it.

Each day is scored like a new day of a merge, with the p of a release at the beginning of its half-year, and with the
record of all days before it. It is also scored with words swapped as a single false source might do it.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Mapping, Sequence

import pandas as pd

from pipeline import store
from pipeline.errors import BeeError
from pipeline.facts.lexicon import is_common
from pipeline.intake import new_days, track
from pipeline.intake.track import Expectation, Outcome, Score, WordRecords
from pipeline.measure import backtest
from pipeline.measure.backtest import BacktestInput
from pipeline.opinions import constancy
from pipeline.run import registry
from pipeline.tables import frames
from pipeline.words import DOUBTFUL, LIKELY, count, pangram

SWAPS = (0, 1, 2, 3)
"""The numbers of answers that are taken out, and of refused words that are put in."""
QUANTILES = (0.5, 0.9, 0.95, 0.99, 0.998)


def swapped(draw: random.Random, outcomes: Sequence[Outcome], number: int) -> list[Outcome]:
    """Return the outcomes of a day with some answers refused and as many refused words accepted; pangrams stay."""
    of_kind = {
        yes: [each for each in outcomes if each.accepted is yes and not pangram(each.word)] for yes in (True, False)
    }
    changed = {each.word for each in draw.sample(of_kind[True], min(number, len(of_kind[True])))}
    changed |= {each.word for each in draw.sample(of_kind[False], min(number, len(of_kind[False])))}
    return [Outcome(word, accepted != (word in changed)) for word, accepted in outcomes]


def score_days(data: BacktestInput, since: str) -> tuple[dict[int, list[Score]], list[bool]]:
    """Return the scores of all days since a date on which so many words were swapped, by the numbers of `SWAPS`; and
    for each common word that the release of its half-year leaves out, whether its first trial accepted it.

    The estimates of a day are from before its half-year, the records from before the day.
    """
    scores: dict[int, list[Score]] = {number: [] for number in SWAPS}
    left_out: list[bool] = []
    day_after_last = str(pd.Timestamp(max(data.puzzles["date"])) + pd.Timedelta(days=1))[:10]
    draw = random.Random(53)
    for start, end in backtest.folds(since, day_after_last, 6):
        known = backtest.take_snapshot(data, start)
        published = known.estimates[known.estimates["p"] >= DOUBTFUL]
        p_of = zip(published["word"].tolist(), published["p"].tolist(), strict=True)
        expected = {word: Expectation(p, p >= LIKELY) for word, p in p_of}
        common_words = frozenset(known.lexicon["word"][is_common(known.lexicon)].tolist())
        records = track.word_records(known.record)
        later = backtest.trials_since(data, start, end)
        rarity = constancy.rarities(known.lexicon, later["word"].drop_duplicates())
        for date, day in later.groupby("date"):
            outcomes = [Outcome(*pair) for pair in zip(day["word"].tolist(), day["accepted"].tolist(), strict=True)]
            for number in SWAPS:
                changed = swapped(draw, outcomes, number) if number else outcomes
                scores[number].append(track.score(str(date), changed, records, expected, common_words, rarity))
            unknown = common_words - records.keys() - expected.keys()
            left_out += [accepted for word, accepted in outcomes if word in unknown]
            _add(records, str(date), outcomes, common_words)
    return scores, left_out


def _add(records: WordRecords, date: str, outcomes: Sequence[Outcome], common_words: frozenset[str]) -> None:
    """Add the outcomes of words that are known, or are known from now on."""
    known = [each for each in outcomes if each.accepted or each.word in common_words or each.word in records]
    track.add_day(records, date, known)


def rows(scores: Mapping[int, Sequence[Score]], left_out: Sequence[bool]) -> list[tuple[str, str]]:
    """Return subjects and results for docs/reliability.csv."""
    real = scores[0]
    days = f"{len(real):,} real days"
    counted = pd.DataFrame([{"date": each.date, "source": "all", **track.counts_of(each)} for each in real])
    unlikely = [sum(p < new_days.UNLIKELY for p in each.probability_of_outcome.values()) for each in real]
    sums = []
    total = 0.0
    for bits in counted["surprise"]:
        total = max(0.0, total + bits - track.ALLOWED)
        sums.append(total)
    found = [
        (f"surprise of {days}, in bits", _distribution(counted["surprise"], 1)),
        (f"missing and extra words of {days}", _distribution(counted["missing"] + counted["extra"], 0)),
        (
            f"exact lists that were expected, {days}",
            f"{counted['expected'].sum():.0f}; {counted['exact'].sum():,} occurred",
        ),
        (
            f"words with a probability below {new_days.UNLIKELY}, {days}",
            f"{sum(unlikely):,} words on {sum(map(bool, unlikely)):,} days, in doubt if no day had a second source",
        ),
        (
            f"drift, running sum of surprise above {track.ALLOWED:g} bits a day, {days}; the limit is {track.DRIFT:g}",
            f"highest sum {max(sums):.0f}, {len(track.drift(counted))} warnings",
        ),
    ]
    found.append(
        (
            f"common words with a p below {DOUBTFUL} and no record, which a release leaves out, {days}",
            f"{sum(left_out):,} of {len(left_out):,} were accepted",
        )
    )
    for number, of_number in scores.items():
        waiting = [each for each in of_number if new_days.is_too_surprising(each)]
        names = ", ".join(each.date for each in waiting) if 0 < len(waiting) < 4 else ""
        what = f"{days}, {count(number, 'swapped word')} a day" if number else days
        found.append(
            (
                f"{what}, of one source",
                f"{count(len(waiting), 'day')} would wait for a second source or a person{names and f': {names}'}",
            )
        )
    return found


def _distribution(cells: pd.Series, digits: int) -> str:
    """Return the mean, some quantiles and the maximum in words."""
    quantiles = [f"{share:.1%} {cells.quantile(share):.{digits}f}".replace(".0%", "%") for share in QUANTILES]
    return f"mean {cells.mean():.1f}, {', '.join(quantiles)}, maximum {cells.max():.{digits}f}"


def main(arguments: list[str]) -> None:
    """Print the rows; raise BeeError if the workspace lacks a table."""
    parser = argparse.ArgumentParser(
        prog="python -m docs.surprise", description="Measure how surprising real days are."
    )
    parser.add_argument("--since", default="2023-07-01", help="the first day that is scored")
    parser.add_argument("--data", help="the workspace; default data")
    options = parser.parse_args(arguments)
    workspace = store.find_workspace(options.data)
    data = BacktestInput(**registry.load_all(workspace, *backtest.TABLES))
    table = pd.DataFrame(rows(*score_days(data, options.since)), columns=["subject", "result"])
    sys.stdout.write(frames.csv_bytes(table).decode())


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except BeeError as error:
        sys.exit(str(error))
