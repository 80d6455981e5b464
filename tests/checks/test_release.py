import json
import tomllib

import pytest
import release

from lustra.core.settings import VERSION
from tests.checks.conftest import ROOT


def test_project_console_and_server_name_one_version():
    assert tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"] == VERSION
    assert json.loads((ROOT / "console" / "package.json").read_text())["version"] == VERSION


def test_take_the_unreleased_notes_and_leave_room_for_the_next():
    changelog = "# Changelog\n\n## Unreleased\n\n- New.\n\n## 1.0.0 (2026-01-01)\n\n- Old.\n"
    assert release.with_release(changelog, "## 1.1.0 (2026-02-02)") == (
        "# Changelog\n\n## Unreleased\n\n## 1.1.0 (2026-02-02)\n\n- New.\n\n## 1.0.0 (2026-01-01)\n\n- Old.\n"
    )


@pytest.mark.parametrize("changelog", ["# Changelog\n\n## Unreleased\n\n## 1.0.0\n\n- Old.\n", "# Changelog\n"])
def test_a_release_without_notes_is_refused(changelog: str):
    with pytest.raises(ValueError, match="no notes"):
        release.with_release(changelog, "## 1.1.0")
