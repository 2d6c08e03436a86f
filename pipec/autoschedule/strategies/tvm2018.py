"""Operator fusion by classes, after Chen et al., "TVM" (OSDI 2018): classes say where, the cost model how loops run.

Injective Funcs are inlined into injective ones and reductions; a complex Func, such as a convolution or a stencil, is
computed in the tiles of the injective one that reads it point by point; all others are computed whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pipec.autoschedule.dag.dag import Dag
from pipec.autoschedule.dag.operator_classes import OperatorClass, classes, fused_reader, is_inlined
from pipec.autoschedule.space.state import State, Where
from pipec.autoschedule.strategies.search_state import Options, SearchState


def tvm2018(search: SearchState, options: Options) -> Iterator[None]:
    """Decides one Func after the other, consumers first, among the children in the place that its class gives it."""
    dag = search.dag
    state = State(search.space.trivial().placements, search.start.factorings)
    kinds = classes(dag)
    for name in search.space.decided():
        func = dag.funcs[name]
        inlined, host = is_inlined(dag, kinds, func) or func.must_inline, _host(dag, kinds, state, name)
        children = [child for child in search.space.children(state, name) if _is_placed(child, name, inlined, host)]
        ranked = search.ranked(children)
        if ranked:
            state = ranked[0][1]
        yield


def _host(dag: Dag, kinds: Mapping[str, OperatorClass], state: State, name: str) -> str | None:
    """The Func in whose tiles a complex one is computed: its reader, or the one that this is inlined into."""
    reader = fused_reader(dag, kinds, dag.funcs[name])
    while reader is not None and state[reader].where is Where.INLINE:
        readers = {other for other, _ in dag.consumers[reader]}
        reader = readers.pop() if len(readers) == 1 else None
    return reader if reader is not None and kinds[reader] is OperatorClass.INJECTIVE else None


def _is_placed(state: State, name: str, inlined: bool, host: str | None) -> bool:
    """Whether a Func is inlined, in the tiles of `host`, or else at root."""
    placement = state[name]
    if inlined:
        return placement.where is Where.INLINE
    if host is not None:
        return placement.compute is not None and placement.compute.func == host
    return placement.where is Where.ROOT
