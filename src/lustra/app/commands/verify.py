"""`lustra verify FILE`: whether a proof of clean is as it was sealed. It needs no network, no database, no settings."""

import argparse
import sys
from pathlib import Path
from typing import Any, NoReturn

from cryptography import x509

from lustra.core.errors import Refusal
from lustra.domains.proof.api import Altered, fingerprint, read_proof

LIBRARIES = "To verify a PDF the extra is needed: pip install 'lustra[documents]'"


def main(arguments: argparse.Namespace) -> NoReturn:
    check(arguments.file, arguments.certificate)


def describe(record: dict[str, Any]) -> str:
    if "month" in record:
        sums = record["sums"]
        return f"INTACT: {record['customer']}, {record['month']}: {sums['runs']} runs, {sums['cleanedArea']} m²\n"
    report = record["report"]
    return (
        f"INTACT: record {record['position']} of robot {report['deviceSerialNumber']}\n"
        f"  {report['taskName']}, {report['startTime']}, {report['cleanedArea']} m²\n"
    )


def check(file: Path, trusted: Path | None) -> NoReturn:
    """Ends with 0 where every byte is as it was, and the given certificate sealed it; else with 1."""
    try:
        record, certificate = read_proof(file.read_bytes())
    except Altered as why:
        sys.exit(f"ALTERED ({why}): {file} is not as it was sealed")
    except Refusal:
        sys.exit(LIBRARIES)
    sealer = fingerprint(certificate)
    if trusted and fingerprint(x509.load_pem_x509_certificate(trusted.read_bytes())) != sealer:
        sys.exit(f"NOT TRUSTED: {file} is as it was sealed, but by another key: {sealer}")
    sys.stdout.write(describe(record))
    sys.stdout.write(f"  sealed {record['sealed']} by the key {sealer}\n")
    if not trusted:
        sys.stdout.write("  Compare the key with those that the console publishes, or name it by --certificate PEM\n")
    sys.exit(0)
