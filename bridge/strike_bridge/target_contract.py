"""Tests for authors of kinds of target: does a kind keep the bridge's contract?

The tests need no tabletop, and send nothing. The kind makes its requests for a small scene whose creatures
have awkward names. It then gets invented answers, such as servers give, or answers that were recorded
earlier. Begin with `check_target_kind`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple, cast

from strike_cli.problems import CampaignProblem, PluginProblem, Problem, Usage, listed
from strike_cli.registry.installed_plugins import all_kinds_of_target
from strike_cli.tabletop.scene import Board, Meter, Order, Person, Scene, Status
from strike_cli.tabletop.turn_order import Entry
from strike_cli.untrusted_input import parse_toml
from strike_cli.visibility.audiences import Audience

from .http_conversation import PLANNED, Answer, Request, Requests, Wire, converse
from .journal_results import Post
from .request_outcome import APPLIED, Outcome, OutcomeKind
from .sample_payloads import sample_result
from .settings import REST, Settings, settings_from_unchecked_table
from .state_projection import ShownTable, project_scene
from .targets import KINDS, target_class, target_class_of_kind
from .targets.base import HIDDEN_KEY, Finding, Target

MAX_REQUESTS = 200
"""The maximum number of requests of one step, so that a conversation can't go on for ever."""
KEY = "k3y-that-nobody-may-see"
ODD_NAME = 'Vex <script>"@everyone" [[1d6]] ../%00 \N{DRAGON}' + "x" * 300

_JSON = {"content-type": "application/json"}
BAD_ANSWERS = [
    Answer(200, _JSON, body)
    for body in (b"", b"{}", b"[]", b"null", b'"x"', b'{"data": null}', b'{"data": [1]}', b'{"id')
] + [
    Answer(200, {"content-type": "text/html"}, b"<h1>Welcome</h1>"),
    Answer(404, _JSON, b'{"error": "Not found"}'),
    Answer(400, _JSON, b'{"error": {"message": 7}}'),
    Answer(500, {}, b"<h1>Oops</h1>"),
]
"""Answers of servers that are faulty, or are not the expected server."""


class ContractStep(NamedTuple):
    """One of the steps that a target is asked to carry out during the checks."""

    name: str
    requests: Callable[[], Requests]


class RecordedExchange(NamedTuple):
    """A recorded request with its answer."""

    method: str
    path: str
    answer: Answer
    event: str = ""
    """The key of the target's table that made the request, where that was recorded."""


def sample_shown_table(at: str = "B2", hp: int = 7, *, hidden: bool = False, out: bool = False) -> ShownTable:
    """Return a scene with two creatures: a party member, to whom the arguments apply, and an ogre."""
    odd = Person(
        "vex-1",
        ODD_NAME,
        "party",
        "vex",
        None if out else at,
        state="out" if out else "up",
        hidden=hidden,
        statuses=(Status("core:prone", "Prone"), Status("x:burning", "Burning 2")),
        meters=(Meter("hp", "HP", hp, 10),),
        initiative=5,
    )
    ogre = Person(
        "ogre", "Ogre", "enemies", "ogre", "D1", 2, meters=(Meter("hp", "HP", 3, 30),), initiative=2
    )
    people = {odd.id: odd, "ogre": ogre}
    order = Order("list", 2, (Entry("vex-1", "acting", 5), Entry("ogre", "waiting", 2)), "vex-1", ("ogre",))
    board = Board(("........", "........", "........"))
    return project_scene(
        Scene(
            "sample", "sample", "ford", "The Ford", "Get across", 2, people=people, order=order, board=board
        ),
        Audience(True),
    )


def sample_post(secret: bool = False) -> Post:
    """Return a sample result to post, whose actor has an awkward name."""
    told = sample_result("12-gm" if secret else "12", f"{ODD_NAME} hits.", person=ODD_NAME)
    return Post(str(told["id"]), {**told, "secret": secret})


