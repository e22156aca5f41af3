"""Gymnasium environments of duels with one learner: many at once, or one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, cast, get_args

import numpy as np
import numpy.typing as npt

from sim import (
    Deck,
    InputError,
    Pool,
    Ruleset,
    check_deck,
    check_view,
    known_word,
    load_deck,
    load_pool,
)
from sim.arguments import checked
from sim.environments.base import EnvironmentCount, EnvironmentGames, RenderMode
from sim.environments.episodes import TRUNCATED, Episodes, Lineup
from sim.environments.learners import LearnersEnv, LearnersVectorEnv
from sim.environments.position import action_text, position_text
from sim.observation.parallel_games import Values
from sim.play import Agent, Table, pack_table, row_of_deck
from sim.play.agent import require_agent
from sim.ruleset import N_SEATS, load_ruleset

Rows16 = npt.NDArray[np.int16]
DeckChoice = str | Deck
"""A deck, the name of one, or a path that ends in `.toml`."""

SeatChoice = int | Literal["either"]
"""The learner's seat; 0 moves first."""


def duels(
    deck: DeckChoice | Sequence[DeckChoice],
    opponent_deck: DeckChoice | Sequence[DeckChoice],
    opponent: Agent | Sequence[Agent],
    seat: SeatChoice,
    pool: str | Pool | None,
    ruleset: str | Ruleset | None,
) -> tuple[Table, tuple[Lineup, ...], tuple[Agent, ...]]:
    """Return the arguments of `Episodes` for duels of a learner against opponents.

    Args:
        deck: deck of the learner, or several to draw from: names, paths that end in `.toml`, or
            decks.
        opponent_deck: deck of the opponent. Several decks are paired with the opponents one by one,
            or all go to a single opponent.
        opponent: agent that plays it. Several agents are paired with the decks one by one, or all
            play a single deck.
        seat: seat of the learner; 0 moves first.
        pool: the cards; by default the pool that the learner's first deck names.
        ruleset: the rules; by default those that the learner's first deck names.

    Returns:
        The card table of one variant, the line-ups of duels, all equally likely, and the agents
        that play the opponents' decks.

    Raises:
        InputError: a file is missing or wrong, the decks do not fit each other or the rules, the
            learner could not see a card, an opponent is no agent, or there is no such seat.
    """
    decks = _deck_list(deck)
    enemies = _deck_list(opponent_deck)
    # A string is no agent, but a sequence; `require_agent` reports it.
    is_single = isinstance(opponent, str) or not isinstance(opponent, Sequence)
    agents = cast(
        "list[Agent]", [opponent] if is_single else list(cast("Sequence[Agent]", opponent))
    )
    for agent in agents:
        require_agent(agent)
    table, rows = rows_of([*decks, *enemies], pool, ruleset)
    own_rows = rows[: len(decks)]
    enemy_rows = rows[len(decks) :]
    lineups = tuple(
        Lineup(own, enemy_rows[enemy], agent, learners)
        for own in own_rows
        for enemy, agent in _pairs(len(enemies), len(agents))
        for learners in _seats(seat)
    )
    return table, lineups, tuple(agents)


def rows_of(
    decks: Sequence[DeckChoice], pool: str | Pool | None, ruleset: str | Ruleset | None
) -> tuple[Table, list[Rows16]]:
    """Return the card table for games with given decks, and the row of each deck.

    Args:
        decks: the decks (`duels`); the first one names the default pool and ruleset.
        pool: the cards, or their name.
        ruleset: the rules, or their name.

    Raises:
        InputError: a file is missing or wrong, or the decks do not fit each other or the rules.
    """
    loaded = [load_deck(deck) if isinstance(deck, str) else deck for deck in decks]
    first = loaded[0]
    named = decks[0]
    is_file = isinstance(named, str) and named.endswith(".toml")
    near = Path(str(named)) if is_file else None  # names in a file may be relative to the file
    if not isinstance(pool, Pool):
        pool = load_pool(pool) if pool else load_pool(first.pool, near)
    if not isinstance(ruleset, Ruleset):
        ruleset = load_ruleset(ruleset) if ruleset else load_ruleset(first.ruleset, near)
    for deck in loaded:
        check_deck(deck, pool, ruleset)
    table = pack_table(pool, ruleset)
    check_view(table, loaded)
    return table, [row_of_deck(deck, pool) for deck in loaded]


