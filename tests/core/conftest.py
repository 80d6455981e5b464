"""Calls of the tests' own, over the ground alone: what a rule of the ground says is tried on them."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any, cast

import pytest
from httpx import ASGITransport, AsyncClient
from pydantic import Field, SecretStr
from sqlalchemy import text
from starlette.applications import Starlette
from starlette.datastructures import UploadFile

from lustra.app.processes import server
from lustra.core import jobs, query
from lustra.core.audit_trail.audit import Audit
from lustra.core.calls import registry
from lustra.core.calls.rpc import PUBLIC, SESSION, Ctx, Fast, Nothing, Raw, Upload, Wire, call
from lustra.core.context import Services
from lustra.core.errors import Code, Refusal
from lustra.core.wire import Commas, Json, Page, PageOf
from tests.clients import ENGLISH, Console, LogIn


class EchoPayload(Wire):
    device_id: int
    names: Commas[str] = Field(default_factory=list)
    beans: Json[list[int]] = Field(default_factory=list)
    secret: SecretStr = SecretStr("")
    note: str = Field("", max_length=10)


class Echo(Wire):
    device_id: int
    names: list[str]
    beans: list[int]


class AuditView(Wire):
    id: int
    action: str


class Sizes(Wire):
    names: list[str]
    sizes: list[int]


async def echo(_: Ctx, payload: EchoPayload) -> Echo:
    """Says what it was told."""
    return Echo.model_validate(payload)


async def drive(_: Ctx, payload: EchoPayload) -> Nothing:
    """Needs a key that not everybody holds."""
    return Nothing()


async def refuse(ctx: Ctx, payload: EchoPayload) -> Nothing:
    """Writes, then refuses."""
    await ctx.db.execute(text("UPDATE account SET name = 'changed' WHERE id = :id"), {"id": ctx.actor.real_id})
    raise Refusal(Code.LOCKED, owner="dealer")


async def unlucky(ctx: Ctx) -> Nothing:
    """Succeeds, but its commit fails: the constraint is looked at only then."""
    await ctx.db.execute(text("CREATE TEMP TABLE once (id int UNIQUE DEFERRABLE INITIALLY DEFERRED) ON COMMIT DROP"))
    await ctx.db.execute(text("INSERT INTO once VALUES (1), (1)"))
    return Nothing()


async def breaks(_: Ctx) -> Nothing:
    """Breaks."""
    raise RuntimeError("a fault of ours")


async def rows(ctx: Ctx, of: PageOf) -> Page[AuditView]:
    """A list that may be long."""
    page_rows, total = await query.paginate(ctx.db, query_rows(), of)
    return Page(
        list=[AuditView(id=row.id, action=row.action) for row in page_rows],
        page_num=query.pages(total, of),
        total=total,
    )


def query_rows() -> query.Select[Audit]:
    return query.select(Audit).where(Audit.action == "made").order_by(Audit.id.desc())


async def sizes(_: Ctx, payload: Nothing, files: list[UploadFile]) -> Sizes:
    """Sizes of what was uploaded."""
    return Sizes(names=[f.filename or "" for f in files], sizes=[len(await f.read()) for f in files])


async def streamed(_: Ctx, payload: Nothing, content: AsyncIterator[bytes]) -> int:
    """How many bytes came."""
    return sum([len(part) async for part in content])


async def picture(_: Ctx) -> Raw:
    """A picture."""
    return Raw(b"\x89PNG", "image/png")


async def fast(_: Ctx) -> Fast[Echo]:
    """An answer that is not validated."""
    return Fast({"deviceId": 1, "names": [], "beans": []})


async def misshapen(_: Ctx, payload: EchoPayload) -> Fast[Echo]:
    """A ready answer that is not as declared: with `note` "missing" it lacks a field, with "extra" it has another."""
    answer = {"deviceId": 1, "names": [], "beans": []}
    forms = {"missing": {"deviceId": 1, "names": []}, "extra": answer | {"age": 1}, "type": answer | {"deviceId": "1"}}
    return Fast(forms[payload.note])


async def undeclared(ctx: Ctx) -> Nothing:
    """Refuses by a code that nothing says it may refuse by."""
    raise Refusal(type(ctx.after_commit and Code.OK)["LEASED"])


async def parted(_: Ctx, payload: EchoPayload) -> int:
    """A path with a part."""
    return payload.device_id


async def after(ctx: Ctx) -> Nothing:
    """Does something when its transaction stands."""

    async def late() -> None:
        raise RuntimeError("after the commit")

    ctx.after_commit(late)
    return Nothing()


RAISE = "DO $$ BEGIN RAISE EXCEPTION 'as told' USING ERRCODE = '{}'; END $$"


async def fault(ctx: Ctx, payload: EchoPayload) -> Nothing:
    """An error of the database's with the SQLSTATE in `note`."""
    await ctx.db.execute(text(RAISE.format(payload.note)))
    return Nothing()


