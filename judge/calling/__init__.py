"""HTTP calls to a judge model: how one is sent and what can go wrong with it, when it may go out, and how often."""
