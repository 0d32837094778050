"""What issue and documents promise of the labelled set. Each query is asked of the real tool."""

import re
from pathlib import Path

import pytest

from tests.plugins.mnemosyne.retrieval.figures import NONE, answers, figures

OVERALL, EACH, NOTHING_CLAIMED = 0.88, 0.8, 0.8
DOCUMENT = Path(__file__).resolve().parents[4] / "docs" / "retrieval.md"


@pytest.fixture(scope="module", params=[False, True], ids=["by scope", "pooled"])
def measured(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[bool, dict[str, float]]:
    root = tmp_path_factory.mktemp("memory")
    return request.param, figures(list(answers(root, pooled=request.param)))


def test_what_is_there_is_found(measured: tuple[bool, dict[str, float]]) -> None:
    found = measured[1]
    assert found["overall"] >= OVERALL
    weak = {name for name, value in found.items() if value < EACH}
    assert weak <= {"paraphrase"}


def test_where_nothing_is_there_nothing_is_claimed(
    measured: tuple[bool, dict[str, float]],
) -> None:
    assert measured[1][NONE] >= NOTHING_CLAIMED


def test_documented_figures_are_the_measured_ones(
    measured: tuple[bool, dict[str, float]],
) -> None:
    rows = re.findall(
        r"^\| (\w+) \| ([0-9.]+) \| ([0-9.]+) \|$", DOCUMENT.read_text("utf-8"), re.MULTILINE
    )
    told = {row[0]: row[1 + measured[0]] for row in rows}
    assert told == {name: f"{value:.3f}" for name, value in measured[1].items()}
