import json

from hypothesis import given
from hypothesis import strategies as st

from mymcp.plugins.mnemosyne.memory.folding import tag_key
from mymcp.plugins.mnemosyne.memory.records import LegacyRecord, parse
from mymcp.plugins.mnemosyne.memory.stems import stem_keys
from mymcp.plugins.mnemosyne.memory.terms import CONTENT, LABEL, TITLE, terms_of
from mymcp.plugins.mnemosyne.memory.words import keys_of
from tests.plugins.mnemosyne.memory.texts import mixed
from tests.plugins.mnemosyne.tree import canonical


@given(mixed, st.none() | mixed, st.lists(mixed, max_size=3), st.lists(mixed, max_size=2))
def test_a_key_is_found_in_all_places_where_it_stands(
    content: str, title: str | None, tags: list[str], folders: list[str]
) -> None:
    terms = terms_of(LegacyRecord("x", title, content, tuple(tags)), tuple(folders))
    places: dict[str, int] = {}
    texts = [(TITLE, title or ""), (CONTENT, content)]
    texts += [(LABEL, text) for text in (*tags, *folders)]
    for place, text in texts:
        keys, words = keys_of(text)
        for key in keys | stem_keys(words, "en"):
            places[key] = places.get(key, 0) | place
    assert terms.places == places
    assert terms.tags == {tag_key(tag) for tag in tags}


def test_words_are_read_in_the_language_of_the_record() -> None:
    record = parse(json.dumps(canonical(language="de-at", content="Verträge", tags=[])).encode())
    terms = terms_of(record, ())
    assert terms.language == "de"
    assert terms.places == dict.fromkeys({"vertrage"} | stem_keys(["verträge"], "de"), CONTENT)


def test_terms_of_different_records_share_their_keys() -> None:
    one, other = (
        terms_of(LegacyRecord(name, None, f"Caching {name}!", ("Fast Path",)), ("atlas",))
        for name in ("a1", "b2")
    )
    keys = [*one.places, *other.places, *one.tags, *other.tags]
    assert len({id(key) for key in keys}) == len(set(keys))
    assert "fast path" in one.tags & other.tags
