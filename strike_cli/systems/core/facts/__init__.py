"""What the core tells, and asks: a module a topic, so that a command loads those that it tells of.

`System.fact_modules` names them. No rule is here.
"""
