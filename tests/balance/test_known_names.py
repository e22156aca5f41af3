"""Settings as people spell them: what their names stand for, and which cards a column means."""

from __future__ import annotations

from typing import Any

import pytest

from balance import build_space
from balance.cards.card_contest import CardContest, Player
from balance.cards.card_tags import CardTags
from balance.cards.known_names import Seated, with_known_names
from balance.settings.tables import BalanceSettings
from balance.space.tune import Tune
from sim import Card, Deck, Pool
from sim.files.validation import validate
from sim.play import pack_table
from tests.balance.contests import RUSH_KEEP
from tests.duels import DUEL
from tests.refusals import refusal_of

_ROWS = (
    ("skewer_boy", "Skewer Boy", "Wok", "common"),
    ("market_cat", "Market Cat", "Wok", "rare"),
    ("jade_server", "Jade Server", "Tea", "common"),
    ("kettle_golem", "Kettle Golem", "Tea", "mythic"),
    ("tourist", "Tourist", "", "common"),
)
POOL = Pool(
    name="own",
    cards=tuple(
        Card(
            id=card_id, name=name, cost=2, attack=2, health=2,
            notes={"Faction": faction, "Rarity": rarity},
        )
        for card_id, name, faction, rarity in _ROWS
    ),
)  # fmt: skip
PLAYERS = [
    Seated("Wok Rush", "Wok Rush", "wok_rush"),
    Seated("the house", "Tea House", "tea"),
]


def settled(**tables: Any) -> tuple[BalanceSettings, Pool]:
    """Return the settings of a file with known names, and the pool."""
    return with_known_names(
        validate(BalanceSettings, {"seed": 1, **tables}, source="f"), POOL, PLAYERS
    )


def tagged(pool: Pool, label: str) -> list[str]:
    """Return the ids of the cards with a tag."""
    return [card.id for card in pool.cards if label.removeprefix("tag:") in card.tags]


@pytest.mark.parametrize("card", ["skewer_boy", "Skewer Boy", "skewer-boy", "SKEWERBOY"])
@pytest.mark.parametrize("player", ["Wok Rush", "wok_rush", "WOK-RUSH"])
def test_cards_and_players_in_every_spelling(card: str, player: str):
    known_settings, pool = settled(
        tune={"lock": [card], "decks": [player], "direction": {card: "buffs", player: "nerfs"}},
        target={"win_rate": {f"{player} VS tea_house": 0.6, player: 0.5}, "field": {player: 0.5}},
        field={"weights": {player: 2.0}},
        collection={card: 2},
        substitute={"deck": player, "cards": [card]},
        build={"improve": player, "limits": {card: 1}, "prices": {card: 2.0}},
    )
    assert pool == POOL
    assert known_settings.tune.lock == ("skewer_boy",)
    assert known_settings.tune.decks == ("Wok Rush",)
    assert known_settings.tune.direction == {"skewer_boy": "buffs", "Wok Rush": "nerfs"}
    assert isinstance(known_settings.target.win_rate, dict)
    assert list(known_settings.target.win_rate) == ["Wok Rush vs the house", "Wok Rush"]
    assert isinstance(known_settings.target.field, dict)
    assert list(known_settings.target.field) == ["Wok Rush"]
    assert known_settings.field.weights == {"Wok Rush": 2.0}
    assert known_settings.collection == {"skewer_boy": 2}
    assert (known_settings.substitute.deck, known_settings.substitute.cards) == (
        "Wok Rush",
        ("skewer_boy",),
    )
    assert known_settings.build.improve == "Wok Rush"
    assert known_settings.build.limits == {"skewer_boy": 1}
    assert known_settings.build.prices == {"skewer_boy": 2.0}
    again, _ = with_known_names(known_settings, pool, PLAYERS)
    assert again == known_settings


@pytest.mark.parametrize("deck", ["tea_house", "TEA", "the house", "tea-house"])
def test_a_deck_goes_by_its_title_its_file_and_its_player(deck: str):
    assert settled(tune={"decks": [deck]})[0].tune.decks == ("Tea House",)


@pytest.mark.parametrize("title", ["hp", "HP", "health", "toughness"])
def test_a_field_in_tune_goes_by_every_title(title: str):
    tables = {
        "fields": [title],
        "max_steps": {title: 1},
        "ranges": {title: [1, 3]},
        "weights": {title: 2.0},
        "direction": {title: "up"},
    }
    tune = settled(tune=tables)[0].tune
    assert tune.fields == ("health",)
    assert tune.steps_of("health") == 1
    assert tune.ranges == {"health": (1, 3)}
    assert tune.weights.health == 2.0
    assert tune.direction == {"health": "up"}


def test_any_column_can_be_named_in_tune():
    known_settings, pool = settled(
        tune={
            "lock": ["rarity:mythic", "Faction: Wok"],
            "direction": {"rarity: common": "buffs"},
            "weights": {"Rarity": {"rare": 2.0, "common": 3.0}, "card": 1.0},
        }
    )
    mythic, wok = known_settings.tune.lock
    assert tagged(pool, mythic) == ["kettle_golem"]
    assert tagged(pool, wok) == ["skewer_boy", "market_cat"]
    (common,) = known_settings.tune.direction
    assert tagged(pool, common) == ["skewer_boy", "jade_server", "tourist"]
    weights = {label: tagged(pool, label) for label in known_settings.tune.weights.tags}
    assert sorted(map(tuple, weights.values())) == sorted(
        [("market_cat",), ("skewer_boy", "jade_server", "tourist")]
    )
    again, same = with_known_names(known_settings, pool, PLAYERS)
    assert (again, same) == (known_settings, pool)


