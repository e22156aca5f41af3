"""Many games of Big Two side by side, compiled, and agents that play them to the end."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from os import cpu_count
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from sim.arguments import Threads, checked
from sim.big_two import layout as to
from sim.big_two.cards import DECK, HAND_SIZE, N_ACTIONS, N_SEATS, cards_in, read_set, set_text
from sim.big_two.play import act, deal, is_legal, list_moves
from sim.big_two.rules import BigTwoRules
from sim.engine.compiled import ByteBlock, Vector, compiled, i64, none
from sim.errors import InputError
from sim.seeds import whole_number

NO_ACTION = -1


@compiled(none(Vector, Vector, Vector, Vector, Vector, Vector, Vector), from_python=True)
def deal_games(
    games: Any, rows: Any, numbers: Any, variants: Any, seeds: Any, rotations: Any, fixed: Any
) -> None:
    """Deal the games of some rows.

    Args:
        games: ``[G * GAME_SIZE]`` words.
        rows: ``[B]`` which games.
        numbers: ``[V * N_NUMBERS]``.
        variants: ``[B]`` by which numbers.
        seeds: ``[B]`` 64 bits of each game's seed.
        rotations: ``[B]`` by how many seats the hands are turned.
        fixed: ``[4]`` sets that seats hold, 0 where hands are drawn.
    """
    for k in range(len(rows)):
        at = to.GAME_SIZE * rows[k]
        row = to.N_NUMBERS * variants[k]
        seed = int(seeds[k])
        deal(games, at, numbers, row, seed, rotations[k], fixed)


@compiled(i64(Vector, Vector, Vector, Vector), from_python=True)
def act_in_games(games: Any, order: Any, rows: Any, actions: Any) -> int:
    """Carry out an action in each of some games; returns how many could not be.

    An illegal one changes nothing, and neither does any where a game is over.
    """
    n_illegal = 0
    for k in range(len(rows)):
        at = to.GAME_SIZE * rows[k]
        if games[at + to.WINNER] != to.NOBODY or not is_legal(games, at, order, actions[k]):
            n_illegal += 1
        else:
            act(games, at, order, actions[k])
    return n_illegal


@compiled(none(Vector, Vector, Vector, ByteBlock, i64, Vector), from_python=True)
def mark_in_games(
    games: Any, order: Any, rows: Any, masks: Any, n_actions: int, moves: Any
) -> None:
    """Mark what the active seats may do: ``[B * n_actions]`` bytes; nothing where it is over."""
    for k in range(len(rows)):
        for action in range(n_actions):
            masks[n_actions * k + action] = 0
        at = to.GAME_SIZE * rows[k]
        if games[at + to.WINNER] == to.NOBODY:
            for move in range(list_moves(games, at, order, moves)):
                action = moves[move] & to.ACTION
                if action < n_actions:  # by other numbers than the rules', fours may go alone
                    masks[n_actions * k + action] = 1


@compiled(none(Vector, Vector, Vector, Vector, Vector), from_python=True)
def find_only_moves(games: Any, order: Any, rows: Any, moves: Any, actions: Any) -> None:
    """Write for ``[B]`` games the action of the active seat if it has but one, else `NO_ACTION`."""
    for k in range(len(rows)):
        n_moves = list_moves(games, to.GAME_SIZE * rows[k], order, moves)
        actions[k] = moves[0] & to.ACTION if n_moves == 1 else NO_ACTION


# --- many games, and who plays them ---

Positions = npt.NDArray[np.int64]
Masks = npt.NDArray[np.bool_]

FIRST_GAME = np.zeros(1, dtype=np.int64)
"""The row of the first of some games, for where there is but one."""

STRETCH = 4096
"""Games that `play_games` has side by side."""


class Turn(NamedTuple):
    """An entry of a game's log: who played which set of cards; 0 is a pass."""

    seat: int
    cards: int


