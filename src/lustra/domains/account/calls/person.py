"""/user/exportPerson, /user/erasePerson: one person's copy of what is kept about them, and its end."""

from pydantic import Field, SecretStr

from lustra.core.rpc import SESSION, Ctx, Raw, Wire, call
from lustra.core.wire import Id
from lustra.domains.account import person


class OfPerson(Wire):
    """Without `targetUserId`: oneself."""

    target_user_id: Id | None = None


class Erasure(OfPerson):
    """`account`: the login name, typed again; no record keeps it."""

    account: SecretStr = Field(max_length=64)


class Erased(Wire):
    """`rows`: of the audit, that spoke of the person."""

    rows: int


@call("/user/exportPerson", needs=SESSION, person=True, raw="application/zip", audit="user.export_person")
async def export_person(ctx: Ctx, wanted: OfPerson) -> Raw:
    """A zip of JSON and files."""
    name, parts = await person.export(ctx, wanted.target_user_id)
    return Raw(parts, "application/zip", name=name)


@call("/user/erasePerson", needs=SESSION, person=True, changes=("user", "device"), audit="user.erase_person")
async def erase_person(ctx: Ctx, told: Erasure) -> Erased:
    """The account is deleted and what says who it was is gone at once."""
    rows = await person.erase(ctx, told.target_user_id, told.account.get_secret_value())
    return Erased(rows=rows)
