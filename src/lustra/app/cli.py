"""The command line. Each command imports what it needs when it is called: starting stays thin."""

import argparse
import gc
import json
import os
import resource
from datetime import date
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import NoReturn

PROCESSES = {  # command, with the module of the same name in app/processes
    "server": "calls, pushes to browsers, and the console's files",
    "ingest": "what robots tell, from the bus into PostgreSQL",
    "gate": "who may log in to the bus",
    "relay": "calls to robots, and the end of their tunnels",
    "worker": "jobs",
    "elevators": "gives elevators to robots",
    "video": "live pictures and recordings of robots",
}
ROBOT_LIBRARIES = ("aiomqtt", "cv2", "mcap", "rosbags", "scipy")
MOST_DESCRIPTORS = 1 << 20  # where the system sets no limit


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="lustra", description="Console for fleets of cleaning and disinfection robots.")
    top.add_argument("--version", action="version", version=f"lustra {version('lustra')}")
    commands = top.add_subparsers(dest="command", required=True, metavar="command")
    data = argparse.ArgumentParser(add_help=False)
    data.add_argument("--data", type=Path, metavar="DIR", help="data folder (LUSTRA_DATA)")

    up = commands.add_parser("up", parents=[data], help="everything on this machine, as one process tree")
    up.add_argument("--demo", action="store_true", help="demo accounts and virtual robots; loopback only")
    up.add_argument("--host", default="127.0.0.1", help="address to listen on (default: %(default)s)")
    up.add_argument("--port", type=int, default=8080, help="port of the console (default: %(default)s)")
    up.add_argument("--robots", type=int, default=12, metavar="N", help="virtual robots of the demo (default: 12)")
    up.add_argument("--no-history", action="store_true", help="do not make the demo's past")

    for name, summary in PROCESSES.items():
        commands.add_parser(name, parents=[data], help=summary)
    robot = commands.add_parser("robot", parents=[data], help="virtual robots")
    robot.add_argument("check", nargs="*", metavar="check URL", help="try a robot's local API against the documents")
    robot.add_argument("--protocol", type=int, choices=(2, 3), default=3, help="of the robot that is tried")
    robot.add_argument("--moves", action="store_true", help="also try what moves the robot, or changes its lock")
    robot.add_argument("--fleet", type=Path, metavar="FILE")
    robot.add_argument("--state", type=Path, metavar="DIR")
    robot.add_argument("--enrol", metavar="CODE", help="be let in by this auth code first, and write FILE")
    robot.add_argument("--server", default="http://127.0.0.1:8080", metavar="URL", help="(default: %(default)s)")
    robot.add_argument("--serial", metavar="SN", help="serial number of the robot that enrols")
    robot.add_argument("--type", default="", metavar="NAME", help="its device type (default: the code's)")
    robot.add_argument("--place", nargs=2, default=("", ""), metavar=("BUILDING", "FLOOR"), help="where it stands")
    demo = commands.add_parser("demo", parents=[data], help="the demo's accounts, robots and past")
    demo.add_argument("--fleet", type=Path, required=True, metavar="FILE")
    demo.add_argument("--robots", type=int, default=12, metavar="N")
    demo.add_argument("--history", action="store_true", help="only make the past")

    database = commands.add_parser("db", parents=[data], help="the database").add_subparsers(dest="what", required=True)
    database.add_parser("upgrade", parents=[data], help="bring it to this version")
    admin = commands.add_parser("admin", parents=[data], help="accounts").add_subparsers(dest="what", required=True)
    admin.add_parser("create", parents=[data], help="the first administrator, with a password shown once")
    below = admin.add_parser(
        "add", parents=[data], help="an account below another, down to level 5; password shown once"
    )
    below.add_argument("parent", help="login name of the account above it")
    below.add_argument("account", help="its login name")
    below.add_argument("name", help="name of the person or company")
    for name, summary in (("backup", "database and files into one archive"), ("restore", "the way back")):
        command = commands.add_parser(name, parents=[data], help=summary)
        command.add_argument("archive", type=Path, metavar="FILE")
        command.add_argument("--passphrase-file", type=Path, metavar="FILE", help="the passphrase is its first line")
    commands.choices["backup"].add_argument("--encrypt", action="store_true", help="under a passphrase, which it asks")
    doctor = commands.add_parser("doctor", parents=[data], help="what is wrong with this installation, and what to do")
    doctor.add_argument("--json", action="store_true", help="the findings as JSON")
    import_module("lustra.app.commands.keys").add_arguments(
        commands.add_parser("keys", help="keys by which robots trust updates"), data
    )
    add_export(commands.add_parser("export", help="files for analysts"), data)
    verify = commands.add_parser("verify", help="whether a proof of clean, PDF or record, is as it was sealed")
    verify.add_argument("file", type=Path, metavar="FILE")
    verify.add_argument("--certificate", type=Path, metavar="PEM", help="who must have sealed it")
    commands.add_parser("openapi", parents=[data], help="print the contract of all calls")
    return top


