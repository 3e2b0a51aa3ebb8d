"""The distribution of chunks of fights to workers: in this process, on this machine, or in a cluster.

Any `concurrent.futures.Executor` will do. Results come in order, a worker may be killed at any time, and only
a few chunks for each worker are under way at once. Begin with `TaskSpreader`.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from typing import TYPE_CHECKING, ParamSpec, Protocol, TypeVar, cast

from ..problems import CampaignProblem, PluginProblem, Usage
from .chunk_worker import Task, WorkerAnswer, play_chunk, store_campaigns_if_same_strike
from .tallies import Chunk, ChunkResult

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

    class _DaskClient(Protocol):
        """The methods of Dask's client that are used here, with their types.

        Dask's own package declares no types.
        """

        def nthreads(self) -> dict[str, int]: ...
        def get_executor(self, *, pure: bool) -> Executor: ...
        def run(
            self,
            call: Callable[[dict[str, str], dict[str, bytes]], str],
            strike: dict[str, str],
            packed: dict[str, bytes],
            /,
            *,
            on_error: str,
        ) -> dict[str, str | BaseException]: ...
        def close(self, timeout: float = ...) -> None: ...

    class _MakesClient(Protocol):
        def __call__(self, address: str, *, timeout: float, set_as_default: bool) -> _DaskClient: ...


P = ParamSpec("P")
T = TypeVar("T")

MAX_RESENDS = 3
"""How often a chunk is sent again when its worker was lost."""
CHUNKS_AHEAD = 2
"""The chunks that wait for each worker, besides the one that it plays."""

Play = Callable[[Task], WorkerAnswer]


class Backend(Protocol):
    """A place where a simulation is played, such as this machine or a cluster.

    The work is divided into chunks of several fights. A worker plays one chunk at a time.
    """

    @property
    def workers(self) -> int:
        """The number of chunks played at once."""

    def prepare_workers_for_campaigns(self, strike: dict[str, str], packed: dict[str, bytes]) -> None:
        """Send campaigns to every worker that is known now, so that it can play them.

        `packed` has the campaigns as bytes, by their digests. `strike` has the versions of strike and of the
        plugins on the sender's side. Raises PluginProblem if a worker has other versions.
        """

    def started_executor(self) -> Executor:
        """Return the executor for tasks, started if it isn't running."""

    def drop_broken_executor(self) -> None:
        """Drop an executor that is broken because one of its workers is gone.

        The next use of the backend starts or connects to another one.
        """

    def close(self) -> None:
        """Stop at once; work under way is dropped."""


class InProcess:
    """The backend that plays in this process alone."""

    workers = 1

    def prepare_workers_for_campaigns(self, strike: dict[str, str], packed: dict[str, bytes]) -> None:
        """Store the campaigns in this process."""
        store_campaigns_if_same_strike(strike, packed)

    def started_executor(self) -> Executor:
        """Return an executor that runs each task at once."""
        return _ImmediateExecutor()

    def drop_broken_executor(self) -> None:
        """Do nothing: no work is ever lost here."""

    def close(self) -> None:
        """Do nothing: no work is under way."""


class _ImmediateExecutor(Executor):
    def submit(self, call: Callable[P, T], /, *args: P.args, **named: P.kwargs) -> Future[T]:
        future: Future[T] = Future()
        future.set_result(call(*args, **named))
        return future


class LocalProcesses:
    """The backend that plays the fights of a simulation in separate processes on this machine."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self.strike: dict[str, str] = {}
        self.packed: dict[str, bytes] = {}
        self._pool: ProcessPoolExecutor | None = None

    def prepare_workers_for_campaigns(self, strike: dict[str, str], packed: dict[str, bytes]) -> None:
        """Store the campaigns, so that each process can be given them when it starts.

        If processes are running with other campaigns, they are ended.

        Args:
            strike: The versions of strike and of the plugins that the sender has.
            packed: The campaigns to play, by digest.
        """
        if self._pool is not None and self.packed != packed:
            self.close()
        self.strike, self.packed = strike, packed

    def started_executor(self) -> Executor:
        """Return the pool of processes. If no pool is running, start one first."""
        if self._pool is None:
            from concurrent.futures import ProcessPoolExecutor
            from multiprocessing import get_context

            # Not forked: a fork of a process with threads, such as a progress bar's, may hang.
            self._pool = ProcessPoolExecutor(
                self.workers,
                mp_context=get_context("spawn"),
                initializer=_store_campaigns_and_ignore_ctrl_c,
                initargs=(self.strike, self.packed),
            )
        return self._pool

    def drop_broken_executor(self) -> None:
        self.close()

    def close(self) -> None:
        """Drop the pool, and end its work."""
        pool, self._pool = self._pool, None
        if pool is None:
            return
        processes = list((getattr(pool, "_processes", None) or {}).values())
        pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.terminate()


def _store_campaigns_and_ignore_ctrl_c(strike: dict[str, str], packed: dict[str, bytes]) -> None:
    """Prepare a new process: store the campaigns, and leave Ctrl-C to the parent process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    store_campaigns_if_same_strike(strike, packed)


