"""Modules that threads compile while others are still written."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import Any

from pipec.deep_stack import uninterrupted


class Compilation:
    """Compiles modules in the order in which they are added, on helper threads.

    LLVM works without the interpreter's lock. As a context manager it ends its threads.
    """

    def __init__(self, compiled: Callable[[str], bytes], threads: int) -> None:
        """`compiled`: the object code of a module; `threads`: at most so many work, the caller among them."""
        self._compiled, self._max_helpers = compiled, threads - 1
        self._texts: list[str] = []
        self._objects: dict[int, bytes] = {}
        self._errors: list[BaseException] = []
        self._helpers: list[threading.Thread] = []
        self._queue: queue.SimpleQueue[int | None] = queue.SimpleQueue()

    def __enter__(self) -> Compilation:
        return self

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if error is not None:
            self._errors.append(error)  # helpers compile no more
        self._end_helpers()

    def add(self, text: str) -> None:
        """Adds a module, which a helper compiles if there is one."""
        self._texts.append(text)
        self._queue.put(len(self._texts) - 1)
        if len(self._helpers) < self._max_helpers:
            helper = threading.Thread(target=self._work, args=(self._queue.get,), daemon=True)
            if _starts(helper):
                self._helpers.append(helper)

    @uninterrupted
    def finish(self, last: str | None) -> list[bytes]:
        """Compiles a last module, if any, and those that are left; the object code of all. Raises what a helper
        raised."""
        if last is not None:
            self._texts.append(last)
            self._queue.put(len(self._texts) - 1)
        self._work(self._next)
        self._end_helpers()
        for helper in self._helpers:
            helper.join()
        if self._errors:
            del self._errors[1:]
            raise self._errors.pop()
        return [self._objects[at] for at in range(len(self._texts))]

    def _work(self, get: Callable[[], int | None]) -> None:
        try:
            while (at := get()) is not None:
                if self._errors:
                    break
                self._objects[at] = self._compiled(self._texts[at])
        except BaseException as error:
            self._errors.append(error)

    def _next(self) -> int | None:
        try:
            return self._queue.get_nowait()
        except queue.Empty:
            return None

    def _end_helpers(self) -> None:
        for _ in self._helpers:
            self._queue.put(None)


def _starts(thread: threading.Thread) -> bool:
    """Whether there is room for another thread, which runs then."""
    try:
        thread.start()
    except RuntimeError:
        return False
    return True
