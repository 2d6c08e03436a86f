"""C99 that pipelines are written as: compiled by cc without warnings, run, compared."""

import pytest
from c_programs import blur, build, expected, run


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("c")
    func, image, gain = blur()
    func.compile_to_header(folder / "pipeline.h", [image, gain], "pipeline")
    func.compile_to_c(folder / "pipeline.c", [image, gain], "pipeline")
    build(folder, "pipeline.c")
    return folder


@pytest.mark.parametrize("size", [(200, 100), (5, 3)])
def test_c_computes_what_realize_does(folder, size):
    printed, found = run(folder, *size)
    assert printed == "0"
    assert (found == expected(*size)).all()


def test_wrong_stride_is_told(folder):
    printed, _ = run(folder, 20, 10, 2)
    assert printed == "-8 Error: Constraint violated: blur_y.stride.0 (2) == 1"


def test_schedule_can_be_recognised(folder):
    text = (folder / "pipeline.c").read_text()
    assert "/* blur_x */" in text and "the schedule runs it in threads" in text
    assert "for (int i = 0; i < 16; i++)" in text
