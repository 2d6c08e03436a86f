"""The threads of an interpreted program: places in its list of steps, of which one runs at a time."""

from __future__ import annotations

import random

from pipec.errors import InternalError


class Threads:
    """Where the threads are that do not run just now. A thread that must wait stays where it is and lets others run."""

    def __init__(self) -> None:
        # Places of the threads that do not run, the next one to run first.
        self.others: list[int] = []
        self.counters: dict[str, list[int]] = {}
        self.ended: set[str] = set()
        # Whether the last step found that it must wait, and how many in succession have.
        self.waits = False
        self.idle = 0

    def start(self, first: int, second: int) -> int:
        """A new thread begins at step `first`; this one goes on at `second`."""
        self.others.append(first)
        return second

    def end(self, fork: str) -> int:
        """The thread that a fork began is done; another one goes on."""
        self.ended.add(fork)
        return self.others.pop(0)

    def join(self, fork: str, at: int) -> int:
        """Go on when the thread that the fork began is done."""
        if fork not in self.ended:
            return self._stay(at)
        self.ended.discard(fork)
        return at + 1

    def take(self, fork: str, index: int, at: int) -> int:
        """Go on when the counter is positive, and take one off it."""
        counters = self.counters[fork]
        if counters[index] <= 0:
            return self._stay(at)
        counters[index] -= 1
        return at + 1

    def give(self, fork: str, index: int, at: int) -> int:
        """Add one to the counter."""
        self.counters[fork][index] += 1
        return at + 1

    def _stay(self, at: int) -> int:
        self.waits = True
        if not self.others:
            raise InternalError("A thread of the program waits, but no other one is left.")
        return at

    def next(self, at: int, order: random.Random | None) -> int:
        """The place of the thread that runs next, which may be the one that runs now."""
        self.idle = self.idle + 1 if self.waits else 0
        if self.idle > len(self.others) + 1:
            raise InternalError("All threads of the program wait for each other.")
        if not self.waits and order is not None and order.random() < 0.7:
            return at
        self.waits = False
        self.others.append(at)
        return self.others.pop(0)
