"""The command line. Each command imports what it needs when it is called: starting stays thin."""

import argparse
import importlib
import os
from pathlib import Path

PROCESSES = {  # command: (where it stands, what it is)
    "server": ("lustra.app.server", "calls, pushes to browsers, and the console's files"),
    "ingest": ("lustra.app.ingest", "what robots tell, from the bus into PostgreSQL"),
    "gate": ("lustra.app.gate", "who may log in to the bus"),
    "relay": ("lustra.app.relay", "calls to robots, and the end of their tunnels"),
    "worker": ("lustra.app.worker", "jobs"),
}


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="lustra", description="Console for fleets of cleaning and disinfection robots.")
    commands = top.add_subparsers(dest="command", required=True, metavar="command")
    data = argparse.ArgumentParser(add_help=False)
    data.add_argument("--data", type=Path, metavar="DIR", help="data folder (LUSTRA_DATA)")

    up = commands.add_parser("up", parents=[data], help="everything on this machine, as one process tree")
    up.add_argument("--demo", action="store_true", help="demo accounts and virtual robots; loopback only")
    up.add_argument("--host", default="127.0.0.1", help="address to listen on (default: %(default)s)")
    up.add_argument("--port", type=int, default=8080, help="port of the console (default: %(default)s)")
    up.add_argument("--robots", type=int, default=12, metavar="N", help="virtual robots of the demo (default: 12)")
    up.add_argument("--no-history", action="store_true", help="do not make the demo's past")

    for name, (_, what) in PROCESSES.items():
        commands.add_parser(name, parents=[data], help=what)
    robot = commands.add_parser("robot", parents=[data], help="virtual robots")
    robot.add_argument("--fleet", type=Path, required=True, metavar="FILE")
    robot.add_argument("--state", type=Path, required=True, metavar="DIR")
    return top


def main() -> None:
    told = parser().parse_args()
    if told.data is not None:
        os.environ["LUSTRA_DATA"] = str(told.data.resolve())
    if told.command == "up":
        up(told)
    elif told.command in PROCESSES:
        importlib.import_module(PROCESSES[told.command][0]).main()


def up(told: argparse.Namespace) -> None:
    from lustra.app.up import Options, run  # noqa: PLC0415  imported when called
    from lustra.stack.place import default_folder  # noqa: PLC0415  imported when called

    folder = told.data or Path(os.environ.get("LUSTRA_DATA") or default_folder(demo=told.demo))
    run(Options(told.demo, told.host, told.port, folder, told.robots, not told.no_history))


if __name__ == "__main__":
    main()
