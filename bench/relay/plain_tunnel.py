"""`plain_tunnel.py PORT HOST_KEY`: the plainest end of a tunnel. It lets everybody in and opens the requested port."""

import asyncio
import sys

import asyncssh


class Guest(asyncssh.SSHServer):
    def begin_auth(self, username: str) -> bool:
        return not username

    def server_requested(self, listen_host: str, listen_port: int) -> bool:
        return listen_host == "127.0.0.1" and listen_port > 0


async def main(port: str, host_key: str) -> None:
    acceptor = await asyncssh.listen(
        "127.0.0.1", int(port), server_factory=Guest, server_host_keys=[host_key], compression_algs=["none"]
    )
    await acceptor.wait_closed()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
