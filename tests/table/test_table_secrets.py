"""What is hidden stays the game master's: whatever comes in whichever order, players get none of it."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from strike_table import audience_views, schemas, table_store
from strike_table.access_control import watch_token
from strike_table.audience_views import LinkAudience
from strike_table.table_store import TableStore

EXAMPLES = 2000 if os.environ.get("STRIKE_THOROUGH") else 20
KEY = "the-key-of-this-table"
SECRET = "lurk"
PNG = b"\x89PNG\r\n\x1a\n and so on"
PICTURE = hashlib.sha256(PNG).hexdigest()

creatures = st.sampled_from(["vex", "bran", "goblin"])
cards = st.lists(
    st.builds(
        lambda who, hidden: {"who": who, "what": SECRET if hidden else "block", "hidden": hidden},
        st.sampled_from(["", "vex", "bran", "goblin"]),
        st.booleans(),
    ),
    max_size=2,
)
sides = st.builds(
    lambda team, cards: {"id": "us", "name": "Us", "team": team, "cards": cards},
    st.lists(creatures, unique=True),
    cards,
)
scenes = st.builds(
    lambda doors, zones, sides: schemas.read_scene(
        {
            "id": "s",
            "name": "Scene",
            "rows": ["...."],
            "doors": [{"at": {"x": x, "y": 77 if hidden else 0}, "hidden": hidden} for x, hidden in doors],
            "zones": [{"id": SECRET if hidden else "z", "hidden": hidden} for hidden in zones],
            "sides": sides,
        }
    ),
    st.lists(st.tuples(st.integers(0, 3), st.booleans()), max_size=2),
    st.lists(st.booleans(), max_size=2),
    st.lists(sides, max_size=1),
)
KINDS = ["token", "token", "token", "remove", "order", "result", "scene", "clear", "beside", "asked"]


@st.composite
def steps(draw: st.DrawFn) -> tuple[str, Any]:
    """One delivery. What players may not know is marked by SECRET in its text, or by the number 77."""
    kind = draw(st.sampled_from(KINDS))
    who = draw(creatures)
    hidden = draw(st.booleans())
    if kind == "token":
        return kind, schemas.read_token(token_of(who, hidden, draw(st.booleans())), who)
    if kind == "order":
        acting = draw(creatures)
        entries = [{"id": id} for id in draw(st.lists(creatures, unique=True))]
        order = {"kind": draw(st.sampled_from(["list", "pool"])), "round": 1, "active": acting}
        return kind, schemas.read_order({**order, "next": draw(st.lists(creatures)), "entries": entries})
    if kind == "beside":
        name = SECRET if hidden else "ogre"
        entries = [{"id": "elsewhere"}, {"id": name, "hidden": hidden}]
        order = {"kind": "sides", "round": 1, "active": name, "next": [name], "entries": entries}
        aside = {"scene": {"id": "b", "name": "B", "rows": [], "sides": [draw(sides)]}, "order": order}
        return kind, schemas.read_side_scenes(
            {"scenes": [{**aside, "tokens": [token_of(name, hidden, True)]}]}
        )
    if kind == "asked":
        gm = {"options": [{"name": SECRET}], "said": [SECRET]}
        asked = {"id": "a", "who": who, "what": SECRET if hidden else "cost", "hidden": hidden, "gm": gm}
        return kind, schemas.read_decisions({"asked": [asked]})
    if kind == "result":
        seq = draw(st.integers(0, 4))
        title = SECRET if hidden else f"{who} hits"
        return kind, schemas.read_result({"id": str(seq), "seq": seq, "title": title, "secret": hidden})
    return kind, draw(scenes) if kind == "scene" else who


def token_of(who: str, hidden: bool, untold: bool) -> dict[str, Any]:
    """A token in a delivery, whose numbers may be the game master's alone."""
    gm = {"value": 77, "max": 77}
    meters = [{"id": "hp", "value": None, "shown": "none", "gm": gm}]
    numbers = {"hp_shown": "none", "gm_hp": gm, "meters": meters} if untold else {}
    return {"id": who, "name": SECRET if hidden else who, "side": "enemies", "hidden": hidden, **numbers}


