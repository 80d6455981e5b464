"""Who sent what to which robot, as relays tell it, into the audit; each message once, by its place in the stream.

What came without a grant is nobody's: it is recorded as such (core/audit_trail/anonymous), bounded, and under no name
of its own.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from lustra.core.audit_trail import anonymous
from lustra.core.bus import Sent
from lustra.core.db import Connection
from lustra.live.ingest import queries
from lustra.live.ingest.queries import INGEST
from lustra.live.ingest.source import Acks, Message
from lustra.protocol.commands import routes

READ = msgspec.json.Decoder(Sent)
LONGEST = 200
LONGEST_CONTENT = 4096  # bytes of what was sent
COMMANDS = frozenset(m for protocol in (1, 2, 3) for m in routes(protocol))


async def keep(db: Connection, batch: Sequence[Message]) -> Acks:
    """Stores a batch of entries. Messages that cannot be read are acknowledged, and lost."""
    rows: list[tuple[Any, ...]] = []
    acks: Acks = {}
    for place, message in enumerate(batch):
        try:
            sent = READ.decode(message.data.replace(b"\\u0000", b""))
        except (msgspec.MsgspecError, UnicodeDecodeError):
            acks[place] = "end"
            continue
        if not sent.account:
            command = sent.command if sent.command in COMMANDS else "unknown"
            detail = {"sn": sent.sn, "port": sent.port, "command": sent.command}
            await db.execute(
                anonymous.RECORD, *anonymous.values(message.at, sent.address, f"relay.{command}", sent.code, detail)
            )
            continue
        detail: dict[str, Any] = {
            "key": message.key,
            "sn": sent.sn[:LONGEST],
            "port": sent.port[:LONGEST],
            "number": sent.number,
            "refused": sent.refused,
        }
        if sent.content and len(msgspec.json.encode(sent.content)) <= LONGEST_CONTENT:
            detail["sent"] = sent.content
        rows.append(
            (
                message.at,
                sent.account,
                sent.acting,
                sent.name[:LONGEST],
                sent.session[:LONGEST],
                sent.address[:LONGEST],
                f"relay.{sent.command[:LONGEST]}",
                sent.code,
                msgspec.json.encode(detail).decode(),
                sent.sn,
            )
        )
    if rows:
        await db.execute(INGEST.sql(queries.STORE_AUDIT), *zip(*rows, strict=True))
    return acks
