"""The shipped pool `saga` uses every word of the rules, and its cards do what they describe."""

from __future__ import annotations

from typing import Any

import pytest

from sim import Effect, check_deck, check_pool, load_deck, load_pool, load_ruleset
from sim.cards.measure import measures
from sim.cards.notation import ALWAYS, Group, Reading
from sim.cards.vocabulary import (
    BODY_KEYWORDS,
    Event,
    Keyword,
    Kind,
    Lasting,
    Selector,
    Stat,
    State,
)
from sim.engine.handlers import BUILT_IN
from sim.files.toml_file import shipped_folder
from sim.play import pack_table
from sim.real_cards.scenario.position import Ground
from tests.sim.test_row_words import DONE, MEASURED, difference

LEGACY = load_ruleset("legacy")
POOL = load_pool("saga")
DECKS = sorted(path.stem for path in shipped_folder("decks").glob("saga_*.toml"))
EVERYTHING = POOL.everything
HEROES = [hero.id for hero in POOL.heroes]
ROWS = [(card, row) for card in EVERYTHING for row in card.effects]

# --- the words ---


def all_readings() -> list[Reading]:
    needs = [card.needs.reading for card in EVERYTHING]
    times = [row.times for _, row in ROWS if row.times]
    return needs + times + [row.when.reading for _, row in ROWS]


def all_groups() -> list[Group]:
    groups = [card.target for card in EVERYTHING if card.target]
    groups += [group for _, row in ROWS for group in (row.to, row.of)]
    counting = [reading for reading in all_readings() if reading.measure in ("count", "stat")]
    return groups + [reading.group for reading in counting]


def names(vocabulary: Any) -> set[str]:
    return {member.name.lower() for member in vocabulary}


KEYWORDS = [row.keywords for _, row in ROWS] + [card.keywords for card in EVERYTHING]
STATS = [reading.stat for reading in all_readings() if reading.measure == "stat"]
STATS += [group.stat for group in all_groups() if group.stat is not None]
# The words that the pool uses, and all words that there are.
WORDS = {
    "events": ({row.on for _, row in ROWS}, names(Event)),
    "actions": ({row.do for _, row in ROWS} | {*DONE}, {*BUILT_IN}),
    "durations": ({row.lasts for _, row in ROWS}, names(Lasting)),
    "selectors": ({group.selector for group in all_groups()}, {*Selector}),
    "measures": ({reading.measure for reading in all_readings()} | {*MEASURED}, {*measures()}),
    "numbers": ({*STATS}, {*Stat}),
    "states": (
        {state for state in State for group in all_groups() if state in group.states},
        {*State},
    ),
    "keywords": ({word for words in KEYWORDS for word in words}, names(Keyword)),
    "kinds": ({card.kind for card in EVERYTHING}, names(Kind)),
}


@pytest.mark.parametrize("vocabulary", WORDS)
def test_every_word_is_used(vocabulary: str) -> None:
    used, known = WORDS[vocabulary]
    assert used == known


def test_every_key_of_rows_and_cards_is_used() -> None:
    plain = Effect(on="play", do="draw")
    for key in set(Effect.model_fields) - {"on", "of", "do", "to"}:
        assert any(getattr(row, key) != getattr(plain, key) for _, row in ROWS), key
    assert {row.kind for _, row in ROWS} == {"", "spell", "secret"}
    assert any(group.without for group in all_groups())
    for key in ("hero", "tribe", "spell_damage", "overload", "target", "options"):
        assert any(getattr(card, key) for card in POOL.cards), key
    for key in ("target_when", "needs"):
        assert any(getattr(card, key) != ALWAYS for card in POOL.cards), key


# --- the pool and its decks ---


def test_the_pool_fits_the_rules_and_leaves_nothing_to_balancing() -> None:
    check_pool(POOL, LEGACY)
    assert {card.tunable for card in EVERYTHING} == {None}
    assert len({card.name for card in EVERYTHING}) == len(EVERYTHING)
    others = {card.id for card in load_pool("core").cards}
    assert not others & {card.id for card in EVERYTHING}


