"""What a browser gets beside calls: health, headers, the console's files."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from httpx import ASGITransport, AsyncClient
from sqlalchemy import text
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route
from starlette.types import Message, Receive, Scope, Send

from lustra.app.processes import server
from lustra.app.web import ready
from lustra.app.web.base_path import BasePath
from lustra.app.web.console import Console
from lustra.app.web.headers import Headers, policy
from lustra.core.context import Services
from lustra.core.files.disk import folder_of
from lustra.core.settings import Settings
from lustra.core.sheet import XLSX


async def readiness(plain: AsyncClient, monkeypatch: pytest.MonkeyPatch):
    """A look of its own: not the one that was kept for a second."""
    monkeypatch.setattr(ready, "FRESH_S", 0.0)
    answer = await plain.get("/readyz")
    return answer.status_code, answer.json()["faults"]


async def test_ready_means_that_database_and_bus_write(
    plain: AsyncClient, services: Services, monkeypatch: pytest.MonkeyPatch
):
    assert await readiness(plain, monkeypatch) == (200, {})
    async with services.sessions.begin() as db:
        await db.execute(text("ALTER TABLE write_check ADD CHECK (at < '2000-01-01') NOT VALID"))
    await services.bus.js.delete_key_value("ready")
    try:
        status, faults = await readiness(plain, monkeypatch)
        assert (status, faults["database"]) == (503, "cannot write")
        assert faults["bus"] in {"cannot write", "no answer"}
    finally:
        await services.bus.set_up(64 << 20)
    assert (await plain.get("/healthz")).status_code == 200


async def test_a_disk_that_is_nearly_full_is_not_ready(
    plain: AsyncClient, services: Services, monkeypatch: pytest.MonkeyPatch
):
    folder_of(services.settings.objects_url).mkdir(exist_ok=True)
    monkeypatch.setattr(ready, "LEAST_FREE", 1 << 60)
    status, faults = await readiness(plain, monkeypatch)
    assert (status, faults.keys()) == (503, {"disk"})


async def test_readiness_is_looked_at_once_a_second_however_often_it_is_asked(
    plain: AsyncClient, services: Services, monkeypatch: pytest.MonkeyPatch
):
    looks = []
    monkeypatch.setattr(ready.Readiness, "commit_row", lambda _: looks.append(1) or asyncio.sleep(0, ""))
    await asyncio.gather(*(plain.get("/readyz") for _ in range(20)))
    assert len(looks) == 1


@pytest.mark.parametrize(
    ("host", "status"),
    [
        *((host, 200) for host in ("localhost:8080", "127.0.0.1:1", "[::1]:8080", "LOCALHOST", "lustra.example.org")),
        *((host, 421) for host in ("evil.example", "evil.example:8080", "127.0.0.1.evil.example", "", "[", "10.0.0.1")),
    ],
)
async def test_the_demo_answers_by_this_machines_names_and_its_public_one_alone(
    services: Services, host: Any, status: Any
):
    settings = replace(services.settings, hosts="", public_url="https://lustra.example.org")
    served = server.app(replace(services, settings=settings))
    async with AsyncClient(transport=ASGITransport(served), base_url="http://test") as http:
        assert (await http.get("/healthz", headers={"host": host})).status_code == status


async def test_another_pages_name_opens_no_live_socket_of_the_demo(services: Services):
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "websocket.connect"}

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {"type": "websocket", "path": "/api/live", "headers": [(b"host", b"evil.example")], "extensions": {}}
    await server.app(services)(scope, receive, send)
    assert (sent[0]["type"], sent[0]["status"]) == ("websocket.http.response.start", 421)


OWN_PAGES = [None, "https://console.example", "http://console.example:8080"]  # None: a program's
FOREIGN_PAGES = ["https://evil.example", "https://console.example.evil.example", "https://", "null", "", "["]


@pytest.mark.parametrize("public_url", ["https://lustra.example", ""])
@pytest.mark.parametrize("origin", [*OWN_PAGES, "https://lustra.example", *FOREIGN_PAGES])
async def test_only_pages_of_our_own_open_a_socket(services: Services, origin: Any, public_url: str):
    opened = origin in OWN_PAGES or origin == public_url != ""
    settings = replace(services.settings, demo=False, hosts="", public_url=public_url)
    types: list[str] = []

    async def inner(scope: Scope, receive: Receive, send: Send) -> None:
        types.append("opened")

    async def send(message: Message) -> None:
        types.append(message["type"])

    async def receive() -> Message:
        return {"type": "websocket.connect"}

    headers = [(b"host", b"console.example"), *([] if origin is None else [(b"origin", origin.encode())])]
    scope = {"type": "websocket", "path": "/api/live", "headers": headers, "extensions": {}}
    await Headers(inner, settings)(scope, receive, send)
    assert types[0] == ("opened" if opened else "websocket.http.response.start")


@pytest.mark.parametrize(("hosts", "status"), [("", 200), ("console.example", 421)])
async def test_outside_the_demo_names_are_checked_by_setting(services: Services, hosts: str, status: int):
    settings = replace(services.settings, demo=False, hosts=hosts)
    served = server.app(replace(services, settings=settings))
    async with AsyncClient(transport=ASGITransport(served), base_url="http://test") as http:
        assert (await http.get("/healthz", headers={"host": "other.example"})).status_code == status


@pytest.mark.parametrize("path", ["/healthz", "/api/nothing", "/api/docs", "/index"])
async def test_every_answer_keeps_the_browser_on_the_safe_side(plain: AsyncClient, path: str):
    headers = (await plain.get(path)).headers
    assert "script-src 'self';" in headers["content-security-policy"]
    assert "connect-src 'self' http://127.0.0.1:1 ws://127.0.0.1:1;" in headers["content-security-policy"]
    assert (headers["x-content-type-options"], headers["x-frame-options"]) == ("nosniff", "DENY")


def test_every_known_relay_may_be_reached_and_by_socket_too():
    header = policy(Settings(relay_url="https://eu.example.org/, https://cn.example.org"))
    expected = "https://eu.example.org wss://eu.example.org https://cn.example.org wss://cn.example.org"
    assert f"connect-src 'self' {expected};" in header


PAGE = '<!doctype html><html lang="zh-CN"><title>Lustra</title>'


def page_in(language: str, direction: str = "ltr") -> str:
    return f'<!doctype html><html lang="{language}" dir="{direction}"><title>Lustra</title>'


@pytest.fixture
def built_app(tmp_path: Path) -> Starlette:
    """A built console, and a file beside it that is none of its own."""
    folder = tmp_path / "dist"
    (folder / "assets").mkdir(parents=True)
    (tmp_path / "secret.txt").write_text("secret")
    for name, content in (("index.html", PAGE), ("assets/a-1f.js", "code"), ("logo.svg", "<svg/>")):
        (folder / name).write_text(content)
    (folder / "assets" / "a-1f.js.br").write_bytes(b"br")
    (folder / "assets" / "a-1f.js.gz").write_bytes(b"gz")
    return Starlette(routes=[Route("/{path:path}", Console(Settings(console=str(folder))).answer)])


@pytest.fixture
async def built(built_app: Starlette):
    async with AsyncClient(transport=ASGITransport(built_app), base_url="http://test") as http:
        yield http


async def raw(http: Any, path: Any, accepted: Any):
    async with http.stream("GET", path, headers={"accept-encoding": accepted}) as answer:
        return answer, b"".join([part async for part in answer.aiter_raw()])


async def test_assets_are_served_precompressed_and_kept_for_ever(built: AsyncClient):
    for accepted, coding, content in (("gzip, br", "br", b"br"), ("gzip;q=1", "gzip", b"gz"), ("x", None, b"code")):
        answer, body = await raw(built, "/assets/a-1f.js", accepted)
        assert (body, answer.headers.get("content-encoding")) == (content, coding)
        assert answer.headers["content-type"].startswith("text/javascript")
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert answer.headers["vary"] == "accept-encoding"


async def test_an_asset_carries_none_of_the_headers_of_documents(built_app: Starlette):
    app = Headers(built_app, Settings(public_url="https://console.example"))
    async with AsyncClient(transport=ASGITransport(app), base_url="http://test") as http:
        paths = ("/assets/a-1f.js", "/assets/b.js", "/index")
        asset, missing, page = [(await http.head(path)).headers for path in paths]
    assert asset["x-content-type-options"] == "nosniff"
    documents = {"content-security-policy", "x-frame-options", "permissions-policy", "strict-transport-security"}
    assert documents & set(asset) == set()
    assert documents <= set(missing)
    assert documents <= set(page)


@pytest.mark.parametrize(
    "path", ["/", "/index", "/device/index?userId=5", "/device/index/product/batch/index", "/no/such"]
)
async def test_every_route_of_the_console_is_its_one_page(built: AsyncClient, path: str):
    answer = await built.get(path)
    assert (answer.text, answer.headers["cache-control"]) == (page_in("zh-CN"), "no-cache")


@pytest.mark.parametrize(
    ("cookie", "browser", "page"),
    [
        ("", "", page_in("zh-CN")),
        ("", "de-AT,de;q=0.9,en;q=0.8", page_in("de")),
        ("", "pt,fr;q=0.5", page_in("fr")),
        ("ar", "de", page_in("ar", "rtl")),
        ('"><script>', "en-US", page_in("en")),
    ],
)
async def test_the_page_says_from_its_first_byte_which_language_it_will_speak(
    built: AsyncClient, cookie: str, browser: str, page: str
):
    answer = await built.get("/login", headers={"accept-language": browser, "cookie": f"language={cookie}"})
    assert answer.text == page
    assert {"accept-language", "cookie"} <= set(answer.headers["vary"].split(", "))


@pytest.mark.parametrize(
    "path",
    [
        "/assets/old-2e.js",
        "/missing.js",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/%00",
        "/assets/a%00b.js",
        "/" + "a" * 300,
        "/..%00/" + "b" * 3000,
    ],
)
async def test_a_missing_file_is_404_and_nothing_outside_is_reached(built: AsyncClient, path: str):
    answer = await built.get(path)
    assert answer.status_code == 404
    assert "secret" not in answer.text


async def lead(_: Request) -> Response:
    return RedirectResponse("/login?refused=1")


async def test_below_a_path_of_its_host_pages_files_and_redirects_lie_there(built_app: Starlette, tmp_path: Path):
    (tmp_path / "dist" / "index.html").write_text(f'{PAGE}<script src="./assets/a-1f.js">')
    settings = Settings(console=str(tmp_path / "dist"), public_url="https://clean.example/cleaning/lustra")
    app = Starlette(
        routes=[Route("/lead", lead), Route("/{path:path}", Console(settings).answer)],
        middleware=[Middleware(BasePath, base=settings.base_path)],
    )
    async with AsyncClient(transport=ASGITransport(app), base_url="http://test") as http:
        for path in ("/cleaning/lustra/device/index", "/cleaning/lustra", "/login"):
            answer = await http.get(path)
            assert 'data-base="/cleaning/lustra"' in answer.text
            assert '<script src="/cleaning/lustra/assets/a-1f.js">' in answer.text
        for path in ("/cleaning/lustra/logo.svg", "/logo.svg"):
            assert (await http.get(path)).text == "<svg/>"
        assert (await http.get("/cleaning/lustra/lead")).headers["location"] == "/cleaning/lustra/login?refused=1"
        assert (await http.get("/lead")).headers["location"] == "/login?refused=1"
        assert (await http.get("/cleaning/lustrative/logo.svg")).status_code == 404


@pytest.mark.parametrize("path", ["/api", "/assets/lustra", "/a b", '/"x', "/x?y=1", "//x"])
def test_a_public_url_whose_path_cannot_be_is_refused(path: str):
    with pytest.raises(SystemExit, match="LUSTRA_PUBLIC_URL"):
        Settings.read({"LUSTRA_PUBLIC_URL": f"https://clean.example{path}"})
    assert Settings.read({"LUSTRA_PUBLIC_URL": "https://clean.example/api-console/"}).base_path == "/api-console"


async def test_a_console_that_is_built_after_the_start_or_anew_is_served(built: AsyncClient, tmp_path: Path):
    page = tmp_path / "dist" / "index.html"
    page.rename(tmp_path / "away")
    for path in ("/", "/logo.svg", "/assets/a-1f.js"):
        answer = await built.get(path)
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "2")
        assert "make setup" in answer.text
    (tmp_path / "away").rename(page)
    assert [(await built.get(path)).text for path in ("/", "/logo.svg")] == [page_in("zh-CN"), "<svg/>"]


def test_ignore_forwarding_headers_without_a_trusted_proxy(tmp_path: Path):
    assert not server.server_config(Starlette(), Settings()).proxy_headers
    config = server.server_config(Starlette(), Settings(trusted_proxies="10.0.0.1"))
    assert (config.proxy_headers, config.forwarded_allow_ips) == (True, "10.0.0.1")


async def test_long_answers_are_packed_for_who_can_read_it(plain: AsyncClient):
    packed = await plain.get("/api/openapi.json", headers={"accept-encoding": "gzip"})
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.json() == (await plain.get("/api/openapi.json", headers={"accept-encoding": "identity"})).json()
    assert "content-encoding" not in (await plain.get("/healthz")).headers


@pytest.mark.parametrize("kind", [XLSX, "application/pdf", "application/zip", "image/png"])
async def test_compress_no_answer_that_is_compressed_in_itself(services: Services, kind: str):
    content = bytes(100_000)
    served = server.app(services, Route("/file", lambda _: Response(content, media_type=kind)))
    async with AsyncClient(transport=ASGITransport(served), base_url="http://test") as http:
        answer = await http.get("/file", headers={"accept-encoding": "gzip"})
    assert (answer.headers.get("content-encoding"), answer.headers["content-length"]) == (None, str(len(content)))
