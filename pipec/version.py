"""The version of pipec, in one place; and where it is installed."""

from pathlib import Path

__version__ = "0.1.0"


def install_dir() -> str:
    """The folder of the package."""
    return str(Path(__file__).parent)
