"""What every list does with its filters."""

from datetime import UTC, date, datetime, timedelta
from typing import Any, get_args

import pytest

from lustra.app.wiring import wire
from lustra.core import texts
from lustra.core.calls.registry import CALLS, types_of
from lustra.core.errors import Code
from tests.report.test_cleaned import keep_floor
from tests.world import World

DAY = timedelta(days=1)


def spans() -> list[tuple[str, str, str]]:
    """Path and the names of start and end, of each call that reads what lies between two moments."""
    wire()
    rows: list[tuple[str, str, str]] = []
    for entry in CALLS.values():
        payload, _ = types_of(entry)
        fields = payload.model_fields if payload is not None and not entry.audit else {}
        pairs = [(f"start_{unit}", f"end_{unit}") for unit in ("date", "time")]
        rows += [(entry.path, *pair) for pair in pairs if fields.keys() >= set(pair)]
    return rows


def moment(annotation: Any, days: int) -> str:
    """A day or a moment, as the field takes it."""
    kinds = {annotation, *get_args(annotation)} | {part for kind in get_args(annotation) for part in get_args(kind)}
    at = datetime.now(UTC).replace(microsecond=0) + (days - 2) * DAY  # some calls look back for a few days only
    return at.isoformat() if not any(kind is date for kind in kinds) else at.date().isoformat()


def test_each_list_with_a_start_or_an_end_has_both():
    wire()
    half = {
        f"{entry.path} {name}"
        for entry in CALLS.values()
        for payload in [types_of(entry)[0]]
        if payload is not None and not entry.audit
        for name in payload.model_fields
        if name.startswith(("start_", "end_"))
        if name.replace("start_", "end_") not in payload.model_fields
        or name.replace("end_", "start_") not in payload.model_fields
    }
    assert half == set()
    assert len(spans()) >= 7


@pytest.mark.spec("rule.date.order")
@pytest.mark.parametrize(("path", "start", "end"), spans())
async def test_a_start_after_the_end_is_refused_and_an_equal_one_is_not(world: World, path: str, start: str, end: str):
    payload, _ = types_of(CALLS["POST", path])
    assert payload is not None
    names = {name: payload.model_fields[name].alias or name for name in (start, end)}
    annotation = payload.model_fields[start].annotation
    more = {"zone": "UTC"} if "zone" in payload.model_fields else {}
    more |= {"deviceSerialNumber": "SC0001"} if "device_serial_number" in payload.model_fields else {}
    of_map = "map_id" in payload.model_fields
    more |= {"mapId": await keep_floor(world, "SC0001")} if of_map else {}
    who = "user" if of_map else "admin"
    late = {names[start]: moment(annotation, 1), names[end]: moment(annotation, 0)}
    answer = (await world.post(who, path, **late, **more)).json()
    says = f"{texts.say('en', f'field.{names[end]}')}: The start must not be after the end"
    assert answer["message"] == {"code": Code.BAD_INPUT, "message": says}
    assert answer["data"]["field"] == names[end]
    equal = {names[start]: moment(annotation, 0), names[end]: moment(annotation, 0)}
    answer = await world.post(who, path, **equal, **more)
    assert "json" not in answer.headers["content-type"] or answer.json()["message"]["code"] == 0, answer.text
