"""Peak memory of a whole run by the offline baseline, at growing numbers of items.

python -m benchmarks.memory [ITEMS...]
"""

import sys
import tempfile
from pathlib import Path

from tests.runs.items import tram, write_items
from tests.runs.measuring import judge_cost

COUNTS = (1_000, 10_000, 50_000)


def main() -> None:
    """Print the peak in MB, its growth over the first count, and milliseconds of processor time per item."""
    counts = [int(argument) for argument in sys.argv[1:]] or COUNTS
    first: float | None = None
    print(f"{'items':>8} {'peak':>10} {'growth':>10} {'ratio':>7} {'per item':>10}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for count in counts:
            source = write_items(folder / f"{count}.jsonl", (tram(number) for number in range(count)))
            cost = judge_cost("score", source, "--judge", "lexical", "--quiet", "--out", folder / str(count))
            first = cost.peak_mb if first is None else first
            print(
                f"{count:>8} {cost.peak_mb:>7.0f} MB {cost.peak_mb - first:>7.0f} MB {cost.peak_mb / first:>7.2f} "
                f"{cost.cpu / count * 1000:>7.2f} ms"
            )


if __name__ == "__main__":
    main()
