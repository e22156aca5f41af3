"""The contest of decks: cards, who plays which deck and how, and the games between them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from agents.registry import agent_named
from balance.contest import Contest, FirstGame, Parameter
from balance.patch import Edit, apply_patch, apply_to_rules
from balance.readings import MatchupCounts
from balance.settings import GameCount
from balance.statistics.intervals import Counts, Flags
from sim import Card, Deck, InputError, check_deck, load_deck, load_pool, load_ruleset, stream_seed
from sim.arguments import Seed, Threads, checked
from sim.files.notebook_table import notebook_table
from sim.observation.view import View, view_of
from sim.play import Agent, Batch, Gene, Table, kept, pack_table, play, row_of_deck
from sim.play.agent import require_agent
from sim.play.reach import reach_of_rows
from sim.play.table import OF_RULES
from sim.ruleset import N_SEATS, RULE_LABELS, RULES, Ruleset

DeckRows = npt.NDArray[np.int16]
OnGames = Callable[[int], None]


@dataclass(frozen=True)
class Player:
    """A deck with the agent that pilots it."""

    name: str
    deck: Deck
    agent: Agent

    def __post_init__(self) -> None:
        """Refuse the name of an agent in place of the agent."""
        require_agent(self.agent)


class Matchup(NamedTuple):
    """Two players by their positions; win rates are those of `a`."""

    a: int
    b: int


@dataclass(frozen=True)
class CardContest(Contest):
    """The cards and the ``D`` players of an experiment.

    Attributes:
        table: one variant, today's cards.
        players: at least one, with distinct names.
        only: who meets whom, if not everybody everybody.
        on_games: told how many more games have been played, whatever they are for (progress).
    """

    table: Table
    players: tuple[Player, ...]
    only: tuple[Matchup, ...] | None = None
    on_games: OnGames | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Refuse what no experiment file may hold.

        Raises:
            InputError: there are no players, two of one name, a deck that the rules or the pool do
                not allow, more than one variant, or a matchup of players that there are not.
        """
        if not self.players:
            raise InputError("players: none; a contest needs at least one")
        refuse_repeated_names(self.player_names)
        if self.table.n_variants != 1:
            raise InputError(f"table: {self.table.n_variants} variants, must be 1: today's cards")
        for player in self.players:
            check_deck(player.deck, self.table.pool, self.table.ruleset)
        check_matchups(self.only or (), len(self.players))

    @cached_property
    def matchups(self) -> tuple[Matchup, ...]:
        """``[M]`` who meets whom: all pairs of players, in file order, unless `only` says."""
        pairs = combinations(range(len(self.players)), 2)
        return tuple(Matchup(a, b) for a, b in pairs) if self.only is None else self.only

    @property
    def player_names(self) -> tuple[str, ...]:
        """What experiment files call the players."""
        return tuple(player.name for player in self.players)

    @property
    def agents(self) -> tuple[Agent, ...]:
        """The players' agents."""
        return tuple(player.agent for player in self.players)

    @cached_property
    def deck_rows(self) -> DeckRows:
        """``[D, DECK_ROW_SIZE]`` the players' decks for a batch."""
        return np.stack([row_of_deck(player.deck, self.table.pool) for player in self.players])

    @cached_property
    def reached(self) -> tuple[int, ...]:
        """The numbers of all cards that its games can reach."""
        return reach_of_rows(self.table.pool, self.table.ruleset, self.deck_rows)

    @property
    def view(self) -> View:
        """How a learner that knows nothing yet sees its games."""
        return view_of(self.table, self.reached)

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        title = f"players with pool {self.table.pool.name}, ruleset {self.table.ruleset.name}"
        rows = [(one.name, one.deck.name, one.agent.name, one.deck.n_cards) for one in self.players]
        return notebook_table(title, ("player", "deck", "agent", "cards"), rows)

    def piloted_by(self, agent: Agent) -> CardContest:
        """The same decks, all piloted by `agent`."""
        return self.with_agents({player.name: agent for player in self.players})

    def with_agents(self, agents: Mapping[str, Agent]) -> CardContest:
        """The same players, with other agents for those that `agents` names."""
        players = (replace(p, agent=agents.get(p.name, p.agent)) for p in self.players)
        return replace(self, players=tuple(players))

    def parameter(self, gene: Gene) -> Parameter:
        """A card's or the rules' number: its names, and today's value."""
        if gene.owner == OF_RULES:
            return parameter_of_rules(self.table.ruleset, gene.field)
        return parameter_of(self.table.pool.cards[gene.owner], gene.field)

    def reach(self, genes: Sequence[Gene]) -> Flags:
        """``[K, D]`` whether a player's deck holds a number's card, or may bring it."""
        owners = np.array([gene.owner for gene in genes])
        reached = (np.isin(owners, [OF_RULES, *cards]) for cards in self._reached_by_player)
        return np.stack([*reached], axis=1)

    @cached_property
    def _reached_by_player(self) -> tuple[tuple[int, ...], ...]:
        """``[D]`` the numbers of all cards that each player's games can bring."""
        pool = self.table.pool
        ruleset = self.table.ruleset
        return tuple(reach_of_rows(pool, ruleset, row) for row in self.deck_rows)

    def plays_alike(self, other: Contest) -> Flags:
        """``[M]`` whether decks, pilots, rules and all cards that decks may bring are the same."""
        if not isinstance(other, CardContest):
            return super().plays_alike(other)
        pairs = zip(self.dealt_with(), other.dealt_with(), strict=True)
        alike = np.array([mine == theirs for mine, theirs in pairs])
        return np.array([alike[list(matchup)].all() for matchup in self.matchups])

    def dealt_with(self) -> Iterator[tuple[object, ...]]:
        """What each player's games hang on: pilot, deck, rules, and cards by their numbers."""
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
        """Play edits of the cards, all on the same seeds (`Contest.play`)."""
        return play_matchups(self, self.table.vary(genes, steps), **how)


