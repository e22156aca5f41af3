"""`evenhand substitute`: what to play instead of cards that one lacks."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from itertools import count
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from balance import Interval, Player
from balance.decks.open_slots import Vacancies, find_vacancies
from balance.decks.substitutes import Candidate, Substitution, find_substitutes, n_stages
from balance.metagame.field import Field, field_of, mirror_of
from balance.settings import Substitute
from experiments import plots
from experiments.commands.substitute_words import role_in_words, sentence, stand_in_names
from experiments.experiment import Experiment
from experiments.files.option_errors import option_error, option_place
from experiments.runs.run import Findings, Run
from experiments.screen import Shown, Table, entry_of, percent, points
from sim import InputError, Pool, entry, known_word, validate
from sim.cards.names import card_names

_SENTENCES = 3


class SubstituteRow(NamedTuple):
    """A stand-in that raced, by win rate; only those that came far were measured."""

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


def ask(
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
    """The experiment with the question that the command line puts, checked.

    Args:
        experiment: whose `[substitute]` table says the rest.
        deck: the player whose deck lacks cards.
        cards: ids or names of the missing cards.
        collection: a CSV file of the cards that are owned.
        mirror: play the intact deck instead of the field.
        games: see `balance.settings.Substitute`.
        shown: likewise.
        within: likewise.

    Raises:
        InputError: nobody has that deck, or nothing can take a card's place.
    """
    asked = experiment.settings.substitute
    if deck is not None:
        deck = experiment.player_names[experiment.position(deck, "deck")]
    given: dict[str, Any] = {
        "deck": deck or asked.deck or _only_player(experiment),
        "cards": _card_ids(cards, experiment.pool) or asked.cards,
        "versus": "mirror" if mirror else asked.versus,
        "games": asked.games if games is None else games,
        "shown": asked.shown if shown is None else shown,
        "within": asked.within if within is None else within,
    }
    question = validate(Substitute, asked.model_dump() | given, source="substitute")
    asking = experiment.with_settings(substitute=question).with_collection(collection)
    with option_place("within") if within is not None else nullcontext():
        asking = asking.with_known_names()
    _, player = _field_and_player(asking)
    blamed = "card" if cards else "collection" if collection is not None else None
    with option_place(blamed) if blamed else nullcontext():
        _vacancies(asking, player).require_filling(asking.pool)
    return asking


def run_substitute(run: Run) -> Findings:
    """Rank the substitutes; finds `substitutes.csv` and a figure."""
    experiment = run.experiment
    pool = run.experiment.pool
    settings = experiment.settings
    field, player = _field_and_player(experiment)
    vacancies = _vacancies(experiment, player)
    with run.screen.progress("substitute", n_stages(vacancies)) as advance:
        done = count()
        found = find_substitutes(
            player,
            field,
            vacancies,
            race_games=settings.substitute.race,
            n_games=settings.substitute.games,
            shown=settings.substitute.shown,
            run_seed=settings.seed,
            threads=run.threads,
            on_stage=lambda stage: advance(next(done), stage),
        )
    missing = ", ".join(pool.cards[card].name for card in vacancies.missing)
    title = f"{settings.name}: {player.name} without {missing}"
    rows = substitute_rows(pool, found)
    return Findings(
        tables={"substitutes.csv": (SubstituteRow, rows)},
        figures={"substitutes.png": lambda: plots.substitutes_plot(pool, found, title=title)},
        summary=summarise(experiment, found, rows),
        shown=_shown(pool, found, settings.substitute.shown),
    )


def _only_player(experiment: Experiment) -> str:
    names = experiment.contest().player_names
    if len(names) > 1:
        raise option_error("deck", f"say whose deck lacks a card: {', '.join(names)}")
    return names[0]


def _card_ids(cards: Sequence[str], pool: Pool) -> tuple[str, ...]:
    """The ids of cards of the command line, each once."""
    with option_place("card"):
        return tuple(dict.fromkeys(map(card_names(pool).find, cards)))


def _field_and_player(experiment: Experiment) -> tuple[Field, Player]:
    contest = experiment.contest()
    question = experiment.settings.substitute
    players = {player.name: player for player in contest.players}
    player = players[known_word("player", str(question.deck), players, "substitute.deck")]
    if question.versus == "mirror":
        return mirror_of(contest, player), player
    if len(players) == 1:
        raise InputError(
            f"player: only {player.name!r}; a field needs another player, or use --mirror"
        )
    return field_of(contest, experiment.settings.field.weights, but=player.name), player


def _vacancies(experiment: Experiment, player: Player) -> Vacancies:
    settings = experiment.settings
    missing = settings.substitute.cards
    collection = settings.collection
    if not missing and collection is None:
        raise option_error(
            "card",
            f"say which card of {player.name!r} is missing ({', '.join(player.deck.cards)}), or "
            "give --collection",
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


def substitute_rows(pool: Pool, found: Substitution) -> list[SubstituteRow]:
    """One row per candidate in the order of win rates."""
    role_rank = {k: place for place, k in enumerate(found.by_role, 1)}
    return [
        SubstituteRow(
            rank,
            role_rank[rank - 1],
            " ".join(pool.cards[card].id for card in one.cards),
            stand_in_names(pool, one),
            one.distance,
            None if one.gain is None else one.gain.times(100),
            None if one.gain is None else found.n_games,
            100 * one.race_gain,
            one.n_games,
            "; ".join(
                role_in_words(pool.cards[vacancy.card], pool.cards[card])
                for vacancy, card in zip(found.vacancies.open, one.cards, strict=True)
            ),
        )
        for rank, one in enumerate(found.candidates, 1)
    ]


def summarise(
    experiment: Experiment, found: Substitution, rows: Sequence[SubstituteRow]
) -> dict[str, Any]:
    """The stable shape of `summary.json` for `substitute` (docs/formats.md)."""
    pool = experiment.pool
    columns = ("cards", "distance", "gain_pp", "low_pp", "high_pp", "n")
    ranked = [
        {column: value for column, value in entry(row).items() if column in columns}
        | {"cards": row.cards.split()}
        for row in rows
        if row.gain_pp is not None
    ]
    measured = [k for k, one in enumerate(found.candidates) if one.gain is not None]
    return {
        "command": "substitute",
        "seed": experiment.settings.seed,
        "deck": found.player.name,
        "agent": found.player.agent.name,
        "missing": [
            {"card": pool.cards[vacancy.card].id, "copies": len(vacancy.slots)}
            for vacancy in found.vacancies.open
        ],
        "field": {
            opponent.name: float(weight)
            for opponent, weight in zip(found.field.opponents, found.field.weights, strict=True)
        },
        "intact": entry_of(found.intact) | {"n": found.n_games},
        "by_win_rate": ranked,
        "by_role": [ranked[measured.index(k)] for k in found.by_role if k in measured],
        "candidates": len(found.candidates),
        "games": found.total_games,
    }


def _shown(pool: Pool, found: Substitution, n_shown: int) -> list[Shown]:
    missing = ", ".join(
        f"{len(vacancy.slots)} {pool.cards[vacancy.card].name}" for vacancy in found.vacancies.open
    )
    opponents = ", ".join(f"{o.name} ({o.agent.name})" for o in found.field.opponents)
    measured = [found.candidates[k] for k in found.by_role if found.candidates[k].gain is not None]
    by_win_rate = found.candidates[:n_shown]
    by_role = measured[:n_shown]
    told = {one.cards: one for one in [*found.candidates[:_SENTENCES], *by_role[:1]]}
    return [
        f"{found.player.name} ({found.player.agent.name}) without {missing}, against {opponents}: "
        f"intact it wins {percent(found.intact)} %",
        *_tables(pool, found, by_win_rate, by_role),
        "Distance: steps of the printed numbers, 2 for a keyword or an effect more or less, 4 for "
        "another kind of card",
        "",
        *(sentence(pool, found, one) for one in told.values()),
        f"{len(found.candidates)} candidates, {found.total_games:,} games",
    ]


def _tables(
    pool: Pool,
    found: Substitution,
    by_win_rate: Sequence[Candidate],
    by_role: Sequence[Candidate],
) -> list[Table]:
    """Both orders: side by side where one card is missing."""
    how = (
        f"change in pp ± half of the 95 % interval, {found.n_games:,} games against each "
        "opponent, other games than made the order"
    )
    columns = ("change", "distance")
    if len(found.vacancies.open) == 1:
        title = f"Instead, by win rate and by role ({how})"
        pairs = zip(by_win_rate, by_role, strict=False)
        rows = [(*_cells(pool, left), *_cells(pool, right)) for left, right in pairs]
        return [Table(title, ("by win rate", *columns, "by role", *columns), rows)]
    return [
        Table(
            f"Instead, by {order} ({how})",
            ("cards", *columns),
            [_cells(pool, one) for one in ranked],
        )
        for order, ranked in (("win rate", by_win_rate), ("role", by_role))
    ]


def _cells(pool: Pool, candidate: Candidate) -> tuple[str, str, str]:
    return (
        stand_in_names(pool, candidate),
        "" if candidate.gain is None else points(candidate.gain),
        str(candidate.distance),
    )
