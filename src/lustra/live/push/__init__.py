from lustra.live.push.socket import live

__all__ = ["live"]
