"""Driving by hand: it touches nothing, whatever comes; it stands within 500 ms; what comes late does nothing."""

import math
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lustra.protocol.payloads.motion import FASTEST, QUICKEST, Velocity
from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.robot import plan_cache
from lustra.robot.clock import now_ms
from lustra.robot.connection.server_commands import run_command
from lustra.robot.maps.floor import Floor
from lustra.robot.navigation.lattice import RADIUS
from lustra.robot.simulation import manual_mode
from lustra.robot.simulation.body import Environment, Pose
from lustra.robot.simulation.machine import Machine
from lustra.robot.simulation.teleoperation import clearance
from tests.robot.conftest import TASK, Local, drive, hall

STOP_S = 0.5
NOW = 1_000_000


def driven(floor: Floor | None = None) -> Machine:
    machine = Machine("SC0001", lambda _: None, environment=Environment(plan_cache.lattice))
    machine.load(floor or hall(dock=False), NOW)
    manual_mode.take(machine, on=True)
    return machine


def command(linear: float, angular: float = 0.0, **more: object) -> Velocity:
    return Velocity.model_validate({"linear": linear, "angular": angular} | more)


def gap(machine: Machine) -> float:
    """Metres between the robot's edge and the nearest obstacle."""
    assert machine.floor
    at = np.array([machine.pose.xy])
    return float(clearance(machine.floor, plan_cache.lattice(machine.floor), at)[0]) - RADIUS


COMMANDS = st.lists(
    st.tuples(
        st.floats(-FASTEST, FASTEST),
        st.floats(-QUICKEST, QUICKEST),
        st.integers(1, 20),
        st.sampled_from((0.02, 0.1, 0.7)),
    ),
    min_size=1,
    max_size=30,
)


@pytest.mark.spec("call.relay.common.cmdvel_ctrl")
@given(COMMANDS, st.integers(0, 2**31))
@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_never_touch_an_obstacle_whatever_commands_come(commands: list[tuple[float, ...]], seed: int):
    floor = hall(dock=False)
    lattice = plan_cache.lattice(floor)
    machine = driven(floor)
    rows, columns = np.nonzero(lattice.clear)
    n = seed % len(rows)
    machine.pose = Pose(*floor.to_metres(np.array([[columns[n], rows[n]]]))[0].tolist(), yaw=seed % 7)
    least = min(gap(machine), 0.0)
    for linear, angular, steps, step in commands:
        manual_mode.drive(machine, command(linear, angular), NOW)
        for _ in range(round(steps)):
            machine.step(NOW, step)
            assert gap(machine) >= least - 1e-6
            assert not floor.blocked[tuple(floor.to_vertices([machine.pose.xy])[0].astype(int)[::-1])]


@given(st.floats(-FASTEST, FASTEST), st.floats(-QUICKEST, QUICKEST), st.floats(0.0, 2.0), st.integers(1, 12))
@settings(max_examples=150, deadline=None)
def test_stop_half_a_second_after_the_last_command(linear: float, angular: float, before: float, ticks: int):
    machine = driven(hall(30.0, 30.0, dock=False))
    while before > 0:  # somebody drives, at 20 Hz
        manual_mode.drive(machine, command(linear, angular), NOW)
        machine.step(NOW, 0.05)
        before -= 0.05
    manual_mode.drive(machine, command(linear, angular), NOW)
    for _ in range(ticks):
        machine.step(NOW, STOP_S / ticks)
    assert (machine.hand.linear, machine.hand.angular, machine.speed) == (0, 0, 0)
    at = machine.pose
    machine.step(NOW, 1.0)
    assert machine.pose == at


def test_limits_of_speed_and_acceleration_hold():
    machine = driven(hall(40.0, 10.0, dock=False))
    machine.pose = machine.pose._replace(yaw=0.0)
    before = 0.0
    for _ in range(60):
        manual_mode.drive(machine, command(FASTEST, QUICKEST / 4), NOW)
        machine.step(NOW, 0.05)
        assert machine.hand.linear <= machine.params["hand_linear"] + 1e-9
        assert machine.hand.linear - before <= 0.8 * 0.05 + 1e-9
        before = machine.hand.linear
    assert machine.hand.linear == pytest.approx(machine.params["hand_linear"])


