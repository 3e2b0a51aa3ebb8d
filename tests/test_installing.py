"""What README and docs/install.md say about installing, typed as it stands: by pipx, uv and pip; the wheel
with each extra, man pages, Tab, and where strike writes."""

from __future__ import annotations

import json
import os
import re
import select
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest
from support.documents import ROOT, examples_in

pytestmark = pytest.mark.slow

fcntl = pytest.importorskip("fcntl", reason="what is typed is for the shells of Linux and macOS")

README, INSTALL = ((ROOT / name).read_text("utf-8") for name in ("README.md", "docs/install.md"))
PLAYED = "The Ford at Dusk"
"""The fight of the example campaign, which every evening of it comes to."""
SECRET = "whsec_c2l4dGVlbiBieXRlcyBvciBtb3Jl\n"


def typed_in(page: str, why: str) -> list[str]:
    """The lines of a page's blocks that no other test plays for that reason."""
    return [each.typed for each in examples_in(page) if each.unplayed.startswith(why)]


class Shell:
    """A shell in an empty folder and a home of its own, with some programs on its path before all others."""

    def __init__(self, folder: Path, *places: Path) -> None:
        self.folder, self.home = folder / "here", folder / "home"
        self.folder.mkdir(parents=True)
        self.home.mkdir()
        ours = ("PIP_", "UV_", "SSL_", "LANG", "LC_")
        self.environment = {key: value for key, value in os.environ.items() if key.startswith(ours)}
        path = os.pathsep.join(map(str, [*places, "/usr/local/bin", "/usr/bin", "/bin"]))
        self.environment |= {"HOME": str(self.home), "PATH": path, "TERM": "xterm", "NO_COLOR": "1"}

    def types(self, line: str, stdin: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
        """What comes of a line."""
        return subprocess.run(
            ["bash", "-c", line],
            cwd=self.folder,
            env=self.environment | environment,
            input=stdin,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )

    def says(self, line: str, stdin: str = "", **environment: str) -> str:
        """What a line that has to work prints."""
        ended = self.types(line, stdin, **environment)
        assert ended.returncode in (0, 6), f"{line}\n{ended.stdout}{ended.stderr}"
        return ended.stdout

    @contextmanager
    def terminal(self, line: str) -> Iterator[Terminal]:
        """A line that goes on, in a terminal of 100 columns and 30 rows."""
        import pty
        import termios

        child, ours = pty.fork()
        if child == 0:
            os.chdir(self.folder)
            os.execvpe("bash", ["bash", "-c", line], self.environment)
        termios.tcsetwinsize(ours, (30, 100))
        try:
            yield Terminal(ours)
        finally:
            os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
            os.close(ours)


class Terminal:
    """What somebody sees who types there."""

    def __init__(self, ours: int) -> None:
        self._ours = ours

    def types(self, text: str) -> None:
        os.write(self._ours, text.encode())

    def ends(self) -> None:
        """Read until the program has ended."""
        with suppress(OSError):
            while os.read(self._ours, 65536):
                pass

    def shows(self, wanted: str) -> re.Match[str]:
        """Read until something like it is shown, which has to come."""
        shown, end = "", time.monotonic() + 60
        while (found := re.search(wanted, shown)) is None and time.monotonic() < end:
            if select.select([self._ours], [], [], 0.2)[0]:
                try:
                    shown += os.read(self._ours, 65536).decode(errors="replace")
                except OSError:  # it has ended
                    break
        assert found, shown
        return found


@contextmanager
def alone(lock: Path) -> Iterator[None]:
    """While no other process of these tests is in such a block."""
    with open(lock, "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of the repository, where a build may leave something."""
    folder = tmp_path_factory.mktemp("checkout") / "strike"
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).exists():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return folder


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of all processes of a run."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base


@pytest.fixture(scope="module")
def wheel(checkout: Path, shared: Path) -> Path:
    """The wheel, built once."""
    made = shared / "wheel"
    with alone(shared / "wheel.lock"):
        if not made.exists():
            pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", made, checkout)
    return next(made.glob("*.whl"))


@pytest.fixture(scope="module")
def tools(shared: Path) -> Path:
    """pipx and uv."""
    made = shared / "tools"
    with alone(shared / "tools.lock"):
        if not made.exists():
            subprocess.run([sys.executable, "-m", "venv", "--without-pip", made], check=True)
            pip("--python", made, "install", "pipx", "uv")
    return made / "bin"


def pip(*words: str | Path) -> None:
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", *words]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)


# By pipx, uv and pip


def test_readme_s_five_lines_lead_to_a_fight_on_the_page(tools: Path, checkout: Path, tmp_path: Path) -> None:
    """The first from the checkout; the last serves until Ctrl-C."""
    bin = tmp_path / "bin"
    shell = Shell(tmp_path, bin, tools)
    shell.environment |= {
        "PIPX_HOME": str(tmp_path / "pipx"),
        "PIPX_BIN_DIR": str(bin),
        "PIPX_MAN_DIR": str(tmp_path / "man"),
        "PIPX_DEFAULT_PYTHON": sys.executable,
    }
    install, *lines = typed_in(README, "installs")
    assert install.startswith("pipx install ") and len(lines) == 4
    shell.says(f"cd {checkout} && {install}")
    serves = shlex.join([*shlex.split(lines.pop(), comments=True), "--port", "0"])
    shell.says(" && ".join(shlex.join(shlex.split(line, comments=True)) for line in lines))
    with shell.terminal(f"cd my-campaign && {serves}") as terminal:
        address = terminal.shows(r"(http://\S+:\d+)\D")[1]
        shown, end = ("", 0), time.monotonic() + 30
        while shown != (PLAYED, 10) and time.monotonic() < end:
            time.sleep(0.1)
            state = httpx.get(f"{address}/api/v1/state").json()
            shown = (state["scene"] or {"name": ""})["name"], len(state["tokens"])
        assert shown == (PLAYED, 10), "everybody in the fight is on the page"
    assert (tmp_path / "man" / "man1" / "strike-combat.1").exists(), "pipx puts man pages where man looks"


@pytest.mark.parametrize(
    "line",
    [line for line in typed_in(INSTALL, "installs") if not line.startswith("pipx")],
    ids=lambda line: line.split()[0],
)
def test_what_installs_it_installs_it(line: str, tools: Path, checkout: Path, tmp_path: Path) -> None:
    """By uv into a place of its own, by pip into the environment that one is in."""
    bin = tmp_path / "env" / "bin"
    shell = Shell(tmp_path, bin, tools)
    shell.environment |= {
        "UV_TOOL_DIR": str(tmp_path / "uv"),
        "UV_TOOL_BIN_DIR": str(bin),
        "UV_PYTHON": sys.executable,
    }
    if line.startswith("pip "):
        subprocess.run([sys.executable, "-m", "venv", tmp_path / "env"], check=True)
    shell.says(f"cd {checkout} && {line}")
    assert shell.says("command -v strike").strip() == str(bin / "strike")
    assert PLAYED in shell.says("strike demo")


# The wheel, and its extras


def serves_the_table(shell: Shell) -> None:
    assert "http://127.0.0.1:" in shell.says("strike demo")


def plays_on_the_full_screen(shell: Shell) -> None:
    with shell.terminal("strike -C mine play") as terminal:
        terminal.shows("Vex Marlowe")


def simulates_on_a_cluster(shell: Shell) -> None:
    """A scheduler and its worker, in processes beside."""
    (shell.folder / "cluster.py").write_text(
        "import sys\nfrom distributed import LocalCluster\n"
        "if __name__ == '__main__':\n"
        "    with LocalCluster(1, threads_per_worker=1, dashboard_address=None, host='127.0.0.1') as it:\n"
        "        print('at', it.scheduler_address, flush=True)\n"
        "        sys.stdin.read()\n"
    )
    with shell.terminal("python cluster.py") as terminal:
        address = terminal.shows(r"at (tcp:\S+)\s")[1]
        assert "4 fights" in shell.says(f"strike -C mine sim ford --fights 4 --on {address}")
        terminal.types("\x04")
        terminal.ends()


def draws_the_map(shell: Shell) -> None:
    (shell.folder / "draw.py").write_text(
        "from strike_bridge.map_picture import draw_map\n"
        "nothing = dict.fromkeys(('zones', 'walls', 'one_way_walls', 'doors'), ())\n"
        "print(draw_map({'name': 'a room', 'rows': ['..'], **nothing}, [], None)[:8])\n"
    )
    assert "PNG" in shell.says("python draw.py")


def writes_a_page_to_print(shell: Shell) -> None:
    assert "one page" in shell.says("strike -C mine cheat --pdf")
    assert (shell.folder / "strike-cheat.pdf").read_bytes().startswith(b"%PDF-")


def keeps_a_key_in_the_desktop_s_store(shell: Shell) -> None:
    """In a stand-in for one, which no machine of tests has."""
    (shell.folder / "store.py").write_text(
        "import keyring.backend\n"
        "class Store(keyring.backend.KeyringBackend):\n"
        "    priority, kept = 9, {}\n"
        "    def get_password(self, *place): return self.kept.get(place)\n"
        "    def set_password(self, service, name, key): self.kept[service, name] = key\n"
    )
    said = shell.says(
        "strike -C mine bridge login hook", SECRET, PYTHONPATH=".", PYTHON_KEYRING_BACKEND="store.Store"
    )
    assert "kept in the keyring" in said


def answers_an_assistant(shell: Shell) -> None:
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    asked = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}
    assert '"serverInfo"' in shell.says("strike -C mine mcp", json.dumps(asked) + "\n")


