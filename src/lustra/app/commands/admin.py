"""`lustra admin create`: the first administrator, with a random password that is told once."""

import asyncio
import sys

from lustra.core import db
from lustra.core.settings import Settings
from lustra.domains.account.api import seed


async def first(settings: Settings) -> str | None:
    engine = db.engine(settings.database_url, size=1)
    try:
        async with db.sessions(engine).begin() as session:
            return await seed.create_first_admin(session)
    finally:
        await engine.dispose()


def main() -> None:
    password = asyncio.run(first(Settings.read()))
    if password:
        sys.stdout.write(f"admin {password} (change it at the first log-in)\n")
