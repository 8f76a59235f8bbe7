"""Environment variables by which a provider's address is set: litellm would use them unasked, so they are settings here."""

from collections.abc import Mapping
from typing import NamedTuple

from judge.errors import ConfigError

_NAMES = {
    "ai21_chat": ("AI21_API_BASE",),
    "anthropic": ("ANTHROPIC_API_BASE", "ANTHROPIC_BASE_URL"),
    "anthropic_text": ("ANTHROPIC_API_BASE", "ANTHROPIC_BASE_URL"),
    "azure_text": ("AZURE_API_BASE",),
    "bedrock": ("AWS_BEDROCK_RUNTIME_ENDPOINT",),
    "cohere_chat": ("COHERE_API_BASE",),
    "custom_openai": ("OPENAI_BASE_URL", "OPENAI_API_BASE"),
    "datarobot": ("DATAROBOT_ENDPOINT",),
    "fireworks_ai": ("FIREWORKS_API_BASE",),
    "friendliai": ("FRIENDLI_API_BASE",),
    "gradient_ai": ("GRADIENT_AI_AGENT_ENDPOINT",),
    "huggingface": ("HF_API_BASE", "HUGGINGFACE_API_BASE"),
    "lambda_ai": ("LAMBDA_API_BASE",),
    "meta_llama": ("LLAMA_API_BASE",),
    "mistral": ("MISTRAL_AZURE_API_BASE", "MISTRAL_API_BASE"),
    "ollama_chat": ("OLLAMA_API_BASE",),
    "openai": ("OPENAI_BASE_URL", "OPENAI_API_BASE"),
    "scx-ai": ("SCX_API_BASE",),
    "tensormesh": ("TENSORMESH_SERVERLESS_BASE_URL",),
    "text-completion-openai": ("OPENAI_BASE_URL", "OPENAI_API_BASE"),
    "vertex_ai": ("VERTEXAI_API_BASE", "VERTEX_API_BASE"),
    "vertex_ai_beta": ("VERTEXAI_API_BASE", "VERTEX_API_BASE"),
    "watsonx": ("WATSONX_API_BASE", "WATSONX_URL", "WX_URL", "WML_URL"),
}
"""For each provider the names in the order in which litellm reads them; any other provider's is `<PROVIDER>_API_BASE`."""

_BARE = (("claude", "anthropic"), ("gemini", "vertex_ai"))
"""Whom a model name without a provider means, by its beginning; anything else is OpenAI's."""

_PROXY_SWITCH = "USE_LITELLM_PROXY"


class NamedAddress(NamedTuple):
    """An address, and the environment variable that holds it."""

    variable: str
    address: str


def provider_of(model: str) -> str:
    """Return the provider in a litellm model name."""
    provider, slash, _ = model.partition("/")
    return provider if slash else next((name for start, name in _BARE if model.startswith(start)), "openai")


def key_variable(model: str) -> str:
    """Return the environment variable that holds the key of a model's provider."""
    return f"{provider_of(model).upper().replace('-', '_')}_API_KEY"


def named_address(model: str, environ: Mapping[str, str]) -> NamedAddress | None:
    """Return the address that the environment sets for a model's provider, or None.

    Raises ConfigError for the switch that sends the calls of every provider to another host.
    """
    if environ.get(_PROXY_SWITCH, "").lower() in ("true", "1", "yes"):
        raise ConfigError(
            f"the environment variable {_PROXY_SWITCH} would send the calls of every provider to a proxy: unset it, "
            "and name the proxy with --judge litellm_proxy/MODEL"
        )
    provider = provider_of(model)
    default = (f"{provider.upper().replace('-', '_')}_API_BASE",)
    found = ((name, environ.get(name, "").strip()) for name in _NAMES.get(provider, default))
    return next((NamedAddress(name, address) for name, address in found if address), None)
