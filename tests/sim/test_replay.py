"""A playthrough is the log of the game that `play` played; goldens hold complete logs."""

from __future__ import annotations

import re
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from agents import agent_named, compiled_agent_named
from sim import REAL_POOL, Pool, load_deck, load_pool, load_ruleset, playthrough
from sim.engine.layout import ATTACK_WITH
from sim.play import CompiledAgent, Gene, Table, deck_row, pack_table, row_of_deck
from tests.conftest import Golden
from tests.duels import AGENT_NAMES, DECKS, TABLE, Rows, play_singly, row_of, varied
from tests.legacy import needs_package
from tests.messages import check_message

GOLDENS = Path(__file__).parent.parent / "goldens"
GOLDEN_GAMES = {
    "aggro_vs_control": (("sparks", "aggro"), ("stones", "control"), 0),
    "control_vs_aggro": (("stones", "control"), ("sparks", "aggro"), 0),
    "random_vs_greedy": (("sparks", "random"), ("stones", "greedy"), 1),
    "greedy_vs_random": (("stones", "greedy"), ("sparks", "random"), 1),
    "aggro_mirror": (("sparks", "aggro"), ("sparks", "aggro"), 2),
    "control_mirror": (("stones", "control"), ("stones", "control"), 2),
}
GENERAL_GAMES = {  # decks with their agents; decks of real cards need the package of these cards
    "legacy_mage_vs_hunter": (("legacy_mage", "greedy"), ("legacy_hunter", "greedy")),
    "legacy_paladin_vs_warlock": (("legacy_paladin", "control"), ("legacy_warlock", "aggro")),
    "legacy_rogue_vs_shaman": (("legacy_rogue", "aggro"), ("legacy_shaman", "control")),
    "legacy_priest_vs_warrior": (("legacy_priest", "control"), ("legacy_warrior", "control")),
    "legacy_druid_vs_mage": (("legacy_druid", "random"), ("legacy_mage", "random")),
    "legacy_zoo_vs_miracle": (("legacy_zoo_warlock", "aggro"), ("legacy_miracle_rogue", "greedy")),
    "legacy_miracle_vs_expert": (
        ("legacy_miracle_rogue", "control"),
        ("legacy_expert_warlock", "control"),
    ),
    "legacy_expert_vs_zoo": (("legacy_expert_warlock", "greedy"), ("legacy_zoo_warlock", "greedy")),
    "legacy_hunter_vs_paladin": (
        ("legacy_evolved_aggro_hunter", "aggro"),
        ("legacy_evolved_control_paladin", "control"),
    ),
    "saga_ember_vs_tide": (("saga_ember", "greedy"), ("saga_tide", "greedy")),
}
RESULT = re.compile(
    r"result (?:seat (?P<seat>[01])|nobody)  turns (?P<turns>\d+)  actions (?P<actions>\d+)  "
    r"life (?P<first>-?\d+) / (?P<second>-?\d+)  draws \d+ / \d+\n$"
)


def playthrough_of(
    decks: Rows, pilots: tuple[str, str], index: int, table: Table = TABLE, variant: int = 0
) -> str:
    return playthrough(
        table,
        decks,
        [agent_named(name) for name in pilots],
        names=("first", "second"),
        run_seed=11,
        purpose="test",
        game_index=index,
        variant=variant,
    )


@pytest.mark.parametrize("name", GOLDEN_GAMES)
def test_a_whole_game_reads_as_in_its_golden(name: str, golden: Golden) -> None:
    *seats, index = GOLDEN_GAMES[name]
    pool = load_pool("frozen_pool", GOLDENS)
    decks = [load_deck(f"frozen_{deck}", GOLDENS) for deck, _ in seats]
    text = playthrough(
        pack_table(pool, load_ruleset("frozen_duel", GOLDENS)),
        np.stack([deck_row(deck.slots(pool)) for deck in decks]),
        [agent_named(agent) for _, agent in seats],
        names=[deck.name for deck in decks],
        run_seed=20261120,
        purpose="golden",
        game_index=index,
    )
    golden.check(f"{name}.txt", text)


def named_by_id(pool: Pool) -> Pool:
    """Return the pool with ids as names, since the names of real cards may not be published."""
    renamed = {
        group: tuple(card.model_copy(update={"name": card.id}) for card in getattr(pool, group))
        for group in ("cards", "tokens")
    }
    return pool.model_copy(update=renamed)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[needs_package] if name.startswith("legacy") else [])
        for name in GENERAL_GAMES
    ],
)
def test_a_whole_game_by_the_general_rules_reads_as_in_its_golden(
    name: str, golden: Golden
) -> None:
    decks = [load_deck(deck) for deck, _ in GENERAL_GAMES[name]]
    pool = load_pool(decks[0].pool)
    pool = named_by_id(pool) if pool.name == REAL_POOL else pool
    text = playthrough(
        pack_table(pool, load_ruleset(decks[0].ruleset)),
        np.stack([row_of_deck(deck, pool) for deck in decks]),
        [compiled_agent_named(agent) for _, agent in GENERAL_GAMES[name]],
        names=[deck.name for deck in decks],
        run_seed=20261121,
        purpose="golden",
        game_index=0,
    )
    golden.check(f"{name}.txt", text)


