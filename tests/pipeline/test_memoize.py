"""Memoised Funcs: computed once for the same Params, images and region; the cache that keeps them."""

import ctypes
import subprocess
import sys
import threading

import numpy as np
import pytest

import pipec as hl
from pipec.func.functions.freeze import freeze
from pipec.lower.planning.memoize import memo_key
from pipec.pipeline.calls.memo_cache import MemoCache

x, y = hl.vars("x y")


@pytest.fixture(autouse=True)
def fresh():
    hl.memoization_cache_clear()
    yield
    hl.memoization_cache_clear()


class Counted:
    """A Func that is `value`, and how often it was computed: a function beside it counts."""

    def __init__(self, value, dimensions=1):
        self.count = 0

        @ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
        def count(buffer):
            # A query has no memory: the third word of a halide_buffer_t is 0.
            host = ctypes.c_uint64.from_address(buffer + 16).value
            if host:
                self.count += 1
                ctypes.c_int32.from_address(host).value = 0
            return 0

        self.pointer = count
        self.counter, self.func = hl.Func("counter"), hl.Func("memo")
        self.counter.define_extern(count, [], hl.Int(32), 1)
        variables = (x, y)[:dimensions]
        self.func[variables] = value + self.counter[0]
        self.counter.compute_at(self.func, hl.Var.outermost())


def test_what_was_computed_is_not_computed_again():
    gain = hl.Param(hl.Int(32), "gain", 3)
    memo, h = Counted(x * gain), hl.Func("h")
    h[x] = memo.func[x] + 1
    memo.func.compute_root().memoize()
    for value, count in ((3, 1), (3, 1), (4, 2), (3, 2)):
        gain.set(value)
        assert np.array_equal(np.asarray(h.realize([5])), np.arange(5) * value + 1)
        assert memo.count == count
    h.realize([6])
    assert memo.count == 3


def test_contents_of_images_count():
    image = hl.ImageParam(hl.Int(32), 1, "image")
    memo, h = Counted(image[x] * 2), hl.Func("h")
    h[x] = memo.func[x] + 1
    memo.func.compute_root().memoize()
    pixels = np.arange(5, dtype=np.int32)
    image.set(hl.Buffer(pixels))
    for added, count in ((0, 1), (0, 1), (7, 2), (-7, 2)):
        pixels += added
        assert np.array_equal(np.asarray(h.realize([5])), pixels * 2 + 1)
        assert memo.count == count


def test_embedded_buffers_and_what_others_compute_count():
    table = hl.Buffer(np.arange(8, dtype=np.int32))
    g, h = hl.Func("g"), hl.Func("h")
    g[x] = table[x] * 3
    memo = Counted(g[x] + g[x + 1])
    h[x] = memo.func[x]
    g.compute_root()
    memo.func.compute_root().memoize()
    first = np.asarray(h.realize([5])).tolist()
    table[2] = 100
    assert first == [3, 9, 15, 21, 27]
    assert np.asarray(h.realize([5])).tolist() == [3, 303, 309, 21, 27]
    assert memo.count == 2


def test_each_region_counts_where_it_is_computed_in_a_loop():
    gain = hl.Param(hl.Int(32), "gain", 3)
    memo, h = Counted(x * gain + y, 2), hl.Func("h")
    h[x, y] = memo.func[x, y] + memo.func[x, y + 1]
    memo.func.compute_at(h, y).memoize()
    j, i = np.mgrid[0:4, 0:5]
    for _ in range(2):
        assert np.array_equal(np.asarray(h.realize([5, 4])), 2 * (i * 3 + j) + 1)
    assert memo.count == 4
    h.realize([5, 6])
    assert memo.count == 6


def test_a_tag_stands_for_what_a_value_is_computed_from():
    gain = hl.Param(hl.Int(32), "gain", 3)
    f, h = hl.Func("f"), hl.Func("h")
    f[x] = hl.memoize_tag(x * gain, gain / 4)
    h[x] = f[x] + 1
    f.compute_root().memoize()
    result = []
    for value in (3, 2, 4, 0):
        gain.set(value)
        result.append(h.realize([2])[1])
    assert result == [4, 4, 5, 4]


def test_tuples_vectors_threads_and_updates():
    gain, r = hl.Param(hl.Int(32), "gain", 3), hl.RDom([(0, 5)])
    f, h = hl.Func("f"), hl.Func("h")
    f[x, y] = (x * gain, hl.u8(y))
    f[x, y] = (f[x, y][0] + r.x, f[x, y][1] + hl.u8(1))
    h[x, y] = f[x, y][0] + f[x + 1, y][1]
    f.compute_at(h, y).vectorize(x, 8).memoize()
    f.update().vectorize(x, 8)
    h.parallel(y)
    j, i = np.mgrid[0:9, 0:21]
    for value in (3, 5, 3):
        gain.set(value)
        assert np.array_equal(np.asarray(h.realize([21, 9])), i * value + 10 + j + 5)


def test_many_threads_share_the_cache():
    gain = hl.Param(hl.Int(32), "gain")
    f, h = hl.Func("f"), hl.Func("h")
    f[x] = x * gain
    h[x] = f[x] + 1
    f.compute_root().memoize()
    call = h.compile_to_callable([gain])
    wrong = []

    def work(seed):
        for step in range(40):
            value, out = (seed + step) % 7, hl.Buffer(hl.Int(32), [50])
            call(value, out)
            if not np.array_equal(np.asarray(out), np.arange(50) * value + 1):
                wrong.append(value)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_results_are_evicted_by_their_key():
    gain = hl.Param(hl.Int(32), "gain", 3)
    memo, h = Counted(x * gain), hl.Func("h")
    h[x] = memo.func[x]
    memo.func.compute_root().memoize(hl.EvictionKey(gain + 1000))
    h.realize([4])
    hl.memoization_cache_evict(1002)
    h.realize([4])
    assert memo.count == 1
    hl.memoization_cache_evict(1003)
    h.realize([4])
    assert memo.count == 2


