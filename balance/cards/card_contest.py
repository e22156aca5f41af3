"""Contest of a card game: cards, players with their decks and agents, and games between them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from agents.registry import agent_named
from balance.contest.contest import Contest, FirstGame, Parameter
from balance.contest.patch import Edit, apply_patch, apply_to_rules
from balance.contest.readings import MatchupCounts
from balance.settings.tables import GameCount
from balance.statistics.intervals import Counts, Flags
from sim import Card, Deck, InputError, check_deck, load_deck, load_pool, load_ruleset, stream_seed
from sim.arguments import Seed, checked
from sim.files.notebook_table import notebook_table
from sim.observation.view import View, view_of
from sim.play import Agent, Batch, Gene, Table, kept, pack_table, play, row_of_deck
from sim.play.agent import require_agent
from sim.play.reach import reach_of_rows
from sim.play.table import OF_RULES
from sim.ruleset import N_SEATS, RULE_LABELS, RULES, Ruleset
from sim.short_repr import short_repr
from sim.value_error import value_error

DeckRows = npt.NDArray[np.int16]
"""Decks packed for the simulator, shape ``[D, DECK_ROW_SIZE]``; see `sim.play.row_of_deck`."""

OnGames = Callable[[int], None]
"""Callback for progress, called with the number of games that were played since the last call."""


@dataclass(frozen=True)
class Player:
    """A deck with the agent that pilots it.

    Attributes:
        name: name of the player in files and reports, unique in a contest.
        deck: deck with which the player plays.
        agent: agent that chooses the player's actions.
    """

    name: str
    deck: Deck
    agent: Agent

    def __post_init__(self) -> None:
        """Refuse an agent that is not an `Agent` object, such as the name of an agent.

        Raises:
            InputError: `agent` is not an agent.
        """
        require_agent(self.agent)


class Matchup(NamedTuple):
    """Pair of players of a contest; win rates of a matchup are those of its first player.

    Attributes:
        a: position of the first player in the contest.
        b: position of the second player in the contest.
    """

    a: int
    b: int


@dataclass(frozen=True)
class CardContest(Contest):
    """Contest of an experiment with cards, between ``D`` players.

    Attributes:
        table: packed cards and rules with a single variant, the baseline.
        players: at least one player; names are distinct.
        only: matchups to play; `None` for all pairs of players.
        on_games: callback for progress, called with the number of games just played.
    """

    table: Table
    players: tuple[Player, ...]
    only: tuple[Matchup, ...] | None = None
    on_games: OnGames | None = field(default=None, compare=False, repr=False)

    def __repr__(self) -> str:
        return short_repr(self, players=list(self.player_names), matchups=len(self.matchups))

    def __post_init__(self) -> None:
        """Refuse players, cards and matchups that an experiment file could not contain.

        Raises:
            InputError: the contest has no player, two players have the same name, the rules or the
                pool do not permit a deck, the table has more than one variant, or a matchup does
                not consist of two positions of players.
        """
        if not self.players:
            raise InputError(
                "none given", place="players", limit=1, remedy="name at least one player"
            )
        refuse_repeated_names(self.player_names)
        if self.table.n_variants != 1:
            raise InputError(
                f"{self.table.n_variants} variants, must be 1: the baseline cards",
                place="table",
                value=self.table.n_variants,
                limit=1,
            )
        for player in self.players:
            check_deck(player.deck, self.table.pool, self.table.ruleset)
        check_matchups(self.only or (), len(self.players))

    @cached_property
    def matchups(self) -> tuple[Matchup, ...]:
        """Matchups of the contest, shape ``[M]``: `only`, or all pairs of players in file order."""
        pairs = combinations(range(len(self.players)), 2)
        return tuple(Matchup(a, b) for a, b in pairs) if self.only is None else self.only

    @property
    def player_names(self) -> tuple[str, ...]:
        """Names of the players in experiment files and reports, shape ``[D]``."""
        return tuple(player.name for player in self.players)

    @property
    def agents(self) -> tuple[Agent, ...]:
        """Agents of the players, shape ``[D]``."""
        return tuple(player.agent for player in self.players)

    @cached_property
    def deck_rows(self) -> DeckRows:
        """Decks of the players, packed for the simulator, shape ``[D, DECK_ROW_SIZE]``."""
        return np.stack([row_of_deck(player.deck, self.table.pool) for player in self.players])

    @cached_property
    def reached(self) -> tuple[int, ...]:
        """Positions in `Pool.everything` of all cards that can occur in a game of any player."""
        return reach_of_rows(self.table.pool, self.table.ruleset, self.deck_rows)

    @property
    def view(self) -> View:
        """Observation format of the games for a learner that has not been trained yet."""
        return view_of(self.table, self.reached)

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        """Return the table of players, decks and agents that a notebook displays."""
        title = f"players with pool {self.table.pool.name}, ruleset {self.table.ruleset.name}"
        rows = [(p.name, p.deck.name, p.agent.name, p.deck.n_cards) for p in self.players]
        return notebook_table(title, ("player", "deck", "agent", "cards"), rows)

    def piloted_by(self, agent: Agent) -> CardContest:
        """Return a contest with the same decks in which one agent plays for all players."""
        return self.with_agents({player.name: agent for player in self.players})

    def with_agents(self, agents: Mapping[str, Agent]) -> CardContest:
        """Return a contest in which some players have other agents.

        Args:
            agents: new agents by player name; players that are not listed keep their agents.
        """
        players = (replace(p, agent=agents.get(p.name, p.agent)) for p in self.players)
        return replace(self, players=tuple(players))

    def parameter(self, gene: Gene) -> Parameter:
        """Return the names and the baseline value of a number of a card or of the ruleset."""
        if gene.owner == OF_RULES:
            return parameter_of_rules(self.table.ruleset, gene.field)
        return parameter_of(self.table.pool.cards[gene.owner], gene.field)

    def reach(self, genes: Sequence[Gene]) -> Flags:
        """Return whether the owner of each number can occur in each player's games.

        Numbers of the ruleset affect all players.

        Args:
            genes: numbers of cards or of the ruleset, shape ``[K]``.

        Returns:
            Flags, shape ``[K, D]``.
        """
        owners = np.array([gene.owner for gene in genes])
        reached = (np.isin(owners, [OF_RULES, *cards]) for cards in self._reached_by_player)
        return np.stack([*reached], axis=1)

    @cached_property
    def _reached_by_player(self) -> tuple[tuple[int, ...], ...]:
        """Positions in `Pool.everything` of the cards in each player's possible games, ``[D]``."""
        pool = self.table.pool
        ruleset = self.table.ruleset
        return tuple(reach_of_rows(pool, ruleset, row) for row in self.deck_rows)

    def plays_alike(self, other: Contest) -> Flags:
        """Return whether each matchup has the same games in another contest, shape ``[M]``.

        Games are the same if the decks, agents, rules and reachable cards of both players are
        equal.

        Args:
            other: contest with the same players and matchups.
        """
        if not isinstance(other, CardContest):
            return super().plays_alike(other)
        pairs = zip(self.game_inputs(), other.game_inputs(), strict=True)
        alike = np.array([own == others for own, others in pairs])
        return np.array([alike[list(matchup)].all() for matchup in self.matchups])

    def game_inputs(self) -> Iterator[tuple[object, ...]]:
        """Yield all inputs of each player's games: agent, deck, rules, coin and reachable cards.

        Two pairs of players with equal inputs play equal games on equal seeds. Names of the ruleset
        and of cards are left out, since they do not affect a game.
        """
        pool = self.table.pool
        ruleset = self.table.ruleset
        rules = ruleset.model_dump(exclude={"name"})
        cards = pool.everything
        coin = pool.coin if ruleset.coin else None
        rows = zip(self.agents, self.deck_rows, self._reached_by_player, strict=True)
        for agent, row, reached in rows:
            numbered = {number: cards[number].nameless() for number in reached}
            yield agent, row.tolist(), rules, coin, numbered

    def play(
        self, steps: npt.NDArray[np.integer], genes: Sequence[Gene], **how: Any
    ) -> MatchupCounts:
        """Play candidate edits of cards and rules, all on the same seeds; see `Contest.play`."""
        return play_matchups(self, self.table.vary(genes, steps), **how)


