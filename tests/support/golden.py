"""The example of METRICS.md: the fundamentals of one session, by symbol."""

GOLDEN: dict[str, float] = {
    "T_orient": 4.2,
    "T_task": 156.3,
    "T_human": 1800.0,
    "R_decision": 0.875,
    "R_constraint": 1.0,
    "R_incident": 1.0,
    "P_context": 0.72,
    "A_coverage": 0.0,
    "K_decision": 0.88,
    "S_gate": 1.0,
    "S_detect": 1.0,
    "S_stale": 1.0,
    "C_tokens": 0.024,
    "N_tools": 8.0,
    "N_turns": 14.0,
    "N_corrections": 0.0,
}
