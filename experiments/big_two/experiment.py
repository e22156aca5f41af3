"""An experiment of Big Two: a file, and what it comes to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from agents.big_two import agent_named
from balance.big_two_contest import PLACES, BigTwoContest, BigTwoPlayer, rule_space
from balance.methods import check_search
from balance.search_space import SearchSpace
from balance.settings import BalanceSettings, Games
from balance.target import RESERVED, Target
from experiments.big_two.experiment_file import BigTwoFile, BigTwoPlayerEntry
from experiments.files.option_errors import blaming
from experiments.files.pilots import PREFIX, PilotFile, find_pilots
from experiments.runs.ledger import Question
from sim import InputError, read_toml, validate
from sim.big_two.rules import BigTwoRules, rules_of


@dataclass(frozen=True)
class BigTwoExperiment:
    """An experiment file of Big Two with what it names.

    Attributes:
        path: the file.
        settings: what it says.
        rules: its variant, with what the file changes.
        players: in the order of their seats.
        pilots: the files of the trained agents, by what refers to them.
    """

    path: Path
    settings: BigTwoFile
    rules: BigTwoRules
    players: tuple[BigTwoPlayer, ...]
    pilots: Mapping[str, PilotFile] = field(default_factory=dict)

    def contest(self) -> BigTwoContest:
        """The four players at their table."""
        return BigTwoContest(self.rules, self.players, self.settings.target.of)

    def space(self) -> SearchSpace:
        """What may move.

        Raises:
            InputError: a range is none of its number's, or nothing may move.
        """
        tune = self.settings.tune
        return rule_space(self.rules, tune.rules, tune.weights)

    def balance_settings(self) -> BalanceSettings:
        """What the science is told."""
        told = self.settings
        target = Target(**told.target.model_dump(exclude={"of"}))
        games = Games(**told.games.model_dump())
        return BalanceSettings(seed=told.seed, target=target, games=games, search=told.search)

    def resolved(self, command: str = "") -> dict[str, Any]:  # noqa: ARG002 (alike for all)
        """Everything that the results of a command depend on, as plain data."""
        return {
            "experiment": self.settings.model_dump(mode="json", by_alias=True),
            "rules": self.rules.model_dump(mode="json"),
            "pilots": {agent: file.content for agent, file in self.pilots.items()},
        }

    def question(self) -> Question:
        """What a certificate speaks of, and how that is found out."""
        known = self.resolved()
        told = known["experiment"]
        asked = {"player": told["player"], "target": told["target"], "tune": told["tune"]["rules"]}
        asked |= {"rules": known["rules"], "pilots": known["pilots"]}
        how = {"games": told["games"], "search": told["search"]}
        how["weights"] = told["tune"]["weights"]
        return Question(told["name"], told["seed"], asked, how)

    def with_seed(self, seed: int | None) -> BigTwoExperiment:
        """The same experiment under another run seed; `None` keeps its own."""
        if seed is None:
            return self
        return replace(self, settings=self.settings.model_copy(update={"seed": seed}))


def load_big_two(path: Path) -> BigTwoExperiment:
    """Read an experiment of Big Two.

    Raises:
        InputError: the file is missing or wrong; names the file, the field, the value, the limit.
    """
    settings = validate(BigTwoFile, read_toml(path), source=str(path))
    changed = {name: getattr(settings.rules, name) for name in settings.rules.model_fields_set}
    with blaming(path):
        trained = [one for one in settings.players if one.agent.startswith(PREFIX)]
        named = [(one.agent, f"player {one.called!r}: agent") for one in trained]
        pilots = find_pilots(named, near=path, results=Path("results"))
        players = tuple(_player(entry, pilots) for entry in settings.players)
        found = BigTwoExperiment(path, settings, rules_of(**changed), players, pilots)
        found.balance_settings().demands_in(found.contest())
        if settings.tune.rules:
            found.space()
    return found


def check_balance(experiment: BigTwoExperiment) -> None:
    """Refuse what the stages of a search would refuse, before anything is played.

    Raises:
        InputError: nothing may move, or there is no such search.
    """
    experiment.space()
    check_search(experiment.settings.search)


def _player(entry: BigTwoPlayerEntry, pilots: Mapping[str, PilotFile]) -> BigTwoPlayer:
    if entry.called in {*PLACES, *RESERVED}:
        raise InputError(
            f"player {entry.called!r}: means something in [target]; give another `name`"
        )
    name = f"{PREFIX}{pilots[entry.agent].path}" if entry.agent in pilots else entry.agent
    with blaming(f"player {entry.called!r}: agent"):
        return BigTwoPlayer(entry.called, agent_named(name))
