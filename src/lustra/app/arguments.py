"""What the command line takes. It imports nothing that takes time: each process reads it before it starts."""

import argparse
from datetime import date
from importlib.metadata import version
from pathlib import Path

from lustra.protocol.updates import PACKAGE_KINDS

PROCESSES = {  # command, with the module of the same name in app/processes
    "server": "calls, pushes to browsers, and the console's files",
    "ingest": "what robots tell, from the bus into PostgreSQL",
    "gate": "who may log in to the bus",
    "relay": "calls to robots, and the end of their tunnels",
    "worker": "jobs",
    "elevators": "gives elevators to robots",
    "video": "live pictures and recordings of robots",
}


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
    up.add_argument("--tls", action="store_true", help="HTTPS and a bus over TLS, by files or an authority of its own")
    up.add_argument("--robots", type=int, default=12, metavar="N", help="virtual robots of the demo (default: 12)")
    up.add_argument("--no-history", action="store_true", help="do not make the demo's past")

    for name, summary in PROCESSES.items():
        commands.add_parser(name, parents=[data], help=summary)
    loader = commands.add_parser("loader", parents=[data], help="from which `lustra up` forks the others")
    loader.add_argument("--demo", action="store_true", help="also virtual robots")
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
    add_keys(commands.add_parser("keys", help="keys by which robots trust updates"), data)
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


def add_keys(keys: argparse.ArgumentParser, data: argparse.ArgumentParser) -> None:
    commands = keys.add_subparsers(dest="what", required=True)
    make = commands.add_parser("make", parents=[data], help="the first root; key files that are not there are made")
    rotate = commands.add_parser("rotate", parents=[data], help="the next root, for these keys and today's secret")
    for command in (make, rotate):
        command.add_argument("--root", type=Path, nargs="+", required=True, metavar="FILE", help="keys of the root")
        _add_threshold(command)
    new = commands.add_parser("new", help="a key pair of a maker: FILE stays with it, FILE.pub goes to the operator")
    new.add_argument("file", type=Path, metavar="FILE")
    delegate = commands.add_parser("delegate", parents=[data], help="give types of robots to the keys of their maker")
    delegate.add_argument("--key", type=Path, nargs="+", required=True, metavar="FILE", help="public keys of the role")
    delegate.add_argument("--types", nargs="+", required=True, metavar="TYPE", help="types of robots, by their names")
    delegate.add_argument(
        "--kinds", nargs="+", choices=PACKAGE_KINDS, default=PACKAGE_KINDS, help="kinds of packages (default: all)"
    )
    _add_threshold(delegate)
    revoke = commands.add_parser("revoke", parents=[data], help="take a role's types of robots back")
    for command in (rotate, delegate, revoke):
        command.add_argument("--by", type=Path, nargs="+", required=True, metavar="FILE", help="keys of the root")
    draft = commands.add_parser("draft", parents=[data], help="write what a role is to sign")
    take = commands.add_parser("take", parents=[data], help="read what a role has signed, for robots from then on")
    for command in (delegate, revoke, draft, take):
        command.add_argument("name", metavar="NAME", help="name of the role")
    sign = commands.add_parser("sign", help="sign a draft, on whatever machine the keys are; needs no database")
    sign.add_argument("--by", type=Path, nargs="+", required=True, metavar="FILE", help="private keys of the role")
    for command in (draft, take, sign):
        command.add_argument("file", type=Path, metavar="FILE")


def _add_threshold(command: argparse.ArgumentParser) -> None:
    command.add_argument("--threshold", type=int, default=1, metavar="N", help="keys that must sign (default: 1)")
