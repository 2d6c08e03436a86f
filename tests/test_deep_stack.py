"""What is paused while a pipeline is compiled is as it was before when that is done."""

import contextlib
import gc
import os
import signal
import subprocess
import sys
import threading
import time
import weakref

import pytest

from pipec.deep_stack import end_if_cancelled, gc_paused, uninterrupted, with_deep_stack


def is_running(function):
    return function.__code__ in [frame.f_code for frame in sys._current_frames().values()]


@pytest.mark.parametrize("enabled", [True, False])
def test_the_search_for_cycles_goes_on_as_it_was(enabled):
    before = gc.isenabled()
    (gc.enable if enabled else gc.disable)()
    try:
        with gc_paused():
            with gc_paused():
                assert not gc.isenabled()
            assert not gc.isenabled()
        assert gc.isenabled() is enabled
        with pytest.raises(KeyError), gc_paused():
            raise KeyError
        assert gc.isenabled() is enabled
    finally:
        (gc.enable if before else gc.disable)()


def test_deep_recursion_is_possible_there_only():
    def depth(n):
        return 0 if n == 0 else 1 + depth(n - 1)

    limit = sys.getrecursionlimit()
    threads = [threading.Thread(target=with_deep_stack, args=(depth, 30_000)) for _ in range(2)]
    for thread in threads:
        thread.start()
    assert with_deep_stack(depth, 30_000) == 30_000
    for thread in threads:
        thread.join()
    assert sys.getrecursionlimit() == limit


def test_an_exception_of_a_signal_handler_ends_what_runs_there():
    began = threading.Event()

    def endless():
        began.set()
        while True:
            end_if_cancelled()

    def interrupt():
        began.wait()
        os.kill(os.getpid(), signal.SIGINT)

    limit = sys.getrecursionlimit()
    timer = threading.Thread(target=interrupt)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        with_deep_stack(endless)
    timer.join()
    assert not is_running(endless)
    assert sys.getrecursionlimit() == limit and gc.isenabled()


def test_an_exception_of_a_signal_handler_ends_a_function_that_never_asks():
    def spin():
        os.kill(os.getpid(), signal.SIGINT)
        while True:
            pass

    with pytest.raises(KeyboardInterrupt):
        with_deep_stack(spin)
    assert not is_running(spin)


@pytest.mark.parametrize("deep", [False, True])
def test_an_uninterrupted_function_comes_to_its_end_first(deep):
    steps = []

    @uninterrupted
    def work():
        os.kill(os.getpid(), signal.SIGINT)
        # Longer than an interrupted thread has for ending by itself.
        until = time.monotonic() + 0.4
        while time.monotonic() < until:
            pass
        steps.append("released")

    with pytest.raises(KeyboardInterrupt):
        with_deep_stack(work) if deep else work()
    assert steps == ["released"]


def test_the_search_for_cycles_goes_on_where_an_interrupt_leaves_nobody_to_say_so():
    pause = gc_paused()
    pause.__enter__()
    assert not gc.isenabled()
    del pause
    assert gc.isenabled()


def test_an_error_and_what_its_frames_hold_go_without_a_search_for_cycles():
    class Held:
        pass

    references = []

    def fail():
        held = Held()
        references.append(weakref.ref(held))
        raise KeyError(held)

    with gc_paused():
        for _ in range(3):
            with contextlib.suppress(KeyError):
                with_deep_stack(fail)
        assert [reference() for reference in references] == [None] * 3


def test_objects_of_a_pause_are_not_collected_as_young_ones() -> None:
    program = """
import gc
from pipec.deep_stack import gc_paused
with gc_paused():
    lists = [[] for _ in range(200_000)]
print(len(gc.get_objects(0)) + len(gc.get_objects(1)), gc.get_freeze_count())
"""
    young, frozen = subprocess.check_output([sys.executable, "-c", program]).split()
    assert int(young) < 10_000 and int(frozen) == 0


def test_objects_that_the_program_has_frozen_stay_frozen() -> None:
    gc.freeze()
    with gc_paused():
        pass
    assert gc.get_freeze_count() > 0
