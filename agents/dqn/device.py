"""Where networks compute."""

from __future__ import annotations

import torch

from sim.errors import InputError


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
