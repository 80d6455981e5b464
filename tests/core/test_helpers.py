"""Codes, signatures, grants, files and settings: small things with one rule each."""

import asyncio
import itertools
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from joserfc import jwt
from prometheus_client import REGISTRY
from structlog.testing import capture_logs

from lustra.app import arguments
from lustra.core.context import Services
from lustra.core.errors import Code, Refusal
from lustra.core.files.objects import Objects, kind_of
from lustra.core.process import tasks
from lustra.core.retry import retry_on
from lustra.core.security import grants, random_code, signature
from lustra.core.settings import VERSION
from tests.clients import Console

KEY = bytes(range(32))


@pytest.mark.spec("rule.random.string", "const.random_string_helper", "q.random_alphabet")
def test_a_random_code_has_eight_characters_that_do_not_look_alike():
    codes = {random_code.random_code() for _ in range(200)}
    assert len(codes) == 200
    assert all(len(code) == 8 and set(code) <= set(random_code.ALPHABET) for code in codes)
    assert not set("0O1lI") & set(random_code.ALPHABET)
    assert len(random_code.random_code(12)) == 12


@pytest.mark.spec("rule.signature.window", "const.signed_value_helper", "q.signature_details")
def test_a_signature_is_good_for_twenty_seconds():
    header = signature.make(KEY, 1_000_000)
    assert signature.valid(header, KEY, 1_000_000)
    assert signature.valid(header, KEY, 1_020_000)
    assert not signature.valid(header, KEY, 1_020_001)
    assert not signature.valid(header, KEY, 1_000_000 - signature.SKEW_MS - 1)


@pytest.mark.spec("rule.signature.window")
@pytest.mark.parametrize(
    "header",
    ["", "x", "A" * 64, "é", signature.make(bytes(32))],
    ids=["empty", "short", "long", "not ASCII", "of another key"],
)
def test_a_forged_signature_is_refused(header: Any):
    assert not signature.valid(header, KEY)


@pytest.mark.spec("conv.headers", "rule.signature.window")
async def test_the_signature_header_is_checked_when_it_is_there_and_a_key_is_set(services: Services, user: Console):
    object.__setattr__(services.settings, "signature_key", KEY.hex())
    code, _ = await user.raw("/test/echo", deviceId=1)
    assert code == 0
    for header, expected in ((signature.make(KEY), 0), ("wrong", Code.SIGNATURE_INVALID)):
        user.http.headers["signature"] = header
        assert (await user.raw("/test/echo", deviceId=1))[0] == expected


def grant(**other: Any):
    claims = {"sid": "s", "account": 1, "acting": 1, "name": "a", "device": 2, "sn": "SC1", "port": 20001}
    claims |= {"protocol": 3, "keys": ["index"], "exp": int(time.time() * 1000) + 60_000}
    return grants.Grant(**(claims | other))


def test_a_grant_has_one_spelling_and_what_is_remembered_of_grants_is_bounded(monkeypatch: pytest.MonkeyPatch):
    private, public = grants.new_keys()
    checker = grants.Checker(grants.public(public))
    true = grants.sign(grant(), grants.private(private))
    claims, signature = true.split(".")
    broken = (
        f"{claims}\n.{signature}",
        f"{claims}!!.{signature}",
        f"{claims}.{signature}====",
        "A" * 9000,
        true + "~" * 9000,
    )
    for text in broken:
        with pytest.raises(grants.Refused):
            checker.check(text)
    assert checker.known == {}
    monkeypatch.setattr(grants, "REMEMBERED", 5)
    for number in range(20):
        checker.check(grants.sign(grant(name=f"user{number}"), grants.private(private)))
    assert (len(checker.known), checker.characters) == (5, sum(map(len, checker.known)))
    monkeypatch.setattr(grants, "REMEMBERED_CHARACTERS", 2 * len(true))
    checker.check(true)
    assert true in checker.known
    assert checker.characters <= 2 * len(true)


def test_a_grant_comes_back_as_it_was_signed_and_ends_in_time():
    private, public = grants.new_keys()
    checker = grants.Checker(grants.public(public))
    fresh = grant()
    assert checker.check(grants.sign(fresh, grants.private(private))) == fresh
    old = grants.sign(grant(exp=int(time.time() * 1000) - 1), grants.private(private))
    with pytest.raises(grants.Refused):
        checker.check(old)


@pytest.mark.parametrize("spoil", [lambda t: t[:0], lambda t: t[:-4], lambda t: "x" + t, lambda t: t.split(".")[0]])
def test_a_forged_grant_is_refused(spoil: Callable[..., Any]):
    private, public = grants.new_keys()
    checker = grants.Checker(grants.public(public))
    text = grants.sign(grant(), grants.private(private))
    with pytest.raises(grants.Refused):
        checker.check(spoil(text))
    other, _ = grants.new_keys()
    with pytest.raises(grants.Refused):
        checker.check(grants.sign(grant(), grants.private(other)))


async def parts(*several: Any):
    for part in several:
        yield part


PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 100


@pytest.fixture
def objects(tmp_path: Path):
    return Objects(f"file://{tmp_path}/objects", "secret")


@pytest.mark.spec("q.replace_safety", "rule.file.replace")
async def test_leave_the_former_file_until_the_new_one_is_complete(objects: Objects, tmp_path: Path):
    await objects.put("a.png", parts(PNG), largest=1000, kinds=("image/png",))

    async def breaking():
        yield PNG
        raise ConnectionError

    for bad in (parts(b"no picture"), parts(PNG, b"0" * 2000), breaking()):
        with pytest.raises((Refusal, ConnectionError)):
            await objects.put("a.png", bad, largest=1000, kinds=("image/png",))
    assert await objects.get("a.png") == PNG
    assert [path.name for path in (tmp_path / "objects").rglob("*") if path.is_file()] == ["a.png"]


