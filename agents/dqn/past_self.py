"""The learner as it once was, as an opponent."""

from __future__ import annotations

from agents.dqn.learner import architecture_of
from agents.dqn.network import QNetwork
from agents.dqn.pilot import FEW, DQNPilot
from agents.dqn.settings import TrainSettings


class PastSelf(DQNPilot):
    """One place in a pool of earlier states of the learner.

    Line-ups name each place as an opponent, so that every episode meets one of them and keeps
    it to its end, but for a refresh in between. The trainer copies its weights into the places
    in turn.
    """

    def __init__(self, name: str, settings: TrainSettings) -> None:
        super().__init__(name, QNetwork(architecture_of(settings)), block=FEW)

    def become(self, network: QNetwork) -> None:
        """Take over the weights of `network`."""
        self.network.load_state_dict(network.state_dict())


def past_selves(settings: TrainSettings) -> list[PastSelf]:
    """The opponents for `settings.past_selves` places; to be named in line-ups."""
    return [PastSelf(f"past self {place + 1}", settings) for place in range(settings.past_selves)]
