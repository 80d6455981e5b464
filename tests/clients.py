"""How tests speak to the server."""

from collections.abc import Awaitable, Callable
from typing import Any

from httpx import AsyncClient

ENGLISH = {"accept-language": "en"}


class Console:
    """A logged-in console: `await console("/device/selectDevicePc", pageSize=10)` gives the data of a success."""

    def __init__(self, http: AsyncClient, session: dict[str, Any]) -> None:
        self.http, self.session = http, session
        self.id = session.get("userId", 0)

    async def raw(self, path: str, **payload: Any) -> tuple[int, Any]:
        """Code and data."""
        answer = await self.answer(path, **payload)
        return answer["message"]["code"], answer["data"]

    async def answer(self, path: str, **payload: Any) -> dict[str, Any]:
        answer = await self.http.post(f"/api{path}", json=payload)
        assert answer.status_code == 200, (path, answer.status_code, answer.text)
        return answer.json()

    async def __call__(self, path: str, **payload: Any) -> Any:
        answer = await self.answer(path, **payload)
        assert answer["message"]["code"] == 0, (path, answer)
        return answer["data"]


LogIn = Callable[..., Awaitable[Console]]  # `await console("dealer")`
