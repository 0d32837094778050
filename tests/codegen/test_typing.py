"""What the type checker says to a person who writes handlers: one run of mypy over one file."""

import os
import re
import subprocess
import sys
from pathlib import Path, PurePosixPath

from codegen import tree
from tests.codegen.kitchen import small_tree
from tests.codegen.project import REPOSITORY

HANDLERS = '''
"""Handlers of the kitchen. A comment `E:` names the error that the line must have."""

from pydantic import MISSING

from baked.plugins.kitchen import KitchenHandlers, bind_kitchen
from baked.tools.slice_bread import SliceBreadError, SliceBreadRequest, SliceBreadResult
from baked.tools.weigh import WEIGH, WeighError, WeighRequest, WeighResult


def weigh(request: WeighRequest) -> WeighResult:
    if request.unit is MISSING:
        raise WeighError("invalid_bread", field="bread")
    unit: str = request.unit
    return WeighResult(status="ok", weights=[len(unit)])


def slice_bread(request: SliceBreadRequest) -> SliceBreadResult:
    if request.grain == "rye":
        raise SliceBreadError("too_hard", field="grain", reason="stale")
    return SliceBreadResult(status="sliced")


tools = bind_kitchen(KitchenHandlers(weigh=weigh, slice_bread=slice_bread))
shut = KitchenHandlers(weigh=weigh, slice_bread=None)
read: WeighRequest = WEIGH.reader.read({})


def undeclared(request: WeighRequest) -> WeighResult:
    raise WeighError("too_hard")  # E: arg-type


def another_field(request: WeighRequest) -> WeighResult:
    raise WeighError("invalid_bread", field="grain")  # E: arg-type


def another_reason(request: SliceBreadRequest) -> SliceBreadResult:
    raise SliceBreadError("too_hard", reason="soft")  # E: arg-type


def omitted(request: WeighRequest) -> WeighResult:
    return WeighResult(status=request.unit, weights=[])  # E: arg-type


def another_result(request: WeighRequest) -> SliceBreadResult:
    return SliceBreadResult(status="sliced")


missing = KitchenHandlers(weigh=weigh)  # E: call-arg
ungated = KitchenHandlers(weigh=None, slice_bread=None)  # E: arg-type
swapped = KitchenHandlers(weigh=another_result, slice_bread=None)  # E: arg-type
shut.weigh = weigh  # E: misc
'''.lstrip()


def test_the_type_checker_finds_missing_handlers_and_undeclared_codes(tmp_path: Path) -> None:
    root = PurePosixPath("mymcp/_generated")
    generated = {
        PurePosixPath("baked") / path.relative_to(root): content
        for path, content in small_tree().items()
        if root in path.parents
    }
    tree.write(tmp_path, generated, (PurePosixPath("baked"),))
    (tmp_path / "handlers.py").write_text(HANDLERS, encoding="utf-8")
    expected = {
        (number, match[1])
        for number, line in enumerate(HANDLERS.splitlines(), 1)
        if (match := re.search(r"# E: (\S+)", line))
    }
    assert _errors(tmp_path) == expected


def _errors(folder: Path) -> set[tuple[int, str]]:
    run = subprocess.run(
        [
            sys.executable,
            "-m",
            "mypy",
            "--strict",
            "--config-file=",
            "--cache-dir",
            str(folder / "cache"),
            "handlers.py",
            "baked",
        ],
        cwd=folder,
        env={**os.environ, "MYPYPATH": str(REPOSITORY)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.stderr == ""
    found = re.findall(r"^handlers\.py:(\d+): error: .*\[([a-z-]+)\]$", run.stdout, re.MULTILINE)
    assert run.stdout.count(": error: ") == len(found), run.stdout
    return {(int(number), code) for number, code in found}
