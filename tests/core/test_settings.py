"""Settings come from LUSTRA_* variables; what cannot be used refuses the start and is named."""

import os
import subprocess
import sys

import pytest

from lustra.core.settings import OF_TOOLS, Settings


def refusal(**variables: str) -> str:
    with pytest.raises(SystemExit) as refused:
        Settings.read({f"LUSTRA_{name}": text for name, text in variables.items()})
    return str(refused.value)


def test_settings_come_from_the_environment_and_keep_secrets_to_themselves():
    settings = Settings.read(
        {"LUSTRA_HTTP_PORT": "81", "LUSTRA_DEMO": "1", "LUSTRA_SECRET": "hush", "LUSTRA_IDLE_EXPIRY_H": "2"}
    )
    assert (settings.http_port, settings.demo, settings.idle_expiry_h) == (81, True, 2.0)
    assert "hush" not in repr(settings)


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("HTTP_PORT", "80a", "`int`"),
        ("HTTP_PORT", "0", ">= 1"),
        ("RELAY_PORT", "65536", "<= 65535"),
        ("DEMO", "tru", "it is one of"),
        ("SESSION_DAYS", "nan", "> 0"),
        ("OFFLINE_AFTER_S", "0", "> 0"),
        ("DISK_RESERVE_MB", "-1", ">= 0"),
        ("SUPPORT_DEFAULT", "allways", "allways"),
    ],
)
def test_a_value_that_does_not_fit_is_refused_by_name(name: str, text: str, reason: str):
    message = refusal(**{name: text})
    assert message.startswith(f"LUSTRA_{name}={text} cannot be used: ")
    assert reason in message


def test_a_misspelt_variable_is_refused_with_the_name_that_was_meant():
    assert refusal(HTPP_PORT="81") == "LUSTRA_HTPP_PORT is no setting; did you mean LUSTRA_HTTP_PORT?"
    assert refusal(WEATHER="fine") == "LUSTRA_WEATHER is no setting"


def test_report_all_faulty_settings_at_once_without_secrets():
    message = refusal(HTTP_PORT="x", SECRTE="hush", DEMO="?")
    assert len(message.splitlines()) == 3
    assert "hush" not in message


def test_an_empty_variable_leaves_a_number_or_a_switch_at_its_default():
    settings = Settings.read({"LUSTRA_HTTP_PORT": "", "LUSTRA_DEMO": " ", "LUSTRA_PUBLIC_URL": ""})
    assert (settings.http_port, settings.demo, settings.public_url) == (8080, False, "")


def test_variables_of_tools_are_no_settings_and_refuse_nothing():
    assert Settings.read(dict.fromkeys(OF_TOOLS, "x")) == Settings()


def test_a_process_does_not_start_with_a_misspelt_variable():
    ended = subprocess.run(
        [sys.executable, "-m", "lustra.app.cli", "gate"],
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "LUSTRA_GATE_SED": "x"},
    )
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.strip() == "LUSTRA_GATE_SED is no setting; did you mean LUSTRA_GATE_SEED?"


def test_default_to_offline_after_15_seconds_and_sessions_of_12_hours():
    settings = Settings.read({})
    assert (settings.offline_after_s, settings.idle_expiry_h) == (15.0, 12.0)
