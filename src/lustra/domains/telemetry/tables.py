"""What robots say of themselves, by the second and by the minute, and what is summed of it.

Ingest and triggers write these rows, by whole statements; the classes say what there is and whose it is. The fields of
a robot's state are described once, in protocol/telemetry: here stands only what is beside them.
"""

from datetime import date, datetime
from decimal import Decimal

from sqlalchemy import Date, Float, ForeignKey, Integer, LargeBinary, Numeric, SmallInteger
from sqlalchemy.orm import Mapped, mapped_column

from lustra.core.db import Base, Ltree, Owned, Shared, Table
from lustra.domains.device.api import stamped

ROBOT = "device.id"


class RobotState(Base, kw_only=True):
    """The newest state of a robot, with each field of protocol/telemetry. `at`, `run_since`: ms of the robot's
    clock.
    """

    __tablename__ = "robot_state"
    root = Owned()
    topics = ("state", "floor")

    robot: Mapped[int] = mapped_column(Integer, ForeignKey(ROBOT, ondelete="CASCADE"), primary_key=True)
    at: Mapped[int]
    run_since: Mapped[int]
    run_battery: Mapped[float] = mapped_column(Float)
    run_liquid: Mapped[float | None] = mapped_column(Float)
    mode_since: Mapped[int]
    clock_off: Mapped[int]


class Presence(Base, kw_only=True):
    """Whether a robot is connected. `off_at`: ms of the server's clock at which its last words ended it."""

    __tablename__ = "presence"
    root = Owned()
    topics = ("state",)

    robot: Mapped[int] = mapped_column(Integer, ForeignKey(ROBOT, ondelete="CASCADE"), primary_key=True)
    online: Mapped[bool]
    since: Mapped[datetime]
    reason: Mapped[str]
    last_at: Mapped[datetime | None] = mapped_column("heard")
    off_at: Mapped[int]


class RobotRefusal(Base, kw_only=True):
    """The newest message of a robot, or field of a state, that was not stored. `reference`: id of the message, or `at`
    of the state."""

    __tablename__ = "robot_refusal"
    root = Owned()
    topics = ("refusal",)

    robot: Mapped[int] = mapped_column(Integer, ForeignKey(ROBOT, ondelete="CASCADE"), primary_key=True)
    at: Mapped[datetime]
    kind: Mapped[str]
    reference: Mapped[str]
    field: Mapped[str]
    reason: Mapped[str]


class OnlineSpan(Base, kw_only=True):
    """From when until when a robot was connected; `ended` None: it still is."""

    __tablename__ = "online_span"
    root = Owned()

    robot: Mapped[int] = mapped_column(Integer, ForeignKey(ROBOT, ondelete="CASCADE"), primary_key=True)
    began: Mapped[datetime] = mapped_column(primary_key=True)
    ended: Mapped[datetime | None]


class OnlineDay(Base, kw_only=True):
    """Seconds for which a robot was connected on a day of its site, summed by triggers as spans end."""

    __tablename__ = "online_day"
    root = Owned(stamped)

    device_id: Mapped[int] = mapped_column(ForeignKey("device.id", ondelete="CASCADE"), primary_key=True)
    day: Mapped[date] = mapped_column(Date, primary_key=True)
    owner_id: Mapped[int] = mapped_column(ForeignKey("account.id"), primary_key=True)
    owner_path: Mapped[str] = mapped_column(Ltree)
    seconds: Mapped[Decimal] = mapped_column(Numeric)


class RobotNeed(Base, kw_only=True):
    """What sorts the list of robots, kept by triggers. `need`: place of its mode in the order, 0 first."""

    __tablename__ = "robot_need"
    root = Owned()

    robot: Mapped[int] = mapped_column(Integer, ForeignKey(ROBOT, ondelete="CASCADE"), primary_key=True)
    owner_path: Mapped[str] = mapped_column(Ltree)
    name: Mapped[str]
    online: Mapped[bool]
    mode: Mapped[str]
    help: Mapped[bool]
    need: Mapped[int] = mapped_column(SmallInteger)


