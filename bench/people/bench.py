"""With 20,000 accounts: a page of the list, a level of the tree and the owners' whole tree, over HTTP to the running
product; and the CPU of a log-in.

Floors of the same run: a call that answers nothing; of the tree after a change, the tree as it was stored; one Argon2id
hash.
"""

import asyncio
import sys
import time
from pathlib import Path
from typing import Any

import psutil
from argon2 import PasswordHasher

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from figures import SHORT, Attempt, percentile, print_figure, times_ms
from products import started

from tests.product.running import Console, Product

DEALERS = 2 if SHORT else 20  # 20 + 800 + 19,200 accounts
USERS = 4 if SHORT else 40
SUBS = 2 if SHORT else 24
WARM = 1 if SHORT else 10
TIMES = 5 if SHORT else 60
LOGINS = 2 if SHORT else 20
MOST_MS = 50.0
LOGIN_CPU_MS = 30.0
MOST_CALLS = 20  # of nothing, that an answer may take
MOST_SENDS = 5  # of a tree that is stored, that a new one may take
MOST_HASHES = 2.5  # that a log-in may cost
OWNERS = "/device/selectOwnUser"
PEOPLE = """
with d as (insert into account (account, name, level, roles, password, parent_id, path)
    select 'bench' || n, 'Dealer ' || n, 2, '{16}', '', a.id, a.path from account a, generate_series(1, $1::int) n
    where a.account = 'admin' returning id, path, account),
  u as (insert into account (account, name, level, roles, password, parent_id, path)
    select d.account || 'u' || n, 'Customer ' || n, 3, '{11}', '', d.id, d.path || d.id::text
    from d, generate_series(1, $2::int) n returning id, path, account)
insert into account (account, name, level, roles, password, parent_id, path)
    select u.account || 's' || n, 'Shift ' || n, 4, '{11}', '', u.id, u.path || u.id::text
    from u, generate_series(1, $3::int) n"""


async def call_times(console: Console, path: str, before: Attempt | None = None, **payload: Any) -> list[float]:
    return await times_ms(lambda: console.http.post(f"/api{path}", json=payload), TIMES, warm=WARM, before=before)


async def lists(running: Product) -> None:
    async with running.database() as db:
        await db.execute(PEOPLE, DEALERS, USERS, SUBS)
        await db.execute("update account set path = path || id::text where account like 'bench%'")
        await db.execute("vacuum analyze account")
    async with running.console("admin") as admin:
        least = percentile(await call_times(admin, "/getLanguage"), 0.95)

        def print_times(name: str, times: list[float], floor: float, floor_name: str, most_floors: int) -> float:
            p95, worst = percentile(times, 0.95), round(max(times), 2)
            beside = {"floor": round(floor, 3), "floor_name": floor_name, "most_floors": most_floors, "limit": MOST_MS}
            print_figure(f"{name}, p95", p95, "ms", worst=worst, **beside)
            return p95

        async def print_call(name: str, path: str, **payload: Any) -> float:
            times = await call_times(admin, path, **payload)
            return print_times(name, times, least, "a call of nothing", MOST_CALLS)

        await print_call("list of accounts, first page", "/user/selectUserList", pageSize=30)
        await print_call("list of accounts, by words", "/user/selectUserList", pageSize=30, keyword="customer 7")
        await print_call("tree of accounts, one level", "/user/selectUserInfo", pageSize=30)
        stored = await print_call("owners' tree, 20,000 accounts", OWNERS)
        async with running.database() as db:

            async def change() -> None:
                await db.execute("update account set name = 'Dealer ' || gen_random_uuid() where account = 'bench1'")

            times = await call_times(admin, OWNERS, change)
            print_times("owners' tree after a change", times, stored, "the tree as it was stored", MOST_SENDS)


async def logins(running: Product) -> None:
    server = running.processes()["server"]
    hasher = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
    known = hasher.hash("Lustra-demo-1")
    began = time.process_time()
    for _ in range(LOGINS):
        hasher.verify(known, "Lustra-demo-1")
    floor = (time.process_time() - began) * 1000 / LOGINS
    before = cpu_ms(server)
    for _ in range(LOGINS):
        async with running.console("user"):
            pass
    beside = {"floor": round(floor, 2), "floor_name": "one Argon2id hash"}
    beside |= {"limit": LOGIN_CPU_MS, "most_floors": MOST_HASHES}
    print_figure("CPU of a log-in", (cpu_ms(server) - before) / LOGINS, "ms", **beside)


def cpu_ms(process: psutil.Process) -> float:
    used = process.cpu_times()
    return (used.user + used.system) * 1000


def main() -> None:
    with started("--robots", "1") as running:
        asyncio.run(lists(running))
        asyncio.run(logins(running))


if __name__ == "__main__":
    main()
