"""What all tests share: the switch that rewrites goldens, and no clock in property tests."""

from __future__ import annotations

import gc
from collections import Counter
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
"""Files of few tests that take long: begun last, one worker would be busy while others wait."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files in the order in which workers take them: the longest, then those of most tests."""
    n_tests = Counter(item.path for item in items)

    def turn(item: pytest.Item) -> tuple[bool, int, Path]:
        return item.path.name not in FIRST, -n_tests[item.path], item.path

    items.sort(key=turn)


def pytest_configure(config: pytest.Config) -> None:
    messages.begin(update=config.getoption("--update-goldens"))


def pytest_sessionstart() -> None:
    """Nothing that is loaded is garbage: a tenth of all time went to looking through it."""
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
    """From here on what was not loaded is looked through as ever."""
    gc.freeze()
    gc.enable()


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """None where single files are named: workers take longer to start than they save."""
    return 0 if all(".py" in argument for argument in config.args) else None


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-goldens",
        action="store_true",
        help="rewrite the golden files instead of comparing with them; read the diff",
    )


class Golden:
    """Compares text with a file of tests/goldens, or rewrites the file."""

    def __init__(self, update: bool) -> None:
        self.update = update

    def check(self, name: str, text: str) -> None:
        path = Path(__file__).parent / "goldens" / name
        if self.update:
            path.write_text(text, encoding="utf-8")
        assert path.exists(), f"no golden {name}; pytest --update-goldens writes it"
        assert text.splitlines() == path.read_text(encoding="utf-8").splitlines()


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    return Golden(update=request.config.getoption("--update-goldens"))
