"""Painted maps under fog: players get of the painting what the party has seen, and nothing else of it."""

from __future__ import annotations

import hashlib
import io
from random import Random
from typing import Any

import pytest
from support.cases import case
from support.thorough import few_of
from table.conftest import Asker

from strike_table import tiles as module
from strike_table.access_control import watch_token
from strike_table.audience_views import LinkAudience
from strike_table.table_store import TableStore
from strike_table.tiles import Tiles

Image = pytest.importorskip("PIL.Image")
COLUMNS, ROWS = 17, 12
LIES = [  # pixels a square across and down, and where A1's corner is in the picture
    (20.0, 20.0, 0.0, 0.0),
    (19.37, 19.37, 7.4, -3.3),
    (24.6, 21.13, -11.5, 9.25),
]
Seen = list[str]


def painted(lies: tuple[float, ...], hidden: set[tuple[int, int]], seed: int) -> bytes:
    """A picture of noise, of which the pixels that touch hidden squares are others for each seed."""
    across, down, left, top = lies
    size = round(COLUMNS * across), round(ROWS * down)
    image = Image.frombytes("RGB", size, Random(0).randbytes(3 * size[0] * size[1]))
    other = Image.frombytes("RGB", size, Random(seed).randbytes(3 * size[0] * size[1]))
    inside = Image.new("1", size, 1 if hidden else 0)  # what lies beyond the map is nobody's either
    draw = inside.load()
    for y in range(size[1]):
        for x in range(size[0]):
            touched = {
                (int((px - left) // across), int((py - top) // down))
                for px in (x + 1e-4, x + 1 - 1e-4)
                for py in (y + 1e-4, y + 1 - 1e-4)
            }
            draw[x, y] = any(
                at in hidden or not (0 <= at[0] < COLUMNS and 0 <= at[1] < ROWS) for at in touched
            )
    image.paste(other, mask=inside)
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def rows_of(seen: set[tuple[int, int]]) -> Seen:
    return ["".join("." if (x, y) in seen else " " for x in range(COLUMNS)) for y in range(ROWS)]


def evening(seed: int) -> tuple[list[Seen], set[tuple[int, int]]]:
    """What the party has seen after each step of a walk, an undo among them, and what it never sees."""
    source = Random(seed)
    x, y, seen, steps = 3, 3, set[tuple[int, int]](), list[Seen]()
    for _ in range(6):
        x, y = (min(9, max(0, at + source.randint(-2, 3))) for at in (x, y))
        seen |= {(a, b) for a in range(x - 2, x + 3) for b in range(y - 1, y + 2) if source.random() < 0.9}
        seen = {(a, b) for a, b in seen if 0 <= a < COLUMNS and 0 <= b < ROWS}
        steps.append(rows_of(seen))
    steps.append(steps[-3])
    return steps, {(a, b) for a in range(COLUMNS) for b in range(ROWS)} - seen


def scene(digest: str, lies: tuple[float, ...], picture: bytes, seen: Seen) -> dict[str, Any]:
    across, down, left, top = lies
    width, height = Image.open(io.BytesIO(picture)).size
    place = {"x": -left / across, "y": -top / down, "width": width / across, "height": height / down}
    ground = {"rows": [row.replace(" ", " ") for row in seen], "walls": [], "doors": [], "zones": []}
    return {
        "id": "crypt", "name": "Crypt", "rows": ["." * COLUMNS] * ROWS,
        "image": {"hash": digest, "place": place}, "fog": {"seen": seen, "ground": ground},
        "lights": [{"at": {"x": 1, "y": 1}, "range": int(digest[:4], 16) / 100}],  # none of theirs
    }  # fmt: skip


def shown(data_dir: Any, picture: bytes, lies: tuple[float, ...], steps: list[Seen]) -> list[object]:
    """All that players are answered over an evening: states, tiles in all sizes, and what isn't theirs."""
    digest = hashlib.sha256(picture).hexdigest()
    store = TableStore(data_dir)
    ask, told = Asker(store), list[object]()

    def look(ask: Asker) -> None:
        state = ask("GET", "/api/v1/state", key=None).json()
        state.pop("version")
        told.append(state)
        for tile in state["scene"]["tiles"]:
            for size in (35, 70, 140):
                answer = ask("GET", f"/api/v1/tiles/{tile['id']}/{size}", key=None)
                assert (
                    answer.headers["content-type"] == "image/webp"
                    and "immutable" in answer.headers["cache-control"]
                )
                told.append((tile, size, answer.content))

    put = ask("PUT", f"/api/v1/images/{digest}", content=picture, headers={"Content-Type": "image/png"})
    assert put.status_code == 204
    former = None
    for seen in steps:
        assert ask("PUT", "/api/v1/scene", json=scene(digest, lies, picture, seen)).status_code == 200
        look(ask)
        now = {tile["id"] for tile in ask("GET", "/api/v1/scene", key=None).json()["tiles"]}
        gone = (former or now) - now
        told.append(sorted(gone))
        assert all(ask("GET", f"/api/v1/tiles/{id}/70", key=None).status_code == 404 for id in gone)
        former = now
    last = len(told)
    look(ask)
    again, last = told[last:], len(told)
    look(Asker(TableStore(data_dir)))
    assert told[last:] == again, "a restart"
    return told


@pytest.mark.slow
@pytest.mark.parametrize("lies", few_of((each,) for each in LIES))
def test_pictures_that_differ_in_the_unseen_alone_are_one_to_players(tmp_path: Any, lies: Any) -> None:
    steps, hidden = evening(len(str(lies)))
    one, other = (painted(lies, hidden, seed) for seed in (1, 2))
    assert one != other
    assert shown(tmp_path / "one", one, lies, steps) == shown(tmp_path / "other", other, lies, steps)


@pytest.mark.slow
def test_a_single_pixel_that_gets_out_is_caught(tmp_path: Any, monkeypatch: Any) -> None:
    """What the test above would say of a fault."""
    whole = module._crop_and_mask_unseen

    def leaky(painting: Any, cut: Any) -> Any:
        part = whole(painting, cut)
        if cut.unseen:
            left, top, right, bottom = cut.unseen[0]
            at = (left + right) // 2, (top + bottom) // 2
            part.putpixel(at, painting.getpixel((cut.box[0] + at[0], cut.box[1] + at[1])))
        return part

    monkeypatch.setattr(module, "_crop_and_mask_unseen", leaky)
    monkeypatch.setattr("strike_table.table_store.TILES", Tiles())
    lies = LIES[1]
    steps, hidden = evening(3)
    one, other = (painted(lies, hidden, seed) for seed in (1, 2))
    assert shown(tmp_path / "one", one, lies, steps) != shown(tmp_path / "other", other, lies, steps)


@pytest.mark.slow
def test_what_is_seen_is_there_and_lies_where_the_picture_has_it() -> None:
    """Every square that is seen shows its own colour in the middle, whatever the scale; others are black."""
    for lies in LIES:
        across, down, left, top = lies
        size = round(COLUMNS * across), round(ROWS * down)
        picture = Image.new("RGB", size)
        for y in range(size[1]):
            for x in range(size[0]):
                square = int((x + 0.5 - left) // across), int((y + 0.5 - top) // down)
                picture.putpixel((x, y), (60 + 10 * (square[0] % 17), 60 + 14 * (square[1] % 12), 90))
        out = io.BytesIO()
        picture.save(out, "PNG")
        place: Any = {
            "x": -left / across,
            "y": -top / down,
            "width": size[0] / across,
            "height": size[1] / down,
        }
        seen = {(x, y) for x in range(2, 11) for y in range(1, 8) if (x, y) != (6, 4)}
        made = Tiles()
        for tile in made.cut_seen_tiles(f"{lies}", out.getvalue, place, rows_of(seen)):
            for pixels in (35, 70):
                shown_ = Image.open(io.BytesIO(made.encoded_tile_if_cut_is_known(tile["id"], pixels) or b""))
                for x in range(COLUMNS):
                    for y in range(ROWS):
                        at = (x + 0.5 - tile["x"]) / tile["width"], (y + 0.5 - tile["y"]) / tile["height"]
                        if not (min(at) > 0 and max(at) < 1):
                            continue
                        red, green, _ = shown_.getpixel(
                            (int(at[0] * shown_.width), int(at[1] * shown_.height))
                        )
                        wanted = (60 + 10 * x, 60 + 14 * y) if (x, y) in seen else (0, 0)
                        with case(lies, tile, pixels, (x, y)):
                            assert abs(red - wanted[0]) < 12 and abs(green - wanted[1]) < 12


@pytest.mark.slow
def test_a_picture_that_can_not_be_cut_leaves_the_squares(ask: Asker, monkeypatch: Any) -> None:
    for content, most in ((b"\x89PNG\r\n\x1a\n and so on", 50), (painted(LIES[0], set(), 1), 50)):
        with case(content[:20], most):
            monkeypatch.setattr(module, "MOST_PIXELS", most)
            monkeypatch.setattr("strike_table.table_store.TILES", Tiles())
            digest = hashlib.sha256(content).hexdigest()
            ask("PUT", f"/api/v1/images/{digest}", content=content, headers={"Content-Type": "image/png"})
            body = scene(digest, LIES[0], painted(LIES[0], set(), 1), rows_of({(1, 1)}))
            assert ask("PUT", "/api/v1/scene", json=body).status_code == 200
            told = ask("GET", "/api/v1/scene", key=None).json()
            assert "tiles" not in told and told["image"] is None


def test_only_sizes_that_there_are_and_only_for_players(ask: Asker) -> None:
    picture = painted(LIES[0], set(), 1)
    digest = hashlib.sha256(picture).hexdigest()
    ask("PUT", f"/api/v1/images/{digest}", content=picture, headers={"Content-Type": "image/png"})
    body = {
        **scene(digest, LIES[0], picture, rows_of({(1, 1)})),
        "tiles": [{"id": "x", "x": 0, "y": 0, "width": 1, "height": 1}],
    }
    ask("PUT", "/api/v1/scene", json=body)
    (tile,) = ask("GET", "/api/v1/scene", key=None).json()["tiles"]
    assert tile["id"] != "x", "they are the table's own"
    for size in ("71", "0", "-35", "35x", "٣٥", "1e9"):
        assert ask("GET", f"/api/v1/tiles/{tile['id']}/{size}", key=None).status_code == 404
    master = {"watch": watch_token("the-key-of-this-table", LinkAudience.GM)}
    assert "tiles" not in ask("GET", "/api/v1/scene", params=master, key=None).json(), "who has the picture"


def test_of_a_map_of_which_nothing_is_seen_there_are_no_tiles() -> None:
    for seen in ([], [""], ["  ", " "]):
        with case(seen):
            assert Tiles().cut_seen_tiles("a", lambda: painted(LIES[0], set(), 1), None, seen) == []
