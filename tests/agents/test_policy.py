"""The policy network: equal in torch and in compiled code, fair, and able to learn."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from agents import agent_named
from agents.policy.action_inputs import (
    ACTION_SIZE,
    DENSE,
    IS_ATTACK,
    IS_END,
    IS_PLAY,
    IS_REPLACE,
    MANA_LEFT,
    N_ROLES,
    ROLE_STRIDE,
)
from agents.policy.evaluate import best_action
from agents.policy.policy_network import PolicyNetwork
from agents.policy.recording import CHOSEN, FIRST, GAME, N_ACTIONS, RESULT, SEAT, Decisions
from agents.policy.sampling import sampled_action
from agents.policy.why import policy_explainer
from agents.reading.columns import Columns
from agents.reading.network_file import network_bytes
from agents.reading.position import N_DENSE
from agents.reading.seated_network import seated_network
from agents.roster.policy import PolicyAgent
from balance.learning.policy_games import Cast, record_random_decisions
from balance.learning.random_games import random_games
from sim import InputError, load_pool, load_ruleset
from sim.engine import layout as at
from sim.engine.stepping import legal_actions, new_state
from sim.play.table import Table, pack_table
from sim.play.workers.current import using_threads

SOURCES = ("duel", "saga")


@cache
def table_of(source: str) -> Table:
    pool = {"duel": "core", "saga": "saga"}[source]
    return pack_table(load_pool(pool), load_ruleset({"duel": "duel"}.get(source, "legacy")))


@cache
def decisions_of(source: str, teacher: str = "greedy", n_games: int = 60) -> Decisions:
    games = random_games(table_of(source), n_games, 1, 0, "test")
    return record_random_decisions(games, Cast(agent_named(teacher), at_random=100))


@pytest.mark.parametrize("source", SOURCES)
def test_rows_describe_legal_actions(source: str) -> None:
    decisions = decisions_of(source)
    about = decisions.about
    assert (about[:, CHOSEN] >= 0).all()
    assert (about[:, CHOSEN] < about[:, N_ACTIONS]).all()
    np.testing.assert_array_equal(about[1:, FIRST], np.cumsum(about[:, N_ACTIONS])[:-1])
    assert decisions.actions.shape == (about[:, N_ACTIONS].sum(), ACTION_SIZE)
    kinds = decisions.actions[:, IS_PLAY : IS_PLAY + 6]
    assert (kinds.sum(axis=1) == 1).all()
    ends = decisions.actions[about[:, FIRST] + about[:, N_ACTIONS] - 1]
    assert (ends[:, IS_END] == 1).mean() > 0.9  # a choice of cards has no end
    assert decisions.actions[:, IS_ATTACK].any()
    assert decisions.actions[:, IS_REPLACE].any() == (source == "saga")
    assert (decisions.actions[:, MANA_LEFT] >= 0).all()
    cards = decisions.actions[:, :DENSE]
    assert (cards[cards >= 0] // ROLE_STRIDE < N_ROLES).all()
    assert set(about[:, SEAT]) == {0, 1}
    assert set(about[:, RESULT]) <= {0, 1, at.DRAWN}


@pytest.mark.parametrize("source", SOURCES)
def test_compiled_code_and_torch_agree(source: str) -> None:
    torch = pytest.importorskip("torch")
    from agents.policy.policy_module import PolicyModule
    from agents.policy.training import batch_of
    from agents.reading.card_module import TableInputs

    decisions = decisions_of(source)
    columns = Columns.of_tables([decisions.words])
    torch.manual_seed(3)
    dense = decisions.rows[:, :N_DENSE].astype(np.float32)
    action_dense = decisions.actions[:, DENSE:].astype(np.float32)
    module = PolicyModule(columns, dense, action_dense, drop=0.5).eval()
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.1)
    network = module.exported()
    again = PolicyModule.of_network(network, dense, action_dense).eval()
    batch = batch_of(decisions, np.arange(len(decisions.rows)), torch.device("cpu"))
    inputs = TableInputs(columns, decisions.words)
    with torch.no_grad():
        scores, second = (
            one(batch.rows, batch.actions, batch.decision, inputs)[0].numpy()
            for one in (module, again)
        )
    np.testing.assert_allclose(scores, second, atol=0.05)
    best = [scores[a : a + n].argmax() for a, n in decisions.about[:, [FIRST, N_ACTIONS]].tolist()]
    games = random_games(table_of(source), 60, 1, 0, "test")
    agent = PolicyAgent("policy", best_action).with_network(network)
    played = record_random_decisions(games, Cast(agent))
    # The agent's own games begin with the same positions, in which it chooses as torch does.
    same = [
        (k, j)
        for j, row in enumerate(played.about)
        for k in [int(np.searchsorted(decisions.about[:, GAME], row[GAME]))]
        if j == np.searchsorted(played.about[:, GAME], row[GAME])
    ]
    assert len(same) > 50
    agreed = [best[k] == played.about[j, CHOSEN] for k, j in same]
    assert np.mean(agreed) > 0.95  # rounded weights may exchange actions that are nearly equal


def test_scores_are_those_of_the_best_action() -> None:
    table = table_of("saga")
    seat = seated_network(random_network("saga"), table.words)
    state = new_state()
    games = random_games(table, 1, 1, 0, "test")
    from sim.engine.stepping import begin_game

    row = games.decks[0]
    begin_game(state, table.words[0], np.concatenate([row, row]), 0, 1, 7)
    explanation = policy_explainer(table.words[0], (seat, seat))(state)
    assert len(explanation.compared) == len(legal_actions(state.copy(), table.words[0]))
    scores = [option.score for option in explanation.compared]
    assert explanation.compared[0].actions == (explanation.action,)
    assert scores[0] == max(scores) > min(scores)


@cache
def random_network(source: str) -> PolicyNetwork:
    pytest.importorskip("torch")
    import torch

    from agents.policy.policy_module import PolicyModule

    decisions = decisions_of(source)
    with torch.random.fork_rng():
        torch.manual_seed(5)
        module = PolicyModule(
            Columns.of_tables([decisions.words]),
            decisions.rows[:, :N_DENSE].astype(np.float32),
            decisions.actions[:, DENSE:].astype(np.float32),
            drop=0.0,
        )
    return module.exported()


def test_samples_follow_the_scores() -> None:
    table = table_of("duel")
    network = random_network("duel")
    counts = []
    for policy in (best_action, sampled_action):
        agent = PolicyAgent("policy", policy).with_network(network)
        played = record_random_decisions(random_games(table, 300, 1, 0, "test"), Cast(agent))
        first = np.searchsorted(played.about[:, GAME], np.arange(300))
        counts.append(Counter(played.about[first, CHOSEN].tolist()))
    # The scores of a random network are nearly equal, so that samples are spread over all actions.
    assert len(counts[1]) > len(counts[0])


def test_a_network_learns_what_its_teacher_does() -> None:
    pytest.importorskip("torch")
    from agents.policy.training import train_policy

    decisions = decisions_of("duel", n_games=400)
    module, agreement = train_policy([decisions], 1)
    n_actions = decisions.about[:, N_ACTIONS]
    assert agreement > 0.7 > 2 * (1 / n_actions).mean()
    repeated, _ = train_policy([decisions], 1)
    assert module.exported().content == repeated.exported().content


def test_advantages_follow_the_definition() -> None:
    pytest.importorskip("torch")
    from agents.policy.improvement import LAMBDA, advantages_of

    about = np.zeros((4, 6), dtype=np.int64)
    about[:, SEAT] = [0, 1, 0, 0]
    about[:, GAME] = [0, 0, 0, 1]
    about[:, RESULT] = [0, 0, 0, at.DRAWN]
    predicted = np.array([0.1, 0.2, 0.5, 0.3], dtype=np.float32)
    expected = [0.4 + LAMBDA * 0.5, -1.2, 0.5, -0.3]
    np.testing.assert_allclose(advantages_of(about, predicted), expected, atol=1e-6)


def test_play_improves_a_network_against_what_it_was() -> None:
    pytest.importorskip("torch")
    from agents.policy.improvement import PolicyImprover

    table = table_of("duel")
    start = network = random_network("duel")
    improver = None
    for k in range(6):
        sampler = PolicyAgent("sampler", sampled_action).with_network(network)
        played = [record_random_decisions(random_games(table, 400, 2, 2 * k), Cast(sampler))]
        improver = improver or PolicyImprover(network, played, 1)
        improver.learn(played, critic_only=k == 0)
        network = improver.network()
        assert (network.content == start.content) == (k == 0)
    new, old = (
        PolicyAgent(f"p{k}", best_action).with_network(n) for k, n in enumerate((network, start))
    )
    judged = record_random_decisions(random_games(table, 600, 3, 0), Cast(new, rival=old)).about
    last = np.append(judged[1:, GAME] != judged[:-1, GAME], [True])
    won = judged[last, RESULT] == judged[last, SEAT]
    assert won.mean() > 0.7


def test_recordings_do_not_depend_on_threads() -> None:
    recorded = []
    for n_threads in (1, 3):
        with using_threads(n_threads):
            games = random_games(table_of("duel"), 120, 5, 1)
            cast = Cast(agent_named("greedy"), agent_named("control"), 300, 50)
            recorded.append(record_random_decisions(games, cast))
    for one, other in zip(*recorded, strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_rival_is_not_recorded() -> None:
    games = random_games(table_of("duel"), 40, 5, 0)
    cast = Cast(agent_named("greedy"), rival=agent_named("random"))
    about = record_random_decisions(games, cast).about
    np.testing.assert_array_equal(about[:, SEAT], about[:, GAME] % 2)


def test_a_file_without_a_policy_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "net.npz"
    path.write_bytes(network_bytes(random_network("duel")))
    assert agent_named(f"policy:{path}").name == f"policy:{path}"
    path.write_bytes(path.read_bytes()[:500])
    for name in (f"policy:{path}", f"policy:{tmp_path / 'none.npz'}"):
        with pytest.raises(InputError) as raised:
            agent_named(name)
        assert raised.value.place.startswith(f"agent {name!r}")
