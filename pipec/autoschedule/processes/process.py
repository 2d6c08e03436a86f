"""A child process as its parent sees it: started by its first request, restarted after it died."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pipec.autoschedule.processes.channel import Channel, Closed, TimedOut

_ROOT = Path(__file__).parents[3]
UNLIMITED = -1


class Refused(Exception):
    """The child answered that the request failed."""


class Crashed(Exception):
    """The child died during a request."""


NICENESS = 10
"""Of processes of low priority, from their first instruction, since their imports take as long as a short search."""


class Process:
    """One child. Requests are answered in turn, at most one at a time.

    `module`: what it runs, which calls `serve`; `priority`: "low", "usual" or "realtime"; `memory`: bytes of addresses
    that it may use, UNLIMITED for as many as its parent.
    """

    def __init__(self, module: str, priority: str, memory: int, environment: Mapping[str, str]) -> None:
        self.module, self.priority, self.memory = module, priority, memory
        self.environment = {**os.environ, **environment, "PYTHONPATH": python_path()}
        self._process: subprocess.Popen[bytes] | None = None
        self._channel: Channel | None = None
        self.ready_for: object = None
        """The task that it has received and prepared; None after it died."""

    def start(self) -> None:
        """Start it if it is not running. It takes no part in the Ctrl-C of the terminal."""
        if self.running:
            return
        command = [sys.executable, "-m", self.module]
        command += ["--memory", str(self.memory), *(["--realtime"] if self.priority == "realtime" else [])]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=self.environment, process_group=0
        )
        if self.priority == "low" and hasattr(os, "setpriority"):
            with contextlib.suppress(OSError):  # systems may forbid it
                os.setpriority(os.PRIO_PROCESS, self._process.pid, NICENESS)
        assert self._process.stdin is not None and self._process.stdout is not None
        self._channel = Channel(self._process.stdout.fileno(), self._process.stdin.fileno())

    @property
    def running(self) -> bool:
        """Whether the child has been started and not ended."""
        return self._process is not None

    def ask(self, seconds: float, word: str, *arguments: Any) -> Any:
        """Its answer; Refused, Crashed, or TimedOut, after which it is not running."""
        self.send(word, *arguments)
        return self.answer(seconds)

    def send(self, word: str, *arguments: Any) -> None:
        """Ask for something that `answer` will give."""
        self.start()
        assert self._channel is not None
        try:
            self._channel.send((word, *arguments))
        except Closed:
            pass  # reported by `answer`

    def answer(self, seconds: float) -> Any:
        """The answer to the request that was sent last."""
        assert self._channel is not None
        try:
            state, value = self._channel.receive(seconds)
        except Closed:
            raise Crashed(self._ending()) from None
        except TimedOut:
            self.kill()
            raise
        if state == "failed":
            raise Refused(value)
        return value

    @property
    def source(self) -> int:
        """The file descriptor that can be read when there is an answer."""
        assert self._channel is not None
        return self._channel.source

    def kill(self) -> None:
        """End it at once."""
        if self._process is not None:
            self._process.kill()
            self._forget()

    def _ending(self) -> str:
        """How it died, in words."""
        assert self._process is not None
        code = self._process.wait()
        self._forget()
        if code < 0:
            return f"the process was ended by signal {signal.Signals(-code).name}"
        return f"the process ended with status {code}"

    def _forget(self) -> None:
        process = self._process
        self._process = self._channel = self.ready_for = None
        if process is not None:
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    try:
                        pipe.close()
                    except BrokenPipeError:
                        pass
            process.wait()


def python_path() -> str:
    """Children find the same package as their parent, installed or not."""
    inherited = os.environ.get("PYTHONPATH")
    return f"{_ROOT}{os.pathsep}{inherited}" if inherited else str(_ROOT)