def tell(table: TableStore, kind: str, data: Any) -> None:
    {
        "token": table.put_token,
        "remove": table.remove_token,
        "order": table.put_order,
        "result": table.add_or_replace_result,
        "scene": table.put_scene_and_delete_old_images,
        "beside": table.put_side_scenes,
        "asked": table.put_decisions,
        "clear": lambda _: table.end_all_scenes(),
    }[kind](data)


def replay(state: dict[str, Any], changes: tuple[table_store.VersionChange, ...]) -> dict[str, Any]:
    """What a page knows that saw `state` and was then told the changes."""
    tokens = {token["id"]: token for token in state["tokens"]}
    results = {result["id"]: result for result in state["results"]}
    for change in changes:
        data: Any = change.data
        if change.kind in ("scene", "order"):
            state = {**state, change.kind: data}
        elif change.kind in ("beside", "asked"):
            state = {**state, change.kind: data["scenes" if change.kind == "beside" else "asked"]}
        elif change.kind.startswith("token"):
            tokens.pop(data["id"], None)
            if change.kind == "token":
                tokens[data["id"]] = data
        elif change.kind == "result":
            results[data["id"]] = data
        else:
            results.pop(data["id"])
    return {**state, "tokens": tokens, "results": results}


@pytest.mark.slow
@settings(max_examples=EXAMPLES, deadline=None)
@given(st.lists(steps(), max_size=12))
def test_players_are_never_told_and_every_page_ends_at_the_truth(delivered: list[tuple[str, Any]]) -> None:
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(table_store.os, "fsync", lambda _: None)
        table = TableStore(Path(folder))
        first = {audience: table.snapshot(audience) for audience in LinkAudience}
        for kind, data in delivered:
            before = {who: table.snapshot(who)["version"] for who in LinkAudience}
            hidden_ids = {id for id, token in table.everything.tokens.items() if token["hidden"]}
            tell(table, kind, data)
            hidden_ids &= {id for id, token in table.everything.tokens.items() if token["hidden"]}
            told = table.changes_after(LinkAudience.PLAYERS, before[LinkAudience.PLAYERS])
            assert told is not None
            said = json.dumps([change.data for change in told] + [table.snapshot(LinkAudience.PLAYERS)])
            assert SECRET not in said
            assert "77" not in said.replace(str(table.snapshot(LinkAudience.PLAYERS)["version"]), "")
            for id in hidden_ids:
                assert f'"{id}"' not in said, "whoever was hidden and is, isn't even named"
        for audience in LinkAudience:
            changes = table.changes_after(audience, first[audience]["version"])
            assert changes is not None
            shown = table.snapshot(audience)
            known = replay(dict(first[audience]), changes)
            assert known["tokens"] == {token["id"]: token for token in shown["tokens"]}
            assert known["results"] == {result["id"]: result for result in shown["results"]}
            for part in ("scene", "order", "beside", "asked"):
                assert known[part] == shown[part]
        everything = TableStore(Path(folder)).everything
        assert everything == table.everything, "and a restart forgets nothing"


def test_each_link_shows_what_is_its_audiences(ask, a_token, a_result):
    ask("PUT", "/api/v1/tokens/vex", json=a_token())
    ask("PUT", "/api/v1/tokens/lurker", json=a_token("lurker", hidden=True))
    ask(
        "PUT",
        "/api/v1/order",
        json={"round": 1, "active": "lurker", "entries": [{"id": "lurker"}, {"id": "vex"}]},
    )
    ask("POST", "/api/v1/results", json=a_result(1, title="The lurker waits", secret=True))

    def seen(**how: Any) -> str:
        return ask("GET", "/api/v1/state", **how).text

    for_gm = seen(key=None, params={"watch": watch_token(KEY, LinkAudience.GM)})
    assert json.loads(for_gm)["audience"] == "gm"
    assert for_gm == seen()
    assert for_gm.count("lurker") >= 4
    for how in ({}, {"params": {"watch": watch_token(KEY)}}):
        for_players = seen(key=None, **how)
        assert json.loads(for_players)["audience"] == "players"
        assert "lurker" not in for_players.lower()
        assert [entry["id"] for entry in json.loads(for_players)["order"]["entries"]] == ["vex"]
    assert ask("GET", "/api/v1/state", key=None, params={"watch": "an old link"}).status_code == 401


