"""A small fleet in a database of its own, and the bus: what tests of robots, maps, reports and live data start from."""

import asyncio
import base64
import io
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import asyncpg
import msgspec
import numpy as np
import pytest
from httpx import ASGITransport, AsyncClient
from PIL import Image
from starlette.applications import Starlette

from lustra.app import opening, wiring
from lustra.core import db as core_db
from lustra.core.calls import rpc
from lustra.core.context import Services
from lustra.core.database.database_rights import INGEST
from lustra.core.db import Connection
from lustra.core.files.objects import Objects
from lustra.core.settings import Settings
from lustra.domains.account.access import support
from lustra.domains.account.credentials import sessions
from lustra.domains.account.tables import Account
from lustra.domains.map import mirror
from lustra.domains.map.reading import read_content
from lustra.protocol import bus
from lustra.protocol.telemetry import State
from tests.buses import MOST, empty_bus
from tests.copies import Copies
from tests.databases import as_role

Fleet = tuple[dict[str, int], dict[str, int]]  # ids of accounts and of devices
# Of robots: the near past, so that many states in a row are not ahead of the present.
CLOCK = count(int(time.time()) * 1000 - 3_600_000, 1000)
ROBOTS = {"SC0001": "user", "SC0002": "user", "SC0003": "sub", "SC0010": "rivaluser"}

SYNCED = """
with made as (
  insert into map_sync (owner_id, owner_path, map_id, by_id, name, revision, place, size, sha256)
  select m.owner_id, m.owner_path, m.id, m.owner_id, m.name, 1, 'syncs/0.zip', 1, '' from floor_map m
  where m.device_id = $1 returning id)
insert into map_sync_target
  (sync_id, device_id, base, replace, until, state, reason, have, revision, attempts, at, leave)
select id, $1, 0, false, now(), 'received', '', 1, 1, 1, 0, false from made returning sync_id"""


def state(at: int | None = None, **fields: Any) -> State:
    usual: dict[str, Any] = {"mode": "cleaning", "x": 1.0, "y": 2.0, "yaw": 0.5, "battery": 80.0, "liquid": 60.0}
    return State(at=next(CLOCK) if at is None else at, **usual | fields)


async def keep_map(db: Connection, objects: Objects, sn: str, event: bus.Event) -> None:
    """As ingest keeps what a robot tells of a map; read in this process."""
    read = None if event.deleted else read_content({"content": msgspec.json.encode(event.content)})
    await mirror.keep(db, objects, sn, event, read)


def report(**fields: Any) -> bus.Report:
    at = next(CLOCK)
    usual: dict[str, Any] = {
        "at": at,
        "id": f"run{at}",
        "task": "Lobby",
        "map": "Ground",
        "map_revision": 1,
        "started": at - 600_000,
        "ended": at,
        "end": "finished",
        "planned": 100.0,
        "reachable": 90.0,
        "cleaned": 81.0,
        "coverage": 0.9,
        "battery_from": 90.0,
        "battery_to": 70.0,
        "liquid_ml": 900.0,
        "distance": 200.0,
        "pauses": 0,
        "paused_s": 0.0,
    }
    return bus.Report(**usual | fields)


def drawn(name: str = "Ground", size: Any = (40, 30)) -> bus.MapContent:
    out = io.BytesIO()
    Image.fromarray(np.full((size[1], size[0]), 254, np.uint8)).save(out, "PNG")
    grid = base64.b64encode(out.getvalue()).decode()
    return bus.MapContent(
        name=name,
        resolution=0.5,
        width=size[0],
        height=size[1],
        origin=(-1, -2, 0.1),
        grid=grid,
        building="Kestrel",
        floor="1",
        flags=[bus.Flag(name="Dock", type="charging", x=1, y=2)],
    )


