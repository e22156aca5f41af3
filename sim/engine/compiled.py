"""How engine code is compiled, and the two intrinsics that let it read plain memory.

A game's state and a variant's card table are each one flat vector of 16-bit words. Compiled
code sees them through a raw pointer: plain indexing, no reference counts, no bounds checks
(docs/performance.md has what that is worth). The same source also runs

* with array arguments and bounds checks, when `EVENHAND_CHECKED=1`, and
* as plain Python on memory views, when `NUMBA_DISABLE_JIT=1`,

and this file is the only one that knows which of the three it is.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import numba
from llvmlite import ir
from numba import types
from numba.core.cgutils import raw_memcpy
from numba.extending import intrinsic

from sim.engine.cache import choose_cache
from sim.engine.layout import VIEW_N_ACTIONS, VIEW_N_VALUES

_WORD_BYTES = 2
PLAIN_PYTHON = bool(numba.config.DISABLE_JIT)
CHECKED = os.environ.get("EVENHAND_CHECKED") == "1" and not PLAIN_PYTHON

i64 = types.int64
u64 = types.uint64
none = types.void
Pointer = types.CPointer(types.int16)
Vector = types.Array(types.int64, 1, "C")
Block = types.Array(types.int16, 1, "C")  # a vector of words as Python hands it over
FloatBlock = types.Array(types.float32, 1, "C")
ByteBlock = types.Array(types.uint8, 1, "C")
Words = Block if CHECKED else Pointer
FloatPointer = types.CPointer(types.float32)
BytePointer = types.CPointer(types.uint8)
Floats = FloatBlock if CHECKED else FloatPointer
Bytes = ByteBlock if CHECKED else BytePointer


_INNER, _ENTRY = "1", "2"  # levels of LLVM's optimiser


@contextlib.contextmanager
def _optimised(level: str) -> Iterator[None]:
    """Compile at another level than numba's 3.

    What runs is compiled at 2: level 3 unrolls loops that go over a handful of places, for a
    fifth more time to compile and slower games. Inner functions, which are optimised again as
    part of the entries that call them, are spared the work at 1; that is worth a sixth of the
    time and changes no entry.
    """
    usual = numba.config.OPT
    numba.config.OPT = type(usual)(level)
    try:
        yield
    finally:
        numba.config.OPT = usual


Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(
    signature: Any, *, from_python: bool = False, apart: bool = False
) -> Callable[[Function], Function]:
    """Compile a function for exactly `signature`, cached, without the interpreter lock.

    Callers get it inlined by LLVM, which costs no compile time worth naming and saves a status
    check per call: 1.28 times as many games. (Numba's own `inline='always'` inlines before type
    inference and multiplies compile time instead.)

    Args:
        signature: types of result and arguments, e.g. `i64(Words, i64)`. Explicit types make
            each helper compile once instead of once per mixture of integer widths.
        from_python: whether Python itself calls it (needs a wrapper, and array arguments).
        apart: leave the inlining to LLVM: for what is long and called from many places, which
            would multiply the code to compile.
    """

    def compile_it(function: Function) -> Function:
        if PLAIN_PYTHON:
            return function
        jit = numba.njit(
            *((signature,) if from_python else ()),
            nogil=True,
            cache=choose_cache(function) and not CHECKED,
            error_model="numpy",
            boundscheck=CHECKED,
            no_cpython_wrapper=not from_python,
            no_cfunc_wrapper=True,
            forceinline=not (from_python or apart),
        )
        with _optimised(_ENTRY):
            dispatcher = jit(function)
        result: Function = dispatcher if from_python else _deferred(dispatcher, signature)
        return result

    return compile_it


def _deferred(dispatcher: Any, signature: Any) -> Any:
    """A function that is compiled for `signature` when compiled code first calls it.

    An entry that comes from the cache holds the machine code of all that it calls, so that none
    of that is compiled or even loaded: most of what a command would wait for.
    """
    template_for = dispatcher.get_call_template

    def compile_first(arguments: Any, keywords: Any) -> Any:
        if not dispatcher.overloads:
            with _optimised(_INNER):
                dispatcher.compile(signature)
            dispatcher.disable_compile()
        return template_for(arguments, keywords)

    dispatcher.get_call_template = compile_first
    return dispatcher


POLICY = i64(Words, Words)
"""An agent: (state, table) to the action it chooses."""

SEARCH = i64(Words, Words, i64, i64, i64)
"""What agents with parameters share: (state, table, three numbers of the agent) to an action."""

HANDLER = none(Words, Words, i64, i64, i64)
"""An effect handler: (state, table, row, source, target)."""

RULE = i64(Words, Words, i64)
"""An entry of the general rules: (state, table, action)."""

SEE = none(Words, Words, Words, Floats)
"""What writes an observation: (state, table, view, values)."""

MARK = i64(Words, Words, Words, Bytes)
"""What marks legal actions and counts them: (state, table, view, mask)."""


_functions: list[Callable[..., Any]] = []  # in plain Python an address is a position in here


def _generate_call(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """LLVM code that calls the C function whose address is the first argument."""
    kinds = [context.get_value_type(argument) for argument in signature.args[1:]]
    silent = signature.return_type == none
    result = ir.VoidType() if silent else context.get_value_type(signature.return_type)
    address = builder.inttoptr(arguments[0], ir.FunctionType(result, kinds).as_pointer())
    called = builder.call(address, arguments[1:])
    return context.get_dummy_value() if silent else called


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


@intrinsic
def _call_policy(typing_context: Any, address: Any, state: Any, table: Any) -> Any:
    """Call the agent at `address`."""
    return i64(i64, Pointer, Pointer), _generate_call


@intrinsic
def _call_search(
    typing_context: Any, address: Any, state: Any, table: Any, one: Any, two: Any, three: Any
) -> Any:
    """Call the search at `address`."""
    return i64(i64, Pointer, Pointer, i64, i64, i64), _generate_call


@intrinsic
def _call_handler(
    typing_context: Any, address: Any, state: Any, table: Any, row: Any, source: Any, target: Any
) -> Any:
    """Call the effect handler at `address`."""
    return none(i64, Pointer, Pointer, i64, i64, i64), _generate_call


@intrinsic
def _call_rule(typing_context: Any, address: Any, state: Any, table: Any, action: Any) -> Any:
    """Call the entry of the general rules at `address`."""
    return i64(i64, Pointer, Pointer, i64), _generate_call


@intrinsic
def _call_see(
    typing_context: Any, address: Any, state: Any, table: Any, view: Any, values: Any
) -> Any:
    """Call what observes at `address`."""
    return none(i64, Pointer, Pointer, Pointer, FloatPointer), _generate_call


@intrinsic
def _call_mark(
    typing_context: Any, address: Any, state: Any, table: Any, view: Any, mask: Any
) -> Any:
    """Call what marks legal actions at `address`."""
    return i64(i64, Pointer, Pointer, Pointer, BytePointer), _generate_call


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
    def _pointer_to(words: Any) -> Any:
        return _as_pointer(words.ctypes.data)

    @compiled(FloatPointer(Floats))
    def _pointer_to_floats(numbers: Any) -> Any:
        return _as_floats(numbers.ctypes.data)

    @compiled(BytePointer(Bytes))
    def _pointer_to_bytes(numbers: Any) -> Any:
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
    def _pointer_to(words: Any) -> Any:
        return words

    @compiled(FloatPointer(Floats))
    def _pointer_to_floats(numbers: Any) -> Any:
        return numbers

    @compiled(BytePointer(Bytes))
    def _pointer_to_bytes(numbers: Any) -> Any:
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
        for at in range(n_words):
            target[at] = source[at]
    else:
        _copy_memory(source, target, n_words)


@compiled(i64(i64, Words, Words))
def call_policy(address: int, state: Any, table: Any) -> int:
    """The action chosen by the agent at `address`."""
    if PLAIN_PYTHON:
        return int(_functions[address](state, table))
    return _call_policy(address, _pointer_to(state), _pointer_to(table))


@compiled(i64(i64, Words, Words, i64, i64, i64))
def call_search(address: int, state: Any, table: Any, one: int, two: int, three: int) -> int:
    """The action chosen by the search at `address` with these parameters."""
    if PLAIN_PYTHON:
        return int(_functions[address](state, table, one, two, three))
    return _call_search(address, _pointer_to(state), _pointer_to(table), one, two, three)


@compiled(none(i64, Words, Words, i64, i64, i64))
def call_handler(address: int, state: Any, table: Any, row: int, source: int, target: int) -> None:
    """Let the effect handler at `address` act."""
    if PLAIN_PYTHON:
        _functions[address](state, table, row, source, target)
    else:
        _call_handler(address, _pointer_to(state), _pointer_to(table), row, source, target)


@compiled(i64(i64, Words, Words, i64))
def call_rule(address: int, state: Any, table: Any, action: int) -> int:
    """Let the entry of the general rules at `address` act or answer."""
    if PLAIN_PYTHON:
        return int(_functions[address](state, table, action))
    return _call_rule(address, _pointer_to(state), _pointer_to(table), action)


@compiled(none(i64, Words, Words, Words, Floats))
def call_see(address: int, state: Any, table: Any, view: Any, values: Any) -> None:
    """Let what is at `address` write what the seat to move sees."""
    if PLAIN_PYTHON:
        _functions[address](state, table, view, values)
    else:
        words = _pointer_to(state), _pointer_to(table), _pointer_to(view)
        _call_see(address, words[0], words[1], words[2], _pointer_to_floats(values))


@compiled(i64(i64, Words, Words, Words, Bytes))
def call_mark(address: int, state: Any, table: Any, view: Any, mask: Any) -> int:
    """Let what is at `address` mark what the seat to move may do; returns how much that is."""
    if PLAIN_PYTHON:
        return int(_functions[address](state, table, view, mask))
    words = _pointer_to(state), _pointer_to(table), _pointer_to(view)
    return _call_mark(address, words[0], words[1], words[2], _pointer_to_bytes(mask))


def address_of(function: Callable[..., Any], signature: Any) -> int:
    """The address by which compiled code may call `function`: an agent, a search, a handler.

    All are called through an address, so that the engine need not know, nor be compiled again
    for, the agents and handlers it meets.

    Args:
        function: plain function. What a closure holds, say the address of another agent, is
            compiled into it as constants, good for this process only, so it is not cached; keep
            it small.
        signature: `POLICY`, `SEARCH`, `HANDLER`, `RULE`, `SEE` or `MARK`.
    """
    if PLAIN_PYTHON:
        _functions.append(function)
        return len(_functions) - 1
    pointers = signature.return_type(*(_POINTERS.get(kind, kind) for kind in signature.args))
    lasting = function.__closure__ is None and choose_cache(function)
    with _optimised(_ENTRY):
        entry = numba.cfunc(pointers, cache=lasting and not CHECKED, error_model="numpy")(
            _on_arrays(function, signature) if CHECKED else function
        )
    _entries.append(entry)
    return int(entry.address)


_entries: list[Any] = []  # keeps the machine code behind the addresses alive
_POINTERS = {Words: Pointer, Floats: FloatPointer, Bytes: BytePointer}


def _on_arrays(function: Callable[..., Any], signature: Any) -> Callable[..., Any]:
    """`function` behind pointers again; word 0 of state, table and view is their length."""
    inner = numba.njit(boundscheck=True, error_model="numpy")(function)
    n_arguments = len(signature.args)
    if signature in (SEE, MARK):
        size = VIEW_N_VALUES if signature == SEE else VIEW_N_ACTIONS

        def look(state: Any, table: Any, view: Any, seen: Any) -> Any:
            return inner(
                numba.carray(state, (state[0],)),
                numba.carray(table, (table[0],)),
                numba.carray(view, (view[0],)),
                numba.carray(seen, (view[size],)),
            )

        return look
    if n_arguments == len(POLICY.args):

        def policy(state: Any, table: Any) -> Any:
            return inner(numba.carray(state, (state[0],)), numba.carray(table, (table[0],)))

        return policy
    if n_arguments == len(RULE.args):

        def rule(state: Any, table: Any, action: Any) -> Any:
            return inner(numba.carray(state, (state[0],)), numba.carray(table, (table[0],)), action)

        return rule

    def with_three_numbers(state: Any, table: Any, one: Any, two: Any, three: Any) -> Any:
        return inner(
            numba.carray(state, (state[0],)), numba.carray(table, (table[0],)), one, two, three
        )

    return with_three_numbers
