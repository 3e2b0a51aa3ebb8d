"""The commands of preparation: `clock`, `draw`, `scene`, `note`, `handout`, `find` and others.

`scene_gaps` and `doctor_checks` look for gaps before a session.
"""
