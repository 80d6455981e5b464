"""A new password for who forgot the old one: a link is asked for, and used."""

from typing import Annotated

from pydantic import Field, SecretStr

from lustra.core.calls.rpc import PUBLIC, Ctx, Nothing, Wire, call
from lustra.core.wire import doc
from lustra.domains.account.access import recovery
from lustra.domains.account.rules import SHORTEST_PASSWORD


class ForgottenPassword(Wire):
    """`account` is left out of what is recorded: see service.recorded_name."""

    account: Annotated[str, doc("Login name, 1 to 64 characters.")] = Field(min_length=1, max_length=64, exclude=True)


class PasswordReset(Wire):
    code: Annotated[SecretStr, doc("Code of the link, 1 to 64 characters; good once, for 30 minutes.")] = Field(
        min_length=1, max_length=64
    )
    new_password: Annotated[SecretStr, doc("New password, 8 to 256 characters.")] = Field(
        min_length=SHORTEST_PASSWORD, max_length=256
    )


@call("/forgotPassword", needs=PUBLIC, audit="password.forgotten")
async def request_link(ctx: Ctx, payload: ForgottenPassword) -> Nothing:
    """Ask for a link by mail that sets a new password. The answer never says whether there is such an account."""
    await recovery.request_link(ctx, payload.account)
    return Nothing()


@call("/resetPassword", needs=PUBLIC, audit="password.reset")
async def reset_password(ctx: Ctx, payload: PasswordReset) -> Nothing:
    """Set a new password by the code of a link: all sessions of the account end."""
    await recovery.reset_password(ctx, payload.code.get_secret_value(), payload.new_password.get_secret_value())
    return Nothing()
