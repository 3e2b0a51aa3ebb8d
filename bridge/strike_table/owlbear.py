"""The way in for Owlbear Rodeo: the manifest of the extension, and how far that site may reach.

It may show the extension's pages in a frame, and read the manifest and the icon. All else stays as closed to
it as to any other site. No state is here, and no file is read.
"""

from __future__ import annotations

from collections.abc import Mapping

ORIGIN = "https://www.owlbear.rodeo"
FOLDER = "/owlbear/"
"""Where the extension lies; nothing else does."""
MANIFEST, ICON = f"{FOLDER}manifest.json", f"{FOLDER}icon.svg"
VERSION = "1.0.0"
"""Of the extension: another makes Owlbear Rodeo read the manifest as a new one."""


def may_read(method: str, path: str, origin: str | None) -> bool:
    """Return whether a request is that site's, for one of the two files that it has to read itself."""
    return origin == ORIGIN and method in ("GET", "HEAD") and path in (MANIFEST, ICON)


def opened(path: str, headers: Mapping[str, str]) -> dict[str, str]:
    """Return the headers that fence an answer in, opened as far as the site needs for what lies at `path`."""
    if path in (MANIFEST, ICON):
        return {
            **headers,
            "Access-Control-Allow-Origin": ORIGIN,
            "Cross-Origin-Resource-Policy": "cross-origin",
            "Vary": "Origin",
        }
    policy = headers["Content-Security-Policy"]
    framed = policy.replace("frame-ancestors 'none'", f"frame-ancestors {ORIGIN}")
    return {**headers, "Content-Security-Policy": framed}


def manifest(watch: str) -> dict[str, object]:
    """Return the extension's manifest for the site.

    `watch` is what the players' link carries, for a table that is reached from elsewhere: everybody in the
    room gets it.
    """
    link = f"?watch={watch}" if watch else ""
    return {
        "name": "Strike! at the table",
        "version": VERSION,
        "manifest_version": 1,
        "author": "The strike developers",
        "description": "Shows the map of the game: who stands where, how they are, whose turn it is.",
        "icon": ICON,
        "action": {
            "title": "Strike!",
            "icon": ICON,
            "popover": f"{FOLDER}panel.html{link}",
            "height": 480,
            "width": 340,
        },
        "background_url": f"{FOLDER}background.html{link}",
    }
