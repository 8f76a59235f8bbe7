"""Requests in one line, and a judge model behind real HTTP."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

from judge.backends.llm import LLMJudge
from judge.calling.client import LiteLLMClient
from judge.prompt import load_policy, load_prompt
from judge.schema.judgments import Judgment, Labels
from judge.schema.labels import Mode, RequestKind
from judge.schema.outcomes import Unjudged
from judge.schema.requests import AppraiseRequest, DecomposeRequest, LabelRequest, Statement
from judge.schema.settings import ModelSettings

ANSWER = "The bridge was opened in 1932. It carries 160,000 cars a day. It was not paid for by tolls."
STATEMENTS = ("The bridge was opened in 1932.", "It carries 150,000 cars a day.", "The paint is grey.")
LABELS = {"s1": "supported", "s2": "contradicted", "s3": "not_addressed"}
"""What the endpoint double says of the statements, by string comparison."""

PLACEHOLDER_KEY = "not-needed"


def label_request(
    texts: Sequence[str] = STATEMENTS, *, answer: str = ANSWER, question: str | None = None, ask_abstention: bool = True, repeat: int = 0
) -> LabelRequest:
    """Return a label request whose statements are named s1, s2, ... in the order given."""
    statements = tuple(Statement(id=f"s{place}", text=text) for place, text in enumerate(texts, start=1))
    return LabelRequest(question=question, answer=answer, statements=statements, ask_abstention=ask_abstention, repeat=repeat)


def appraise_request(answer: str = ANSWER, references: Sequence[str] = (ANSWER,), *, sources: Sequence[str] = ()) -> AppraiseRequest:
    """Return an appraise request without a question."""
    return AppraiseRequest(question=None, answer=answer, references=tuple(references), sources=tuple(sources))


def decompose_request(ground_truth: str = ANSWER) -> DecomposeRequest:
    """Return a decompose request without a question."""
    return DecomposeRequest(question=None, ground_truth=ground_truth)


@asynccontextmanager
async def model_judge(
    url: str | None,
    *,
    model: str = "openai/scripted",
    mode: Mode = Mode.JSON_SCHEMA,
    deadline: float = 30.0,
    api_key: str | None = PLACEHOLDER_KEY,
    temperature: float | None = 0.0,
    seed: int | None = None,
) -> AsyncIterator[LLMJudge]:
    """Yield a judge that asks the endpoint at this address, and close its connections afterwards."""
    endpoint = None if url is None else urlsplit(url).netloc + urlsplit(url).path
    settings = ModelSettings(model=model, api_base=url, endpoint=endpoint, temperature=temperature, seed=seed, mode=mode, deadline=deadline)
    client = LiteLLMClient(settings, api_key)
    try:
        yield LLMJudge(settings, {kind: load_prompt(kind) for kind in RequestKind}, load_policy("standard"), client)
    finally:
        await client.aclose()


def words(judgment: Judgment) -> dict[str, str]:
    """Return the label of each statement, or the reason why it has none; under `*` the reason if nothing was judged."""
    content = judgment.content
    if isinstance(content, Labels):
        return {name: str(part.reason) if isinstance(part, Unjudged) else str(part.label) for name, part in content.outcomes.items()}
    return {"*": str(content.reason) if isinstance(content, Unjudged) else content.kind}
