"""/user/apiKey: keys for programs, sent as `Authorization: Bearer <secret>`."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from lustra.core.calls.rpc import SESSION, Ctx, Nothing, Wire, call
from lustra.core.wire import Commas, doc
from lustra.domains.account import api_keys, service
from lustra.domains.account.rules import Name, PasswordAgain

LONGEST_DAYS = 366


class ApiKeyRow(Wire):
    """`lastTime` null: never used yet; to the minute."""

    id: Annotated[str, doc("The key's id.")]
    name: Annotated[str, doc("Its name.")]
    keys: Annotated[list[str], doc("Permission keys that it may use.")]
    create_time: Annotated[datetime, doc("When it was created.")]
    expire_time: Annotated[datetime, doc("When it ends.")]
    last_time: Annotated[datetime | None, doc("When it was last used, to the minute; null: never.")]


class ApiKeyList(Wire):
    list: Annotated[list[ApiKeyRow], doc("One's own keys, the oldest first.")]


class NewApiKey(Wire):
    """`keys`: permission keys, of those that one holds."""

    name: Annotated[Name, doc("Its name.")]
    keys: Annotated[Commas[str], doc("Permission keys, of those that one holds; 1 to 200.")] = Field(
        min_length=1, max_length=200
    )
    days: Annotated[int, doc("Days until it ends, 1 to 366.")] = Field(90, ge=1, le=LONGEST_DAYS)
    password: PasswordAgain = None


class ApiKeySecret(Wire):
    """`secret` is shown this once."""

    id: Annotated[str, doc("The key's id.")]
    secret: Annotated[str, doc("The secret for `Authorization: Bearer`; shown this once.")]
    expire_time: Annotated[datetime, doc("When it ends.")]


class ApiKeyId(Wire):
    key_id: Annotated[str, doc("The key's id.")] = Field(max_length=64)


@call("/user/apiKey/list", needs=SESSION, person=True, reads=("apiKey",))
async def list_api_keys(ctx: Ctx, _: Nothing) -> ApiKeyList:
    """List one's own API keys."""
    return ApiKeyList(
        list=[
            ApiKeyRow(
                id=key.id,
                name=key.name,
                keys=key.keys,
                create_time=key.began_at,
                expire_time=key.expires_at,
                last_time=key.seen_at,
            )
            for key in await api_keys.list_api_keys(ctx)
        ]
    )


@call("/user/apiKey/insert", needs=SESSION, person=True, changes=("apiKey",), audit="api_key.insert")
async def create_api_key(ctx: Ctx, payload: NewApiKey) -> ApiKeySecret:
    """Create an API key for a program."""
    await service.confirm_identity(ctx, payload.password)
    api_key, secret = await api_keys.create_api_key(ctx, payload.name, payload.keys, payload.days)
    ctx.note(id=api_key.id)
    return ApiKeySecret(id=api_key.id, secret=secret, expire_time=api_key.expires_at)


@call("/user/apiKey/delete", needs=SESSION, person=True, changes=("apiKey",), audit="api_key.delete")
async def delete_api_key(ctx: Ctx, payload: ApiKeyId) -> Nothing:
    """Delete an API key: it ends at once."""
    await api_keys.delete_api_key(ctx, payload.key_id)
    return Nothing()
