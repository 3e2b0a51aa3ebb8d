"""Targets that are described by TOML alone: templates, answers, authentication.

`targets/rest.py` is the target itself. Jinja2 and JMESPath are imported here and nowhere else, and only for a
target of `kind = "rest"`.
"""
