"""Walks: children before parents, each node once; what is kept on nodes keeps none of them alive."""

from __future__ import annotations

import gc
import weakref

from pipec.bounds.linear import linear
from pipec.ir.build import block
from pipec.ir.expr import TRUE, Add, Const, Load, Min, Mul, Select, Variable
from pipec.ir.node import Node
from pipec.ir.stmt import For, LetStmt, LoopKind, Store
from pipec.ir.types import INT32
from pipec.ir.walk import free_variables, postorder, rewrite, statements

A, B, ONE = Variable(INT32, "a"), Variable(INT32, "b"), Const(INT32, 1)


def test_children_come_first_from_left_to_right_and_once() -> None:
    shared = Mul(A, B)
    root = Add(Add(shared, ONE), Min(shared, A))
    assert list(postorder(root)) == [A, B, shared, ONE, root.a, root.b, root]
    events: set[Node] = {shared}
    assert list(postorder(root, visited=events)) == [ONE, root.a, A, root.b, root]
    assert root in events


def test_statements_are_walked_without_their_expressions() -> None:
    first = Store("f", Load(INT32, "g", A, TRUE), A, TRUE)
    second = Store("f", ONE, B, TRUE)
    inner = LetStmt("b", A, block([first, second]))
    loop = For("a", ONE, ONE, LoopKind.SERIAL, inner)
    assert list(statements(loop)) == [first, second, inner.body, inner, loop]


def test_rewriting_nothing_gives_the_node_itself() -> None:
    root = Select(TRUE, Add(A, B), ONE)
    assert rewrite(root, lambda node: node) is root
    changed = rewrite(root, lambda node: B if node is A else node)
    assert changed is Select(TRUE, Add(B, B), ONE)


def test_memos_about_nodes_do_not_hold_them() -> None:
    atom = Min(Variable(INT32, "only here"), ONE)
    total = Add(atom, ONE)
    assert linear(total).terms == {atom: 1}
    assert linear(atom).terms == {atom: 1}
    assert free_variables(total) == {"only here"}
    removed = weakref.ref(atom)
    gc.disable()
    try:
        del atom, total
        assert removed() is None
    finally:
        gc.enable()
