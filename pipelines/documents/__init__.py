"""JSON files of users and of runs: read strictly, checked against a record, every fault told at once with its place."""
