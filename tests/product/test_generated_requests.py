"""Requests that schemathesis makes up from the OpenAPI, by the thousand, against the whole product.

`make test` has a short form of its own (tests/wall/test_generated_requests*.py), which knows tenants and rights too.
"""

import json
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.product.running import Product

pytestmark = pytest.mark.proof

WORDS = ("--robots", "2")
LEAST = 20_000
OF_EACH_CALL = 60  # requests at most; calls without fields have fewer
CHECKS = "not_a_server_error,response_schema_conformance,content_type_conformance"
# What ends the session that asks, or is asked elsewhere: at the relay, over the live socket.
LEFT_OUT = "^/$|^/api/(logout|user/cleanToken|user/del|user/resetPassword|live)"
ENDED = {0, 1}  # without and with findings


def test_no_generated_request_meets_a_fault_or_an_answer_of_no_contract(product: Product, tmp_path: Path):
    url = product.run["http"]
    login = {"account": "admin", "password": "Lustra-demo-1", "type": "user"}
    token = httpx.post(f"{url}/api/login", json=login).json()["data"]["token"]
    report = tmp_path / "report.json"
    ran = subprocess.run(
        [
            Path(sys.executable).with_name("st"),
            *("run", f"{url}/api/openapi.json", "--header", f"token: {token}", "--workers", "2", "--seed", "1"),
            *("--max-examples", str(OF_EACH_CALL), "--phases", "examples,coverage,fuzzing", "--checks", CHECKS),
            *("--exclude-path-regex", LEFT_OUT, "--continue-on-failure", "--no-shrink", "--no-color"),
            *("--suppress-health-check", "all", "--request-timeout", "60"),
            *("--report", "json", "--report-json-path", report),
        ],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert ran.returncode in ENDED, ran.stdout + ran.stderr
    cases = json.loads(report.read_text())["test_cases"]
    assert (cases["with_failures"], cases["errored"]) == (0, 0), ran.stdout
    assert cases["generated"] >= LEAST