class DaskCluster:
    """The backend that sends tasks to the workers of a Dask scheduler."""

    def __init__(self, address: str, timeout: float = 10) -> None:
        self.address = address
        self.timeout = timeout
        self._client: _DaskClient | None = None

    @property
    def workers(self) -> int:
        """The number of tasks that the cluster can run at once now, at least 1."""
        return max(1, sum(self._connected_client().nthreads().values()))

    def started_executor(self) -> Executor:
        """Return an executor of the scheduler. Raises CampaignProblem if the scheduler can't be reached."""
        return self._connected_client().get_executor(pure=False)

    def _connected_client(self) -> _DaskClient:
        if self._client is None:
            try:
                from distributed import Client
            except ImportError:
                raise Usage(
                    "--on needs Dask, which isn't installed.",
                    "`pip install strike-cli[cluster]` installs it.",
                ) from None
            try:
                make = cast("_MakesClient", Client)  # its package has no types
                self._client = make(self.address, timeout=self.timeout, set_as_default=False)
            except Exception as error:  # the server there may be of any kind
                raise CampaignProblem(
                    f"No Dask scheduler answers at {self.address}: {error or type(error).__name__}.",
                    "`dask scheduler` starts one and shows its address (docs/sim.md).",
                ) from None
            if not self._client.nthreads():
                self.close()
                raise CampaignProblem(
                    f"The scheduler at {self.address} has no workers.",
                    f"`dask worker {self.address}` starts one, on any machine (docs/sim.md).",
                )
        return self._client

    def prepare_workers_for_campaigns(self, strike: dict[str, str], packed: dict[str, bytes]) -> None:
        """Send the campaigns to every worker that the cluster has now.

        A worker that joins later asks for them itself. Raises PluginProblem if a worker can't play the
        campaigns.
        """
        for address, said in (
            self._connected_client()
            .run(store_campaigns_if_same_strike, strike, packed, on_error="return")
            .items()
        ):
            if isinstance(said, BaseException):
                raise PluginProblem(
                    f"The worker {address} can't play: {type(said).__name__}: {said}.",
                    "It needs the same strike and plugins (docs/sim.md).",
                )
            if said:
                raise _other_strike_problem(address, said)

    def drop_broken_executor(self) -> None:
        """Drop the connection; the next use connects to the scheduler again."""
        self.close()

    def close(self) -> None:
        """Disconnect, which cancels the tasks that were sent."""
        client, self._client = self._client, None
        if client is not None:
            client.close(timeout=2)


def usable_core_count() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _other_strike_problem(worker: str, differs: str) -> PluginProblem:
    return PluginProblem(
        f"The worker {worker} has another strike: {differs}.",
        "Install the same there, or stop it; none of its fights were counted.",
    )


class UnplayableChunk(PluginProblem):
    """The error of a chunk that crashes its workers or fails on one."""


