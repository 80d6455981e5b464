"""Which commands a robot's local API has, as it says itself; what it does not say it has all of its protocol.

Relays refuse the others by the grant, and the console leaves them out.
"""

import msgspec

from lustra.core.db import Connection
from lustra.core.scope import robots_own
from lustra.domains.device import queries
from lustra.protocol.bus import CommandList, Event


async def store_commands(db: Connection, sn: str, event: Event) -> None:
    """What an event says of a robot. Raises msgspec.ValidationError where its content is none."""
    content = msgspec.convert(event.content, CommandList)
    abilities = None if content.abilities is msgspec.UNSET else sorted(set(content.abilities))
    statement = robots_own.sql(queries.STORE_COMMANDS)
    await db.execute(statement, sn, sorted(set(content.commands)), abilities)