def all_of_saga() -> tuple[Table, Rows]:
    """Return decks with a quarter of the pool's cards each, whatever their heroes."""
    pool = load_pool("saga")
    numbers = list(range(len(pool.cards)))
    powers = [pool.number(hero.power) for hero in pool.heroes]
    decks = np.stack([deck_row(numbers[k::4], powers[k]) for k in range(4)])
    return pack_table(pool, load_ruleset("legacy")), decks


PHRASES = [  # a phrase for each kind of event under the general rules
    r"^  cast [A-Z].* -> (own )?[A-Z]",
    r"^  (cast|play|use) [A-Z].* -> player",
    r"^  equip [A-Z].* \d/\d .*seat \d equips",
    r"^  play [A-Z].* as [A-Z]",
    r"^  use [A-Z]",
    r"^  attack with the hero \(\d+\) -> ",
    r"^  replace ",
    r"^  keep the rest",
    r"^  choose [A-Z].* throws .* away",
    r"seat \d may choose [A-Z].*, [A-Z].*",
    r"seat \d draws [A-Z]",
    r"seat \d burns .*: hand full",
    r"seat \d discards ",
    r"seat \d is given ",
    r"seat \d is tired: fatigue 2",
    r"returns to the hand",
    r"goes over to seat",
    r"becomes [A-Z].* \d/\d",
    r"summons [A-Z].* \d/\d taunt",
    r"\d/\d dies",
    r"\d/\d breaks",
    r"freezes",
    r"thaws",
    r"is silenced",
    r"gains taunt",
    r"loses divine shield",
    r"loses stealth",
    r"\(damage \d+\)",
    r"\(healed \d+\)",
    r"\(\+\d/\+\d\)",
    r"in hand costs \d+ -> \d+",
    r"armour \d+ -> \d+",
    r"life \d+ -> \d+",
    r"hero attack \+\d",
    r"mana \d+ -> \d+",
    r"crystals \d+ -> \d+",
    r"overload 0 -> \d",
    r"mana \d+/\d+ \(\d locked\)",
]


@cache
def texts_of_saga() -> tuple[str, ...]:
    """Return logs of games, with wrapped lines joined."""
    table, decks = all_of_saga()
    pairs = [decks[[index % 4, (index + 1) % 4]] for index in range(20)]
    pilots = ("random", "random")
    texts = (playthrough_of(pair, pilots, index, table) for index, pair in enumerate(pairs))
    return tuple(text.replace("\n      ", " ") for text in texts)


@pytest.mark.parametrize("pattern", PHRASES)
def test_the_log_has_a_phrase_for_each_event(pattern: str) -> None:
    assert any(re.search(pattern, text, re.MULTILINE) for text in texts_of_saga())


def test_the_log_has_all_changes_of_life() -> None:
    """Each change starts from the previous value, and the last one ends at the result."""
    for text in texts_of_saga():
        result = RESULT.search(text)
        assert result is not None
        for seat, end in enumerate((result["first"], result["second"])):
            life = "30"
            for old, new in re.findall(rf"seat {seat} life (-?\d+) -> (-?\d+)", text):
                assert old == life
                life = new
            assert life == end


VERBS = re.compile(
    r"^  (?:play|cast|equip|use|attack|choose|replace|keep the rest|end turn)", re.MULTILINE
)


def check_playthrough(
    decks: Rows, pilots: tuple[str, str], n_games: int, table: Table = TABLE
) -> None:
    """Check that logs have the results of the played games, and one line for each action."""
    for index, played in enumerate(play_singly(table, decks, pilots, n_games, run_seed=11)):
        text = playthrough_of(decks, pilots, index, table)
        result = RESULT.search(text)
        assert result is not None
        assert int(result["seat"] or 2) == played.winner
        assert int(result["turns"]) == played.n_turns
        assert len(VERBS.findall(text)) == int(result["actions"]) == played.n_actions
        assert len(re.findall(r"^T\d\d seat", text, re.MULTILINE)) == played.n_turns
        assert (int(result["first"]), int(result["second"])) == played.life


@pytest.mark.parametrize("pilots", [("random", "greedy"), ("aggro", "control")], ids=" vs ".join)
def test_a_playthrough_by_the_general_rules_is_the_game_that_was_played(
    pilots: tuple[str, str],
) -> None:
    table, decks = all_of_saga()
    check_playthrough(decks[:2], pilots, 8, table)


