"""What tests may rely on when they talk to the scripted endpoint instead of a judge model."""

import asyncio
import http.client
import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from judge.schema.labels import RequestKind
from judge.schema.replies import AbstentionReply, AppraiseReply, DecomposeReply, LabelAbstentionReply, LabelReply, Reply, VerdictReply
from tests.endpoint import faults
from tests.endpoint.faults import Fault
from tests.endpoint.replies import Json, find_span, parse_blocks, sentences, well_behaved
from tests.endpoint.server import Endpoint, Rule

ANSWER = "Marie Curie won two Nobel Prizes. She was not born in Paris. The tower has 300 m."
STATEMENTS = "s1: marie curie won two Nobel prizes\ns2: She was born in Paris.\ns3: The tower has 330 m.\ns4: It rained."
REFERENCE = "Marie Curie won two Nobel Prizes. It rained."


def block(name: str, text: str) -> str:
    return f"<{name}-1f2e3d4c>\n{text}\n</{name}-1f2e3d4c>\n"


def body(reply: type[Reply], text: str, mode: str = "json_schema") -> Json:
    """Return a request body for a typed reply, in one of the three modes."""
    schema, user = reply.model_json_schema(), {"role": "user", "content": text}
    request: Json = {"model": "scripted", "messages": [{"role": "system", "content": "Judge."}, user]}
    if mode == "md_json":
        system = {"role": "system", "content": f"Answer with JSON of this schema: {json.dumps(schema, indent=2)}"}
        return {**request, "messages": [system, user]}
    if mode == "tools":
        return {**request, "tools": [{"type": "function", "function": {"name": reply.__name__, "parameters": schema}}]}
    return {**request, "response_format": {"type": "json_schema", "json_schema": {"name": "reply", "schema": schema}}}


LABEL = body(LabelAbstentionReply, block("question", "Who?") + block("statements", STATEMENTS) + block("answer", ANSWER))
DECOMPOSE = body(DecomposeReply, block("ground_truth", "It has 3.5 m. Is it red? 是的。不是。\nA list line"))
APPRAISE = body(AppraiseReply, block("reference1", REFERENCE) + block("reference2", "Snow fell.") + block("answer", ANSWER))


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with Endpoint() as running:
        yield running


class TitledReply(BaseModel):
    """A reply type with the title that instructor's tools mode names its tool after."""

    abstention: AbstentionReply
    verdicts: list[VerdictReply]


class Response:
    """One HTTP response and the completion in it."""

    def __init__(self, response: http.client.HTTPResponse) -> None:
        self.status, self.headers, self.content = response.status, response.headers, response.read()

    @property
    def completion(self) -> Json:
        return dict(json.loads(self.content))

    @property
    def choice(self) -> Json:
        return dict(self.completion["choices"][0])

    @property
    def text(self) -> str:
        message = self.choice["message"]
        return str(message["tool_calls"][0]["function"]["arguments"] if message.get("tool_calls") else message["content"])

    @property
    def reply(self) -> Json:
        return dict(json.loads(self.text))


def post(endpoint: Endpoint, request: Json, headers: dict[str, str] | None = None) -> Response:
    """Send one request over a connection of its own."""
    connection = http.client.HTTPConnection(urlsplit(endpoint.url).netloc, timeout=10)
    try:
        connection.request("POST", "/v1/chat/completions", json.dumps(request), headers or {})
        return Response(connection.getresponse())
    finally:
        connection.close()


def labels(reply: Json) -> list[str]:
    return [verdict["label"] for verdict in reply["verdicts"]]


def test_label_reply_compares_statement_and_answer(endpoint: Endpoint) -> None:
    """A statement in the answer is supported; one that differs by a "not" or a number is contradicted; quotes are spans of the answer."""
    reply = post(endpoint, LABEL).reply
    assert LabelAbstentionReply.model_validate(reply).abstention.value == "answered"
    assert [verdict["id"] for verdict in reply["verdicts"]] == ["s1", "s2", "s3", "s4"]
    assert labels(reply) == ["supported", "contradicted", "contradicted", "not_addressed"]
    assert [verdict["quote"] for verdict in reply["verdicts"]] == [
        "Marie Curie won two Nobel Prizes",
        "She was not born in Paris.",
        "The tower has 300 m.",
        None,
    ]


