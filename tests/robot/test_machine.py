"""A run from start to dock: what it cleans, uses and reports; pause, stop, low battery, faults, factor."""

import math
from dataclasses import dataclass, field
from itertools import pairwise, permutations
from typing import Any, get_args

import numpy as np
import pytest

from lustra.protocol.bus import FaultName, Flag, Report
from lustra.protocol.masks import pack_mask, unpack_mask
from lustra.protocol.payloads.tasks import Task
from lustra.protocol.refusals import RobotRefusal
from lustra.robot import plan_cache
from lustra.robot.maps.floor import Floor
from lustra.robot.navigation.lidar import ranges
from lustra.robot.simulation import goals
from lustra.robot.simulation.activity import Charging, Cleaning, Driving, Hold, Idle
from lustra.robot.simulation.body import Environment
from lustra.robot.simulation.faults import FAULTS
from lustra.robot.simulation.machine import Machine
from lustra.robot.updates.update_orders import FAILS, LOSES_POWER
from tests.robot.conftest import TASK, hall


@dataclass
class Bench:
    """A machine under a clock of its own."""

    floor: Floor = field(default_factory=hall)
    reports: list[Report] = field(default_factory=list)
    now: float = 1_000_000.0

    def __post_init__(self):
        self.machine = Machine("SC0001", self.reports.append, environment=Environment(plan_cache.lattice))
        self.machine.load(self.floor, int(self.now))

    def start(self, **changed: object) -> None:
        task = Task.model_validate(TASK | changed)
        request = plan_cache.PlanRequest(self.floor, tuple(task.areas[0].points), task.start or (0, 0), task.way)
        plan = plan_cache.shared_plan(request)
        self.machine.start(task, self.floor, plan, int(self.now))

    def go(self, seconds: float, step: float = 0.1) -> None:
        for _ in range(round(seconds / step)):
            self.now += step * 1000
            self.machine.step(int(self.now), step)

    def until(self, so: Any, step: float = 0.1, most_s: float = 4 * 3600) -> float:
        passed = 0.0
        while not so():
            assert passed < most_s
            self.go(step, step)
            passed += step
        return passed


@pytest.fixture
def bench() -> Bench:
    return Bench()


def whole_run(step: float, factor: float = 1.0) -> tuple[Bench, Report]:
    bench = Bench()
    bench.machine.factor = factor
    bench.start()
    bench.until(lambda: bench.reports, step)
    return bench, bench.reports[0]


@pytest.mark.spec("state.robot_run", "state.robot_run.idle", "state.robot_run.t01", "call.relay.task.task_start")
def test_a_run_cleans_the_area_reports_it_and_docks(bench: Bench):
    bench.start()
    assert bench.machine.mode == "moving"
    bench.until(lambda: bench.machine.mode == "cleaning")
    bench.until(lambda: bench.reports)
    report = bench.reports[0]
    assert report.end == "finished"
    assert report.coverage >= 0.95
    assert report.battery_to < report.battery_from
    assert report.liquid_ml > 0
    assert report.distance > 0
    assert report.ended - report.started > 10_000
    bench.until(lambda: bench.machine.mode == "charging")
    assert math.dist(bench.machine.pose.xy, (-0.4, -0.4)) < 0.01
    before = bench.machine.battery
    bench.go(60)
    assert bench.machine.battery > before


def test_the_reports_cleaned_area_is_that_of_its_painted_cells(bench: Bench):
    _, report = whole_run(0.1)
    assert report.cells is not None
    painted = unpack_mask(report.cells, bench.floor.grid.shape)
    assert painted.sum() * 0.05**2 == pytest.approx(report.cleaned, rel=0.01)
    assert not (painted & bench.floor.blocked).any()


