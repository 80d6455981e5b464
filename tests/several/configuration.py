"""What the parts of the cluster are told: bus servers that know each other, nginx before all, PostgreSQL's standby."""

import shutil
from pathlib import Path
from typing import Any

from lustra.gate import jwt
from lustra.stack.accounts import USERS
from lustra.stack.nats import Nats
from lustra.stack.place import LOOPBACK

NODES = ("nats-1", "nats-2", "nats-3")
PAIRS = ("server", "relay", "ingest", "worker", "elevators", "gate")
COPIES = 3
STREAM_BYTES = 64 << 20
NGINX = shutil.which("nginx") or "/usr/sbin/nginx"

CLUSTER = """
cluster {{
  name: lustra
  listen: "{host}:{port}"
  routes: {routes}
}}
"""

PROXY = """
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/log/nginx.log warn;
worker_processes 1;
events {{ worker_connections 512; }}
http {{
  access_log off;
  client_body_temp_path {folder}/nginx-body;
  proxy_temp_path {folder}/nginx-proxy;
  fastcgi_temp_path {folder}/nginx-fastcgi;
  uwsgi_temp_path {folder}/nginx-uwsgi;
  scgi_temp_path {folder}/nginx-scgi;
  client_max_body_size 0;
  proxy_http_version 1.1;
  proxy_connect_timeout 2s;
  proxy_set_header Host $http_host;
  proxy_set_header X-Forwarded-For $remote_addr;
  proxy_set_header Upgrade $http_upgrade;
  proxy_set_header Connection $connection_kind;
  map $http_upgrade $connection_kind {{ default upgrade; '' ''; }}
  proxy_buffering off;
  proxy_request_buffering off;
  upstream servers {{
    server {host}:{server_1} max_fails=1 fail_timeout=1s;
    server {host}:{server_2} max_fails=1 fail_timeout=1s;
  }}
  server {{ listen {host}:{http}; location / {{ proxy_pass http://servers; }} }}
  server {{ listen {host}:{relay_1}; location / {{ proxy_pass http://{host}:{inner_1}; }} }}
  server {{ listen {host}:{relay_2}; location / {{ proxy_pass http://{host}:{inner_2}; }} }}
}}
"""


def write_bus(program: Path, folder: Path, ports: dict[str, int], secrets: dict[str, Any]) -> dict[str, Nats]:
    """A configuration for each server of the bus, in a folder of its own."""
    passwords = {name: secrets[f"{name}_password"] for name in USERS}
    issuer = jwt.public(jwt.from_seed(secrets["gate_seed"]))
    routes = [f"nats://{LOOPBACK}:{ports[f'{node} cluster']}" for node in NODES]
    nodes: dict[str, Nats] = {}
    for node in NODES:
        (folder / node).mkdir()
        nats = Nats(program, folder / node, LOOPBACK, ports[node], ports[f"{node} mqtt"], passwords, issuer, -1, {})
        nats.prepare()
        file = folder / node / "nats" / "nats.conf"
        text = file.read_text().replace("server_name: lustra", f"server_name: {node}")
        file.write_text(text + CLUSTER.format(host=LOOPBACK, port=ports[f"{node} cluster"], routes=routes))
        nodes[node] = nats
    return nodes


def write_proxy(folder: Path, ports: dict[str, int]) -> Path:
    file = folder / "nginx.conf"
    names = ("http", "server_1", "server_2", "relay_1", "relay_2", "inner_1", "inner_2")
    file.write_text(PROXY.format(folder=folder, host=LOOPBACK, **{name: ports[name] for name in names}))
    return file
