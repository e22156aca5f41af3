"""A built deck: from a pool and a field to a deck and what it is certainly worth.

A search (`balance.decks.search`) finds promising decks, on seeds of each generation's own; the
stream `build/select` chooses among the best of them (`balance.decks.selection`); the chosen one,
of an improved deck the best with each number of swaps, is played on `build/certify`, which says
what it is worth.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from agents.registry import agent_named
from balance.card_contest import CardContest
from balance.decks.program import check_space
from balance.decks.search import DeckSearch, DeckState, search_decks
from balance.decks.selection import DeckSelection, play_decks, select_deck
from balance.decks.space import deck_space
from balance.metagame.field import Field, FieldCounts, field_of
from balance.settings import BalanceSettings
from balance.statistics.intervals import Interval
from sim import Deck, InputError, error_place, known_word
from sim.arguments import Threads, checked
from sim.files.validation import NAME_LENGTH_MAX, Name, revalidated
from sim.play.agent import Agent, CompiledAgent

BUILT = "built"
IMPROVED = "_improved"


@dataclass(frozen=True)
class Improvement:
    """The best deck with some number of swaps, on games that chose nothing.

    Attributes:
        n_swaps: cards of the origin that are replaced.
        deck: the deck.
        score: win rate against the field, its interval over seeds.
        gain: by how much that is more than the origin's, paired by seed.
    """

    n_swaps: int
    deck: Deck
    score: Interval
    gain: Interval


@dataclass(frozen=True)
class BuiltDeck:
    """A built or improved deck, and what it is worth.

    Attributes:
        deck: the deck; a file of it plays the games again that certified it. Where what was tried
            is not certainly better than the origin, the origin itself.
        agent: its pilot.
        field: whom it met, ``N`` opponents.
        origin: the deck that was to be improved; `None` if the deck is built anew.
        n_games: games against each opponent on the stream `build/certify`.
        score: win rate there against the field, its interval over seeds.
        win_rates: ``[N]`` against each opponent, with Wilson intervals.
        certified: whether the lower bound of `score` reaches the goal; `None` without a goal.
        tried: the improvement that was to be recommended if it is certainly one; `None` if a deck
            is built anew, or the selection preferred the origin.
        improvements: the best deck with each number of swaps, by rising number.
        selection: the decks of the search that were played again.
        state: how the search ended.
        games: games that each stage played, over all decks and opponents.
    """

    deck: Deck
    agent: Agent
    field: Field
    origin: Deck | None
    n_games: int
    score: Interval
    win_rates: Interval
    certified: bool | None
    tried: Improvement | None
    improvements: tuple[Improvement, ...]
    selection: DeckSelection
    state: DeckState
    games: dict[str, int]


@checked(name=Name | None, threads=Threads)
def build_deck(
    contest: CardContest,
    settings: BalanceSettings,
    *,
    field: Field | None = None,
    name: str | None = None,
    threads: int | None = None,
    state: DeckState | None = None,
    on_stage: Callable[[str], None] = lambda _: None,
    on_generation: Callable[[DeckState], None] = lambda _: None,
) -> BuiltDeck:
    """Build a deck against a field, or improve a player's, and certify it.

    Args:
        contest: cards and players.
        settings: of these `seed`, `collection`, `field` and `build` count.
        field: the opponents; default the contest's players with the weights of `settings.field`,
            without the one whose deck is improved.
        name: of the deck; default `built`, or the improved deck's name and `_improved`.
        threads: threads to use; default all cores.
        state: where the search continues; default its beginning.
        on_stage: told the name of each stage as it begins: `search`, `select`, `certify`.
        on_generation: told the state after every generation (progress, checkpoints).

    Raises:
        InputError: the settings do not fit the contest, or allow no deck.
    """
    search, origin = prepare_search(contest, settings, field=field, threads=threads)
    on_stage("search")
    state = search_decks(search, state=state, on_generation=on_generation)
    on_stage("select")
    if origin is not None:
        name = name or origin.name[: NAME_LENGTH_MAX - len(IMPROVED)].rstrip() + IMPROVED
    selection = select_deck(search, state, name=name or BUILT)
    on_stage("certify")
    decks, counts = _certify(search, selection, origin)
    rates = counts.score()
    gain = counts.gain_over(-1)
    goal = settings.build.goal
    improvements = tuple(
        Improvement(n_swaps, selection.decks[k], rates.at(row), gain.at(row))
        for row, (n_swaps, k) in enumerate(selection.by_swaps)  # as `_certify` played them
    )
    tried, row = _recommended(search, selection, improvements)
    score = rates.at(row)
    n_opponents = len(search.field.opponents)
    return BuiltDeck(
        deck=decks[row],
        agent=search.pilot,
        field=search.field,
        origin=origin,
        n_games=counts.n_games,
        score=score,
        win_rates=counts.win_rate().at(row),
        certified=bool(score.low >= goal) if goal else None,
        tried=tried,
        improvements=improvements,
        selection=selection,
        state=state,
        games={
            "search": int(state.history[-1, 0]),
            "select": len(selection.decks) * n_opponents * selection.n_games,
            "certify": len(counts.points) * n_opponents * counts.n_games,
        },
    )


def check_build(
    contest: CardContest, settings: BalanceSettings, field: Field | None = None
) -> None:
    """Refuse what `build_deck` would refuse, before anything is played.

    Raises:
        InputError: the settings do not fit the contest, or allow no deck.
    """
    search, _ = prepare_search(contest, settings, field=field)
    check_space(search.space)


def usual_pilot(field: Field) -> str | None:
    """The agent of most opponents, of those that play any deck; of several the first."""
    agents = (opponent.agent for opponent in field.opponents)
    names = Counter(
        agent.name for agent in agents if isinstance(agent, CompiledAgent) and agent.view is None
    )
    return max(names, key=names.__getitem__, default=None)


def prepare_search(
    contest: CardContest,
    settings: BalanceSettings,
    *,
    field: Field | None = None,
    threads: int | None = None,
) -> tuple[DeckSearch, Deck | None]:
    """What is to be searched, and which deck is improved; for the rest see `build_deck`.

    Raises:
        InputError: the settings do not fit the contest.
    """
    revalidated(settings, source="settings")
    build = settings.build
    by_name = {player.name: player for player in contest.players}
    if build.improve is not None:
        known_word("player", build.improve, by_name, "build.improve")
    if field is None:
        field = field_of(contest, settings.field.weights, but=build.improve)
    if build.improve is not None:
        pilot = by_name[build.improve].agent
        origin = by_name[build.improve].deck
    else:
        with error_place("build.agent"):
            pilot = agent_named(build.agent)
            origin = None
    if not isinstance(pilot, CompiledAgent) or pilot.view is not None:
        raise InputError(
            f"build: {pilot.name!r} is a trained agent, which plays only the decks that it "
            "learned; name a registered one"
        )
    if origin is not None and build.hero not in {None, origin.hero}:
        raise InputError(
            f"build.hero: {build.hero!r}: deck {origin.name!r} belongs to "
            f"{origin.hero or 'nobody'}, and swaps leave it so"
        )
    space = deck_space(
        contest.table,
        settings,
        origin,
        hero=contest.players[0].deck.hero,
        opponents=[opponent.deck for opponent in field.opponents],
    )
    return DeckSearch(space, field, pilot, build, settings.seed, threads), origin


def _certify(
    search: DeckSearch, selection: DeckSelection, origin: Deck | None
) -> tuple[list[Deck], FieldCounts]:
    """Play the chosen deck; to improve one, the best with each number of swaps and the origin."""
    decks = [selection.decks[selection.recommended]]
    if origin is not None:
        decks = [*(selection.decks[k] for _, k in selection.by_swaps), origin]
    return decks, play_decks(search, decks, n_games=search.build.certify, purpose="build/certify")


def _recommended(
    search: DeckSearch, selection: DeckSelection, improvements: tuple[Improvement, ...]
) -> tuple[Improvement | None, int]:
    """That with as many swaps as the selection recommends; and the row of the certified deck.

    This is the one that was tried, if it is certainly better, else the last.
    """
    wanted = int(selection.n_swaps[selection.recommended])
    for row, tried in enumerate(improvements):
        if tried.n_swaps == wanted:
            is_better = tried.gain.low > 0 or not search.space.holds_origin
            return tried, row if is_better else len(improvements)
    return None, len(improvements)
