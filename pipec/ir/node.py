"""The base of all IR nodes: immutable by convention, interned, with children and rebuild derived from their fields."""

from __future__ import annotations

import hashlib
import itertools
import re
import struct
import threading
from _weakref import _remove_dead_weakref  # type: ignore[attr-defined]
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from typing import Any, ClassVar, Self, TypeAlias, TypeVar

from pipec.endings import Ending, ended
from pipec.ir.types import Type

N = TypeVar("N", bound="Node")
Order: TypeAlias = tuple[bytes, tuple[int, ...], int]
_lock = threading.RLock()


table: dict[Any, Ending] = {}
# The places of the bits of `Node.kinds`.
_numbers = itertools.count()
_kinds: dict[tuple[type[Node], ...], int] = {}


def interned(key: Any, node: N) -> N:
    """Returns `node`, or the node with the same key if another thread has created it meanwhile."""
    reference = Ending(node, ended)
    # Another thread may have put a new node there, which stays.
    reference.run = partial(_remove_dead_weakref, table, key)
    if table.setdefault(key, reference) is reference:
        return node
    with _lock:
        other = table.get(key)
        existing: N | None = None if other is None else other()
        if existing is not None:
            return existing
        table[key] = reference
    return node


class Node:
    """A node of the IR. Nodes are interned: the constructor returns the existing one with these fields, if any.

    The annotations of a subclass, in their order, are its fields; those of Nodes and tuples of Nodes hold its children.
    """

    __slots__ = (
        "_digest",
        "_order",
        "below",
        "kinds",
        "variables",
        "linear",
        "is_canonical",
        "is_index",
        "__weakref__",
    )
    FIELDS: ClassVar[tuple[str, ...]] = ()
    # The fields that may hold a Node or a tuple of Nodes (also nested); all others are plain data.
    CHILDREN: ClassVar[tuple[str, ...]] = ()
    _SETTERS: ClassVar[tuple[Any, ...]] = ()
    _CHILD_PLACES: ClassVar[tuple[int, ...]] = ()
    _KIND: ClassVar[int] = 0
    _digest: int | None
    _order: tuple[bytes, tuple[int, ...]] | None
    below: tuple[Node, ...]  # all direct child nodes, in the order of the fields
    kinds: int  # the kinds of the nodes below and including this one, as `kinds_of` numbers them
    # The names of the variables of an expression; of a statement memo of pipec.ir.walk.free_variables.
    variables: frozenset[str] | None
    linear: Any  # memo of pipec.bounds.linear
    is_canonical: bool  # whether it is in canonical form for certain; memo of pipec.bounds.linear
    is_index: bool | None  # memo of pipec.bounds.simplify

    def __init_subclass__(cls) -> None:
        fields = {name: kind for name, kind in cls.__annotations__.items() if not kind.startswith("ClassVar")}
        if fields and "FIELDS" not in vars(cls):
            cls.FIELDS = tuple(fields)
            cls.CHILDREN = tuple([name for name, kind in fields.items() if "Expr" in kind or "Stmt" in kind])
        cls._SETTERS = tuple([getattr(cls, name).__set__ for name in cls.FIELDS])
        cls._CHILD_PLACES = tuple([cls.FIELDS.index(name) for name in cls.CHILDREN])
        cls._KIND = 1 << next(_numbers)
        _kinds.clear()

    def __new__(cls, *values: Any) -> Self:
        """The node with these values of FIELDS, in their order."""
        key = (cls, *values)
        reference = table.get(key)
        if reference is not None:
            existing: Self | None = reference()
            if existing is not None:
                return existing
        return cls._create(key, values)

    @classmethod
    def _create(cls, key: Any, values: tuple[Any, ...]) -> Self:
        if len(values) != len(cls.FIELDS):
            raise TypeError(f"{cls.__name__} takes the fields {cls.FIELDS}, not {len(values)} values")
        node = object.__new__(cls)
        for assign, value in zip(cls._SETTERS, values, strict=True):
            assign(node, value)
        children: list[Node] = []
        for place in cls._CHILD_PLACES:
            _collect(values[place], children)
        node.below = tuple(children)
        node.kinds = cls._KIND
        for child in children:
            node.kinds |= child.kinds
        node._digest = node._order = node.linear = node.is_index = None
        node.is_canonical = False
        node.variables = node._variables()
        node._prepare()
        return interned(key, node)

    def _prepare(self) -> None:
        """Computes derived slots; called once, when the node is created."""

    def _variables(self) -> frozenset[str] | None:
        """The names of the variables where every node knows them from its creation, else None."""
        return None

    def children(self) -> tuple[Node, ...]:
        """All direct child nodes, in the order of the fields."""
        return self.below

    def rebuild(self, change: Any) -> Any:
        """Returns this node with `change(child)` in place of each child; itself when nothing changed."""
        new = tuple([change(child) for child in self.below])
        # Nodes are equal when they are the same.
        return self if new == self.below else self.with_children(iter(new))

    def with_children(self, new: Iterator[Any]) -> Any:
        """Returns this node with other children, in the order of `children`."""
        return type(self)(*self._values(new))

    def _values(self, new: Iterator[Any]) -> list[Any]:
        """The values of the fields, with other children."""
        values = [getattr(self, name) for name in self.FIELDS]
        for place in self._CHILD_PLACES:
            values[place] = _replaced(values[place], new)
        return values

    def digest(self) -> int:
        """A structural hash that is the same in every process: used to key caches."""
        if self._digest is None:
            _compute_digests(self)
        assert self._digest is not None
        return self._digest

    def order(self) -> Order:
        """A key to sort operands by, which is the same however many names were numbered before.

        It holds the structure without the numbers in names, then these numbers: they grow as names are created.
        """
        if self._order is None:
            _compute_orders(self)
        assert self._order is not None
        return (*self._order, self.digest() if len(self._order[1]) == MAX_NUMBERS else 0)

    def __reduce__(self) -> tuple[Any, ...]:
        order = self._topological_order()
        if len(order) <= _MAX_PICKLED_TREE:
            return type(self), tuple([getattr(self, name) for name in self.FIELDS])
        rows = {node: _Row(number) for number, node in enumerate(order)}
        return _from_rows, ([(type(node), node._values(iter([rows[n] for n in node.below]))) for node in order],)

    def _topological_order(self) -> list[Node]:
        """The distinct nodes below and including this one, children first."""
        order: dict[Node, None] = {}
        stack: list[Node] = [self]
        while stack:
            node = stack[-1]
            pending = [child for child in node.below if child not in order]
            if pending:
                stack += pending
            else:
                order[stack.pop()] = None
        return list(order)

    def __copy__(self) -> Node:
        return self

    def __deepcopy__(self, memo: Any) -> Node:
        return self

    # The text of a node; pipec.ir.printer, which `import pipec.ir` loads, defines it.
    to_text: ClassVar[Callable[[Node], str]]

    def __str__(self) -> str:
        return Node.to_text(self)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self}>"


