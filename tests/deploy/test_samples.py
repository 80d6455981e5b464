"""The samples of deploy/: units, proxy and compose file name what there is, and their own tools can read them."""

import re
import shutil
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest
import yaml

from lustra.app.arguments import parser
from lustra.core.settings import PREFIX, Settings
from tests.checks.conftest import ROOT

DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").glob("lustra*.*"))
SETTING = re.compile(rf"\b{PREFIX}([A-Z_]+)=")
COMMAND = re.compile(r"/bin/lustra ([a-z%]+)")
NGINX = shutil.which("nginx", path="/usr/sbin:/usr/bin")
CONFIG = "events {{}} pid {folder}/pid; error_log stderr; http {{ access_log off; include {conf}; }}"


def texts() -> dict[str, str]:
    return {str(path.relative_to(DEPLOY)): path.read_text() for path in sorted(DEPLOY.rglob("*")) if path.is_file()}


def test_each_setting_of_the_samples_is_one():
    settings = {setting.name.upper() for setting in fields(Settings)}
    named = {(file, name) for file, text in texts().items() for name in SETTING.findall(text)}
    assert {(file, name) for file, name in named if name not in settings} == set()
    assert len(named) > 10


def test_each_command_of_the_samples_is_one():
    (commands,) = (action.choices for action in parser()._actions if action.dest == "command")
    named = {name for text in texts().values() for name in COMMAND.findall(text)} - {"%i"}
    assert named <= set(commands or ())
    assert {"up", "backup", "server", "relay"} <= named


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
def test_systemd_reads_each_unit_without_a_complaint(tmp_path: Path):
    program = Path(sys.executable).parent / "lustra"
    for unit in UNITS:
        if unit.suffix in {".service", ".socket", ".timer"}:
            text = unit.read_text().replace("/opt/lustra/current/bin/lustra", str(program))
            (tmp_path / unit.name).write_text(text)
    names = [path.name.replace("@.", "@1.") for path in tmp_path.iterdir()]
    read = subprocess.run(
        ["systemd-analyze", "verify", "--recursive-errors=no", *(str(tmp_path / name) for name in names)],
        capture_output=True,
        text=True,
        check=False,
    )
    ours = [line for line in read.stderr.splitlines() if "lustra" in line]
    assert ours == []


@pytest.mark.skipif(NGINX is None, reason="nginx is not installed")
def test_nginx_reads_its_sample(tmp_path: Path):
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    words = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=test"]
    command = ["openssl", *words, "-keyout", str(key), "-out", str(certificate)]
    subprocess.run(command, check=True, capture_output=True)
    sample = (DEPLOY / "nginx" / "lustra.conf").read_text().replace("/etc/lustra/tls", str(tmp_path))
    conf, whole = tmp_path / "lustra.conf", tmp_path / "nginx.conf"
    conf.write_text(sample)
    whole.write_text(CONFIG.format(folder=tmp_path, conf=conf))
    read = subprocess.run([str(NGINX), "-t", "-c", str(whole)], capture_output=True, text=True, check=False)
    assert read.returncode == 0, read.stderr
    assert "[warn]" not in read.stderr


def test_containers_have_no_rights_and_say_how_they_are():
    compose = yaml.safe_load((DEPLOY / "compose" / "compose.yaml").read_text())
    for name, service in compose["services"].items():
        assert service["user"].split(":")[0] != "0", name
        assert service["cap_drop"] == ["ALL"], name
        assert service["read_only"], name
        assert service["healthcheck"]["test"], name
        assert service["image"].rpartition(":")[2] not in {"", "latest"}, name
    assert "USER lustra" in (DEPLOY / "compose" / "Dockerfile").read_text()


def test_proxy_and_containers_use_the_ports_of_the_settings():
    environment = (DEPLOY / "systemd" / "lustra.env").read_text()
    ports: dict[str, str] = dict(re.findall(r"^LUSTRA_([A-Z]+)_PORT=(\d+)$", environment, re.MULTILINE))
    compose = yaml.safe_load((DEPLOY / "compose" / "compose.yaml").read_text())
    published = {line.rpartition(":")[2] for line in compose["services"]["lustra"]["ports"]}
    assert published == {"8080", *ports.values()}
    upstreams = set(re.findall(r"server 127\.0\.0\.1:(\d+);", (DEPLOY / "nginx" / "lustra.conf").read_text()))
    assert upstreams == {"8080", ports["RELAY"], ports["VIDEO"]}
