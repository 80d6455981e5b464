"""The machine's state as a message: mode, banners, pose. The pose is what it believes, not where it is."""

import math
import shutil
import time
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from numpy.random import Generator

from lustra.protocol.bus import Lidar
from lustra.protocol.telemetry import Banner, Mode, State
from lustra.robot.maps.floor import Floor
from lustra.robot.navigation import lidar
from lustra.robot.simulation.activity import Hold
from lustra.robot.simulation.body import Body
from lustra.robot.simulation.faults import FAULTS

# % of battery and disinfectant.
WARN = 20.0
LIQUID_WARN = 10.0
DISK_S = 60  # between two looks at the disk
GB = 10**9


@lru_cache(1)
def hard_disk(_period: int) -> str:
    """Of the machine that it runs on; looked at once a period for all robots of a process."""
    usage = shutil.disk_usage(Path.cwd())
    return f"{usage.used / GB:.0f} / {usage.total / GB:.0f} GB"


def mode(m: Body) -> Mode:
    if Hold.EMERGENCY in m.holds:
        return "emergency"
    if Hold.HAND in m.holds:
        return "manual"
    if m.ride.aboard:
        return "riding"
    if m.run and m.paused and (m.halted or not m.sent):
        return "paused"
    return m.activity.mode


def own_banners(m: Body) -> list[Banner]:
    """Notices on the robot's page that come without a fault."""
    shown: dict[Banner, bool] = {
        "map_not_selected": m.floor is None and m.mapping is None and not m.ride.aboard,
        "low_battery": m.battery < WARN and not m.charging,
        "disinfectant_level": m.liquid < LIQUID_WARN,
        "manual_mode": Hold.HAND in m.holds,
        "brake": Hold.BRAKE in m.holds,
        "emergency_stop": Hold.EMERGENCY in m.holds,
        "serial_error": Hold.MOTOR_LINE in m.holds,
    }
    return [name for name, holds in shown.items() if holds]


def banners(m: Body) -> list[Banner]:
    out = own_banners(m)
    return out + [b for f in m.faults if (b := FAULTS[f].banner) and b not in out]


def uncertainty(m: Body) -> float:
    return 0.04 + 0.02 * m.rate + max((FAULTS[f].uncertainty for f in m.faults), default=0.0)


def remaining_s(m: Body) -> float:
    """Seconds until the run is done, as far as can be known."""
    if not m.run:
        return 0.0
    transit_s = m.transit.drive.seconds - m.transit.t if m.transit else 0.0
    return (transit_s + m.run.drive.seconds - m.run.t) / m.factor


def state_message(m: Body, at: int) -> State:
    run, (x, y, yaw) = m.run, m.belief.pose(*m.pose)
    levels = m.utilities.levels(cleaning=m.working)
    floor = None if m.ride.aboard == "cabin" else m.floor
    return State(
        at=at,
        mode=mode(m),
        x=round(x, 3),
        y=round(y, 3),
        yaw=round(yaw, 4),
        battery=round(m.battery, 1),
        liquid=round(m.liquid, 1),
        map=floor.name if floor else "",
        map_revision=floor.revision if floor else 0,
        speed=round(m.speed, 2),
        uncertainty=round(uncertainty(m), 3),
        task=run.task.name if run else "",
        run=run.id if run else "",
        progress=round(min(1.0, run.coverage), 4) if run else 0.0,
        cleaned=round(run.cleaned, 2) if run else 0.0,
        planned=round(run.reachable, 2) if run else 0.0,
        remaining_s=round(remaining_s(m), 1),
        total=round(m.total, 2),
        help=m.help,
        banners=list[str](banners(m)),
        simulated=m.factor,
        paused_by=m.paused_by if run else "",
        mapping=m.mapping.name if m.mapping else "",
        mapped=round(m.mapping.seen_m2, 1) if m.mapping else 0.0,
        utilities={id_: level for id_, level in levels.items() if level},
        tanks=m.tanks.named(),
        lift=m.ride.elevator,
        clean_mode=run.task.clean_mode if run else "",
        hard_disk=hard_disk(int(time.monotonic() // DISK_S)),
        software=m.software,
    )


class Sight(NamedTuple):
    """What a scan is made of: casting its rays costs more than a robot's step, so it is left to who needs them."""

    around: Floor
    pose: tuple[float, float, float]
    dice: Generator
    blind: bool

    def scan(self, at: int) -> Lidar:
        lidar_scan = lidar.scan(self.around, self.pose, at, self.dice)
        if self.blind:
            lidar_scan.ranges = [0.0] * len(lidar_scan.ranges)
        return lidar_scan


def sight(m: Body) -> Sight | None:
    """What the lidar sees from where the robot is."""
    around = m.surroundings
    blind = any(FAULTS[f].blind for f in m.faults)
    return None if around is None else Sight(around, m.pose, m.belief.rng, blind)


def scan(m: Body, at: int) -> Lidar | None:
    """What the lidar sees from where the robot is, with the pose that it believes."""
    seen = sight(m)
    if seen is None:
        return None
    x, y, yaw = m.belief.pose(*m.pose)
    lidar_scan = seen.scan(at)
    lidar_scan.x, lidar_scan.y, lidar_scan.yaw = round(x, 3), round(y, 3), round(math.remainder(yaw, 2 * math.pi), 4)
    return lidar_scan


def obstacle_ranges(m: Body) -> list[float]:
    """What stands round the robot, for sensors that do not hang on the lidar; from straight behind, to the left."""
    around = m.surroundings
    return lidar.ranges(around, *m.pose).tolist() if around else []
