"""What robots say and hear on the bus: payloads, each once. Their subjects stand in subjects.py.

Every payload carries `v` (its version) and `at`: the robot's clock in ms, max(now, last + 1), never used twice by one
robot over all its messages. Every version ever released stays readable (tests/wire keeps samples). JSON, UTF-8.
m, rad, m/s, %, ml, m²; poses in the map frame, y up.
"""

import base64
import zlib
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from lustra.protocol import subjects
from lustra.protocol.hours import Hours
from lustra.protocol.telemetry import Payload

# Subjects are named together with their payloads: `bus.state(sn)` carries a `bus.State`.
alarm = subjects.alarm
answer, cmd, event, lift = subjects.answer, subjects.cmd, subjects.event, subjects.lift
leaf_state, live, report = subjects.leaf_state, subjects.live, subjects.report
state, tunnel = subjects.state, subjects.tunnel

LARGEST_INLINE = 64 * 1024  # bytes; larger contents go by signed URL to the object endpoint

End = Literal["finished", "cancelled", "interrupted", "failed"]
AlarmKind = Literal["raised", "cleared", "snapshot"]
EventKind = Literal[
    "map",
    "task",
    "map_loaded",
    "power",
    "group",
    "schedule",
    "occurrence",
    "map_sync",
    "commands",
    "files",
    "file_upload",
    "backup",
    "restore",
    "update",
    "tablet",
    "adverts",
]


Name = Annotated[str, Meta(min_length=1, max_length=64)]