def test_keywords_are_printed_and_given_where_they_have_a_meaning() -> None:
    printed = {(card.kind, word) for card in EVERYTHING for word in card.keywords}
    assert {word for kind, word in printed if kind == "minion"} <= {
        str(keyword.name).lower() for keyword in BODY_KEYWORDS
    }
    assert {word for kind, word in printed if kind == "weapon"} == {"blunt"}
    for_players = {"sturdy_side", "doubling", "harmful_healing"}
    given = [row for _, row in ROWS if for_players & set(row.keywords)]
    assert {word for row in given for word in row.keywords} == for_players
    assert {str(row.to) for row in given} == {"own_player", "enemy_player"}


def test_secrets_wait_for_all_events_that_may_reveal_them() -> None:
    rows = [row for card in EVERYTHING if card.kind == "secret" for row in card.effects]
    assert {row.on for row in rows} == {"attack", "arrival", "cast", "damage", "death", "lethal"}
    assert {card.hero for card in EVERYTHING if card.kind == "secret"} == set(HEROES)


def test_every_token_is_brought_by_something() -> None:
    brought = {named for card in EVERYTHING for named in card.options}
    brought |= {named for _, row in ROWS for named in row.cards}
    brought |= {hero.power for hero in POOL.heroes} | {str(POOL.coin)}
    assert {token.id for token in POOL.tokens} == brought - {card.id for card in POOL.cards}


def test_every_hero_has_a_deck() -> None:
    assert sorted(f"saga_{hero.id}" for hero in POOL.heroes) == DECKS


@pytest.mark.parametrize("name", DECKS)
def test_a_shipped_deck_fits_the_pool_and_the_rules(name: str) -> None:
    deck = load_deck(name)
    check_deck(deck, POOL, LEGACY)
    assert (deck.name, deck.pool, deck.ruleset) == (name, "saga", "legacy")
    assert (name, deck.n_cards) == (f"saga_{deck.hero}", 30)


# --- effects that last or depend on something, one scene each ---

PLAYER: dict[str, Any] = {"mana": {"available": 10, "max": 10}, "deck": [["peat_mule", 9]]}
END: dict[str, Any] = {"end_turn": True}


def play(card: str, **more: Any) -> dict[str, Any]:
    return {"play": card, **more}


