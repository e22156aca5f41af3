"""`evenhand substitute`: rank the cards that can replace missing cards in a deck."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from functools import partial
from itertools import count
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from balance import Interval, Player
from balance.decks.open_slots import Vacancies, find_vacancies
from balance.decks.substitutes import Candidate, Substitution, find_substitutes, n_stages
from balance.metagame.field import Field, field_of, mirror_of
from balance.settings.tables import Substitute
from experiments import plots
from experiments.cli.options import (
    GAME_MAX,
    Collection,
    ExperimentName,
    Within,
    integer,
)
from experiments.cli.session import MEASURING, Session, Work, session_command
from experiments.commands.substitute_words import role_in_words, sentence, stand_in_names
from experiments.experiment import Experiment
from experiments.files.option_errors import option_error, option_place
from experiments.runs.run import Findings, Run
from experiments.screen import Shown, Table, entry_of, percent, points
from sim import InputError, Pool, entry, known_word, validate
from sim.cards.names import card_names

_SENTENCES = 3  # number of substitutes, the best by win rate, that a sentence also describes


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


class SubstituteRow(NamedTuple):
    """Row of `substitutes.csv`: cards that replace the missing cards, and the measured change.

    Attributes:
        rank: rank by win rate, from 1 for the best.
        role_rank: rank by similarity to the missing cards, from 1 for the most similar.
        cards: ids of the cards, separated by blanks.
        names: names of the cards, separated by commas.
        distance: distance to the missing cards, in steps of printed numbers.
        gain_pp: change of the win rate in percentage points, with its 95 % interval; `None` if the
            race dropped the candidate before it was measured.
        n: number of games that measured `gain_pp` against each opponent; `None` if not measured.
        race_gain_pp: change of the win rate estimated by the race, in percentage points.
        games_spent: number of games that the race played with the candidate.
        what_changes: difference to the missing cards, in words.
    """

    rank: int
    role_rank: int
    cards: str
    names: str
    distance: int
    gain_pp: Annotated[Interval, ("gain_pp", "low_pp", "high_pp")] | None
    n: int | None
    race_gain_pp: float
    games_spent: int
    what_changes: str


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
    rows = substitute_rows(pool, substitution)
    return Findings(
        tables={"substitutes.csv": (SubstituteRow, rows)},
        figures={
            "substitutes.png": lambda: plots.substitutes_plot(pool, substitution, title=title)
        },
        summary=summarise(experiment, substitution, rows),
        shown=_shown(pool, substitution, settings.substitute.shown),
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


def substitute_rows(pool: Pool, substitution: Substitution) -> list[SubstituteRow]:
    """Return a row for each candidate, sorted by decreasing win rate."""
    role_rank = {k: place for place, k in enumerate(substitution.by_role, 1)}
    return [
        SubstituteRow(
            rank,
            role_rank[rank - 1],
            " ".join(pool.cards[card].id for card in candidate.cards),
            stand_in_names(pool, candidate),
            candidate.distance,
            None if candidate.gain is None else candidate.gain.times(100),
            None if candidate.gain is None else substitution.n_games,
            100 * candidate.race_gain,
            candidate.n_games,
            "; ".join(
                role_in_words(pool.cards[vacancy.card], pool.cards[card])
                for vacancy, card in zip(substitution.vacancies.open, candidate.cards, strict=True)
            ),
        )
        for rank, candidate in enumerate(substitution.candidates, 1)
    ]


def summarise(
    experiment: Experiment, substitution: Substitution, rows: Sequence[SubstituteRow]
) -> dict[str, Any]:
    """Return the content of `summary.json` for `substitute`, as documented in `docs/formats.md`."""
    pool = experiment.pool
    columns = ("cards", "distance", "gain_pp", "low_pp", "high_pp", "n")
    ranked = [
        {column: value for column, value in entry(row).items() if column in columns}
        | {"cards": row.cards.split()}
        for row in rows
        if row.gain_pp is not None
    ]
    measured = [
        k for k, candidate in enumerate(substitution.candidates) if candidate.gain is not None
    ]
    return {
        "command": "substitute",
        "seed": experiment.settings.seed,
        "deck": substitution.player.name,
        "agent": substitution.player.agent.name,
        "missing": [
            {"card": pool.cards[vacancy.card].id, "copies": len(vacancy.slots)}
            for vacancy in substitution.vacancies.open
        ],
        "field": {
            opponent.name: float(weight)
            for opponent, weight in zip(
                substitution.field.opponents, substitution.field.weights, strict=True
            )
        },
        "intact": entry_of(substitution.intact) | {"n": substitution.n_games},
        "by_win_rate": ranked,
        "by_role": [ranked[measured.index(k)] for k in substitution.by_role if k in measured],
        "candidates": len(substitution.candidates),
        "games": substitution.total_games,
    }


def _shown(pool: Pool, substitution: Substitution, n_shown: int) -> list[Shown]:
    """Return tables of the best candidates, and sentences on a few of them.

    The sentences describe the best `_SENTENCES` candidates by win rate, and the candidate that is
    most similar to the missing cards.

    Args:
        pool: the card pool.
        substitution: all candidates with their results.
        n_shown: maximum number of candidates in each table.
    """
    missing = ", ".join(
        f"{len(vacancy.slots)} {pool.cards[vacancy.card].name}"
        for vacancy in substitution.vacancies.open
    )
    opponents = ", ".join(f"{o.name} ({o.agent.name})" for o in substitution.field.opponents)
    measured = [
        substitution.candidates[k]
        for k in substitution.by_role
        if substitution.candidates[k].gain is not None
    ]
    by_win_rate = substitution.candidates[:n_shown]
    by_role = measured[:n_shown]
    described = [*substitution.candidates[:_SENTENCES], *by_role[:1]]
    by_cards = {candidate.cards: candidate for candidate in described}
    return [
        f"{substitution.player.name} ({substitution.player.agent.name}) without {missing}, against "
        f"{opponents}: the intact deck wins {percent(substitution.intact)} %",
        *_tables(pool, substitution, by_win_rate, by_role),
        "Distance: steps of the printed numbers, plus 2 for each keyword or effect more or less, "
        "plus 4 for another kind of card",
        "",
        *(sentence(pool, substitution, candidate) for candidate in by_cards.values()),
        f"{len(substitution.candidates)} candidates, {substitution.total_games:,} games",
    ]


def _tables(
    pool: Pool,
    substitution: Substitution,
    by_win_rate: Sequence[Candidate],
    by_role: Sequence[Candidate],
) -> list[Table]:
    """Return the candidates by win rate and by role, in one table if one card is missing."""
    how = (
        f"change in pp ± half of the 95 % interval, {substitution.n_games:,} games against each "
        "opponent, other games than those of the race"
    )
    columns = ("change", "distance")
    if len(substitution.vacancies.open) == 1:
        title = f"Instead, by win rate and by role ({how})"
        pairs = zip(by_win_rate, by_role, strict=False)
        rows = [(*_cells(pool, left), *_cells(pool, right)) for left, right in pairs]
        return [Table(title, ("by win rate", *columns, "by role", *columns), rows)]
    return [
        Table(
            f"Instead, by {order} ({how})",
            ("cards", *columns),
            [_cells(pool, candidate) for candidate in ranked],
        )
        for order, ranked in (("win rate", by_win_rate), ("role", by_role))
    ]


def _cells(pool: Pool, candidate: Candidate) -> tuple[str, str, str]:
    """Return the cells of a candidate: names, change of the win rate if measured, and distance."""
    return (
        stand_in_names(pool, candidate),
        "" if candidate.gain is None else points(candidate.gain),
        str(candidate.distance),
    )
