"""Variants of cards for training: within the ranges, reproducible, and stored with the agent."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from agents.dqn.checkpoint import check_fits
from agents.dqn.settings import TrainSettings, Variants
from agents.dqn.trainer import pilot_of
from balance import Edit, Learner, apply_patch
from balance.learning.training import begin_training, numbers_of, provenance
from balance.learning.variants import numbers_now, numbers_to_learn, with_variants
from balance.space.tune import Tune
from sim.engine import layout as at
from sim.play.table import pack_table
from tests.balance.contests import RUSH_KEEP
from tests.balance.pilots import TINY, weights
from tests.duels import CORE, DUEL, TABLE
from tests.refusals import refusal_of, refused

FEW = Variants(count=40, max_steps=1)
NUMBERS = numbers_to_learn(RUSH_KEEP, Tune(lock=("ember_whelp",)), FEW)
LEARNER = Learner(name="rush", decks=("ember_rush",), opponents=("tide_keep",))
SHORT = TINY.model_copy(update={"steps": 1_000, "variants": FEW})


def patched(card: str, **numbers: int):
    edits = [
        Edit(card, card, field, CORE.cards[CORE.index(card)].number(field), after)
        for field, after in numbers.items()
    ]
    return apply_patch(CORE, edits)


def test_variants_move_tuned_numbers_that_an_agent_sees():
    everything = Tune(fields=("attack", "cost", "amount"), max_steps=3, rules={"life": (18, 22)})
    numbers_found = numbers_to_learn(RUSH_KEEP, everything, FEW)
    assert {field for ranges in numbers_found.values() for field in ranges} == {"attack", "cost"}
    assert "ember_whelp" in numbers_found.keys() - NUMBERS.keys()  # which it is locked in
    for card, ranges in numbers_found.items():
        for field, one in ranges.items():
            value = CORE.cards[CORE.index(card)].number(field)
            assert value - 1 <= one.low <= one.value == value <= one.high <= value + 1
            assert one.low < one.high
    with refused():
        numbers_to_learn(RUSH_KEEP, Tune(fields=(), rules={"life": (18, 22)}), FEW)


def test_variants_are_todays_cards_and_others_within_the_ranges():
    words, again, other = (
        with_variants(TABLE, NUMBERS, FEW, run_seed=1, purpose=one).words for one in "xxy"
    )
    assert np.array_equal(words, again)
    assert not np.array_equal(words, other)
    assert np.array_equal(words[0], TABLE.words[0])
    moved = (words.astype(int) - TABLE.words)[:, at.CARDS :]  # the number of the variant precedes
    assert (moved != 0).any(axis=0).sum() == sum(map(len, NUMBERS.values()))
    assert set(np.unique(moved)) == {-1, 0, 1}
    shares = (moved != 0).mean(axis=1)
    assert shares.max() > 5 * shares[1:].min()  # some are nearly as today, some far from it


def test_on_patched_cards_variants_stay_within_what_was_learned():
    card = next(card for card, ranges in NUMBERS.items() if "attack" in ranges)
    one = NUMBERS[card]["attack"]
    pool = patched(card, attack=one.high)
    numbers = {card: {"attack": one}}
    table = pack_table(pool, DUEL)
    words = with_variants(table, numbers, Variants(count=60), run_seed=1, purpose="x").words
    moved = (words.astype(int) - table.words)[:, at.CARDS :]
    assert set(np.unique(moved)) == set(range(one.low - one.high, 1))
    for after, high in ((one.high, one.high), (one.high + 1, one.high + 1)):
        now = numbers_now(patched(card, attack=after), numbers)[card]["attack"]
        assert tuple(now.model_dump().values()) == (after, one.low, high)


@pytest.mark.thorough
def test_a_pilot_remembers_its_ranges_and_fits_any_cards_within_them():
    trainer = begin_training(RUSH_KEEP, LEARNER, SHORT, run_seed=1, numbers=NUMBERS)
    trainer.run(SHORT.steps)
    pilot = pilot_of(trainer, "rush")
    pilot.provenance = provenance(RUSH_KEEP, LEARNER, trainer, run_seed=1, numbers=NUMBERS)
    assert numbers_of(pilot) == NUMBERS
    deck = RUSH_KEEP.players[0].deck
    reached = RUSH_KEEP.reached
    card, ranges = next(iter(NUMBERS.items()))
    for end in ("low", "high"):
        numbers = {field: getattr(one, end) for field, one in ranges.items()}
        check_fits(pilot, DUEL, patched(card, **numbers), deck, reached)
    field, one = next(iter(ranges.items()))
    beyonds = [value for value in (one.low - 1, one.high + 1) if value >= 0]  # as cards have it
    for beyond in beyonds:
        pool = patched(card, **{field: beyond})
        refusal_of(check_fits, pilot, DUEL, pool, deck, reached)
    pool = patched("ember_whelp", attack=4)
    refusal_of(check_fits, pilot, DUEL, pool, deck, reached)


@pytest.mark.thorough
def test_training_with_variants_can_be_broken_off_and_differs_from_training_without(tmp_path: Path):
    def begun(settings: TrainSettings = SHORT):
        return begin_training(RUSH_KEEP, LEARNER, settings, run_seed=1, numbers=NUMBERS)

    unbroken, before, after = (begun() for _ in range(3))
    without = begun(SHORT.model_copy(update={"variants": None}))
    for one in (unbroken, without):
        one.run(one.settings.steps)
    before.run(400)
    before.save(tmp_path / "state")
    after.load(tmp_path / "state")
    after.run(after.settings.steps)
    one, again, other = (weights(pilot_of(each, "rush")) for each in (unbroken, after, without))
    assert np.array_equal(one, again)
    assert not np.array_equal(one, other)
