"""Pages in headless Chromium, through playwright; tests skip with a reason where either is not installed."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
OPTIONS = (
    *("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--disable-quic"),
)


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser with an empty profile."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("no Chromium is installed")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=list(OPTIONS))
        yield browser
        browser.close()


def opened(browser: Any, path: Path, scheme: str = "light") -> tuple[Any, list[str]]:
    """The page of a file, and a list that collects its errors and console messages."""
    page = browser.new_page(viewport={"width": 1400, "height": 900}, color_scheme=scheme)
    messages: list[str] = []
    page.on("console", lambda message: messages.append(message.text))
    page.on("pageerror", lambda error: messages.append(str(error)))
    page.goto(path.as_uri())
    return page, messages
