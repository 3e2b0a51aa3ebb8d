"""Players at their phones: links of their own, what they see of their characters, answers and proposals.

Whatever goes to a phone is made in `sheet.py`, of what `visibility` lets its player know. HTTP is the
table's business (`strike_table.players`); no game system is known here.
"""