class Games:
    """``G`` games of one ruleset, each at its own turn.

    Attributes:
        rules: by which they are played.
        words: ``[G * GAME_SIZE]`` all that there is of them (`sim.big_two.layout`).
        order: which straights and flushes are higher (`sim.big_two.sets`).
        scratch: room for a list of moves.
    """

    def __init__(self, rules: BigTwoRules, n_games: int) -> None:
        self.rules = rules
        self.words = np.zeros(n_games * to.GAME_SIZE, dtype=np.int64)
        self.order = rules.order
        self.scratch = np.zeros(N_ACTIONS, dtype=np.int64)
        self._rows = self.words.reshape(n_games, to.GAME_SIZE)

    @property
    def active(self) -> Positions:
        """``[G]`` the seat to move."""
        return self._rows[:, to.ACTIVE]

    @property
    def winner(self) -> Positions:
        """``[G]`` the seat that won, -1 while the game goes on."""
        return self._rows[:, to.WINNER]

    @property
    def opener(self) -> Positions:
        """``[G]`` the seat that began."""
        return self._rows[:, to.OPENER]

    @property
    def hands(self) -> Positions:
        """``[G, 4]`` the sets of cards that the seats hold."""
        return self._rows[:, to.HANDS : to.HANDS + N_SEATS]

    @property
    def cards_left(self) -> Positions:
        """``[G, 4]`` how many cards the seats hold."""
        return np.bitwise_count(self.hands).astype(np.int64)

    def deal(
        self,
        seeds: Sequence[int] | Positions,
        rows: Positions | None = None,
        *,
        rotations: npt.ArrayLike = 0,
        numbers: npt.ArrayLike | None = None,
        variants: npt.ArrayLike = 0,
        fixed_hands: Sequence[str | int] | None = None,
    ) -> None:
        """Deal games.

        Args:
            seeds: ``[B]`` 64 bits each.
            rows: ``[B]`` which games; default the first.
            rotations: ``[B]``, or one for all: by how many seats the hands are turned.
            numbers: ``[V, N_NUMBERS]`` numbers of the rules (`sim.big_two.rules.NUMBERS`); default
                those of `rules`.
            variants: ``[B]``, or one for all: by which of them.
            fixed_hands: what seats hold, as text or sets; `""` and 0 where the hand is drawn.

        Raises:
            InputError: fixed hands are no four sets of different cards, 13 at most; or seeds, rows,
                rotations, numbers or variants are none that there are.
        """
        self._check_deal(seeds, rows, rotations, numbers, variants)
        given = np.asarray(seeds, dtype=np.uint64)  # numpy makes floats of small and large ones
        told = self.rules.numbers if numbers is None else np.asarray(numbers, dtype=np.int64)
        by, turns = (
            np.broadcast_to(one, len(given)).astype(np.int64) for one in (variants, rotations)
        )
        deal_games(
            self.words,
            np.arange(len(given)) if rows is None else rows,
            told.ravel(),
            by,
            given.view(np.int64),
            turns,
            fixed_sets(fixed_hands or [0] * N_SEATS),
        )

    def _check_deal(
        self,
        seeds: Sequence[int] | Positions,
        rows: Positions | None,
        rotations: npt.ArrayLike,
        numbers: npt.ArrayLike | None,
        variants: npt.ArrayLike,
    ) -> None:
        """Refuse what would lead compiled code, which does not look, outside its memory."""
        n_deals = len(seeds)
        of_rules = self.rules.numbers if numbers is None else np.asarray(numbers)
        if of_rules.ndim not in (1, 2) or of_rules.shape[-1] != self.rules.numbers.shape[-1]:
            raise InputError(f"numbers of shape {of_rules.shape}; must be those of `BigTwoRules`")
        n_variants = 1 if of_rules.ndim == 1 else len(of_rules)
        places = np.arange(n_deals) if rows is None else rows
        for name, values, size in (
            ("rows", places, len(self._rows)),
            ("rotations", rotations, N_SEATS),
            ("variants", variants, n_variants),
        ):
            given = np.asarray(values)
            fits = given.shape in {(), (n_deals,)} and given.dtype.kind in "iu"
            if not fits or (given.size and not 0 <= given.min() <= given.max() < size):
                raise InputError(
                    f"{name} = {values!r}; must be whole numbers from 0 to {size - 1}, one for "
                    f"each of {n_deals} deals"
                )
        if isinstance(seeds, np.ndarray):  # of which there may be many, 64 bits each
            if seeds.dtype.kind not in "iu":
                raise InputError(f"seeds of type {seeds.dtype}; must be whole numbers")
        else:
            for seed in seeds:
                whole_number("seed", seed)

    def act(self, rows: Positions, actions: Positions) -> None:
        """Carry out one action in each of ``[B]`` games.

        Raises:
            ValueError: one of them is illegal, or its game is over; nothing has happened there.
        """
        is_action = (actions >= 0) & (actions < N_ACTIONS)
        n_illegal = act_in_games(self.words, self.order, rows[is_action], actions[is_action])
        if n_illegal + (~is_action).sum():
            raise ValueError(f"{n_illegal + (~is_action).sum()} of the actions were illegal")

    def masks(self, rows: Positions) -> Masks:
        """``[B, A]`` what may be done now; nothing where the game is over."""
        masks = np.zeros((len(rows), self.rules.n_actions), dtype=np.bool_)
        self.mark(rows, masks)
        return masks

    def mark(self, rows: Positions, masks: Masks) -> None:
        """Write what may be done in ``[B]`` games into ``[B, A]`` masks, as far as they reach."""
        flat = masks.reshape(-1).view(np.uint8)
        mark_in_games(self.words, self.order, rows, flat, masks.shape[1], self.scratch)

    def table(self, row: int) -> int:
        """The set to be beaten, 0 for who leads."""
        return int(self._rows[row, to.TABLE])

    def log(self, row: int) -> list[Turn]:
        """All that was played and passed in a game, in turn: what everybody knows of it."""
        entries = self._rows[row, to.LOG : to.LOG + self._rows[row, to.N_TURNS]].tolist()
        return [Turn(entry >> to.LOG_SEAT, entry & DECK) for entry in entries]


