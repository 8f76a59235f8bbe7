"""What measuring a recorded session costs for each of its events, as the session grows: `python -m benchmarks.sessions`."""

import json
import tempfile
import time
from pathlib import Path
from typing import Any

from pipelines.measuring import CruxFiles, CruxRules, measure_sessions

SIZES = (1_000, 10_000, 100_000)
DOCUMENTS = 200


def session(events: int) -> dict[str, Any]:
    """Return a trace that searches and loads again and again, and answers at its end."""
    found: list[dict[str, Any]] = [{"type": "message", "role": "user", "text": "Go.", "at": 0}]
    for number in range((events - 2) // 2):
        name = f"doc-{number % DOCUMENTS}"
        found.append({"type": "tool_call", "id": f"c{number}", "name": "search", "arguments": {"q": name}, "result": f"found {name}"})
        found.append({"type": "context_loaded", "items": [{"id": name}]})
    return {"id": "s", "automated": True, "events": [*found, {"type": "message", "role": "assistant", "text": "doc-1 says so.", "at": 9}]}


def fixture() -> dict[str, Any]:
    """Return a fixture that asks for every document."""
    documents = [f"doc-{number}" for number in range(DOCUMENTS)]
    tools = [{"name": "search", "role": "retrieval"}]
    return {"id": "f", "T_human_s": 600, "relevant_documents": documents, "expected_decisions": documents, "tools": tools}


def main() -> None:
    """Print the time for reading and measuring a session, per event and against the smallest one."""
    with tempfile.TemporaryDirectory() as folder:
        fixed = Path(folder) / "fixture.json"
        fixed.write_text(json.dumps(fixture()), encoding="utf-8")
        first = None
        for size in SIZES:
            path = Path(folder) / f"{size}.json"
            path.write_text(json.dumps(session(size)), encoding="utf-8")
            begin = time.perf_counter()
            measure_sessions(CruxFiles([path], fixed), CruxRules())
            each = (time.perf_counter() - begin) / size
            first = first or each
            print(f"{size:>8,} events {each * size:8.2f} s {each * 1e6:8.1f} µs an event {each / first:6.2f} x")


if __name__ == "__main__":
    main()
