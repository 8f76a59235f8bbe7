"""docs/judge-quality.md, made from the public sets of human labels and the hand-written account of how the prompts were tried."""
