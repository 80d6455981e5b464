"""How much one robot may say: a bucket of tokens for each robot and stream.

Rule: a robot that says more than any robot has to say is not stored any further, so it takes nothing from the others;
it gets no receipt, and a sound robot says it again later. A bucket is large enough for what a robot has kept during an
outage, and fills up again slowly.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

import structlog
from prometheus_client import Counter

log = structlog.get_logger(__name__)
PACED = Counter("lustra_ingest_paced", "Messages of robots that said too much and were not stored", ["stream"])
SAY_EACH_S = 60.0  # a log line for each robot and minute at most


@dataclass(slots=True)
class Bucket:
    tokens: float
    at: float  # monotonic clock when it was filled last
    refused: int = 0
    logged_at: float = -SAY_EACH_S


@dataclass(slots=True)
class Pace:
    """`burst`: messages at once; `each_s`: how many come back a second. A full bucket is forgotten."""

    stream: str
    burst: int
    each_s: float
    clock: Callable[[], float] = time.monotonic
    buckets: dict[str, Bucket] = field(default_factory=dict[str, Bucket])

    def admit(self, sn: str) -> bool:
        """Whether the next message of this robot is stored."""
        now = self.clock()
        bucket = self.buckets.setdefault(sn, Bucket(self.burst, now))
        bucket.tokens = min(self.burst, bucket.tokens + (now - bucket.at) * self.each_s)
        bucket.at = now
        if bucket.tokens >= 1:
            bucket.tokens -= 1
            return True
        bucket.refused += 1
        PACED.labels(self.stream).inc()
        if now - bucket.logged_at >= SAY_EACH_S:
            log.warning("ingest.paced", stream=self.stream, sn=sn, refused=bucket.refused)
            bucket.logged_at, bucket.refused = now, 0
        return False

    def forget_quiet(self) -> None:
        """Buckets that are full again: a robot that is new, or has said little, has a full one anyway."""
        now = self.clock()
        for sn, bucket in list(self.buckets.items()):
            if bucket.tokens + (now - bucket.at) * self.each_s >= self.burst:
                del self.buckets[sn]
