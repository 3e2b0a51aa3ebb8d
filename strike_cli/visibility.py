"""Who may see what: the one place that decides, from a state and an audience.

Kept from players are whoever is hidden, the zones that are the game master's, and all that is in the fog,
with every word that names them; what a side has picked and nobody has turned up yet; commands and decisions
that are secret; what the game master does by hand; and, where it is asked for, the numbers of everybody but
the party. Screens, logs, reports, the bridge and what it tells all go through here.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from .kernel.facts import State, apply_changes, apply_fact, look_up
from .kernel.remember import remembered
from .registry import fact_kind, scene_systems
from .registry.scenes import asked_of, scene_of, scenes_of
from .registry.system import Secret, System
from .tabletop.exhibit import Exhibit
from .tabletop.scene import Asked, Board, Meter, Order, Person, Scene, Side, Zone

Fact = Mapping[str, Any]
Entry = Mapping[str, Any]

PARTY = "party"
METERS = ("exact", "bar", "wounds", "none")
BAR = 4
"""Parts of a bar: players see how many quarters are left, rounded up so that nobody up looks empty."""


class Audience(NamedTuple):
    """Who looks. `gm` sees all. Of what lies face down a `side` sees its own. `meters` is how the numbers of
    everybody but the party are told: "exact", as a "bar", in words ("wounds"), or not at all ("none")."""

    gm: bool = False
    side: str = ""
    meters: str = "exact"


GM = Audience(gm=True)
PLAYERS = Audience()


# People and what is on the map


def is_secret(one: Person) -> bool:
    """Whether players must not know of somebody: they are hidden, or in the fog. Who hides and is of the
    party hides from its enemies alone."""
    return (one.hidden or one.unseen) and one.side != PARTY


def without_secrets(one: Person) -> Person:
    """Somebody without what players must not know that they have."""
    if not any(status.secret for status in one.statuses):
        return one
    return one._replace(statuses=tuple(status for status in one.statuses if not status.secret))


def is_secret_zone(zone: Zone, people: Mapping[str, Person]) -> bool:
    """Whether players must not know of a zone: it is the game master's, or in the fog, or that of somebody
    hidden, or goes along with them. What somebody in the fog has made is seen where it is."""
    if zone.secret or zone.unseen or (zone.along in people and is_secret(people[zone.along])):
        return True
    return zone.by in people and is_secret(people[zone.by]._replace(unseen=False))


@remembered
def scene_for(scene: Scene, audience: Audience) -> Scene:
    """A scene as an audience may see it."""
    if audience.gm:
        return scene
    people = {who: without_secrets(one) for who, one in scene.people.items() if not is_secret(one)}
    return scene._replace(
        people=people,
        board=_board_for(scene.board, scene.people) if scene.board else None,
        order=_order_for(scene.order, scene.people, people) if scene.order else None,
        sides=tuple(_side_for(side, scene.people, people, audience) for side in scene.sides),
        asked=asked_for(scene.asked, [scene], audience),
    )


def _board_for(board: Board, people: Mapping[str, Person]) -> Board | None:
    """A map without secret zones and without what is in the fog; none where all of it is."""
    zones = tuple(zone for zone in board.zones if not is_secret_zone(zone, people))
    if board.seen is None:
        return board._replace(zones=zones)
    from .tabletop.fog import squares_on

    seen = board.seen
    known = _seen_ground(board)
    zones = tuple(zone._replace(squares=squares_on(seen, zone.squares)) for zone in zones)
    return known._replace(zones=zones) if any(row.strip() for row in known.rows) else None


_grounds: deque[tuple[Board, Board]] = deque(maxlen=8)
"""Maps with fog that were looked at last, and what of them lies on squares that were seen."""


def _seen_ground(board: Board) -> Board:
    """A map with fog as far as it was seen, zones aside: who looks at a scene looks at it several times."""
    for known, ground in _grounds:
        if known is board:
            return ground
    from .tabletop.fog import ground_on

    parts = ground_on(board.seen or (), {key: getattr(board, key) for key in _OF_THE_GROUND})
    ground = board._replace(
        rows=tuple(parts["rows"]),
        walls=tuple(parts["walls"]),
        one_way_walls=tuple(parts["one_way_walls"]),
        doors=tuple(parts["doors"]),
        lights=tuple(parts["lights"]),
        image=None,
    )
    _grounds.append((board, ground))
    return ground


_OF_THE_GROUND = ("rows", "walls", "one_way_walls", "doors", "lights")


def _order_for(order: Order, people: Mapping[str, Person], seen: Mapping[str, Person]) -> Order:
    kept_back = {one.side for one in people.values()} - {one.side for one in seen.values()}

    def known(who: str | None) -> bool:
        return who in seen or (who not in people and who not in kept_back)  # a side, not a person

    return order._replace(
        entries=tuple(entry for entry in order.entries if known(entry.who)),
        active=order.active if known(order.active) else None,
        next=tuple(who for who in order.next if known(who)),
    )


def _side_for(
    side: Side, people: Mapping[str, Person], seen: Mapping[str, Person], audience: Audience
) -> Side:
    hidden = people.keys() - seen.keys()
    cards = [card for card in side.cards if card.who not in hidden]
    if side.secret and side.id != audience.side:
        cards = [card._replace(what=None) for card in cards]
    return side._replace(team=tuple(who for who in side.team if who not in hidden), cards=tuple(cards))


def asked_for(asked: Asked | None, scenes: Sequence[Scene], audience: Audience) -> Asked | None:
    """An open decision as an audience may know it; `scenes` are all that are on the table.

    None where it is secret, or somebody hidden decides or is what it is about. Options, words and dice that
    name somebody hidden are left out. Where numbers are kept from players, so are the words and dice that led
    to it and what its options would bring: nothing says which of them tell a number.
    """
    if asked is None or audience.gm:
        return asked
    kept = _Table(scenes).kept
    if asked.secret or kept.told_in(asked.who, asked.what, asked.text):
        return None
    labels = asked.labels or ("",) * len(asked.options)
    pairs = [pair for pair in zip(asked.options, labels, strict=False) if not kept.told_in(pair)]
    others = any(one.meters and one.side != PARTY for scene in scenes for one in scene.people.values())
    silent = others and audience.meters != "exact"
    return asked._replace(
        options=tuple(option for option, _ in pairs),
        labels=() if silent or not asked.labels else tuple(label for _, label in pairs),
        said=() if silent else tuple(words for words in asked.said if not kept.told_in(words)),
        dice=() if silent else tuple(roll for roll in asked.dice if not kept.told_in(roll)),
    )


def may_know_ranges(one: Person, audience: Audience) -> bool:
    """Whether an audience may be told how far somebody gets: players of their own side alone. How quick a foe
    is, and what its attacks reach, they find out."""
    return audience.gm or one.side == PARTY


class ToldMeter(NamedTuple):
    """A meter as it is told: `shown` says how; `value` and `most` are parts of a bar, or None; `wounds` is
    what it looks like, in a word."""

    shown: str
    value: int | None
    most: int | None
    wounds: str | None


def told_meter(meter: Meter, one: Person, audience: Audience) -> ToldMeter:
    """How much of a meter an audience is told."""
    shown = "exact" if one.side == PARTY else audience.meters
    wounds = None if shown == "none" else wounds_of(meter)
    if shown == "exact":
        return ToldMeter(shown, meter.value, meter.most, wounds)
    if shown == "bar" and meter.most is not None:
        parts = -(-BAR * meter.value // max(1, meter.most))
        return ToldMeter(shown, max(0, min(BAR, parts)), BAR, wounds)
    return ToldMeter(shown, None, None, wounds)


def wounds_of(meter: Meter) -> str | None:
    """What a meter looks like from outside: `unhurt`, `hurt`, `bloodied`, `down`; None where it has no
    end."""
    if not meter.most:
        return None
    if not meter.vital:
        return "unhurt" if meter.value >= meter.most else "hurt"
    if meter.value <= 0:
        return "down"
    low = meter.most // 2 if meter.low is None else meter.low
    return "unhurt" if meter.value >= meter.most else "bloodied" if meter.value <= low else "hurt"


def exhibits_for(exhibits: Iterable[Exhibit], audience: Audience) -> list[Exhibit]:
    """What lies on the table beside scenes, as an audience may see it."""
    return [one for one in exhibits if audience.gm or not one.hidden]


# What players may try


def known_state(state: State) -> State:
    """The state as players know it, for trying what they may do in it: without whoever is hidden, secret
    zones, what is in the fog, what lies face down, and decisions that they aren't told of. What comes of a
    move in it tells nothing of them.

    A rule may fail over a word that is missing: whoever tries something takes that for "nobody knows".
    """
    scenes = scenes_of(state)
    known = dict(state)
    for scene in scenes:
        gone = {who for who, one in scene.people.items() if is_secret(one)}
        zones = scene.board.zones if scene.board else ()
        gone |= {zone.id for zone in zones if is_secret_zone(zone, scene.people)}
        table = _on_seen_ground(scene, table_for(scene, state[scene.key], PLAYERS))
        known[scene.key] = _forgotten(table, frozenset(gone))
    pending = state.get("pending", {})
    open_ = {key: item for key, item in pending.items() if asked_for(asked_of(item), scenes, PLAYERS)}
    if open_ != pending:
        known["pending"] = open_
    return known


def _on_seen_ground(scene: Scene, table: dict[str, Any]) -> dict[str, Any]:
    """A scene's table with its map and the squares of zones as far as the party has seen them."""
    seen = scene.board.seen if scene.board else None
    if seen is None:
        return table
    from .tabletop.fog import ground_on, squares_on

    zones = {
        key: {**zone, "squares": [*squares_on(seen, zone.get("squares", ()))]}
        for key, zone in table.get("zones", {}).items()
    }
    return {**table, "map": ground_on(seen, table["map"]), **({"zones": zones} if zones else {})}


