"""Sends a file up to a signed URL of the server, which checks its size and SHA-256."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import aiohttp

CHUNK = 64 * 1024
REPORT_EACH_S = 2.0
PATIENCE = aiohttp.ClientTimeout(total=None, connect=10, sock_read=60)
LINE_BROKEN = (aiohttp.ClientError, TimeoutError, ConnectionError)
BROKEN = 500  # statuses from here on are no word of the server's


class NotTaken(Exception):
    """The server does not take the file. `field`: of what it complains (sha256, file, …); empty: of all of it."""

    def __init__(self, field: str) -> None:
        super().__init__(field)
        self.field = field


async def put_file(url: str, file: Path, size: int, sha256: str, report: Callable[[int], None]) -> None:
    """`report`: told now and then how many bytes are sent. Raises NotTaken, or one of LINE_BROKEN."""
    address = f"{url}&{urlencode({'size': size, 'sha256': sha256})}"
    headers = {"Content-Length": str(size), "Content-Type": "application/octet-stream"}
    async with (
        aiohttp.ClientSession(timeout=PATIENCE) as client,
        client.put(address, data=_read_parts(file, report), headers=headers) as answer,
    ):
        if answer.status >= BROKEN:
            answer.raise_for_status()
        _refuse(await answer.read())


async def _read_parts(file: Path, report: Callable[[int], None]) -> AsyncIterator[bytes]:
    loop = asyncio.get_running_loop()
    reported_at, have = loop.time(), 0
    with file.open("rb") as opened:
        while part := opened.read(CHUNK):
            yield part
            have += len(part)
            if loop.time() - reported_at >= REPORT_EACH_S:
                reported_at = loop.time()
                report(have)


def _refuse(body: bytes) -> None:
    """Raises NotTaken unless the answer is that of success."""
    try:
        answer: Any = json.loads(body)
        if answer["message"]["code"] == 0:
            return
        field = (answer["data"] or {}).get("field")
    except (ValueError, KeyError, TypeError, AttributeError):
        field = None
    raise NotTaken(field if isinstance(field, str) else "")