def test_coarse_steps_and_a_factor_clean_the_same_cells():
    """What is swept does not depend on how often anybody looks."""
    fine, coarse, fast = (whole_run(step, factor) for step, factor in ((0.1, 1.0), (1.0, 1.0), (0.25, 20.0)))
    for _, report in (coarse, fast):
        assert report.cleaned == pytest.approx(fine[1].cleaned, rel=0.002)
        assert report.distance == pytest.approx(fine[1].distance, rel=0.01)
        assert report.liquid_ml == pytest.approx(fine[1].liquid_ml, rel=0.01)
    true_s = (fine[1].ended - fine[1].started) / 1000
    fast_s = (fast[1].ended - fast[1].started) / 1000
    assert fast_s == pytest.approx(true_s / 20, abs=0.25)
    assert fast[1].factor == 20
    assert fast[1].battery_from - fast[1].battery_to == pytest.approx(
        fine[1].battery_from - fine[1].battery_to, abs=0.2
    )


@pytest.mark.spec(
    "feat.robot_actions",
    "state.robot_run.t02",
    "state.robot_run.t03",
    "call.relay.task.task_pause",
    "call.relay.task.task_resume",
)
def test_a_pause_stops_it_and_resuming_leaves_the_same_covered_set(bench: Bench):
    bench.start()
    bench.until(lambda: bench.machine.mode == "cleaning")
    bench.go(5)
    bench.machine.pause()
    bench.go(2)
    assert bench.machine.mode == "paused"
    at, cells = bench.machine.pose.xy, bench.machine.run.cells
    bench.go(30)
    assert bench.machine.pose.xy == at
    assert bench.machine.run.cells == cells
    bench.machine.resume()
    bench.until(lambda: bench.reports)
    report, (_, plain) = bench.reports[0], whole_run(0.1)
    assert report.pauses == 1
    assert report.paused_s == pytest.approx(32, abs=0.5)
    assert report.cleaned == pytest.approx(plain.cleaned, rel=0.01)


@pytest.mark.spec(
    "const.cleaning_modes",
    "state.device_mode",
    "state.device_mode.carpet",
    "state.device_mode.quiet",
    "state.device_mode.t08",
    "state.device_mode.t09",
)
@pytest.mark.parametrize("clean_mode", ["carpet", "quiet"])
def test_beside_its_mode_it_says_what_it_cleans_with(bench: Bench, clean_mode: str):
    def modes() -> tuple[str, str]:
        state = bench.machine.state(1)
        return state.mode, state.clean_mode

    assert modes() == ("charging", "")
    bench.start()
    bench.until(lambda: bench.machine.mode == "cleaning")
    assert modes() == ("cleaning", "clean")
    bench.machine.cancel(int(bench.now))  # the next task is of another mode
    bench.start(clean_mode=clean_mode)
    bench.until(lambda: bench.machine.mode == "cleaning")
    assert modes() == ("cleaning", clean_mode)
    bench.machine.pause()
    bench.go(2)
    assert modes() == ("paused", clean_mode)
    bench.machine.cancel(int(bench.now))
    bench.go(2)
    assert modes() == ("idle", "")


@pytest.mark.spec("state.robot_run.t07")
def test_end_for_good_a_run_that_is_cancelled_while_paused(bench: Bench):
    bench.start()
    bench.until(lambda: bench.machine.mode == "cleaning")
    bench.machine.pause()
    bench.go(2)
    assert bench.machine.mode == "paused"
    bench.machine.cancel(int(bench.now))
    bench.go(2)
    assert (bench.machine.mode, bench.machine.run, [report.end for report in bench.reports]) == (
        "idle",
        None,
        ["cancelled"],
    )


def test_braking_and_starting_keep_to_the_acceleration(bench: Bench):
    bench.start()
    bench.until(lambda: bench.machine.speed > 0.45)
    bench.machine.pause()
    speeds = []
    for _ in range(12):
        bench.go(0.1)
        speeds.append(bench.machine.speed)
    assert speeds[0] > 0.2
    assert speeds[-1] == 0
    assert all(a >= b for a, b in pairwise(speeds))