def test_label_reply_has_abstention_only_where_asked(endpoint: Endpoint) -> None:
    """Without abstention in the schema there is none in the reply, and without statements no verdict."""
    assert post(endpoint, body(LabelReply, block("answer", ANSWER))).reply == {"verdicts": []}


@pytest.mark.parametrize("answer", ["I do not know. It is late.", "I don't know. It is late.", "I don’t know. It is late."])
def test_declining_answer_abstains(endpoint: Endpoint, answer: str) -> None:
    """An answer that opens with "I do not know" abstains, and its first sentence is the quote."""
    reply = post(endpoint, body(LabelAbstentionReply, block("answer", answer))).reply
    assert reply["abstention"] == {"quote": answer.removesuffix(" It is late."), "value": "abstained"}


def test_decompose_reply_has_one_proposition_per_sentence(endpoint: Endpoint) -> None:
    """Sentences end with a mark or a line; a decimal point ends none."""
    reply = DecomposeReply.model_validate(post(endpoint, DECOMPOSE).reply)
    expected = ["It has 3.5 m.", "Is it red?", "是的。", "不是。", "A list line"]
    assert [proposition.text for proposition in reply.propositions] == expected
    assert [proposition.source_quote for proposition in reply.propositions] == expected


@pytest.mark.parametrize(
    ("references", "mark"),
    [
        pytest.param(["Snow fell.", "She was not born in Paris."], 4, id="all-of-one-reference"),
        pytest.param([REFERENCE], 2, id="part"),
        pytest.param(["Snow fell.", "It rained."], 0, id="nothing"),
        pytest.param([], 0, id="no-reference"),
    ],
)
def test_appraise_reply_takes_the_best_reference(endpoint: Endpoint, references: list[str], mark: int) -> None:
    """The mark is 4 for all, 2 for a part and 0 for nothing of a reference."""
    text = "".join(block(f"reference{number}", text) for number, text in enumerate(references, start=1)) + block("answer", ANSWER)
    assert AppraiseReply.model_validate(post(endpoint, body(AppraiseReply, text)).reply).mark == mark


@pytest.mark.parametrize(
    ("text", "statement", "span"),
    [
        pytest.param("It has 12 legs", "It has 1", None, id="part-of-a-number"),
        pytest.param("It has 1.5 m", "It has 1", None, id="decimal"),
        pytest.param("It has 1.", "it has 1!", "It has 1", id="punctuation-and-case"),
        pytest.param("a cat or concat", "CAT", "cat", id="whole-word"),
        pytest.param("concat", "cat", None, id="part-of-a-word"),
        pytest.param("他是医生。", "是医生", "是医生", id="no-spaces"),
        pytest.param("İstanbul is big", "big", "big", id="lowering-changes-the-length"),
        pytest.param("anything", " . ", None, id="nothing-to-find"),
    ],
)
def test_find_span(text: str, statement: str, span: str | None) -> None:
    """A statement is found as whole words, whatever its case and final punctuation."""
    assert find_span(text, statement) == span


@given(st.text())
def test_sentences_are_spans_in_order(text: str) -> None:
    """Every sentence can be cut out of the text, one after the other."""
    position = 0
    for sentence in sentences(text):
        position = text.index(sentence, position) + len(sentence)


def test_blocks_inside_a_block_are_text() -> None:
    """An answer that imitates our tags opens no block of its own."""
    text = block("question", "Who?") + block("answer", "a\n<statements-00000000>\ns1: x\n</statements-00000000>\nb") + block("source1", "")
    assert parse_blocks(text) == {"question": "Who?", "answer": "a\n<statements-00000000>\ns1: x\n</statements-00000000>\nb", "source1": ""}


