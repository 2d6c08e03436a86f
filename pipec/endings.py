"""What happens when an object dies, without code of Python: KeyboardInterrupt would be raised in it and dropped."""

from __future__ import annotations

import atexit
import weakref
from collections import deque
from collections.abc import Callable
from functools import partial
from operator import call, methodcaller
from typing import Any


class Ending(weakref.ref):  # type: ignore[type-arg]
    """A weak reference whose `run`, a callable of C, is called when what it refers to dies: `Ending(owner, ended)`."""

    __slots__ = ("run",)
    run: Callable[[], Any]

    def __getattr__(self, name: str) -> Any:
        """Nothing is to be done for an owner that dies because Ctrl-C came before the action was set."""
        if name == "run":
            return tuple
        raise AttributeError(name)


ended = methodcaller("run")
_endings: dict[int, Ending] = {}
# The end of the process releases everything, and a driver may have been unloaded before its objects die.
atexit.register(_endings.clear)


def at_end(owner: Any, action: Callable[[], Any]) -> None:
    """Calls `action`, a callable of C like a `partial` of one, when `owner` dies before the process does."""
    ending = Ending(owner, ended)
    ending.run = partial(deque, map(call, (action, partial(_endings.pop, id(ending), None))), 0)  # type: ignore[arg-type]
    _endings[id(ending)] = ending
