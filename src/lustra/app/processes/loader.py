"""`lustra loader`: has loaded what the processes of `lustra up` need, which are forked from it (stack/loader)."""

from collections.abc import Iterator, Sequence

from lustra.stack import loader


def steps(*, demo: bool) -> Iterator[tuple[str, Sequence[str]]]:
    """Commands with the modules of each, in the sequence in which they are needed. Not those of `lustra video`: PyAV
    carries GPL codecs, in a process of its own.
    """
    yield "gate", ["lustra.app.processes.gate"]
    from lustra.app.wiring import CALLS  # noqa: PLC0415  takes a second

    yield "server", [*CALLS, "lustra.app.processes.server"]
    yield "relay", ["lustra.app.processes.relay"]
    for name in ("db", "keys", "admin"):
        yield name, [f"lustra.app.commands.{name}"]
    if demo:
        yield "demo", ["lustra.app.demo.seed"]
        yield "robot", ["lustra.robot.fleet"]
    for name in ("ingest", "worker", "elevators"):
        yield name, [f"lustra.app.processes.{name}"]


def serve(*, demo: bool) -> list[str]:
    """In each forked process, the words of its command."""
    return loader.serve(steps(demo=demo))
