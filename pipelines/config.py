"""All settings of a run: every default once, and where each value came from."""

import json
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, get_origin
from urllib.parse import urlsplit, urlunsplit

from pydantic import Field, JsonValue, TypeAdapter, ValidationError, field_validator

from judge.errors import ConfigError, plain_cause
from judge.schema.labels import Mode, PanelRule, RequestKind
from judge.schema.record import Record
from pipelines.address_variables import named_address

ENV_PREFIX = "JUDGE_"
CONFIG_FILE = "judge.toml"

BASELINE = "lexical"
"""The judge that speaks when none is configured: offline, no model."""

REPLAY_PREFIX = "replay:"
"""Begins the name of a judge that answers from a recorded run."""

Positive = Annotated[int, Field(ge=1)]
Share = Annotated[float, Field(ge=0, le=1)]
Finite = Annotated[float, Field(allow_inf_nan=False)]


class RunConfig(Record):
    """What a user can set. Names are those of the flags with `_` for `-`; unknown names are errors.

    `judge` None means that nothing was configured, and the offline baseline speaks. Several judges given as `judge` become a
    `panel`, and `judge` is the first of them, who splits ground truths. `panel_rule` None is the rule of a recorded panel that is
    replayed, else majority. Times are in seconds. `budget_usd` and
    `max_calls` bound what one command may spend; `max_chars` bounds the characters of data in one request.
    """

    judge: str | None = None
    panel: tuple[str, ...] = ()
    panel_rule: PanelRule | None = None
    api_base: str | None = None
    api_key_env: str | None = None
    out: Path | None = None
    overwrite: bool = False
    cache: Path | None = None
    no_cache: bool = False
    offline: bool = False
    max_connections: Annotated[int, Field(ge=1, le=1000)] = 16
    deadline: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 120.0
    budget_usd: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None
    max_calls: Annotated[int, Field(ge=0)] | None = None
    prices: Path | None = None
    max_chars: Annotated[int, Field(ge=1000)] = 300_000
    long_answers: Literal["refuse", "split"] = "refuse"
    allow_link_local: bool = False
    batch_size: Annotated[int, Field(ge=1, le=200)] = 25
    repeats: Annotated[int, Field(ge=1, le=99)] = 1
    temperature: Annotated[float, Field(ge=0, le=2)] = 0.0
    seed: int | None = None
    mode: Mode = Mode.AUTO
    limit: Positive | None = None
    no_mark: bool = False
    map: dict[str, str] = {}
    policy: str = "standard"
    prompt: dict[str, str] = {}
    propositions: Path | None = None
    locked: bool = False
    redecompose: bool = False
    run_record: Path | None = None
    calibration: Path | None = None
    null_policy: Literal["strict", "available"] = "strict"
    noise_half_credit: bool = False
    min_coverage: Share = 0.95
    fail_under: dict[str, Finite] = {}
    fail_over: dict[str, Finite] = {}
    quiet: bool = False
    json_output: Annotated[bool, Field(alias="json")] = False

    @field_validator("judge")
    @classmethod
    def _plain_name(cls, judge: str | None) -> str | None:
        return None if judge is None else judge.strip()

    @field_validator("prompt")
    @classmethod
    def _known_prompts(cls, prompts: dict[str, str]) -> dict[str, str]:
        if unknown := prompts.keys() - set(RequestKind):
            raise ValueError(f"no prompt is named {', '.join(sorted(unknown))}; there are {', '.join(RequestKind)}")
        return prompts

    @field_validator("run_record", "prices", "calibration")
    @classmethod
    def _no_empty_path(cls, path: Path | None) -> Path | None:
        # Read as a path, nothing is the current folder, and the message would name that.
        if path == Path():
            raise ValueError("expected a file, got an empty path or the current folder")
        return path

    @property
    def asks_a_model(self) -> bool:
        """Whether a judge is a model behind an endpoint."""
        return any(spec != BASELINE and not spec.startswith(REPLAY_PREFIX) for spec in self.judges)

    @property
    def judges(self) -> tuple[str, ...]:
        """The judges to ask: those of the panel, else the one that was named, else the baseline."""
        return self.panel or (self.judge or BASELINE,)

    @property
    def has_gate(self) -> bool:
        """Whether a metric decides the exit code."""
        return bool(self.fail_under or self.fail_over)

    def shown(self) -> dict[str, JsonValue]:
        """Return the settings as JSON, under the names that users write; an address without what may be secret in it."""
        shown = self.model_dump(mode="json", by_alias=True)
        if self.api_base is not None:
            parts = urlsplit(self.api_base)
            shown["api_base"] = urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
        return shown


