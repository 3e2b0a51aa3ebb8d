"""`make` on a machine that nobody has prepared: which Python it takes, what it says where there is none or an
environment can't be made, and that one which is half-made or wrong is made anew."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from support.documents import ROOT
from support.thorough import few_of

pytestmark = pytest.mark.skipif(os.name == "nt", reason="make is not for Windows")

FIND, ENVIRONMENT = (str(ROOT / ".ci" / name) for name in ("find-python", "environment"))
TOOLS = "awk cat df dirname env git grep make mkdir rm sed sh sort tail touch".split()  # noqa: SIM905
"""What the scripts may lean on besides a Python: all of it is on any machine with make."""
WAYS = ("Debian", "Ubuntu", "Fedora", "macOS", "Windows")


class Machine:
    """A machine with nothing on its path but the shell's tools and the Pythons that it is given."""

    def __init__(self, folder: Path) -> None:
        self.bin, self.home = folder / "bin", folder / "home"
        self.bin.mkdir(parents=True)
        self.home.mkdir()
        self.environment = {"PATH": str(self.bin), "HOME": str(self.home), "TMPDIR": str(folder)}
        for tool in TOOLS:
            if where := shutil.which(tool):
                (self.bin / tool).symlink_to(where)

    def has(self, where: Path | str, version: str, *, able: bool = True, otherwise: str = "exit 1") -> Path:
        """A Python of that version, this very one in its clothes; unless `able` it can't make environments.
        Asked for anything but its version it does what is told `otherwise`."""
        path = self.bin / where
        path.parent.mkdir(parents=True, exist_ok=True)
        major, minor, micro = (*version.split("."), "0")[:3]
        clothes = (
            f"import sys; sys.version_info = ({major}, {minor}, {micro}, 'final', 0);"
            f"sys._base_executable = '{path}';" + ("" if able else "sys.modules['ensurepip'] = None;")
        )
        path.write_text(
            f'#!/bin/sh\nif [ "$2" = -c ]; then exec {sys.executable} -I -c "{clothes}$3"; fi\n{otherwise}\n'
        )
        path.chmod(0o755)
        return path

    def types(self, *words: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
        """What comes of a command there."""
        return subprocess.run(
            list(map(str, words)),
            env=self.environment | environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=900,  # packages are installed: on a busy machine that takes minutes
        )


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path / "machine")


# Which Python


def test_python3_is_taken_where_it_is_new_enough(machine: Machine) -> None:
    machine.has("python3.14", "3.14.0")
    path = machine.has("python3", "3.11.2")
    assert machine.types(FIND).stdout.strip() == str(path)


@pytest.mark.slow
def test_beside_an_older_python3_the_newest_of_the_others_is_taken(machine: Machine) -> None:
    machine.has("python3", "3.9.18")
    machine.has("python3.11", "3.11.0")
    path = machine.has("python3.12", "3.12.1")
    assert machine.types(FIND).stdout.strip() == str(path)


@pytest.mark.slow
@pytest.mark.parametrize(
    "folder", [".pyenv/versions/3.13.0", ".local/share/uv/python/cpython-3.13.1-linux-x86_64-gnu"]
)
def test_what_pyenv_and_uv_keep_is_found(machine: Machine, folder: str) -> None:
    machine.has("python3", "3.10.13")
    path = machine.has(machine.home / folder / "bin" / "python3", "3.13.0")
    assert machine.types(FIND).stdout.strip() == str(path)


def test_one_that_can_make_environments_is_preferred(machine: Machine) -> None:
    machine.has("python3", "3.12.1", able=False)
    path = machine.has("python3.11", "3.11.2")
    assert machine.types(FIND).stdout.strip() == str(path)


@pytest.mark.slow
def test_one_of_each_version_is_listed(machine: Machine) -> None:
    first = machine.has("python3", "3.12.3")
    machine.has("python3.12", "3.12.1")
    second = machine.has("python3.11", "3.11.2")
    machine.has("python3.13", "3.13.0", able=False)
    assert machine.types(FIND, "--each").stdout.splitlines() == [f"3.11 {second}", f"3.12 {first}"]


