"""From the fields that came in to the payload of a call.

Rules: a field with a default takes null and an empty text as not sent, unless they are values of it: so do forms send
what nobody filled in. Unknown fields are tolerated and named to the sender. In a change, an account that a call knows
nothing of is the caller's own or refused: never somebody else's change done to oneself.
"""

from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import quote

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from lustra.core.calls.refused_input import reason_of, refused_input
from lustra.core.context import NOBODY, Actor
from lustra.core.errors import Code, Refusal

NOT_EMPTY = ("required", "too_short", "too_few")  # ends of the reasons by which a field says that it must be filled in
MOST_UNKNOWN = 20  # names in the header
LONGEST_NAME = 64
ACCOUNT = "userId"


def validate(model: type[BaseModel], fields: Mapping[str, Any]) -> BaseModel:
    """Raises `Refusal` that names the first field at fault."""
    try:
        return model.model_validate(fields)
    except ValidationError as wrong:
        unfilled = _unfilled(model, fields, wrong)
        if not unfilled:
            raise refused_input(wrong) from None
    try:
        return model.model_validate({name: value for name, value in fields.items() if name not in unfilled})
    except ValidationError as wrong:
        raise refused_input(wrong) from None


def fields_by_spelling(model: type[BaseModel]) -> dict[str, FieldInfo]:
    """Each field under every name by which it is accepted."""
    fields = model.model_fields.items()
    return {spelling: field for name, field in fields for spelling in (name, field.alias or name)}


def _unfilled(model: type[BaseModel], fields: Mapping[str, Any], wrong: ValidationError) -> set[str]:
    """Fields with a default that could not be read for being empty."""
    names = fields_by_spelling(model)
    unfilled: set[str] = set()
    for finding in wrong.errors(include_url=False, include_input=False):
        name = str(finding["loc"][0]) if finding["loc"] else ""
        field = names.get(name)
        if field is None or field.is_required():
            continue
        sent = {spelling: fields[spelling] for spelling, of in names.items() if of is field and spelling in fields}
        may_be_empty = not reason_of(finding).endswith(NOT_EMPTY)
        if all(value is None or (value == "" and may_be_empty) for value in sent.values()):
            unfilled |= sent.keys()
    return unfilled


def unknown_names(model: type[BaseModel] | None, fields: Iterable[str]) -> list[str]:
    """Names that the payload does not have."""
    known = fields_by_spelling(model) if model else {}
    return [name for name in fields if name not in known]


def unknown_header(model: type[BaseModel] | None, fields: Iterable[str]) -> str:
    """The first of the unknown names, as a header can carry them; empty: all are known."""
    return ", ".join(quote(name[:LONGEST_NAME]) for name in unknown_names(model, fields)[:MOST_UNKNOWN])


def refuse_foreign_account(model: type[BaseModel] | None, fields: Mapping[str, Any], actor: Actor) -> None:
    """`userId` sent to a change that does not know it."""
    own = {"", str(actor.acting_id), str(actor.real_id)}
    if ACCOUNT in unknown_names(model, fields) and actor is not NOBODY and str(fields[ACCOUNT] or "") not in own:
        raise Refusal(Code.BAD_INPUT, ACCOUNT, reason="foreign_account")
