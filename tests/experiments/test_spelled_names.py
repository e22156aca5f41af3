"""Every command takes the names of cards, decks, fields and agents in every spelling."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from experiments.commands.build_question import ask_build
from experiments.commands.substitute import ask_substitute
from experiments.loading import load_experiment
from experiments.workbench.draft import Draft, Edit, Lock, Note, with_known_names
from experiments.workbench.view_model import ViewModel
from sim import load_pool
from tests.command_line import command, done, json_of
from tests.experiments.command_goldens import check_refusal

SHEET = """\
Card Name,Faction,Rarity,Mana,Atk,HP,Keywords
Skewer Boy,Wok,common,1,2,1,haste
Market Cat,Wok,rare,2,3,2,
Flash Fryer,Wok,mythic,4,4,3,
Jade Server,Tea,common,2,1,4,
Kettle Golem,Tea,rare,5,4,5,
Tourist,,common,1,1,1,
Leaf Sprite,Tea,common,1,1,1,
Paper Lamp,,rare,3,3,3,
Caf\u00e9 Owner,,common,2,2,2,
"""
DECK = 'name = "{}"\npool = "{}"\nruleset = "duel"\n[cards]\n{}'
WOK = "Wok Rush"
TEA = "Tea House"
GAME = """\
name = "market"
seed = 3
pool = "CARDS"
ruleset = "Duel"

[[player]]
deck = "Wok Rush"
agent = "Greedy"

[[player]]
deck = "tea-house"
agent = "greedy"

[target]
band_pp = 40
win_rate = { "wok_rush vs TEA HOUSE" = 0.6 }

[tune]
fields = ["Mana", "hp"]
decks = ["wok_rush"]
lock = ["tourist", "Rarity: mythic"]
direction = { "cafe owner" = "buffs" }

[games]
matchups = 20

[substitute]
race = 20
games = 40
shown = 3

