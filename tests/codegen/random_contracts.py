"""Record contracts made of random schemas of the dialect, each with values that nearly fit it."""

from typing import Any

from hypothesis import given, seed, settings
from hypothesis import strategies as st

from tests.schema.dialects import VALUES, Schema, objects

NULL = {"type": "null"}


def samples(number: int, count: int) -> list[tuple[Schema, list[Any]]]:
    """Return about `count` root schemas with four values each; the same for the same `number`."""
    found: list[tuple[Schema, list[Any]]] = []

    @seed(number)
    @settings(max_examples=count, database=None)
    @given(objects(VALUES), st.data())
    def collect(pair: tuple[Schema, st.SearchStrategy[Any]], data: st.DataObject) -> None:
        schema, values = pair
        if len(schema["properties"]) > 1:
            found.append((schema, [data.draw(values) for _ in range(4)]))

    collect()
    return found


def record(schema: Schema, name: str) -> dict[str, Any]:
    """Return a record envelope for a resolved `schema`: what must have a name gets one."""
    naming = _Naming()
    root = naming.schema(schema)
    root["title"] = f"{name.capitalize()}V1"
    return {
        "$schema": "../meta/record.json",
        "name": name,
        "version": 1,
        "title": "Random",
        "description": "A random record.",
        "record": root,
        "$defs": naming.definitions,
    }


class _Naming:
    def __init__(self) -> None:
        self.definitions: dict[str, Schema] = {}
        self.count = 0

    def schema(self, given: Schema) -> Schema:
        schema = {key: value for key, value in given.items() if key not in ("title", "allOf")}
        if "x-normalise" in schema:
            return self.reference({"description": "A text.", **schema})
        if "properties" in schema:
            schema["properties"] = {
                key: {"description": "A member."} | self.schema(inner)
                for key, inner in schema["properties"].items()
            }
        if "items" in schema:
            schema["items"] = self.schema(schema["items"])
        if "anyOf" in schema:
            schema["anyOf"] = [self.schema(schema["anyOf"][0]), NULL]
        if "oneOf" in schema:
            tags = [b["properties"]["tag"]["const"] for b in schema["oneOf"]]
            schema["oneOf"] = [self.reference(self.schema(b)) for b in schema["oneOf"]]
            mapping = {t: b["$ref"] for t, b in zip(tags, schema["oneOf"], strict=True)}
            schema["discriminator"] = {"propertyName": "tag", "mapping": mapping}
        if schema.get("type") == "object" and "x-open" not in schema:
            schema["title"] = self.name()
        return schema

    def reference(self, schema: Schema) -> Schema:
        name = schema.get("title") or self.name()
        self.definitions[name] = schema
        return {"$ref": f"#/$defs/{name}"}

    def name(self) -> str:
        self.count += 1
        return f"N{self.count}"
