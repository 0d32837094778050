"""Texts of many scripts for hypothesis. Words and letters are few, so that some come again."""

from hypothesis import strategies as st

_LETTERS = st.sampled_from(
    "aeos TR4é\u0301\u0338ßıřłАяΣςאَबिक्เทีข\u3099がカ한\u1100東設々ﬁＡ²½\ud800\u200b\u0640"
    "-_./:='、。…“」："
)
_WORDS = st.sampled_from(
    ["caching", "Cached", "parse_config", "HTTPServer2", "x-request-id", "4.2.7", "the",
     "größer", "решение", "πλοία", "किताबें", "الكتاب", "設定を", "ファイル", "배포를", "จัดส่ง",
     "Dockerで構築"]
)  # fmt: skip
_SPACES = st.sampled_from([" ", "\n", "", ", ", "\u3000", "\x1c", "\u2028", "-", "."])

mixed = st.lists(
    st.tuples(_WORDS | st.text(_LETTERS, max_size=6) | st.text(max_size=4), _SPACES), max_size=12
).map(lambda parts: "".join(word + space for word, space in parts))
