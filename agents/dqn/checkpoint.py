"""Checkpoints: pilots as files, weights and where they come from; opening one runs nothing."""

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

_FORMAT = 1  # grows when an entry changes its meaning
# What zipfile, pickle and torch raise at damaged bytes.
_DAMAGE = (
    *(pickle.UnpicklingError, zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError),
    *(RuntimeError, ValueError, TypeError, LookupError, AttributeError, OverflowError),
    MemoryError,
)


def write_torch_file(path: Path, kind: str, content: Mapping[str, Any]) -> None:
    """Write `content`, which must be made of tensors and plain types.

    Raises:
        InputError: the file cannot be written.
    """
    buffer = io.BytesIO()
    torch.save({"kind": kind, "format": _FORMAT, "content": dict(content)}, buffer)
    write_atomically(path, buffer.getvalue())


def read_torch_file(path: Path, kind: str, remedy: str) -> dict[str, Any]:
    """What was written as a `kind`, with all tensors on the CPU.

    Args:
        path: the file.
        kind: what it must be ("evenhand pilot").
        remedy: what the user can do about a file that is no such thing; ends the message.

    Raises:
        InputError: the file is missing, damaged or something else.
    """
    path = Path(path)
    # From memory, and with the type known first: torch warns about what it was never given.
    data = read_archive(path)
    if not _is_archive(data):
        raise InputError(f"{path}: cut short, or no {kind} at all; {remedy}")
    try:
        _check_sums(data)
        found = torch.load(io.BytesIO(data), map_location="cpu", weights_only=True)
    except _DAMAGE as error:
        # Of what it refuses to run, torch says that it could be run without a check.
        is_refused = isinstance(error, pickle.UnpicklingError)
        reason = "more than plain data" if is_refused else str(error).partition("\n")[0]
        raise InputError(f"{path}: damaged, or no {kind} at all ({reason}); {remedy}") from error
    if not isinstance(found, dict) or found.get("kind") != kind:
        raise InputError(f"{path}: no {kind}; {remedy}")
    if found.get("format") != _FORMAT:
        raise InputError(
            f"{path}: a {kind} of format {found.get('format')!r}, not {_FORMAT}: "
            f"made by another version of evenhand; {remedy}"
        )
    content = found.get("content")
    if not isinstance(content, dict):
        raise InputError(f"{path}: damaged: it has no content; {remedy}")
    return content


def _is_archive(data: bytes) -> bool:
    try:
        return zipfile.is_zipfile(io.BytesIO(data))
    except zipfile.BadZipFile:  # damaged where it says how many disks it spans
        return False


def _check_sums(data: bytes) -> None:
    """Refuse an archive that is not what was written: torch would take a changed weight as it is.

    Nor is any unpacked to more than its file has.

    Raises:
        zipfile.BadZipFile: names the part that changed; other errors where even that fails.
    """
    check_plain_archive(data)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        changed = archive.testzip()
    if changed is not None:
        raise zipfile.BadZipFile(f"{changed} is not as it was written")


_KIND = "evenhand pilot"
_REMEDY = "train the pilot anew, or name the file that a training run wrote"