async def hot_fault(ctx: Ctx, payload: EchoPayload) -> Nothing:
    """The same where plain SQL asks."""
    await ctx.app.pool.execute(RAISE.format(payload.note))
    return Nothing()


MEETING = asyncio.Event()  # both of two transactions hold their first row
HOLDING: list[str] = []


async def cross(ctx: Ctx, payload: EchoPayload) -> Nothing:
    """Changes two accounts in the order of `names`; another call at the same time goes the other way."""
    for number, name in enumerate(payload.names):
        await ctx.db.execute(text("UPDATE account SET phone = phone || '1' WHERE account = :name"), {"name": name})
        if not number:
            HOLDING.append(name)
            if len(HOLDING) > 1:
                MEETING.set()
            await MEETING.wait()
    return Nothing()


class Gate:
    """What calls wait for."""

    def close(self) -> None:
        self.opened = asyncio.Event()
        self.accounts: list[int] = []  # whose calls have come to it


GATE = Gate()


async def wait_at_gate(ctx: Ctx, payload: EchoPayload) -> Nothing:
    """Ends when the gate opens."""
    GATE.accounts.append(ctx.actor.real_id)
    await GATE.opened.wait()
    return Nothing()


async def tried(_: object) -> None:
    await asyncio.sleep(0)


CALLS = (
    ("/test/echo", echo, {"needs": SESSION}),
    ("/test/public", echo, {"needs": PUBLIC}),
    ("/test/drive", drive, {"needs": "index/clear_data", "audit": "test.drive"}),
    ("/test/any", drive, {"needs": ("index/clear_data", "device/index")}),
    ("/test/refuse", refuse, {"needs": SESSION, "audit": "test.refuse", "changes": ("test",)}),
    ("/test/unlucky", unlucky, {"needs": SESSION}),
    ("/test/breaks", breaks, {"needs": SESSION}),
    ("/test/rows", rows, {"needs": SESSION}),
    ("/test/sizes", sizes, {"needs": SESSION, "upload": Upload(100_000, files=2)}),
    ("/test/streamed", streamed, {"needs": SESSION, "method": "PUT", "upload": Upload(1000, stream=True)}),
    ("/test/picture", picture, {"needs": SESSION, "method": "GET", "raw": "image/png"}),
    ("/test/fast", fast, {"needs": SESSION}),
    ("/test/misshapen", misshapen, {"needs": SESSION}),
    ("/test/undeclared", undeclared, {"needs": SESSION}),
    ("/test/part/{deviceId}", parted, {"needs": SESSION, "method": "GET"}),
    ("/test/after", after, {"needs": SESSION}),
    ("/test/fault", fault, {"needs": SESSION}),
    ("/test/hotFault", hot_fault, {"needs": SESSION}),
    ("/test/cross", cross, {"needs": SESSION}),
    ("/test/gate", wait_at_gate, {"needs": SESSION}),
)


@pytest.fixture
def web(services: Services) -> Iterator[Starlette]:
    """The product's own calls and those above."""
    before = dict(registry.CALLS), dict(jobs.JOBS)
    for path, handler, options in CALLS:
        call(path, **options)(handler)
    jobs.job("test.tried")(tried)
    server.openapi_bytes.cache_clear()
    yield server.app(services)
    tables: tuple[dict[Any, Any], ...] = (registry.CALLS, jobs.JOBS)
    for registered, now in zip(before, tables, strict=True):
        now.clear()
        cast("Any", now).update(registered)
    server.openapi_bytes.cache_clear()


@pytest.fixture
async def user(console: LogIn) -> Console:
    """An account of level 3."""
    return await console("user")


@pytest.fixture
async def plain(web: Starlette) -> AsyncIterator[AsyncClient]:
    async with AsyncClient(transport=ASGITransport(web), base_url="http://test", headers=ENGLISH) as http:
        yield http
