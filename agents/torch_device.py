"""Devices on which networks are trained."""

from __future__ import annotations

import torch

from sim.errors import InputError


def device_named(name: str) -> torch.device:
    """Return the torch device with a given name, `cpu` or `cuda`.

    Raises:
        InputError: the name is `cuda`, and torch finds no usable GPU.
    """
    if name == "cuda" and not torch.cuda.is_available():
        raise InputError(
            "torch finds no usable GPU",
            place='device = "cuda"',
            value=name,
            remedy='set device = "cpu"',
        )
    return torch.device(name)
