"""Fights on a cluster. Usually its scheduler and worker are threads of this process; thoroughly they are
a real scheduler and two workers on this machine, one of which is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support.thorough import THOROUGH

from strike_cli.problems import CampaignProblem, PluginProblem
from strike_cli.sim import chunk_worker, sim_plan
from strike_cli.sim.sim_plan import SimPlan, digest_of_tallies
from strike_cli.sim.simulated_fight import FrozenCampaign
from strike_cli.sim.task_backends import Backend, DaskCluster, InProcess

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _dask() -> None:
    pytest.importorskip("distributed")


BEGIN = """
import sys
from distributed import LocalCluster
if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1") as cluster:
        print(cluster.scheduler_address, *(w.pid for w in cluster.workers.values()), flush=True)
        sys.stdin.read()
"""


@pytest.fixture
def threads() -> Iterator[str]:
    """The address of a scheduler in this process."""
    from distributed import LocalCluster

    with LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None) as local:
        yield local.scheduler_address


def digest(plan: SimPlan, backend: Backend, *watch: Callable[[object], None]) -> str:
    """What a plan comes to when it is played there."""
    return digest_of_tallies(sim_plan.play_plan(plan, backend, *watch).results.arms)


def test_a_cluster_comes_to_the_same(
    threads: str, frozen: FrozenCampaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The book is brought to the worker before anything is played, and one that is another strike is
    refused."""
    plan = SimPlan([(frozen, "quick")], 3, 4, None, 1)
    chunk_worker._campaigns.clear()
    backend = DaskCluster(threads)
    try:
        assert backend.workers == 1
        assert digest(plan, backend) == digest(plan, InProcess())
        monkeypatch.setattr(
            sim_plan,
            "versions_and_source_digests",
            lambda: {**chunk_worker.versions_and_source_digests(), "strike": "9.9 (beef)"},
        )
        with pytest.raises(PluginProblem, match=r"strike 0\.1\.0"):
            sim_plan.play_plan(plan, backend)
    finally:
        backend.close()


real = pytest.mark.skipif(not THOROUGH, reason="processes that take long to begin and to miss")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, list[int]]]:
    """A scheduler's address, and the processes of its workers."""
    place = tmp_path_factory.mktemp("dask")
    script = place / "begin_cluster.py"
    script.write_text(BEGIN)
    process = subprocess.Popen(
        [sys.executable, str(script)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=place,
        env=os.environ | {"DASK_TEMPORARY_DIRECTORY": str(place)},
    )
    assert process.stdout and process.stdin
    address, *pids = process.stdout.readline().split()
    yield address, [int(pid) for pid in pids]
    process.stdin.close()
    process.wait(20)


@real
def test_a_cluster_one_of_whose_workers_is_killed_comes_to_the_same(
    cluster: tuple[str, list[int]], frozen: FrozenCampaign
) -> None:
    address, pids = cluster
    plan = SimPlan([(frozen, "quick")], 3, 12, None, 1)
    backend = DaskCluster(address)
    killed: list[int] = []

    def watch(found: object) -> None:
        if not killed:
            killed.append(pids[0])
            os.kill(pids[0], signal.SIGKILL)

    try:
        found = digest(plan, backend, watch)
    finally:
        backend.close()
    assert killed
    assert found == digest(plan, InProcess())


@real
def test_a_worker_of_another_strike_is_refused_by_name(
    cluster: tuple[str, list[int]], frozen: FrozenCampaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    backend = DaskCluster(cluster[0])
    monkeypatch.setattr(
        sim_plan,
        "versions_and_source_digests",
        lambda: {**chunk_worker.versions_and_source_digests(), "strike": "9.9 (beef)"},
    )
    try:
        with pytest.raises(PluginProblem, match=r"tcp://\S+ .*strike 0\.1\.0"):
            sim_plan.play_plan(SimPlan([(frozen, "quick")], 1, 4), backend)
    finally:
        backend.close()


def test_no_scheduler_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(CampaignProblem, match=r"No Dask scheduler answers at tcp://127\.0\.0\.1:9"):
        DaskCluster("tcp://127.0.0.1:9", timeout=1).started_executor()
