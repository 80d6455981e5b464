"""A file goes up whole; the server takes it, refuses it and names a field, or its answer is no word of its own."""

from pathlib import Path

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from lustra.robot.sending import LINE_BROKEN, NotTaken, put_file

CONTENT = b"what the robot holds" * 10_000


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "file"
    path.write_bytes(CONTENT)
    return path


async def put_to(answer: web.Response, file: Path) -> bytes:
    """What the server got."""
    received = bytearray()

    async def take(request: web.Request) -> web.Response:
        assert (request.query["size"], request.query["sha256"]) == (str(len(CONTENT)), "sum")
        received.extend(await request.read())
        return answer

    app = web.Application(client_max_size=len(CONTENT) + 1)
    app.router.add_put("/object", take)
    async with TestServer(app) as server:
        await put_file(f"{server.make_url('/object')}?token=t", file, len(CONTENT), "sum", lambda _: None)
    return bytes(received)


async def test_a_file_comes_whole(file: Path):
    assert await put_to(web.json_response({"message": {"code": 0}, "data": {}}), file) == CONTENT


@pytest.mark.parametrize(
    ("answer", "field"),
    [
        ({"message": {"code": 40000}, "data": {"field": "sha256"}}, "sha256"),
        ({"message": {"code": 40004}, "data": None}, ""),
        ({"message": "an answer of something else"}, ""),
        ([], ""),
    ],
)
async def test_a_refusal_names_its_field(file: Path, answer: object, field: str):
    with pytest.raises(NotTaken) as refused:
        await put_to(web.json_response(answer), file)
    assert refused.value.field == field


async def test_an_answer_that_is_no_json_is_a_refusal(file: Path):
    with pytest.raises(NotTaken):
        await put_to(web.Response(text="<html>"), file)


async def test_a_fault_of_the_server_counts_as_a_broken_line(file: Path):
    with pytest.raises(LINE_BROKEN):
        await put_to(web.Response(status=502, text="Bad gateway"), file)
