"""What the linter has to say, and where."""

from dataclasses import dataclass

from codegen.dialect.table import RULES
from codegen.positions import pointer_of


@dataclass(frozen=True, slots=True)
class Finding:
    """One breach of the dialect: `file#pointer`, the rule's id, what is wrong, what to do."""

    file: str
    pointer: str
    rule: str
    message: str
    remedy: str

    def __str__(self) -> str:
        name = RULES[self.rule].name
        return (
            f"{self.file}#{self.pointer}  {self.rule} {name}: {self.message}. "
            f"Remedy: {self.remedy}."
        )


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a contract file, by JSON pointer."""

    file: str
    pointer: str = ""

    def below(self, *tokens: str | int) -> "Place":
        """Return the place that `tokens` lead to from here."""
        return Place(self.file, self.pointer + pointer_of(*tokens))

    def breaks(self, rule: str, message: str, remedy: str = "") -> Finding:
        """Return a finding here; without `remedy` the rule's own counts."""
        return Finding(self.file, self.pointer, rule, message, remedy or RULES[rule].remedy)