class Resolved(NamedTuple):
    """The settings, and for each one set by the user where it was set."""

    config: RunConfig
    sources: dict[str, str]


def load_config(
    flags: Mapping[str, Any],
    *,
    file: Path | None = None,
    env: Mapping[str, str] | None = None,
    folder: Path | None = None,
    are_arguments: bool = False,
) -> Resolved:
    """Join flags, `JUDGE_*` variables, and `judge.toml` or `[tool.judge]` of `pyproject.toml`, in this order of weight.

    Where none of them names an address, a variable of the judge model's provider counts, such as OPENAI_BASE_URL.

    `are_arguments` says that the flags are those of a Python call, and are named so in messages and manifest.

    Raises ConfigError naming the setting, what was found, what is expected, and where it was set.
    """
    found, where = _file_settings(file, Path.cwd() if folder is None else folder)
    sources = dict.fromkeys(found, where)
    values: dict[str, Any] = dict(found)
    environ = os.environ if env is None else env
    for name, text in environ.items():
        if name.startswith(ENV_PREFIX):
            key = name.removeprefix(ENV_PREFIX).lower()
            values[key], sources[key] = _env_value(key, text), f"environment variable {name}"
    for name, value in flags.items():
        values[name], sources[name] = value, f"argument {name}" if are_arguments else f"--{name.replace('_', '-')}"
    config = _validated(_with_panel(values, sources), sources)
    _check_rule(config, sources)
    # The judges of a panel may be of several providers, whose addresses are looked up one by one.
    named = named_address(str(config.judge).strip(), environ) if config.asks_a_model and not config.panel else None
    if config.api_base is None and named is not None:
        sources["api_base"] = f"environment variable {named.variable}"
        config = config.model_copy(update={"api_base": named.address})
    return Resolved(config, sources)


def parse_pairs(pairs: list[str], flag: str) -> dict[str, str]:
    """Return `NAME=VALUE` texts as a mapping. Raises ConfigError for a text without `=` or a name given twice."""
    found: dict[str, str] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name or not value:
            raise ConfigError(f"{flag} takes NAME=VALUE, got {pair!r}")
        if name in found:
            raise ConfigError(f"{flag} {name} is given twice")
        found[name] = value
    return found


def _with_panel(values: dict[str, Any], sources: dict[str, str]) -> dict[str, Any]:
    """Return the settings with several judges told apart from one. Raises ConfigError for a judge that is named twice."""
    judges = values.get("judge")
    if "panel" in values:
        raise ConfigError(f"`panel` ({sources['panel']}) is no setting: name several judges as `judge`, and they are a panel")
    if not isinstance(judges, list | tuple):
        return values
    names = [name.strip() if isinstance(name, str) else name for name in judges]
    if not names or "" in names:
        raise ConfigError(f"judge ({sources['judge']}): expected the names of judges, found {judges!r}")
    if repeated := sorted({str(name) for name in names if names.count(name) > 1}):
        found = f"judge ({sources['judge']}): {', '.join(repeated)} is named several times"
        raise ConfigError(f"{found}; a panel asks each judge once, and --repeats asks it again")
    if len(names) < 2:
        return {**values, "judge": names[0]}
    sources["panel"] = sources["judge"]
    return {**values, "judge": names[0], "panel": tuple(names)}


