"""Parts and settings: utilities take battery, doses take liquid, parameters drive; recordings are ROS bags."""

import hashlib
from pathlib import Path
from typing import Any

import pytest
from rosbags.highlevel import AnyReader

from lustra.protocol import bus
from lustra.protocol.refusals import RelayCode
from lustra.robot.clock import now_ms
from lustra.robot.robot import Robot
from lustra.robot.simulation import bag_recorder, energy, parameters
from lustra.robot.simulation.activity import Hold
from lustra.robot.simulation.machine import Machine
from lustra.robot.simulation.utilities import UTILITIES, fitted
from lustra.robot.store import Store
from tests.robot.conftest import TASK, Local, drive, hall, open_robot
from tests.robot.test_hours import around


def levels(answer: dict[str, Any]) -> dict[str, float]:
    return {row["id"]: row["value"] for row in answer["list"]}


@pytest.mark.spec(
    "call.relay.common.utils_state", "call.relay.common.utils_ctrl", "call.relay.v3.utils_ctrl", "q.utils_ctrl_payload"
)
@pytest.mark.parametrize("field", ["val", "value"])
async def test_a_utility_is_set_in_either_spelling_and_takes_battery(local: Local, field: str):
    m = local.robot.machine
    m.place(2, 2, 0, charging=False)
    before = m.battery
    local.robot.step(600)
    alone = before - m.battery
    await local.good("utils_ctrl", {"id": "fan", field: 3})
    assert levels(await local.good("utils_state"))["fan"] == 3
    assert m.state(1).utilities["fan"] == 3
    before = m.battery
    local.robot.step(600)
    assert before - m.battery == pytest.approx(alone + 3 * 2.5 / 6, rel=0.01)


BAD_LEVELS = {
    "unknown": ({"id": "laser", "value": 1}, "utility_unknown", "id"),
    "too high": ({"id": "fan", "value": 4}, "utility_level", "value"),
    "below zero": ({"id": "fan", "value": -1}, "utility_level", "value"),
    "between two": ({"id": "fan", "value": 1.5}, "utility_level", "value"),
    "no level": ({"id": "fan"}, "input_missing", "value"),
}


@pytest.mark.parametrize("case", BAD_LEVELS)
async def test_levels_that_do_not_exist_are_refused(local: Local, case: str):
    payload, reason, field = BAD_LEVELS[case]
    answer = await local("utils_ctrl", payload)
    assert (answer["reason"], answer["field"]) == (reason, field)


@pytest.mark.spec("call.relay.v3.utils_list", "call.relay.v3.utils_ctrl_default_list")
async def test_which_utilities_there_are_and_what_a_run_begins_with(local: Local):
    rows = {row["id"]: row for row in (await local.good("utils_list"))["list"]}
    assert set(rows) == {u.id for u in UTILITIES}
    assert all(row["min"] <= row["value"] <= row["max"] for row in rows.values())
    usual = await local.good("utils_ctrl_default_list")
    assert levels(usual)["roller_brush"] == 2
    assert {row["id"]: row["value"] for row in usual["modes"]["quiet"]}["fan"] == 1


@pytest.mark.parametrize(
    ("model", "protocol", "present", "missing"),
    [("Carpet 30", 3, "fan", "mist"), ("Mist 20", 3, "uv_lamp", ""), ("Mist 20", 2, "mist", "uv_lamp")],
)
def test_types_and_generations_have_their_own_utilities(model: str, protocol: int, present: str, missing: str):
    known = fitted(model, protocol)
    assert present in known
    assert missing not in known


async def test_a_runs_tools_turn_only_while_it_cleans_and_by_its_mode(local: Local):
    m = local.robot.machine
    await local.good("task_add", TASK | {"clean_mode": "carpet"})
    await local.good("task_start", {"name": "Hall"})
    drive(local.robot, lambda: m.cleaning and m.rate == 1)
    assert levels(await local.good("utils_state"))["roller_brush"] == 3
    await local.good("utils_ctrl", {"id": "roller_brush", "value": 1})
    assert levels(await local.good("utils_state"))["roller_brush"] == 1
    await local.good("task_pause")
    assert levels(await local.good("utils_state"))["roller_brush"] == 0
    await local.good("task_cancel")
    await local.good("task_start", {"name": "Hall"})
    drive(local.robot, lambda: m.cleaning)
    assert levels(await local.good("utils_state"))["roller_brush"] == 3  # the next run begins with its own


