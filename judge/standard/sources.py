"""Where definitions come from, by the names that people know these documents by."""

METHODOLOGY = "S0, the ScoreCrux page Tests & Methodology"
LEADERBOARD = "S4, the ScoreCrux page Community Leaderboard v1.5"
PACKAGE = "P1, METRICS.md of the public ScoreCrux package"
RECORDS = "P2, the published result records"
HARNESS = "P3, the public AuditCrux harness"
OURS = "this project's own definition"
