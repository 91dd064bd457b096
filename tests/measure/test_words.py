import pytest

from measure.lint.words import content_size, is_english, name_words, words


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("addToCart", ["add", "to", "cart"]),
        ("add_to_cart", ["add", "to", "cart"]),
        ("add-to-cart", ["add", "to", "cart"]),
        ("AddToCart", ["add", "to", "cart"]),
        ("ADD_TO_CART", ["add", "to", "cart"]),
        ("getHTMLPage", ["get", "html", "page"]),
        ("parseURL", ["parse", "url"]),
        ("openDoor1", ["open", "door", "1"]),
        ("top.expenses.v2", ["top", "expenses", "v2"]),
        ("Clear Highlights", ["clear", "highlights"]),
        ("在庫確認", ["在庫確認"]),
        ("", []),
        ("___", []),
    ],
)
def test_names_fall_into_words(name, parts):
    assert name_words(name) == parts


def test_texts_fall_into_words_without_case_and_marks():
    assert words("Adds ONE item, the user's own.") == ["adds", "one", "item", "the", "user's", "own"]


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("Utility.", 1),
        ("Checks the stock of a product in all stores.", 4),  # checks stock product stores
        ("在庫確認", 2),  # two words of two characters
        ("商品を検索します。", 2),  # the particles and endings carry no content
        ("カートに追加", 2),  # one run of katakana, one word of two Han characters
        ("Überprüft den Bestand", 3),  # function words are known for English only
        ("", 0),
        ("!?", 0),
    ],
)
def test_the_content_of_a_text_is_counted_by_script(text, size):
    assert content_size(text) == size


def test_a_japanese_sentence_is_not_thin_for_having_few_characters():
    sentence = "商品番号から在庫数を調べます。"
    assert len(sentence) < 20
    assert content_size(sentence) > 3


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("Finds the cheapest flight.", True),
        ("Utility.", True),
        ("Recherche un vol par date", False),
        ("Sucht Flüge nach Datum", False),
        ("商品を検索します", False),
        ("", False),
    ],
)
def test_english_is_told_by_its_function_words(text, english):
    assert is_english(text) is english