async def run_once(local: Local) -> bus.Report:
    reports: list[bus.Report] = []
    local.robot.machine.tell = reports.append
    await local.good("task_start", {"name": "Hall"})
    drive(local.robot, lambda: not local.robot.machine.run)
    return reports[0]


@pytest.mark.spec("call.relay.common.disinfect_ctrl")
async def test_the_dose_is_what_each_square_metre_gets(local: Local):
    await local.good("task_add", TASK)
    usual = await run_once(local)
    await local.good("disinfect_ctrl", {"speed_Value": 16})
    assert (await local.good("disinfect_state"))["speed_Value"] == 16
    assert (await run_once(local)).liquid_ml == pytest.approx(2 * usual.liquid_ml, rel=0.01)
    await local.good("disinfect_ctrl", {"speed_Value": 0})
    assert (await run_once(local)).liquid_ml == 0
    for dose in (-1, 21, 1.5, "x"):
        answer = await local("disinfect_ctrl", {"speed_Value": dose})
        assert (answer["code"], answer["field"]) == (RelayCode.BAD_INPUT, "speed_Value")
    assert open_robot(local.robot.store.folder).machine.utilities.dose == 0


@pytest.mark.spec("call.relay.common.robot_params_set")
async def test_parameters_are_kept_within_their_ranges_and_obeyed(local: Local):
    answer = await local.good("robot_params_get")
    assert set(answer["ranges"]) == set(parameters.RANGES)
    await local.good("task_add", TASK)
    quick = await run_once(local)
    await local.good("robot_params_set", {"params": {"speed_low": 0.2, "speed_middle": 0.25, "hand_linear": 0.2}})
    assert (await local.good("robot_params_get"))["params"]["speed_middle"] == 0.25
    m = local.robot.machine
    await local.good("task_start", {"name": "Hall"})
    drive(local.robot, lambda: m.cleaning)
    drive(local.robot, lambda: m.speed > 0.2)
    assert m.speed <= 0.25 + 1e-9
    assert quick.end == "finished"
    assert open_robot(local.robot.store.folder).machine.params["hand_linear"] == 0.2


BAD_PARAMS = {
    "unknown": ({"colour": 1}, "param_unknown", "params.colour"),
    "how it is built": ({"radius": 0.1}, "param_unknown", "params.radius"),
    "too fast": ({"speed_high": 9}, "param_range", "params.speed_high"),
    "one good, one bad": ({"speed_low": 0.2, "charge_below": 99}, "param_range", "params.charge_below"),
    "low above middle": ({"speed_low": 0.5, "speed_middle": 0.4}, "param_order", "params.speed_middle"),
    "middle above the present high": ({"speed_high": 0.4}, "param_order", "params.speed_high"),
    "a switch": ({"speed_low": True}, "param_no_number", "params"),
    "a word": ({"speed_low": "slow"}, "input_float_parsing", "params.speed_low"),
}


@pytest.mark.spec("rule.speed.low_middle", "rule.speed.middle_high", "const.speeds")
@pytest.mark.parametrize("case", BAD_PARAMS)
async def test_bad_parameters_are_named_and_none_is_taken(local: Local, case: str):
    params, reason, field = BAD_PARAMS[case]
    before = dict(local.robot.machine.params)
    answer = await local("robot_params_set", {"params": params})
    assert (answer["code"], answer["reason"], answer["field"]) == (RelayCode.BAD_INPUT, reason, field)
    assert local.robot.machine.params == before


@pytest.mark.spec("rule.speed.low_middle", "rule.speed.middle_high")
async def test_speeds_may_be_equal(local: Local):
    await local.good("robot_params_set", {"params": {"speed_low": 0.4, "speed_middle": 0.4, "speed_high": 0.4}})


@pytest.mark.spec("call.relay.common.sensor_info_web", "call.relay.common.radar_info_raw")
async def test_sensors_cooked_and_raw(local: Local):
    m = local.robot.machine
    m.place(0.0, 2.0, 0.0, charging=False)
    rows = {row["id"]: row for row in (await local.good("sensor_info_web"))["list"]}
    assert rows["sonar_back"]["value"] == pytest.approx(0.9 - 0.3, abs=0.1)  # the wall is 0.9 m behind its middle
    assert all(row["ok"] for row in rows.values())
    raw = await local.good("radar_info_raw")
    assert len(raw["ranges"]) == 360
    assert raw["ranges"][0] == pytest.approx(0.9, abs=0.05)  # angle_min is straight behind
    m.fault("imu", on=True)
    m.fault("lidar", on=True)
    rows = {row["id"]: row for row in (await local.good("sensor_info_web"))["list"]}
    assert not rows["heading"]["ok"]
    assert not any((await local.good("radar_info_raw"))["ranges"])


