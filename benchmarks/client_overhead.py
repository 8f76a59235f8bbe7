"""Processor time that a run adds to its calls: ours against a bare loop over litellm and instructor with the same two calls.

Every item needs a split of its ground truth and one label request. Both sides send the same messages, reply types and
limits to the same endpoint, which is a process of its own; the bare loop reads, checks, stores and reports nothing.

    python -m benchmarks.client_overhead [ITEMS]
"""

import asyncio
import os
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

from judge.asking import max_tokens, reply_type
from judge.planning import statement_texts
from judge.prompt import load_policy, load_prompt, render
from judge.schema.items import Item
from judge.schema.labels import RequestKind
from judge.schema.propositions import Decomposition, Proposition
from judge.schema.requests import DecomposeRequest, LabelRequest, Request, Statement
from pipelines.api import score
from tests.runs.items import trams
from tests.runs.measuring import cost_of, endpoint_process
from tests.runs.running import MODEL

ROUNDS = 3
CONNECTIONS = 16


def main() -> None:
    """Print milliseconds per item of both sides, run in turn, and their difference; or measure one side in this process."""
    if len(sys.argv) == 4:
        print(_measured(sys.argv[1], int(sys.argv[2]), sys.argv[3]))
        return
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    found: dict[str, list[float]] = {"bare": [], "ours": []}
    with endpoint_process() as url:
        for _ in range(ROUNDS):
            for side, times in found.items():
                times.append(float(cost_of("-m", "benchmarks.client_overhead", side, str(count), url).output))
    bare, ours = median(found["bare"]), median(found["ours"])
    print(f"{count} items of 2 calls, {CONNECTIONS} at once, processor time of the client only, imports left out")
    for side, times in found.items():
        print(f"{side}: {median(times):6.2f} ms per item   ({', '.join(f'{each:.2f}' for each in times)})")
    print(f"difference {ours - bare:+.2f} ms per item, ratio {ours / bare:.3f}")


def _measured(side: str, count: int, url: str) -> float:
    """Return milliseconds of processor time per item, after one item that loads everything."""
    run = _run_ours if side == "ours" else _run_bare
    run(1, url)
    began = time.process_time()
    run(count, url)
    return (time.process_time() - began) / count * 1000


def _run_ours(count: int, url: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        folders: dict[str, Any] = {"out": Path(folder) / "run", "cache": Path(folder) / "cache"}
        result = score(trams(count), judge=MODEL, api_base=url, no_mark=True, max_connections=CONNECTIONS, **folders)
        assert result.exit_code == 0


def _run_bare(count: int, url: str) -> None:
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    asyncio.run(_bare_loop(count, url))


async def _bare_loop(count: int, url: str) -> None:
    import instructor
    import litellm

    client: Any = instructor.from_litellm(litellm.acompletion, mode=instructor.Mode.JSON_SCHEMA)
    prompts = {kind: load_prompt(kind) for kind in RequestKind}
    policy = load_policy("standard")
    slots = asyncio.Semaphore(CONNECTIONS)

    async def ask(request: Request) -> Any:
        messages: Any = [message._asdict() for message in render(prompts[request.kind], policy, request, "")]
        async with slots:
            reply, _ = await client.chat.completions.create_with_completion(
                model=MODEL,
                api_base=url,
                api_key="not-needed",
                messages=messages,
                response_model=reply_type(request),
                temperature=0.0,
                max_tokens=max_tokens(request),
                max_retries=0,
                num_retries=0,
                drop_params=True,
                timeout=120.0,
            )
        return reply

    async def one(fields: dict[str, Any]) -> None:
        item = Item(id=fields["id"], question=fields["question"], answer=fields["answer"], ground_truth=(fields["ground_truth"],))
        split = await ask(DecomposeRequest(question=item.question, ground_truth=item.ground_truth[0]))
        parts = tuple(Proposition(id=f"p{place}", text=part.text) for place, part in enumerate(split.propositions))
        frozen = Decomposition(question=item.question, ground_truth=item.ground_truth[0], key="", origin="model", propositions=parts)
        statements = tuple(Statement(id=f"s{place}", text=text) for place, text in enumerate(statement_texts(item, [frozen]), start=1))
        await ask(LabelRequest(question=item.question, answer=item.answer, statements=statements, ask_abstention=True))

    await asyncio.gather(*map(one, trams(count)))
    await litellm.close_litellm_async_clients()  # type: ignore[attr-defined, no-untyped-call]


if __name__ == "__main__":
    main()
