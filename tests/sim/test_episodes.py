"""Episodes are the games that batches play, interrupted where a learner or learned agent moves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
import pytest

from agents.registry import agent_named
from sim.engine.episodes import VARIANTS_MAX, draw_variant
from sim.engine.layout import PLAY
from sim.environments.episodes import TERMINATED, TRUNCATED, Episodes, Lineup
from sim.play import Batch, CompiledAgent, Gene, Table, kept, pack_table, play
from sim.seeds import number_of, stream_seed
from tests.duels import CORE, DECKS, DUEL, TABLE, row_of, varied
from tests.messages import check_message
from tests.refusals import refusal_of
from tests.view_agents import VIEW_AGENTS, Greedy, ViewAgent

STREAM = stream_seed(1, "episodes")
LAST = 39
ENEMIES = ("control", "aggro")


@dataclass(frozen=True)
class Ended:
    """One finished episode.

    Attributes:
        environment: its environment.
        number: its number within the environment, from 0.
        lineup: its line-up.
        reward: reward of the learner.
        how: whether it was terminated or truncated.
        lives: final life of the learner and of the opponent.
    """

    environment: int
    number: int
    lineup: int
    reward: float
    how: int
    lives: tuple[float, float]


LINEUPS = [  # some pairs of decks in each seat against each enemy
    Lineup(DECKS[own], DECKS[enemy], opponent, seat)
    for seat in (0, 1)
    for own, enemy in [(0, 1), (1, 0), (2, 3), (3, 3)]
    for opponent in range(len(ENEMIES))
]


def episodes_of(n_environments: int, **changes) -> Episodes:
    arguments = {
        "table": TABLE,
        "lineups": LINEUPS,
        "opponents": [agent_named(name) for name in ENEMIES],
        "n_environments": n_environments,
        "stream": STREAM,
    }
    return Episodes(**arguments | changes)


def ended_episodes(
    episodes: Episodes, pilots: Sequence[ViewAgent], n_episodes: int
) -> Iterator[Ended]:
    """Play with ``pilots[k]`` in line-up k, and yield a number of ended episodes."""
    n = episodes.n_environments
    has_attacked = np.zeros(n, dtype=bool)
    numbers = np.zeros(n, dtype=int)
    n_ended = 0
    while n_ended < n_episodes:
        lineups = episodes.lineup.copy()
        actions = np.array(
            [
                pilots[lineups[e]](episodes.observations[e], episodes.masks[e], has_attacked[e])
                for e in range(n)
            ]
        )
        has_attacked |= (actions >= 9) & (actions < LAST)
        has_attacked &= actions != LAST
        episodes.step(actions)
        for e in np.flatnonzero(episodes.ended):
            own, enemy = episodes.finals[e, :2].tolist()
            yield Ended(
                int(e),
                int(numbers[e]),
                int(lineups[e]),
                float(episodes.rewards[e]),
                int(episodes.ended[e]),
                (own, enemy),
            )
            n_ended += 1
        over = episodes.ended != 0
        has_attacked[over] = False
        numbers += over


def first_legal(values, mask, has_attacked) -> int:
    return int(mask.argmax())


def games_in_batches(
    ended: Sequence[Ended], lineups: Sequence[Lineup], players: Sequence[str], table: Table
) -> Iterator[tuple[Ended, int, tuple[int, int]]]:
    """Yield each episode with the winner and the final lives of the same game in a batch."""
    for environment in {episode.environment for episode in ended}:
        episodes = [episode for episode in ended if episode.environment == environment]
        rows = np.arange(len(episodes))
        decks = []
        agents = []
        for episode in episodes:
            lineup = lineups[episode.lineup]
            sides = [
                (lineup.own, players[episode.lineup]),
                (lineup.enemy, ENEMIES[lineup.opponent]),
            ]
            for deck, agent in sides[:: 1 if lineup.seat == 0 else -1]:
                decks.append(deck)
                agents.append(agent_named(agent))
        batch = Batch(
            decks=np.stack(decks),
            variant=0 * rows,
            seats=np.column_stack([2 * rows, 2 * rows + 1]),
            n_games=0 * rows + 1,
            first_game=np.array([2 * episode.number + 1 for episode in episodes]),
            stream=number_of(STREAM, environment),
        )
        played = play(batch, table, agents, threads=1, keep="winner")
        results = zip(episodes, kept(played.winners), played.sum_life, strict=True)
        for episode, winner, lives in results:
            yield episode, int(winner), (int(lives[0]), int(lives[1]))


@pytest.mark.thorough
def test_scripted_agents_play_through_the_view_as_they_do_compiled() -> None:
    names = list(VIEW_AGENTS)
    lineups = [lineup for lineup in LINEUPS for _ in names]
    players = [names[k % len(names)] for k in range(len(lineups))]
    episodes = episodes_of(40, lineups=lineups)
    episodes.reset()
    ended = list(ended_episodes(episodes, [VIEW_AGENTS[name] for name in players], 2_200))
    met = Counter((players[episode.lineup], lineups[episode.lineup].seat) for episode in ended)
    assert min(met[pilot] for pilot in product(names, (0, 1))) > 200
    results = Counter()
    for episode, winner, lives in games_in_batches(ended, lineups, players, TABLE):
        seat = lineups[episode.lineup].seat
        assert episode.reward == (0 if winner == 2 else 1 if winner == seat else -1)
        assert episode.lives == (lives[seat], lives[1 - seat])
        assert episode.how == TERMINATED
        results[episode.reward] += 1
    assert min(results[1], results[-1]) > 400


def test_restored_episodes_go_on_exactly() -> None:
    episodes = episodes_of(6, opponents=[Greedy(), agent_named("random")])
    episodes.reset()
    step_eagerly(episodes, 37)
    saved = episodes.state_arrays()
    copy = {name: array.copy() for name, array in saved.items()}
    trace = step_eagerly(episodes, 90)
    other = episodes_of(6, opponents=[Greedy(), agent_named("random")], stream=99)
    other.reset()
    step_eagerly(other, 5)
    other.restore(saved)
    assert step_eagerly(other, 90) == trace
    for name, array in saved.items():
        np.testing.assert_array_equal(array, copy[name])  # stepping must not change the copies


def step_eagerly(episodes: Episodes, n_steps: int) -> list[list]:
    """Step with the first legal action of all players, and return the arrays after each step."""
    trace = []
    for _ in range(n_steps):
        episodes.step(episodes.masks.argmax(axis=1))
        names = ("observations", "masks", "rewards", "ended", "asked", "lineup")
        trace.append([getattr(episodes, name).tolist() for name in names])
    return trace


def test_the_arrays_stay_where_they_are() -> None:
    episodes = episodes_of(2)
    names = ("observations", "masks", "rewards", "ended", "asked", "lineup", "finals")
    arrays = [getattr(episodes, name) for name in names]
    episodes.reset()
    step_eagerly(episodes, 3)
    episodes.restore(episodes.state_arrays())
    assert all(getattr(episodes, name) is array for name, array in zip(names, arrays, strict=True))


def test_skipping_forced_moves_leaves_the_games_alone() -> None:
    fewest = []

    def choose(values, mask, has_attacked) -> int:
        fewest[-1] = min(fewest[-1], mask.sum())
        return VIEW_AGENTS["greedy"](values, mask, has_attacked)

    def games(*, skip_forced: bool) -> dict[tuple[int, int], tuple[float, tuple[float, float]]]:
        fewest.append(40)
        episodes = episodes_of(5, skip_forced=skip_forced)
        episodes.reset()
        ended = ended_episodes(episodes, [choose] * 16, 60)
        return {
            (episode.environment, episode.number): (episode.reward, episode.lives)
            for episode in ended
        }

    asked = games(skip_forced=False)
    skipped = games(skip_forced=True)
    shared = asked.keys() & skipped.keys()
    assert len(shared) >= 30
    assert all(asked[key] == skipped[key] for key in shared)
    assert fewest == [1, 2]  # the fewest legal actions in a position that was asked about


def test_moving_some_games_leaves_the_others_as_they_are() -> None:
    episodes = episodes_of(6)
    episodes.reset()
    step_eagerly(episodes, 20)
    moving = np.array([True, False, False, True, False, True])
    before = episodes.state_arrays()
    episodes.step(episodes.masks.argmax(axis=1), moving)
    after = episodes.state_arrays()
    for name in ("states", "observations", "masks", "asked", "lineup", "begun"):
        np.testing.assert_array_equal(after[name][~moving], before[name][~moving])
    assert not after["rewards"][~moving].any()
    assert not after["ended"][~moving].any()
    assert (after["states"][moving] != before["states"][moving]).any(axis=1).all()


def test_the_turn_cap_truncates() -> None:
    episodes = episodes_of(20, table=pack_table(CORE, DUEL.model_copy(update={"turn_cap": 9})))
    episodes.reset()
    ended = list(ended_episodes(episodes, [VIEW_AGENTS["greedy"]] * 16, 300))
    how = Counter((episode.how, episode.reward) for episode in ended)
    assert set(how) == {(TRUNCATED, 0.0), (TERMINATED, 1.0), (TERMINATED, -1.0)}
    for episode in ended:
        assert (min(episode.lives) > 0) == (episode.how == TRUNCATED)


def test_line_ups_come_as_often_as_their_weights_say() -> None:
    weights = [1.0, 0.0, 5.0, 2.0]
    lineups = [Lineup(DECKS[k], DECKS[0], 0, k % 2, weight) for k, weight in enumerate(weights)]
    episodes = episodes_of(400, lineups=lineups)
    counts = np.zeros(4)
    for _ in range(20):
        episodes.reset()
        counts += np.bincount(episodes.lineup, minlength=4)
    expected = 8_000 * np.array(weights) / sum(weights)
    assert counts[1] == 0
    assert (np.abs(counts - expected) <= 4 * np.sqrt(expected)).all()


@pytest.mark.parametrize("action", [-64, -1, 8, 9, 40, 9 + 6 * 64 + 5])
def test_an_illegal_action_is_refused_and_ends_the_turn(action: int) -> None:
    episodes = episodes_of(3)
    other = episodes_of(3)
    episodes.reset()
    other.reset()
    with pytest.raises(ValueError, match="illegal") as caught:
        episodes.step(np.array([LAST, action, LAST]))
    check_message(str(caught.value))
    other.step(np.full(3, LAST))
    assert step_eagerly(episodes, 5) == step_eagerly(other, 5)


def _cheats(state, table):
    return PLAY + 15 * 64  # a hand position that no duel has


def test_an_illegal_action_of_an_opponent_is_reported() -> None:
    cheats = CompiledAgent("cheats", _cheats)
    episodes = episodes_of(2, lineups=[Lineup(DECKS[0], DECKS[1], 0, 0)], opponents=[cheats])
    episodes.reset()
    with pytest.raises(RuntimeError) as caught:
        episodes.step(np.array([LAST, LAST]))
    check_message(str(caught.value))


def test_games_that_end_before_the_first_move_are_refused() -> None:
    short = np.stack([row_of([0, 1, 2]), DECKS[0]])  # the opening hands need five cards
    refusal_of(episodes_of(2, lineups=[Lineup(short[0], short[1], 0, 1)]).reset)


def test_a_card_that_the_learner_cannot_see_is_refused() -> None:
    cards = list(CORE.cards)
    position = next(k for k, card in enumerate(cards) if card.effects)
    cards[position] = cards[position].model_copy(update={"effects": cards[position].effects * 2})
    table = pack_table(CORE.model_copy(update={"cards": tuple(cards)}), DUEL)
    unseen = row_of([position] * 10)
    other = row_of([position + 1] * 10)
    episodes_of(1, table=table, lineups=[Lineup(other, other, 0, 0)])
    error = refusal_of(episodes_of, 1, table=table, lineups=[Lineup(other, unseen, 0, 0)])
    assert error.value == cards[position].id


def test_each_episode_plays_one_variant() -> None:
    """Episodes of a variant equal those of environments that have only this variant."""
    genes = [Gene(card, "attack") for card in range(len(CORE.cards))]
    steps = np.random.default_rng(3).integers(0, 3, size=(4, len(genes)))
    table = varied(TABLE, genes, steps)
    pilots = [first_legal] * len(LINEUPS)
    mixed = episodes_of(24, table=table)
    alone = [episodes_of(24, table=replace(table, words=table.words[[v]])) for v in range(4)]
    for episodes in (mixed, *alone):
        episodes.reset()
    *alone_ended, ended = (
        {
            (episode.environment, episode.number): episode
            for episode in ended_episodes(episodes, pilots, 400)
        }
        for episodes in (*alone, mixed)
    )
    played = Counter[int]()
    for key, episode in ended.items():
        variant = draw_variant(4, number_of(STREAM, episode.environment), episode.number)
        if key in alone_ended[variant]:
            assert episode == alone_ended[variant][key]
            played[variant] += 1
    assert min(played[v] for v in range(4)) > 50
    first_lives = {of_variant[0, 0].lives for of_variant in alone_ended if (0, 0) in of_variant}
    assert len(first_lives) > 1


def test_too_many_variants_are_refused() -> None:
    steps = np.zeros((VARIANTS_MAX + 1, 1), dtype=np.int16)
    with pytest.raises(ValueError, match="variants") as caught:
        episodes_of(1, table=TABLE.vary([Gene(0, "attack")], steps))
    check_message(str(caught.value))
