"""How much one robot may say: a bucket of tokens for each robot and stream.

Rule: a robot that says more than any robot has to say is not stored any further, so it takes nothing from the others;
it gets no receipt, and a sound robot says it again later. A bucket is large enough for what a robot has kept during an
outage, and fills up again slowly. What counts is when the bus received a message: what waited there while nobody read
it was not said at once.
"""

from dataclasses import dataclass, field

import structlog
from prometheus_client import Counter

log = structlog.get_logger(__name__)
PACED = Counter("lustra_ingest_paced", "Messages of robots that said too much and were not stored", ["stream"])
SAY_EACH_S = 60.0  # a log line for each robot and minute at most
READ_AGAIN_S = 600.0  # a message that came so much earlier than the one before it is read again


@dataclass(slots=True)
class Bucket:
    tokens: float
    at: float  # of its newest message, s since 1970
    refused: int = 0
    logged_at: float = -SAY_EACH_S


@dataclass(slots=True)
class Pace:
    """`burst`: messages at once; `each_s`: how many come back a second. A full bucket is forgotten."""

    stream: str
    burst: int
    each_s: float
    newest: float = 0.0
    buckets: dict[str, Bucket] = field(default_factory=dict[str, Bucket])

    def admit(self, sn: str, at: float) -> bool:
        """Whether the robot's next message is stored, which the bus received at that time, s since 1970."""
        self.newest = max(self.newest, at)
        bucket = self.buckets.get(sn)
        if bucket is None or at < bucket.at - READ_AGAIN_S:
            bucket = self.buckets[sn] = Bucket(self.burst, at)
        bucket.tokens = min(self.burst, bucket.tokens + max(0.0, at - bucket.at) * self.each_s)
        bucket.at = max(bucket.at, at)
        if bucket.tokens >= 1:
            bucket.tokens -= 1
            return True
        bucket.refused += 1
        PACED.labels(self.stream).inc()
        if at - bucket.logged_at >= SAY_EACH_S:
            log.warning("ingest.paced", stream=self.stream, sn=sn, refused=bucket.refused)
            bucket.logged_at, bucket.refused = at, 0
        return False

    def forget_quiet(self) -> None:
        """Buckets that are full again: a robot that is new, or has said little, has a full one anyway."""
        for sn, bucket in list(self.buckets.items()):
            if bucket.tokens + (self.newest - bucket.at) * self.each_s >= self.burst:
                del self.buckets[sn]