[build]
agent = "greedy"
population = 4
generations = 1
search = 8
select = 20
certify = 20
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a game imported from a sheet, with decks that name cards by their titles."""
    place = tmp_path_factory.mktemp("market")
    (place / "cards.csv").write_text(SHEET, encoding="utf-8")
    done(command("cards", "import", place / "cards.csv"))
    pool = place / "cards.toml"
    assert load_pool(str(pool)).name == "cards"
    wok = '"Skewer Boy" = 2\n"MARKET-CAT" = 2\nflash_fryer = 2\n"Cafe Owner" = 2\n'
    tea = '"Jade Server" = 2\nkettle_golem = 2\n"tourist" = 2\n"Caf\u00e9 Owner" = 2\n'
    (place / "wok_rush.toml").write_text(DECK.format(WOK, "Cards", wok), encoding="utf-8")
    (place / "second.toml").write_text(DECK.format(TEA, "cards", tea), encoding="utf-8")
    (place / "market.toml").write_text(GAME)
    return place


def json_in(folder: Path, name: str, *words: str) -> Any:
    """Return the summary that a command prints for the game."""
    options = ("--json", "--results", folder / "results")
    return json_of(command(name, folder / "market.toml", *words, *options))


def test_an_experiment_is_loaded_with_the_names_that_there_are(folder: Path):
    found = load_experiment(str(folder / "market.toml"))
    assert found.player_names == (WOK, TEA)
    assert [agent.name for agent in found.agents] == ["greedy", "greedy"]
    assert [dict(deck.cards) for deck in found.decks] == [
        {"skewer_boy": 2, "market_cat": 2, "flash_fryer": 2, "cafe_owner": 2},
        {"jade_server": 2, "kettle_golem": 2, "tourist": 2, "cafe_owner": 2},
    ]
    tune = found.settings.tune
    assert tune.fields == ("cost", "health")
    assert tune.decks == (WOK,)
    assert tune.lock[0] == "tourist"
    assert tune.direction == {"cafe_owner": "buffs"}
    assert isinstance(found.settings.target.win_rate, dict)
    assert list(found.settings.target.win_rate) == [f"{WOK} vs {TEA}"]
    locked = tune.lock[1].removeprefix("tag:")
    cards = found.resolved("balance")["pool"]["card"]  # which has no notes
    assert [card["id"] for card in cards if locked in card.get("tags", ())] == ["flash_fryer"]


def test_two_spellings_of_one_question_are_one_run(folder: Path):
    plain = GAME.replace('"tea-house"', '"second"').replace('"Greedy"', '"greedy"')
    for written, known in (("Duel", "duel"), ("CARDS", "cards"), ('"Wok Rush"', '"wok_rush"')):
        plain = plain.replace(written, known)
    (folder / "plain.toml").write_text(plain.replace('"Mana", "hp"', '"cost", "health"'))
    first, second = (
        load_experiment(str(folder / name)).resolved("balance")
        for name in ("market.toml", "plain.toml")
    )
    assert first == second


def test_a_learner_names_players_in_every_spelling(folder: Path):
    table = '\n[[learner]]\nname = "one"\ndecks = ["wok_rush"]\nopponents = ["SECOND", "self"]\n'
    (folder / "learner.toml").write_text(GAME + table)
    (learner,) = load_experiment(str(folder / "learner.toml")).settings.learners
    assert (learner.decks, learner.opponents) == ((WOK,), (TEA, "self"))


@pytest.mark.parametrize(
    ("edit", "patch"),
    [
        ("skewer_boy.hp+1", ("skewer_boy", "health", 1, 2)),
        ("Skewer-Boy.HP=3", ("skewer_boy", "health", 1, 3)),
        ("market cat.ATK-1", ("market_cat", "attack", 3, 2)),
        ("MARKETCAT.power-1", ("market_cat", "attack", 3, 2)),
        ("cafe owner.Mana Cost+1", ("cafe_owner", "cost", 2, 3)),
        ("Caf\u00e9 Owner.mana_cost+1", ("cafe_owner", "cost", 2, 3)),
        ("Rules.Life=25", ("(rules)", "life", 20, 25)),
    ],
)
def test_whatif_reads_an_edit_in_every_spelling(folder: Path, edit: str, patch: tuple[Any, ...]):
    (entry,) = json_in(folder, "whatif", edit, "--games", "8", "--no-plots")["patch"]
    assert (entry["card"], entry["field"], entry["from"], entry["to"]) == patch


@pytest.mark.parametrize("deck", ["Wok Rush", "wok_rush", "WOK-RUSH"])
@pytest.mark.parametrize("card", ["Market Cat", "market-cat", "MARKETCAT"])
def test_substitute_takes_every_spelling(folder: Path, deck: str, card: str):
    experiment = load_experiment(str(folder / "market.toml"))
    question = ask_substitute(
        experiment, deck=deck, cards=[card], collection=None, mirror=False, games=None, shown=None
    )
    assert question.settings.substitute.deck == WOK
    assert question.settings.substitute.cards == ("market_cat",)


def test_substitute_keeps_within_a_column(folder: Path):
    words = ("--deck", "tea house", "--card", "kettle golem", "--no-plots")
    without_column = json_in(folder, "substitute", *words)
    within = json_in(folder, "substitute", *words, "--within", "FACTION")
    assert without_column["candidates"] > within["candidates"]
    stand_ins = {card for row in within["by_win_rate"] for card in row["cards"]}
    assert stand_ins.isdisjoint({"skewer_boy", "market_cat", "flash_fryer"})


@pytest.mark.parametrize("player", ["tea_house", "second", "TEA HOUSE"])
def test_improve_takes_every_spelling(folder: Path, player: str):
    experiment = load_experiment(str(folder / "market.toml"))
    assert ask_build(experiment, improve=player).settings.build.improve == TEA


def test_build_has_the_size_of_its_opponents_and_keeps_within_a_column(folder: Path):
    found = json_in(folder, "build", "--within", "faction", "--agent", "Greedy", "--no-plots")
    cards = found["deck"]["cards"]
    assert sum(cards.values()) == 8
    assert found["agent"] == "greedy"
    wok = {"skewer_boy", "market_cat", "flash_fryer"}
    tea = {"jade_server", "kettle_golem"}
    assert not (wok & cards.keys() and tea & cards.keys())


def test_a_built_deck_has_the_pilot_of_its_opponents_unless_the_file_names_one(folder: Path):
    text = GAME.replace('[build]\nagent = "greedy"\n', "[build]\n")
    assert text != GAME
    (folder / "open.toml").write_text(text)
    question = ask_build(load_experiment(str(folder / "open.toml")))
    assert question.settings.build.agent == "greedy"
    (folder / "named.toml").write_text(text.replace("[build]\n", '[build]\nagent = "control"\n'))
    assert ask_build(load_experiment(str(folder / "named.toml"))).settings.build.agent == "control"


@pytest.mark.parametrize("card", ["Market Cat", "market-cat", "MARKET_CAT"])
def test_a_card_is_shown_by_every_name(folder: Path, card: str):
    shown = done(command("cards", "show", card, "--pool", folder / "cards.toml")).out
    assert shown.startswith("Market Cat")


def test_replay_takes_players_and_agents_in_every_spelling(folder: Path):
    path = folder / "market.toml"
    results = folder / "results"
    words = ("replay", path, "--results", results, "--first")
    log = done(command(*words, "tea_house")).out
    assert log == done(command(*words, TEA)).out


@pytest.mark.parametrize("agent", ["Greedy", "GREEDY"])
def test_agent_of_the_command_line(folder: Path, agent: str):
    summary = json_in(folder, "matchups", "--agent", agent, "--games", "8", "--no-plots")
    assert {pilot["agent"] for pilot in summary["pilots"]} == {"greedy"}


def test_a_collection_names_cards_in_every_spelling(folder: Path):
    (folder / "mine.csv").write_text("card,copies\nMARKET-CAT,2\nskewer boy,1\ncafe owner,2\n")
    experiment = load_experiment(str(folder / "market.toml"))
    owned = experiment.with_collection(folder / "mine.csv").settings.collection
    assert owned == {"market_cat": 2, "skewer_boy": 1, "cafe_owner": 2}


def test_a_matrix_of_goals_names_players_in_every_spelling(folder: Path):
    (folder / "goals.csv").write_text(",wok_rush,Tea House\nWOK-RUSH,,55\ntea_house,45,\n")
    text = GAME.replace('{ "wok_rush vs TEA HOUSE" = 0.6 }', '"goals.csv"')
    (folder / "matrix.toml").write_text(text)
    target = load_experiment(str(folder / "matrix.toml")).settings.target
    assert isinstance(target.win_rate, dict)
    assert target.win_rate[f"{WOK} vs {TEA}"] == 0.55


def test_the_workbench_takes_every_spelling(folder: Path):
    view = ViewModel.of(load_experiment(str(folder / "market.toml")))
    draft = Draft.first(view)
    for action in (
        Edit(card="Skewer Boy", field="HP", to=2),
        Lock(card="market-cat", field="Mana", locked=True),
        Note(card="MARKET CAT", text="loud"),
    ):
        draft = with_known_names(action, view).apply(draft, view)
    assert draft.values == {("skewer_boy", "health"): 2}
    assert draft.is_locked("market_cat", "cost")
    assert draft.notes == {"market_cat": "loud"}


@pytest.mark.parametrize(
    "change",
    [
        ("decks = [", 'flying = true\ndecks = ['),
        ("band_pp = 40", "band_pp = 40\nfield = 55"),
        ('deck = "tea-house"', 'deck = "tea houses"'),
        ('"Rarity: mythic"', '"tag:mythic"'),
        ('"wok_rush"]', '"wok rsh"]'),
    ],
)  # fmt: skip
def test_an_unknown_name_is_refused_with_the_known_ones(folder: Path, change: tuple[str, str]):
    text = GAME.replace(*change)
    assert text != GAME
    (folder / "wrong.toml").write_text(text)
    check_refusal(command("matchups", folder / "wrong.toml", "--results", folder / "results"))


def test_an_unknown_keyword_is_refused_with_the_known_ones(folder: Path):
    text = (folder / "cards.toml").read_text(encoding="utf-8")
    (folder / "flying.toml").write_text(text.replace('"haste"', '"flying"'), encoding="utf-8")
    check_refusal(command("cards", "list", folder / "flying.toml"))


def test_a_goal_in_percent_is_refused_with_the_share(folder: Path):
    check_refusal(command("build", folder / "market.toml", "--goal", "60"))
