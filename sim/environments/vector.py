"""Many duels at once, and one, for Gymnasium: made of names and choices, only the learner asked."""

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
from sim.observation.side_by_side import Values
from sim.play import Agent, Table, pack_table, row_of_deck
from sim.play.agent import require_agent
from sim.ruleset import N_SEATS, load_ruleset

Rows16 = npt.NDArray[np.int16]
DeckChoice = str | Deck
SeatChoice = int | Literal["either"]


def duels(
    deck: DeckChoice | Sequence[DeckChoice],
    opponent_deck: DeckChoice | Sequence[DeckChoice],
    opponent: Agent | Sequence[Agent],
    seat: SeatChoice,
    pool: str | Pool | None,
    ruleset: str | Ruleset | None,
) -> tuple[Table, tuple[Lineup, ...], tuple[Agent, ...]]:
    """The duels of a learner's decks against opponents with theirs: what `Episodes` takes.

    Args:
        deck: the learner's, or several to choose from: each a name, a path that ends in `.toml`,
            or a deck.
        opponent_deck: the opponent's; several belong to the opponents one by one, or all to the
            only one.
        opponent: who pilots it; several pilot the decks one by one, or all the only one.
        seat: the learner's; 0 moves first.
        pool: the cards; default the pool that the learner's first deck names.
        ruleset: the rules; likewise.

    Returns:
        The cards, one variant; how a duel may be made up, all equally likely; and who pilots the
        enemies' decks.

    Raises:
        InputError: a file is missing or wrong, decks do not fit each other or the rules, the
            learner could not see a card, an opponent is no agent, or there is no such seat.
    """
    decks = _several(deck)
    enemies = _several(opponent_deck)
    is_one = isinstance(opponent, str) or not isinstance(opponent, Sequence)
    agents = cast("list[Agent]", [opponent] if is_one else list(cast("Sequence[Agent]", opponent)))
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
    """The table that decks are played with, and each deck's row; arguments as for `duels`.

    Raises:
        InputError: see `duels`.
    """
    loaded = [load_deck(deck) if isinstance(deck, str) else deck for deck in decks]
    first = loaded[0]
    named = decks[0]
    is_file = isinstance(named, str) and named.endswith(".toml")
    near = Path(str(named)) if is_file else None  # its own names may be relative to it
    if not isinstance(pool, Pool):
        pool = load_pool(pool) if pool else load_pool(first.pool, near)
    if not isinstance(ruleset, Ruleset):
        ruleset = load_ruleset(ruleset) if ruleset else load_ruleset(first.ruleset, near)
    for deck in loaded:
        check_deck(deck, pool, ruleset)
    table = pack_table(pool, ruleset)
    check_view(table, loaded)
    return table, [row_of_deck(deck, pool) for deck in loaded]


def _several(deck: DeckChoice | Sequence[DeckChoice]) -> list[DeckChoice]:
    decks = [deck] if isinstance(deck, str | Deck) else list(deck)
    if not decks:
        raise InputError("an environment needs at least one deck on either side")
    return decks


def _pairs(n_decks: int, n_agents: int) -> Iterable[tuple[int, int]]:
    """Which of the opponents' decks is piloted by which agent."""
    n_pairs = max(n_decks, n_agents)
    if n_agents == 0 or {n_decks, n_agents} - {1, n_pairs}:
        raise InputError(
            f"{n_agents} opponents for {n_decks} decks; give as many of both, or one of either"
        )
    return [(min(k, n_decks - 1), min(k, n_agents - 1)) for k in range(n_pairs)]


def _seats(seat: SeatChoice) -> Sequence[int]:
    if seat == "either":
        return range(N_SEATS)
    if isinstance(seat, bool) or seat not in range(N_SEATS):
        raise InputError(f"seat = {seat!r}; it must be 0 (moves first), 1 or 'either'")
    return [int(seat)]


# --- the games, and their environments ---

IllegalActions = Literal["end_turn", "refuse"]

_TICKS_MAX = 10_000  # of opponents between two decisions of a learner; a turn takes some tens


