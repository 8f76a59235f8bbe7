"""A gate and whether it is met, in one form of words."""

from judge.schema.manifests import GateResult


def gate_words(gate: GateResult, *, why_null: str | None, statistic: str | None = None) -> str:
    """Return such as 'R_proposition (mean over items) >= 0.4: 0.452381 PASS'; without a value 'null (no_run_record) FAIL'."""
    name = gate.metric if statistic is None else f"{gate.metric} ({statistic})"
    bound = ">=" if gate.kind == "fail_under" else "<="
    value = f"null ({why_null})" if gate.value is None else f"{gate.value:.6g}"
    return f"{name} {bound} {gate.threshold:g}: {value} {'PASS' if gate.met else 'FAIL'}"