def make_sample_target(kind: str, url: str = "", key: str = KEY, own: Settings | None = None) -> Target:
    """Return a target with an invented key, for the checks.

    Args:
        kind: The kind of the target.
        url: The address. If it is "", the kind's default address is used. If the kind has none, an address on
            this machine is tried, and then no address.
        key: The invented key. If the kind refuses it, "***" is tried.
        own: The settings of the target. Their own address is used in place of `url`. Without `own`, the
            kind's sample settings are used, with `create = true`.

    Raises:
        Problem: The kind refuses every address and key. This is the last refusal.
    """
    sample = own or settings_from_unchecked_table(
        kind, {"kind": kind, **target_class_of_kind(kind).sample_settings(), "create": True}
    )
    found = target_class(sample)
    addresses = [url] if url or found.default_url else ["http://127.0.0.1:1", ""]
    ways = [(address, word) for word in (key, HIDDEN_KEY) for address in addresses]
    for number, (address, word) in enumerate(ways, 1):
        settings = sample if own else sample._replace(url=address)
        word = word if found.key_variable or not own else ""
        try:
            return found(settings, word, word if found.has_session else "")
        except Problem:  # it wants a key of another form, or no address
            if number == len(ways):
                raise
    raise AssertionError("unreachable")


def link_samples_and_yield_steps(target: Target, *, linked: bool = True) -> Iterator[ContractStep]:
    """Yield the steps with which the checks test a target, in the order of a session.

    The steps use two sample tokens. If `linked` is true, both have links from the start, and one of them
    counts as created by the bridge.
    """
    target.links = {"vex-1": "theirs-1", "ogre": "theirs-2"} if linked else {}
    target.created_ids = ["vex-1"] if linked else []
    now, after = sample_shown_table(), sample_shown_table("C3", 4)
    vex, later, away = (
        now.tokens["vex-1"],
        after.tokens["vex-1"],
        sample_shown_table(out=True).tokens["vex-1"],
    )
    assert now.scene is not None
    yield ContractStep("put_scene", partial(target.put_scene, now.scene))
    yield ContractStep("put_token, a new one", partial(target.put_token, vex, None))
    yield ContractStep("put_token, moved and hurt", partial(target.put_token, later, vex))
    yield ContractStep(
        "put_token, hiding", partial(target.put_token, sample_shown_table(hidden=True).tokens["vex-1"], vex)
    )
    yield ContractStep("put_token, out", partial(target.put_token, away, vex))
    if now.order is not None:
        yield ContractStep("put_order", partial(target.put_order, now.order))
    yield ContractStep("put_side_scenes", partial(target.put_side_scenes, []))
    yield ContractStep("put_decisions", partial(target.put_decisions, []))
    yield ContractStep("send_result", partial(target.send_result, sample_post()))
    if target.for_gm:
        yield ContractStep("send_result, a secret one", partial(target.send_result, sample_post(secret=True)))
    yield ContractStep("remove_token", partial(target.remove_token, "vex-1"))
    yield ContractStep("update_pages", target.update_pages)
    yield ContractStep("keep_alive", target.keep_alive)
    yield ContractStep("clear_scene", target.clear_scene)


# The checks


def check_target_kind(
    kind: str, recorded: Iterable[RecordedExchange] = (), settings: Settings | None = None
) -> list[Finding]:
    """Check everything that a kind of target must satisfy, and return the findings.

    Args:
        kind: The kind of target.
        recorded: Recorded requests and answers of a server. If there are any, a sample evening is also played
            against them.
        settings: The settings of the checked target; None for sample settings.

    Raises:
        Problem: The kind can't be loaded.
    """
    make = partial(make_sample_target, kind, own=settings)
    make()
    findings = [Finding("It is loaded, and its options have defaults.")]
    looks = (
        _check_dry_run,
        _check_bad_answers,
        _check_common_error_statuses,
        _check_secrets_and_quoting,
        _check_absolute_requests,
        _check_keeps_placed_tokens,
        _check_reading_methods,
    )
    for look in looks:
        findings += _run_check(look, make)
    exchanges = list(recorded)
    if exchanges:
        findings += _run_check(partial(_check_requests_against_recording, exchanges), make)
    return findings


class PluginKindFaults(NamedTuple):
    """The faults that a check found in a kind of target from a plugin.

    If the kind could not be checked, `not_tried` has the reason. Otherwise `not_tried` is "".
    """

    kind: str
    faults: list[str]
    not_tried: str = ""


