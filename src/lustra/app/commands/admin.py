"""`lustra admin create`: the first administrator. `lustra admin add`: an account below another, of any level; the
fifth is made by no other way. Each with a random password that is shown once."""

import argparse
import asyncio
import sys
from collections.abc import Awaitable, Callable

from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core import db
from lustra.core.errors import Refusal
from lustra.core.settings import Settings
from lustra.domains.account.api import seed


async def in_database(settings: Settings, act: Callable[[AsyncSession], Awaitable[str | None]]) -> str | None:
    engine = db.engine(settings.database_url, size=1)
    try:
        async with db.sessions(engine).begin() as session:
            return await act(session)
    finally:
        await engine.dispose()


def main(arguments: argparse.Namespace) -> None:
    account = arguments.account if arguments.what == "add" else "admin"

    async def act(session: AsyncSession) -> str | None:
        if arguments.what == "create":
            return await seed.create_first_admin(session)
        return await seed.create_account_below(session, arguments.parent, account, arguments.name)

    try:
        password = asyncio.run(in_database(Settings.read(), act))
    except Refusal as refusal:
        raise SystemExit(refusal.text("en")) from None
    if password:
        sys.stdout.write(f"{account} {password} (change it at the first log-in)\n")
