"""Numbers of things in words."""


def counted(number: int, noun: str) -> str:
    """Return `1 ground truth`, `2 ground truths`, `1,000 ground truths`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
