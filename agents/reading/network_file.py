"""Files of networks that read cards: archives of arrays, which numpy reads without torch.

A file has at most one network of each kind; the names of its arrays begin with the kind.
"""

from __future__ import annotations

import io
from functools import cache
from pathlib import Path
from typing import Any, TypeVar
from zipfile import BadZipFile

import numpy as np

from agents.reading.card_network import CardNetwork
from agents.reading.columns import Columns
from sim.errors import InputError
from sim.files.plain_archive import check_plain_archive, read_archive

Network = TypeVar("Network", bound=CardNetwork)

SUFFIX = ".npz"
_SHIPPED = Path(__file__).parent / "shipped"
_LAYERS = ("row_layer", "card_layer", "place_layer", "weights")


def network_bytes(*networks: CardNetwork) -> bytes:
    """Return the content of the file of networks of different kinds."""
    arrays = dict[str, Any]()
    for network in networks:
        arrays |= {f"{network.KIND}_{layer}": getattr(network, layer) for layer in _LAYERS}
        arrays[f"{network.KIND}_card_columns"] = np.array(network.columns.card)
        arrays[f"{network.KIND}_row_columns"] = np.array(network.columns.row)
    content = io.BytesIO()
    np.savez(content, **arrays)
    return content.getvalue()


def load_network(path: Path, kind: type[Network]) -> Network:
    """Return the network in a file.

    Args:
        path: path of the file.
        kind: kind of the network.

    Raises:
        InputError: the file cannot be read, or contains no network of this kind and version.
    """
    content = read_archive(path)
    try:
        check_plain_archive(content)
        with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
            columns = Columns(
                tuple(arrays[f"{kind.KIND}_card_columns"].tolist()),
                tuple(arrays[f"{kind.KIND}_row_columns"].tolist()),
            )
            layers = {
                layer: arrays[f"{kind.KIND}_{layer}"].astype(np.float32, copy=False)
                for layer in _LAYERS
            }
        return kind(columns, **layers)
    except (BadZipFile, KeyError, ValueError, OSError) as error:
        raise InputError(
            f"contains no {kind.KIND} network of this version ({error})",
            place=path,
            remedy="train it again",
        ) from error


KINDS_OF_GAMES = ("plain", "rich")
"""Names of the shipped networks: for the game `duel` and other plain games, and for all others."""


@cache
def shipped_pair(kind: type[Network]) -> tuple[Network, Network]:
    """Return the networks that are part of the package, in the order of `KINDS_OF_GAMES`."""
    plain, rich = (load_network(_SHIPPED / f"{name}{SUFFIX}", kind) for name in KINDS_OF_GAMES)
    return plain, rich
