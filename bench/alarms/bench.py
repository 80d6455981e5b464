"""From a robot that raises an alarm to a screen that shows it, and what many at once, or one again and again, become.

The robots' messages go over one line to the bus, as the gate lets them through; a screen is a tab's own socket and the
call that it makes when it hears that its alarms became stale. Floor of the first figure, in the same run: that call
with nothing new.
"""

import asyncio
import itertools
import json
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import asyncpg
import nats
from nats.aio.client import Client
from nats.aio.msg import Msg
from websockets.asyncio.client import ClientConnection, connect

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from figures import SHORT, percentile, print_figure, times_ms
from products import started

from lustra.protocol import bus
from tests.flush import flush
from tests.product.running import Console, Product, until

ROBOTS = 20 if SHORT else 2000
TIMES = 3 if SHORT else 60  # of 30, a p95 is the second worst
APART_S = 0.05 if SHORT else 2.5  # alarms of people's days are no flood, of which a tab is told once a second
REPEATS = 200 if SHORT else 100_000
IN_ONE = 100  # of them in a message: as many as it may hold
BURST, PACE = 490, 5  # messages of one robot at once, and a second; ingest takes a little more
AT_ONCE = 1000  # messages before the bus is waited for
LIMIT_MS = 20.0
MOST_CALLS = 6  # as long as which it may take
LIMIT_ALL_S = 0.5
LIMIT_TAKEN_MS = 1000.0
PATIENCE_S = 600.0
NODE = "node.bench"
FLEET = """
insert into device (serial_number, name, type_id, owner_id, owner_path, address, frp_host)
select 'L' || lpad(n::text, 5, '0'), 'Alarm ' || n, (select min(id) from device_type), a.id, a.path, '', $2
from generate_series(1, $1::int) n, account a where a.account = 'dealer'"""
FLEET_IDS = "(select id from device where serial_number like 'L_____')"
# Heard from in a day, so that none falls silent while it is measured; and last heard an hour ago.
ONLINE = f"""update presence set online = true, since = now(), heard = now() + interval '1 day', reason = ''
where robot in {FLEET_IDS}"""
LOST = f"update presence set heard = now() - interval '1 hour' where robot in {FLEET_IDS}"
IDLE = """
select not exists (select from procrastinate_jobs where status in ('todo', 'doing') and queue_name = 'alarms'
  and task_name like 'alarm.%' and coalesce(scheduled_at, now()) <= now())"""
NOTICES = """
select count(*) from message m join account a on a.id = m.account_id
where a.account = 'dealer' and m.kind in ('alarm', 'reminder') and m.values ->> 'alarm' = $1"""
COUNTED = f"select count(*) from alarm where code = $1 and device_id in {FLEET_IDS}"
TIMES_COUNTED = f"select coalesce(sum(count), 0) from alarm where code = $1 and device_id in {FLEET_IDS}"
OPEN = "/warn/listUnProcess"
IDS = itertools.count()


def raised(sn: str, code: str, times: int = 1, number: str = "") -> tuple[str, bytes]:
    at = time.time_ns() // 1_000_000
    alarms = [bus.OpenAlarm(id=f"b{next(IDS)}", code=code, since=at) for _ in range(times)]
    return bus.alarm(sn), bus.encode(bus.Alarm(at=at, id=number or f"m{next(IDS)}", kind="raised", alarms=alarms))


async def publish(link: Client, messages: Sequence[tuple[str, bytes]]) -> None:
    for place, (subject, data) in enumerate(messages, 1):
        await link.publish(subject, data)
        if place % AT_ONCE == 0:
            await flush(link)
    await flush(link)


@asynccontextmanager
async def screen(over: Product, console: Console) -> AsyncIterator[ClientConnection]:
    async with connect(f"ws://127.0.0.1:{over.port}/api/live", max_size=None) as web:
        await web.send(json.dumps({"token": console.http.headers["token"]}))
        await web.send(json.dumps({"show": {"stale": True}}))
        yield web


async def hear(web: ClientConnection) -> None:
    """That alarms became stale."""
    async for text in web:
        frame = json.loads(text)
        if frame["kind"] == "stale" and "warn" in frame["topics"]:
            return


async def see(web: ClientConnection, console: Console, seen: Any) -> dict[str, Any]:
    """What is open, once it is as it should be."""
    while True:
        await hear(web)
        answer = await console(OPEN)
        if seen(answer):
            return answer