@pytest.mark.spec("call.relay.v3.account_list")
async def test_name_the_accounts_of_the_robots_own_screen(local: Local):
    assert {row["level"] for row in (await local.good("account_list"))["list"]} == {1, 2, 3}


@pytest.mark.spec("call.relay.common.reset_ubuntu_pd")
async def test_reset_the_robots_password_to_that_of_the_server(local: Local):
    facts = local.robot.store.facts
    assert (await local("reset_ubuntu_pd"))["reason"] == "password_none_given"
    facts.password = facts.password_now = hashlib.sha256(b"given").hexdigest()
    facts.password_now = hashlib.sha256(b"changed on site").hexdigest()
    await local.good("reset_ubuntu_pd")
    assert facts.password_now == facts.password


@pytest.mark.spec("call.relay.task.bag_record_trigger")
def test_a_triggered_recording_is_a_ros_bag_of_what_the_sensors_say(tmp_path: Path):
    robot = open_robot(tmp_path / "r")
    robot.machine.place(1.0, 2.0, 0.5, charging=False)
    bags, now = robot.bags, now_ms()
    name = bags.start(3, now)
    robot.machine.set_hold(Hold.HAND, on=True)
    for n in range(31):
        bags.step(robot.machine, now + n * 100)
    assert bags.writer is None
    with AnyReader([bags.folder / name], default_typestore=bag_recorder.STORE) as reader:
        counts = {line.topic: line.msgcount for line in reader.connections}
        assert counts["/odom"] == 31
        line = next(c for c in reader.connections if c.topic == "/odom")
        first: Any = reader.deserialize(next(iter(reader.messages([line])))[2], line.msgtype)
        assert first.pose.pose.position.x == pytest.approx(1.0, abs=0.1)
        assert reader.duration == pytest.approx(3e9, rel=0.05)


