"""Gymnasium environments of duels with one learner, for one duel or many at once."""

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
"""Deck, name of a deck, or path of a deck file, which ends in `.toml`."""

SeatChoice = int | Literal["either"]
"""Seat of the learner: 0, which moves first, 1, or `"either"` for both equally often."""


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
        deck: deck of the learner, or several decks, of which each episode draws one.
        opponent_deck: deck of the opponent, or several decks. Several decks are paired with the
            opponents in order, or all of them are played by a single opponent.
        opponent: agent that plays `opponent_deck`, or several agents. Several agents are paired
            with the decks in order, or all of them play a single deck.
        seat: seat of the learner: 0, which moves first, 1, or `"either"` for both.
        pool: pool of cards or its name; by default the pool that the learner's first deck names.
        ruleset: rules or their name; by default the rules that the learner's first deck names.

    Returns:
        Card table with one variant, all line-ups of duels with equal weights, and the agents that
        play the opponents' decks.

    Raises:
        InputError: a file is missing or wrong, the decks do not fit each other or the rules, the
            learner's view cannot show a card, an opponent is not an agent, the numbers of opponents
            and their decks do not match, or the seat does not exist.
    """
    decks = _deck_list(deck)
    enemies = _deck_list(opponent_deck)
    # A string is a sequence too, so it is handled as a single opponent, which `require_agent`
    # then rejects with a helpful message.
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
        decks: decks, as names, paths that end in `.toml`, or decks; at least one.
        pool: pool of cards or its name; by default the pool that the first deck names.
        ruleset: rules or their name; by default the rules that the first deck names.

    Raises:
        InputError: a file is missing or wrong, the decks do not fit each other or the rules, or a
            learner's view cannot show a card.
    """
    loaded = [load_deck(deck) if isinstance(deck, str) else deck for deck in decks]
    first = loaded[0]
    named = decks[0]
    is_file = isinstance(named, str) and named.endswith(".toml")
    near = Path(str(named)) if is_file else None  # a deck file may name pool and rules next to it
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
    """Return one or several decks as a list.

    Raises:
        InputError: the sequence of decks is empty.
    """
    decks = [deck] if isinstance(deck, str | Deck) else list(deck)
    if not decks:
        raise InputError("no deck", remedy="give at least one deck for each side")
    return decks


def _pairs(n_decks: int, n_agents: int) -> Iterable[tuple[int, int]]:
    """Return the pairs of positions of an opponent's deck and of the agent that plays it.

    Decks and agents are paired in order; a single deck or agent is paired with all others.

    Args:
        n_decks: number of decks of opponents, at least 1.
        n_agents: number of agents.

    Raises:
        InputError: there is no agent, or the two numbers differ and neither is 1.
    """
    n_pairs = max(n_decks, n_agents)
    if n_agents == 0 or {n_decks, n_agents} - {1, n_pairs}:
        raise InputError(
            f"the number of opponents is {n_agents}, but the number of their decks is {n_decks}",
            value=n_agents,
            limit=n_decks,
            remedy="give as many decks as opponents, or a single opponent or deck",
        )
    return [(min(k, n_decks - 1), min(k, n_agents - 1)) for k in range(n_pairs)]


def _seats(seat: SeatChoice) -> Sequence[int]:
    """Return the seats in which the learner plays: both for `"either"`, else the given seat.

    Raises:
        InputError: the seat is not 0, 1 or `"either"`.
    """
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

# Maximum number of steps of opponents between two decisions of the learner. A turn takes a few
# dozen steps, so more steps mean that games always end before the learner moves.
_TICKS_MAX = 10_000


