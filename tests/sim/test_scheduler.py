"""Fights spread over processes: whoever plays them, and whoever is killed, they come to the same."""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import pytest
from support import fights
from support.thorough import THOROUGH

from strike_cli.problems import PluginProblem
from strike_cli.sim import sim_plan
from strike_cli.sim.chunk_worker import (
    Task,
    WorkerAnswer,
    describe_difference,
    play_chunk,
    versions_and_source_digests,
)
from strike_cli.sim.sim_plan import digest_of_tallies, split_into_chunks
from strike_cli.sim.simulated_fight import FrozenCampaign
from strike_cli.sim.tallies import ChunkResult
from strike_cli.sim.task_backends import (
    MAX_RESENDS,
    Backend,
    InProcess,
    LocalProcesses,
    TaskSpreader,
    UnplayableChunk,
)

FIGHTS = 60


@pytest.fixture
def two() -> Iterator[LocalProcesses]:
    backend = LocalProcesses(2)
    yield backend
    backend.close()


@pytest.fixture
def mark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(fights.MARK, str(tmp_path / "mark"))
    return tmp_path / "mark"


def _all(
    backend: Backend, tasks: list[Task], play: Callable[[Task], WorkerAnswer] = fights.play
) -> ChunkResult:
    found = ChunkResult(len(tasks[0].arms))
    for chunk, came in TaskSpreader(backend, {"book": b"book"}, play).play_and_yield_in_order(tasks):
        assert chunk.fights == came.arms[0].days
        found.merge(came)
    return found


def _alone(size: int = 10, arms: int = 1, seed: int = 1) -> str:
    return digest_of_tallies(_all(InProcess(), fights.tasks(FIGHTS, size, arms, seed)).arms)


def test_chunks_of_any_size_come_to_the_same() -> None:
    assert len({_alone(size) for size in (1, 7, 10, 60, 100)}) == 1
    assert _alone(arms=2) != _alone() != _alone(seed=2)


def test_chunks_cover_every_fight_once_and_end_at_every_look() -> None:
    for size in (1, 7, 50, 1000):
        found = list(split_into_chunks(130, size, 50))
        assert [n for each in found for n in range(each.first, each.first + each.fights)] == list(range(130))
        ends = {each.first + each.fights for each in found}
        assert {50, 100, 130} <= ends


@pytest.mark.slow
def test_processes_and_a_killed_one_come_to_the_same(two: LocalProcesses, mark: Path) -> None:
    assert digest_of_tallies(_all(two, fights.tasks(FIGHTS, 5)).arms) == _alone()
    assert digest_of_tallies(_all(two, fights.tasks(FIGHTS, 7), fights.falls_once).arms) == _alone()
    assert mark.exists()


@pytest.mark.slow
def test_a_chunk_that_kills_is_named_and_others_are_not(two: LocalProcesses, mark: Path) -> None:
    with pytest.raises(UnplayableChunk, match=r"Fights 15 to 19 crashed their workers"):
        _all(two, fights.tasks(FIGHTS, 5), fights.always_falls)
    # With others, whoever was to blame; then alone, as often as it is tried.
    assert MAX_RESENDS <= len(mark.read_text()) <= MAX_RESENDS + 1


@pytest.mark.slow
def test_who_came_late_is_brought_the_book(two: LocalProcesses, mark: Path) -> None:
    found = _all(two, fights.tasks(FIGHTS, 3), fights.lacks_at_first)
    assert digest_of_tallies(found.arms) == _alone()


class _Seen(LocalProcesses):
    """Notes what is sent."""

    def __init__(self, workers: int) -> None:
        super().__init__(workers)
        self.sent: list[Task] = []

    def started_executor(self) -> Executor:
        pool, sent = super().started_executor(), self.sent

        class Noting(Executor):
            def submit(self, call: Any, /, *args: Any, **named: Any) -> Future[Any]:
                sent.extend(arg for arg in args if isinstance(arg, Task))
                return pool.submit(call, *args, **named)

        return Noting()


