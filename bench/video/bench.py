"""Live pictures of the virtual robot: how soon the first one is there, what seven viewers more cost the robot that
encodes and the process that passes on, and how soon a player that seeks in an hour's recording has what it asked for.

Floor of the seek: the same bytes, read from the file.
"""

import asyncio
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import psutil

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from figures import SHORT, percentile, print_figure, time_ms
from glass import measure_glass
from products import started

from lustra.video.mp4 import Fragment, Init, Reader
from lustra.video.recording import RecordingFile, finish
from tests.product.running import Console, Product, until
from tests.video.browser import watching_by_webrtc

CAMERA = "front"
TRIES = 1 if SHORT else 10
SETTLE_S = 0.2 if SHORT else 2.0
END_S = 0.2 if SHORT else 1.0  # for a robot to end its line
CPU_S = 0.3 if SHORT else 20.0
HOUR_S = 60 if SHORT else 3600
SEEKS = 5 if SHORT else 100
SEEN = 12 if SHORT else 40  # pictures that the hour is made of
VIEWERS = 2 if SHORT else 8
PLACE = "video/bench.mp4"
RECORD = """
insert into video_record (owner_id, owner_path, device_id, camera, name, began_at, ended_at, size, place)
select owner_id, owner_path, id, $2, 'hour.mp4', now() - interval '1 hour', now(), $3, $4
from device where serial_number = $1"""


class Viewer:
    """One who watches and looks at nothing."""

    def __init__(self, http: httpx.AsyncClient, url: str) -> None:
        self.http, self.url = http, url
        self.reader, self.fragments = Reader(), list[Fragment]()

    async def watch(self, pictures: int = 0) -> None:
        """So many pictures; none: for as long as its task lives."""
        async with self.http.stream("GET", self.url) as answer:
            answer.raise_for_status()
            async for part in answer.aiter_bytes():
                fragments = self.reader.feed(part)
                self.fragments += fragments if pictures else []
                if pictures and len(self.fragments) >= pictures:
                    return


async def start(console: Console, sn: str) -> str:
    return (await console("/qiniuQvs/startStream", deviceSerialNumber=sn, camera=CAMERA))["url"]


async def find_robot(console: Console) -> str:
    """One that is online and has cameras."""

    async def look() -> str:
        devices = await console.devices()
        return next((sn for sn, row in devices.items() if row["mode"] != "offline"), "")

    return await until(look, "a robot is online")


async def wait_for_pictures(console: Console, http: httpx.AsyncClient, sn: str) -> None:
    """The product is ready before its video process is."""

    async def look() -> bool:
        await Viewer(http, await start(console, sn)).watch(1)
        return True

    await until(look, "the camera sends pictures")
    await console("/qiniuQvs/stopStream", deviceSerialNumber=sn)
    await asyncio.sleep(END_S)


async def measure_first_picture(console: Console, http: httpx.AsyncClient, sn: str) -> None:
    """From the press until it has come, of a camera that was off."""
    times: list[float] = []
    for _ in range(TRIES):

        async def see() -> None:
            await Viewer(http, await start(console, sn)).watch(1)

        times.append(await time_ms(see))
        await console("/qiniuQvs/stopStream", deviceSerialNumber=sn)
        await asyncio.sleep(END_S)
    print_figure("first picture of a camera", percentile(times, 0.5), "ms", limit=500, worst=round(max(times), 1))


def process_at(url: str) -> psutil.Process:
    """What listens there."""
    port = urlsplit(url).port
    listening = (each for each in psutil.net_connections("tcp") if each.laddr and each.laddr.port == port)
    return psutil.Process(next(each.pid for each in listening if each.status == psutil.CONN_LISTEN and each.pid))


def fleet_of(over: Product) -> psutil.Process:
    """What encodes."""
    words = ("robot", "--fleet", str(over.folder / "fleet.json"))
    return next(each for each in psutil.process_iter(["cmdline"]) if {*words} <= {*(each.info["cmdline"] or ())})


async def cpu_share(processes: Sequence[psutil.Process]) -> float:
    """Of a core, all together."""

    def used() -> float:
        return sum(sum(process.cpu_times()[:2]) for process in processes)

    before, began = used(), time.perf_counter()
    await asyncio.sleep(CPU_S)
    return (used() - before) / (time.perf_counter() - began)


