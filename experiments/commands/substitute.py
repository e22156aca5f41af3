"""`evenhand substitute`: what to play instead of cards that one lacks."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from itertools import count
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from balance.card_contest import CardContest, Player
from balance.decks.open_slots import Vacancies, find_vacancies
from balance.decks.substitutes import Candidate, Substitution, find_substitutes, n_stages
from balance.metagame.field import Field, field_of, mirror_of
from balance.settings import Substitute
from balance.statistics.intervals import Interval
from experiments.collection import read_collection
from experiments.commands.substitute_words import role_in_words, sentence, stand_in_names
from experiments.console import Screen, percent, points
from experiments.experiment import Experiment
from experiments.option_errors import OptionError, about_option
from experiments.runs.run_folder import RunFolder
from sim.cards.pool import Pool
from sim.errors import InputError, unknown_word
from sim.files.row_file import entry
from sim.files.strict_model import validate

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

    Raises:
        InputError: nobody has that deck, or nothing can take a card's place.
    """
    asked = experiment.settings.substitute
    if deck is not None:
        names = [player.name for player in experiment.contest().players]
        if deck not in names:
            raise OptionError("deck", unknown_word("player", deck, names))
    given: dict[str, Any] = {
        "deck": deck or asked.deck or _only_player(experiment),
        "cards": _card_ids(cards, experiment.pool) or asked.cards,
        "versus": "mirror" if mirror else asked.versus,
        "games": asked.games if games is None else games,
        "shown": asked.shown if shown is None else shown,
    }
    question = validate(Substitute, asked.model_dump() | given, source="substitute")
    changes: dict[str, Any] = {"substitute": question}
    if collection is not None:
        with about_option("collection"):
            changes["collection"] = read_collection(collection, experiment.pool)
    asking = experiment.with_settings(**changes)
    contest = asking.contest()
    _check_collection(asking)
    player = _field_and_player(asking, contest)[1]
    blamed = "card" if cards else "collection" if collection is not None else None
    with about_option(blamed) if blamed else nullcontext():
        _vacancies(asking, player).require_filling(asking.pool)
    return asking


def run_substitute(
    experiment: Experiment, folder: RunFolder, screen: Screen, *, plots: bool, threads: int | None
) -> dict[str, Any]:
    """Rank the substitutes; writes `substitutes.csv`, a figure and `summary.json`."""
    settings = experiment.settings
    contest = experiment.contest()
    field, player = _field_and_player(experiment, contest)
    vacancies = _vacancies(experiment, player)
    with screen.progress("substitute", n_stages(vacancies)) as advance:
        done = count()
        found = find_substitutes(
            player,
            field,
            vacancies,
            race_games=settings.substitute.race,
            n_games=settings.substitute.games,
            shown=settings.substitute.shown,
            run_seed=settings.seed,
            threads=threads,
            on_stage=lambda stage: advance(next(done), stage),
        )
    pool = experiment.pool
    rows = substitute_rows(pool, found)
    folder.write_rows("substitutes.csv", SubstituteRow, rows)
    if plots:
        _draw(pool, found, folder, settings.name)
    summary = summarise(experiment, found, rows)
    folder.write_json("summary.json", summary)
    _show(screen, pool, found, settings.substitute.shown)
    return summary


def _only_player(experiment: Experiment) -> str:
    names = [player.name for player in experiment.contest().players]
    if len(names) > 1:
        raise OptionError("deck", f"say whose deck lacks a card: {', '.join(names)}")
    return names[0]


def _card_ids(cards: Sequence[str], pool: Pool) -> tuple[str, ...]:
    """The ids of cards of the command line, each once."""
    with about_option("card"):
        return tuple(dict.fromkeys(_card_id(card, pool) for card in cards))


def _card_id(card: str, pool: Pool) -> str:
    """The id of a card that is given by id or by name."""
    ids = [one.id for one in pool.cards]
    named = [one.id for one in pool.cards if one.name.lower() == card.strip().lower()]
    if card in ids or len(named) != 1:
        pool.index(card)
        return card
    return named[0]


def _check_collection(experiment: Experiment) -> None:
    ids = [card.id for card in experiment.pool.cards]
    for card_id in experiment.settings.collection or {}:
        if card_id not in ids:
            raise InputError(f"collection: {unknown_word('card', card_id, ids)}")


def _field_and_player(experiment: Experiment, contest: CardContest) -> tuple[Field, Player]:
    question = experiment.settings.substitute
    players = {player.name: player for player in contest.players}
    if question.deck not in players:
        raise InputError(f"substitute.deck: {unknown_word('player', str(question.deck), players)}")
    player = players[question.deck]
    if question.versus == "mirror":
        return mirror_of(contest, player), player
    if len(players) == 1:
        raise InputError(
            f"player: only {player.name!r}; a field needs another player, or use --mirror"
        )
    return field_of(contest, experiment.settings.field.weights, but=player.name), player


