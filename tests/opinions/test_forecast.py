"""Forecasts: what is expected of words without a record, from the record alone."""

import pandas as pd
import pytest
import simulated

from pipeline.facts.evidence import Evidence
from pipeline.facts.lexicon import DEFAULTS
from pipeline.intake import forecast
from pipeline.opinions import estimate, model
from pipeline.run import registry
from pipeline.store import Workspace
from pipeline.tables import frames
from pipeline.words import LIKELY

NONE = frames.empty("word_grades")


def graded(**words: str) -> pd.DataFrame:
    return frames.from_rows([{"word": word, "grade": grade} for word, grade in words.items()], "word_grades")


@pytest.fixture(scope="module")
def lived() -> simulated.Workspace:
    """A workspace with some months of days, and words that were never possible."""
    world = simulated.world(5, simulated.BEFORE)
    here = simulated.Workspace(simulated.World({**world.sizes, "quiz": 10, "quizzed": 95}, world.accepted, world.days))
    here.bring("nyt", simulated.morning(world.days[-1], 5), world.days)
    here.run()
    return here


@pytest.mark.slow
def test_a_slur_that_was_never_accepted_is_not_expected_to_be_listed(lived):
    tables = (NONE, graded(quiz="crude"), graded(quiz="slur", quizzed="vulgar"))
    found = [forecast.estimated(lived.lexicon, offensive, lived.made["settled"].record) for offensive in tables]
    usual, crude, slur = (table.set_index("word")["p"] for table in found)
    assert [p["quiz"] >= LIKELY for p in (usual, crude, slur)] == [True, True, False]
    assert slur["quizzed"] == usual["quizzed"] < LIKELY


@pytest.mark.slow
def test_a_month_is_forecast_once_and_again_when_the_grades_or_the_days_before_it_differ(lived):
    asked = []

    def record() -> Evidence:
        asked.append(1)
        return lived.made["settled"]

    def months(kept: pd.DataFrame, *days: str, offensive: pd.DataFrame = NONE) -> pd.DataFrame:
        forecasts = forecast.Forecasts(lived.lexicon, offensive, kept, model.EMPTY)
        for counted in days:
            forecasts.probabilities("2024-06-01", counted, record)
        return forecasts.table()

    first = months(frames.empty("forecasts"), "a", "a")
    assert (len(asked), first["key"].nunique()) == (1, 1)
    assert months(first, "a").equals(first)
    assert len(asked) == 1
    assert months(first, "a", "b")["key"].nunique() == 2
    months(first, "a", offensive=graded(quiz="slur"))
    assert len(asked) == 3


def test_a_month_is_not_forecast_again_when_the_month_before_it_is_closed():
    """From the 16th on the record of the month before is a checkpoint, from which counting starts."""
    world = simulated.world(7, 240)
    here = simulated.Workspace(simulated.World({**world.sizes, "quiz": 10, "quizzed": 95}, world.accepted, world.days))
    forecasts, closed = [], []
    begin = 0
    for last in ("2024-07-31", "2024-08-01", "2024-08-02", "2024-08-15", "2024-08-16", "2024-08-17"):
        end = next(number for number, day in enumerate(world.days) if day.date > last)
        for source in simulated.SOURCES:
            here.bring(source, simulated.morning(world.days[end - 1], 4), world.days[begin:end])
        begin = end
        made = here.run()
        forecasts += made["forecasts"]["key"].tolist()
        closed.append(made["record_state"].checkpoint.until)
    assert closed == ["2024-07-01"] * 4 + ["2024-08-01"] * 2
    assert len(set(forecasts)) == 1


def test_a_month_is_not_forecast_again_when_a_word_comes_that_no_list_has(lived):
    def keys(lexicon: pd.DataFrame) -> list[str]:
        forecasts = forecast.Forecasts(lexicon, NONE, frames.empty("forecasts"), model.EMPTY)
        forecasts.probabilities("2024-06-01", "a", lambda: lived.made["settled"])
        return list(forecasts.used)

    new_word = pd.DataFrame([{**DEFAULTS, "word": "zzyzva", "zipf": 1.0, "zipf_abroad": 0.0, "language": ""}])
    with_new_word = frames.check(pd.concat([lived.lexicon, new_word], ignore_index=True), "lexicon")
    assert keys(with_new_word) == keys(lived.lexicon)


@pytest.mark.slow
def test_a_model_is_not_used_for_a_month_of_which_it_knows_a_day(lived):
    about = estimate.estimate_input(lived.lexicon, lived.made["settled"].record)
    fitted = model.fitted_on(estimate.fit(about), {"2024-05-31", "2024-06-01"}, "")

    def keys(weights: model.Model) -> list[str]:
        forecasts = forecast.Forecasts(lived.lexicon, NONE, frames.empty("forecasts"), weights)
        for month in ("2024-06-01", "2024-07-01"):
            forecasts.probabilities(month, "a", lambda: lived.made["settled"])
        return list(forecasts.used)

    (june, july), without = keys(fitted), keys(model.EMPTY)
    assert june == without[0]
    assert july != without[1]


@pytest.mark.slow
def test_a_forecast_keeps_the_estimates_from_the_threshold_on(ran_once):
    """In the real lexicon some estimates are below it, and some exactly at it."""
    tables = registry.load_all(Workspace(ran_once), "lexicon", "evidence")
    about = (tables["lexicon"], NONE, tables["evidence"].record)
    p = forecast.estimated(*about).set_index("word")["p"]
    assert p.min() < forecast.SMALLEST
    assert forecast.SMALLEST in set(p)
    assert forecast.probabilities(*about, None) == p[p >= forecast.SMALLEST].to_dict()
