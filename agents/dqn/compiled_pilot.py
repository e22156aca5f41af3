"""Compiled pilots: a trained network as the engine asks it, in the middle of imagined games.

torch answers a thousand positions at once; a search has one at a time. Most of what enters a
layer is zero, and only what tells actions apart has to be reckoned, so that an answer takes some
2 us. Every sum is taken in a fixed order: all processors and threads get the same. torch adds up
otherwise, so that actions of almost equal value may be chosen differently.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from sim.engine.addresses import address_of, bind, bytes_at, floats_at, floats_from, words_from
from sim.engine.compiled import SEARCH, Bytes, Floats, Words, compiled, i64, none
from sim.engine.layout import numbered
from sim.engine.viewing import (
    ABLE_TO_ATTACK,
    CARD_VALUES,
    HAND_PLACES,
    N_VALUES,
    OWN_BOARD,
    OWN_HAND,
    forced_action,
    mark,
    see,
    to_engine,
)
from sim.observation.view import DUEL_SIZE
from sim.play.agent import CompiledAgent

if TYPE_CHECKING:  # loads torch
    from agents.dqn.network import QNetwork
    from agents.dqn.pilot import DQNPilot
    from sim.observation.view import View

Words16 = npt.NDArray[np.int16]

# What stands where in the words that tell a network's shape.
(
    N_PLAIN,  # values that go in as they are
    N_INDICES,  # numbers of texts behind them
    IS_SPELT_OUT,  # whether effects and levels are, as in `agents.dqn.network.Encoding`
    N_TEXTS,  # with that of number 0
    N_FEATURES,
    HIDDEN,
    N_THOUGHTS,  # of the second layer, that the values of actions hang on
    N_ACTIONS,
    SHAPE_SIZE,
    *_,
) = numbered()
TEXT_FEATURES = 8
N_EFFECTS = 5
N_LEVELS = 6  # as there
FLOAT_BYTES = 4


@compiled(none(Floats, Floats))
def _spell_out(values: Any, features: Any) -> None:
    """Write the effects of the hand's cards one-hot, and how far the units' numbers reach."""
    start = N_VALUES
    for place in range(HAND_PLACES):
        effect = values[OWN_HAND + CARD_VALUES * (place + 1) - 1]  # the last of a card's values
        for code in range(N_EFFECTS):
            features[start + code] = 1.0 if effect == code + 1 else 0.0
        start += N_EFFECTS
    for number in range(OWN_BOARD, ABLE_TO_ATTACK):
        for level in range(N_LEVELS):
            features[start + level] = 1.0 if values[number] > level else 0.0
        start += N_LEVELS


@compiled(none(Floats, Words, Floats, Floats))
def _encode(values: Any, shape: Any, texts: Any, features: Any) -> None:
    """What the first layer is told of the values: themselves, and what stands behind them."""
    n_plain = shape[N_PLAIN]
    for k in range(n_plain):
        features[k] = values[k]
    if shape[IS_SPELT_OUT]:
        _spell_out(values, features)
    for index in range(shape[N_INDICES]):
        text = TEXT_FEATURES * int(values[n_plain + index])
        for k in range(TEXT_FEATURES):
            features[n_plain + TEXT_FEATURES * index + k] = texts[text + k]


@compiled(i64(Floats, i64, i64, i64, Floats))
def _layer(inputs: Any, n_in: int, weights_at: int, n_out: int, outputs: Any) -> int:
    """Sums of the inputs by ``[n_in, n_out]`` weights, and of ``[n_out]`` biases behind them.

    Returns:
        The address of the next layer's weights.
    """
    size = (n_in + 1) * n_out
    weights = floats_from(weights_at, size)
    for k in range(n_out):
        outputs[k] = weights[n_in * n_out + k]
    for j in range(n_in):
        amount = inputs[j]
        if amount != 0:
            for k in range(n_out):
                outputs[k] += amount * weights[j * n_out + k]
    return weights_at + FLOAT_BYTES * size


@compiled(none(Floats, i64))
def _rectify(outputs: Any, n_out: int) -> None:
    for k in range(n_out):
        outputs[k] = max(outputs[k], np.float32(0))


@compiled(i64(Floats, Bytes, i64))
def _best_legal(values: Any, mask: Any, n_actions: int) -> int:
    """The legal action with the highest value; of equals the lowest."""
    best = -1
    for action in range(n_actions):
        if mask[action] and (best < 0 or values[action] > values[best]):
            best = action
    return best


@compiled(none(Floats, Words, i64, Floats, Floats))
def _value_actions(values: Any, shape: Any, weights_at: int, first: Any, second: Any) -> None:
    """Write into `first` what the actions are worth, but for what is common to all.

    Args:
        values: what is seen.
        shape: of the network.
        weights_at: address of its weights.
        first: room for the longest of features, thoughts and actions.
        second: likewise.
    """
    n_features = shape[N_FEATURES]
    hidden = shape[HIDDEN]
    n_thoughts = shape[N_THOUGHTS]
    n_actions = shape[N_ACTIONS]
    size = TEXT_FEATURES * int(shape[N_TEXTS])
    _encode(values, shape, floats_from(weights_at, size), first)
    weights_at += FLOAT_BYTES * size
    weights_at = _layer(first, n_features, weights_at, hidden, second)
    _rectify(second, hidden)
    weights_at = _layer(second, hidden, weights_at, n_thoughts, first)
    _rectify(first, n_thoughts)
    _layer(first, n_thoughts, weights_at, n_actions, second)


def choose(state: Any, table: Any, view_at: int, shape_at: int, weights_at: int) -> int:
    """The legal action that the network values highest.

    Args:
        state: the game; only what the seat to move may see has an influence.
        table: the numbers of its variant.
        view_at: address of the words of the view that it sees by.
        shape_at: of the words of its shape.
        weights_at: of its weights.
    """
    view = words_from(view_at, words_from(view_at, 1)[0])
    shape = words_from(shape_at, SHAPE_SIZE)
    n_actions = shape[N_ACTIONS]
    marks = np.empty(n_actions, np.uint8)
    mask = bytes_at(marks, 0)
    if mark(state, table, view, mask) == 1:
        return forced_action(state, view)
    n_values = shape[N_PLAIN] + shape[N_INDICES]
    room = max(shape[N_FEATURES], shape[HIDDEN], n_actions)
    scratch = np.empty(n_values + 2 * room, np.float32)
    values = floats_at(scratch, 0)
    second = floats_at(scratch, n_values + room)
    see(state, table, view, values)
    _value_actions(values, shape, weights_at, floats_at(scratch, n_values), second)
    return to_engine(table, view, _best_legal(second, mask, n_actions))


@dataclass(frozen=True, kw_only=True)
class _CompiledPilot(CompiledAgent):
    """A network's choice.

    Attributes:
        blocks: the view, the shape and the weights that it reads by their addresses.
        addresses: of these; two agents are one if they read the same.
    """

    blocks: tuple[npt.NDArray[Any], ...] = field(compare=False, repr=False)
    addresses: tuple[int, ...]

    def __reduce__(self) -> tuple[Any, ...]:
        return _reading, (self.name, *self.blocks)

    def entry(self, *, general: bool) -> int:  # noqa: ARG002 (the view knows)
        """The network's choice, bound to its blocks."""
        return bind(address_of(self.policy, SEARCH), *self.addresses)


