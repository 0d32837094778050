"""The models: one call of datamodel-code-generator for all contracts."""

import json
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from datamodel_code_generator import Error, GeneratedModules, InputFileType, generate
from datamodel_code_generator.enums import (
    DataModelType,
    StrictTypes,
    TargetPydanticVersion,
    VersionMode,
)
from datamodel_code_generator.format import Formatter, PythonVersion
from datamodel_code_generator.parser import LiteralType

from codegen.emit.header import python_header
from codegen.emit.staging import Staged
from codegen.report import GenerationError
from codegen.rules import NORMALISATIONS

TEMPLATES = Path(__file__).parents[1] / "templates"
_DRAFT = "https://json-schema.org/draft/2020-12/schema"
_MARK = "# replaced"
_SETTINGS = "[tool]\n"
"""Says nothing, and so keeps the builtin formatter from settings of the working directory."""


class ModelError(GenerationError):
    """The model generator gave something else than one module a contract."""


def emit(staged: Sequence[Staged]) -> dict[PurePosixPath, str]:
    """Return the Python text of every model module, by path below `models`; not formatted yet."""
    with (
        TemporaryDirectory(prefix="codegen-") as folder,
        TemporaryDirectory(prefix="codegen-") as settings,
    ):
        _lay_out(Path(folder), staged)
        Path(settings, "pyproject.toml").write_text(_SETTINGS, encoding="utf-8")
        try:
            generated = _generate(Path(folder), Path(settings), staged)
        except Error as error:
            raise ModelError(f"the model generator refused: {error}") from error
    modules = {PurePosixPath(*name): str(text) for name, text in generated.items()}
    sources = {item.path.with_suffix(".py"): item.source for item in staged}
    missing = sources.keys() - modules.keys()
    if missing:
        raise ModelError(f"no module came of {', '.join(sorted(sources[m] for m in missing))}")
    return {
        path: text.replace(_MARK, python_header(sources.get(path, "contracts")), 1)
        for path, text in sorted(modules.items())
    }


def _lay_out(folder: Path, staged: Sequence[Staged]) -> None:
    for item in staged:
        target = folder / item.path
        target.parent.mkdir(parents=True, exist_ok=True)
        content = {"$schema": _DRAFT, "$defs": item.definitions}
        target.write_text(json.dumps(content), encoding="utf-8")


def _template_data(staged: Sequence[Staged]) -> defaultdict[str, dict[str, object]]:
    """Tell the templates which definitions to normalise, and which roots only hold others."""
    data: defaultdict[str, dict[str, object]] = defaultdict(dict)
    for item in staged:
        data[f"{item.path}#"] = {"holder": True}
        for name, function in item.normalised.items():
            data[f"{item.path}#/$defs/{name}"] = {"normalise": function}
    return data


def _generate(folder: Path, settings: Path, staged: Sequence[Staged]) -> GeneratedModules:
    functions = [f"mymcp.contract.text.{name}" for name in NORMALISATIONS]
    generated = generate(
        folder,
        input_file_type=InputFileType.JsonSchema,
        schema_version="2020-12",
        schema_version_mode=VersionMode.Strict,
        strict_refs=True,
        allow_remote_refs=False,
        output_model_type=DataModelType.PydanticV2BaseModel,
        target_python_version=PythonVersion.PY_311,
        target_pydantic_version=TargetPydanticVersion.V2_14,
        base_class="mymcp.contract.model.ContractModel",
        use_annotated=True,
        field_constraints=True,
        strict_types=list(StrictTypes),
        enum_field_as_literal=LiteralType.All,
        use_type_alias=True,
        use_missing_sentinel=True,  # omitted and null differ: these two options only together
        strict_nullable=True,
        use_schema_description=True,
        use_field_description=True,
        custom_template_dir=TEMPLATES,
        extra_template_data=_template_data(staged),
        additional_imports=["pydantic.BeforeValidator", *functions],
        custom_file_header=_MARK,  # the default one names a path of this machine
        disable_timestamp=True,
        use_exact_imports=True,
        formatters=[Formatter.BUILTIN],
        settings_path=settings,
    )
    if not isinstance(generated, dict):
        raise ModelError("the model generator did not give a package")
    return generated
