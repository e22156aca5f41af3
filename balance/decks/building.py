"""Build or improve a deck against a metagame field, and certify its win rate.

Three stages use separate streams of game seeds. The search (`balance.decks.deck_search`) finds
promising decks. The selection (stream `build/select`, `balance.decks.selection`) plays the best of
them again and recommends one. The certification (stream `build/certify`) measures the result on
games that influenced no choice: the recommended new deck, or the original deck and the best deck
with each number of swaps.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TypeGuard

from agents.registry import agent_named
from balance.cards.card_contest import CardContest
from balance.decks.built_deck import BuiltDeck, Improvement
from balance.decks.deck_search import DeckSearch, DeckState, search_decks
from balance.decks.program import check_space
from balance.decks.selection import DeckSelection, play_decks, select_deck
from balance.decks.space import deck_space
from balance.metagame.field import Field, FieldCounts, field_of
from balance.settings.tables import BalanceSettings
from sim import Deck, InputError, error_place, known_word
from sim.arguments import checked
from sim.files.validation import NAME_LENGTH_MAX, Name, revalidated
from sim.play.agent import Agent, CompiledAgent

BUILT = "built"  # default name of a new deck
IMPROVED = "_improved"  # suffix of the default name of an improved deck


@checked(name=Name | None)
def build_deck(
    contest: CardContest,
    settings: BalanceSettings,
    *,
    field: Field | None = None,
    pilot: Agent | None = None,
    name: str | None = None,
    state: DeckState | None = None,
    on_stage: Callable[[str], None] = lambda _: None,
    on_generation: Callable[[DeckState], None] = lambda _: None,
) -> BuiltDeck:
    """Build a deck against a field, or improve a player's deck, and certify the result.

    Args:
        contest: contest with the cards, the rules and the players.
        settings: settings of the run, of which `seed`, `collection`, `field` and `build` count.
        field: opponents with their weights; by default the players of the contest with the weights
            of `settings.field`, without the player of the deck to improve.
        pilot: agent that plays a new deck; by default the one that `settings.build.agent` names.
        name: name of the deck; by default `built`, or the original deck's name and `_improved`.
        state: state from which the search continues; by default it starts anew.
        on_stage: callback, called with the name of each stage as it begins: `search`, `select`,
            `certify`.
        on_generation: callback for progress and checkpoints, called with the state after every
            generation.

    Returns:
        The deck, its certified win rate, and the results of all stages.

    Raises:
        InputError: the settings do not fit the contest, or permit no deck.
    """
    search, origin = prepare_search(contest, settings, field=field, pilot=pilot)
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
        for row, (n_swaps, k) in enumerate(selection.by_swaps)  # in the order of `_certify`
    )
    tried, row = _recommend(search, selection, improvements)
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
    contest: CardContest,
    settings: BalanceSettings,
    field: Field | None = None,
    pilot: Agent | None = None,
) -> None:
    """Check the settings of `build_deck` without playing games.

    Args:
        contest: contest with the cards, the rules and the players.
        settings: settings of the run, of which `collection`, `field` and `build` count.
        field: opponents with their weights; the default is that of `build_deck`.
        pilot: agent that plays a new deck; the default is that of `build_deck`.

    Raises:
        InputError: the settings do not fit the contest, or permit no deck.
    """
    search, _ = prepare_search(contest, settings, field=field, pilot=pilot)
    check_space(search.space)


def plays_any_deck(agent: Agent) -> TypeGuard[CompiledAgent]:
    """Return whether an agent plays any deck; trained agents play only those that they learned."""
    return isinstance(agent, CompiledAgent) and agent.view is None


def usual_pilot(field: Field) -> str | None:
    """Return the name of the most frequent agent of a field that can play any deck.

    Trained agents are left out, because they play only the decks that they learned. If several
    agents are equally frequent, the first of them in the field is returned.

    Args:
        field: opponents with their agents.

    Returns:
        The name; `None` if all agents of the field are trained.
    """
    agents = (opponent.agent for opponent in field.opponents)
    names = Counter(agent.name for agent in agents if plays_any_deck(agent))
    return max(names, key=names.__getitem__, default=None)


def prepare_search(
    contest: CardContest,
    settings: BalanceSettings,
    *,
    field: Field | None = None,
    pilot: Agent | None = None,
) -> tuple[DeckSearch, Deck | None]:
    """Return the configuration of the search of `build_deck`, after checking the settings.

    Args:
        contest: contest with the cards, the rules and the players.
        settings: settings of the run, as in `build_deck`.
        field: opponents with their weights; the default is that of `build_deck`.
        pilot: agent that plays a new deck; the default is that of `build_deck`.

    Returns:
        The configuration, and the deck to improve, which is `None` for a new deck.

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
        origin = None
        if pilot is None:
            with error_place("build.agent"):
                pilot = agent_named(build.agent)
    if not plays_any_deck(pilot):
        raise InputError(
            f"{pilot.name!r} is a trained agent, which plays only the decks that it learned",
            place="build",
            value=pilot.name,
            remedy="name an agent that plays all decks, such as 'light'",
        )
    if origin is not None and build.hero not in {None, origin.hero}:
        own = f"the hero {origin.hero!r}" if origin.hero else "no hero"
        raise InputError(
            f"{build.hero!r} does not fit deck {origin.name!r}, which has {own}",
            place="build.hero",
            separator=" = ",
            value=build.hero,
            limit=origin.hero,
            remedy="leave build.hero out, since swaps keep the hero",
        )
    space = deck_space(
        contest.table,
        settings,
        origin,
        hero=contest.players[0].deck.hero,
        opponents=[opponent.deck for opponent in field.opponents],
    )
    return DeckSearch(space, field, pilot, build, settings.seed), origin


def _certify(
    search: DeckSearch, selection: DeckSelection, origin: Deck | None
) -> tuple[list[Deck], FieldCounts]:
    """Play the recommended deck, or the improvements and the original deck, on fresh games.

    Args:
        search: configuration of the search.
        selection: selection among the decks of the search.
        origin: deck to improve; `None` for a new deck.

    Returns:
        The decks that were played, and their results. For a new deck this is the recommended deck
        alone; otherwise the best deck with each number of swaps, followed by the original deck.
    """
    decks = [selection.decks[selection.recommended]]
    if origin is not None:
        decks = [*(selection.decks[k] for _, k in selection.by_swaps), origin]
    return decks, play_decks(search, decks, n_games=search.build.certify, purpose="build/certify")


def _recommend(
    search: DeckSearch, selection: DeckSelection, improvements: tuple[Improvement, ...]
) -> tuple[Improvement | None, int]:
    """Return the improvement that the selection recommends, and the row of the resulting deck.

    The resulting deck is the recommended improvement if the lower bound of its gain is above 0, or
    if the original deck is not legal. Otherwise it is the deck of the last row: the original deck,
    or the new deck.

    Args:
        search: configuration of the search.
        selection: selection among the decks of the search.
        improvements: best deck with each number of swaps, in the order of the rows of `_certify`;
            empty for a new deck.

    Returns:
        The improvement, and the row. The improvement is `None` for a new deck, or if the selection
        recommends the original deck.
    """
    n_recommended = int(selection.n_swaps[selection.recommended])
    for row, tried in enumerate(improvements):
        if tried.n_swaps == n_recommended:
            is_better = tried.gain.low > 0 or not search.space.holds_origin
            return tried, row if is_better else len(improvements)
    return None, len(improvements)