class TaskSpreader:
    """A sender of tasks to a backend.

    It yields the results in the order of the tasks.
    """

    def __init__(self, backend: Backend, packed: dict[str, bytes], play: Play = play_chunk) -> None:
        self.backend = backend
        self.packed = packed
        self.play = play
        self.under_way: dict[Future[WorkerAnswer], Task] = {}
        self.done: dict[int, ChunkResult] = {}
        self.suspects: set[int] = set()
        """Chunks that were under way when a worker was lost: they are played one at a time, until it is known
        which of them was to blame.
        """
        self.lost = 0
        """How often a worker was lost."""

    def play_and_yield_in_order(self, tasks: Iterable[Task]) -> Iterator[tuple[Chunk, ChunkResult]]:
        """Play the chunks of the tasks, and yield each chunk with its result, in the order of the tasks.

        Raises UnplayableChunk if a chunk can't be played. Raises PluginProblem if a worker has another
        version of strike or of a plugin.
        """
        waiting = iter(tasks)
        again: list[Task] = []
        order: list[Task] = []
        exhausted = False
        while True:
            while order and order[0].chunk.number in self.done:
                chunk = order.pop(0).chunk
                yield chunk, self.done.pop(chunk.number)
            while len(self.under_way) < self._most_under_way() and (again or not exhausted):
                if again:
                    self._send_or_requeue(again.pop(0), again)
                    continue
                task = next(waiting, None)
                exhausted = task is None
                if task is not None:
                    order.append(task)
                    self._send_or_requeue(task, again)
            if not order and exhausted:
                return
            if self.under_way:
                self._wait_and_collect_finished(again)

    def _most_under_way(self) -> int:
        if self.suspects:
            return 1
        # Results that wait for an earlier one count, too, so that a slow chunk doesn't fill the memory.
        return (
            max(1, self.backend.workers * (1 + CHUNKS_AHEAD) - len(self.done))
            if self.backend.workers > 1
            else 1
        )

    def _send_or_requeue(self, task: Task, tasks_to_resend: list[Task]) -> None:
        try:
            self.under_way[self.backend.started_executor().submit(self.play, task)] = task
        except (RuntimeError, OSError) as error:  # the pool broke since it was last used
            self._requeue_lost_tasks({task.chunk.number: task}, error, tasks_to_resend)

    def _wait_and_collect_finished(self, tasks_to_resend: list[Task]) -> None:
        """Wait until a task under way is finished, and store the results of all finished tasks.

        Tasks that must be sent once more are put into `tasks_to_resend`.
        """
        finished, _ = wait(self.under_way, return_when=FIRST_COMPLETED)
        lost: dict[int, Task] = {}
        cause: BaseException | None = None
        for future in finished:
            task = self.under_way.pop(future)
            error = future.exception() if not future.cancelled() else RuntimeError("it was cancelled")
            if error is not None:
                lost[task.chunk.number], cause = task, error
            else:
                self._accept_requeue_or_reject_answer(task, future.result(), tasks_to_resend)
        if cause is not None:
            self._requeue_lost_tasks(lost, cause, tasks_to_resend)

    def _accept_requeue_or_reject_answer(
        self, task: Task, answer: WorkerAnswer, tasks_to_resend: list[Task]
    ) -> None:
        if answer.unlike:
            raise _other_strike_problem(answer.worker, answer.unlike)
        if answer.fault:
            told, _, trace = answer.fault.partition("\n")
            raise UnplayableChunk(
                f"{_fights_words(task.chunk)} can't be played: {told}. The worker was {answer.worker}.",
                f"It is a fault in strike or a plugin; please report it.\n{trace}",
            )
        if answer.lacks:
            # A worker that joined later: the campaigns go along with the task.
            tasks_to_resend.append(task._replace(packed={key: self.packed[key] for key in answer.lacks}))
            return
        assert answer.played is not None
        self.suspects.discard(task.chunk.number)
        self.done[task.chunk.number] = answer.played

    def _requeue_lost_tasks(
        self, lost: dict[int, Task], cause: BaseException, tasks_to_resend: list[Task]
    ) -> None:
        """Put tasks into `tasks_to_resend` after their worker, and perhaps its whole pool, was lost.

        Raises UnplayableChunk if only one chunk was lost, and this chunk has already been sent too often
        (MAX_RESENDS).
        """
        self.lost += 1
        whole = dict(lost)
        if _means_broken_pool(cause):
            for future, task in list(self.under_way.items()):
                if future.done() and not future.cancelled() and future.exception() is None:
                    self._accept_requeue_or_reject_answer(task, future.result(), tasks_to_resend)
                else:
                    whole[task.chunk.number] = task
            self.under_way.clear()
            self.backend.drop_broken_executor()
        alone = len(whole) == 1
        for number, task in sorted(whole.items(), reverse=True):
            # Of several chunks the faulty one isn't known: they are sent again one by one, without counting.
            tries = task.attempt + 1
            if alone and number in self.suspects and tries > MAX_RESENDS:
                raise UnplayableChunk(
                    f"{_fights_words(task.chunk)} crashed their workers, {MAX_RESENDS} times: {cause}.",
                    "Look at the memory of the machine; `--workers 1` plays them in this process.",
                )
            tasks_to_resend.insert(0, task._replace(attempt=tries, packed={}))
        self.suspects.update(whole)


def _means_broken_pool(cause: BaseException) -> bool:
    """Return whether an error means that the pool of workers is broken and can take no more tasks.

    A pool of processes breaks as soon as one of its processes ends unexpectedly.
    """
    from concurrent.futures import BrokenExecutor

    return isinstance(cause, BrokenExecutor | RuntimeError | OSError)


def _fights_words(chunk: Chunk) -> str:
    if chunk.fights == 1:
        return f"Fight {chunk.first}"
    return f"Fights {chunk.first} to {chunk.first + chunk.fights - 1}"
