"""Q-networks, which compute values of actions from the observed values of a view."""

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

HAND = slice(OWN_HAND, OWN_BOARD)  # values of the hand: per card (hp, attack, cost, effect)
BOARDS = slice(OWN_BOARD, ABLE_TO_ATTACK)  # values of both boards: per unit (hp, attack)
N_EFFECTS = 5  # number of effects of duel cards, with codes from 1; 0 means no effect
N_LEVELS = 6  # number of levels from 1; attack and health of duel cards are at most 5

TEXT_FEATURES = 8  # number of learned features of a text; chosen by hand, not tuned

# Reciprocals of the largest values in the duel, so that inputs lie in about 0..1.
_LIFE = 1 / 20  # the initial life is 20
_MANA = 1 / 5  # the maximum mana is 5
_CARD = 1 / 5  # the largest cost, attack and health of a card are 5
_DECK = 1 / 30  # a deck has 30 cards
_READY = 1.0  # flags are 0 or 1 already
# In the order of the view: lives, mana, hand, own board, enemy board, own units able to attack,
# decks (DESIGN section 5).
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
    """Encoding of the duel's view (DESIGN section 5): values scaled to about 0..1, and features.

    Effects are encoded one-hot, since a network would treat code 3 (strike) as more than code 2
    (heal). Whether a unit dies in a fight depends on single points of attack and health, so these
    numbers are also encoded as six flags: at least 1, at least 2, ... at least 6.

    Attributes:
        one_hot: whether one-hot effects and levels are added to the scaled values.
        n_features: number of features, ``F``.
        scales: factors of the observed values, shape ``[67]``.
        codes: codes of the effects, shape ``[N_EFFECTS]``.
        levels: thresholds of the levels, shape ``[N_LEVELS]``.
    """

    codes: Tensor
    levels: Tensor

    def __init__(self, *, one_hot: bool) -> None:
        super().__init__()
        self.one_hot = one_hot
        self.n_features = N_VALUES + (9 * N_EFFECTS + 20 * N_LEVELS if one_hot else 0)
        # Not persistent: the buffers are constants, so pilots' files need not hold them.
        self.scales: Tensor = nn.Buffer(torch.tensor(_SCALES), persistent=False)
        self.codes, self.levels = (
            nn.Buffer(torch.arange(1, n + 1, dtype=torch.float32), persistent=False)
            for n in (N_EFFECTS, N_LEVELS)
        )

    def forward(self, observations: Tensor) -> Tensor:
        """Return the features of observations, shape ``[B, F]``.

        Args:
            observations: observed values of the duel's view, shape ``[B, 67]``.
        """
        scaled = observations * self.scales
        if not self.one_hot:
            return scaled
        effects = observations[:, HAND].view(-1, HAND_PLACES, CARD_VALUES)[:, :, 3:]
        spelt_out = (effects == self.codes).flatten(1)
        levels = (observations[:, BOARDS, None] >= self.levels).flatten(1)
        return torch.cat([scaled, spelt_out, levels], dim=1)


class TextEncoding(nn.Module):
    """Encoding of general views, which replaces the numbers of card texts by learned features.

    The last values of an observation are numbers of texts, which are labels and not quantities.
    Each number is replaced by the learned features of its text, which are the same at every place
    of the observation. Number 0 means that a card has no text, and its features are 0. The other
    values lie in 0..1 and stay as they are.

    Attributes:
        texts: learned features of the texts, shape ``[n_texts + 1, TEXT_FEATURES]``.
        n_features: number of features, ``F``.
    """

    def __init__(self, view: ViewSize, generator: torch.Generator) -> None:
        super().__init__()
        self._n_plain = view.n_values - view.n_indices
        self.n_features: int = self._n_plain + TEXT_FEATURES * view.n_indices
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
        """Return the features of observations, shape ``[B, F]``.

        Args:
            observations: observed values, with the numbers of texts last, shape ``[B, n_values]``.
        """
        plain = observations[:, : self._n_plain]
        texts = observations[:, self._n_plain :]
        return torch.cat([plain, self.texts(texts.long()).flatten(1)], dim=1)


# All computations of networks use one thread, since the last digits of a matrix product depend on
# its division among threads. Further cores are used by playing or training in parallel.
torch.set_num_threads(1)

_ILLEGAL = -1e9  # lower than all values of a network; finite, so that its product with 0 is 0


