"""Leaf servers of the bus: each in a country of its own, whose robots log in there and go on while the line to us is
down.

What robots say that must not be lost goes into streams of the leaf (a JetStream domain of its own), and from there into
mirrors here, by sequence and with the time at which the leaf had it: a line that was down delays it. Only those streams
carry it, else all would come twice. What is but looked at (poses of open maps, answers) goes over the line at once and
is lost while it is down; states are said again for that on the subjects of `subjects.leaf_state`.

Robots keep alarms, reports and events until their receipt comes, so here the oldest may make room.
"""

import nats.errors
import structlog
from nats.js.api import DiscardPolicy, ExternalStream, RePublish, StreamConfig, StreamSource
from nats.js.client import JetStreamContext
from nats.js.errors import NotFoundError, ServiceUnavailableError

from lustra.core.bus import DAY_S, Bus, streams
from lustra.protocol import subjects
from lustra.protocol.subjects import STREAMED

STATE_DAYS, OTHER_DAYS = 1, 7
ANSWER_S = 5.0  # a leaf is far away
log = structlog.get_logger(__name__)
AWAY = (TimeoutError, nats.errors.TimeoutError, nats.errors.NoRespondersError, ServiceUnavailableError)


def mirror_name(stream: str, leaf: str) -> str:
    """Of the stream here that holds what `stream` of a leaf holds."""
    return f"{stream}_{leaf}"


def _limits(most: int) -> list[StreamConfig]:
    """Of what robots say, with names and subjects as in streams without a leaf; `most`: bytes."""
    configs = [config for config in streams(most) if config.name in STREAMED]
    for config in configs:
        config.discard, config.discard_new_per_subject = DiscardPolicy.OLD, False
        config.max_age = (STATE_DAYS if config.name == "STATE" else OTHER_DAYS) * DAY_S
    return configs


def streams_at_leaf(most: int) -> list[StreamConfig]:
    configs = _limits(most)
    for config in configs:
        if config.name == "STATE":
            config.republish = RePublish(src=subjects.STORED_STATES, dest=subjects.LEAF_STATE_OF)
    return configs


def mirrors(leaf: str, most: int, copies: int) -> list[StreamConfig]:
    configs = _limits(most)
    for config in configs:
        name = str(config.name)
        config.mirror = StreamSource(name=name, external=ExternalStream(api=f"$JS.{leaf}.API"))
        config.name, config.subjects, config.subject_transform = mirror_name(name, leaf), None, None
        config.num_replicas, config.duplicate_window, config.no_ack = copies, 0, False
    return configs


async def _bring(js: JetStreamContext, config: StreamConfig) -> None:
    """A stream that stands is never made smaller than what it holds."""
    try:
        stream = await js.stream_info(str(config.name))
    except NotFoundError:
        await js.add_stream(config)
        return
    config.max_bytes = max(config.max_bytes or 0, stream.state.bytes)
    await js.update_stream(config)


async def make_mirrors(bus: Bus, leaf: str, most: int, copies: int = 1) -> None:
    """The leaf need not be there."""
    for config in mirrors(leaf, most, copies):
        await _bring(bus.js, config)


async def make_leaf_streams(bus: Bus, leaf: str, most: int) -> bool:
    """Over the line to it; False while it cannot be reached, or refuses them: that holds up nobody else."""
    js = bus.link.jetstream(domain=leaf, timeout=ANSWER_S)
    try:
        for config in streams_at_leaf(most):
            await _bring(js, config)
    except AWAY:
        return False
    except nats.errors.Error as why:
        log.warning("leaf.refused", leaf=leaf, why=repr(why))
        return False
    return True
