"""Makes an indexed, chunked MCAP of a recording: `python -m lustra.domains.device_log.conversion FROM TO`.

Started by recordings.py for each file, as a process with bounded time, memory and size of what it writes: the file is
what a robot, or whoever plays one, handed in. It says on its standard output what is in it, or why it cannot be read.

Rule: each message stays, with its stamp; those that are more than an hour away from all the others are counted as
outside (a clock that began in 1970), and the recording's time is that of the others.
"""

import sys
from array import array
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
import numpy as np
from mcap.writer import CompressionType, Writer

from lustra.core.files.intake_process import HEAVY, limit_process
from lustra.domains.device_log.bag_sources import Channel, Unreadable, open_recording, refuse_recursion
from lustra.domains.device_log.contents import Contents, Outcome, Topic

CHUNK = 1 << 20  # bytes before compression: what a browser reads at once
GAP_NS = 3600 * 10**9
MOST_TOPICS = 1000
LONGEST_NAME = 256
LONGEST_STAMP = 1 << 63
# Limits of the process.
CPU_S = 300
WALL_S = 900
MEMORY = 300 << 20
LARGEST = 1 << 30


@dataclass
class Stamps:
    """Of all messages, with the number of the channel."""

    times: "array[int]" = field(default_factory=lambda: array("q"))
    channels: "array[int]" = field(default_factory=lambda: array("H"))


def convert(path: Path, to: Path) -> Contents:
    numbers: dict[Channel, int] = {}
    stamps = Stamps()
    with open_recording(path) as messages, to.open("wb") as out:
        writer = Writer(out, chunk_size=CHUNK, compression=CompressionType.ZSTD)
        writer.start()
        for channel, stamp, data in messages:
            if not 0 <= stamp < LONGEST_STAMP:
                raise Unreadable("recording_damaged")
            number = numbers.get(channel)
            if number is None:
                number = numbers[channel] = register(writer, channel, len(numbers))
            stamps.times.append(stamp)
            stamps.channels.append(number)
            writer.add_message(number, log_time=stamp, publish_time=stamp, data=bytes(data))
        writer.finish()
    if not stamps.times:
        raise Unreadable("recording_empty")
    return count(list(numbers), stamps)


def register(writer: Writer, channel: Channel, known: int) -> int:
    if known >= MOST_TOPICS or max(len(channel.topic), len(channel.type)) > LONGEST_NAME:
        raise Unreadable("recording_topics")
    refuse_recursion(channel)
    schema = writer.register_schema(channel.type, channel.schema_encoding, channel.schema) if channel.type else 0
    return writer.register_channel(channel.topic, channel.encoding, schema)


def count(channels: list[Channel], stamps: Stamps) -> Contents:
    """The recording's time is the run of stamps around the middle one, without a gap of more than an hour."""
    times, of_channel = np.frombuffer(stamps.times, np.int64), np.frombuffer(stamps.channels, np.uint16)
    ordered = np.sort(times)
    breaks = np.flatnonzero(np.diff(ordered) > GAP_NS) + 1
    middle = len(ordered) // 2
    first = max((int(each) for each in breaks if each <= middle), default=0)
    last = min((int(each) for each in breaks if each > middle), default=len(ordered)) - 1
    start, end = int(ordered[first]), int(ordered[last])
    outside = (times < start) | (times > end)
    counts = np.bincount(of_channel, minlength=len(channels) + 1)
    outsides = np.bincount(of_channel[outside], minlength=len(channels) + 1)
    topics = [
        Topic(
            each.topic,
            each.type,
            each.encoding,
            each.schema_encoding,
            bool(each.schema) or each.encoding == "json",
            int(counts[number]),
            int(outsides[number]),
        )
        for number, each in enumerate(channels, 1)
    ]
    return Contents(start // 10**6, end // 10**6, len(times), int(outside.sum()), topics)


def main() -> int:
    limit_process(memory=MEMORY, cpu_s=CPU_S, wall_s=WALL_S, largest=LARGEST)
    try:
        outcome = Outcome(convert(Path(sys.argv[1]), Path(sys.argv[2])))
    except Unreadable as why:
        outcome = Outcome(reason=str(why))
    except MemoryError:
        return HEAVY
    except Exception as why:  # noqa: BLE001  whatever a library makes of a hostile file
        reason = "recording_unindexed" if "not indexed" in str(why) else "recording_damaged"
        outcome = Outcome(reason=reason)
    sys.stdout.buffer.write(msgspec.json.encode(outcome))
    return 0


if __name__ == "__main__":
    sys.exit(main())
