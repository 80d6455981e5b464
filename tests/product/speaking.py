"""A fleet of robots that only speak, and what each says: for the soak, and benches of ingest and push."""

from collections.abc import Iterator

import msgspec
from nats.aio.client import Client

from lustra.protocol import bus as protocol
from lustra.protocol.telemetry import State
from tests.flush import flush

FLEET = """
insert into device (serial_number, name, type_id, owner_id, owner_path)
select 'B' || lpad(n::text, 6, '0'), 'Drained ' || n, (select min(id) from device_type), a.id, a.path
from generate_series(1, $1) n, account a where a.account = 'dealer' on conflict do nothing"""


def serial(number: int) -> str:
    return f"B{number + 1:06}"


def payload(number: int, step: int, at: int, mode: str = "cleaning", boot: str = "boot") -> bytes:
    """A robot at work, as it says it once a second. `at`: ms since 1970; `boot`: start of its program, where `step`
    begins anew."""
    state = State(
        at=at,
        stream=f"{boot}-{number}",
        seq=step + 1,
        mode=mode,
        x=round(number % 100 + 0.25 * step, 3),
        y=round(4.5 + 0.125 * (step % 7), 3),
        yaw=1.571,
        battery=round(90 - 0.01 * step, 2),
        liquid=round(80 - 0.01 * step, 2),
        map="Ground floor",
        map_revision=7,
        speed=0.25,
        uncertainty=0.04,
        task="Lobby and lifts",
        run=f"run-{number}",
        progress=round(min(1.0, step / 4000), 4),
        cleaned=round(0.12 * step, 2),
        planned=480.0,
        remaining_s=round(4000.0 - step, 1),
        total=round(1000 + 0.12 * step, 2),
        clean_mode="clean",
        software="4.2.0",
    )
    return msgspec.json.encode(state)


async def publish(bus: Client, messages: Iterator[tuple[str, bytes]]) -> None:
    """Sends states, by serial number, as fast as the bus takes them."""
    for place, (sn, data) in enumerate(messages):
        await bus.publish(protocol.state(sn), data)
        if place % 500 == 499:
            await flush(bus)
    await flush(bus)