def test_a_space_has_no_number_of_a_locked_column():
    cards = {card.id: 1 for card in POOL.cards}
    deck = Deck(name="all", pool="own", ruleset="duel", cards=cards)
    player = Player("all", deck, RUSH_KEEP.agents[0])
    contest = CardContest(pack_table(POOL, DUEL), (player,))
    tables = {"lock": ["rarity: common"], "weights": {"rarity": {"mythic": 4.0}, "mana": 3.0}}
    space = build_space(contest, Tune.model_validate(tables))
    owners = {POOL.cards[owner].id for owner in space.owners}
    assert owners == {"market_cat", "kettle_golem"}
    weights = dict(zip(space.genes, space.weights.tolist(), strict=True))
    golem = POOL.index("kettle_golem")
    assert weights[golem, "attack"] == 4.0
    assert weights[golem, "cost"] == 12.0


def test_a_column_in_limits_and_prices_stands_for_each_of_its_cards():
    known_settings, _ = settled(
        build={
            "limits": {"rarity: common": 1, "Tourist": 2},
            "prices": {"Faction: Tea": 3.0},
        }
    )
    assert known_settings.build.limits == {"skewer_boy": 1, "jade_server": 1, "tourist": 2}
    assert known_settings.build.prices == {"jade_server": 3.0, "kettle_golem": 3.0}


def test_a_column_of_decks_becomes_the_tags_of_its_values():
    known_settings, pool = settled(
        build={"within": "faction", "only": "rarity: common", "quotas": {"rarity: rare": [0, 1]}},
        substitute={"within": ["faction: wok", "faction: tea"], "only": ["rarity: rare"]},
    )
    build = known_settings.build
    substitute = known_settings.substitute
    assert [tagged(pool, tag) for tag in build.within or ()] == [
        ["skewer_boy", "market_cat"],
        ["jade_server", "kettle_golem"],
    ]
    assert substitute.within == build.within
    assert [tagged(pool, tag) for tag in build.only or ()] == [
        ["skewer_boy", "jade_server", "tourist"]
    ]
    assert {tuple(tagged(pool, tag)): bounds for tag, bounds in (build.quotas or {}).items()} == {
        ("market_cat",): (0, 1)
    }


@pytest.mark.parametrize(
    ("tables", "place", "hint"),
    [
        ({"tune": {"lock": ["tag:mythic"]}}, "tune.lock", '"Rarity: mythic"'),
        ({"tune": {"lock": ["mythic"]}}, "tune.lock", '"Rarity: mythic"'),
        ({"tune": {"lock": ["rarety: mythic"]}}, "tune.lock", "'Rarity'"),
        ({"tune": {"lock": ["Rarity: mythical"]}}, "tune.lock", "'mythic'"),
        ({"tune": {"decks": ["wok_rsh"]}}, "tune.decks", "'wok_rush'"),
        ({"tune": {"weights": {"tags": {"rare": 2.0}}}}, "tune.weights.tags", '"Rarity: rare"'),
        ({"tune": {"weights": {"rarety": {"rare": 2.0}}}}, "tune.weights.rarety", "'Rarity'"),
        ({"tune": {"direction": {"Market Cats": "up"}}}, "tune.direction", "'Market Cat'"),
        ({"tune": {"direction": {"hp": "up", "health": "up"}}}, "tune.direction", "keep one"),
        ({"build": {"within": "fraction"}}, "build.within", "'Faction'"),
        ({"build": {"quotas": {"mythic": [0, 1]}}}, "build.quotas", '"Rarity: mythic"'),
        ({"build": {"limits": {"faction: wok": 1, "rarity: common": 2}}}, "build.limits", "own"),
        ({"build": {"improve": "house"}}, "build.improve", "'the house'"),
        ({"collection": {"Market Cat": 1, "market_cat": 2}}, "collection", "keep one"),
        ({"target": {"win_rate": {"wok_rush": 0.5, "Wok Rush": 0.4}}}, "target.win_rate", "keep"),
    ],
)
def test_unknown_and_repeated_names_are_refused(tables: dict[str, Any], place: str, hint: str):
    error = refusal_of(settled, **tables)
    assert error.place.startswith(place)
    assert hint in error.remedy


def test_a_deck_of_two_players_names_neither():
    players = [Seated("a", "rush"), Seated("b", "rush")]
    settings = validate(BalanceSettings, {"seed": 1, "field": {"weights": {"Rush": 2}}}, source="f")
    error = refusal_of(with_known_names, settings, POOL, players)
    assert error.place == "field.weights"


def test_a_tag_of_a_column_does_not_take_the_place_of_another():
    first = POOL.cards[0].model_copy(update={"tags": ("rarity_mythic",)})
    tags = CardTags((first, *POOL.cards[1:]))
    made = tags.find("Rarity: mythic").removeprefix("tag:")
    assert made != "rarity_mythic"
    assert [card.id for card in tags.cards if made in card.tags] == ["kettle_golem"]
