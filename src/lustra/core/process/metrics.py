"""What Prometheus reads at /metrics."""

from prometheus_client import CONTENT_TYPE_LATEST, Counter, Gauge, Histogram, generate_latest

CALLED = Counter("lustra_calls_total", "Answered calls", ["path", "code", "status"])
SECONDS = Histogram(
    "lustra_call_seconds", "Time to answer a call", ["path"], buckets=(0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)
)


DISK_FREE = Gauge("lustra_disk_free_bytes", "Free on the disk where files lie")


def called(path: str, code: int, status: int, seconds: float) -> None:
    CALLED.labels(path, code, status).inc()
    SECONDS.labels(path).observe(seconds)


def page() -> tuple[bytes, str]:
    return generate_latest(), CONTENT_TYPE_LATEST
