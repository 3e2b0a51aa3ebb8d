"""What is told of a fight, and asked: a module a topic, so that a command loads those that it tells of.

`System.fact_modules` names them. No rule is here.
"""
