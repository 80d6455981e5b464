"""The bus of a process of tests, which all its tests use one after the other."""

from lustra.core.bus import Bus

MOST = 64 << 20  # bytes of a stream


async def empty_bus(bus: Bus) -> None:
    """As nobody has spoken yet: serial numbers are the same in every test, so no lock of the last one may stand, and no
    reader may go on where the last one ended. What is empty is let alone: that is nearly all, and each deed is a
    request.
    """
    infos = {str(info.config.name): info.state for info in await bus.js.streams_info()}
    whole = bool(infos)
    for name, state in infos.items():
        if name.startswith("KV_"):
            if state.messages:
                await bus.js.purge_stream(name)
        elif state.last_seq or state.consumer_count:
            await bus.js.delete_stream(name)
            whole = False
    if not whole:
        await bus.set_up(MOST)
