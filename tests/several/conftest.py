"""One cluster for all tests of this folder, whose robots are at work."""

import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.conftest import readable_folder
from tests.several.cluster import Cluster, running_cluster
from tests.several.configuration import NGINX

ROBOTS = 12


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    if not Path(NGINX).exists():
        pytest.skip("nginx-light is not here")
    folder = readable_folder()
    yield folder
    shutil.rmtree(folder)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def cluster(folder: Path) -> AsyncIterator[Cluster]:
    async with running_cluster(folder, ROBOTS) as running:
        yield running
