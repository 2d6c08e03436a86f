"""Workers of a dask.distributed cluster as those of a pool."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any

from pipec.autoschedule.measure.distribution import Connection
from pipec.errors import NotSupportedError


def dask_connections(client: Any) -> tuple[Callable[[], Sequence[Connection]], Callable[[], None]]:
    """Returns what lists the workers of a cluster, and what closes the Client, if it is made here from an address.

    NotSupportedError where dask.distributed is not installed.
    """
    try:
        from distributed import Client
    except ImportError:
        raise NotSupportedError(
            "Error: MeasurerPool.dask needs dask.distributed: pip install 'pipec[scale]'. MeasurerPool.local measures"
            " in processes of this machine."
        ) from None
    own = not isinstance(client, Client)
    connect: Callable[[Any], Any] = Client
    connected = connect(client) if own else client
    workers: dict[str, DaskConnection] = {}

    def connections() -> Sequence[Connection]:
        for address in _addresses(connected):
            workers.setdefault(address, DaskConnection(connected, address))
        return list(workers.values())

    return connections, connected.close if own else lambda: None


def _addresses(client: Any) -> set[str]:
    return set(client.scheduler_info(n_workers=-1)["workers"])


class DaskConnection:
    """One worker of a cluster, by its address, which a worker that is started again does not have."""

    remote = True

    def __init__(self, client: Any, address: str) -> None:
        self.name, self._client = address, client
        self._executor = client.get_executor(workers=[address], allow_other_workers=False, pure=False)

    def call(self, function: Callable[..., bytes], *arguments: bytes) -> Future[bytes]:
        """Begins a call in the worker."""
        future: Future[bytes] = self._executor.submit(function, *arguments)
        return future

    def alive(self) -> bool:
        """Whether the scheduler knows the worker."""
        return self.name in _addresses(self._client)

    def close(self) -> None:
        """Leaves the worker to its cluster."""
