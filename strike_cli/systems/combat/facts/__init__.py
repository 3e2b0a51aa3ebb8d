"""The facts and decisions of a fight, with one module for each topic.

A command loads only the modules that it needs. `System.fact_modules` names them all. The facts and decisions
contain no rules. Example: the module `harm.py` has the fact that a creature takes damage.
"""
