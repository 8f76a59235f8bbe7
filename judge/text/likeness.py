"""Names that a person takes for one another."""

import unicodedata

from judge.text.folding import compatible
from judge.text.normalise import visible

_LOOK_ALIKES = str.maketrans(
    # Cyrillic and Greek small letters, as they are after case folding, and the Latin ones they look like.
    "асеорхуіјѕһԁԛԝвкмнт" + "οακνρτυχιβεζηγ",
    "aceopxyijshdqwbkmht" + "oakvptuxibezny",
)


def skeleton(name: str) -> str:
    """Return a form that names share which look alike: NFKC, no case, nothing invisible, look-alike letters as Latin ones."""
    folded = compatible(compatible(visible(name)).casefold())
    shown = "".join(character for character in folded if unicodedata.category(character) not in ("Cc", "Cf"))
    return " ".join(shown.translate(_LOOK_ALIKES).split())
