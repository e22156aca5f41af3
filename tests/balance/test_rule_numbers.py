"""Numbers of the rules: variants play like rulesets with these numbers, and move like cards."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from balance.cards.card_contest import load_contest, patched, play_matchups
from balance.cards.card_space import build_space
from balance.contest.patch import patch_notes, patch_of
from balance.space.tune import Tune
from sim import load_ruleset, validate
from sim.play.table import OF_RULES, Gene
from sim.ruleset import RULES, write_ruleset
from tests.balance.contests import RUSH_KEEP
from tests.messages import check_message
from tests.refusals import refused

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
        play_matchups(contest, table, n_games=40, run_seed=1, purpose="test").winners
        for table in tables
    )
    np.testing.assert_array_equal(varied, after)
    assert (varied != before).any()


def test_edits_of_rules_name_the_rules_and_survive_narrowing() -> None:
    space = build_space(RUSH_KEEP, Tune(fields=("cost",), rules=MOVES))
    of_rules = space.genes[-len(MOVES) :]
    assert [gene.field for gene in of_rules] == [*MOVES]
    assert space.restricted_to([]).genes == of_rules
    genome = np.zeros((1, len(space.genes)), np.int16)
    genome[0, -3] = 2
    assert (space.change(genome)[0], space.cards_touched(genome)[0]) == (2, 0)
    (edit,) = patch_of(genome[0], space, RUSH_KEEP)
    assert (edit.card, edit.field) == (RULES, "opening_hand_second")
    check_message(patch_notes([edit]))
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
    ("ranges", "place"),
    [
        ({"lives": (1, 2)}, "test: rules"),
        ({"life": (30, 20)}, "test: rules.life"),
        ({"life": (21, 30)}, "tune.rules.life"),
        ({"opening_hand_first": (5, 12)}, "tune.rules.opening_hand_first"),
        ({"life": (0, 20)}, "tune.rules.life"),
        ({"extra_life_second": (-1, 2)}, "tune.rules.extra_life_second"),
        ({"extra_mana_second": (0, 101)}, "tune.rules.extra_mana_second"),
        ({"coin": (0, 1)}, "tune.rules.coin"),
        ({"life": (20, 20)}, "tune"),
    ],
)
def test_impossible_ranges_of_rules_are_refused(
    ranges: dict[str, tuple[int, int]], place: str
) -> None:
    with refused() as refusal:
        build_space(RUSH_KEEP, tune(**ranges))
    assert refusal.error.place.startswith(place)