def test_a_factor_does_not_drive_faster_by_hand():
    machine = driven()
    machine.factor = 20
    at = machine.pose.xy
    for _ in range(10):
        manual_mode.drive(machine, command(0.5), NOW)
        machine.step(NOW, 0.05)
    assert 0 < math.dist(at, machine.pose.xy) <= 0.25


LATE = {
    "older than its patience": {"at": NOW - 400},
    "the same number again": {"stream": "a", "seq": 5},
    "before one that came": {"stream": "a", "seq": 4},
}


@pytest.mark.parametrize("case", LATE)
def test_ignore_a_command_that_is_late_or_out_of_sequence(case: str):
    machine = driven()
    manual_mode.drive(machine, command(0.0, stream="a", seq=5, at=NOW), NOW)
    with pytest.raises(RobotRefusal) as why:
        manual_mode.drive(machine, command(0.5, **LATE[case]), NOW)
    assert (why.value.code, why.value.reason) == (RelayCode.LATE, "drive_late")
    assert why.value.answer()["at"] == NOW  # so that the driver knows the robot's clock
    machine.step(NOW, 0.2)
    assert machine.hand.linear == 0
    manual_mode.drive(machine, command(0.5, stream="a", seq=6, at=NOW - 100), NOW)
    machine.step(NOW, 0.1)
    assert machine.hand.linear > 0


def test_a_command_that_was_meant_earlier_ends_earlier():
    machine = driven()
    manual_mode.drive(machine, command(0.5, at=NOW - 170), NOW)
    machine.step(NOW, 0.05)
    assert machine.hand.left_s == 0


@pytest.mark.spec(
    "call.relay.common.hand_mode",
    "state.device_mode.manual",
    "state.device_mode.t05",
    "state.device_mode.t06",
    "state.robot_run.t04",
    "err.robot.0x0536",
    "banner.manual_mode",
)
async def test_manual_mode_pauses_what_runs_until_somebody_resumes_it(local: Local):
    robot, m = local.robot, local.robot.machine
    await local.good("task_add", TASK)
    await local.good("task_start", {"name": "Hall"})
    drive(robot, lambda: m.cleaning and m.rate == 1)
    answer = await local.good("hand_mode", {"mode": 1})
    assert abs(answer["at"] - now_ms()) < 5000
    assert (m.mode, m.paused, m.paused_by) == ("manual", True, "0x0536")
    state = m.state(1)
    assert "manual_mode" in state.banners
    assert state.paused_by == "0x0536"
    assert m.run
    assert "0x0536" in m.run.faults
    for name, payload in (("task_resume", None), ("go_home", None), ("point_moveto", {"x": 0, "y": 0})):
        assert (await local(name, payload))["code"] == 0x0536, name
    cells = m.run.cells
    for n in range(8):
        await local.good("cmdvel_ctrl", {"linear": 0.2, "angular": 0.0, "stream": "x", "seq": n + 1})
        robot.step(0.05)
    assert m.run.cells == cells  # by hand it does not clean
    robot.step(1)
    await local.good("hand_mode", {"mode": 0})
    assert (m.mode, m.state(1).banners.count("manual_mode")) == ("paused", 0)
    await local.good("task_resume")
    robot.step(1)
    assert (m.paused, m.paused_by) == (False, "")  # the pause that manual mode began has an end
    drive(robot, lambda: not m.run)
    assert b'"end":"finished"' in next(x.data for x in robot.outbox.unconfirmed() if x.kind == "report")