@pytest.mark.parametrize("request_body", [LABEL, DECOMPOSE, APPRAISE], ids=["label", "decompose", "appraise"])
def test_modes_carry_the_same_reply(endpoint: Endpoint, request_body: Json) -> None:
    """A tool call, JSON content and a fenced block hold equal JSON."""
    reply_type: dict[str, type[Reply]] = {"label": LabelAbstentionReply, "decompose": DecomposeReply, "appraise": AppraiseReply}
    plain = post(endpoint, request_body)
    kind = endpoint.requests[0].kind
    assert kind is not None
    text = request_body["messages"][1]["content"]
    called = post(endpoint, body(reply_type[kind], text, "tools"))
    written = post(endpoint, body(reply_type[kind], text, "md_json"))
    assert called.choice["message"]["tool_calls"][0]["function"]["name"] == reply_type[kind].__name__
    assert written.text == f"```json\n{called.text}\n```" == f"```json\n{plain.text}\n```"
    assert endpoint.calls(kind) == endpoint.calls() == 3


def test_completion_echoes_the_model_and_counts_tokens(endpoint: Endpoint) -> None:
    """Tokens are a quarter of the characters, rounded down, of all messages and of the reply."""
    response = post(endpoint, LABEL)
    sent, made = len("Judge.\n" + LABEL["messages"][1]["content"]) // 4, len(response.text) // 4
    assert response.completion["model"] == "scripted"
    assert response.completion["usage"] == {"prompt_tokens": sent, "completion_tokens": made, "total_tokens": sent + made}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        pytest.param(block("statements", "s1: x") + block("answer", "x"), RequestKind.LABEL, id="label"),
        pytest.param(block("ground_truth", "x"), RequestKind.DECOMPOSE, id="decompose"),
        pytest.param(block("reference2", "x") + block("answer", "x"), RequestKind.APPRAISE, id="appraise"),
    ],
)
def test_blocks_tell_the_kind_without_a_schema(endpoint: Endpoint, text: str, kind: RequestKind) -> None:
    """Where no schema is sent at all, the names of the blocks say what is asked."""
    assert post(endpoint, {"model": "m", "messages": [{"role": "user", "content": text}]}).text.startswith("```json")
    assert endpoint.requests[0].kind is kind


def test_unknown_request_is_answered_in_prose(endpoint: Endpoint) -> None:
    """A request of none of our kinds gets two letters, and content in parts is read too."""
    request = {
        "model": "m",
        "messages": [{"role": "user", "content": [{"type": "text", "text": "ping, ping"}]}, {"role": "assistant", "content": None}],
    }
    response = post(endpoint, request)
    assert (response.text, response.completion["usage"]["prompt_tokens"], endpoint.requests[0].kind) == ("OK", 2, None)


def test_connection_is_kept_and_other_paths_are_known(endpoint: Endpoint) -> None:
    """Models are listed, unknown paths are 404, and one connection serves many requests."""
    connection = http.client.HTTPConnection(urlsplit(endpoint.url).netloc, timeout=10)
    connection.request("GET", "/v1/models")
    assert Response(connection.getresponse()).completion["data"][0]["id"] == "scripted"
    connection.request("GET", "/elsewhere")
    assert Response(connection.getresponse()).status == 404
    connection.request("POST", "/v1/chat/completions", json.dumps(LABEL), {"Authorization": "Bearer key", "Connection": "close"})
    assert Response(connection.getresponse()).status == 200
    connection.close()
    assert (endpoint.connections, endpoint.calls()) == (1, 1)
    assert endpoint.headers[0]["authorization"] == "Bearer key"


@pytest.mark.parametrize(
    ("rule", "statuses"),
    [
        pytest.param(faults.status(500), [500, 500, 500, 500], id="for-good"),
        pytest.param(Rule(faults.status(500), first=1), [500, 200, 200, 200], id="once"),
        pytest.param(Rule(faults.status(500), first=2), [500, 500, 200, 200], id="first-two"),
        pytest.param(Rule(faults.status(500), nth=3), [200, 200, 500, 200], id="third"),
        pytest.param(Rule(faults.status(500), kind=RequestKind.LABEL), [500, 200, 500, 200], id="kind"),
        pytest.param(Rule(faults.status(500), kind=RequestKind.LABEL, nth=2), [200, 200, 500, 200], id="second-of-kind"),
        pytest.param(Rule(faults.status(500), containing="Snow fell."), [200, 500, 200, 500], id="text-of-a-message"),
        pytest.param(Rule(faults.status(500), containing='"response_format"'), [500, 500, 500, 500], id="text-of-the-body"),
    ],
)
def test_rules_choose_requests(endpoint: Endpoint, rule: Rule | Fault, statuses: list[int]) -> None:
    """A rule counts the requests that match it, from the moment it was scripted."""
    post(endpoint, LABEL)
    endpoint.script(rule)
    assert [post(endpoint, request).status for request in (LABEL, APPRAISE, LABEL, APPRAISE)] == statuses