_OWN_WORDS = ("id", "ref", "name")
"""Keys under which stands what somebody is called, who may be called as somebody hidden is."""


def _forgotten(value: Any, gone: frozenset[str]) -> Any:
    """A part of a state without what stands under these names, or is one of them."""
    if not gone:
        return value
    if isinstance(value, Mapping):
        return {
            key: _forgotten(inner, gone)
            for key, inner in value.items()
            if key not in gone and (key in _OWN_WORDS or not (isinstance(inner, str) and inner in gone))
        }
    if isinstance(value, list):
        return [_forgotten(one, gone) for one in value if not (isinstance(one, str) and one in gone)]
    return value


def names_hidden(scenes: Sequence[Scene], *values: Any) -> bool:
    """Whether any text in these values names somebody or something that is hidden in the scenes."""
    return _Table(scenes).kept.told_in(values)


# What lies face down


def face_down(scene: Scene, audience: Audience) -> set[str]:
    """The sides of a scene whose picks an audience may not see."""
    return {side.id for side in scene.sides if side.secret and not audience.gm and side.id != audience.side}


def table_for(scene: Scene, table: Mapping[str, Any], audience: Audience) -> dict[str, Any]:
    """A scene's own table of the state, without what lies face down for an audience."""
    secret = face_down(scene, audience)
    shown: State = {scene.key: dict(table)}
    for one in scene_systems()[scene.key].secrets:
        if one.side in secret:
            shown = _without_picks(shown, one.path)
    found: dict[str, Any] = shown[scene.key]
    return found