def has_all_of_it(shell: Shell) -> None:
    shell.says(
        "python -c 'import distributed, keyring, mcp, PIL, reportlab, segno, starlette, textual, uvicorn'"
    )
    shell.says("uv pip check")


def serves_quickly(shell: Shell) -> None:
    shell.says(
        "python -c 'import httptools, starlette; "
        "from strike_table.httptools_connection import HttpToolsConnection'"
    )


BRINGS: dict[str, Callable[[Shell], None]] = {
    "table": serves_the_table,
    "serve": serves_quickly,
    "play": plays_on_the_full_screen,
    "cluster": simulates_on_a_cluster,
    "pictures": draws_the_map,
    "pdf": writes_a_page_to_print,
    "mcp": answers_an_assistant,
    "keyring": keeps_a_key_in_the_desktop_s_store,
    "all": has_all_of_it,
}


def at_the_wheel(folder: Path, tools: Path, wheel: Path, extra: str = "") -> Shell:
    """A shell with the wheel installed, and a campaign in which a fight is under way."""
    shell = Shell(folder, folder / "env" / "bin", tools)
    shell.environment["VIRTUAL_ENV"] = f"{folder}/env"
    shell.says(f"uv venv --python {sys.executable} {folder}/env")
    shell.says(f"uv pip install '{wheel}{extra}'")
    shell.says("strike new mine")
    with (shell.folder / "mine" / "campaign.toml").open("a") as file:
        file.write('\n[bridge.targets.hook]\nkind = "webhook"\nurl = "http://127.0.0.1:9"\n')
    shell.says("strike -C mine bridge allow hook --yes")
    shell.says("strike -C mine combat start ford")
    return shell


