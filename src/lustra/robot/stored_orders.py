"""Orders of the server on the robot's disk: a JSON file each, beside the file that the order is about."""

from collections.abc import Collection
from pathlib import Path
from typing import Protocol, TypeVar

import msgspec

from lustra.robot.store import write


class Progress(Protocol):
    @property
    def number(self) -> int: ...
    @property
    def state(self) -> str: ...


class Order(Protocol):
    @property
    def report(self) -> Progress: ...


OrderT = TypeVar("OrderT", bound=Order)


class StoredOrders(dict[int, OrderT]):
    """By number, as they were when the power went. `unfinished`: their states; of the others only the newest
    `remembered` stay. `ending`: of the file that an order is about."""

    def __init__(
        self, folder: Path, kind: type[OrderT], *, ending: str, unfinished: Collection[str], remembered: int
    ) -> None:
        super().__init__()
        self.folder, self.ending, self.unfinished, self.remembered = folder, ending, unfinished, remembered
        for file in sorted(folder.glob("*.json")):
            order = msgspec.json.decode(file.read_bytes(), type=kind)
            self[order.report.number] = order

    def file(self, number: int) -> Path:
        return self.folder / f"{number}.{self.ending}"

    def open(self) -> list[OrderT]:
        return [order for order in self.values() if order.report.state in self.unfinished]

    def save(self, order: OrderT) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        write(self.folder / f"{order.report.number}.json", msgspec.json.encode(order), lasting=True)
        finished = sorted(number for number, known in self.items() if known.report.state not in self.unfinished)
        for number in finished[: -self.remembered]:
            self.remove(number)

    def remove(self, number: int) -> None:
        self.pop(number, None)
        (self.folder / f"{number}.json").unlink(missing_ok=True)
        self.file(number).unlink(missing_ok=True)