def save_pilot(path: Path, network: QNetwork, provenance: StrictModel, kind: str = _KIND) -> None:
    """Write a pilot to `path`.

    Args:
        path: the file.
        network: what it values actions with.
        provenance: where it comes from.
        kind: of games that it plays, in words.

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
    """The pilot in the file `path`.

    Args:
        path: what `save_pilot` wrote.
        name: what experiments call it; default `dqn:` and the file's name.

    Raises:
        InputError: the file is missing, damaged or no pilot.
    """
    network, provenance = load_network(path, Provenance)
    return DQNPilot(name or f"dqn:{path.name}", network, provenance=provenance)


AnyProvenance = TypeVar("AnyProvenance", bound=StrictModel)


def load_network(
    path: Path, provenance_type: type[AnyProvenance], kind: str = _KIND
) -> tuple[QNetwork, AnyProvenance]:
    """The network in the file `path` and where it comes from; arguments as for `save_pilot`.

    Raises:
        InputError: the file is missing, damaged or no pilot of this kind.
    """
    content = read_torch_file(path, kind, _REMEDY)
    try:
        architecture = Architecture.model_validate_json(content["architecture"])
        provenance = provenance_type.model_validate_json(content["provenance"])
        _check_weights(content["weights"], architecture)
        network = QNetwork(architecture)
        network.load_state_dict(content["weights"])
    except ValidationError as error:
        wrong = ".".join(str(step) for step in error.errors()[0]["loc"])
        raise InputError(f"{path}: no pilot of this version: {wrong}; {_REMEDY}") from error
    except (KeyError, TypeError, AttributeError, RuntimeError) as error:
        reason = " ".join(str(error).split())
        raise InputError(
            f"{path}: its weights do not fit its network: {reason}; {_REMEDY}"
        ) from error
    if not all(bool(torch.isfinite(weight).all()) for weight in network.parameters()):
        raise InputError(f"{path}: a weight is not a finite number; {_REMEDY}")
    return network.requires_grad_(requires_grad=False), provenance


def _check_weights(weights: Any, architecture: Architecture) -> None:
    """Refuse weights that are not those of the network, before the network takes any memory.

    Weights that are really there have been read by now, so that a network of their shapes is no
    larger than the file.

    Raises:
        TypeError: names a weight and what is wrong with it.
    """
    shapes = architecture.layer_shapes()
    if not isinstance(weights, dict) or weights.keys() != shapes.keys():
        raise TypeError(f"needed are {', '.join(shapes)}")
    for name, shape in shapes.items():
        weight = weights[name]
        if not isinstance(weight, torch.Tensor) or tuple(weight.shape) != shape:
            found = tuple(weight.shape) if isinstance(weight, torch.Tensor) else "no numbers"
            raise TypeError(f"{name} has {found}, needed is {shape}")
        is_plain = weight.layout == torch.strided and weight.device.type == "cpu"
        if not (is_plain and weight.is_floating_point() and weight.is_contiguous()):
            raise TypeError(f"{name} is not written out as numbers with a decimal point")


def check_fits(
    pilot: DQNPilot, ruleset: Ruleset, pool: Pool, deck: Deck, reached: Iterable[int]
) -> None:
    """Refuse a pilot that was trained for another game, other cards or another deck.

    Numbers of cards may be others within the ranges that it met in training.

    Args:
        pilot: what is to play.
        ruleset: by these rules,
        pool: with these cards,
        deck: this deck,
        reached: in games that can reach the cards with these numbers; what others are there
            makes no difference to it.

    Raises:
        InputError: says which differs, what the pilot knows, and what it was asked to play.
    """
    known = pilot.provenance
    if known is None:
        return
    asked_rules = Stamp.of(ruleset)
    if known.ruleset.content != asked_rules.content:
        raise _unfit(pilot, f"ruleset {known.ruleset}", str(asked_rules))
    for number in reached:
        _check_card(pilot, known, pool.everything[number])
    asked_deck = Stamp.of(deck)
    if asked_deck.content not in {trained.content for trained in known.decks}:
        decks = ", ".join(str(trained) for trained in known.decks)
        raise _unfit(pilot, f"deck{'s' if len(known.decks) > 1 else ''} {decks}", str(asked_deck))


def _check_card(pilot: DQNPilot, known: Provenance, card: Card) -> None:
    """Refuse a card that differs in more than numbers within the ranges that a pilot learned."""
    learned = known.numbers.get(card.id, {})
    as_it_was = card.with_numbers({field: one.value for field, one in learned.items()})
    if known.cards.get(card.id, "") not in {"", stamp_of_card(as_it_was)}:
        raise _unfit(pilot, f"card {card.id!r} as it was in pool {known.pool!r}", "what it is now")
    for field, one in learned.items():
        if not one.low <= card.number(field) <= one.high:
            raise _unfit(
                pilot,
                f"card {card.id!r} with {field} from {one.low} to {one.high}",
                f"{field} = {card.number(field)}",
            )


def _unfit(pilot: DQNPilot, trained: str, asked: str) -> InputError:
    return InputError(
        f"agent {pilot.name!r}: trained for {trained}, not for {asked}; train one for this"
    )