def test_the_bar_hides_the_numbers_from_players(ask, a_token):
    token = a_token(hp={"value": 3, "max": 4}, hp_shown="bar", gm_hp={"value": 27, "max": 40})
    ask("PUT", "/api/v1/tokens/vex", json=token)
    (for_players,) = ask("GET", "/api/v1/state", key=None).json()["tokens"]
    assert (for_players["hp"], for_players["gm_hp"]) == ({"value": 3, "max": 4}, None)
    assert ask("GET", "/api/v1/tokens/vex").json() == token


def test_nothing_secret_is_in_what_is_made_for_players_of_an_empty_table():
    assert audience_views.view_for_players(audience_views.View()) == audience_views.View()


def test_a_table_of_the_first_schema_is_still_known(data_dir, a_token):
    data_dir.mkdir()
    old = {key: value for key, value in a_token().items() if key not in ("hp_shown", "wounds", "gm_hp")}
    kept = {"schema": 1, "version": 7, "scene": None, "tokens": [old], "order": None, "results": []}
    (data_dir / table_store.FILE_NAME).write_text(json.dumps({**kept, "bodies_by_key": {}}), "utf-8")
    shown = TableStore(data_dir).snapshot(LinkAudience.PLAYERS)
    assert (shown["version"], shown["tokens"]) == (7, [a_token()])


FOGGED = {
    "id": "crypt",
    "name": "The Crypt",
    "rows": ["...#..", "...+.~"],
    "walls": [[{"x": 0, "y": 0}, {"x": 0, "y": 77}]],
    "one_way_walls": [[{"x": 77, "y": 0}, {"x": 0, "y": 77}]],
    "doors": [{"at": {"x": 77, "y": 1}}],
    "zones": [{"id": SECRET, "name": SECRET, "squares": [{"x": 77, "y": 0}]}],
    "lights": [{"at": {"x": 77, "y": 0.5}, "range": 4}, {"at": {"x": 1, "y": 0.5}, "range": 3}],
    "image": {"hash": PICTURE},
    "fog": {
        "seen": ["....  ", "....  "],
        "ground": {"rows": ["...#  ", "...+  "], "walls": [], "doors": [], "zones": []},
    },
}


def test_players_get_of_a_map_with_fog_what_the_party_has_seen(ask):
    """Its picture shows all of it: it isn't theirs, not even by its hash."""
    put = {"content": PNG, "headers": {"Content-Type": "image/png"}}
    assert ask("PUT", f"/api/v1/images/{PICTURE}", **put).status_code == 204
    assert ask("PUT", "/api/v1/scene", json=FOGGED).status_code == 200
    told = ask("GET", "/api/v1/state", key=None).json()["scene"]
    assert (told["rows"], told["image"]) == (["...#  ", "...+  "], None)
    assert told["fog"] == {"seen": ["....  ", "....  "], "ground": None}
    assert all(secret not in json.dumps(told) for secret in (SECRET, "77", PICTURE, "lights"))
    assert ask("GET", f"/api/v1/images/{PICTURE}", key=None).status_code == 404
    master = {"watch": watch_token(KEY, LinkAudience.GM)}
    whole = ask("GET", "/api/v1/state", params=master, key=None).json()["scene"]
    assert whole["rows"] == FOGGED["rows"]
    assert whole["fog"]["ground"]["rows"] == told["rows"]
    assert whole["lights"] == FOGGED["lights"]
    assert ask("GET", f"/api/v1/images/{PICTURE}", params=master, key=None).status_code == 200


def test_what_comes_beside_is_in_its_fog_too(ask):
    aside = {"scene": FOGGED | {"image": None}, "tokens": [], "order": None}
    assert ask("PUT", "/api/v1/beside", json={"scenes": [aside]}).status_code == 200
    (told,) = ask("GET", "/api/v1/state", key=None).json()["beside"]
    assert told["scene"]["rows"] == ["...#  ", "...+  "]
    assert all(secret not in json.dumps(told) for secret in (SECRET, "lights"))
