"""The demo's robots: three buildings in three countries, both generations, owned by two dealers' customers."""

from dataclasses import dataclass
from itertools import cycle


@dataclass(frozen=True, slots=True)
class Site:
    building: str
    customer: str
    area: str
    zone: str
    latitude: float
    longitude: float


@dataclass(frozen=True, slots=True)
class Type:
    name: str
    description: str
    abilities: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """A schedule by the robot's own clock; `rooms` of its floor; `end`: the forced one; `elevator`: by which it goes
    to the other floors instead."""

    name: str
    start: str
    rooms: tuple[int, ...] = (0,)
    days: tuple[int, ...] = (1, 2, 3, 4, 5, 6, 7)
    end: str = ""
    elevator: str = ""


@dataclass(frozen=True, slots=True)
class Robot:
    sn: str
    name: str
    type: Type
    site: Site
    floor: str
    owner: str
    protocol: int = 3
    bus: str = "nats"
    tunnel: str = "asyncssh"
    task: bool = True
    off: bool = False
    emergency: bool = False
    rides: bool = False
    webrtc: bool = False
    battery: int = 80
    week: tuple[Plan, ...] = ()


HOTEL = Site("Kestrel Quay Hotel", "Kestrel Hotels", "GB", "Europe/London", 51.5033, -0.0195)
CLINIC = Site("St. Orla Clinic", "Orla Health", "IE", "Europe/Dublin", 53.3421, -6.2675)
MALL = Site("Jade Gate Mall", "Jade Gate", "CN", "Asia/Shanghai", 31.2304, 121.4737)

SCRUB = Type("Scrub 50", "Scrubs hard floors", ("clean", "scrub"))
CARPET = Type("Carpet 30", "Vacuums carpets", ("clean", "carpet"))
MIST = Type("Mist 20", "Disinfects with mist", ("clean", "disinfect"))
TYPES = (SCRUB, CARPET, MIST)

WORKDAYS = (1, 2, 3, 4, 5)
WEEKEND = (6, 7)
EVERY_OTHER = (1, 3, 5)
LOBBY = (
    Plan("Early clean", "06:00", (0, 1)),
    Plan("Day clean", "13:30", (2,), WORKDAYS),
    Plan("Night round", "22:00", (0, 1, 2), end="01:30"),
)
HALLS = "Lift halls on Sunday"  # two robots want the same elevator: the calendar shows it
SPA = (
    Plan("Lobby", "05:00", (0,), EVERY_OTHER),
    Plan("Late round", "23:30", (1,)),
    Plan(HALLS, "22:10", days=(7,), elevator="KQ-B"),
)
GUESTS_A = (Plan("Guest floor", "10:30", (0, 1)), Plan(HALLS, "22:12", days=(7,), elevator="KQ-B"))
GUESTS_B = (
    Plan("Guest floor", "13:50", (1,)),
    Plan("Corridor", "22:10", (0,), (1, 3, 5, 7)),
    Plan("Suites", "22:12", (2,), (7,)),  # too soon after the corridor: the calendar shows it
)
THIRD = (Plan("Guest floor 3", "14:05", (0,)), Plan("Banquet", "21:00", (1,), WEEKEND))
WARDS = (Plan("Wards", "05:30", (0, 1), end="06:45"), Plan("Evening", "20:15", (2,), WORKDAYS))
SHOPS = (Plan("Before opening", "07:30", (0, 1)), Plan("After closing", "22:30", (2, 3)))

ROBOTS = (
    Robot("SC0001", "Kestrel L1-A", SCRUB, HOTEL, "floor 1", "user", tunnel="ssh", battery=92, week=LOBBY),
    Robot(
        "SC0002",
        "Kestrel L1-B",
        SCRUB,
        HOTEL,
        "floor 1",
        "user",
        task=False,
        rides=True,
        webrtc=True,
        battery=34,
        week=SPA,
    ),
    Robot("SC0003", "Kestrel L2-A", CARPET, HOTEL, "floor 2", "user", rides=True, battery=78, week=GUESTS_A),
    Robot(
        "SC0004", "Kestrel L2-B", CARPET, HOTEL, "floor 2", "user", protocol=2, bus="mqtt", battery=66, week=GUESTS_B
    ),
    Robot("SC0005", "Kestrel L3-A", CARPET, HOTEL, "floor 3", "user", emergency=True, battery=71, week=THIRD),
    Robot("SC0006", "Orla W3-A", MIST, CLINIC, "ward 3", "user", battery=88, week=WARDS),
    Robot("SC0007", "Orla W3-B", MIST, CLINIC, "ward 3", "sub", protocol=2, task=False, battery=100),
    Robot("SC0008", "Orla W4-A", MIST, CLINIC, "ward 4", "sub", protocol=2, off=True, battery=41),
    Robot("SC0009", "Orla W4-B", SCRUB, CLINIC, "ward 4", "sub", bus="mqtt", battery=83),
    Robot("SC0010", "Jade Gate M-01", SCRUB, MALL, "floor 1", "rivaluser", battery=90, week=SHOPS),
    Robot("SC0011", "Jade Gate M-02", SCRUB, MALL, "floor 1", "rivaluser", protocol=2, battery=57),
    Robot("SC0012", "Jade Gate M-03", MIST, MALL, "floor 1", "rivaluser", task=False, battery=22),
)
BOUND = {"SC0009": "subsub"}  # accounts that see a robot without owning it


def fleet(count: int) -> list[Robot]:
    """The first so many; beyond the known ones, the same floors get more."""
    more = cycle([robot for robot in ROBOTS if robot.task and robot.site is not MALL])
    extra = [
        Robot(
            f"SC{number:04}", f"{robot.name[:-1]}{number}", robot.type, robot.site, robot.floor, "user", robot.protocol
        )
        for number, robot in zip(range(len(ROBOTS) + 1, count + 1), more, strict=False)
    ]
    return [*ROBOTS[:count], *extra]