def compiled_pilot(pilot: DQNPilot, view: View) -> CompiledAgent:
    """The pilot as a compiled agent, in games that it sees by `view`, which is of its size."""
    return _reading(pilot.name, view.words, *_packed(pilot.network))


def _reading(name: str, *blocks: npt.NDArray[Any]) -> _CompiledPilot:
    """The network's choice by these blocks."""
    addresses = tuple(block.ctypes.data for block in blocks)
    return _CompiledPilot(name, choose, blocks=blocks, addresses=addresses)


def _packed(network: QNetwork) -> tuple[Words16, npt.NDArray[np.float32]]:
    """The shape and the weights of a network as the functions above have them.

    Of a dueling network the half that values states is left out: it is the same for all actions.
    """
    known = {name: weight.cpu().numpy() for name, weight in network.state_dict().items()}
    asked = network.architecture
    head = "advantages" if network.architecture.dueling else "values"
    view = asked.view
    first = known["first.weight"].T.copy()
    texts = known.get("encoding.texts.weight", np.zeros((1, TEXT_FEATURES), dtype=np.float32))
    if view == DUEL_SIZE:
        first[:N_VALUES] *= network.get_buffer("encoding.scales").cpu().numpy()[:, None]
    n_thoughts = known[f"{head}.weight"].shape[1]
    second = known["second.weight"].T[:, -n_thoughts:]
    layers = (
        (first, known["first.bias"]),
        (second, known["second.bias"][-n_thoughts:]),
        (known[f"{head}.weight"].T, known[f"{head}.bias"]),
    )
    shape = np.zeros(SHAPE_SIZE, dtype=np.int16)
    shape[N_PLAIN] = view.n_values - view.n_indices
    shape[N_INDICES] = view.n_indices
    shape[IS_SPELT_OUT] = asked.one_hot and view == DUEL_SIZE
    shape[N_TEXTS] = len(texts)
    shape[N_FEATURES] = len(first)
    shape[HIDDEN] = asked.hidden
    shape[N_THOUGHTS] = n_thoughts
    shape[N_ACTIONS] = view.n_actions
    blocks = [texts.ravel(), *(part.ravel() for layer in layers for part in layer)]
    return shape, np.concatenate(blocks).astype(np.float32)