@pytest.mark.parametrize("way", ["given back", "taken over", "over"])
async def test_manual_mode_ends_when_the_driver_leaves(local: Local, way: str):
    robot, m = local.robot, local.robot.machine
    until = now_ms() + 600_000
    lock = {"number": 7, "owner": "Ann", "until": until}
    run_command(robot, "control", msgspec.json.encode(lock))
    assert (await local("hand_mode", {"mode": 1}, control=7))["code"] == 0
    run_command(robot, "control", msgspec.json.encode(lock | {"until": until + 1}))  # she prolongs it
    robot.step(0.1)
    assert m.mode == "manual"
    ends = {"given back": {"owner": "", "until": 0}, "taken over": {"owner": "Bob", "number": 9}}
    later = ends.get(way, {"until": now_ms() - 1})
    run_command(robot, "control", msgspec.json.encode(lock | later))
    robot.step(0.1)
    assert m.mode != "manual"
    assert (await local("cmdvel_ctrl", {"linear": 0.1, "angular": 0.0}, control=9))["reason"] == "hand_mode_first"


async def test_a_late_word_of_the_lock_leaves_the_new_driver_the_wheels(local: Local):
    robot, m = local.robot, local.robot.machine
    lock = {"number": 7, "owner": "Ann", "until": now_ms() + 600_000}
    run_command(robot, "control", msgspec.json.encode(lock))
    assert (await local("hand_mode", {"mode": 1}, control=7))["code"] == 0
    assert (await local("robot_pose", control=8))["code"] == 0  # Bob's first command: Ann has driven
    assert m.mode != "manual"
    assert (await local("hand_mode", {"mode": 1}, control=8))["code"] == 0
    run_command(robot, "control", msgspec.json.encode(lock | {"number": 8, "owner": "Bob"}))
    run_command(robot, "control", msgspec.json.encode(lock))  # and an older one after it
    assert (m.mode, robot.lock.driver) == ("manual", "Bob")


async def test_by_hand_only_in_manual_mode_and_never_while_something_holds_it(local: Local):
    m = local.robot.machine
    move = {"linear": 0.3, "angular": 0.0}
    assert (await local("cmdvel_ctrl", move))["reason"] == "hand_mode_first"
    await local.good("hand_mode", {"mode": 1})
    await local.good("cmdvel_ctrl", move)
    local.robot.step(0.1)
    assert m.hand.linear > 0
    for hold, let in (
        (("robot_lock", {"lock": 1}), ("robot_lock", {"lock": 0})),
        (("robot_safe", {"robot_safe": 1}), ("emergency_off", None)),
        (("serial_control", {"isStart": False}), ("serial_control", {"isStart": True})),
    ):
        await local.good("cmdvel_ctrl", move)
        local.robot.step(0.1)
        at = m.pose.xy
        await local.good(*hold)
        assert (await local("cmdvel_ctrl", move))["code"] != 0
        local.robot.step(0.5)
        assert (m.pose.xy, m.speed) == (at, 0)
        await local.good(*let)
        local.robot.step(0.5)
        assert m.pose.xy == at  # nothing goes on by itself


@pytest.mark.spec(
    "banner.brake",
    "state.device_mode.brake",
    "state.device_mode.t07",
    "banner.serial_connection_error",
    "call.relay.common.serial_control",
)
async def test_brake_and_closed_line_hold_a_run_and_say_so(local: Local):
    m = local.robot.machine
    await local.good("task_add", TASK)
    for name, on, off, banner in (
        ("robot_lock", {"lock": 1}, {"lock": 0}, "brake"),
        ("serial_control", {"isStart": False}, {"isStart": True}, "serial_error"),
    ):
        await local.good("task_start", {"name": "Hall"})
        drive(local.robot, lambda: m.cleaning)
        await local.good(name, on)
        assert banner in m.state(1).banners
        local.robot.step(2)
        at = m.pose.xy
        local.robot.step(5)
        assert m.pose.xy == at
        await local.good(name, off)
        assert m.mode == "paused"
        assert banner not in m.state(1).banners
        await local.good("task_cancel")


BAD_SPEEDS = {
    "too fast": ({"linear": 5, "angular": 0}, "linear"),
    "too quick a turn": ({"linear": 0, "angular": -9}, "angular"),
    "no number": ({"linear": "x", "angular": 0}, "linear"),
    "not a number": ({"linear": 0.1}, "angular"),
}


