"""Networks: the values of actions, from the raw values of a view made digestible."""

from __future__ import annotations

import torch
from pydantic import Field, field_validator
from torch import Tensor, nn

from agents.dqn.settings import TrainSettings
from sim import InputError, StrictModel
from sim.engine.viewing import (
    ABLE_TO_ATTACK,
    CARD_VALUES,
    HAND_PLACES,
    N_VALUES,
    OWN_BOARD,
    OWN_HAND,
)
from sim.observation.view import DUEL_SIZE
from sim.observation.view_size import ViewSize

HAND = slice(OWN_HAND, OWN_BOARD)  # where the hand lies: cards of (hp, attack, cost, effect)
BOARDS = slice(OWN_BOARD, ABLE_TO_ATTACK)  # and both boards: units of (hp, attack)
N_EFFECTS = 5  # codes 1 to 5; 0 is "none"
N_LEVELS = 6  # a unit's number is told from 0 up to this

TEXT_FEATURES = 8  # by which a network knows a text

_LIFE = 1 / 20
_MANA = 1 / 5
_CARD = 1 / 5
_DECK = 1 / 30
_READY = 1.0
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
        # Not persistent: they are no part of what is learned.
        self.scales = nn.Buffer(torch.tensor(_SCALES), persistent=False)
        self.codes, self.levels = (
            nn.Buffer(torch.arange(1, n + 1, dtype=torch.float32), persistent=False)
            for n in (N_EFFECTS, N_LEVELS)
        )

    def forward(self, observations: Tensor) -> Tensor:
        """``[B, 67]`` raw values to ``[B, F]`` features."""
        scaled = observations * self.scales
        if not self.one_hot:
            return scaled
        effects = observations[:, HAND].view(-1, HAND_PLACES, CARD_VALUES)[:, :, 3:]
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
        plain = observations[:, : self._n_plain]
        texts = observations[:, self._n_plain :]
        return torch.cat([plain, self.texts(texts.long()).flatten(1)], dim=1)


# One thread for all that networks compute, as how a matrix product is divided among threads shows
# in its last digits. Whoever has more processors plays or trains more things side by side.
torch.set_num_threads(1)

_ILLEGAL = -1e9  # below any value a network gives, and finite: 0 times it is 0


class Architecture(StrictModel):
    """What must be known to rebuild a network before its weights are filled in.

    Attributes:
        hidden: neurons in each of the two hidden layers.
        dueling: whether state and actions are valued apart.
        one_hot: whether the effects of the hand's cards are spelt out; the duel's view only.
        view: what it sees and does.
    """

    hidden: int = Field(ge=2, le=8192, multiple_of=2)  # as in `TrainSettings`
    dueling: bool
    one_hot: bool
    view: ViewSize = DUEL_SIZE

    @field_validator("view")
    @classmethod
    def _is_a_view(cls, view: ViewSize) -> ViewSize:
        if view.n_actions < 1 or not 0 <= view.n_indices < view.n_values:
            raise ValueError("no game shows such a view")
        return view

    def layer_shapes(self) -> dict[str, tuple[int, ...]]:
        """The shapes of all weights of such a network, by name; takes no memory for them."""
        with torch.device("meta"):
            weights = QNetwork(self).state_dict()
        return {name: tuple(weight.shape) for name, weight in weights.items()}


def architecture_of(settings: TrainSettings, view: ViewSize = DUEL_SIZE) -> Architecture:
    """The network that `settings` ask for, to see by `view`."""
    return Architecture(
        hidden=settings.hidden,
        dueling=settings.is_improved,
        one_hot=settings.is_improved,
        view=view,
    )


class QNetwork(nn.Module):
    """Values ``[B, A]`` of all actions, legal or not, from raw observations ``[B, n_values]``.

    The dueling head (Wang et al., "Dueling network architectures for deep reinforcement
    learning", 2016, eq. 9) splits the second layer: one half values the state, the other the
    actions, less their mean. The mean is over all actions, legal or not, as in the paper: any
    constant per state would do, and this one needs no mask.

    Attributes:
        architecture: how it is built.
    """

    def __init__(self, architecture: Architecture, *, seed: int = 0) -> None:
        super().__init__()
        self.architecture = architecture
        hidden = architecture.hidden
        # A generator of its own: layers would draw from torch's global one.
        generator = torch.Generator().manual_seed(seed)
        view = architecture.view
        self.encoding: Encoding | TextEncoding | nn.Identity
        if view.n_indices:
            self.encoding = TextEncoding(view, generator)
        elif view.name == DUEL_SIZE.name:
            self.encoding = Encoding(one_hot=architecture.one_hot)
        else:
            self.encoding = nn.Identity()  # zeros, ones and other small numbers
        n_features = getattr(self.encoding, "n_features", view.n_values)
        self.first = _linear(n_features, hidden, generator)
        self.second = _linear(hidden, hidden, generator)
        if architecture.dueling:
            self.state_value = _linear(hidden // 2, 1, generator)
            self.advantages = _linear(hidden // 2, view.n_actions, generator)
        else:
            self.values = _linear(hidden, view.n_actions, generator)

    def forward(self, observations: Tensor) -> Tensor:
        """``[B, n_values]`` observations to ``[B, A]`` values."""
        thoughts = torch.relu_(self.first(self.encoding(observations)))
        thoughts = torch.relu_(self.second(thoughts))
        if not self.architecture.dueling:
            return self.values(thoughts).float()  # type: ignore[no-any-return]
        of_state, of_actions = thoughts.chunk(2, dim=1)
        advantages = self.advantages(of_actions).float()
        centred = advantages - advantages.mean(dim=1, keepdim=True)
        return self.state_value(of_state).float() + centred  # type: ignore[no-any-return]


def best_legal(values: Tensor, masks: Tensor) -> Tensor:
    """``[B, 1]`` legal action with the highest value; of equals the lowest."""
    return values.masked_fill(~masks, _ILLEGAL).argmax(dim=1, keepdim=True)


def _linear(n_in: int, n_out: int, generator: torch.Generator) -> nn.Linear:
    """A layer with torch's own default weights, drawn from `generator`."""
    layer: nn.Linear = nn.utils.skip_init(  # type: ignore[no-untyped-call]
        nn.Linear, n_in, n_out, device=torch.get_default_device()
    )
    bound = n_in**-0.5
    for parameter in layer.parameters():
        if not parameter.is_meta:
            nn.init.uniform_(parameter, -bound, bound, generator=generator)
    return layer


def device_named(name: str) -> torch.device:
    """The device that the setting `device` means.

    Raises:
        InputError: this machine, or this build of torch, has none.
    """
    if name == "cuda" and not torch.cuda.is_available():
        raise InputError('device = "cuda": torch finds no GPU that it can use; set device = "cpu"')
    return torch.device(name)


def multiplies_by_half(precision: str, device: torch.device) -> bool:
    """Whether the setting `precision` means `bfloat16` there."""
    if precision == "auto":
        return device.type == "cuda" or torch.cpu._is_avx512_bf16_supported()  # noqa: SLF001
    return precision == "bfloat16"
