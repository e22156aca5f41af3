"""How engine code is compiled, and the types that it is made of.

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
from numba import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_lock import global_compiler_lock

from sim.engine.cache import choose_cache, naming
from sim.interruption import uninterrupted

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


@contextlib.contextmanager
def compiling() -> Iterator[None]:
    """Compile at LLVM's level 2, where numba's is 3, one thread at a time and heedless of Ctrl-C.

    Level 3 unrolls loops that go over a handful of places, for a fifth more time to compile and
    slower games.
    """
    with global_compiler_lock, uninterrupted(), naming():  # compiling also writes the cache
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
    """A function for exactly `signature` that is compiled, or loaded, when it is first called.

    It is cached and runs without the interpreter lock. Callers get it inlined by LLVM, which
    costs no compile time worth naming and saves a status check per call: 1.28 times as many games.
    (Numba's own `inline='always'` inlines before type inference and multiplies compile time
    instead.)

    Args:
        signature: types of result and arguments, e.g. `i64(Words, i64)`, or a list of them.
            Explicit types make each helper compile once instead of once per mixture of integer
            widths.
        from_python: whether Python itself calls it (needs a wrapper, and array arguments).
        apart: leave the inlining to LLVM: for what is long and called from many places, which
            would multiply the code to compile.
    """

    def make_dispatcher(function: Function) -> Function:
        if PLAIN_PYTHON:
            return function
        with naming():  # the cache looks for its folder
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
    """Compile, or load, all functions for Python of the modules that have been imported."""
    for entry in _entries:
        entry.compile_first()


_entries: list[Any] = []


def _deferred(dispatcher: Any, signature: Any) -> Any:
    """A function that is compiled for `signature` when Python or compiled code first calls it.

    An entry that comes from the cache holds the machine code of all that it calls, so that none
    of that is compiled or even loaded: most of what a command would wait for.
    """
    template_for = dispatcher.get_call_template

    def compile_first() -> None:
        with compiling():
            if not dispatcher.overloads:
                for each in signature if isinstance(signature, list) else [signature]:
                    dispatcher.compile(each)
                dispatcher.disable_compile()

    def template_when_compiled(arguments: Any, keywords: Any) -> Any:
        compile_first()
        return template_for(arguments, keywords)

    def compile_for_call(*_: Any) -> Any:
        compile_first()
        return dispatcher  # which is called again, and from now on finds its machine code at once

    dispatcher.compile_first = compile_first
    dispatcher.get_call_template = template_when_compiled
    dispatcher._compile_for_args = compile_for_call  # noqa: SLF001 (nothing public)
    return dispatcher


# --- parts of others ---
#
# Numba gives every function machine code of its own before another may call it. Engine functions
# are inlined into the few entries that are called from outside, so that nearly all of this work is
# for nothing: it was half of the time that the engine takes to compile. A part is lowered to LLVM's
# intermediate code and left at that.


class _NoEnvironment:
    """Stands for the code generator where numba would note a function's Python environment.

    Parts neither raise nor touch Python objects, so that they need none.
    """

    def set_env(self, env_name: str, env: Any) -> None:
        """Do nothing: a function without machine code has no place to note it in."""


class PartLibrary(JITCodeLibrary):  # type: ignore[misc]  # numba is not typed
    """Intermediate code for others to link in, never optimised or translated by itself."""

    @property
    def codegen(self) -> Any:
        """What numba asks to note the environment."""
        return _NoEnvironment()

    def get_pointer_to_function(self, name: str) -> int:  # noqa: ARG002 - numba calls it so
        """0: there is no machine code."""
        return 0

    def _optimize_final_module(self) -> None:
        """The entry that this becomes part of is optimised as a whole."""

    def _finalize_final_module(self) -> None:
        self._finalized = True


class PartCompiler(Compiler):  # type: ignore[misc]  # numba is not typed
    """Numba's compiler, for parts (`numba.njit(pipeline_class=PartCompiler)`)."""

    def __init__(self, typing_context: Any, target_context: Any, _: Any, *others: Any) -> None:
        """As numba's own, with a library for parts."""
        part = PartLibrary(target_context.codegen(), "part")
        super().__init__(typing_context, target_context, part, *others)


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
