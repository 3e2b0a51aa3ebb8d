"""The full screen of `strike play` and `strike watch`: scene, people, legal moves, latest events.

`strike play` has keys, and `strike watch` has none. `campaign_view` has the data to show. `screen_state`
has the state of the screen, such as the cursor. `text_rows` makes texts of a given width. `screen_drawing`
makes the rows of a whole screen. Only `app` uses Textual.

The screen shows the common form of scenes, and knows no system. Some of these modules import Rich: import
them only to draw a screen.
"""
