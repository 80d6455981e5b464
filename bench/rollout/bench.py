"""Roll-outs to thousands of robots. Update clients without motion, by hawkBit's device API: all of them start cold, so
many a second, and each asks, says what it is, fetches its package and reports its end. Robots that are asked over the
bus: at most so many a minute, and none any more once too many have refused. BENCH_CLIENTS, BENCH_STAGED: how many;
BENCH_MINUTES: whole minutes that the rate is watched.

Floor of the same run: an answer that the server is ready, asked while nothing else is.
"""

import asyncio
import hashlib
import io
import json
import os
import random
import sys
import time
import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
import asyncpg
import nats
from nats.aio.client import Client
from nats.aio.msg import Msg

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from figures import SHORT, percentile, print_figure, times_ms
from products import started

from lustra.protocol import bus, subjects
from tests.product.running import Console, Product, until

CLIENTS = 10 if SHORT else int(os.environ.get("BENCH_CLIENTS", "5000"))
PER_SECOND = 10 if SHORT else 200
READY = 20
CONNECTIONS = 200
PATIENCE = aiohttp.ClientTimeout(total=60.0)
OK = 200
PACKAGE = 64 << 10
STAGED = 20 if SHORT else int(os.environ.get("BENCH_STAGED", "10000"))
PER_MINUTE = 1000
MINUTES = int(os.environ.get("BENCH_MINUTES", "3"))
MINUTE_S = 60
EARLY_S = 20
STOPPING = 20 if SHORT else 2000
STOP_SHARE = 10  # %
AT_ONCE = 100  # robots that are asked side by side
PATIENCE_S = 60.0

ROBOTS = """
insert into device (serial_number, name, type_id, owner_id, owner_path)
select $1 || lpad(n::text, 6, '0'), 'Update ' || n, (select min(id) from device_type), a.id, a.path
from generate_series(1, $2::int) n join account a on a.account = 'user'"""
TOKENS = """
insert into update_token (device_id, digest)
select id, encode(sha256(convert_to('token ' || serial_number, 'utf8')), 'hex') from device
where serial_number like $1 || '______'"""

# Heard in a day from now, so that nobody takes them to be silent.
ONLINE = """
update presence p set online = true, heard = now() + interval '1 day' from device d
where d.id = p.robot and d.serial_number like $1 || '______'"""


@dataclass
class Times:
    requests: list[float] = field(default_factory=list[float])  # ms
    failed: int = 0


async def ask(times: Times, http: aiohttp.ClientSession, method: str, url: str, **more: Any) -> bytes | None:
    began = time.perf_counter()
    try:
        async with http.request(method, url, **more) as answer:
            content = await answer.read()
    except (aiohttp.ClientError, TimeoutError) as why:
        sys.stderr.write(f"{method} {url}: {why!r}\n")
        times.failed += 1
        return None
    times.requests.append((time.perf_counter() - began) * 1000)
    if answer.status != OK:
        sys.stderr.write(f"{method} {url}: {answer.status}\n")
        times.failed += 1
        return None
    return content


async def update(times: Times, http: aiohttp.ClientSession, sn: str) -> None:
    """A whole update, from the first question to the report of its end."""
    more: dict[str, Any] = {"headers": {"authorization": f"TargetToken token {sn}"}}
    base = f"/api/ddi/DEFAULT/controller/v1/{sn}"
    answer = await ask(times, http, "GET", base, **more)
    links = json.loads(answer)["_links"] if answer else {}
    if "configData" in links:
        await ask(times, http, "PUT", f"{base}/configData", json={"mode": "merge", "data": {"hw": "1"}}, **more)
    if "deploymentBase" not in links:
        times.failed += 1
        return
    answer = await ask(times, http, "GET", links["deploymentBase"]["href"], **more)
    if answer is None:
        return
    deployment = json.loads(answer)
    (chunk,) = deployment["deployment"]["chunks"]
    (artifact,) = chunk["artifacts"]
    package = await ask(times, http, "GET", artifact["_links"]["download"]["href"])
    good = package is not None and hashlib.sha256(package).hexdigest() == artifact["hashes"]["sha256"]
    status = {"execution": "closed", "result": {"finished": "success" if good else "failure"}, "details": []}
    feedback = {"id": deployment["id"], "status": status}
    await ask(times, http, "POST", f"{base}/deploymentBase/{deployment['id']}/feedback", json=feedback, **more)
    times.failed += not good


