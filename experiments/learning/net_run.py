"""Training of the networks of one learner of kind `net`, stored after each round."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import NamedTuple, TypeVar

from agents.policy.policy_network import PolicyNetwork
from agents.reading.card_network import CardNetwork
from agents.reading.network_file import load_network, network_bytes
from agents.search.value.value_network import ValueNetwork
from balance import Learner
from experiments.files.output_file import curve_file_name, network_file_name
from experiments.runs.run import Run
from sim import read_rows
from sim.play import Table

Network = TypeVar("Network", bound=CardNetwork)


class RoundRow(NamedTuple):
    """Round of the training of a network, a row of `<learner>_curve.csv`.

    Attributes:
        network: kind of the network, `value` or `policy`.
        round: number of the round, from 1.
        games: number of games of the round.
        positions: number of recorded positions or decisions from which the network learned.
        loss: mean logarithmic loss of the value on games that a network was not trained on; empty
            for a policy.
        agreement: share of decisions of other games in which the policy agrees with its teacher;
            empty for a value, and for rounds of play against itself.
    """

    network: str
    round: int
    games: int
    positions: int
    loss: float | None
    agreement: float | None


class Networks(NamedTuple):
    """Trained networks of a learner.

    Attributes:
        value: learned value of positions.
        policy: policy network.
    """

    value: ValueNetwork
    policy: PolicyNetwork


class NetRun:
    """Training of the networks of one learner, which continues from stored rounds."""

    def __init__(self, run: Run, learner: Learner) -> None:
        """Prepare the training of a learner.

        Args:
            run: the run, which has the folder of the files.
            learner: learner of kind `net`.
        """
        self._run = run
        self._learner = learner
        self._settings = run.experiment.settings.net
        self._seed = run.experiment.settings.seed
        self._rows = list[RoundRow]()
        curve = run.folder.path / curve_file_name(learner.name)
        self._stored = read_rows(curve, RoundRow) if run.resume and curve.is_file() else []

    def train(self) -> Networks:
        """Train both networks, and write the file that contains them."""
        tables = [self._run.experiment.contest().table]
        networks = Networks(*self._train_both(tables))
        self._run.folder.write(network_file_name(self._learner.name), network_bytes(*networks))
        return networks

    def _train_both(self, tables: Sequence[Table]) -> tuple[ValueNetwork, PolicyNetwork]:
        """Return the learned value, and the policy network that a search with it has taught."""
        # Imported here, since these modules load torch.
        from balance.learning.policy_rounds import (  # noqa: PLC0415
            n_policy_rounds,
            policy_rounds,
        )
        from balance.learning.value_rounds import (  # noqa: PLC0415
            recording_search,
            value_rounds,
        )

        values = self._stored_networks(ValueNetwork, self._settings.rounds)
        for result in value_rounds(tables, self._settings, self._seed, tuple(values)):
            values.append(result.network)
            row = RoundRow(
                *(ValueNetwork.KIND, result.number, result.n_games, result.n_positions),
                loss=round(result.loss, 4),
                agreement=None,
            )
            self._store(row, result.network)
        teacher = recording_search(values[-1])
        policies = self._stored_networks(PolicyNetwork, n_policy_rounds(self._settings))
        for lesson in policy_rounds(tables, teacher, self._settings, self._seed, tuple(policies)):
            policies.append(lesson.network)
            agreement = None if lesson.agreement is None else round(lesson.agreement, 4)
            row = RoundRow(
                *(PolicyNetwork.KIND, lesson.number, lesson.n_games, lesson.n_decisions),
                loss=None,
                agreement=agreement,
            )
            self._store(row, lesson.network)
        return values[-1], policies[-1]

    def _stored_networks(self, kind: type[Network], n_rounds: int) -> list[Network]:
        """Return the networks of the rounds that an interrupted run has stored."""
        folder = self._run.folder.path
        names = [
            network_file_name(self._learner.name, kind.KIND, number + 1)
            for number in range(n_rounds)
        ]
        stored = takewhile(lambda name: self._run.resume and (folder / name).is_file(), names)
        networks = [load_network(folder / name, kind) for name in stored]
        rows = [row for row in self._stored if row.network == kind.KIND]
        self._rows += rows[: len(networks)]
        if len(networks) < n_rounds:
            self._run.screen.stage(
                f"{self._learner.name}: {kind.KIND}, round {len(networks) + 1} of {n_rounds}"
            )
        return networks

    def _store(self, row: RoundRow, network: CardNetwork) -> None:
        """Write the curve and the network of a finished round."""
        self._rows.append(row)
        # The curve is written first: a stored network has its row in any case.
        self._run.folder.write_rows(curve_file_name(self._learner.name), RoundRow, self._rows)
        name = network_file_name(self._learner.name, row.network, row.round)
        self._run.folder.write(name, network_bytes(network))
        self._run.screen.stage(f"{self._learner.name}: {row.network}, after round {row.round}")
