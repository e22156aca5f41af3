"""Raw pointers to memory, and calls of agents, handlers and rules through their addresses.

Python objects must keep the memory alive to which the pointers point. A function that is called
through an address is compiled on its own, so the engine need not be compiled again for each new
agent or handler.
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
    """Return the intrinsic that converts an integer address to a pointer of the type `pointer`."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], context.get_value_type(signature.return_type))

    @intrinsic
    def as_pointer(typing_context: Any, address: Any) -> Any:
        return pointer(i64), generate

    return as_pointer


def _kind(pointer: Any, seen: Any, block: Any, n_bytes: int, item: Any) -> tuple[Any, Any]:
    """Return two functions that view one kind of memory: part of a block, and items at an address.

    Args:
        pointer: numba type of the raw pointer.
        seen: numba type of the views in this build.
        block: numba type of the array that Python passes.
        n_bytes: size of an item in bytes.
        item: ctypes type of an item.

    Returns:
        `start_at(block, start)`, which views the items of a block from index `start` on, and
        `items_from(address, n_items)`, which views `n_items` items at an address.
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


# A view of a block is valid for as long as the caller keeps the block alive. The memory of an
# agent outlives its games, so it is reached by its address.
words_at, words_from = _kind(Pointer, Words, Block, _WORD_BYTES, ctypes.c_int16)
floats_at, floats_from = _kind(FloatPointer, Floats, FloatBlock, 4, ctypes.c_float)
bytes_at, _ = _kind(BytePointer, Bytes, ByteBlock, 1, ctypes.c_uint8)


@intrinsic
def _advance(typing_context: Any, words: Any, n_words: Any) -> Any:
    """Return the pointer that is `n_words` words after `words`."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer, n_words = arguments
        return builder.gep(pointer, [n_words])

    return Pointer(Pointer, i64), generate


@compiled(Words(Words, i64))
def words_beyond(words: Any, start: int) -> Any:
    """Return the words of a vector from index `start` on.

    It serves vectors that lie next to each other in one block. Passing the block itself from
    function to function would count references at each call, which takes 8 % of the time of a small
    search.
    """
    return words[start:] if PLAIN_PYTHON or CHECKED else _advance(words, start)


@intrinsic
def _as_floats(typing_context: Any, words: Any) -> Any:
    """Return a pointer to 32-bit floats at the place of a pointer to words."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], context.get_value_type(FloatPointer))

    return FloatPointer(Pointer), generate


@compiled(Floats(Words, i64))
def floats_beyond(words: Any, start: int) -> Any:
    """Return the 32-bit floats that lie in a vector of words from index `start` on."""
    # Without pointers, only whole floats can be viewed: an even number of words.
    if PLAIN_PYTHON:
        return np.frombuffer(words[start : start + (len(words) - start) // 2 * 2], np.float32)
    if CHECKED:
        return words[start : start + (len(words) - start) // 2 * 2].view(np.float32)
    return _as_floats(words_beyond(words, start))


@intrinsic
def _copy_memory(typing_context: Any, source: Any, target: Any, n_words: Any) -> Any:
    """Copy `n_words` words between areas that do not overlap, by one call of C's `memcpy`."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        source, target, n_words = arguments
        raw_memcpy(builder, target, source, n_words, _WORD_BYTES)
        return context.get_dummy_value()

    return none(Pointer, Pointer, i64), generate


@compiled(none(Words, Words, i64))
def copy_words(source: Any, target: Any, n_words: int) -> None:
    """Copy the first `n_words` words of `source` over those of `target`."""
    if PLAIN_PYTHON or CHECKED:
        for word in range(n_words):
            target[word] = source[word]
    else:
        _copy_memory(source, target, n_words)


# --- calls of functions by their addresses ---

# Bit of the address of a bound search, which points to data. The address of code never has this
# bit, since code is aligned.
IS_BOUND = 1
_BOUND_WORDS = 16  # the address of a search and its three parameters, four words each

_functions: list[Callable[..., Any]] = []  # in plain Python, an address is an index of this list


