"""The duel as a program: the plain reference, the engine and the served engine play equal games."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from balance import Tune, load_contest
from balance.cards.card_simulator import CardSimulator
from balance.cards.card_space import build_space
from sim.seeds import numbers_of, stream_seed
from sim.simulator.block import DRAWN, Block
from sim.simulator.program import ProgramSimulator
from tests.duels import CORE, DECK_NAMES, DUEL, ROOT, reference_card, reference_rules
from tests.simulator.blocks import plain

AGENTS = ("aggro", "control", "greedy", "random")
CONTEST = load_contest(*zip(DECK_NAMES, AGENTS, strict=True))
SPACE = build_space(CONTEST, Tune())
CHANGES = {"ember_whelp.cost": 3, "tide_warden.attack": 4}
EVENHAND = (sys.executable, "-m", "experiments.cli")


def duel_file(folder: Path) -> Path:
    """Write the shipped duel as the reference program reads it, and return the file."""
    players = zip(CONTEST.players, AGENTS, strict=True)
    slots = {player.name: player.deck.slots(CORE) for player in CONTEST.players}
    duel = {
        "cards": {card.id: asdict(reference_card(card)) for card in CORE.cards},
        "decks": {name: [CORE.cards[slot].id for slot in row] for name, row in slots.items()},
        "agents": {player.name: agent for player, agent in players},
        "rules": asdict(reference_rules(DUEL)),
    }
    path = folder / "duel.json"
    path.write_text(json.dumps(duel))
    return path


def reference(folder: Path, n_children: int = 1) -> ProgramSimulator:
    """Return the reference program."""
    module = "tests.simulator.reference_child"
    command = [sys.executable, "-m", module, str(duel_file(folder))]
    return ProgramSimulator(command, ROOT, n_children=n_children)


def numbers(**changes: int) -> dict[str, Any]:
    """Return the numbers of the shipped duel with some changes."""
    return {name: entry.value for name, entry in CardSimulator(CONTEST, SPACE).parameters.items()}


def all_blocks(n_seeds: int) -> list[Block]:
    """Return the games of all matchups in both seatings, with the numbers of two variants."""
    changes = {name: value for name, value in CHANGES.items() if name in numbers()}
    assert changes
    seeds = numbers_of(stream_seed(7, "matchups"), np.arange(n_seeds))
    return [
        Block(numbers() | edits, (CONTEST.player_names[a], CONTEST.player_names[b]), seeds)
        for edits in ({}, changes)
        for a, b in permutations(range(4), 2)
    ]


def winners_of(simulator: Any, blocks: list[Block]) -> list[list[int]]:
    """Return the winners of every block, in the order of the blocks."""
    played = dict(simulator.play(blocks))
    assert not any(played[position].infeasible for position in played)
    return [played[position].winners.tolist() for position in range(len(blocks))]


def test_a_served_contest_plays_the_games_of_the_contest():
    n_seeds = 30
    steps = np.zeros((2, len(SPACE.genes)), dtype=np.int16)
    for name, value in CHANGES.items():
        if name in numbers():
            steps[1, list(numbers()).index(name)] = value - numbers()[name]
    counts = CONTEST.play(steps, SPACE.genes, n_games=2 * n_seeds, run_seed=7, purpose="matchups")
    wanted = np.where(counts.winners == 2, DRAWN, counts.winners)
    simulated = winners_of(CardSimulator(CONTEST, SPACE), all_blocks(n_seeds))
    pairs = list(permutations(range(4), 2))
    for variant in range(2):
        for matchup, (a, b) in enumerate(combinations(range(4), 2)):
            for seating, players in enumerate(((a, b), (b, a))):
                row = simulated[variant * len(pairs) + pairs.index(players)]
                assert row == wanted[variant, matchup, seating].tolist()


def test_the_reference_as_a_program_plays_the_games_of_the_engine(tmp_path):
    blocks = all_blocks(12)
    program = reference(tmp_path, n_children=2)
    assert winners_of(program, blocks) == winners_of(CardSimulator(CONTEST, SPACE), blocks)
    program.close()


@pytest.mark.slow
@pytest.mark.parametrize("n_children", [1, 2, 3, 4])
def test_the_reference_plays_the_games_of_the_engine_with_any_number_of_children(
    tmp_path, n_children
):
    blocks = all_blocks(1000)[:12]
    program = reference(tmp_path, n_children=n_children)
    assert winners_of(program, blocks) == winners_of(CardSimulator(CONTEST, SPACE), blocks)
    program.close()


def test_the_reference_leaves_out_the_same_cards(tmp_path):
    engine = CardSimulator(CONTEST, SPACE)
    first = CONTEST.players[0]
    card = next(iter(first.deck.cards))
    (block,) = all_blocks(40)[:1]
    without = [block._replace(without=(card, None)), block._replace(without=(None, card))]
    program = reference(tmp_path)
    assert program.can_leave_out
    assert engine.can_leave_out
    assert winners_of(program, without) == winners_of(engine, without)
    assert winners_of(engine, without)[0] != winners_of(engine, [block])[0]
    program.close()


def test_seeds_may_be_any_numbers_in_any_order():
    seeds = np.array([2**64 - 1, 0, 7, 6, 2**63, 2**63 - 1, 7], dtype=np.uint64)
    (block,) = all_blocks(1)[:1]
    engine = CardSimulator(CONTEST, SPACE)
    (together,) = winners_of(engine, [block._replace(seeds=seeds)])
    single = [block._replace(seeds=seeds[game : game + 1]) for game in range(len(seeds))]
    assert [[winner] for winner in together] == winners_of(engine, single)


def test_numbers_outside_the_rules_are_infeasible():
    (block,) = all_blocks(4)[:1]
    name = next(iter(numbers()))
    engine = CardSimulator(CONTEST, SPACE)
    for value in (1000, -1000, 0.5, "high"):
        ((_, played),) = engine.play([block._replace(numbers={name: value})])
        assert played.infeasible
        assert plain(played)[0] == []


def test_the_command_serves_an_experiment(tmp_path):
    players = zip(DECK_NAMES, AGENTS, strict=True)
    text = "".join(f'[[player]]\ndeck = "{deck}"\nagent = "{agent}"\n' for deck, agent in players)
    (tmp_path / "duel.toml").write_text(f'name = "duel"\nseed = 1\n{text}')
    command = [*EVENHAND, "simulator", "serve", str(tmp_path / "duel.toml")]
    program = ProgramSimulator(command, ROOT)
    engine = CardSimulator(CONTEST, SPACE)
    assert program.hello.parameters == engine.parameters
    assert program.hello.version == engine.identity[:16]
    blocks = all_blocks(200)
    assert winners_of(program, blocks) == winners_of(engine, blocks)
    program.close()