GROUND = Ground(pack_table(POOL, LEGACY))
SCENES: list[tuple[str, dict[str, Any], dict[str, Any], list[Any], dict[str, object]]] = [
    (
        "aura_on_a_weapon",
        {"board": ["kiln_hawker"], "weapon": "poker_blade"},
        {},
        [],
        {"p1.hero.attack": 3},
    ),
    (
        "aura_on_the_damaged",
        {"board": ["furnace_matron", {"card": "milestone", "damage": 1}, "milestone"]},
        {},
        [],
        {"p1.board[0].attack": 3, "p1.board[1].attack": 6, "p1.board[2].attack": 4},
    ),
    (
        "immune_while_attacking",
        {"board": ["cinder_squire"], "weapon": "poker_blade"},
        {"board": ["milestone"]},
        [{"attack": ["p1.hero", "p2.board[0]"]}],
        {"p1.hero.health": 30, "p2.board[0].health": 4, "p1.hero.immune": False},
    ),
    (
        "immune_without_a_weapon",
        {"board": ["cinder_squire", "ashen_choir"], "hand": ["falling_tinder"]},
        {"board": ["milestone"]},
        [play("p1.hand[0]"), {"attack": ["p1.hero", "p2.board[0]"]}],
        {"p1.hero.health": 30, "p1.hero.immune": False},
    ),
    (
        "aura_on_neighbours",
        {"board": ["peat_mule", "antler_captain", "peat_mule", "peat_mule"]},
        {},
        [],
        {"p1.board[0].health": 3, "p1.board[2].attack": 4, "p1.board[3].attack": 3},
    ),
    (
        "dearer_for_the_enemy",
        {"board": ["toll_of_bells"], "hand": ["moonpull"]},
        {"hand": ["moonpull", "peat_mule"]},
        [],
        {"p1.hand[0].cost": 2, "p2.hand[0].cost": 3, "p2.hand[1].cost": 2},
    ),
    (
        "dearer_for_both",
        {"board": ["wharf_tyrant"], "hand": ["peat_mule"]},
        {"hand": ["moonpull", "peat_mule"]},
        [],
        {"p1.hand[0].cost": 3, "p2.hand[0].cost": 2, "p2.hand[1].cost": 3},
    ),
    (
        "cheaper_by_its_own_rule",
        {"hand": ["deepwater_elder", "moonpull", "weed_out", "peat_mule"]},
        {"hand": ["deepwater_elder", *["moonpull"] * 8]},
        [],
        {"p1.hand[0].cost": 7, "p2.hand[0].cost": 3},
    ),
    (
        "until_the_own_turn",
        {"hand": ["green_surge"], "board": ["peat_mule"]},
        {},
        [play("p1.hand[0]"), END, {"expect": [{"path": "p1.board[0].taunt", "value": True}]}, END],
        {"p1.board[0].taunt": False, "p1.board[0].attack": 4},
    ),
    (
        "one_of_two_paths",
        {"hand": ["doe_of_two_paths"]},
        {},
        [play("p1.hand[0]", choose="doe_that_bolts")],
        {"p1.board[0].can_attack": True},
    ),
    (
        "a_choice_only_in_a_combo",
        {"hand": ["borrowed_light", "lichen_duellist"]},
        {"board": ["ferry_guard", "milestone"]},
        [play("p1.hand[0]"), play("p1.hand[0]", target="p2.board[0]")],
        {"p2.board.cards": ("milestone",), "p1.overload.owed": 2},
    ),
    (
        "its_own_neighbours_blow",
        {"hand": ["turncoat_dust"]},
        {"board": ["bridge_ogre", "milestone"]},
        [play("p1.hand[0]", target="p2.board[0]")],
        {"p2.board[0].health": 4, "p2.board[1].health": 1},
    ),
    (
        "strength_of_the_hand",
        {"hand": ["salt_verdict", "moonpull", "moonpull"], "board": ["wick_novice"]},
        {},
        [play("p1.hand[0]", target="p2.hero")],
        {"p2.hero.health": 27},
    ),
    (
        "a_mirror_without_a_face",
        {"hand": ["glass_mimic"]},
        {},
        [play("p1.hand[0]")],
        {"p1.board[0].attack": 2},
    ),
    (
        "as_much_as_it_was",
        {"board": ["bridge_ogre"]},
        {"board": ["pilgrim_mirror"]},
        [{"attack": ["p1.board[0]", "p2.board[0]"]}],
        {"p1.hero.health": 25},
    ),
    (
        "odd_lodgers_ask_for_odd_decks",
        {"hand": ["odd_lodger"], "deck": ["fusekin", "odd_lodger"]},
        {},
        [play("p1.hand[0]")],
        {"p1.hand.size": 1},
    ),
    (
        "even_keelers_ask_for_even_decks",
        {"hand": ["even_keeler"], "deck": ["weed_out", "peat_mule"]},
        {},
        [play("p1.hand[0]")],
        {"p1.board[0].taunt": False, "p1.board[0].divine_shield": False},
    ),
    (
        "even_keelers_like_even_decks",
        {"hand": ["even_keeler"]},
        {},
        [play("p1.hand[0]")],
        {"p1.board[0].taunt": True, "p1.board[0].divine_shield": True},
    ),
    (
        "stronger_beside_ice",
        {"board": ["rime_ferrier"], "hand": ["sudden_rime"]},
        {"board": ["peat_mule", {"card": "peat_mule", "frozen": True}]},
        [play("p1.hand[0]", target="p2.board[0]")],
        {"p1.board[0].attack": 4},
    ),
    (
        "feasting",
        {"hand": ["feaster_below"], "board": ["mouldling", "nightcap", "peat_mule"]},
        {},
        [play("p1.hand[0]")],
        {"p1.board.cards": ("peat_mule", "feaster_below"), "p1.board[1].attack": 8},
    ),
    (
        "cheaper_behind_a_fuller_hand",
        {"hand": ["molten_idol"]},
        {"hand": ["moonpull"] * 4},
        [],
        {"p1.hand[0].cost": 4},
    ),
    (
        "each_warden_once",
        {"hand": ["call_the_wardens"], "board": ["bog_warden", "bark_warden"]},
        {},
        [play("p1.hand[0]")],
        {"p1.board.cards": ("bog_warden", "bark_warden", "briar_warden"), "p1.hand.size": 1},
    ),
    (
        "only_the_own_are_tended",
        {"hand": ["weed_out", "weed_out"], "board": ["peat_mule"]},
        {"board": ["bridge_ogre"]},
        [play("p1.hand[0]", target="p1.board[0]"), play("p1.hand[0]", target="p2.board[0]")],
        {"p1.board[0].attack": 4, "p2.board[0].attack": 5, "p1.hand.size": 1},
    ),
    (
        "as_much_in_return",
        {"weapon": "soft_iron_maul"},
        {"secrets": ["trip_flare"]},
        [{"attack": ["p1.hero", "p2.hero"]}],
        {"p1.hero.health": 26, "p2.hero.health": 26, "p2.secrets.size": 0},
    ),
    (
        "blunt_on_minions_only",
        {"weapon": "soft_iron_maul"},
        {"board": ["ferry_guard"]},
        [{"attack": ["p1.hero", "p2.board[0]"]}],
        {"p1.weapon.attack": 3, "p1.weapon.durability": 2, "p2.board.size": 0},
    ),
    (
        "a_power_lit_by_another",
        {"hand": ["the_first_match", "the_first_match"]},
        {},
        [play("p1.hand[0]"), play("p1.hand[0]"), END, END, {"hero_power": True}],
        {"p2.hero.health": 26},
    ),
    (
        "lost_in_the_fog",
        {"board": ["bridge_ogre"]},
        {"secrets": ["fog_signal"]},
        [{"attack": ["p1.board[0]", "p2.hero"]}],
        {"p1.hero.health": 25, "p2.hero.health": 30},
    ),
    (
        "what_the_undertow_takes",
        {"hand": ["moonpull"]},
        {"secrets": ["undertow"]},
        [play("p1.hand[0]")],
        {"p1.hand.size": 0, "p2.hand.cards": ("moonpull",), "p2.secrets.size": 0},
    ),
    (
        "sealed_and_found",
        {"hand": ["keeper_of_seals"], "deck": ["peat_mule", "undertow", "peat_mule"]},
        {},
        [play("p1.hand[0]"), play("p1.hand[0]")],
        {"p1.board[0].attack": 3, "p1.secrets.size": 1, "p1.mana.available": 4},
    ),
    (
        "cheaper_once_and_later",
        {"hand": ["turn_of_the_moon", "lantern_oath", "lantern_oath"]},
        {},
        [
            play("p1.hand[0]"),
            {"expect": [{"path": "p1.hand[1].cost", "value": 1}]},
            play("p1.hand[0]"),
            {"expect": [{"path": "p1.hand[0].cost", "value": 3}]},
            *(END, END),
        ],
        {"p1.hand[0].cost": 2},
    ),
    (
        "twice_as_loud",
        {"board": ["sounding_cistern"], "hand": ["flick_of_cinder"]},
        {},
        [play("p1.hand[0]", target="p2.hero")],
        {"p2.hero.health": 26},
    ),
    (
        "rooted",
        {"board": ["bridge_ogre"]},
        {"board": ["peat_mule"], "secrets": ["every_root_holds"]},
        [{"attack": ["p1.board[0]", "p2.board[0]"]}],
        {"p2.board[0].health": 1, "p1.board[0].health": 1},
    ),
    (
        "back_with_thorns",
        {"board": ["bridge_ogre"]},
        {"board": ["peat_mule"], "secrets": ["what_grows_back"]},
        [{"attack": ["p1.board[0]", "p2.board[0]"]}],
        {"p2.board.cards": ("peat_mule",), "p2.board[0].taunt": True, "p2.board[0].health": 2},
    ),
    (
        "a_seed_for_later",
        {"hand": ["buried_seed", "quick_rot"], "board": ["mouldling"]},
        {},
        [
            play("p1.hand[0]", target="p1.board[0]"),
            {"expect": [{"path": "p1.board[0].health", "value": 2}]},
            play("p1.hand[0]", target="p1.board[0]"),
        ],
        {"p1.board.size": 1, "p1.board[0].taunt": True},
    ),
    (
        "the_tree_she_was",
        {"hand": ["rootmother_unburied"], "health": 3, "armor": 2},
        {},
        [play("p1.hand[0]"), {"hero_power": True}],
        {"p1.hero.health": 20, "p1.hero.armor": 0, "p1.board[0].attack": 3},
    ),
    (
        "not_yet",
        {"board": ["bridge_ogre"]},
        {"health": 5, "secrets": ["last_pollen"]},
        [{"attack": ["p1.board[0]", "p2.hero"]}],
        {"p2.hero.health": 9, "p2.board.cards": ("mouldling", "mouldling"), "game.over": False},
    ),
    (
        "snared_on_arrival",
        {"hand": ["bridge_ogre"]},
        {"secrets": ["puffball_snare"]},
        [play("p1.hand[0]")],
        {"p1.board[0].health": 1, "p2.secrets.size": 0},
    ),
    (
        "weather_for_all_but_its_own",
        {"hand": ["spore_weather"], "board": ["mouldling", "bridge_ogre"]},
        {"board": ["peat_mule", "fogbank_heron", "mouldling"]},
        [play("p1.hand[0]"), END, END],
        {"p1.board[1].health": 2, "p2.board.cards": ("mouldling",), "p2.hero.health": 30},
    ),
    (
        "hands_are_given_back",
        {"hand": ["borrowed_hands"]},
        {"board": ["peat_mule"]},
        [play("p1.hand[0]", target="p2.board[0]"), {"attack": ["p1.board[0]", "p2.hero"]}, END],
        {"p2.hero.health": 27, "p1.board.size": 0, "p2.board.cards": ("peat_mule",)},
    ),
    (
        "all_of_another",
        {"hand": ["slow_changeling"]},
        {"board": [{"card": "milestone", "damage": 2}]},
        [play("p1.hand[0]", target="p2.board[0]")],
        {"p1.board.cards": ("milestone",), "p1.board[0].health": 4},
    ),
    (
        "something_of_the_enemys",
        {"hand": ["gossip_tinker"]},
        {},
        [play("p1.hand[0]")],
        {"p1.hand.size": 1},
    ),
    (
        "gossip_travels",
        {"board": ["gossip_tinker"], "hand": ["moonpull"]},
        {"board": ["bridge_ogre"]},
        [{"attack": ["p1.board[0]", "p2.board[0]"]}],
        {"p1.hand.size": 1, "p2.hand.cards": ("moonpull",)},
    ),
    (
        "opened_at_the_border",
        {"hand": ["customs_officer"]},
        {"secrets": ["undertow", "last_pollen"]},
        [play("p1.hand[0]")],
        {"p1.hand.cards": ("peat_mule",), "p2.secrets.size": 0},
    ),
    (
        "salt_in_the_wound",
        {"hand": ["wayside_hearth"]},
        {"board": ["salt_sower"]},
        [play("p1.hand[0]")],
        {"p1.hero.health": 26},
    ),
    (
        "through_the_trapdoor",
        {"hand": ["mould_lash", "peat_mule"], "board": ["trapdoor_scout"]},
        {},
        [play("p1.hand[0]", target="p1.board[0]")],
        {"p1.board.cards": ("peat_mule",), "p1.hand.cards": ("trapdoor_scout",)},
    ),
    (
        "a_company_without_a_name",
        {"hand": ["hired_company"]},
        {},
        [play("p1.hand[0]")],
        {"p1.board.cards": ("token_2_3", "token_2_3"), "p1.board[1].taunt": True},
    ),
    (
        "nobody_is_hit_in_a_hand",
        {"hand": ["settling_scores"]},
        {"board": ["trapdoor_scout"], "hand": ["peat_mule"]},
        [play("p1.hand[0]", target="p2.board[0]")],
        {"p2.hand.cards": ("trapdoor_scout",), "p2.hand[0].health": 4, "p2.board[0].health": 2},
    ),
]


@pytest.mark.parametrize("scene", SCENES, ids=[scene[0] for scene in SCENES])
def test_cards_do_what_they_say(scene: Any) -> None:
    _, first, second, actions, expected = scene
    ember = {"class": "ember", **PLAYER, **first}
    tide = {"class": "tide", **PLAYER, **second}
    assert difference(GROUND, ember, tide, actions, expected) is None
