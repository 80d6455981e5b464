"""Who holds the robot's control lock, as the server says it and as numbers of commands show it.

Rule: the newest number takes the wheels from whoever has driven by hand until then, and so does the lock's end.
"""

from dataclasses import dataclass

from lustra.robot.simulation import manual_mode
from lustra.robot.simulation.machine import Machine
from lustra.robot.store import Store


@dataclass
class ControlLock:
    """`driver`: name of who holds it, empty for nobody. `until`: ms when it ends; 0 when it is given back."""

    machine: Machine
    store: Store
    driver: str = ""
    until: int = 0

    def follow_number(self, number: int) -> None:
        """The number of a lock, with a command or from the server. It outlives a loss of power."""
        if number > self.store.facts.number:
            manual_mode.take(self.machine, on=False)
            self.store.facts.number = number
            self.store.save_facts()

    def follow(self, number: int, driver: str, until: int) -> None:
        """What the server says, perhaps after the new driver's first command: an older lock changes nothing."""
        self.follow_number(number)
        if number < self.store.facts.number:
            return
        if not driver:
            manual_mode.take(self.machine, on=False)
        self.driver, self.until = driver, until

    def step(self, now: int) -> None:
        if 0 < self.until < now:
            self.follow(self.store.facts.number, "", 0)
