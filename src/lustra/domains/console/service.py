"""Errors of the console in the server's log: one JSON line each, without secrets or addresses of people.

A session may report so many a minute; more are refused, so that a page that fails again and again fills no disk.
"""

import re

import structlog

from lustra.core.http.minute_limit import MinuteLimit
from lustra.core.process.redaction import redact

MOST_A_MINUTE = 20  # reports of one session
SECRET = re.compile(r"[\w-]{40,}")  # tokens and keys; names of files are shorter
QUERY = re.compile(r"[?#][^\s)'\"]*")

log = structlog.get_logger(__name__)


LIMIT = MinuteLimit(MOST_A_MINUTE)


def redact_report(text: str) -> str:
    """The text without what may be a secret, a mailbox, a phone number or the query of an address."""
    text = redact(SECRET.sub("…", QUERY.sub("…", text)))
    return "".join(letter for letter in text if letter.isprintable() or letter == "\n")


def log_error(session_id: str, **report: str) -> None:
    LIMIT.count(session_id)
    log.warning("console.error", **{name: redact_report(text) for name, text in report.items()})