@pytest.mark.parametrize(("version", "said"), [("3.9.18", "newest here is 3.9.18"), ("", "none here")])
def test_where_none_is_new_enough_a_way_to_one_is_said(machine: Machine, version: str, said: str) -> None:
    if version:
        machine.has("python3", version)
    ended = machine.types(FIND)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert "Python 3.11 or newer" in ended.stderr and said in ended.stderr
    assert all(way in ended.stderr for way in WAYS)


def test_where_none_can_make_environments_the_package_is_named(machine: Machine) -> None:
    machine.has("python3", "3.12.1", able=False)
    ended = machine.types(FIND)
    assert ended.returncode == 1 and "sudo apt install python3.12-venv" in ended.stderr


def test_the_one_that_is_named_is_taken_or_refused_by_its_name(machine: Machine) -> None:
    machine.has("python3", "3.12.1")
    named = machine.has("python3.11", "3.11.2")
    old = machine.has("python3.9", "3.9.18")
    assert machine.types(FIND, PYTHON=str(named)).stdout.strip() == str(named)
    for given, said in ((str(old), "is Python 3.9.18"), ("python2", "is no Python that starts")):
        ended = machine.types(FIND, PYTHON=given)
        assert ended.returncode == 1 and f"PYTHON={given} {said}" in ended.stderr


def real(version: str) -> Path:
    """A real Python of a version, of pyenv's; the test is left out where there is none."""
    found = sorted((Path.home() / ".pyenv" / "versions").glob(f"{version}.*/bin/python3"))
    if not found:
        pytest.skip(f"no Python {version} here")
    return found[0]


@pytest.mark.parametrize("version", few_of(["3.6", "3.9", "3.10"]))
def test_real_ones_that_are_too_old_are_passed_over(machine: Machine, version: str) -> None:
    (machine.bin / "python3").symlink_to(real(version))
    path = machine.has("python3.13", "3.13.0")
    assert machine.types(FIND).stdout.strip() == str(path)
    path.unlink()
    assert f"newest here is {version}." in machine.types(FIND).stderr


# The environment


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """One as it should be, as far as is looked at."""
    folder = tmp_path / "env"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    (next(folder.glob("lib/python*/site-packages")) / "pip").mkdir()
    return folder


def half_made(folder: Path) -> None:
    (folder / "half-made").write_text("999999999")


def without_pip(folder: Path) -> None:
    next(folder.glob("lib/python*/site-packages/pip")).rmdir()


def of_a_python_that_is_gone(folder: Path) -> None:
    for name in (folder / "bin").glob("python*"):
        name.unlink()
        name.symlink_to("/nowhere/python")


def moved(folder: Path) -> None:
    first = folder.with_name("first")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", first], check=True)
    shutil.rmtree(folder)
    first.rename(folder)


def of_an_old_python(folder: Path) -> None:
    shutil.rmtree(folder)
    subprocess.run([real("3.10"), "-m", "venv", "--without-pip", folder], check=True)


@pytest.mark.parametrize(
    ("spoil", "said"),
    few_of(
        [
            (half_made, "half-made"),
            (without_pip, "lacks pip"),
            (of_a_python_that_is_gone, "does not start"),
            (moved, "moved"),
            (of_an_old_python, "of Python 3.10"),
        ],
        5,
    ),
)
def test_one_that_is_wrong_is_made_anew(
    machine: Machine, made: Path, spoil: Callable[[Path], None], said: str
) -> None:
    machine.has("python3", "3.12.1", otherwise='touch "$3/anew"')
    (made / "old").touch()
    assert machine.types(ENVIRONMENT, made).stdout == "" and (made / "old").exists(), "it is left as it is"
    spoil(made)
    ended = machine.types(ENVIRONMENT, made)
    assert ended.returncode == 0 and said in ended.stdout, ended.stderr
    assert (made / "anew").exists() and not (made / "old").exists()


@pytest.mark.slow
def test_one_of_another_python_than_the_one_that_is_named_is_made_anew(machine: Machine, made: Path) -> None:
    named = machine.has("python3.99", "3.99.0", otherwise='touch "$3/anew"')
    ended = machine.types(ENVIRONMENT, made, PYTHON=str(named))
    assert (made / "anew").exists() and "is made anew: it is of Python" in ended.stdout


