"""One question of the suite to a robot's local API, and what an answer must be.

Every answer is HTTP 200 with a JSON object that has `code` and `msg`; a refusal has a `reason`.
"""

from dataclasses import dataclass
from typing import IO, Any

import aiohttp
from pydantic import TypeAdapter, ValidationError

from lustra.protocol.answers.base import Refusal
from lustra.protocol.commands import COMMANDS, route
from lustra.protocol.refusals import RelayCode

HTTP_OK = 200
WAIT = aiohttp.ClientTimeout(total=20)
Answer = dict[str, Any]


class Broken(Exception):
    """A rule of the documents that the robot does not keep."""


class Absent(Exception):
    """The robot does not have the command, which it may."""


@dataclass(frozen=True, slots=True)
class Robot:
    """The robot that is tried. `url`: of its HTTP server; `protocol`: 2 or 3."""

    session: aiohttp.ClientSession
    url: str
    protocol: int

    async def send(
        self,
        path: str,
        *,
        method: str = "POST",
        body: Any = None,
        data: bytes | IO[bytes] | None = None,
        control: int = 0,
    ) -> Answer:
        """An answer of any kind. Raises Broken where it is none."""
        headers = {"control": str(control), "content-type": "application/json"}
        query = body if method == "GET" else None
        content: dict[str, Any] = (
            {"json": body} if data is None and method == "POST" and body is not None else {"data": data}
        )
        if "json" in content:
            del headers["content-type"]
        try:
            async with self.session.request(
                method, f"{self.url}/{path}", headers=headers, params=query, timeout=WAIT, **content
            ) as response:
                if response.status != HTTP_OK:
                    raise Broken(f"HTTP {response.status} instead of 200")
                answer = await response.json()
        except (aiohttp.ClientError, TimeoutError, ValueError) as why:
            raise Broken(f"no answer in JSON: {why!r}") from why
        if not isinstance(answer, dict) or not isinstance(answer.get("code"), int) or "msg" not in answer:
            raise Broken("the answer is no object with code and msg")
        return answer

    async def ask(self, name: str, body: Any = None, *, control: int = 0) -> Answer:
        """An answer of a command. Raises Absent where the robot does not have it."""
        command = COMMANDS[name]
        answer = await self.send(route(command, self.protocol), method=command.method, body=body, control=control)
        if (answer["code"], answer.get("reason")) == (RelayCode.UNKNOWN, "command_unknown"):
            raise Absent(name)
        return answer


def demand(holds: bool, otherwise: str) -> None:  # noqa: FBT001  a condition, as of assert
    if not holds:
        raise Broken(otherwise)


def demand_model(kind: Any, answer: Answer) -> None:
    try:
        TypeAdapter(kind).validate_python(answer)
    except ValidationError as why:
        first = why.errors(include_url=False, include_input=False)[0]
        raise Broken(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from why


def demand_refusal(answer: Answer, code: int, reason: str = "", field: str = "") -> None:
    """Refused with this code, and with reason and field where the documents name them."""
    demand(answer["code"] == code, f"code {answer['code']} instead of {code}")
    demand_model(Refusal, answer)
    demand(not reason or answer.get("reason") == reason, f"reason {answer.get('reason')!r} instead of {reason!r}")
    demand(not field or answer.get("field") == field, f"field {answer.get('field')!r} instead of {field!r}")
