"""Who sent what to which robot, as relays tell it, into the audit; each message once, by its place in the stream.

What came without a grant is nobody's: it is recorded as such (core/anonymous), bounded, and under no name of its own.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from lustra.core import anonymous
from lustra.core.bus import Sent
from lustra.core.db import Connection
from lustra.live.ingest.source import Fates, Heard
from lustra.protocol.commands import routes

KEEP = """
insert into audit (created_at, account_id, acting_id, name, session_id, address, action, code, detail, device_id)
select h.at, h.account, h.acting, h.name, h.session, h.address, h.action, h.code, h.detail::jsonb, d.id
from unnest($1::timestamptz[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[], $8::int[],
  $9::text[], $10::text[]) as h(at, account, acting, name, session, address, action, code, detail, sn)
left join device d on d.serial_number = h.sn and d.deleted_at is null
on conflict ((detail ->> 'key')) where detail ? 'key' do nothing"""


READ = msgspec.json.Decoder(Sent)
LONGEST = 200
LONGEST_CONTENT = 4096  # bytes of what was sent
COMMANDS = frozenset(m for protocol in (1, 2, 3) for m in routes(protocol))
NOBODYS = anonymous.RECORD.format("$1, $2, $3, $4, $5::text::jsonb, $6, $7")


async def keep(db: Connection, batch: Sequence[Heard]) -> Fates:
    """Those that cannot be read are ended."""
    rows: list[tuple[Any, ...]] = []
    fates: Fates = {}
    for place, heard in enumerate(batch):
        try:
            told = READ.decode(heard.data.replace(b"\\u0000", b""))
        except (msgspec.MsgspecError, UnicodeDecodeError):
            fates[place] = "end"
            continue
        if not told.account:
            command = told.command if told.command in COMMANDS else "unknown"
            detail = {"sn": told.sn, "port": told.port, "command": told.command}
            await db.execute(NOBODYS, *anonymous.values(heard.at, told.address, f"relay.{command}", told.code, detail))
            continue
        detail: dict[str, Any] = {
            "key": heard.key, "sn": told.sn[:LONGEST], "port": told.port[:LONGEST], "number": told.number,
            "refused": told.refused,
        }  # fmt: skip
        if told.content and len(msgspec.json.encode(told.content)) <= LONGEST_CONTENT:
            detail["sent"] = told.content
        rows.append((
            heard.at, told.account, told.acting, told.name[:LONGEST], told.session[:LONGEST], told.address[:LONGEST],
            f"relay.{told.command[:LONGEST]}", told.code, msgspec.json.encode(detail).decode(), told.sn,
        ))  # fmt: skip
    if rows:
        await db.execute(KEEP, *zip(*rows, strict=True))
    return fates