def _generate_call(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Generate LLVM code that calls the compiled function at an address with a tuple of arguments.

    The call follows numba's own convention, which returns errors in a status. The status is checked
    only in the build with bounds checks, since otherwise engine functions raise no errors. Wrapping
    them as C functions would cost 2 to 6 % of all games.
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
    """Call the function registered at `address` in plain Python and return its result.

    A result other than `None` is converted to an `int`.
    """
    result = _functions[address](*arguments)
    return result if result is None else int(result)


def _caller(result: Any) -> Any:
    """Return the intrinsic that calls the function at an address and returns the type `result`.

    In plain Python it is an ordinary function.
    """
    if PLAIN_PYTHON:
        return _call_in_python

    @intrinsic
    def call(typing_context: Any, address: Any, arguments: Any) -> Any:
        return result(i64, arguments), _generate_call

    return call


_call_returning_number = _caller(i64)
_call_returning_nothing = _caller(none)


@compiled(Words(Words))
def _whole(words: Any) -> Any:
    """Return a state, table or view cut to the length in its word 0, if bounds are checked.

    Without bounds checks the pointer is returned unchanged.
    """
    return words[: words[0]] if CHECKED else words


@compiled(i64(i64, Words, Words), apart=True)
def _call_bound(address: int, state: Any, table: Any) -> int:
    """Return the action that the search with parameters at `address` (from `bind`) chooses."""
    bound = words_from(address - IS_BOUND, _BOUND_WORDS)
    first = load64(bound, 4)
    second = load64(bound, 8)
    third = load64(bound, 12)
    search = load64(bound, 0)
    return _call_returning_number(search, (_whole(state), _whole(table), first, second, third))


@compiled(i64(i64, Words, Words))
def call_policy(address: int, state: Any, table: Any) -> int:
    """Return the action that the agent at `address` chooses for the active seat."""
    if not PLAIN_PYTHON and address & IS_BOUND:
        return _call_bound(address, state, table)
    return _call_returning_number(address, (_whole(state), _whole(table)))


@compiled(none(i64, Words, Words, i64, i64, i64))
def call_handler(address: int, state: Any, table: Any, row: int, source: int, target: int) -> None:
    """Apply the effect handler at `address` to one target.

    Args:
        address: address of the handler.
        state: words of the game.
        table: card table of the game's variant.
        row: offset of the effect row in the table.
        source: record of the card that acts.
        target: record or deck member that is acted on.
    """
    _call_returning_nothing(address, (_whole(state), _whole(table), row, source, target))


@compiled(i64(i64, Words, Words, i64))
def call_rule(address: int, state: Any, table: Any, action: int) -> int:
    """Call the entry function of the general rules at `address` and return its result."""
    return _call_returning_number(address, (_whole(state), _whole(table), action))


@compiled(none(i64, Words, Words, Words, Floats))
def call_see(address: int, state: Any, table: Any, view: Any, values: Any) -> None:
    """Write the observation of the active seat into `values`, by the function at `address`.

    Args:
        address: address of a function with the signature `SEE`.
        state: words of the game.
        table: card table of the game's variant.
        view: words of the view.
        values: the observation, overwritten, shape ``[n_values]``.
    """
    seen = values[: view[VIEW_N_VALUES]] if CHECKED else values
    _call_returning_nothing(address, (_whole(state), _whole(table), _whole(view), seen))


@compiled(i64(i64, Words, Words, Words, Bytes))
def call_mark(address: int, state: Any, table: Any, view: Any, mask: Any) -> int:
    """Mark the legal actions in `mask` and return their number, by the function at `address`.

    Args:
        address: address of a function with the signature `MARK`.
        state: words of the game.
        table: card table of the game's variant.
        view: words of the view.
        mask: 1 for each legal action, else 0, overwritten, shape ``[n_actions]``.
    """
    marks = mask[: view[VIEW_N_ACTIONS]] if CHECKED else mask
    return _call_returning_number(address, (_whole(state), _whole(table), _whole(view), marks))


@cache
def address_of(function: Callable[..., Any], signature: Any) -> int:
    """Return the address by which compiled code calls `function`: an agent, a search or a handler.

    The function is compiled, or loaded from the cache, on the first call only. The engine itself
    need not be compiled again for it. With `NUMBA_DISABLE_JIT=1` the address is an index of a list.

    Args:
        function: plain Python function. Values of its closure, such as the address of another
            agent, are compiled into it as constants that are valid in this process only. Therefore
            a closure is not cached and should be small.
        signature: `POLICY`, `SEARCH`, `HANDLER`, `RULE`, `SEE` or `MARK`.

    Raises:
        InputError: the function cannot be compiled.
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
        reason = " ".join(str(error).split())
        raise InputError(f"cannot be compiled: {reason}") from error
    _entries.append(entry)
    result = entry.overloads[signature.args]
    return int(result.library.get_pointer_to_function(result.fndesc.llvm_func_name))


def as_words(addresses: Iterable[int]) -> npt.NDArray[np.int16]:
    """Return addresses as 16-bit words of a table or a view, four words per address."""
    return np.array([*addresses], dtype="<u8").view(np.int16)


@cache
def bind(search: int, *numbers: int) -> int:
    """Return the address of an agent that is a compiled search with three fixed parameters.

    The parameters are data, so a thousand such agents need no more compilation than one. Equal
    arguments give the same address.

    Args:
        search: address of a function with the signature `SEARCH`.
        numbers: the three parameters that the search receives after state and table.
    """
    if PLAIN_PYTHON:
        _functions.append(lambda state, table: _functions[search](state, table, *numbers))
        return len(_functions) - 1
    block = np.array([search, *numbers], dtype=np.int64)
    _bound.append(block)
    return int(block.ctypes.data) | IS_BOUND


_bound: list[Any] = []  # keeps alive the parameters to which the addresses of `bind` point
_entries: list[Any] = []  # keeps alive the machine code to which the addresses point
