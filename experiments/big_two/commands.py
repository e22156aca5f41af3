"""Big Two at the command line: what each command does with one of its experiments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from agents.big_two import agent_named
from agents.big_two.roster import known_agents
from balance import CONFIDENCE, Demands, Edit, Interval, SeatReadings
from balance.big_two_contest import PLACES, BigTwoContest, Rate
from balance.found_patch import balance_contest
from balance.methods import most_rounds
from experiments.big_two.experiment import BigTwoExperiment, check_balance, load_big_two
from experiments.commands.balance_report import summarise
from experiments.commands.found_patch import patch_findings, search_in
from experiments.commands.second_opinion import without_opinion
from experiments.files.agent_files import PREFIX, find_pilot
from experiments.files.option_errors import option_error, option_place
from experiments.game import Game, Place
from experiments.runs.run import Findings, RunOf
from experiments.screen import (
    BAND_LEGEND,
    Shown,
    Table,
    demand_entries,
    mark_of,
    percent,
    wanted_words,
)
from sim import entry, game_seed, write_atomically
from sim.big_two.cards import N_SEATS
from sim.big_two.game_session import BigTwoSession
from sim.big_two.games import BigTwoAgent
from sim.big_two.rules import BigTwoRules
from sim.big_two.story import agents_action, log_game
from sim.files.whole_file import read_text
from sim.names import named_word

RATE_WORDS: dict[Rate, str] = {"first_places": "first places", "points": "points"}
"""What people call what shares are of."""

NO_OTHERS = (
    "No second opinion: the pilots that give one (greedy, light, turn:200) play games of cards, "
    "not Big Two."
)


class ShareRow(NamedTuple):
    """A player's or a place's share of what there is to be won; an equal share is 25 %."""

    name: str
    kind: str
    first_places: Annotated[Interval, ("first_places", "first_places_low", "first_places_high")]
    points: Annotated[Interval, ("points", "points_low", "points_high")]
    n: int


def run_matchups(run: RunOf[BigTwoExperiment]) -> Findings:
    """Play today's rules; finds `matchups.csv`."""
    experiment = run.experiment
    contest = run.experiment.contest()
    settings = experiment.settings
    readings = play_today(contest, settings.games.matchups, settings.seed, threads=run.threads)
    rows = share_rows(contest, readings)
    told = experiment.balance_settings().demands_in(contest).with_matchups(contest.matchup_names)
    rates = told.read(readings[contest.rate], CONFIDENCE).at(0)
    return Findings(
        summary={
            "command": "matchups",
            "seed": settings.seed,
            "game": settings.game,
            "of": contest.rate,
            "matchups": [entry(row) for row in rows],
            "demands": demand_entries(told, rates),
            "n": rows[0].n,
        },
        tables={"matchups.csv": (ShareRow, rows)},
        shown=_shown(contest, rows, told, rates),
    )


def play_today(
    contest: BigTwoContest, n_games: int, run_seed: int, *, threads: int | None = None
) -> dict[Rate, SeatReadings]:
    """Games of today's rules, by what shares are of."""
    found = contest.outcomes(n_games, run_seed, "matchups", threads=threads)
    return {rate: contest.read(found, rate) for rate in RATE_WORDS}


def share_rows(contest: BigTwoContest, readings: dict[Rate, SeatReadings]) -> list[ShareRow]:
    """One row for each player and each place.

    Args:
        contest: of which they are told.
        readings: of the same games, by what shares are of.
    """
    first_places, points = (readings[rate].win_rate().at(0) for rate in RATE_WORDS)
    n_games = readings[contest.rate].n_games
    kinds = ["place" if name in PLACES else "player" for name in contest.matchup_names]
    return [
        ShareRow(name, kinds[m], first_places.at(m), points.at(m), n_games)
        for m, name in enumerate(contest.matchup_names)
    ]


