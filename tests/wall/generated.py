"""Requests made by a generator: each call's own payload, spoiled in a few places, in every encoding of a body.

One seed gives the same requests again. Values are of three kinds: what the schema of the field allows, what names a
thing of some account, and what is hostile: beyond a range, unstorable, of another type, deep, huge or broken.
"""

import json
from copy import deepcopy
from random import Random
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

from pydantic import TypeAdapter

from lustra.core.calls.registry import CALLS, Call, types_of
from tests.wall.tenants import OWNERS, Things
from tests.wall.test_matrix import payload

HOSTILE: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    2**31 - 1,
    2**31,
    2**53,
    2**63 - 1,
    2**63,
    -(2**63) - 1,
    10**40,
    10**400,
    0.5,
    1e308,
    -1e308,
    5e-324,
    10**18,
    -(10**18),
    253402300799,
    "",
    " ",
    "\0",
    "a\0b",
    "\ud800",
    "\udfff\ud800",
    "😀" * 40,
    "مرحبا\u202e!",
    "\u2028\ufeff",
    "%",
    "_%\\",
    "' or 1=1 --",
    "x" * 5_000,
    "x" * 200_000,
    "null",
    "NaN",
    "1e400",
    "-Infinity",
    "9" * 5_000,
    "1,2,3",
    "1,\0",
    "1,,",
    ",",
    "[1,",
    "{}",
    '["\\u0000"]',
    '[{"name":"\\u0000"}]',
    '[{"hardSupportId":9223372036854775808}]',
    "[" * 3_000,
    '{"a":' * 500,
    "2026-01-01T00:00:00",
    "2026-01-01",
    "0001-01-01",
    "9999-12-31",
    "0001-01-01T00:00:00+14:00",
    "9999-12-31T23:59:59-14:00",
    "2026-02-30",
    "24:61",
    "23:59",
    "UTC",
    "Europe/Atlantis",
    "../../etc/passwd",
    "/etc/localtime",
    "http://[::1",
    "https://a.example:99999",
    "a@b",
    "a@b.example,\0",
    [],
    {},
    [[]],
    [None],
    [{}],
    ["\0"],
    [2**63],
    [-1, 0],
    [1] * 2_000,
    {"\0": 1},
    {"a": "\0"},
    {"a": {"b": [1]}},
)
BODIES = (  # that are no payload
    b"",
    b" ",
    b"null",
    b"[]",
    b'"text"',
    b"1",
    b"{",
    b'{"a":NaN}',
    b'{"a":Infinity}',
    b'{"a":1e999}',
    b'{"id":1,"id":"\\u0000"}',
    b'{"a":"\\ud800"}',
    b"\xff\xfe{}",
    b"\x00",
    b"[" * 50_000,
    b'{"a":' * 50_000,
    b'{"a":' * 30 + b"1" + b"}" * 30,
    b'{"a":"' + b"x" * 1_200_000 + b'"}',
    b"%ff%00=1",
    b"a=%00&a=1",
    b"--b\r\n",
)
JSON = "application/json"
FORM = "application/x-www-form-urlencoded"
PARTS = "multipart/form-data; boundary=b"
KINDS = (JSON, FORM, PARTS, "multipart/form-data", "text/plain", "")
FILES = (
    b"",
    b"\0",
    b"text",
    b"\x89PNG\r\n\x1a\n" + b"\0" * 40,
    b"PK\x03\x04" + b"\0" * 40,
    b"P5\n9 9\n255\n",
    b"image: a\n",
)
FILE_NAMES = ("a.txt", "map.zip", "map.yaml", "a.png", "sheet.xlsx", "../a", "a\0b", "", "x" * 400, "😀", "%00")


class Generated(NamedTuple):
    """A request: `target` is path and query."""

    call: Call
    target: str
    kind: str
    body: bytes


def requests(random: Random, things: dict[str, Things], count: int) -> list[Generated]:
    """So many, over all calls in turn."""
    calls = [*CALLS.values()]
    random.shuffle(calls)
    schemas = {id(call): schema_of(call) for call in calls}
    return [request(random, calls[at % len(calls)], schemas[id(calls[at % len(calls)])], things) for at in range(count)]


def schema_of(call: Call) -> dict[str, Any]:
    taken = types_of(call)[0]
    return TypeAdapter(taken).json_schema(by_alias=True) if taken else {}


