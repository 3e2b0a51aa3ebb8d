"""Procedures, facts and drivers: the part of strike without any game, file, terminal or clock.

- `procedure` has the three requests that a rule can yield (`Roll`, `Choose`, `Happen`), and its
  `World`.
- `statements` and `sentence_templates` have facts, decisions and clauses, and make sentences of
  them.
- `state_changes` has the changes of the state, and the one function that applies them.
- `driver` plays a procedure with given dice and decisions.
- `exact_odds`, `chance_estimates` and `absorbing_chain` compute odds.
- `journal_types` and `roll_types` have the types of stored entries and of rolls.

Begin with `procedure`. Example: `core/skill_roll.py` yields a `Roll` and a `Happen`. In play, a driver
answers the `Roll` with dice. For `odds`, another driver plays the procedure once for every face.
"""
