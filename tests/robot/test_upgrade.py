"""Files on a robot's disk keep their keys, so a robot reads what an older or a newer version has written."""

import json
from pathlib import Path

from tests.robot.conftest import hall, open_robot

TRIP = {
    "origin": "hall",
    "target": "upper",
    "point": "Lift A",
    "stage": "ride",
    "lift": "Lift A",
    "ride": "r1",
    "asked": 1_700_000_000_000,
    "back": False,
}
ORDER = {
    "take": {"number": 7, "name": "upper", "url": "http://127.0.0.1:1/map", "size": 12, "sha256": "0" * 64},
    "told": {"number": 7, "state": "received", "have": 12, "revision": 3},
    "etag": "e1",
}


def test_a_trip_and_a_download_under_way_survive_an_upgrade(tmp_path: Path):
    folder = tmp_path / "SC0001"
    open_robot(folder, floor=hall())
    facts = json.loads((folder / "facts.json").read_bytes())
    (folder / "facts.json").write_text(json.dumps(facts | {"trip": TRIP}))
    (folder / "incoming").mkdir()
    (folder / "incoming" / "7.json").write_text(json.dumps(ORDER))

    robot = open_robot(folder)
    assert robot.trips.current
    assert (robot.trips.current.requested_at, robot.trips.current.inside) == (1_700_000_000_000, True)
    order = robot.downloads.orders[7]
    assert (order.report.state, order.report.revision, order.etag) == ("received", 3, "e1")

    robot.keep()
    robot.downloads.orders.save(order)
    assert json.loads((folder / "facts.json").read_bytes())["trip"] == TRIP
    assert json.loads((folder / "incoming" / "7.json").read_bytes()).keys() == ORDER.keys()
