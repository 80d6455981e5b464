"""Guarded doors of the virtual buildings: asked for ahead, waited for, shared; and one that does not open."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lustra.protocol import bus
from lustra.protocol.payloads.motion import Velocity
from lustra.protocol.payloads.tasks import Task
from lustra.robot import plan_cache
from lustra.robot.buildings import catalogue
from lustra.robot.clock import now_ms
from lustra.robot.connection import server_commands
from lustra.robot.navigation.drive import timetable
from lustra.robot.simulation import doors, manual_mode
from lustra.robot.simulation.body import Environment
from lustra.robot.simulation.door_passing import HELD_M, PATIENCE_S
from lustra.robot.simulation.doors import CLOSES_S, NEAR_M, OPENS_S, Door
from lustra.robot.simulation.machine import Machine
from tests.robot.conftest import Local

CLINIC = catalogue.SAMPLE
# on both sides of "Stores west"
CORRIDOR = (11.0, 2.25)
INSIDE = (5.5, 2.25)


@pytest.fixture(autouse=True)
def new_doors() -> Iterator[None]:
    doors.doors_on_floor.cache_clear()
    yield
    doors.doors_on_floor.cache_clear()


def door() -> Door:
    return next(d for d in doors.doors_on_floor(*CLINIC) if d.name == "Stores west")


class Walk:
    """A machine in the corridor before a guarded door, under a clock of its own."""

    def __init__(self, factor: float = 1.0, x: float = CORRIDOR[0]) -> None:
        self.now, self.reports = 1000.0, list[bus.Report]()
        environment = Environment(plan_cache.lattice, plan_cache.real_floor)
        self.m = Machine("SC0001", self.reports.append, environment=environment)
        self.m.load(catalogue.floor(*CLINIC), 0)
        self.m.factor = factor
        self.m.place(x, CORRIDOR[1], math.pi, charging=False)

    def send(self, *to: tuple[float, float]) -> None:
        way = np.array([self.m.pose.xy, *to])
        self.m.travel(timetable(way, self.m.pose.yaw, 0.6), "rest")

    def clean(self) -> None:
        """Both sides of the door, in one run."""
        ring = [(4.0, 1.6), (10.4, 1.6), (10.4, 2.9), (4.0, 2.9)]
        task = Task.model_validate({"name": "A", "map_name": "orla-3", "areas": [{"points": ring}], "start": [10, 2.3]})
        floor = catalogue.floor(*CLINIC)
        plan = plan_cache.shared_plan(plan_cache.PlanRequest(floor, tuple(task.areas[0].points), (10, 2.3), task.way))
        self.m.start(task, floor, plan, 0)

    def step(self, s: float = 0.1) -> None:
        self.now += s
        self.m.step(int(self.now * 1000), s)

    def drive(self, linear: float) -> None:
        manual_mode.drive(self.m, Velocity(linear=linear, angular=0.0), round(self.now * 1000))
        self.step()

    def far(self) -> float:
        return math.dist(self.m.pose.xy, (door().x, door().y))

    def until(self, so: Any, most_s: float = 3600.0) -> float:
        began = self.now
        while not so():
            assert self.now - began < most_s, "it never comes"
            self.step()
        return self.now - began


def test_by_hand_it_opens_the_door_that_it_is_steered_to_and_goes_through():
    walk = Walk(x=9.7)
    manual_mode.take(walk.m, on=True)
    walk.step()
    assert door().state(walk.now) == "closed"
    least = math.inf
    while walk.m.pose.x > 6.3:
        walk.drive(0.5)
        if door().state(walk.now) != "open":
            least = min(least, walk.far())
    assert least >= NEAR_M - 0.01
    walk.until(lambda: door().state(walk.now) == "closed", CLOSES_S + 1)


def test_by_hand_nobody_drives_through_a_door_that_stays_shut():
    walk = Walk(x=9.7)
    door().jammed = True
    manual_mode.take(walk.m, on=True)
    for _ in range(200):
        walk.drive(0.5)
    assert walk.far() == pytest.approx(NEAR_M, abs=0.02)
    for _ in range(20):  # away from it, backwards
        walk.drive(-0.5)
    assert walk.far() > NEAR_M + 0.3
    walk.m.pose, requested = walk.m.pose._replace(yaw=math.pi / 2), door().requested_at
    walk.drive(0.1)
    assert door().requested_at == requested  # it is not steered to


@pytest.mark.parametrize("factor", [1.0, 5.0, 20.0])
def test_a_door_is_asked_for_ahead_so_that_nobody_waits(factor: float):
    walk = Walk(factor, x=15.0)
    walk.send(INSIDE)
    drive = walk.m.transit.drive if walk.m.transit else None
    shut_within = 0

    def arrived() -> bool:
        nonlocal shut_within
        shut_within += walk.far() < NEAR_M / 2 and door().state(walk.now) != "open"
        return walk.m.transit is None

    assert walk.until(arrived) * factor == pytest.approx(drive.seconds if drive else 0, abs=3 + factor / 5)
    assert shut_within == 0
    walk.send((3.0, 2.25))
    walk.until(lambda: walk.m.transit is None)
    walk.until(lambda: door().state(walk.now) == "closed", CLOSES_S + 1)


def test_a_robot_waits_at_a_closed_door_without_calling_for_help():
    walk = Walk(x=door().x + NEAR_M + 0.3)
    walk.send(INSIDE)
    seen = list[tuple[str, str, float]]()
    while door().state(walk.now) != "open":
        walk.step()
        seen.append((walk.m.mode, walk.m.help, walk.m.rate))
    assert {state[:2] for state in seen} == {("moving", "")}
    assert seen[-2][2] == 0
    assert walk.far() > NEAR_M / 2
    walk.until(lambda: walk.m.transit is None, 60)


def test_a_door_already_open_is_gone_through_at_once():
    walk = Walk(x=door().x + NEAR_M + 0.3)
    door().request(walk.now - OPENS_S)
    walk.send(INSIDE)
    drive = walk.m.transit.drive if walk.m.transit else None
    assert walk.until(lambda: walk.m.transit is None) == pytest.approx(drive.seconds if drive else 0, abs=1)


def test_two_robots_share_a_door_and_it_stays_open_for_who_stands_in_it():
    first, second = Walk(), Walk(x=13.0)
    first.send((door().x, door().y))
    second.send(INSIDE)
    first.until(lambda: first.m.transit is None)
    for _ in range(600):
        first.step()
        assert door().state(first.now) == "open"
    second.now = first.now
    second.until(lambda: second.far() < HELD_M)
    assert door().state(second.now) == "open"
    first.m.place(20.0, 2.25, 0.0, charging=False)
    first.step()
    second.until(lambda: second.m.transit is None)
    second.m.place(20.0, 5.0, 0.0, charging=False)
    second.until(lambda: door().state(second.now) == "closed", CLOSES_S + 1)


def test_a_run_pauses_at_a_jammed_door_and_resumes_when_it_is_repaired():
    walk = Walk()
    walk.clean()
    doors.jam(walk.m.surroundings, on=True)
    walk.until(lambda: walk.m.help)
    m, far = walk.m, walk.far()
    assert m.gate.since >= 1000 + PATIENCE_S
    state = m.state(0)
    assert (state.mode, state.help, state.paused_by, state.speed) == ("paused", "door_stuck", "door_stuck", 0)
    assert far > NEAR_M / 2
    assert m.run is not None
    assert m.run.faults == ["door_stuck"]

    m.resume()
    walk.until(lambda: m.paused, PATIENCE_S + 10)  # it tries again, and does not drive through
    assert walk.far() == pytest.approx(far, abs=0.5)

    doors.jam(m.surroundings, on=False)
    walk.until(lambda: not m.help, OPENS_S + 1)
    assert m.mode == "paused"
    m.resume()
    walk.until(lambda: walk.reports)
    assert walk.reports[0].end == "finished"
    assert walk.reports[0].coverage > 0.9


def test_clear_the_alarm_of_the_door_when_the_robot_is_sent_elsewhere():
    walk = Walk()
    doors.jam(walk.m.surroundings, on=True)
    walk.send(INSIDE)
    walk.until(lambda: walk.m.help == "door_stuck")
    walk.send((door().x + NEAR_M + 0.1, 2.25))
    walk.until(lambda: walk.m.transit is None)
    assert (walk.m.help, walk.m.mode) == ("", "idle")
    walk.send(INSIDE)
    assert walk.until(lambda: walk.m.help == "door_stuck") >= PATIENCE_S
    walk.m.cancel_home()
    walk.step()
    assert walk.m.help == ""


def test_a_map_of_another_place_has_no_doors_whatever_it_is_called():
    real = catalogue.floor(*CLINIC)
    assert len(doors.doors_around(real)) == 4
    assert doors.doors_around(real.changed(grid=np.zeros_like(real.grid))) == ()


async def test_the_server_jams_doors_and_the_robot_tells_how_they_stand(local: Local):
    robot, real = local.robot, catalogue.floor(*CLINIC)
    robot.store.save_map(real)
    robot.machine.load(real, 0)
    door().request(now_ms() / 1000 - OPENS_S)
    rows = (await local.good("door_access_control_list", {"map_name": real.name}))["list"]
    assert {d["name"] for d in rows if d["state"] == "open"} == {"Stores west"}
    server_commands.fault(robot, bus.Fault(name="door_stuck", on=True))
    rows = (await local.good("door_access_control_list", {"map_name": real.name}))["list"]
    assert {d["state"] for d in rows} == {"closed"}
    server_commands.fault(robot, bus.Fault(name="door_stuck", on=False))
    assert not any(d.jammed for d in doors.doors_around(real))


STEPS = st.lists(st.tuples(st.sampled_from(["wait", "ask", "jam", "mend"]), st.floats(0.0, 12.0)), max_size=40)


@given(STEPS, st.sampled_from([1.0, 5.0, 20.0]))
def test_a_door_opens_only_when_asked_takes_its_time_and_closes_again(steps: list[tuple[str, float]], factor: float):
    it, now, last_request = Door("D", 0, 0), 0.0, -math.inf
    for action, s in steps:
        before, now = it.state(now), now + s
        if action == "ask":
            was = it.state(now)
            it.request(now, factor)
            last_request = now
            assert it.jammed or it.state(now) == ("open" if was == "open" else "opening")
            it.request(now, factor)  # twice is as good
        elif action != "wait":
            it.jammed = action == "jam"
        state = it.state(now)
        assert not (it.jammed and state != "closed")
        if state == "open":
            assert it.began + OPENS_S / factor <= now <= last_request + (OPENS_S + CLOSES_S) / factor
        if before == "closed" and action == "wait":
            assert state == "closed"
    late = last_request + (OPENS_S + CLOSES_S) / factor + 1e-6
    assert it.state(max(now, late)) == "closed" or last_request == -math.inf
    it.jammed = False
    it.request(start := max(now, late), factor)
    assert it.state(start + OPENS_S / factor + 1e-6) == "open"
