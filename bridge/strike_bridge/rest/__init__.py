"""A tabletop that is told by TOML alone: templates, answers, ways to get in. `targets/rest.py` is the target.

Jinja2 and JMESPath are imported here and nowhere else, and only for a target of `kind = "rest"`.
"""
