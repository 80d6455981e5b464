"""/user/exportPerson, /user/erasePerson: one person's copy of what is kept about them, and its end."""

from typing import Annotated

from pydantic import Field, SecretStr

from lustra.core.calls.rpc import SESSION, Ctx, Raw, Wire, call
from lustra.core.wire import Id, doc
from lustra.domains.account.data_protection import erasure, privacy


class PersonId(Wire):
    target_user_id: Annotated[Id | None, doc("The person's account; null: one's own.")] = None


class Erasure(PersonId):
    account: Annotated[SecretStr, doc("Login name of the account, typed again as a safeguard; it is not recorded.")] = (
        Field(max_length=64)
    )


class ErasureResult(Wire):
    rows: Annotated[int, doc("Number of audit entries from which the person's data were removed.")]


@call("/user/exportPerson", needs=SESSION, person=True, raw="application/zip", audit="user.export_person")
async def export_person(ctx: Ctx, payload: PersonId) -> Raw:
    """Export what is stored about a person, as a zip of JSON and files."""
    name, parts = await privacy.export(ctx, payload.target_user_id)
    return Raw(parts, "application/zip", name=name)


@call("/user/erasePerson", needs=SESSION, person=True, changes=("user", "device"), audit="user.erase_person")
async def erase_person(ctx: Ctx, payload: Erasure) -> ErasureResult:
    """Erase a person: delete the account and, at once, all that says who it was."""
    rows = await erasure.erase(ctx, payload.target_user_id, payload.account.get_secret_value())
    return ErasureResult(rows=rows)