@pytest.mark.spec(
    "state.device_mode.emergency_stop",
    "state.device_mode.t03",
    "state.device_mode.t04",
    "state.robot_run.emergency_stopped",
    "state.robot_run.t10",
    "err.robot.0x0535",
    "banner.emergency_stop",
    "call.relay.common.robot_safe",
)
def test_the_emergency_stop_holds_it_and_released_it_waits_paused(bench: Bench):
    bench.start()
    bench.until(lambda: bench.machine.mode == "cleaning")
    bench.machine.stop(pressed=True)
    bench.go(2)
    state = bench.machine.state(1)
    assert (state.mode, state.speed, "emergency_stop" in state.banners) == ("emergency", 0, True)
    with pytest.raises(RobotRefusal) as no:
        bench.machine.resume()
    assert no.value.code == 0x0535
    bench.machine.stop(pressed=False)
    bench.go(2)
    assert bench.machine.mode == "paused"
    bench.machine.resume()
    bench.go(2)
    assert bench.machine.mode == "cleaning"


@pytest.mark.spec("banner.map_not_selected", "banner.low_battery", "banner.disinfectant_level")
def test_report_a_missing_map_low_charge_and_low_disinfectant(bench: Bench):
    machine = bench.machine
    machine.place(2.0, 2.0, 0.0, charging=False)  # at the charger it is never low

    def shown() -> list[str]:
        return list(machine.state(1).banners)

    for battery, liquid, banners in (
        (20.0, 10.0, []),
        (19.9, 10.0, ["low_battery"]),
        (20.0, 9.9, ["disinfectant_level"]),
        (19.9, 9.9, ["low_battery", "disinfectant_level"]),
    ):
        machine.battery, machine.liquid = battery, liquid
        assert shown() == banners
    machine.battery, machine.liquid, machine.floor = 50.0, 50.0, None
    assert shown() == ["map_not_selected"]


@pytest.mark.spec("state.device_charging")
def test_a_low_battery_sends_it_to_the_charger_and_it_goes_on_after(bench: Bench):
    bench.start()
    bench.until(lambda: bench.machine.run.t > 10)
    bench.machine.battery = 14.0
    bench.go(0.2)
    assert bench.machine.mode == "moving"
    bench.until(lambda: bench.machine.mode == "charging")
    run = bench.machine.run
    assert run is not None
    bench.until(lambda: bench.machine.battery > 89, step=1.0)
    bench.until(lambda: bench.reports)
    report, (_, plain) = bench.reports[0], whole_run(0.1)
    assert report.id == run.id
    assert report.cleaned == pytest.approx(plain.cleaned, rel=0.01)


def test_disinfectant_is_used_counted_per_cell_and_filled_up_at_the_charger(bench: Bench):
    bench.machine.liquid = 50.0
    bench.start()
    bench.until(lambda: bench.machine.cleaning and bench.machine.run.t > 20)
    run = bench.machine.run
    assert run.dose.sum() == pytest.approx(run.liquid_ml, rel=1e-3)
    assert bench.machine.liquid == pytest.approx(50 - run.liquid_ml / 100, abs=0.01)
    bench.machine.liquid = 1.0
    bench.until(lambda: bench.machine.mode == "charging")
    bench.until(lambda: bench.machine.liquid > 89, step=1.0)


@pytest.mark.spec(
    "state.robot_run.returning_to_charge",
    "state.robot_run.t08",
    "state.robot_run.t09",
    "call.relay.common.go_home",
    "call.relay.common.cancel_go_home",
)
def test_go_home_leaves_a_run_paused_and_resuming_takes_it_up(bench: Bench):
    bench.start()
    bench.until(lambda: bench.machine.cleaning and bench.machine.run.t > 10)
    bench.machine.go_home()
    bench.go(3)
    assert bench.machine.speed > 0
    bench.until(lambda: bench.machine.charging)
    bench.machine.resume()
    bench.until(lambda: bench.reports)
    assert bench.reports[0].end == "finished"
    bench.go(1)
    bench.machine.go_home()
    bench.machine.cancel_home()
    bench.go(2)
    assert bench.machine.mode == "idle"


def test_without_a_charger_it_says_so_and_stays_after_a_run():
    bench = Bench(hall(dock=False))
    with pytest.raises(RobotRefusal) as no:
        bench.machine.go_home()
    assert no.value.reason == "map_no_charger"
    bench.start()
    bench.until(lambda: bench.reports)
    bench.go(2)
    assert bench.machine.mode == "idle"


