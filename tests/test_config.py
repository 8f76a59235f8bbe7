"""Where settings come from, which one counts, and what is said of a wrong one."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.errors import ConfigError
from judge.schema.labels import Mode
from pipelines.config import Resolved, RunConfig, load_config, parse_pairs


def load(
    flags: Mapping[str, Any] = {}, *, env: Mapping[str, str] = {}, folder: Path = Path("/nowhere"), file: Path | None = None
) -> Resolved:
    return load_config(flags, env=env, folder=folder, file=file)


def test_nothing_set_gives_the_defaults() -> None:
    """The documented defaults, and no judge at all."""
    config, sources = load()
    assert (config.judge, config.max_connections, config.deadline, config.batch_size, config.repeats) == (None, 16, 120.0, 25, 1)
    assert (config.temperature, config.min_coverage, config.policy, config.null_policy, config.mode) == (
        0.0,
        0.95,
        "standard",
        "strict",
        Mode.AUTO,
    )
    assert sources == {}


def test_flags_beat_variables_beat_the_file(tmp_path: Path) -> None:
    """Each setting is taken from the strongest place that has it, and says which that was."""
    (tmp_path / "judge.toml").write_text('judge = "file"\nseed = 1\nrepeats = 3\nmax-connections = 4\n')
    config, sources = load({"judge": "flag"}, env={"JUDGE_JUDGE": "env", "JUDGE_SEED": "2", "HOME": "/root"}, folder=tmp_path)
    assert (config.judge, config.seed, config.repeats, config.max_connections) == ("flag", 2, 3, 4)
    assert sources == {
        "judge": "--judge",
        "seed": "environment variable JUDGE_SEED",
        "repeats": "judge.toml",
        "max_connections": "judge.toml",
    }


def test_the_project_file_counts_where_there_is_no_judge_toml(tmp_path: Path) -> None:
    """`[tool.judge]` is read, other tables are not; judge.toml beside it wins as a whole."""
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "x"\n[tool.judge]\nseed = 5\nbatch-size = 7\n[tool.other]\nwhat = 1\n')
    found = load(folder=tmp_path)
    assert (found.config.seed, found.config.batch_size) == (5, 7)
    assert found.sources["batch_size"] == "pyproject.toml [tool.judge]"
    (tmp_path / "judge.toml").write_text("seed = 6\n")
    assert (load(folder=tmp_path).config.seed, load(folder=tmp_path).config.batch_size) == (6, 25)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("tool = 3", "`tool` is 3, expected the table"),
        ("[tool]\njudge = 'x'", "`judge` is 'x', expected the table"),
        ("[[tool.judge]]\nseed = 1", "`judge` is .*, expected the table"),
        ("x = " + "[" * 100_000, "nested too deeply|not valid|cannot be read"),
    ],
)
def test_a_project_file_of_another_shape_is_refused(tmp_path: Path, text: str, said: str) -> None:
    """What stands in the place of the table is named; a file cannot exhaust its reader."""
    (tmp_path / "pyproject.toml").write_text(text)
    with pytest.raises(ConfigError, match=said):
        load(folder=tmp_path)


@pytest.mark.parametrize("name", ["JUDGE_PROMPT", "JUDGE_FAIL_UNDER"])
@pytest.mark.parametrize("text", ['{"\\ud800": "x"}', '{"\udc80": "x"}', "{" + '"a":{' * 100_000], ids=["escaped", "raw", "deep"])
def test_a_variable_that_no_file_can_hold_is_refused(tmp_path: Path, name: str, text: str) -> None:
    """Half a character or endless nesting is an error of the settings like any other."""
    with pytest.raises(ConfigError):
        load(env={name: text}, folder=tmp_path)


def test_a_named_file_stands_for_both(tmp_path: Path) -> None:
    """--config reads that file and no other."""
    (tmp_path / "judge.toml").write_text("seed = 1\n")
    (tmp_path / "own.toml").write_text("[map]\nanswer = 'reply'\n[fail-under]\nR_proposition = 0.5\n")
    config = load(folder=tmp_path, file=tmp_path / "own.toml").config
    assert (config.seed, config.map, config.fail_under) == (None, {"answer": "reply"}, {"R_proposition": 0.5})


def test_variables_hold_mappings_as_pairs_or_json() -> None:
    """`NAME=VALUE,NAME=VALUE` and a JSON object say the same."""
    pairs = load(env={"JUDGE_FAIL_UNDER": "R_judge=0.5, R_proposition=0.25"}).config
    objects = load(env={"JUDGE_FAIL_UNDER": '{"R_judge": 0.5, "R_proposition": 0.25}'}).config
    assert pairs.fail_under == objects.fail_under == {"R_judge": 0.5, "R_proposition": 0.25}


@pytest.mark.parametrize(
    ("flags", "env", "expected"),
    [
        pytest.param({"wat": 1}, {}, r"unknown setting 'wat' \(--wat\)", id="unknown-flag"),
        pytest.param(
            {}, {"JUDGE_MAX_CONECTIONS": "4"}, "'max_conections' .environment variable JUDGE_MAX_CONECTIONS", id="unknown-variable"
        ),
        pytest.param({"max_connections": "0"}, {}, "max_connections .--max-connections.: .* found '0'", id="too-small"),
        pytest.param(
            {}, {"JUDGE_TEMPERATURE": "hot"}, "temperature .environment variable JUDGE_TEMPERATURE.: .* found 'hot'", id="no-number"
        ),
        pytest.param({"min_coverage": "1.5"}, {}, "min_coverage", id="no-share"),
        pytest.param({"fail_under": {"R_judge": "nan"}}, {}, "fail_under", id="gate-not-a-number"),
        pytest.param({"deadline": "inf"}, {}, "deadline", id="no-deadline"),
        pytest.param({"mode": "xml"}, {}, "mode", id="mode"),
        pytest.param({"null_policy": "loose"}, {}, "null_policy", id="null-policy"),
        pytest.param(
            {"prompt": {"verdict": "x.toml"}}, {}, "no prompt is named verdict; there are decompose, label, appraise", id="prompt"
        ),
        pytest.param({}, {"JUDGE_MAP": "answer"}, "environment variable JUDGE_MAP takes NAME=VALUE, got 'answer'", id="pair"),
        pytest.param({}, {"JUDGE_MAP": "{broken"}, "JUDGE_MAP: not a JSON object", id="json"),
        pytest.param({"run_record": ""}, {}, "run_record .--run-record.: .*expected a file, got an empty path.*found ''", id="empty-path"),
        pytest.param(
            {}, {"JUDGE_RUN_RECORD": ""}, "run_record .environment variable JUDGE_RUN_RECORD.: .*an empty path", id="empty-path-variable"
        ),
        pytest.param({}, {"JUDGE_JSON_OUTPUT": "1"}, "'json_output'", id="internal-name"),
    ],
)
def test_a_wrong_setting_is_named_with_its_place(flags: dict[str, Any], env: dict[str, str], expected: str) -> None:
    """The message says which setting, where it was set, and what was found."""
    with pytest.raises(ConfigError, match=expected):
        load(flags, env=env)


def test_all_wrong_settings_are_named_at_once() -> None:
    """One line per fault."""
    with pytest.raises(ConfigError) as caught:
        load({"repeats": 0, "batch_size": 0})
    assert len(str(caught.value).splitlines()) == 2


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        pytest.param("seed = ", "cannot be read", id="not-toml"),
        pytest.param("sed = 1", r"unknown setting 'sed' \(judge\.toml\)", id="unknown"),
        pytest.param("seed = 'x'", r"seed \(judge\.toml\)", id="type"),
    ],
)
def test_a_wrong_settings_file_is_named(tmp_path: Path, content: str, expected: str) -> None:
    """A file that is no TOML, or holds what is no setting, stops the run."""
    (tmp_path / "judge.toml").write_text(content)
    with pytest.raises(ConfigError, match=expected):
        load(folder=tmp_path)


def test_a_missing_settings_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"the settings file .*none\.toml cannot be read"):
        load(file=tmp_path / "none.toml")


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        pytest.param(["a"], "takes NAME=VALUE, got 'a'", id="no-equals"),
        pytest.param(["=a"], "takes NAME=VALUE", id="no-name"),
        pytest.param(["a="], "takes NAME=VALUE", id="no-value"),
        pytest.param(["a=1", "a=2"], "a is given twice", id="twice"),
    ],
)
def test_malformed_pairs_are_refused(pairs: list[str], expected: str) -> None:
    with pytest.raises(ConfigError, match=expected):
        parse_pairs(pairs, "--map")


_NAME = st.text(st.characters(exclude_characters="="), min_size=1)


@given(pairs=st.dictionaries(_NAME, st.text(min_size=1)))
def test_pairs_are_read_back_whatever_they_hold(pairs: dict[str, str]) -> None:
    """Only the first equals sign separates."""
    assert parse_pairs([f"{name}={value}" for name, value in pairs.items()], "--map") == pairs


@given(
    seed=st.none() | st.integers(),
    deadline=st.floats(0.001, 1e6),
    gates=st.dictionaries(st.text(), st.floats(allow_nan=False, allow_infinity=False)),
)
def test_settings_survive_the_manifest(seed: int | None, deadline: float, gates: dict[str, float]) -> None:
    """What a manifest shows can be read back as the same settings."""
    config = RunConfig(seed=seed, deadline=deadline, fail_over=gates)
    assert RunConfig.model_validate(json.loads(json.dumps(config.shown()))) == config


def test_an_address_is_shown_without_secrets() -> None:
    """A user name, a password or a key in the address stays out of the manifest."""
    config = load_config({"api_base": "https://me:secret@host:8443/v1?key=secret"}, env={}, folder=Path("nowhere")).config
    assert config.shown()["api_base"] == "https://host:8443/v1"