async def begin(console: Console, db: asyncpg.Connection, letter: str, robots: int, **plan: int) -> int:
    """A roll-out to so many new robots, who are prepared by then."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("image", random.Random(1).randbytes(PACKAGE))
    name = f"{letter}.zip"
    await console.form("/oss/upload", [("file", (name, content.getvalue()))])
    type_id = await db.fetchval("select min(id) from device_type")
    line = await console("/version/insertVersion", typeName=f"Bench {letter}", typeId=type_id)
    build = await console(
        "/version/insertVersionPublic", versionId=line["versionId"], name=letter, version="9.9.9", file=name
    )
    serials = [f"{letter}{number:06}" for number in range(1, robots + 1)]
    await console("/version/updateVersionTypeAndPublish", **line, **build, deviceSerialNumbers=serials)
    return (await console("/version/startRollout", **build, **plan))["id"]


@dataclass
class Fleet:
    """When each robot was asked over the bus, by its serial number; all answer the same."""

    answer: bytes
    at: dict[str, float] = field(default_factory=dict[str, float])

    async def receive(self, message: Msg) -> None:
        self.at.setdefault(subjects.serial_of(message.subject), time.time())
        await message.respond(self.answer)


def count_in(fleet: Fleet, minute: int) -> int:
    return sum(int(at // MINUTE_S) == minute for at in fleet.at.values())


async def measure_staged(link: Client, console: Console, db: asyncpg.Connection) -> None:
    """How many are asked in whole minutes of the clock."""
    await db.execute(ROBOTS, "S", STAGED)
    await db.execute(ONLINE, "S")
    fleet = Fleet(b'{"code": 0}')
    ear = await link.subscribe(bus.cmd("*", "update"), cb=fleet.receive)
    if not SHORT and time.time() % MINUTE_S > EARLY_S:  # what is asked in its first minute shall not last into the next
        await asyncio.sleep(MINUTE_S - time.time() % MINUTE_S)
    await begin(console, db, "S", STAGED, perMinute=PER_MINUTE)
    if SHORT:

        async def have_all_answered() -> bool:
            return len(fleet.at) == STAGED

        await until(have_all_answered, "all robots are asked", patience_s=PATIENCE_S)
        print_figure("robots asked", len(fleet.at), "robots")
    else:
        first = int(time.time() // MINUTE_S) + 1
        await asyncio.sleep((first + MINUTES) * MINUTE_S + 1 - time.time())
        counts = [count_in(fleet, minute) for minute in range(first, first + MINUTES)]
        worst = max(abs(count - PER_MINUTE) / PER_MINUTE * 100 for count in counts)
        print_figure("robots asked in a minute, off its rate", worst, "%", limit=5)
    await ear.unsubscribe()
    await db.execute("update rollout set state = 'cancelled' where state = 'running'")


async def measure_stop(link: Client, console: Console, db: asyncpg.Connection) -> None:
    """How many are asked after the share of those that failed is reached."""
    await db.execute(ROBOTS, "F", STOPPING)
    await db.execute(ONLINE, "F")
    fleet = Fleet(b'{"code": 1, "reason": "robot_failed"}')
    ear = await link.subscribe(bus.cmd("*", "update"), cb=fleet.receive)
    rollout = await begin(console, db, "F", STOPPING, failureShare=STOP_SHARE)

    async def is_paused() -> bool:
        return await db.fetchval("select state from rollout where id = $1", rollout) == "paused"

    await until(is_paused, "it has stopped", patience_s=PATIENCE_S)
    await ear.unsubscribe()
    beyond = len(fleet.at) - STOPPING * STOP_SHARE // 100
    print_figure("robots asked beyond the share that stops it", max(0, beyond), "robots", limit=AT_ONCE)


async def measure_cold(product: Product, console: Console, db: asyncpg.Connection) -> None:
    await db.execute(ROBOTS, "U", CLIENTS)
    await db.execute(TOKENS, "U")
    await begin(console, db, "U", CLIENTS)
    await db.execute("analyze device, update_token")  # which nobody has all at once

    async def is_ready() -> None:
        (await console.http.get("/readyz")).raise_for_status()

    floors = await times_ms(is_ready, READY, warm=2)
    times, links = Times(), aiohttp.TCPConnector(limit=CONNECTIONS)
    address = f"http://127.0.0.1:{product.port}"
    async with (
        aiohttp.ClientSession(address, connector=links, timeout=PATIENCE) as http,
        asyncio.TaskGroup() as group,
    ):
        began = time.perf_counter()
        for number in range(1, CLIENTS + 1):
            group.create_task(update(times, http, f"U{number:06}"))
            await asyncio.sleep(max(0.0, began + number / PER_SECOND - time.perf_counter()))
    took = time.perf_counter() - began
    print_figure("updates that failed of a cold start", times.failed, "", limit=0)
    print_figure(
        "request of an update client in a cold start, p99",
        percentile(times.requests, 0.99),
        "ms",
        worst=max(times.requests),
        floor=percentile(floors, 0.99),
        floor_name="an answer that the server is ready",
        limit=1000,
    )
    print_figure("update clients served", CLIENTS / took, "a second")


async def measure(product: Product) -> None:
    db = await asyncpg.connect(product.run["postgres"])
    async with product.console("admin") as console:
        await measure_cold(product, console, db)
        link = await nats.connect(product.run["nats"])
        await measure_stop(link, console, db)
        await measure_staged(link, console, db)
        await link.close()
    await db.close()


if __name__ == "__main__":
    with started("--robots", "1") as running:
        asyncio.run(measure(running))
