"""Facts and decisions of a fight: a module a topic, so that a command loads only its own.

`System.fact_modules` names them. No rule is here. Example: `harm.py` has the damage that a creature takes.
"""
