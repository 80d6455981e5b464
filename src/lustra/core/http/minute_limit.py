"""So many uses a minute of one person or session: for what is no harm once, and one when it is done without end."""

import time
from collections import Counter

from lustra.core.errors import Code, Refusal

MINUTE_S = 60


class MinuteLimit:
    """Counts by key, within this process; all counts begin anew each minute, so that few are remembered."""

    def __init__(self, most: int) -> None:
        self.most, self.minute, self.uses = most, 0, Counter[str]()

    def count(self, key: str) -> None:
        """Refuse the use that is one too many."""
        now = time.time()
        minute = int(now // MINUTE_S)
        if minute != self.minute:
            self.minute, self.uses = minute, Counter[str]()
        self.uses[key] += 1
        if self.uses[key] > self.most:
            raise Refusal(Code.TOO_MANY_TRIES, seconds=max(1, round((minute + 1) * MINUTE_S - now)))
