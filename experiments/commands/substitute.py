"""`evenhand substitute`: rank the cards that can replace missing cards in a deck."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from functools import partial
from itertools import count
from pathlib import Path
from typing import Annotated, Any

import typer

from balance import Player
from balance.decks.open_slots import Vacancies, find_vacancies
from balance.decks.substitutes import find_substitutes, n_stages
from balance.metagame.field import Field, field_of, mirror_of
from balance.settings.tables import Substitute
from experiments import plots
from experiments.cli.options import GAME_MAX, Collection, ExperimentName, Within, integer
from experiments.cli.session import MEASURING, Session, Work, session_command
from experiments.commands.substitute_words import shown_lines
from experiments.experiment import Experiment
from experiments.files.option_errors import option_error, option_place
from experiments.runs.run import Findings, Run
from sim import InputError, Pool, known_word, validate
from sim.cards.names import card_names


@session_command(*MEASURING, "agent")
def substitute(
    session: Session,
    experiment: ExperimentName,
    *,
    deck: Annotated[
        str | None, typer.Option(help="Name of the player with the deck that lacks cards.")
    ] = None,
    card: Annotated[
        list[str] | None,
        typer.Option(help="A missing card, by id or name; may be given several times."),
    ] = None,
    collection: Collection = None,
    mirror: Annotated[
        bool,
        typer.Option(
            "--mirror", help="Play against the intact deck instead of against the other decks."
        ),
    ] = False,
    games: Annotated[
        int | None,
        integer(
            4,
            GAME_MAX,
            "Games against each opponent that measure the listed substitutes; an even number.",
        ),
    ] = None,
    shown: Annotated[int | None, integer(1, 1000, "Number of substitutes in each list.")] = None,
    within: Within = None,
) -> Work:
    """Rank the cards that can replace a missing card in a deck."""
    check = partial(
        ask_substitute,
        deck=deck,
        cards=card or (),
        collection=collection,
        mirror=mirror,
        games=games,
        shown=shown,
        within=within,
    )
    return partial(session.run, "substitute", experiment, check, run_substitute)


def ask_substitute(
    experiment: Experiment,
    *,
    deck: str | None,
    cards: Sequence[str],
    collection: Path | None,
    mirror: bool,
    games: int | None,
    shown: int | None,
    within: str | None = None,
) -> Experiment:
    """Return the experiment with the options of the command line in `[substitute]`.

    An option that is `None` leaves the setting of the file unchanged.

    Args:
        experiment: the experiment as its file describes it.
        deck: name of the player with the deck that lacks cards.
        cards: ids or names of the missing cards; empty for the cards of the file.
        collection: CSV file of the cards that are owned.
        mirror: whether to play against the intact deck instead of the field.
        games: number of games against each opponent that measure the best candidates.
        shown: number of candidates in each list.
        within: column of the cards' sheet in which all cards of a deck must have the same value.

    Raises:
        InputError: the deck or a card is unknown, or nothing can replace a missing card.
    """
    table = experiment.settings.substitute
    if deck is not None:
        deck = experiment.player_names[experiment.position(deck, "deck")]
    options: dict[str, Any] = {
        "deck": deck or table.deck or _only_player(experiment),
        "cards": _card_ids(cards, experiment.pool) or table.cards,
        "versus": "mirror" if mirror else table.versus,
        "games": table.games if games is None else games,
        "shown": table.shown if shown is None else shown,
        "within": table.within if within is None else within,
    }
    question = validate(Substitute, table.model_dump() | options, source="substitute")
    complete = experiment.with_settings(substitute=question).with_collection(collection)
    with option_place("within") if within is not None else nullcontext():
        complete = complete.with_known_names()
    _, player = _field_and_player(complete)
    # An error names the option that made replacement impossible, if the command line has one.
    option = "card" if cards else "collection" if collection is not None else None
    with option_place(option) if option else nullcontext():
        _vacancies(complete, player).require_filling(complete.pool)
    return complete


def run_substitute(run: Run) -> Findings:
    """Find and rank substitutes for missing cards; return the table, the figure and the lines."""
    experiment = run.experiment
    pool = run.experiment.pool
    settings = experiment.settings
    field, player = _field_and_player(experiment)
    vacancies = _vacancies(experiment, player)
    with run.screen.progress("substitute", n_stages(vacancies)) as advance:
        n_done = count()
        substitution = find_substitutes(
            player,
            field,
            vacancies,
            race_games=settings.substitute.race,
            n_games=settings.substitute.games,
            shown=settings.substitute.shown,
            run_seed=settings.seed,
            on_stage=lambda stage: advance(next(n_done), stage),
        )
    missing = ", ".join(pool.cards[card].name for card in vacancies.missing)
    title = f"{settings.name}: {player.name} without {missing}"
    return Findings(
        tables=substitution.files,
        figures={
            "substitutes.png": lambda: plots.substitutes_plot(pool, substitution, title=title)
        },
        summary={"command": "substitute", "seed": settings.seed, **substitution.to_dict()},
        shown=shown_lines(substitution, settings.substitute.shown),
    )


def _only_player(experiment: Experiment) -> str:
    """Return the name of the experiment's only player.

    Raises:
        InputError: the experiment has several players.
    """
    names = experiment.contest().player_names
    if len(names) > 1:
        raise option_error(
            "deck",
            "is needed, since the experiment has several decks",
            limit=names,
            remedy=f"name the player with the deck that lacks cards: {', '.join(names)}",
        )
    return names[0]


def _card_ids(cards: Sequence[str], pool: Pool) -> tuple[str, ...]:
    """Return the ids of cards given by id or name, without repetitions.

    Raises:
        InputError: a card is unknown.
    """
    with option_place("card"):
        return tuple(dict.fromkeys(map(card_names(pool).find, cards)))


def _field_and_player(experiment: Experiment) -> tuple[Field, Player]:
    """Return the opponents, and the player with the deck that lacks cards.

    Raises:
        InputError: the player is unknown, or is the only player and there is no mirror.
    """
    contest = experiment.contest()
    question = experiment.settings.substitute
    players = {player.name: player for player in contest.players}
    player = players[known_word("player", str(question.deck), players, "substitute.deck")]
    if question.versus == "mirror":
        return mirror_of(contest, player), player
    if len(players) == 1:
        raise InputError(
            f"{player.name!r} is the only one, and has no opponents",
            place="player",
            value=player.name,
            remedy="add a [[player]], or play against the intact deck with --mirror",
        )
    return field_of(contest, experiment.settings.field.weights, but=player.name), player


def _vacancies(experiment: Experiment, player: Player) -> Vacancies:
    """Return the slots of a player's deck that are vacant because cards are missing.

    Raises:
        InputError: the experiment names neither missing cards nor a collection.
    """
    settings = experiment.settings
    missing = settings.substitute.cards
    collection = settings.collection
    if not missing and collection is None:
        raise option_error(
            "card",
            f"is needed to name a missing card of {player.name!r}",
            limit=tuple(player.deck.cards),
            remedy=f"name one of {', '.join(player.deck.cards)}, or give --collection",
        )
    return find_vacancies(
        player.deck,
        experiment.pool,
        experiment.ruleset,
        missing,
        collection,
        only=settings.substitute.only,
        within=settings.substitute.within,
    )
