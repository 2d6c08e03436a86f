"""What nodes know of the nodes below them, and the walks that leave out the others."""

from __future__ import annotations

from typing import Any

from pipec.ir.expr import Add, Binary, Compare, Const, Expr, Load, Mul, Named, ParameterRef, Ramp, Variable, const
from pipec.ir.node import kinds_of
from pipec.ir.stmt import For, LetStmt, LoopKind, Stmt, Store
from pipec.ir.types import BOOL, INT32
from pipec.ir.unroll import fresh_copy
from pipec.ir.walk import free_variables, instances, postorder, rewrite, substitute

x, y = Variable(INT32, "x"), Variable(INT32, "y")
load = Load(INT32, "in", Add(x, const(1)), Const(BOOL, 1))
store = Store("out", Mul(load, y), x, Const(BOOL, 1))
loop = For("x", const(0), const(8), LoopKind.SERIAL, LetStmt("y", Mul(x, const(2)), store))


def test_a_node_has_the_kinds_of_all_nodes_below_it() -> None:
    for cls in (Load, Mul, Add, Variable, Binary, Named, Expr, Store, LetStmt, Stmt):
        assert loop.kinds & kinds_of(cls), cls
    for cls in (Compare, Ramp, ParameterRef):
        assert not loop.kinds & kinds_of(cls), cls
    assert not load.kinds & kinds_of(Mul, Stmt)


def test_kinds_of_a_base_class_are_those_of_its_subclasses() -> None:
    assert kinds_of(Binary) & kinds_of(Mul) and kinds_of(Binary) & kinds_of(Compare) and kinds_of(Named) & x.kinds


def test_expressions_know_their_variables() -> None:
    assert load.variables == {"x"} and store.value.variables == {"x", "y"} and const(1).variables == frozenset()
    assert free_variables(loop) == {"x", "y"}


def test_instances_are_those_of_a_walk_over_all_nodes() -> None:
    for kinds in ((Load, Store), (Variable,), (Const, For), (Compare,)):
        assert list(instances(kinds, loop)) == [node for node in postorder(loop) if isinstance(node, kinds)]


def test_a_rewrite_visits_the_nodes_of_the_kinds_and_those_around_them() -> None:
    visited: list[Any] = []

    def change(node: Any) -> Any:
        visited.append(node)
        return Load(node.type, "other", node.index, node.predicate) if isinstance(node, Load) else node

    changed = rewrite(loop, change, kinds=kinds_of(Load))
    assert [node.buffer for node in instances(Load, changed)] == ["other"]
    assert not any(isinstance(node, (Variable, Const, Add)) for node in visited)
    assert rewrite(load, change, kinds=kinds_of(Ramp)) is load


def test_a_substitution_reaches_all_expressions_of_a_statement() -> None:
    assert substitute(store, {"x": const(3)}) is Store(
        "out", Mul(Load(INT32, "in", Add(const(3), const(1)), Const(BOOL, 1)), y), const(3), Const(BOOL, 1)
    )
    assert substitute(loop, {"z": const(3)}) is loop


def test_a_fresh_copy_renames_what_it_binds_and_replaces_the_rest() -> None:
    body = LetStmt("y", Mul(x, const(2)), store)
    z = Variable(INT32, "y.1")
    copied = Store("out", Mul(Load(INT32, "in", Add(const(5), const(1)), Const(BOOL, 1)), z), const(5), Const(BOOL, 1))
    assert fresh_copy(body, ".1", {"x": const(5)}) is LetStmt("y.1", Mul(const(5), const(2)), copied)
