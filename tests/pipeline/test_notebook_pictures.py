"""What notebooks show: formulas as LaTeX, the Funcs as a picture, the course of a search, what is not finite."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ElementTree
from typing import Any

import imageio.v3 as imageio
import numpy as np
import pytest

import pipec as hl
from pipec.autoschedule.curve import curve
from pipec.errors import OutOfBoundsError
from pipec.func.functions.names import local_names
from pipec.pipeline.observation.dag_picture import dag_picture
from pipec.region_picture import OutsideRegion, region_picture


def test_expressions_are_formulas() -> None:
    x, y = hl.vars("x y")
    value = hl.select(x > 3, (x + y) * 2 - (x - y), hl.i32(hl.abs(x)) / 2)
    assert value._repr_latex_() == (
        r"$\displaystyle \begin{cases} \left(x + y\right) \cdot 2 - \left(x - y\right) & x > 3 \\"
        r" \left\lfloor \frac{\left(\left|x\right|\right)_{\mathrm{int32}}}{2} \right\rfloor"
        r" & \text{otherwise} \end{cases}$"
    )


def test_definitions_are_formulas_with_the_domains_of_updates() -> None:
    with local_names():
        x, total, r = hl.Var("x"), hl.Func("total"), hl.RDom([(2, 4)], "r")
        total[x] = 0.5
        total[x] += hl.sqrt(hl.f32(r.x))
    text = total._repr_latex_()
    assert text is not None
    assert r"\mathrm{total}\left(x\right) &= 0.5 \\" in text
    assert r"\sqrt{" in text and r"= 2 \ldots 5\end{aligned}$" in text


def test_a_func_without_definition_has_no_formula() -> None:
    assert hl.Func("nothing")._repr_latex_() is None


def test_the_picture_of_a_pipeline_has_each_func_below_what_it_reads() -> None:
    x = hl.Var("x")
    f, g, h = hl.funcs("f g h")
    image = hl.ImageParam(hl.UInt(8), 1, "image")
    f[x] = image[x]
    g[x] = f[x] + 1
    h[x] = f[x] + g[x]
    root = ElementTree.fromstring(dag_picture([h.function]))
    space = "{http://www.w3.org/2000/svg}"
    height = {text.text: float(text.attrib["y"]) for text in root.iter(f"{space}text")}
    assert height["image"] < height["f"] < height["g"] < height["h"]
    assert len(list(root.iter(f"{space}path"))) == 4
    assert "<svg" in hl.Pipeline(h)._repr_html_()


def test_the_course_of_a_search_is_a_curve() -> None:
    root = ElementTree.fromstring(curve({"predicted": [(0.1, 8.0), (1.0, 2.0)], "measured": []}, 3.0))
    assert [e.text for e in root if e.tag.endswith("text")] == ["8 ms", "2 ms", "3 s", "predicted"]
    assert curve({"predicted": [(0.1, float("inf"))]}, 1.0) == ""


def test_buffers_count_nan_and_show_the_range_of_the_rest() -> None:
    array = np.ones((4, 4), np.float32)
    array[0, :3] = np.nan, np.nan, np.inf
    page = hl.Buffer(array)._repr_html_()
    assert "<tr><th>NaN</th><td>2</td>" in page and "<th>infinite</th><td>1</td>" in page and "1 ... 1" in page


def test_sliders_run_a_pipeline_anew_when_they_move() -> None:
    x, y, gain = *hl.vars("x y"), hl.Param(hl.Int(32), "gain", 2)
    f = hl.Func("f")
    f[x, y] = hl.u8(gain * (x + y))
    slider, picture = hl.filters.sliders(f, sizes=[4, 3]).children
    ramp = np.add.outer(np.arange(3), np.arange(4))
    assert (slider.min, slider.max, slider.value) == (0, 4, 2)
    assert (imageio.imread(picture.value, extension=".png") == 2 * ramp).all()
    slider.value = 3
    assert (imageio.imread(picture.value, extension=".png") == 3 * ramp).all() and gain.get() == 3


def test_sliders_run_a_filter_anew_when_they_move() -> None:
    @hl.filter(dtype="input")
    def shift(image: Any, amount: float = 1.0) -> Any:
        return image + amount

    photo = np.full((2, 3), 10, np.uint8)
    slider, picture = hl.filters.sliders(shift, photo, amount=(0.0, 50.0, 5.0)).children
    assert (imageio.imread(picture.value, extension=".png") == 15).all()
    slider.value = 40.0
    assert (imageio.imread(picture.value, extension=".png") == 50).all()


def test_sliders_need_a_range() -> None:
    x, gain = hl.Var("x"), hl.Param(hl.Float(32), "gain", 0.0)
    f = hl.Func("f")
    f[x] = gain
    with pytest.raises(hl.ArgumentError, match="finds no range for Param gain"):
        hl.filters.sliders(f, sizes=[4])


def test_sliders_name_the_extra_that_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    with pytest.raises(hl.PipecError, match=r"pip install 'pipec\[notebook\]'"):
        hl.filters.sliders(hl.Func("f"), sizes=[4])


def _out_of_bounds(sizes: list[int]) -> OutOfBoundsError:
    x, y = hl.vars("x y")
    image, f = hl.Buffer(np.zeros((4, 6), np.uint8), name="image"), hl.Func("f")
    f[x, y] = image[x + 2, y]
    with pytest.raises(OutOfBoundsError) as raised:
        f.realize(sizes)
    return raised.value


def test_errors_show_what_lies_outside_of_a_buffer() -> None:
    error = _out_of_bounds([6, 4])
    assert error.region == OutsideRegion("image", ((0, 6), (0, 4)), 0, (2, 7))
    root = ElementTree.fromstring(error._repr_html_())
    rectangles = {e.get("class"): e for e in root.iter() if e.tag.endswith("rect")}
    edges = {kind: [float(e.get(side, 0)) for side in ("x", "width")] for kind, e in rectangles.items()}
    unit = 260 / 8
    assert edges == {name: pytest.approx([unit * low, unit * size], abs=0.1) for name, low, size in (
        ("buffer", 0, 6), ("outside", 6, 2), ("needed", 2, 6),
    )}  # fmt: skip
    assert "image is accessed at 7" in (root.find("pre").text or "")


def test_few_pixels_outside_of_a_large_buffer_are_seen() -> None:
    drawn = region_picture(OutsideRegion("image", ((0, 100_000),), 0, (-1, 100_000)))
    outside = [e for e in ElementTree.fromstring(drawn).iter() if e.get("class") == "outside"]
    assert len(outside) == 2 and all(float(e.get("width", 0)) >= 6 for e in outside)


def test_ipython_shows_the_region_with_the_traceback(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # The shell sets the prompt by which others know an interactive session, and leaves it.
    monkeypatch.setattr(sys, "ps1", "In : ", raising=False)
    shell = pytest.importorskip("IPython.core.interactiveshell").InteractiveShell.instance()
    try:
        shell.user_ns["error"] = _out_of_bounds([6, 4])
        shell.run_cell("raise error")
    finally:
        shell.clear_instance()
    said = capsys.readouterr().out
    assert "HTML object" in said and "image is accessed at 7" in said
