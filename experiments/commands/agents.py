"""`evenhand agents`: list the known agents, or measure their strength and their time per turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from agents.registry import known_agents, known_spelling
from balance import Interval
from balance.cards.pilot_check import THRESHOLD, WeakPilot
from balance.metagame.round_robin import play_round_robin, turn_time
from experiments.agents import agent_for
from experiments.cli.options import GAME_MAX, integer, uneven_games_error
from experiments.cli.session import MEASURING, Session, Work, session_command
from experiments.commands.agents_list import list_agents
from experiments.commands.pilots import beaten_words, pilots_of
from experiments.experiment import Experiment, contents_of
from experiments.files.option_errors import given, option_error, option_place
from experiments.results.agents import ALL_DECKS, AgentRow, PairRow, agent_rows, pair_rows
from experiments.runs.run import Findings, Run
from experiments.screen import Table, percent, plus_minus
from sim.errors import InputError
from sim.files.row_file import entry
from sim.play import Agent

# Default of --games: in one mirror, 200 games give an interval of about 7 points on each side.
GAMES_OF_A_PAIR = 200


@session_command(*MEASURING)
def agents(
    session: Session,
    *,
    measure: Annotated[
        str | None,
        typer.Option(
            metavar="EXPERIMENT",
            help="Measure agents by a round robin in mirrors of this experiment's decks.",
        ),
    ] = None,
    names: Annotated[
        str | None,
        typer.Option(
            "--agents", metavar="NAME,NAME", help="The agents to measure; default all of them."
        ),
    ] = None,
    games: Annotated[
        int | None,
        integer(
            4, GAME_MAX, "Games of each pair of agents in each mirror; an even number; default 200."
        ),
    ] = None,
) -> Work:
    """List the agents that experiments may name, or measure them.

    The measurement is a round robin in mirrors of decks. Each agent gets a rating, and the time of
    its turns is measured.
    """
    if measure is None:
        without_meaning = given(
            agents=names, games=games, seed=session.seed, workers=session.workers,
            threads=session.threads,
        )  # fmt: skip
        if not session.plots:
            without_meaning["no-plots"] = ""
        if session.results != Session.results:
            without_meaning["results"] = session.results
        for name, value in without_meaning.items():
            raise InputError(
                "has no effect without --measure EXPERIMENT",
                place=f"--{name} {value}".rstrip(),
                value=value,
                remedy="add --measure, or leave the option out",
            )
        return partial(session.measure, list_agents)
    if games is not None and games % 2:
        raise uneven_games_error("games", games)
    check = partial(
        ask_agents,
        names=names_to_measure(names),
        n_games=games or GAMES_OF_A_PAIR,
        results=session.results,
    )
    return partial(session.run, "agents", measure, check, run_agents)


def names_to_measure(option: str | None) -> list[str]:
    """Return the names of the agents to measure, in their known spelling.

    Args:
        option: value of `--agents`, names separated by commas; `None` for all known agents that
            need no file.

    Raises:
        InputError: the option names fewer than two agents, or the same agent twice.
    """
    if option is None:
        return [agent.example for agent in known_agents() if agent.example]
    names = [known_spelling(name.strip()) for name in option.split(",") if name.strip()]
    for name in names:
        if names.count(name) > 1:
            raise option_error(
                "agents", f"{name!r} is named twice", value=name, remedy="name each agent once"
            )
    if len(names) < 2:
        raise option_error(
            "agents",
            f"a round robin needs at least 2 agents, but {option!r} names {len(names)}",
            value=option,
            limit=2,
            remedy="name more, separated by commas",
        )
    return names


@dataclass(frozen=True, kw_only=True)
class AgentsExperiment(Experiment):
    """Experiment with agents that are to be measured in mirrors of the experiment's decks.

    Attributes:
        measured: agents to measure.
        names: name of each measured agent, as experiment files spell it.
        n_games: number of games of each pair of agents in the mirror of each deck.
    """

    measured: tuple[Agent, ...]
    names: tuple[str, ...]
    n_games: int

    def resolved(self, command: str = "") -> dict[str, Any]:
        """Return all data that results depend on, including the agents and the number of games."""
        plain = Experiment.resolved(self, command)
        return plain | {
            "agents": [*self.names],
            "games_of_a_pair": self.n_games,
            "pilots": plain["pilots"] | contents_of(self.measured),
        }


def ask_agents(
    experiment: Experiment, names: Sequence[str], n_games: int, results: Path
) -> AgentsExperiment:
    """Return the experiment together with the agents to measure on all of its decks.

    Args:
        experiment: the experiment with the decks.
        names: names of the agents.
        n_games: number of games of each pair of agents in the mirror of each deck.
        results: parent of the run folders, which is searched for trained agents.

    Raises:
        InputError: an agent is unknown, or cannot play the decks of the experiment.
    """
    with option_place("agents"):
        measured = [agent_for(name, experiment, experiment.decks, results) for name in names]
    return AgentsExperiment(
        **vars(experiment), measured=tuple(measured), names=tuple(names), n_games=n_games
    )


def run_agents(run: Run) -> Findings:
    """Time a turn of each agent, play a round robin of the agents, and return the findings."""
    experiment = cast("AgentsExperiment", run.experiment)
    agents = experiment.measured
    names = experiment.names
    n_games = experiment.n_games
    contest = experiment.contest()
    seed = experiment.settings.seed
    n_all = n_games * len(contest.players) * len(names) * (len(names) - 1) // 2
    run.screen.stage("measuring how long a turn takes")
    # Turns are timed alone, before the round robin keeps all cores busy.
    turns_s = [turn_time(contest, agent, run_seed=seed) for agent in agents]
    with run.screen.games("playing", {"playing": n_all}) as bar:
        bar.begin("playing")
        robin = play_round_robin(
            replace(contest, on_games=bar.played),
            agents,
            n_games=n_games,
            run_seed=seed,
        )
    rows = agent_rows(names, robin, turns_s)
    pairs = pair_rows(names, contest.player_names, robin)
    beaten = beaten_pilots(pilots_of(experiment), pairs)
    return Findings(
        summary={
            "command": "agents",
            "seed": seed,
            "agents": [entry(row) for row in rows],
            "pairs": [entry(row) for row in pairs if row.deck == ALL_DECKS],
            "decks": list(contest.player_names),
            "n": n_all,
            "beaten_pilots": [entry(row) for row in beaten],
        },
        tables={"agents.csv": (AgentRow, rows), "agent_pairs.csv": (PairRow, pairs)},
        shown=[
            _table(rows, len(contest.players)),
            _pairs_table(pairs),
            *_conclusions(experiment, beaten),
        ],
    )


def beaten_pilots(pilots: Mapping[str, str], pairs: Sequence[PairRow]) -> list[WeakPilot]:
    """Return the players with an agent that loses to a measured agent beyond doubt.

    A loss is beyond doubt if the lower bound of the opponent's win rate exceeds `THRESHOLD`. If
    several opponents beat an agent, the one with the highest win rate is returned.

    Args:
        pilots: name of each player's agent, by the player's name.
        pairs: results of the measured pairs; rows of single decks are ignored.
    """
    beaten = []
    for player, agent in pilots.items():
        opponents = [
            WeakPilot(player, agent, *opponent, pair.n)
            for pair in pairs
            if pair.deck == ALL_DECKS
            for opponent in _opponents_of(agent, pair)
        ]
        worst = max(opponents, key=lambda pilot: float(pilot.win_rate.estimate), default=None)
        if worst is not None and worst.win_rate.low > THRESHOLD:
            beaten.append(worst)
    return beaten


def _opponents_of(agent: str, pair: PairRow) -> list[tuple[str, Interval]]:
    """Return the opponent of an agent with its win rate; empty if the agent is not in the pair."""
    if agent == pair.b:
        return [(pair.a, pair.win_rate)]
    estimate, low, high = (1 - bound for bound in pair.win_rate)
    return [(pair.b, Interval(estimate, high, low))] if agent == pair.a else []


def _conclusions(experiment: AgentsExperiment, beaten: Sequence[WeakPilot]) -> list[str]:
    """Return lines about pilots of the experiment that were beaten or not measured.

    If there are no such pilots, one line reports this.
    """
    pilots = pilots_of(experiment)
    lines = [
        f"{beaten_words(pilot)}; decks that are balanced for {pilot.agent} need not be "
        "balanced for stronger play: see `evenhand matchups "
        f"{experiment.path} --agent {pilot.against}`"
        for pilot in beaten
    ]
    unmeasured = [name for name in dict.fromkeys(pilots.values()) if name not in experiment.names]
    if unmeasured:
        lines.append(
            f"Not measured, although they pilot decks of the experiment: {', '.join(unmeasured)}; "
            f"to measure them too, add --agents {','.join((*experiment.names, *unmeasured))}"
        )
    if not lines:
        lines.append("None of these agents beats a pilot of the experiment by more than 5 points")
    return lines


def _table(rows: Sequence[AgentRow], n_decks: int) -> Table:
    """Return a table of the agents' ratings, win rates and turn times, in the order of `rows`."""
    mirrors = "the mirror of the deck" if n_decks == 1 else f"mirrors of {n_decks} decks"
    return Table(
        f"Agents in {mirrors}, {rows[0].n:,} games each (± half of the 95 % interval)",
        ("agent", "rating, Elo", "win rate over the others, %", "ms a turn"),
        [
            (
                row.agent,
                plus_minus(row.rating, "+.0f"),
                percent(row.win_rate),
                f"{row.turn_ms:.3g}",
            )
            for row in rows
        ],
    )


def _pairs_table(pairs: Sequence[PairRow]) -> Table:
    """Return a table of each pair's win rate over all mirrors, with extremes of single mirrors."""
    overall = [row for row in pairs if row.deck == ALL_DECKS]
    rates = {
        (row.a, row.b): [
            float(row_of_deck.win_rate.estimate)
            for row_of_deck in pairs
            if (row_of_deck.a, row_of_deck.b) == (row.a, row.b) and row_of_deck.deck != ALL_DECKS
        ]
        for row in overall
    }
    return Table(
        f"Win rate of the first-named over {overall[0].n:,} games, both seatings",
        ("pair", "all decks, %", "worst deck, %", "best deck, %"),
        [
            (
                f"{row.a} vs {row.b}",
                percent(row.win_rate),
                f"{100 * min(rates[row.a, row.b]):.1f}",
                f"{100 * max(rates[row.a, row.b]):.1f}",
            )
            for row in overall
        ],
    )
