"""Calls to a robot through the relay and its tunnel, beside nginx over the plainest tunnel end, to the same robot.

The peer is `plain_tunnel.py` beside this, which opens a real port for the robot's own tunnel, with nginx before it:
neither asks who calls.
Load by wrk, 1 and 16 connections, the two in turn; every figure is the median of three rounds. Then driving: from the
call to the wheel's answer, at 20 Hz. Wants Debian's nginx-light and wrk; without them it says so.
"""

import asyncio
import contextlib
import os
import re
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import asyncssh
import httpx
import psutil

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from figures import SHORT, percentile, print_figure, times_ms
from products import started

from lustra.robot.connection.tunnel import Relay, Tunnel
from lustra.stack import place
from tests.product.running import Console, Product, Refused, until

PLAIN_TUNNEL = Path(__file__).resolve().parent / "plain_tunnel.py"
NGINX = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
WRK = shutil.which("wrk")
SECONDS = 1.0 if SHORT else 5.0
ROUNDS = 1 if SHORT else 3
CONNECTIONS = (16,) if SHORT else (1, 16)
LEAST_SHARE = 0.9  # not reached in Python: ADR 39 says why
MOST_NGINX = 1.5  # times as long as nginx takes
DRIVE_MS = 60.0
MOST_LATE = 0.0
TIMES = 10 if SHORT else 200
EACH_S = 0.05
HOST = "127.0.0.1"
COMMAND = "robot_pose"
CONF = """daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log; worker_processes auto;
events {{ worker_connections 256; }}
http {{ access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
  upstream robot {{ server {host}:{tunnel}; keepalive 32; }}
  server {{ listen {host}:{port}; location / {{ proxy_http_version 1.1; proxy_set_header Connection "";
    proxy_set_header Host $host; proxy_pass http://robot; }} }}
}}"""


def robots_port(at: Product) -> int:
    """Where a robot's own API listens."""
    links = at.processes()["robot"].net_connections(kind="tcp")
    return min(link.laddr.port for link in links if link.status == psutil.CONN_LISTEN)


@contextlib.contextmanager
def process(*words: object) -> Iterator[None]:
    with subprocess.Popen([str(word) for word in words]) as running:
        try:
            yield
        finally:
            running.terminate()


@contextlib.asynccontextmanager
async def peer(folder: Path, local: int):
    """nginx, plain_tunnel.py, the robot's own tunnel to that: gives nginx's port."""
    ports = place.free_ports(HOST, 3)
    key = asyncssh.generate_private_key("ssh-ed25519")
    key.write_private_key(str(folder / "host"))
    conf = folder / "nginx.conf"
    conf.write_text(CONF.format(folder=folder, host=HOST, tunnel=ports[1], port=ports[2]))
    host_key = key.export_public_key().decode().strip()
    tunnel = Tunnel("peer", folder / "host", ports[1], local, [Relay(HOST, ports[0])], host_key, folder)

    async def answers() -> bool:
        async with httpx.AsyncClient() as http:
            return (await http.post(f"http://{HOST}:{ports[2]}/api1/{COMMAND}")).status_code == 200

    with (
        process(sys.executable, PLAIN_TUNNEL, ports[0], folder / "host"),
        process(NGINX, "-c", conf, "-e", folder / "error.log"),
    ):
        async with asyncio.TaskGroup() as group:
            standing = group.create_task(tunnel.run())
            await until(answers, "nginx")
            yield ports[2]
            standing.cancel()


def load(url: str, connections: int, header: str, folder: Path) -> float:
    """Requests a second."""
    script = folder / "post.lua"
    script.write_text(
        f'wrk.method = "POST"\nwrk.body = "{{}}"\nwrk.headers["content-type"] = "application/json"\n{header}'
    )
    words = [str(WRK), "-t1", f"-c{connections}", f"-d{SECONDS:g}s", "-s", str(script), url]
    output = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    if "Non-2xx" in output or "Socket errors" in output:
        raise RuntimeError(output)
    rate = re.search(r"Requests/sec:\s+([\d.]+)", output)
    return float(rate[1]) if rate else 0.0


async def throughput(at: Product, console: Console, device: int) -> None:
    grant = await console("/device/relayGrant", deviceId=device)
    folder = at.folder / "peer"
    folder.mkdir()
    async with peer(folder, robots_port(at)) as port:
        for connections in CONNECTIONS:
            ours, theirs = [], []
            for _ in range(ROUNDS):
                grant = await console("/device/relayGrant", deviceId=device)
                url = f"{grant['url']}/?m=api1/{COMMAND}&p={grant['port']}"
                header = f'wrk.headers["grant"] = "{grant["grant"]}"'
                ours.append(await asyncio.to_thread(load, url, connections, header, folder))
                plain = f"http://{HOST}:{port}/api1/{COMMAND}"
                theirs.append(await asyncio.to_thread(load, plain, connections, "", folder))
            product, floor = statistics.median(ours), statistics.median(theirs)
            print_figure(
                f"calls through the relay, {connections} connections",
                product,
                "1/s",
                floor=floor,
                floor_name="nginx over plain_tunnel.py",
            )
            print_figure(
                f"share of nginx, {connections} connections",
                product / floor,
                "",
                floor=1.0,
                floor_name="nginx",
                most_floors=MOST_NGINX,
                limit=LEAST_SHARE,
                at_least=True,
            )


async def driving(console: Console, device: int) -> None:
    """The robot answers when the wheels have the command."""
    await console("/device/takeControl", deviceId=device, minutes=10)
    console.grants.clear()
    mode = await console.robot(device, "hand_mode", mode=1)
    lag = mode["at"] - int(time.time() * 1000)
    took, late = [], 0
    for n in range(1, TIMES + 1):
        began = time.perf_counter()
        at = int(time.time() * 1000) + lag
        try:
            await console.robot(device, "cmdvel_ctrl", linear=0.0, angular=0.3, stream="bench", seq=n, at=at)
        except Refused as refusal:  # the machine was held up: the robot does nothing then, and this is counted
            if refusal.reason != "drive_late":
                raise
            late += 1
        took.append((time.perf_counter() - began) * 1000)
        await asyncio.sleep(max(0.0, EACH_S - (time.perf_counter() - began)))
    floor = await times_ms(lambda: console.http.post("/api/getLanguage", json={}), TIMES)
    print_figure(
        "drive command to wheel, p95",
        percentile(took, 0.95),
        "ms",
        floor=round(percentile(floor, 0.95), 3),
        floor_name="a call of nothing to the server",
        limit=DRIVE_MS,
        worst=round(max(took), 1),
    )
    print_figure("drive commands refused as late", late / TIMES, "", limit=MOST_LATE)


async def main(at: Product) -> None:
    async with at.console("user") as console:

        async def online() -> int | None:
            return next((row["deviceId"] for row in (await console.devices()).values() if row["online"]), None)

        device = await until(online, "the robot online")

        async def answers() -> bool:
            console.grants.clear()
            return (await console.robot(device, COMMAND))["code"] == 0

        await until(answers, "an answer through the tunnel")
        if NGINX and WRK:
            await throughput(at, console, device)
        else:
            print("nginx-light or wrk is not here: no share of nginx is measured")
        await driving(console, device)


if __name__ == "__main__":
    with started("--robots", "1") as running:
        asyncio.run(main(running))
