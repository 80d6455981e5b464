"""What a call answers when it does not do what was asked, for the OpenAPI: a client made from it can read any refusal.

Rule: a refusal has the answer's own envelope with a code that is not 0, also where HTTP itself refuses; its status is
200, or what core/errors says of its code.
"""

from collections.abc import Iterable
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, WithJsonSchema
from pydantic.alias_generators import to_camel

from lustra.core.errors import COME_AGAIN, STATUS, Code

REF = "#/components/schemas/{model}"
REFUSED = [code for code in Code if code is not Code.OK]
CODES = {"type": "integer", "enum": list(map(int, REFUSED)), "x-enum-varnames": [code.name for code in REFUSED]}
RefusalCode = Annotated[Code, AfterValidator(lambda code: REFUSED[REFUSED.index(code)]), WithJsonSchema(CODES)]


class RefusalMessage(BaseModel):
    code: RefusalCode = Field(description="Number of the refusal, never 0")
    message: str = Field(description="Why, in the caller's language: Accept-Language, or the session's")


class RefusalData(BaseModel):
    """What the text is made of; which of these there are depends on the code, and there may be more."""

    model_config = ConfigDict(extra="allow", alias_generator=to_camel)

    field: str = Field("", description="The field of the payload that is refused, as a path: `list.0.name`")
    fields: list[str] = Field([], description="Fields that somebody else changed since they were read")
    seconds: int = Field(0, description="How long to wait before the next try")
    limit: float | int | str = Field(0, description="What is allowed")
    used: str = Field("", description="What of a quota is used, with its unit")
    count: int = Field(0, description="How many there are, or use it")
    names: str | list[str] = Field("", description="Who uses it")
    owner: str = Field("", description="Who holds the control lock")
    customer: str = Field("", description="Who alone opens support access")
    url: str = Field("", description="The path that there is not")
    allowed: str = Field("", description="Methods that the path has")
    customer_id: int = Field(0, description="Number of that customer's account")


class Refusal(BaseModel):
    message: RefusalMessage = Field(description="Code and text of the refusal")
    data: RefusalData | None = Field(description="What the text is made of; null: nothing")


def schemas() -> dict[str, Any]:
    """Components, by name."""
    adapters: list[tuple[str, Any, TypeAdapter[Any]]] = [(Refusal.__name__, "validation", TypeAdapter(Refusal))]
    return TypeAdapter.json_schemas(adapters, ref_template=REF)[1]["$defs"]


def responses() -> dict[str, Any]:
    """Components too, by the status."""
    retry = {"Retry-After": {"description": "Seconds", "schema": {"type": "integer"}}}
    content = {"application/json": {"schema": {"$ref": REF.format(model="Refusal")}}}
    refusals: dict[str, Any] = {
        str(status): {"description": _names_of(status), "content": content} for status in sorted(set(STATUS.values()))
    }
    refusals["405"]["headers"] = {"Allow": {"description": "Methods of the path", "schema": {"type": "string"}}}
    for status in COME_AGAIN:
        refusals[str(status)]["headers"] = retry
    return {"302": {"description": "Back to the console, with `refused`, the name of a code"}, **refusals}


def _names_of(status: int) -> str:
    """Codes of the status; a path may say which of them it has in `x-refusals`."""
    return ", ".join(code.name for code in STATUS if STATUS[code] == status)


def beside_200(codes: Iterable[Code], *, landing: bool) -> dict[str, Any]:
    """What a call answers by other statuses. `landing`: it leads a browser elsewhere when it refuses."""
    routing = {405, 421}  # of any path, before it is known which call is meant
    statuses = {"302"} if landing else {str(STATUS[code]) for code in codes if code in STATUS} | set(map(str, routing))
    return {status: {"$ref": f"#/components/responses/{status}"} for status in sorted(statuses)}
