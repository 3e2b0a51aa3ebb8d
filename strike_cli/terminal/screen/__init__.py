"""A whole screen of the evening: the scene, who is who, what may be done, what happened. `strike play` draws
it with keys, `strike watch` without. Made of scenes in their common form and of legal options; knows no
system.

`model` is what there is to show, `desk` what somebody points at, `draw` makes rows of a given size of both,
and `app` alone knows Textual. Rich is imported here: import these modules where a screen is drawn, no sooner.
"""