def patched(contest: CardContest, patch: Sequence[Edit]) -> CardContest:
    """Return a contest with the edits of a patch applied to its cards and rules."""
    pool = contest.table.pool
    ruleset = contest.table.ruleset
    table = pack_table(apply_patch(pool, patch), apply_to_rules(ruleset, patch))
    return replace(contest, table=table)


def refuse_repeated_names(names: Sequence[str]) -> None:
    """Refuse two players with the same name, since results identify players by name.

    Raises:
        InputError: a name occurs twice.
    """
    for position, name in enumerate(names):
        if name in names[:position]:
            raise InputError(
                "occurs twice",
                place=f"player {name!r}",
                value=name,
                remedy="give one of them another `name`",
                separator=" ",
            )


def check_matchups(matchups: Sequence[tuple[int, ...]], n_players: int) -> None:
    """Refuse matchups that are not pairs of valid player positions.

    Args:
        matchups: matchups as positions of players.
        n_players: number of players of the contest.

    Raises:
        InputError: a matchup does not consist of two positions from 0 to `n_players` - 1.
    """
    for matchup in matchups:
        positions = tuple(int(position) for position in matchup)
        if len(positions) != N_SEATS or not all(0 <= p < n_players for p in positions):
            raise InputError(
                f"must be {N_SEATS} positions of players, 0 to {n_players - 1}",
                place=f"matchup {positions}",
                value=positions,
                limit=n_players - 1,
            )


