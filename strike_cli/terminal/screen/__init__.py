"""The full screen of `strike play` and `strike watch`: scene, people, legal options, latest events.

`strike play` has keys and `strike watch` has none. It uses the common form of scenes, and knows no system.
`model` has the data to show, `selection` the cursor and its target, `rows` texts of a given width;
`screen_drawing` makes the rows of a screen of a given size; only `app` knows Textual. These modules import
Rich: import them only to draw a screen.
"""
