"""Where the robot is: lost, it starts nothing and says so; only a scan that fits the map finds it again."""

import math
from typing import Any

import numpy as np
import pytest

from lustra.protocol.bus import Flag
from lustra.protocol.refusals import RelayCode
from lustra.robot import plan_cache
from lustra.robot.buildings import catalogue
from lustra.robot.maps.floor import Floor
from lustra.robot.navigation import scan_matching
from lustra.robot.navigation.lidar import scan
from tests.robot.conftest import TASK, Local, drive, hall, open_robot


def put(local: Local, x: float, y: float, yaw: float) -> None:
    m = local.robot.machine
    m.place(x, y, yaw, charging=False)


async def astray(local: Local) -> None:
    put(local, 1.0, 3.0, 0.7)
    local.robot.machine.fault("lost", on=True)
    local.robot.step(0.1)


def off(local: Local) -> float:
    m, state = local.robot.machine, local.robot.machine.state(1)
    return math.dist(m.pose.xy, (state.x, state.y))


@pytest.mark.spec("banner.position_unconfirmed", "state.robot_run.t01")
async def test_a_lost_robot_takes_itself_for_elsewhere_says_so_and_starts_nothing(local: Local):
    await local.good("task_add", TASK)
    await astray(local)
    state = local.robot.machine.state(1)
    assert off(local) > 1
    assert "position_unconfirmed" in state.banners
    assert state.uncertainty > 1
    assert (await local.good("robot_pose"))["confirmed"] is False
    for name, payload in (
        ("task_start", {"name": "Hall"}),
        ("go_home", None),
        ("point_moveto", {"x": 0, "y": 0}),
    ):
        assert (await local(name, payload))["reason"] == "position_unconfirmed", name


FINDS: dict[str, tuple[str, dict[str, Any]]] = {
    "in a window": ("recover_localization", {"x": 0, "y": 2, "w": 2, "h": 2}),
    "everywhere": ("relocation_start", {}),
    "round a point": ("relocation_point", {"point": "Window seat"}),
}


@pytest.mark.spec(
    "call.relay.common.recover_localization", "call.relay.common.relocation_start", "call.relay.map.relocation_point"
)
@pytest.mark.parametrize("how", FINDS)
async def test_relocalize_by_the_lidar(local: Local, how: str):
    await local.good("map_flag_add", {"map_name": "hall", "name": "Window seat", "type": "other", "x": 1.5, "y": 2.5})
    await astray(local)
    name, payload = FINDS[how]
    answer = await local.good(name, payload)
    assert (answer["x"], answer["y"], answer["yaw"]) == (
        pytest.approx(1.0, abs=0.06),
        pytest.approx(3.0, abs=0.06),
        pytest.approx(0.7, abs=0.03),
    )
    assert answer["score"] > 0.8
    assert off(local) < 0.1
    assert "position_unconfirmed" not in local.robot.machine.state(1).banners
    await local.good("go_home")


REFUSED: dict[str, tuple[str, dict[str, Any], str]] = {
    "a window where it is not": (
        "recover_localization",
        {"x": 4.2, "y": -0.5, "w": 1.2, "h": 1.0},
        "localization_failed",
    ),
    "a window in the wall": ("recover_localization", {"x": 2.55, "y": 1.55, "w": 0.4, "h": 0.4}, "localization_window"),
    "beyond the map": ("recover_localization", {"x": 50, "y": 50, "w": 1, "h": 1}, "map.beyond_edge"),
    "no size": ("recover_localization", {"x": 0, "y": 0, "w": 0, "h": 1}, "input_greater_than"),
    "an unknown point": ("relocation_point", {"point": "Nowhere"}, "flag_unknown"),
    "no point": ("relocation_point", {"point": " "}, "flag_name_required"),
}


@pytest.mark.parametrize("case", REFUSED)
async def test_a_scan_that_does_not_fit_is_refused_and_the_pose_stays_unconfirmed(local: Local, case: str):
    await astray(local)
    name, payload, reason = REFUSED[case]
    answer = await local(name, payload)
    assert (answer["reason"], answer["msg"] != "") == (reason, True)
    assert "position_unconfirmed" in local.robot.machine.state(1).banners