def _vacancies(experiment: Experiment, player: Player) -> Vacancies:
    settings = experiment.settings
    missing, collection = settings.substitute.cards, settings.collection
    if not missing and collection is None:
        deck = ", ".join(player.deck.cards)
        raise OptionError(
            "card", f"say which card of {player.name!r} is missing ({deck}), or give --collection"
        )
    return find_vacancies(player.deck, experiment.pool, experiment.ruleset, missing, collection)


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
            _what_changes(pool, found, one),
        )
        for rank, one in enumerate(found.candidates, 1)
    ]


def _what_changes(pool: Pool, found: Substitution, candidate: Candidate) -> str:
    pairs = zip(found.vacancies.open, candidate.cards, strict=True)
    return "; ".join(role_in_words(pool.cards[v.card], pool.cards[card]) for v, card in pairs)


def summarise(
    experiment: Experiment, found: Substitution, rows: Sequence[SubstituteRow]
) -> dict[str, Any]:
    """The stable shape of `summary.json` for `substitute` (docs/formats.md)."""
    pool = experiment.pool
    columns = ("cards", "distance", "gain_pp", "low_pp", "high_pp", "n")
    ranked = [
        {column: value for column, value in entry(row).items() if column in columns}
        for row in rows
        if row.gain_pp is not None
    ]
    for row in ranked:
        row["cards"] = row["cards"].split()
    place = {k: position for position, k in enumerate(_measured(found.candidates))}
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
        "intact": dict(zip(("win_rate", "low", "high"), map(float, found.intact), strict=True))
        | {"n": found.n_games},
        "by_win_rate": ranked,
        "by_role": [ranked[place[k]] for k in found.by_role if k in place],
        "candidates": len(found.candidates),
        "games": found.total_games,
    }


def _measured(candidates: Sequence[Candidate]) -> list[int]:
    return [k for k, one in enumerate(candidates) if one.gain is not None]


def _show(screen: Screen, pool: Pool, found: Substitution, shown: int) -> None:
    missing = ", ".join(
        f"{len(vacancy.slots)} {pool.cards[vacancy.card].name}" for vacancy in found.vacancies.open
    )
    opponents = ", ".join(f"{o.name} ({o.agent.name})" for o in found.field.opponents)
    screen.say(
        f"{found.player.name} ({found.player.agent.name}) without {missing}, against {opponents}: "
        f"intact it wins {percent(*map(float, found.intact))} %"
    )
    by_win_rate = found.candidates[:shown]
    measured = [found.candidates[k] for k in found.by_role if found.candidates[k].gain is not None]
    by_role = measured[:shown]
    how = (
        f"change in pp ± half of the 95 % interval, {found.n_games:,} games against each "
        "opponent, other games than made the order"
    )
    if len(found.vacancies.open) == 1:
        columns = ("change", "distance")
        screen.table(
            f"Instead, by win rate and by role ({how})",
            ("by win rate", *columns, "by role", *columns),
            [
                (*_cells(pool, left), *_cells(pool, right))
                for left, right in zip(by_win_rate, by_role, strict=False)
            ],
        )
    else:
        for order, ranked in (("win rate", by_win_rate), ("role", by_role)):
            screen.table(
                f"Instead, by {order} ({how})",
                ("cards", "change", "distance"),
                [_cells(pool, one) for one in ranked],
            )
    screen.say(
        "Distance: steps of the printed numbers, 2 for a keyword or an effect more or less, 4 for "
        "another kind of card"
    )
    screen.say()
    told = {one.cards: one for one in [*found.candidates[:_SENTENCES], *by_role[:1]]}
    for one in told.values():
        screen.say(sentence(pool, found, one))
    screen.say(f"{len(found.candidates)} candidates, {found.total_games:,} games")


def _cells(pool: Pool, candidate: Candidate) -> tuple[str, str, str]:
    gain = "" if candidate.gain is None else points(*map(float, candidate.gain))
    return stand_in_names(pool, candidate), gain, str(candidate.distance)


def _draw(pool: Pool, found: Substitution, folder: RunFolder, name: str) -> None:
    from experiments.plots import figure_png, substitutes_plot  # noqa: PLC0415 (matplotlib)

    missing = ", ".join(pool.cards[card].name for card in found.vacancies.missing)
    title = f"{name}: {found.player.name} without {missing}"
    folder.write_bytes("substitutes.png", figure_png(substitutes_plot(pool, found, title=title)))
