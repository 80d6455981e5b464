"""When the bus has taken what a link sent."""

from nats.aio.client import Client


async def flush(link: Client) -> None:
    """What was sent and subscribed before is with the bus when this returns, and what the bus sent meanwhile is here.

    nats-py writes its ping past what still waits to be written, so that its own flush may return before a subscription
    stands. What waited is written by the time of the first answer, so the second ping goes behind it.
    """
    await link.flush()
    await link.flush()