def patched(contest: CardContest, patch: Sequence[Edit]) -> CardContest:
    """The contest with the edits of a patch made."""
    pool = contest.table.pool
    ruleset = contest.table.ruleset
    table = pack_table(apply_patch(pool, patch), apply_to_rules(ruleset, patch))
    return replace(contest, table=table)


def refuse_repeated_names(names: Sequence[str]) -> None:
    """Refuse players of whom two have one name, since results tell players by their names.

    Raises:
        InputError: names the first name that comes twice.
    """
    for place, name in enumerate(names):
        if name in names[:place]:
            raise InputError(f"player {name!r} occurs twice; give one of them another `name`")


def check_matchups(matchups: Sequence[tuple[int, ...]], n_players: int) -> None:
    """Refuse matchups that are no pairs of positions among so many players.

    Raises:
        InputError: names the first that is none.
    """
    for matchup in matchups:
        places = [int(place) for place in matchup]
        if len(places) != N_SEATS or not all(0 <= place < n_players for place in places):
            raise InputError(
                f"matchup {tuple(places)}: must be {N_SEATS} positions of players, "
                f"0 to {n_players - 1}"
            )


def load_contest(*players: tuple[str, str]) -> CardContest:
    """Decks and the agents that pilot them, by name; the first deck says which cards and rules.

    Raises:
        InputError: there is no such deck, pool, ruleset or agent, they do not fit, or a deck is
            named twice.
    """
    for player in players:
        if not isinstance(player, tuple | list) or len(player) != 2:
            raise InputError(f"player {player!r}: must be a pair of names, (deck, agent)")
    if not players:
        raise InputError("players: none; name at least one deck with its agent")
    decks = [load_deck(deck) for deck, _ in players]
    ruleset = load_ruleset(decks[0].ruleset)
    pool = load_pool(decks[0].pool)
    told = zip(decks, players, strict=True)
    named = tuple(Player(deck.name, deck, agent_named(agent)) for deck, (_, agent) in told)
    return CardContest(pack_table(pool, ruleset), named)


