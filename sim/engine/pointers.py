"""Memory as compiled code sees it: raw pointers into vectors that Python keeps alive."""

from __future__ import annotations

import ctypes
from typing import Any

import numba
import numpy as np
from numba.core.cgutils import raw_memcpy
from numba.extending import intrinsic

from sim.engine.compiled import (
    CHECKED,
    PLAIN_PYTHON,
    Block,
    ByteBlock,
    BytePointer,
    Bytes,
    FloatBlock,
    FloatPointer,
    Floats,
    Pointer,
    Words,
    compiled,
    i64,
    none,
)

_WORD_BYTES = 2


def _caster(pointer: Any) -> Any:
    """The intrinsic that takes an integer address as a pointer of this type."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], context.get_value_type(signature.return_type))

    @intrinsic
    def as_pointer(typing_context: Any, address: Any) -> Any:
        return pointer(i64), generate

    return as_pointer


def _kind(pointer: Any, seen: Any, block: Any, n_bytes: int, item: Any) -> tuple[Any, Any]:
    """For one kind of memory, what looks at a block from a place on, or at items by their address.

    Args:
        pointer: type of the raw pointer.
        seen: type by which compiled code sees it in this build.
        block: type of the array that Python hands over.
        n_bytes: of an item.
        item: type of one in C.
    """
    as_pointer = _caster(pointer)

    @compiled(seen(block, i64))
    def start_at(block: Any, start: int) -> Any:
        if PLAIN_PYTHON:
            return memoryview(block)[start:]
        if CHECKED:
            return block[start:]
        return as_pointer(block.ctypes.data + n_bytes * start)

    @compiled(seen(i64, i64))
    def items_from(address: int, n_items: int) -> Any:
        if PLAIN_PYTHON:
            items: Any = np.ctypeslib.as_array((item * n_items).from_address(address))
            return memoryview(items.view(np.int16)) if n_bytes == _WORD_BYTES else items
        if CHECKED:
            return numba.carray(as_pointer(address), (n_items,))
        return as_pointer(address)

    return start_at, items_from


# What is at a place in a block is seen for as long as the caller keeps the block alive. What an
# agent is made of outlives its games, so it is found by its address.
words_at, words_from = _kind(Pointer, Words, Block, _WORD_BYTES, ctypes.c_int16)
floats_at, floats_from = _kind(FloatPointer, Floats, FloatBlock, 4, ctypes.c_float)
bytes_at, _ = _kind(BytePointer, Bytes, ByteBlock, 1, ctypes.c_uint8)


@intrinsic
def _copy_memory(typing_context: Any, source: Any, target: Any, n_words: Any) -> Any:
    """Copy words that do not overlap: one call of the C library's `memcpy`."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        source, target, n_words = arguments
        raw_memcpy(builder, target, source, n_words, _WORD_BYTES)
        return context.get_dummy_value()

    return none(Pointer, Pointer, i64), generate


@compiled(none(Words, Words, i64))
def copy_words(source: Any, target: Any, n_words: int) -> None:
    """Copy the first words of `source` over those of `target`."""
    if PLAIN_PYTHON or CHECKED:
        for word in range(n_words):
            target[word] = source[word]
    else:
        _copy_memory(source, target, n_words)
