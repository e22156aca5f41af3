"""The policy network."""

from agents.policy.evaluate import HIDDEN, N_PLACES, WEIGHTS_SIZE
from agents.reading.card_network import CardNetwork


class PolicyNetwork(CardNetwork):
    """Weights of a policy (`agents.policy.evaluate`), with cards in each zone and each role."""

    KIND = "policy"
    N_PLACES = N_PLACES
    HIDDEN = HIDDEN
    WEIGHTS_SIZE = WEIGHTS_SIZE
