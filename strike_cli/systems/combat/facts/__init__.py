"""Facts and decisions of a fight, with one module for each topic, so that a command loads only what it needs.

`System.fact_modules` names the modules. They contain no rules. Example: `harm.py` has the fact of damage that
a creature takes.
"""
