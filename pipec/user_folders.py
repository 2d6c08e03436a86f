"""The folders where programs of this user keep files, as the conventions of the system say."""

from __future__ import annotations

import os
import sys


def user_cache_folder() -> str:
    """The folder for what can be computed again: ~/.cache/pipec on Linux, or below XDG_CACHE_HOME."""
    return _user_folder("XDG_CACHE_HOME", ".cache", "Caches", os.path.join("pipec", "Cache"))


def user_data_folder() -> str:
    """The folder for what shall last: ~/.local/share/pipec on Linux, or below XDG_DATA_HOME."""
    return _user_folder("XDG_DATA_HOME", os.path.join(".local", "share"), "Application Support", "pipec")


def _user_folder(variable: str, unix: str, mac: str, windows: str) -> str:
    home = os.path.expanduser("~")
    if sys.platform == "win32":
        return os.path.join(os.environ.get("LOCALAPPDATA") or os.path.join(home, "AppData", "Local"), windows)
    if sys.platform == "darwin":
        return os.path.join(home, "Library", mac, "pipec")
    asked = os.environ.get(variable, "")
    # A relative path is invalid there, and ignored as the specification demands.
    return os.path.join(asked if os.path.isabs(asked) else os.path.join(home, unix), "pipec")
