"""Environments and calls, nothing else: what a session does is in the program that it calls.

Another Python than nox's own: nox --force-python 3.13 -s tests
"""

import nox

nox.needs_version = ">=2026.4"
nox.options.default_venv_backend = "uv|virtualenv"
nox.options.reuse_venv = "yes"
nox.options.error_on_external_run = True
nox.options.sessions = ["lint", "types", "tests"]

PYPROJECT = nox.project.load_toml("pyproject.toml")


def prepare(session: nox.Session, *groups: str) -> None:
    """Install what the session needs; the project itself is found in the working directory."""
    session.install(
        "--constraint",
        ".ci/constraints.txt",
        *PYPROJECT["project"]["dependencies"],
        *nox.project.dependency_groups(PYPROJECT, *groups),
    )


@nox.session
def codegen(session: nox.Session) -> None:
    """Generate; `-- --check` only says what would change, `-- accept` accepts a version."""
    prepare(session, "codegen")
    match session.posargs:
        case ["--check", *others]:
            session.run("python", "-m", "codegen", "check", *others)
        case ["accept", *others]:
            session.run("python", "-m", "codegen", "accept", *others)
        case others:
            session.run("python", "-m", "codegen", "generate", *others)


@nox.session
def tests(session: nox.Session) -> None:
    """Run the tests; what follows `--` goes to pytest."""
    prepare(session, "test")
    session.run("python", "-m", "pytest", *session.posargs)


@nox.session
def lint(session: nox.Session) -> None:
    """Check style and the import rules, as for the oldest and the newest Python."""
    prepare(session, "lint")
    session.run("ruff", "check")
    # Without the rules that would modernise: they ask for what 3.11 does not know.
    session.run("ruff", "check", "--target-version=py314", "--extend-ignore=UP")
    session.run("ruff", "format", "--check")
    session.run("lint-imports")


@nox.session
def types(session: nox.Session) -> None:
    """Check types strictly, as for the oldest and the newest Python."""
    prepare(session, "types")
    session.run("mypy")
    session.run("mypy", "--python-version", "3.14")


@nox.session
def bench(session: nox.Session) -> None:
    """Measure speed and size; fails when a bound is exceeded. Linux only."""
    prepare(session, "codegen")
    session.run("python", "-m", "tests.bench", *session.posargs)


@nox.session(default=False)
def soak(session: nox.Session) -> None:
    """Let clients come, call and vanish for a minute, then stop the server. Linux only."""
    prepare(session, "test")
    session.run("python", "-m", "tests.soak", *session.posargs)


@nox.session
def docs(session: nox.Session) -> None:
    """Check only the documents: links, examples, and that everything public is in them."""
    prepare(session, "test")
    pages = (
        "tests/test_docs.py",
        "tests/test_handbook.py",
        "tests/plugins/mnemosyne/test_pages.py",
    )
    session.run("python", "-m", "pytest", *pages, *session.posargs)


@nox.session(default=False)
def lock(session: nox.Session) -> None:
    """Renew every file of exact versions: ours, and those of the clients that test us."""
    session.install("uv")
    renew = ("uv", "pip", "compile", "--quiet", "--upgrade", "--universal", "--python-version=3.11")
    tell = ("--no-annotate", "--custom-compile-command", "nox -s lock")
    out = ".ci/constraints.txt"
    session.run(*renew, *tell, "--group", "dev", "--extra", "test", "-o", out, "pyproject.toml")
    for client in ("mcp-1", "mcp-2"):
        out = f"tests/clients/{client}.txt"
        session.run(*renew, *tell, "-o", out, f"tests/clients/{client}.in")
