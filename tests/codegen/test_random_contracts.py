"""What the linter lets pass, the generator understands: on random contracts of the dialect."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from codegen.catalog import build
from codegen.compilation import compile_catalog
from codegen.dialect import lint
from codegen.generation import generate
from tests.codegen.random_contracts import record, samples
from tests.contracts.patching import base_files

ROOT = Path(__file__).parents[2]
SUPPORT = ("contracts/meta/", "contracts/profiles/")


def test_models_of_random_contracts_agree_with_an_independent_validator(tmp_path: Path) -> None:
    base = {path: data for path, data in base_files().items() if path.startswith(SUPPORT)}
    found = [
        (f"rec{i}", record(schema, f"rec{i}"), values)
        for i, (schema, values) in enumerate(samples(7, 180))
    ]
    # The strategy is a little wider than the dialect: it puts some rules out of reach.
    cases = [case for case in found if not lint(build({**base, **files_of([case])}))]
    assert len(cases) >= 40
    catalog = build({**base, **files_of(cases)})
    assert lint(catalog) == ()
    write_product(tmp_path, generate(catalog, compile_catalog(catalog), {}))
    seen, valid, wrong, first = judged(tmp_path, cases)
    assert wrong == 0, first
    assert seen / 10 <= valid <= seen * 9 / 10


def files_of(cases: list[tuple[str, dict[str, object], list[object]]]) -> dict[str, bytes]:
    return {
        f"contracts/records/{name}-v1.json": json.dumps(contract).encode()
        for name, contract, _ in cases
    }


def write_product(folder: Path, tree: object) -> None:
    hand_written = shutil.ignore_patterns("_generated", "__pycache__")
    shutil.copytree(ROOT / "mymcp", folder / "mymcp", ignore=hand_written)
    for path, content in dict(tree).items():  # type: ignore[call-overload]
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)


def judged(folder: Path, cases: list[object]) -> tuple[int, int, int, list[object]]:
    path = folder / "cases.json"
    path.write_text(json.dumps(cases))
    done = subprocess.run(
        [sys.executable, ROOT / "tests/codegen/random_judge.py", folder, path],
        capture_output=True,
        check=False,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 0, done.stderr
    seen, valid, wrong, first = json.loads(done.stdout)
    return seen, valid, wrong, first
