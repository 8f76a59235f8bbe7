"""Tokens and word stems; the only module that knows nltk."""

from functools import lru_cache
from typing import Protocol

from judge.text.verbs import PRESENT

_WORD = r"can(?=not\b)|n't\b|'(?:s|m|d|re|ve|ll)\b|[^\W_]+?(?=n't\b)|[^\W_]+"


class _Stemmer(Protocol):
    def stem(self, token: str) -> str: ...


class _Tokenizer(Protocol):
    def tokenize(self, text: str) -> list[str]: ...


@lru_cache(maxsize=1)
def _stemmer() -> _Stemmer:
    """Build the stemmer on first use: importing nltk takes a quarter of a second."""
    from nltk.stem.snowball import EnglishStemmer

    stemmer: _Stemmer = EnglishStemmer()
    return stemmer


@lru_cache(maxsize=1)
def _tokenizer() -> _Tokenizer:
    """Build the tokenizer on first use; one pattern in the manner of the Treebank is twenty times as fast as its thirty."""
    from nltk.tokenize import RegexpTokenizer

    tokenizer: _Tokenizer = RegexpTokenizer(_WORD)
    return tokenizer


def tokens(text: str) -> list[str]:
    """Return the words of a text in order, without marks; what is contracted comes apart.

    `don't` is `do` and `n't`, `cannot` is `can` and `not`, `Oda's` is `Oda` and `'s`.
    """
    return _tokenizer().tokenize(text)


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Return the English stem of a lower-case word, of an irregular past that of its present (`sold` is `sell`).

    Words with other than ASCII letters come back as they are.
    """
    return _stemmer().stem(PRESENT.get(word, word)) if word.isascii() and word.isalpha() else word