async def measure_one(link: Client, web: ClientConnection, console: Console) -> None:
    newest = (await console(OPEN))["newest"]
    times: list[float] = []
    taken: list[float] = []
    for number in range(TIMES):
        await asyncio.sleep(APART_S)
        sn, before = f"L{number % ROBOTS + 1:05}", newest
        began = time.perf_counter()
        await publish(link, [raised(sn, "stuck")])
        answer = await see(web, console, lambda row, before=before: row["newest"] > before)
        times.append((time.perf_counter() - began) * 1000)
        newest = answer["newest"]
        began = time.perf_counter()
        await console("/warn/takeWarn", deviceSerialNumber=sn, warnId=newest, on=True)
        await see(web, console, lambda row, of=newest: any(r["warnId"] == of and r["takenBy"] for r in row["list"]))
        taken.append((time.perf_counter() - began) * 1000)
    floor = percentile(await times_ms(lambda: console(OPEN), TIMES), 0.95)
    more = {"floor": round(floor, 2), "floor_name": "the call alone, p95, ms", "most_floors": MOST_CALLS}
    worst = round(max(times), 1)
    print_figure(
        "alarm of a robot to a screen, p95", percentile(times, 0.95), "ms", limit=LIMIT_MS, worst=worst, **more
    )
    worst = round(max(taken), 1)
    print_figure("taken alarm to a screen, p95", percentile(taken, 0.95), "ms", limit=LIMIT_TAKEN_MS, worst=worst)


async def measure_many(link: Client, web: ClientConnection, console: Console) -> None:
    before = (await console(OPEN))["count"]
    began = time.perf_counter()
    await publish(link, [raised(f"L{number:05}", "door_stuck") for number in range(1, ROBOTS + 1)])
    await see(web, console, lambda row: row["count"] == before + ROBOTS)
    took = time.perf_counter() - began
    print_figure("alarms of all robots to a screen", took, "s", limit=LIMIT_ALL_S)


async def count_notices(db: asyncpg.Connection, code: str) -> int:
    return await db.fetchval(NOTICES, code) or 0


async def measure_node(db: asyncpg.Connection, admin: Console) -> None:
    """Ingest sees that they are silent; everybody is notified at once: how long they wait is a setting."""
    (row,) = (await admin("/wmWarnSet/queryByPage", keyword="offline"))["list"]
    await admin("/wmWarnSet/edit", id=row["id"], notifyAfterS=0, cloud=1)
    await db.execute(LOST)

    async def all_raised() -> bool:
        return await db.fetchval(COUNTED, "offline") == ROBOTS

    await until(all_raised, "an alarm of each robot", patience_s=PATIENCE_S)
    began = time.perf_counter()
    await settle(db)
    took = time.perf_counter() - began
    await db.execute(ONLINE)
    print_figure("notices of a node that is lost", await count_notices(db, "offline"), "notices", limit=1)
    print_figure("alarms of a lost node, until all are notified of", took, "s")


async def measure_repeats(db: asyncpg.Connection, link: Client) -> None:
    """Of one robot, at once as many as it may say, and then at the pace that it may keep, until all have receipts."""
    code, sn = "lidar", "L00001"
    waiting = {f"r{n}": raised(sn, code, IN_ONE, f"r{n}") for n in range(REPEATS // IN_ONE)}

    async def forget(message: Msg) -> None:
        for number in json.loads(message.data)["ids"]:
            waiting.pop(number, None)

    receipts = await link.subscribe(bus.cmd(sn, "kept"), cb=forget)
    began = time.perf_counter()
    burst = list(waiting.values())[:BURST]
    await publish(link, burst)

    async def burst_counted() -> bool:
        return await db.fetchval(TIMES_COUNTED, code) == len(burst) * IN_ONE

    await until(burst_counted, "all repeats at once counted", patience_s=PATIENCE_S)
    took = time.perf_counter() - began
    while waiting:
        await publish(link, list(waiting.values())[:PACE])
        await asyncio.sleep(1)
    await settle(db)
    await receipts.unsubscribe()
    print_figure("repeats of one alarm", await db.fetchval(TIMES_COUNTED, code), "repeats")
    print_figure("rows of one alarm again and again", await db.fetchval(COUNTED, code), "rows", limit=1)
    print_figure("notices of one alarm again and again", await count_notices(db, code), "notices", limit=1)
    print_figure("repeats counted", len(burst) * IN_ONE / took, "1/s")


async def settle(db: asyncpg.Connection) -> None:
    await until(lambda: db.fetchval(IDLE), "all notified", patience_s=PATIENCE_S)


async def measure(over: Product) -> None:
    link = await nats.connect(over.run["nats"])
    async with over.database() as db, over.console("dealer") as dealer, over.console("admin") as admin:
        await db.execute(FLEET, ROBOTS, NODE)
        await db.execute(ONLINE)
        await measure_node(db, admin)
        async with screen(over, dealer) as web:
            await measure_one(link, web, dealer)
            await measure_many(link, web, dealer)
        await settle(db)
        await measure_repeats(db, link)
    await link.close()


if __name__ == "__main__":
    with started("--robots", "1") as over:
        asyncio.run(measure(over))
