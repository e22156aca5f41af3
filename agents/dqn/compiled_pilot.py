"""Compiled pilots: trained networks that compiled code evaluates, one position at a time.

torch is fast only for batches of about a thousand positions; a search needs single positions. An
evaluation takes about 2 us, because inputs of zero are skipped and the value of the state, which is
equal for all actions, is not computed. Every sum has a fixed order, so all processors and threads
get equal results. torch sums in another order; therefore a pilot and its compiled form may choose
differently between actions of almost equal value.
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

if TYPE_CHECKING:  # not imported at run time, since these modules load torch
    from agents.dqn.network import QNetwork
    from agents.dqn.pilot import DQNPilot
    from sim.observation.view import View

Words16 = npt.NDArray[np.int16]

# Offsets in the words that describe a network's shape.
(
    N_PLAIN,  # number of observed values that enter the first layer unchanged
    N_INDICES,  # number of texts in an observation; their numbers follow the plain values
    IS_SPELT_OUT,  # whether effects and levels are one-hot, as in `agents.dqn.network.Encoding`
    N_TEXTS,  # number of known texts, including number 0, which means no text
    N_FEATURES,  # number of inputs of the first layer
    HIDDEN,  # number of outputs of the first layer
    N_SECOND,  # number of outputs of the second layer on which the values of actions depend
    N_ACTIONS,  # number of actions of the view
    SHAPE_SIZE,
    *_,
) = numbered()
# Equal to the constants of `agents.dqn.network`, which is not imported since it loads torch.
TEXT_FEATURES = 8  # number of learned features of a text
N_EFFECTS = 5  # number of effects of duel cards
N_LEVELS = 6  # number of levels of attack and health
FLOAT_BYTES = 4  # size of a float32


@compiled(none(Floats, Floats))
def _spell_out(values: Any, features: Any) -> None:
    """Write one-hot effects of the cards in hand, and levels of the units' attack and health.

    The features start at index `N_VALUES` and equal those of `agents.dqn.network.Encoding`.

    Args:
        values: observation of the duel's view, shape ``[n_values]``.
        features: output, the inputs of the first layer.
    """
    start = N_VALUES
    for place in range(HAND_PLACES):
        effect = values[OWN_HAND + CARD_VALUES * (place + 1) - 1]  # the last value of each card
        for code in range(N_EFFECTS):
            features[start + code] = 1.0 if effect == code + 1 else 0.0
        start += N_EFFECTS
    for number in range(OWN_BOARD, ABLE_TO_ATTACK):
        for level in range(N_LEVELS):
            features[start + level] = 1.0 if values[number] > level else 0.0
        start += N_LEVELS


@compiled(none(Floats, Words, Floats, Floats))
def _encode(values: Any, shape: Any, texts: Any, features: Any) -> None:
    """Write the first layer's inputs: the observed values, then features of effects or of texts.

    Args:
        values: observation, shape ``[n_values]``.
        shape: words of the network's shape, shape ``[SHAPE_SIZE]``.
        texts: learned features of the texts, shape ``[N_TEXTS * TEXT_FEATURES]``.
        features: output, with room for at least `N_FEATURES` values.
    """
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
    """Compute a linear layer, ``outputs = inputs @ weights + biases``.

    Args:
        inputs: input values, at least `n_in` of them.
        n_in: number of inputs.
        weights_at: address of the weights, shape ``[n_in, n_out]``, followed by the biases, shape
            ``[n_out]``.
        n_out: number of outputs.
        outputs: output, with room for at least `n_out` values.

    Returns:
        Address behind the biases, where the next layer's weights begin.
    """
    size = (n_in + 1) * n_out
    weights = floats_from(weights_at, size)
    for k in range(n_out):
        outputs[k] = weights[n_in * n_out + k]
    for j in range(n_in):
        amount = inputs[j]
        if amount != 0:  # saves most of the time, since most inputs are zero
            for k in range(n_out):
                outputs[k] += amount * weights[j * n_out + k]
    return weights_at + FLOAT_BYTES * size


@compiled(none(Floats, i64))
def _rectify(outputs: Any, n_out: int) -> None:
    """Replace negative values among the first `n_out` outputs by zero, in place."""
    for k in range(n_out):
        outputs[k] = max(outputs[k], np.float32(0))


@compiled(i64(Floats, Bytes, i64))
def _best_legal(values: Any, mask: Any, n_actions: int) -> int:
    """Return the index of the legal action with the highest value, the lowest if there are several.

    Args:
        values: values of the actions, at least `n_actions` of them.
        mask: legal actions, at least `n_actions` bytes; 0 marks an illegal action.
        n_actions: number of actions.

    Returns:
        Index of the action; -1 if no action is legal.
    """
    best = -1
    for action in range(n_actions):
        if mask[action] and (best < 0 or values[action] > values[best]):
            best = action
    return best


@compiled(none(Floats, Words, i64, Floats, Floats))
def _value_actions(values: Any, shape: Any, weights_at: int, first: Any, second: Any) -> None:
    """Write the network's values of all actions to `second`, up to a constant common to all.

    Args:
        values: observation, shape ``[n_values]``.
        shape: words of the network's shape, shape ``[SHAPE_SIZE]``.
        weights_at: address of the features of texts, followed by the three layers.
        first: scratch with room for the inputs and for the outputs of each layer.
        second: scratch of the same length; contains the values of the actions at the end.
    """
    n_features = shape[N_FEATURES]
    hidden = shape[HIDDEN]
    n_second = shape[N_SECOND]
    n_actions = shape[N_ACTIONS]
    size = TEXT_FEATURES * int(shape[N_TEXTS])
    _encode(values, shape, floats_from(weights_at, size), first)
    weights_at += FLOAT_BYTES * size
    weights_at = _layer(first, n_features, weights_at, hidden, second)
    _rectify(second, hidden)
    weights_at = _layer(second, hidden, weights_at, n_second, first)
    _rectify(first, n_second)
    _layer(first, n_second, weights_at, n_actions, second)


def choose(state: Any, table: Any, view_at: int, shape_at: int, weights_at: int) -> int:
    """Return the legal action that the network values highest, as a number of the engine.

    Args:
        state: state of the game; the result depends only on information that the seat to move may
            see.
        table: words of the table of the game's variant.
        view_at: address of the words of the view.
        shape_at: address of the words of the network's shape.
        weights_at: address of the network's weights, as `_packed_network` orders them.
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
    """Compiled agent that chooses the action that a network values highest.

    Attributes:
        blocks: arrays with the words of the view, the words of the network's shape, and the
            weights; kept alive here, since compiled code reads them by address.
        addresses: memory addresses of the blocks; agents with equal addresses are equal.
    """

    blocks: tuple[npt.NDArray[Any], ...] = field(compare=False, repr=False)
    addresses: tuple[int, ...]

    def __reduce__(self) -> tuple[Any, ...]:
        # Addresses are computed anew, since they are not valid in another process.
        return _agent_on, (self.name, *self.blocks)

    def entry(self, *, general: bool) -> int:  # noqa: ARG002 (the view determines the rules)
        """Return the address of the compiled function `choose`, bound to the blocks' addresses.

        Args:
            general: not used, since the same function is used for all games.
        """
        return bind(address_of(self.policy, SEARCH), *self.addresses)


