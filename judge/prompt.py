"""Prompt and policy files: loaded, hashed, and rendered once, strictly."""

import string
import tomllib
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, assert_never

from judge.errors import PromptError, plain_cause
from judge.hashing import content_hash, request_sha256
from judge.schema.judgments import PromptIdentity
from judge.schema.labels import RequestKind
from judge.schema.record import Record
from judge.schema.requests import AppraiseRequest, DecomposeRequest, LabelRequest, Request, Statement
from judge.text.fence import boundary, fenced, on_one_line

PROMPTS = Path(__file__).resolve().parent.parent / "prompts"
"""Where the shipped prompt files lie, in a checkout and in an installed package alike."""

CURRENT = {RequestKind.DECOMPOSE: "v2", RequestKind.LABEL: "v1", RequestKind.APPRAISE: "v1"}
"""The shipped version of each prompt; older ones stay beside it, unchanged."""

POLICY_VERSION = "v1"
POLICIES = ("standard", "strict", "lenient")

_USER_VARIABLES = {
    RequestKind.DECOMPOSE: {"question", "ground_truth", "note"},
    RequestKind.LABEL: {"question", "statements", "answer", "asked", "note"},
    RequestKind.APPRAISE: {"question", "references", "sources", "answer", "note"},
}
_SYSTEM_VARIABLES: dict[RequestKind, set[str]] = {
    RequestKind.DECOMPOSE: set(),
    RequestKind.LABEL: {"policy"},
    RequestKind.APPRAISE: set(),
}


class Message(NamedTuple):
    """One chat message as sent."""

    role: str
    content: str


class Prompt(Record):
    """One prompt file. `system` and `user` are `string.Template` texts."""

    identity: PromptIdentity
    system: str
    user: str


class Policy(Record):
    """One label policy: how strictly a statement must be in an answer."""

    identity: PromptIdentity
    text: str


def load_prompt(kind: RequestKind, path: Path | None = None) -> Prompt:
    """Load a prompt, the shipped one unless a file is given.

    Raises PromptError if the file is missing, is not TOML, or uses other variables than this kind of request fills.
    """
    source = PROMPTS / kind / f"{CURRENT[kind]}.toml" if path is None else path
    fields = _read_toml(source, required={"system", "user"})
    system, user = fields["system"].strip(), fields["user"].strip()
    _check_variables(source, "system", system, _SYSTEM_VARIABLES[kind])
    _check_variables(source, "user", user, _USER_VARIABLES[kind])
    digest = content_hash(system, user)
    version = CURRENT[kind] if path is None else digest[:8]
    name = str(kind) if path is None else path.stem
    return Prompt(identity=PromptIdentity(name=name, version=version, sha256=digest), system=system, user=user)


def load_policy(name: str) -> Policy:
    """Load a label policy: `standard`, `strict`, `lenient`, or a file (TOML with `text`, else its whole text)."""
    if name in POLICIES:
        text = _read_toml(PROMPTS / "policy" / f"{name}-{POLICY_VERSION}.toml", required={"text"})["text"].strip()
        return Policy(identity=PromptIdentity(name=name, version=POLICY_VERSION, sha256=content_hash(text)), text=text)
    path = Path(name)
    if not path.is_file():
        raise PromptError(f"policy {name!r} is neither one of {', '.join(POLICIES)} nor a file")
    text = _read_toml(path, required={"text"})["text"] if path.suffix == ".toml" else _read_text(path)
    if not text.strip():
        raise PromptError(f"{path}: a policy must not be blank")
    digest = content_hash(text.strip())
    return Policy(identity=PromptIdentity(name=path.stem, version=digest[:8], sha256=digest), text=text.strip())


