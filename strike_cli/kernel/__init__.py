"""Procedures, facts and drivers: the part of strike without any game, file, terminal or clock.

- `procedure`: the three things that a rule yields (`Roll`, `Choose`, `Happen`), and its `World`.
- `statements`, `sentence_templates`: facts, decisions and clauses as classes, and their sentences.
- `facts`: changes of the state, and the one function that applies them.
- `driver`: answer a procedure with given dice and choices.
- `exhaustive`, `estimate`, `absorbing_chain`: odds.
- `journal_types`, `roll_data`: types of stored entries and of dice.

Begin with `procedure`. Example: `core/skill_roll.py` yields a `Roll` and a `Happen`; the driver for play
answers the first with dice, and the one for `odds` with every face.
"""
