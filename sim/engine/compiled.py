"""Compilation of engine code, and the numba types of its arguments.

A game's state and a variant's card table are each one flat vector of 16-bit words. Compiled code
accesses them through a raw pointer: plain indexing, no reference counts, no bounds checks
(docs/performance.md measures the gain). The same source also runs

* with array arguments and bounds checks, when `EVENHAND_CHECKED=1`, and
* as plain Python on memory views, when `NUMBA_DISABLE_JIT=1`.

This module chooses among the three builds. Only `addresses` and a few checks depend on the choice.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import numba
from numba import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_lock import global_compiler_lock

from sim.engine.cache import cache_error_place, choose_cache
from sim.interruption import uninterrupted

PLAIN_PYTHON = bool(numba.config.DISABLE_JIT)
CHECKED = os.environ.get("EVENHAND_CHECKED") == "1" and not PLAIN_PYTHON

i64: Any = types.int64
u64: Any = types.uint64
f32: Any = types.float32
f64: Any = types.float64
none: Any = types.void
Pointer: Any = types.CPointer(types.int16)
Vector: Any = types.Array(types.int64, 1, "C")
Block: Any = types.Array(types.int16, 1, "C")  # a vector of words that Python passes as an array
FloatBlock: Any = types.Array(types.float32, 1, "C")
ByteBlock: Any = types.Array(types.uint8, 1, "C")
Words: Any = Block if CHECKED else Pointer
FloatPointer: Any = types.CPointer(types.float32)
BytePointer: Any = types.CPointer(types.uint8)
Floats: Any = FloatBlock if CHECKED else FloatPointer
Bytes: Any = ByteBlock if CHECKED else BytePointer


@contextlib.contextmanager
def compiling() -> Iterator[None]:
    """Compile the block's functions at LLVM level 2, one thread at a time, with Ctrl-C deferred.

    Numba's default is level 3, which unrolls loops of a few iterations: compilation takes a fifth
    longer and games are slower.

    Raises:
        InputError: the cache folder cannot be written.
    """
    # Compilation writes to the cache folder, hence `cache_error_place`.
    with global_compiler_lock, uninterrupted(), cache_error_place():
        usual = numba.config.OPT
        numba.config.OPT = type(usual)("2")
        try:
            yield
        finally:
            numba.config.OPT = usual


Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(
    signature: Any, *, from_python: bool = False, apart: bool = False
) -> Callable[[Function], Function]:
    """Return a decorator that compiles a function for `signature` when it is first called.

    The compiled function runs without the interpreter lock. Functions for Python are loaded from
    the cache if they are in it. LLVM inlines the other functions into their callers, which costs no
    notable compile time and saves a status check per call: 1.28 times as many games per second.
    (Numba's own `inline='always'` inlines before type inference and multiplies compile time
    instead.) With `NUMBA_DISABLE_JIT=1` the function is returned unchanged.

    Args:
        signature: types of result and arguments, such as `i64(Words, i64)`, or a list of
            signatures. Explicit types make each helper compile once instead of once per mixture of
            integer widths.
        from_python: whether Python itself calls the function, which needs a wrapper and array
            arguments.
        apart: whether LLVM decides about inlining; for long functions with many callers, where
            forced inlining would multiply the code to compile.
    """

    def make_dispatcher(function: Function) -> Function:
        if PLAIN_PYTHON:
            return function
        with cache_error_place():  # `njit` creates the cache folder if `cache` is set
            dispatcher = numba.njit(
                nogil=True,
                cache=from_python and choose_cache(function),
                error_model="numpy",
                boundscheck=CHECKED,
                **({} if from_python else {"pipeline_class": PartCompiler}),
                no_cpython_wrapper=not from_python,
                no_cfunc_wrapper=True,
                forceinline=not (from_python or apart),
            )(function)
        result: Function = _deferred(dispatcher, signature)
        if from_python:
            _entries.append(result)
        return result

    return make_dispatcher


def compile_entries() -> None:
    """Compile, or load from the cache, every function for Python of the modules imported so far."""
    for entry in _entries:
        entry.compile_first()


_entries: list[Any] = []
"""Functions that Python calls, in the order of their definition."""


def _deferred(dispatcher: Any, signature: Any) -> Any:
    """Return `dispatcher`, changed to compile for `signature` at its first call from any code.

    An entry that is loaded from the cache contains the machine code of all functions that it calls.
    The deferral means that these are neither compiled nor loaded, which would otherwise take most
    of a command's start time.
    """
    template_for = dispatcher.get_call_template

    def compile_first() -> None:
        with compiling():
            if not dispatcher.overloads:
                for variant in signature if isinstance(signature, list) else [signature]:
                    dispatcher.compile(variant)
                dispatcher.disable_compile()

    def template_when_compiled(arguments: Any, keywords: Any) -> Any:
        compile_first()
        return template_for(arguments, keywords)

    def compile_for_call(*_: Any) -> Any:
        compile_first()
        return dispatcher  # numba repeats its call, for which there is machine code now

    dispatcher.compile_first = compile_first
    dispatcher.get_call_template = template_when_compiled
    dispatcher._compile_for_args = compile_for_call  # noqa: SLF001 (nothing public)
    return dispatcher


# --- compilation of functions that are only parts of others ---
#
# Numba generates machine code for every function before another function may call it. Engine
# functions are inlined into the few entries that are called from outside, so nearly all of this
# work would be wasted: it took half of the engine's compile time. Therefore a function that is only
# a part of others is lowered no further than to LLVM's intermediate code.


class _NoEnvironment:
    """Substitute for the code generator on which numba records a function's Python environment.

    Functions that are compiled only as parts of others neither raise exceptions nor use Python
    objects, so they need no environment.
    """

    def set_env(self, env_name: str, env: Any) -> None:
        """Do nothing, since a function without machine code has no use for an environment."""


class PartLibrary(JITCodeLibrary):  # type: ignore[misc]  # numba is not typed
    """Library of the intermediate code of a function that is only linked into other functions."""

    @property
    def codegen(self) -> Any:
        """Object on which numba records the environment of a function; it discards the record."""
        return _NoEnvironment()

    def get_pointer_to_function(self, name: str) -> int:  # noqa: ARG002 - numba calls it so
        """Return 0 in place of an address, since the library has no machine code."""
        return 0

    def _optimize_final_module(self) -> None:
        """Do nothing, since the entry function that contains this code is optimised as a whole."""

    def _finalize_final_module(self) -> None:
        """Mark the library as final without translating it to machine code."""
        self._finalized = True


class PartCompiler(Compiler):  # type: ignore[misc]  # numba is not typed
    """Numba compiler for functions that are inlined into others (`pipeline_class=PartCompiler`)."""

    def __init__(self, typing_context: Any, target_context: Any, _: Any, *others: Any) -> None:
        """Set up numba's compiler with a `PartLibrary` in place of the library it receives."""
        part = PartLibrary(target_context.codegen(), "part")
        super().__init__(typing_context, target_context, part, *others)


POLICY = i64(Words, Words)
"""Signature of an agent: (state, table) to the number of the action that it chooses."""

SEARCH = i64(Words, Words, i64, i64, i64)
"""Signature of a parametrised search: (state, table, three parameters) to an action's number."""

HANDLER = none(Words, Words, i64, i64, i64)
"""Signature of an effect handler: (state, table, row, source record, target record)."""

RULE = i64(Words, Words, i64)
"""Signature of an entry function of the general rules: (state, table, action) to a number."""

SEE = none(Words, Words, Words, Floats)
"""Signature of a function that writes an observation: (state, table, view, values)."""

MARK = i64(Words, Words, Words, Bytes)
"""Signature of a function that marks legal actions: (state, table, view, mask) to their count."""
