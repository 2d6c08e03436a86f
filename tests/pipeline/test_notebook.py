"""What notebooks show of Funcs and Pipelines."""

import pipec as hl


def test_a_func_shows_formulas_schedule_and_loops():
    x, y, xo, xi = hl.vars("x y xo xi")
    f, g = hl.Func("first"), hl.Func("second")
    f[x, y] = x * 2
    g[x, y] = f[x, y] + f[x + 1, y]
    r = hl.RDom([(0, 4)], "r")
    r.where(r.x < 3)
    g[r.x, y] += 1
    f.compute_root()
    g.split(x, xo, xi, 8).vectorize(xi)
    page = g._repr_html_()
    name = g.name()
    formulas = f"{f.name()}(x, y) = ", f"{name}(r$x, y) = ", "for r$x in [0, 0 + 4)", "where"
    for words in (*formulas, ".split(x", "vectorized"):
        assert words in page, (words, page)
    assert "&lt;halide.Pipeline" in hl.Pipeline([f, g])._repr_html_()
    g[x, y] += 7  # looking at it has not ended its definition
    assert g.realize([4, 4])[3, 0] == 2 * 3 + 2 * 4 + 7 and "7" in g._repr_html_()
    assert ".split(x" in g.function.schedule._repr_html_()


def test_a_func_without_definition_says_so():
    assert "undefined" in hl.Func("nothing")._repr_html_()


def test_a_schedule_that_is_wrong_is_shown_with_its_error():
    x = hl.Var("x")
    f, g = hl.Func("f"), hl.Func("g")
    f[x] = x
    g[x] = f[x]
    f.compute_at(hl.LoopLevel())
    assert "undefined LoopLevels" in g._repr_html_()


def test_small_things_tell_what_they_are():
    x, y = hl.vars("x y")
    f = hl.Func("small")
    f[x, y] = (x, y)
    name = f.name()
    assert repr(f[x, y + 1]) == f"<halide.FuncRef {name}(x, y + 1)>"
    assert repr(f[x, 0][1]) == f"<halide.FuncTupleElementRef 1 of <halide.FuncRef {name}(x, 0)>>"
    assert repr(hl.LoopLevel(f, x)) == f"<halide.LoopLevel {name}.x>"
    assert repr(hl.LoopLevel.root()) == "<halide.LoopLevel root>" and "undecided" in repr(hl.LoopLevel())
    assert repr(hl.ImageParam(hl.UInt(8), 2, "im").dim(1)) == "<halide.Dimension 1 of 'im'>"