class NeedCount(Base, kw_only=True):
    """How many robots of an owner have which need: several rows of one are added up, and made one each minute."""

    __tablename__ = "need_count"
    root = Owned()

    owner_path: Mapped[str] = mapped_column(Ltree, primary_key=True)
    need: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    n: Mapped[int] = mapped_column(Integer)


class Point(Base, kw_only=True):
    """A state of the last hours, of each slot the newest, with the fields of protocol/telemetry that have a scale."""

    __tablename__ = "point"
    root = Owned()

    robot: Mapped[int] = mapped_column(Integer, primary_key=True)
    slot: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[int]


class Chunk(Base, kw_only=True):
    """Points of a minute, or of the ten that begin with it, packed (chunk_codec). `minute`: minutes since 1970."""

    __tablename__ = "chunk"
    root = Owned()

    robot: Mapped[int] = mapped_column(Integer, primary_key=True)
    minute: Mapped[int] = mapped_column(Integer, primary_key=True)
    data: Mapped[bytes] = mapped_column(LargeBinary)


class Compaction(Base, kw_only=True):
    """Up to which minute a robot's chunks are of ten minutes, and up to which these are coarse."""

    __tablename__ = "compaction"
    root = Owned()

    robot: Mapped[int] = mapped_column(Integer, ForeignKey(ROBOT, ondelete="CASCADE"), primary_key=True)
    until: Mapped[int] = mapped_column(Integer)
    coarse_until: Mapped[int] = mapped_column(Integer)


class LateMinute(Base, kw_only=True):
    """A minute that was packed before all its points had come. `minute`: minutes since 1970."""

    __tablename__ = "late_minute"
    root = Owned()

    robot: Mapped[int] = mapped_column(Integer, ForeignKey(ROBOT, ondelete="CASCADE"), primary_key=True)
    minute: Mapped[int] = mapped_column(Integer, primary_key=True)


class PackedUntil(Base, kw_only=True):
    """One row: up to which slot points are packed, and up to which a point that comes is late. `claimed_until`: until
    when the ingest that packs is taken to be alive."""

    __tablename__ = "packed_until"
    root = Shared

    single: Mapped[bool] = mapped_column("one", primary_key=True)
    slot: Mapped[int]
    late_until: Mapped[int]
    claimed_until: Mapped[datetime]


class AreaHour(Base, kw_only=True):
    """Square metres that a robot cleaned in an hour, for the owner of then."""

    __tablename__ = "area_hour"
    root = Owned()

    robot: Mapped[int] = mapped_column(Integer, ForeignKey(ROBOT, ondelete="CASCADE"), primary_key=True)
    hour: Mapped[datetime] = mapped_column(primary_key=True)
    owner_id: Mapped[int] = mapped_column(ForeignKey("account.id"), primary_key=True)
    owner_path: Mapped[str] = mapped_column(Ltree)
    area: Mapped[float]


class HistoryDay(Base, kw_only=True):
    """A day whose past the demo has made for a robot."""

    __tablename__ = "history_day"
    root = Owned()
    topics = ("history",)

    robot: Mapped[int] = mapped_column(Integer, ForeignKey(ROBOT, ondelete="CASCADE"), primary_key=True)
    day: Mapped[date] = mapped_column(Date, primary_key=True)
    is_written: Mapped[bool] = mapped_column("made")


class WorkReset(Table):
    """Work is counted from here on. `area`, `seconds`, `count`: what was counted until then; `in_hour`: m² of the hour
    before the reset."""

    __tablename__ = "work_reset"
    root = Owned()

    device_id: Mapped[int] = mapped_column(ForeignKey("device.id", ondelete="CASCADE"))
    owner_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    by_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    reason: Mapped[str]
    hash: Mapped[str]
    area: Mapped[float]
    seconds: Mapped[float]
    count: Mapped[int]
    in_hour: Mapped[float]


class StreamPosition(Base, kw_only=True):
    """How far a stream of the bus is stored: all messages up to `sequence`. `consumer`: "STATE ingest-3"."""

    __tablename__ = "stream_position"
    root = Shared

    consumer: Mapped[str] = mapped_column(primary_key=True)
    sequence: Mapped[int]
