"""Numbers of the rules: as variants they play as the rules that have them, and move like cards'."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from balance.card_contest import load_contest, patched, play_matchups
from balance.card_space import build_space
from balance.patch import patch_notes, patch_of
from balance.tune import Tune
from sim import InputError, load_ruleset, validate
from sim.play.table import OF_RULES, Gene
from sim.ruleset import RULES, write_ruleset
from tests.balance.contests import RUSH_KEEP

WITH_A_COIN = load_contest(("legacy_mage", "aggro"), ("legacy_warlock", "aggro"))
MOVES = {"life": (20, 25), "mana_max": (4, 5), "opening_hand_first": (3, 5),
         "opening_hand_second": (5, 8), "extra_life_second": (0, 4),
         "extra_mana_second": (0, 2)}  # fmt: skip


def tune(**ranges: tuple[int, int]) -> Tune:
    return validate(Tune, {"fields": (), "rules": ranges}, source="test")


@pytest.mark.parametrize(
    ("contest", "field", "ends"),
    [*((RUSH_KEEP, field, ends) for field, ends in MOVES.items()), (WITH_A_COIN, "coin", (0, 1))],
)
def test_a_variant_plays_as_the_rules_that_have_its_number(contest, field, ends) -> None:
    space = build_space(contest, tune(**{field: ends}))
    assert (space.genes, space.cards) == ((Gene(OF_RULES, field),), ())
    step = space.low + space.high
    there = patched(contest, patch_of(step, space, contest))
    assert there.table.ruleset.number(field) == contest.table.ruleset.number(field) + step
    tables = (contest.table, contest.table.vary(space.genes, step[np.newaxis]), there.table)
    before, varied, after = (
        play_matchups(contest, table, n_games=40, run_seed=1, purpose="test", threads=1).winners
        for table in tables
    )
    np.testing.assert_array_equal(varied, after)
    assert (varied != before).any()


def test_they_are_told_as_of_the_rules_and_stay_when_cards_are_narrowed() -> None:
    space = build_space(RUSH_KEEP, Tune(fields=("cost",), rules=MOVES))
    of_rules = space.genes[-len(MOVES) :]
    assert [gene.field for gene in of_rules] == [*MOVES]
    assert space.restricted_to([]).genes == of_rules
    genome = np.zeros((1, len(space.genes)), np.int16)
    genome[0, -3] = 2
    assert (space.change(genome)[0], space.cards_touched(genome)[0]) == (2, 0)
    (edit,) = patch_of(genome[0], space, RUSH_KEEP)
    assert (edit.card, edit.field) == (RULES, "opening_hand_second")
    assert patch_notes([edit]) == "Rules: second player's opening hand 5 -> 7\n"
    assert RUSH_KEEP.matchup_reach(of_rules).all()


def test_a_ruleset_is_written_as_it_reads(tmp_path: Path) -> None:
    changed = load_ruleset("legacy").with_numbers(
        {"life": 25, "coin": 0, "extra_life_second": 3, "extra_mana_second": 1}
    )
    write_ruleset(changed, tmp_path / "rules.toml")
    assert load_ruleset(str(tmp_path / "rules.toml")) == changed
    assert (changed.life, changed.coin) == (25, False)
    assert (changed.extra_life_second, changed.extra_mana_second) == (3, 1)


@pytest.mark.parametrize(
    ("ranges", "message"),
    [
        ({"lives": (1, 2)}, "unknown number of the rules 'lives'; did you mean 'life'"),
        ({"life": (30, 20)}, "low not above high"),
        ({"life": (21, 30)}, r"tune.rules.life = \[21, 30\] must contain the present value, 20"),
        ({"opening_hand_first": (5, 12)}, "must be at most hand_limit = 9"),
        ({"life": (0, 20)}, "life = 0 must be at least 1"),
        ({"extra_life_second": (-1, 2)}, "extra_life_second = -1 must be at least 0"),
        ({"extra_mana_second": (0, 101)}, "extra_mana_second = 101 must be at most 100"),
        ({"coin": (0, 1)}, "must be .0, 1., and for rules that have a coin"),
        ({"life": (20, 20)}, "no number may move"),
    ],
)
def test_what_no_rules_have_is_refused(ranges: dict[str, tuple[int, int]], message: str) -> None:
    with pytest.raises(InputError, match=message):
        build_space(RUSH_KEEP, tune(**ranges))