def kinds_of(*classes: type[Node]) -> int:
    """A set of bits, one for each of the classes and of their subclasses.

    A node's `kinds` has none of them where no node below and including it is an instance of these classes.
    """
    kinds = _kinds.get(classes)
    if kinds is None:
        kinds = 0
        for cls in classes:
            kinds |= cls._KIND
            for derived in cls.__subclasses__():
                kinds |= kinds_of(derived)
        _kinds[classes] = kinds
    return kinds


MAX_NUMBERS = 16
"""So many of the numbers in the names below a node count in its order, before its digest does."""


def _collect(value: Any, children: list[Node]) -> None:
    if isinstance(value, Node):
        children.append(value)
    elif isinstance(value, tuple):
        for item in value:
            _collect(item, children)


def _replaced(value: Any, new: Iterator[Any]) -> Any:
    if isinstance(value, Node):
        return next(new)
    if isinstance(value, tuple):
        return tuple([_replaced(item, new) for item in value])
    return value


# A node with more nodes below it is pickled as a list of rows: pickle itself recurses.
_MAX_PICKLED_TREE = 50


class _Row(int):
    """The number of a row that stands for a child."""


def _from_rows(rows: list[tuple[type[Node], list[Any]]]) -> Node:
    """The node of the last row; each row is a class and its fields, with _Rows for its children."""
    nodes: list[Node] = []

    def restored(value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple([restored(item) for item in value])
        return nodes[value] if isinstance(value, _Row) else value

    for kind, values in rows:
        nodes.append(kind(*map(restored, values)))
    return nodes[-1]


def _data_bytes(value: Any) -> bytes:
    if isinstance(value, Node):
        return b"N%d" % value._digest if value._digest is not None else b"N"
    if isinstance(value, Type):
        if value not in _type_bytes:
            _type_bytes[value] = str(value).encode()
        return _type_bytes[value]
    if isinstance(value, tuple):
        return b"(" + b",".join([_data_bytes(item) for item in value]) + b")"
    if isinstance(value, float):
        return struct.pack("<d", value)
    if isinstance(value, str):
        text = value.encode()
        return b"%d:" % len(text) + text
    if isinstance(value, int):
        return str(value).encode()
    return str(getattr(value, "name", type(value).__name__)).encode()


_type_bytes: dict[Type, bytes] = {}
_NUMBER = re.compile(r"[1-9]\d{0,8}|0(?!\d)")


def _pending(root: Node, memo: str) -> Iterator[Node]:
    """The nodes below and including `root` whose slot `memo` is None, children first; set it before the next one."""
    stack = [root]
    while stack:
        node = stack[-1]
        if getattr(node, memo) is not None:
            stack.pop()
            continue
        pending = [child for child in node.below if getattr(child, memo) is None]
        if pending:
            stack += pending
            continue
        yield node
        stack.pop()


def _compute_digests(root: Node) -> None:
    for node in _pending(root, "_digest"):
        data = type(node).__name__.encode() + b"|".join([_data_bytes(getattr(node, f)) for f in node.FIELDS])
        node._digest = int.from_bytes(hashlib.blake2b(data, digest_size=16).digest())


def _compute_orders(root: Node) -> None:
    for node in _pending(root, "_order"):
        numbers: list[int] = []
        parts = [_order_bytes(getattr(node, field), numbers) for field in node.FIELDS]
        data = type(node).__name__.encode() + b"|".join(parts)
        node._order = hashlib.blake2b(data, digest_size=16).digest(), tuple(numbers[:MAX_NUMBERS])


@lru_cache(maxsize=4096)
def _split_name(name: str) -> tuple[bytes, tuple[int, ...]]:
    """A name with # in place of each number, and these numbers."""
    return _NUMBER.sub("#", name).encode(), tuple(map(int, _NUMBER.findall(name)))


def _order_bytes(value: Any, numbers: list[int]) -> bytes:
    """The data of a field without the numbers in names, which are appended to `numbers`."""
    if isinstance(value, Node):
        if value._order is None:
            return b"N"
        numbers += value._order[1]
        return value._order[0]
    if isinstance(value, tuple):
        return b"(" + b",".join([_order_bytes(item, numbers) for item in value]) + b")"
    name = value if isinstance(value, str) else getattr(value, "name", None)
    if isinstance(name, str) and not isinstance(value, Type):
        text, own = _split_name(name)
        numbers += own
        return text
    return _data_bytes(value)
