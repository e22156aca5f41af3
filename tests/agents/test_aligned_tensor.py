"""Tensors of arrays begin at multiples of 64 bytes, wherever the arrays begin."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch")


@pytest.mark.parametrize("first", range(16))
def test_a_tensor_is_an_aligned_copy_of_an_array(first: int) -> None:
    from agents.reading.aligned_tensor import aligned_tensor

    array = np.arange(80, dtype=np.float32)[first : first + 64].reshape(8, 8)
    tensor = aligned_tensor(array)
    assert tensor.data_ptr() % 64 == 0
    assert tensor.numpy().tolist() == array.tolist()
    array[0] = 0
    assert tensor[0, 1] == first + 1