@pytest.mark.slow
def test_without_a_network_it_says_so_and_keeps_what_there_is(tmp_path: Path) -> None:
    def set_up(*words: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [ENVIRONMENT, tmp_path / "env", *words],
            env=os.environ | {"PYTHON": sys.executable} | environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )

    assert set_up().returncode == 0
    made = (tmp_path / "env" / "pyvenv.cfg").stat().st_mtime_ns
    lock = tmp_path / "some.lock"
    lock.write_text(f"idna==3.10 --hash=sha256:{'0' * 64}\n")
    nowhere = {"PIP_INDEX_URL": "http://127.0.0.1:9/simple", "PIP_EXTRA_INDEX_URL": "", "PIP_FIND_LINKS": ""}
    ended = set_up(lock, **nowhere, PIP_CONFIG_FILE=os.devnull, PIP_RETRIES="1")
    assert ended.returncode == 1
    assert "Setting up needs the network" in ended.stderr and "Connection refused" in ended.stderr
    assert set_up().stdout == "" and (tmp_path / "env" / "pyvenv.cfg").stat().st_mtime_ns == made


@pytest.mark.slow
def test_on_a_full_disk_it_says_how_much_is_free(tmp_path: Path) -> None:
    """On a disk of 6 MB, where one may be mounted."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = f"mount -t tmpfs -o size=6m none {disk} && exec {ENVIRONMENT} {disk}/env"
    if subprocess.run(["sh", "-c", "unshare -Urm true"], check=False, capture_output=True).returncode:
        pytest.skip("no disk can be mounted here")
    ended = subprocess.run(
        ["unshare", "-Urm", "sh", "-c", mounted], capture_output=True, text=True, check=False, timeout=120
    )
    assert ended.returncode == 1
    assert "There is no space left." in ended.stderr and f"MB in {disk}\n" in ended.stderr


def test_pip_s_own_words_for_a_full_disk_are_understood(machine: Machine, tmp_path: Path) -> None:
    """Wherever the disk is that it means."""
    machine.has(
        "python3", "3.12.1", otherwise="echo 'OSError: [Errno 28] No space left on device' >&2; exit 1"
    )
    ended = machine.types(ENVIRONMENT, tmp_path / "env")
    assert ended.returncode == 1 and "There is no space left." in ended.stderr


def test_what_has_no_sentence_is_shown(machine: Machine, tmp_path: Path) -> None:
    machine.has("python3", "3.12.1", otherwise="echo 'Error: it rained in' >&2; exit 1")
    ended = machine.types(ENVIRONMENT, tmp_path / "env")
    assert ended.returncode == 1 and "Error: it rained in" in ended.stderr


def test_one_that_is_being_made_is_waited_for(machine: Machine, tmp_path: Path) -> None:
    machine.has("python3", "3.12.1")
    (tmp_path / "env").mkdir()
    (tmp_path / "env" / "half-made").write_text(str(os.getpid()))
    ended = machine.types(ENVIRONMENT, tmp_path / "env")
    assert ended.returncode == 1 and f"Process {os.getpid()} is setting" in ended.stderr
    assert (tmp_path / "env").exists()


# All of it


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The files of the repository, as somebody has them who has just cloned it."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    for name in listed.stdout.split("\0"):
        if name and (ROOT / name).exists():
            (tmp_path / "strike" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, tmp_path / "strike" / name)
    return tmp_path / "strike"


@pytest.mark.slow
def test_from_a_fresh_checkout_beside_an_older_python_an_evening_is_played(
    machine: Machine, checkout: Path
) -> None:
    """`make demo`, as README has it; without a terminal it ends by itself."""
    machine.has("python3", "3.9.18")
    name = f"python{sys.version_info.major}.{sys.version_info.minor}"
    (machine.bin / name).symlink_to(Path(sys.base_exec_prefix) / "bin" / name)
    # pip's settings, and where strike writes, are those of all tests.
    environment = {key: value for key, value in os.environ.items() if key.startswith(("PIP_", "XDG_"))}
    demo = machine.types("make", "-C", checkout, "demo", **environment)
    assert demo.returncode == 0, demo.stdout + demo.stderr
    assert "http://127.0.0.1:" in demo.stdout and "The Ford at Dusk" in demo.stdout
    again = machine.types("make", "-C", checkout, ".venv/run.done", **environment)
    assert again.returncode == 0 and "Setting up" not in again.stdout
