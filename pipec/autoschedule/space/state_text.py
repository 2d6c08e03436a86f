"""States as JSON text and back, for databases and training data."""

from __future__ import annotations

import json
from typing import Any

from pipec.autoschedule.space.state import Factoring, Nest, Placement, Site, State, Where


def to_json(state: State) -> str:
    """The state as one line of JSON."""
    funcs = {name: _placement(placement) for name, placement in state.placements.items()}
    factorings = [[f.func, f.stage, f.rvar, f.size, f.inner] for f in state.factorings]
    return json.dumps({"funcs": funcs, "factorings": factorings}, separators=(",", ":"))


def from_json(text: str) -> State:
    """The state that `to_json` wrote. ValueError, KeyError or TypeError when the text is something else."""
    data = json.loads(text)
    placements = {name: _read_placement(fields) for name, fields in data["funcs"].items()}
    return State(placements, tuple([Factoring(*fields) for fields in data["factorings"]]))


def _placement(placement: Placement) -> list[Any]:
    nests = [_nest(nest) for nest in placement.nests]
    sites = [_site(placement.compute), _site(placement.store)]
    return [placement.where.value, *sites, nests, placement.storage, int(placement.streamed)]


def _nest(nest: Nest) -> list[Any]:
    fields = [nest.tiles, nest.order, nest.vector, nest.lanes, nest.parallel, int(nest.atomic)]
    return fields if nest.interleaved is None else [*fields, nest.interleaved]


def _site(site: Site | None) -> list[Any] | None:
    return None if site is None else [site.func, site.stage, site.level]


def _read_placement(fields: list[Any]) -> Placement:
    where, compute, store, nests, storage, streamed = fields
    read = [
        Nest(tuple(map(tuple, tiles)), tuple(order), vector, lanes, tuple(parallel), bool(atomic), *interleaved)
        for tiles, order, vector, lanes, parallel, atomic, *interleaved in nests
    ]
    sites = [None if site is None else Site(*site) for site in (compute, store)]
    return Placement(Where(where), sites[0], sites[1], tuple(read), tuple(storage), bool(streamed))
