"""The ports of an installation: kept from run to run, or chosen by the operator."""

from pathlib import Path

import pytest

from lustra.stack import place

BESIDES = 1


def complete(folder: Path, **ports: int) -> dict[str, int]:
    saved = place.complete_settings(folder, demo=False, host=place.LOOPBACK, ports=ports, generated={}, besides=BESIDES)
    return saved["ports"]


def test_ports_of_the_last_run_stay(tmp_path: Path):
    first = complete(tmp_path, nats=0, relay=0)
    assert complete(tmp_path, nats=0, relay=0) == first
    assert first["nats"] != first["relay"]


def test_chosen_ports_win_over_those_of_the_last_run(tmp_path: Path):
    before = complete(tmp_path, nats=0, relay=0)
    (chosen,) = place.free_ports(place.LOOPBACK, 1)
    assert complete(tmp_path, nats=0, relay=chosen) == {"nats": before["nats"], "relay": chosen}


def test_another_port_gives_way_to_the_chosen_one(tmp_path: Path):
    before = complete(tmp_path, nats=0, relay=0)
    ports = complete(tmp_path, nats=0, relay=before["nats"])
    assert ports["relay"] == before["nats"] != ports["nats"]


@pytest.mark.parametrize("ports", [{"relay": BESIDES}, {"nats": 18_001, "relay": 18_001}])
def test_a_chosen_port_that_is_taken_refuses_the_start_by_the_name_of_its_setting(
    tmp_path: Path, ports: dict[str, int]
):
    with pytest.raises(SystemExit, match=r"port \d+ is in use: choose another by LUSTRA_(NATS|RELAY)_PORT"):
        complete(tmp_path, **ports)


def test_a_chosen_port_that_another_program_has_refuses_the_start(tmp_path: Path):
    with place.listen(place.LOOPBACK, 0) as other, pytest.raises(SystemExit, match="LUSTRA_RELAY_PORT"):
        complete(tmp_path, relay=other.getsockname()[1])