@pytest.mark.parametrize("name", FAULTS)
def test_every_fault_shows_and_goes_again(bench: Bench, name: str):
    bench.start()
    bench.until(lambda: bench.machine.mode == "cleaning")
    bench.machine.fault(name, on=True)
    bench.go(2)
    state, fault = bench.machine.state(1), FAULTS[name]
    assert state.help == fault.help
    assert fault.banner is None or fault.banner in state.banners
    if fault.stops or fault.pauses:
        assert state.speed == 0
    assert state.paused_by == fault.pauses
    assert name in bench.machine.run.faults
    bench.machine.fault(name, on=False)
    assert bench.machine.state(1).help == ""


@pytest.mark.parametrize(("first", "second"), [*permutations([Hold.EMERGENCY, Hold.BRAKE, Hold.MOTOR_LINE], 2)])
def test_stay_held_while_another_hold_remains(bench: Bench, first: Hold, second: Hold):
    machine = bench.machine
    machine.travel(goals.to_point(machine, 2.0, 2.0, None, 0.5), "rest")
    machine.set_hold(first, on=True)
    machine.set_hold(second, on=True)
    bench.go(2)
    machine.set_hold(first, on=False)
    bench.go(1)
    assert (machine.speed, machine.mode) == (0, "emergency" if second == Hold.EMERGENCY else "moving")
    machine.set_hold(second, on=False)
    bench.go(1)
    assert machine.speed > 0


def test_do_a_single_activity_at_a_time(bench: Bench):
    machine = bench.machine
    assert machine.activity == Charging()
    bench.start()
    assert isinstance(machine.activity, Driving)
    bench.until(lambda: machine.activity == Cleaning(machine.run))
    machine.go_home()
    assert isinstance(machine.activity, Driving)
    machine.cancel_home()
    assert machine.activity == Cleaning(machine.run)
    machine.cancel(int(bench.now))
    assert machine.activity == Idle()
    machine.drive_home()
    bench.until(lambda: machine.activity == Charging())


def test_another_map_ends_the_run_as_cancelled(bench: Bench):
    bench.start()
    bench.until(lambda: bench.machine.mode == "cleaning")
    bench.machine.load(hall(5, 5, "other"), int(bench.now))
    assert bench.reports[0].end == "cancelled"
    assert bench.machine.run is None


def test_the_faults_that_can_be_asked_for_are_those_that_there_are():
    assert set(get_args(FaultName)) == {*FAULTS, *FAILS, *LOSES_POWER}


def test_of_two_chargers_it_takes_its_own():
    floor = hall()
    floor.flags = [*floor.flags, Flag(name="B", type="charging", x=6.4, y=4.4, yaw=math.pi)]
    bench = Bench(floor)
    bench.machine.place(6.4, 4.4, 0.0, charging=True)
    bench.start()
    bench.until(lambda: bench.reports)
    bench.until(lambda: bench.machine.charging)
    assert math.dist(bench.machine.pose.xy, (6.4, 4.4)) < 0.01


def test_the_reported_pose_is_noisy_but_near(bench: Bench):
    off = []
    bench.start()
    for _ in range(200):
        bench.go(0.1)
        state = bench.machine.state(1)
        off.append(math.dist((state.x, state.y), bench.machine.pose.xy))
    assert 0 < np.mean(off) < 0.03
    assert max(off) < 0.1


def test_lidar_sees_the_walls_where_they_are():
    floor = hall()
    seen = ranges(floor, 1.0, 2.0, 0.3)
    angles = 0.3 - math.pi + np.arange(360) * math.radians(1)
    for angle, far in zip(angles, seen, strict=True):
        expected = next(
            d
            for d in np.arange(0, 12, 0.005)
            if floor.blocked[
                math.floor((3.0 + d * math.sin(angle)) / 0.05), math.floor((2.0 + d * math.cos(angle)) / 0.05)
            ]
        )
        assert far == pytest.approx(expected, abs=0.06)


def test_masks_survive_packing():
    dice = np.random.default_rng(1)
    mask = np.zeros((40, 61), bool)
    mask[7:31, 11:50] = dice.random((24, 39)) < 0.4
    assert np.array_equal(unpack_mask(pack_mask(mask), mask.shape), mask)
    assert not unpack_mask(pack_mask(np.zeros((5, 5), bool)), (5, 5)).any()
