"""What a strategy is: a generator over a SearchState, and what the rest of the search needs to know about it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pipec.autoschedule.strategies.search_state import Options, SearchState
from pipec.errors import ArgumentError
from pipec.records import dataclass

Search = Callable[[SearchState, Options], Iterator[None]]


@dataclass(frozen=True)
class Strategy:
    """A way to search. `search` offers states to a SearchState by asking for their costs, and yields between its steps.

    `description`: one line for users. `gpu`: whether it needs nothing but the interface of a Space, so that it searches
    for kernels, too. `verified`: whether its finalists are timed unless the user says otherwise; of the others a
    certain schedule is expected. `thorough`: whether it is also run on problems with factored reductions, and for a GPU
    with the cheap Funcs decided first.
    """

    name: str
    description: str
    search: Search
    gpu: bool = True
    verified: bool = True
    thorough: bool = True


def no_search(search: SearchState, options: Options) -> Iterator[None]:
    """No search: the state that always exists, or the one that rules chose."""
    yield from ()


class Strategies(dict[str, Strategy]):
    """The strategies by name."""

    def named(self, name: str) -> Strategy:
        """The strategy of that name. ArgumentError where there is none."""
        strategy = self.get(name)
        if strategy is None:
            raise ArgumentError(
                f"Error: There is no strategy {name!r}; there are {', '.join(self)}."
                " hl.autoschedule_strategies() tells what each does."
            )
        return strategy