@pytest.mark.parametrize("pilots", list(product(AGENT_NAMES, repeat=2)), ids=" vs ".join)
def test_a_playthrough_is_the_game_that_was_played(pilots: tuple[str, str]) -> None:
    for first, second in [(0, 1), (2, 3), (3, 0), (1, 1)]:
        check_playthrough(DECKS[[first, second]], pilots, 1)


def test_the_log_of_a_variant_has_its_numbers() -> None:
    attacks = [Gene(card, "attack") for card in range(20)]
    whelp = varied(TABLE, attacks, [[0] * 20, [2] * 20])
    baseline, edited = (
        playthrough_of(DECKS[:2], ("aggro", "control"), 0, whelp, v) for v in (0, 1)
    )
    assert baseline == playthrough_of(DECKS[:2], ("aggro", "control"), 0)
    assert edited != baseline


def in_other_rules(decks: Rows, **changes: object) -> str:
    table = pack_table(TABLE.pool, TABLE.ruleset.model_copy(update=changes))
    return playthrough_of(decks, ("control", "control"), 0, table)


def test_burnt_and_destroyed_cards_are_logged() -> None:
    text = in_other_rules(DECKS[:2], hand_limit=5, board_limit=1)
    assert re.search(r"^  seat 1 burns [A-Z].* \(slot \d+\): hand full$", text, re.MULTILINE)
    random_text = playthrough_of(
        DECKS[[3, 3]],
        ("random", "random"),
        0,
        pack_table(TABLE.pool, TABLE.ruleset.model_copy(update={"board_limit": 1})),
    )
    assert re.search(r"^  play [A-Z].*, destroyed", random_text, re.MULTILINE)


def test_empty_decks_fatigue_blanks_and_the_last_turn_are_logged() -> None:
    short = np.stack([row_of([0, None, None, 1, None, 2, 3, 4]), row_of([5, 6])])
    ended = in_other_rules(short)
    assert "  seat 1 has no card left to draw\n\nresult seat 0  turns 0  actions 0" in ended
    tired = in_other_rules(short, deck_out="fatigue", life=50)
    assert "  seat 1 is tired: fatigue 3\n  seat 1 life 50 -> 44\n" in tired
    assert re.search(r"^T02.*\n(  .*\n){3}  seat 1 is tired: fatigue 4\n", tired, re.MULTILINE)
    blanks = in_other_rules(np.stack([row_of([0, None] * 6), row_of([5, 6])]), deck_out="fatigue")
    assert re.search(r"^  seat 0 skips the blank slot \d+$", blanks, re.MULTILINE)
    last = in_other_rules(DECKS[:2], turn_cap=2)
    assert "  end turn\n  the last turn is over\n\nresult nobody  turns 2" in last


def test_the_second_players_extras_are_logged_from_the_first_turn_on() -> None:
    text = in_other_rules(DECKS[:2], extra_life_second=4, extra_mana_second=2)
    heads = re.findall(r"^T0[1-4] .*  mana (\d)/(\d)  .*  life (\d+) / (\d+)$", text, re.MULTILINE)
    assert [head[:2] for head in heads] == [("1", "1"), ("3", "1"), ("2", "2"), ("2", "2")]
    assert heads[0][2:] == ("20", "24")
    before_the_first_turn = text.partition("\nT01 ")[0]
    assert "life" not in before_the_first_turn  # the extra life is no change


def _cheats(state, table):
    return ATTACK_WITH + 7 * 64


@pytest.mark.parametrize("mulligan", [True, False])
def test_the_coin_is_logged_with_and_without_a_mulligan(mulligan: bool) -> None:
    table, decks = all_of_saga()
    rules = table.ruleset.model_copy(update={"mulligan": mulligan})
    agents = [compiled_agent_named("control")] * 2
    text = playthrough(
        pack_table(table.pool, rules), decks[:2], agents,
        names=["a", "b"], run_seed=1, purpose="coin", game_index=0,
    )  # fmt: skip
    opening, _, game = text.partition("\nT01 ")
    assert ("mulligan of seat 1" in opening) == mulligan
    assert text.count("seat 1 is given Bright Pebble") == 1
    assert "burns" not in opening
    assert RESULT.search(game)


def test_an_illegal_action_is_refused_with_the_agents_name_and_the_turn() -> None:
    cheats = CompiledAgent("cheats", _cheats)
    with pytest.raises(RuntimeError) as caught:
        playthrough(
            TABLE, DECKS[:2], [cheats, cheats], names="ab", run_seed=1, purpose="t", game_index=0
        )
    check_message(str(caught.value))


def test_every_golden_belongs_to_a_game() -> None:
    of_commands = {"big_two", "play_duel", "play_saga"}
    known = GOLDEN_GAMES.keys() | GENERAL_GAMES.keys() | of_commands
    assert {path.stem for path in GOLDENS.glob("*.txt")} == known
