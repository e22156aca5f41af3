"""`evenhand agents`: who may be named in an experiment, and how strong and how dear each is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from textwrap import wrap
from typing import Annotated, Any, NamedTuple, cast

from agents.declaration import KnownAgent
from agents.registry import known_agents, known_spelling
from balance import Interval
from balance.metagame.round_robin import RoundRobin, play_round_robin, turn_time
from balance.pilot_check import THRESHOLD
from experiments.agents import agent_for
from experiments.commands.pilots import pilots_of
from experiments.experiment import Experiment, contents_of
from experiments.files.option_errors import option_error, option_place
from experiments.game import GAMES
from experiments.runs.run import Findings, Run
from experiments.screen import Screen, Shown, Table, percent
from sim.files.row_file import entry
from sim.play import Agent

GAMES_OF_A_PAIR = 200
_CARDS = "cards"
_WIDTH = 80
_INDENT = 16
_FAIR = (
    "A fair agent does the same whatever the hidden cards are, and whatever luck is to come: a "
    "suite of tests holds all of ours to that."
)
_MEASURED = "How strong they are, and what a turn takes: evenhand agents --measure EXPERIMENT"


def list_agents(_: Screen) -> Findings:
    """All agents by name, those of other games behind those of cards."""
    known = {_CARDS: known_agents()}
    known |= {name: list(load().agents()) for name, load in GAMES.items()}
    shown: list[Shown] = []
    for game, of_game in known.items():
        shown.append("" if shown else "Agents, as experiment files name them")
        if game != _CARDS:
            shown.append(f"Agents of the game {game!r}")
        shown += [line for one in of_game for line in _lines(one)]
    shown += ["", *wrap(_FAIR, _WIDTH), *wrap(_MEASURED, _WIDTH)]
    return Findings(summary={"command": "agents", **_plain(known)}, shown=shown)


def _lines(agent: KnownAgent) -> list[str]:
    """An agent's name and what is said of it, beside it or below."""
    fair = "Fair." if agent.is_fair else f"Of the package {agent.package}; fair, if that says so."
    head = f"  {agent.usage}"
    is_short = len(head) < _INDENT
    line = agent.line.replace("`", "")  # which mark code in docstrings, and nothing on a screen
    told = wrap(
        f"{line} {fair}".strip(),
        _WIDTH,
        initial_indent=f"{head:<{_INDENT}}" if is_short else " " * _INDENT,
        subsequent_indent=" " * _INDENT,
    )
    return told if is_short else [head, *told]


def _plain(known: Mapping[str, Sequence[KnownAgent]]) -> dict[str, Any]:
    return {
        "agents": [
            {
                "agent": one.usage,
                "game": game,
                "line": one.line,
                "package": one.package,
                "fair": one.is_fair or None,
                "measured_as": one.example or None,
            }
            for game, of_game in known.items()
            for one in of_game
        ]
    }


def measured_names(told: str | None) -> list[str]:
    """Whom to measure: those that are told, else all known ones that need no file.

    Raises:
        InputError: fewer than two, or one twice.
    """
    if told is None:
        return [one.example for one in known_agents() if one.example]
    names = [known_spelling(name.strip()) for name in told.split(",") if name.strip()]
    for name in names:
        if names.count(name) > 1:
            raise option_error("agents", f"{name!r} is named twice")
    if len(names) < 2:
        raise option_error("agents", f"{told!r}: names {len(names)}; two or more have to meet")
    return names


@dataclass(frozen=True, kw_only=True)
class Measured(Experiment):
    """An experiment in whose mirrors agents meet.

    Attributes:
        measured: the agents.
        names: what people call them.
        n_games: of each pair in each mirror.
    """

    measured: tuple[Agent, ...]
    names: tuple[str, ...]
    n_games: int

    def resolved(self, command: str = "") -> dict[str, Any]:
        """Everything that the results of `command` depend on, as plain data."""
        plain = Experiment.resolved(self, command)
        return plain | {
            "agents": [*self.names],
            "games_of_a_pair": self.n_games,
            "pilots": plain["pilots"] | contents_of(self.measured),
        }


def ask_agents(
    experiment: Experiment, names: Sequence[str], n_games: int, results: Path
) -> Measured:
    """What is to be measured; each agent is to play all decks of the experiment.

    Raises:
        InputError: there is no such agent, or it cannot play this.
    """
    with option_place("agents"):
        measured = [agent_for(name, experiment, experiment.decks, results) for name in names]
    return Measured(
        **vars(experiment), measured=tuple(measured), names=tuple(names), n_games=n_games
    )


def run_agents(run: Run) -> Findings:
    """Play the round robin; finds `agents.csv` and `agent_pairs.csv`."""
    experiment = cast("Measured", run.experiment)
    agents = experiment.measured
    names = experiment.names
    n_games = experiment.n_games
    contest = experiment.contest()
    seed = experiment.settings.seed
    n_all = n_games * len(contest.players) * len(names) * (len(names) - 1) // 2
    run.screen.stage("measuring what a turn takes")
    turns_s = [turn_time(contest, agent, run_seed=seed) for agent in agents]
    with run.screen.games("playing", {"playing": n_all}) as bar:
        bar.begin("playing")
        found = play_round_robin(
            replace(contest, on_games=bar.played),
            agents,
            n_games=n_games,
            run_seed=seed,
            threads=run.threads,
        )
    rows = agent_rows(names, found, turns_s)
    pairs = pair_rows(names, contest.player_names, found)
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
            *_what_follows(experiment, beaten),
        ],
    )


