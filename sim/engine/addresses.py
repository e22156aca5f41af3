"""Addresses: memory as raw pointers, and calls of agents, handlers and rules not known before.

Pointers lead into vectors that Python keeps alive. Whoever is called through an address is compiled
by itself, and the engine is not compiled again for the agents and handlers that it meets.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

import numba
import numpy as np
import numpy.typing as npt
from numba.core.cgutils import if_unlikely, raw_memcpy, unpack_tuple
from numba.core.errors import NumbaError
from numba.extending import intrinsic

from sim.engine.cache import choose_cache
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
    compiling,
    i64,
    none,
)
from sim.engine.layout import VIEW_N_ACTIONS, VIEW_N_VALUES
from sim.engine.streams import load64
from sim.errors import InputError

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
def _advance(typing_context: Any, words: Any, n_words: Any) -> Any:
    """The pointer so many words further on."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer, n_words = arguments
        return builder.gep(pointer, [n_words])

    return Pointer(Pointer, i64), generate


@compiled(Words(Words, i64))
def words_beyond(words: Any, start: int) -> Any:
    """The words from place `start` of others on.

    For memory that lies in one block: handing the block itself from function to function would
    count its users each time, 8 % of the time of a small search.
    """
    return words[start:] if PLAIN_PYTHON or CHECKED else _advance(words, start)


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


# --- calls ---

IS_BOUND = 1  # the bit of an address behind which lies no code, but a search and its numbers
_BOUND_WORDS = 16  # the search's address and three numbers, four words each

_functions: list[Callable[..., Any]] = []  # in plain Python an address is a position in here


def _generate_call(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """LLVM code that calls the compiled function at an address with a tuple of arguments.

    It is called as numba's functions call each other, which hand errors back; ours raise nothing,
    unless bounds are checked. C functions around them would cost 2 to 6 % of all games.
    """
    result = signature.return_type
    kinds = signature.args[1].types
    convention = context.call_conv
    kind = convention.get_function_type(result, kinds)
    code = builder.inttoptr(arguments[0], kind.as_pointer())
    values = unpack_tuple(builder, arguments[1])
    status, value = convention.call_function(builder, code, result, kinds, values)
    if CHECKED:
        with if_unlikely(builder, status.is_error):
            convention.return_status_propagate(builder, status)
    return value


def _call_in_python(address: int, arguments: tuple[Any, ...]) -> Any:
    """Call what stands for compiled code in plain Python; an answer is a whole number."""
    answer = _functions[address](*arguments)
    return answer if answer is None else int(answer)


def _caller(result: Any) -> Any:
    """The intrinsic that calls what is at an address and returns `result`."""
    if PLAIN_PYTHON:
        return _call_in_python

    @intrinsic
    def call(typing_context: Any, address: Any, arguments: Any) -> Any:
        return result(i64, arguments), _generate_call

    return call


_ask = _caller(i64)
_tell = _caller(none)


@compiled(Words(Words))
def _whole(words: Any) -> Any:
    """A state, a table or a view without what lies behind it; its word 0 is its length."""
    return words[: words[0]] if CHECKED else words


@compiled(i64(i64, Words, Words), apart=True)
def _call_bound(address: int, state: Any, table: Any) -> int:
    """The action chosen by the search that is bound at `address`."""
    bound = words_from(address - IS_BOUND, _BOUND_WORDS)
    one = load64(bound, 4)
    two = load64(bound, 8)
    three = load64(bound, 12)
    return _ask(load64(bound, 0), (_whole(state), _whole(table), one, two, three))


@compiled(i64(i64, Words, Words))
def call_policy(address: int, state: Any, table: Any) -> int:
    """The action chosen by the agent at `address`."""
    if not PLAIN_PYTHON and address & IS_BOUND:
        return _call_bound(address, state, table)
    return _ask(address, (_whole(state), _whole(table)))


@compiled(none(i64, Words, Words, i64, i64, i64))
def call_handler(address: int, state: Any, table: Any, row: int, source: int, target: int) -> None:
    """Let the effect handler at `address` act."""
    _tell(address, (_whole(state), _whole(table), row, source, target))


@compiled(i64(i64, Words, Words, i64))
def call_rule(address: int, state: Any, table: Any, action: int) -> int:
    """Let the entry of the general rules at `address` act or answer."""
    return _ask(address, (_whole(state), _whole(table), action))


@compiled(none(i64, Words, Words, Words, Floats))
def call_see(address: int, state: Any, table: Any, view: Any, values: Any) -> None:
    """Let what is at `address` write what the seat to move sees."""
    seen = values[: view[VIEW_N_VALUES]] if CHECKED else values
    _tell(address, (_whole(state), _whole(table), _whole(view), seen))


@compiled(i64(i64, Words, Words, Words, Bytes))
def call_mark(address: int, state: Any, table: Any, view: Any, mask: Any) -> int:
    """Let what is at `address` mark what the seat to move may do; returns how much that is."""
    marks = mask[: view[VIEW_N_ACTIONS]] if CHECKED else mask
    return _ask(address, (_whole(state), _whole(table), _whole(view), marks))


@cache
def address_of(function: Callable[..., Any], signature: Any) -> int:
    """The address by which compiled code may call `function`: an agent, a search, a handler.

    It is compiled, or loaded, but once.

    All are called through an address, so that the engine need not know, nor be compiled again
    for, the agents and handlers it meets.

    Args:
        function: plain function. What a closure holds, say the address of another agent, is
            compiled into it as constants, good for this process only, so it is not cached; keep
            it small.
        signature: `POLICY`, `SEARCH`, `HANDLER`, `RULE`, `SEE` or `MARK`.

    Raises:
        InputError: it cannot be compiled.
    """
    if PLAIN_PYTHON:
        _functions.append(function)
        return len(_functions) - 1
    lasting = function.__closure__ is None and choose_cache(function)
    try:
        with compiling():
            entry = numba.njit(
                signature,
                nogil=True,
                cache=lasting,
                error_model="numpy",
                boundscheck=CHECKED,
                no_cpython_wrapper=True,
                no_cfunc_wrapper=True,
            )(function)
    except NumbaError as error:
        raise InputError(f"cannot be compiled: {' '.join(str(error).split())}") from error
    _entries.append(entry)
    result = entry.overloads[signature.args]
    return int(result.library.get_pointer_to_function(result.fndesc.llvm_func_name))


def as_words(addresses: Iterable[int]) -> npt.NDArray[np.int16]:
    """Addresses as words of a table or a view, four each (`sim.engine.streams.load64`)."""
    return np.array([*addresses], dtype="<u8").view(np.int16)


@cache
def bind(search: int, *numbers: int) -> int:
    """The address of an agent that is the search at an address with three numbers of its own.

    The numbers are data, so that a thousand such agents are compiled no more than one, and equal
    ones are one.

    Args:
        search: address of a function of the signature `SEARCH`.
        numbers: what it is told beside state and table, three.
    """
    if PLAIN_PYTHON:
        _functions.append(lambda state, table: _functions[search](state, table, *numbers))
        return len(_functions) - 1
    block = np.array([search, *numbers], dtype=np.int64)
    _bound.append(block)
    return int(block.ctypes.data) | IS_BOUND


_bound: list[Any] = []  # keeps the numbers behind the addresses alive
_entries: list[Any] = []  # keeps the machine code behind the addresses alive
