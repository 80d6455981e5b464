"""How far ingests have come in reading the states that lie on the bus."""

from typing import NamedTuple

from nats.js import JetStreamContext
from nats.js.errors import NotFoundError

from lustra.protocol.subjects import PARTITIONS

STATES = 1 + PARTITIONS  # one of states without a partition


def partition_of(subject: str) -> int | None:
    """Of a stored state; None for one that was stored before there were partitions, and for all else."""
    match subject.split("."):
        case [_, _, "state", partition]:
            return int(partition)
        case _:
            return None


class Progress(NamedTuple):
    """Messages: that nobody has, that are in hand, that were handed over. `consumers`: how many there are. `unseen`: at
    the end of the stream, where none has come yet; each learns of a message a moment after it is stored."""

    waiting: int
    in_hand: int
    handed_over: int
    consumers: int
    unseen: int

    @property
    def all_stored(self) -> bool:
        return self.consumers == STATES and not self.waiting and not self.in_hand and not self.unseen


async def load_progress(js: JetStreamContext, stream: str = "STATE") -> Progress:
    try:
        last, consumers = (await js.stream_info(stream)).state.last_seq, await js.consumers_info(stream)
    except NotFoundError:
        last, consumers = 0, []
    return Progress(
        sum(each.num_pending or 0 for each in consumers),
        sum(each.num_ack_pending or 0 for each in consumers),
        sum(each.delivered.consumer_seq for each in consumers if each.delivered),
        len(consumers),
        last - max((each.delivered.stream_seq for each in consumers if each.delivered), default=0),
    )
