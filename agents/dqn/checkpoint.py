"""Files of pilots, with weights and provenance, and other files of tensors.

Reading a file never runs code from it.
"""

from __future__ import annotations

import io
import pickle
import struct
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import torch
from pydantic import ValidationError

from agents.dqn.network import Architecture, QNetwork
from agents.dqn.pilot import DQNPilot
from agents.dqn.provenance import Provenance, Stamp, stamp_of_card
from sim import (
    Card,
    Deck,
    InputError,
    Pool,
    Ruleset,
    StrictModel,
    write_atomically,
)
from sim.files.plain_archive import check_plain_archive, read_archive

_FORMAT = 1  # version of the file format, increased whenever the meaning of an entry changes
# Exceptions that zipfile, pickle and torch were seen to raise for damaged files.
_DAMAGE = (
    *(pickle.UnpicklingError, zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError),
    *(RuntimeError, ValueError, TypeError, LookupError, AttributeError, OverflowError),
    MemoryError,
)


def write_torch_file(path: Path, kind: str, content: Mapping[str, Any]) -> None:
    """Write a file of tensors and plain types, which replaces an existing file.

    Args:
        path: path of the new file.
        kind: kind of file, such as "evenhand pilot".
        content: entries by name; their values are tensors, numbers, strings, lists and dicts only.

    Raises:
        InputError: the file cannot be written.
    """
    buffer = io.BytesIO()
    torch.save({"kind": kind, "format": _FORMAT, "content": dict(content)}, buffer)
    write_atomically(path, buffer.getvalue())


def read_torch_file(path: Path, kind: str, remedy: str) -> dict[str, Any]:
    """Return the content of a file that `write_torch_file` wrote, with all tensors on the CPU.

    Args:
        path: path of the file.
        kind: required kind of file, such as "evenhand pilot".
        remedy: suggested fix that ends the error message.

    Raises:
        InputError: the file is missing or damaged, is of another kind, or has the format of another
            version of evenhand.
    """
    path = Path(path)
    # The archive is read and checked before torch sees it: for other files torch prints warnings.
    data = read_archive(path)
    if not _is_archive(data):
        raise InputError(f"the file is truncated, or not an {kind}", place=path, remedy=remedy)
    try:
        _check_sums(data)
        stored = torch.load(io.BytesIO(data), map_location="cpu", weights_only=True)
    except _DAMAGE as error:
        # torch's own message recommends to load the file unchecked, so it is not shown.
        is_refused = isinstance(error, pickle.UnpicklingError)
        reason = "it holds more than plain data" if is_refused else str(error).partition("\n")[0]
        problem = f"the file is damaged, or not an {kind}: {reason}"
        raise InputError(problem, place=path, remedy=remedy) from error
    if not isinstance(stored, dict) or stored.get("kind") != kind:
        raise InputError(f"the file is not an {kind}", place=path, remedy=remedy)
    if stored.get("format") != _FORMAT:
        raise InputError(
            f"the file is an {kind} of format {stored.get('format')!r}, but this version of "
            f"evenhand reads format {_FORMAT}",
            place=path,
            value=stored.get("format"),
            limit=_FORMAT,
            remedy=remedy,
        )
    content = stored.get("content")
    if not isinstance(content, dict):
        raise InputError("the file is damaged: it has no content", place=path, remedy=remedy)
    return content


def _is_archive(data: bytes) -> bool:
    """Return whether bytes are a zip archive."""
    try:
        return zipfile.is_zipfile(io.BytesIO(data))
    except zipfile.BadZipFile:  # `is_zipfile` raises this if the number of disks is damaged
        return False


def _check_sums(data: bytes) -> None:
    """Check the checksums of all members of a zip archive, since torch does not check them.

    Raises:
        zipfile.BadZipFile: the checksum of a member is wrong; the message names the member. A
            damaged archive may raise other exceptions, all of them in `_DAMAGE`.
    """
    # First, so that no compressed member can unpack to more bytes than the file has.
    check_plain_archive(data)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        changed = archive.testzip()
    if changed is not None:
        raise zipfile.BadZipFile(f"the checksum of {changed} is wrong")


_KIND = "evenhand pilot"
_REMEDY = "train the pilot again, or name the file that a training run wrote"


def save_pilot(path: Path, network: QNetwork, provenance: StrictModel, kind: str = _KIND) -> None:
    """Write a pilot to a file.

    Args:
        path: path of the new file, which replaces an existing file.
        network: network that values the actions.
        provenance: origin of the network.
        kind: kind of file; pilots of different games have different kinds.

    Raises:
        InputError: the file cannot be written.
    """
    content = {
        "architecture": network.architecture.model_dump_json(),
        "provenance": provenance.model_dump_json(),
        "weights": {name: weight.cpu() for name, weight in network.state_dict().items()},
    }
    write_torch_file(path, kind, content)


def load_pilot(path: Path, *, name: str | None = None) -> DQNPilot:
    """Return the pilot in a file that `save_pilot` wrote.

    Args:
        path: path of the file.
        name: name of the agent in experiments; default: `dqn:` followed by the file name.

    Raises:
        InputError: the file is missing or damaged, or contains no pilot of this version.
    """
    network, provenance = load_network(path, Provenance)
    return DQNPilot(name or f"dqn:{path.name}", network, provenance=provenance)


AnyProvenance = TypeVar("AnyProvenance", bound=StrictModel)


