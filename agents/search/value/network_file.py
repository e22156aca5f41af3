"""Files of learned values: archives of arrays, which numpy reads without torch."""

from __future__ import annotations

import io
from functools import cache
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from agents.search.value.encoder import Columns, ValueNetwork
from sim.errors import InputError
from sim.files.plain_archive import check_plain_archive, read_archive

SUFFIX = ".npz"
_SHIPPED = Path(__file__).parent / "shipped"
_LAYERS = ("row_layer", "card_layer", "zone_layer", "weights")


def network_bytes(network: ValueNetwork) -> bytes:
    """Return the content of the file of a learned value."""
    content = io.BytesIO()
    arrays = {layer: getattr(network, layer) for layer in _LAYERS}
    np.savez(
        content,
        **arrays,
        card_columns=np.array(network.columns.card),
        row_columns=np.array(network.columns.row),
    )
    return content.getvalue()


def load_network(path: Path) -> ValueNetwork:
    """Return the learned value in a file.

    Raises:
        InputError: the file cannot be read, or contains no learned value of this version.
    """
    content = read_archive(path)
    try:
        check_plain_archive(content)
        with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
            columns = Columns(
                tuple(arrays["card_columns"].tolist()), tuple(arrays["row_columns"].tolist())
            )
            layers = {layer: arrays[layer].astype(np.float32, copy=False) for layer in _LAYERS}
        return ValueNetwork(columns, **layers)
    except (BadZipFile, KeyError, ValueError, OSError) as error:
        raise InputError(
            f"contains no learned value of this version ({error})",
            place=path,
            remedy="train it again",
        ) from error


@cache
def shipped_network(name: str) -> ValueNetwork:
    """Return a learned value that is part of the package.

    Args:
        name: `plain` for the game `duel` and other plain games, `rich` for all other games.
    """
    return load_network(_SHIPPED / f"{name}{SUFFIX}")
