"""Episodes are the games that batches play, cut where somebody outside is to move."""

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
from sim.errors import InputError
from sim.play import Batch, CompiledAgent, Gene, Table, kept, pack_table, play
from sim.seeds import number_of, stream_seed
from tests.duels import CORE, DECKS, DUEL, TABLE, row_of, varied
from tests.view_agents import VIEW_AGENTS, Greedy, ViewAgent

STREAM = stream_seed(1, "episodes")
LAST = 39
ENEMIES = ("control", "aggro")


@dataclass(frozen=True)
class Ended:
    """One episode that has ended."""

    environment: int
    number: int  # from 0, within its environment
    lineup: int
    reward: float
    how: int
    lives: tuple[float, float]  # own, enemy's


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
    """Play on, line-up k piloted by ``pilots[k]``, until so many episodes have ended in all."""
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


def same_games_in_batches(
    ended: Sequence[Ended], lineups: Sequence[Lineup], players: Sequence[str], table: Table
) -> Iterator[tuple[Ended, int, tuple[int, int]]]:
    """Each episode with the winner and the lives by seat that the compiled engine comes to."""
    for environment in {one.environment for one in ended}:
        mine = [one for one in ended if one.environment == environment]
        rows = np.arange(len(mine))
        decks = []
        agents = []
        for one in mine:
            lineup = lineups[one.lineup]
            sides = [(lineup.own, players[one.lineup]), (lineup.enemy, ENEMIES[lineup.opponent])]
            for deck, agent in sides[:: 1 if lineup.seat == 0 else -1]:
                decks.append(deck)
                agents.append(agent_named(agent))
        batch = Batch(
            decks=np.stack(decks),
            variant=0 * rows,
            seats=np.column_stack([2 * rows, 2 * rows + 1]),
            n_games=0 * rows + 1,
            first_game=np.array([2 * one.number + 1 for one in mine]),
            stream=number_of(STREAM, environment),
        )
        played = play(batch, table, agents, threads=1, keep="winner")
        for one, winner, lives in zip(mine, kept(played.winners), played.sum_life, strict=True):
            yield one, int(winner), (int(lives[0]), int(lives[1]))


@pytest.mark.thorough
def test_scripted_agents_play_through_the_view_as_they_do_compiled() -> None:
    names = list(VIEW_AGENTS)
    lineups = [one for one in LINEUPS for _ in names]
    players = [names[k % len(names)] for k in range(len(lineups))]
    episodes = episodes_of(40, lineups=lineups)
    episodes.reset()
    ended = list(ended_episodes(episodes, [VIEW_AGENTS[name] for name in players], 2_200))
    met = Counter((players[one.lineup], lineups[one.lineup].seat) for one in ended)
    assert min(met[pilot] for pilot in product(names, (0, 1))) > 200
    results = Counter()
    for one, winner, lives in same_games_in_batches(ended, lineups, players, TABLE):
        seat = lineups[one.lineup].seat
        assert one.reward == (0 if winner == 2 else 1 if winner == seat else -1)
        assert one.lives == (lives[seat], lives[1 - seat])
        assert one.how == TERMINATED
        results[one.reward] += 1
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
        np.testing.assert_array_equal(array, copy[name])  # the copies are nobody else's


def step_eagerly(episodes: Episodes, n_steps: int) -> list[list]:
    """What each of some steps brought, whoever was asked."""
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
        return {(one.environment, one.number): (one.reward, one.lives) for one in ended}

    asked = games(skip_forced=False)
    skipped = games(skip_forced=True)
    shared = asked.keys() & skipped.keys()
    assert len(shared) >= 30
    assert all(asked[key] == skipped[key] for key in shared)
    assert fewest == [1, 2]  # actions to choose from, where anybody was asked


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
    how = Counter((one.how, one.reward) for one in ended)
    assert set(how) == {(TRUNCATED, 0.0), (TERMINATED, 1.0), (TERMINATED, -1.0)}
    for one in ended:
        assert (min(one.lives) > 0) == (one.how == TRUNCATED)


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
    for one in (episodes, other):
        one.reset()
    with pytest.raises(ValueError, match="1 of the actions were illegal"):
        episodes.step(np.array([LAST, action, LAST]))
    other.step(np.full(3, LAST))
    assert step_eagerly(episodes, 5) == step_eagerly(other, 5)


def _cheats(state, table):
    return PLAY + 15 * 64  # a hand position that no duel has


def test_an_opponents_illegal_action_is_not_the_learners() -> None:
    cheats = CompiledAgent("cheats", _cheats)
    episodes = episodes_of(2, lineups=[Lineup(DECKS[0], DECKS[1], 0, 0)], opponents=[cheats])
    episodes.reset()
    with pytest.raises(RuntimeError, match=r"opponents cheats: one of them chose an illegal"):
        episodes.step(np.array([LAST, LAST]))


def test_games_that_end_before_anybody_moves_are_refused() -> None:
    short = np.stack([row_of([0, 1, 2]), DECKS[0]])  # the opening hands need five cards
    with pytest.raises(InputError, match="end games before the learner's first move"):
        episodes_of(2, lineups=[Lineup(short[0], short[1], 0, 1)]).reset()


def test_a_card_that_the_learner_cannot_see_is_refused() -> None:
    cards = list(CORE.cards)
    position = next(k for k, card in enumerate(cards) if card.effects)
    cards[position] = cards[position].model_copy(update={"effects": cards[position].effects * 2})
    table = pack_table(CORE.model_copy(update={"cards": tuple(cards)}), DUEL)
    unseen = row_of([position] * 10)
    other = row_of([position + 1] * 10)
    episodes_of(1, table=table, lineups=[Lineup(other, other, 0, 0)])
    message = f"card '{cards[position].id}': learned agents cannot see its effects"
    with pytest.raises(InputError, match=message):
        episodes_of(1, table=table, lineups=[Lineup(other, unseen, 0, 0)])


def test_each_episode_plays_a_variant_of_its_own_to_the_end() -> None:
    """Its games are those that environments of this variant alone would play."""
    genes = [Gene(card, "attack") for card in range(len(CORE.cards))]
    steps = np.random.default_rng(3).integers(0, 3, size=(4, len(genes)))
    table = varied(TABLE, genes, steps)
    pilots = [first_legal] * len(LINEUPS)
    mixed = episodes_of(24, table=table)
    alone = [episodes_of(24, table=replace(table, words=table.words[[v]])) for v in range(4)]
    for one in (mixed, *alone):
        one.reset()
    *alone_ended, ended = (
        {(one.environment, one.number): one for one in ended_episodes(some, pilots, 400)}
        for some in (*alone, mixed)
    )
    played = Counter[int]()
    for place, one in ended.items():
        variant = draw_variant(4, number_of(STREAM, one.environment), one.number)
        if place in alone_ended[variant]:
            assert one == alone_ended[variant][place]
            played[variant] += 1
    assert min(played[v] for v in range(4)) > 50
    assert len({tuple(some[0, 0].lives) for some in alone_ended if (0, 0) in some}) > 1


def test_no_more_variants_than_can_be_drawn() -> None:
    steps = np.zeros((VARIANTS_MAX + 1, 1), dtype=np.int16)
    with pytest.raises(ValueError, match="2049 variants; the most are 2048"):
        episodes_of(1, table=TABLE.vary([Gene(0, "attack")], steps))
