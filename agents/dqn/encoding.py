"""Encodings: the raw values of a view as numbers that a network can digest."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from sim.observation.duel_view import N_VALUES
from sim.observation.view_size import ViewSize

HAND = slice(4, 40)  # where the hand lies: nine cards of (hp, attack, cost, effect)
BOARDS = slice(40, 60)  # and both boards: ten units of (hp, attack)
N_EFFECTS = 5  # codes 1 to 5; 0 is "none"
N_LEVELS = 6  # a unit's number is told from 0 up to this

TEXT_FEATURES = 8  # by which a network knows a text

_LIFE, _MANA, _CARD, _DECK, _READY = 1 / 20, 1 / 5, 1 / 5, 1 / 30, 1.0
_SCALES = (
    [_LIFE] * 2
    + [_MANA] * 2
    + [_CARD] * (9 * 4)
    + [_CARD] * (5 * 2)
    + [_CARD] * (5 * 2)
    + [_READY] * 5
    + [_DECK] * 2
)


class Encoding(nn.Module):
    """Brings the duel's values (DESIGN, section 5) to about 0..1, and may spell some out.

    A network reads a code such as 3 (strike) as "more than heal". One-hot, each effect has
    weights of its own. Whether a unit dies in a fight hangs on single points of attack and
    health, so these are also told as levels: at least 1, at least 2, ... at least 6.

    Attributes:
        n_features: how many numbers come out, `F`.
    """

    def __init__(self, *, one_hot: bool) -> None:
        super().__init__()
        self.one_hot = one_hot
        self.n_features = N_VALUES + (9 * N_EFFECTS + 20 * N_LEVELS if one_hot else 0)
        self.scales: Tensor
        self.codes: Tensor
        self.levels: Tensor
        # Not persistent: constants are no part of what was learned.
        self.register_buffer("scales", torch.tensor(_SCALES), persistent=False)
        codes = torch.arange(1, N_EFFECTS + 1, dtype=torch.float32)
        self.register_buffer("codes", codes, persistent=False)
        levels = torch.arange(1, N_LEVELS + 1, dtype=torch.float32)
        self.register_buffer("levels", levels, persistent=False)

    def forward(self, observations: Tensor) -> Tensor:
        """``[B, 67]`` raw values to ``[B, F]`` features."""
        scaled = observations * self.scales
        if not self.one_hot:
            return scaled
        effects = observations[:, HAND].view(-1, 9, 4)[:, :, 3:]
        spelt_out = (effects == self.codes).flatten(1)
        levels = (observations[:, BOARDS, None] >= self.levels).flatten(1)
        return torch.cat([scaled, spelt_out, levels], dim=1)


class TextEncoding(nn.Module):
    """Learns what texts mean, and leaves the other values, which lie in 0..1, as they are.

    Numbers of texts, the last values of an observation, are names and no quantities. Each is
    replaced by some features that are learned, the same ones wherever the text stands. No text
    has no features.

    Attributes:
        n_features: how many numbers come out, `F`.
    """

    def __init__(self, view: ViewSize, generator: torch.Generator) -> None:
        super().__init__()
        self._n_plain = view.n_values - view.n_indices
        self.n_features = self._n_plain + TEXT_FEATURES * view.n_indices
        self.texts: nn.Embedding = nn.utils.skip_init(  # type: ignore[no-untyped-call]
            *(nn.Embedding, view.n_texts + 1, TEXT_FEATURES),
            padding_idx=0,
            device=torch.get_default_device(),
        )
        with torch.no_grad():
            if not self.texts.weight.is_meta:
                self.texts.weight.normal_(std=TEXT_FEATURES**-0.5, generator=generator)
            self.texts.weight[0] = 0

    def forward(self, observations: Tensor) -> Tensor:
        """``[B, n_values]`` observations to ``[B, F]`` features."""
        plain, texts = observations[:, : self._n_plain], observations[:, self._n_plain :]
        return torch.cat([plain, self.texts(texts.long()).flatten(1)], dim=1)
