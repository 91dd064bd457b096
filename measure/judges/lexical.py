"""The lexical floor: words in common between what is asked and what a tool says of itself. No model at all."""

import re
from collections.abc import Sequence

import bm25s

from measure.judges.fill import fill
from measure.judges.judge import Answer, Call, Judge, Message, ToolOffer
from measure.judges.turns import last_user_text

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_WORD = r"(?u)[^\W_]+"


def words(text: str) -> list[str]:
    """Split a text into lower-case words, with `addToCart` and `add_to_cart` in three; English stop words left out."""
    parted = _HUMP.sub(" ", text)
    tokens = bm25s.tokenize([parted], token_pattern=_WORD, stopwords="en", return_ids=False, show_progress=False)
    return [str(token) for token in tokens[0]]


class Lexical(Judge):
    """Calls the tool whose name and description score highest by BM25 (Lucene's variant, k1 = 1.5, b = 0.75).

    It calls nothing when no word is in common, and nothing more once it has a result. Equal scores go to the tool
    that is shown first. Arguments are what `fill` finds in the words.
    """

    name = "lexical:bm25"

    async def answer(self, messages: Sequence[Message], tools: Sequence[ToolOffer]) -> Answer:
        """Call the likeliest tool by its words."""
        text = last_user_text(messages)
        best = None if messages and messages[-1].role == "tool" else best_match(text, tools)
        calls = () if best is None else (Call(best.name, fill(text, best.input_schema)),)
        return Answer(calls=calls, text="", usage=None)


def best_match(text: str, tools: Sequence[ToolOffer]) -> ToolOffer | None:
    """Give the tool with the highest score; None when no word of any tool is in the text."""
    asked = words(text)
    corpus = [words(f"{tool.name} {tool.description}") for tool in tools]
    if not asked or not any(corpus):
        return None
    index = bm25s.BM25(method="lucene", k1=1.5, b=0.75)
    index.index(corpus, show_progress=False)
    known = [word for word in asked if word in index.vocab_dict]
    if not known:
        return None
    scores = index.get_scores(known)
    return tools[int(scores.argmax())]
