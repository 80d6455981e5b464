"""A dealer's look comes to 1,000 robots: from the press on “Save” until each has fetched its eleven pictures, shows it
and the server knows so.

The robots are the virtual robot's own tablets over one line to the bus. Floor of the same run: the same pictures, only
fetched.
"""

import asyncio
import io
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
import msgspec
import nats
from nats.aio.client import Client
from nats.aio.msg import Msg
from PIL import Image

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from figures import SHORT, print_figure
from products import started

from lustra.domains.tablet.pictures import SIZES
from lustra.protocol import bus, subjects
from lustra.protocol.tablet import TabletLook
from lustra.robot.clock import Clock, now_ms
from lustra.robot.outbox import Outbox
from lustra.robot.spec import Spec
from lustra.robot.tablet.look import Look
from tests.product.running import Console, Product, until

ROBOTS = 5 if SHORT else 1000
LIMIT_S = 60.0
TILES = 6
FLEET = """
insert into device (serial_number, name, type_id, owner_id, owner_path)
select 'T' || lpad(n::text, 5, '0'), 'Tablet ' || n, (select min(id) from device_type), a.id, a.path
from generate_series(1, $1::int) n, account a where a.account = 'dealer'"""
ONLINE = """
update presence p set online = true, heard = now() + interval '1 day', reason = '' from device d
where d.id = p.robot and d.serial_number like 'T_____'"""
SHOWN = """
select count(*) from tablet_delivery t join device d on d.id = t.device_id
where d.serial_number like 'T_____' and t.state = 'shown' and t.shown_at > now() - interval '10 minutes'"""


@dataclass
class Robot:
    """As much of one as its tablet needs."""

    spec: Spec
    folder: Path
    link: Client
    outbox: Outbox = field(init=False)
    look: Look = field(init=False)
    woken: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.folder.mkdir()
        self.outbox = Outbox(self.folder / "outbox", Clock(self.folder / "clock", now_ms))
        self.look = Look(self, self.folder / "tablet")

    async def speak(self) -> None:
        while True:
            await self.woken.wait()
            self.woken.clear()
            for message in self.outbox.unconfirmed():
                await self.link.publish(bus.event(self.spec.sn), message.data)
                self.outbox.confirm([message.id])


def draw(size: tuple[int, int], shade: int) -> bytes:
    out = io.BytesIO()
    Image.effect_noise(size, shade).save(out, "JPEG")
    return out.getvalue()


async def choose(console: Console) -> dict[str, Any]:
    """A look of eleven different pictures."""
    urls: dict[str, list[str]] = {}
    for picture, size in SIZES.items():
        count = TILES if picture == "homeTile" else 1
        for shade in range(count):
            files = [("file", ("any.jpg", draw(size, 40 + shade)))]
            answer = await console.form("/user/uploadPadPicture", files, picture=picture)
            urls.setdefault(picture, []).append(answer["url"])
    tiles = urls.pop("homeTile")
    single = {picture: url for picture, [url] in urls.items()}
    return single | {"homeTiles": tiles, "aboutUs": "We clean.", "themeColor": "#1D3F94"}


async def fetch(base: str, urls: list[str]) -> None:
    async with aiohttp.ClientSession(base) as client:
        for url in urls:
            async with client.get(url) as answer:
                await answer.read()


async def measure(over: Product, folder: Path) -> None:
    link = await nats.connect(over.run["nats"])
    serials = [f"T{number:05}" for number in range(1, ROBOTS + 1)]
    robots = {sn: Robot(Spec(sn), folder / sn, link) for sn in serials}

    async def on_order(message: Msg) -> None:
        robot = robots.get(subjects.serial_of(message.subject))
        if robot:
            progress = robot.look.accept(msgspec.json.decode(message.data, type=TabletLook))
            await message.respond(msgspec.json.encode({"code": 0, "tablet": progress}))

    await link.subscribe(bus.cmd("*", "tablet"), cb=on_order)
    work = [asyncio.create_task(each) for robot in robots.values() for each in (robot.look.run(), robot.speak())]
    async with over.database() as db, over.console("dealer") as console:
        await db.execute(FLEET, ROBOTS)
        await db.execute(ONLINE)
        look = await choose(console)
        urls = [url for value in look.values() for url in (value if isinstance(value, list) else [value])]
        pictures = [url for url in urls if url.startswith("/")]
        began = time.perf_counter()
        await asyncio.gather(*(fetch(str(console.http.base_url), pictures) for _ in serials))
        floor = time.perf_counter() - began

        async def all_shown() -> bool:
            return await db.fetchval(SHOWN) == ROBOTS

        began = time.perf_counter()
        await console("/user/updatePadConfig", **look)
        await until(all_shown, "all tablets show the look", patience_s=4 * LIMIT_S)
        took = time.perf_counter() - began
    for task in work:
        task.cancel()
    await asyncio.gather(*work, return_exceptions=True)
    await link.close()
    print_figure(
        f"{ROBOTS} tablets show a new look",
        took,
        "s",
        limit=LIMIT_S,
        floor=round(floor, 3),
        floor_name="the pictures only fetched",
    )


if __name__ == "__main__":
    with started("--robots", "1") as over, tempfile.TemporaryDirectory() as temporary:
        asyncio.run(measure(over, Path(temporary)))