def _without_picks(state: State, path: str) -> State:
    stem = path.removesuffix(".*")
    picked = look_up(state, stem)
    if picked is None:
        return state
    left: dict[str, Any] | None = None
    if stem != path:
        left = {who: {} if isinstance(what, Mapping) else None for who, what in picked.items()}
    return apply_changes(state, [(stem, None, left)])


def is_pick(system: System, state: State, facts: Iterable[Fact]) -> bool:
    """Whether facts of a system's move put something down that lies face down in the state after them: they
    are secret then, whoever plays the move."""
    table = state.get(system.scene)
    if table is None or not system.secrets:
        return False
    secret = face_down(scene_of(system, system.scene, table, {}), PLAYERS)
    stems = tuple(one.path.removesuffix(".*") for one in system.secrets if one.side in secret)
    changes = (change for fact in facts for change in fact["changes"])
    return any(after is not None and path.startswith(stems) for path, _, after in changes)


def entries_for(entries: Sequence[Entry], audience: Audience) -> list[dict[str, Any]]:
    """Journal entries, oldest first, with the secret picks that nothing has turned up yet told without what
    was picked. Taking them back and putting them back tells no more.

    They are whole besides: what players may hear of the rest `heard` says.
    """
    return list(each_for(lambda: entries, audience, undone_by(entries)))