@pytest.mark.slow
def test_the_book_travels_once_a_worker(frozen: FrozenCampaign) -> None:
    """With the process as it begins, and with no task."""
    backend = _Seen(2)
    try:
        played = sim_plan.play_plan(sim_plan.SimPlan([(frozen, "quick")], 1, 4, None, 1), backend)
    finally:
        backend.close()
    assert played.tally_of_first_arm.days == len(backend.sent) == 4
    assert not any(task.packed for task in backend.sent)


@pytest.mark.slow
def test_what_comes_back_comes_in_order_and_few_are_under_way(two: LocalProcesses) -> None:
    taken: list[int] = []

    def tasks() -> Iterator[Task]:
        for task in fights.tasks(2000, 10):
            taken.append(task.chunk.number)
            yield task

    numbers = []
    for chunk, _ in TaskSpreader(two, {}, fights.play).play_and_yield_in_order(tasks()):
        numbers.append(chunk.number)
        assert len(taken) - len(numbers) <= 3 * two.workers + 1
        if len(numbers) == 40:
            break
    assert numbers == list(range(40))


@pytest.mark.slow
def test_a_worker_that_is_another_strike_is_refused_by_name() -> None:
    (task,) = fights.tasks(5, 5)
    own = versions_and_source_digests()
    older = {**own, "strike": "0.0.9 (cafe)", "plugin lost": "1.0 ()"}
    answer = play_chunk(task._replace(strike=older))
    assert answer.played is None and "strike" in answer.unlike and "plugin lost missing" in answer.unlike
    assert describe_difference(own, own) == ""
    with pytest.raises(PluginProblem, match=r"The worker \S+:\d+ has another strike: plugin lost missing"):
        list(TaskSpreader(InProcess(), {}).play_and_yield_in_order([task._replace(strike=older)]))


def test_a_mistake_in_a_rule_names_the_fights(monkeypatch: pytest.MonkeyPatch) -> None:
    (task,) = fights.tasks(5, 5)
    answer = WorkerAnswer("test:1", fault="KeyError: 'hp'\nTraceback")
    with pytest.raises(UnplayableChunk, match=r"Fights 0 to 4 can't be played: KeyError: 'hp'"):
        list(TaskSpreader(InProcess(), {}, lambda _: answer).play_and_yield_in_order([task]))


@pytest.mark.slow
def test_memory_does_not_grow_with_the_number_of_fights() -> None:
    """What is kept of a thousand fights is hardly more than of a hundred."""
    few, many = (len(pickle.dumps(_all(InProcess(), fights.tasks(n, 50)))) for n in (200, 2000))
    assert many < few * 1.5


def test_a_worker_learns_what_it_plays_and_checks_it() -> None:
    (task,) = fights.tasks(5, 5)
    asked = task._replace(strike=versions_and_source_digests(), arms=(task.arms[0]._replace(frozen="abc"),))
    assert play_chunk(asked).lacks == ("abc",)
    assert "isn't a book" not in play_chunk(asked._replace(packed={"abc": b"junk"})).fault
    assert play_chunk(asked._replace(packed={"abc": b"junk"})).fault


@pytest.mark.skipif(not THOROUGH, reason="many processes")
@pytest.mark.parametrize("workers", [1, 2, 3])
@pytest.mark.parametrize("size", [1, 13, 50])
def test_any_workers_with_any_chunks(workers: int, size: int) -> None:
    backend = LocalProcesses(workers)
    try:
        assert digest_of_tallies(_all(backend, fights.tasks(FIGHTS, size)).arms) == _alone()
    finally:
        backend.close()


@pytest.mark.slow
def test_nothing_is_left_running(two: LocalProcesses) -> None:
    others = active_children()
    _all(two, fights.tasks(20, 5))
    processes = [process for process in active_children() if process not in others]
    two.close()
    until = time.monotonic() + 30
    while any(process.is_alive() for process in processes) and time.monotonic() < until:
        time.sleep(0.05)  # the pool's own thread may wait for them at the same moment
    assert processes and not any(process.is_alive() for process in processes)
