"""Every payload version ever released stays readable. The samples never change; a new version adds its own."""

import base64
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from lustra.domains.alarm import keep as alarms
from lustra.domains.map.reading import read_content
from lustra.domains.report import keep as reports
from lustra.domains.telemetry import chunk_codec
from lustra.live.ingest import events
from lustra.protocol import bus
from lustra.protocol.flaws import read_state

SAMPLES = Path(__file__).parent


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("v*/state*.json")), ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_states_stay_readable(path: Any):
    reading, flaws = read_state(path.read_bytes())
    assert reading is not None
    assert (reading.unknown, flaws) == (frozenset(), ())
    assert reading.state.at > 0


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("v*/report*.json")), ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_reports_stay_readable(path: Any):
    message = reports.read(path.read_bytes())
    assert message.cells is None or message.cells.bits()
    assert all(mask is None or mask.bits() is not None for mask in (message.missed, message.unreachable))


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("v*/alarm*.json")), ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_alarms_stay_readable(path: Any):
    assert alarms.read(path.read_bytes()).id


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("v*/event*.json")), ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_events_stay_readable(path: Any):
    assert events.read(path.read_bytes()).id


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("v*/event-map*.json")), ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_maps_stay_readable(path: Any):
    event = events.read(path.read_bytes())
    if event.kind == "map" and event.content is not None:
        assert read_content({"content": msgspec.json.encode(event.content)}).name == event.name


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("v*/minute*.json")), ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_packed_minutes_stay_readable(path: Any):
    sample = msgspec.json.decode(path.read_bytes())
    points = chunk_codec.decode(base64.b64decode(sample["chunk"]))
    columns = len(sample["points"][0])
    assert [list(point[:columns]) for point in points] == sample["points"]
    assert all(value == 0 for point in points for value in point[columns:])


def test_a_field_added_to_the_history_is_0_in_older_minutes(monkeypatch: pytest.MonkeyPatch):
    older = chunk_codec.encode([(1_772_366_400_000, 1.0, 2.0, 0.5, 80.0, 60.0)])
    monkeypatch.setattr(chunk_codec, "SCALE", np.append(chunk_codec.SCALE, 100))
    newer = (1_772_366_401_000, 1.0, 2.0, 0.5, 80.0, 60.0, 7.25)
    points = [*chunk_codec.decode(older), newer]
    assert [point[-1] for point in chunk_codec.decode(chunk_codec.encode(points))] == [0.0, 7.25]


@pytest.mark.parametrize(("name", "kind"), [("lidar", bus.Lidar), ("path", bus.Path), ("cells", bus.Cells)])
def test_live_payloads_stay_readable(name: str, kind: Any):
    samples = sorted(SAMPLES.glob(f"v*/{name}*.json"))
    assert samples
    for path in samples:
        msgspec.json.decode(path.read_bytes(), type=kind)


def test_ignore_fields_that_a_later_version_adds():
    data = (SAMPLES / "v1" / "state.json").read_bytes().replace(b'"v":1', b'"v":2,"brand_new":[1,2]')
    assert read_state(data)[1] == ()


def test_a_room_without_pictures_stays_marked():
    event = events.read((SAMPLES / "v1" / "event-map-private.json").read_bytes())
    read = read_content({"content": msgspec.json.encode(event.content)})
    assert [zone.private for zone in read.marks.forbidden_zones] == [True]
