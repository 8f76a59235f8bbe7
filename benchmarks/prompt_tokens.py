"""Tokens of one item's requests and replies, counted with cl100k_base, the schema included.

The texts have 8 sentences and 10 propositions; the replies are fixed reference replies of ordinary length. Peers' figures
are for texts of the same size (ragas 0.4.3 FactualCorrectness and deepeval 4.3.1 Faithfulness, default settings, measured
on a mock that splits every text into 10 statements).

    python -m benchmarks.prompt_tokens
"""

import json
import os
from typing import Any

os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")

import litellm

from judge.asking import reply_type
from judge.prompt import load_policy, load_prompt, render
from judge.schema.labels import RequestKind
from judge.schema.requests import AppraiseRequest, DecomposeRequest, LabelRequest, Request, Statement

QUESTION = "What should a visitor know about the Harwen footbridge before walking over it?"
GROUND_TRUTH = (
    "The Harwen footbridge was designed by Ilse Brandt and opened on 4 May 1964. It spans the river Lorn below the old mill. "
    "The deck is 212 metres long and 3 metres wide. It was closed for repairs from March to November 2009. "
    "Cyclists must dismount unless they ride before seven in the morning. The bridge carries no more than 400 people at once. "
    "Its lamps were replaced with low-energy models in 2015. Entry is free except during the lantern festival in August."
)
ANSWER = (
    "The Harwen footbridge crosses the Lorn just below the old mill. Ilse Brandt designed it, and it was opened in May 1964. "
    "At 212 metres it is the longest footbridge of the valley. In 2009 it had to be closed for several months of repairs. "
    "You may cycle over it before seven in the morning only. At most 500 people are allowed on it at the same time. "
    "The lamps are modern low-energy ones. There is nothing to pay, apart from the days of the lantern festival."
)
PROPOSITIONS = [
    "The Harwen footbridge was designed by Ilse Brandt.",
    "The Harwen footbridge opened on 4 May 1964.",
    "The Harwen footbridge spans the river Lorn below the old mill.",
    "The deck of the Harwen footbridge is 212 metres long.",
    "The deck of the Harwen footbridge is 3 metres wide.",
    "The Harwen footbridge was closed for repairs from March to November 2009.",
    "Cyclists must dismount on the Harwen footbridge unless they ride before seven in the morning.",
    "The Harwen footbridge carries no more than 400 people at once.",
    "The lamps of the Harwen footbridge were replaced with low-energy models in 2015.",
    "Entry to the Harwen footbridge is free except during the lantern festival in August.",
]
SPANS = [
    "designed by Ilse Brandt",
    "opened on 4 May 1964",
    "It spans the river Lorn below the old mill",
    "The deck is 212 metres long",
    "3 metres wide",
    "It was closed for repairs from March to November 2009",
    "Cyclists must dismount unless they ride before seven in the morning",
    "The bridge carries no more than 400 people at once",
    "Its lamps were replaced with low-energy models in 2015",
    "Entry is free except during the lantern festival in August",
]
VERDICTS = [
    ("Ilse Brandt designed it", "Same designer.", "supported"),
    (None, "May 1964 without the day is vaguer.", "not_addressed"),
    ("crosses the Lorn just below the old mill", "Same river and place.", "supported"),
    ("At 212 metres", "Same length.", "supported"),
    (None, "No width is given.", "not_addressed"),
    (None, "The year is given, the months are not.", "not_addressed"),
    ("You may cycle over it before seven in the morning only", "Same condition in other words.", "supported"),
    ("At most 500 people are allowed on it at the same time", "500 is not 400.", "contradicted"),
    (None, "Low-energy lamps, but no year.", "not_addressed"),
    ("There is nothing to pay, apart from the days of the lantern festival", "Free except the festival; August is missing.", "supported"),
]
LIMITS = {"decompose + label": (1600, 900), "appraise": (750, 120)}
PEERS = {"ragas FactualCorrectness": (4191, 2090), "deepeval Faithfulness": (2965, 1064)}


def count(text: str) -> int:
    """Return the number of cl100k_base tokens."""
    # gpt-4 counts with cl100k_base, whose table litellm ships, so that nothing is downloaded.
    return int(litellm.token_counter(model="gpt-4", text=text))


def prompt_tokens(request: Request) -> int:
    """Return the tokens of all messages and of the reply schema as compact JSON."""
    kind = RequestKind(request.kind)
    messages = render(load_prompt(kind), load_policy("standard"), request)
    schema = json.dumps(reply_type(request).model_json_schema(), separators=(",", ":"))
    return sum(count(message.content) for message in messages) + count(schema)


def reply_tokens(reply: dict[str, Any]) -> int:
    """Return the tokens of a reply as a model writes it."""
    return count(json.dumps(reply, ensure_ascii=False))


def main() -> None:
    """Print the counts, the limits and the peers' figures."""
    split = DecomposeRequest(question=QUESTION, ground_truth=GROUND_TRUTH)
    statements = tuple(Statement(id=f"s{number}", text=text) for number, text in enumerate(PROPOSITIONS, start=1))
    label = LabelRequest(question=QUESTION, answer=ANSWER, statements=statements, ask_abstention=True)
    appraise = AppraiseRequest(question=QUESTION, answer=ANSWER, references=(GROUND_TRUTH,))
    splits = {"propositions": [{"source_quote": span, "text": text} for span, text in zip(SPANS, PROPOSITIONS, strict=True)]}
    labels = {
        "abstention": {"quote": None, "value": "answered"},
        "verdicts": [
            {"id": f"s{number}", "quote": quote, "rationale": rationale, "label": label_}
            for number, (quote, rationale, label_) in enumerate(VERDICTS, start=1)
        ],
    }
    mark = {"rationale": "Right on designer, place, length and cycling; wrong capacity; day, width, months and year missing.", "mark": 2}
    rows = {
        "decompose": (prompt_tokens(split), reply_tokens(splits)),
        "label": (prompt_tokens(label), reply_tokens(labels)),
        "appraise": (prompt_tokens(appraise), reply_tokens(mark)),
    }
    rows["decompose + label"] = (rows["decompose"][0] + rows["label"][0], rows["decompose"][1] + rows["label"][1])
    print(f"{'request':<28}{'prompt':>8}{'limit':>8}{'reply':>8}{'limit':>8}")
    for name, (prompt, reply) in rows.items():
        limits = LIMITS.get(name, ("", ""))
        print(f"{name:<28}{prompt:>8}{limits[0]:>8}{reply:>8}{limits[1]:>8}")
    ours = rows["decompose + label"]
    for name, (prompt, reply) in PEERS.items():
        shares = f"ours is {ours[0] / prompt:.2f}x of its prompt, {ours[1] / reply:.2f}x of its reply"
        print(f"{name:<28}{prompt:>8}{'':>8}{reply:>8}{'':>8}  {shares}")


if __name__ == "__main__":
    main()
