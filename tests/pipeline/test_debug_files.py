"""debug_to_file: what is written when, in each format."""

import numpy as np
import pytest

import pipec as hl
from pipec.errors import NotSupportedError, PipecError, ScheduleError

x, y, c = hl.vars("x y c")


def written(tmp_path, suffix, kind):
    """A file of (x, y, c) of extents 4, 3, 2, and the array that it should hold, c first."""
    f = hl.Func("f")
    f[x, y, c] = hl.cast(kind, x + y * 10 + c * 100)
    path = tmp_path / f"some file{suffix}"
    f.debug_to_file(path)
    return path, np.asarray(f.realize([4, 3, 2]))


@pytest.mark.parametrize("kind", [hl.UInt(8), hl.Int(16), hl.Float(32), hl.Float(64), hl.UInt(64), hl.Bool()], ids=str)
def test_npy_files_hold_what_realize_gives(tmp_path, kind):
    path, expected = written(tmp_path, ".npy", kind)
    result = np.load(path)
    assert (result == expected).all() and result.dtype == (np.uint8 if kind.is_bool() else expected.dtype)


@pytest.mark.parametrize("kind", [hl.UInt(8), hl.Int(32), hl.Float(64)], ids=str)
def test_mat_files_are_read_by_scipy(tmp_path, kind):
    io = pytest.importorskip("scipy.io")
    path, expected = written(tmp_path, ".mat", kind)
    result = io.loadmat(path)["some_file"]
    assert result.dtype == expected.dtype and (result.T == expected).all()


@pytest.mark.parametrize("kind", [hl.UInt(8), hl.Int(16), hl.Float(32), hl.Float(64)], ids=str)
@pytest.mark.parametrize("suffix", [".tif", ".tiff"])
def test_tiff_files_are_read_by_tifffile(tmp_path, kind, suffix):
    tifffile = pytest.importorskip("tifffile")
    path, expected = written(tmp_path, suffix, kind)
    result = tifffile.imread(path)
    assert result.dtype == expected.dtype and (result == expected).all()


def test_tmp_files_begin_with_extents_and_type(tmp_path):
    path, expected = written(tmp_path, ".tmp", hl.UInt(16))
    data = path.read_bytes()
    assert np.frombuffer(data[:20], np.int32).tolist() == [4, 3, 2, 1, 4]
    assert (np.frombuffer(data[20:], np.uint16).reshape(2, 3, 4) == expected).all()


PLACES = ["compute_root()", "compute_root().reorder_storage(y, x)", "store_root().compute_at(g, y)"]


@pytest.mark.parametrize("directive", PLACES)
def test_intermediate_funcs_are_written_after_their_updates(tmp_path, directive):
    f, g = hl.Func("f"), hl.Func("g")
    f[x, y] = x + y * 10
    f[x, y] += 1
    g[x, y] = f[x, y] + f[x, y + 1]
    eval(f"f.{directive}", {"f": f, "g": g, "x": x, "y": y})
    f.debug_to_file(str(tmp_path / "f.npy"))
    g.realize([5, 2])
    result = np.load(tmp_path / "f.npy")
    expected = np.arange(5) + 10 * np.arange(3)[:, None] + 1
    assert (result == expected[-len(result) :]).all() and len(result) >= 1


def test_what_is_computed_in_a_vector_loop_is_written(tmp_path):
    f, g = hl.Func("f"), hl.Func("g")
    f[x, y] = x + y * 10
    g[x, y] = f[x, y] + 1
    g.vectorize(x, 4)
    f.compute_at(g, x).debug_to_file(tmp_path / "f.npy")
    assert np.asarray(g.realize([4, 2])).tolist() == [[1, 2, 3, 4], [11, 12, 13, 14]]
    assert np.load(tmp_path / "f.npy").ravel()[-1] == 13


def test_inlined_funcs_are_not_written(tmp_path):
    f, g = hl.Func("f"), hl.Func("g")
    f[x] = x
    g[x] = f[x]
    f.debug_to_file(tmp_path / "f.npy")
    g.realize([3])
    assert not (tmp_path / "f.npy").exists()


def test_what_cannot_be_written_is_refused(tmp_path):
    f = hl.Func("f")
    f[x] = x
    with pytest.raises(ScheduleError, match="the name must end in"):
        f.debug_to_file("f.png")
    f.debug_to_file(tmp_path / "nowhere" / "f.npy")
    with pytest.raises(PipecError, match="Failed to dump function f"):
        f.realize([2])
    pair = hl.Func("pair")
    pair[x] = (x, x)
    pair.debug_to_file(tmp_path / "pair.npy")
    with pytest.raises(ScheduleError, match="doesn't handle functions with multiple values"):
        pair.realize([2])
    half = hl.Func("half")
    half[x] = hl.cast(hl.Float(16), x)
    half.debug_to_file(tmp_path / "half.mat")
    with pytest.raises(NotSupportedError, match="cannot be written to"):
        half.realize([2])
    many = hl.Func("many")
    many[hl.vars("a b c d e")] = 0
    with pytest.raises(ScheduleError, match="more than four dimensions"):
        many.debug_to_file(tmp_path / "many.mat")


def test_objects_write_no_files(tmp_path):
    f = hl.Func("f")
    f[x] = x
    f.debug_to_file(tmp_path / "f.npy")
    for write in (f.compile_to_object, f.compile_to_c):
        with pytest.raises(NotSupportedError, match="debug_to_file"):
            write(tmp_path / "f.out", [], "f")
