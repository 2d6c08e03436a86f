"""The folders for files of this user's programs, by the conventions of the system."""

from __future__ import annotations

import os
import sys


def user_cache_folder() -> str:
    """The folder for caches: ~/.cache/pipec on Linux, or below XDG_CACHE_HOME."""
    return _user_folder("XDG_CACHE_HOME", ".cache", "Caches", os.path.join("pipec", "Cache"))


def user_data_folder() -> str:
    """The folder for permanent files: ~/.local/share/pipec on Linux, or below XDG_DATA_HOME."""
    return _user_folder("XDG_DATA_HOME", os.path.join(".local", "share"), "Application Support", "pipec")


def _user_folder(variable: str, unix: str, mac: str, windows: str) -> str:
    home = os.path.expanduser("~")
    if sys.platform == "win32":
        return os.path.join(os.environ.get("LOCALAPPDATA") or os.path.join(home, "AppData", "Local"), windows)
    if sys.platform == "darwin":
        return os.path.join(home, "Library", mac, "pipec")
    folder = os.environ.get(variable, "")
    # The XDG specification ignores relative paths.
    return os.path.join(folder if os.path.isabs(folder) else os.path.join(home, unix), "pipec")
