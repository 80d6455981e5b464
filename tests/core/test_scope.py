"""What a robot says goes into statements that can touch nothing but its own rows."""

import pytest

from lustra.core.scope import Statement, robots_own
from lustra.domains.device.tables import Device


@pytest.fixture(autouse=True)
def forget_statements(monkeypatch: pytest.MonkeyPatch):
    """Those of these tests are not the product's, whose statements another test has planned."""
    monkeypatch.setattr(Statement, "all", [])


@pytest.mark.parametrize(
    "text",
    [
        "update task t set name = $2 from device d where d.id = t.device_id and d.serial_number = $1",
        "select id from device where serial_number = any($1::text[])",
        "select d.id from unnest($1::text[]) r(sn) join device d on d.serial_number = r.sn",
    ],
)
def test_a_statement_of_robots_goes_by_their_serial_numbers(text: str):
    assert robots_own.sql(Statement(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "update device set name = $1",
        "select id from device where owner_path <@ $1",
        "select d.id from device d join device o on d.serial_number = o.serial_number",
        "select id from device where former_serial_number = $1",
        "select id from device where serial_number <> $1",
    ],
)
def test_another_statement_is_refused_to_robots(text: str):
    with pytest.raises(TypeError, match="serial number"):
        robots_own.sql(Statement(text))


def test_refuse_to_build_partial_statements_in_a_robots_own_scope():
    for build in (robots_own.select, robots_own.update, robots_own.delete):
        with pytest.raises(TypeError, match="whole statement"):
            build(Device)
