"""How near `judge score --estimate` comes to what models did: the recorded example, and the splits of longer texts.

Tokens of the recorded requests and replies are counted with the table that the estimate counts with; the recorded usage is the
endpoint's own figure, a quarter of the characters.

    python -m benchmarks.estimates
"""

import asyncio
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

from judge.calling.client import token_count
from judge.expected_replies import expected_reply_tokens, expected_split
from judge.schema.estimates import Estimate
from judge.schema.judgments import Appraisal, Judgment, Labels, Split
from judge.schema.labels import RequestKind
from judge.schema.outcomes import AbstentionVerdict, Mark, Verdict
from judge.schema.propositions import Decomposition
from judge.schema.requests import DecomposeRequest
from pipelines.config import load_config
from pipelines.estimates.estimating import estimate_run
from pipelines.sources import FileSource

ROOT = Path(__file__).resolve().parent.parent
EXAMPLE = ROOT / "examples" / "quickstart.jsonl"
RUN = ROOT / "examples" / "recorded" / "run"
LONGER = ROOT / "benchmarks" / "splits" / "model.jsonl"
MODEL = "openai/reader"
KINDS = {"split": RequestKind.DECOMPOSE, "labels": RequestKind.LABEL, "appraisal": RequestKind.APPRAISE}


def estimate(propositions: Path | None = None) -> Estimate:
    """Return the estimate of the recorded run before it was made, or with its propositions known."""
    with tempfile.TemporaryDirectory() as folder:
        settings = {"judge": MODEL, "cache": Path(folder) / "cache", **({} if propositions is None else {"propositions": propositions})}
        config = load_config(settings, env={}, folder=Path(folder)).config
        return asyncio.run(estimate_run(FileSource(EXAMPLE, {}, None), config, Path(folder) / "run"))


def reply(judgment: Judgment) -> str:
    """Return the reply that a judgment was read from, as a model writes it."""
    match judgment.content:
        case Split(propositions=propositions):
            fields: dict[str, object] = {"propositions": [{"source_quote": part.source_quote, "text": part.text} for part in propositions]}
        case Labels(abstention=abstention, outcomes=outcomes):
            verdicts = {name: each for name, each in outcomes.items() if isinstance(each, Verdict)}
            fields = {
                "verdicts": [
                    {"id": name, "quote": each.quote, "rationale": each.rationale, "label": each.label} for name, each in verdicts.items()
                ]
            }
            if isinstance(abstention, AbstentionVerdict):
                fields["abstention"] = {"quote": abstention.quote, "value": abstention.value}
        case Appraisal(mark=Mark(value=value, rationale=rationale)):
            fields = {"rationale": rationale, "mark": value}
        case other:
            raise ValueError(f"the recorded run holds {other.kind}, expected replies alone")
    return json.dumps(fields, ensure_ascii=False)


def journal() -> Iterator[Judgment]:
    """Yield the recorded judgments."""
    for line in (RUN / "journal.jsonl").read_text(encoding="utf-8").splitlines():
        yield Judgment.model_validate_json(line)


def show(name: str, expected: int, found: int, said: int | None) -> None:
    """Print one line: what was expected, what it came to, the ratio, and what the endpoint said."""
    print(f"{name:<36}{expected:>10,}{found:>10,}{expected / found:>8.2f}{'' if said is None else f'{said:,}':>12}")


def main() -> None:
    """Print the figures."""
    before, known = estimate(), estimate(RUN / "propositions.jsonl")
    found = dict.fromkeys(RequestKind, 0)
    written, sent, received = dict(found), dict(found), dict(found)
    propositions = 0
    for judgment in journal():
        kind = KINDS[judgment.content.kind]
        found[kind] += 1
        written[kind] += token_count(MODEL, reply(judgment))
        sent[kind] += judgment.usage.input_tokens or 0
        received[kind] += judgment.usage.output_tokens or 0
        propositions += len(judgment.content.propositions) if isinstance(judgment.content, Split) else 0
    print(f"{'recorded example':<36}{'estimate':>10}{'counted':>10}{'ratio':>8}{'endpoint':>12}")
    show("propositions", before.splits.estimated_propositions, propositions, None)
    for kind in RequestKind:
        real = known.kinds[kind] if kind is RequestKind.LABEL else before.kinds[kind]
        show(f"{kind}: requests", before.kinds[kind].to_make, found[kind], None)
        show(f"{kind}: input tokens", before.kinds[kind].typical.input_tokens, real.typical.input_tokens, sent[kind])
        show(f"{kind}: output tokens", before.kinds[kind].typical.output_tokens, written[kind], received[kind])
    total = before.total.typical
    inputs = sum((known if kind is RequestKind.LABEL else before).kinds[kind].typical.input_tokens for kind in RequestKind)
    show("total: input tokens", total.input_tokens, inputs, sum(sent.values()))
    show("total: output tokens", total.output_tokens, sum(written.values()), sum(received.values()))
    splits = [Decomposition.model_validate_json(line) for line in LONGER.read_text(encoding="utf-8").splitlines()]
    print(f"\n{f'{len(splits)} longer texts':<36}{'estimate':>10}{'counted':>10}{'ratio':>8}")
    show("propositions", *totals_of(splits), None)
    show("decompose: output tokens", *reply_totals_of(splits), None)


def totals_of(splits: list[Decomposition]) -> tuple[int, int]:
    """Return how many propositions are expected of the texts, and how many a model made of them."""
    expected = sum(len(expected_split(each.ground_truth or "").propositions) for each in splits)
    return expected, sum(len(each.propositions) for each in splits)


def reply_totals_of(splits: list[Decomposition]) -> tuple[int, int]:
    """Return the tokens that the replies are expected to have, and those of the replies."""
    requests = [DecomposeRequest(question=each.question, ground_truth=each.ground_truth or "") for each in splits]
    texts = [reply(Judgment(request_sha256="", identity_id="", content=Split(propositions=each.propositions))) for each in splits]
    return sum(map(expected_reply_tokens, requests)), sum(token_count(MODEL, text) for text in texts)


if __name__ == "__main__":
    main()
