"""Facts and decisions of the core, in one module for each topic. They contain no rules.

A command loads only the modules that it needs. `System.fact_modules` names all of them. Example: `rolls.py`
has the fact of a Skill Roll.
"""
