"""The bus's configuration: what is documented is what runs."""

import subprocess
import sysconfig
from pathlib import Path

from lustra.gate import jwt
from lustra.stack.accounts import sample

ROOT = Path(__file__).parents[2]


def test_the_documented_configuration_is_the_one_that_the_product_writes():
    assert (ROOT / "docs" / "samples" / "nats.conf").read_text() == sample()


def test_nats_accepts_the_documented_configuration(tmp_path: Path):
    lines = [line for line in sample().splitlines() if "tls {" not in line]
    text = "\n".join(lines).replace("PUBLIC_KEY_OF_THE_GATE", jwt.public(jwt.from_seed(jwt.new_seed())))
    conf = tmp_path / "nats.conf"
    conf.write_text(text)
    program = Path(sysconfig.get_path("scripts")) / "nats-server"
    checked = subprocess.run([program, "-t", "-c", conf], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr
