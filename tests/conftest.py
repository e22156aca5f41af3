"""Setup of all tests: the switch that rewrites goldens, and property tests without deadlines."""

from __future__ import annotations

import gc
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from tests import messages

settings.register_profile("evenhand", deadline=None, max_examples=50)  # no test asserts a time
settings.load_profile("evenhand")


FIRST = (
    "test_processors.py",
    "test_notebooks.py",
    "test_random_pools.py",
    "test_compile_cache.py",
    "test_builds.py",
    "test_train_command.py",
)
"""Files of few, long tests: begun last, one worker would be busy while the others wait."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Order files as workers should take them: the longest first, then those with most tests."""
    n_tests = Counter(item.path for item in items)

    def sort_key(item: pytest.Item) -> tuple[bool, int, Path]:
        return item.path.name not in FIRST, -n_tests[item.path], item.path

    items.sort(key=sort_key)


def pytest_configure(config: pytest.Config) -> None:
    messages.begin(update=config.getoption("--update-goldens"))


def pytest_sessionstart() -> None:
    """Disable garbage collection while modules are loaded; it took a tenth of the whole time."""
    gc.disable()


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write the goldens of messages; worker processes hand theirs to the one that started them."""
    output = getattr(session.config, "workeroutput", None)
    if output is None:
        messages.write({**messages.checked(), **MESSAGES_OF_WORKERS})
    else:
        output["messages"] = messages.checked()


MESSAGES_OF_WORKERS: dict[str, list[str]] = {}
"""Messages that tests checked in worker processes that have ended, by test."""


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take the messages of a worker process that ends."""
    MESSAGES_OF_WORKERS.update(getattr(node, "workeroutput", {}).get("messages", {}))


def pytest_collection_finish() -> None:
    """Enable garbage collection for objects made from here on."""
    gc.freeze()
    gc.enable()


@pytest.fixture(autouse=True)
def _no_registered_optimisers() -> Iterator[None]:
    """Remove the optimisers that a test registers: messages of later tests list what is known."""
    yield
    methods = sys.modules.get("balance.search.methods")
    if methods is not None:
        methods._solvers.clear()


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Use no workers where single files are named, since starting workers takes longer."""
    return 0 if all(".py" in argument for argument in config.args) else None


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-goldens",
        action="store_true",
        help="rewrite the golden files instead of comparing with them; read the diff",
    )


class Golden:
    """Comparison of a text with a file of tests/goldens, or rewriting of that file."""

    def __init__(self, update: bool) -> None:
        self.update = update

    def check(self, name: str, text: str) -> None:
        """Compare a text with the golden file of this name, or write it there."""
        path = Path(__file__).parent / "goldens" / name
        if self.update:
            path.write_text(text, encoding="utf-8")
        assert path.exists(), f"no golden {name}; pytest --update-goldens writes it"
        assert text.splitlines() == path.read_text(encoding="utf-8").splitlines()


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    return Golden(update=request.config.getoption("--update-goldens"))
