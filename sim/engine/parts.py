"""Compiling functions that only ever run as parts of others.

Numba gives every function machine code of its own before another may call it. Engine functions
are inlined into the few entries that are called from outside, so that nearly all of this work
is for nothing: it was half of the time that the engine takes to compile. A part is lowered to
LLVM's intermediate code and left at that.
"""

from __future__ import annotations

from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler


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
