"""Errors of the console in the server's log: one JSON line each, without secrets or addresses of people.

A session may report so many a minute; more are refused, so that a page that fails again and again fills no disk.
"""

import re

import structlog

from lustra.core.http.minute_limit import MinuteLimit

MOST_A_MINUTE = 20  # reports of one session
SECRET = re.compile(r"[\w-]{40,}")  # tokens and keys; names of files are shorter
MAILBOX = re.compile(r"[^\s@<>()'\"]+@[^\s@<>()'\"]+")
NUMBER = re.compile(r"\+?\d[\d ()-]{6,}\d")  # as long as a phone number
QUERY = re.compile(r"[?#][^\s)'\"]*")

log = structlog.get_logger(__name__)


LIMIT = MinuteLimit(MOST_A_MINUTE)


def redact(text: str) -> str:
    """The text without what may be a secret, a mailbox, a phone number or the query of an address."""
    for pattern in (QUERY, MAILBOX, SECRET, NUMBER):
        text = pattern.sub("…", text)
    return "".join(letter for letter in text if letter.isprintable() or letter == "\n")


def log_error(session_id: str, **report: str) -> None:
    LIMIT.count(session_id)
    log.warning("console.error", **{name: redact(text) for name, text in report.items()})
