"""Pure parts of auditing a judge: from verdicts to figures of trust."""
