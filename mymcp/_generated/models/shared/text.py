"""Generated from contracts/shared/text.json by nox -s codegen; do not edit."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator, Field, StrictStr
from typing_extensions import TypeAliasType

from mymcp.contract.text import collapsed, lowered, trimmed

Query = TypeAliasType(
    "Query",
    Annotated[Annotated[StrictStr, Field(max_length=1000, min_length=1)], BeforeValidator(trimmed)],
)


QueryTag = TypeAliasType(
    "QueryTag",
    Annotated[Annotated[StrictStr, Field(max_length=50, min_length=1)], BeforeValidator(collapsed)],
)


Title = TypeAliasType(
    "Title",
    Annotated[
        Annotated[
            StrictStr,
            Field(
                max_length=200,
                min_length=1,
                pattern="^[^\\u0000-\\u0008\\u000B-\\u001F\\u007F-\\u009F]*[^\\u0000-\\u0020\\u007F-\\u00A0\\u00AD\\u034F\\u061C\\u115F\\u1160\\u1680\\u17B4\\u17B5\\u180B-\\u180F\\u2000-\\u200F\\u2028-\\u202F\\u205F-\\u206F\\u2800\\u3000\\u3164\\uFE00-\\uFE0F\\uFEFF\\uFFA0\\uFFF9-\\uFFFB\U0001d173-\U0001d17a\U000e0000-\U000e0fff][^\\u0000-\\u0008\\u000B-\\u001F\\u007F-\\u009F]*$",
            ),
        ],
        BeforeValidator(trimmed),
    ],
)


Content = TypeAliasType(
    "Content",
    Annotated[
        Annotated[
            StrictStr,
            Field(
                max_length=4000,
                min_length=1,
                pattern="^[^\\u0000-\\u0008\\u000B-\\u001F\\u007F-\\u009F]*[^\\u0000-\\u0020\\u007F-\\u00A0\\u00AD\\u034F\\u061C\\u115F\\u1160\\u1680\\u17B4\\u17B5\\u180B-\\u180F\\u2000-\\u200F\\u2028-\\u202F\\u205F-\\u206F\\u2800\\u3000\\u3164\\uFE00-\\uFE0F\\uFEFF\\uFFA0\\uFFF9-\\uFFFB\U0001d173-\U0001d17a\U000e0000-\U000e0fff][^\\u0000-\\u0008\\u000B-\\u001F\\u007F-\\u009F]*$",
            ),
        ],
        BeforeValidator(trimmed),
    ],
)


Label = TypeAliasType(
    "Label",
    Annotated[
        Annotated[
            StrictStr,
            Field(
                max_length=100,
                min_length=1,
                pattern="^[^\\u0000-\\u0008\\u000B-\\u001F\\u007F-\\u009F]*[^\\u0000-\\u0020\\u007F-\\u00A0\\u00AD\\u034F\\u061C\\u115F\\u1160\\u1680\\u17B4\\u17B5\\u180B-\\u180F\\u2000-\\u200F\\u2028-\\u202F\\u205F-\\u206F\\u2800\\u3000\\u3164\\uFE00-\\uFE0F\\uFEFF\\uFFA0\\uFFF9-\\uFFFB\U0001d173-\U0001d17a\U000e0000-\U000e0fff][^\\u0000-\\u0008\\u000B-\\u001F\\u007F-\\u009F]*$",
            ),
        ],
        BeforeValidator(trimmed),
    ],
)


Tag = TypeAliasType(
    "Tag",
    Annotated[
        Annotated[
            StrictStr,
            Field(
                max_length=50,
                min_length=1,
                pattern="^[^\\u0000-\\u0008\\u000B-\\u001F\\u007F-\\u009F]*[^\\u0000-\\u0020\\u007F-\\u00A0\\u00AD\\u034F\\u061C\\u115F\\u1160\\u1680\\u17B4\\u17B5\\u180B-\\u180F\\u2000-\\u200F\\u2028-\\u202F\\u205F-\\u206F\\u2800\\u3000\\u3164\\uFE00-\\uFE0F\\uFEFF\\uFFA0\\uFFF9-\\uFFFB\U0001d173-\U0001d17a\U000e0000-\U000e0fff][^\\u0000-\\u0008\\u000B-\\u001F\\u007F-\\u009F]*$",
            ),
        ],
        BeforeValidator(collapsed),
    ],
)


Language = TypeAliasType(
    "Language",
    Annotated[
        Annotated[StrictStr, Field(max_length=35, pattern="^[a-z]{2,3}(-[a-z0-9]{1,8})*$")],
        BeforeValidator(lowered),
    ],
)


RecordTitle = TypeAliasType(
    "RecordTitle",
    Annotated[Annotated[StrictStr, Field(max_length=200, min_length=1)], BeforeValidator(trimmed)],
)


RecordContent = TypeAliasType(
    "RecordContent",
    Annotated[Annotated[StrictStr, Field(max_length=4000, min_length=1)], BeforeValidator(trimmed)],
)


RecordLabel = TypeAliasType(
    "RecordLabel",
    Annotated[Annotated[StrictStr, Field(max_length=100, min_length=1)], BeforeValidator(trimmed)],
)


RecordTag = TypeAliasType(
    "RecordTag",
    Annotated[Annotated[StrictStr, Field(max_length=50, min_length=1)], BeforeValidator(collapsed)],
)


RecordLanguage = TypeAliasType(
    "RecordLanguage",
    Annotated[
        Annotated[StrictStr, Field(max_length=35, pattern="^[a-z]{2,8}(-[a-z0-9]{1,8})*$")],
        BeforeValidator(lowered),
    ],
)


LegacyContent = TypeAliasType(
    "LegacyContent",
    Annotated[
        StrictStr,
        Field(
            max_length=4000,
            min_length=1,
            pattern="^[\\u0009-\\u000D\\u001C-\\u0020\\u0085\\u00A0\\u1680\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000]*[^\\u0009-\\u000D\\u001C-\\u0020\\u0085\\u00A0\\u1680\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000]([\\u0009-\\u000D\\u001C-\\u0020\\u0085\\u00A0\\u1680\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000]|[^\\u0009-\\u000D\\u001C-\\u0020\\u0085\\u00A0\\u1680\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000])*$",
        ),
    ],
)


LegacyTitle = TypeAliasType(
    "LegacyTitle",
    Annotated[
        StrictStr,
        Field(
            max_length=200,
            min_length=1,
            pattern="^[\\u0009-\\u000D\\u001C-\\u0020\\u0085\\u00A0\\u1680\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000]*[^\\u0009-\\u000D\\u001C-\\u0020\\u0085\\u00A0\\u1680\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000]([\\u0009-\\u000D\\u001C-\\u0020\\u0085\\u00A0\\u1680\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000]|[^\\u0009-\\u000D\\u001C-\\u0020\\u0085\\u00A0\\u1680\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000])*$",
        ),
    ],
)


LegacyTag = TypeAliasType(
    "LegacyTag",
    Annotated[
        StrictStr,
        Field(
            max_length=50,
            min_length=1,
            pattern="^[\\u0009-\\u000D\\u001C-\\u0020\\u0085\\u00A0\\u1680\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000]*[^\\u0009-\\u000D\\u001C-\\u0020\\u0085\\u00A0\\u1680\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000]([\\u0009-\\u000D\\u001C-\\u0020\\u0085\\u00A0\\u1680\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000]|[^\\u0009-\\u000D\\u001C-\\u0020\\u0085\\u00A0\\u1680\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000])*$",
        ),
    ],
)


StoredContent = TypeAliasType(
    "StoredContent", Annotated[StrictStr, Field(max_length=4000, min_length=1)]
)


StoredTitle = TypeAliasType(
    "StoredTitle", Annotated[StrictStr, Field(max_length=200, min_length=1)]
)


StoredLabel = TypeAliasType(
    "StoredLabel", Annotated[StrictStr, Field(max_length=100, min_length=1)]
)


StoredTag = TypeAliasType("StoredTag", Annotated[StrictStr, Field(max_length=50, min_length=1)])


StoredLanguage = TypeAliasType(
    "StoredLanguage", Annotated[StrictStr, Field(max_length=35, min_length=2)]
)
