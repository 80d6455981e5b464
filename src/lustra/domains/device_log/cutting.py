"""A part of a recording as a recording of its own: messages of some topics from one moment to another.

Rules: it is made while it is sent, chunk by chunk, and lies nowhere; messages stand in it in the order of the recording
and with their stamps. What it is made from is our own conversion, whose sizes hold.
"""

import io
from collections.abc import Iterator
from typing import IO

from mcap.reader import SeekingReader
from mcap.writer import CompressionType, Writer

from lustra.domains.device_log.contents import Cut

CHUNK = 1 << 20  # bytes before compression
NS_MS = 10**6


class _Sink(io.BytesIO):
    """What was written since it was looked at last; `tell` counts from the start of all."""

    taken = 0

    def tell(self) -> int:
        return self.taken + super().tell()

    def take(self) -> bytes:
        data = self.getvalue()
        self.seek(0)
        self.truncate()
        self.taken += len(data)
        return data


def cut_recording(recording: IO[bytes], cut: Cut) -> Iterator[bytes]:
    reader = SeekingReader(recording)
    summary = reader.get_summary()
    channels = summary.channels if summary else {}
    numbers = set(cut.channels or channels)
    topics = [channel.topic for number, channel in channels.items() if number in numbers]
    sink = _Sink()
    writer = Writer(sink, chunk_size=CHUNK, compression=CompressionType.ZSTD)
    writer.start()
    registered: dict[int, int] = {}
    messages = reader.iter_messages(
        topics, starting_at=cut.start * NS_MS, ending_before=(cut.end + 1) * NS_MS, log_time_order=False
    )
    for schema, channel, message in messages:
        if channel.id not in numbers:
            continue
        if channel.id not in registered:
            described = writer.register_schema(schema.name, schema.encoding, schema.data) if schema else 0
            registered[channel.id] = writer.register_channel(channel.topic, channel.message_encoding, described)
        writer.add_message(registered[channel.id], message.log_time, message.data, message.publish_time)
        if part := sink.take():
            yield part
    writer.finish()
    yield sink.take()
