"""The published definitions of the standard, a file per group. Data only; never edited once published."""