def each_for(
    again: Callable[[], Iterable[Entry]], audience: Audience, undone: Collection[int]
) -> Iterator[dict[str, Any]]:
    """As `entries_for`, one after the other: `again` gives the entries, and is asked twice. `undone` are
    those that are taken back."""
    if audience.gm:
        yield from (dict(entry) for entry in again())
        return
    secrets = [secret for system in scene_systems().values() for secret in system.secrets]
    kinds = {secret.revealed_by for secret in secrets}
    turned_up: dict[str, int] = {}
    """The last entry that turns up what a kind of fact reveals."""
    for entry in again():
        if entry["seq"] not in undone and "head" not in entry and not entry.get("pending"):
            turned_up.update({fact["kind"]: entry["seq"] for fact in entry["facts"] if fact["kind"] in kinds})
    picked: set[str] = set()
    for entry in again():
        covered = [one for one in secrets if turned_up.get(one.revealed_by, 0) < entry["seq"]]
        yield _entry_face_down(entry, covered, picked)


def undone_by(entries: Iterable[Entry]) -> set[int]:
    """Numbers of the entries that are taken back and not put back, as far as these entries, oldest first,
    say."""
    undone: set[int] = set()
    for entry in entries:
        for fact in entry["facts"] if "head" in entry else ():
            if fact["kind"] == "undone":
                undone.update(fact.get("of", ()))
            elif fact["kind"] == "redone":
                undone.difference_update(fact.get("of", ()))
    return undone


def _entry_face_down(entry: Entry, secrets: Sequence[Secret], picked: set[str]) -> dict[str, Any]:
    """An entry without what of it lies face down; adds to `picked` where that stands in the state."""
    paths = tuple(secret.path.removesuffix(".*") for secret in secrets)
    touched = {
        path
        for fact in entry["facts"]
        for change in fact["changes"]
        for path in paths
        if change[0].startswith(path)
    }
    if "head" in entry:  # undo and redo change what the entries did that they are about
        return {**entry, "facts": [_without(fact, paths) for fact in entry["facts"]]}
    if entry.get("secret") and touched:
        picked |= touched
        return {**entry, "args": {}, "answers": [], "facts": [untold(fact) for fact in entry["facts"]]}
    if picked:  # of those who had picked one may leave, and the whole scene may be dropped
        return {**entry, "facts": [_without(fact, tuple(picked)) for fact in entry["facts"]]}
    return dict(entry)


def untold(fact: Fact) -> dict[str, Any]:
    """A fact of a secret pick: that there was one, and nothing of dice and changes."""
    words = fact["text"] if fact_kind(fact["kind"]).discreet else ""
    return {"kind": fact["kind"], "who": fact["who"], "text": fact.get("untold", words), "changes": []}


def first_words(entry: Entry) -> str:
    """What to say of an entry in a line, such as one that is taken back: a secret one stays so, since who
    takes it back may not be who may see it."""
    secret = bool(entry.get("secret"))
    texts = [fact.get("untold", fact["text"]) if secret else fact["text"] for fact in entry["facts"]]
    return next((text for text in texts if text), "")


def _without(fact: Fact, paths: tuple[str, ...]) -> dict[str, Any]:
    """A fact without what it changes at these paths, and without what stands there of whole tables."""
    changes = []
    for path, before, after in fact["changes"]:
        if not path.startswith(paths):
            for inner in (each.removeprefix(f"{path}.") for each in paths if each.startswith(f"{path}.")):
                before, after = _cleared(before, inner), _cleared(after, inner)
            changes.append([path, before, after])
    return {**unchanging(fact), "changes": changes}


def _cleared(value: Any, path: str) -> Any:
    known = isinstance(value, dict) and look_up(value, path) is not None
    return apply_changes(value, [(path, None, None)]) if known else value


