"""A sender of what the table shows between scenes: session, party, possessions and ailments.

They come from sheets, which the bridge doesn't read. So this process sends them to the table's server.
"""

from __future__ import annotations

import hashlib
import json
import threading
import urllib.request
from pathlib import Path

from strike_cli.campaign import Campaign
from strike_cli.campaign.change_stamp import journal_and_state_stamp
from strike_cli.kernel.state_changes import open_or_last_session_in
from strike_cli.problems import Problem
from strike_cli.registry.scenes_and_decisions_in_state import scenes_of
from strike_cli.terminal.sheet_and_party_views import party_views

CHECK_SECONDS = 0.5
"""Seconds between looks at the campaign."""
RETRY_SECONDS = 5.0
"""Seconds after which something that the table didn't take is sent again."""

Payload = dict[str, object]
Pictures = dict[str, tuple[bytes, str]]
"""Pictures by SHA-256: their bytes and media type."""


def intermission_of(campaign: Campaign) -> tuple[Payload, Pictures]:
    """Return the session and the party for the table's display, and the pictures that they need."""
    from strike_cli.kernel.procedure import World

    book, now = campaign.book, open_or_last_session_in(campaign.state)
    world = World(book, campaign.state)
    people = list(book.characters)
    views = party_views(world, people)
    party, pictures = [], Pictures()
    for person in people:
        image, content = _read_picture(campaign.folder, str(book.characters[person].get("image", "")))
        if image and content:
            pictures[str(image["hash"])] = content
        party.append(
            {
                "id": person,
                "name": str(book.characters[person]["name"]),
                "image": image,
                "conditions": [item.what for view in views for item in view.held if item.who == person],
                "numbers": [
                    {"name": name, "value": values[person]}
                    for view in views
                    for name, values in view.numbers.items()
                    if person in values
                ],
            }
        )
    session = {"number": now.get("number", 0), "title": now.get("title", ""), "open": now.get("open", False)}
    return {**session, "party": party}, pictures


def _read_picture(folder: Path, file: str) -> tuple[Payload | None, tuple[bytes, str] | None]:
    from strike_cli.tabletop.campaign_pictures import (
        LARGEST,
        begins_with_https,
        can_name_picture,
        read_campaign_picture,
    )

    if not file or begins_with_https(file) or not can_name_picture(file):
        return None, None
    try:
        found = read_campaign_picture(folder, file, LARGEST)
    except ValueError:
        return None, None
    return {"hash": hashlib.sha256(found[0]).hexdigest()}, found


def send_intermission_until_stopped(folder: Path, url: str, key: str, stop: threading.Event) -> None:
    """Send the table what it shows between scenes, whenever that changes, until `stop` is set.

    The table is sent the session and the party. During a scene they are sent only if they have never been
    sent before. If sending fails, it is tried again after RETRY_SECONDS.
    """
    seen: object = None
    told: Payload | None = None
    wait = 0.0
    while not stop.wait(wait):
        wait = CHECK_SECONDS
        now = journal_and_state_stamp(folder)
        if now == seen:
            continue
        try:
            with Campaign(folder) as campaign:
                # While a scene is played nobody sees it, and every command would pay for it.
                found = None if told and scenes_of(campaign.state) else intermission_of(campaign)
            if found and found[0] != told:
                _put_intermission(url, key, *found)
                told = found[0]
            seen = now
        except (Problem, OSError, ValueError):
            wait = RETRY_SECONDS


def _put_intermission(url: str, key: str, payload: Payload, pictures: Pictures) -> None:
    for digest, (content, media_type) in pictures.items():
        _put_content(f"{url}/api/v1/images/{digest}", key, content, media_type)
    _put_content(f"{url}/api/v1/evening", key, json.dumps(payload).encode(), "application/json")


def _put_content(address: str, key: str, content: bytes, media_type: str) -> None:
    """Put content at an address of the table. Raises OSError if the table doesn't accept it."""
    headers = {"Authorization": f"Bearer {key}", "Content-Type": media_type}
    asked = urllib.request.Request(address, content, headers, method="PUT")
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(asked, timeout=10) as answer:
        answer.read()
