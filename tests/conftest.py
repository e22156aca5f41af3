"""What all tests share: the switch that rewrites goldens, and no clock in property tests."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("evenhand", deadline=None, max_examples=50)  # no test asserts a time
settings.load_profile("evenhand")


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