def fixed_sets(hands: Sequence[str | int]) -> Positions:
    """``[4]`` the sets of cards that hands are told as.

    Raises:
        InputError: they are no four sets of different cards, 13 at most.
    """
    sets = [read_set(hand) if isinstance(hand, str) else int(hand) for hand in hands]
    if len(sets) != N_SEATS:
        raise InputError(f"fixed_hands: {len(sets)} for {N_SEATS} seats; give an empty one to draw")
    taken = 0
    for seat, cards in enumerate(sets):
        place = f"fixed_hands: seat {seat}"
        if not 0 <= cards <= DECK or len(cards_in(cards)) > HAND_SIZE:
            raise InputError(f"{place} holds {len(cards_in(cards))} cards; at most {HAND_SIZE}")
        if cards & taken:
            raise InputError(f"{place} holds {set_text(cards & taken)}, which is given already")
        taken |= cards
    return np.array(sets, dtype=np.int64)


class BigTwoAgent(Protocol):
    """Who chooses for a seat, in many games at once."""

    @property
    def name(self) -> str:
        """What experiments and results call it."""

    def choose(self, games: Games, rows: Positions) -> Positions:
        """``[B]`` a legal action of the active seat in each of ``[B]`` games.

        It may read only what that seat may see: its own hand, the table, the log, and how many
        cards the others hold. It may not depend on which other games are asked about.
        """


@dataclass(frozen=True)
class CompiledAgent:
    """An agent that is one compiled function.

    Attributes:
        name: what experiments and results call it.
        chooser: writes the actions: (words, order, rows, moves, actions), see `Games`.
    """

    name: str
    chooser: Any

    def choose(self, games: Games, rows: Positions) -> Positions:
        """``[B]`` legal actions (`BigTwoAgent.choose`)."""
        actions = np.empty(len(rows), dtype=np.int64)
        self.chooser(games.words, games.order, rows, games.scratch, actions)
        return actions


def require_player(agent: object) -> None:
    """Refuse what is no agent of Big Two, such as the name of one.

    Raises:
        InputError: says what it is, and what makes an agent of a name.
    """
    if isinstance(agent, str):
        raise InputError(
            f"agent {agent!r}: is a name; agents.big_two.agent_named({agent!r}) is the agent"
        )
    if isinstance(agent, type) or not callable(getattr(agent, "choose", None)):
        raise InputError(f"agent {agent!r}: must be an object with `name` and `choose`")


class Outcomes(NamedTuple):
    """How games ended: who began ``[G]`` and won ``[G]``, and what each held ``[G, 4]``."""

    opener: Positions
    winner: Positions
    cards_left: Positions


def play_out(games: Games, agents: Sequence[BigTwoAgent]) -> None:
    """Let four agents, one a seat, play all games to the end."""
    seats_of = {id(agent): [s for s in range(N_SEATS) if agents[s] is agent] for agent in agents}
    rows = np.flatnonzero(games.winner == to.NOBODY)
    while len(rows):
        seats = games.active[rows]
        for agent in {id(agent): agent for agent in agents}.values():
            mine = rows[np.isin(seats, seats_of[id(agent)])]
            if len(mine):
                games.act(mine, agent.choose(games, mine))
        rows = rows[games.winner[rows] == to.NOBODY]


@checked(threads=Threads)
def play_games(
    rules: BigTwoRules,
    agents: Sequence[BigTwoAgent],
    seeds: Positions,
    *,
    rotations: npt.ArrayLike = 0,
    numbers: npt.ArrayLike | None = None,
    variants: npt.ArrayLike = 0,
    threads: int | None = None,
) -> Outcomes:
    """Deal and play ``[G]`` games; arguments as for `Games.deal`.

    What comes of a game is a function of its seed, whatever is played beside it.

    Raises:
        InputError: not one agent to a seat, or `Games.deal` refuses an argument.
    """
    if len(agents) != N_SEATS:
        raise InputError(f"{len(agents)} agents for {N_SEATS} seats; each seat needs one")
    for agent in agents:
        require_player(agent)
    n_games = len(seeds)
    told = [np.broadcast_to(one, n_games) for one in (rotations, variants)]

    def stretch(first: int) -> Outcomes:
        here = slice(first, first + STRETCH)
        games = Games(rules, len(seeds[here]))
        turns, rows = (one[here] for one in told)
        games.deal(seeds[here], rotations=turns, numbers=numbers, variants=rows)
        play_out(games, agents)
        return Outcomes(games.opener.copy(), games.winner.copy(), games.cards_left)

    with ThreadPoolExecutor(threads or cpu_count()) as pool:
        found = list(pool.map(stretch, range(0, max(n_games, 1), STRETCH)))
    return Outcomes(*(np.concatenate(parts) for parts in zip(*found, strict=True)))