class BeatenPilot(NamedTuple):
    """A player's agent that another one beats in these mirrors by more than a band's width."""

    player: str
    agent: str
    against: str
    win_rate: Annotated[Interval, ("win_rate", "low", "high")]
    n: int


def beaten_pilots(pilots: Mapping[str, str], pairs: Sequence[PairRow]) -> list[BeatenPilot]:
    """The players whose agent loses for certain, each with who beats it most.

    Args:
        pilots: the agent of each player.
        pairs: of agents that were measured.
    """
    found = []
    for player, agent in pilots.items():
        against = [
            BeatenPilot(player, agent, *other, pair.n)
            for pair in pairs
            if pair.deck == ALL_DECKS
            for other in _others(agent, pair)
        ]
        worst = max(against, key=lambda one: float(one.win_rate.estimate), default=None)
        if worst is not None and worst.win_rate.low > THRESHOLD:
            found.append(worst)
    return found


def _others(agent: str, pair: PairRow) -> list[tuple[str, Interval]]:
    """Whom an agent met in a pair, and what that one won."""
    if agent == pair.b:
        return [(pair.a, pair.win_rate)]
    estimate, low, high = (1 - bound for bound in pair.win_rate)
    return [(pair.b, Interval(estimate, high, low))] if agent == pair.a else []


def _what_follows(experiment: Measured, beaten: Sequence[BeatenPilot]) -> list[str]:
    """What the measure says of the experiment's own pilots, a line each."""
    pilots = pilots_of(experiment)
    lines = [
        f"{one.player}: {one.against} beats its pilot {one.agent} in {percent(one.win_rate)} % of "
        f"{one.n:,} games; what is balanced for {one.agent} need not be for better play: see "
        f"`evenhand matchups {experiment.path} --agent {one.against}`"
        for one in beaten
    ]
    unmeasured = [name for name in dict.fromkeys(pilots.values()) if name not in experiment.names]
    if unmeasured:
        lines.append(
            f"Not measured, though decks are piloted so: {', '.join(unmeasured)}; --agents "
            f"{','.join((*experiment.names, *unmeasured))} measures it too"
        )
    if not lines:
        lines.append("No agent of these beats a pilot of the experiment by more than 5 points")
    return lines


def _table(rows: Sequence[AgentRow], n_decks: int) -> Table:
    mirrors = "the mirror of the deck" if n_decks == 1 else f"mirrors of {n_decks} decks"
    return Table(
        f"Agents in {mirrors}, {rows[0].n:,} games each (± half of the 95 % interval)",
        ("agent", "rating, Elo", "win rate over the others, %", "ms a turn"),
        [
            (
                row.agent,
                f"{row.rating.estimate:+.0f} ±{(row.rating.high - row.rating.low) / 2:.0f}",
                percent(row.win_rate),
                f"{row.turn_ms:.3g}",
            )
            for row in rows
        ],
    )


def _pairs_table(pairs: Sequence[PairRow]) -> Table:
    """Each pair, with the mirrors in which the first fares worst and best."""
    whole = [row for row in pairs if row.deck == ALL_DECKS]
    rates = {
        (row.a, row.b): [
            float(one.win_rate.estimate)
            for one in pairs
            if (one.a, one.b) == (row.a, row.b) and one.deck != ALL_DECKS
        ]
        for row in whole
    }
    return Table(
        f"Win rate of the first-named over {whole[0].n:,} games, both seatings",
        ("pair", "all decks, %", "worst deck, %", "best deck, %"),
        [
            (
                f"{row.a} vs {row.b}",
                percent(row.win_rate),
                f"{100 * min(rates[row.a, row.b]):.1f}",
                f"{100 * max(rates[row.a, row.b]):.1f}",
            )
            for row in whole
        ],
    )


class AgentRow(NamedTuple):
    """An agent: its rating, its win rate over all others, and what a turn costs."""

    agent: str
    rating: Annotated[Interval, ("rating_elo", "rating_low", "rating_high")]
    win_rate: Annotated[Interval, ("win_rate", "low", "high")]
    n: int
    turn_ms: float


class PairRow(NamedTuple):
    """Two agents in the mirror of a deck, or in all of them."""

    a: str
    b: str
    deck: str
    win_rate: Annotated[Interval, ("win_rate_a", "low", "high")]
    n: int


ALL_DECKS = "(all)"


def agent_rows(names: Sequence[str], found: RoundRobin, turns_s: Sequence[float]) -> list[AgentRow]:
    """One row per agent, the strongest first."""
    n_games = found.n_games * (len(names) - 1)
    rows = (
        AgentRow(name, found.ratings.at(k), found.overall.at(k), n_games, 1000 * turns_s[k])
        for k, name in enumerate(names)
    )
    return sorted(rows, key=lambda row: -float(row.rating.estimate))


def pair_rows(names: Sequence[str], decks: Sequence[str], found: RoundRobin) -> list[PairRow]:
    """One row per pair over all mirrors, and one in each."""
    rows = []
    for m, (a, b) in enumerate(found.pairs):
        rows.append(PairRow(names[a], names[b], ALL_DECKS, found.rates.at(m), found.n_games))
        rows += [
            PairRow(names[a], names[b], deck, found.by_deck.at(m, d), found.n_games // len(decks))
            for d, deck in enumerate(decks)
        ]
    return rows
