"""What it costs to make a recording fit to be looked at: a bag of 1 GB becomes indexed MCAP, as the worker has it done.

Floor of the same run: copying the file.
"""

import asyncio
import shutil
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import psutil
from rosbags.rosbag1 import Writer
from rosbags.typesys import Stores, get_typestore

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from figures import SHORT, print_figure

from lustra.domains.device_log import recordings

LIMIT_MB = 300
MESSAGES = 2_000 if SHORT else 120_000  # of 8.7 kB, as a lidar says them ten times a second
START_NS = 1_790_000_000 * 10**9
PERIOD_NS = 100_000_000
POINTS = 1080
LOOK_S = 0.02
STORE = get_typestore(Stores.ROS1_NOETIC)
SCAN = "sensor_msgs/msg/LaserScan"


def write_bag(path: Path) -> None:
    """Ranges that no compression makes small."""
    random = np.random.default_rng(1)
    types = STORE.types
    stamp = types["builtin_interfaces/msg/Time"](sec=0, nanosec=0)
    header = types["std_msgs/msg/Header"](seq=0, stamp=stamp, frame_id="laser")
    angles = {f"angle_{name}": 0.0 for name in ("min", "max", "increment")}
    times = {"time_increment": 0.0, "scan_time": 0.0, "range_min": 0.0, "range_max": 30.0}
    with Writer(path) as bag:
        scans = bag.add_connection("/scan", SCAN, typestore=STORE)
        for number in range(MESSAGES):
            ranges = random.random(POINTS, dtype=np.float32)
            message = types[SCAN](header=header, **angles, **times, ranges=ranges, intensities=ranges)
            bag.write(scans, START_NS + number * PERIOD_NS, STORE.serialize_ros1(message, SCAN))


async def watch_memory() -> float:
    """The largest that the process of the conversion was, in MB, until it is cancelled."""
    largest = 0
    try:
        while True:
            for child in psutil.Process().children():
                try:
                    largest = max(largest, child.memory_info().rss)
                except psutil.NoSuchProcess:
                    continue
            await asyncio.sleep(LOOK_S)
    except asyncio.CancelledError:
        return largest / (1 << 20)


async def measure(folder: Path) -> None:
    original, copy = folder / "original", folder / "copy"
    write_bag(original)
    began = time.perf_counter()
    shutil.copyfile(original, folder / "floor")
    floor = time.perf_counter() - began
    (folder / "floor").unlink()
    watching = asyncio.create_task(watch_memory())
    began = time.perf_counter()
    outcome = await recordings.run_conversion(original, copy)
    seconds = time.perf_counter() - began
    watching.cancel()
    if outcome.contents is None or outcome.contents.count != MESSAGES:
        raise SystemExit(f"not converted: {outcome.reason}")
    size = original.stat().st_size / (1 << 20)
    print_figure("bag to MCAP", size / seconds, "MB/s", floor=size / floor, floor_name="copying the file")
    print_figure("bag to MCAP, memory", await watching, "MB", limit=LIMIT_MB)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="lustra-bench-") as name:
        asyncio.run(measure(Path(name)))
