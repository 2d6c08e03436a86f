"""What notebooks show: formulas as LaTeX, the Funcs as a picture, the course of a search, what is not finite."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

import pipec as hl
from pipec.autoschedule.curve import curve
from pipec.func.functions.names import local_names
from pipec.pipeline.observation.dag_picture import dag_picture


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


def test_sliders_name_the_extra_that_is_missing() -> None:
    x, gain = hl.Var("x"), hl.Param(hl.Float(32), "gain", 1.0)
    f = hl.Func("f")
    f[x] = gain
    try:
        import ipywidgets
    except ModuleNotFoundError:
        with pytest.raises(hl.PipecError, match=r"pip install 'pipec\[notebook\]'"):
            hl.filters.sliders(f, sizes=[4])
    else:
        assert isinstance(hl.filters.sliders(f, sizes=[4, 4]), ipywidgets.VBox)
