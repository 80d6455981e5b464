"""Every payload version ever released stays readable. The samples never change; a new version adds its own."""

from pathlib import Path

import msgspec
import pytest

from lustra.domains.map.reading import read_content
from lustra.domains.report import keep as reports
from lustra.live.ingest import events, state
from lustra.protocol import bus

SAMPLES = Path(__file__).parent


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("v*/state*.json")), ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_states_stay_readable(path):
    message = state.read(path.read_bytes())
    assert message is not None
    assert message.at > 0


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("v*/report*.json")), ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_reports_stay_readable(path):
    message = reports.read(path.read_bytes())
    assert message is not None
    assert message.cells is None or message.cells.bits()


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("v*/event*.json")), ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_events_stay_readable(path):
    assert events.read(path.read_bytes()) is not None


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("v*/event-map*.json")), ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_maps_stay_readable(path):
    event = events.read(path.read_bytes())
    assert event is not None
    if event.kind == "map" and event.content is not None:
        assert read_content({"content": msgspec.json.encode(event.content)}).name == event.name


@pytest.mark.parametrize(("name", "kind"), [("lidar", bus.Lidar), ("path", bus.Path), ("cells", bus.Cells)])
def test_live_payloads_stay_readable(name, kind):
    samples = sorted(SAMPLES.glob(f"v*/{name}*.json"))
    assert samples
    for path in samples:
        msgspec.json.decode(path.read_bytes(), type=kind)


def test_what_a_later_version_adds_is_passed_over():
    data = (SAMPLES / "v1" / "state.json").read_bytes().replace(b'"v":1', b'"v":2,"brand_new":[1,2]')
    assert state.read(data) is not None
