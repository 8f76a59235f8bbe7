"""Where texts and keys are sent: only to the address that the operator named."""

import pytest

from judge.schema.labels import UnjudgedReason
from judge.schema.outcomes import Unjudged
from tests.endpoint.signpost import Signpost
from tests.support.asking import label_request, model_judge

# Redirects.


@pytest.mark.filterwarnings("ignore::UserWarning")  # pydantic, on types of litellm's
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize(
    "model",
    [
        "openai/scripted",
        "hosted_vllm/scripted",
        "ollama/scripted",
        "ollama_chat/scripted",
        "anthropic/scripted",
        "mistral/scripted",
        "deepseek/x",
        "gemini/x",
        "azure/x",
    ],
)
async def test_no_redirect_is_followed_whichever_client_sends(model: str, status: int) -> None:
    """litellm reaches providers by different clients; none carries a text or a key to the host it is pointed to."""
    with Signpost() as elsewhere, Signpost(status, {"Location": f"{elsewhere.url}/v1/chat/completions?key=secret-canary"}) as post:
        async with model_judge(post.url, model=model, api_key="secret-canary") as judge:
            judgment = await judge.judge(label_request())
        assert isinstance(judgment.content, Unjudged), judgment
        assert judgment.content.reason is UnjudgedReason.BAD_REQUEST, judgment.content.detail
        assert f"redirects to {elsewhere.url}/v1/chat/completions;" in judgment.content.detail
        assert (len(post.received), len(elsewhere.received)) == (1, 0)


@pytest.mark.parametrize(
    "location",
    ["/v1/elsewhere", "//elsewhere.invalid/v1", "http://elsewhere.invalid:bad/", "file:///etc/passwd", "http://user:pass@x.invalid/"],
)
@pytest.mark.parametrize("model", ["openai/scripted", "anthropic/scripted"])
async def test_no_redirect_costs_a_second_call(model: str, location: str) -> None:
    """A redirect on the same host, to another scheme or to no address at all ends the call as well."""
    with Signpost(307, {"Location": location}) as post:
        async with model_judge(post.url, model=model) as judge:
            judgment = await judge.judge(label_request())
        assert isinstance(judgment.content, Unjudged)
        assert judgment.content.reason is UnjudgedReason.BAD_REQUEST, judgment.content.detail
        assert "pass@" not in judgment.content.detail
        assert (len(post.received), judgment.attempts) == (1, 1)