@pytest.mark.parametrize("case", BAD_SPEEDS)
async def test_speeds_beyond_the_limits_are_refused(local: Local, case: str):
    payload, field = BAD_SPEEDS[case]
    await local.good("hand_mode", {"mode": 1})
    answer = await local("cmdvel_ctrl", payload)
    assert (answer["code"], answer["field"]) == (RelayCode.BAD_INPUT, field)


@pytest.mark.spec(
    "call.relay.common.point_moveto",
    "call.relay.map.point_moveto",
    "q.point_moveto_prefix",
    "err.robot_msg.path_not_solved",
)
async def test_drive_to_a_point_around_obstacles(local: Local):
    m = local.robot.machine
    answer = await local.raw("api2/point_moveto", json={"x": 3.6, "y": 1.8, "yaw": 1.0})  # behind the pillar
    assert answer["code"] == 0
    assert len(answer["path"]) > 2
    assert m.mode == "moving"
    drive(local.robot, lambda: m.mode != "moving" and gap(m) > -1e-3, most_s=120)
    assert m.pose == (
        pytest.approx(3.6, abs=0.06),
        pytest.approx(1.8, abs=0.06),
        pytest.approx(1.0, abs=0.02),
    )
    assert m.mode == "idle"
    for where, reason in (
        ({"x": 2.8, "y": 1.8}, "point_blocked"),
        ({"x": 90, "y": 0}, "map.beyond_edge"),
        ({"x": -0.95, "y": 1}, "point_blocked"),
        ({"y": 1}, "input_missing"),
    ):
        assert (await local("point_moveto", where))["reason"] == reason, where
        assert m.mode == "idle"


async def test_a_point_that_no_way_leads_to_is_refused(local: Local):
    floor = hall(name="split")
    floor.grid[:, 100:104] = 0
    local.robot.store.save_map(floor)
    await local.good("map_load", {"name": "split"})
    assert (await local("point_moveto", {"x": 5.5, "y": 2}))["reason"] == "path_not_solved"


async def test_a_point_move_lets_a_run_wait_and_is_ended_like_the_way_home(local: Local):
    m = local.robot.machine
    await local.good("task_add", TASK)
    await local.good("task_start", {"name": "Hall"})
    drive(local.robot, lambda: m.cleaning)
    await local.good("point_moveto", {"x": 5.0, "y": 3.0})
    assert (m.mode, m.paused) == ("moving", True)
    drive(local.robot, lambda: m.transit is None, most_s=120)
    assert m.mode == "paused"
    assert math.dist(m.pose.xy, (5, 3)) < 0.1
    local.robot.step(3)
    assert math.dist(m.pose.xy, (5, 3)) < 0.1
    await local.good("point_moveto", {"x": 0.0, "y": 3.0})
    local.robot.step(2)
    await local.good("cancel_go_home")
    assert m.transit is None
    await local.good("task_resume")
    drive(local.robot, lambda: not m.run)


@pytest.mark.spec("call.relay.common.docker_back", "state.device_charging.t02")
async def test_leave_the_charger_only_when_at_it(local: Local):
    m = local.robot.machine
    assert m.charging
    at = m.pose.xy
    await local.good("docker_back")
    drive(local.robot, lambda: m.transit is None, most_s=30)
    assert math.dist(at, m.pose.xy) > 0.3
    assert not m.charging
    assert (await local("docker_back"))["reason"] == "not_charging"


async def test_charge_when_driven_onto_a_charger(local: Local, tmp_path: Path):
    m = local.robot.machine
    await local.good("hand_mode", {"mode": 1})
    for n in range(40):
        await local.good("cmdvel_ctrl", {"linear": 0.3, "angular": 0.0, "seq": n + 1})
        local.robot.step(0.05)
    local.robot.step(1)
    assert not m.charging
    for n in range(80):
        await local.good("cmdvel_ctrl", {"linear": -0.2, "angular": 0.0, "stream": "b", "seq": n + 1})
        local.robot.step(0.05)
    local.robot.step(1)
    assert m.charging
