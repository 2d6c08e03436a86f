"""All tests: the verifier runs between passes, and compiled code of other versions is not found."""

import atexit
import gc
import hashlib
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial

import pytest

from tests.gpu.pocl import name_processors

GC_THRESHOLD = 20_000

os.environ.setdefault("PIPEC_VERIFY", "1")
# Searches find the same on every machine.
os.environ.setdefault("PIPEC_MACHINE", "shipped")
# Nor do they wait for the end of the tests beside them before they time.
os.environ.setdefault("PIPEC_PATIENCE", "0")
if "HL_JIT_TARGET" in os.environ:
    # All pipelines run on that target, `host-checked` for example; the wheel, which reads the environment of C, knows
    # none of pipec's own features.
    os.unsetenv("HL_JIT_TARGET")
# A shell that starts the tests in the background lets them ignore Ctrl-C, which some of them send to themselves.
signal.signal(signal.SIGINT, signal.default_int_handler)
# Test processes that this one starts need not compile the Python of the compiler, each for itself.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
if "PIPEC_CACHE_DIR" not in os.environ:
    # Test processes that this one starts find the same folder.
    os.environ["PIPEC_CACHE_DIR"] = tempfile.mkdtemp(prefix="pipec-test-")
    atexit.register(shutil.rmtree, os.environ["PIPEC_CACHE_DIR"], ignore_errors=True)


def pytest_sessionstart() -> None:
    """What is collected stays: a quarter of the time of collecting would go into looking for cycles in it.

    Collection is not switched off: modules that are imported now, dask's, note whether it was.
    """
    gc.set_threshold(2**31 - 1)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Unless PIPEC_SLOW is set, tests marked `slow` are skipped, and of those marked `part(n)` one case in n runs."""
    if os.environ.get("PIPEC_SLOW"):
        return
    cases: dict[tuple[str, tuple[int, ...]], list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("slow"):
            item.add_marker(pytest.mark.skip(reason="takes long: set PIPEC_SLOW=1"))
        elif parts := tuple([marker.args[0] for marker in item.iter_markers("part")]):
            # Cases with a marker of their own, as those of the wheel, are counted apart from the others.
            cases.setdefault((item.nodeid.partition("[")[0], parts), []).append(item)
    left_out = {item for (_, parts), of_one_test in cases.items() for item in beyond_part(of_one_test, max(parts))}
    config.hook.pytest_deselected(items=list(left_out))
    items[:] = [item for item in items if item not in left_out]


def beyond_part(cases: list[pytest.Item], n: int) -> list[pytest.Item]:
    """The cases of a test that do not run by default: those that do are spread over its parameters, always the same."""
    return sorted(cases, key=lambda case: hashlib.blake2b(case.nodeid.encode()).digest())[-(-len(cases) // n) :]


def pytest_collection_finish() -> None:
    """Modules and tests stay: no search for cycles need look through them again."""
    gc.collect()
    gc.freeze()
    # Expressions are many and form no cycles.
    gc.set_threshold(GC_THRESHOLD)


@pytest.fixture(autouse=True)
def names_restart() -> Iterator[None]:
    """Names of Funcs are those that the first test would give: what several tests compile is compiled once.

    Tests that change the compiler have to switch the cache off.
    """
    from pipec.func.functions import names

    process = names._process
    used, numbered = process.used.copy(), process.numbered.copy()
    yield
    process.used, process.numbered = used, numbered


@pytest.fixture(autouse=True)
def drivers_compile(request: pytest.FixtureRequest) -> None:
    """PoCL compiles for processors that are younger than it is."""
    if request.node.get_closest_marker("opencl"):
        name_processors()


@pytest.fixture(scope="session", autouse=True)
def unsettled() -> Iterator[None]:
    """Schedules are timed at once: no test depends on exact times, and the tests beside it would be waited for."""
    from pipec.autoschedule.measure import measurer

    class AnyCores(measurer.Nearness):
        def wait(self, exchange: Callable[[], float | None], until: float) -> None:
            super().wait(exchange, min(until, time.monotonic()))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(measurer, "Nearness", AnyCores)
        patch.setattr(measurer, "OtherWork", partial(measurer.OtherWork, sample=lambda: 0.0))
        yield
