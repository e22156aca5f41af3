"""Settings refuse what cannot train, and say what would do."""

from __future__ import annotations

import pytest

from agents import TrainSettings
from sim import validate
from tests.refusals import complaint_of
from tests.scripts import loaded_by


def test_another_variant_of_the_same_settings_looks_no_further_than_it_may() -> None:
    settings = TrainSettings(n_step=3, steps=100_000)
    plain = settings.with_variant("dqn")
    assert (plain.variant, plain.n_step, plain.steps) == ("dqn", 1, 100_000)
    assert not plain.is_improved
    assert plain.with_variant("improved").is_improved
    assert settings.with_variant("improved") == settings


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"variant": "dqn", "n_step": 3}, 'n_step = 3 must be 1 for variant = "dqn"'),
        ({"variant": "rainbow"}, "unknown word 'rainbow'; known: improved, dqn"),
        ({"hidden": 33}, "hidden = 33 must be a multiple of 2"),
        ({"gamma": 1.5}, "gamma = 1.5 must be at most 1"),
        ({"epsilon_start": 0.0}, "epsilon_end = 0.03 must be at most epsilon_start = 0.0"),
        (
            {"replay": 1000, "n_step": 3},
            "replay = 1000 must be at least 1024: n_environments = 256 times (n_step",
        ),
        ({"steps": 1000, "warm_up": 1000}, "warm_up = 1000 must be less than steps = 1000, or"),
        ({"warm_up": 511}, "warm_up = 511 must be at least 512: n_environments = 256 times"),
        ({"lerning_rate": 0.1}, "unknown key 'lerning_rate'; did you mean 'learning_rate'?"),
    ],
)
def test_a_setting_that_cannot_be_is_named_with_its_limit(given, message) -> None:
    said = complaint_of(validate, TrainSettings, given, source="train.toml")
    assert said.startswith("train.toml: ")
    assert message in said


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
