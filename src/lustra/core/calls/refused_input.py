"""From the validator's findings to a refusal that names the field and says why in the session's language."""

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from lustra.core import texts
from lustra.core.errors import Code, Refusal

_REASONS = {
    "missing": "required",
    "string_too_short": "too_short",
    "string_too_long": "too_long",
    "too_short": "too_few",
    "too_long": "too_many",
    "greater_than": "too_small",
    "greater_than_equal": "too_small",
    "less_than": "too_big",
    "less_than_equal": "too_big",
    "int_parsing": "number",
    "int_type": "number",
    "int_from_float": "number",
    "float_parsing": "number",
    "float_type": "number",
    "finite_number": "number",
    "bool_parsing": "choice",
    "literal_error": "choice",
    "enum": "choice",
    "list_type": "list",
    "datetime_parsing": "date",
    "datetime_from_date_parsing": "date",
    "date_parsing": "date",
    "date_from_datetime_parsing": "date",
    "timezone_aware": "date",
    "string_type": "text",
}


def refused_input(wrong: ValidationError) -> Refusal:
    """The refusal for the first of a payload's faults."""
    return refusals(wrong)[0]


def refusals(wrong: ValidationError) -> list[Refusal]:
    return [_refusal(finding) for finding in wrong.errors(include_url=False, include_input=False)]


def reason_of(finding: ErrorDetails) -> str:
    """A rule's own error type (protocol/payloads) is itself the reason's key."""
    kind = finding["type"]
    return _REASONS.get(kind) or (kind if texts.known(f"input.{kind}") else "wrong")


def _refusal(finding: ErrorDetails) -> Refusal:
    reason = reason_of(finding)
    limits = {name: value for name, value in finding.get("ctx", {}).items() if isinstance(value, (int, float, str))}
    limit = next((limits[name] for name in ("min_length", "max_length", "gt", "ge", "lt", "le") if name in limits), "")
    field = ".".join(str(part) for part in finding["loc"])
    return Refusal(Code.BAD_INPUT, field, reason=reason, limit=limit)