def compiled_pilot(pilot: DQNPilot, view: View) -> CompiledAgent:
    """Return a pilot as a compiled agent for games that are observed through `view`.

    Args:
        pilot: trained pilot to be compiled.
        view: view of the games, of the size for which the pilot's network was built.
    """
    return _agent_on(pilot.name, view.words, *_packed_network(pilot.network))


def _agent_on(name: str, *blocks: npt.NDArray[Any]) -> _CompiledPilot:
    """Return the compiled agent with a given name that reads the given blocks.

    Args:
        name: name of the agent.
        *blocks: words of the view, words of the network's shape, and weights.
    """
    addresses = tuple(block.ctypes.data for block in blocks)
    return _CompiledPilot(name, choose, blocks=blocks, addresses=addresses)


def _packed_network(network: QNetwork) -> tuple[Words16, npt.NDArray[np.float32]]:
    """Return the words of a network's shape and its weights, as `choose` reads them.

    The weights are the features of texts, followed by three layers, each followed by its biases.
    The state value of a dueling network is left out, because it is equal for all actions.
    """
    tensors = {name: weight.cpu().numpy() for name, weight in network.state_dict().items()}
    architecture = network.architecture
    head = "advantages" if architecture.dueling else "values"
    view = architecture.view
    first = tensors["first.weight"].T.copy()
    texts = tensors.get("encoding.texts.weight", np.zeros((1, TEXT_FEATURES), dtype=np.float32))
    if view == DUEL_SIZE:
        # The scales of the encoding become factors of the first layer's weights.
        first[:N_VALUES] *= network.get_buffer("encoding.scales").cpu().numpy()[:, None]
    n_second = tensors[f"{head}.weight"].shape[1]
    # A dueling network computes its advantages from the last outputs of the second layer.
    second = tensors["second.weight"].T[:, -n_second:]
    layers = (
        (first, tensors["first.bias"]),
        (second, tensors["second.bias"][-n_second:]),
        (tensors[f"{head}.weight"].T, tensors[f"{head}.bias"]),
    )
    shape = np.zeros(SHAPE_SIZE, dtype=np.int16)
    shape[N_PLAIN] = view.n_values - view.n_indices
    shape[N_INDICES] = view.n_indices
    shape[IS_SPELT_OUT] = architecture.one_hot and view == DUEL_SIZE
    shape[N_TEXTS] = len(texts)
    shape[N_FEATURES] = len(first)
    shape[HIDDEN] = architecture.hidden
    shape[N_SECOND] = n_second
    shape[N_ACTIONS] = view.n_actions
    blocks = [texts.ravel(), *(part.ravel() for layer in layers for part in layer)]
    return shape, np.concatenate(blocks).astype(np.float32)
