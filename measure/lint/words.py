"""Words of names and of texts in any script.

Texts are segmented by Unicode's default word boundaries (UAX #29). Scripts that write no spaces have no default
boundaries between words; what is counted of them is said at `content_size`.
"""

import unicodedata
from functools import lru_cache

import regex
import snowballstemmer

from measure.lint.vocabulary import STOP_WORDS

_NAME_PARTS = regex.compile(r"\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lu}+|\p{Lo}+|\p{N}+")
_VERSION = regex.compile(r"(?<=[^\p{L}\p{N}]|^|\p{Ll})[vV]\p{N}+$")
_WORDS = regex.compile(r"(?w)\b(?=[\p{L}\p{N}])[\p{L}\p{N}\p{M}'\u2019_-]+?\b")
_HAN = regex.compile(r"\p{Han}")
_UNSPACED = regex.compile(r"[\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")
_KATAKANA = regex.compile(r"[\p{Katakana}ー]+")
_HIRAGANA = regex.compile(r"\p{Hiragana}")
_NO_SPACES = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")
_AROUND = "'\u2019-_"
_ENGLISH = regex.compile(r"[A-Za-z]+")

_STEMMER = snowballstemmer.stemmer("english")
_MAX_TEXT = 4_000
"""Characters of a text that are looked at: what tells two tools apart stands well before."""


def name_words(name: str) -> list[str]:
    """Split a tool's or property's name into lower-case words.

    camelCase, PascalCase, snake_case, kebab-case, dots, spaces and digits all separate; letters of scripts without
    case stay together. A version at the end is one word: `top.expenses.v2` is top, expenses, v2.
    """
    version = _VERSION.search(name)
    stem = name[: version.start()] if version else name
    words = [part.lower() for part in _NAME_PARTS.findall(stem)]
    return [*words, version[0].lower()] if version else words


def words(text: str) -> list[str]:
    """Segment a text into lower-case words; in Han, kana and Thai what UAX #29 makes of it, often one sign."""
    return [bare for word in _WORDS.findall(folded(text[:_MAX_TEXT])) if (bare := word.strip(_AROUND))]


def folded(text: str) -> str:
    """Lower-case and compatibility-composed, so that full-width and half-width forms are one."""
    return text.lower() if text.isascii() else unicodedata.normalize("NFKC", text).lower()


def content_words(text: str) -> list[str]:
    """The words that are no English function words; the possessive ending does not count."""
    return [
        word for word in (word.removesuffix("'s").removesuffix("\u2019s") for word in words(text)) if _content(word)
    ]


def _content(word: str) -> bool:
    return word not in STOP_WORDS and not _HIRAGANA.match(word)


def content_size(text: str) -> float:
    """How many content words a text has, over scripts.

    Words of scripts with spaces count one each, without English function words. Two Han characters count as one
    (most words of modern Chinese and of written Japanese are two characters), a run of katakana as one, hiragana,
    which carries grammar, as none, four letters of Thai, Lao, Khmer or Burmese as one.
    """
    if text.isascii():
        return len(content_words(text))
    shown = folded(text[:_MAX_TEXT])
    spaced = [word for word in content_words(text) if not _NO_SPACES.search(word)]
    han = len(_HAN.findall(shown))
    kana = len(_KATAKANA.findall(shown))
    only_hiragana = len(_HIRAGANA.findall(shown)) / 4 if not han and not kana else 0.0
    return len(spaced) + han / 2 + kana + len(_UNSPACED.findall(shown)) / 4 + only_hiragana


def written_with_spaces(text: str) -> bool:
    """Whether most letters of a text belong to scripts that separate words."""
    return text.isascii() or len(_NO_SPACES.findall(text[:_MAX_TEXT])) * 2 < sum(
        each.isalpha() for each in text[:_MAX_TEXT]
    )


def is_english(text: str) -> bool:
    """Whether a text can be English prose: function words of English, and no letters that English lacks.

    Two words or fewer are English when they are plain ASCII: no function word is to be expected.
    """
    found = words(text)
    if not found or not (text.isascii() or all(each.isascii() for each in text[:_MAX_TEXT] if each.isalpha())):
        return False
    return len(found) <= 2 or any(word in STOP_WORDS for word in found)


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """The English stem of a plain word (Snowball); any other word without its accents."""
    if _ENGLISH.fullmatch(word):
        stemmed: str = _STEMMER.stemWord(word)
        return stemmed
    return "".join(each for each in unicodedata.normalize("NFD", word) if not unicodedata.combining(each))
