"""Commands for experiments of Big Two: matchups, balance, replay and play."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, NamedTuple

from agents.big_two import agent_named
from agents.big_two.roster import known_agents
from balance import CONFIDENCE, Demands, Interval, SeatReadings
from balance.big_two.big_two_contest import PLACES, BigTwoContest, Rate
from experiments.big_two.experiment import RATE_WORDS, BigTwoExperiment, read_big_two
from experiments.commands.contests import check_balance, run_balance
from experiments.files.agent_files import PREFIX, find_pilot
from experiments.files.option_errors import option_error, option_place
from experiments.game import Game, Place
from experiments.runs.run import Findings, RunOf
from experiments.screen import (
    Shown,
    Table,
    demand_entries,
    legend_of,
    marked,
    percent,
    wanted_words,
)
from sim import entry, game_seed
from sim.big_two.cards import N_SEATS
from sim.big_two.game_log import agents_action, log_game
from sim.big_two.game_session import BigTwoSession
from sim.big_two.games import BigTwoAgent
from sim.names import named_word


class ShareRow(NamedTuple):
    """Row of `matchups.csv` with the shares of a player or place; an equal share is 25 %.

    Attributes:
        name: name of the player or place.
        kind: `player` or `place`.
        first_places: share of games won, as an estimate with its interval.
        points: share of points, as an estimate with its interval.
        n: number of games.
    """

    name: str
    kind: str
    first_places: Annotated[Interval, ("first_places", "first_places_low", "first_places_high")]
    points: Annotated[Interval, ("points", "points_low", "points_high")]
    n: int


def run_matchups(run: RunOf[BigTwoExperiment]) -> Findings:
    """Play the baseline rules and return the shares of players and places.

    The findings include the table `matchups.csv`.
    """
    experiment = run.experiment
    contest = run.experiment.contest()
    settings = experiment.settings
    readings = play_today(contest, settings.games.matchups, settings.seed)
    rows = share_rows(contest, readings)
    demands = experiment.balance_settings().demands_in(contest)
    demands = demands.with_matchups(contest.matchup_names)
    rates = demands.read(readings[contest.rate], CONFIDENCE).at(0)
    return Findings(
        summary={
            "command": "matchups",
            "seed": settings.seed,
            "game": settings.game,
            "of": contest.rate,
            "matchups": [entry(row) for row in rows],
            "demands": demand_entries(demands, rates),
            "n": rows[0].n,
        },
        tables={"matchups.csv": (ShareRow, rows)},
        shown=_tables(contest, rows, demands, rates),
    )


def play_today(contest: BigTwoContest, n_games: int, run_seed: int) -> dict[Rate, SeatReadings]:
    """Play the baseline rules and return the readings of the games, by kind of rate.

    Args:
        contest: contest to play.
        n_games: number of games, a multiple of four.
        run_seed: seed of the run.
    """
    outcomes = contest.outcomes(n_games, run_seed, "matchups")
    return {rate: contest.read(outcomes, rate) for rate in RATE_WORDS}


def share_rows(contest: BigTwoContest, readings: dict[Rate, SeatReadings]) -> list[ShareRow]:
    """Return a row with the shares of each player and each place.

    Args:
        contest: contest that was played.
        readings: readings of the same games, by kind of rate.
    """
    first_places, points = (readings[rate].win_rate().at(0) for rate in RATE_WORDS)
    n_games = readings[contest.rate].n_games
    kinds = ["place" if name in PLACES else "player" for name in contest.matchup_names]
    return [
        ShareRow(name, kinds[m], first_places.at(m), points.at(m), n_games)
        for m, name in enumerate(contest.matchup_names)
    ]


def _tables(
    contest: BigTwoContest, rows: Sequence[ShareRow], demands: Demands, rates: Interval
) -> list[Shown]:
    """Return the table of shares for the screen, and a legend if rows have marks such as `OUT`.

    Args:
        contest: contest that was played.
        rows: shares of each player and each place.
        demands: requirements on the shares; the first ones belong to the rows.
        rates: estimates of the rates in the requirements, with intervals.
    """
    wanted = demands.bounds.T
    verdicts = demands.verdicts(rates)[: len(rows)]
    table = Table(
        f"Shares over {rows[0].n:,} games, {rows[0].n // N_SEATS:,} deals in all rotations, % "
        "(± half of the 95 % interval)",
        ("who", "first places", "points", f"wanted of {RATE_WORDS[contest.rate]}"),
        [
            (
                row.name,
                percent(row.first_places),
                percent(row.points),
                marked(wanted_words(*wanted[m]), verdicts[m]).strip(),
            )
            for m, row in enumerate(rows)
        ],
    )
    return [table, *legend_of(verdicts)]


def replay_game(experiment: BigTwoExperiment, game: int, purpose: str) -> str:
    """Play one game of an experiment's baseline rules again, and return its log.

    Args:
        experiment: experiment with the rules and players.
        game: number of the game from 0; games are ordered by deal, then by rotation.
        purpose: purpose of the games, such as `matchups` (`sim.seeds`).
    """
    settings = experiment.settings
    (deal, rotation) = divmod(game, N_SEATS)
    head = f"game {game} of stream {purpose!r} of seed {settings.seed}, rules: "
    lines = log_game(
        experiment.rules,
        [player.name for player in experiment.players],
        partial(agents_action, [player.agent for player in experiment.players]),
        seed=game_seed(settings.seed, purpose, deal),
        rotation=rotation,
    )
    return "\n".join([head + settings.rules.variant, *lines, ""])


_SEATS = ("first", "second", "third", "fourth")
"""Names of the seats in the option `--seat`."""


def begin_session(
    experiment: BigTwoExperiment, place: Place, *, index: int, width: int, results: Path
) -> BigTwoSession:
    """Return an interactive game between a person and the experiment's agents.

    Args:
        experiment: experiment with the rules and agents.
        place: options for the person's seat, and for an agent to replace those of the experiment.
        index: number of the game from 0; games are ordered by deal, then by rotation.
        width: maximum number of characters per line.
        results: parent of the run folders, in which files of trained agents are searched.

    Raises:
        InputError: the seat or the agent does not exist, or an option for decks was given.
    """
    for option, value, remedy in (
        ("as", place.player, "use --seat to choose your seat"),
        ("against", place.against, "use --agent to choose the other players' agent"),
    ):
        if value is not None:
            raise option_error(
                option,
                f"applies only to card games, not to 'big_two' (value: {value!r})",
                value=value,
                remedy=remedy,
            )
    with option_place("seat"):
        seat = _SEATS.index(named_word("seat", place.seat or _SEATS[0], _SEATS))
    players = experiment.players
    agents = [player.agent for player in players]
    names = [player.name for player in players]
    if place.agent is not None:
        with option_place("agent"):
            agents = [_agent(place.agent, experiment, results)] * N_SEATS
        names = [place.agent] * N_SEATS
    names[seat] = "a person"
    deal, rotation = divmod(index, N_SEATS)
    seed = game_seed(experiment.settings.seed, "play", deal)
    return BigTwoSession(
        experiment.rules, agents, names, seat=seat, seed=seed, rotation=rotation, width=width
    )


def _agent(name: str, experiment: BigTwoExperiment, results: Path) -> BigTwoAgent:
    """Return the agent that the option `--agent` names.

    Args:
        name: name of a script or of a trained agent.
        experiment: experiment; relative file names refer to the folder of its file.
        results: parent of the run folders, in which files of trained agents are searched.

    Raises:
        InputError: the agent does not exist, or its file is damaged.
    """
    if not name.startswith(PREFIX):
        return agent_named(name)
    return agent_named(f"{PREFIX}{find_pilot(name, near=experiment.path, results=results).path}")


GAME = Game(
    "big_two",
    read_big_two,
    commands=("matchups", "balance"),
    functions={
        "matchups": (lambda _: None, run_matchups),  # loading the file has checked everything
        "balance": (check_balance, run_balance),
    },
    replay=replay_game,
    sit=begin_session,
    agents=known_agents,
)
"""Description of the game Big Two for the command line, with its commands."""
