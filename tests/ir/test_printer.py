"""The text of expressions and statements."""

from pipec.ir import expr as e
from pipec.ir import stmt as s
from pipec.ir.printer import to_text
from pipec.ir.program import Check, Program, ProgramArgument, ProgramArgumentKind
from pipec.ir.types import INT32, Float, UInt

x = e.variable("x")
y = e.variable("y")


def test_infix_has_only_the_parentheses_that_count():
    assert to_text(e.Mul(e.Add(x, y), e.const(2))) == "(x + y) * 2"
    assert to_text(e.Add(e.Mul(x, y), e.const(2))) == "x * y + 2"
    assert to_text(e.Sub(x, e.Sub(y, e.const(-3)))) == "x - (y - -3)"
    assert to_text(e.Sub(e.Sub(x, y), e.const(3))) == "x - y - 3"
    assert to_text(e.And(e.LT(x, y), e.Not(e.EQ(x, y)))) == "x < y && !(x == y)"
    assert to_text(e.LT(e.LT(x, y), e.TRUE)) == "(x < y) < true"


def test_constants_show_their_type_unless_int32():
    assert to_text(e.Const(UInt(8), 3)) == "uint8(3)"
    assert to_text(e.Const(Float(32), 1.5)) == "1.5f"
    assert to_text(e.Const(Float(64), 1.5)) == "float64(1.5)"


def test_calls_and_loads():
    assert to_text(e.FuncCall(INT32, "f", (x, y), 0, None)) == "f(x, y)"
    assert to_text(e.FuncCall(INT32, "f", (x,), 1, None)) == "f(x)[1]"
    load = e.Load(INT32, "b", x, e.LT(x, y))
    assert to_text(e.Add(load, y)) == "{b[x] if x < y} + y"


def test_small_shared_parts_are_written_in_full():
    part = e.Mul(x, y)
    assert to_text(e.Add(part, part)) == "x * y + x * y"


def test_a_large_dag_names_its_shared_parts():
    node = x
    for _ in range(200):
        node = e.Add(e.Mul(node, node), y)
    text = to_text(node)
    assert len(text) < 6000
    assert "t1 = t0 * t0 + y" in text.splitlines()


def test_deep_sums_do_not_recurse():
    left = right = x
    for i in range(3000):
        left = e.Add(left, e.const(i))
        right = e.Add(e.const(i), right)
    assert to_text(left).endswith("+ 2998 + 2999")
    assert to_text(right).startswith("2999 + (2998 + (")


def test_deep_lets_do_not_recurse():
    body = s.Evaluate(x)
    for i in range(3000):
        body = s.LetStmt(f"n{i}", e.const(i), body)
    assert len(to_text(body).splitlines()) == 3001


def test_a_program():
    store = s.Store("out", e.Load(INT32, "in", x, e.TRUE), x, e.TRUE)
    loop = s.For("x", e.const(0), e.variable("out.extent.0"), s.LoopKind.PARALLEL, store)
    body = s.Block((s.Assert(e.LT(e.const(0), y), 0, ()), loop))
    arguments = (
        ProgramArgument("in", ProgramArgumentKind.INPUT, INT32, 1),
        ProgramArgument("y", ProgramArgumentKind.SCALAR, INT32),
        ProgramArgument("out", ProgramArgumentKind.OUTPUT, INT32, 1),
    )
    program = Program("main", arguments, body, (Check("positive", (("what", "y"),)),))
    assert to_text(program).splitlines() == [
        "program main(input in: int32[1], scalar y: int32, output out: int32[1]):",
        "  assert 0 < y else error 0",
        "  parallel x from 0 for out.extent.0:",
        "    out[x] = in[x]",
        "error 0: positive(what=y)",
    ]