def check_loadable_plugin_kinds() -> Iterator[PluginKindFaults]:
    """Check each kind of target that plugins add, presets included, and yield the results.

    Kinds that can't be loaded are left out: `plugin_kind_faults` reports them.
    """
    for kind, reference, plugin in all_kinds_of_target():
        if kind in KINDS:
            continue
        try:
            findings = _check_preset(kind) if reference.endswith(".toml") else check_target_kind(kind)
        except PluginProblem:
            continue
        except Problem as problem:  # it needs settings that only a game master can give
            yield PluginKindFaults(kind, [], problem.message)
        except Exception as error:
            fault = f"{type(error).__name__}: {error}"
            yield PluginKindFaults(kind, [f"{plugin.origin}: target {kind!r} can't be made: {fault}"])
        else:
            said = [f"{found.what} {found.remedy}".strip() for found in findings if not found.well]
            yield PluginKindFaults(kind, [f"{plugin.origin}: target {kind!r}: {each}" for each in said])


def _check_preset(name: str) -> list[Finding]:
    table = {"kind": REST, "base": name, "create": True}
    try:
        return check_target_kind(
            name, settings=settings_from_unchecked_table(name, {**table, "url": "http://127.0.0.1:1"})
        )
    except CampaignProblem:  # its address is the key, or is in the preset
        return check_target_kind(name, settings=settings_from_unchecked_table(name, table))


def _run_check(
    check: Callable[[Callable[[], Target]], Iterator[Finding]], make: Callable[[], Target]
) -> list[Finding]:
    try:
        return list(check(make))
    except Exception as error:
        name = getattr(check, "func", check).__name__.strip("_").replace("_", " ")
        return [
            Finding(
                f"The target fails the check `{name}` ({type(error).__name__}: {error}).",
                False,
                "Fix the target.",
            )
        ]


def _check_dry_run(make: Callable[[], Target]) -> Iterator[Finding]:
    faults = []
    for linked in _both_link_cases_or_only_linked(make()):
        target = make()
        planned = partial(_judge_answer_and_link, target, PLANNED)
        faults += [
            _run_step(step, planned)[1] for step in link_samples_and_yield_steps(target, linked=linked)
        ]
    remedy = "`--dry-run` sends PLANNED as each answer: read values by `answer.value(...)`."
    yield from _as_findings(faults, "Its requests can be shown without sending them.", remedy)


def _as_findings(faults: Iterable[str], success: str, remedy: str) -> Iterator[Finding]:
    told = list(dict.fromkeys(fault for fault in faults if fault))
    if not told:
        yield Finding(success)
    for fault in told:
        yield Finding(f"{fault}.", False, remedy)


def _judge_answer_and_link(target: Target, answer: Answer, request: Request) -> Answer | Outcome:
    """Judge an answer as a worker would.

    Return the answer if the conversation continues after it. Otherwise return the outcome that ends the
    conversation. If the request created a token, link the token.
    """
    outcome = APPLIED if answer.planned else target.outcome(request, answer, 0.0)
    if request.creates and outcome.kind is OutcomeKind.APPLIED:
        theirs = target.token_id(request, answer)
        if not theirs:
            return Outcome(OutcomeKind.UNKNOWN, f"the answer to {request.words()} doesn't name the new token")
        target.links[request.creates] = theirs
        target.created_ids = [*target.created_ids, request.creates]
    return answer if request.goes_on(outcome) else outcome


def _run_step(step: ContractStep, answer: Callable[[Request], Answer | Outcome]) -> tuple[list[Request], str]:
    """Return the requests that a step makes, and the step's fault, "" if it has none.

    `answer` gives the answer to each request.
    """
    sent: list[Request] = []

    def send(request: Request) -> Answer | Outcome:
        if not isinstance(request, Request):
            raise TypeError(f"{request!r} is not a Request")
        request.encoded()
        sent.append(request)
        return answer(request) if len(sent) < MAX_REQUESTS else APPLIED

    try:
        outcome = converse(step.requests(), send)
    except Exception as error:
        return sent, f"{step.name}: {type(error).__name__}: {error}"
    if len(sent) >= MAX_REQUESTS:
        return sent, f"{step.name}: it asked {MAX_REQUESTS} times"
    return sent, "" if isinstance(
        outcome, Outcome
    ) else f"{step.name} returned {outcome!r}, which is not an Outcome"


def _both_link_cases_or_only_linked(target: Target) -> tuple[bool, ...]:
    """Return the values of `linked` to try with `link_samples_and_yield_steps`.

    A target that needs links and can't create tokens is tried only with linked tokens.
    """
    return (True, False) if target.supports.create or not target.supports.links else (True,)


