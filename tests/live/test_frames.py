"""The frames of the live socket are declared once: for the console's types, and for the tests that read them."""

import msgspec
import pytest

from lustra.live.push import frames, socket

HELLO = b'{"kind":"hello","offlineAfterS":15,"silentAfterS":10}'


def test_every_field_of_a_frame_is_described():
    schemas = frames.schemas(socket.Selection)
    assert [
        f"{name}.{field}"
        for name, schema in schemas.items()
        for field, content in schema.get("properties", {}).items()
        if "description" not in content
    ] == []
    assert {ref["$ref"].rsplit("/", 1)[-1] for ref in schemas["Frame"]["anyOf"]} <= set(schemas)


@pytest.mark.parametrize("wrong", [b'{"kind":"hello"}', HELLO.replace(b"}", b',"more":1}'), b'{"kind":"unheard"}'])
def test_a_frame_that_is_not_as_declared_is_refused_by_the_sockets_tests(wrong: bytes):
    assert msgspec.json.decode(HELLO, type=frames.AnyFrame) == frames.Hello(offline_after_s=15, silent_after_s=10)
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(wrong, type=frames.AnyFrame)
