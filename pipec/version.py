"""The version of pipec, in one place; and where it is installed."""

import os

__version__ = "0.2.0"


def install_dir() -> str:
    """The folder of the package."""
    return os.path.dirname(__file__)
