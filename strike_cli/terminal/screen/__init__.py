"""The full screen of an evening: the scene, its people, the legal options, the latest events.

`strike play` draws it with keys, `strike watch` without. Made of scenes in their common form and of legal
options; knows no system. In order: `model` is the data to show, `selection` what the cursor points at,
`rows` text of a given width, `draw` makes rows of a given size, and `app` alone knows Textual. Rich is
imported here: import these modules where a screen is drawn, no sooner.
"""
