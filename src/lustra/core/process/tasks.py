"""Ends tasks of Python 3.11, whose `wait_for` may swallow a cancellation, also inside the libraries that we use.

A loop that waits through such a library asks `ending` as it comes round; who ends tasks calls `cancel_all`.
"""

import asyncio

AGAIN_S = 2.0


def ending() -> bool:
    """Whether the current task was cancelled, even where the exception was swallowed."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


async def cancel_all(*tasks: asyncio.Task[object], again_s: float = AGAIN_S) -> None:
    """Comes back when each task has ended, whatever it ended with; who swallowed its cancellation gets another, after
    more seconds than it needs to put things away."""
    running = {task for task in tasks if not task.done()}
    while running:
        for task in running:
            task.cancel()
        _, running = await asyncio.wait(running, timeout=again_s)
    await asyncio.gather(*tasks, return_exceptions=True)
