"""What robots have said, as the bus keeps it, and whether it stands in the database."""

from collections import defaultdict
from itertools import pairwise

import nats
from nats.js.api import AckPolicy, ConsumerConfig, DeliverPolicy

from lustra.domains.report import keep
from lustra.live.ingest import state
from lustra.protocol.flaws import read_state
from lustra.protocol.telemetry import State
from tests.product.running import Product, until

BATCH = 1000
CENT = 0.011  # robots tell m² with two digits
POINTS = "select d.serial_number as sn, p.slot from point p join device d on d.id = p.robot"
REPORTS = """select d.serial_number as sn, r.run, r."end", round(r.cleaned::numeric, 2)::float8 as cleaned
  from task_report r join device d on d.id = r.device_id where not r.provisional"""
SWEPT = """select d.serial_number as sn, s.total, sum(h.area) as swept
  from robot_state s join device d on d.id = s.robot join area_hour h using (robot) group by 1, 2"""


async def messages(product: Product, stream: str) -> list[tuple[str, bytes]]:
    """Serial number and message: all that the stream holds by now."""
    link = await nats.connect(product.run["nats"])
    try:
        js = link.jetstream()
        last = (await js.stream_info(stream)).state.messages
        how = ConsumerConfig(ack_policy=AckPolicy.NONE, deliver_policy=DeliverPolicy.ALL)
        reading = await js.pull_subscribe("robots.>", stream=stream, config=how)
        messages: list[tuple[str, bytes]] = []
        while len(messages) < last:
            batch = await reading.fetch(min(BATCH, last - len(messages)), timeout=10)
            messages += [(message.subject.split(".")[1], message.data) for message in batch]
        await reading.unsubscribe()
        return messages
    finally:
        await link.close()


async def states(product: Product) -> dict[str, list[State]]:
    """By robot, by its clock; what was said twice stands once."""
    states_by_robot: defaultdict[str, dict[int, State]] = defaultdict(dict)
    for sn, data in await messages(product, "STATE"):
        reading = read_state(data)[0]
        assert reading is not None
        read = reading.state
        states_by_robot[sn][read.at] = read
    return {sn: [by_at[at] for at in sorted(by_at)] for sn, by_at in states_by_robot.items()}


def longest_silence_ms(states: list[State], since: float) -> int:
    """Of a robot while it has something to do, by its own clock; also the silence in which `since` lies."""
    busy = ((a, b) for a, b in pairwise(states) if b.at > since and a.mode not in state.REST and a.run)
    return max((b.at - a.at for a, b in busy), default=0)


def slots(states: dict[str, list[State]]) -> set[tuple[str, int]]:
    return {(sn, state.slot(each)) for sn, those in states.items() for each in those}


async def points_stand(product: Product, reported: dict[str, list[State]]) -> None:
    """Each state has its point, and there is no point without a state. The stream is read again for that: a robot may
    have sent older ones meanwhile, that it had put off."""

    async def stored() -> set[tuple[str, int]]:
        return {(row["sn"], row["slot"]) for row in await product.fetch(POINTS)}

    async def all_there() -> bool:
        return slots(reported) <= await stored()

    await until(all_there, "the points of all states")
    points = await stored()
    assert points <= slots(await states(product))


async def reports_stand(product: Product, states: dict[str, list[State]]) -> None:
    """Each run that is over has one report, as the robot told it, and the robot knows that."""
    over = {(sn, each.run) for sn, those in states.items() for each in those if each.run and each.run != those[-1].run}

    async def all_there() -> bool:
        return over <= {(row["sn"], row["run"]) for row in await product.fetch(REPORTS)}

    await until(all_there, "the reports of all runs")
    first: dict[tuple[str, str], tuple[str, float]] = {}
    for sn, data in await messages(product, "REPORT"):
        read = keep.read(data)
        assert read is not None
        first.setdefault((sn, read.id), (read.end, read.cleaned))

    async def as_reported() -> bool:
        rows = await product.fetch(REPORTS)
        assert len(rows) == len({(row["sn"], row["run"]) for row in rows})
        stored = {(row["sn"], row["run"]): (row["end"], row["cleaned"]) for row in rows}
        return all(key in stored and matches(stored[key], report) for key, report in first.items())

    await until(as_reported, "the reports as robots told them")

    ids = {run for _, run in first}

    async def receipted() -> bool:
        waiting = product.folder.glob("robots/*/outbox/*-report-*.json")
        return not ids & {path.stem.split("-", 2)[2] for path in waiting}

    await until(receipted, "receipts for the reports")


def matches(stored: tuple[str, float], expected: tuple[str, float]) -> bool:
    return stored[0] == expected[0] and abs(stored[1] - expected[1]) < CENT


async def areas_stand(product: Product) -> None:
    """The m² of the hours are those that the robots' counters grew by. For robots that were never killed."""

    async def equal() -> bool:
        return all(abs(row["swept"] - row["total"]) < CENT * max(1, row["total"]) for row in await product.fetch(SWEPT))

    await until(equal, "the m² of each hour")
