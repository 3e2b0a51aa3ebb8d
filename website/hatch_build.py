"""The build hook that adds man pages and completion scripts to the wheel.

They are made from the program's help while the wheel is built, so that they are never out of date.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class SharedFilesHook(BuildHookInterface[BuilderConfig]):
    """The build hook that writes man pages and completions, and puts them below the wheel's `share`."""

    def initialize(self, version: str, build_data: dict[str, object]) -> None:
        """Make the shared files before hatchling packs the wheel. An editable install gets none."""
        if version != "standard":
            return
        self._scratch = tempfile.TemporaryDirectory()
        scratch = Path(self._scratch.name)
        self._write_entry_points(scratch / "site")
        root = Path(self.root)
        paths = [scratch / "site", root, root / "bridge", root / "plugins", *map(Path, sys.path[1:])]
        env = os.environ | {
            "PYTHONPATH": os.pathsep.join(map(str, paths)),
            "PYTHONDONTWRITEBYTECODE": "1",
            "XDG_CACHE_HOME": str(scratch / "cache"),
        }
        share, shared = scratch / "share", build_data["shared_data"]
        assert isinstance(shared, dict)
        subprocess.run(
            [sys.executable, "-m", "website.man_pages_and_completions", share], cwd=root, env=env, check=True
        )
        for file in sorted(share.rglob("*")):
            if file.is_file():
                shared[str(file)] = f"share/{file.relative_to(share).as_posix()}"

    def finalize(self, version: str, build_data: dict[str, object], artifact_path: str) -> None:
        """Remove the scratch folder when the wheel is packed."""
        if version == "standard":
            self._scratch.cleanup()

    def _write_entry_points(self, site: Path) -> None:
        """Write strike's entry points below `site`, as an installation would.

        With these, strike finds its systems although it isn't installed.
        """
        info = site / f"strike_cli-{self.metadata.version}.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: strike-cli\nVersion: {self.metadata.version}\n"
        )
        points = self.metadata.core.entry_points
        text = "".join(
            f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in found.items())
            for group, found in points.items()
        )
        (info / "entry_points.txt").write_text(text)
