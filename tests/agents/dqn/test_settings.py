"""Settings that cannot train are refused with their limit."""

from __future__ import annotations

import pytest

from agents import TrainSettings
from sim import validate
from tests.refusals import refusal_of
from tests.scripts import loaded_by


def test_another_variant_of_the_same_settings_looks_no_further_than_it_may() -> None:
    settings = TrainSettings(n_step=3, steps=100_000)
    plain = settings.with_variant("dqn")
    assert (plain.variant, plain.n_step, plain.steps) == ("dqn", 1, 100_000)
    assert not plain.is_improved
    assert plain.with_variant("improved").is_improved
    assert settings.with_variant("improved") == settings


BAD_SETTINGS = [
    ({"variant": "dqn", "n_step": 3}, "n_step", 3, 1),
    ({"variant": "rainbow"}, "variant", "rainbow", None),
    ({"hidden": 33}, "hidden", 33, 2),
    ({"gamma": 1.5}, "gamma", 1.5, 1),
    ({"epsilon_start": 0.0}, "epsilon_end", 0.03, 0.0),
    ({"replay": 1000, "n_step": 3}, "replay", 1000, 1024),
    ({"steps": 1000, "warm_up": 1000}, "warm_up", 1000, 1000),
    ({"warm_up": 511}, "warm_up", 511, 512),
]


@pytest.mark.parametrize(("changes", "key", "value", "limit"), BAD_SETTINGS)
def test_a_setting_that_cannot_be_is_named_with_its_limit(changes, key, value, limit) -> None:
    error = refusal_of(validate, TrainSettings, changes, source="train.toml")
    assert error.place == f"train.toml: {key}"
    assert error.value == value
    if limit is not None:
        assert error.limit == limit


def test_a_misspelt_setting_is_named() -> None:
    error = refusal_of(validate, TrainSettings, {"lerning_rate": 0.1}, source="train.toml")
    assert error.value == "lerning_rate"
    assert "learning_rate" in error.remedy


def test_a_short_training_explores_and_waits_for_a_tenth_of_it() -> None:
    short = TrainSettings(steps=150_000)
    usual = TrainSettings()
    assert (short.epsilon_steps, short.warm_up) == (15_000, 15_000)
    assert (usual.epsilon_steps, usual.warm_up) == (300_000, 20_000)
    assert TrainSettings(steps=150_000, epsilon_steps=7).epsilon_steps == 7


def test_epsilon_and_the_learning_rate_fall_linearly_and_then_stay() -> None:
    settings = TrainSettings(epsilon_steps=100, epsilon_end=0.5, steps=200, n_environments=1)
    assert [settings.epsilon(n) for n in (0, 50, 100, 10**6)] == [1.0, 0.75, 0.5, 0.5]
    assert [settings.learning_rate_after(n) for n in (0, 100, 200, 400)] == pytest.approx(
        [1e-3, 0.55e-3, 1e-4, 1e-4]
    )


def test_settings_are_read_without_torch() -> None:
    assert "torch" not in loaded_by("agents.dqn.settings")