def load_network(
    path: Path, provenance_type: type[AnyProvenance], kind: str = _KIND
) -> tuple[QNetwork, AnyProvenance]:
    """Return the network and the provenance in a file that `save_pilot` wrote.

    The network is on the CPU, and its weights require no gradients.

    Args:
        path: path of the file.
        provenance_type: pydantic model of the provenance.
        kind: required kind of file.

    Raises:
        InputError: the file is missing, damaged or of another kind, or its weights do not fit the
            architecture or are not finite.
    """
    content = read_torch_file(path, kind, _REMEDY)
    try:
        architecture = Architecture.model_validate_json(content["architecture"])
        provenance = provenance_type.model_validate_json(content["provenance"])
        _check_weights(content["weights"], architecture)
        network = QNetwork(architecture)
        network.load_state_dict(content["weights"])
    except ValidationError as error:
        key = ".".join(str(step) for step in error.errors()[0]["loc"])
        problem = f"the file is not a pilot of this version of evenhand: entry {key!r} is not valid"
        raise InputError(problem, place=path, remedy=_REMEDY) from error
    except KeyError as error:  # its text is only the key
        problem = f"the file is not a pilot of this version of evenhand: entry {error} is missing"
        raise InputError(problem, place=path, remedy=_REMEDY) from error
    except (TypeError, AttributeError, RuntimeError) as error:
        reason = " ".join(str(error).split())
        problem = f"the weights do not fit the network: {reason}"
        raise InputError(problem, place=path, remedy=_REMEDY) from error
    if not all(bool(torch.isfinite(weight).all()) for weight in network.parameters()):
        raise InputError(
            "a weight of the network is not a finite number", place=path, remedy=_REMEDY
        )
    return network.requires_grad_(requires_grad=False), provenance


def _check_weights(weights: Any, architecture: Architecture) -> None:
    """Check that stored weights fit an architecture, before a network is allocated for them.

    A damaged file could describe a network that needs more memory than the machine has; a network
    with the shapes of the stored weights cannot.

    Raises:
        TypeError: a weight is missing, unexpected, of another shape, or not a dense array of
            floating-point numbers on the CPU; the message names the weight.
    """
    shapes = architecture.layer_shapes()
    if not isinstance(weights, dict) or weights.keys() != shapes.keys():
        raise TypeError(f"they must be {', '.join(shapes)}")
    for name, shape in shapes.items():
        weight = weights[name]
        if not isinstance(weight, torch.Tensor) or tuple(weight.shape) != shape:
            is_array = isinstance(weight, torch.Tensor)
            actual = f"has shape {tuple(weight.shape)}" if is_array else "is not an array"
            raise TypeError(f"{name} {actual}; it must have shape {shape}")
        is_plain = weight.layout == torch.strided and weight.device.type == "cpu"
        if not (is_plain and weight.is_floating_point() and weight.is_contiguous()):
            raise TypeError(f"{name} must be a plain array of floating-point numbers")


def check_fits(
    pilot: DQNPilot, ruleset: Ruleset, pool: Pool, deck: Deck, reached: Iterable[int]
) -> None:
    """Check that a pilot was trained for a ruleset, for the cards of a pool and for a deck.

    Numbers of cards may differ within the ranges of the training. A pilot without provenance passes
    every check.

    Args:
        pilot: pilot that is to play.
        ruleset: ruleset to be played.
        pool: card pool to be played.
        deck: deck of the pilot.
        reached: indices in `pool.everything` of the cards that can occur in the games; only these
            cards are checked.

    Raises:
        InputError: the ruleset, a card or the deck differs from the training; the message names
            both versions.
    """
    origin = pilot.provenance
    if origin is None:
        return
    played_rules = Stamp.of(ruleset)
    if origin.ruleset.content != played_rules.content:
        raise _unfit_error(pilot, f"ruleset {origin.ruleset}", str(played_rules))
    for number in reached:
        _check_card(pilot, origin, pool.everything[number])
    played_deck = Stamp.of(deck)
    if played_deck.content not in {trained.content for trained in origin.decks}:
        decks = ", ".join(str(trained) for trained in origin.decks)
        raise _unfit_error(
            pilot, f"deck{'s' if len(origin.decks) > 1 else ''} {decks}", str(played_deck)
        )


def _check_card(pilot: DQNPilot, origin: Provenance, card: Card) -> None:
    """Check that a card differs from the training only in numbers within the trained ranges.

    Raises:
        InputError: the card differs in another way, or a number is outside its range.
    """
    learned = origin.numbers.get(card.id, {})
    trained_card = card.with_numbers({field: numbers.value for field, numbers in learned.items()})
    if origin.cards.get(card.id, "") not in {"", stamp_of_card(trained_card)}:
        trained = f"card {card.id!r} as it was in pool {origin.pool!r}"
        raise _unfit_error(pilot, trained, "its current version")
    for field, numbers in learned.items():
        if not numbers.low <= card.number(field) <= numbers.high:
            raise _unfit_error(
                pilot,
                f"card {card.id!r} with {field} from {numbers.low} to {numbers.high}",
                f"{field} = {card.number(field)}",
            )


def _unfit_error(pilot: DQNPilot, trained: str, played: str) -> InputError:
    """Return the error for a pilot that was trained for `trained` but is to play `played`."""
    return InputError(
        f"was trained for {trained}, not for {played}",
        place=f"agent {pilot.name!r}",
        value=played,
        limit=trained,
        remedy="train a pilot for this game",
    )
