"""How robots, relay and server name commands, subjects, refusals and cells."""

from pathlib import Path
from typing import get_args

from lustra.protocol import bus, subjects
from lustra.protocol.command_summaries import SUMMARIES
from lustra.protocol.commands import API1_SINCE, COMMANDS, route, routes
from lustra.protocol.refusals import RelayCode, RobotRefusal
from tests.consumers import partition_of


def test_a_command_has_the_prefix_of_its_robots_generation():
    assert [route(COMMANDS["task_list"], protocol) for protocol in (2, API1_SINCE)] == [
        "api/task_list",
        "api1/task_list",
    ]
    assert route(COMMANDS["map_list"], 1) == "api2/map_list"
    older, newer = routes(2), routes(3)
    assert "api/emergency_off" not in older
    assert "api1/emergency_off" in newer
    assert {"api1/point_moveto", "api2/point_moveto"} <= newer.keys()


def test_a_dot_of_a_serial_number_ends_no_part_of_a_subject():
    for sn in ("SC0001", "AC-7_b", "A.1", "x.y.z"):
        assert subjects.SERIAL.fullmatch(sn)
        assert subjects.state(sn).count(".") == 2
        ours = (subjects.tunnel(sn), subjects.cmd(sn, "watch"), subjects.leaf_state(sn))
        for subject in (*subjects.spoken(sn), *subjects.answers(sn), *ours):
            assert subjects.serial_of(subject) == sn
    for sn in ("", "A.", "-A", "A~B", "A*", "A>", "A b", "Ä1", "x" * 33):
        assert not subjects.SERIAL.fullmatch(sn)


def test_a_stored_state_names_its_robot_and_its_partition():
    for partition in range(subjects.PARTITIONS):
        stored = subjects.states_of(partition).replace("*", subjects.token("A.1"))
        assert (subjects.serial_of(stored), partition_of(stored)) == ("A.1", partition)
    others = subjects.state("X"), subjects.state("state"), subjects.report("state"), subjects.live("X", "path")
    assert {partition_of(subject) for subject in (*others, subjects.AUDIT)} == {None}
    assert subjects.ingest("a") == "ingests.a"


def test_every_command_has_a_summary():
    assert SUMMARIES.keys() == COMMANDS.keys()


def test_the_makers_guide_names_every_event_and_the_commands_that_are_get():
    guide = (Path(__file__).parents[2] / "docs" / "robot-local-api.md").read_text("utf-8")
    assert {kind for kind in get_args(bus.EventKind) if f"| `{kind}` |" not in guide} == set()
    reads = [command.name for command in COMMANDS.values() if command.method == "GET"]
    assert [name for name in reads if f"`{name}`" not in guide] == []


def test_require_control_for_commands_that_move_or_destroy_but_not_to_stop():
    assert [COMMANDS[name].locked for name in ("task_start", "map_del", "task_cancel", "robot_pose")] == [
        True,
        True,
        False,
        False,
    ]


def test_a_robot_says_unasked_what_stands_in_the_list_and_answers_each_command():
    named = [subjects.state("X"), subjects.alarm("X"), subjects.report("X"), subjects.event("X"), subjects.lift("X")]
    named += [subjects.live("X", kind) for kind in ("lidar", "path", "cells", "log")]
    assert sorted(named) == sorted(subjects.spoken("X"))
    assert subjects.answers("X") == [subjects.answer("X", name) for name in subjects.COMMANDS]
    assert (subjects.answer("X", "watch"), subjects.cmd("X", "watch")) == (
        "robots.X.answer.watch",
        "robots.X.cmd.watch",
    )
    assert subjects.tunnel("X") == "tunnel.X"


def test_a_refusal_is_a_flat_answer_with_what_it_knows():
    plain = RobotRefusal(RelayCode.LATE, "robot_late", "too late")
    assert plain.answer() == {"code": 504, "msg": "too late", "reason": "robot_late"}
    of_field = RobotRefusal(RelayCode.BAD_INPUT, "speed", "too fast", "linear", at=0)
    assert of_field.answer() == {"code": 400, "msg": "too fast", "reason": "speed", "field": "linear", "at": 0}


def test_cells_that_are_packed_come_out_as_they_were():
    mask = bus.Mask.pack(16, 2, b"\xff\x00\x0f\xf0", column=3, row=4)
    assert (mask.bits(), mask.column, mask.row) == (b"\xff\x00\x0f\xf0", 3, 4)
    assert bus.encode(bus.Watch(seconds=2)).startswith(b"{")
