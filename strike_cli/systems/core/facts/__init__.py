"""Facts and decisions of the core: a module a topic, so that a command loads only its own.

`System.fact_modules` names them. No rule is here. Example: `rolls.py` has the Skill Roll.
"""