def test_reset_forgets_rules_and_requests(endpoint: Endpoint) -> None:
    """After a reset the endpoint is as new."""
    endpoint.script(faults.status(500))
    post(endpoint, LABEL)
    ends_at = time.monotonic() + 10
    endpoint.reset()
    # The client may have read a reply before the endpoint has put the request behind it.
    while endpoint.max_in_flight and time.monotonic() < ends_at:
        endpoint.reset()
    assert (endpoint.calls(), endpoint.requests, endpoint.connections, endpoint.max_in_flight) == (0, [], 0, 0)
    assert post(endpoint, LABEL).status == 200


@pytest.mark.parametrize(
    ("fault", "status", "code"),
    [
        pytest.param(faults.context_length_exceeded(), 400, "context_length_exceeded", id="too-long"),
        pytest.param(faults.prompt_filtered(), 400, "content_filter", id="filtered"),
        pytest.param(faults.response_format_unsupported(), 400, None, id="response-format"),
        pytest.param(faults.parameter_unsupported("seed"), 400, "unsupported_parameter", id="parameter"),
        pytest.param(faults.quota_exhausted(), 429, "insufficient_quota", id="quota"),
        pytest.param(faults.rate_limited(), 429, "rate_limit_exceeded", id="rate"),
        *[
            pytest.param(faults.status(number, name="x"), number, "x", id=str(number))
            for number in (401, 402, 403, 404, 422, 500, 503, 529)
        ],
    ],
)
def test_error_statuses(endpoint: Endpoint, fault: Fault, status: int, code: str | None) -> None:
    """An error has a status and an OpenAI error object."""
    endpoint.script(fault)
    response = post(endpoint, LABEL)
    assert (response.status, response.completion["error"]["code"]) == (status, code)
    assert response.headers["Retry-After"] is None


@pytest.mark.parametrize("wait", [2, 0.5, "Wed, 21 Oct 2026 07:28:00 GMT", "soon"])
def test_rate_limit_may_name_a_wait(endpoint: Endpoint, wait: float | str) -> None:
    """Retry-After carries what was scripted, sense or nonsense."""
    endpoint.script(faults.rate_limited(wait))
    assert post(endpoint, LABEL).headers["Retry-After"] == str(wait)


def test_pages_and_redirects(endpoint: Endpoint) -> None:
    """A dead proxy sends a page; a redirect names another host."""
    endpoint.script(Rule(faults.html(502), nth=1), Rule(faults.redirect("http://other.invalid/"), nth=2))
    page, moved = post(endpoint, LABEL), post(endpoint, LABEL)
    assert (page.status, page.headers["Content-Type"], page.content[:6]) == (502, "text/html", b"<html>")
    assert (moved.status, moved.headers["Location"]) == (307, "http://other.invalid/")


@pytest.mark.parametrize(
    ("fault", "finish_reason", "message"),
    [
        pytest.param(faults.refusal("No."), "stop", {"role": "assistant", "content": None, "refusal": "No."}, id="refusal"),
        pytest.param(faults.reply_filtered(), "content_filter", {"role": "assistant", "content": ""}, id="filtered"),
        pytest.param(faults.reasoning_exhausted(), "length", {"role": "assistant", "content": ""}, id="reasoning"),
        pytest.param(faults.empty_text(), "stop", {"role": "assistant", "content": ""}, id="empty"),
        pytest.param(faults.null_message(), "stop", None, id="null-message"),
    ],
)
def test_completions_without_a_reply(endpoint: Endpoint, fault: Fault, finish_reason: str, message: Json | None) -> None:
    """The choice says how it ended."""
    endpoint.script(fault)
    assert post(endpoint, LABEL).choice == {"index": 0, "message": message, "finish_reason": finish_reason}


