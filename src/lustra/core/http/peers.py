"""Who a peer is, for limits: an IPv4 address, or the /64 of an IPv6 one: whoever has one of those has all of it."""

import ipaddress


def limit_key(address: str) -> str:
    """What is counted together. An address that is none counts as it is written."""
    try:
        peer = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(peer, ipaddress.IPv4Address):
        return address
    if peer.ipv4_mapped:
        return str(peer.ipv4_mapped)
    return str(ipaddress.ip_network((int(peer) >> 64 << 64, 64)))
