"""One JSON line for each thing that happened, on standard output; libraries' logs in the same form."""

import logging
import sys
from collections.abc import Callable
from typing import Any

import msgspec
import structlog

from lustra.core.process.redaction import redact_line

_SHARED: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.format_exc_info,
    redact_line,
]


def _encode(line: dict[str, Any], default: Callable[[Any], Any]) -> str:
    """Several times as fast as Python's json; what is no number is null."""
    return msgspec.json.encode(line, enc_hook=default).decode()


def set_up(process: str, level: int = logging.INFO) -> None:
    structlog.contextvars.bind_contextvars(process=process)
    structlog.configure(
        processors=[*_SHARED, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.JSONRenderer(serializer=_encode),
            ],
            foreign_pre_chain=_SHARED,
        )
    )
    root = logging.getLogger()
    root.handlers, root.level = [handler], level
    for noisy in ("uvicorn.access", "nats", "procrastinate", "asyncssh"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
