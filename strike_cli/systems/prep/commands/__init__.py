"""The commands of prepared things: `clock`, `draw`, `scene`, `note`, `handout`, `find` and others.

`missing` and `doctor_checks` look for gaps before the evening.
"""
