"""A leaf server of the bus (live/leaves): its configuration, and the user as which it comes to the hub.

Rules: at the leaf only robots, its gate and its system account log in; nobody there is of FLEET, which the line to the
hub alone touches. Over the line come what is looked at and answered, and at the hub's request what the streams hold; in
go commands and the questions of the hub's streams. A leaf that is taken over speaks for all robots, as the hub's server
of the bus would, and reads and changes nothing of the hub's streams and buckets.
"""

import json
from typing import Any

from lustra.protocol.subjects import CORE_ACCOUNT, FROM_ROBOTS, LEAF_STATES, STREAMED, TO_ROBOTS, subject_of
from lustra.stack.accounts import INBOX, accounts

USERS = ("gate", "sys")  # of ours, at the leaf
IN_STREAMS = [subject_of(name) for name in STREAMED]
AT_ONCE = [subject for subject in FROM_ROBOTS if subject not in IN_STREAMS]
CONF = """{heading}listen: "{host}:{port}"
server_name: {name}
max_payload: 1MB
{tls}
jetstream {{ store_dir: "{store}", domain: {name}, max_file_store: {most}, sync_interval: 1s }}
mqtt {{
  listen: "{host}:{mqtt}"
  {tls}
  reject_qos2_publish: true
  downgrade_qos2_subscribe: true
}}
leafnodes {{
  reconnect: 1s
  remotes: [{{
    url: "{hub}"
    account: {account}
    {remote_tls}
    ignore_discovered_servers: true
    deny_exports: {denied}
  }}]
}}
accounts {accounts}
system_account: SYS
authorization {{
  auth_callout {{ issuer: {issuer}, account: GATE, auth_users: {users} }}
  timeout: 3
}}
"""
HEADING = """# A leaf of the bus, in another country. Replace what is written in capitals; accounts stay as they are.
# Made by scripts/make_nats_conf.py from src/lustra/stack; change it there.
#
# At the hub, in nats.conf: this block, its user among those of FLEET, and the user's name among auth_users.
#   leafnodes {{
#     listen: "0.0.0.0:7422"
#     no_advertise: true
#     tls {{ cert_file: "CERTIFICATE.pem", key_file: "KEY.pem" }}
#   }}
#   {user}
"""


def leaf_user(leaf: str, password: str) -> dict[str, Any]:
    """A user of FLEET at the hub."""
    return {
        "user": f"leaf-{leaf}",
        "password": password,
        "allowed_connection_types": ["LEAFNODE"],
        "permissions": {
            # _INBOX: answers to commands; $JSC.R and $JS.M: answers to the hub's mirrors, and what they mirror.
            "publish": [*AT_ONCE, LEAF_STATES, INBOX, "$JSC.R.*", "$JS.M.*"],
            "subscribe": [TO_ROBOTS, f"$JS.{leaf}.API.>", "$JS.FC.>"],
        },
    }


def write_conf(name: str, hub: str, passwords: dict[str, str], issuer: str, **more: Any) -> str:
    """The leaf's configuration. `hub`: URL of the hub's leafnodes, with the leaf's user and password; `issuer`: public
    key of the gate; `more`: the rest of CONF."""
    own = accounts(dict.fromkeys(("server", "relay", "roster"), "") | passwords)
    del own[CORE_ACCOUNT]["users"]
    return CONF.format(
        name=name,
        hub=hub,
        account=CORE_ACCOUNT,
        denied=json.dumps(IN_STREAMS),
        accounts=json.dumps(own, indent=1),
        issuer=issuer,
        users=json.dumps(USERS),
        **{"heading": "", "tls": "", "remote_tls": ""} | more,
    )


def sample() -> str:
    """A whole configuration for production, with names in capitals for what each installation has of its own."""
    tls = 'tls { cert_file: "CERTIFICATE.pem", key_file: "KEY.pem" }'
    user = json.dumps(leaf_user("NAME", "LEAF_PASSWORD"))
    passwords = {name: f"{name.upper()}_PASSWORD" for name in USERS}
    return write_conf(
        "NAME",
        "tls://leaf-NAME:LEAF_PASSWORD@HUB:7422",
        passwords,
        "PUBLIC_KEY_OF_THE_GATE",
        heading=HEADING.format(user=user),
        tls=tls,
        remote_tls='tls { ca_file: "AUTHORITY.pem" }',
        host="0.0.0.0",  # noqa: S104  robots come from anywhere
        port=4222,
        mqtt=8883,
        store="/var/lib/nats",
        most="50GB",
    )
