"""Python functions by file and name, so that other processes can load them too."""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from modulefinder import ModuleFinder
from pathlib import Path
from types import ModuleType
from typing import Any

from sim.errors import InputError, error_place, known_word
from sim.files.whole_file import read_bytes


@dataclass(frozen=True)
class FunctionSource:
    """Function of a Python file.

    Attributes:
        path: path of the file.
        name: name of the function.
    """

    path: Path
    name: str

    @classmethod
    def of(cls, reference: str, folder: Path) -> FunctionSource:
        """Return the function that `FILE.py:FUNCTION` names.

        Args:
            reference: name of a file and of a function in it.
            folder: folder to which the file's name is relative.

        Raises:
            InputError: the reference does not have this form.
        """
        file, colon, name = reference.rpartition(":")
        if not colon or not file or not name.isidentifier():
            raise InputError(
                f"{reference!r} must be the name of a file and of a function in it",
                value=reference,
                limit="FILE.py:FUNCTION",
                remedy='write it as "my_game.py:play"',
            )
        return cls(folder / file, name)

    def load(self) -> Callable[..., Any]:
        """Return the function, after running the file.

        Raises:
            InputError: the file cannot be read or fails, or has no such function.
        """
        return self.loaded(self.name)

    def loaded(self, name: str) -> Callable[..., Any]:
        """Return another function of the same file.

        Raises:
            InputError: the file cannot be read or fails, or has no such function.
        """
        module = _module_at(self.path.resolve())
        functions = [key for key, value in vars(module).items() if callable(value)]
        with error_place(self.path):
            known_word("function", name, functions)
        function: Callable[..., Any] = getattr(module, name)
        return function

    @cached_property
    def identity(self) -> str:
        """SHA-256 of the file, and of the modules that it imports from its folder."""
        path = self.path.resolve()
        finder = ModuleFinder([str(path.parent)])
        finder.run_script(str(path))
        files = [getattr(module, "__file__", None) for module in finder.modules.values()]
        digest = hashlib.sha256()
        for file in sorted(filter(None, files)):
            digest.update(hashlib.sha256(read_bytes(Path(file))).digest())
        return digest.hexdigest()

    @property
    def defines_parameters(self) -> bool:
        """Whether the file has a function `parameters`."""
        return callable(getattr(_module_at(self.path.resolve()), "parameters", None))


def source_hash(function: Callable[..., Any]) -> str:
    """Return the SHA-256 of the file that defines a function, or of its code without a file."""
    path = inspect.getsourcefile(inspect.unwrap(function))
    if path is not None and Path(path).is_file():
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    code = function.__code__
    content = repr((code.co_code, code.co_consts, code.co_names))
    return hashlib.sha256(content.encode()).hexdigest()


def _module_at(path: Path) -> ModuleType:
    """Return the module of a Python file, which is run once per content of the file.

    The folder of the file is searched for the modules that the file imports.

    Raises:
        InputError: the file cannot be read, or raises an error.
    """
    content = read_bytes(path)
    name = f"_evenhand_game_{hashlib.sha256(bytes(str(path), 'utf-8') + content).hexdigest()[:16]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise InputError("is no Python file", place=path, value=str(path), limit=".py")
    module = importlib.util.module_from_spec(spec)
    folder = str(path.parent)
    if folder not in sys.path:
        sys.path.append(folder)
    # Registered before it runs, as dataclasses and pickle require.
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise InputError(
            f"cannot be imported: {type(error).__name__}: {error}", place=path, separator=" "
        ) from error
    return module
