"""`lustra doctor`: what is wrong with this installation, in words, and what to do.

Rule: it changes nothing and starts nothing. It ends with 1 where there is a fault, else with 0; what it cannot look at
is a fault of its own part and does not keep it from the others.
"""

import argparse
import asyncio
import json
import sys
from dataclasses import asdict
from typing import NoReturn

from lustra.app.commands.backup import data_folder
from lustra.app.doctor import machine, network, services
from lustra.app.doctor.finding import Finding, Installation, Look
from lustra.core.settings import Settings
from lustra.stack import place

LOOKS: tuple[Look, ...] = (
    machine.look_at_folder,
    machine.look_at_disk,
    machine.look_at_clock,
    machine.look_at_ports,
    services.look_at_database,
    services.look_at_files,
    services.look_at_bus,
    services.look_at_processes,
    network.look_at_public_address,
    network.look_at_certificates,
    network.look_at_mail,
    machine.look_at_extras,
    machine.look_at_backup,
)
SIGNS = {"ok": "  ok     ", "warning": "! WARNING", "fault": "✗ FAULT  "}
INDENT = " " * 10


def main(arguments: argparse.Namespace) -> NoReturn:
    findings = asyncio.run(examine())
    faults = sum(finding.level == "fault" for finding in findings)
    warnings = sum(finding.level == "warning" for finding in findings)
    if arguments.json:
        sys.stdout.write(json.dumps([asdict(finding) for finding in findings], ensure_ascii=False, indent=1) + "\n")
    else:
        for finding in findings:
            sys.stdout.write(f"{SIGNS[finding.level]} {finding.part}: {finding.text}\n")
            if finding.advice:
                sys.stdout.write(f"{INDENT}{finding.advice}\n")
        sys.stdout.write(f"{faults} faults, {warnings} warnings\n")
    sys.exit(1 if faults else 0)


async def examine() -> list[Finding]:
    at = find_installation()
    if isinstance(at, Finding):
        return [at]
    return [
        finding for findings in await asyncio.gather(*(collect(look, at) for look in LOOKS)) for finding in findings
    ]


async def collect(look: Look, at: Installation) -> list[Finding]:
    findings: list[Finding] = []
    try:
        findings.extend([finding async for finding in look(at)])
    except Exception as why:  # noqa: BLE001  whatever is broken, the other parts are looked at
        part = look.__name__.removeprefix("look_at_")
        findings.append(Finding(part, "fault", f"could not be looked at: {why!r}", "Tell the makers of Lustra."))
    return findings


def find_installation() -> Installation | Finding:
    """What the settings name, else a data folder; or why there is none."""
    try:
        settings = Settings.read()
    except SystemExit as why:
        return Finding("settings", "fault", str(why), "Correct the environment, or the unit's EnvironmentFile.")
    if settings.database_url:
        return Installation(settings, None, {}, {})
    folder = data_folder()
    try:
        if not (folder / place.SETTINGS).exists():
            advice = "Name it with --data, set LUSTRA_DATABASE_URL, or make it: lustra up"
            return Finding("folder", "fault", f"{folder} is no data folder", advice)
        saved, run = place.load_settings(folder), folder / place.RUN
        return Installation(
            settings, folder, saved, json.loads(run.read_text()) if place.is_taken(folder) and run.exists() else {}
        )
    except PermissionError:
        return Finding("folder", "fault", f"{folder} is another user's", "Start the doctor as that user, or as root.")
    except ValueError as why:
        advice = "Restore the newest backup into an empty folder."
        return Finding("folder", "fault", f"{folder / place.SETTINGS} cannot be read: {why}", advice)