async def test_a_missing_file_is_not_found(objects: Objects):
    with pytest.raises(Refusal) as why:
        await objects.get("nothing")
    assert why.value.code == Code.NOT_FOUND
    with pytest.raises(Refusal):
        await objects.about("nothing")
    await objects.delete("nothing")


def test_a_signed_url_opens_one_path_for_a_minute(objects: Objects):
    before = int(time.time())
    link = objects.signed("a b/é.png").removeprefix("?link=")
    assert objects.linked(link) == "a b/é.png"
    assert before + 59 <= jwt.decode(link, objects.links.key).claims["exp"] <= time.time() + 61
    foreign = Objects("file:///tmp", "other").signed("a b/é.png").removeprefix("?link=")
    over = objects.links.sign({"path": "a b/é.png"}, -1)
    endless = jwt.encode({"alg": "HS256"}, {"path": "a"}, objects.links.key)
    for spoiled in (f"{link}x", foreign, over, endless, objects.ticket({"path": "a"}, 60_000), "x", "é.ü", ""):
        with pytest.raises(Refusal) as why:
            objects.linked(spoiled)
        assert why.value.code == Code.LINK_EXPIRED, spoiled
    with pytest.raises(Refusal):
        objects.claims(link)  # opens a file, stores none


def test_recognize_kinds_of_files_by_their_bytes():
    assert kind_of(PNG) == "image/png"
    assert kind_of(b"RIFF1234WEBPVP8 ") == "image/webp"
    assert kind_of(b"<html>") == "application/octet-stream"


def test_the_command_line_tells_the_version_that_pages_and_contract_name(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit, match="0"):
        arguments.parser().parse_args(["--version"])
    assert capsys.readouterr().out == f"lustra {VERSION}\n"


def test_the_command_line_loads_nothing_that_takes_time():
    """Each process reads it before it starts."""
    program = "import sys, lustra.app.cli; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert "lustra.app.cli" in loaded
    assert not {"sqlalchemy", "pydantic", "starlette", "numpy", "cryptography"} & set(loaded)


def counted_retries(name: str) -> float:
    return REGISTRY.get_sample_value("lustra_retries_total", {"call": f"{__name__}.{name}"}) or 0.0


async def test_retry_a_failed_call_count_it_and_log_it_once():
    tries = itertools.count(1)

    @retry_on(ConnectionError, longest_s=0.001)
    async def connect(host: str) -> str:
        if next(tries) < 8:
            raise ConnectionRefusedError("away")
        return f"connected to {host}"

    name = connect.__qualname__
    with capture_logs() as logs:
        assert await connect("bus") == "connected to bus"
    assert counted_retries(name) == 7
    (line,) = [entry for entry in logs if entry["event"] == "retry"]
    assert (line["call"], line["why"]) == (f"{__name__}.{name}", "ConnectionRefusedError('away')")
    assert line["exc_info"] is None


async def test_an_error_that_was_not_named_is_the_callers_at_once():
    tries = itertools.count(1)

    @retry_on(ConnectionError, longest_s=0.001)
    async def connect() -> None:
        next(tries)
        raise ValueError("a wrong address")

    with pytest.raises(ValueError, match="a wrong address"):
        await connect()
    assert next(tries) == 2
    assert counted_retries(connect.__qualname__) == 0


async def test_a_fault_that_is_tried_again_is_logged_with_its_stack():
    tries = itertools.count(1)

    @retry_on(Exception, longest_s=0.001)
    async def work() -> None:
        if next(tries) == 1:
            raise KeyError("elevator")

    with capture_logs() as logs:
        await work()
    assert isinstance(logs[0]["exc_info"], KeyError)


async def test_a_cancelled_task_tries_no_more_even_where_a_library_swallowed_that():
    tries = itertools.count(1)
    waiting = asyncio.Event()

    @retry_on(ConnectionError, longest_s=0.001)
    async def connect() -> None:
        next(tries)
        waiting.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            raise ConnectionResetError("cut") from None  # as wait_for of Python 3.11 may do

    task = asyncio.create_task(connect())
    await waiting.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert next(tries) == 2


async def test_the_waits_between_tries_grow():
    times: list[float] = []

    @retry_on(ConnectionError, longest_s=0.3)
    async def connect() -> None:
        times.append(asyncio.get_running_loop().time())
        if len(times) < 4:
            raise ConnectionRefusedError("away")

    await connect()
    waits = [after - before for before, after in itertools.pairwise(times)]
    assert waits[0] >= 0.099  # the loop may wake a tick early
    assert waits[1] >= 0.199
    assert waits[2] >= 0.299


async def test_tasks_end_even_where_a_library_swallows_their_cancellation(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(tasks, "AGAIN_S", 0.01)
    swallowed = 0

    async def deaf() -> None:
        nonlocal swallowed
        while swallowed < 2:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                swallowed += 1

    async def failing() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            raise OSError

    async with asyncio.timeout(10):
        running = [asyncio.create_task(deaf()), asyncio.create_task(failing())]
        await asyncio.sleep(0)
        await tasks.cancel_all(*running)
    assert swallowed == 2
    assert all(task.done() for task in running)
