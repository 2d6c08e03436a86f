"""Log messages, enabled by topic with PIPEC_LOG, and warnings.

PIPEC_LOG is a comma-separated list of topics: `passes` (what each pass of lowering changed, as a
diff), `time` (milliseconds of each step of compiling), `llvm`, `assembly`, `cache`, `search`; `all` is all of them.
"""

from __future__ import annotations

import os
import sys
import threading

TOPICS = ("passes", "time", "llvm", "assembly", "cache", "search")

_lock = threading.Lock()
_warned: set[str] = set()


def _topics_of(setting: str) -> frozenset[str]:
    names = {name.strip() for name in setting.split(",") if name.strip()}
    return frozenset(TOPICS) if "all" in names else frozenset(names)


_enabled = _topics_of(os.environ.get("PIPEC_LOG", ""))


def enable(topics: str) -> None:
    """Enables the topics of this comma-separated list and disables all others."""
    global _enabled
    _enabled = _topics_of(topics)


def enabled(topic: str) -> bool:
    """Whether this topic is enabled; to be checked before building a long text."""
    return topic in _enabled


def write(topic: str, text: str) -> None:
    """Prints `text` on stderr if `topic` is enabled."""
    if topic in _enabled:
        print(f"[{topic}] {text}", file=sys.stderr, flush=True)


def warn(text: str) -> None:
    """Print a warning about the user's program, on stdout as Halide does."""
    print(f"Warning: {text}", file=sys.stdout)


def warn_once(text: str) -> None:
    """As `warn`, but each text only once in a process."""
    with _lock:
        if text in _warned:
            return
        _warned.add(text)
    warn(text)
