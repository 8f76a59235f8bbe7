"""What it costs to start: `judge --help` and `judge score` on the quickstart, over an empty Python.

python -m benchmarks.start_up
"""

import tempfile
from pathlib import Path
from statistics import median

from tests.runs.measuring import cost_of, judge_cost
from tests.runs.running import ROOT

ROUNDS = 9
COUNT_MODULES = "import atexit, sys; atexit.register(lambda: print('modules', len(sys.modules)))"
HELP = "sys.argv = ['judge', '--help']; from pipelines.cli import main; main()"


def main() -> None:
    """Print medians in milliseconds and their ratios; the three are run in turn, so that the machine's load hits all alike."""
    empty, shown, scored = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(ROUNDS):
            empty.append(cost_of("-c", "pass").wall)
            shown.append(judge_cost("--help").wall)
            out = Path(folder) / str(number)
            scored.append(judge_cost("score", ROOT / "examples" / "quickstart.jsonl", "--judge", "lexical", "--out", out).wall)
    base = median(empty)
    for name, times in (("python -c pass", empty), ("judge --help", shown), ("judge score quickstart", scored)):
        print(f"{name:<24} {median(times) * 1000:7.0f} ms  {median(times) / base:6.1f} x")
    bare = cost_of("-c", COUNT_MODULES).output.split()[-1]
    used = cost_of("-c", f"{COUNT_MODULES}; {HELP}").output.split()[-1]
    print(f"modules loaded: {bare} by python, {used} with judge --help")


if __name__ == "__main__":
    main()
