"""What happens at the end of an object happens once, and an interrupt that arrives meanwhile is raised."""

import os
import signal
from functools import partial

import pytest

from pipec.endings import at_end
from pipec.ir.expr import Add, const, variable

X = variable("x")


class Owner:
    pass


def test_actions_run_when_their_owner_dies():
    seen: list[int] = []
    owner, other = Owner(), Owner()
    for number in (1, 2):
        at_end(owner, partial(seen.append, number))
    assert not seen
    del owner
    assert sorted(seen) == [1, 2] and other is not None


@pytest.mark.skipif(os.name != "posix", reason="timers send signals")
@pytest.mark.parametrize(
    "end", [lambda i: at_end(Owner(), [].clear), lambda i: Add(X, const(i))], ids=["owner", "node"]
)
def test_no_interrupt_is_lost_in_the_end_of_an_object(end):
    def interrupt(signum, frame):
        raise KeyboardInterrupt

    old = signal.signal(signal.SIGALRM, interrupt)
    try:
        for number in range(50):
            with pytest.raises(KeyboardInterrupt):
                signal.setitimer(signal.ITIMER_REAL, 2e-4 + 1e-5 * number)
                for i in range(1_000_000):
                    end(i)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)