async def watch_by_webrtc(console: Console, http: httpx.AsyncClient, sn: str) -> None:
    opening = await console("/qiniuQvs/startStream", deviceSerialNumber=sn, camera=CAMERA)
    async with watching_by_webrtc(http, opening["whepUrl"]) as viewer:
        await viewer.end(None)


async def watch_by_http(console: Console, http: httpx.AsyncClient, sn: str) -> None:
    await Viewer(http, await start(console, sn)).watch()


async def measure_viewers(over: Product, console: Console, http: httpx.AsyncClient, sn: str, way: str) -> None:
    shares: list[float] = []
    processes = [process_at(await start(console, sn)), fleet_of(over)]
    watching: list[asyncio.Task[None]] = []
    watch = watch_by_http if way == "HTTP" else watch_by_webrtc
    for viewers in (1, VIEWERS):
        while len(watching) < viewers:
            watching.append(asyncio.create_task(watch(console, http, sn)))
        await asyncio.sleep(SETTLE_S)
        shares.append(await cpu_share(processes))
    for task in watching:
        task.cancel()
    await asyncio.gather(*watching, return_exceptions=True)
    alone, together = shares
    print_figure(
        f"CPU of {VIEWERS} viewers of one camera by {way}, as a share of that of one",
        together / max(alone, 0.001),
        "times",
        limit=1.5,
        floor=round(alone * 100, 2),
        floor_name="of one, % of a core",
    )


def write_hour(path: Path, init: Init, fragments: list[Fragment]) -> None:
    """What was seen, again and again."""
    first = next(place for place, each in enumerate(fragments) if each.key)
    seen = fragments[first:]
    length = seen[-1].time - seen[0].time + init.ticks // 12
    file = RecordingFile(path, init)
    for turn in range(HOUR_S * init.ticks // length):
        for each in seen:
            data = each.moved(-turn * length)
            file.write(Fragment(data, each.key, each.time + turn * length, each.time_at, each.time_size))
    file.close()
    finish(path)


async def measure_seek(over: Product, console: Console, http: httpx.AsyncClient, sn: str, folder: Path) -> None:
    viewer = Viewer(http, await start(console, sn))
    await viewer.watch(SEEN)
    path = folder / "hour.mp4"
    if viewer.reader.init is None:
        raise SystemExit("no picture came")
    await asyncio.to_thread(write_hour, path, viewer.reader.init, viewer.fragments)
    data = path.read_bytes()
    objects = next(over.folder.glob("**/objects"))
    (objects / PLACE).parent.mkdir(parents=True, exist_ok=True)
    (objects / PLACE).write_bytes(data)
    async with over.database() as db:
        await db.execute(RECORD, sn, CAMERA, len(data), PLACE)
    rows = (await console("/qiniuQvs/recordList", deviceSerialNumber=sn))["list"]
    url = next(row["url"] for row in rows if row["name"] == "hour.mp4")
    group = sum(len(each.data) for each in viewer.fragments) // 4
    chance, times, floors = random.Random(7), list[float](), list[float]()

    for _ in range(SEEKS):
        at = chance.randrange(len(data) - group)

        async def seek(at: int = at) -> None:
            answer = await http.get(url, headers={"range": f"bytes={at}-{at + group - 1}"})
            if len(answer.content) != group:
                raise SystemExit(f"{answer.status_code}: not the part that was asked for")

        times.append(await time_ms(seek))
        began = time.perf_counter()
        with path.open("rb") as file:
            file.seek(at)
            file.read(group)
        floors.append((time.perf_counter() - began) * 1000)
    print_figure(
        f"seek in a recording of {HOUR_S // 60} min",
        percentile(times, 0.5),
        "ms",
        limit=300,
        worst=round(max(times), 1),
        floor=round(percentile(floors, 0.5), 3),
        floor_name="the same bytes from the file",
    )


async def measure(over: Product, folder: Path) -> None:
    async with over.console("user") as console, httpx.AsyncClient(timeout=30) as http:
        sn = await find_robot(console)
        await wait_for_pictures(console, http, sn)
        await measure_first_picture(console, http, sn)
        for way in ("HTTP", "WebRTC"):
            await measure_viewers(over, console, http, sn, way)
        await measure_seek(over, console, http, sn, folder)
        await console("/qiniuQvs/stopStream", deviceSerialNumber=sn)
        await measure_glass(over, sn)


if __name__ == "__main__":
    with started("--robots", "1") as over, tempfile.TemporaryDirectory() as temporary:
        asyncio.run(measure(over, Path(temporary)))
