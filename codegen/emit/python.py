"""The Python modules that stand round the models: text by templates, beauty by ruff."""

import subprocess
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from ruff import find_ruff_bin  # type: ignore[import-untyped]  # ruff ships no types

from codegen.compilation import Compilation, FormatKind
from codegen.emit import policy
from codegen.emit.header import python_header
from codegen.emit.views import view_format, view_plugin, view_tool
from codegen.report import GenerationError

TEMPLATES = Path(__file__).parents[1] / "templates"
LINE_COLUMNS = 100


class FormatError(GenerationError):
    """Ruff refused what the templates gave: a fault of the generator, not of a contract."""


def environment() -> Environment:
    """Return the one way templates are read: strict about names, blanks as written."""
    return Environment(
        loader=FileSystemLoader(TEMPLATES),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701  the output is Python and Markdown, not HTML
    )


def emit(compilation: Compilation) -> dict[PurePosixPath, str]:
    """Return the text of every module but the models, by path below `mymcp/_generated`."""
    render = environment().get_template
    modules = {f"{name}__init__.py": _package(text) for name, text in _PACKAGES.items()}
    modules["data/__init__.py"] = render("data.py.jinja2").render()
    for plugin in map(view_plugin, compilation.plugins):
        modules[f"plugins/{plugin.snake}.py"] = render("plugin.py.jinja2").render(plugin=plugin)
    tools = [view_tool(tool) for tool in compilation.tools]
    for tool in tools:
        modules[f"tools/{tool.name}.py"] = render("tool.py.jinja2").render(tool=tool)
    modules["registry.py"] = render("registry.py.jinja2").render(tools=tools)
    modules["records.py"] = _readers(compilation, "record", "records")
    modules["manifests.py"] = _readers(compilation, "manifest", "manifests")
    modules["configuration.py"] = _readers(compilation, "config", "configuration")
    modules["credentials.py"] = _readers(compilation, "credential", "credentials")
    if compilation.policies:
        modules["policy.py"] = policy.module(compilation.policies)
    return {PurePosixPath(path): text for path, text in modules.items()}


_PACKAGES = {
    "": "What contracts say, as code and data. Owned by the generator and replaced whole.",
    "plugins/": "One module a plugin: its handlers, and how they become callable tools.",
    "tools/": "One module a tool: its request, result, errors and contract.",
}


def _package(sentence: str) -> str:
    return f'{python_header("contracts").removesuffix(chr(34) * 3)}\n\n{sentence}\n"""\n'


def _readers(compilation: Compilation, kind: FormatKind, template: str) -> str:
    readers = [view_format(item) for item in compilation.formats_of(kind)]
    return (
        environment()
        .get_template(f"{template}.py.jinja2")
        .render(
            readers=readers,
            rule_imports=sorted({name for reader in readers for name in reader.rule_imports}),
            text_imports=sorted({name for reader in readers for name in reader.text_imports}),
            manifests=[plugin.id for plugin in compilation.plugins if plugin.manifest],
        )
    )


def tidy(modules: Mapping[PurePosixPath, str]) -> dict[PurePosixPath, bytes]:
    """Return `modules` without unused imports, imports sorted, formatted.

    Two runs of ruff over all of them; nothing of this machine's configuration counts.
    """
    with TemporaryDirectory(prefix="codegen-") as name:
        folder = Path(name)
        for path, text in modules.items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8", newline="\n")
        _ruff(folder, "check", "--select", "F401,I", "--fix", "--quiet", *_SORTING)
        _ruff(folder, "format", "--quiet", "--config", "format.skip-magic-trailing-comma=true")
        return {path: (folder / path).read_bytes() for path in modules}


_SORTING = (
    "--config",
    "lint.isort.split-on-trailing-comma=false",
    "--config",
    'lint.isort.known-first-party=["mymcp"]',
)


def _ruff(folder: Path, command: str, *arguments: str) -> None:
    common = ("--isolated", "--no-cache", "--line-length", str(LINE_COLUMNS))
    run = subprocess.run(
        [find_ruff_bin(), command, *common, "--target-version", "py311", *arguments, "."],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    if run.returncode != 0:
        raise FormatError(f"ruff {command}: {run.stdout.strip() or run.stderr.strip()}")
