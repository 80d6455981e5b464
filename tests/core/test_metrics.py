"""Who reads metrics, and that what `deploy/` reads of them is what processes show."""

import asyncio
import json
import re
import socket
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
import yaml
from httpx import ASGITransport, AsyncClient
from prometheus_client import REGISTRY

from lustra.app.commands import installation
from lustra.app.processes import server, worker
from lustra.core.context import Services
from lustra.core.process import metrics
from lustra.core.settings import Settings
from lustra.gate import floods, refusals
from lustra.live.ingest import main as ingest
from lustra.protocol.subjects import PARTITIONS
from lustra.relay import process as relay
from tests.clients import Console

PROCESSES = (server, worker, floods, refusals, ingest, relay)  # imported: their metrics are in the registry
DEPLOY = Path(__file__).parents[2] / "deploy"
ENDINGS = ("_total", "_bucket", "_sum", "_count")


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return sock.getsockname()[1]


async def read_metrics(services: Services, set_token: str, **headers: str) -> httpx.Response:
    served = server.app(replace(services, settings=replace(services.settings, metrics_token=set_token)))
    async with AsyncClient(transport=ASGITransport(served), base_url="http://127.0.0.1") as http:
        return await http.get("/metrics", headers=headers)


async def test_metrics_count_calls_by_path_and_code(user: Console, services: Services):
    await user.raw("/test/echo")
    answer = await read_metrics(services, "secret", authorization="Bearer secret")
    assert 'lustra_calls_total{code="40000",path="/test/echo",status="200"}' in answer.text


async def test_metrics_beside_calls_are_closed_where_no_token_is_set(services: Services):
    assert (await read_metrics(services, "")).status_code == 403
    assert (await read_metrics(services, "", authorization="Bearer ")).status_code == 403


@pytest.mark.parametrize("header", [None, "", "Bearer ", "Bearer wrong", "Basic secret", "secret"])
async def test_metrics_beside_calls_need_their_token(services: Services, header: str | None):
    answer = await read_metrics(services, "secret", **({} if header is None else {"authorization": header}))
    assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")
    assert "lustra_" not in answer.text


async def test_a_process_shows_its_metrics_and_tasks_at_a_port_of_its_own():
    port = free_port()
    metrics.open_page(Settings(metrics_port=port))
    async with httpx.AsyncClient() as http:
        page = (await http.get(f"http://127.0.0.1:{port}/metrics")).text
    assert "lustra_build_info{version=" in page
    assert f"lustra_tasks {float(len(asyncio.all_tasks()))}" in page.splitlines()


async def test_a_port_that_is_taken_stops_nothing():
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        sock.listen()
        metrics.open_page(Settings(metrics_port=sock.getsockname()[1]))


def known_metrics() -> set[str]:
    names = {name for metric in REGISTRY.collect() for name in (metric.name, *(metric.name + end for end in ENDINGS))}
    return names | {"up"}


def test_alerts_and_dashboard_read_metrics_that_there_are():
    rules = yaml.safe_load((DEPLOY / "prometheus" / "alerts.yml").read_text())
    alerts = [rule for group in rules["groups"] for rule in group["rules"]]
    panels = json.loads((DEPLOY / "grafana" / "lustra.json").read_text())["panels"]
    queries = [rule["expr"] for rule in alerts] + [target["expr"] for panel in panels for target in panel["targets"]]
    assert len(queries) > 30
    names = {name for query in queries for name in re.findall(r"lustra_\w+", query)}
    assert names <= known_metrics()


def test_the_alert_of_unread_robots_counts_all_partitions():
    rules = yaml.safe_load((DEPLOY / "prometheus" / "alerts.yml").read_text())
    [query] = [rule["expr"] for group in rules["groups"] for rule in group["rules"] if rule["alert"] == "RobotsUnread"]
    assert query.endswith(f"< {PARTITIONS}")


def test_the_sample_of_prometheus_names_every_process_at_its_port():
    sample = yaml.safe_load((DEPLOY / "prometheus" / "prometheus.yml").read_text())
    targets = {
        target["labels"]["process"]: int(target["targets"][0].rpartition(":")[2])
        for target in sample["scrape_configs"][0]["static_configs"]
    }
    assert targets == {process: 9100 + place for place, process in enumerate(installation.MEASURED)}