def _check_bad_answers(make: Callable[[], Target]) -> Iterator[Finding]:
    faults: dict[str, str] = {}
    for bad in BAD_ANSWERS:
        target = make()

        answer = partial(_judge_answer_and_link, target, bad)
        for linked in _both_link_cases_or_only_linked(target):
            for step in link_samples_and_yield_steps(target, linked=linked):
                fault = _run_step(step, answer)[1]
                if fault:
                    faults.setdefault(fault, f"{fault}, answered with {bad.status} {bad.body.decode()!r}")
    remedy = "Servers can answer anything: check before you read."
    yield from _as_findings(faults.values(), "It copes with any answer of a server.", remedy)


def _check_common_error_statuses(make: Callable[[], Target]) -> Iterator[Finding]:
    """Check what a target makes of HTTP statuses that mean the same from every server.

    These are 401, 408, 429, 500 and 503.
    """
    target, faults = make(), []
    wanted = {
        401: (OutcomeKind.REJECTED, True),
        429: (OutcomeKind.NOT_SENT, False),
        **dict.fromkeys((500, 408, 503), (OutcomeKind.UNKNOWN, False)),
    }
    for status, (kind, all_) in wanted.items():
        outcome = target.outcome(Request("PUT", "/x", {}), Answer(status, {}, b""), 0.0)
        if (outcome.kind, outcome.all) != (kind, all_):
            faults.append(f"{status} is {outcome.kind.value} to it, and not {kind.value}")
    remedy = "Override `outcome` for this server's special answers, and leave the rest to `super().outcome`."
    yield from _as_findings(faults, "It tells done, not sent, refused and unknown apart.", remedy)


def _check_secrets_and_quoting(make: Callable[[], Target]) -> Iterator[Finding]:
    target = make()
    faults = []
    if target.key == KEY:
        for step in link_samples_and_yield_steps(target):
            shown = "".join(
                f"{request.path}{request.body}" for request in _run_step(step, lambda request: PLANNED)[0]
            )
            faults += [f"{step.name} shows the key to people" for each in target.secrets() if each in shown]
    remedy = "Put secrets into `headers()`, or into a path in `prepare()`."
    yield from _as_findings(faults, "No key is in a path or a body.", remedy)
    odd = [
        f"{step.name}: {request.path!r} is not a path"
        for step in link_samples_and_yield_steps(make())
        for request in _run_step(step, lambda request: PLANNED)[0]
        if not request.path.isprintable() or " " in request.path
    ]
    yield from _as_findings(odd, "Names and ids are quoted in paths.", "`urllib.parse.quote(id, safe='')`.")


def _check_absolute_requests(make: Callable[[], Target]) -> Iterator[Finding]:
    """Check that the requests for a token send the same values, whatever the token's earlier values were."""
    faults = []
    now = sample_shown_table("C3", 4).tokens["vex-1"]
    bodies = []
    for before in (sample_shown_table("B2", 9).tokens["vex-1"], sample_shown_table("H1", 5).tokens["vex-1"]):
        target = make()
        list(link_samples_and_yield_steps(target))
        requests, _ = _run_step(
            ContractStep("", partial(target.put_token, now, before)), lambda request: PLANNED
        )
        bodies.append(
            sorted(
                json.dumps(request.body, sort_keys=True, default=str)
                for request in requests
                if request.method != "GET"
            )
        )
    if bodies[0] != bodies[1]:
        faults.append("put_token sends other values after another square or other HP")
    yield from _as_findings(faults, "It sends absolute values.", "A retry would apply an increment twice.")


def _check_keeps_placed_tokens(make: Callable[[], Target]) -> Iterator[Finding]:
    """Check that a token which people placed is never deleted."""
    target = make()
    list(link_samples_and_yield_steps(target))
    target.created_ids = []
    requests, _ = _run_step(ContractStep("", partial(target.remove_token, "vex-1")), lambda request: PLANNED)
    faults = [f"remove_token sends {request.words()}" for request in requests if request.method == "DELETE"]
    if target.supports.links:
        remedy = "Only tokens in `self.created_ids` are ours: hide the others if possible."
        yield from _as_findings(faults, "It deletes no token that people placed.", remedy)


class _FixedAnswerWire(Wire):
    """A connection that gives every request the same answer, without a network."""

    def __init__(self, answer: Answer) -> None:
        super().__init__("http://127.0.0.1:1", lambda request, now: (_ for _ in ()).throw(RuntimeError))
        self.answer = answer
        self.sent: list[Request] = []

    def send(self, request: Request) -> Answer | Outcome:
        self.sent.append(request)
        return self.answer if len(self.sent) < MAX_REQUESTS else APPLIED