def test_completion_fields_can_be_spoilt(endpoint: Endpoint) -> None:
    """Choices, usage and the reported model are edited one by one or together."""
    endpoint.script(
        faults.no_choices(), faults.reported_model("other"), Rule(faults.no_usage(), nth=1), Rule(faults.reasoning_exhausted(7), nth=2)
    )
    first, second = post(endpoint, LABEL).completion, post(endpoint, LABEL).completion
    assert (first["choices"], first["model"], "usage" in first) == ([], "other", False)
    assert second["usage"]["completion_tokens_details"] == {"reasoning_tokens": 7}


@pytest.mark.parametrize("mode", ["json_schema", "tools", "md_json"])
@pytest.mark.parametrize("finish_reason", ["length", "stop"])
def test_truncated_text(endpoint: Endpoint, mode: str, finish_reason: str) -> None:
    """Half of the text is left, in every mode, fence included."""
    request = body(AppraiseReply, APPRAISE["messages"][1]["content"], mode)
    whole = post(endpoint, request).text
    endpoint.script(faults.truncated(finish_reason=finish_reason))
    cut = post(endpoint, request)
    assert (cut.text, cut.choice["finish_reason"]) == (whole[: len(whole) // 2], finish_reason)


def test_tool_calls_can_be_missing_doubled_or_spoken(endpoint: Endpoint) -> None:
    """A request for a tool call gets none, two, or plain content; other requests are left alone."""
    request = body(AppraiseReply, block("answer", ANSWER), "tools")
    endpoint.script(Rule(faults.tool_calls(0), nth=1), Rule(faults.tool_calls(2), nth=2), Rule(faults.content_for_tool_call(), nth=3))
    none, two, spoken = (post(endpoint, request).choice["message"] for _ in range(3))
    assert (none["tool_calls"], none["content"], len(two["tool_calls"])) == ([], None, 2)
    assert json.loads(spoken["content"])["mark"] == 0
    endpoint.script(faults.tool_calls(2), faults.content_for_tool_call())
    assert post(endpoint, APPRAISE).reply["mark"] == 2


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        pytest.param(faults.fenced(), r"```json\n\{.*\}\n```", id="fenced"),
        pytest.param(faults.prose_around(), r"Sure! .*\n\n\{.*\}\n\nLet me know.*", id="prose"),
        pytest.param(faults.thinking(), r"<think>.*\{.*</think>\n\{.*\}", id="thinking"),
        pytest.param(faults.two_objects(), r"(\{.*\})\n\1", id="two-objects"),
        pytest.param(faults.duplicate_keys(), r'.*"label": "not_addressed", "label": "supported".*', id="duplicate-keys"),
        pytest.param(faults.control_characters(), r'.*"rationale": "\t\n\0The answer.*', id="control-characters"),
        pytest.param(faults.deep_nesting(3), r'\{"verdicts": \[\[\[\]\]\]\}', id="nesting"),
        pytest.param(faults.not_a_number(), r'.*"label": NaN\}.*', id="nan"),
        pytest.param(Fault(text=str.upper), r"[^a-z]*", id="own-edit"),
    ],
)
def test_text_can_be_spoilt(endpoint: Endpoint, fault: Fault, expected: str) -> None:
    """The JSON is wrapped, doubled or broken."""
    endpoint.script(fault)
    assert re.fullmatch(expected, post(endpoint, LABEL).text, re.DOTALL)


