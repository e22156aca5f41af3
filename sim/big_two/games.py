"""Many games of Big Two at once, the interface of their agents, and play to the end."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from sim.arguments import Threads, checked
from sim.big_two import layout as to
from sim.big_two.cards import DECK, HAND_SIZE, N_ACTIONS, N_SEATS, cards_in, read_set, set_text
from sim.big_two.play import act, deal, is_legal, list_moves
from sim.big_two.rules import BigTwoRules, Numbers
from sim.engine.compiled import ByteBlock, Vector, compiled, i64, none
from sim.errors import InputError
from sim.play.workers.current import n_local_threads
from sim.seeds import whole_number

NO_ACTION = -1
"""Value that `find_only_moves` writes for a game in which several actions are legal."""


@compiled(none(Vector, Vector, Vector, Vector, Vector, Vector, Vector), from_python=True)
def deal_games(
    games: Any, rows: Any, numbers: Any, variants: Any, seeds: Any, rotations: Any, fixed: Any
) -> None:
    """Deal selected games, which replaces their previous states.

    Args:
        games: words of all games, shape ``[G * GAME_SIZE]``.
        rows: indices of the games to deal, shape ``[B]``.
        numbers: numbers of the rules of all variants, shape ``[V * N_NUMBERS]``.
        variants: variant of the rules of each game, shape ``[B]``.
        seeds: 64-bit seed of each game, shape ``[B]``.
        rotations: number of seats by which the hands of each game are rotated, shape ``[B]``.
        fixed: set of cards that each seat holds, or 0 if the seat draws its hand, shape ``[4]``.
    """
    for k in range(len(rows)):
        at = to.GAME_SIZE * rows[k]
        row = to.N_NUMBERS * variants[k]
        seed = int(seeds[k])
        deal(games, at, numbers, row, seed, rotations[k], fixed)


@compiled(i64(Vector, Vector, Vector, Vector), from_python=True)
def act_in_games(games: Any, order: Any, rows: Any, actions: Any) -> int:
    """Carry out one action in each selected game, and return the number of illegal actions.

    An illegal action does not change its game. All actions are illegal in finished games.

    Args:
        games: words of all games, shape ``[G * GAME_SIZE]``.
        order: order of straights and flushes (`BigTwoRules.order`).
        rows: indices of the selected games, shape ``[B]``.
        actions: number of the action in each selected game, shape ``[B]``.
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
    """Write masks of the legal actions of the active seats; a finished game has none.

    Args:
        games: words of all games, shape ``[G * GAME_SIZE]``.
        order: order of straights and flushes (`BigTwoRules.order`).
        rows: indices of the selected games, shape ``[B]``.
        masks: bytes that are set to 1 for legal and to 0 for illegal actions, shape
            ``[B * n_actions]``.
        n_actions: number of actions of each mask; later actions are left out.
        moves: work area for a list of moves.
    """
    for k in range(len(rows)):
        for action in range(n_actions):
            masks[n_actions * k + action] = 0
        at = to.GAME_SIZE * rows[k]
        if games[at + to.WINNER] == to.NOBODY:
            for move in range(list_moves(games, at, order, moves)):
                action = moves[move] & to.ACTION
                # A variant may allow fours alone even if the rules that size the masks do not.
                if action < n_actions:
                    masks[n_actions * k + action] = 1


@compiled(none(Vector, Vector, Vector, Vector, Vector), from_python=True)
def find_only_moves(games: Any, order: Any, rows: Any, moves: Any, actions: Any) -> None:
    """Write the only legal action of each active seat, or `NO_ACTION` if several are legal.

    The arguments are those of an agent's compiled function (`CompiledAgent.chooser`).
    """
    for k in range(len(rows)):
        n_moves = list_moves(games, to.GAME_SIZE * rows[k], order, moves)
        actions[k] = moves[0] & to.ACTION if n_moves == 1 else NO_ACTION


# --- states of many games, and the agents that play them ---

Positions = npt.NDArray[np.int64]
"""Array of whole numbers with one entry per game, such as indices, actions, seats or sets."""

Masks = npt.NDArray[np.bool_]
"""Array that says whether each action is legal in each game, shape ``[B, A]``."""

FIRST_GAME = np.zeros(1, dtype=np.int64)
"""Index of the first game as an array, for methods with a parameter `rows`."""

CHUNK_GAMES = 4096
"""Number of games that a thread of `play_games` plays at the same time.

Agents choose for all of them in one call, which makes calls cheap. A chunk takes about 8 MB of
memory. Chosen by hand, not tuned.
"""


