"""Pure statistics: standard errors, intervals and what they need."""
