"""Which adapter moves which elevator."""

from collections.abc import Callable, Sequence

from lustra.core.http import outbound_http
from lustra.domains.elevator.api import GAUSIUM, VIRTUAL
from lustra.elevators.gausium import Gausium
from lustra.elevators.provider import ElevatorConfig, Provider, Unable
from lustra.elevators.virtual import Virtual

Clock = Callable[[], float]
Make = Callable[[ElevatorConfig, Clock], Provider]


def adapters(networks: Sequence[outbound_http.Network]) -> Make:
    """`networks`: those that the operator lets us reach beside public ones."""

    def make(of: ElevatorConfig, clock: Clock) -> Provider:
        if of.provider == VIRTUAL:
            return Virtual(list(of.floors), clock)
        if of.provider == GAUSIUM:
            if not (of.server and of.module):
                raise Unable("lift_not_set_up")
            return Gausium(of, networks)
        raise Unable("lift_no_adapter")

    return make