class Architecture(StrictModel):
    """Description of a network, from which the network can be built without its weights.

    Attributes:
        hidden: number of neurons in each of the two hidden layers.
        dueling: whether the network has a dueling head (see `QNetwork`).
        one_hot: whether effects and levels are encoded one-hot; used for the duel's view only.
        view: sizes of the view, with the numbers of observed values and of actions.
    """

    hidden: int = Field(ge=2, le=8192, multiple_of=2)  # limits as in `TrainSettings`
    dueling: bool
    one_hot: bool
    view: ViewSize = DUEL_SIZE

    @field_validator("view")
    @classmethod
    def _check_view(cls, view: ViewSize) -> ViewSize:
        """Check that a view has an action, and at least one value that is not a text's number.

        Raises:
            InputError: the view has no action or no such value.
        """
        if view.n_actions < 1 or not 0 <= view.n_indices < view.n_values:
            raise InputError("no game has a view of these sizes", value=view)
        return view

    def layer_shapes(self) -> dict[str, tuple[int, ...]]:
        """Return the shapes of a network's weights by name, without allocating the weights."""
        with torch.device("meta"):
            weights = QNetwork(self).state_dict()
        return {name: tuple(weight.shape) for name, weight in weights.items()}


def architecture_of(settings: TrainSettings, view: ViewSize = DUEL_SIZE) -> Architecture:
    """Return the architecture of the network that a training with `settings` uses.

    Args:
        settings: settings of the training.
        view: sizes of the view through which the games are observed.
    """
    return Architecture(
        hidden=settings.hidden,
        dueling=settings.is_improved,
        one_hot=settings.is_improved,
        view=view,
    )


class QNetwork(nn.Module):
    """Q-network: a network that computes the values of all actions from an observation.

    A dueling head (Wang et al., "Dueling network architectures for deep reinforcement learning",
    2016, eq. 9) splits the second layer. One half computes the value of the state, the other half
    the advantages of the actions: Q(s, a) = V(s) + A(s, a) - mean over a' of A(s, a'). As in the
    paper, the mean includes illegal actions, so that it needs no mask; it does not affect the order
    of the actions.

    Attributes:
        architecture: description of the network.
        encoding: layer that computes features from observations.
        first: first hidden layer, from the features.
        second: second hidden layer.
    """

    def __init__(self, architecture: Architecture, *, seed: int = 0) -> None:
        super().__init__()
        self.architecture = architecture
        hidden = architecture.hidden
        # Passed explicitly, since layers would otherwise draw from torch's global generator.
        generator = torch.Generator().manual_seed(seed)
        view = architecture.view
        self.encoding: Encoding | TextEncoding | nn.Identity
        if view.n_indices:
            self.encoding = TextEncoding(view, generator)
        elif view.name == DUEL_SIZE.name:
            self.encoding = Encoding(one_hot=architecture.one_hot)
        else:
            self.encoding = nn.Identity()  # the values of other views are small numbers already
        n_features = getattr(self.encoding, "n_features", view.n_values)
        self.first: nn.Linear = _linear(n_features, hidden, generator)
        self.second: nn.Linear = _linear(hidden, hidden, generator)
        if architecture.dueling:
            self.state_value: nn.Linear = _linear(hidden // 2, 1, generator)
            self.advantages: nn.Linear = _linear(hidden // 2, view.n_actions, generator)
        else:
            self.values: nn.Linear = _linear(hidden, view.n_actions, generator)

    def forward(self, observations: Tensor) -> Tensor:
        """Return the values of all actions, legal or not, in float32, shape ``[B, A]``.

        Args:
            observations: observed values, shape ``[B, n_values]``.
        """
        activations = torch.relu_(self.first(self.encoding(observations)))
        activations = torch.relu_(self.second(activations))
        if not self.architecture.dueling:
            return self.values(activations).float()  # type: ignore[no-any-return]
        of_state, of_actions = activations.chunk(2, dim=1)
        advantages = self.advantages(of_actions).float()
        centred = advantages - advantages.mean(dim=1, keepdim=True)
        return self.state_value(of_state).float() + centred  # type: ignore[no-any-return]


def best_legal(values: Tensor, masks: Tensor) -> Tensor:
    """Return the index of the legal action with the highest value in each row, shape ``[B, 1]``.

    Of several such actions, the lowest index is returned.

    Args:
        values: values of all actions, shape ``[B, A]``.
        masks: legal actions, shape ``[B, A]``.
    """
    return values.masked_fill(~masks, _ILLEGAL).argmax(dim=1, keepdim=True)


def _linear(n_in: int, n_out: int, generator: torch.Generator) -> nn.Linear:
    """Return a linear layer with initial weights as torch draws them, but from `generator`.

    Weights and biases are uniform in -b..b with b = 1 / sqrt(n_in).
    """
    layer: nn.Linear = nn.utils.skip_init(  # type: ignore[no-untyped-call]
        nn.Linear, n_in, n_out, device=torch.get_default_device()
    )
    bound = n_in**-0.5
    for parameter in layer.parameters():
        if not parameter.is_meta:
            nn.init.uniform_(parameter, -bound, bound, generator=generator)
    return layer


def multiplies_by_half(precision: str, device: torch.device) -> bool:
    """Return whether matrix products use `bfloat16` for a setting `precision` on a device.

    `auto` means `bfloat16` on a GPU, and on a CPU that has instructions for it.
    """
    if precision == "auto":
        return device.type == "cuda" or torch.cpu._is_avx512_bf16_supported()  # noqa: SLF001
    return precision == "bfloat16"
