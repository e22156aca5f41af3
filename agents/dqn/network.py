"""The network that values every action, and where it computes."""

from __future__ import annotations

import torch
from pydantic import Field, field_validator
from torch import Tensor, nn

from agents.dqn.encoding import Encoding, TextEncoding
from sim.errors import InputError
from sim.files.strict_model import StrictModel
from sim.observation.duel_view import DUEL_SIZE
from sim.observation.view_size import ViewSize

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
        self.encoding: Encoding | TextEncoding = (
            TextEncoding(view, generator)
            if view.n_indices
            else Encoding(one_hot=architecture.one_hot)
        )
        self.first = _linear(self.encoding.n_features, hidden, generator)
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
