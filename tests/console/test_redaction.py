"""No erasure of a person reaches the processes' logs: what people entered does not get into them."""

import json
import subprocess
import sys

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core.process.redaction import network_of, redact

PROGRAM = """
import logging
import structlog
from lustra.core.process import logs
logs.set_up("test")
fault = ValueError("ann.lee@example.com is not +49 170 1234567\\nDETAIL:  Key (account)=(ann) already exists.")
structlog.get_logger("own").error("call.failed", path="/user/x", exc_info=fault, why=repr(fault))
logging.getLogger("library").error("cannot reach ann.lee@example.com", exc_info=fault)
"""


def test_a_line_of_a_process_names_no_mailbox_phone_or_value_of_the_database():
    ended = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True, timeout=60)
    lines = [json.loads(line) for line in ended.stdout.splitlines()]
    assert [line["event"] for line in lines] == ["call.failed", "cannot reach …"]
    assert all("ValueError: … is not …" in line["exception"] for line in lines)
    assert not any(word in ended.stdout for word in ("ann.lee", "(ann)", "170", "(account)"))


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("no session 12 of 3,000", "no session 12 of 3,000"),
        ("File robot.py, line 1234567", "File robot.py, line 1234567"),
        ("to <bo@x.example>, 0170 1234567", "to <…>, …"),
        ("wrong\n  DETAIL: Failing row contains (7, Bo).\nend", "wrong\n  DETAIL: …\nend"),
    ],
)
def test_leave_text_in_the_log_that_identifies_nobody(value: str, shown: str):
    assert redact(value) == shown


@pytest.mark.parametrize(
    ("address", "network"),
    [("192.0.2.77", "192.0.2.0/24"), ("2001:db8:1:2::3", "2001:db8:1::/48"), ("testclient", ""), ("", "")],
)
def test_of_an_address_the_log_has_the_network(address: str, network: str):
    assert network_of(address) == network


async def test_an_error_of_the_database_quotes_no_parameter(db: AsyncSession):
    with pytest.raises(DBAPIError) as error:
        await db.execute(text("select 1 / cast(:name as int)"), {"name": "ann"})
    assert "SQL parameters hidden" in str(error.value)
