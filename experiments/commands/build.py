"""`evenhand build`: build a strong deck against a field, or improve a deck by a few swaps."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from math import fsum
from typing import Annotated, Any

import typer

from balance.decks.building import build_deck
from balance.decks.built_deck import DECK_FILE, BuiltDeck, OpponentRow, difference
from balance.decks.deck_search import DeckState
from experiments import plots
from experiments.cli.options import Collection, Within, integer, number
from experiments.cli.session import RESUMING, Session, Work, session_command
from experiments.commands.attack import attack_balance_run
from experiments.commands.build_question import ask_build
from experiments.experiment import Experiment
from experiments.files.option_errors import given
from experiments.files.output_file import deck_text
from experiments.runs.run import Findings, Run, SearchProgress, search_progress
from experiments.screen import Shown, Table, percent, percent_between, points
from sim import Deck, Pool
from sim.errors import InputError


@session_command(*RESUMING)
def build(
    session: Session,
    experiment: Annotated[
        str | None,
        typer.Argument(
            metavar="EXPERIMENT", help="An experiment file, or the name of a shipped experiment."
        ),
    ] = None,
    *,
    agent: Annotated[str | None, typer.Option(help="Agent that plays the deck.")] = None,
    hero: Annotated[
        str | None, typer.Option(help="Hero of the deck; default the first player's hero.")
    ] = None,
    improve: Annotated[
        str | None,
        typer.Option(
            metavar="PLAYER", help="Improve this player's deck instead of building a new one."
        ),
    ] = None,
    swaps: Annotated[
        int | None, integer(1, 60, "Largest number of cards to replace in an improved deck.")
    ] = None,
    collection: Collection = None,
    budget: Annotated[
        float | None,
        number(0, 1e9, "Largest total price of the copies that the collection lacks."),
    ] = None,
    goal: Annotated[
        float | None,
        number(0, 1, "Win rate that a certified deck must reach, from 0 to 1."),
    ] = None,
    within: Within = None,
    attack: Annotated[
        str | None,
        typer.Option(
            metavar="RUN",
            help="Build decks against those of a finished balance run, before and after its patch.",
        ),
    ] = None,
    rounds: Annotated[
        int | None, integer(1, 100, "Largest number of decks that an attack builds.")
    ] = None,
) -> Work:
    """Build a strong deck, or improve one, and certify it.

    With --attack, the command shows whether the decks of a finished balance run stay balanced if
    players build decks against them. An attack accepts only --agent, --rounds and --seed of these
    options.
    """
    build_options: dict[str, Any] = {
        "hero": hero, "improve": improve, "swaps": swaps, "collection": collection,
        "budget": budget, "goal": goal, "within": within,
    }  # fmt: skip
    if attack is not None:
        for name, value in {"EXPERIMENT": experiment, **build_options}.items():
            if value is not None:
                raise InputError(
                    "cannot be given together with --attack",
                    place=f"{name} {value!r}" if name.isupper() else f"--{name} {value}",
                    value=value,
                    remedy="leave one of them out",
                )
        options = given(agent=agent, rounds=rounds, seed=session.seed)
        return partial(session.attack, attack_balance_run, attack, options)
    if experiment is None:
        raise InputError("build needs an EXPERIMENT, or --attack RUN", remedy="see --help")
    if rounds is not None:
        raise InputError(
            "only an attack has rounds",
            place=f"--rounds {rounds}",
            value=rounds,
            remedy="add --attack RUN, or leave the option out",
        )
    check = partial(ask_build, agent=agent, **build_options)
    return partial(session.run, "build", experiment, check, run_build)


def run_build(run: Run) -> Findings:
    """Build or improve a deck; return its file, its measured win rate, and tables."""
    experiment = run.experiment
    built = _build(run)
    run.folder.log(f"{built.deck.name} {_win_rate_words(built)}")
    decks = [built.deck]
    if built.origin is not None and built.deck != built.origin:
        # The figure shows the deck before its improvement first.
        decks.insert(0, built.origin)
    return Findings(
        tables=built.files,
        texts={DECK_FILE: _deck_file(experiment, built)},
        figures={
            "deck_curve.png": lambda: plots.deck_curve(
                experiment.pool, decks, title=f"{experiment.settings.name}: curve"
            )
        },
        shown=_shown(experiment, built),
        summary=_summary(experiment, built, seconds=run.seconds),
    )


def _build(run: Run) -> BuiltDeck:
    """Build a new deck or improve one, as the experiment requires, with a progress bar."""
    settings = run.experiment.settings
    with build_progress(run, "build") as progress:
        return build_deck(
            run.experiment.contest(),
            settings,
            name=None if settings.build.improve else settings.name,
            state=progress.state,
            on_stage=progress.on_stage,
            on_generation=progress.on_generation,
        )


@contextmanager
def build_progress(run: Run, what: str) -> Iterator[SearchProgress[DeckState]]:
    """Show a progress bar for a deck search, and yield the callbacks that the search needs.

    The bar shows the win rate of the best deck so far.
    """

    def figure(reached: DeckState) -> str:
        return f"win rate {100 * reached.history[-1, -1]:.1f} %"

    with run.screen.progress(what, run.experiment.settings.build.generations) as advance:
        yield search_progress(run, DeckState, figure, advance)


def _deck_file(experiment: Experiment, built: BuiltDeck) -> str:
    """Return the content of the deck's file; comments contain the win rate, advice and costs."""
    result = f"{built.deck.name} {_win_rate_words(built)}, seed {experiment.settings.seed}."
    advice = [f"{sentence}." for sentence in _advice(built, experiment.pool)]
    return deck_text(built.deck, result, *advice, *_purchase_sentence(experiment, built))


