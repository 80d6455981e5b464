"""A Zabbix server over a PostgreSQL of our wheels, set as for our own product: five numeric items of each host, that
take what is sent to them (trapper items)."""

import asyncio
import contextlib
import gzip
import json
import os
import signal
import struct
import tempfile
import time
from collections.abc import AsyncIterator, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import asyncpg
from install import Zabbix, library_path

from lustra.stack import place, programs
from lustra.stack.postgres import Postgres
from lustra.stack.supervise import Supervisor

HOST = place.LOOPBACK
PASSWORD = "bench"
HEADER = b"ZBXD\x01"
BATCH = 50  # messages a connection, which its own sender joins too
SETTINGS = """LogType=console
ListenIP={host}
ListenPort={port}
DBHost={host}
DBPort={database}
DBName=zabbix
DBUser=lustra
DBPassword={password}
PidFile={folder}/server.pid
SocketDir={folder}
AllowRoot=1
AllowUnsupportedDBVersions=1
CacheSize=256M
HistoryCacheSize=256M
HistoryIndexCacheSize=64M
TrendCacheSize=128M
ValueCacheSize=128M
StartTrappers=8
StartPollers=1
StartPingers=0
StartDiscoverers=0
StartHTTPPollers=0
"""
HOSTS = """
insert into hosts (hostid, host, name, status, description)
select 100000 + n, 'robot-' || n, 'robot-' || n, 0, '' from generate_series(1, $1) n"""
ITEMS = """
insert into items (itemid, type, hostid, name, key_, history, trends, value_type, params, description, posts, headers)
select 1000000 + n * 10 + v, 2, 100000 + n, 'value ' || v, 'value' || v, '7d', '0', 0, '', '', '', ''
from generate_series(1, $1) n, generate_series(1, 5) v"""
RUNTIME = "insert into item_rtdata (itemid) select itemid from items where itemid > 1000000 on conflict do nothing"
COUNT = "select count(*) from history where itemid > 1000000 and clock >= $1"
NEWEST = "select count(*) from history where itemid = $1 and clock = $2 and ns = $3"


@dataclass
class Server:
    zabbix: Zabbix
    settings: Path
    folder: Path
    port: int
    database: asyncpg.Connection
    process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        for left in self.folder.glob("*.sock"):  # of one that was killed; it does not start over them
            left.unlink()
        command = [str(self.zabbix.program), "-f", "-c", str(self.settings)]
        environ = library_path(self.zabbix)
        with (self.folder / "zabbix.log").open("ab") as log:
            self.process = await asyncio.create_subprocess_exec(
                *command, stdout=log, stderr=log, env=environ, start_new_session=True
            )
        end = time.monotonic() + 60
        while True:
            try:
                if (await self.send([(1, 0, 0, (0.0,) * 5)]))["info"].startswith("processed: 5;"):
                    break
            except OSError:
                pass
            if time.monotonic() > end:
                raise RuntimeError((self.folder / "zabbix.log").read_text()[-2000:])
            await asyncio.sleep(0.2)

    async def kill(self) -> None:
        """All its processes at once."""
        assert self.process is not None
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        await self.process.wait()

    async def send(self, messages: Iterable[tuple[int, int, int, tuple[float, ...]]]) -> dict[str, Any]:
        """Of robots, by number, at a time in seconds and ns. Gives its answer."""
        values = [
            {"host": f"robot-{number}", "key": f"value{place}", "value": str(value), "clock": clock, "ns": ns}
            for number, clock, ns, values in messages
            for place, value in enumerate(values, 1)
        ]
        data = json.dumps({"request": "sender data", "data": values}).encode()
        reader, writer = await asyncio.open_connection(HOST, self.port)
        try:
            writer.write(HEADER + struct.pack("<Q", len(data)) + data)
            answer = await reader.read()
        finally:
            writer.close()
        if len(answer) < len(HEADER) + 8:
            raise ConnectionError("no answer")
        return json.loads(answer[len(HEADER) + 8 :])

    async def count(self, since: int) -> int:
        """Stored messages that were said since then, in seconds."""
        return (await self.database.fetchval(COUNT, since) or 0) // 5

    async def is_stored(self, number: int, clock: int, ns: int) -> bool:
        return bool(await self.database.fetchval(NEWEST, 1_000_000 + number * 10 + 5, clock, ns))


async def make_tables(dsn: str, zabbix: Zabbix, robots: int) -> asyncpg.Connection:
    link = await asyncpg.connect(dsn)
    await link.execute("CREATE DATABASE zabbix")
    await link.close()
    link = await asyncpg.connect(dsn.rsplit("/", 1)[0] + "/zabbix")
    for name in ("schema", "images", "data"):
        await link.execute(gzip.decompress((zabbix.tables / f"{name}.sql.gz").read_bytes()).decode())
    await link.execute(HOSTS, robots)
    await link.execute(ITEMS, robots)
    await link.execute(RUNTIME)
    return link


@contextlib.contextmanager
def readable_folder() -> Iterator[Path]:
    """PostgreSQL's user must reach it."""
    with tempfile.TemporaryDirectory(prefix="lustra-zabbix-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


@contextlib.asynccontextmanager
async def running(zabbix: Zabbix, robots: int) -> AsyncIterator[Server]:
    with readable_folder() as folder:
        uid, as_user = place.child_user()
        ports = place.free_ports(HOST, 2)
        postgres = Postgres(programs.find(folder, as_user).postgres, folder, ports[0], PASSWORD, uid, as_user)
        postgres.prepare()
        supervisor = Supervisor(folder / "log", print)
        await supervisor.start(postgres.service())
        settings = folder / "zabbix.conf"
        settings.write_text(
            SETTINGS.format(host=HOST, port=ports[1], database=ports[0], password=PASSWORD, folder=folder)
        )
        settings.chmod(0o600)
        server = Server(zabbix, settings, folder, ports[1], await make_tables(postgres.dsn, zabbix, robots))
        try:
            await server.start()
            yield server
        finally:
            if server.process:
                await server.kill()
            await server.database.close()
            await supervisor.stop()