class Turn(NamedTuple):
    """One play or pass in the log of a game.

    Attributes:
        seat: seat that moved.
        cards: set of cards that the seat played; 0 for a pass.
    """

    seat: int
    cards: int


class Games:
    """States of ``G`` games, which can be dealt and stepped independently of each other.

    Attributes:
        rules: rules of the games; numbers of the rules can be replaced in each deal.
        words: complete state of all games (`sim.big_two.layout`), shape ``[G * GAME_SIZE]``.
        order: order of straights and flushes (`BigTwoRules.order`).
        scratch: work area for a list of moves, shape ``[N_ACTIONS]``.
    """

    def __init__(self, rules: BigTwoRules, n_games: int) -> None:
        """Allocate the words of games, filled with zeros; `deal` begins the games.

        Args:
            rules: rules of the games.
            n_games: number of games, ``G``.
        """
        self.rules = rules
        self.words: npt.NDArray[np.int64] = np.zeros(n_games * to.GAME_SIZE, dtype=np.int64)
        self.order: Numbers = rules.order
        self.scratch: npt.NDArray[np.int64] = np.zeros(N_ACTIONS, dtype=np.int64)
        self._rows = self.words.reshape(n_games, to.GAME_SIZE)

    @property
    def active(self) -> Positions:
        """Seat to move in each game, shape ``[G]``; in a finished game the winner."""
        return self._rows[:, to.ACTIVE]

    @property
    def winner(self) -> Positions:
        """Seat that won each game, or -1 in a running game, shape ``[G]``."""
        return self._rows[:, to.WINNER]

    @property
    def opener(self) -> Positions:
        """Seat that led first in each game, shape ``[G]``."""
        return self._rows[:, to.OPENER]

    @property
    def hands(self) -> Positions:
        """Set of cards that each seat holds, shape ``[G, 4]``."""
        return self._rows[:, to.HANDS : to.HANDS + N_SEATS]

    @property
    def cards_left(self) -> Positions:
        """Number of cards that each seat holds, shape ``[G, 4]``."""
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
        """Deal games, which replaces their previous states.

        Args:
            seeds: 64-bit seed of each game to deal, shape ``[B]``.
            rows: indices of the games to deal, shape ``[B]``; by default the first ``B`` games.
            rotations: number of seats, 0 to 3, by which the hands are rotated, for all games or of
                shape ``[B]``.
            numbers: numbers of the rules (`sim.big_two.rules.NUMBERS`) of each variant, shape
                ``[V, N_NUMBERS]`` or ``[N_NUMBERS]``; by default those of `rules`.
            variants: row of `numbers` to use, for all games or of shape ``[B]``.
            fixed_hands: hand of each seat in all games, as text or as a set; `""` or 0 if the seat
                draws its hand. By default all seats draw their hands.

        Raises:
            InputError: the fixed hands are not four sets of different cards with at most 13 cards
                each, or another argument has a wrong shape, type or value.
        """
        self._check_deal(seeds, rows, rotations, numbers, variants)
        # Without a dtype, numpy makes floats of a list with both small and large seeds.
        seed_array = np.asarray(seeds, dtype=np.uint64)
        n_deals = len(seed_array)
        of_rules = self.rules.numbers if numbers is None else np.asarray(numbers, dtype=np.int64)
        deal_games(
            self.words,
            np.arange(n_deals) if rows is None else rows,
            of_rules.ravel(),
            np.broadcast_to(variants, n_deals).astype(np.int64),
            seed_array.view(np.int64),
            np.broadcast_to(rotations, n_deals).astype(np.int64),
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
        """Check the arguments of `deal` except fixed hands, since compiled code checks no bounds.

        Raises:
            InputError: an argument has a wrong shape, type or value.
        """
        n_deals = len(seeds)
        of_rules = self.rules.numbers if numbers is None else np.asarray(numbers)
        if of_rules.ndim not in (1, 2) or of_rules.shape[-1] != self.rules.numbers.shape[-1]:
            raise InputError(
                f"have shape {of_rules.shape}; they must be those of `BigTwoRules.numbers`",
                place="numbers",
                value=of_rules.shape,
                limit=self.rules.numbers.shape,
                separator=" ",
            )
        n_variants = 1 if of_rules.ndim == 1 else len(of_rules)
        places = np.arange(n_deals) if rows is None else rows
        for name, values, size in (
            ("rows", places, len(self._rows)),
            ("rotations", rotations, N_SEATS),
            ("variants", variants, n_variants),
        ):
            array = np.asarray(values)
            fits = array.shape in {(), (n_deals,)} and array.dtype.kind in "iu"
            if not fits or (array.size and not 0 <= array.min() <= array.max() < size):
                raise InputError(
                    f"= {values!r}",
                    place=name,
                    value=values,
                    limit=(0, size - 1),
                    remedy=f"give whole numbers from 0 to {size - 1}, one for each of {n_deals} "
                    "deals",
                    separator=" ",
                )
        # An array may have millions of seeds, so only its type is checked.
        if isinstance(seeds, np.ndarray):
            if seeds.dtype.kind not in "iu":
                raise InputError(
                    f"have type {seeds.dtype}; they must be whole numbers",
                    place="seeds",
                    value=str(seeds.dtype),
                    separator=" ",
                )
        else:
            for seed in seeds:
                whole_number("seed", seed)

    def act(self, rows: Positions, actions: Positions) -> None:
        """Carry out one action of the active seat in each selected game.

        Args:
            rows: indices of the selected games, shape ``[B]``.
            actions: number of the action in each selected game, shape ``[B]``.

        Raises:
            ValueError: actions are illegal or their games are over; these games have not changed,
                but the legal actions have been carried out.
        """
        is_action = (actions >= 0) & (actions < N_ACTIONS)
        n_illegal = act_in_games(self.words, self.order, rows[is_action], actions[is_action])
        n_illegal += int((~is_action).sum())
        if n_illegal:
            raise ValueError(
                f"the actions of {n_illegal} of {len(rows)} games are illegal; choose actions that "
                "`masks` marks as legal"
            )

    def masks(self, rows: Positions) -> Masks:
        """Return whether each action is legal in selected games, shape ``[B, A]``.

        In a finished game no action is legal.

        Args:
            rows: indices of the selected games, shape ``[B]``.
        """
        masks = np.zeros((len(rows), self.rules.n_actions), dtype=np.bool_)
        self.mark(rows, masks)
        return masks

    def mark(self, rows: Positions, masks: Masks) -> None:
        """Write whether each action is legal in selected games into existing masks.

        Args:
            rows: indices of the selected games, shape ``[B]``.
            masks: masks, overwritten, shape ``[B, A]``. If they have fewer actions than the rules,
                the remaining actions are left out.
        """
        flat = masks.reshape(-1).view(np.uint8)
        mark_in_games(self.words, self.order, rows, flat, masks.shape[1], self.scratch)

    def table(self, row: int) -> int:
        """Return the set to beat in the game with index `row`; 0 if the active seat leads."""
        return int(self._rows[row, to.TABLE])

    def log(self, row: int) -> list[Turn]:
        """Return all plays and passes so far of the game with index `row`, in turn order."""
        entries = self._rows[row, to.LOG : to.LOG + self._rows[row, to.N_TURNS]].tolist()
        return [Turn(entry >> to.LOG_SEAT, entry & DECK) for entry in entries]


def fixed_sets(hands: Sequence[str | int]) -> Positions:
    """Return fixed hands as sets of cards, with 0 for hands to be drawn, shape ``[4]``.

    Args:
        hands: hand of each seat, as text or as a set; `""` or 0 for a hand to be drawn.

    Raises:
        InputError: the hands are not four sets of different cards with at most 13 cards each.
    """
    sets = [read_set(hand) if isinstance(hand, str) else int(hand) for hand in hands]
    if len(sets) != N_SEATS:
        raise InputError(
            f"{len(sets)} given, but {N_SEATS} are needed",
            place="fixed_hands",
            value=len(sets),
            limit=N_SEATS,
            remedy="give an empty hand for each seat that draws its cards",
        )
    taken = 0
    for seat, cards in enumerate(sets):
        place = f"fixed_hands: seat {seat}"
        if not 0 <= cards <= DECK or len(cards_in(cards)) > HAND_SIZE:
            n_cards = len(cards_in(cards))
            raise InputError(
                f"holds {n_cards} cards; the limit is {HAND_SIZE}",
                place=place,
                value=n_cards,
                limit=HAND_SIZE,
                separator=" ",
            )
        if cards & taken:
            raise InputError(
                f"holds {set_text(cards & taken)}, which another seat holds too",
                place=place,
                value=set_text(cards & taken),
                separator=" ",
            )
        taken |= cards
    return np.array(sets, dtype=np.int64)


class BigTwoAgent(Protocol):
    """Interface of agents of Big Two, which choose actions in many games at once."""

    @property
    def name(self) -> str:
        """Name of the agent in experiments and results."""

    def choose(self, games: Games, rows: Positions) -> Positions:
        """Choose a legal action of the active seat in each selected game.

        The agent may read only what that seat may see: its own hand, the table, the log, and the
        number of cards of the other seats. A choice must not depend on other games.

        Args:
            games: states of all games.
            rows: indices of the selected games, shape ``[B]``.

        Returns:
            Number of the chosen action in each selected game, shape ``[B]``.
        """


@dataclass(frozen=True)
class CompiledAgent:
    """An agent that consists of one compiled function.

    Attributes:
        name: name of the agent in experiments and results.
        chooser: function of (words, order, rows, moves, actions) that writes the chosen actions
            into `actions`. The first two arguments and `moves` are `words`, `order` and `scratch`
            of `Games`; `rows` are the indices of the selected games.
    """

    name: str
    chooser: Any

    def choose(self, games: Games, rows: Positions) -> Positions:
        """Choose a legal action of the active seat in each selected game (`BigTwoAgent.choose`)."""
        actions = np.empty(len(rows), dtype=np.int64)
        self.chooser(games.words, games.order, rows, games.scratch, actions)
        return actions


def require_player(agent: object) -> None:
    """Check that an object is an agent of Big Two and not, for example, the name of an agent.

    Raises:
        InputError: the object is not an agent; for a name, the message refers to `agent_named`.
    """
    if isinstance(agent, str):
        raise InputError(
            "is the name of an agent, not an agent",
            place=f"agent {agent!r}",
            value=agent,
            remedy=f"use agents.big_two.agent_named({agent!r})",
        )
    if isinstance(agent, type) or not callable(getattr(agent, "choose", None)):
        raise InputError(
            "must be an object with `name` and `choose`", place=f"agent {agent!r}", value=agent
        )


class Outcomes(NamedTuple):
    """Results of ``G`` finished games of Big Two.

    Attributes:
        opener: seat that led first in each game, shape ``[G]``.
        winner: seat that won each game, shape ``[G]``.
        cards_left: number of cards that each seat held at the end, shape ``[G, 4]``.
    """

    opener: Positions
    winner: Positions
    cards_left: Positions


def play_out(games: Games, agents: Sequence[BigTwoAgent]) -> None:
    """Play all running games to the end.

    Args:
        games: games that have been dealt, changed in place.
        agents: agent of each seat.
    """
    seats_of = {id(agent): [s for s in range(N_SEATS) if agents[s] is agent] for agent in agents}
    rows = np.flatnonzero(games.winner == to.NOBODY)
    while len(rows):
        seats = games.active[rows]
        for agent in {id(agent): agent for agent in agents}.values():
            asked = rows[np.isin(seats, seats_of[id(agent)])]
            if len(asked):
                games.act(asked, agent.choose(games, asked))
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
    """Deal ``G`` games, play them to the end, and return their results.

    The result of a game depends only on its own seed, rotation and rules, and on the agents.

    Args:
        rules: rules of the games.
        agents: agent of each seat.
        seeds: 64-bit seed of each game, shape ``[G]``.
        rotations: number of seats, 0 to 3, by which the hands are rotated, for all games or of
            shape ``[G]``.
        numbers: numbers of the rules (`sim.big_two.rules.NUMBERS`) of each variant, shape
            ``[V, N_NUMBERS]``; by default those of `rules`.
        variants: row of `numbers` to use, for all games or of shape ``[G]``.
        threads: number of threads; by default those of the current workers.

    Raises:
        InputError: there is not one agent per seat, or `Games.deal` rejects an argument.
    """
    if len(agents) != N_SEATS:
        raise InputError(
            f"{len(agents)} given, but {N_SEATS} are needed",
            place="agents",
            value=len(agents),
            limit=N_SEATS,
            remedy="give one for each seat",
        )
    for agent in agents:
        require_player(agent)
    n_games = len(seeds)
    rotation_of_game = np.broadcast_to(rotations, n_games)
    variant_of_game = np.broadcast_to(variants, n_games)

    def play_chunk(first: int) -> Outcomes:
        """Play up to `CHUNK_GAMES` games, from game `first` on, and return their results."""
        chunk = slice(first, first + CHUNK_GAMES)
        games = Games(rules, len(seeds[chunk]))
        games.deal(
            seeds[chunk],
            rotations=rotation_of_game[chunk],
            numbers=numbers,
            variants=variant_of_game[chunk],
        )
        play_out(games, agents)
        return Outcomes(games.opener.copy(), games.winner.copy(), games.cards_left)

    with ThreadPoolExecutor(threads or n_local_threads()) as pool:
        outcomes = list(pool.map(play_chunk, range(0, max(n_games, 1), CHUNK_GAMES)))
    return Outcomes(*(np.concatenate(parts) for parts in zip(*outcomes, strict=True)))
