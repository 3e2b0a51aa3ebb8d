"""What is built and published comes of what is pinned: actions by digest, packages by hash, least rights."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
LOCKS = sorted((ROOT / "locks").glob("*.lock"))


def jobs_of(text: str) -> dict[str, str]:
    """The text of each job of a workflow, by its name."""
    _, *parts = re.split(r"^  (\w+):\n", text.partition("\njobs:\n")[2], flags=re.MULTILINE)
    return dict(zip(parts[::2], parts[1::2], strict=True))


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_actions_are_pinned_and_keep_no_credentials(path: Path) -> None:
    text = path.read_text("utf-8")
    used = re.findall(r"uses: (\S+)(.*)", text)
    assert used
    for action, comment in used:
        assert re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", action) and re.fullmatch(r" # v[0-9.]+", comment), action
    assert text.count("uses: actions/checkout@") == text.count("persist-credentials: false")
    before = text.partition("\njobs:\n")[0]
    assert re.search(r"^permissions: *(\{\}|\n  contents: read\n)", before, re.MULTILINE)


def test_what_builds_may_not_publish_and_what_publishes_has_no_source() -> None:
    jobs = jobs_of((ROOT / ".github/workflows/release.yml").read_text("utf-8"))
    may = {name: set(re.findall(r"([\w-]+): write", job)) for name, job in jobs.items()}
    assert may == {
        "build": set(),
        "try": set(),
        "sign": {"id-token", "attestations"},
        "publish": {"id-token"},
        "release": {"contents"},
    }
    for name in ("sign", "publish", "release"):
        assert "checkout" not in jobs[name] and "make " not in jobs[name], name


@pytest.mark.parametrize("path", LOCKS, ids=lambda path: path.stem)
def test_locks_have_a_hash_for_everything(path: Path) -> None:
    for package in re.split(r"\n(?=[a-z])", path.read_text("utf-8").strip()):
        assert re.match(r"[\w.\[\]-]+==\S+", package) and "--hash=sha256:" in package, package[:80]


def test_a_container_and_packages_are_built_of_what_is_locked() -> None:
    installs = re.findall(r"pip (?:install|wheel) .*", (ROOT / "container/Containerfile").read_text("utf-8"))
    assert len(installs) == 4
    assert all("--require-hashes" in line or "--no-deps" in line for line in installs)
    assert all("--no-build-isolation" in line for line in installs if "wheel --" in line)
    assert "-m build --no-isolation" in (ROOT / ".ci/dist").read_text("utf-8")


@pytest.mark.parametrize("name", ["SECURITY.md", "CONTRIBUTING.md", "docs/promises.md"])
def test_no_page_of_the_front_has_a_placeholder(name: str) -> None:
    assert not re.search(r"\bOWNER\b|\bTODO\b|example\.com|<your", (ROOT / name).read_text("utf-8"))
