"""The command line. Each command imports what it needs when it is called: starting stays thin."""

import argparse
import gc
import json
import os
import resource
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import NoReturn

from lustra.app.arguments import parser

ROBOT_LIBRARIES = ("aiomqtt", "cv2", "mcap", "rosbags", "scipy")
MOST_DESCRIPTORS = 1 << 20  # where the system sets no limit


def raise_descriptors() -> None:
    """As many open files and connections as the system lets us have: systemd's usual 1,024 are soon taken."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = MOST_DESCRIPTORS if hard == resource.RLIM_INFINITY else hard
    if soft != resource.RLIM_INFINITY and soft < limit:
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))


def load(name: str) -> ModuleType:
    """A module with all that it needs, and their types of messages ready for threads. Imports make hardly any garbage:
    to look for it while a thousand modules load is a quarter of the start.
    """
    gc.disable()
    try:
        module = import_module(name)
        import_module("lustra.protocol.message_types").prepare_message_types()
        return module
    finally:
        gc.freeze()
        gc.enable()


def main(words: list[str] | None = None) -> None:
    raise_descriptors()
    arguments = parser().parse_args(words)
    if getattr(arguments, "data", None) is not None:
        os.environ["LUSTRA_DATA"] = str(arguments.data.resolve())
    match arguments.command:
        case "up":
            up(arguments)
        case "db":
            import_module("lustra.app.commands.db").main()
        case "admin" | "doctor" | "export" | "keys" | "verify":
            import_module(f"lustra.app.commands.{arguments.command}").main(arguments)
        case "robot":
            robot(arguments)
        case "demo":
            demand_robots()
            load("lustra.app.demo.seed").main(arguments.fleet, arguments.robots, history=arguments.history)
        case "backup" | "restore":
            import_module("lustra.app.commands.backup").main(arguments)
        case "openapi":
            openapi()
        case "loader":
            main(import_module("lustra.app.processes.loader").serve(demo=arguments.demo))
        case process:
            load(f"lustra.app.processes.{process}").main()


def demand_robots() -> None:
    """What virtual robots are made of is an extra of its own: a server needs none of it."""
    if not all(find_spec(name) for name in ROBOT_LIBRARIES):
        raise SystemExit("Virtual robots, and so the demo, need the extra: pip install 'lustra[robot]'")


def up(arguments: argparse.Namespace) -> None:
    if arguments.demo:
        demand_robots()
    from lustra.app.commands.installation import Options  # noqa: PLC0415  imported when called
    from lustra.app.commands.up import run  # noqa: PLC0415  imported when called
    from lustra.stack.place import default_folder  # noqa: PLC0415  imported when called

    folder = arguments.data or Path(os.environ.get("LUSTRA_DATA") or default_folder(demo=arguments.demo))
    run(
        Options(
            demo=arguments.demo,
            host=arguments.host,
            port=arguments.port,
            folder=folder,
            robots=arguments.robots,
            history=not arguments.no_history,
            tls=arguments.tls,
        )
    )


def robot(arguments: argparse.Namespace) -> None:
    if arguments.check:
        check_robot(arguments)
    if not (arguments.fleet and arguments.state):
        raise SystemExit("lustra robot needs --fleet and --state, or: lustra robot check URL")
    demand_robots()
    from lustra.core.process import logs, watchdog  # noqa: PLC0415  imported when called

    fleet = load("lustra.robot.fleet")
    logs.set_up("robot")
    if arguments.enrol:
        enrol_robot(arguments)
    fleet.run(arguments.fleet, arguments.state, watchdog.report_life())


def check_robot(arguments: argparse.Namespace) -> NoReturn:
    from lustra.robot.check.suite import main  # noqa: PLC0415  imported when called

    word, *urls = arguments.check
    if word != "check" or len(urls) != 1:
        raise SystemExit("lustra robot check URL")
    raise SystemExit(main(urls[0], protocol=arguments.protocol, moves=arguments.moves))


def enrol_robot(arguments: argparse.Namespace) -> None:
    from lustra.robot.connection.enrol import Newcomer, Refused, enrol  # noqa: PLC0415  imported when called

    if not arguments.serial:
        raise SystemExit("--enrol needs --serial")
    try:
        enrol(
            arguments.server,
            arguments.enrol,
            Newcomer(arguments.serial, arguments.type, place=tuple(arguments.place)),
            arguments.fleet,
        )
    except Refused as why:
        raise SystemExit(f"not enrolled: {why}") from None


def openapi() -> None:
    from lustra.app.web import openapi as contract  # noqa: PLC0415  imported when called
    from lustra.app.wiring import wire  # noqa: PLC0415  imported when called

    wire()
    print(json.dumps(contract.document(), ensure_ascii=False, indent=1))


if __name__ == "__main__":
    main()
