"""What other domains and processes may use of this one; all else is its own."""

from lustra.domains.elevator.events import ElevatorsInUse
from lustra.domains.elevator.rides import load_last_elevators, load_ride_durations
from lustra.domains.elevator.rules import GAUSIUM, SEALED_AS, VIRTUAL
from lustra.domains.elevator.service import load_elevator
from lustra.domains.elevator.tables import Elevator

__all__ = [
    "GAUSIUM",
    "SEALED_AS",
    "VIRTUAL",
    "Elevator",
    "ElevatorsInUse",
    "load_elevator",
    "load_last_elevators",
    "load_ride_durations",
]
