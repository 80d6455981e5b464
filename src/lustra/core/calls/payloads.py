"""From the fields that came in to the payload of a call.

Rules: a field with a default takes null and an empty text as not sent, unless they are values of it: so do forms send
what nobody filled in. A field comes by the specification's name or by another writing of it: `userID`, `user_id`,
`deviceSerialNumber`. Unknown fields are tolerated and named to the sender. In a change, an account that a call knows
nothing of is the caller's own or refused: never somebody else's change done to oneself.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any
from urllib.parse import quote

from pydantic import AliasChoices, BaseModel, ValidationError
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


@cache
def fields_by_spelling(model: type[BaseModel]) -> dict[str, FieldInfo]:
    """Each field under every name by which the model accepts it."""
    fields = model.model_fields.items()
    return {spelling: field for name, field in fields for spelling in (name, field.alias or name, *_others(field))}


def _others(field: FieldInfo) -> list[str]:
    aliases = field.validation_alias
    return [str(choice) for choice in aliases.choices] if isinstance(aliases, AliasChoices) else []


def _fold(name: str) -> str:
    return name.replace("_", "").lower()


def settle_spellings(model: type[BaseModel], fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields by the names of the contract. Where a field comes in two writings, that of the contract counts."""
    known = fields_by_spelling(model)
    names = {_fold(spelling): field.alias or spelling for spelling, field in known.items()}
    settled = {name: value for name, value in fields.items() if name in known}
    for name, value in fields.items():
        if name not in known and (contract := names.get(_fold(name))):
            settled.setdefault(contract, value)
        elif name not in known:
            settled[name] = value
    return settled


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
    for name in unknown_names(model, fields):
        if _fold(name) == _fold(ACCOUNT) and actor is not NOBODY and str(fields[name] or "") not in own:
            raise Refusal(Code.BAD_INPUT, ACCOUNT, reason="foreign_account")
