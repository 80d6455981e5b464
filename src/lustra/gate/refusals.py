"""The log of refused log-ins: a line for a name when it is refused first, then at most one a minute with the count.

Rule: what strangers send costs bounded lines and bounded memory. Beyond `NAMES` names in a minute the others are one
line together; a name is shortened, for it may be anything.
"""

from dataclasses import dataclass, field

import structlog
from prometheus_client import Counter

log = structlog.get_logger(__name__)
EACH_S = 60.0
NAMES = 200
REFUSED = Counter("lustra_gate_refused_total", "Log-ins at the bus that were refused")
LONGEST_NAME = 64  # characters
OTHERS = "(others)"


@dataclass(slots=True)
class Refusals:
    """`counts`: by name, the refusals since the last line of that name."""

    counts: dict[str, int] = field(default_factory=dict[str, int])

    def note(self, name: str) -> None:
        REFUSED.inc()
        name = name[:LONGEST_NAME]
        if name not in self.counts and len(self.counts) >= NAMES:
            name = OTHERS
        if name in self.counts:
            self.counts[name] += 1
        else:
            self.counts[name] = 0
            log.warning("login.refused", name=name, count=1)

    def report(self) -> None:
        """Once in `EACH_S`: tells what was counted, and forgets who is quiet."""
        for name, count in list(self.counts.items()):
            if count:
                log.warning("login.refused", name=name, count=count)
                self.counts[name] = 0
            else:
                del self.counts[name]
