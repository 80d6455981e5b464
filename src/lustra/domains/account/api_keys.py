"""API keys: what a program of an account's calls with, in place of a log-in.

A key does at most what its maker chose of what the maker holds, and never more than the maker still holds. It ends by
itself, when its maker deletes it, and when others end the account's sessions. The secret is shown once and stored
hashed. Log-ins, passwords, rights and what is one's own are for people: calls that say `person`, or that want no
key of a page, refuse it.
"""

import secrets
from collections.abc import Sequence
from datetime import timedelta
from uuid import uuid4

from sqlalchemy import func

from lustra.core import query
from lustra.core.context import Ctx
from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.domains.account import granting
from lustra.domains.account.credentials import sessions
from lustra.domains.account.service import own
from lustra.domains.account.tables import ApiKey

MOST_KEYS = 20  # that one account has at a time
PREFIX = "lustra_"  # so that scanners of sources know one when they see it


async def list_api_keys(ctx: Ctx) -> Sequence[ApiKey]:
    return (await ctx.db.scalars(ctx.scope.select(ApiKey).order_by(ApiKey.began_at, ApiKey.id))).all()


async def create_api_key(ctx: Ctx, name: str, keys: list[str], days: int) -> tuple[ApiKey, str]:
    """The key and its secret, which is shown this once."""
    await own(ctx.db, ctx.actor, lock=True)  # two makers wait for each other
    if (await ctx.db.scalar(ctx.scope.select(func.count(ApiKey.id))) or 0) >= MOST_KEYS:
        raise Refusal(Code.BAD_INPUT, "name", reason="api_keys_many", limit=MOST_KEYS)
    secret = PREFIX + secrets.token_urlsafe(32)
    api_key = ApiKey(
        id=str(uuid4()),
        account_id=ctx.actor.real_id,
        name=name,
        token=sessions.digest(secret),
        keys=granting.check_keys(ctx.actor, keys),
        began_at=now(),
        expires_at=now() + timedelta(days=days),
    )
    ctx.db.add(api_key)
    return api_key, secret


async def delete_api_key(ctx: Ctx, key_id: str) -> None:
    """Ends the key: within a second no process takes it any more."""
    key = await query.fetch_one(ctx.db, ctx.scope.select(ApiKey).where(ApiKey.id == key_id).with_for_update())
    await sessions.end_sessions(ctx, key.id)