def load_contest(*players: tuple[str, str]) -> CardContest:
    """Return a contest of decks and agents that are given by name.

    The pool and the ruleset of the first deck apply to all players.

    Args:
        players: pairs of a deck's name and the name of the agent that plays it.

    Raises:
        InputError: a deck, pool, ruleset or agent does not exist, they do not fit together, or a
            deck is named twice.

    Example:
        >>> load_contest(("ember_rush", "aggro"), ("tide_keep", "control"))
        CardContest(players=['ember_rush', 'tide_keep'], matchups=1)
    """
    for player in players:
        if not isinstance(player, tuple | list) or len(player) != 2:
            raise InputError(
                "must be a pair of names, (deck, agent)", place=f"player {player!r}", value=player
            )
    if not players:
        raise InputError(
            "none given", place="players", limit=1, remedy="name at least one deck with its agent"
        )
    decks = [load_deck(deck) for deck, _ in players]
    ruleset = load_ruleset(decks[0].ruleset)
    pool = load_pool(decks[0].pool)
    pairs = zip(decks, players, strict=True)
    seated = tuple(Player(deck.name, deck, agent_named(agent)) for deck, (_, agent) in pairs)
    return CardContest(pack_table(pool, ruleset), seated)


def parameter_of(card: Card, field: str) -> Parameter:
    """Return the names and the baseline value of one number of a card.

    Args:
        card: card with the number.
        field: field of the number.

    Returns:
        The number, with a label if its display name differs from `field`.
    """
    label = card.label(field)
    shown = "" if label == field else label
    return Parameter(card.id, card.name, field, card.number(field), shown)


def parameter_of_rules(ruleset: Ruleset, field: str) -> Parameter:
    """Return the names and the baseline value of one number of a ruleset."""
    return Parameter(RULES, "Rules", field, ruleset.number(field), RULE_LABELS[field])


@checked(
    n_games=GameCount,
    run_seed=Seed,
    purpose=str,
    faults=Literal["raise", "keep"],
)
def play_matchups(
    contest: CardContest,
    table: Table,
    *,
    n_games: int,
    run_seed: int,
    purpose: str,
    first_game: FirstGame = 0,
    matchups: Sequence[tuple[int, ...]] | None = None,
    keep_cards: bool = False,
    faults: Literal["raise", "keep"] = "raise",
) -> MatchupCounts:
    """Play matchups with every variant of a table, all on the same seeds.

    Args:
        contest: contest with the players.
        table: ``V`` variants of the contest's cards.
        n_games: games per matchup, within the limits of a file's `[games]`: even, at least 4.
        run_seed: seed of the run.
        purpose: name of the stream of game seeds; see `sim.seeds`.
        first_game: position of the first seed in the stream, or one position per variant, ``[V]``.
        matchups: pairs of players to play; default all matchups of the contest.
        keep_cards: whether to count the events of the card in each deck slot, too.
        faults: whether a variant with card texts that never end is refused (`raise`) or recorded
            (`keep`); see `sim.play.batch.play`. A recorded variant has 0 points, and NaN readings.

    Raises:
        InputError: an argument is invalid, such as an odd number of games, or with `faults="raise"`
            the card texts of a variant never end.

    Example:
        >>> contest = load_contest(("ember_rush", "aggro"), ("tide_keep", "control"))
        >>> cards = contest.table
        >>> counts = play_matchups(contest, cards, n_games=400, run_seed=1, purpose="matchups")
        >>> print(counts.win_rate().at(0, 0))
        0.682 (0.635 to 0.726)
    """
    check_matchups(matchups or (), len(contest.players))
    return play_pairs(
        contest.matchups if matchups is None else matchups,
        table,
        contest.deck_rows,
        contest.agents,
        n_games=n_games,
        stream=stream_seed(run_seed, purpose),
        first_game=first_game,
        keep_cards=keep_cards,
        faults=faults,
        on_games=contest.on_games,
    )


