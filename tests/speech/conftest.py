import pytest

from lustra.core.http.minute_limit import MinuteLimit
from lustra.domains.speech import service
from tests.world import world

__all__ = ["world"]


@pytest.fixture(autouse=True)
def fresh_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "LIMIT", MinuteLimit(service.MOST_A_MINUTE))
