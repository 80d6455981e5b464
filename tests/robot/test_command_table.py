"""The command table is the specification's list: every call of robots, with its method, prefixes and generation."""

from pathlib import Path

import pytest
import yaml

from lustra.protocol.commands import COMMANDS, routes

LIST = Path(__file__).parents[2] / "docs" / "spec" / "calls.yaml"
CALLS = {
    row["id"]: row["summary"] for row in yaml.safe_load(LIST.read_text("utf-8")) if row["id"].startswith("call.relay.")
}
UNTOLD = {  # the list names them without a path
    "call.relay.map.map_image_url": "GET api2/map_image",
    "call.relay.map.track_url": "GET api2/track_image",
    "call.relay.map.map_sync_mq": "",  # a message queue's, not a path
}
# What the list does not have, and robots of before refuse.
OWN = {"api1/robot_speak", "api1/tablet_screen", "api1/tablet_picture"}
OLD = routes(2)
NEW = routes(3)


def method_and_paths(id_: str) -> tuple[str, list[str]]:
    """Method and whole paths."""
    method, _, paths = (UNTOLD.get(id_) or CALLS[id_]).partition(" ")
    return method, [path.strip() for path in paths.split(",") if "/" in path]


def test_the_list_is_whole():
    assert len(CALLS) == 95
    assert set(UNTOLD) <= set(CALLS)


@pytest.mark.parametrize("id_", sorted(set(CALLS) - {"call.relay.map.map_sync_mq"}))
def test_each_call_of_the_list_is_a_command(id_: str):
    method, paths = method_and_paths(id_)
    assert paths, CALLS[id_]
    for path in paths:
        table = OLD if path.startswith("api/") else NEW
        assert path in table, f"{id_}: {path}"
        assert table[path].method == method
    if id_.startswith("call.relay.v3."):  # what is listed a second time is older than that
        again = any(other != id_ and set(paths) & set(method_and_paths(other)[1]) for other in CALLS)
        assert again or not any(c.name == NEW[paths[0]].name for c in OLD.values())


def test_the_table_has_no_command_beside_those_of_the_list_and_our_own():
    listed = {path for id_ in CALLS for path in method_and_paths(id_)[1]}
    assert {path for path in {**OLD, **NEW} if path not in listed} == OWN
    assert {c.name for c in NEW.values()} == set(COMMANDS)


@pytest.mark.spec("const.relay_protocol", "q.protocol_threshold")
@pytest.mark.parametrize(("protocol", "prefix"), [(1, "api"), (2, "api"), (3, "api1"), (4, "api1")])
def test_above_protocol_two_the_paths_are_those_of_api1(protocol: int, prefix: str):
    assert {path.split("/")[0] for path in routes(protocol)} == {prefix, "api2"}