async def test_a_blind_robot_does_not_find_itself(local: Local):
    await astray(local)
    local.robot.machine.fault("lidar", on=True)
    assert (await local("relocation_start"))["reason"] == "localization_blind"


async def test_a_moving_robot_does_not_look_for_itself(local: Local):
    await local.good("go_home")
    await local.good("point_moveto", {"x": 5, "y": 3})
    local.robot.step(2)
    assert (await local("relocation_start"))["reason"] == "robot_moving"


def test_refuse_to_choose_between_places_that_look_alike():
    """A ward has two wings, each the other's mirror in a turn of half a circle."""
    grid = np.full((120, 240), 254, np.uint8)
    grid[:2], grid[-2:], grid[:, :2], grid[:, -2:] = (0,) * 4
    grid[:, 119:121] = 0
    twin = Floor("twin", grid, 0.05)
    lattice = plan_cache.lattice(twin)
    seen = np.array(scan(twin, (2.0, 2.5, 0.3), 0, np.random.default_rng(1)).ranges)
    with pytest.raises(scan_matching.NoFit) as why:
        scan_matching.match_scan(twin, lattice, seen, None)
    assert why.value.reason == "localization_ambiguous"
    fit = scan_matching.match_scan(twin, lattice, seen, (1.0, 1.5, 1.9, 1.4))
    assert math.dist(fit.pose[:2], (2.0, 2.5)) < 0.1


@pytest.mark.parametrize(("building", "floor"), catalogue.floors()[::2])
def test_in_every_building_a_window_of_four_metres_is_enough(building: str, floor: str):
    floor_map = catalogue.floor(building, floor)
    lattice, dice = plan_cache.lattice(floor_map), np.random.default_rng(7)
    rows, columns = np.nonzero(lattice.distance > 0.5)
    for n in dice.integers(0, len(rows), 3):
        (x, y), yaw = floor_map.to_metres(np.array([[columns[n], rows[n]]]))[0].tolist(), float(dice.uniform(-3, 3))
        seen = np.array(scan(floor_map, (x, y, yaw), 0, dice).ranges)
        fit = scan_matching.match_scan(floor_map, lattice, seen, (x - 2.3, y - 1.6, 4, 4))
        assert math.dist(fit.pose[:2], (x, y)) < 0.06
        assert abs(math.remainder(fit.pose[2] - yaw, 2 * math.pi)) < 0.03


async def test_a_wrong_fit_is_noticed_when_it_drives(local: Local):
    m = local.robot.machine
    put(local, 1.0, 3.0, 0.0)
    m.confirm_pose((4.0, 3.0, 0.0))
    assert "lost" not in m.faults
    await local.good("point_moveto", {"x": 5.0, "y": 3.0})
    drive(local.robot, lambda: "lost" in m.faults, most_s=30)
    local.robot.step(2)
    assert m.speed == 0


@pytest.mark.spec("call.relay.common.docker_relocation")
async def test_the_charger_moves_to_where_the_robot_charges_or_sees_it(local: Local):
    m = local.robot.machine
    real = hall()
    m.environment.real_floor = lambda _: real  # the real charger stays where it is, whatever the map says
    wrong = local.robot.find_map("hall").changed(flags=[Flag(name="Dock", type="charging", x=3.0, y=3.0, yaw=0.0)])
    local.robot.save_map(wrong)
    answer = await local.good("docker_relocation")  # it stands on it
    assert (answer["name"], answer["x"], answer["y"]) == ("Dock", -0.4, -0.4)
    (flag,) = (await local.good("map_flag_list", {"map_name": "hall"}))["list"]
    assert (flag["x"], flag["y"]) == (-0.4, -0.4)
    local.robot.save_map(wrong)
    put(local, 0.8, 0.4, 0.0)
    assert (await local.good("docker_relocation"))["x"] == -0.4  # it sees it
    put(local, 5.0, 3.0, 0.0)
    again = await local("docker_relocation")
    assert (again["code"], again["reason"]) == (RelayCode.CONFLICT, "charger_unseen")


async def test_a_lost_robot_is_still_lost_after_a_restart(local: Local):
    await astray(local)
    local.robot.keep()
    assert "lost" in open_robot(local.robot.store.folder).machine.faults
