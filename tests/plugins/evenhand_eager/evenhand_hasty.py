"""The learned agent `hasty`, which needs no training: it ends its turn as soon as it may."""

import numpy as np


class Hasty:
    """Agent that ends its turn if it may, else takes the first legal action, in any view."""

    name = "hasty"

    def choose(self, observations, masks):
        return np.where(masks[:, -1], masks.shape[1] - 1, masks.argmax(axis=1))


HASTY = Hasty()
