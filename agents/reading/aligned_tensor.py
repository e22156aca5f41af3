"""Tensors of arrays, at places in memory that do not change the results of matrix products."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt
import torch

CPU = torch.device("cpu")


def aligned_tensor(array: npt.NDArray[Any], device: torch.device = CPU) -> torch.Tensor:
    """Return a copy of an array as a tensor, which begins at a multiple of 64 bytes.

    An array of numpy begins at any multiple of 16 bytes. A tensor that shares its memory would be
    multiplied in an order that depends on this place, and so would the last digits of the result
    (Intel oneAPI Math Kernel Library, "Obtaining numerically reproducible results").

    Args:
        array: values of the tensor.
        device: device of the tensor.
    """
    return torch.tensor(array, device=device)