def test_the_cache_drops_what_was_used_longest_ago():
    cache = MemoCache(100)
    for name in (b"a", b"b"):
        cache.keep(name, np.zeros(40, np.uint8), None)
    assert cache.find(b"a") is not None
    cache.keep(b"c", np.zeros(40, np.uint8), 7)
    assert (cache.find(b"b"), cache.size()) == (None, 80)
    cache.keep(b"large", np.zeros(101, np.uint8), None)
    assert cache.find(b"large") is None
    cache.evict(7)
    assert cache.size() == 40
    cache.set_limit(39)
    assert cache.size() == 0


def test_funcs_with_updates_need_no_other_directive():
    f, h = hl.Func("f"), hl.Func("h")
    f[x] = x
    f[x] += 1
    h[x] = f[x] * 2
    f.memoize()
    assert list(np.asarray(h.realize([3]))) == [2, 4, 6]


BAD = {
    "scheduled inline": lambda f, h: f.memoize(),
    "compute and storage scheduled at different": lambda f, h: f.store_root().compute_at(h, x).memoize(),
    "Pipeline with memoized output Func": lambda f, h: (f.compute_root(), h.memoize()),
    "Can't redefine memoize eviction key": lambda f, h: (
        f.memoize(hl.EvictionKey(42)),
        f.memoize(hl.EvictionKey(1764)),
    ),
    "depends on x": lambda f, h: f.compute_root().memoize(hl.EvictionKey(x)),
}


@pytest.mark.parametrize("words", BAD)
def test_what_cannot_be_memoized(words):
    f, h = hl.Func("f"), hl.Func("h")
    f[x] = x
    h[x] = f[x]
    with pytest.raises(hl.ScheduleError, match=words):
        BAD[words](f, h)
        h.realize([3])


def test_tags_consist_of_params():
    f, h = hl.Func("f"), hl.Func("h")
    f[x] = hl.memoize_tag(x, x)
    h[x] = f[x]
    f.compute_root().memoize()
    with pytest.raises(hl.ScheduleError, match="memoize_tag in Func f.* depends on x"):
        h.realize([3])


def test_loops_are_not_shared(tmp_path):
    f, g, h = hl.Func("f"), hl.Func("g"), hl.Func("h")
    f[x], g[x] = x, x
    h[x] = f[x] + g[x]
    f.compute_root().memoize()
    g.compute_root().compute_with(f, x)
    with pytest.raises(hl.ScheduleError, match="is memoized, which needs loops of its own"):
        h.realize([3])


def test_files_of_code_cannot_use_the_cache(tmp_path):
    f, h = hl.Func("f"), hl.Func("h")
    f[x] = x
    h[x] = f[x]
    f.compute_root().memoize()
    with pytest.raises(hl.NotSupportedError, match="Func f.* is memoized"):
        h.compile_to_object(tmp_path / "h.o", [])


def test_the_directive_is_reported_and_replayed():
    f, h = hl.Func("f"), hl.Func("h")
    gain = hl.Param(hl.Int(32), "gain", 3)
    f[x] = x
    h[x] = f[x]
    f.compute_root().memoize(hl.EvictionKey(gain))
    second = hl.deserialize_pipeline(hl.serialize_pipeline(hl.Pipeline(h)), {"gain": gain.parameter()})
    _, reports = second.get_func(0).function.schedule.directives
    assert str(reports.eviction) == "int64(gain)"
    with pytest.raises(TypeError, match="is no EvictionKey"):
        f.memoize(3)
    with pytest.raises(TypeError, match="made of an integer Expr"):
        hl.EvictionKey("name")


def test_nothing_else_need_be_imported():
    code = (
        "import pipec as hl\nx, f, g = hl.Var('x'), hl.Func('f'), hl.Func('g')\nf[x] = x * 3\ng[x] = f[x] + 1\n"
        "f.compute_root().memoize()\nprint(g.realize([4])[3])\n"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "10\n"


def test_a_clone_has_the_key_of_its_original() -> None:
    f, g, h = hl.funcs("f g h")
    f[x] = x * 3
    f[x] += f[x] * 2
    g[x] = f[x] + 1
    h[x] = g[x] + f[x]
    g.compute_root()
    f.compute_root().memoize()
    clone = f.clone_in(g)
    clone.compute_root().memoize()
    definition, _ = freeze([h.function])
    assert memo_key(definition, clone.name()) == memo_key(definition, f.name())
    assert list(h.realize([4])) == [18 * value + 1 for value in range(4)]


@pytest.mark.parametrize("tail", ["RoundUp", "ShiftInwards", "GuardWithIf"])
def test_rows_that_a_split_adds_are_right_for_later_runs(tail: str) -> None:
    """They were computed from rows that the producer had not, and later runs that need them took them."""
    rows, xo, xi = hl.vars("rows xo xi")
    f, stored, g, h = hl.funcs("f stored g h")
    f[x, rows] = x + 10 * rows
    stored[x, rows] = f[1, rows] + 1
    g[x, rows] = stored[1, rows] + x
    h[x, rows] = g[x, rows]
    f.compute_root()
    g.compute_at(h, x).split(x, xo, xi, 2).vectorize(rows, 2, getattr(hl.TailStrategy, tail))
    stored.compute_at(g, xo).memoize()
    for size in (1, 2, 5):
        j, i = np.mgrid[0:size, 0:3]
        assert np.array_equal(np.asarray(h.realize([3, size])), 10 * j + 2 + i)