class LearnersGames(Episodes, EnvironmentGames):
    """`Episodes` of which `step` and `reset` return when the learner is asked in all of them.

    Should a game that follows another end before the learner can move, another takes its place
    and it counts for nothing. The end of the turn is all that an end's mask shows, and what illegal
    actions become unless they are refused; where the turn cannot be ended, before a choice, they
    become the lowest legal one.

    Attributes:
        rewards: ``[N]`` of the last step, the learner's.
        ended: ``[N]`` how games ended in the last step.
        finals: ``[N, n_values]`` where `ended`: the end as the learner saw it.
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
        super().__init__(table, lineups, opponents, n_environments, 0, skip_forced=skip_forced)
        self.idle = self.view.size.n_actions - 1
        known_word("illegal", illegal, get_args(IllegalActions))
        self.instead = self.idle if illegal == "end_turn" else None

    @property
    def truncated(self) -> npt.NDArray[np.bool_]:
        """``[N]`` where the turn cap ended a game in the last step."""
        return np.equal(self.ended, TRUNCATED)

    def told(self, environment: int, action: int) -> str:
        """What an action is called."""
        return action_text(action, self.observations[environment], self.view)

    def text(self, _: int, values: Values, mask: npt.NDArray[np.bool_]) -> str:
        """A position as text."""
        return position_text(values, mask, self.view)

    def reset(
        self,
        chosen: npt.NDArray[np.bool_] | None = None,
        _: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        """Begin the next episode, everywhere or where ``[N]`` `chosen`."""
        super().reset(chosen)

    def step(
        self, actions: npt.NDArray[np.int64], moving: npt.NDArray[np.bool_] | None = None
    ) -> None:
        """As `Episodes.step`; then learned opponents answer until only the learner is asked."""
        super().step(actions, moving)
        if not self.is_learners.all():
            self._play_on()

    def _play_on(self) -> None:
        """Let learned opponents answer; of the ends in one step the first ones count."""
        told: list[npt.NDArray[Any]] = [self.rewards, self.ended, self.finals]
        first = [array.copy() for array in told]
        answers = np.zeros(len(self.asked), dtype=np.int64)
        for _ in range(_TICKS_MAX):
            waiting = ~self.is_learners
            if not waiting.any():
                break
            self.answer(answers)
            super().step(answers, waiting)
            new = (first[1] == 0) & (self.ended != 0)
            for kept, array in zip(first, told, strict=True):
                kept[new] = array[new]
        else:
            raise InputError("these decks and rules end games before the learner's first move")
        for kept, array in zip(first, told, strict=True):
            array[...] = kept


class DuelVectorEnv(LearnersVectorEnv):
    """``N`` duels of a learner against other agents, stepped together by compiled code.

    A step is one action of the learner; the opponent's whole turn happens inside. The values are
    those of `sim.observation.view`: 67 and 40 actions in a plain duel. Rewards are 1 for a win, -1
    for a loss, else 0. The turn cap truncates. The mask of an end shows the end of the turn.
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
        """Make the environments; `reset` begins the games.

        Args:
            num_envs: ``N``.
            deck: the learner's: a name, a path that ends in `.toml`, or a deck; or several, of
                which each episode takes one, all equally likely.
            opponent_deck: the opponent's; several belong to the opponents one by one, or all to
                the only one.
            opponent: who pilots it, e.g. `agents.registry.agent_named("control")`; several, each
                with its deck, are met equally often. A learned one is asked inside `step`.
            seat: the learner's: 0 moves first; 1; or `"either"`, both equally often.
            pool: the cards; default the pool that the learner's first deck names.
            ruleset: the rules; likewise.
            skip_forced: whether positions that leave nothing but ending the turn are skipped.
            illegal: what an illegal action does: `"end_turn"` ends the turn, and
                `info["illegal_action"]` says so; `"refuse"` raises `ValueError`.
            render_mode: `"ansi"` or nothing.

        Raises:
            InputError: see `sim.environments.vector.duels`.
        """
        played = duels(deck, opponent_deck, opponent, seat, pool, ruleset)
        super().__init__(
            LearnersGames(*played, num_envs, skip_forced=skip_forced, illegal=illegal), render_mode
        )


class DuelEnv(LearnersEnv):
    """A learner's duel against another agent; `DuelVectorEnv` is the same many times."""

    def __init__(self, **told: Any) -> None:
        """Arguments as for `DuelVectorEnv`."""
        super().__init__(DuelVectorEnv(1, **told))
