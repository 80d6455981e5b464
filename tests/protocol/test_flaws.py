"""What a robot says wrongly is found by field and reason, and the rest of a state is taken."""

import json
from typing import Any

import msgspec
import pytest

from lustra.protocol.bus import Event
from lustra.protocol.flaws import INDISPENSABLE, LATEST_AT, Flaw, Flawed, read_state, read_whole

STATE: dict[str, Any] = {"at": 5, "mode": "idle", "x": 1.0, "y": 2.0, "yaw": 0.5, "battery": 80.0}
EVENT: dict[str, Any] = {"at": 5, "id": "e1", "kind": "power", "name": "off"}
READ = msgspec.json.Decoder(Event)


def encode(content: object) -> bytes:
    return json.dumps(content).encode()


def test_a_right_state_has_no_flaw():
    reading, flaws = read_state(encode(STATE))
    assert reading is not None
    assert (reading.state.x, reading.unknown, flaws) == (1.0, frozenset(), ())


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("battery", 180.0, "out_of_range"),
        ("battery", "full", "wrong_type"),
        ("task", "Lobby\0", "out_of_range"),
        ("banners", "brake", "wrong_type"),
    ],
)
def test_name_a_wrong_field_of_a_state_and_take_the_others(field: str, value: Any, reason: Any):
    reading, flaws = read_state(encode(STATE | {field: value}))
    assert reading is not None
    assert (reading.state.x, flaws) == (1.0, (Flaw(field, reason),))
    assert reading.unknown == ({field} & INDISPENSABLE.keys())


def test_name_the_missing_fields_of_a_state():
    reading, flaws = read_state(encode({"at": 5, "x": 1.0}))
    assert reading is not None
    assert reading.unknown == INDISPENSABLE.keys() - {"x"}
    assert set(flaws) == {Flaw(name, "missing") for name in reading.unknown}


@pytest.mark.parametrize("at", [None, 0, -1, LATEST_AT, "now"])
def test_without_a_time_there_is_no_state(at: Any):
    content = STATE | {"at": at} if at is not None else {name: STATE[name] for name in STATE if name != "at"}
    reading, flaws = read_state(encode(content))
    assert reading is None
    assert [flaw.field for flaw in flaws] == ["at"]


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"\xff", b'{"at": 5, "mode": "\xff"}'])
def test_refuse_a_message_that_is_no_object(data: bytes):
    assert read_state(data) == (None, (Flaw("", "unreadable"),))


@pytest.mark.parametrize(
    ("change", "flaw"),
    [
        ({"kind": "party"}, Flaw("kind", "unknown_value")),
        ({"at": "now"}, Flaw("at", "wrong_type")),
        ({"id": None}, Flaw("id", "wrong_type")),
    ],
)
def test_a_wrong_event_is_refused_with_field_and_reason(change: dict[str, Any], flaw: Flaw):
    with pytest.raises(Flawed) as refused:
        read_whole(READ, encode(EVENT | change))
    assert refused.value.flaw == flaw


def test_an_event_without_a_field_is_refused_for_that():
    with pytest.raises(Flawed) as refused:
        read_whole(READ, encode({name: EVENT[name] for name in EVENT if name != "kind"}))
    assert refused.value.flaw == Flaw("kind", "missing")


@pytest.mark.parametrize("data", [b"{", b"\xff", encode(EVENT | {"name": "a\0"})])
def test_an_event_that_is_none_is_unreadable(data: bytes):
    with pytest.raises(Flawed) as refused:
        read_whole(READ, data)
    assert refused.value.flaw == Flaw("", "unreadable")


def test_a_right_event_is_read():
    assert read_whole(READ, encode(EVENT)).kind == "power"