def _check_reading_methods(make: Callable[[], Target]) -> Iterator[Finding]:
    """Check that the methods by which a target reads from its server cope with every answer."""
    faults = []
    for bad in BAD_ANSWERS:
        target, wire = make(), _FixedAnswerWire(bad)
        list(link_samples_and_yield_steps(target))
        supports = target.supports
        questions: list[tuple[bool, str, Callable[[], object]]] = [
            (supports.find, "find_tokens", partial(target.find_tokens, wire)),
            (supports.read_back, "read_tokens", partial(target.read_tokens, wire)),
            (supports.read_back, "read_values", partial(target.read_values, wire)),
            (supports.read_results, "has_result", partial(target.has_result, wire, sample_post())),
            (True, "checks", partial(_own_findings_of_target, target, wire)),
        ]
        for can, name, ask in questions:
            if can:
                try:
                    ask()
                except Exception as error:
                    faults.append(
                        f"{name}: {type(error).__name__}: {error}, answered with {bad.body.decode()!r}"
                    )
    yield from _as_findings(
        faults, "Its questions cope with any answer.", "Return an Outcome if the answer doesn't tell."
    )


def _own_findings_of_target(target: Target, wire: Wire) -> list[Finding]:
    return list(target.own_findings(wire))


# Recorded servers


def read_toml_recording(file: Path) -> list[RecordedExchange]:
    """Return the requests and answers in a recording. Raises Usage for a file that isn't one.

    The file is TOML: `[[exchange]]` with `request = "PUT /tokens/1"`, `status` and `body`.
    """
    if not file.is_file():
        raise Usage(
            f"There is no file {file}.", "`strike bridge record TARGET` makes one, and prints its path."
        )
    try:
        found = cast("list[dict[str, object]]", parse_toml(file.read_bytes()).get("exchange", []))
        return [_recorded_exchange(each) for each in found]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise Usage(
            f"{file} has no exchanges: {error}.", '[[exchange]] with request = "GET /tokens", status, body.'
        ) from None


def _recorded_exchange(each: dict[str, object]) -> RecordedExchange:
    method, _, path = str(each["request"]).partition(" ")
    body = each.get("body", "")
    content = body if isinstance(body, str) else json.dumps(body)
    headers = {"content-type": "application/json", **cast("Mapping[str, str]", each.get("headers", {}))}
    answer = Answer(int(cast("int", each.get("status", 200))), headers, content.encode())
    return RecordedExchange(method, path, answer, str(each.get("event", "")))


def _check_requests_against_recording(
    exchanges: list[RecordedExchange], make: Callable[[], Target]
) -> Iterator[Finding]:
    """Play an evening with a target and the answers of a recording, and yield what was found.

    If a step of the evening fails, that is a fault. If a request isn't in the recording, that is a fault,
    too. Some recordings name the events of their requests. With such a recording, a missing request is no
    fault, but is reported as not tried.
    """
    target, faults, used = make(), [], set()
    by_event = any(each.event for each in exchanges)
    missing: set[str] = set()

    def recorded_or_planned_answer(request: Request) -> Answer | Outcome:
        fitting = [
            number
            for number, each in enumerate(exchanges)
            if (each.event == request.event if each.event else (each.method, each.path) == request[:2])
        ]
        if not fitting and by_event:
            missing.add(request.event or request.words())
            return _judge_answer_and_link(target, PLANNED, request)
        if not fitting:
            raise LookupError(f"{request.words()} is not in the recording")
        number = next((each for each in fitting if each not in used), fitting[-1])
        used.add(number)
        return _judge_answer_and_link(target, exchanges[number].answer, request)

    for step in link_samples_and_yield_steps(target, linked=not by_event):
        try:
            outcome = converse(step.requests(), recorded_or_planned_answer)
            if outcome.kind is not OutcomeKind.APPLIED:
                faults.append(f"{step.name} ended as {outcome.kind.value}: {outcome.why}")
        except LookupError as error:
            faults.append(f"{step.name}: {error}")
    yield from _as_findings(faults, "The recording covers an evening.", "Record the missing requests.")
    if missing:
        yield Finding(f"Not recorded, so not tried: {listed(sorted(missing))}.", tried=False)