@dataclass
class World:
    services: Services
    accounts: dict[str, int]
    devices: dict[str, int]
    http: AsyncClient
    tokens: dict[str, str] = field(default_factory=dict)
    pool_of_ingest: asyncpg.Pool | None = None
    opening: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def pool(self) -> asyncpg.Pool:
        return self.services.pool

    async def ingest_pool(self) -> asyncpg.Pool:
        """Links of ingest's own role: what it has no right to fails here as it would in truth."""
        async with self.opening:  # of several who ask for it at once
            if self.pool_of_ingest is None:
                self.pool_of_ingest = await core_db.pool(as_role(self.services.settings.database_url, INGEST), size=6)
        return self.pool_of_ingest

    @asynccontextmanager
    async def as_ingest(self) -> AsyncIterator[Connection]:
        async with (await self.ingest_pool()).acquire() as db:
            yield db

    async def token(self, account: str) -> str:
        if account not in self.tokens:
            async with self.services.sessions.begin() as db:
                row = await db.get_one(Account, self.accounts[account])
                token = sessions.create_session(db, row, "en", "127.0.0.1")[1]
            self.tokens[account] = token  # committed: a call beside this one may use it
        return self.tokens[account]

    async def post(self, account: str, path: str, /, **payload: Any) -> Any:
        token = await self.token(account)
        return await self.http.post(f"/api{path}", json=payload, headers={"token": token})

    async def raw(self, account: str, path: str, /, **payload: Any) -> tuple[int, Any]:
        answer = (await self.post(account, path, **payload)).json()
        return answer["message"]["code"], answer["data"]

    async def call(self, account: str, path: str, /, **payload: Any) -> Any:
        code, data = await self.raw(account, path, **payload)
        assert code == 0, (code, data)
        return data

    async def online(self, *sns: str) -> None:
        await self.pool.execute(
            "update presence p set online = true, heard = now(), reason = '' from device d"
            " where d.id = p.robot and d.serial_number = any($1)",
            list(sns),
        )


async def until(condition: Callable[[], Awaitable[Any]], seconds: float = 20.0) -> Any:
    """Waits for a condition, never for a time."""
    end = time.monotonic() + seconds
    while True:
        if value := await condition():
            return value
        assert time.monotonic() < end, "waited in vain"
        await asyncio.sleep(0.05)


def forget_logins(services: Services, *, revoked: bool = False) -> None:
    """As after REMEMBER_S: each token is looked for in the database again."""
    logins = services.logins
    assert isinstance(logins, sessions.Logins)
    logins.cache.clear()
    if revoked:
        logins.revoked.clear()


async def put_fleet(link: asyncpg.Connection) -> Fleet:
    accounts: dict[str, int] = dict(await link.fetch("select account, id from account"))
    kind = await link.fetchval("insert into device_type (name) values ('Scrubber') returning id")
    devices: dict[str, Any] = {
        sn: await link.fetchval(
            "with made as (insert into device (serial_number, name, type_id, owner_id, owner_path, address, address1,"
            " area, zone, protocol, frp_port) select $1, $2, $3, id, path, 'Kestrel Quay Hotel', 'Ground', 'GB',"
            " 'Europe/London', 3, $4 from account where id = $5 returning id),"
            " c as (insert into device_credential (device_id, password, ssh_key) select id, 'hash', 'key' from made)"
            " select id from made",
            sn,
            f"Robot {sn[-2:]} 机器",
            kind,
            20_000 + place,
            accounts[owner],
        )
        for place, (sn, owner) in enumerate(ROBOTS.items(), 1)
    }
    return accounts, devices


@asynccontextmanager
async def open_world(
    fleet_copies: tuple[Copies, Fleet], folder: Path, nats_url: str, **more: Any
) -> AsyncIterator[World]:
    """Over a bus of its own or the tests'; `more`: settings."""
    copies, (accounts, devices) = fleet_copies
    with copies.lend() as dsn:
        settings = Settings(
            database_url=dsn,
            nats_url=nats_url,
            objects_url=f"file://{folder}/objects",
            secret="secret",
            data=str(folder),
            relay_url="http://127.0.0.1:9",
            grant_key="11" * 32,
            offline_after_s=1.0,
            stream_bytes=MOST,
            demo=True,
            check_answers="refuse",
            **more,
        )
        wiring.wire()
        async with opening.opened(settings, "test") as services:
            await empty_bus(services.bus)
            await support.publish_all(services)
            app = Starlette(routes=[rpc.CallRoute(services)])
            async with AsyncClient(transport=ASGITransport(app), base_url="http://test") as http:
                world = World(services, dict(accounts), dict(devices), http)
                yield world
                if world.pool_of_ingest:
                    await world.pool_of_ingest.close()


@pytest.fixture
async def world(stack: Any, fleet_copies: tuple[Copies, Fleet], tmp_path: Path) -> AsyncIterator[World]:
    async with open_world(fleet_copies, tmp_path, stack.nats) as world:
        yield world
