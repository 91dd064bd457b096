"""Whether a description says when to use its tool: cues of some languages; of any other language nothing is said."""

import regex

from measure.lint.words import is_english

_FLAGS = regex.IGNORECASE | regex.WORD

_ENGLISH = regex.compile(
    r"\b(?:when|whenever|if|before|after|once|unless|first|instead|rather than|only|until|during|in order to|so that"
    r"|use (?:this|it|for|to|the|as)|call (?:this|it)|useful|needed|required|answers?|for questions?"
    r"|to (?:learn|find out|see|check|know|decide|identify|help|show|let)|allows?|lets?|helps?|enables?)\b",
    _FLAGS,
)
_OTHERS = (
    # (what marks the language, what says when)
    (
        regex.compile(r"[\p{Hiragana}\p{Katakana}]"),
        regex.compile(r"とき|時に|時は|場合|際に|際は|ために|前に|後に|使用|使い|まず|たい"),
    ),
    (regex.compile(r"\p{Hangul}"), regex.compile(r"때|경우|위해|위한|전에|후에|먼저|사용")),
    (
        regex.compile(r"\p{Han}"),
        regex.compile(r"当|當|时|時|如果|若|用于|用於|以便|之前|之后|之後|首先|需要|适用|適用|使用"),
    ),
    (
        regex.compile(r"\p{Cyrillic}"),
        regex.compile(r"\b(?:когда|если|чтобы|перед|после|для того|используйте)\b", _FLAGS),
    ),
    (
        regex.compile(r"\b(?:der|die|das|und|eine?[mnrs]?|den|dem|mit)\b", _FLAGS),
        regex.compile(r"\b(?:wenn|falls|sobald|bevor|nachdem|um|damit|zuerst|nur|verwenden|nutzen|vor|nach)\b", _FLAGS),
    ),
    (
        regex.compile(r"\b(?:le|la|les|des|une?|du|et|dans)\b", _FLAGS),
        regex.compile(
            r"\b(?:quand|lorsque?|si|pour|avant|après|afin|d'abord|seulement|utilise[rz]?|à utiliser)\b", _FLAGS
        ),
    ),
    (
        regex.compile(r"\b(?:el|la|los|las|una?|del|y|o|os|as|uma?|do|da|e)\b", _FLAGS),
        regex.compile(r"\b(?:cuando|quando|si|se|para|antes|después|depois|sólo|só|use|usar|úsalo)\b", _FLAGS),
    ),
)


def says_when(text: str) -> bool | None:
    """Whether a text says when to use the tool; None when its language is not one of those whose cues are known."""
    if is_english(text):
        return _ENGLISH.search(text) is not None
    for marks, cues in _OTHERS:
        if marks.search(text):
            return cues.search(text) is not None
    return None