def _deck_list(deck: DeckChoice | Sequence[DeckChoice]) -> list[DeckChoice]:
    """Return one deck or several as a list of at least one."""
    decks = [deck] if isinstance(deck, str | Deck) else list(deck)
    if not decks:
        raise InputError("no deck", remedy="give at least one deck for each side")
    return decks


def _pairs(n_decks: int, n_agents: int) -> Iterable[tuple[int, int]]:
    """Return pairs of an opponent's deck and its agent, by their positions."""
    n_pairs = max(n_decks, n_agents)
    if n_agents == 0 or {n_decks, n_agents} - {1, n_pairs}:
        raise InputError(
            f"the numbers of opponents ({n_agents}) and of their decks ({n_decks}) do not match",
            value=n_agents,
            limit=n_decks,
            remedy="give equally many of both, or one of either",
        )
    return [(min(k, n_decks - 1), min(k, n_agents - 1)) for k in range(n_pairs)]


def _seats(seat: SeatChoice) -> Sequence[int]:
    """Return the seats in which the learner plays."""
    if seat == "either":
        return range(N_SEATS)
    if isinstance(seat, bool) or seat not in range(N_SEATS):
        raise InputError(
            f"= {seat!r}",
            place="seat",
            value=seat,
            limit=(0, 1, "either"),
            remedy="it must be 0 (moves first), 1 or 'either'",
            separator=" ",
        )
    return [int(seat)]


# --- the games, and their environments ---

IllegalActions = Literal["end_turn", "refuse"]

# Most steps of opponents between two decisions of the learner. A turn takes a few dozen, so more
# means that games end before the learner ever moves.
_TICKS_MAX = 10_000


