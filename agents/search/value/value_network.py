"""The learned value of positions."""

from agents.reading.card_network import CardNetwork
from agents.reading.position import N_ZONES
from agents.search.value.evaluate import HIDDEN, WEIGHTS_SIZE


class ValueNetwork(CardNetwork):
    """Weights of a learned value (`agents.search.value.evaluate`), with cards in each zone."""

    KIND = "value"
    N_PLACES = N_ZONES
    HIDDEN = HIDDEN
    WEIGHTS_SIZE = WEIGHTS_SIZE
