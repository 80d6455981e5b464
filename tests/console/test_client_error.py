"""Errors of the console come into the server's log: bounded, cleaned, only of who is logged in."""

from typing import Any

import pytest
from structlog.testing import capture_logs

from lustra.core.errors import Code
from lustra.core.http import minute_limit
from lustra.domains.console import service
from tests.world import World

PATH = "/clientError"
ERROR = {
    "kind": "render",
    "route": "/device/maplist/:mapId",
    "version": "1.20.0",
    "message": "Cannot read properties of undefined (reading 'map')",
    "stack": "at Row (https://lustra.example/assets/log-screen-Bx3kQ9aZ.js:12:3456)",
}


@pytest.fixture(autouse=True)
def fresh_limit(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(service, "LIMIT", minute_limit.MinuteLimit(service.MOST_A_MINUTE))


def lines(logs: list) -> list[dict]:
    return [line for line in logs if line["event"] == "console.error"]


async def test_an_error_is_one_line_with_route_version_and_stack(world: World):
    with capture_logs() as logs:
        await world.call("user", PATH, **ERROR)
    [line] = lines(logs)
    assert line == {"event": "console.error", "log_level": "warning"} | ERROR


async def test_secrets_and_addresses_of_people_are_not_logged(world: World):
    token = await world.token("user")
    message = f"no answer for ann.lee@example.com, +49 170 1234567, {token}"
    stack = "at /device/index?text=Ann#top (x.js:1:2)"
    with capture_logs() as logs:
        await world.call("user", PATH, **ERROR | {"message": message, "stack": stack})
    [line] = lines(logs)
    assert line["message"] == "no answer for … …, …"
    assert line["stack"] == "at /device/index… (x.js:1:2)"


async def test_without_a_session_nothing_is_reported(world: World):
    with capture_logs() as logs:
        answer = await world.http.post(f"/api{PATH}", json=ERROR)
    assert answer.json()["message"]["code"] == Code.SESSION_INVALID
    assert lines(logs) == []


@pytest.mark.parametrize(
    "change",
    [{"message": "x" * 301}, {"stack": "x" * 2001}, {"route": "x" * 101}, {"version": "x" * 21}, {"kind": "else"}],
)
async def test_too_long_or_unknown_is_refused(world: World, change: dict[str, Any]):
    with capture_logs() as logs:
        code, _ = await world.raw("user", PATH, **ERROR | change)
    assert code == Code.BAD_INPUT
    assert lines(logs) == []


async def test_limit_reports_of_a_session_without_hindering_others(world: World, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(minute_limit.time, "time", lambda: 1200.0)
    with capture_logs() as logs:
        for _ in range(service.MOST_A_MINUTE):
            await world.call("user", PATH, **ERROR)
        code, answer = await world.raw("user", PATH, **ERROR)
        assert (code, answer) == (Code.TOO_MANY_TRIES, {"seconds": 60})
        await world.call("rivaluser", PATH, **ERROR)
        monkeypatch.setattr(minute_limit.time, "time", lambda: 1260.0)
        await world.call("user", PATH, **ERROR)
    assert len(lines(logs)) == service.MOST_A_MINUTE + 2
