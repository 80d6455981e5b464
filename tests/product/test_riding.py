"""In the whole product a demo robot rides the hotel's lift, cleans on its floors, rides home and is told of."""

from typing import Any

import pytest

from tests.product.running import Product, until

WORDS = ("--robots", "2")
ROBOT = "SC0002"
GROUP = "Lift halls"
TASK = "Clean Lift hall"
pytestmark = pytest.mark.timeout(240)


async def test_a_demo_robot_cleans_on_three_floors_and_rides_home(product: Product) -> None:
    async with product.console("user") as user:

        async def riding_robot() -> dict[str, Any] | None:
            row = (await user.devices())[ROBOT]
            return row if row["online"] and row["mapName"] else None

        device = (await until(riding_robot, "the robot"))["deviceId"]
        await user("/device/takeControl", deviceId=device, minutes=30)
        await user("/device/simulate", deviceId=device, factor=20)

        async def begun() -> Any:
            return await user.robot(device, "task_start", group=GROUP)

        await until(begun, "the robot's tunnel")
        seen: set[tuple[str, str, str]] = set()

        async def home() -> bool:
            row = (await user.devices())[ROBOT]
            seen.add((row["mode"], row["mapName"], row["taskName"]))
            cleaned = {f for _, f, task in seen if task == TASK}
            return len(cleaned) == 3 and row["charging"] and row["mapName"] == "kestrel-1"

        await until(home, "the robot at its charger", lambda: str(seen), patience_s=150)
        elevators = (await user("/elevator/list", pageSize=10, currentPage=1))["list"]
        rides = [
            ride
            for lift in elevators
            for ride in (await user("/elevator/rides", elevatorId=lift["elevatorId"], pageSize=10))["list"]
        ]
        ways = sorted((ride["fromFloor"], ride["toFloor"], ride["reason"]) for ride in rides)
        assert ways == [("floor 1", "floor 2", "done"), ("floor 2", "floor 3", "done"), ("floor 3", "floor 1", "done")]
        assert {mode for mode, *_ in seen} >= {"riding", "cleaning"}
        answer = await user("/device/sendHome", building="Kestrel Quay Hotel")
        assert answer["obeyed"] >= 1