@pytest.mark.parametrize(
    ("fault", "name", "values"),
    [
        pytest.param(faults.too_few(), "id", ["s1", "s2", "s3"], id="too-few"),
        pytest.param(faults.too_many(), "id", ["s1", "s2", "s3", "s4", "s999"], id="too-many"),
        pytest.param(faults.duplicate_ids(), "id", ["s1", "s2", "s3", "s4", "s1"], id="duplicate-ids"),
        pytest.param(
            faults.duplicate_ids(label="contradicted"),
            "label",
            ["supported", "contradicted", "contradicted", "not_addressed", "contradicted"],
            id="conflicting-duplicate",
        ),
        pytest.param(faults.unknown_ids(), "id", ["x1", "x2", "x3", "x4"], id="unknown-ids"),
        pytest.param(faults.integer_ids(), "id", [1, 2, 3, 4], id="integer-ids"),
        pytest.param(faults.shuffled(), "id", ["s4", "s3", "s2", "s1"], id="shuffled"),
        pytest.param(
            faults.label_spelled(str.upper), "label", ["SUPPORTED", "CONTRADICTED", "CONTRADICTED", "NOT_ADDRESSED"], id="other-case"
        ),
        pytest.param(faults.label_spelled(lambda _: "unterstützt"), "label", ["unterstützt"] * 4, id="translated"),
        pytest.param(faults.extra_field(), "confidence", [0.9] * 4, id="extra-field"),
        pytest.param(faults.long_text("{" * 5_000), "rationale", ["{" * 5_000] * 4, id="braces"),
        pytest.param(faults.quote_not_found(), "quote", ["Colourless green ideas sleep furiously."] * 3 + [None], id="quote-not-found"),
    ],
)
def test_verdicts_can_be_spoilt(endpoint: Endpoint, fault: Fault, name: str, values: list[Any]) -> None:
    """The verdicts are edited; abstention is left alone."""
    endpoint.script(fault)
    reply = post(endpoint, LABEL).reply
    assert [verdict[name] for verdict in reply["verdicts"]] == values
    assert reply["abstention"] == {"quote": None, "value": "answered"}


def test_other_kinds_can_be_spoilt(endpoint: Endpoint) -> None:
    """Propositions are entries too, an appraisal is its own only entry, and any edit of a reply can be scripted."""
    edits = [faults.too_few(), faults.too_many(), faults.wrong_top_level(), Fault(reply=lambda reply: {**reply, "mark": 5})]
    endpoint.script(*(Rule(fault, nth=number) for number, fault in enumerate(edits, start=1)))
    assert post(endpoint, APPRAISE).reply == {}
    assert len(post(endpoint, DECOMPOSE).reply["propositions"]) == 6
    assert post(endpoint, APPRAISE).reply == {"result": ["Part of a reference is in the answer.", 2]}
    assert post(endpoint, APPRAISE).reply["mark"] == 5


def test_large_reply_arrives_whole(endpoint: Endpoint) -> None:
    """Ten million characters are only slow."""
    endpoint.script(faults.long_text("x" * 10_000_000))
    assert len(post(endpoint, APPRAISE).reply["rationale"]) == 10_000_000


@pytest.mark.parametrize(
    ("share", "error"),
    [
        pytest.param(0.0, http.client.RemoteDisconnected, id="before"),
        pytest.param(0.7, http.client.IncompleteRead, id="in-the-middle"),
    ],
)
def test_connection_can_be_closed(endpoint: Endpoint, share: float, error: type[Exception]) -> None:
    """The client sees a connection that ends too early, and the next request works."""
    endpoint.script(Rule(faults.closed(share), first=1))
    with pytest.raises(error):
        post(endpoint, LABEL)
    assert post(endpoint, LABEL).status == 200


def test_delay_and_latency_add_up(endpoint: Endpoint) -> None:
    """A response waits for the endpoint's latency and for every delay that meets it."""
    endpoint.latency = 0.05
    endpoint.script(faults.delay(0.05), faults.delay(0.05))
    started = time.monotonic()
    post(endpoint, LABEL)
    assert time.monotonic() - started >= 0.15
    assert started <= endpoint.requests[0].arrived <= time.monotonic() - 0.15


def test_drip_sends_the_headers_at_once(endpoint: Endpoint) -> None:
    """The status is there at once, the body a byte at a time."""
    endpoint.script(faults.drip(0.02), Fault(completion=lambda _: {"a": 1}))
    connection = http.client.HTTPConnection(urlsplit(endpoint.url).netloc, timeout=10)
    connection.request("POST", "/v1/chat/completions", json.dumps(LABEL))
    response = connection.getresponse()
    started = time.monotonic()
    assert response.read() == b'{"a": 1}'
    assert time.monotonic() - started >= 0.1
    connection.close()