def play_pairs(
    pairs: Sequence[tuple[int, ...]],
    table: Table,
    decks: DeckRows,
    agents: Sequence[Agent],
    *,
    n_games: int,
    stream: int,
    first_game: FirstGame = 0,
    keep_cards: bool = False,
    faults: Literal["raise", "keep"] = "raise",
    on_games: OnGames | None = None,
) -> MatchupCounts:
    """Play pairs of decks in both seatings with every variant of a table, all on the same seeds.

    Args:
        pairs: positions of two decks each, shape ``[M, 2]``.
        table: ``V`` variants of the cards.
        decks: packed decks, shape ``[D, DECK_ROW_SIZE]``.
        agents: agents that play the decks, shape ``[D]``.
        n_games: games per pair, even.
        stream: seed of the stream of game seeds.
        first_game: position of the first seed in the stream, or one position per variant, ``[V]``.
        keep_cards: whether to count the events of the card in each deck slot, too.
        faults: whether a variant with card texts that never end is refused (`raise`) or recorded
            (`keep`).
        on_games: callback for progress, called with the number of games just played.

    Raises:
        InputError: `pairs` is empty, the number of games is not even and positive, or `first_game`
            is invalid.
    """
    if not len(pairs):
        raise InputError(
            "none to play", place="matchups", limit=2, remedy="name at least two players"
        )
    if n_games < N_SEATS or n_games % N_SEATS:
        raise value_error(
            "n_games", n_games, f"must be a positive multiple of {N_SEATS}", limit=N_SEATS
        )
    firsts = _first_games(first_game, table.n_variants)
    # Rows of the batch are sorted by variant, then pair, then seating; in the first seating `a` has
    # seat 0. Both seatings use the same seeds, so the advantage of a seat cancels out.
    seatings = np.array([seats for a, b in pairs for seats in ((a, b), (b, a))])
    shape = (table.n_variants, len(pairs), 2)
    rows = np.repeat(np.arange(table.n_variants), len(seatings))
    batch = Batch(
        decks=decks,
        variant=rows,
        seats=np.tile(seatings, (table.n_variants, 1)),
        n_games=np.full(len(rows), n_games // 2),
        first_game=firsts[rows],
        stream=stream,
    )
    keep = ("winner", "cards") if keep_cards else ("winner",)
    games = play(batch, table, agents, keep=keep, faults=faults, on_games=on_games)
    points = games.points.reshape(*shape, 2)
    life = games.sum_life.reshape(*shape, 2)
    return MatchupCounts(
        n_games=n_games,
        # `a` has seat 0 in the first seating and seat 1 in the second.
        points=points[:, :, 0, 0] + points[:, :, 1, 1],
        turns=games.turns.reshape(*shape, -1).sum(axis=2),
        winners=kept(games.winners).reshape(*shape, -1),
        life=life[:, :, 0] + life[:, :, 1, ::-1],
        seen=None if games.seen is None else games.seen.reshape(*shape, *games.seen.shape[1:]),
        faults={int(rows[row]): games.faults[row] for row in sorted(games.faults, reverse=True)},
    )


def _first_games(first_game: FirstGame, n_variants: int) -> Counts:
    """Return the position of each variant's first seed in the stream, shape ``[V]``.

    Args:
        first_game: one position for all variants, or one per variant.
        n_variants: number of variants, ``V``.

    Raises:
        InputError: a position is negative or not a whole number, or the shape does not fit.
    """
    firsts = np.asarray(first_game)
    fits = firsts.dtype.kind in "iu" and firsts.shape in {(), (n_variants,)}
    if not fits or (firsts < 0).any():
        raise value_error(
            "first_game",
            first_game,
            f"must be a whole number of at least 0, or one for each of {n_variants} variants",
            limit=0,
        )
    return np.broadcast_to(firsts.astype(np.int64), n_variants)