@pytest.mark.parametrize("extra", re.findall(r"^\| `(\w+)` \|", INSTALL, re.MULTILINE))
def test_an_extra_brings_what_the_page_says(extra: str, tools: Path, wheel: Path, tmp_path: Path) -> None:
    shell = at_the_wheel(tmp_path, tools, wheel, f"[{extra}]")
    BRINGS[extra](shell)


@pytest.fixture(scope="module")
def bare(tools: Path, wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Shell:
    """A shell with the wheel and no extra."""
    return at_the_wheel(tmp_path_factory.mktemp("bare"), tools, wheel)


def test_a_command_that_lacks_an_extra_says_which(bare: Shell) -> None:
    for line, extra in (
        ("strike -C mine table", "table"),
        ("strike demo", "table"),
        ("strike -C mine sim ford --on tcp://127.0.0.1:9", "cluster"),
    ):
        ended = bare.types(line)
        assert ended.returncode != 0 and f"strike-cli[{extra}]" in ended.stderr, line
    with bare.terminal("strike -C mine play") as terminal:
        terminal.shows(r"strike-cli\[play\]")
    assert "kept in" in bare.says("strike -C mine bridge login hook", SECRET)


def test_man_shows_the_pages(bare: Shell) -> None:
    if shutil.which("man") is None:
        pytest.skip("no man here")
    (place,) = {page.parents[1] for page in bare.folder.parent.glob("env/**/man1/strike.1")}
    for line, wanted in (("man strike", "strike-combat(1)"), ("man strike-combat", "strike combat attack")):
        assert wanted in re.sub(".\b", "", bare.says(line, MANPATH=str(place), MANWIDTH="200")), line


def test_tab_offers_what_may_follow_in_bash(bare: Shell) -> None:
    """Once it is installed as the page says, in the next shell."""
    version = bare.says("echo ${BASH_VERSINFO[0]} ${BASH_VERSINFO[1]}").split()
    if [*map(int, version)] < [4, 4]:
        pytest.skip("bash is older than what orders offers")
    (line,) = typed_in(INSTALL, "changes the shell")
    assert line == "strike --install-completion"
    with bare.terminal("exec bash -i") as terminal:
        terminal.types(f"PS1='> '; {line}; echo; exec bash -i\n")
        terminal.shows("[y/N]")
        terminal.types("n\n")
        terminal.shows("Completion works in bash")
        terminal.types("PS1='ready'; cd mine\n")
        terminal.shows("ready")
        terminal.types("strike combat init\t")
        terminal.shows("initiative")


def test_it_writes_where_the_page_says(bare: Shell, tmp_path: Path) -> None:
    shell = Shell(tmp_path, bare.folder.parent / "env" / "bin")
    shell.says("strike new mine && strike -C mine combat start ford && strike -C mine status")
    with shell.terminal("strike -C mine shell") as terminal:
        terminal.shows(">")
        terminal.types("status\n")
        terminal.shows(PLAYED)
        terminal.types("exit\n")
        terminal.ends()
    assert [path.name for path in shell.folder.iterdir()] == ["mine"]
    written = {path.relative_to(shell.home) for path in shell.home.rglob("*") if path.is_file()}
    assert {Path(*path.parts[:3]) for path in written if path.parts[0] == ".local"} == {
        Path(".local/state/strike")
    }
    assert {Path(*path.parts[:2]) for path in written if path.parts[0] != ".local"} == {Path(".cache/strike")}