class Mask(msgspec.Struct, kw_only=True):
    """Cells of a map's grid that are set: bits, row by row from the lowest row, each row padded to a byte, most
    significant bit first (numpy.packbits), zlib, base64. `column` and `row` place its lower left cell in the grid."""

    width: Annotated[int, Meta(description="Cells from left to right.")]
    height: Annotated[int, Meta(description="Cells from the lowest row to the highest.")]
    data: Annotated[str, Meta(description="The bits, zlib, base64.")]
    column: Annotated[int, Meta(description="Column of the map's grid that its lower left cell lies in.")] = 0
    row: Annotated[int, Meta(description="Row of the map's grid that its lower left cell lies in, from below.")] = 0

    def bits(self) -> bytes:
        """Raises ValueError where the data is not what the size says, without unpacking more than that."""
        size = self.height * -(-self.width // 8)
        unpacker = zlib.decompressobj()
        try:
            bits = unpacker.decompress(base64.b64decode(self.data), size + 1)
        except zlib.error as why:
            raise ValueError(str(why)) from why
        if len(bits) != size:
            raise ValueError(f"{len(bits)} bytes, not {size}")
        return bits

    @classmethod
    def pack(cls, width: int, height: int, bits: bytes, column: int = 0, row: int = 0) -> "Mask":
        data = base64.b64encode(zlib.compress(bits, 6)).decode()
        return cls(width=width, height=height, data=data, column=column, row=row)


class Lidar(Payload):
    """One scan: ray i goes to `yaw` + `first` + i * `step`; a range of 0 is no echo. Pose of the sensor in the map."""

    x: Annotated[float, Meta(description="Of the sensor in the map, m.")]
    y: Annotated[float, Meta(description="Of the sensor in the map, m.")]
    yaw: Annotated[float, Meta(description="Where the sensor looks, rad.")]
    first: Annotated[float, Meta(description="Angle of the first ray from there, rad.")]
    step: Annotated[float, Meta(description="From ray to ray, rad.")]
    ranges: Annotated[list[float], Meta(description="Of each ray, m; 0: no echo.")]


class Path(Payload):
    """What lies ahead of the robot, and what it drove in this run (thinned). Flat lists x0, y0, x1, y1 …"""

    run: Annotated[str, Meta(description="Id of the run; empty: none is under way.")]
    ahead: Annotated[list[float], Meta(description="Points that it will drive through, m: x0, y0, x1, y1 …")]
    driven: Annotated[list[float], Meta(description="Points that it drove through in this run, thinned, m: x0, y0 …")]


class Cells(Payload):
    """Cleaned cells of a run. `full` replaces all that was sent; else `spans` adds runs of cells: flat list of row,
    first column, length. `seq` grows by one; who misses one asks for a full picture by watching anew."""

    run: Annotated[str, Meta(description="Id of the run.")]
    seq: Annotated[int, Meta(description="Grows by 1 with each of a run.")]
    full: Annotated[Mask | None, Meta(description="All cleaned cells; null: `spans` are added to those before.")] = None
    spans: Annotated[list[int], Meta(description="Cells that were added: row, first column, length, and so on.")] = (
        msgspec.field(default_factory=list[int])
    )


class Report(Payload):
    """A finished run. `id` is the run's id; unique, so it counts once. `reachable` are the m² of the planned area that
    the tool can reach; `coverage` = cleaned / reachable (0 to 1). `factor` as State.simulated. `gid`: the same in all
    reports of one run of a group or schedule; empty: the task ran alone. `missed`: cells that the tool can reach and
    that were not cleaned; `unreachable`: free cells of the area that it cannot reach; from them the console says what
    was not cleaned, and why."""

    id: str
    task: str
    map: str
    map_revision: int
    started: int
    ended: int
    end: End
    planned: float
    reachable: float
    cleaned: float
    coverage: float
    battery_from: float
    battery_to: float
    liquid_ml: float
    distance: float
    pauses: int
    paused_s: float
    cells: Mask | None = None
    driven: list[float] = msgspec.field(default_factory=list[float])
    clean_mode: str = "clean"
    route: str = "bow"
    speed: str = "middle"
    faults: list[str] = msgspec.field(default_factory=list[str])
    factor: float = 0.0
    gid: str = ""
    missed: Mask | None = None
    unreachable: Mask | None = None


class Event(Payload):
    """Something that the robot owns has changed. `content` is the whole new state of it: a MapContent, a Task, a
    TaskGroup, a TimeTask or ElevatorTimeTask with `kind` and `zone`, an Occurrence … or null where it is `deleted` or
    larger than LARGEST_INLINE (then `size` and `sha256` are set and the server asks for it with cmd.send). Names: of a
    task "map/task", of a schedule "kind/name", of an occurrence "kind/name/start"; `was`: the former name of a map. For
    `power`: name is "on" or "off", content {"reason": …}. For `map_sync`: name is the order's number, content a
    Taken. For `commands`: no name, content a CommandList. For `files`: name is the kind, content a FileList. For
    `file_upload`: name is "kind/number", content a FileProgress. For `backup`, `restore` and `update`: name is the
    order's number, content a BackupProgress, a RestoreProgress and an UpdateProgress. For `tablet`: name is the part of
    it, content a TabletProgress. For `adverts`: name is "plan", content an AdvertProgress, or "shown", content
    AdvertCounts."""

    id: str
    kind: EventKind
    name: str
    revision: int = 0
    content: Any = None
    deleted: bool = False
    size: int = 0
    sha256: str = ""
    was: str = ""


class CommandList(msgspec.Struct, kw_only=True):
    """Which commands of the local API a robot has, by their names; with `abilities` also what it can do. It takes the
    place of what was known."""

    commands: Annotated[list[Name], Meta(min_length=1, max_length=300)]
    abilities: Annotated[list[Name], Meta(max_length=20)] | msgspec.UnsetType = msgspec.UNSET


class OpenAlarm(msgspec.Struct, kw_only=True):
    """Something that is wrong with the robot. `id`: the robot's own, another one each time that it begins. `code`: a
    fault code or a message key of the catalogue, or the robot's own word. `since`: ms of the robot's clock. `level`: 1
    information, 2 minor, 3 major, 4 critical; 0: that of the code's setting. `detail`: for people, as it is."""

    id: Name
    code: Name
    since: Annotated[int, Meta(gt=0)]
    level: Annotated[int, Meta(ge=0, le=4)] = 0
    detail: Annotated[str, Meta(max_length=1000)] = ""


class Alarm(Payload):
    """What is wrong with the robot: `raised`, these began; `cleared`, the causes of these are gone at `at`; `snapshot`,
    these are open and no others: said after each log-in. `id` is the message's, which a receipt names."""

    id: Name
    kind: AlarmKind
    alarms: Annotated[list[OpenAlarm], Meta(max_length=100)]


class Flag(msgspec.Struct, kw_only=True):
    """`id` here and below: what editors know the element by; it stays with it through every change."""

    name: str
    type: Literal["charging", "stop", "elevator", "other"]
    x: float
    y: float
    yaw: float = 0.0
    id: str = ""


class Zone(msgspec.Struct, kw_only=True):
    """`hours`: a forbidden zone is forbidden in them alone, a free area is closed in them; left out without.
    `private`: of a zone or an area in which no camera sends pictures; left out elsewhere (docs/video.md)."""

    points: list[tuple[float, float]]
    name: str = ""
    id: str = ""
    hours: Hours | msgspec.UnsetType = msgspec.UNSET
    private: bool | msgspec.UnsetType = msgspec.UNSET


class Eraser(Zone, kw_only=True):
    """A stroke of so many metres under which the floor is free, whatever the grid says: noise of the lidar."""

    width: float


class MapContent(msgspec.Struct, kw_only=True):
    """A floor map. `grid` is a grey PNG in base64 (first row is the top): 254 free, 0 occupied, 205 unknown.
    `origin` is the pose of the grid's lower left corner (x, y, yaw), as in map_server. In its `hours` no task begins or
    goes on; left out without."""

    name: str
    resolution: float
    width: int
    height: int
    origin: tuple[float, float, float]
    grid: str
    building: str = ""
    floor: str = ""
    virtual_walls: list[Zone] = msgspec.field(default_factory=list[Zone])
    forbidden_zones: list[Zone] = msgspec.field(default_factory=list[Zone])
    free_areas: list[Zone] = msgspec.field(default_factory=list[Zone])
    flags: list[Flag] = msgspec.field(default_factory=list[Flag])
    erasers: list[Eraser] = msgspec.field(default_factory=list[Eraser])
    hours: Hours | msgspec.UnsetType = msgspec.UNSET


Schedule = Literal["timetask", "elevator_timetask"]
Turn = Literal["waiting", "charging", "running", "done", "forced_end", "cancelled", "interrupted", "missed"]


class Unit(msgspec.Struct, kw_only=True):
    """One task of an occurrence. `run` is the id of its report; a unit that could not begin has a `reason` instead."""

    map: str
    task: str
    run: str = ""
    reason: str = ""


class Occurrence(msgspec.Struct, kw_only=True):
    """What became of one occurrence of a schedule: sent each time that it changes. `day` is its local date, `start` and
    `end` (its forced end, 0 without) are ms. `reason` says why it was missed or broken off."""

    kind: Schedule
    schedule: str
    day: str
    start: int
    state: Turn
    end: int = 0
    reason: str = ""
    units: list[Unit] = msgspec.field(default_factory=list[Unit])


# Commands of the server to a robot: robots.<sn>.cmd.<name>, request and reply {"code": 0, "msg": ""}.


class Watch(msgspec.Struct, kw_only=True):
    """Somebody looks: send state at 10 Hz and the live subjects for so many seconds; `full` asks for all cells anew."""

    seconds: float
    detail: bool = True
    full: bool = False


class Control(msgspec.Struct, kw_only=True):
    """The newest control lock: lower numbers are refused. `until` in ms; 0 and an empty owner: free."""

    number: int
    owner: str
    until: int


class Receipt(msgspec.Struct, kw_only=True, omit_defaults=True):
    """Receipt: these reports and events (by id) and states (by `at`) are committed and may be forgotten. Receipts of
    states come together, some seconds after the commit."""

    ids: list[str]
    states: list[int] = msgspec.field(default_factory=list[int])


class Refused(msgspec.Struct, kw_only=True, omit_defaults=True):
    """What was not stored: of a report or an event the `id`, of a state or what has no id the `at`. `field`: path of
    what is wrong; empty: the message as a whole.

    A report or an event is taken whole or not at all. `content_missing`: its content was asked for again and again and
    did not come, or the server failed at it; say it again after the next log-in. With any other reason it never can be
    stored: forget it. Of a state what is right is stored, and `cmd.kept` names it as usual; where `at` itself cannot be
    read nothing of it is, and `at` is 0. The same flaw of states is said once a minute. `no_room`: its owner holds as
    much as it may."""

    reason: Literal[
        "unreadable", "missing", "wrong_type", "out_of_range", "unknown_value", "no_room", "content_missing"
    ]
    id: str = ""
    at: int = 0
    field: str = ""


class Simulate(msgspec.Struct, kw_only=True):
    factor: float


# What can go wrong with a virtual robot; robot/simulation/faults says what follows.
FaultName = Literal[
    "stuck",
    "lost",
    "low_battery",
    "low_liquid",
    "serial",
    "0x0205",
    "0x0534",
    "0x0535",
    "0x0536",
    "0x0470",
    "0x0471",
    "0x0472",
    "0x0473",
    "0x0610",
    "0x0612",
    "0x0614",
    "0x0616",
    "odometer",
    "imu",
    "lidar",
    "depth_camera",
    "path_error",
    "path_not_solved",
    "p2p_path",
    "elevator_task",
    "way_home",
    "door_stuck",
    "network_abnormal",
    "map_load_failed",
    "map_beyond_border",
    "map_building",
    "low_positioning_accuracy",
    "update_downloading",
    "update_verifying",
    "update_installing",
    "update_restarting",
    "power_downloading",
    "power_verifying",
    "power_installing",
    "power_restarting",
]


class Fault(msgspec.Struct, kw_only=True):
    """`name`: one of FaultName; a robot refuses another in its own words."""

    name: str
    on: bool = True


class Send(msgspec.Struct, kw_only=True):
    """Put the content of that event to the signed URL."""

    id: str
    url: str


class Erase(msgspec.Struct, kw_only=True):
    """The robot goes to another owner: end what runs, forget maps, tasks and recordings, and say nothing of each. What
    was to be told of before is still told. The answer carries `at`, the robot's clock then; the same `number` again
    erases nothing more and is answered with the same `at`."""

    number: int


class Password(msgspec.Struct, kw_only=True):
    """The password of the robot's own system from now on."""

    number: int
    password: str


class Home(msgspec.Struct, kw_only=True):
    """End what you do and drive to your charger, over elevators too. Refused where the robot may not drive by itself; a
    robot at its charger has nothing to do."""


class Pause(msgspec.Struct, kw_only=True):
    """Pause your task, whoever has control. Refused where no task runs; one that is paused already stays so."""


class Notification(msgspec.Struct, kw_only=True):
    """Show this on your own screen, and say it where your voice is on: what is wrong with you, in the `language` of
    your owner. The same `id` again is the same notification. Levels as of an alarm. The answer carries `spoken`."""

    id: str
    code: str
    level: int
    title: str
    text: str
    language: str


RideStep = Literal["ask", "inside", "left", "cancel"]
RidePhase = Literal["waiting", "reserved", "coming", "open", "boarded", "moving", "arrived", "ended"]


# The wire says "lift" (robots.<sn>.lift, liftName), and so do tables and settings; elsewhere it is an elevator.
class ElevatorWish(Payload):
    """A robot wants to ride, in a ride that it has named; it says so every 2 s until the ride has ended. `step`: it
    asks and stands before the door, it is inside, it has left, or it no longer wants to. `origin` and `target` are the
    floors of its maps, `building` theirs; a robot that woke up inside a lift knows no origin. `lift`: the code of
    the one that its schedule names, which it waits for if that serves both floors. `simulated` as State."""

    ride: str
    step: RideStep
    target: str
    origin: str = ""
    building: str = ""
    lift: str = ""
    simulated: float = 0.0


class ElevatorOffer(msgspec.Struct, kw_only=True):
    """How a ride stands: sent after each request, and when it changes. It boards when the phase is `open` and leaves
    when it is `arrived`. `lift` is the lift's name, which its point on the map bears; `ahead`: how many ride before. An
    ended ride has a `reason`: "done", or why not."""

    ride: str
    phase: RidePhase
    lift: str = ""
    floor: str = ""
    ahead: int = 0
    reason: str = ""


class TakeMap(msgspec.Struct, kw_only=True):
    """Take the bundle at the signed URL in as your map of that name. The same `number` again carries a
    fresh URL and asks how far it is: the answer is a Taken. `revision`: of the robot's map of that name as the server
    knows it (0: none); a robot whose map has gone on since refuses, unless it may `replace` that. `drop`: take it no
    more. Size and checksum are the bundle's."""

    number: int
    name: str
    url: str = ""
    size: int = 0
    sha256: str = ""
    revision: int = 0
    replace: bool = False
    drop: bool = False


class Taken(msgspec.Struct, kw_only=True):
    """How far a robot is with a map that it takes in: `loading` it, `whole` (all bytes are there; `reason` says what
    it waits for), `received`, `failed` with a reason of the catalogue, or `dropped`. `have`: bytes that it has.
    `revision`: of its map, once it is received."""

    number: int
    state: Literal["loading", "whole", "received", "failed", "dropped"]
    have: int = 0
    reason: str = ""
    revision: int = 0


def encode(payload: msgspec.Struct) -> bytes:
    return msgspec.json.encode(payload)