def render(prompt: Prompt, policy: Policy, request: Request, note: str = "") -> list[Message]:
    """Return the messages for a request: data fenced, variables filled in one pass, data never scanned again.

    `note` is our own sentence about a reply that could not be used; it never holds text of the model or of the data.
    """
    suffix = f" {note}" if note else ""
    match request:
        case DecomposeRequest():
            values = _decompose_values(request)
        case LabelRequest():
            values = _label_values(request)
        case AppraiseRequest():
            values = _appraise_values(request)
        case _:
            assert_never(request)
    user = string.Template(prompt.user).substitute(values, note=suffix)
    system = _system_text(prompt.system, policy.text if isinstance(request, LabelRequest) else None)
    return [Message("system", system), Message("user", user.strip())]


@lru_cache(maxsize=16)
def _system_text(system: str, policy: str | None) -> str:
    """Return the instructions, which are the same for every request of a run."""
    return string.Template(system).substitute({} if policy is None else {"policy": policy})


def _decompose_values(request: DecomposeRequest) -> dict[str, str]:
    digits = boundary(request_sha256(request), [request.question or "", request.ground_truth])
    return {
        "question": _optional("question", digits, request.question),
        "ground_truth": fenced("ground_truth", digits, request.ground_truth),
    }


def _label_values(request: LabelRequest) -> dict[str, str]:
    texts = [statement.text for statement in request.statements]
    digits = boundary(request_sha256(request), [request.question or "", request.answer, *texts])
    lines = "\n".join(f"{statement.id}: {on_one_line(statement.text)}" for statement in request.statements)
    wanted = [f"verdicts for {_shown_ids(request.statements)}"] if request.statements else []
    if request.ask_abstention:
        wanted.append("the abstention")
    return {
        "question": _optional("question", digits, request.question),
        "statements": fenced("statements", digits, lines),
        "answer": fenced("answer", digits, request.answer),
        "asked": " and ".join(wanted),
    }


def _shown_ids(statements: Sequence[Statement]) -> str:
    """Return `s1 to s10` for a whole chunk, which costs fewer tokens than a list, and a list for what is asked again."""
    ids = [statement.id for statement in statements]
    is_whole = len(ids) > 2 and ids == [f"s{number}" for number in range(1, len(ids) + 1)]
    return f"{ids[0]} to {ids[-1]}" if is_whole else ", ".join(ids)


def _appraise_values(request: AppraiseRequest) -> dict[str, str]:
    digits = boundary(request_sha256(request), [request.question or "", request.answer, *request.references, *request.sources])
    return {
        "question": _optional("question", digits, request.question),
        "references": _numbered("reference", digits, request.references),
        "sources": _numbered("source", digits, request.sources),
        "answer": fenced("answer", digits, request.answer),
    }


def _optional(name: str, digits: str, text: str | None) -> str:
    return "" if text is None else fenced(name, digits, text)


def _numbered(name: str, digits: str, texts: Sequence[str]) -> str:
    if len(texts) == 1:
        return fenced(name, digits, texts[0])
    return "\n".join(fenced(f"{name}{number}", digits, text) for number, text in enumerate(texts, start=1))


def _check_variables(source: Path, part: str, text: str, expected: set[str]) -> None:
    template = string.Template(text)
    if not template.is_valid():
        raise PromptError(f"{source}: a lone `$` in `{part}`; write `$$` for a dollar sign")
    if (found := set(template.get_identifiers())) != expected:
        raise PromptError(f"{source}: `{part}` must use exactly the variables {sorted(expected)}, found {sorted(found)}")


def _read_toml(path: Path, required: set[str]) -> dict[str, str]:
    try:
        fields = tomllib.loads(_read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise PromptError(f"{path}: not valid TOML: {error}") from error
    except RecursionError as error:
        raise PromptError(f"{path}: not valid TOML: nested too deeply") from error
    texts = {name: value for name, value in fields.items() if isinstance(value, str)}
    if missing := required - texts.keys():
        raise PromptError(f"{path}: needs the text keys {sorted(required)}, missing {sorted(missing)}")
    if unknown := fields.keys() - required - {"changes"}:
        raise PromptError(f"{path}: unknown keys {sorted(unknown)}, expected {sorted(required | {'changes'})}")
    return texts


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise PromptError(f"{path}: cannot be read as UTF-8 text: {plain_cause(error)}") from error
