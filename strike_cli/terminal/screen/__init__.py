"""The full screen of an evening: the scene, its people, the legal options, the latest events.

`strike play` draws it with keys, `strike watch` without. It uses the common form of scenes and legal options,
and knows no system. In order: `model` is the data to show, `selection` the cursor and its target, `rows` text
of a given width, `draw` makes rows of a given size, and only `app` knows Textual. These modules import Rich:
import them only to draw a screen.
"""
