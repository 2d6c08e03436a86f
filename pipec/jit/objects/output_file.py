"""Files that are written whole or not at all."""

from __future__ import annotations

import contextlib
import os


def write_file(path: str | os.PathLike[str], content: bytes | str) -> None:
    """Writes a file so that a full disk or a killed process leaves the old one. Raises OSError; text is UTF-8."""
    data = content.encode() if isinstance(content, str) else content
    target = os.path.realpath(path)
    if os.path.exists(target) and not os.path.isfile(target):
        with open(target, "wb") as device:
            device.write(data)
        return
    folder, name = os.path.split(target)
    partial = os.path.join(folder, f".{name}.{os.getpid()}.partial")
    try:
        with open(partial, "wb") as file:
            file.write(data)
        os.replace(partial, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(partial)
        raise