class LearnersGames(Episodes, EnvironmentGames):
    """Episodes of which `step` and `reset` return when the learner must choose in all of them.

    If the next game ends before the learner can move, another one takes its place and it does not
    count. The mask of an end allows only the end of the turn. The same action replaces illegal ones
    unless these are rejected; where the turn cannot be ended, before a choice, the lowest legal
    action does.

    Attributes:
        rewards: ``[N]`` reward of the learner in the last step.
        ended: ``[N]`` how a game ended in the last step.
        finals: ``[N, n_values]`` the learner's observation of the end, where `ended`.
    """

    def __init__(
        self,
        table: Table,
        lineups: Sequence[Lineup],
        opponents: Sequence[Agent],
        n_environments: int,
        *,
        skip_forced: bool,
        illegal: IllegalActions,
    ) -> None:
        """Create the games; the arguments are those of `Episodes` and `DuelVectorEnv`."""
        super().__init__(table, lineups, opponents, n_environments, 0, skip_forced=skip_forced)
        self.idle = self.view.size.n_actions - 1
        known_word("illegal", illegal, get_args(IllegalActions))
        self.replacement = self.idle if illegal == "end_turn" else None

    @property
    def truncated(self) -> npt.NDArray[np.bool_]:
        """``[N]`` whether the turn limit ended a game in the last step."""
        return np.equal(self.ended, TRUNCATED)

    def action_name(self, environment: int, action: int) -> str:
        """Return a readable name of an action in the position of an environment."""
        return action_text(action, self.observations[environment], self.view)

    def text(self, _: int, values: Values, mask: npt.NDArray[np.bool_]) -> str:
        """Return a position as text (`EnvironmentGames.text`)."""
        return position_text(values, mask, self.view)

    def reset(
        self,
        chosen: npt.NDArray[np.bool_] | None = None,
        _: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        """Begin the next episode, in all environments or where ``[N]`` `chosen`."""
        super().reset(chosen)

    def step(
        self, actions: npt.NDArray[np.int64], moving: npt.NDArray[np.bool_] | None = None
    ) -> None:
        """Carry out actions (`Episodes.step`), then answers of learned opponents.

        The method returns when only the learner must choose.
        """
        super().step(actions, moving)
        if not self.is_learners.all():
            self._play_on()

    def _play_on(self) -> None:
        """Let learned opponents choose until only the learner must choose.

        If several games of an environment end meanwhile, the arrays describe the first end.
        """
        results: list[npt.NDArray[Any]] = [self.rewards, self.ended, self.finals]
        first = [array.copy() for array in results]
        answers = np.zeros(len(self.asked), dtype=np.int64)
        for _ in range(_TICKS_MAX):
            waiting = ~self.is_learners
            if not waiting.any():
                break
            self.answer(answers)
            super().step(answers, waiting)
            new = (first[1] == 0) & (self.ended != 0)
            for first_array, array in zip(first, results, strict=True):
                first_array[new] = array[new]
        else:
            raise InputError(
                "these decks and rules end games before the learner's first move",
                remedy="use other decks or rules",
            )
        for first_array, array in zip(first, results, strict=True):
            array[...] = first_array


class DuelVectorEnv(LearnersVectorEnv):
    """``N`` duels of a learner against other agents, stepped together by compiled code.

    A step is one action of the learner; the opponent's whole turn happens inside it. Observations
    are those of `sim.observation.view`: 67 values and 40 actions in a duel of plain cards. Rewards
    are 1 for a win, -1 for a loss, else 0. The turn limit truncates. The mask of an end allows only
    the end of the turn.
    """

    @checked(num_envs=EnvironmentCount, skip_forced=bool, render_mode=RenderMode)
    def __init__(
        self,
        num_envs: int,
        *,
        deck: DeckChoice | Sequence[DeckChoice],
        opponent_deck: DeckChoice | Sequence[DeckChoice],
        opponent: Agent | Sequence[Agent],
        seat: SeatChoice = 1,
        pool: str | Pool | None = None,
        ruleset: str | Ruleset | None = None,
        skip_forced: bool = False,
        illegal: IllegalActions = "end_turn",
        render_mode: str | None = None,
    ) -> None:
        """Create the environments; `reset` begins the games.

        Args:
            num_envs: number of environments, ``N``.
            deck: deck of the learner: a name, a path that ends in `.toml`, or a deck; or several,
                of which each episode draws one, all equally likely.
            opponent_deck: deck of the opponent. Several decks are paired with the opponents one by
                one, or all go to a single opponent.
            opponent: agent that plays it, such as `agents.registry.agent_named("control")`.
                Several agents, each with its deck, are met equally often. A learned agent chooses
                inside `step`.
            seat: seat of the learner: 0 moves first; 1; or `"either"`, both equally often.
            pool: the cards; by default the pool that the learner's first deck names.
            ruleset: the rules; by default those that the learner's first deck names.
            skip_forced: whether positions in which only the end of the turn is legal are skipped.
            illegal: how an illegal action is handled: `"end_turn"` ends the turn, and
                `info["illegal_action"]` is true; `"refuse"` raises `ValueError`.
            render_mode: `"ansi"`, or `None` for no rendering.

        Raises:
            InputError: an argument is wrong (`sim.environments.vector.duels`).
        """
        table, lineups, opponents = duels(deck, opponent_deck, opponent, seat, pool, ruleset)
        games = LearnersGames(
            table, lineups, opponents, num_envs, skip_forced=skip_forced, illegal=illegal
        )
        super().__init__(games, render_mode)


class DuelEnv(LearnersEnv):
    """A learner's duel against another agent; `DuelVectorEnv` plays many."""

    def __init__(self, **arguments: Any) -> None:
        """Create the environment; the arguments are those of `DuelVectorEnv`."""
        super().__init__(DuelVectorEnv(1, **arguments))
