"""Facts and decisions of the core, with one module for each topic, so that a command loads what it needs.

`System.fact_modules` names the modules. They contain no rules. Example: `rolls.py` has the fact of a Skill
Roll.
"""
