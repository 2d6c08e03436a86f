"""Where in the user's program something was made: the innermost frame outside the pipec package."""

from __future__ import annotations

import os
import sys

from pipec.func.functions.definition import SourceLocation

_PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__)))) + os.sep


def frames_to_user() -> int:
    """How many frames out from the caller the user's code is (as `stacklevel` counts)."""
    depth = 1
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame = frame.f_back
        depth += 1
    return depth


def user_location() -> SourceLocation:
    """The user's file and line that is running now."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame = frame.f_back
    return SourceLocation(frame.f_code.co_filename, frame.f_lineno)