def parameter_of(card: Card, field: str) -> Parameter:
    """One of a card's numbers, labelled where the field's name says little."""
    label = card.label(field)
    shown = "" if label == field else label
    return Parameter(card.id, card.name, field, card.number(field), shown)


def parameter_of_rules(ruleset: Ruleset, field: str) -> Parameter:
    """One of the rules' numbers."""
    return Parameter(RULES, "Rules", field, ruleset.number(field), RULE_LABELS[field])


@checked(
    n_games=GameCount,
    run_seed=Seed,
    purpose=str,
    threads=Threads,
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
    threads: int | None = None,
    keep_cards: bool = False,
    faults: Literal["raise", "keep"] = "raise",
) -> MatchupCounts:
    """Play matchups with every variant of `table`, all on the same seeds.

    Args:
        contest: the players.
        table: ``V`` variants of the contest's cards.
        n_games: games per matchup, as a file's `[games]` may have them: even, at least 4.
        run_seed: the run's seed.
        purpose: names the stream of game seeds, see `sim.seeds`.
        first_game: position of the first seed in the stream, or ``[V]`` of each variant's first.
        matchups: which pairs of players to play; default the contest's.
        threads: threads to use; default all cores.
        keep_cards: also count what became of each deck slot.
        faults: what becomes of a variant whose card texts never end (`sim.play.batch.play`); if it
            is kept, its points are 0 and its readings no numbers.

    Raises:
        InputError: an argument is none of these; an odd number of games is not rounded.
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
        threads=threads,
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
    threads: int | None = None,
    keep_cards: bool = False,
    faults: Literal["raise", "keep"] = "raise",
    on_games: OnGames | None = None,
) -> MatchupCounts:
    """Play pairs of decks in both seatings, as `play_matchups` does those of a contest.

    Args:
        pairs: ``[M]`` positions of two decks.
        table: ``V`` variants of their cards.
        decks: ``[D, DECK_ROW_SIZE]`` deck rows (`sim.play.batch.deck_row`).
        agents: ``[D]`` who pilots them.
        n_games: games per pair, even.
        stream: seed of the stream of game seeds.
        first_game: as in `play_matchups`.
        threads: likewise.
        keep_cards: likewise.
        faults: likewise.
        on_games: as a contest has it.

    Raises:
        InputError: there is no pair, the games are not equally many in both seatings, or there is
            not one first game for each variant.
    """
    if not len(pairs):
        raise InputError("matchups: none to play; a contest needs at least two players")
    if n_games < N_SEATS or n_games % N_SEATS:
        raise InputError(f"n_games = {n_games} must be a positive multiple of {N_SEATS}")
    firsts = _first_games(first_game, table.n_variants)
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
    found = play(batch, table, agents, threads=threads, keep=keep, faults=faults, on_games=on_games)
    points = found.points.reshape(*shape, 2)
    life = found.sum_life.reshape(*shape, 2)
    return MatchupCounts(
        n_games=n_games,
        points=points[:, :, 0, 0] + points[:, :, 1, 1],
        turns=found.turns.reshape(*shape, -1).sum(axis=2),
        winners=kept(found.winners).reshape(*shape, -1),
        life=life[:, :, 0] + life[:, :, 1, ::-1],
        seen=None if found.seen is None else found.seen.reshape(*shape, *found.seen.shape[1:]),
        faults={int(rows[row]): found.faults[row] for row in sorted(found.faults, reverse=True)},
    )


def _first_games(first_game: FirstGame, n_variants: int) -> Counts:
    """``[V]`` position of each variant's first seed."""
    firsts = np.asarray(first_game)
    fits = firsts.dtype.kind in "iu" and firsts.shape in {(), (n_variants,)}
    if not fits or (firsts < 0).any():
        raise InputError(
            f"first_game = {first_game!r} must be a whole number from 0 on, or one for each of "
            f"{n_variants} variants"
        )
    return np.broadcast_to(firsts.astype(np.int64), n_variants)
