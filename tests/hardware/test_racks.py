"""Ranges of frame numbers: what is one, what lies in it, and that SQL says the same."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import func, select

from lustra.domains.device.tables import Device
from lustra.domains.hardware import racks
from lustra.domains.hardware.tables import DeviceBatch
from tests.world import World

PREFIX = st.from_regex(r"[A-Za-z][A-Za-z-]{0,5}", fullmatch=True)


@st.composite
def ranges(draw: Any, most: int = 9_999):
    prefix, width = draw(PREFIX), draw(st.integers(1, 6))
    first, last = sorted(draw(st.lists(st.integers(0, min(most, 10**width - 1)), min_size=2, max_size=2, unique=True)))
    return prefix, width, first, last


def text(prefix: Any, width: Any, number: Any):
    return f"{prefix}{number:0{width}}"


@pytest.mark.spec("rule.rack.join", "rule.rack.width", "rule.rack.gap", "q.rack_gap", "const.x.rack_example")
@pytest.mark.parametrize(
    ("written", "good"),
    [
        ("SC0001-SC0030", True),
        ("sc0001-SC0030", True),
        ("SC0001-SC0002", True),
        ("A-B01-A-B02", True),
        ("A0-A1", True),
        ("SC0001~SC0030", False),
        ("SC0001SC0030", False),
        ("SC1-SC0030", False),
        ("SC0001-SC030", False),
        ("SC0002-SC0002", False),
        ("SC0030-SC0001", False),
        ("SC0001-SD0030", False),
        ("0001-0030", False),
        ("SC-SC", False),
        ("SC0001-SC0030-SC0040", False),
        ("", False),
        ("SC0001 - SC0030", False),
        ("SC0001-0030", False),
        ("SC٠٠٠١-SC٠٠٣٠", False),
        (f"A{'0' * 31}-A{'0' * 30}1", True),
        (f"A{'0' * 32}-A{'0' * 31}1", False),
    ],
)
def test_a_range_is_two_ends_of_one_prefix_and_width_with_a_gap(written: str, good: bool):
    assert (racks.parse_range(written) is not None) is good


@given(ranges())
@settings(max_examples=300, deadline=None)
def test_parse_a_range_as_entered_with_its_numbers_and_no_others(ends: Any):
    prefix, width, first, last = ends
    racks_read = racks.parse_range(f"{text(prefix, width, first)}-{text(prefix, width, last)}")
    assert racks_read is not None
    assert racks.parse_range(str(racks_read)) == racks_read
    for number in {first, last, first - 1, last + 1, (first + last) // 2} & set(range(10**width)):
        assert (text(prefix, width, number) in racks_read) == (first <= number <= last)
        assert text(prefix, width + 1, number) not in racks_read
        assert text(prefix + "X", width, number) not in racks_read
        assert text(prefix + "-", width, number) not in racks_read


@given(ranges(60), ranges(60))
@settings(max_examples=300, deadline=None)
def test_ranges_meet_when_they_have_a_number_in_common(low_high: Any, other_low_high: Any):
    def numbers(ends: Any):
        prefix, width, first, last = ends
        return {text(prefix, width, n).upper() for n in range(first, last + 1)}

    a, b = (racks.parse_range(f"{text(p, w, f)}-{text(p, w, t)}") for p, w, f, t in (low_high, other_low_high))
    assert a is not None
    assert b is not None
    assert a.meets(b) == b.meets(a) == bool(numbers(low_high) & numbers(other_low_high))


@given(st.text(alphabet="SCsc-0123~ ", max_size=14))
@settings(max_examples=500, deadline=None)
def test_parse_or_refuse_any_text_as_a_range(written: Any):
    parsed = racks.parse_range(written)
    assert parsed is None or (parsed.low < parsed.high and len(parsed.low) == len(parsed.high) and parsed.low in parsed)


NUMBERS = (
    "SC0001",
    "sc0015",
    "SC0030",
    "SC0031",
    "SC0000",
    "SC00015",
    "SC015",
    "SCX015",
    "SC-015",
    "SD0015",
    "S00015",
    "",
)


async def test_the_database_says_the_same(world: World):
    """Of robots in a range, and of ranges that meet."""
    batch_range = racks.Racks("SC0001", "SC0030")
    others = [
        racks.Racks(a, b)
        for a, b in (
            ("SC0030", "SC0031"),
            ("SC0031", "SC0040"),
            ("SC0000", "SC0001"),
            ("SC00010", "SC00020"),
            ("S00010", "S00020"),
            ("SC-001", "SC-030"),
            ("SCA001", "SCZ030"),
            ("SC0000", "SC9999"),
            ("SC0010", "SC0011"),
        )
        if racks.parse_range(f"{a}-{b}")
    ]
    async with world.services.sessions() as db:
        kind = await db.scalar(select(Device.type_id).limit(1))
        batch = DeviceBatch(name="Mine", low=batch_range.low, high=batch_range.high, type_ids=[kind])
        db.add(batch)
        await db.flush()
        robot = await db.get(Device, world.devices["SC0001"])
        for rack in NUMBERS:
            robot.rack_number = rack
            await db.flush()
            seen = await db.scalar(select(func.count()).select_from(Device).join(DeviceBatch, racks.in_range()))
            assert bool(seen) == (rack in batch_range), rack
        for other in others:
            batch_id = await db.scalar(select(DeviceBatch.id).where(racks.overlapping(other)))
            assert (batch_id is not None) == batch_range.meets(other), other
