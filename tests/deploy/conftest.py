"""`scripts` is no package: its modules are imported from their folder."""

import sys

from tests.checks.conftest import ROOT

sys.path.insert(0, str(ROOT / "scripts"))
