"""The learner as it once was, as an opponent."""

from __future__ import annotations

from agents.dqn.learner import architecture_of
from agents.dqn.network import QNetwork
from agents.dqn.pilot import FEW, DQNPilot
from agents.dqn.settings import TrainSettings
from sim.observation.duel_view import DUEL_SIZE
from sim.observation.view_size import ViewSize


class PastSelf(DQNPilot):
    """One place in a pool of earlier states of the learner.

    Line-ups name each place as an opponent, so that every episode meets one of them and keeps
    it to its end, but for a refresh in between. The trainer copies its weights into the places
    in turn.
    """

    def __init__(self, name: str, settings: TrainSettings, view: ViewSize = DUEL_SIZE) -> None:
        super().__init__(name, QNetwork(architecture_of(settings, view)), block=FEW)

    def become(self, network: QNetwork) -> None:
        """Take over the weights of `network`."""
        self.network.load_state_dict(network.state_dict())


def past_selves(settings: TrainSettings, view: ViewSize = DUEL_SIZE) -> list[PastSelf]:
    """The opponents for `settings.past_selves` places; to be named in line-ups."""
    places = range(settings.past_selves)
    return [PastSelf(f"past self {place + 1}", settings, view) for place in places]
