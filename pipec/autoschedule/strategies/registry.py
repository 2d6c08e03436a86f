"""What a strategy is: a generator over a SearchState, and what the rest of the search needs to know about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol

from pipec.autoschedule.space.state import State
from pipec.autoschedule.strategies.proposals import Proposals, ProposalsOfSearch, Search
from pipec.autoschedule.strategies.search_state import Options, SearchState
from pipec.errors import ArgumentError
from pipec.records import dataclass


class ProposalsFactory(Protocol):
    """Makes the proposals of a strategy from its search, and from times of states that are known before."""

    def __call__(self, search: SearchState, measured: Mapping[State, float] | None, trains: bool, /) -> Proposals: ...


@dataclass(frozen=True)
class Strategy:
    """A way to search. `search` offers states to a SearchState by asking for their costs, and yields between its steps.

    `description`: one line for users. `gpu`: whether it needs nothing but the interface of a Space, so that it searches
    for kernels, too. `cpu`: whether it searches for CPUs. `verified`: whether its finalists are timed unless the user
    says otherwise; of the others a certain schedule is expected. `thorough`: whether it is also run on problems with
    factored reductions, and for a GPU with the cheap Funcs decided first. `proposals`: what it measures when there are
    trials; without, it searches by models that are trained on times.
    """

    name: str
    description: str
    search: Search
    gpu: bool = True
    cpu: bool = True
    verified: bool = True
    thorough: bool = True
    proposals: ProposalsFactory | None = None

    @property
    def measures(self) -> bool:
        """Whether it has a way of its own to choose what is measured."""
        return self.proposals is not None

    def proposals_after(
        self, search: SearchState, measured: Mapping[State, float] | None = None, trains: bool = True
    ) -> Proposals:
        """What is measured after a search. `measured`: milliseconds of states; `trains`: whether models are trained."""
        if self.proposals is not None:
            return self.proposals(search, measured, trains)
        return ProposalsOfSearch(self.search, search, measured, trains)


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