def add_export(command: argparse.ArgumentParser, data: argparse.ArgumentParser) -> None:
    forms = command.add_subparsers(dest="form", required=True)
    parquet = forms.add_parser("parquet", parents=[data], help="points and reports, a file a robot and day")
    parquet.add_argument("folder", type=Path, metavar="FOLDER", help="files of the same days there are replaced")
    parquet.add_argument("--from", dest="start", type=date.fromisoformat, metavar="DAY", help="(default: 30 days)")
    parquet.add_argument("--to", dest="end", type=date.fromisoformat, metavar="DAY", help="included (default: today)")
    parquet.add_argument("--customer", default="admin", metavar="ACCOUNT", help="what it owns, and all below it")


def raise_descriptors() -> None:
    """As many open files and connections as the system lets us have: systemd's usual 1,024 are soon taken."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = MOST_DESCRIPTORS if hard == resource.RLIM_INFINITY else hard
    if soft != resource.RLIM_INFINITY and soft < limit:
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))


def load(name: str) -> ModuleType:
    """Imports make hardly any garbage: to look for it while a thousand modules load is a quarter of the start."""
    gc.disable()
    try:
        return import_module(name)
    finally:
        gc.freeze()
        gc.enable()


def main() -> None:
    raise_descriptors()
    arguments = parser().parse_args()
    if getattr(arguments, "data", None) is not None:
        os.environ["LUSTRA_DATA"] = str(arguments.data.resolve())
    match arguments.command:
        case "up":
            up(arguments)
        case "db":
            import_module("lustra.app.commands.db").main()
        case "admin" | "doctor" | "export" | "verify":
            import_module(f"lustra.app.commands.{arguments.command}").main(arguments)
        case "keys":
            import_module("lustra.app.commands.keys").main(arguments)
        case "robot":
            robot(arguments)
        case "demo":
            demand_robots()
            load("lustra.app.demo.seed").main(arguments.fleet, arguments.robots, history=arguments.history)
        case "backup" | "restore":
            import_module("lustra.app.commands.backup").main(arguments)
        case "openapi":
            openapi()
        case process:
            load(f"lustra.app.processes.{process}").main()


def demand_robots() -> None:
    """What virtual robots are made of is an extra of its own: a server needs none of it."""
    if not all(find_spec(name) for name in ROBOT_LIBRARIES):
        raise SystemExit("Virtual robots, and so the demo, need the extra: pip install 'lustra[robot]'")


def up(arguments: argparse.Namespace) -> None:
    if arguments.demo:
        demand_robots()
    from lustra.app.commands.up import Options, run  # noqa: PLC0415  imported when called
    from lustra.stack.place import default_folder  # noqa: PLC0415  imported when called

    folder = arguments.data or Path(os.environ.get("LUSTRA_DATA") or default_folder(demo=arguments.demo))
    run(Options(arguments.demo, arguments.host, arguments.port, folder, arguments.robots, not arguments.no_history))


def robot(arguments: argparse.Namespace) -> None:
    if arguments.check:
        check_robot(arguments)
    if not (arguments.fleet and arguments.state):
        raise SystemExit("lustra robot needs --fleet and --state, or: lustra robot check URL")
    demand_robots()
    from lustra.core.process import logs, watchdog  # noqa: PLC0415  imported when called
    from lustra.robot import fleet  # noqa: PLC0415  imported when called

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
