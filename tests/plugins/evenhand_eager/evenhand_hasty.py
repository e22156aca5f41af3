"""A learned agent as far as games can tell: `hasty`, which ends its turn as soon as it may."""

import numpy as np


class Hasty:
    """Answers batches of positions, whichever view shows them; the last action ends the turn."""

    name = "hasty"

    def choose(self, observations, masks):
        return np.where(masks[:, -1], masks.shape[1] - 1, masks.argmax(axis=1))


HASTY = Hasty()