def request(random: Random, call: Call, schema: dict[str, Any], things: dict[str, Things]) -> Generated:
    fields = allowed(random, schema, schema.get("$defs", {})) if schema else {}
    if schema and random.random() < 0.8:
        named = types_of(call)[0].model_fields
        known = deepcopy(payload(call, things[random.choice(OWNERS)]))  # spoiling one spoils no other test
        fields |= {named[name].alias or name: value for name, value in known.items()}
    for _ in range(random.choice((0, 1, 1, 1, 2, 3))):
        spoil(random, fields)
    path = call.path
    for name in [part[1:-1] for part in path.split("/") if part.startswith("{")]:
        path = path.replace("{" + name + "}", quote(text_of(fields.pop(name, "a")), safe="") or "a")
    if call.method == "GET":
        return Generated(call, f"{path}?{form(fields)}", "", b"")
    if random.random() < 0.06:
        return Generated(call, path, random.choice(KINDS), random.choice(BODIES))
    kind = PARTS if call.upload and random.random() < 0.9 else random.choice((JSON, JSON, JSON, FORM, PARTS))
    return Generated(call, path, kind, body(random, kind, fields, files=call.upload is not None))


def hostile(random: Random) -> Any:
    return deepcopy(random.choice(HOSTILE))


def spoil(random: Random, fields: dict[str, Any]) -> None:
    """One value, at some depth, becomes a hostile one, or a field is gone."""
    if not fields:
        fields[random.choice(("userId", "id", "keyword", "x"))] = hostile(random)
        return
    name = random.choice([*fields])
    inner = fields[name]
    if isinstance(inner, dict) and inner and random.random() < 0.7:
        spoil(random, inner)
    elif isinstance(inner, list) and inner and isinstance(inner[0], dict) and random.random() < 0.7:
        spoil(random, inner[0])
    elif isinstance(inner, list) and inner and random.random() < 0.5:
        inner[0] = hostile(random)
    elif random.random() < 0.1:
        del fields[name]
    else:
        fields[name] = hostile(random)


def allowed(random: Random, schema: dict[str, Any], shared: dict[str, Any]) -> Any:
    """A value that the schema allows, more or less."""
    if "$ref" in schema:
        return allowed(random, shared[schema["$ref"].rsplit("/", 1)[1]], shared)
    if "anyOf" in schema:
        return allowed(random, random.choice(schema["anyOf"]), shared)
    if "enum" in schema or "const" in schema:
        return random.choice(schema.get("enum") or [schema["const"]])
    kind = schema.get("type")
    if kind == "object":
        must = schema.get("required", ())
        fields = [each for each in schema.get("properties", {}).items() if each[0] in must or random.random() < 0.7]
        return {name: allowed(random, part, shared) for name, part in fields}
    if kind == "array":
        count = max(schema.get("minItems", 0), random.randint(0, 3))
        return [
            allowed(random, part, shared) for part in schema.get("prefixItems") or [schema.get("items", {})] * count
        ]
    return simple(random, schema, kind)


def simple(random: Random, schema: dict[str, Any], kind: str | None) -> Any:
    if kind in ("integer", "number"):
        lowest = int(schema.get("minimum", 0))
        return random.randint(lowest, int(min(schema.get("maximum", lowest + 9), lowest + 9)))
    if kind == "string":
        return random.choice(TEXTS.get(schema.get("format", ""), ("Named", "a", "1", "en", "index", "12:30")))
    return random.choice((True, False)) if kind == "boolean" else None


TEXTS = {"date": ("2026-03-01", "2026-01-31"), "date-time": ("2026-03-01T10:00:00Z",), "password": ("Lustra-demo-1",)}


def text_of(value: Any) -> str:
    """As a form has it, without what UTF-8 cannot say."""
    text = value if isinstance(value, str) else json.dumps(value)
    return text.encode("utf-8", "replace").decode()


def form(fields: dict[str, Any]) -> str:
    return urlencode([(name, text_of(value)) for name, value in fields.items()])


def body(random: Random, kind: str, fields: dict[str, Any], *, files: bool) -> bytes:
    if kind == JSON:
        return json.dumps(fields).encode()
    if kind == FORM:
        return form(fields).encode()
    parts = [
        b'--b\r\ncontent-disposition: form-data; name="%s"\r\n\r\n%s\r\n' % (name.encode(), text_of(value).encode())
        for name, value in fields.items()
    ]
    if files:
        name = random.choice(FILE_NAMES).encode()
        head = b'--b\r\ncontent-disposition: form-data; name="file"; filename="%s"\r\n\r\n' % name
        parts += [head + random.choice(FILES) + b"\r\n"] * random.choice((0, 1, 1, 1, 2))
    return b"".join(parts) + b"--b--\r\n"
