"""A run that needs no call: 1,000 items of 10 propositions, cold, then from the cache, then from its own journal.

    python -m benchmarks.cached_run [ITEMS]

The times are those of the whole process, from start to exit.
"""

import json
import sys
import tempfile
from pathlib import Path
from statistics import median

from tests.runs.items import Fields, write_items
from tests.runs.measuring import Cost, cost_of, endpoint_process, judge_cost
from tests.runs.running import MODEL

ROUNDS = 3
HEAVY = ("litellm", "instructor", "openai", "aiohttp", "nltk", "diskcache", "pandas", "pyarrow", "jinja2", "rich")
NOT_LOADED = "import atexit, sys; atexit.register(lambda: print('not loaded:', *(m for m in {heavy} if m not in sys.modules)))"


def main() -> None:
    """Print wall and processor seconds of each way, and the ratio to the cold run."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    with tempfile.TemporaryDirectory() as name, endpoint_process() as url:
        folder = Path(name)
        source = write_items(folder / "items.jsonl", (item(number) for number in range(count)))
        flags: list[str | Path] = ["score", source, "--judge", MODEL, "--api-base", url, "--cache", folder / "cache", "--quiet"]
        cold = judge_cost(*flags, "--out", folder / "cold")
        print(f"{count} items of 10 propositions, {made(folder / 'cold')} calls when cold")
        show("cold", [cold], cold)
        show("from the cache", [judge_cost(*flags, "--out", folder / f"cached-{number}") for number in range(ROUNDS)], cold)
        show("from its journal", [judge_cost(*flags, "--out", folder / "cold") for _ in range(ROUNDS)], cold)
        assert made(folder / "cached-0") == made(folder / "cold") == 0
        arguments = ["judge", *map(str, flags), "--out", str(folder / "cached-0")]
        program = f"{NOT_LOADED.format(heavy=HEAVY)}; sys.argv = {arguments!r}; from pipelines.cli import main; main()"
        print(cost_of("-c", program).output.strip())


def item(number: int) -> Fields:
    """Return an item with a question, an answer and a ground truth of ten sentences; half of them are in the answer."""
    facts = [f"Station {number} has part {place} in colour {place * number % 97}." for place in range(10)]
    said = " ".join(facts[:5])
    return {"id": f"s-{number}", "question": f"What is in station {number}?", "answer": said, "ground_truth": " ".join(facts)}


def made(run: Path) -> int:
    """Return how many calls a run made itself."""
    return int(json.loads((run / "manifest.json").read_text(encoding="utf-8"))["made_now"]["calls"])


def show(name: str, costs: list[Cost], cold: Cost) -> None:
    """Print one line."""
    wall, cpu = median(cost.wall for cost in costs), median(cost.cpu for cost in costs)
    print(f"{name:<18} {wall:7.2f} s wall  {cpu:7.2f} s processor  {wall / cold.wall:6.3f} of cold")


if __name__ == "__main__":
    main()