def _shown(
    contest: BigTwoContest, rows: Sequence[ShareRow], told: Demands, rates: Interval
) -> list[Shown]:
    wanted = told.bounds.T
    marks = [*map(mark_of, told.verdicts(rates))][: len(rows)]
    table = Table(
        f"Shares over {rows[0].n:,} games, {rows[0].n // N_SEATS:,} deals in all rotations, % "
        "(± half of the 95 % interval)",
        ("who", "first places", "points", f"wanted of {RATE_WORDS[contest.rate]}"),
        [
            (
                row.name,
                percent(row.first_places),
                percent(row.points),
                f"{wanted_words(*wanted[m])} {marks[m]}".strip(),
            )
            for m, row in enumerate(rows)
        ],
    )
    return [table, *([BAND_LEGEND] if any(marks) else [])]


def run_balance(run: RunOf[BigTwoExperiment]) -> Findings:
    """Balance an experiment; finds everything that a person wants to see of it."""
    experiment = run.experiment
    settings = run.experiment.balance_settings()
    find = partial(balance_contest, experiment.contest(), experiment.space(), settings)
    with run.screen.progress("balance", most_rounds(settings.search)) as advance:
        found, effects = search_in(run, settings, experiment.question(), find, advance)
    target = run.folder.path / "patched_experiment.toml"
    write_patched(experiment.path, target, experiment.rules, found.patch)
    of = RATE_WORDS[experiment.settings.target.of]
    opinion = without_opinion(NO_OTHERS)
    findings = patch_findings(experiment, found, effects, opinion=opinion, rates=f"Share of {of}")
    summary = summarise(experiment, found, effects, seconds=run.seconds)
    return replace(findings, summary=summary | {"second_opinion": opinion.summary})


def write_patched(source: Path, target: Path, rules: BigTwoRules, patch: tuple[Edit, ...]) -> None:
    """Write an experiment with the patch in its `[rules]`, as a file that loads.

    Args:
        source: the experiment's file, whose comments stay.
        target: the file to write.
        rules: today's.
        patch: edits of their numbers.
    """
    import tomlkit  # noqa: PLC0415 (slow to load)

    document: Any = tomlkit.parse(read_text(source))
    table = document.setdefault("rules", tomlkit.table())
    patched = rules.with_numbers({edit.field: edit.after for edit in patch})
    was = rules.model_dump(mode="json")
    told = patched.model_dump(mode="json")
    table.update({name: value for name, value in told.items() if value != was[name]})
    write_atomically(target, tomlkit.dumps(document))


def replay_game(experiment: BigTwoExperiment, game: int, purpose: str) -> str:
    """One of the games that `matchups` plays, as text.

    Args:
        experiment: whose rules and players.
        game: its number: deal by deal, and of each all rotations.
        purpose: stream of game seeds.
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


def sit_at_big_two(
    experiment: BigTwoExperiment, place: Place, *, index: int, width: int, results: Path
) -> BigTwoSession:
    """A game of Big Two: the person has a seat, the experiment's agents the others.

    Args:
        experiment: whose rules and agents.
        place: which seat, and who has the others instead.
        index: the game's number, as for `replay_game`.
        width: of lines.
        results: parent of the run folders, where trained agents are looked for.

    Raises:
        InputError: there is no such seat or agent, or something is asked of decks.
    """
    for option, value in (("as", place.player), ("against", place.against)):
        if value is not None:
            raise option_error(option, f"{value!r}: has no meaning in 'big_two'; see --seat")
    with option_place("seat"):
        seat = _SEATS.index(named_word("seat", place.seat or _SEATS[0], _SEATS))
    players = experiment.players
    agents = [one.agent for one in players]
    names = [one.name for one in players]
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
    if not name.startswith(PREFIX):
        return agent_named(name)
    return agent_named(f"{PREFIX}{find_pilot(name, near=experiment.path, results=results).path}")


GAME = Game(
    "big_two",
    load_big_two,
    {
        "matchups": (lambda _: None, run_matchups),  # a file that loads can be measured
        "balance": (check_balance, run_balance),
    },
    replay_game,
    sit_at_big_two,
    known_agents,
)
"""Big Two, as commands know it."""
