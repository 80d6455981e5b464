"""Tables and how they are reached.

Every table declares its root: whose rows these are. `Owned` says how an account's scope narrows them; `Shared` rows
are catalogues, read and written by key alone. Statements on them are made by core/scope.
"""

import json
import socket
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any, ClassVar

import asyncpg
import msgspec
from asyncpg.pool import PoolConnectionProxy
from sqlalchemy import BigInteger, ColumnElement, DateTime, Identity, MetaData, Text, cast, text, type_coerce
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, async_sessionmaker, create_async_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, MappedAsDataclass, mapped_column
from sqlalchemy.types import UserDefinedType

# A plain connection, or one that a pool lends: what hot SQL is given.
Connection = asyncpg.Connection | PoolConnectionProxy
PROBE_S, PROBES = 5, 2
SILENT_S = PROBE_S * (PROBES + 1)
LINE_OPTIONS = (
    (socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1),
    (socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, PROBE_S),  # of a line on which nothing is on its way
    (socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, PROBE_S),
    (socket.IPPROTO_TCP, socket.TCP_KEEPCNT, PROBES),
    (socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, SILENT_S * 1000),  # of what was sent and not acknowledged
)


def now() -> datetime:
    return datetime.now(timezone.utc)


# Of the table's columns, or of an alias's, and a core.scope.Scope.
Narrowing = Callable[[Any, Any], ColumnElement[bool]]


@dataclass(frozen=True, slots=True)
class Owned:
    """`seen`: which rows a scope sees; `changed`: which it may change, those that it sees by default. Without either,
    the rows are asked for by a row in hand or by the system alone."""

    seen: Narrowing | None = None
    changed: Narrowing | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "changed", self.changed or self.seen)


@dataclass(frozen=True, slots=True)
class SharedRoot:
    pass


Shared = SharedRoot()


class Ltree(UserDefinedType[str]):
    """Path of labels, "1.7.42" (extension ltree). See permission.within."""

    cache_ok = True

    def get_col_spec(self, **_: Any) -> str:
        return "ltree"

    def bind_expression(self, bindvalue: Any) -> Any:
        return cast(type_coerce(bindvalue, Text()), self)


class Base(MappedAsDataclass, DeclarativeBase, kw_only=True):
    """For tables with a key of their own; `Table` below is the usual one."""

    type_annotation_map: ClassVar[dict[Any, Any]] = {
        datetime: DateTime(timezone=True),
        int: BigInteger(),
        dict[str, Any]: JSONB(),
        list[Any]: JSONB(),
    }
    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    root: ClassVar[Owned | SharedRoot]
    # What is stale once its rows changed (core/stale); a migration makes the table say so, by `tell_stale`.
    topics: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, **kwargs: Any) -> None:
        if "__tablename__" in cls.__dict__ and "root" not in cls.__dict__:
            raise TypeError(f"table {cls.__name__} does not declare its root")
        super().__init_subclass__(**kwargs)


class Table(Base, kw_only=True):
    __abstract__ = True

    id: Mapped[int] = mapped_column(Identity(), primary_key=True, init=False, sort_order=-2)
    created_at: Mapped[datetime] = mapped_column(
        default_factory=now, server_default=text("now()"), init=False, sort_order=-1
    )


async def connect(dsn: str, name: str = "lustra") -> asyncpg.Connection:
    """A link of its own; `name` is what the database calls us."""
    link = await asyncpg.connect(dsn, timeout=5, server_settings={"application_name": name})
    notice_loss(link)
    return link


def notice_loss(link: Any) -> None:
    """A database that vanished without a word (its machine, a switch, a forgotten NAT entry) is noticed after a quarter
    of a minute, also by who waits for its answer. Left alone TCP takes hours, and the transaction as long."""
    line = link._transport.get_extra_info("socket")  # noqa: SLF001  asyncpg has no other way
    for level, option, value in LINE_OPTIONS:
        line.setsockopt(level, option, value)


def engine(dsn: str, *, size: int = 8) -> AsyncEngine:
    async def create() -> asyncpg.Connection:
        """asyncpg reads the address itself: SQLAlchemy hands `sslmode` on as what no link knows."""
        return await connect(dsn)

    return create_async_engine(
        "postgresql+asyncpg://",
        async_creator=create,
        pool_size=size,
        max_overflow=size,
        hide_parameters=True,  # errors go to the log, which must not know what people entered
        pool_pre_ping=False,  # a link that broke is noticed at its first statement and answered with 503
    )


def sessions(of: AsyncEngine) -> async_sessionmaker[AsyncSession]:
    return async_sessionmaker(of, expire_on_commit=False)


async def pool(dsn: str, *, size: int = 8) -> asyncpg.Pool:
    """Plain asyncpg for hot SQL. JSON columns come and go as Python values; ltree as text."""
    return await asyncpg.create_pool(dsn, min_size=1, max_size=size, timeout=5, init=_prepare, reset=_reset)


@asynccontextmanager
async def snapshot(of: asyncpg.Pool) -> AsyncGenerator[PoolConnectionProxy]:
    """A connection in a read-only transaction that sees one moment, however many queries it makes.

    A query of nothing comes first: asyncpg prepares statements without ending the implicit transaction that PostgreSQL
    opens for that, and the level of a transaction cannot be chosen any more once something has been looked at.
    """
    async with of.acquire() as link:
        await link.execute("select")
        async with link.transaction(isolation="repeatable_read", readonly=True):
            yield link


async def commit_alone(session: AsyncSession) -> None:
    """What this transaction writes waits for no standby to confirm it, and may be lost with the database's machine: for
    notes about what must be possible also while no standby is there."""
    await session.execute(text("set local synchronous_commit = local"))


async def _reset(link: Any) -> None:
    """Nobody changes settings, listens or locks on a lent connection: asking the server to undo that costs more than
    many a query. What was cut off within a transaction is undone."""
    if link.is_in_transaction():
        await link.reset()


async def _prepare(link: Any) -> None:
    notice_loss(link)
    await link.set_type_codec("json", encoder=json.dumps, decoder=json.loads, schema="pg_catalog")
    await link.set_type_codec(
        "jsonb", encoder=_encode_jsonb, decoder=_decode_jsonb, schema="pg_catalog", format="binary"
    )


def _encode_jsonb(value: Any) -> bytes:
    """Binary, as COPY takes no other: text behind the number of its version."""
    return b"\x01" + msgspec.json.encode(value)


def _decode_jsonb(data: bytes) -> Any:
    return json.loads(data[1:])
