"""Pages in a real browser, with their requests and complaints recorded."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium")


@contextmanager
def launched() -> Iterator[Any]:
    """Launch a browser for the block."""
    from playwright.sync_api import sync_playwright

    options = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as session:
        browser = session.chromium.launch(executable_path=CHROMIUM, args=options)
        yield browser
        browser.close()


class Watched:
    """A new page with a record of its requests and complaints.

    Attributes:
        page: the page.
        requests: addresses that it requested.
        complaints: messages in its console, errors of its scripts, and dialogs.
    """

    def __init__(self, context: Any) -> None:
        """Open an empty page."""
        self.page = context.new_page()
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("dialog", lambda dialog: self.complaints.append(dialog.message))