async def test_a_recording_has_scans_one_at_a_time_and_the_oldest_go(local: Local, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(bag_recorder, "MOST_FILES", 2)
    bags = local.robot.bags
    names: list[str] = []
    for _ in range(3):
        names.append((await local.good("bag_record_trigger", {"seconds": 1}))["name"])
        assert (await local("bag_record_trigger", {}))["reason"] == "bag_recording"
        bags.step(local.robot.machine, now_ms())
        bags.step(local.robot.machine, now_ms() + 1200)
    assert sorted(file.name for file in bags.folder.glob("*.bag")) == names[1:]
    with AnyReader([bags.folder / names[-1]], default_typestore=bag_recorder.STORE) as reader:
        assert next(c for c in reader.connections if c.topic == "/scan").msgcount >= 1
    for seconds in (0, 301, "x"):
        assert (await local("bag_record_trigger", {"seconds": seconds}))["field"] == "seconds"


@pytest.mark.spec("call.relay.common.robot_reboot", "const.x.reboot_payload")
async def test_a_reboot_tells_the_run_as_interrupted_and_keeps_what_was_set(local: Local):
    await local.good("task_add", TASK)
    await local.good("task_start", {"name": "Hall"})
    drive(local.robot, lambda: local.robot.machine.cleaning)
    await local.good("utils_ctrl", {"id": "volume", "value": 7})
    await local.good("robot_reboot", {"voice": "0", "outage_reboot": "1"})
    assert local.robot.reboots.is_set()
    assert (await local("robot_reboot", {"voice": 3}))["field"] == "voice"
    again = open_robot(local.robot.store.folder)
    assert again.machine.run is None
    assert again.machine.utilities.set["volume"] == 7
    reports = [message for message in again.outbox.unconfirmed() if message.kind == "report"]
    assert [b'"end":"interrupted"' in r.data for r in reports] == [True]


def test_faults_have_their_effects_on_charging_and_on_the_wheels():
    m = Machine("SC0001", lambda _: None)
    m.dock(on=True)
    m.fault("0x0610", on=True)
    assert not m.charging


def carrying(folder: Path, model: str) -> Robot:
    return open_robot(folder, floor=hall(), model=model)


def test_a_scrubbers_waste_tank_fills_as_it_scrubs_and_empties_at_its_charger(tmp_path: Path):
    robot = carrying(tmp_path / "r", "Scrub 50")
    tanks = robot.machine.tanks
    tanks.use(1000)
    assert tanks.named() == {"clean_water": 80.0, "detergent": 80.0, "waste_water": 9.0}
    assert robot.machine.state(1).tanks == tanks.named()
    assert robot.machine.state(1).liquid == 80.0
    tanks.levels["waste_water"] = 99.0
    assert energy.low(robot.machine)
    robot.machine.battery = 100.0
    tanks.refill(5000)
    assert not energy.full(robot.machine)  # its waste tank is not empty yet
    tanks.refill(5000)
    assert energy.full(robot.machine)
    assert tanks.named() == {"clean_water": 100.0, "detergent": 100.0, "waste_water": 0.0}


def test_the_disinfectant_that_is_too_low_is_that_of_its_side(tmp_path: Path):
    robot = carrying(tmp_path / "r", "Mist 20")
    robot.machine.fault("0x0471", on=True)
    assert robot.machine.tanks.named() == {"left_disinfectant": 90.0, "right_disinfectant": 4.0}
    assert robot.machine.state(1).liquid == 4.0


def test_tanks_outlive_a_power_cut_and_a_robot_with_one_names_none(tmp_path: Path):
    robot = carrying(tmp_path / "r", "Mist 20")
    robot.machine.tanks.levels["left_disinfectant"] = 33.0
    robot.keep()
    assert carrying(tmp_path / "r", "Mist 20").machine.tanks.levels["left_disinfectant"] == 33.0
    assert carrying(tmp_path / "one", "Sweep 30").machine.state(1).tanks == {}


def last_line(robot: Robot) -> str:
    file = max((robot.store.folder / "logs" / "pad").glob("*"))
    return file.read_text().splitlines()[-1]


async def test_a_robot_says_a_text_and_keeps_it(local: Local):
    answer = await local.good("robot_speak", {"text": "Bitte warten.\nDanke.", "language": "de", "volume": 8})
    assert (answer["spoken"], answer["volume"]) == (True, 8)
    spoken = Store.open(local.robot.store.folder).facts.spoken
    assert spoken is not None
    assert (spoken.text, spoken.language, spoken.volume) == ("Bitte warten.\nDanke.", "de", 8)
    assert "spoken de volume=8: Bitte warten. Danke." in last_line(local.robot)
    local.robot.erase(1)
    assert local.robot.store.facts.spoken is None


async def test_speak_at_the_robots_own_volume_and_only_show_text_when_it_is_off(local: Local):
    assert (await local.good("robot_speak", {"text": "Hi", "language": "en"}))["volume"] == 5
    local.robot.machine.utilities.set["volume"] = 0
    answer = await local.good("robot_speak", {"text": "Hi", "language": "en"})
    assert (answer["spoken"], answer["volume"]) == (False, 0)


BAD_SPEECHES = {
    "none": ({"text": " "}, "text"),
    "too long": ({"text": "a" * 501}, "text"),
    "a command to the voice": ({"text": "stop\x01here"}, "text"),
    "another language": ({"language": "ru"}, "language"),
    "too loud": ({"volume": 11}, "volume"),
    "not loud at all": ({"volume": 0}, "volume"),
}


@pytest.mark.parametrize("case", BAD_SPEECHES)
async def test_refuse_a_text_that_is_not_of_its_language(local: Local, case: str):
    wrong, field = BAD_SPEECHES[case]
    answer = await local("robot_speak", {"text": "Hi", "language": "en"} | wrong)
    assert (answer["code"], answer["field"]) == (400, field)
    assert local.robot.store.facts.spoken is None


async def test_in_the_quiet_hours_of_its_map_it_says_nothing(local: Local):
    machine = local.robot.machine
    assert machine.floor is not None
    machine.floor.hours = around(-60, 60)
    answer = await local("robot_speak", {"text": "Hi", "language": "en"})
    assert (answer["code"], answer["reason"]) == (409, "speech_quiet")
    assert local.robot.store.facts.spoken is None
