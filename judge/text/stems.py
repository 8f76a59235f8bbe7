"""Word stems; the only module that knows nltk."""

from functools import lru_cache
from typing import Protocol


class _Stemmer(Protocol):
    def stem(self, token: str) -> str: ...


@lru_cache(maxsize=1)
def _stemmer() -> _Stemmer:
    """Build the stemmer on first use: importing nltk takes a quarter of a second."""
    from nltk.stem.snowball import EnglishStemmer

    stemmer: _Stemmer = EnglishStemmer()
    return stemmer


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Return the English stem of a lower-case word; words with other than ASCII letters come back as they are."""
    return _stemmer().stem(word) if word.isascii() and word.isalpha() else word
