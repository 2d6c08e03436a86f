"""Where the user's files lie, by the conventions of each system."""

from __future__ import annotations

import sys

import pytest

from pipec.user_folders import user_cache_folder, user_data_folder


@pytest.mark.parametrize(
    ("platform", "cache", "data"),
    [
        ("linux", "/home/me/.cache/pipec", "/home/me/.local/share/pipec"),
        ("darwin", "/home/me/Library/Caches/pipec", "/home/me/Library/Application Support/pipec"),
        ("win32", "/home/me/AppData/Local/pipec/Cache", "/home/me/AppData/Local/pipec"),
    ],
)
def test_folders_are_those_of_the_system(platform: str, cache: str, data: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("XDG_CACHE_HOME", "XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("HOME", "/home/me")
    monkeypatch.setattr(sys, "platform", platform)
    assert (user_cache_folder(), user_data_folder()) == (cache, data)


def test_variables_name_other_folders(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("HOME", "/home/me")
    monkeypatch.setenv("XDG_CACHE_HOME", "/cache")
    monkeypatch.setenv("XDG_DATA_HOME", "relative")
    assert (user_cache_folder(), user_data_folder()) == ("/cache/pipec", "/home/me/.local/share/pipec")
