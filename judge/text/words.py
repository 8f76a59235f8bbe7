"""The content words of a text: what is left of it without function words, numbers and inflection."""

import re
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from judge.text.denials import plainly
from judge.text.figures import legible
from judge.text.folding import is_unspaced, script_bigrams
from judge.text.normalise import folded
from judge.text.numbers import read_quantities
from judge.text.quantities import Quantity
from judge.text.stems import stem, tokens

STOP_WORDS = frozenset(
    """
    a about above after again all also am an and any are as at be because been before being below between both but by can could did do does
    doing down during each either else ever few for from further had has have having he her here hers herself him himself his how i if in
    into is it its itself just may me might more most much must my myself neither no nor not now of off on once only onto or other our ours
    out over own per same shall she should since so some such than that the their theirs them themselves then there these they this those
    through to too under until up upon us very was we were what when where whether which while who whom whose why will with within without
    would yes yet you your yours
    ca wo sha n't 's 'm 'd 're 've 'll
    answer answers question statement called named known name according said says say
    one none never
    """.split()  # noqa: SIM905 - a paragraph reads better than two hundred quoted words
)
"""Words that tell nothing about the world: function words, and words about the exchange itself."""


_CODE = re.compile(r"[^\W\d_]{0,30}\d\w*(?:[./:,'^⁄][^\W_]+)*")
_LETTER = re.compile(r"(?<=[a-z]\s)[A-HJ-Z](?![\w'’&]|\.\s?\w)")


_VERSION = re.compile(r"\b(?:version|release)\s(\d+(?:\.\d+)+)")


class Content(NamedTuple):
    """What a text is about: the stems of its content words in order, and its quantities."""

    stems: tuple[str, ...]
    quantities: tuple[Quantity, ...]
    codes: frozenset[str] = frozenset()
    """What holds a digit and is no quantity (`v2.1.3`, `7/5`, `1990s`), and letters that stand for something (`platform B`)."""


@lru_cache(maxsize=8192)
def content(text: str) -> Content:
    """Return the content of a text; scripts without spaces between words give pairs of characters instead of stems."""
    reading = read_quantities(plainly(folded(legible(text))), loosely=True)
    stems: list[str] = []
    for word in tokens(reading.rest):
        for unspaced, run in groupby(word, is_unspaced):
            part = "".join(run)
            if unspaced:
                stems.extend(script_bigrams(part))
            elif part not in STOP_WORDS:
                stems.append(stem(part))
    codes = [*_CODE.findall(reading.rest), *_VERSION.findall(folded(text)), *map(folded, _LETTER.findall(text))]
    return Content(tuple(stems), reading.quantities, frozenset(codes))