class LearnersGames(Episodes, EnvironmentGames):
    """Card games in which `step` and `reset` return when the learner must choose in all games.

    A game that ends before the learner can move is replaced by the next game and does not count.
    The mask of a finished game allows only the end of the turn. Unless illegal actions are
    rejected, they are replaced by the end of the turn, or by the legal action with the lowest
    number if the turn cannot end.

    Attributes:
        rewards: reward of the learner in the last step, shape ``[N]``.
        ended: way in which a game ended in the last step, shape ``[N]``: `TERMINATED`, `TRUNCATED`,
            or 0 if no game ended.
        finals: the learner's observation of the end of its last ended game, valid if `ended` is not
            0, shape ``[N, n_values]``.
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
        """Create the games; `reset` begins them.

        The first four arguments and `skip_forced` are those of `Episodes`. The argument `illegal`
        is that of `DuelVectorEnv`.
        """
        super().__init__(table, lineups, opponents, n_environments, 0, skip_forced=skip_forced)
        self.idle: int = self.view.size.n_actions - 1
        known_word("value", illegal, get_args(IllegalActions), "illegal")
        self.replacement: int | None = self.idle if illegal == "end_turn" else None

    @property
    def truncated(self) -> npt.NDArray[np.bool_]:
        """Whether the turn limit ended a game in the last step, shape ``[N]``."""
        return np.equal(self.ended, TRUNCATED)

    def action_name(self, environment: int, action: int) -> str:
        """Return a readable name of an action in the current position of an environment."""
        return action_text(action, self.observations[environment], self.view)

    def text(self, _: int, values: Values, mask: npt.NDArray[np.bool_]) -> str:
        """Return a position as text, with its legal actions (`EnvironmentGames.text`)."""
        return position_text(values, mask, self.view)

    def reset(
        self,
        chosen: npt.NDArray[np.bool_] | None = None,
        _: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        """Abandon running games, and begin the next episode; there are no options.

        Args:
            chosen: whether to reset each environment, shape ``[N]``; by default all are reset.
            _: ignored options.
        """
        super().reset(chosen)

    def step(
        self, actions: npt.NDArray[np.int64], moving: npt.NDArray[np.bool_] | None = None
    ) -> None:
        """Carry out actions (`Episodes.step`), then the actions of learned opponents.

        The method returns when the learner must choose in all games.

        Args:
            actions: numbers of actions of the view, int64, shape ``[N]``.
            moving: whether to step each game, shape ``[N]``; by default all games are stepped.
        """
        super().step(actions, moving)
        if not self.is_learners.all():
            self._play_on()

    def _play_on(self) -> None:
        """Let learned opponents choose until the learner must choose in all games.

        If several games of an environment end in the process, `rewards`, `ended` and `finals`
        describe the first end.

        Raises:
            InputError: the learner was not to move in all games after `_TICKS_MAX` steps.
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
            # Only the first end is kept: in games that end later, the learner has not moved.
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
    """Vector environment of ``N`` duels of a learner against other agents.

    A step is one action of the learner and, if it ends the turn, the whole turn of the opponent.
    Observations are those of `sim.observation.view`: 67 values and 40 actions in a duel of plain
    cards. Rewards are 1 for a win, -1 for a loss, and otherwise 0. The turn limit truncates games.
    The mask of a finished game allows only the end of the turn.
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
            deck: deck of the learner, as a name, a path that ends in `.toml`, or a deck; or several
                decks, of which each episode draws one with equal probability.
            opponent_deck: deck of the opponent, or several decks. Several decks are paired with the
                opponents in order, or all of them are played by a single opponent.
            opponent: agent that plays `opponent_deck`, such as
                `agents.registry.agent_named("control")`, or several agents. Several agents are
                paired with the decks in order, or all of them play a single deck; all pairs are
                equally likely.
            seat: seat of the learner: 0, which moves first, 1, or `"either"` for both equally
                often.
            pool: pool of cards or its name; by default the pool that the learner's first deck
                names.
            ruleset: rules or their name; by default the rules that the learner's first deck names.
            skip_forced: whether positions in which only one action is legal are skipped.
            illegal: way to handle an illegal action: `"end_turn"` ends the turn, and sets
                `info["illegal_action"]` to true; `"refuse"` raises `ValueError`.
            render_mode: `"ansi"`, or `None` to disable rendering.

        Raises:
            InputError: an argument is wrong; the conditions are those of
                `sim.environments.vector.duels`.
        """
        table, lineups, opponents = duels(deck, opponent_deck, opponent, seat, pool, ruleset)
        games = LearnersGames(
            table, lineups, opponents, num_envs, skip_forced=skip_forced, illegal=illegal
        )
        super().__init__(games, render_mode)


class DuelEnv(LearnersEnv):
    """Environment of one duel of a learner against another agent."""

    def __init__(self, **arguments: Any) -> None:
        """Create the environment; `reset` begins the game.

        Args:
            **arguments: arguments of `DuelVectorEnv` other than `num_envs`.
        """
        super().__init__(DuelVectorEnv(1, **arguments))