def _check_rule(config: RunConfig, sources: dict[str, str]) -> None:
    """Raise ConfigError for a rule that was asked for now and would do nothing; a settings file may hold one for other runs."""
    where = sources.get("panel_rule", "")
    is_asked_for = where.startswith(("--", "argument "))
    if is_asked_for and not config.panel and not config.judges[0].startswith(REPLAY_PREFIX):
        raise ConfigError(f"panel_rule ({where}) is about several judges, and one is named: {config.judges[0]}; repeat --judge for a panel")


def _validated(values: dict[str, Any], sources: dict[str, str]) -> RunConfig:
    known = {field.alias or name for name, field in RunConfig.model_fields.items()}
    if unknown := sorted(values.keys() - known):
        shown = "; ".join(f"{name!r} ({sources[name]})" for name in unknown)
        raise ConfigError(f"unknown setting {shown}. Known are: {', '.join(sorted(known))}")
    try:
        return RunConfig.model_validate(values)
    except ValidationError as error:
        lines = []
        for fault in error.errors(include_url=False):
            name = str(fault["loc"][0])
            place = ".".join(str(part) for part in fault["loc"])
            lines.append(f"{place} ({sources.get(name, 'default')}): {fault['msg']}, found {fault['input']!r}")
        raise ConfigError("\n".join(lines)) from error
    except UnicodeEncodeError as error:
        raise ConfigError(f"a setting holds half of a character, which no file can hold: {error.object!r}") from error


def _env_value(key: str, text: str) -> Any:
    """Return a variable's text as the setting's type wants it; mappings are JSON or `NAME=VALUE,NAME=VALUE`, several judges a JSON list."""
    if key == "judge" and text.lstrip().startswith("["):
        return _env_json(list[Any], key, text)
    field = RunConfig.model_fields.get(key)
    if field is None or get_origin(field.annotation) is not dict:
        return text
    if text.lstrip().startswith("{"):
        return _env_json(dict[str, Any], key, text)
    return parse_pairs([part.strip() for part in text.split(",") if part.strip()], f"environment variable {ENV_PREFIX}{key.upper()}")


def _env_json(kind: Any, key: str, text: str) -> Any:
    try:
        return TypeAdapter(kind).validate_python(json.loads(text))
    except (ValueError, RecursionError) as error:
        what = "object" if text.lstrip().startswith("{") else "list"
        raise ConfigError(f"environment variable {ENV_PREFIX}{key.upper()}: not a JSON {what}: {error}") from error


def _file_settings(file: Path | None, folder: Path) -> tuple[dict[str, Any], str]:
    if file is not None:
        return _named_as_settings(_read_toml(file)), str(file)
    if (own := folder / CONFIG_FILE).is_file():
        return _named_as_settings(_read_toml(own)), CONFIG_FILE
    if (project := folder / "pyproject.toml").is_file():
        return _named_as_settings(_own_table(_read_toml(project))), "pyproject.toml [tool.judge]"
    return {}, ""


def _own_table(project: dict[str, Any]) -> dict[str, Any]:
    """Return `[tool.judge]` of a project file; empty if it has none. Raises ConfigError where a value stands in its place."""
    found: Any = project
    for name in ("tool", "judge"):
        found = found.get(name, {})
        if not isinstance(found, dict):
            raise ConfigError(f"pyproject.toml: `{name}` is {found!r}, expected the table [tool.judge]")
    return dict(found)


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"the settings file {path} cannot be read: {plain_cause(error)}") from error
    except RecursionError as error:
        raise ConfigError(f"the settings file {path} cannot be read: it is nested too deeply") from error


def _named_as_settings(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields under the names of settings; files may write them as the flags are written."""
    return {name.replace("-", "_"): value for name, value in fields.items()}
