"""The commands of prepared things: `clock`, `draw`, `scene`, `note`, `handout`, `find` and others.

`missing` and `checkup` look for gaps before the evening.
"""
