"""Errors of the console in the server's log: one JSON line each, without secrets or addresses of people.

A session may report so many a minute; more are refused, so that a page that fails again and again fills no disk.
"""

import re
import time
from collections import Counter

import structlog

from lustra.core.errors import Code, Refusal

MOST_A_MINUTE = 20  # reports of one session
MINUTE_S = 60
SECRET = re.compile(r"[\w-]{40,}")  # tokens and keys; names of files are shorter
MAILBOX = re.compile(r"[^\s@<>()'\"]+@[^\s@<>()'\"]+")
NUMBER = re.compile(r"\+?\d[\d ()-]{6,}\d")  # as long as a phone number
QUERY = re.compile(r"[?#][^\s)'\"]*")

log = structlog.get_logger(__name__)


class ReportLimit:
    """Counts reports by session; all counts begin anew each minute, so that few are remembered."""

    def __init__(self) -> None:
        self.minute, self.reports = 0, Counter[str]()

    def count(self, session_id: str, now: float) -> None:
        """Refuse the report that is one too many."""
        minute = int(now // MINUTE_S)
        if minute != self.minute:
            self.minute, self.reports = minute, Counter[str]()
        self.reports[session_id] += 1
        if self.reports[session_id] > MOST_A_MINUTE:
            raise Refusal(Code.TOO_MANY_TRIES, seconds=max(1, round((minute + 1) * MINUTE_S - now)))


LIMIT = ReportLimit()


def redact(text: str) -> str:
    """The text without what may be a secret, a mailbox, a phone number or the query of an address."""
    for pattern in (QUERY, MAILBOX, SECRET, NUMBER):
        text = pattern.sub("…", text)
    return "".join(letter for letter in text if letter.isprintable() or letter == "\n")


def log_error(session_id: str, **report: str) -> None:
    LIMIT.count(session_id, time.time())
    log.warning("console.error", **{name: redact(text) for name, text in report.items()})
