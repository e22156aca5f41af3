"""Memory as compiled code sees it: raw pointers into vectors that Python keeps alive."""

from __future__ import annotations

from typing import Any

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


_as_pointer = _caster(Pointer)
_as_floats = _caster(FloatPointer)
_as_bytes = _caster(BytePointer)


if CHECKED:

    @compiled(Words(Block, i64))
    def words_at(block: Any, start: int) -> Any:
        """The words of `block` from `start` on."""
        return block[start:]

    @compiled(Floats(FloatBlock, i64))
    def floats_at(block: Any, start: int) -> Any:
        """The numbers of `block` from `start` on."""
        return block[start:]

    @compiled(Bytes(ByteBlock, i64))
    def bytes_at(block: Any, start: int) -> Any:
        """The bytes of `block` from `start` on."""
        return block[start:]

    @compiled(Pointer(Words))
    def pointer_to(words: Any) -> Any:
        """The raw pointer that code behind an address is called with."""
        return _as_pointer(words.ctypes.data)

    @compiled(FloatPointer(Floats))
    def pointer_to_floats(numbers: Any) -> Any:
        """The same, of floats."""
        return _as_floats(numbers.ctypes.data)

    @compiled(BytePointer(Bytes))
    def pointer_to_bytes(numbers: Any) -> Any:
        """The same, of bytes."""
        return _as_bytes(numbers.ctypes.data)

else:

    @compiled(Words(Block, i64))
    def words_at(block: Any, start: int) -> Any:
        """The words of `block` from `start` on; the caller keeps `block` alive."""
        if PLAIN_PYTHON:
            return memoryview(block)[start:]
        return _as_pointer(block.ctypes.data + 2 * start)

    @compiled(Floats(FloatBlock, i64))
    def floats_at(block: Any, start: int) -> Any:
        """The numbers of `block` from `start` on; the caller keeps `block` alive."""
        if PLAIN_PYTHON:
            return memoryview(block)[start:]
        return _as_floats(block.ctypes.data + 4 * start)

    @compiled(Bytes(ByteBlock, i64))
    def bytes_at(block: Any, start: int) -> Any:
        """The bytes of `block` from `start` on; the caller keeps `block` alive."""
        if PLAIN_PYTHON:
            return memoryview(block)[start:]
        return _as_bytes(block.ctypes.data + start)

    @compiled(Pointer(Words))
    def pointer_to(words: Any) -> Any:
        """The raw pointer that code behind an address is called with."""
        return words

    @compiled(FloatPointer(Floats))
    def pointer_to_floats(numbers: Any) -> Any:
        """The same, of floats."""
        return numbers

    @compiled(BytePointer(Bytes))
    def pointer_to_bytes(numbers: Any) -> Any:
        """The same, of bytes."""
        return numbers


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