def swaps_in_words(before: Deck, after: Deck, pool: Pool) -> str:
    """Return the difference of two decks in words: `- 2 Furnace Rat, + 2 Spark Runner`."""
    removed, added = difference(before, after)
    signed = [("-", copies) for copies in removed.items()]
    signed += [("+", copies) for copies in added.items()]
    return ", ".join(f"{sign} {copies} {pool.card(card).name}" for sign, (card, copies) in signed)


def _copies_to_buy(experiment: Experiment, built: BuiltDeck) -> dict[str, int] | None:
    """Return the number of copies to buy, by card id; `None` if there is no collection."""
    if (collection := experiment.settings.collection) is None:
        return None
    before = {} if built.origin is None else built.origin.cards
    lacking = {
        card: copies - max(collection.get(card, 0), before.get(card, 0))
        for card, copies in built.deck.cards.items()
    }
    return {card: copies for card, copies in lacking.items() if copies > 0}


def _purchase_sentence(experiment: Experiment, built: BuiltDeck) -> list[str]:
    """Return a sentence on the cards to buy and their price; empty if there is no collection."""
    to_buy = _copies_to_buy(experiment, built)
    if to_buy is None:
        return []
    if not to_buy:
        return ["All its cards are owned."]
    prices = experiment.settings.build.prices
    pool = experiment.pool
    price = fsum(copies * prices.get(card, 1.0) for card, copies in to_buy.items())
    cards = ", ".join(f"{copies} {pool.card(card).name}" for card, copies in to_buy.items())
    budget = experiment.settings.build.budget
    return [f"To buy: {cards}, for {price:g} of the budget of {budget:g}."]


def _win_rate_words(built: BuiltDeck) -> str:
    """Return the win rate in words: `wins 95.2 % (95.0 to 95.4) on average against ...`."""
    names = ", ".join(player.name for player in built.field.opponents)
    return (
        f"wins {percent_between(built.score)} on average against {names}, piloted by "
        f"{built.agent.name} ({built.n_games:,} fresh games against each)"
    )


def _summary(experiment: Experiment, built: BuiltDeck, *, seconds: float) -> dict[str, Any]:
    """Return the content of `summary.json` for `build`, as documented in `docs/formats.md`."""
    settings = experiment.settings
    return {
        "command": "build",
        **built.to_dict(),
        "goal": settings.build.goal,
        "bought": _copies_to_buy(experiment, built),
        "seed": settings.seed,
        "seconds": seconds,
    }


def _shown(experiment: Experiment, built: BuiltDeck) -> list[Shown]:
    """Return tables of the deck and its win rates; for an improved deck, lines on its swaps."""
    pool = experiment.pool
    build = experiment.settings.build
    swaps: list[Shown] = []
    if built.origin is not None:
        swaps = [*_swap_lines(built, built.origin, pool), *_advice(built, pool), ""]
    cards = Table(
        f"{built.deck.name}: {built.deck.n_cards} cards",
        ("card", "cost", "copies"),
        [
            (card.name, str(card.cost), str(built.deck.cards[card.id]))
            for card in sorted(pool.cards, key=lambda card: card.cost)
            if card.id in built.deck.cards
        ],
    )
    win_rates = Table(
        f"Win rate, % (± half of the 95 % interval, {built.n_games:,} fresh games each)",
        ("opponent", "agent", "weight", "win rate"),
        [
            (row.player, row.agent, f"{row.weight:.2f}", percent(row.win_rate))
            for row in built.rows(OpponentRow)
        ],
    )
    result = f"{built.deck.name} {_win_rate_words(built)}"
    purchase = _purchase_sentence(experiment, built)
    verdict = _verdict(built, build.goal)
    return [*swaps, cards, *purchase, "", win_rates, "", result, *verdict]


def _verdict(built: BuiltDeck, goal: float) -> list[str]:
    """Return a sentence on whether the deck reaches its goal; empty if it has no goal."""
    if built.certified is None:
        return []
    bound = f"lower bound of {100 * float(built.score.low):.2f} %"
    if built.certified:
        return [f"Certified: the {bound} reaches the goal of {100 * goal:g} %"]
    return [f"Not certified: the {bound} is below the goal of {100 * goal:g} %"]


def _swap_lines(built: BuiltDeck, origin: Deck, pool: Pool) -> Iterator[str]:
    """Yield a title, then a line on the best improved deck of each number of swaps."""
    yield (
        f"The best swaps in {origin.name}, and how they change its win rate (pp, ± half of the "
        f"95 % interval, {built.n_games:,} fresh games against each opponent):"
    )
    for improvement in built.improvements:
        words = swaps_in_words(origin, improvement.deck, pool)
        swaps = "swap" if improvement.n_swaps == 1 else "swaps"
        yield f"  {improvement.n_swaps:2} {swaps:5}  {points(improvement.gain):>11}  {words}"


def _advice(built: BuiltDeck, pool: Pool) -> list[str]:
    """Return a sentence on which swaps are recommended, if any; empty for a new deck."""
    if (origin := built.origin) is None:
        return []
    if built.tried is None:
        return [
            f"No swap is recommended: in the games that chose among decks, {origin.name} was as "
            "good as any other"
        ]
    gain = f"{points(built.tried.gain)} pp on {built.n_games:,} fresh games against each"
    swaps = swaps_in_words(origin, built.tried.deck, pool)
    if built.deck == origin:
        return [
            f"No swap is recommended: {swaps} was chosen, but is not shown to be better: {gain}"
        ]
    return [f"Recommended: {swaps}: {gain}"]
