"""Where pools come from: files, or an installed package of real cards."""

from __future__ import annotations

from pathlib import Path

from sim.cards.actions import all_actions
from sim.cards.pool import REAL_POOL, Pool
from sim.files.toml_file import find_data_file, read_toml
from sim.files.validation import validate
from sim.real_cards.hearthstone import real_pool


def load_pool(name: str, near: Path | None = None) -> Pool:
    """The pool called `name`, or in the file `name` when that ends in `.toml`.

    The name `REAL_POOL` is not looked up in files, see `sim.real_cards.hearthstone`.

    Raises:
        InputError: no such file (see `find_data_file`), it does not fit `Pool`, or the real
            cards are not installed; or a package declares a faulty action.
    """
    all_actions()  # a faulty package is no fault of the cards
    if name == REAL_POOL:
        return real_pool()
    path = find_data_file("pools", name, near)
    return validate(Pool, read_toml(path), source=str(path))