def unchanging(fact: Fact) -> dict[str, Any]:
    """A fact without what it changes."""
    return {**{key: value for key, value in fact.items() if key != "places"}, "changes": []}


# What is told of a command

_REASONS = ("sources", "modifiers")
"""Where a roll says what weighed on it."""


class Told(NamedTuple):
    """What is left of a fact for an audience, None where nothing is; `hides` says that something of it is
    left out because it is secret, or about somebody hidden."""

    fact: Fact | None
    hides: bool = False


After = Callable[[State, Fact], State]
"""The state after a fact."""


def heard(entry: Entry, before: State, audience: Audience, after: After = apply_fact) -> list[Told]:
    """The facts of an entry as an audience may hear of them. `before` is the state before it; `after` is for
    who follows only a part of the state."""
    if audience.gm:
        return [Told(fact) for fact in entry["facts"]]
    if entry.get("secret"):
        return [Told(None, hides=True)] * len(entry["facts"])
    redaction = Redaction(before, entry["facts"], audience, after)
    return [redaction.told(fact) for fact in entry["facts"]]


class Redaction:
    """Whoever and whatever players must not hear of in one command, and what is left of its facts.

    That is everybody who was hidden at any moment of the command, unless they are in plain sight when it is
    over: who attacks from hiding and is seen doing it may be named. So it is with secret zones.
    """

    def __init__(
        self, before: State, facts: Iterable[Fact], audience: Audience, after: After = apply_fact
    ) -> None:
        self._meters = audience.meters
        table = _table_in(before)
        fogged = table.fogged
        self._others, hidden, zones = set(table.others), dict(table.hidden), dict(table.secret_zones)
        state = before
        for fact in facts:
            if not fact["changes"]:
                continue
            state = after(state, fact)
            table = _table_in(state)
            self._others |= table.others
            hidden.update(table.hidden)
            zones.update(table.secret_zones)
        self.hidden = {who: name for who, name in hidden.items() if who not in table.seen}
        open_zones = table.zones - table.secret_zones.keys()
        zones = {key: name for key, name in zones.items() if key not in open_zones}
        self._named = _Kept(_pattern(self.hidden, zones, table.seen.values()), table.fogged or fogged)
        self._zones = _Kept(_pattern({}, zones, ()))

    def told(self, fact: Fact) -> Told:
        """What is left of a fact."""
        if fact_kind(fact["kind"]).gm_only:
            return Told(None)
        plain = self._without_numbers(fact)
        if plain is None:
            return Told(None, hides=True)
        left = self._without_hidden(plain)
        return Told(left, hides=left is not plain)

    def _without_numbers(self, fact: Fact) -> Fact | None:
        """A fact in words that give no number of anybody but the party, as the rule that made it has them
        (`without_hp`). None for one that changes a meter and has no such words."""
        if self._meters == "exact":
            return fact
        changed = {tuple(path.split(".")[-2:]) for path, _, _ in fact["changes"]}
        touched = not changed.isdisjoint(self._others)
        words = fact.get("without_hp")
        if words is not None and (touched or any(who == fact["who"] for who, _ in self._others)):
            return {**fact, "text": words}
        return None if touched and words is None else fact

    def _without_hidden(self, fact: Fact) -> Fact | None:
        """A fact without what of it is about the hidden: zones that weigh on a roll, and the parts that are
        the words about each (`parts`), after what they have in common (`lead`)."""
        if not self.covers(fact):
            return fact
        plain: Fact = self._without_reasons(fact)
        if not self.covers(plain):
            return plain
        parts = {
            who: words for who, words in fact.get("parts", {}).items() if not self._named.told_in(who, words)
        }
        rolls = [roll for roll in fact.get("rolls", []) if not self._named.told_in(roll)]
        text = f"{fact.get('lead', '')}{', '.join(parts.values())}."
        left = {**fact, "text": text, "parts": parts, "rolls": rolls}
        return left if parts and not self.covers(left) else None

    def _without_reasons(self, value: Any) -> Any:
        """The same without reasons of rolls, however deep, that name a hidden zone."""
        if isinstance(value, Mapping):
            return {
                key: [one for one in inner if not self._zones.told_in(one)]
                if key in _REASONS and isinstance(inner, list)
                else self._without_reasons(inner)
                for key, inner in value.items()
            }
        return [self._without_reasons(one) for one in value] if isinstance(value, list) else value

    def covers(self, fact: Fact) -> bool:
        """Whether a fact names somebody hidden. Its changes are not looked at: they are not sent."""
        return not self._named.is_nothing and self._named.told_in(unchanging(fact))


