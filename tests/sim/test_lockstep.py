"""Lock-step play: the agents' calls, refusals and cancellation; conformance tests its outcomes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from threading import Event, get_ident

import numpy as np
import pytest

from agents.registry import agent_named
from agents.scripted.board_view import legal_action
from sim.engine.layout import ACTIVE, ASK, WINS_FIRST
from sim.play import Batch, CompiledAgent, lockstep, pack_table, play
from sim.play.backend import Work
from sim.play.lockstep import LockstepPlay
from tests.duels import CORE, DECKS, DUEL, TABLE, view_of_pool
from tests.messages import check_message
from tests.refusals import refusal_of
from tests.view_agents import Greedy

AGGRO = agent_named("aggro")
GAMES = Batch(
    decks=DECKS[:2],
    variant=np.array([0, 0]),
    seats=np.array([[0, 1], [1, 0]]),
    n_games=np.array([30, 30]),
    first_game=np.array([0, 0]),
    stream=3,
)


@dataclass(frozen=True)
class Curious(Greedy):
    """Greedy agent that records the observations and masks of its calls."""

    observations: list[np.ndarray] = field(default_factory=list)
    masks: list[np.ndarray] = field(default_factory=list)

    def choose(self, observations, masks):
        self.observations.append(observations.copy())
        self.masks.append(masks.copy())
        return super().choose(observations, masks)


@dataclass(frozen=True)
class EagerlyCurious(Curious):
    """Agent that takes the first legal action and records the masks of its calls.

    Of nine cards and eight by eight attacks, those on the player come last in each unit's eight.
    """

    def choose(self, observations, masks):
        self.masks.append(masks.copy())
        attacks = np.roll(np.arange(9, 9 + 64).reshape(8, 8), -1, axis=1).ravel()
        order = np.concatenate([np.arange(9), attacks, [9 + 64]])
        return order[masks[:, order].argmax(axis=1)]


def test_agents_answer_many_games_at_once_and_no_forced_action() -> None:
    curious = Curious()
    outcomes = play(GAMES, TABLE, [curious, AGGRO], threads=1, keep="actions")
    masks = np.concatenate(curious.masks)
    assert masks.sum(axis=1).min() == 2
    assert outcomes.chosen is not None
    of_curious = outcomes.chosen[0, 0].sum() + outcomes.chosen[1, 1].sum()
    assert len(masks) < 0.9 * of_curious  # forced actions are counted too, but not asked for
    sizes = [len(batch) for batch in curious.masks]
    assert sizes[0] == max(sizes) == 60


def test_each_agent_is_asked_once_in_a_round() -> None:
    first = Curious("first")
    second = Curious("second")
    play(GAMES, TABLE, [first, second], threads=1)
    shared = Curious("both")
    play(GAMES, TABLE, [shared, shared], threads=1)
    assert max(len(first.masks), len(second.masks)) <= len(shared.masks)
    n_asked = sum(len(masks) for masks in first.masks + second.masks)
    assert n_asked == sum(len(masks) for masks in shared.masks)


@dataclass(frozen=True)
class Cheat(Greedy):
    """Agent that chooses an illegal action when its life is low."""

    answer: int = 0

    def choose(self, observations, masks):
        return np.where(observations[:, 0] < 8, self.answer, super().choose(observations, masks))


@pytest.mark.parametrize("answer", [8, -64, -1, 40, 9 + 6 * 64 + 5, 2**40])
def test_an_illegal_action_is_refused_with_the_agents_names(answer: int) -> None:
    cheat = Cheat("cheat, seen", answer=answer)
    with pytest.raises(RuntimeError) as caught:
        play(GAMES, TABLE, [cheat, AGGRO], threads=1, keep="actions")
    check_message(str(caught.value))


def test_a_card_that_a_learned_agent_cannot_see_is_refused() -> None:
    cards = list(CORE.cards)
    position = next(card for card in DECKS[1, 1:31] if cards[card].effects)
    cards[position] = cards[position].model_copy(update={"effects": cards[position].effects * 2})
    table = pack_table(CORE.model_copy(update={"cards": tuple(cards)}), DUEL)
    error = refusal_of(play, GAMES, table, [Greedy(), AGGRO])
    assert f"card '{cards[position].id}'" in str(error)
    assert play(GAMES, table, [AGGRO, AGGRO]).turns.sum() == 60


def _eager(state, table):
    return legal_action(state, state[ACTIVE], 0)


def test_rules_beyond_the_duels_view_are_seen_through_the_general_one() -> None:
    curious = EagerlyCurious()
    table = pack_table(CORE, DUEL.model_copy(update={"board_limit": 7}))
    outcomes = play(GAMES, table, [AGGRO, curious], keep="actions")
    expected = play(GAMES, table, [AGGRO, CompiledAgent("eager", _eager)], keep="actions")
    np.testing.assert_array_equal(outcomes.chosen, expected.chosen)
    assert outcomes.points.tolist() == expected.points.tolist()
    n_actions = view_of_pool(table).size.n_actions
    assert {masks.shape[1] for masks in curious.masks} == {n_actions}
    assert n_actions == 9 + 8 * 8 + 1


@dataclass(frozen=True)
class Breaking(Greedy):
    """Agent that plays on in one thread until it has raised an error in the other."""

    broken: Event = field(default_factory=Event)
    threads: list[int] = field(default_factory=list)

    def choose(self, observations, masks):
        if get_ident() not in self.threads:
            self.threads.append(get_ident())
        if len(self.threads) == 2 and get_ident() == self.threads[1]:
            self.broken.set()
            raise ArithmeticError("broken")
        self.broken.wait(timeout=60)
        return super().choose(observations, masks)


def test_an_agents_failure_ends_the_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lockstep, "PLACES", 4)
    with pytest.raises(ArithmeticError, match="broken"):
        play(replace(GAMES, n_games=np.array([400, 400])), TABLE, [Breaking()] * 2, threads=2)


def test_cancelled_play_ends_early() -> None:
    work = Work(
        tables=TABLE.words,
        decks=GAMES.decks,
        rows=np.column_stack([GAMES.variant, GAMES.seats, GAMES.first_game]),
        ends=np.array([30, 60]),
        addresses=np.array([[ASK] * 2, [AGGRO.address(general=False)] * 2]),
        stream=GAMES.stream,
        keep_cards=False,
        winners=np.zeros(0, dtype=np.int8),
        counting_view=None,
    )
    backend = LockstepPlay(work, TABLE, [Greedy(), AGGRO])
    assert backend.play(0, 60).totals[:, WINS_FIRST : WINS_FIRST + 3].sum() == 60
    backend.give_up()
    assert backend.play(0, 60).totals[:, WINS_FIRST : WINS_FIRST + 3].sum() == 0
