"""How many calls are in flight, and over how many connections, for a few settings of --max-connections.

    python -m benchmarks.concurrency [SETTING...]

The endpoint lives in this process and takes long enough for every slot to fill; the command runs in one of its own.
"""

import sys
import tempfile
from pathlib import Path

from tests.endpoint.server import Endpoint
from tests.runs.items import given, write_items
from tests.runs.measuring import judge_cost
from tests.runs.running import MODEL

SETTINGS = (16, 64, 128)
CALLS_PER_SLOT = 3
LATENCY = 3.0


def main() -> None:
    """Print what was reached of each setting, and the wall time over the least possible one, start-up left out."""
    settings = [int(argument) for argument in sys.argv[1:]] or SETTINGS
    with tempfile.TemporaryDirectory() as name, Endpoint(record=False) as endpoint:
        folder = Path(name)
        start_up = run(endpoint, folder, 1, 1)
        endpoint.latency = LATENCY
        print(f"{'setting':>8} {'in flight':>10} {'connections':>12} {'calls':>6} {'wall':>8} {'over the least':>15}")
        for slots in settings:
            endpoint.reset()
            wall = run(endpoint, folder, slots, slots * CALLS_PER_SLOT) - start_up
            # The first call goes out alone, since it finds out what the endpoint takes.
            least = LATENCY * (1 + CALLS_PER_SLOT)
            print(
                f"{slots:>8} {endpoint.max_in_flight:>10} {endpoint.connections:>12} {endpoint.calls():>6} "
                f"{wall:>6.1f} s {wall / least:>13.2f} x"
            )


def run(endpoint: Endpoint, folder: Path, slots: int, calls: int) -> float:
    """Score items of one call each and return the seconds that took."""
    source = write_items(
        folder / f"{slots}.jsonl", (given(1, id=str(number), question=f"Which fact is number {number}?") for number in range(calls))
    )
    flags = ["--judge", MODEL, "--api-base", endpoint.url, "--no-cache", "--quiet", "--max-connections", str(slots)]
    return judge_cost("score", source, *flags, "--out", folder / f"run-{slots}").wall


if __name__ == "__main__":
    main()