def test_stopping_drops_what_is_in_flight() -> None:
    """Leaving the block does not wait for slow responses."""
    with Endpoint(latency=60) as endpoint:
        errors: list[Exception] = []

        def client() -> None:
            try:
                post(endpoint, LABEL)
            except (ConnectionError, http.client.HTTPException) as error:
                errors.append(error)

        thread = threading.Thread(target=client)
        thread.start()
        while endpoint.max_in_flight == 0:
            time.sleep(0.01)
    thread.join(timeout=10)
    assert len(errors) == 1


def test_error_in_a_scripted_edit_reaches_the_test() -> None:
    """A mistake in an edit is raised where the endpoint is stopped, not taken for a fault of the line."""

    def use() -> None:
        with Endpoint() as endpoint:
            endpoint.script(Fault(text=lambda text: text[len(text)]))
            with pytest.raises(http.client.RemoteDisconnected):
                post(endpoint, LABEL)

    with pytest.raises(IndexError):
        use()


def test_own_replies_and_no_records() -> None:
    """A test may bring its own judge, and a benchmark may leave the records out."""
    seen: list[RequestKind | None] = []

    def reply(request: Any) -> Json | None:
        seen.append(request.kind)
        return well_behaved(request)

    with Endpoint(reply=reply, record=False) as endpoint:
        assert post(endpoint, APPRAISE).reply["mark"] == 2
        assert (endpoint.requests, endpoint.calls(), seen) == ([], 1, [RequestKind.APPRAISE])


def test_serves_128_connections_at_once(endpoint: Endpoint) -> None:
    """All requests are open at the same time, each on its own connection."""
    endpoint.latency = 0.5
    netloc = urlsplit(endpoint.url)
    content = json.dumps(APPRAISE).encode()
    head = f"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: {len(content)}\r\nConnection: close\r\n\r\n".encode()

    async def client() -> bytes:
        reader, writer = await asyncio.open_connection(netloc.hostname, netloc.port)
        writer.write(head + content)
        answer = await reader.read()
        writer.close()
        await writer.wait_closed()
        return answer

    async def clients() -> list[bytes]:
        return await asyncio.gather(*(client() for _ in range(128)))

    answers = asyncio.run(clients())
    assert {answer.split(b"\r\n")[0] for answer in answers} == {b"HTTP/1.1 200 OK"}
    assert (endpoint.max_in_flight, endpoint.connections, endpoint.calls(RequestKind.APPRAISE)) == (128, 128, 128)


def test_runs_as_a_process() -> None:
    """The command prints the base URL first and serves until it is ended."""
    root = Path(__file__).resolve().parent.parent
    with subprocess.Popen([sys.executable, "-m", "tests.endpoint", "--port", "0"], stdout=subprocess.PIPE, cwd=root, text=True) as process:
        try:
            assert process.stdout is not None
            netloc = urlsplit(process.stdout.readline().strip()).netloc
            connection = http.client.HTTPConnection(netloc, timeout=10)
            connection.request("POST", "/v1/chat/completions", json.dumps(APPRAISE))
            assert Response(connection.getresponse()).reply["mark"] == 2
            connection.close()
        finally:
            process.terminate()


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("mode", ["JSON_SCHEMA", "TOOLS", "MD_JSON"])
def test_real_clients_read_the_replies(endpoint: Endpoint, mode: str) -> None:
    """What litellm and instructor make of a well-behaved reply is the typed reply."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    import instructor
    import litellm

    async def ask(create: Callable[..., Any]) -> Any:
        try:
            return await create(
                model="openai/scripted",
                api_base=endpoint.url,
                api_key="none",
                messages=LABEL["messages"],
                response_model=TitledReply,
                temperature=0,
                timeout=30,
                num_retries=0,
                max_retries=0,
            )
        finally:
            await litellm.close_litellm_async_clients()  # type: ignore[attr-defined, no-untyped-call]

    client = instructor.from_litellm(litellm.acompletion, mode=instructor.Mode[mode])
    reply = asyncio.run(ask(client.chat.completions.create))
    assert [verdict.label for verdict in reply.verdicts] == ["supported", "contradicted", "contradicted", "not_addressed"]
    assert (endpoint.calls(RequestKind.LABEL), endpoint.headers[0]["authorization"]) == (1, "Bearer none")
