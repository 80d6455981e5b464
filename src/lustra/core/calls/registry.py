"""`@call(path, needs=…)`: the register of all calls. A call's signature is its whole contract."""

from collections.abc import AsyncIterable, Awaitable, Callable
from dataclasses import dataclass, field
from functools import cache
from inspect import signature
from typing import Any, Generic, Literal, TypeVar, get_args, get_origin, get_type_hints

from lustra.core.security.permission import PUBLIC, Needs, keys_of

A = TypeVar("A")
Handler = Callable[..., Awaitable[Any]]
Method = Literal["GET", "POST", "PUT", "OPTIONS"]


@dataclass(frozen=True, slots=True)
class Upload:
    """A body that may be large: a form with files, spooled to disk, or (`stream`) the bytes themselves as they come.

    The handler's third parameter takes it: `list[UploadFile]`, or `AsyncIterator[bytes]`. `largest` bounds the body.
    """

    largest: int
    files: int = 1
    stream: bool = False


@dataclass(frozen=True, slots=True)
class Raw:
    """An answer that is no envelope: a picture, a file, a sound, a redirect. With `name` the browser saves it so."""

    body: bytes | AsyncIterable[bytes]
    media_type: str
    name: str = ""
    headers: dict[str, str] = field(default_factory=dict[str, str])
    status: int = 200


@dataclass(frozen=True, slots=True)
class Fast(Generic[A]):
    """An answer made of plain dicts, lists or msgspec structs in the shape of `A`, for hot paths: validated
    in tests and the demo alone (core/calls/answer_check)."""

    value: Any


@dataclass(frozen=True, slots=True)
class Call:
    """`changes`: families whose lists it makes stale (x-changes in the OpenAPI). `audit`: name of the recorded action;
    without one only denied tries are recorded. `reads`: topics whose rows it shows (core/stale; x-reads), by default
    the first word of its path. `raw`: media types of its answer, by comma. `person`: refused to API keys.
    `form_token`: where no header carries the token, the form's field `token` does.
    `landing`: the browser itself opens the call; a refusal sends it to this page, with the code's name."""

    path: str
    handler: Handler
    needs: Needs
    method: Method = "POST"
    raw: str = ""
    upload: Upload | None = None
    changes: tuple[str, ...] = ()
    audit: str = ""
    person: bool = False
    landing: str = ""
    reads: tuple[str, ...] = ()
    form_token: bool = False

    @property
    def door(self) -> bool:
        """Stands open before anybody is logged in, and makes something known or written."""
        return self.needs is PUBLIC and bool(self.audit or self.landing)


CALLS: dict[tuple[Method, str], Call] = {}


def call(
    path: str,
    *,
    needs: Needs,
    method: Method = "POST",
    raw: str = "",
    upload: Upload | None = None,
    changes: tuple[str, ...] = (),
    audit: str = "",
    person: bool = False,
    landing: str = "",
    reads: tuple[str, ...] = (),
    form_token: bool = False,
) -> Callable[[Handler], Handler]:
    """Register a call under /api. `{name}` in the path is a field of the payload."""

    def register(handler: Handler) -> Handler:
        if (method, path) in CALLS:
            raise ValueError(f"call {method} {path} is declared twice")
        CALLS[method, path] = Call(
            path, handler, needs, method, raw, upload, changes, audit, person, landing, reads, form_token
        )
        return handler

    return register


def reads_of(entry: Call) -> tuple[str, ...]:
    """Topics that its answer is stale with."""
    return entry.reads or (entry.path.split("/")[1],)


@cache
def types_of(entry: Call) -> tuple[Any, Any]:
    """What a call takes (None: nothing) and what it answers (None: nothing, or no envelope)."""
    hints = get_type_hints(entry.handler)
    names = list(signature(entry.handler).parameters)
    answer = hints.get("return")
    if get_origin(answer) is Fast:
        answer = get_args(answer)[0]
    return (hints[names[1]] if len(names) > 1 else None), (None if answer is Raw else answer)


def all_keys() -> set[str]:
    return {key for entry in CALLS.values() for key in keys_of(entry.needs)}