class _Table:
    """What is on the table, for redaction: names of the `hidden` and the `seen`, all `zones`, the secret ones
    with their names, `others`: everybody but the party with the ids of their meters; and the maps with
    fog."""

    def __init__(self, scenes: Iterable[Scene]) -> None:
        self.hidden: dict[str, str] = {}
        self.seen: dict[str, str] = {}
        self.zones: set[str] = set()
        self.secret_zones: dict[str, str] = {}
        self.others: set[tuple[str, str]] = set()
        self.fogged: list[Board] = []
        for scene in scenes:
            if scene.board and scene.board.seen is not None:
                self.fogged.append(scene.board)
            for who, one in scene.people.items():
                (self.hidden if is_secret(one) else self.seen)[who] = one.name
                if one.side != PARTY:
                    self.others.update((who, meter.id) for meter in one.meters)
            for zone in scene.board.zones if scene.board else ():
                self.zones.add(zone.id)
                if is_secret_zone(zone, scene.people):
                    self.secret_zones[zone.id] = zone.name

    @property
    def kept(self) -> _Kept:
        """The names of whoever and whatever is hidden now."""
        hidden = {who: name for who, name in self.hidden.items() if who not in self.seen}
        return _Kept(_pattern(hidden, self.secret_zones, self.seen.values()), self.fogged)


@remembered
def _table_in(state: State) -> _Table:
    return _Table(scenes_of(state))


class _Kept(NamedTuple):
    """What finds in words what is kept from players: names, and squares that are in the fog."""

    names: re.Pattern[str] | None
    fogged: Sequence[Board] = ()

    @property
    def is_nothing(self) -> bool:
        """Whether nothing is kept from players."""
        return self.names is None and not self.fogged

    def told_in(self, *values: Any) -> bool:
        """Whether any text in these values, however deep, tells of it."""
        return not self.is_nothing and any(self._is_told(text) for text in _texts(values))

    def _is_told(self, text: str) -> bool:
        if self.names is not None and self.names.search(text):
            return True
        return any(_names_unseen(text, board) for board in self.fogged)


_SQUARE = re.compile(r"(?<![\w-])[A-Z]{1,2}[1-9][0-9]{0,2}(?![\w-])")


def _names_unseen(text: str, board: Board) -> bool:
    """Whether a text names a square of a map that the party has not seen."""
    from .tabletop.grid import parse_square

    seen, rows = board.seen or frozenset(), board.rows
    named = map(parse_square, _SQUARE.findall(text))
    return any(y < len(rows) and x < len(rows[y]) and (x, y) not in seen for x, y in named)


def _pattern(
    hidden: Mapping[str, str], zones: Mapping[str, str], seen: Collection[str]
) -> re.Pattern[str] | None:
    """What finds names of the hidden, as ids and as people write them; None where nothing is hidden."""
    if not hidden and not zones:
        return None
    words = {word for who, name in hidden.items() for word in _words(who, name, seen)}
    words.update(word for pair in zones.items() for word in pair)
    longest_first = sorted(map(re.escape, filter(None, words)), key=len, reverse=True)
    if not longest_first:
        return None
    return re.compile(rf"(?<![\w-])(?:{'|'.join(longest_first)})(?:e?s)?(?![\w-])", re.IGNORECASE)


def _words(who: str, name: str, seen: Iterable[str]) -> list[str]:
    """What gives somebody away: id, name, and the name without its number where nobody in sight shares it."""
    kind = re.sub(r"\s+\d+$", "", name)
    shared = any(re.sub(r"\s+\d+$", "", other) == kind for other in seen)
    return [who, name] if shared else [who, name, kind]


def _texts(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _texts(inner)
